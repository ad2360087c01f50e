//! Outcomes of trials that earlier runs left, so that a run may stop and go on.
//!
//! What the vendor's runtime does with a model depends on the model, the runtime and what it is run on; what a comparison finds
//! depends on our code as well. So a refusal stays known when our code changes, and a comparison does not.

use std::collections::HashMap;
use std::fs::{self, File, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result};
use ferrite_rknn_oracle::vendor::Runtime;
use ferrite_rknn_oracle::{Outcome, Trial};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::shell::root;

/// What the vendor's runtime is run on.
const STAGE: [&str; 2] = ["crates/rknpu-fake/src", "crates/rknn-oracle/src/client"];
/// Whatever a comparison may depend on.
const OURS: [&str; 7] = [
    "crates/device/src",
    "crates/rknpu/src",
    "crates/rknn/src",
    "crates/host-ops/src",
    "crates/rknn-runtime/src",
    "crates/rknpu-fake/src",
    "crates/rknn-oracle/src",
];

/// One line of the file.
#[derive(Serialize, Deserialize)]
struct Line {
    #[serde(flatten)]
    key: Key,
    /// Digest of the code that it depends on.
    code: String,
    /// Seconds that the runtime had.
    limit: u64,
    outcome: Outcome,
}

#[derive(Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
struct Key {
    /// SHA-256.
    model: String,
    /// Cores and inputs.
    how: String,
    /// SHA-256.
    runtime: String,
}

/// The outcomes, in memory and in a file that grows by a line for each.
pub(crate) struct Kept {
    file: Mutex<File>,
    known: HashMap<Key, Line>,
    runtime: String,
    stage: String,
    ours: String,
    limit: Duration,
}

impl Kept {
    /// Reads what is there. A line that was cut off, or is of another form, is as none.
    pub(crate) fn open(path: &Path, runtime: &Runtime, limit: Duration) -> Result<Self> {
        let text = fs::read_to_string(path).unwrap_or_default();
        let lines = text.lines().filter_map(|line| serde_json::from_str::<Line>(line).ok());
        let known = lines.map(|line| (line.key.clone(), line)).collect();
        let mut file = OpenOptions::new().create(true).append(true).open(path);
        if let Ok(file) = &mut file
            && !text.is_empty()
            && !text.ends_with('\n')
        {
            writeln!(file).with_context(|| format!("writing {}", path.display()))?;
        }
        let file = Mutex::new(file.with_context(|| format!("opening {}", path.display()))?);
        let (stage, ours, runtime) = (digest_of(&STAGE)?, digest_of(&OURS)?, runtime.sha256.clone());
        Ok(Self { file, known, runtime, stage, ours, limit })
    }

    fn key(&self, trial: &Trial) -> Result<Key> {
        let bytes = fs::read(&trial.model).with_context(|| format!("reading {}", trial.model.display()))?;
        Ok(Key { model: hex(&Sha256::digest(bytes)), how: trial.how(), runtime: self.runtime.clone() })
    }

    /// What is known of a trial, unless something that it depends on has changed or more time might change it.
    pub(crate) fn find(&self, trial: &Trial) -> Result<Option<Outcome>> {
        let Some(line) = self.known.get(&self.key(trial)?) else { return Ok(None) };
        let waited = !matches!(line.outcome, Outcome::TimedOut(_)) || line.limit >= self.limit.as_secs();
        Ok((waited && line.code == self.code(&line.outcome)).then(|| line.outcome.clone()))
    }

    /// Keeps an outcome.
    pub(crate) fn keep(&self, trial: &Trial, outcome: &Outcome) -> Result<()> {
        let (code, limit) = (self.code(outcome).to_owned(), self.limit.as_secs());
        let line = Line { key: self.key(trial)?, code, limit, outcome: outcome.clone() };
        let mut text = serde_json::to_string(&line)?;
        text.push('\n');
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.write_all(text.as_bytes()).context("writing the outcome of a trial")
    }

    fn code(&self, outcome: &Outcome) -> &str {
        match outcome {
            Outcome::Refused(_) | Outcome::Crashed(_) | Outcome::TimedOut(_) => &self.stage,
            Outcome::Compared(_) | Outcome::Failed(_) => &self.ours,
        }
    }
}

/// Digest of all files in folders of the workspace, names included.
fn digest_of(folders: &[&str]) -> Result<String> {
    let mut digest = Sha256::new();
    for folder in folders {
        let mut files = Vec::new();
        list(&root().join(folder), &mut files)?;
        files.sort();
        for path in files {
            let bytes = fs::read(&path).with_context(|| format!("reading {}", path.display()))?;
            let name = path.strip_prefix(root()).unwrap_or(&path).to_string_lossy().into_owned();
            digest.update((name.len() as u64).to_le_bytes());
            digest.update(name);
            digest.update((bytes.len() as u64).to_le_bytes());
            digest.update(bytes);
        }
    }
    Ok(hex(&digest.finalize()))
}

fn list(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    for entry in fs::read_dir(folder).with_context(|| format!("reading {}", folder.display()))? {
        let path = entry?.path();
        if path.is_dir() {
            list(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ferrite_rknn_oracle::CoreChoice;

    #[test]
    fn outcomes_last_as_long_as_what_they_depend_on() {
        let folder = std::env::temp_dir().join(format!("ferrite-kept-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let (model, path) = (folder.join("model.rknn"), folder.join("kept.jsonl"));
        fs::write(&model, "one").unwrap();
        let runtime = Runtime { library: PathBuf::new(), sha256: "a".to_owned() };
        let open = |seconds| Kept::open(&path, &runtime, Duration::from_secs(seconds)).unwrap();
        let trial = |cores| Trial::of_file(model.clone(), cores);
        let refused = |kept: &Kept, cores| matches!(kept.find(&trial(cores)).unwrap(), Some(Outcome::Refused(_)));

        open(9).keep(&trial(CoreChoice::Auto), &Outcome::Refused("no".to_owned())).unwrap();
        open(9).keep(&trial(CoreChoice::Mask(3)), &Outcome::TimedOut("slow".to_owned())).unwrap();
        open(9).keep(&trial(CoreChoice::Mask(7)), &Outcome::Failed("bad".to_owned())).unwrap();
        assert!(refused(&open(99), CoreChoice::Auto));
        assert!(open(9).find(&trial(CoreChoice::Mask(3))).unwrap().is_some());
        assert!(open(10).find(&trial(CoreChoice::Mask(3))).unwrap().is_none(), "more time may change it");

        let changed = Kept { ours: "other".to_owned(), ..open(9) };
        assert!(changed.find(&trial(CoreChoice::Mask(7))).unwrap().is_none(), "our code changed");
        assert!(refused(&changed, CoreChoice::Auto), "a refusal is the vendor's");

        // A line that a killed run left half written is as none, and does not spoil the next.
        fs::OpenOptions::new().append(true).open(&path).unwrap().write_all(b"{\"model\":").unwrap();
        open(9).keep(&trial(CoreChoice::Mask(1)), &Outcome::Refused("no".to_owned())).unwrap();
        assert!(refused(&open(9), CoreChoice::Auto) && refused(&open(9), CoreChoice::Mask(1)));

        fs::write(&model, "two").unwrap();
        assert!(open(9).find(&trial(CoreChoice::Auto)).unwrap().is_none(), "another model");
        fs::remove_dir_all(&folder).unwrap();
    }
}
