//! `ferrite inspect` of a file for AMD XDNA.

use std::path::Path;

use ferrite_xdna::buffers::ExternalBuffers;
use ferrite_xdna::elf::{Elf, core_address};
use ferrite_xdna::explain::{self, Document};
use ferrite_xdna::programs::{Code, Program};
use ferrite_xdna::trace::{Trace, events_of_json, words_of_text};
use ferrite_xdna::txn::Stream;
use ferrite_xdna::txn::aiebu::AiebuListing;
use ferrite_xdna::xclbin::{AiePartition, Kernel, PartitionPdi, Xclbin};
use ferrite_xdna::{FileKind, programs};
use serde_json::{Value, json};

use super::{File, steps, unsound};
use crate::failure::{Exit, Failure};
use crate::printer::{HEADING, Printer};
use crate::table::safe;
use crate::version::{schema, tool};

pub(crate) fn run(path: &Path, file: &File, as_json: bool, printer: &mut Printer) -> Result<Exit, Failure> {
    let refused = |error| unsound(path, file.kind, &error);
    if as_json {
        let mut document = json!({
            "schema": schema::XDNA_INSPECT,
            "tool": tool(),
            "file": { "file": path.display().to_string(), "bytes": file.bytes.len(), "kind": file.kind.name() },
        });
        if file.base64 {
            document["file"]["encoding"] = json!("base64");
        }
        contents(&mut document, file.kind, &file.bytes).map_err(refused)?;
        printer.json(&document);
    } else {
        let mut document = ferrite_xdna::explain(&file.bytes).map_err(refused)?;
        if file.base64 {
            document.title.push_str(", in base64");
        }
        print(&document, 0, printer);
    }
    Ok(Exit::Ok)
}

/// Titles are headings; parts are indented by two spaces.
fn print(document: &Document, depth: usize, printer: &mut Printer) {
    if printer.is_closed() {
        return;
    }
    let indent = 2 * depth;
    printer.write(format_args!("{:indent$}{HEADING}{}{HEADING:#}\n", "", safe(&document.title)));
    for line in &document.lines {
        printer.write(format_args!("{:indent$}  {}\n", "", safe(line)));
    }
    for part in &document.parts {
        print(part, depth + 1, printer);
    }
}

/// Adds what a file of this kind has.
fn contents(document: &mut Value, kind: FileKind, bytes: &[u8]) -> ferrite_xdna::Result<()> {
    match kind {
        FileKind::Xclbin => xclbin(document, &Xclbin::decode(bytes)?)?,
        FileKind::ControlCode | FileKind::CoreProgram => elf(document, &Elf::decode(bytes)?)?,
        FileKind::TraceText => {
            let trace = Trace::decode(&words_of_text(&String::from_utf8_lossy(bytes))?);
            let unit = |unit: &ferrite_xdna::trace::UnitTrace| json!({ "packet_type": unit.kind, "tile": [unit.tile.column, unit.tile.row], "bytes": unit.bytes.len() });
            document["units"] = trace.units.iter().map(unit).collect();
        }
        FileKind::BufferList => {
            let list = ExternalBuffers::parse(&String::from_utf8_lossy(bytes))?;
            document["buffers"] =
                list.buffers.iter().map(|(key, buffer)| json!({ "key": key, "buffer": buffer })).collect();
        }
        FileKind::Timeline => {
            let events = events_of_json(&String::from_utf8_lossy(bytes))?;
            document["entries"] = json!(events.len());
        }
        FileKind::AiebuListing => {
            let listing = AiebuListing::parse(&String::from_utf8_lossy(bytes))?;
            document["left_out"] = json!(listing.left_out().map(|left_out| left_out.to_string()));
            // All operations are shown, also where they make no whole program.
            document["programs"] = json!([stream(None, &listing.stream())]);
            return Ok(());
        }
        _ => {}
    }
    document["programs"] = programs(bytes)?.iter().map(program).collect();
    Ok(())
}

fn program(program: &Program) -> Value {
    let part = (!program.part.is_empty()).then_some(&program.part);
    match &program.code {
        Code::Unread(reason) => json!({ "part": part, "kind": "unread", "reason": reason }),
        Code::Stream(stream) => self::stream(part, stream),
        Code::Packets(packets) => {
            let steps = packets.packets.iter().zip(explain::control_packets(packets));
            json!({
                "part": part,
                "kind": "control-packets",
                "packets": steps.map(|(packet, text)| steps::packet(packet, &text)).collect::<Value>(),
            })
        }
        Code::Configuration(cdo) => {
            let steps = cdo.commands.iter().zip(explain::commands(cdo));
            json!({
                "part": part,
                "kind": "configuration",
                "commands": steps.map(|(command, text)| steps::command(command, &text)).collect::<Value>(),
            })
        }
    }
}

