//! Floating-point formats: narrowing with a chosen rounding, and distance in units in the last place.

use crate::rounding::{Rounding, shift_right_i64};
use half::{bf16, f16};
use std::fmt;
use std::str::FromStr;

/// A floating-point format in which a distance can be counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum FloatFormat {
    /// IEEE 754 binary16: 5 exponent bits, 11 bits of precision.
    F16,
    /// The upper half of a binary32: 8 exponent bits, 8 bits of precision.
    Bf16,
    /// IEEE 754 binary32: 8 exponent bits, 24 bits of precision.
    F32,
}

impl FloatFormat {
    /// Every format.
    pub const ALL: [Self; 3] = [Self::F16, Self::Bf16, Self::F32];

    /// Bits of precision, the implicit one included.
    pub const fn precision(self) -> u32 {
        match self {
            Self::F16 => 11,
            Self::Bf16 => 8,
            Self::F32 => 24,
        }
    }

    /// Exponent of the smallest normal number.
    const fn lowest_exponent(self) -> i32 {
        match self {
            Self::F16 => -14,
            Self::Bf16 | Self::F32 => -126,
        }
    }

    const fn sign(self) -> u32 {
        match self {
            Self::F16 | Self::Bf16 => 0x8000,
            Self::F32 => 0x8000_0000,
        }
    }

    /// Bits of positive infinity; the largest finite number lies right below.
    const fn infinity(self) -> u32 {
        match self {
            Self::F16 => 0x7c00,
            Self::Bf16 => 0x7f80,
            Self::F32 => 0x7f80_0000,
        }
    }

    /// The bits of `value` in this format, rounded once.
    ///
    /// A value beyond the largest finite number becomes an infinity, unless the mode rounds toward zero on its side: then
    /// the largest finite number. NaN stays NaN, quiet, with its sign and the upper bits of its payload.
    pub fn narrow(self, value: f64, mode: Rounding) -> u32 {
        let bits = value.to_bits();
        let negative = bits >> 63 == 1;
        let sign = if negative { self.sign() } else { 0 };
        let fraction_bits = self.precision() - 1;
        let fraction = bits & ((1 << 52) - 1);
        if value.is_nan() {
            let payload = (fraction >> (52 - fraction_bits)) as u32;
            return sign | self.infinity() | 1 << (fraction_bits - 1) | payload;
        }
        if value.is_infinite() {
            return sign | self.infinity();
        }
        let biased = (bits >> 52) as i32 & 0x7ff;
        // value = significand * 2^unit, whatever the kind of number
        let (significand, unit) = if biased == 0 { (fraction, -1074) } else { (fraction | 1 << 52, biased - 1075) };
        let significand = significand as i64;
        // Distance of the neighbours of this format around the value, as an exponent.
        let exponent = (unit + 52).max(self.lowest_exponent());
        let quantum = exponent - fraction_bits as i32;
        let shift = (quantum - unit).cast_unsigned();
        let signed = if negative { -significand } else { significand };
        let steps = shift_right_i64(signed, shift, mode).unsigned_abs() as u32;
        // A normal number's implicit bit raises the exponent by one, and so does a carry.
        let magnitude = ((exponent - self.lowest_exponent()).cast_unsigned().min(0xff) << fraction_bits) + steps;
        if magnitude < self.infinity() {
            return sign | magnitude;
        }
        let toward_zero = match mode {
            Rounding::Truncate => true,
            Rounding::Floor => !negative,
            Rounding::Ceil => negative,
            Rounding::HalfEven | Rounding::HalfAway | Rounding::HalfUp => false,
        };
        sign | (self.infinity() - u32::from(toward_zero))
    }

    /// How many representable numbers lie between two bit patterns of this format: 0 for equal numbers and for zeros of
    /// either sign, 1 for neighbours; an infinity counts as the neighbour of the largest finite number. Two NaNs are 0
    /// apart, a NaN and a number have no distance.
    pub fn distance(self, a: u32, b: u32) -> Option<u32> {
        let magnitude = |bits: u32| bits & (self.sign() - 1);
        let is_nan = |bits: u32| magnitude(bits) > self.infinity();
        match (is_nan(a), is_nan(b)) {
            (true, true) => return Some(0),
            (false, false) => {}
            _ => return None,
        }
        let order = |bits: u32| {
            let place = i64::from(magnitude(bits));
            if bits & self.sign() == 0 { place } else { -place }
        };
        // At most twice the infinity's pattern, which fits.
        Some(order(a).abs_diff(order(b)) as u32)
    }
}

impl fmt::Display for FloatFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::F16 => "f16",
            Self::Bf16 => "bf16",
            Self::F32 => "f32",
        })
    }
}

/// A name that is none of `f16`, `bf16`, `f32`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no floating-point format; the formats are f16, bf16, f32")]
pub struct UnknownFormat(pub String);

impl FromStr for FloatFormat {
    type Err = UnknownFormat;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|format| format.to_string() == text).ok_or_else(|| UnknownFormat(text.to_owned()))
    }
}

/// `value` as f16; see [`FloatFormat::narrow`].
pub fn f32_to_f16(value: f32, mode: Rounding) -> f16 {
    match mode {
        // The processor's instruction where there is one; the same result, which a test shows.
        Rounding::HalfEven => f16::from_f32(value),
        _ => f64_to_f16(f64::from(value), mode),
    }
}

/// `value` as bf16; see [`FloatFormat::narrow`].
pub fn f32_to_bf16(value: f32, mode: Rounding) -> bf16 {
    match mode {
        Rounding::HalfEven => bf16::from_f32(value),
        _ => f64_to_bf16(f64::from(value), mode),
    }
}

/// `value` as f16, rounded once (a detour over f32 would round twice); see [`FloatFormat::narrow`].
pub fn f64_to_f16(value: f64, mode: Rounding) -> f16 {
    f16::from_bits(FloatFormat::F16.narrow(value, mode) as u16)
}

/// `value` as bf16, rounded once; see [`FloatFormat::narrow`].
pub fn f64_to_bf16(value: f64, mode: Rounding) -> bf16 {
    bf16::from_bits(FloatFormat::Bf16.narrow(value, mode) as u16)
}

/// Distance in units in the last place of f16; see [`FloatFormat::distance`].
pub fn ulp_distance_f16(a: f16, b: f16) -> Option<u32> {
    FloatFormat::F16.distance(a.to_bits().into(), b.to_bits().into())
}

/// Distance in units in the last place of bf16; see [`FloatFormat::distance`].
pub fn ulp_distance_bf16(a: bf16, b: bf16) -> Option<u32> {
    FloatFormat::Bf16.distance(a.to_bits().into(), b.to_bits().into())
}

/// Distance in units in the last place of f32; see [`FloatFormat::distance`].
pub fn ulp_distance_f32(a: f32, b: f32) -> Option<u32> {
    FloatFormat::F32.distance(a.to_bits(), b.to_bits())
}
