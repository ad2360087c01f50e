//! Rounding modes and block floats of AMD XDNA.

use ferrite_numerics::{AieRounding, Bfp16Ebs8, Rounding, bf16, f32_to_bf16};
use proptest::prelude::*;

/// The modes that other processors have too, against the general rounding.
const SHARED: [(AieRounding, Rounding); 6] = [
    (AieRounding::Floor, Rounding::Floor),
    (AieRounding::Ceil, Rounding::Ceil),
    (AieRounding::SymmetricFloor, Rounding::Truncate),
    (AieRounding::PositiveInfinity, Rounding::HalfUp),
    (AieRounding::SymmetricInfinity, Rounding::HalfAway),
    (AieRounding::ConvEven, Rounding::HalfEven),
];

proptest! {
    #[test]
    fn shared_modes_are_the_general_ones(bits: u32) {
        let value = f32::from_bits(bits);
        for (aie, general) in SHARED {
            let ours = aie.f32_to_bf16(value);
            if value.is_nan() {
                prop_assert!(ours.is_nan(), "{aie} {bits:#x}");
            } else {
                prop_assert_eq!(ours.to_bits(), f32_to_bf16(value, general).to_bits(), "{} {:#x}", aie, bits);
            }
        }
    }

    #[test]
    fn every_mode_gives_a_neighbour(bits: u32) {
        let value = f32::from_bits(bits);
        prop_assume!(!value.is_nan());
        let toward_zero = (bits >> 16) as u16;
        for mode in AieRounding::ALL {
            let ours = mode.f32_to_bf16(value).to_bits();
            let away = toward_zero.wrapping_add(u16::from(bits & 0xffff != 0));
            prop_assert!(ours == toward_zero || ours == away, "{mode} {bits:#x}");
        }
    }

    #[test]
    fn what_a_block_decodes_to_is_below_and_near(numbers: [f32; 8]) {
        prop_assume!(numbers.iter().all(|number| number.is_finite()));
        let block = Bfp16Ebs8::encode(numbers);
        // Subnormal numbers are taken with another unit; see the encoder.
        let unit = 2_f64.powi(i32::from(block.exponent) - 133);
        for (number, decoded) in numbers.into_iter().zip(block.decode()) {
            if !number.is_normal() {
                continue;
            }
            let error = f64::from(number) - f64::from(decoded);
            // The mantissa is cut twice, and the first cut is finer.
            prop_assert!((0.0..unit * 2.0).contains(&error), "{number:e} became {decoded:e}");
        }
        prop_assert_eq!(Bfp16Ebs8::from_bytes(block.to_bytes()), block);
    }
}

#[test]
fn ties_go_where_the_mode_says() {
    // Half way between 1 and the next number, and between that and the one after.
    let (even, odd) = (f32::from_bits(0x3f80_8000), f32::from_bits(0x3f81_8000));
    let cases = [
        (AieRounding::NegativeInfinity, [0x3f80, 0x3f81, 0xbf81, 0xbf82]),
        (AieRounding::PositiveInfinity, [0x3f81, 0x3f82, 0xbf80, 0xbf81]),
        (AieRounding::SymmetricZero, [0x3f80, 0x3f81, 0xbf80, 0xbf81]),
        (AieRounding::SymmetricInfinity, [0x3f81, 0x3f82, 0xbf81, 0xbf82]),
        (AieRounding::ConvEven, [0x3f80, 0x3f82, 0xbf80, 0xbf82]),
        (AieRounding::ConvOdd, [0x3f81, 0x3f81, 0xbf81, 0xbf81]),
        (AieRounding::SymmetricCeil, [0x3f81, 0x3f82, 0xbf81, 0xbf82]),
    ];
    for (mode, expected) in cases {
        let ours = [even, odd, -even, -odd].map(|value| mode.f32_to_bf16(value).to_bits());
        assert_eq!(ours, expected, "{mode}");
    }
}

#[test]
fn special_values() {
    for mode in AieRounding::ALL {
        assert_eq!(mode.f32_to_bf16(f32::INFINITY), bf16::INFINITY, "{mode}");
        assert_eq!(mode.f32_to_bf16(f32::from_bits(0x7f80_0001)).to_bits(), 0x7f81, "{mode}");
        assert_eq!(mode.f32_to_bf16(-0.0).to_bits(), 0x8000, "{mode}");
        assert_eq!(AieRounding::of_number(mode as u8), Some(mode));
    }
    assert_eq!(AieRounding::of_number(4), None);
    assert_eq!(AieRounding::Ceil.f32_to_bf16(f32::MAX), bf16::INFINITY);
    assert_eq!(AieRounding::Floor.f32_to_bf16(f32::MAX), bf16::MAX);
}

/// From the definition: mantissa times two to the exponent minus 133.
#[test]
fn blocks_by_hand() {
    let block = Bfp16Ebs8 { exponent: 133, mantissas: [0, 1, -1, 64, -64, 127, -128, 2] };
    assert_eq!(block.decode(), [0.0, 1.0, -1.0, 64.0, -64.0, 127.0, -128.0, 2.0]);
    assert_eq!(block.to_bytes()[0], 133);
    let small = Bfp16Ebs8 { exponent: 0, mantissas: [1; 8] };
    assert_eq!(small.decode()[0], 2_f32.powi(-133));
    assert_eq!(Bfp16Ebs8::encode([-1e-30, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]).mantissas[..2], [-1, 64]);
}
