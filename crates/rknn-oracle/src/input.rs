//! What is handed to a runtime as input.

use ferrite_rknn_runtime::{ElementType, Layout, Tensor};
use serde::{Deserialize, Serialize};

/// Element types, by the numbers of the vendor's interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Type {
    /// 32-bit float.
    Float32 = 0,
    /// Half float.
    Float16 = 1,
    /// Signed 8-bit integer.
    Int8 = 2,
    /// Unsigned 8-bit integer.
    Uint8 = 3,
    /// Signed 16-bit integer.
    Int16 = 4,
    /// Signed 32-bit integer.
    Int32 = 6,
    /// Signed 64-bit integer.
    Int64 = 8,
}

impl From<Type> for ElementType {
    fn from(element: Type) -> Self {
        match element {
            Type::Float32 => Self::F32,
            Type::Float16 => Self::F16,
            Type::Int8 => Self::I8,
            Type::Uint8 => Self::U8,
            Type::Int16 => Self::I16,
            Type::Int32 => Self::I32,
            Type::Int64 => Self::I64,
        }
    }
}

/// Orders of dimensions, by the numbers of the vendor's interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Format {
    /// Channels first.
    Nchw = 0,
    /// Channels last.
    Nhwc = 1,
    /// No particular one: anything that does not have four dimensions.
    Undefined = 3,
}

/// One input as it was set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InputSpec {
    /// Which input.
    pub index: usize,
    /// Type of `bytes`.
    pub element: Type,
    /// Order of `bytes`.
    pub format: Format,
    /// Whether the bytes are for the NPU as they are.
    pub pass_through: bool,
    /// The data.
    pub bytes: Vec<u8>,
}

impl Type {
    /// The runtime's name for a type; `None` where it has none.
    #[must_use]
    pub fn of(element: ElementType) -> Option<Self> {
        match element {
            ElementType::F32 => Some(Self::Float32),
            ElementType::F16 => Some(Self::Float16),
            ElementType::I8 => Some(Self::Int8),
            ElementType::U8 | ElementType::Bool => Some(Self::Uint8),
            ElementType::I16 => Some(Self::Int16),
            ElementType::I32 => Some(Self::Int32),
            ElementType::I64 => Some(Self::Int64),
            _ => None,
        }
    }

    /// Bytes of an element.
    #[must_use]
    pub fn size(self) -> usize {
        match self {
            Self::Int8 | Self::Uint8 => 1,
            Self::Float16 | Self::Int16 => 2,
            Self::Float32 | Self::Int32 => 4,
            Self::Int64 => 8,
        }
    }
}

/// Images of channels that follow each other to images of pixels.
fn channels_last(bytes: &[u8], size: usize, channels: usize, pixels: usize) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    for image in bytes.chunks_exact((channels * pixels * size).max(1)) {
        for pixel in 0..pixels {
            for channel in 0..channels {
                out.extend_from_slice(&image[(channel * pixels + pixel) * size..][..size]);
            }
        }
    }
    out
}

/// Numbers from a seed, 16 bits each.
fn numbers(seed: u64) -> impl FnMut() -> u16 {
    let mut state = seed;
    move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 48) as u16
    }
}

impl InputSpec {
    /// Float32 values between -1 and 1 from a seed, in the order that the vendor's examples use.
    #[must_use]
    pub fn float(index: usize, shape: &[usize], seed: u64) -> Self {
        let format = if shape.len() == 4 { Format::Nhwc } else { Format::Undefined };
        Self::values(index, shape.iter().product(), Type::Float32, format, seed)
    }

    /// Values of a type from a seed: floats between -1 and 1, integers over the range of 8 bits.
    #[must_use]
    pub fn values(index: usize, count: usize, element: Type, format: Format, seed: u64) -> Self {
        let mut next = numbers(seed ^ (index as u64) << 32);
        let mut bytes = Vec::with_capacity(count * element.size());
        for _ in 0..count {
            let number = next();
            let small = i16::from((number >> 8) as u8 as i8);
            match element {
                Type::Float32 => bytes.extend((f32::from(number) / 32768.0 - 1.0).to_le_bytes()),
                // Half floats between 1 and 2: any mantissa does.
                Type::Float16 => bytes.extend((0x3c00 | number & 0x3ff).to_le_bytes()),
                Type::Int8 | Type::Uint8 => bytes.push((number >> 8) as u8),
                Type::Int16 => bytes.extend(small.to_le_bytes()),
                Type::Int32 => bytes.extend(i32::from(small).to_le_bytes()),
                Type::Int64 => bytes.extend(i64::from(small).to_le_bytes()),
            }
        }
        Self { index, element, format, pass_through: false, bytes }
    }

    /// A tensor as [`Session::set_input`](ferrite_rknn_runtime::Session::set_input) takes it. The runtime takes four dimensions
    /// channels last, and types it has none of become float32, which holds their values.
    #[must_use]
    pub fn of_tensor(index: usize, tensor: &Tensor, layout: Layout) -> Self {
        let element = Type::of(tensor.element());
        if layout == Layout::Native {
            let element = element.unwrap_or(Type::Uint8);
            return Self {
                index,
                element,
                format: Format::Undefined,
                pass_through: true,
                bytes: tensor.bytes().to_vec(),
            };
        }
        let (element, bytes) = match element {
            Some(element) => (element, tensor.bytes().to_vec()),
            None => (Type::Float32, tensor.to_f32().into_iter().flat_map(f32::to_le_bytes).collect()),
        };
        let (format, bytes) = match (tensor.shape(), layout) {
            (&[_, channels, height, width], Layout::Nchw) => {
                (Format::Nhwc, channels_last(&bytes, element.size(), channels, height * width))
            }
            (&[_, _, _, _], _) => (Format::Nhwc, bytes),
            _ => (Format::Undefined, bytes),
        };
        Self { index, element, format, pass_through: false, bytes }
    }

    /// Bytes for the NPU as they are.
    #[must_use]
    pub fn native(index: usize, element: Type, bytes: usize, seed: u64) -> Self {
        let values = Self::values(index, bytes / element.size(), element, Format::Undefined, seed);
        Self { pass_through: true, ..values }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn planes_become_pixels() {
        // Two images of two channels and three pixels, two bytes a value.
        let bytes: Vec<u8> = (0..24).collect();
        let tensor = Tensor::new(ElementType::I16, vec![2, 2, 1, 3], bytes).unwrap();
        let spec = InputSpec::of_tensor(0, &tensor, Layout::Nchw);
        assert_eq!((spec.element, spec.format), (Type::Int16, Format::Nhwc));
        assert_eq!(spec.bytes[..12], [0, 1, 6, 7, 2, 3, 8, 9, 4, 5, 10, 11]);
        assert_eq!(spec.bytes[12..], [12, 13, 18, 19, 14, 15, 20, 21, 16, 17, 22, 23]);
        assert_eq!(InputSpec::of_tensor(0, &tensor, Layout::Nhwc).bytes, tensor.bytes());
    }

    #[test]
    fn types_without_a_name_become_float32() {
        let tensor = Tensor::new(ElementType::U16, vec![1], vec![0xff, 0xff]).unwrap();
        let spec = InputSpec::of_tensor(0, &tensor, Layout::Nchw);
        assert_eq!((spec.element, spec.bytes), (Type::Float32, 65535_f32.to_le_bytes().to_vec()));
    }
}
