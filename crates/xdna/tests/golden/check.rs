//! Counting, comparing, and reading the golden files.

use std::fmt::Debug;
use std::path::{Path, PathBuf};

use serde_json::Value;

/// What one comparison says: nothing, or how the values differ.
pub(crate) type Outcome = Result<(), String>;

/// Counts of one file.
#[derive(Default)]
pub(crate) struct Tally {
    pub(crate) passed: usize,
    /// Cases of the kind *ours* that passed.
    pub(crate) regression: usize,
    pub(crate) left_out: Vec<(String, String)>,
    pub(crate) failures: Vec<String>,
    /// Cases that the README counts and that are at hand only here and there.
    pub(crate) more_cases: usize,
}

impl Tally {
    /// A case whose expectation comes from upstream.
    pub(crate) fn case(&mut self, name: &str, outcome: Outcome) {
        match outcome {
            Ok(()) => self.passed += 1,
            Err(problem) => self.failures.push(format!("{name}: {problem}")),
        }
    }

    /// A case of the kind *ours*.
    pub(crate) fn regression(&mut self, name: &str, outcome: Outcome) {
        match outcome {
            Ok(()) => self.regression += 1,
            Err(problem) => self.failures.push(format!("{name} (regression value): {problem}")),
        }
    }

    pub(crate) fn leave_out(&mut self, name: &str, reason: &str) {
        self.left_out.push((name.to_owned(), reason.to_owned()));
    }
}

/// Whether two values are equal, said with their name.
pub(crate) fn same<T: PartialEq + Debug>(what: &str, ours: &T, golden: &T) -> Outcome {
    if ours == golden {
        return Ok(());
    }
    let (ours, golden) = (format!("{ours:x?}"), format!("{golden:x?}"));
    let equal = ours.chars().zip(golden.chars()).take_while(|pair| pair.0 == pair.1).count();
    // Long values are shown from shortly before the place where they part.
    let part = |text: &str| text.chars().skip(equal.saturating_sub(60)).take(200).collect::<String>();
    Err(format!("{what}: ours ...{}, golden ...{}", part(&ours), part(&golden)))
}

/// Turns any error into the outcome of a case.
pub(crate) fn text(error: impl ToString) -> String {
    error.to_string()
}

pub(crate) fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/data").join(name)
}

pub(crate) fn bytes(name: &str) -> Vec<u8> {
    std::fs::read(path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

pub(crate) fn string(name: &str) -> String {
    String::from_utf8(bytes(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

pub(crate) fn json(name: &str) -> Value {
    serde_json::from_str(&string(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// A file of the golden data that is not repeated here, where it is at hand.
pub(crate) fn elsewhere(name: &str) -> Option<Value> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/xdna-golden");
    let folder = std::env::var_os("FERRITE_XDNA_GOLDEN").map_or(beside, PathBuf::from);
    let text = std::fs::read_to_string(folder.join(name)).ok()?;
    Some(serde_json::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}")))
}

/// The elements of an array; none for what is no array.
pub(crate) fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// A number; negative ones in two's complement, absent ones 0, texts as `0x…` or decimal.
pub(crate) fn int(value: &Value) -> u64 {
    if let Some(text) = value.as_str() {
        return match text.strip_prefix("0x") {
            Some(digits) => u64::from_str_radix(digits, 16).unwrap_or_else(|error| panic!("{text}: {error}")),
            None => text.parse().unwrap_or_else(|error| panic!("{text}: {error}")),
        };
    }
    value.as_u64().or_else(|| value.as_i64().map(i64::cast_unsigned)).unwrap_or(0)
}

pub(crate) fn int32(value: &Value) -> u32 {
    int(value) as u32
}

pub(crate) fn int8(value: &Value) -> u8 {
    int(value) as u8
}

/// A list of words written as eight hexadecimal digits.
pub(crate) fn words(value: &Value) -> Vec<u32> {
    list(value).iter().map(word).collect()
}

pub(crate) fn word(value: &Value) -> u32 {
    let digits = value.as_str().unwrap_or_else(|| panic!("no word: {value}"));
    u32::from_str_radix(digits, 16).unwrap_or_else(|error| panic!("{digits}: {error}"))
}

pub(crate) fn name(value: &Value) -> &str {
    value["name"].as_str().or_else(|| value["source"].as_str()).unwrap_or("unnamed")
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

pub(crate) fn sha256(bytes: &[u8]) -> String {
    use sha2::Digest as _;
    hex(&sha2::Sha256::digest(bytes))
}

pub(crate) fn base64(text: &str) -> Vec<u8> {
    let (mut bits, mut count, mut out) = (0_u32, 0, Vec::new());
    for character in text.bytes().filter(|byte| !byte.is_ascii_whitespace() && *byte != b'=') {
        let value = match character {
            b'A'..=b'Z' => character - b'A',
            b'a'..=b'z' => character - b'a' + 26,
            b'0'..=b'9' => character - b'0' + 52,
            b'+' => 62,
            _ => 63,
        };
        bits = bits << 6 | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            out.push((bits >> count) as u8);
        }
    }
    out
}

pub(crate) fn to_words(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks_exact(4).map(|chunk| u32::from_le_bytes([chunk[0], chunk[1], chunk[2], chunk[3]])).collect()
}
