//! `ferrite oracle` on committed captures, which need nothing of the vendor's.

mod support;

use std::path::{Path, PathBuf};

use serde_json::Value;
use support::call;

fn data(name: &str) -> String {
    let folder: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../rknn-oracle/tests/data");
    folder.join(name).display().to_string()
}

#[test]
fn a_capture_equals_our_plan() {
    let answer = call(&format!("oracle diff {} {}", data("resblock-int8.rknn"), data("resblock-int8.7.zip")));
    let text = answer.ok();
    let last = text.lines().last().unwrap();
    let wanted = "tasks 28, programs 28, non-DMA 0, DMA 0, task list 0, submissions 0, buffers 0";
    assert_eq!(last, wanted);
}

#[test]
fn documents_have_the_counts() {
    let words = format!("--json oracle diff {} {}", data("softmax-fp16.rknn"), data("softmax-fp16.auto.zip"));
    let document: Value = call(&words).json("ferrite.oracle-diff/1");
    assert_eq!(document["result"]["equal"], true);
    assert_eq!(document["result"]["tasks"], 45);
    assert_eq!(document["result"]["differences"]["non-DMA"], 0);
}

#[test]
fn a_capture_of_another_model_is_refused() {
    let answer = call(&format!("oracle diff {} {}", data("add-fp16.rknn"), data("softmax-fp16.auto.zip")));
    assert_eq!(answer.code, 2);
    assert!(answer.stderr.contains("SHA-256"), "{}", answer.stderr);
}

#[test]
fn what_is_no_capture_is_refused() {
    let answer = call(&format!("oracle diff {} {}", data("add-fp16.rknn"), data("add-fp16.rknn")));
    assert_eq!(answer.code, 2, "{}", answer.stderr);
}
