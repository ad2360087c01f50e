//! `ferrite run` and `ferrite vendor-run`.

mod check;
mod classes;
mod ctc;
mod engine;
mod image;
mod load;
mod random;
mod report;
mod specs;
mod statistics;
mod vendor;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use ferrite_rknn::Model;
use ferrite_rknn_runtime::{Layout, Plan, PlanOptions, RunReport, Tensor, TensorInfo};
use ferrite_rknpu::CoreMask;

use crate::args::{RunArgs, VendorRunArgs, Wanted};
use crate::failure::{Exit, Failure};
use crate::printer::Printer;
use crate::source;
use check::{Check, Outcome};
use classes::Hit;
use ctc::Charset;
use engine::{Answer, Engine};
use specs::Source;
use statistics::Statistics;

/// How many classes `--labels` alone shows.
const DEFAULT_TOPK: u32 = 5;

/// What one run gave.
struct RunResult {
    name: String,
    inputs: Vec<Loaded>,
    outputs: Vec<OutputResult>,
    text: Option<String>,
    saved: Option<PathBuf>,
    report: RunReport,
    time: Duration,
}

/// An input's value as it was handed over.
struct Loaded {
    source: Source,
    tensor: Tensor,
    layout: Layout,
}

struct OutputResult {
    statistics: Statistics,
    hits: Vec<Hit>,
    outcome: Option<Outcome>,
}

/// How outputs are to be looked at; all files are read before anything runs.
struct Reading {
    topk: usize,
    labels: Option<Vec<String>>,
    /// The character set and the output it fits.
    charset: Option<(Charset, usize)>,
    check: Option<Check>,
}

pub(crate) fn run(args: &RunArgs, as_json: bool, printer: &mut Printer) -> Result<Exit, Failure> {
    let case = Case::prepare(args.wanted(), &args.engine.plan_options(), printer)?;
    let mut engine = engine::Own::open(&args.model, &args.engine, &case.plan)?;
    case.run(&mut engine, as_json, printer)
}

pub(crate) fn run_vendor(args: &VendorRunArgs, as_json: bool, printer: &mut Printer) -> Result<Exit, Failure> {
    let cores = CoreMask(args.engine.cores.choice().mask().unwrap_or(0));
    let case = Case::prepare(args.wanted(), &PlanOptions::default().with_cores(cores), printer)?;
    let mut engine = vendor::Vendor::open(&args.model, &args.engine, &case.plan, printer)?;
    case.run(&mut engine, as_json, printer)
}

/// A model, its runs and how to look at them; everything that can be wrong about them was found.
struct Case<'a> {
    args: Wanted<'a>,
    model: Model,
    plan: Arc<Plan>,
    runs: Vec<specs::Run>,
    reading: Reading,
}

impl<'a> Case<'a> {
    fn prepare(args: Wanted<'a>, options: &PlanOptions, printer: &mut Printer) -> Result<Self, Failure> {
        let model = source::model(args.model)?;
        model.warnings().iter().for_each(|warning| printer.warn(warning));
        let plan = Plan::new(&model, options).map_err(|error| engine::failure(args.model, &error))?;
        let plan = Arc::new(plan);
        let runs = specs::runs(&args.input.inputs, plan.inputs(), args.input.seed, args.model)?;
        let reading = Reading::prepare(args, plan.outputs(), printer)?;
        check_before(args, &runs)?;
        Ok(Self { args, model, plan, runs, reading })
    }

    fn run(&self, engine: &mut dyn Engine, as_json: bool, printer: &mut Printer) -> Result<Exit, Failure> {
        let Self { args, model, plan, runs, reading } = self;
        let bar = printer.progress(runs.len(), "running");
        let mut results = Vec::new();
        for (position, run) in runs.iter().enumerate() {
            let result = execute(*args, run, plan, engine, reading, save_path(*args, position, runs.len()));
            let result = result.inspect_err(|_| bar.finish_and_clear())?;
            if !as_json {
                bar.suspend(|| report::print(*args, plan, position, runs.len(), &result, printer));
            }
            results.push(result);
            bar.inc(1);
            if printer.is_closed() {
                break;
            }
        }
        bar.finish_and_clear();
        engine.confirm(&results)?;
        if as_json {
            printer.json(&report::document(*args, model, plan, engine, &results));
        }
        report::summary(engine, &results, printer);
        verdict(*args, plan, &results)
    }
}

/// What can be known to be wrong before anything runs.
fn check_before(args: Wanted<'_>, runs: &[specs::Run]) -> Result<(), Failure> {
    for source in runs.iter().flat_map(|run| &run.sources) {
        if let Source::File { path, .. } = source {
            source::read_start(path, "the input")?;
        }
    }
    if args.check.compare.is_some() && runs.len() > 1 {
        return Err(Failure::input(format!("one golden file, but {} runs", runs.len()))
            .help("compare one run at a time: give each input one value"));
    }
    if let Some(path) = &args.output.save {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        if path.is_dir() || path.file_name().is_none() {
            return Err(Failure::input(format!("cannot save `{}`: it is a folder", path.display())));
        }
        if !folder.is_dir() {
            let text = format!("cannot save `{}`: there is no folder `{}`", path.display(), folder.display());
            return Err(Failure::input(text));
        }
    }
    Ok(())
}

