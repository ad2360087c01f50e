//! What `ferrite run` and `ferrite vendor-run` print.

use ferrite_rknn::Model;
use ferrite_rknn_runtime::{Layout, Plan, TensorInfo};
use serde_json::{Value, json};

use super::engine::Engine;
use super::specs::Source;
use super::{Loaded, OutputResult, RunResult};
use crate::args::Wanted;
use crate::printer::{HEADING, Printer};
use crate::version::tool;

/// One run for people. With `--ctc` only the text is data; the rest is for `--verbose`, but verdicts are always said.
pub(super) fn print(
    args: Wanted<'_>,
    plan: &Plan,
    position: usize,
    count: usize,
    result: &RunResult,
    printer: &mut Printer,
) {
    let quiet_data = result.text.is_some();
    if let Some(text) = &result.text {
        printer.line(text);
    } else if count > 1 {
        printer.heading(position == 0, &result.name);
    }
    if quiet_data && count > 1 {
        printer.detail(format_args!("{HEADING}{}{HEADING:#}", result.name));
    }
    for (output, info) in result.outputs.iter().zip(plan.outputs()) {
        let lines = describe(output, info);
        for line in lines {
            if quiet_data { printer.detail(line) } else { printer.line(line) }
        }
        for line in output.outcome.iter().flat_map(super::Outcome::lines) {
            if quiet_data { printer.note(format_args!("  {line}")) } else { printer.line(format_args!("  {line}")) }
        }
    }
    if let (Some(saved), true) = (&result.saved, args.output.save.is_some()) {
        printer.note(format_args!("saved {}", saved.display()));
    }
}

fn describe(output: &OutputResult, info: &TensorInfo) -> Vec<String> {
    let mut lines = vec![format!("{}  {}  {}", info.name, super::shape(&info.shape), info.element.name())];
    lines.extend(output.statistics.lines().into_iter().map(|line| format!("  {line}")));
    if !output.hits.is_empty() {
        lines.push("  largest values and their classes".into());
        lines.extend(output.hits.iter().map(|hit| format!("    {}", hit.line())));
    }
    lines
}

/// The last line on stderr.
pub(super) fn summary(engine: &dyn Engine, results: &[RunResult], printer: &mut Printer) {
    let total = |count: fn(&RunResult) -> usize| results.iter().map(count).sum::<usize>();
    let seconds: f64 = results.iter().map(|result| result.time.as_secs_f64()).sum();
    let runs = if results.len() > 1 { format!("{} runs, ", results.len()) } else { String::new() };
    printer.note(format_args!(
        "{}: {runs}{} NPU tasks in {} submissions, {} operators on the host, {seconds:.2} s",
        engine.name(),
        engine.executed_tasks(results),
        total(|result| result.report.submissions),
        total(|result| result.report.host_operators),
    ));
    if let Some(work) = engine.work() {
        printer.detail(work);
    }
}

pub(super) fn document(
    args: Wanted<'_>,
    model: &Model,
    plan: &Plan,
    engine: &dyn Engine,
    results: &[RunResult],
) -> Value {
    let total = |count: fn(&RunResult) -> usize| results.iter().map(count).sum::<usize>();
    let limit = engine.limit();
    let statistics = engine.statistics();
    json!({
        "schema": engine.schema(),
        "tool": tool(),
        "model": {
            "file": args.model.display().to_string(),
            "bytes": model.bytes().len(),
            "name": model.tail().name,
            "target_platform": model.tail().target_platform,
            "compiler": model.info().compiler,
        },
        "inputs": plan.inputs().iter().map(port).collect::<Value>(),
        "outputs": plan.outputs().iter().map(port).collect::<Value>(),
        "engine": {
            "name": engine.name(),
            "npu_tasks": engine.executed_tasks(results),
            "submitted_tasks": total(|result| result.report.npu_tasks),
            "submissions": total(|result| result.report.submissions),
            "host_operators": total(|result| result.report.host_operators),
            "bytes": statistics.as_ref().map(|done| done.bytes),
            "macs": statistics.as_ref().map(|done| done.macs),
            "limit": { "bytes": limit.bytes, "macs": limit.macs },
        },
        "seconds": results.iter().map(|result| result.time.as_secs_f64()).sum::<f64>(),
        "pass": verdicts(results),
        "runs": results.iter().map(|result| run(plan, result)).collect::<Value>(),
    })
}

/// Whether all checks passed; null without any.
fn verdicts(results: &[RunResult]) -> Option<bool> {
    let outcomes = || results.iter().flat_map(|result| &result.outputs).filter_map(|output| output.outcome.as_ref());
    outcomes().next().is_some().then(|| outcomes().all(|outcome| outcome.pass))
}

fn port(info: &TensorInfo) -> Value {
    json!({
        "name": info.name,
        "shape": info.shape,
        "type": info.element.name(),
        "quantization": info.quantization.map(|q| json!({ "scale": q.scale, "zero_point": q.zero_point })),
        "normalization": info.normalization.as_ref().map(|n| json!({ "mean": n.mean, "std": n.std })),
        "native_shape": info.native_shape,
        "native_bytes": info.native_bytes,
    })
}

fn run(plan: &Plan, result: &RunResult) -> Value {
    let inputs = result.inputs.iter().zip(plan.inputs()).map(|(loaded, info)| input(loaded, info));
    let outputs = result.outputs.iter().zip(plan.outputs()).map(|(output, info)| {
        json!({
            "name": info.name,
            "statistics": output.statistics.document(),
            "largest": output.hits.iter().map(super::Hit::document).collect::<Value>(),
            "check": output.outcome.as_ref().map(super::Outcome::document),
        })
    });
    json!({
        "name": result.name,
        "inputs": inputs.collect::<Value>(),
        "outputs": outputs.collect::<Value>(),
        "text": result.text,
        "saved": result.saved.as_ref().map(|path| path.display().to_string()),
        "npu_tasks": result.report.npu_tasks,
        "submissions": result.report.submissions,
        "host_operators": result.report.host_operators,
        "seconds": result.time.as_secs_f64(),
    })
}

fn input(loaded: &Loaded, info: &TensorInfo) -> Value {
    let source = match &loaded.source {
        Source::File { path, .. } => json!({ "file": path.display().to_string() }),
        Source::Member { path, member } => json!({ "file": path.display().to_string(), "member": member }),
        Source::Random { seed } => json!({ "random": seed }),
    };
    let layout = match loaded.layout {
        Layout::Nchw => "nchw",
        Layout::Nhwc => "nhwc",
        Layout::Native => "native",
    };
    json!({
        "name": info.name,
        "source": source,
        "shape": loaded.tensor.shape(),
        "type": loaded.tensor.element().name(),
        "layout": layout,
    })
}
