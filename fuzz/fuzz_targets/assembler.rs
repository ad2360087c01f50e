//! Any text assembles or is refused with an error.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let _ = ferrite_rknpu::assemble(text);
});
