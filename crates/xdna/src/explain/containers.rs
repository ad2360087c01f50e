//! Containers in words.

use super::{Document, fit, packets, steps};
use crate::cdo::Cdo;
use crate::elf::{ControlCode, Elf, KernelName, RelocationKind};
use crate::error::Result;
use crate::packet::ControlStream;
use crate::pdi::{Body, Pdi, table};
use crate::txn::Stream;
use crate::txn::aiebu::AiebuListing;
use crate::xclbin::{AiePartition, Kernel, Xclbin};

pub(super) fn xclbin(xclbin: &Xclbin) -> Result<Document> {
    let header = &xclbin.header;
    let mut document = Document::new("xclbin");
    document.line(format!("UUID {}, {} bytes", header.uuid, header.length));
    document.line(format!(
        "written by version {}.{}.{}, time stamp {}",
        header.version_major, header.version_minor, header.version_patch, header.time_stamp
    ));
    let mut sections = Document::new("sections");
    for section in &xclbin.sections {
        let name = section.name();
        let name = if name.is_empty() { name } else { format!(" `{name}`") };
        sections.line(format!("{:#08x} {:>8} bytes {}{name}", section.offset, section.data.len(), section.kind));
    }
    document.parts.push(sections);
    for kernel in xclbin.kernels()? {
        document.parts.push(self::kernel(&kernel));
    }
    if let Some(layout) = xclbin.ip_layout()? {
        let mut part = Document::new("kernel instances");
        for ip in &layout.ips {
            part.line(format!("`{}`, id {:#x}", ip.name, ip.kernel_id()));
        }
        document.parts.push(part);
    }
    if let Some(topology) = xclbin.memory_topology()? {
        let mut part = Document::new("memory");
        for bank in &topology.banks {
            let used = if bank.used { "" } else { ", not used" };
            part.line(format!("`{}`: {} KB at {:#x}{used}", bank.tag, bank.size_kb, bank.base));
        }
        document.parts.push(part);
    }
    if let Some(partition) = xclbin.partition()? {
        document.parts.push(self::partition(&partition));
    }
    Ok(document)
}

fn kernel(kernel: &Kernel) -> Document {
    let mut document = Document::new(format!("kernel `{}`", kernel.name));
    document.line(format!(
        "type {}, id {:#x}, instances {}",
        kernel.kind,
        kernel.kernel_id,
        kernel.instances.join(", ")
    ));
    for (number, argument) in kernel.arguments.iter().enumerate() {
        let kind = if argument.is_buffer { "buffer" } else { "value" };
        document.line(format!(
            "argument {number} `{}`: {kind}, {}, {} bytes at {:#x}",
            argument.name, argument.kind, argument.size, argument.offset
        ));
    }
    document
}

fn partition(partition: &AiePartition) -> Document {
    let mut document = Document::new("AIE partition");
    let starts: Vec<String> = partition.start_columns.iter().map(u16::to_string).collect();
    document.line(format!("{} columns, starting at {}", partition.columns, starts.join(", ")));
    document.line(format!("{} operations per cycle", partition.operations_per_cycle));
    for pdi in &partition.pdis {
        let title = format!("PDI {}, {} bytes", pdi.uuid, pdi.image.len());
        // A PDI of another form does not hide the rest of the file.
        let mut part = match Pdi::decode_at(&pdi.image, pdi.place) {
            Ok(pdi) => self::pdi(&title, &pdi),
            Err(error) => {
                let mut part = Document::new(title);
                part.line(format!("not explained: {error}"));
                part
            }
        };
        for group in pdi.groups.iter().rev() {
            let hex = |numbers: &[u64]| numbers.iter().map(|id| format!("{id:#x}")).collect::<Vec<_>>().join(", ");
            part.lines.insert(
                0,
                fit(format!(
                    "CDO group `{}`, {}, id {:#x}, for kernels {}, after {}",
                    group.name,
                    group.kind.name().unwrap_or("of unknown type"),
                    group.pdi_id,
                    hex(&group.kernel_ids),
                    hex(&group.pre_groups)
                )),
            );
        }
        document.parts.push(part);
    }
    document
}

