//! The ten ways in which AMD XDNA's cores round `f32` to `bf16`.

use std::fmt;

use half::bf16;

/// A rounding mode of the core's accumulator conversion, by the number that its control register takes.
///
/// Observed on an NPU1 for every mode (96 inputs each, subnormals, infinities and NaN included); [`Rounding`](crate::Rounding)
/// names those that other processors have too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[repr(u8)]
pub enum AieRounding {
    /// Toward negative infinity; what cores start with.
    #[default]
    Floor = 0,
    /// Toward positive infinity.
    Ceil = 1,
    /// Toward zero.
    SymmetricFloor = 2,
    /// Away from zero.
    SymmetricCeil = 3,
    /// To the nearest, a tie toward negative infinity.
    NegativeInfinity = 8,
    /// To the nearest, a tie toward positive infinity.
    PositiveInfinity = 9,
    /// To the nearest, a tie toward zero.
    SymmetricZero = 10,
    /// To the nearest, a tie away from zero.
    SymmetricInfinity = 11,
    /// To the nearest, a tie to the even neighbour.
    ConvEven = 12,
    /// To the nearest, a tie to the odd neighbour.
    ConvOdd = 13,
}

impl AieRounding {
    /// Every mode, by number.
    pub const ALL: [Self; 10] = [
        Self::Floor,
        Self::Ceil,
        Self::SymmetricFloor,
        Self::SymmetricCeil,
        Self::NegativeInfinity,
        Self::PositiveInfinity,
        Self::SymmetricZero,
        Self::SymmetricInfinity,
        Self::ConvEven,
        Self::ConvOdd,
    ];

    /// The mode with this number.
    pub fn of_number(number: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| *mode as u8 == number)
    }

    /// `value` as `bf16`. Subnormal numbers are kept; a value beyond the largest finite number becomes an infinity only where the
    /// mode rounds its magnitude up; NaN keeps its upper half, and stays NaN.
    pub fn f32_to_bf16(self, value: f32) -> bf16 {
        let bits = value.to_bits();
        let kept = (bits >> 16) as u16;
        if value.is_nan() {
            // The lowest bit keeps it from becoming an infinity.
            return bf16::from_bits(if kept & 0x7f == 0 { kept | 1 } else { kept });
        }
        let (low, negative, odd) = (bits & 0xffff, bits >> 31 == 1, kept & 1 == 1);
        let away = match self {
            Self::Floor => negative && low != 0,
            Self::Ceil => !negative && low != 0,
            Self::SymmetricFloor => false,
            Self::SymmetricCeil => low != 0,
            Self::NegativeInfinity => low > 0x8000 || low == 0x8000 && negative,
            Self::PositiveInfinity => low > 0x8000 || low == 0x8000 && !negative,
            Self::SymmetricZero => low > 0x8000,
            Self::SymmetricInfinity => low >= 0x8000,
            Self::ConvEven => low > 0x8000 || low == 0x8000 && odd,
            Self::ConvOdd => low > 0x8000 || low == 0x8000 && !odd,
        };
        // One step away from zero; from the largest finite number that is infinity.
        bf16::from_bits(kept + u16::from(away))
    }
}

impl fmt::Display for AieRounding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Floor => "floor",
            Self::Ceil => "ceil",
            Self::SymmetricFloor => "symmetric_floor",
            Self::SymmetricCeil => "symmetric_ceil",
            Self::NegativeInfinity => "negative_inf",
            Self::PositiveInfinity => "positive_inf",
            Self::SymmetricZero => "symmetric_zero",
            Self::SymmetricInfinity => "symmetric_inf",
            Self::ConvEven => "conv_even",
            Self::ConvOdd => "conv_odd",
        })
    }
}
