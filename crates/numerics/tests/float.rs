//! Narrowing against `half`, the compiler's own casts, and the sorted list of all numbers of a format.

use ferrite_numerics::Rounding::{self, Ceil, Floor, HalfAway, HalfEven, HalfUp, Truncate};
use ferrite_numerics::{
    FloatFormat, bf16, f16, f32_to_bf16, f32_to_f16, f64_to_bf16, f64_to_f16, ulp_distance_bf16, ulp_distance_f16,
    ulp_distance_f32,
};
use proptest::prelude::*;

/// All finite numbers of a 16-bit format in ascending order, negative zero left out, as (value, bits).
fn ladder(value_of: fn(u16) -> f32) -> Vec<(f32, u16)> {
    let mut steps: Vec<_> = (0..=u16::MAX).filter(|&bits| bits != 0x8000).map(|bits| (value_of(bits), bits)).collect();
    steps.retain(|(value, _)| value.is_finite());
    steps.sort_by(|a, b| a.0.total_cmp(&b.0));
    steps
}

/// The mode's choice for a value strictly between two neighbours. Halves of sums of two neighbours are exact in f64.
fn choose(value: f64, low: (f32, u16), high: (f32, u16), mode: Rounding) -> u16 {
    let nearest_or = |tie: u16| {
        let middle = (f64::from(low.0) + f64::from(high.0)) / 2.0;
        match value.total_cmp(&middle) {
            std::cmp::Ordering::Less => low.1,
            std::cmp::Ordering::Greater => high.1,
            std::cmp::Ordering::Equal => tie,
        }
    };
    match mode {
        Floor => low.1,
        Ceil => high.1,
        Truncate => {
            if value > 0.0 {
                low.1
            } else {
                high.1
            }
        }
        HalfUp => nearest_or(high.1),
        HalfAway => nearest_or(if value > 0.0 { high.1 } else { low.1 }),
        HalfEven => nearest_or(if low.1 & 1 == 0 { low.1 } else { high.1 }),
    }
}

/// Every gap between neighbours: its lower end, its quarters, its middle and both sides of the middle.
fn check_every_gap(
    steps: &[(f32, u16)],
    narrow: impl Fn(f32, Rounding) -> u16,
    narrow_f64: impl Fn(f64, Rounding) -> u16,
) {
    for pair in steps.windows(2) {
        let (low, high) = (pair[0], pair[1]);
        let width = f64::from(high.0) - f64::from(low.0);
        for mode in Rounding::ALL {
            assert_eq!(narrow(low.0, mode), low.1, "{} {mode}", low.0);
            let middle = f64::from(low.0) + width / 2.0;
            for value in [0.25, 0.75].map(|part| f64::from(low.0) + width * part).into_iter().chain([
                middle,
                middle.next_up(),
                middle.next_down(),
            ]) {
                // A negative number that rounds to zero keeps its sign.
                let expected = match choose(value, low, high, mode) {
                    0 if value < 0.0 => 0x8000,
                    bits => bits,
                };
                assert_eq!(narrow_f64(value, mode), expected, "{value:e} {mode}");
                if f64::from(value as f32) == value {
                    assert_eq!(narrow(value as f32, mode), expected, "{value:e} {mode} from f32");
                }
            }
        }
    }
}

#[test]
fn f16_in_every_gap_and_every_mode() {
    let steps = ladder(|bits| f16::from_bits(bits).to_f32());
    assert_eq!(steps.len(), 2 * 0x7c00 - 1);
    check_every_gap(
        &steps,
        |value, mode| f32_to_f16(value, mode).to_bits(),
        |value, mode| f64_to_f16(value, mode).to_bits(),
    );
}

#[test]
fn bf16_in_every_gap_and_every_mode() {
    let steps = ladder(|bits| bf16::from_bits(bits).to_f32());
    assert_eq!(steps.len(), 2 * 0x7f80 - 1);
    check_every_gap(
        &steps,
        |value, mode| f32_to_bf16(value, mode).to_bits(),
        |value, mode| f64_to_bf16(value, mode).to_bits(),
    );
}

#[test]
fn all_65536_values_survive_f32() {
    for bits in 0..=u16::MAX {
        let quiet = |bits: u16, nan: bool, quiet: u16| if nan { bits | quiet } else { bits };
        for mode in Rounding::ALL {
            let half = f16::from_bits(bits);
            assert_eq!(
                f32_to_f16(half.to_f32(), mode).to_bits(),
                quiet(bits, half.is_nan(), 0x200),
                "{bits:#x} {mode}"
            );
            let brain = bf16::from_bits(bits);
            assert_eq!(
                f32_to_bf16(brain.to_f32(), mode).to_bits(),
                quiet(bits, brain.is_nan(), 0x40),
                "{bits:#x} {mode}"
            );
        }
    }
}

