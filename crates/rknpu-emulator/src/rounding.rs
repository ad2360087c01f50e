//! Integer shifts, saturation and the 16-bit float types.

use std::cmp::Ordering;

use half::{bf16, f16};

use crate::options::Rounding;
use crate::simd::{LANES, Simd, map};

/// Arithmetic right shift with rounding; any shift, also beyond the width.
pub(crate) fn shift(value: i64, by: u32, rounding: Rounding) -> i64 {
    if by == 0 {
        return value;
    }
    if by > 62 {
        // The halves of such shifts do not fit 64 bits.
        let wide = i128::from(value);
        let by = by.min(100);
        let floor = wide >> by;
        return (floor
            + i128::from(up(rounding, (wide - (floor << by)).cmp(&(1 << (by - 1))), floor & 1 == 1, value >= 0)))
            as i64;
    }
    let floor = value >> by;
    let rest = value - (floor << by);
    floor + i64::from(up(rounding, rest.cmp(&(1 << (by - 1))), floor & 1 == 1, value >= 0))
}

/// Whether what lies between two integers goes to the upper one, from how it compares with the middle.
fn up(rounding: Rounding, rest: Ordering, odd: bool, positive: bool) -> bool {
    match rounding {
        Rounding::Floor => false,
        Rounding::HalfAway => rest == Ordering::Greater || rest == Ordering::Equal && positive,
        Rounding::HalfEven => rest == Ordering::Greater || rest == Ordering::Equal && odd,
    }
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

    /// A block of numbers.
    #[inline(always)]
    pub(crate) fn widen<S: Simd>(self, simd: S, bits: &[u16; LANES]) -> [f32; LANES] {
        match self {
            Self::Float16 => simd.widen(bits),
            Self::BFloat16 => map(bits, |bits| f32::from_bits(u32::from(bits) << 16)),
        }
    }

    /// Bits of a block of numbers, to the nearest, ties to even; NaN has one form.
    #[inline(always)]
    pub(crate) fn narrow<S: Simd>(self, simd: S, values: &[f32; LANES]) -> [u16; LANES] {
        match self {
            Self::Float16 => simd.narrow(values),
            Self::BFloat16 => map(values, |value| {
                let bits = value.to_bits();
                let rounded = bits.wrapping_add(0x7fff + (bits >> 16 & 1)) >> 16;
                if value.is_nan() { 0x7fc0 } else { rounded as u16 }
            }),
        }
    }
}

/// The integer that a double of less than 2^31 is. A cast would look for NaN and ends of the range in every lane; adding
/// 1.5 * 2^52 leaves the integer in the low bits.
#[inline(always)]
pub(crate) fn small_integer(value: f64) -> i32 {
    (value + 6_755_399_441_055_744.0).to_bits() as u32 as i32
}

/// `value` rounded to the nearest integer, ties to even, within `low..=high`, which are below 2^22; NaN gives zero.
#[inline(always)]
pub(crate) fn nearest(value: f32, low: f32, high: f32) -> i32 {
    let value = if value.is_nan() { 0.0 } else { value.round_ties_even() };
    let value = if value < low { low } else { value };
    let value = if value > high { high } else { value };
    // As for doubles, with 1.5 * 2^23.
    (value + 12_582_912.0).to_bits() as i32 - 0x4b40_0000
}

/// `one` if `condition`, else `other`. In bits: of a plain choice between a value and what is already stored the compiler makes a
/// store under a mask, which some processors are slow at.
#[inline(always)]
pub(crate) fn select(condition: bool, one: f32, other: f32) -> f32 {
    let mask = 0u32.wrapping_sub(u32::from(condition));
    f32::from_bits(one.to_bits() & mask | other.to_bits() & !mask)
}

/// `main` or `other`, whichever is larger; a number wins against NaN, and `main` against its equal, whatever the sign of zero.
#[inline(always)]
pub(crate) fn maximum(main: f32, other: f32) -> f32 {
    select((other > main) | main.is_nan(), other, main)
}

/// The same for the smaller one.
#[inline(always)]
pub(crate) fn minimum(main: f32, other: f32) -> f32 {
    select((other < main) | main.is_nan(), other, main)
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
