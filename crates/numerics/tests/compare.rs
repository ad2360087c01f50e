//! Verdicts.

use ferrite_numerics::{CompareError, FloatFormat, Tolerance, bf16, compare, f16};
use proptest::prelude::*;

const EXACT: Tolerance = Tolerance::Exact;

fn parse(text: &str) -> Tolerance {
    text.parse().unwrap()
}

fn passes(actual: &[f32], expected: &[f32], tolerance: &str) -> bool {
    compare(actual, expected, parse(tolerance), None).unwrap().pass
}

#[test]
fn statistics_by_hand() {
    let verdict = compare(&[3.0f32, 0.0, 0.0, 4.0], &[0.0f32, 0.0, 0.0, 1.0], EXACT, Some(&[2, 2])).unwrap();
    assert!(!verdict.pass);
    assert_eq!((verdict.count, verdict.mismatches, verdict.special_mismatches), (4, 2, 0));
    let worst = verdict.worst.unwrap();
    assert_eq!((worst.index, worst.coordinates, worst.error), (0, Some(vec![0, 0]), 3.0), "the first of equals");
    assert_eq!(verdict.worst_relative, Some(3.0));
    assert_eq!(verdict.mean_absolute, 6.0 / 4.0);
    assert_eq!(verdict.rms, (18.0f64 / 4.0).sqrt());
    assert_eq!(verdict.cosine, 4.0 / 5.0);
    assert_eq!(verdict.would_pass.relative, None, "nothing relative reaches an expected zero");
    assert_eq!(verdict.would_pass.absolute, Some(3.0));
    assert_eq!(verdict.would_pass.range_fraction, Some(3.0));
    assert_eq!(verdict.would_pass.lsb, Some(3));
}

#[test]
fn places_follow_the_shape() {
    let mut actual = [0i8; 24];
    actual[2 * 12 / 2 + 7] = 1;
    let verdict = compare(&actual, &[0i8; 24], EXACT, Some(&[2, 3, 4])).unwrap();
    let worst = verdict.worst.unwrap();
    assert_eq!((worst.index, worst.coordinates), (19, Some(vec![1, 1, 3])), "19 = 1*12 + 1*4 + 3");
    let error = compare(&actual, &[0i8; 24], EXACT, Some(&[5, 5])).unwrap_err();
    assert_eq!(error, CompareError::Shape { shape: vec![5, 5], count: 24 });
    assert!(compare(&actual, &[0i8; 24], EXACT, Some(&[usize::MAX, 3])).is_err());
    let error = compare(&actual, &[0i8; 23], EXACT, None).unwrap_err();
    assert_eq!(error, CompareError::Length { actual: 24, expected: 23 });
}

#[test]
fn nothing_equals_nothing() {
    let verdict = compare::<f32, f32>(&[], &[], EXACT, Some(&[0, 3])).unwrap();
    assert!(verdict.pass && verdict.worst.is_none());
    assert_eq!((verdict.cosine, verdict.rms, verdict.mean_absolute), (1.0, 0.0, 0.0));
    assert!(verdict.would_pass.exact);
}

#[test]
fn specials_must_meet_whatever_the_budget() {
    let (nan, inf) = (f32::NAN, f32::INFINITY);
    let budgets = ["exact", "ulps:4294967295@f32", "rel:1e308,abs:1e308", "range:1e308", "lsb:4294967295,step:1e300"];
    for budget in budgets {
        assert!(passes(&[nan, inf, -inf], &[-nan, inf, -inf], budget), "{budget}");
        for (actual, expected) in [(nan, 0.0), (0.0, nan), (inf, -inf), (inf, f32::MAX), (f32::MAX, inf), (nan, inf)] {
            let verdict = compare(&[1.0, actual], &[1.0, expected], parse(budget), None).unwrap();
            assert!(!verdict.pass, "{actual} for {expected} by {budget}");
            assert_eq!((verdict.mismatches, verdict.special_mismatches), (1, 1));
            assert_eq!(verdict.first_special_mismatch.unwrap().index, 1);
            assert_eq!(verdict.would_pass, Default::default());
        }
    }
    let verdict = compare(&[nan, nan, inf, 1.0], &[nan, 0.0, -inf, 1.0], EXACT, None).unwrap();
    assert_eq!((verdict.actual_specials.nan, verdict.actual_specials.infinite), (2, 1));
    assert_eq!((verdict.expected_specials.nan, verdict.expected_specials.infinite), (1, 1));
    assert_eq!((verdict.cosine, verdict.mean_absolute), (1.0, 0.0), "the finite pair decides");
}

