use half::f16;

use super::{Kernel, LANES, Path, Simd, dispatch};
use crate::options::Vector;

struct Widen([u16; LANES]);
struct Narrow([f32; LANES]);

impl Kernel for Widen {
    type Output = [f32; LANES];
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Self::Output {
        simd.widen(&self.0)
    }
}

impl Kernel for Narrow {
    type Output = [u16; LANES];
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Self::Output {
        simd.narrow(&self.0)
    }
}

/// `half`'s conversions in software are the outside truth.
#[test]
fn half_precision_is_converted_as_it_is_defined() {
    for path in [Path::choose(Vector::Portable), Path::choose(Vector::Detect)] {
        for first in (0..=u16::MAX).step_by(LANES) {
            let bits = std::array::from_fn(|lane| first + lane as u16);
            for (bits, value) in bits.into_iter().zip(dispatch(path, Widen(bits))) {
                let expected = f16::from_bits(bits).to_f32_const();
                assert!(value == expected || value.is_nan() && expected.is_nan(), "{bits:#06x} on {path:?}");
            }
        }
        // Every exponent, with fractions around the ties of a shift by 13 and of denormal numbers.
        let fractions = [
            0u32, 1, 0xfff, 0x1000, 0x1001, 0x2fff, 0x3000, 0x3001, 0x7f_efff, 0x7f_f000, 0x7f_ffff, 0x40_0000,
            0x40_0001, 0x3f_ffff, 0x12_3456, 0x60_0000,
        ];
        for high in 0..512u32 {
            let values = fractions.map(|fraction| f32::from_bits(high << 23 | fraction));
            for (value, bits) in values.into_iter().zip(dispatch(path, Narrow(values))) {
                let expected = if value.is_nan() { 0x7e00 } else { f16::from_f32_const(value).to_bits() };
                assert_eq!(bits, expected, "{value:e} on {path:?}");
            }
        }
    }
}
