//! Many models at once, and the list of differences that are known.

use std::path::PathBuf;

use ferrite_rknn::Model;
use ferrite_rknn_runtime::{ElementType, Plan, PlanOptions, TensorInfo};
use serde::{Deserialize, Serialize};

use crate::compare::Kind;
use crate::error::file;
use crate::vendor::Runtime;
use crate::{CaptureOptions, CoreChoice, Diff, Error, Format, InputSpec, Type, capture, diff};

/// What became of one trial.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The vendor's runtime says that it does not run it, so there is nothing to compare with.
    Refused(String),
    /// The vendor's runtime ended without a word.
    Crashed(String),
    /// The vendor's runtime was not given enough time: nothing is known.
    TimedOut(String),
    /// It was compared.
    Compared(Box<Diff>),
    /// Ours does not run it, or something is missing.
    Failed(String),
}

impl From<Result<Diff, Error>> for Outcome {
    fn from(result: Result<Diff, Error>) -> Self {
        match result {
            Ok(result) => Self::Compared(Box::new(result)),
            Err(error @ Error::Client { .. }) => Self::Refused(error.to_string()),
            Err(error @ Error::Crashed { .. }) => Self::Crashed(error.to_string()),
            Err(error @ Error::TimedOut { .. }) => Self::TimedOut(error.to_string()),
            Err(error) => Self::Failed(with_sources(&error)),
        }
    }
}

/// An error and what caused it, as far as its own text does not say that.
#[must_use]
pub fn with_sources(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(error) = source {
        let cause = error.to_string();
        if !text.contains(&cause) {
            text += &format!(": {cause}");
        }
        source = error.source();
    }
    text
}

/// How inputs are handed over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// Values of a type in an order of dimensions.
    Values(Type, Format),
    /// Bytes for the NPU as they are.
    Native,
}

impl Way {
    /// Every type and order that runtimes convert from, and pass-through.
    pub fn all() -> Vec<Self> {
        let types = [Type::Float32, Type::Float16, Type::Uint8, Type::Int8];
        let orders = [Format::Nhwc, Format::Nchw, Format::Undefined];
        let values = types.into_iter().flat_map(|element| orders.map(|format| Self::Values(element, format)));
        values.chain([Self::Native]).collect()
    }

    /// One word for reports and the allowlist.
    pub fn name(self) -> String {
        match self {
            Self::Values(element, format) => format!("{element:?}-{format:?}").to_lowercase(),
            Self::Native => "native".to_owned(),
        }
    }

    /// Inputs for a model, from a seed.
    ///
    /// # Errors
    /// When the model cannot be read or planned.
    pub fn inputs(self, model: &[u8]) -> Result<Vec<InputSpec>, Error> {
        let plan = Plan::new(&Model::read(model)?, &PlanOptions::default())?;
        let spec = |(index, info): (usize, &TensorInfo)| match self {
            Self::Values(element, format) => {
                InputSpec::values(index, info.shape.iter().product(), element, format, INPUT_SEED)
            }
            Self::Native => {
                let element = if info.element == ElementType::F16 { Type::Float16 } else { Type::Int8 };
                let bytes = usize::try_from(info.native_bytes).unwrap_or(usize::MAX);
                InputSpec::native(index, element, bytes, INPUT_SEED)
            }
        };
        Ok(plan.inputs().iter().enumerate().map(spec).collect())
    }
}

/// Any will do; it is fixed so that reports can be made again.
const INPUT_SEED: u64 = 3;

/// One model under one choice of cores, with its inputs handed over in one way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trial {
    /// How the allowlist names the model.
    pub name: String,
    /// The model's file.
    pub model: PathBuf,
    /// The cores.
    pub cores: CoreChoice,
    /// The inputs: `None` is float32 in the order that the vendor's examples use.
    pub way: Option<Way>,
}

impl Trial {
    /// A trial whose name is the file's without its extension.
    pub fn of_file(model: PathBuf, cores: CoreChoice) -> Self {
        let name = model.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Self { name, model, cores, way: None }
    }

    /// How the allowlist names what is tried: `auto` or the mask, and behind a colon the way where there is one.
    pub fn how(&self) -> String {
        let cores = self.cores.mask().map_or("auto".to_owned(), |mask| mask.to_string());
        self.way.map_or(cores.clone(), |way| format!("{cores}:{}", way.name()))
    }

