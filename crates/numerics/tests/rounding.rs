//! Rounding against formulations by Euclidean division, which share nothing with the implementation's shifts and masks.

use ferrite_numerics::Rounding::{self, Ceil, Floor, HalfAway, HalfEven, HalfUp, Truncate};
use ferrite_numerics::rounding::{
    round_f64, round_to_i64, saturate_i8, saturate_i16, saturate_i32, saturate_u8, shift_right_i64, shift_right_i128,
};
use proptest::prelude::*;

/// `value / 2^shift` by the definition of each mode; `value` and `2^shift` below 2^125.
fn by_division(value: i128, shift: u32, mode: Rounding) -> i128 {
    let unit = 1i128 << shift;
    let half_up = |value: i128| (2 * value + unit).div_euclid(2 * unit);
    match mode {
        Floor => value.div_euclid(unit),
        Ceil => -(-value).div_euclid(unit),
        Truncate => value / unit,
        HalfUp => half_up(value),
        HalfAway => value.signum() * half_up(value.abs()),
        HalfEven if 2 * value.rem_euclid(unit) == unit => 2 * (value.div_euclid(unit) + 1).div_euclid(2),
        HalfEven => half_up(value),
    }
}

#[test]
fn the_modes_by_hand() {
    // Halves of -5..=5, as any textbook table of the modes has them.
    let halves: Vec<i64> = (-5..=5).collect();
    let table = [
        (HalfEven, [-2, -2, -2, -1, 0, 0, 0, 1, 2, 2, 2]),
        (HalfAway, [-3, -2, -2, -1, -1, 0, 1, 1, 2, 2, 3]),
        (HalfUp, [-2, -2, -1, -1, 0, 0, 1, 1, 2, 2, 3]),
        (Floor, [-3, -2, -2, -1, -1, 0, 0, 1, 1, 2, 2]),
        (Ceil, [-2, -2, -1, -1, 0, 0, 1, 1, 2, 2, 3]),
        (Truncate, [-2, -2, -1, -1, 0, 0, 0, 1, 1, 2, 2]),
    ];
    for (mode, expected) in table {
        let got: Vec<_> = halves.iter().map(|&value| shift_right_i64(value, 1, mode)).collect();
        assert_eq!(got, expected, "{mode}");
        let floats: Vec<_> = halves.iter().map(|&value| round_to_i64(value as f64 / 2.0, mode)).collect();
        assert_eq!(floats, expected, "{mode} of f64");
    }
}

#[test]
fn every_small_value_and_shift() {
    for mode in Rounding::ALL {
        for shift in 0..14 {
            for value in -5000i64..=5000 {
                let expected = by_division(value.into(), shift, mode);
                assert_eq!(i128::from(shift_right_i64(value, shift, mode)), expected, "{value} >> {shift} {mode}");
            }
        }
    }
}

#[test]
fn shifts_beyond_the_width() {
    let nearest = [HalfEven, HalfAway, HalfUp];
    for shift in [129, 200, u32::MAX] {
        for value in [1, i128::MAX, -1, i128::MIN] {
            assert_eq!(shift_right_i128(value, shift, Floor), if value < 0 { -1 } else { 0 });
            assert_eq!(shift_right_i128(value, shift, Ceil), i128::from(value > 0));
            assert_eq!(shift_right_i128(value, shift, Truncate), 0);
            assert!(nearest.iter().all(|&mode| shift_right_i128(value, shift, mode) == 0), "{value} >> {shift}");
        }
        assert!(Rounding::ALL.iter().all(|&mode| shift_right_i128(0, shift, mode) == 0));
    }
    // -2^127 / 2^128 is exactly a tie.
    assert_eq!(nearest.map(|mode| shift_right_i128(i128::MIN, 128, mode)), [0, -1, 0]);
    assert_eq!(nearest.map(|mode| shift_right_i64(i64::MIN, 64, mode)), [0, -1, 0]);
    assert_eq!(shift_right_i64(i64::MIN, 0, HalfAway), i64::MIN);
}

#[test]
fn f64_where_adding_a_half_goes_wrong() {
    let below_half = 0.5f64.next_down();
    for mode in [HalfEven, HalfAway, HalfUp] {
        assert_eq!(round_f64(below_half, mode), 0.0);
        assert_eq!(round_f64(-below_half, mode), 0.0);
        assert_eq!(round_f64(4_503_599_627_370_497.0, mode), 4_503_599_627_370_497.0, "2^52 + 1");
    }
    for mode in Rounding::ALL {
        assert!(round_f64(f64::NAN, mode).is_nan());
        assert_eq!(round_f64(f64::NEG_INFINITY, mode), f64::NEG_INFINITY);
        assert_eq!(round_to_i64(f64::NAN, mode), 0);
        assert_eq!(round_to_i64(1e300, mode), i64::MAX);
        assert_eq!(round_to_i64(-1e300, mode), i64::MIN);
        assert!(round_f64(-0.0, mode).is_sign_negative());
    }
}

#[test]
fn saturation_over_the_whole_of_the_next_wider_type() {
    for value in i16::MIN..=i16::MAX {
        let wide = i64::from(value);
        assert_eq!(saturate_i8(wide), i8::try_from(value).unwrap_or(if value < 0 { i8::MIN } else { i8::MAX }));
        assert_eq!(saturate_u8(wide), u8::try_from(value).unwrap_or(if value < 0 { 0 } else { u8::MAX }));
        assert_eq!(i64::from(saturate_i16(wide)), wide);
    }
    assert_eq!([i64::MIN, -32769, 32768, i64::MAX].map(saturate_i16), [i16::MIN, i16::MIN, i16::MAX, i16::MAX]);
    assert_eq!([i64::MIN, i64::MAX].map(saturate_i32), [i32::MIN, i32::MAX]);
    assert_eq!([i64::MIN, i64::MAX].map(saturate_i8), [i8::MIN, i8::MAX]);
}

fn modes() -> impl Strategy<Value = Rounding> {
    proptest::sample::select(Rounding::ALL.to_vec())
}

proptest! {
    #[test]
    fn i64_agrees_with_division(value in any::<i64>(), shift in 0u32..100, mode in modes()) {
        prop_assert_eq!(i128::from(shift_right_i64(value, shift, mode)), by_division(value.into(), shift, mode));
    }

    /// The low bits only matter as "some bit is set", so a wide value has the rounding of a short one.
    #[test]
    fn i128_agrees_with_division_of_the_sticky_value(value in any::<i128>(), shift in 66u32..186, mode in modes()) {
        let sticky = (value >> 62) | i128::from(value & ((1 << 62) - 1) != 0);
        prop_assert_eq!(shift_right_i128(value, shift, mode), by_division(sticky, shift - 62, mode));
    }

    #[test]
    fn f64_agrees_with_integers(significand in -(1i64 << 53)..(1i64 << 53), shift in 0u32..60, mode in modes()) {
        let value = significand as f64 / (1u64 << shift) as f64;
        prop_assert_eq!(i128::from(round_to_i64(value, mode)), by_division(significand.into(), shift, mode));
    }
}
