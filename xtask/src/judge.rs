//! Running a model on the emulator and judging its outputs by outside answers.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, anyhow, bail, ensure};
use ferrite_cli::npz::Archive;
use ferrite_device::memory::{DeviceMemory, Settings};
use ferrite_numerics::{Tolerance, Verdict, compare};
use ferrite_rknn::Model;
use ferrite_rknn_runtime::{Layout, Plan, PlanOptions, RunReport, Session, Tensor, TensorInfo, Weights};
use ferrite_rknpu_emulator::{Emulator, Limits};

use crate::shell::root;

pub(crate) use ferrite_rknn_oracle::fits;

/// The golden archive of a model: its own, or that of the network in any precision.
pub(crate) fn golden_of(path: &Path) -> Option<PathBuf> {
    let own = path.with_extension("npz");
    let stem = path.file_stem()?.to_string_lossy().into_owned();
    let shared = path.with_file_name(format!("{}.npz", stem.trim_end_matches("-fp16")));
    let folder = path.with_file_name("scores.npz");
    [own, shared, folder].into_iter().find(|path| path.exists())
}

/// How near an output must be to its reference.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Limit {
    Exact,
    Cosine(f64),
    /// At least 99 % of the values within this many steps: where one operator computes, and where several do and roundings add up.
    Steps {
        one: u32,
        chain: u32,
    },
    /// RMS error against ONNX Runtime at most this many times the vendor simulator's.
    Rms(f64),
}

impl Limit {
    /// Steps need a quantised output; without, the limit of floating point holds.
    fn adapted(self, info: &TensorInfo) -> Self {
        match self {
            Self::Steps { .. } if info.quantization.is_none() => Self::Cosine(0.99999),
            other => other,
        }
    }

    fn steps(value: &str) -> Result<Self> {
        let (one, chain) = value.split_once(' ').unwrap_or((value, value));
        Ok(Self::Steps { one: one.parse()?, chain: chain.parse()? })
    }
}

/// Rows of `models/limits.tsv`: model pattern, output pattern, limit.
pub(crate) type LimitTable = Vec<(String, String, Limit)>;

pub(crate) fn read_limits() -> Result<LimitTable> {
    let text = fs::read_to_string(root().join("models/limits.tsv")).context("reading models/limits.tsv")?;
    let row = |line: &str| -> Result<(String, String, Limit)> {
        let columns: Vec<&str> = line.split('\t').collect();
        let &[model, output, limit] = columns.as_slice() else { bail!("models/limits.tsv: bad row `{line}`") };
        let limit = match limit.split_once(' ') {
            None if limit == "exact" => Limit::Exact,
            Some(("cosine", value)) => Limit::Cosine(value.parse()?),
            Some(("steps", value)) => Limit::steps(value)?,
            Some(("rms", value)) => Limit::Rms(value.parse()?),
            _ => bail!("models/limits.tsv: unknown limit `{limit}`"),
        };
        Ok((model.to_owned(), output.to_owned(), limit))
    };
    text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()).map(row).collect()
}

/// A row of the document.
pub(crate) struct Row {
    pub(crate) name: String,
    report: RunReport,
    limit: String,
    worst: f64,
    pub(crate) cosine: f64,
    statistics: String,
    /// The share of 8-bit values that are the simulator's own; of the output where it is smallest.
    pub(crate) equal: Option<f64>,
    pub(crate) verdict: &'static str,
    pub(crate) note: String,
}

impl Row {
    pub(crate) fn markdown(&self) -> String {
        let RunReport { npu_tasks, host_operators, .. } = self.report;
        let mut text = format!("| `{}.rknn` | {npu_tasks} | {host_operators} | {} ", self.name, self.limit);
        let numbers = format!("| {:.3e} | {:.7} | {} ", self.worst, self.cosine, self.statistics);
        let _ = writeln!(text, "{}| {} |", if self.verdict == "not run" { "| | | " } else { &numbers }, self.verdict);
        text
    }
}

/// Where a model and its golden values are, and by which rules it is judged.
pub(crate) struct Case<'a> {
    /// Name for the limits and the document.
    pub(crate) name: String,
    pub(crate) model: PathBuf,
    pub(crate) golden: Option<PathBuf>,
    pub(crate) limits: &'a LimitTable,
    /// Also hold the RMS error of floating-point outputs against the vendor simulator's.
    pub(crate) against_simulator: bool,
}

/// A model on an emulator of its own.
pub(crate) struct Loaded {
    pub(crate) plan: Arc<Plan>,
    emulator: Arc<Emulator>,
    pub(crate) session: Session,
    /// NPU operators: more than one is a chain, in which roundings add up.
    stages: usize,
}

impl Loaded {
    pub(crate) fn open(path: &Path) -> Result<Self> {
        let model = Model::read(fs::read(path)?)?;
        let plan = Arc::new(Plan::new(&model, &PlanOptions::default())?);
        let limit = plan.work_limit();
        let limits = Limits { bytes: limit.bytes, macs: limit.macs, ..Limits::default() };
        let memory = DeviceMemory::new(Settings::default());
        let emulator = Arc::new(Emulator::with_options(memory, ferrite_rknpu_emulator::Options::default(), limits));
        let weights = Weights::load(Arc::clone(&plan), emulator.clone())?;
        let stages = model.operators().iter().filter(|operator| operator.task_count(0) > 0).count();
        Ok(Self { session: Session::new(weights)?, plan, emulator, stages })
    }

