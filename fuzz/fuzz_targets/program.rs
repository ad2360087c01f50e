//! Any words decode; their text assembles to the same words.
#![no_main]

use ferrite_rknpu::{Program, assemble};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(program) = Program::from_bytes(&bytes[..bytes.len() / 8 * 8]) else { return };
    for text in [program.listing().to_string(), program.listing().plain().to_string()] {
        match assemble(&text) {
            Ok(again) => assert_eq!(again, program, "{text}"),
            Err(error) => panic!("{error}\n{text}"),
        }
    }
});
