//! Any words as a trace, control packets, buffer descriptors and tasks.
#![no_main]

#[path = "../../crates/xdna/tests/properties.rs"]
#[allow(dead_code)]
mod properties;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|words: Vec<u32>| properties::words(&words));
