//! Integer shifts, saturation and the 16-bit float types.

use half::{bf16, f16};

use crate::options::Rounding;

/// Arithmetic right shift with rounding; any shift, also beyond the width.
pub(crate) fn shift(value: i64, by: u32, rounding: Rounding) -> i64 {
    if by == 0 {
        return value;
    }
    if by > 64 {
        return if rounding == Rounding::Floor && value < 0 { -1 } else { 0 };
    }
    let wide = i128::from(value);
    let floor = wide >> by;
    let rest = wide - (floor << by);
    let half = 1i128 << (by - 1);
    let up = match rounding {
        Rounding::Floor => false,
        Rounding::HalfAway => rest > half || rest == half && value >= 0,
        Rounding::HalfEven => rest > half || rest == half && floor & 1 == 1,
    };
    (floor + i128::from(up)) as i64
}

/// The nearest value of a signed type of `bits` bits.
pub(crate) fn saturate(value: i64, bits: u32) -> i64 {
    let max = (1i64 << (bits - 1)) - 1;
    value.clamp(-max - 1, max)
}

/// How 16 bits of an operand become a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Half {
    Float16,
    BFloat16,
}

impl Half {
    pub(crate) fn to_f32(self, bits: u16) -> f32 {
        match self {
            Self::Float16 => f16::from_bits(bits).to_f32(),
            Self::BFloat16 => bf16::from_bits(bits).to_f32(),
        }
    }

    pub(crate) fn bits(self, value: f32) -> u16 {
        match self {
            Self::Float16 => f16::from_f32(value).to_bits(),
            Self::BFloat16 => bf16::from_f32(value).to_bits(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shifts_round_as_their_names_say() {
        let shifted = |value, rounding| shift(value, 1, rounding);
        for (value, away, even, floor) in [(5, 3, 2, 2), (-5, -3, -2, -3), (7, 4, 4, 3), (-7, -4, -4, -4), (4, 2, 2, 2)]
        {
            assert_eq!(shifted(value, Rounding::HalfAway), away, "{value}");
            assert_eq!(shifted(value, Rounding::HalfEven), even, "{value}");
            assert_eq!(shifted(value, Rounding::Floor), floor, "{value}");
        }
    }

    #[test]
    fn any_shift_of_any_value_is_defined() {
        for by in [0, 1, 31, 62, 63, 64, 65, 4095] {
            for value in [i64::MIN, -1, 0, 1, i64::MAX] {
                let exact = value as f64 / 2f64.powi(by as i32);
                let rounded = shift(value, by, Rounding::HalfAway) as f64;
                assert!((rounded - exact).abs() <= 0.5 + exact.abs() * 1e-15, "{value} >> {by}");
            }
        }
        assert_eq!(shift(-1, 100, Rounding::Floor), -1);
    }
}
