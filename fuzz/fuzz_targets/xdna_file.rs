//! Any file for AMD XDNA is explained and judged, or refused; what is read is written back to the same bytes.
#![no_main]

#[path = "../../crates/xdna/tests/properties.rs"]
#[allow(dead_code)]
mod properties;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| properties::file(bytes));