    /// Captures and compares.
    pub fn run(self, runtime: &Runtime, options: &CaptureOptions) -> Row {
        let outcome = self.compared(runtime, options).into();
        Row { trial: self, outcome }
    }

    fn compared(&self, runtime: &Runtime, options: &CaptureOptions) -> Result<Diff, Error> {
        let bytes = std::fs::read(&self.model).map_err(file(&self.model))?;
        let inputs = self.way.map(|way| way.inputs(&bytes)).transpose()?;
        let inputs = inputs.unwrap_or_else(|| options.inputs.clone());
        let options = CaptureOptions { cores: self.cores, inputs, ..options.clone() };
        diff(&bytes, &capture(&self.model, runtime, &options)?)
    }
}

/// A trial and what became of it.
#[derive(Debug, Clone)]
pub struct Row {
    /// The trial.
    pub trial: Trial,
    /// What became of it.
    pub outcome: Outcome,
}

/// A difference that is known and explained.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Allowed {
    /// Name of the model; `*` stands for anything.
    pub model: String,
    /// What [`Trial::how`] says; `*` stands for anything.
    pub how: String,
    /// The kind.
    pub kind: Kind,
    /// How many, in that trial of those it covers that has the most.
    pub count: usize,
    /// Why.
    pub cause: String,
}

impl Allowed {
    /// Whether it is about this model and this way to run it.
    #[must_use]
    pub fn covers(&self, trial: &Trial) -> bool {
        fits(&self.model, &trial.name) && fits(&self.how, &trial.how())
    }
}

/// Whether `text` fits `pattern`, in which `*` stands for anything.
pub fn fits(pattern: &str, text: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == text,
        Some((start, rest)) => text.strip_prefix(start).is_some_and(|tail| {
            (0..=tail.len()).filter(|&at| tail.is_char_boundary(at)).any(|at| fits(rest, &tail[at..]))
        }),
    }
}

/// Reads an allowlist: tab-separated model, how, kind, count, cause; lines that begin with `#` are comments.
///
/// # Errors
/// The first line that is not of that form.
pub fn read_allowlist(text: &str) -> Result<Vec<Allowed>, String> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
    let entry = |(number, line): (usize, &str)| {
        let fail = |what: &str| format!("line {}: {what}", number + 1);
        let columns: Vec<&str> = line.split('\t').collect();
        let [model, how, kind, count, cause] = columns[..] else { return Err(fail("five columns are wanted")) };
        let known = Kind::ALL.into_iter().find(|have| have.name() == kind);
        let kind = known.ok_or_else(|| fail("there is no such kind of difference"))?;
        let count =
            count.parse().ok().filter(|count| *count > 0).ok_or_else(|| fail("the count is no positive number"))?;
        if cause.trim().is_empty() {
            return Err(fail("a cause is wanted"));
        }
        Ok(Allowed { model: model.to_owned(), how: how.to_owned(), kind, count, cause: cause.to_owned() })
    };
    lines.map(entry).collect()
}

/// What is wrong with a report, given the allowlist: differences that are not on it or more than it says, models that failed or
/// on which the vendor's runtime crashed or took too long,
/// and entries that allow more than any trial they cover needs. An entry that covers no trial is wrong only in a `complete` report.
/// Of several entries that cover a trial, the first holds.
pub fn judge(rows: &[Row], allowlist: &[Allowed], complete: bool) -> Vec<String> {
    let mut most: Vec<Option<usize>> = vec![None; allowlist.len()];
    let mut wrong = Vec::new();
    for row in rows {
        let place = format!("{} ({})", row.trial.name, row.trial.how());
        match &row.outcome {
            Outcome::Refused(_) => {}
            Outcome::Failed(error) | Outcome::Crashed(error) | Outcome::TimedOut(error) => {
                wrong.push(format!("{place}: {error}"));
            }
            Outcome::Compared(compared) => {
                for kind in Kind::ALL {
                    let have = compared.counts.of(kind);
                    let entry = allowlist.iter().position(|allowed| allowed.kind == kind && allowed.covers(&row.trial));
                    let allowed = entry.map_or(0, |entry| {
                        most[entry] = most[entry].max(Some(have));
                        allowlist[entry].count
                    });
                    if have > allowed {
                        wrong.push(format!("{place}: {have} {}, the allowlist has {allowed}", kind.name()));
                    }
                }
                wrong.extend(unlisted(compared).map(|text| format!("{place}: {text}")));
            }
        }
    }
    let entries = allowlist.iter().zip(most);
    wrong.extend(entries.filter_map(|(allowed, most)| too_generous(allowed, most, complete)));
    wrong
}

