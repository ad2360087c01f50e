//! What is handed to a runtime as input.

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

    /// Bytes for the NPU as they are.
    #[must_use]
    pub fn native(index: usize, element: Type, bytes: usize, seed: u64) -> Self {
        let values = Self::values(index, bytes / element.size(), element, Format::Undefined, seed);
        Self { pass_through: true, ..values }
    }
}