#[test]
fn beyond_the_largest_finite_number() {
    // 65504 is the largest f16; 65520 is the middle to where the next one would be (IEEE 754-2019, 4.3).
    let f16_of = |value: f32| Rounding::ALL.map(|mode| f32_to_f16(value, mode).to_f32());
    let (max, inf) = (65504.0, f32::INFINITY);
    assert_eq!(f16_of(65519.996), [max, max, max, max, inf, max]);
    assert_eq!(f16_of(65520.0), [inf, inf, inf, max, inf, max]);
    assert_eq!(f16_of(-65520.0), [-inf, -inf, -max, -inf, -max, -max]);
    assert_eq!(f16_of(-65521.0), [-inf, -inf, -inf, -inf, -max, -max]);
    assert_eq!(f16_of(f32::MAX), [inf, inf, inf, max, inf, max]);
    assert_eq!(f16_of(-inf), [-inf; 6]);
    assert_eq!(f64_to_f16(f64::MAX, HalfEven), f16::INFINITY);
    assert_eq!(f64_to_bf16(-f64::MAX, Truncate), bf16::MIN);
    assert_eq!(f64_to_f16(f64::from_bits(1), Ceil), f16::MIN_POSITIVE_SUBNORMAL);
    assert_eq!(f64_to_f16(-f64::from_bits(1), Ceil).to_bits(), 0x8000);
}

#[test]
fn to_nearest_agrees_with_half_across_f32() {
    // A prime stride meets every exponent, about 650,000 values in all, NaNs included.
    for bits in (0..=u32::MAX).step_by(6607) {
        let value = f32::from_bits(bits);
        let wide = f64::from(value);
        assert_eq!(FloatFormat::F16.narrow(wide, HalfEven), f16::from_f32(value).to_bits().into(), "{bits:#x}");
        assert_eq!(FloatFormat::F16.narrow(wide, HalfEven), f16::from_f32_const(value).to_bits().into(), "{bits:#x}");
        assert_eq!(FloatFormat::Bf16.narrow(wide, HalfEven), bf16::from_f32(value).to_bits().into(), "{bits:#x}");
    }
}

#[test]
fn f64_is_rounded_once() {
    // Just above the middle of 1 and the next f16; f32 would first drop the excess and then see a tie.
    let value = 1.0 + 2f64.powi(-11) + 2f64.powi(-40);
    assert_eq!(f64_to_f16(value, HalfEven).to_bits(), 0x3c01);
    assert_eq!(f32_to_f16(value as f32, HalfEven).to_bits(), 0x3c00);
}

#[test]
fn distance_counts_the_steps_of_the_ladder() {
    let steps = ladder(|bits| f16::from_bits(bits).to_f32());
    for pair in steps.windows(2) {
        assert_eq!(ulp_distance_f16(f16::from_bits(pair[0].1), f16::from_bits(pair[1].1)), Some(1));
    }
    for (a, &(_, from)) in steps.iter().enumerate().step_by(397) {
        for (b, &(_, to)) in steps.iter().enumerate().step_by(991) {
            let distance = ulp_distance_f16(f16::from_bits(from), f16::from_bits(to));
            assert_eq!(distance, Some(a.abs_diff(b) as u32), "{from:#x} {to:#x}");
        }
    }
    assert_eq!(ulp_distance_f16(f16::ZERO, f16::NEG_ZERO), Some(0));
    assert_eq!(ulp_distance_f16(f16::MAX, f16::INFINITY), Some(1));
    assert_eq!(ulp_distance_f16(f16::NAN, f16::ONE), None);
    assert_eq!(ulp_distance_f16(f16::NAN, f16::from_bits(0xffff)), Some(0));
    assert_eq!(ulp_distance_bf16(bf16::ONE, bf16::from_bits(0x3f7f)), Some(1));
    assert_eq!(ulp_distance_f32(f32::NEG_INFINITY, f32::INFINITY), Some(0xff00_0000));
    assert_eq!(ulp_distance_f32(1.0, 1f32.next_up().next_up()), Some(2));
}

#[test]
fn names() {
    for format in FloatFormat::ALL {
        assert_eq!(format.to_string().parse::<FloatFormat>().unwrap(), format);
    }
    assert!("fp16".parse::<FloatFormat>().unwrap_err().to_string().contains("f16, bf16, f32"));
}

proptest! {
    #[test]
    fn narrowing_to_f32_is_the_compilers_cast(bits in any::<u64>()) {
        let value = f64::from_bits(bits);
        prop_assume!(!value.is_nan());
        prop_assert_eq!(FloatFormat::F32.narrow(value, HalfEven), (value as f32).to_bits());
    }

    #[test]
    fn narrowing_to_f32_near_its_range(value in prop_oneof![-1e39..1e39f64, -1e-37..1e-37f64, -2e-45..2e-45f64]) {
        prop_assert_eq!(FloatFormat::F32.narrow(value, HalfEven), (value as f32).to_bits());
    }
}