/// What no entry can allow.
fn unlisted(compared: &Diff) -> impl Iterator<Item = String> {
    let missing = compared.syncs.missing;
    let syncs = (missing > 0).then(|| format!("{missing} bytes are not synchronised"));
    let request = compared.unknown_requests.first();
    syncs.into_iter().chain(request.map(|request| format!("the fake driver does not know request {request:#x}")))
}

fn too_generous(allowed: &Allowed, most: Option<usize>, complete: bool) -> Option<String> {
    let Allowed { model, how, kind, count, .. } = allowed;
    let entry = format!("the allowlist has {count} {} for {model} ({how})", kind.name());
    match most {
        None => complete.then(|| format!("{entry}, and there is no such trial")),
        Some(most) => (most < *count).then(|| format!("{entry}, the most is {most}")),
    }
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
        let trial = Trial::of_file(PathBuf::from(format!("some/{model}.rknn")), CoreChoice::Mask(3));
        Row { trial, outcome: Outcome::Compared(Box::new(compared)) }
    }

    #[test]
    fn what_is_not_listed_is_wrong_and_so_is_what_is_listed_for_nothing() {
        let list = "# model\thow\tkind\tcount\tcause\na\t3\tDMA\t2\ta reason\nb\tauto\tinputs\t1\tanother\n";
        let list = read_allowlist(list).unwrap();
        assert_eq!(list.len(), 2);
        let judge = |row| judge(&[row], &list, false);
        assert!(judge(row("a", Some((Kind::Dma, 2)))).is_empty());
        assert_eq!(judge(row("a", Some((Kind::Dma, 3)))), ["a (3): 3 DMA, the allowlist has 2"]);
        assert_eq!(judge(row("a", None)), ["the allowlist has 2 DMA for a (3), the most is 0"]);
        assert_eq!(judge(row("c", Some((Kind::Buffer, 1)))), ["c (3): 1 buffers, the allowlist has 0"]);
        // Entries for what this report does not cover are none of its business.
        assert!(judge(row("b", None)).is_empty());
    }

    #[test]
    fn a_complete_report_needs_every_entry() {
        let list = read_allowlist("b\tauto\tinputs\t1\twhy\n").unwrap();
        let wrong = judge(&[row("b", None)], &list, true);
        assert_eq!(wrong, ["the allowlist has 1 inputs for b (auto), and there is no such trial"]);
    }

    #[test]
    fn a_pattern_allows_what_its_worst_trial_needs() {
        let list = read_allowlist("pool*\t*\toutputs\t4\twhy\n").unwrap();
        let rows = |counts: [usize; 2]| counts.map(|count| row("pool-int8", Some((Kind::Output, count))));
        assert!(judge(&rows([1, 4]), &list, true).is_empty());
        assert_eq!(judge(&rows([1, 5]), &list, true).len(), 1);
        assert_eq!(judge(&rows([1, 3]), &list, true), ["the allowlist has 4 outputs for pool* (*), the most is 3"]);
    }

    #[test]
    fn trials_name_cores_and_way() {
        let trial = Trial::of_file(PathBuf::from("a/b.rknn"), CoreChoice::Auto);
        assert_eq!((trial.name.as_str(), trial.how().as_str()), ("b", "auto"));
        let way = Some(Way::Values(Type::Uint8, Format::Nhwc));
        assert_eq!(Trial { way, cores: CoreChoice::Mask(7), ..trial }.how(), "7:uint8-nhwc");
    }

    #[test]
    fn entries_without_a_cause_are_refused() {
        assert_eq!(read_allowlist("a\t3\tDMA\t2\t \n").unwrap_err(), "line 1: a cause is wanted");
        assert!(read_allowlist("a\t3\tspeed\t2\tx\n").unwrap_err().contains("no such kind"));
        assert!(read_allowlist("\na\t3\tDMA\t0\tx\n").unwrap_err().starts_with("line 2"));
        assert!(read_allowlist("a 3 DMA 2 x\n").is_err());
    }
}
