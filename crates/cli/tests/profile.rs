//! `ferrite profile`.

mod support;

use std::collections::BTreeSet;

use serde_json::{Value, json};
use support::{call, golden, refuses};

/// Toolkit 2.5.0 prints 1191/3744/3744 and 15 KB for this network's convolution (`models/zoo/cycles.tsv`).
#[test]
fn a_convolution_has_the_compilers_figures() {
    let document = call("profile --json ops/conv3x3-fp16.rknn").json("ferrite.profile/1");
    let layer = &document["layers"][1];
    assert_eq!(
        (&layer["type"], &layer["source"], &layer["bound"]),
        (&json!("Conv"), &json!("toolkit"), &json!("compute"))
    );
    assert_eq!(layer["toolkit"], json!({ "ddr": 1191, "npu": 3744, "total": 3744, "read_bytes": 15616 }));
    assert_eq!(layer["multiply_adds"], 14 * 14 * 32 * 16 * 9);
    assert_eq!(document["totals"]["cycles"], 3744);
    golden("profile-conv_silu.txt", &call("profile ops/conv_silu-fp16.rknn").ok());
}

#[test]
fn a_timeline_has_a_track_for_every_core_and_block() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("trace.json");
    let answer = call(&format!("profile zoo/data/cnn_unet-int8.rknn --cores 3 --trace {}", out.display()));
    assert!(answer.stderr.contains("ui.perfetto.dev"), "{}", answer.stderr);
    answer.ok();
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "something besides the trace is left");
    let trace: Value = serde_json::from_slice(&std::fs::read(out).unwrap()).unwrap();
    let events = trace["traceEvents"].as_array().unwrap();
    let named = |kind: &str| -> BTreeSet<&str> {
        events
            .iter()
            .filter(|event| event["name"] == kind)
            .map(|event| event["args"]["name"].as_str().unwrap())
            .collect()
    };
    assert_eq!(named("process_name"), ["core 0", "core 1", "core 2", "host"].into());
    assert_eq!(named("thread_name"), ["CNA", "CORE", "DPU", "DPU_RDMA", "PPU", "PPU_RDMA"].into());
    let spans: Vec<&Value> = events.iter().filter(|event| event["ph"] == "X").collect();
    // No two tasks at a time on one track.
    let tracks: BTreeSet<(u64, u64)> =
        spans.iter().map(|span| (span["pid"].as_u64().unwrap(), span["tid"].as_u64().unwrap())).collect();
    for (process, thread) in tracks {
        let mut own: Vec<(f64, f64)> = spans
            .iter()
            .filter(|span| span["pid"] == process && span["tid"] == thread)
            .map(|span| (span["ts"].as_f64().unwrap(), span["dur"].as_f64().unwrap()))
            .collect();
        own.sort_by(|one, other| one.partial_cmp(other).unwrap());
        assert!(own.windows(2).all(|pair| pair[0].0 + pair[0].1 <= pair[1].0 + 1e-9), "core {process}, block {thread}");
    }
}

#[test]
fn what_cannot_be_profiled_is_refused() {
    refuses(call("profile ops/add-fp16.rknn --cores 4"), 2, &["4"]);
    refuses(call("profile ops/add-fp16.rknn --trace nowhere/trace.json"), 2, &["cannot save"]);
    refuses(call("profile ops/networks.txt"), 2, &["cannot use"]);
}