fn stream(part: Option<&String>, stream: &Stream) -> Value {
    let steps = stream.operations().zip(explain::operations(stream));
    let header = &stream.header;
    json!({
        "part": part,
        "kind": "instruction-stream",
        "version": header.version.numbers(),
        "device": header.device().map(|device| device.name),
        "columns": header.columns,
        "rows": header.rows,
        "operations": steps.map(|(operation, text)| steps::operation(operation, &text)).collect::<Value>(),
    })
}

fn xclbin(document: &mut Value, xclbin: &Xclbin) -> ferrite_xdna::Result<()> {
    document["uuid"] = json!(xclbin.header.uuid.to_string());
    let section = |section: &ferrite_xdna::xclbin::Section| {
        let (kind, name) = (section.kind.to_string(), section.name());
        json!({ "kind": kind, "name": name, "offset": section.offset, "bytes": section.data.len() })
    };
    document["sections"] = xclbin.sections.iter().map(section).collect();
    document["kernels"] = xclbin.kernels()?.iter().map(kernel).collect();
    let ips = xclbin.ip_layout()?.unwrap_or_default().ips;
    document["instances"] = ips.iter().map(|ip| json!({ "name": ip.name, "kernel_id": ip.kernel_id() })).collect();
    let banks = xclbin.memory_topology()?.unwrap_or_default().banks;
    let bank = |bank: &ferrite_xdna::xclbin::MemoryBank| json!({ "tag": bank.tag, "kib": bank.size_kb, "base": bank.base, "used": bank.used });
    document["memory"] = banks.iter().map(bank).collect();
    document["partition"] = xclbin.partition()?.as_ref().map_or(Value::Null, partition);
    Ok(())
}

fn kernel(kernel: &Kernel) -> Value {
    let argument = |argument: &ferrite_xdna::xclbin::Argument| {
        json!({
            "name": argument.name,
            "type": argument.kind,
            "buffer": argument.is_buffer,
            "offset": argument.offset,
            "bytes": argument.size,
        })
    };
    json!({
        "name": kernel.name,
        "type": kernel.kind,
        "id": kernel.kernel_id,
        "instances": kernel.instances,
        "arguments": kernel.arguments.iter().map(argument).collect::<Value>(),
    })
}

fn partition(partition: &AiePartition) -> Value {
    let pdi = |pdi: &PartitionPdi| {
        let group = |group: &ferrite_xdna::xclbin::CdoGroup| {
            json!({
                "name": group.name,
                "type": group.kind.name(),
                "pdi_id": group.pdi_id,
                "kernel_ids": group.kernel_ids,
                "after": group.pre_groups,
            })
        };
        json!({
            "uuid": pdi.uuid.to_string(),
            "bytes": pdi.image.len(),
            "groups": pdi.groups.iter().map(group).collect::<Value>(),
        })
    };
    json!({
        "columns": partition.columns,
        "start_columns": partition.start_columns,
        "operations_per_cycle": partition.operations_per_cycle,
        "pdis": partition.pdis.iter().map(pdi).collect::<Value>(),
    })
}

fn elf(document: &mut Value, elf: &Elf) -> ferrite_xdna::Result<()> {
    let section = |section: &ferrite_xdna::elf::Section| json!({ "name": section.name, "offset": section.offset, "bytes": section.size });
    document["sections"] = elf.sections.iter().map(section).collect();
    if elf.machine != Elf::CONTROL_CODE {
        let segment = |segment: &ferrite_xdna::elf::Segment| {
            let (address, bytes) = (segment.address, segment.memory_size);
            json!({ "address": address, "bytes": bytes, "tile_offset": core_address(address) })
        };
        document["entry"] = json!(elf.entry);
        document["segments"] = elf.segments.iter().map(segment).collect();
        return Ok(());
    }
    let code = elf.control_code()?;
    document["platform"] = json!(code.platform);
    document["kernels"] = code.groups.iter().map(|group| json!({ "name": group.name() })).collect();
    let relocation = |relocation: &ferrite_xdna::elf::Relocation| {
        let symbol = code.symbols.get(relocation.symbol)?;
        Some(json!({
            "section": elf.sections.get(usize::from(symbol.section)).map(|section| &section.name),
            "offset": relocation.offset,
            "kind": relocation.kind.to_string(),
            "symbol": symbol.name,
            "addend": relocation.addend,
        }))
    };
    document["relocations"] = code.relocations.iter().filter_map(relocation).collect();
    Ok(())
}