#[test]
fn an_f16_overflow_is_not_excused_by_a_wider_reference() {
    let verdict = compare(&[f16::INFINITY], &[70000f32], parse("ulps:100"), None).unwrap();
    assert!(!verdict.pass, "in f16 both are infinite, but the wider type knows better");
}

#[test]
fn the_wider_type_judges() {
    let third = 1.0f32 / 3.0;
    let narrow = f16::from_f32(third);
    assert!(
        !compare(&[narrow], &[third], EXACT, None).unwrap().pass,
        "rounding the reference would hide the difference"
    );
    let verdict = compare(&[narrow], &[third], parse("ulps:0"), None).unwrap();
    assert!(verdict.pass, "in f16 units the rounded reference is met exactly");
    assert_eq!(verdict.ulps.unwrap().exact_share, 1.0);
    let verdict = compare(&[bf16::ONE], &[f16::ONE], EXACT, None).unwrap();
    assert_eq!(verdict.ulps.unwrap().format, FloatFormat::Bf16, "statistics use the coarser of the two");
    assert!(compare(&[1u8, 2], &[1i8, 2], EXACT, None).unwrap().ulps.is_none());
    let large = 1i64 << 60;
    let verdict = compare(&[large + 1], &[large], EXACT, None).unwrap();
    assert!(!verdict.pass && verdict.worst.unwrap().error == 1.0, "integers are compared as integers");
}

#[test]
fn each_tolerance_at_its_edge() {
    assert!(passes(&[0.0], &[-0.0], "exact"));
    let next = f16::from_bits(0x3c04).to_f32();
    assert!(passes(&[next], &[1.0], "ulps:4") && !passes(&[next], &[1.0], "ulps:3"));
    assert!(!passes(&[next], &[1.0], "ulps:4@f32") && passes(&[next], &[1.0], "ulps:1@bf16"));
    assert!(passes(&[1.5], &[1.0], "rel:0.5") && !passes(&[1.5], &[1.0], "rel:0.49"));
    assert!(!passes(&[1e-9], &[0.0], "rel:1") && passes(&[1e-9], &[0.0], "rel:0,abs:1e-8"));
    assert!(
        passes(&[-10.0, 11.0], &[-10.0, 10.0], "range:0.05") && !passes(&[-10.0, 11.0], &[-10.0, 10.0], "range:0.049")
    );
    assert!(passes(&[2.0, 2.0], &[2.0, 2.0], "range:0") && !passes(&[2.1, 2.0], &[2.0, 2.0], "range:100"));
    assert!(compare(&[-128i8], &[-127i8], parse("lsb:1"), None).unwrap().pass);
    assert!(!compare(&[-128i8], &[-126i8], parse("lsb:1"), None).unwrap().pass);
}

#[test]
fn steps_of_dequantised_values_are_whole() {
    // One step apart, as f32 products; the products' own rounding must count neither way.
    let scale = 0.1f32;
    for q in -128i16..127 {
        let (low, high) = (f32::from(q) * scale, f32::from(q + 1) * scale);
        let verdict = compare(&[high], &[low], Tolerance::Lsb { step: f64::from(scale), budget: 1 }, None).unwrap();
        assert!(verdict.pass, "{q}: {verdict}");
        assert_eq!(verdict.would_pass.lsb, Some(1), "{q}");
        assert!(!compare(&[high], &[low], Tolerance::Lsb { step: f64::from(scale), budget: 0 }, None).unwrap().pass);
    }
    let large = 1i32 << 30;
    assert!(!compare(&[large + 2], &[large], parse("lsb:1"), None).unwrap().pass, "integers have no slack");
}

