//! Tensors on the host.

use half::{bf16, f16};

use crate::Error;

/// Type of a tensor's elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ElementType {
    /// IEEE single precision.
    F32,
    /// IEEE half precision.
    F16,
    /// bfloat16.
    Bf16,
    /// Unsigned 8-bit integer.
    U8,
    /// Signed 8-bit integer.
    I8,
    /// Unsigned 16-bit integer.
    U16,
    /// Signed 16-bit integer.
    I16,
    /// Unsigned 32-bit integer.
    U32,
    /// Signed 32-bit integer.
    I32,
    /// Signed 64-bit integer.
    I64,
    /// Truth value, one byte.
    Bool,
}

/// Does `$body` with `$decode` (bytes of one element → `f64`) for a type.
macro_rules! decode {
    ($element:expr, |$decode:ident| $body:expr) => {
        match $element {
            ElementType::F32 => {
                let $decode = |b: &[u8]| f64::from(f32::from_le_bytes(array(b)));
                $body
            }
            ElementType::F16 => {
                let $decode = |b: &[u8]| f16::from_le_bytes(array(b)).to_f64();
                $body
            }
            ElementType::Bf16 => {
                let $decode = |b: &[u8]| bf16::from_le_bytes(array(b)).to_f64();
                $body
            }
            ElementType::U8 | ElementType::Bool => {
                let $decode = |b: &[u8]| f64::from(b[0]);
                $body
            }
            ElementType::I8 => {
                let $decode = |b: &[u8]| f64::from(i8::from_le_bytes(array(b)));
                $body
            }
            ElementType::U16 => {
                let $decode = |b: &[u8]| f64::from(u16::from_le_bytes(array(b)));
                $body
            }
            ElementType::I16 => {
                let $decode = |b: &[u8]| f64::from(i16::from_le_bytes(array(b)));
                $body
            }
            ElementType::U32 => {
                let $decode = |b: &[u8]| f64::from(u32::from_le_bytes(array(b)));
                $body
            }
            ElementType::I32 => {
                let $decode = |b: &[u8]| f64::from(i32::from_le_bytes(array(b)));
                $body
            }
            ElementType::I64 => {
                #[expect(clippy::cast_precision_loss, reason = "real tensors hold indices and sizes")]
                let $decode = |b: &[u8]| i64::from_le_bytes(array(b)) as f64;
                $body
            }
        }
    };
}

/// The first `N` bytes; callers pass slices made by `chunks_exact(N)`.
fn array<const N: usize>(bytes: &[u8]) -> [u8; N] {
    let mut out = [0; N];
    out.copy_from_slice(&bytes[..N]);
    out
}

impl ElementType {
    /// Bytes of one element.
    #[must_use]
    pub const fn size(self) -> usize {
        match self {
            Self::U8 | Self::I8 | Self::Bool => 1,
            Self::F16 | Self::Bf16 | Self::U16 | Self::I16 => 2,
            Self::F32 | Self::U32 | Self::I32 => 4,
            Self::I64 => 8,
        }
    }

