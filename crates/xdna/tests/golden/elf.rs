//! Control-code ELFs and the full ELF.

use ferrite_xdna::elf::{ControlCode, Elf, KernelName};
use ferrite_xdna::txn::Stream;
use serde_json::Value;

use crate::check::{Outcome, Tally, bytes, hex, int, json, list, same, sha256, text};

fn read(name: &str) -> Result<(Elf, ControlCode), String> {
    let elf = Elf::decode(&bytes(name)).map_err(text)?;
    let code = elf.control_code().map_err(text)?;
    Ok((elf, code))
}

/// Named numbers of a golden object; names that it lacks are not compared.
fn numbers(golden: &Value, ours: &[(&str, u64)]) -> Outcome {
    for (name, value) in ours.iter().filter(|(name, _)| golden.get(*name).is_some()) {
        same(name, value, &int(&golden[*name]))?;
    }
    Ok(())
}

fn header(elf: &Elf, golden: &Value) -> Outcome {
    same("ident", &Some(hex(&elf.ident).as_str()), &golden["ident"].as_str())?;
    let [header, segment, section] = elf.header_sizes;
    let ours = [
        ("type", elf.kind.into()),
        ("machine", elf.machine.into()),
        ("version", elf.version.into()),
        ("entry", elf.entry.into()),
        ("phoff", elf.segments_at.into()),
        ("shoff", elf.sections_at.into()),
        ("flags", elf.flags.into()),
        ("ehsize", header.into()),
        ("phentsize", segment.into()),
        ("phnum", elf.segments.len() as u64),
        ("shentsize", section.into()),
        ("shnum", elf.sections.len() as u64),
        ("shstrndx", elf.names.into()),
    ];
    numbers(golden, &ours)
}

fn segments(elf: &Elf, golden: &[Value]) -> Outcome {
    same("number of segments", &elf.segments.len(), &golden.len())?;
    for (segment, golden) in elf.segments.iter().zip(golden) {
        let ours = [
            ("type", segment.kind),
            ("offset", segment.offset),
            ("vaddr", segment.address),
            ("paddr", segment.physical),
            ("filesz", segment.file_size),
            ("memsz", segment.memory_size),
            ("flags", segment.flags),
            ("align", segment.align),
        ];
        numbers(golden, &ours.map(|(name, value)| (name, value.into())))?;
    }
    Ok(())
}

fn sections(elf: &Elf, golden: &[Value]) -> Outcome {
    same("number of sections", &elf.sections.len(), &golden.len())?;
    for (section, golden) in elf.sections.iter().zip(golden) {
        same("name", &Some(section.name.as_str()), &golden["name"].as_str())?;
        let ours = [
            ("type", section.kind),
            ("flags", section.flags),
            ("addr", section.address),
            ("offset", section.offset),
            ("size", section.size),
            ("link", section.link),
            ("info", section.info),
            ("align", section.align),
            ("entsize", section.entry_size),
        ];
        numbers(golden, &ours.map(|(name, value)| (name, value.into())))?;
        if let Some(digest) = golden["sha256"].as_str() {
            same("sha256", &sha256(&section.data), &digest.to_owned())?;
        }
    }
    Ok(())
}

fn section_name(elf: &Elf, index: u16) -> &str {
    elf.sections.get(usize::from(index)).map_or("", |section| &section.name)
}

fn symbols(elf: &Elf, code: &ControlCode, golden: &[Value]) -> Outcome {
    same("number of symbols", &code.symbols.len(), &golden.len())?;
    for (symbol, golden) in code.symbols.iter().zip(golden) {
        same("name", &Some(symbol.name.as_str()), &golden["name"].as_str())?;
        same("section", &Some(section_name(elf, symbol.section)), &golden["section"].as_str())?;
        let ours = [
            ("value", symbol.value.into()),
            ("size", symbol.size.into()),
            ("bind", symbol.bind.into()),
            ("type", symbol.kind.into()),
        ];
        numbers(golden, &ours)?;
    }
    Ok(())
}

fn relocations(elf: &Elf, code: &ControlCode, golden: &[Value]) -> Outcome {
    same("number of relocations", &code.relocations.len(), &golden.len())?;
    for (relocation, golden) in code.relocations.iter().zip(golden) {
        let symbol = &code.symbols[relocation.symbol];
        let ours = [
            ("offset", relocation.offset.into()),
            ("type", relocation.kind.0.into()),
            ("addend", relocation.addend.into()),
            ("symbol_size", symbol.size.into()),
            ("size", symbol.size.into()),
        ];
        numbers(golden, &ours)?;
        if let Some(schema) = golden["schema"].as_str() {
            same("schema", &relocation.kind.to_string(), &schema.to_owned())?;
        }
        let name = golden["symbol_name"].as_str().or_else(|| golden["symbol"].as_str());
        same("symbol", &Some(symbol.name.as_str()), &name)?;
        same("section", &Some(section_name(elf, symbol.section)), &golden["section"].as_str())?;
    }
    Ok(())
}

