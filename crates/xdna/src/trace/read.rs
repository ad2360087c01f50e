//! The text of a timeline back to its events.

use serde::Deserialize;

use super::ChromeEvent;
use crate::error::{Error, Result};

/// An entry as it stands in the file.
#[derive(Deserialize)]
struct Entry {
    name: String,
    ph: String,
    pid: usize,
    #[serde(default)]
    tid: usize,
    #[serde(default)]
    ts: u64,
    #[serde(default)]
    args: Arguments,
}

#[derive(Default, Deserialize)]
struct Arguments {
    #[serde(default)]
    name: String,
}

/// Whether a text, or its start, is a timeline.
pub(crate) fn is_timeline(text: &str) -> bool {
    text.trim_start().strip_prefix('[').is_some_and(|inside| {
        let first = inside.trim_start().split('}').next().unwrap_or_default();
        first.starts_with('{') && first.contains("\"ph\"")
    })
}

/// Reads the timeline that mlir-aie's parser or this crate makes of a trace.
///
/// # Errors
/// If it is no JSON, or an entry is none that they write; the error names the line or the entry.
pub fn events_of_json(text: &str) -> Result<Vec<ChromeEvent>> {
    let refused = |message: String| Error::Json { what: "the timeline", message };
    let entries: Vec<Entry> = serde_json::from_str(text).map_err(|error| refused(error.to_string()))?;
    let event = |(index, entry): (usize, Entry)| {
        let Entry { name, ph, pid, tid, ts: cycle, args } = entry;
        match (ph.as_str(), name.as_str()) {
            ("M", "process_name") => Ok(ChromeEvent::Process { pid, name: args.name }),
            ("M", "thread_name") => Ok(ChromeEvent::Thread { pid, tid, name: args.name.into() }),
            ("B", _) => Ok(ChromeEvent::Begin { pid, tid, name: name.into(), cycle }),
            ("E", _) => Ok(ChromeEvent::End { pid, tid, name: name.into(), cycle }),
            _ => Err(refused(format!("entry {index} is of phase `{ph}`, named `{name}`"))),
        }
    };
    entries.into_iter().enumerate().map(event).collect()
}