    /// The type's name as numpy spells it (`bfloat16` has none there).
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::F32 => "float32",
            Self::F16 => "float16",
            Self::Bf16 => "bfloat16",
            Self::U8 => "uint8",
            Self::I8 => "int8",
            Self::U16 => "uint16",
            Self::I16 => "int16",
            Self::U32 => "uint32",
            Self::I32 => "int32",
            Self::I64 => "int64",
            Self::Bool => "bool",
        }
    }

    /// The type of a model's tensor.
    pub(crate) fn of_model(data_type: ferrite_rknn::DataType, tensor: &str) -> Result<Self, Error> {
        use ferrite_rknn::DataType as D;
        Ok(match data_type {
            D::FLOAT32 => Self::F32,
            D::FLOAT16 => Self::F16,
            D::BFLOAT16 => Self::Bf16,
            D::UINT8 => Self::U8,
            D::INT8 => Self::I8,
            D::UINT16 => Self::U16,
            D::INT16 => Self::I16,
            D::UINT32 => Self::U32,
            D::INT32 => Self::I32,
            D::INT64 => Self::I64,
            D::BOOL => Self::Bool,
            other => {
                let feature = format!("element type {other}");
                return Err(Error::Unsupported { part: format!("tensor `{tensor}`"), feature });
            }
        })
    }

    /// Whether values are stored as integers.
    #[must_use]
    pub const fn is_integer(self) -> bool {
        !matches!(self, Self::F32 | Self::F16 | Self::Bf16)
    }

    /// Stores `value` at the front of `out`: floats rounded to nearest even, integers rounded half away from zero and
    /// saturated.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "float casts saturate, by design here")]
    pub(crate) fn store(self, value: f32, out: &mut [u8]) {
        let integer = value.round();
        match self {
            Self::F32 => out[..4].copy_from_slice(&value.to_le_bytes()),
            Self::F16 => out[..2].copy_from_slice(&f16::from_f32(value).to_le_bytes()),
            Self::Bf16 => out[..2].copy_from_slice(&bf16::from_f32(value).to_le_bytes()),
            Self::U8 => out[0] = integer as u8,
            Self::Bool => out[0] = u8::from(value != 0.0),
            Self::I8 => out[..1].copy_from_slice(&(integer as i8).to_le_bytes()),
            Self::U16 => out[..2].copy_from_slice(&(integer as u16).to_le_bytes()),
            Self::I16 => out[..2].copy_from_slice(&(integer as i16).to_le_bytes()),
            Self::U32 => out[..4].copy_from_slice(&(integer as u32).to_le_bytes()),
            Self::I32 => out[..4].copy_from_slice(&(integer as i32).to_le_bytes()),
            Self::I64 => out[..8].copy_from_slice(&(integer as i64).to_le_bytes()),
        }
    }
}

/// A tensor on the host: row-major, little-endian, in the logical order of dimensions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tensor {
    element: ElementType,
    shape: Vec<usize>,
    bytes: Vec<u8>,
}

impl Tensor {
    /// A tensor of `bytes`.
    ///
    /// # Errors
    /// When the number of bytes is not that of the shape.
    pub fn new(element: ElementType, shape: Vec<usize>, bytes: Vec<u8>) -> Result<Self, Error> {
        let count = element_count(&shape).and_then(|count| count.checked_mul(element.size()));
        if count != Some(bytes.len()) {
            let reason = format!("{} bytes are not a {} tensor of shape {shape:?}", bytes.len(), element.name());
            return Err(Error::Tensor { tensor: String::new(), reason });
        }
        Ok(Self { element, shape, bytes })
    }

    /// A float32 tensor.
    ///
    /// # Errors
    /// When the number of values is not that of the shape.
    pub fn from_f32(shape: Vec<usize>, values: &[f32]) -> Result<Self, Error> {
        let bytes = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        Self::new(ElementType::F32, shape, bytes)
    }

    /// Type of the elements.
    #[must_use]
    pub const fn element(&self) -> ElementType {
        self.element
    }

    /// Sizes, outermost first.
    #[must_use]
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// The elements' bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Number of elements.
    #[must_use]
    pub fn len(&self) -> usize {
        self.bytes.len() / self.element.size()
    }

    /// Whether there is no element.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// All elements as `f32` (64-bit integers lose precision beyond 2^24).
    #[must_use]
    pub fn to_f32(&self) -> Vec<f32> {
        to_f32(self.element, &self.bytes)
    }
}

/// Elements of `bytes` as `f32`.
#[expect(clippy::cast_possible_truncation, reason = "f32 is what callers compute in")]
pub(crate) fn to_f32(element: ElementType, bytes: &[u8]) -> Vec<f32> {
    decode!(element, |decode| bytes.chunks_exact(element.size()).map(|chunk| decode(chunk) as f32).collect())
}

/// Product of the sizes, unless it overflows.
pub(crate) fn element_count(shape: &[usize]) -> Option<usize> {
    shape.iter().try_fold(1_usize, |product, &size| product.checked_mul(size))
}

/// Order of the values in a tensor that a caller hands over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Layout {
    /// As the network defines the tensor (`[N, C, H, W]` for four dimensions).
    #[default]
    Nchw,
    /// Channels last; the same as [`Layout::Nchw`] unless there are four dimensions.
    Nhwc,
    /// Bytes as the NPU wants them, copied unchanged.
    Native,
}
