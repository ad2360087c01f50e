//! `ferrite inspect` against what is known about the networks from their ONNX files and the compiler's own texts.

mod support;

use serde_json::{Value, json};
use support::{call, golden};

fn document(words: &str) -> Value {
    call(&format!("inspect --json {words}")).json("ferrite.inspect/1")
}

#[test]
fn tables() {
    golden("inspect-conv3x3.txt", &call("inspect ops/conv3x3-int8.rknn").ok());
    golden("inspect-conv3x3-all.txt", &call("inspect ops/conv3x3-int8.rknn --show all").ok());
}

/// The network is `Conv` with a weight of 32x16x3x3 and pads of 1 on 1x16x14x14.
#[test]
fn a_convolution() {
    let all = document("ops/conv3x3-fp16.rknn --show all");
    assert_eq!(all["versions"]["target_platform"], json!(["rk3588"]));
    assert_eq!(all["versions"]["toolkit"], "2.5.0");
    assert_eq!(all["inputs"][0]["shape"], json!([1, 16, 14, 14]));
    assert_eq!(all["outputs"][0]["shape"], json!([1, 32, 14, 14]));
    let convolution = &all["operators"][1];
    assert_eq!(convolution["type"], "Conv");
    assert_eq!(convolution["target"], "NPU");
    assert_eq!(convolution["inputs"], json!(["x", "w", "b"]));
    let attributes = &all["attributes"][1]["values"];
    assert_eq!(attributes["kernel_shape"], json!([3, 3]));
    assert_eq!(attributes["pads"], json!([1, 1, 1, 1]));
    let weight = all["tensors"].as_array().unwrap().iter().find(|tensor| tensor["name"] == "w").unwrap();
    assert_eq!(weight["shape"], json!([32, 16, 3, 3]));
    assert_eq!(weight["bytes"], 2 * 32 * 16 * 9);
    assert_eq!(weight["place"]["buffer"], "weights");
}

/// Sections that were not asked for are left out.
#[test]
fn chosen_sections() {
    let keys = |words: &str| document(words).as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert!(keys("ops/add-fp16.rknn").contains(&"operators".into()));
    let blobs = keys("ops/add-fp16.rknn --show blobs");
    assert!(blobs.contains(&"blobs".into()) && !blobs.contains(&"operators".into()));
    let text = call("inspect ops/add-fp16.rknn --show buffers").ok();
    assert!(text.starts_with("Buffers\n") && !text.contains("Operators"), "{text}");
}

/// The task list has a record for each task that the operators count: 40 bytes.
#[test]
fn operators_count_every_task_of_every_model() {
    for folder in ["ops", "mtcnn", "ocr"] {
        for entry in std::fs::read_dir(support::models().join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_none_or(|extension| extension != "rknn") {
                continue;
            }
            let all = document(&format!("{} --show blobs", path.display()));
            let counted: u64 = all["tasks"]
                .as_object()
                .unwrap()
                .values()
                .flat_map(|plan| plan.as_array().unwrap())
                .map(|n| n.as_u64().unwrap())
                .sum();
            let list = all["blobs"].as_array().unwrap().iter().find(|blob| blob["tensors"] == json!(["task"]));
            let records = list.map_or(0, |blob| blob["bytes"].as_u64().unwrap() / 40);
            assert_eq!(counted, records, "{}", path.display());
            assert_eq!(all["warnings"], json!([]), "{}", path.display());
        }
    }
}

/// The file says which operators the compiler gave to the CPU; this one computes `Erf` nowhere else.
#[test]
fn targets() {
    let erf = document("ops/erf-fp16.rknn");
    let targets: Vec<&Value> =
        erf["operators"].as_array().unwrap().iter().map(|operator| &operator["target"]).collect();
    assert_eq!(targets, [&Value::Null, &json!("CPU"), &Value::Null]);
    assert_eq!(erf["tasks"]["1"], json!([0]));
}

#[test]
fn normalisation_of_inputs() {
    let model = document("ocr/rec-int8.rknn");
    assert_eq!(model["inputs"][0]["mean"], json!([127.5, 127.5, 127.5]));
    assert_eq!(model["inputs"][0]["std"], json!([127.5, 127.5, 127.5]));
}
