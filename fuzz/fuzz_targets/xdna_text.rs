//! Any text is read as an instruction stream or a trace, or refused; what can be written is read back.
#![no_main]

#[path = "../../crates/xdna/tests/properties.rs"]
#[allow(dead_code)]
mod properties;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| properties::text(text));
