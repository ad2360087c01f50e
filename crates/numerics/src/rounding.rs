//! Rounding to integers, and narrowing.

use std::cmp::Ordering;
use std::fmt;

/// How a value between two representable neighbours is resolved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Rounding {
    /// To the nearest, a tie to the neighbour whose last digit is even (the IEEE 754 default).
    #[default]
    HalfEven,
    /// To the nearest, a tie away from zero.
    HalfAway,
    /// To the nearest, a tie toward positive infinity; what "add half, then shift" does.
    HalfUp,
    /// Toward negative infinity; what a plain arithmetic shift does.
    Floor,
    /// Toward positive infinity.
    Ceil,
    /// Toward zero.
    Truncate,
}

impl Rounding {
    /// Every mode.
    pub const ALL: [Self; 6] = [Self::HalfEven, Self::HalfAway, Self::HalfUp, Self::Floor, Self::Ceil, Self::Truncate];

    /// Whether a value strictly between two neighbours goes to the upper one.
    ///
    /// `fraction` is the distance from the lower neighbour, compared with half the distance of the two.
    fn goes_up(self, negative: bool, lower_is_odd: bool, fraction: Ordering) -> bool {
        let tie_goes_up = match self {
            Self::Floor => return false,
            Self::Ceil => return true,
            Self::Truncate => return negative,
            Self::HalfEven => lower_is_odd,
            Self::HalfAway => !negative,
            Self::HalfUp => true,
        };
        fraction == Ordering::Greater || fraction == Ordering::Equal && tie_goes_up
    }
}

impl fmt::Display for Rounding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::HalfEven => "half to even",
            Self::HalfAway => "half away from zero",
            Self::HalfUp => "half up",
            Self::Floor => "floor",
            Self::Ceil => "ceiling",
            Self::Truncate => "truncate",
        })
    }
}

/// `value / 2^shift`, rounded; defined for every shift.
pub fn shift_right_i128(value: i128, shift: u32, mode: Rounding) -> i128 {
    if shift == 0 {
        return value;
    }
    let negative = value < 0;
    let floor = value >> shift.min(127);
    // The part below the lower neighbour, in units of 2^-shift. From 128 on that is the whole of the value, a negative one
    // counted from -2^shift; more than 128 only moves it away from the middle.
    let below = if shift < 128 { value.cast_unsigned() & ((1 << shift) - 1) } else { value.cast_unsigned() };
    if below == 0 && (shift <= 128 || value == 0) {
        return floor;
    }
    let fraction = match shift {
        ..=128 => below.cmp(&(1 << (shift - 1))),
        _ if negative => Ordering::Greater,
        _ => Ordering::Less,
    };
    floor + i128::from(mode.goes_up(negative, floor & 1 == 1, fraction))
}

/// `value / 2^shift`, rounded; defined for every shift.
pub fn shift_right_i64(value: i64, shift: u32, mode: Rounding) -> i64 {
    // The quotient is never larger in magnitude than the value, except for shift 0, which returns it.
    shift_right_i128(i128::from(value), shift, mode) as i64
}

/// `value` rounded to an integral value. Infinities, NaN and the sign of zero are kept.
pub fn round_f64(value: f64, mode: Rounding) -> f64 {
    match mode {
        Rounding::HalfEven => value.round_ties_even(),
        Rounding::HalfAway => value.round(),
        // The difference to the truncated value is exact, unlike `value + 0.5`.
        Rounding::HalfUp if (value - value.trunc()).abs() == 0.5 => value.ceil(),
        Rounding::HalfUp => value.round(),
        Rounding::Floor => value.floor(),
        Rounding::Ceil => value.ceil(),
        Rounding::Truncate => value.trunc(),
    }
}

/// `value` rounded to an integer, saturating; NaN gives 0.
pub fn round_to_i64(value: f64, mode: Rounding) -> i64 {
    round_f64(value, mode) as i64
}

/// `value` or the nearest end of the range of `i8`.
pub fn saturate_i8(value: i64) -> i8 {
    value.clamp(i64::from(i8::MIN), i64::from(i8::MAX)) as i8
}

/// `value` or the nearest end of the range of `u8`.
pub fn saturate_u8(value: i64) -> u8 {
    value.clamp(0, i64::from(u8::MAX)) as u8
}

/// `value` or the nearest end of the range of `i16`.
pub fn saturate_i16(value: i64) -> i16 {
    value.clamp(i64::from(i16::MIN), i64::from(i16::MAX)) as i16
}

/// `value` or the nearest end of the range of `i32`.
pub fn saturate_i32(value: i64) -> i32 {
    value.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32
}
