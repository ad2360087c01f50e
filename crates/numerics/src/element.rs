//! The types whose values can be compared.

use crate::FloatFormat;
use half::{bf16, f16};

/// A number that [`compare`](crate::compare) takes.
pub trait Element: Copy {
    /// The format of a floating-point type that distances can be counted in.
    const FORMAT: Option<FloatFormat>;
    /// How far rounding a real number to this type can move it, relative to the number; 0 for integers.
    const UNIT_ROUNDOFF: f64;

    /// The value; exact for every type here but large `i64`.
    fn to_f64(self) -> f64;

    /// The value of an integer type, for exact differences.
    fn to_integer(self) -> Option<i64> {
        None
    }
}

macro_rules! floats {
    ($($type:ty, $format:expr, $precision:literal;)*) => {$(
        impl Element for $type {
            const FORMAT: Option<FloatFormat> = $format;
            const UNIT_ROUNDOFF: f64 = 1.0 / (1u64 << $precision) as f64;

            fn to_f64(self) -> f64 {
                self.into()
            }
        }
    )*};
}

floats! {
    f16, Some(FloatFormat::F16), 11;
    bf16, Some(FloatFormat::Bf16), 8;
    f32, Some(FloatFormat::F32), 24;
    f64, None, 53;
}

macro_rules! integers {
    ($($type:ty)*) => {$(
        impl Element for $type {
            const FORMAT: Option<FloatFormat> = None;
            const UNIT_ROUNDOFF: f64 = 0.0;

            fn to_f64(self) -> f64 {
                i64::from(self) as f64
            }

            fn to_integer(self) -> Option<i64> {
                Some(self.into())
            }
        }
    )*};
}

integers! { bool i8 u8 i16 u16 i32 u32 i64 }
