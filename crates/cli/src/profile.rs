//! `ferrite profile`.

use std::path::Path;

use ferrite_rknn::Model;
use ferrite_rknn_analysis::cycles::{BYTES_PER_CYCLE, CLOCK, Figures, Layer, Profile, Source};
use ferrite_rknn_analysis::timeline::{Span, Timeline};
use ferrite_rknn_runtime::{Error, ErrorKind};
use serde_json::{Value, json};

use crate::args::ProfileArgs;
use crate::failure::{Exit, Failure};
use crate::printer::Printer;
use crate::source;
use crate::table::{Table, safe};
use crate::version::{schema, tool};

pub(crate) fn run(args: &ProfileArgs, as_json: bool, printer: &mut Printer) -> Result<Exit, Failure> {
    let model = source::model(&args.model)?;
    let timeline = Timeline::new(&model, usize::from(args.cores)).map_err(|error| unplanned(&args.model, &error))?;
    let profile = Profile::new(&model);
    if let Some(out) = &args.trace {
        let events = events(&model, &timeline);
        source::write(out, format!("{}\n", json!({ "displayTimeUnit": "ns", "traceEvents": events })).as_bytes())?;
        printer.note(format_args!("{} tasks in `{}`; open it in ui.perfetto.dev", timeline.spans.len(), out.display()));
    }
    if as_json {
        printer.json(&document(&args.model, args.cores, &profile, &timeline));
    } else {
        print(&profile, printer);
        printer.note(format_args!(
            "{} cycles on one core, {:.3} ms at 1 GHz; tasks alone, one after the other on {}: {} cycles",
            profile.cycles(),
            milliseconds(profile.cycles()),
            if args.cores == 1 { "one core".into() } else { format!("{} cores", args.cores) },
            timeline.cycles,
        ));
    }
    Ok(Exit::Ok)
}

/// The failure for a model without a plan.
fn unplanned(model: &Path, error: &Error) -> Failure {
    if let Error::Model(error) = error {
        return source::refused(model, error);
    }
    let exit = if error.kind() == ErrorKind::Unsupported { Exit::Unsupported } else { Exit::Input };
    Failure::new(exit, format!("cannot plan `{}`", model.display())).because(error)
}

#[expect(clippy::cast_precision_loss, reason = "for people")]
fn milliseconds(cycles: u64) -> f64 {
    cycles as f64 / CLOCK * 1e3
}

/// What DDR counts: the tensors for the toolkit's figures, the DMA for our model.
fn bytes(layer: &Layer) -> u64 {
    layer.figures.map_or(layer.moved, |figures| figures.bytes)
}

/// The sum of a number over all layers.
fn total(profile: &Profile, value: impl Fn(&Layer) -> u64) -> u64 {
    profile.layers.iter().map(value).fold(0, u64::saturating_add)
}

fn print(profile: &Profile, printer: &mut Printer) {
    let titles = [
        ">#", "TYPE", "NAME", ">CYCLES", "BOUND", ">NPU", ">DDR", ">BYTES", ">MOVED", ">MACS", ">UTIL", ">TASKS",
        "FROM",
    ];
    let mut table = Table::new(&titles);
    for layer in profile.layers.iter().filter(|layer| layer.kind != "InputOperator" && layer.kind != "OutputOperator") {
        let counted = layer.source != Source::None;
        let number = |value: u64| if counted { value.to_string() } else { String::new() };
        table.row([
            layer.operator.to_string(),
            safe(&layer.kind),
            safe(&layer.name),
            number(layer.cycles),
            layer.bound.name().into(),
            number(layer.compute),
            number(layer.memory),
            number(bytes(layer)),
            number(layer.moved),
            number(layer.multiply_adds),
            if layer.multiply_adds > 0 { format!("{:.1}%", layer.utilisation * 100.0) } else { String::new() },
            number(layer.tasks as u64),
            if counted { layer.source.name().into() } else { String::new() },
        ]);
    }
    table.row([
        String::new(),
        "total".into(),
        String::new(),
        profile.cycles().to_string(),
        String::new(),
        total(profile, |layer| layer.compute).to_string(),
        total(profile, |layer| layer.memory).to_string(),
        total(profile, bytes).to_string(),
        total(profile, |layer| layer.moved).to_string(),
        total(profile, |layer| layer.multiply_adds).to_string(),
        String::new(),
        total(profile, |layer| layer.tasks as u64).to_string(),
        String::new(),
    ]);
    printer.table(&table);
}