pub(super) fn pdi(title: &str, pdi: &Pdi) -> Document {
    let mut document = Document::new(title);
    document.line(format!("image `{}`, for device {:#x}", pdi.name(), pdi.table[table::ID_CODE]));
    match &pdi.body {
        Body::Cdo(cdo) => document.parts.push(commands(cdo)),
        Body::Transformed(bytes) => document.line(format!("a transformed CDO of {} bytes, not explained", bytes.len())),
    }
    document
}

pub(super) fn cdo(title: &str, cdo: &Cdo) -> Document {
    let mut document = Document::new(title);
    document.parts.push(commands(cdo));
    document
}

fn commands(cdo: &Cdo) -> Document {
    Document::numbered(format!("{} commands", cdo.commands.len()), &steps::commands(cdo))
}

pub(super) fn elf(elf: &Elf) -> Result<Document> {
    if elf.machine != Elf::CONTROL_CODE {
        return Ok(core_program(elf));
    }
    let code = elf.control_code()?;
    let full = if code.abi >= 0x10 { "full" } else { "partial" };
    let mut document = Document::new(format!("ELF with control code, {full}"));
    document.line(format!("platform {}, binary interface {}.{}", code.platform, code.abi >> 4, code.abi & 0xf));
    for group in &code.groups {
        let kernel = KernelName::parse(&group.kernel.0).map_or_else(|| group.kernel.0.clone(), |name| name.to_string());
        document.line(format!("kernel {}: {kernel}", group.name()));
    }
    let mut sections = Document::new("sections");
    for section in &elf.sections {
        sections.line(format!("{:#08x} {:>8} bytes `{}`", section.offset, section.size, section.name));
    }
    document.parts.push(sections);
    document.parts.push(relocations(elf, &code));
    for section in &elf.sections {
        let at = section.offset as usize;
        if section.name.starts_with(".ctrltext") {
            document.parts.push(steps::stream(&format!("`{}`", section.name), &Stream::decode_at(&section.data, at)?));
        } else if section.name.starts_with(".pdi") {
            document.parts.push(pdi(&format!("`{}`", section.name), &Pdi::decode_at(&section.data, at)?));
        } else if section.name.starts_with(".ctrldata")
            && let Ok(stream) = ControlStream::decode_at(&section.data, at)
        {
            document.parts.push(packets::stream(&format!("`{}`", section.name), &stream));
        }
    }
    Ok(document)
}

pub(super) fn listing(listing: &AiebuListing) -> Document {
    let mut document = steps::stream("instruction stream, as aiebu lists it", &listing.stream());
    document.line("the listing does not say for which generation it is; aiebu assembles it for npu2");
    if let Some(section) = &listing.section {
        document.line(format!("made of section {}, `{}`, {} bytes", section.index, section.name, section.size));
    }
    if let Some(left_out) = listing.left_out() {
        document.line(left_out.to_string());
    }
    document
}

fn relocations(elf: &Elf, code: &ControlCode) -> Document {
    let mut document = Document::new(format!("{} relocations", code.relocations.len()));
    for relocation in &code.relocations {
        let Some(symbol) = code.symbols.get(relocation.symbol) else { continue };
        let section = elf.sections.get(usize::from(symbol.section)).map_or("?", |section| section.name.as_str());
        let size = match relocation.kind {
            RelocationKind::SCALAR_32 => format!("bits {:#x}", symbol.size),
            _ => format!("{} bytes", symbol.size),
        };
        document.line(format!(
            "`{section}` + {:#x}: {} of `{}` + {:#x}, {size}",
            relocation.offset, relocation.kind, symbol.name, relocation.addend
        ));
    }
    document
}

fn core_program(elf: &Elf) -> Document {
    let mut document = Document::new("ELF with a core program");
    let architecture = match elf.flags {
        1 => "AIE1",
        2 => "AIE2",
        3 => "AIE2P",
        _ => "an unknown architecture",
    };
    document.line(format!("for {architecture}, entry {:#x}", elf.entry));
    for segment in elf.segments.iter().filter(|segment| segment.kind == 1) {
        let place = crate::elf::core_address(segment.address);
        let place = place.map_or_else(|| "outside the own tile".to_owned(), |place| format!("tile offset {place:#x}"));
        document.line(format!("{} bytes at {:#x}: {place}", segment.memory_size, segment.address));
    }
    document
}
