//! The vendor's answers to queries against what our plan says. The answers about native shapes and strides are recorded only:
//! a plan does not have their form.

use ferrite_rknn_runtime::{BufferRole, Plan, TensorInfo};
use serde_json::Value;

use crate::compare::{Kind, Tally};

/// Compares attributes of inputs and outputs and memory sizes.
pub(crate) fn compare(tally: &mut Tally, answers: &[Value], plan: &Plan) {
    for answer in answers.iter().filter(|answer| answer["call"] == "query" && answer["result"] == 0) {
        let index = answer["index"].as_u64().and_then(|index| usize::try_from(index).ok()).unwrap_or(0);
        match answer["what"].as_str() {
            Some("counts") => {
                number(tally, "number of inputs", &answer["inputs"], plan.inputs().len() as u64);
                number(tally, "number of outputs", &answer["outputs"], plan.outputs().len() as u64);
            }
            Some("memory") => {
                let bytes = |role| plan.buffers().iter().find(|info| info.role == role).map_or(0, |info| info.bytes);
                number(tally, "bytes of activations", &answer["internal"], bytes(BufferRole::Activations));
            }
            Some("input") => port(tally, "input", index, answer, plan.inputs()),
            Some("output") => port(tally, "output", index, answer, plan.outputs()),
            _ => {}
        }
    }
}

fn number(tally: &mut Tally, what: &str, theirs: &Value, ours: u64) {
    if theirs.as_u64() != Some(ours) {
        tally.add(Kind::Query, || what.to_owned(), theirs, ours);
    }
}

fn port(tally: &mut Tally, what: &str, index: usize, answer: &Value, list: &[TensorInfo]) {
    let Some(info) = list.get(index) else { return };
    let name = |field: &str| format!("{what} {index}, {field}");
    if answer["name"] != info.name.as_str() {
        tally.add(Kind::Query, || name("name"), &answer["name"], &info.name);
    }
    // Inputs are described channels last.
    let shape: Vec<usize> = match (info.shape.as_slice(), answer["format"].as_u64()) {
        (&[n, c, h, w], Some(1)) => vec![n, h, w, c],
        (shape, _) => shape.to_vec(),
    };
    let theirs: Vec<usize> =
        answer["shape"].as_array().into_iter().flatten().filter_map(|size| size.as_u64()?.try_into().ok()).collect();
    if theirs != shape {
        tally.add(Kind::Query, || name("shape"), format_args!("{theirs:?}"), format_args!("{shape:?}"));
    }
    let elements: u64 = info.shape.iter().map(|size| *size as u64).product();
    number(tally, &name("elements"), &answer["elements"], elements);
    number(tally, &name("bytes"), &answer["bytes"], elements * info.element.size() as u64);
    if let Some(quantization) = info.quantization {
        number(tally, &name("scale"), &answer["scale_bits"], u64::from(quantization.scale.to_bits()));
        if answer["zero_point"].as_i64() != Some(i64::from(quantization.zero_point)) {
            tally.add(Kind::Query, || name("zero point"), &answer["zero_point"], quantization.zero_point);
        }
    }
}