#[test]
fn texts() {
    let forms = [
        ("exact", Tolerance::Exact),
        ("ulps:4", Tolerance::Ulps { budget: 4, format: FloatFormat::F16 }),
        ("ulps:4@bf16", Tolerance::Ulps { budget: 4, format: FloatFormat::Bf16 }),
        ("rel:1e-3", Tolerance::Relative { rel: 1e-3, abs_floor: 0.0 }),
        ("rel:1e-3,abs:1e-5", Tolerance::Relative { rel: 1e-3, abs_floor: 1e-5 }),
        (" rel: 1e-3 , abs: 1e-5 ", Tolerance::Relative { rel: 1e-3, abs_floor: 1e-5 }),
        ("range:0.01", Tolerance::RangeFraction(0.01)),
        ("lsb:1", Tolerance::Lsb { step: 1.0, budget: 1 }),
        ("lsb:2,step:0.5", Tolerance::Lsb { step: 0.5, budget: 2 }),
    ];
    for (text, tolerance) in forms {
        assert_eq!(parse(text), tolerance, "{text}");
        assert_eq!(parse(&tolerance.to_string()), tolerance, "{text}");
    }
    let wrong = [
        "",
        "exactly",
        "ulps",
        "ulps:",
        "ulps:-1",
        "ulps:1.5",
        "ulps:4@f64",
        "rel:x",
        "rel:-1",
        "rel:NaN",
        "rel:inf",
        "rel:1,step:2",
        "rel:1,abs",
        "range:-0.1",
        "lsb:1,step:0",
        "lsb:1,step:inf",
        "abs:1",
    ];
    for text in wrong {
        let error = text.parse::<Tolerance>().unwrap_err().to_string();
        assert!(error.contains("rel:X[,abs:Y]") && error.contains(&format!("{text:?}")), "{error}");
    }
    let invalid = Tolerance::Relative { rel: f64::NAN, abs_floor: 0.0 };
    assert!(matches!(compare(&[1f32], &[1f32], invalid, None), Err(CompareError::Tolerance(_))));
}

#[test]
fn a_verdict_reads_and_serialises() {
    let verdict = compare(&[1.0f32, 2.5], &[1.0f32, 2.0], parse("rel:1e-3"), Some(&[1, 2])).unwrap();
    let text = verdict.to_string();
    for part in [
        "fail: 1 of 2 values beyond rel:0.001",
        "5.0000e-1 at [0, 1] got 2.5, expected 2",
        "would pass: ulps:2097152@f32 | rel:2.500e-1 | rel:0,abs:5.000e-1 | range:5.000e-1",
    ] {
        assert!(text.contains(part), "{part:?} in {text}");
    }
    let json = serde_json::to_value(&verdict).unwrap();
    assert_eq!(json["would_pass"]["relative"], 0.25);
    assert_eq!(json["tolerance"]["relative"]["rel"], 0.001);
    assert_eq!(json["worst"]["coordinates"], serde_json::json!([0, 1]));
    let pass = compare(&[1.0f32], &[1.0f32], EXACT, None).unwrap().to_string();
    assert!(pass.starts_with("pass: 1 values within exact") && !pass.contains("would pass"), "{pass}");
}

fn values() -> impl Strategy<Value = Vec<(f32, f32)>> {
    let near = (-1e4f32..1e4, -1e-2f32..1e-2).prop_map(|(value, noise)| (value * (1.0 + noise), value));
    let pair = prop_oneof![4 => near, 1 => (-10f32..10.0, -10f32..10.0), 1 => (-10f32..10.0).prop_map(|value| (value, value)), 1 => (-1f32..1.0).prop_map(|value| (value, 0.0))];
    proptest::collection::vec(pair, 1..40)
}