    /// Sets the inputs of a sample and runs; the emulator must have executed what was submitted.
    fn run(&mut self, archive: &mut Archive, sample: &Sample) -> Result<RunReport> {
        for (index, info) in self.plan.inputs().iter().enumerate() {
            let tensor = archive.read(&sample.member("in", &info.name))?;
            self.session.set_input(index, &tensor, layout_of(&tensor, info))?;
        }
        let before = self.emulator.statistics().tasks;
        let report = self.session.run()?;
        let executed = self.emulator.statistics().tasks - before;
        ensure!(executed == report.npu_tasks as u64, "{executed} tasks executed, {} submitted", report.npu_tasks);
        Ok(report)
    }

    /// Runs on the inputs of an archive whose members are named after the tensors.
    pub(crate) fn run_archive(&mut self, path: &Path) -> Result<RunReport> {
        self.run(&mut Archive::open(fs::read(path)?)?, &Sample { name: None })
    }
}

pub(crate) fn judge_model(case: &Case<'_>) -> Row {
    judge_runs(case).unwrap_or_else(|error| Row {
        name: case.name.clone(),
        report: RunReport::default(),
        limit: String::new(),
        worst: f64::NAN,
        cosine: f64::NAN,
        statistics: String::new(),
        equal: None,
        verdict: "not run",
        note: format!("{error:#}"),
    })
}

/// Runs a model on every golden input and judges every output.
fn judge_runs(case: &Case<'_>) -> Result<Row> {
    let golden = case.golden.as_ref().ok_or_else(|| anyhow!("no golden values"))?;
    let mut archive = Archive::open(fs::read(golden)?)?;
    let mut loaded = Loaded::open(&case.model)?;
    let mut judged: Vec<Judgement> = Vec::new();
    let mut report = RunReport::default();
    for sample in samples(&archive, &loaded.plan) {
        report = loaded.run(&mut archive, &sample)?;
        for (index, info) in loaded.plan.outputs().iter().enumerate() {
            let (_, _, limit) = case
                .limits
                .iter()
                .find(|(model, output, _)| fits(model, &case.name) && fits(output, &info.name))
                .ok_or_else(|| anyhow!("models/limits.tsv has no row for output `{}`", info.name))?;
            judged.push(judge(&loaded, index, info, limit.adapted(info), case, &mut archive, &sample)?);
        }
    }
    let worst = judged.iter().min_by(|a, b| a.rank().total_cmp(&b.rank())).ok_or_else(|| anyhow!("no output"))?;
    Ok(Row {
        name: case.name.clone(),
        report,
        limit: worst.limit.clone(),
        worst: worst.worst,
        cosine: worst.verdict.cosine,
        statistics: worst.statistics.clone(),
        equal: judged.iter().filter_map(|judgement| judgement.equal).min_by(f64::total_cmp),
        verdict: if judged.iter().all(|judgement| judgement.pass) { "pass" } else { "fail" },
        note: worst.verdict.to_string(),
    })
}

/// One set of inputs and outputs in a golden archive.
struct Sample {
    /// The archive names inputs and outputs after their tensors where this is `None`, else after the sample.
    name: Option<String>,
}

impl Sample {
    fn member(&self, prefix: &str, tensor: &str) -> String {
        format!("{prefix}.{}", self.name.as_deref().unwrap_or(tensor))
    }
}

fn samples(archive: &Archive, plan: &Plan) -> Vec<Sample> {
    let names = archive.names();
    if plan.inputs().iter().all(|input| names.contains(&format!("in.{}", input.name))) {
        return vec![Sample { name: None }];
    }
    let mut samples: Vec<&str> = names.iter().filter_map(|name| name.strip_prefix("in.")).collect();
    samples.sort_unstable();
    samples.into_iter().map(|name| Sample { name: Some(name.to_owned()) }).collect()
}

/// Pictures are stored channels last, other tensors as the network has them.
fn layout_of(tensor: &Tensor, info: &TensorInfo) -> Layout {
    if tensor.shape() == info.shape.as_slice() { Layout::Nchw } else { Layout::Nhwc }
}

/// How one output fared.
struct Judgement {
    limit: String,
    verdict: Verdict,
    worst: f64,
    statistics: String,
    /// Where steps are counted, the share of equal values.
    equal: Option<f64>,
    pass: bool,
}

impl Judgement {
    /// Smaller is worse.
    fn rank(&self) -> f64 {
        if self.pass { self.verdict.cosine } else { self.verdict.cosine - 2.0 }
    }
}

