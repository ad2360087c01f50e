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

impl InputSpec {
    /// Float32 values between -1 and 1 from a seed, in the order that the vendor's examples use.
    #[must_use]
    pub fn float(index: usize, shape: &[usize], seed: u64) -> Self {
        let mut state = seed ^ (index as u64) << 32;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            f32::from((state >> 48) as u16) / 32768.0 - 1.0
        };
        let bytes = (0..shape.iter().product()).flat_map(|_| next().to_le_bytes()).collect();
        let format = if shape.len() == 4 { Format::Nhwc } else { Format::Undefined };
        Self { index, element: Type::Float32, format, pass_through: false, bytes }
    }
}
