//! Many models at once, and the list of differences that are known.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::compare::Kind;
use crate::vendor::Runtime;
use crate::{CaptureOptions, CoreChoice, Diff, Error, capture, diff};

/// What became of one model.
#[derive(Debug)]
pub enum Outcome {
    /// The vendor's runtime does not run it, so there is nothing to compare with.
    Refused(Error),
    /// It was compared.
    Compared(Box<Diff>),
    /// Ours does not run it, or something is missing.
    Failed(Error),
}

/// One model on one choice of cores.
#[derive(Debug)]
pub struct Row {
    /// The model's file.
    pub model: PathBuf,
    /// The cores.
    pub cores: CoreChoice,
    /// What became of it.
    pub outcome: Outcome,
}

impl Row {
    /// How the allowlist names the model: its file name without the extension.
    pub fn name(&self) -> String {
        self.model.file_stem().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// How the allowlist names the cores: `auto` or the mask.
    pub fn cores_name(&self) -> String {
        self.cores.mask().map_or("auto".to_owned(), |mask| mask.to_string())
    }
}

/// Captures and compares every model for every choice of cores; `each` sees each row when it is there.
pub fn report(
    models: &[PathBuf],
    cores: &[CoreChoice],
    runtime: &Runtime,
    options: &CaptureOptions,
    each: &mut dyn FnMut(&Row),
) -> Vec<Row> {
    let mut rows = Vec::new();
    for model in models {
        for &cores in cores {
            let options = CaptureOptions { cores, ..options.clone() };
            let row = Row { model: model.clone(), cores, outcome: outcome(model, runtime, &options) };
            each(&row);
            rows.push(row);
        }
    }
    rows
}

fn outcome(model: &Path, runtime: &Runtime, options: &CaptureOptions) -> Outcome {
    let compared = capture(model, runtime, options).and_then(|made| {
        let bytes = std::fs::read(model).map_err(crate::error::file(model))?;
        diff(&bytes, &made)
    });
    match compared {
        Ok(result) => Outcome::Compared(Box::new(result)),
        Err(error @ Error::Client { .. }) => Outcome::Refused(error),
        Err(error) => Outcome::Failed(error),
    }
}

/// A difference that is known and explained.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Allowed {
    /// File name of the model without its extension.
    pub model: String,
    /// `auto` or the mask.
    pub cores: String,
    /// The kind.
    pub kind: Kind,
    /// How many.
    pub count: usize,
    /// Why.
    pub cause: String,
}

/// Reads an allowlist: tab-separated model, cores, kind, count, cause; lines that begin with `#` are comments.
///
/// # Errors
/// The first line that is not of that form.
pub fn read_allowlist(text: &str) -> Result<Vec<Allowed>, String> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
    let entry = |(number, line): (usize, &str)| {
        let fail = |what: &str| format!("line {}: {what}", number + 1);
        let columns: Vec<&str> = line.split('\t').collect();
        let [model, cores, kind, count, cause] = columns[..] else { return Err(fail("five columns are wanted")) };
        let known = Kind::ALL.into_iter().find(|have| have.name() == kind);
        let kind = known.ok_or_else(|| fail("there is no such kind of difference"))?;
        let count =
            count.parse().ok().filter(|count| *count > 0).ok_or_else(|| fail("the count is no positive number"))?;
        if cause.trim().is_empty() {
            return Err(fail("a cause is wanted"));
        }
        Ok(Allowed { model: model.to_owned(), cores: cores.to_owned(), kind, count, cause: cause.to_owned() })
    };
    lines.map(entry).collect()
}

/// What is wrong with a report, given the allowlist: differences that are not on it or in another number, models that failed,
/// and entries that the report does not need although it covers their model and cores.
pub fn judge(rows: &[Row], allowlist: &[Allowed]) -> Vec<String> {
    let key = |allowed: &Allowed| (allowed.model.clone(), allowed.cores.clone(), allowed.kind);
    let mut expected: BTreeMap<(String, String, Kind), usize> =
        allowlist.iter().map(|allowed| (key(allowed), allowed.count)).collect();
    let mut wrong = Vec::new();
    for row in rows {
        let (name, cores) = (row.name(), row.cores_name());
        let compared = match &row.outcome {
            Outcome::Refused(_) => continue,
            Outcome::Failed(error) => {
                wrong.push(format!("{name} ({cores}): {error}"));
                continue;
            }
            Outcome::Compared(compared) => compared,
        };
        for kind in Kind::ALL {
            let want = expected.remove(&(name.clone(), cores.clone(), kind)).unwrap_or(0);
            let have = compared.counts.of(kind);
            if have != want {
                wrong.push(format!("{name} ({cores}): {have} {}, the allowlist has {want}", kind.name()));
            }
        }
        if compared.syncs.missing > 0 {
            wrong.push(format!("{name} ({cores}): {} bytes are not synchronised", compared.syncs.missing));
        }
        if let Some(request) = compared.unknown_requests.first() {
            wrong.push(format!("{name} ({cores}): the fake driver does not know request {request:#x}"));
        }
    }
    wrong
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::Counts;
    use crate::report::SyncCoverage;

    fn row(model: &str, kind: Option<(Kind, usize)>) -> Row {
        let mut counts = Counts::default();
        if let Some((kind, count)) = kind {
            counts.differences[kind as usize] = count;
        }
        let compared = Diff { counts, first: Vec::new(), syncs: SyncCoverage::default(), unknown_requests: Vec::new() };
        let outcome = Outcome::Compared(Box::new(compared));
        Row { model: PathBuf::from(format!("some/{model}.rknn")), cores: CoreChoice::Mask(3), outcome }
    }

    #[test]
    fn what_is_not_listed_is_wrong_and_so_is_what_is_listed_for_nothing() {
        let list =
            read_allowlist("# model\tcores\tkind\tcount\tcause\na\t3\tDMA\t2\ta reason\nb\tauto\tinputs\t1\tanother\n")
                .unwrap();
        assert_eq!(list.len(), 2);
        assert!(judge(&[row("a", Some((Kind::Dma, 2)))], &list).is_empty());
        assert_eq!(judge(&[row("a", Some((Kind::Dma, 3)))], &list), ["a (3): 3 DMA, the allowlist has 2"]);
        assert_eq!(judge(&[row("a", None)], &list), ["a (3): 0 DMA, the allowlist has 2"]);
        assert_eq!(judge(&[row("c", Some((Kind::Buffer, 1)))], &list), ["c (3): 1 buffers, the allowlist has 0"]);
        // Entries for what this report does not cover are none of its business.
        assert!(judge(&[row("b", None)], &list).is_empty());
    }

    #[test]
    fn entries_without_a_cause_are_refused() {
        assert_eq!(read_allowlist("a\t3\tDMA\t2\t \n").unwrap_err(), "line 1: a cause is wanted");
        assert!(read_allowlist("a\t3\tspeed\t2\tx\n").unwrap_err().contains("no such kind"));
        assert!(read_allowlist("\na\t3\tDMA\t0\tx\n").unwrap_err().starts_with("line 2"));
        assert!(read_allowlist("a 3 DMA 2 x\n").is_err());
    }
}