impl Reading {
    fn prepare(args: Wanted<'_>, outputs: &[TensorInfo], printer: &mut Printer) -> Result<Self, Failure> {
        let labels = args.output.labels.as_deref().map(|path| classes::read_lines(path, "the labels")).transpose()?;
        let topk = args.output.topk.or(labels.is_some().then_some(DEFAULT_TOPK)).unwrap_or(0);
        if let Some(labels) = &labels {
            let sizes: Vec<usize> = outputs.iter().map(|output| output.shape.iter().product()).collect();
            if !sizes.contains(&labels.len()) {
                let sizes = sizes.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
                printer.warn(format!("{} labels, but the outputs have {sizes} values", labels.len()));
            }
        }
        let charset = args.output.ctc.as_deref().map(|path| charset(path, outputs)).transpose()?;
        Ok(Self { topk: topk as usize, labels, charset, check: Check::prepare(args.check, outputs)? })
    }
}

/// The character set, and the only output it fits.
fn charset(path: &Path, outputs: &[TensorInfo]) -> Result<(Charset, usize), Failure> {
    let charset = Charset::new(classes::read_lines(path, "the character set")?);
    let fitting: Vec<usize> = (0..outputs.len()).filter(|&index| charset.fits(&outputs[index].shape)).collect();
    match fitting.as_slice() {
        [one] => Ok((charset, *one)),
        _ => {
            let shapes = outputs.iter().map(|output| shape(&output.shape)).collect::<Vec<_>>().join(", ");
            let count = charset.len();
            let text = format!("the {count} characters of `{}` fit {} outputs", path.display(), fitting.len());
            Err(Failure::input(text).help(format!(
                "the last dimension must be {} or, with a space, {}; the outputs are {shapes}",
                count + 1,
                count + 2
            )))
        }
    }
}

/// Loads the inputs, runs the model once and looks at the outputs.
fn execute(
    args: Wanted<'_>,
    run: &specs::Run,
    plan: &Plan,
    engine: &mut dyn Engine,
    reading: &Reading,
    save: Option<PathBuf>,
) -> Result<RunResult, Failure> {
    let mut inputs = Vec::new();
    for (index, (source, info)) in run.sources.iter().zip(plan.inputs()).enumerate() {
        let (tensor, layout) = load::load(source, index, info, args.input)?;
        inputs.push(Loaded { source: source.clone(), tensor, layout });
    }
    let Answer { outputs: answers, report, time } = engine.run(&inputs)?;
    let mut members = Vec::new();
    let mut outputs = Vec::new();
    let mut text = None;
    for (index, ((values, raw), info)) in answers.into_iter().zip(plan.outputs()).enumerate() {
        if let Some((charset, _)) = reading.charset.as_ref().filter(|(_, output)| *output == index) {
            text = Some(charset.decode(&values));
        }
        outputs.push(OutputResult {
            statistics: Statistics::of(&values, &raw),
            hits: if reading.topk > 0 {
                classes::largest(&values, reading.topk, reading.labels.as_deref())
            } else {
                vec![]
            },
            outcome: reading.check.as_ref().map(|check| check.judge(index, &values)).transpose()?,
        });
        members.push((info.name.clone(), if args.output.raw { raw } else { values }));
    }
    if let Some(path) = &save {
        crate::npz::save_npz(path, &members)?;
    }
    Ok(RunResult { name: run.name.clone(), inputs, outputs, text, saved: save, report, time })
}

/// Where run number `position` of `count` is saved.
fn save_path(args: Wanted<'_>, position: usize, count: usize) -> Option<PathBuf> {
    let path = args.output.save.as_ref()?;
    if count == 1 {
        return Some(path.clone());
    }
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let extension = path.extension().map(|extension| format!(".{}", extension.to_string_lossy())).unwrap_or_default();
    Some(path.with_file_name(format!("{stem}-{}{extension}", position + 1)))
}

/// Success, unless an output is too far from its golden values.
fn verdict(args: Wanted<'_>, plan: &Plan, results: &[RunResult]) -> Result<Exit, Failure> {
    let failed: Vec<&str> = results
        .iter()
        .flat_map(|result| result.outputs.iter().zip(plan.outputs()))
        .filter(|(output, _)| output.outcome.as_ref().is_some_and(|outcome| !outcome.pass))
        .map(|(_, info)| info.name.as_str())
        .collect();
    match (failed.as_slice(), &args.check.compare) {
        ([], _) | (_, None) => Ok(Exit::Ok),
        (names, Some(golden)) => {
            let names = crate::suggest::list(names.iter().copied());
            Err(Failure::new(Exit::CheckFailed, format!("output {names} is too far from `{}`", golden.display())))
        }
    }
}

/// A shape as `1x3x224x224`.
fn shape(sizes: &[usize]) -> String {
    if sizes.is_empty() { "scalar".into() } else { sizes.iter().map(usize::to_string).collect::<Vec<_>>().join("x") }
}

/// A failure whose cause says it all.
fn failed(message: &str, error: &dyn std::error::Error) -> Failure {
    Failure::input(message).because(error)
}