fn note(code: &ControlCode, section: &str, golden: &Value, as_text: bool) -> Outcome {
    let note = code.notes.iter().find(|note| note.section == section).ok_or("no note")?;
    same("owner", &note.name.as_str(), &"XRT")?;
    same("type", &u64::from(note.kind), &int(&golden["type"]))?;
    let data = if as_text { String::from_utf8_lossy(&note.data).into_owned() } else { hex(&note.data) };
    same("note", &Some(data.as_str()), &golden["desc"].as_str())
}

pub(crate) fn control_code(tally: &mut Tally) {
    let file = json("elf.json");
    for case in list(&file["cases"]) {
        let name = case["elf"].as_str().unwrap();
        let golden = &case["parsed"];
        let (elf, code) = match read(name) {
            Ok(read) => read,
            Err(problem) => {
                tally.case(name, Err(problem));
                continue;
            }
        };
        tally.case(&format!("{name} header"), header(&elf, &golden["header"]));
        tally.case(&format!("{name} segments"), segments(&elf, list(&golden["program_headers"])));
        tally.case(&format!("{name} sections"), sections(&elf, list(&golden["sections"])));
        tally.case(&format!("{name} symbols"), symbols(&elf, &code, list(&golden["dynsym"])));
        tally.case(&format!("{name} relocations"), relocations(&elf, &code, list(&golden["relocations"])));
        let dynamic: Vec<(u32, u32)> =
            list(&golden["dynamic"]).iter().map(|pair| (int(&pair[0]) as u32, int(&pair[1]) as u32)).collect();
        tally.case(&format!("{name} dynamic"), same("entries", &code.dynamic, &dynamic));
        tally.case(&format!("{name} note"), note(&code, ".note.xrt.UID", &golden["note_uid"], true));
        tally.case(&format!("{name} control code"), stream(&elf, case));
    }
    tally.leave_out("core_0_2.elf", "the file that it describes is not among the golden files");
}

/// The instruction stream inside is the one that went in, its addresses cleared by the assembler.
fn stream(elf: &Elf, case: &Value) -> Outcome {
    let (_, section) = elf.section(".ctrltext").ok_or("no control code")?;
    let inside = Stream::decode_at(&section.data, section.offset as usize).map_err(text)?;
    let input = list(&case["inputs"])[0].as_str().unwrap();
    let original = match input.rsplit_once('.') {
        Some((_, "txn")) => bytes(input),
        Some((_, "b64")) => crate::check::base64(&crate::check::string(input)),
        // An assembly listing: it says the same as the stream of the case before.
        _ => crate::check::base64(&crate::check::string("ml_txn.b64")),
    };
    let original = Stream::decode(&original).map_err(text)?;
    let codes = |stream: &Stream| stream.operations().map(|op| (op.opcode(), op.address())).collect::<Vec<_>>();
    same("operations", &codes(&inside), &codes(&original))
}

pub(crate) fn full(tally: &mut Tally) {
    let golden = json("full_elf.json");
    let name = golden["file"].as_str().unwrap();
    tally.regression(name, full_elf(&golden, name));
}

fn full_elf(golden: &Value, name: &str) -> Outcome {
    let (elf, code) = read(name)?;
    let parsed = &golden["parsed"];
    same("platform", &u64::from(code.platform), &int(&parsed["osabi"]))?;
    same("version", &u64::from(code.abi), &int(&parsed["abi_version"]))?;
    sections(&elf, list(&parsed["sections"]))?;
    relocations(&elf, &code, list(&parsed["relocations"]))?;
    for (group, golden) in code.groups.iter().zip(list(&parsed["groups"])) {
        let ours = [
            ("section", group.section as u64),
            ("flags", group.flags.into()),
            ("subkernel_type", group.instance.1.into()),
            ("kernel_type", group.kernel.1.into()),
        ];
        numbers(golden, &ours)?;
        let members: Vec<u64> = list(&golden["members"]).iter().map(int).collect();
        same("members", &group.members.iter().map(|member| *member as u64).collect(), &members)?;
        same("instance", &Some(group.instance.0.as_str()), &golden["subkernel"].as_str())?;
        same("kernel", &Some(group.kernel.0.as_str()), &golden["kernel_mangled"].as_str())?;
    }
    let group = code.groups.first().ok_or("no group")?;
    same("name", &Some(group.name().as_str()), &golden["name"].as_str())?;
    let kernel = KernelName::parse(&group.kernel.0).ok_or("no kernel name")?;
    same("kernel", &Some(kernel.to_string().as_str()), &golden["kernel"].as_str())?;
    note(&code, ".note.xrt.configuration", &parsed[".note.xrt.configuration"], false)?;
    note(&code, ".note.xrt.UID", &parsed[".note.xrt.UID"], false)?;
    let (_, text_section) = elf.section(".ctrltext.0").ok_or("no control code")?;
    let ours: Vec<_> = Stream::decode(&text_section.data).map_err(text)?.operations().cloned().collect();
    let ops = list(&golden["ops"]).iter().map(|op| crate::txn::entry(op).operation);
    same("operations", &ours, &ops.collect::<Vec<_>>())?;
    let (_, pdi) = elf.section(".pdi.1").ok_or("no PDI")?;
    same("PDI", &pdi.data, &bytes(golden["pdi"].as_str().unwrap()))
}
