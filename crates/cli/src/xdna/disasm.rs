//! `ferrite disasm` of instruction streams, and `ferrite asm`.

use std::path::Path;

use ferrite_rknpu::text::assemble as assemble_program;
use ferrite_xdna::txn::Stream;
use ferrite_xdna::{Elf, FileKind, sniff};
use serde_json::{Value, json};

use super::{File, unsound};
use crate::args::{AsmArgs, DisasmArgs};
use crate::failure::{Exit, Failure};
use crate::printer::Printer;
use crate::source;
use crate::version::{schema, tool};

/// An instruction stream of a file.
struct Part {
    /// The section it is in, for an ELF.
    section: Option<String>,
    stream: Stream,
}

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
    let parts = parts(&args.file, file)?;
    let text = |part: &Part| {
        if args.no_hex { part.stream.to_string() } else { part.stream.listing().to_string() }
    };
    if as_json {
        let streams = parts.iter().map(|part| {
            json!({
                "section": part.section,
                "operations": part.stream.entries.len(),
                "listing": text(part).lines().collect::<Vec<_>>(),
            })
        });
        printer.json(&json!({
            "schema": schema::XDNA_DISASM,
            "tool": tool(),
            "file": args.file.display().to_string(),
            "streams": streams.collect::<Value>(),
        }));
        return Ok(Exit::Ok);
    }
    for part in &parts {
        if let Some(section) = &part.section {
            printer.line(format_args!("; section {section}"));
        }
        printer.write(format_args!("{}", text(part)));
    }
    Ok(Exit::Ok)
}

fn parts(path: &Path, file: &File) -> Result<Vec<Part>, Failure> {
    let whole = |stream| Ok(vec![Part { section: None, stream }]);
    match file.kind {
        FileKind::InstructionStream => {
            whole(Stream::decode(&file.bytes).map_err(|error| unsound(path, file.kind, &error))?)
        }
        FileKind::InstructionText => {
            let text = String::from_utf8_lossy(&file.bytes);
            whole(Stream::parse(&text).map_err(|error| unsound(path, file.kind, &error))?)
        }
        FileKind::ControlCode => control_code(&file.bytes).map_err(|error| unsound(path, file.kind, &error)),
        kind => {
            let failure =
                Failure::new(Exit::Unsupported, format!("`{}` is {kind}, which has no listing", path.display()));
            Err(failure.help("`ferrite inspect` explains every command of its configuration"))
        }
    }
}

/// The streams of an ELF, one a section.
fn control_code(bytes: &[u8]) -> ferrite_xdna::Result<Vec<Part>> {
    let elf = Elf::decode(bytes)?;
    let sections = elf.sections.iter().filter(|section| section.name.starts_with(".ctrltext"));
    let part = |section: &ferrite_xdna::elf::Section| {
        let stream = Stream::decode_at(&section.data, section.offset as usize)?;
        Ok(Part { section: Some(section.name.clone()), stream })
    };
    sections.map(part).collect()
}

/// `ferrite asm`: a listing back to bytes.
pub(crate) fn assemble(args: &AsmArgs, as_json: bool, printer: &mut Printer) -> Result<Exit, Failure> {
    let bytes = source::read(&args.file, "the listing")?;
    let place = args.file.display();
    let text =
        str::from_utf8(&bytes).map_err(|error| Failure::input(format!("`{place}` is no text")).because(&error))?;
    let refused = |error: &dyn std::error::Error| Failure::input(format!("cannot assemble `{place}`")).because(error);
    let (what, binary) = if sniff(&bytes) == FileKind::InstructionText {
        let stream = Stream::parse(text).map_err(|error| refused(&error))?;
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
