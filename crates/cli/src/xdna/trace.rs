//! `ferrite trace`.

use std::path::Path;

use ferrite_xdna::trace::{Configuration, Trace, UnitKind, to_json, words_of_text};
use ferrite_xdna::txn::Stream;
use ferrite_xdna::{Cdo, Elf, FileKind, Pdi, Xclbin};
use serde_json::{Value, json};

use super::{File, open, unsound};
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
    let unit = |part: &ferrite_xdna::trace::UnitTrace| {
        json!({
            "kind": UnitKind::of_packet_type(part.kind).map(|kind| kind.to_string()),
            "packet_type": part.kind,
            "column": part.tile.column,
            "row": part.tile.row,
            "bytes": part.bytes.len(),
            "records": part.records().len(),
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
        "text": trace.to_text(configuration).lines().collect::<Vec<_>>(),
    })
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
    let configuration = of_file(&file).map_err(|error| unsound(path, file.kind, &*error))?;
    if configuration.units.is_empty() {
        return Err(Failure::input(format!("`{}` ({}) configures no trace unit", path.display(), file.kind)));
    }
    Ok(configuration)
}

fn of_file(file: &File) -> Result<Configuration, Box<dyn std::error::Error>> {
    let bytes = &file.bytes;
    let of_pdi = |pdi: &Pdi| pdi.cdo().map(Configuration::of_cdo).unwrap_or_default();
    Ok(match file.kind {
        FileKind::InstructionStream => Configuration::of_stream(&Stream::decode(bytes)?),
        FileKind::InstructionText => Configuration::of_stream(&Stream::parse(&String::from_utf8_lossy(bytes))?),
        FileKind::Cdo => Configuration::of_cdo(&Cdo::decode(bytes)?),
        FileKind::Pdi => of_pdi(&Pdi::decode(bytes)?),
        FileKind::Xclbin => {
            let mut all = Configuration::default();
            for part in Xclbin::decode(bytes)?.partition()?.unwrap_or_default().pdis {
                all.units.extend(of_pdi(&Pdi::decode_at(&part.image, part.place)?).units);
            }
            all
        }
        FileKind::ControlCode => {
            let mut all = Configuration::default();
            for section in Elf::decode(bytes)?.sections.iter().filter(|section| section.name.starts_with(".ctrltext")) {
                let stream = Stream::decode_at(&section.data, section.offset as usize)?;
                all.units.extend(Configuration::of_stream(&stream).units);
            }
            all
        }
        _ => Configuration::default(),
    })
}
