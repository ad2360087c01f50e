//! Running the command and looking at what it says.

#![allow(dead_code, reason = "each test file uses its own part")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The command without any of the variables it listens to, in the folder of models.
pub(crate) fn ferrite() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ferrite"));
    command.env_clear().current_dir(models());
    command
}

/// The folder with the repository's models.
pub(crate) fn models() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models")
}

/// What one call gave.
pub(crate) struct Answer {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Answer {
    pub(crate) fn of(output: Output) -> Self {
        Self {
            code: output.status.code().expect("an exit code"),
            stdout: String::from_utf8(output.stdout).expect("UTF-8 on stdout"),
            stderr: String::from_utf8(output.stderr).expect("UTF-8 on stderr"),
        }
    }

    /// Checks the exit code and gives stdout.
    #[track_caller]
    pub(crate) fn ok(self) -> String {
        assert_eq!(self.code, 0, "{}", self.stderr);
        self.stdout
    }

    /// The JSON document on stdout.
    #[track_caller]
    pub(crate) fn json(self, schema: &str) -> serde_json::Value {
        let value: serde_json::Value = serde_json::from_str(&self.stdout).expect("one JSON document");
        assert_eq!(value["schema"], schema);
        assert_eq!(value["tool"]["name"], "ferrite");
        value
    }
}

/// Runs `ferrite` with these arguments.
pub(crate) fn run<S: AsRef<std::ffi::OsStr>>(arguments: impl IntoIterator<Item = S>) -> Answer {
    Answer::of(ferrite().args(arguments).output().expect("the command starts"))
}

/// Runs `ferrite` with words that hold no spaces.
pub(crate) fn call(words: &str) -> Answer {
    run(words.split_whitespace())
}

/// Checks that a call fails with this code, says nothing on stdout, and says all of `parts` on stderr.
#[track_caller]
pub(crate) fn refuses(answer: Answer, code: i32, parts: &[&str]) {
    assert_eq!(answer.code, code, "{}", answer.stderr);
    assert_eq!(answer.stdout, "");
    for part in parts {
        assert!(answer.stderr.contains(part), "`{part}` is missing in:\n{}", answer.stderr);
    }
    assert!(answer.stderr.starts_with("error: "), "{}", answer.stderr);
}

/// Compares with `tests/golden/NAME`, or writes it when BLESS is set.
#[track_caller]
pub(crate) fn golden(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, text).expect("the golden file can be written");
        return;
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(text == expected, "{name} differs; `BLESS=1 cargo test -p ferrite-cli` rewrites it. Now:\n{text}");
}