fn document(file: &Path, cores: u8, profile: &Profile, timeline: &Timeline) -> Value {
    let figures = |figures: Figures| json!({ "ddr": figures.ddr, "npu": figures.npu, "total": figures.ddr.max(figures.npu), "read_bytes": figures.read });
    let layer = |layer: &Layer| {
        json!({
            "operator": layer.operator,
            "type": layer.kind,
            "name": layer.name,
            "source": layer.source.name(),
            "cycles": layer.cycles,
            "bound": layer.bound.name(),
            "npu_cycles": layer.compute,
            "ddr_cycles": layer.memory,
            "bytes": bytes(layer),
            "moved_bytes": layer.moved,
            "multiply_adds": layer.multiply_adds,
            "utilisation": layer.utilisation,
            "tasks": layer.tasks,
            "toolkit": layer.figures.map(figures),
        })
    };
    json!({
        "schema": schema::PROFILE,
        "tool": tool(),
        "file": file.display().to_string(),
        "model": { "bytes_per_cycle": BYTES_PER_CYCLE, "clock_hz": CLOCK },
        "layers": profile.layers.iter().map(layer).collect::<Value>(),
        "totals": {
            "cycles": profile.cycles(),
            "npu_cycles": total(profile, |layer| layer.compute),
            "ddr_cycles": total(profile, |layer| layer.memory),
            "bytes": total(profile, bytes),
            "moved_bytes": total(profile, |layer| layer.moved),
            "multiply_adds": total(profile, |layer| layer.multiply_adds),
            "tasks": total(profile, |layer| layer.tasks as u64),
        },
        "timeline": { "cores": cores, "cycles": timeline.cycles, "tasks": timeline.spans.len() },
    })
}

/// Process 0 is the host, process 1 + N core N.
const HOST: usize = 0;

/// The timeline as Chrome's trace events: times in microseconds at the model's clock.
fn events(model: &Model, timeline: &Timeline) -> Vec<Value> {
    let operator = |index: usize| model.operators().get(index).map_or("", |operator| operator.name.as_str());
    let name = |process: usize, name: String| json!({ "ph": "M", "pid": process, "name": "process_name", "args": { "name": name } });
    let mut events = vec![name(HOST, "host".into())];
    let mut tracks: Vec<(usize, u8)> = Vec::new();
    for Span { core, start, cost } in &timeline.spans {
        for block in cost.enable.blocks() {
            // Threads are numbered by the block's bit, which is the order of the pipeline.
            let thread = block.enable_bit().unwrap_or_default();
            if !tracks.iter().any(|(known, _)| known == core) {
                events.push(name(core + 1, format!("core {core}")));
            }
            if !tracks.contains(&(*core, thread)) {
                tracks.push((*core, thread));
                let args = json!({ "name": block.name() });
                events.push(json!({ "ph": "M", "pid": core + 1, "tid": thread, "name": "thread_name", "args": args }));
            }
            events.push(json!({
                "ph": "X",
                "pid": core + 1,
                "tid": thread,
                "ts": microseconds(*start),
                "dur": microseconds(cost.cycles()),
                "name": operator(cost.operator),
                "args": {
                    "task": cost.task,
                    "cycles": cost.cycles(),
                    "compute": cost.compute,
                    "memory": cost.memory,
                    "bytes": cost.bytes,
                    "multiply_adds": cost.multiply_adds,
                },
            }));
        }
    }
    let on_host = |(index, at): &(usize, u64)| json!({ "ph": "i", "s": "p", "pid": HOST, "tid": 0, "ts": microseconds(*at), "name": operator(*index) });
    events.extend(timeline.host.iter().map(on_host));
    events
}

fn microseconds(cycles: u64) -> f64 {
    milliseconds(cycles) * 1e3
}
