//! `ferrite lint` of compiled models.

mod support;

use std::fs;

use serde_json::json;
use support::{call, refuses};

const CUT: &str = "../crates/rknn-analysis/tests/data/stride50-fp16.rknn";

#[test]
fn a_sound_model_has_no_errors() {
    let answer = call("lint ops/conv3x3-fp16.rknn --deny warnings");
    assert_eq!(answer.code, 0, "{}", answer.stdout);
    assert!(answer.stderr.contains("no errors, no warnings, 1 note"), "{}", answer.stderr);
    let document = call("lint --json ops/erf-fp16.rknn").json("ferrite.lint/1");
    assert_eq!((&document["errors"], &document["warnings"]), (&json!(0), &json!(0)));
    let erf =
        document["findings"].as_array().unwrap().iter().find(|finding| finding["rule"] == "cpu-operator").unwrap();
    assert_eq!((&erf["severity"], &erf["operator"]["index"]), (&json!("note"), &json!(1)));
    assert!(erf["message"].as_str().unwrap().contains("Erf runs on the CPU"), "{erf}");
}

/// Toolkit 2.5.0 itself logs that this value does not fit; see the README beside the file.
#[test]
fn an_error_names_operator_register_and_byte() {
    let answer = call(&format!("lint {CUT}"));
    assert_eq!(answer.code, 1);
    let line = answer.stdout.lines().find(|line| line.contains("CONV_X_STRIDE")).unwrap();
    assert!(line.starts_with("error: operator 1 `Conv:y`, CNA.CONV_CON3.CONV_X_STRIDE, byte 0x"), "{line}");
    assert!(line.ends_with("[field-overflow]"), "{line}");
    let document = call(&format!("lint --json {CUT}")).json("ferrite.lint/1");
    let geometry =
        document["findings"].as_array().unwrap().iter().find(|finding| finding["rule"] == "geometry").unwrap();
    assert_eq!((&geometry["task"], &geometry["register"]), (&json!(0), &json!("CNA.CONV_CON3.CONV_X_STRIDE")));
    assert!(geometry["offset"].is_u64() && geometry["more_tasks"].is_u64(), "{geometry}");
    assert_eq!(call(&format!("lint {CUT} --allow field-overflow,geometry")).code, 0);
}

#[test]
fn warnings_can_be_denied_and_allowed() {
    let warned = call("lint zoo/data/gemm_odd-fp16.rknn");
    assert!(warned.stdout.contains("[outside-bytes]"), "{}", warned.stdout);
    assert_eq!(warned.code, 0);
    assert_eq!(call("lint zoo/data/gemm_odd-fp16.rknn --deny warnings").code, 1);
    assert_eq!(call("lint zoo/data/gemm_odd-fp16.rknn --deny warnings --allow outside-bytes").code, 0);
    refuses(call("lint ops/add-fp16.rknn --allow outside-byte"), 2, &["no rule `outside-byte`", "`outside-bytes`"]);
}

#[test]
fn a_cut_file_is_refused_with_its_byte() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cut.rknn");
    let mut bytes = fs::read(support::models().join("ops/add-fp16.rknn")).unwrap();
    fs::write(&path, &bytes[..bytes.len() - 9]).unwrap();
    refuses(call(&format!("lint {}", path.display())), 2, &["9 bytes", "cut short"]);
    bytes[8] = 7;
    fs::write(&path, &bytes).unwrap();
    refuses(call(&format!("lint {}", path.display())), 3, &["byte 0x8", "container version 0x7"]);
}