proptest! {
    /// What is reported as the smallest budget passes, and anything smaller does not.
    #[test]
    fn the_smallest_budget_is_the_smallest(pairs in values(), floor in prop_oneof![Just(0.0), 0f64..2.0], step in 0.01f64..3.0) {
        let (actual, expected): (Vec<_>, Vec<_>) = pairs.into_iter().unzip();
        let judge = |tolerance| compare(&actual, &expected, tolerance, None).unwrap();
        let would = judge(EXACT).would_pass;
        prop_assert_eq!(judge(EXACT).pass, would.exact);

        let ulps = |budget| judge(Tolerance::Ulps { budget, format: FloatFormat::F32 });
        let budget = would.ulps.unwrap();
        prop_assert!(ulps(budget).pass);
        prop_assert!(budget == 0 || !ulps(budget - 1).pass);

        let relative = |rel| judge(Tolerance::Relative { rel, abs_floor: floor });
        if let Some(rel) = relative(0.0).would_pass.relative {
            prop_assert!(relative(rel).pass);
            prop_assert!(rel == 0.0 || !relative(rel.next_down()).pass);
        } else {
            prop_assert!(!relative(f64::MAX).pass);
        }

        let absolute = |abs_floor| judge(Tolerance::Relative { rel: 0.0, abs_floor });
        let abs = would.absolute.unwrap();
        prop_assert!(absolute(abs).pass);
        prop_assert!(abs == 0.0 || !absolute(abs.next_down()).pass);

        let range = |fraction| judge(Tolerance::RangeFraction(fraction));
        match would.range_fraction {
            Some(fraction) => {
                prop_assert!(range(fraction).pass);
                prop_assert!(fraction == 0.0 || !range(fraction.next_down()).pass);
            }
            None => prop_assert!(!range(f64::MAX).pass),
        }

        let lsb = |budget| judge(Tolerance::Lsb { step, budget });
        let budget = lsb(0).would_pass.lsb.unwrap();
        prop_assert!(lsb(budget).pass);
        prop_assert!(budget == 0 || !lsb(budget - 1).pass);
    }

    /// The text tells a user which tolerance to type; each of them must pass.
    #[test]
    fn printed_budgets_pass(pairs in values()) {
        let (actual, expected): (Vec<_>, Vec<_>) = pairs.into_iter().unzip();
        let text = compare(&actual, &expected, parse("lsb:0,step:0.1"), None).unwrap().to_string();
        if let Some((_, forms)) = text.split_once("would pass: ") {
            prop_assert!(forms.contains("ulps:") && forms.contains("lsb:"), "{}", forms);
            for form in forms.split(" | ") {
                prop_assert!(passes(&actual, &expected, form), "{}", form);
            }
        }
    }

    #[test]
    fn statistics_are_consistent(pairs in values()) {
        let (actual, expected): (Vec<_>, Vec<_>) = pairs.into_iter().unzip();
        let verdict = compare(&actual, &expected, EXACT, None).unwrap();
        let worst = verdict.worst.as_ref().unwrap();
        prop_assert_eq!(worst.error, (f64::from(actual[worst.index]) - f64::from(expected[worst.index])).abs());
        prop_assert!(verdict.mean_absolute <= verdict.rms * (1.0 + 1e-12) && verdict.rms <= worst.error * (1.0 + 1e-12));
        prop_assert!((-1.0..=1.0).contains(&verdict.cosine));
        let equal = actual.iter().zip(&expected).filter(|(a, e)| a == e).count();
        prop_assert_eq!(verdict.mismatches, actual.len() - equal);
        prop_assert_eq!(verdict.ulps.unwrap().exact_share, equal as f64 / actual.len() as f64);
    }

    #[test]
    fn tolerance_texts_round_trip(kind in 0..4, a in 0f64..1e6, b in 1e-9f64..1e3, n in any::<u32>(), format in 0usize..3) {
        let tolerance = match kind {
            0 => Tolerance::Ulps { budget: n, format: FloatFormat::ALL[format] },
            1 => Tolerance::Relative { rel: a, abs_floor: b },
            2 => Tolerance::RangeFraction(a),
            _ => Tolerance::Lsb { step: b, budget: n },
        };
        prop_assert_eq!(parse(&tolerance.to_string()), tolerance);
    }
}
