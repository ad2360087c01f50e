//! `ferrite trace`.

use std::path::Path;

use ferrite_xdna::programs;
use ferrite_xdna::programs::Code;
use ferrite_xdna::trace::{
    Configuration, Record, Trace, Unit, UnitKind, UnitTrace, event_names, to_json, words_of_text,
};
use serde_json::{Value, json};

use super::{open, unsound};
use crate::args::{DecodeArgs, TraceArgs, TraceCommand};
use crate::failure::{Exit, Failure};
use crate::printer::Printer;
use crate::source;
use crate::version::{schema, tool};

pub(crate) fn run(args: &TraceArgs, as_json: bool, printer: &mut Printer) -> Result<Exit, Failure> {
    match &args.command {
        TraceCommand::Decode(args) => decode(args, as_json, printer),
    }
}

fn decode(args: &DecodeArgs, as_json: bool, printer: &mut Printer) -> Result<Exit, Failure> {
    let trace = Trace::decode(&words(args)?);
    if trace.units.is_empty() {
        let message = format!("`{}` holds no packet of a trace unit", args.file.display());
        return Err(
            Failure::input(message).help("a trace buffer as bytes needs --raw; one that was never written is empty")
        );
    }
    let configuration = args.program.as_deref().map(configuration).transpose()?.unwrap_or_default();
    if let Some(out) = &args.perfetto {
        let timeline = trace.timeline(&configuration);
        if !timeline.complete {
            printer.warn("the timeline is cut off: the trace repeats records more often than a sound one does");
        }
        source::write(out, to_json(&timeline.events).as_bytes())?;
        printer.note(format_args!(
            "{} events in `{}`; open it in ui.perfetto.dev",
            timeline.events.len(),
            out.display()
        ));
    }
    if as_json {
        printer.json(&document(args, &trace, &configuration));
    } else {
        printer.write(format_args!("{}", trace.to_text(&configuration)));
    }
    Ok(Exit::Ok)
}

fn document(args: &DecodeArgs, trace: &Trace, configuration: &Configuration) -> Value {
    let unit = |part: &UnitTrace| {
        let unit = trace.unit_of(part, configuration);
        json!({
            "kind": UnitKind::of_packet_type(part.kind).map(|kind| kind.to_string()),
            "packet_type": part.kind,
            "tile": [part.tile.column, part.tile.row],
            "bytes": part.bytes.len(),
            "configured": unit.is_some(),
            "records": part.timed_records().iter().map(|(cycle, record)| record_document(*cycle, record, unit)).collect::<Value>(),
        })
    };
    json!({
        "schema": schema::TRACE,
        "tool": tool(),
        "file": args.file.display().to_string(),
        "units": trace.units.iter().map(unit).collect::<Value>(),
        "invalid_headers": trace.invalid_headers,
        "lost_words": trace.lost_words,
        "ignored_words": trace.ignored_words,
    })
}

fn record_document(cycle: u64, record: &Record, unit: Option<&Unit>) -> Value {
    match record {
        Record::Start { timer } => json!({ "cycle": cycle, "record": "start", "timer": timer }),
        Record::Events { slots, cycles } => {
            json!({ "cycle": cycle, "record": "events", "cycles": cycles, "events": event_names(*slots, unit) })
        }
        Record::Repeat { count } => json!({ "cycle": cycle, "record": "repeat", "count": count }),
        Record::Sync => json!({ "cycle": cycle, "record": "sync" }),
        Record::Skip => json!({ "cycle": cycle, "record": "skip" }),
        Record::Unknown { byte } => json!({ "cycle": cycle, "record": "unknown", "byte": byte }),
        Record::CutShort { byte } => json!({ "cycle": cycle, "record": "cut-short", "byte": byte }),
    }
}

/// The words of the trace, from text or from the buffer's own bytes.
fn words(args: &DecodeArgs) -> Result<Vec<u32>, Failure> {
    let bytes = source::read(&args.file, "the trace")?;
    let place = args.file.display();
    if args.raw {
        let (words, rest) = bytes.as_chunks::<4>();
        if !rest.is_empty() {
            return Err(Failure::input(format!("`{place}` has {} bytes, which are no whole words", bytes.len())));
        }
        return Ok(words.iter().map(|word| u32::from_le_bytes(*word)).collect());
    }
    let refused = |error: &dyn std::error::Error| {
        let failure = Failure::input(format!("`{place}` is no trace as text")).because(error);
        failure.help("--raw takes the bytes of a trace buffer")
    };
    let text = str::from_utf8(&bytes).map_err(|error| refused(&error))?;
    words_of_text(text).map_err(|error| refused(&error))
}

/// The trace units that a program configures, so that events have names.
fn configuration(path: &Path) -> Result<Configuration, Failure> {
    let file = open(path)?.ok_or_else(|| {
        Failure::input(format!("`{}` configures no trace", path.display()))
            .help(format!("needed is a file {}", super::KINDS))
    })?;
    let mut configuration = Configuration::default();
    for program in programs(&file.bytes).map_err(|error| unsound(path, file.kind, &error))? {
        match program.code {
            Code::Stream(stream) => configuration.extend(Configuration::of_stream(&stream)),
            Code::Configuration(cdo) => configuration.extend(Configuration::of_cdo(&cdo)),
            // Nothing says which tiles control packets go to.
            Code::Packets(_) | Code::Unread(_) => {}
        }
    }
    if configuration.units.is_empty() {
        return Err(Failure::input(format!("`{}` ({}) configures no trace unit", path.display(), file.kind)));
    }
    Ok(configuration)
}
