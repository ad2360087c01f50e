//! Every operator against the backend node tests of ONNX, as far as they are small (`onnx_cases.py` chose them).

use std::collections::{BTreeMap, BTreeSet};

use ferrite_host_ops::{Attribute, Attributes, Call, HostTensor, lookup, names};
use serde_json::Value;

const CASES: &str = include_str!("onnx_cases.jsonl");

/// Operators that have no small case there: the compiler's own, and two whose cases are large (they are tested elsewhere).
const WITHOUT_CASE: &[&str] = &["Erf", "Mish", "exConvTransposePad", "exDataConvert", "exSoftmax13"];

fn number(value: &Value) -> f32 {
    let number = value.as_f64().or_else(|| value.as_str().and_then(|text| text.parse().ok()));
    number.unwrap_or_else(|| panic!("{value} is no number")) as f32
}

fn tensor(value: &Value) -> Option<HostTensor> {
    let list = |key: &str| value[key].as_array().expect("a list");
    value.is_object().then(|| HostTensor {
        shape: list("shape").iter().map(|size| size.as_u64().expect("a size") as usize).collect(),
        data: list("data").iter().map(number).collect(),
    })
}

fn attribute(value: &Value) -> Attribute {
    if let Some(text) = value.as_str() {
        return Attribute::Text(text.to_owned());
    }
    let list = value.as_array().cloned().unwrap_or_else(|| vec![value.clone()]);
    match list.iter().map(Value::as_i64).collect::<Option<Vec<i64>>>() {
        Some(ints) => Attribute::Ints(ints),
        None => Attribute::Floats(list.iter().map(|number| number.as_f64().expect("a number")).collect()),
    }
}

/// Why a case fails, if it does.
fn complaint(case: &Value) -> Option<String> {
    let tensors = |key: &str| case[key].as_array().expect("a list").iter().map(tensor).collect::<Vec<_>>();
    let attributes = case["attributes"].as_object().expect("attributes");
    let attributes: BTreeMap<String, Attribute> =
        attributes.iter().map(|(name, value)| (name.clone(), attribute(value))).collect();
    let (inputs, expected) = (tensors("inputs"), tensors("outputs"));
    let expected: Vec<HostTensor> = expected.into_iter().map(|tensor| tensor.expect("an output")).collect();
    let shapes: Vec<Vec<usize>> = expected.iter().map(|tensor| tensor.shape.clone()).collect();
    let kind = case["kind"].as_str().expect("an operator");
    let call = Call {
        kind,
        attributes: &Attributes(attributes),
        inputs: &inputs,
        output_shapes: &shapes,
        stored: false,
        integer_output: false,
    };
    let made = match lookup(kind).and_then(|operator| operator.run(&call)) {
        Ok(made) => made,
        Err(error) => return Some(error.to_string()),
    };
    let same = |have: f32, want: f32| {
        have == want || have.is_nan() && want.is_nan() || (have - want).abs() <= 1e-6 + 1e-5 * want.abs()
    };
    for (made, expected) in made.iter().zip(&expected) {
        let pairs = || made.data.iter().zip(&expected.data);
        if made.shape != expected.shape || !pairs().all(|(have, want)| same(*have, *want)) {
            let worst = pairs().find(|(have, want)| !same(**have, **want));
            return Some(format!("{:?} instead of {:?}: {worst:?}", made.shape, expected.shape));
        }
    }
    None
}

#[test]
fn operators_do_what_onnx_says() {
    let mut failed = Vec::new();
    let mut seen = BTreeSet::new();
    for line in CASES.lines() {
        let case: Value = serde_json::from_str(line).expect("a case");
        seen.insert(case["kind"].as_str().expect("an operator").to_owned());
        if let Some(complaint) = complaint(&case) {
            failed.push(format!("{}: {complaint}", case["name"]));
        }
    }
    assert!(failed.is_empty(), "{} of {} cases:\n{}", failed.len(), CASES.lines().count(), failed.join("\n"));
    let missing: Vec<&str> = names().filter(|name| !seen.contains(*name) && !WITHOUT_CASE.contains(name)).collect();
    assert!(missing.is_empty(), "no case for {missing:?}");
}
