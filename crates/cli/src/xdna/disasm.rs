//! `ferrite disasm` of instruction streams and configurations, and `ferrite asm`.

use ferrite_rknpu::text::assemble as assemble_program;
use ferrite_xdna::cdo::{Cdo, HEADER_BYTES};
use ferrite_xdna::packet::ControlStream;
use ferrite_xdna::programs::{Code, Program};
use ferrite_xdna::txn::Stream;
use ferrite_xdna::txn::aiebu::AiebuListing;
use ferrite_xdna::{FileKind, explain, programs, sniff};
use serde_json::{Value, json};

use super::{File, steps, unsound};
use crate::args::{AsmArgs, DisasmArgs};
use crate::failure::{Exit, Failure};
use crate::printer::Printer;
use crate::source;
use crate::table::safe;
use crate::version::{schema, tool};

pub(crate) fn run(args: &DisasmArgs, file: &File, as_json: bool, printer: &mut Printer) -> Result<Exit, Failure> {
    for (given, flag) in [
        (args.task.is_some(), "--task"),
        (args.operator.is_some(), "--operator"),
        (args.state, "--state"),
        (args.all_cores, "--all-cores"),
    ] {
        if given {
            let message =
                format!("{flag} is about models for Rockchip NPUs; `{}` is {}", args.file.display(), file.kind);
            return Err(Failure::input(message));
        }
    }
    if !file.kind.has_programs() {
        let message = format!("`{}` is {}, which has no listing", args.file.display(), file.kind);
        return Err(Failure::new(Exit::Unsupported, message).help("`ferrite inspect` says what is in it"));
    }
    let programs = programs(&file.bytes).map_err(|error| unsound(&args.file, file.kind, &error))?;
    if as_json {
        printer.json(&json!({
            "schema": schema::XDNA_DISASM,
            "tool": tool(),
            "file": args.file.display().to_string(),
            "programs": programs.iter().map(document).collect::<Value>(),
        }));
        return Ok(Exit::Ok);
    }
    for (position, program) in programs.iter().enumerate() {
        if position > 0 {
            printer.line("");
        }
        print(args, program, printer);
    }
    Ok(Exit::Ok)
}

fn print(args: &DisasmArgs, program: &Program, printer: &mut Printer) {
    if !program.part.is_empty() {
        printer.line(format_args!("; {}", safe(&program.part)));
    }
    match &program.code {
        Code::Stream(stream) if args.no_hex => printer.write(format_args!("{stream}")),
        Code::Stream(stream) => printer.write(format_args!("{}", stream.listing())),
        Code::Unread(reason) => printer.line(format_args!("; not read: {}", safe(reason))),
        Code::Configuration(cdo) => print_steps(args, commands(cdo), printer),
        Code::Packets(stream) => print_steps(args, packets(stream), printer),
    }
}

fn print_steps(args: &DisasmArgs, steps: impl Iterator<Item = (usize, String, String)>, printer: &mut Printer) {
    for (at, name, text) in steps {
        match args.no_hex {
            true => printer.line(format_args!("{name:<12} {text}")),
            false => printer.line(format_args!("{at:06x}: {name:<12} {text}")),
        }
    }
}

/// Control packets: byte offset, name, what it does.
fn packets(stream: &ControlStream) -> impl Iterator<Item = (usize, String, String)> + '_ {
    let mut next = 0;
    stream.packets.iter().zip(explain::control_packets(stream)).map(move |(packet, text)| {
        let at = next;
        next += 4 * packet.extent();
        (at, packet.control.operation.name().to_owned(), text)
    })
}

/// The commands of a configuration: byte offset in it, name, what it does.
fn commands(cdo: &Cdo) -> impl Iterator<Item = (usize, String, String)> + '_ {
    let mut next = HEADER_BYTES;
    cdo.commands.iter().zip(explain::commands(cdo)).map(move |(command, text)| {
        let at = next;
        next += 4 * command.len();
        (at, steps::command_name(command), text)
    })
}

fn document(program: &Program) -> Value {
    let part = (!program.part.is_empty()).then_some(&program.part);
    match &program.code {
        Code::Unread(reason) => json!({ "part": part, "kind": "unread", "reason": reason }),
        Code::Stream(stream) => json!({
            "part": part,
            "kind": "instruction-stream",
            "operations": stream.entries.len(),
            "listing": stream.to_string().lines().collect::<Vec<_>>(),
        }),
        Code::Packets(stream) => {
            let packet = |(at, name, text)| json!({ "offset": at, "operation": name, "text": text });
            json!({ "part": part, "kind": "control-packets", "packets": packets(stream).map(packet).collect::<Value>() })
        }
        Code::Configuration(cdo) => {
            let command = |(at, name, text)| json!({ "offset": at, "command": name, "text": text });
            json!({ "part": part, "kind": "configuration", "commands": commands(cdo).map(command).collect::<Value>() })
        }
    }
}

/// The stream that a listing of aiebu's stands for, if it has everything of it.
fn listed(text: &str) -> Result<Stream, Box<dyn std::error::Error>> {
    let listing = AiebuListing::parse(text)?;
    listing.left_out().map_or_else(|| Ok(listing.stream()), |left_out| Err(left_out.into()))
}

/// `ferrite asm`: a listing back to bytes.
pub(crate) fn assemble(args: &AsmArgs, as_json: bool, printer: &mut Printer) -> Result<Exit, Failure> {
    let bytes = source::read(&args.file, "the listing")?;
    let place = args.file.display();
    let text =
        str::from_utf8(&bytes).map_err(|error| Failure::input(format!("`{place}` is no text")).because(&error))?;
    let refused = |error: &dyn std::error::Error| Failure::input(format!("cannot assemble `{place}`")).because(error);
    let kind = sniff(&bytes);
    let (what, binary) = if let FileKind::InstructionText | FileKind::AiebuListing = kind {
        let stream = match kind {
            FileKind::AiebuListing => listed(text),
            _ => Stream::parse(text).map_err(Into::into),
        };
        let stream = stream.map_err(|error| refused(&*error))?;
        ("instruction stream for AMD XDNA", stream.encode().map_err(|error| refused(&error))?)
    } else {
        let program = assemble_program(text).map_err(|error| refused(&error))?;
        if program.commands.is_empty() {
            return Err(Failure::input(format!("`{place}` has no commands")));
        }
        ("register program for Rockchip NPUs", program.to_bytes())
    };
    source::write(&args.out, &binary)?;
    if as_json {
        printer.json(&json!({
            "schema": schema::ASM,
            "tool": tool(),
            "file": place.to_string(),
            "out": args.out.display().to_string(),
            "kind": what,
            "bytes": binary.len(),
        }));
    } else {
        printer.note(format_args!("{what}: {} bytes in `{}`", binary.len(), args.out.display()));
    }
    Ok(Exit::Ok)
}