fn judge(
    loaded: &Loaded,
    index: usize,
    info: &TensorInfo,
    limit: Limit,
    case: &Case<'_>,
    archive: &mut Archive,
    sample: &Sample,
) -> Result<Judgement> {
    let ours = loaded.session.output(index)?.to_f32();
    let prefix = if matches!(limit, Limit::Steps { .. }) { "sim" } else { "out" };
    let reference = archive.read(&sample.member(prefix, &info.name))?.to_f32();
    let verdict = compare(&ours, &reference, Tolerance::Exact, None)?;
    let specials = verdict.special_mismatches == 0;
    let mut equal = None;
    let (text, statistics, pass) = match limit {
        Limit::Exact => ("exact".to_owned(), half_ulps(&ours, &reference)?, verdict.pass),
        Limit::Cosine(least) => {
            let mut text = format!("cosine {least}");
            let mut statistics = half_ulps(&ours, &reference)?;
            let mut near = verdict.cosine >= least;
            if let Some(theirs) = simulator_rms(archive, sample, info, &reference)?.filter(|_| case.against_simulator) {
                text += ", rms 1.5 x simulator's + 2^-11";
                let _ = write!(statistics, "; rms {:.2e}, simulator's {theirs:.2e}", verdict.rms);
                near &= verdict.rms <= 1.5 * theirs + rms(&reference) / 2048.0;
            }
            (text, statistics, specials && near)
        }
        Limit::Steps { one, chain } => {
            let steps = if loaded.stages > 1 { chain } else { one };
            let text = format!("99 % within {steps} steps");
            let Some(quantization) = info.quantization else { bail!("output `{}` has no steps", info.name) };
            let counts = Steps::count(&ours, &reference, quantization.scale, steps);
            equal = Some(counts.equal);
            (text, counts.to_string(), specials && counts.within >= 0.99)
        }
        Limit::Rms(most) => {
            let theirs = simulator_rms(archive, sample, info, &reference)?;
            let theirs = theirs.ok_or_else(|| anyhow!("the simulator's output is missing"))?;
            let text = format!("rms {most} x simulator's");
            let statistics = format!("rms {:.3e}, simulator's {theirs:.3e}", verdict.rms);
            (text, statistics, specials && verdict.rms <= most * theirs)
        }
    };
    let worst = verdict.worst.as_ref().map_or(0.0, |pair| pair.error);
    Ok(Judgement { limit: text, worst, statistics, equal, pass, verdict })
}

/// The vendor simulator's RMS error, where the archive has its output.
fn simulator_rms(archive: &mut Archive, sample: &Sample, info: &TensorInfo, reference: &[f32]) -> Result<Option<f64>> {
    let present = archive.names();
    let names = ["sim", "sim-int8"].map(|prefix| sample.member(prefix, &info.name));
    let Some(name) = names.iter().find(|name| present.contains(name)) else { return Ok(None) };
    let simulator = archive.read(name)?.to_f32();
    Ok(Some(compare(&simulator, reference, Tolerance::Exact, None)?.rms))
}

fn rms(values: &[f32]) -> f64 {
    let squares: f64 = values.iter().map(|&value| f64::from(value).powi(2)).sum();
    #[expect(clippy::cast_precision_loss, reason = "counts of tensor elements")]
    let count = values.len().max(1) as f64;
    (squares / count).sqrt()
}

/// Units in the last place of fp16, in which these models compute.
fn half_ulps(ours: &[f32], reference: &[f32]) -> Result<String> {
    let tolerance: Tolerance = "ulps:1@f16".parse()?;
    let verdict = compare(ours, reference, tolerance, None)?;
    let ulps = verdict
        .ulps
        .map(|ulps| format!("ulps mean {:.3}, max {}, exact {:.1} %", ulps.mean, ulps.max, ulps.exact_share * 100.0));
    Ok(ulps.unwrap_or_default())
}

/// Differences in quantisation steps.
struct Steps {
    equal: f64,
    within: f64,
    max: f32,
    limit: u32,
}

impl Steps {
    #[expect(clippy::cast_precision_loss, reason = "counts of tensor elements")]
    fn count(ours: &[f32], reference: &[f32], scale: f32, limit: u32) -> Self {
        let steps: Vec<f32> = ours.iter().zip(reference).map(|(a, b)| ((a - b).abs() / scale).round()).collect();
        let share = |most: f32| steps.iter().filter(|&&step| step <= most).count() as f64 / steps.len().max(1) as f64;
        let max = steps.iter().copied().fold(0.0, f32::max);
        Self { equal: share(0.0), within: share(limit as f32), max, limit }
    }
}

impl std::fmt::Display for Steps {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { equal, within, max, limit } = self;
        write!(f, "equal {:.2} %, within {limit}: {:.2} %, max {max}", equal * 100.0, within * 100.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns() {
        assert!(fits("*-fp16", "ops/add-fp16") && fits("mtcnn/*", "mtcnn/p-int8") && fits("a*b*c", "abbc"));
        assert!(!fits("*-fp16", "ops/add-int8") && !fits("ops/add", "ops/add-fp16"));
    }

    #[test]
    fn steps_are_counted_from_the_reference() {
        let steps = Steps::count(&[0.0, 0.5, 1.0, -2.0], &[0.0, 0.0, 1.0, 0.0], 0.5, 1);
        assert_eq!((steps.equal, steps.within, steps.max), (0.5, 0.75, 4.0));
    }
}
