//! Structures and request numbers, as compiled from the upstream headers.

use ferrite_xdna::ert::{Opcode, Packet, Payload};
use ferrite_xdna::ioctl::{Request, STRUCTURES};
use ferrite_xdna::txn::{Header, Operation, Stream, Version};
use ferrite_xdna::xclbin::{
    AiePartition, CdoGroup, Connection, Connectivity, Ip, IpLayout, MemoryBank, MemoryTopology, PartitionPdi, Section,
    SectionKind, Xclbin,
};
use ferrite_xdna::{Address, Cdo, DEVICES, Pdi, Tile};
use serde_json::Value;

use crate::check::{Outcome, Tally, int, json, list, same};

/// Bytes of the structures that this crate reads by offset, measured on what it writes. Their fields are what the golden files of
/// the formats themselves hold against the tools' bytes.
fn measured(name: &str) -> Option<u64> {
    let operation = |version: Version, operation: Operation| {
        let mut stream = Stream::new(Header { version, ..Header::of(&DEVICES[0]) });
        stream.push(operation);
        stream.encode().map_or(0, |bytes| bytes.len() - Header::SIZE)
    };
    let (normal, short) = (Version::V0_1, Version::V1_0);
    let address = Address(4);
    let write = Operation::Write { address, value: 0 };
    let block = Operation::BlockWrite { address, data: Vec::new() };
    let custom = Operation::Custom { opcode: 0xf0, payload: Vec::new() };
    let patch = Operation::PatchAddress { address, argument: 0, offset: 0, action: 0 };
    let sync = Operation::Sync { direction: 0, tile: Tile::new(0, 0), rows: 1, columns: 1, channel: 0 };
    let bank = MemoryBank { kind: 2, used: true, size_kb: 0, base: 0, tag: String::new() };
    let banks = |count| MemoryTopology { banks: vec![bank.clone(); count] }.encode().len();
    let connection = Connection { argument: 0, ip: 0, memory: 0 };
    let connections = |count| Connectivity { connections: vec![connection; count] }.encode().len();
    let ip = Ip { kind: 7, properties: 0, base: 0, name: String::new() };
    let ips = |count| IpLayout { ips: vec![ip.clone(); count] }.encode().len();
    let pdi = Pdi::of_bootgen(Cdo::default());
    // A group adds its name, padded to 8 bytes, beside its structure.
    let groups = |count| PartitionPdi { groups: vec![CdoGroup::default(); count], ..PartitionPdi::default() };
    let partition = |pdis: Vec<PartitionPdi>| AiePartition { pdis, ..AiePartition::default() }.encode();
    let empty = partition(Vec::new());
    let word = |at: usize| u32::from_le_bytes([empty[at], empty[at + 1], empty[at + 2], empty[at + 3]]) as usize;
    let sections = |count| {
        let section = Section { kind: SectionKind(2), name: [0; 16], padding: 0, offset: 0, data: Vec::new() };
        let header = ferrite_xdna::xclbin::Header::default();
        Xclbin { header, sections: vec![section; count], gaps: Vec::new() }.encode().len()
    };
    let bytes = match name {
        "axlf" => sections(1),
        "axlf_section_header" => sections(2) - sections(1),
        // Magic number, signature and key block come before it.
        "axlf_header" => sections(0) - 304,
        "mem_data" => banks(2) - banks(1),
        "mem_topology" => banks(1),
        "connection" => connections(2) - connections(1),
        "connectivity" => connections(1),
        "ip_data" => ips(2) - ips(1),
        "ip_layout" => ips(1),
        // The first string follows the structure.
        "aie_partition" => word(4),
        "aie_pdi" => partition(vec![groups(0)]).len() - empty.len(),
        "cdo_group" => partition(vec![groups(1)]).len() - partition(vec![groups(0)]).len() - 8,
        "XilPdi_ImgHdrTbl" => size_of_val(&pdi.table),
        "XilPdi_ImgHdr" => size_of_val(&pdi.image),
        "XilPdi_PrtnHdr" => size_of_val(&pdi.partition),
        // The last words of the partition header before its checksum.
        "TranformInfo" => 4 * (pdi.partition.len() - 1 - ferrite_xdna::pdi::partition::TRANSFORM),
        "XAie_TxnHeader" => Header::SIZE,
        "XAie_Write32Hdr" => operation(normal, write),
        "XAie_BlockWrite32Hdr" => operation(normal, block),
        "XAie_CustomOpHdr" | "op_base" => operation(normal, custom),
        "XAie_PreemptHdr" => operation(normal, Operation::Preempt { level: 0 }),
        "XAie_LoadPdiHdr" => operation(normal, Operation::LoadPdi { id: 0, size: 0, address: 0 }),
        "XAie_PmLoadHdr" => operation(normal, Operation::LoadProgram { operations: 0, id: 0 }),
        // These two follow the header of a custom operation.
        "patch_op_t" => operation(normal, patch) - 8,
        "tct_op_t" => operation(normal, sync) - 8,
        "XAie_Write32Hdr_opt" => operation(short, write),
        "XAie_MaskWrite32Hdr_opt" => operation(short, Operation::MaskWrite { address, value: 0, mask: 0 }),
        "XAie_BlockWrite32Hdr_opt" => operation(short, block),
        "XAie_CustomOpHdr_opt" => operation(short, custom),
        _ => return None,
    };
    Some(bytes as u64)
}

fn structure(golden: &Value, ours: &[(&str, usize, usize)]) -> Outcome {
    // Array lengths stand in the name, `type` is no name here, and a flexible array has no bytes.
    let plain = |field: &Value| {
        let name = field["name"].as_str()?.split('[').next()?;
        let name = if name == "type" { "kind" } else { name };
        (int(&field["size"]) > 0).then(|| (name.to_owned(), int(&field["offset"]), int(&field["size"])))
    };
    let golden: Vec<_> = list(&golden["fields"]).iter().filter_map(plain).collect();
    let ours: Vec<_> = ours.iter().map(|(name, at, size)| ((*name).to_owned(), *at as u64, *size as u64)).collect();
    same("fields", &ours, &golden)
}

/// The bits of the header word, each set alone beside a count of four words.
fn ert_header(golden: &Value) -> Outcome {
    for field in list(&golden["fields"]) {
        let Some(bit) = field["bit_offset"].as_u64() else { continue };
        let mut words = vec![1_u32 << bit | 4 << 12];
        words.resize(16, 0);
        let packet = Packet::decode(&words).ok_or("cut short")?;
        let seen = match field["name"].as_str().unwrap_or_default() {
            "state" => packet.state.0 == 1,
            "custom" | "stat_enabled" => packet.custom == 1,
            "unused" => packet.custom == 2,
            "extra_cu_masks" => packet.cu_masks.len() == 2,
            "count" => packet.payload.len() + packet.cu_masks.len() == 5,
            "opcode" => packet.opcode == Opcode(1),
            "type" => packet.kind == 1,
            other => return Err(format!("no field {other}")),
        };
        if !seen {
            return Err(format!("bit {bit} is not {}", field["name"]));
        }
    }
    Ok(())
}

/// A payload whose words count up, so that every field shows where it was read.
fn payload(name: &str, golden: &Value) -> Outcome {
    let words: Vec<u32> = (0..12).collect();
    let long = |at: u32| u64::from(at) | u64::from(at + 1) << 32;
    let at = |field: &str| {
        let found = list(&golden["fields"]).iter().find(|entry| entry["name"] == field);
        found.map(|entry| (int(&entry["offset"]) / 4) as u32).ok_or_else(|| format!("no {field}"))
    };
    match name {
        "ert_npu_data" => match Payload::decode(Opcode::START_NPU, &words) {
            Some(Payload::Npu { instructions, size, properties, .. }) => {
                same("instructions", &instructions, &long(at("instruction_buffer")?))?;
                same("size", &size, &at("instruction_buffer_size")?)?;
                same("properties", &properties, &at("instruction_prop_count")?)
            }
            other => Err(format!("{other:?}")),
        },
        "ert_npu_preempt_data" => match Payload::decode(Opcode::START_NPU_PREEMPT, &words) {
            Some(Payload::Preempt { instructions, save, restore, properties, .. }) => {
                same(
                    "instructions",
                    &instructions,
                    &(long(at("instruction_buffer")?), at("instruction_buffer_size")?),
                )?;
                same("save", &save, &(long(at("save_buffer")?), at("save_buffer_size")?))?;
                same("restore", &restore, &(long(at("restore_buffer")?), at("restore_buffer_size")?))?;
                same("properties", &properties, &at("instruction_prop_count")?)
            }
            other => Err(format!("{other:?}")),
        },
        _ => {
            let mut words = words;
            words[0] = 3;
            match Payload::decode(Opcode::CMD_CHAIN, &words) {
                Some(Payload::Chain { submit_index, error_index, reserved, commands }) => {
                    same("submit index", &submit_index, &at("submit_index")?)?;
                    same("error index", &error_index, &at("error_index")?)?;
                    same("reserved", &reserved[0], &at("reserved[3]")?)?;
                    same("commands", &commands[0], &long(at("data[]")?))
                }
                other => Err(format!("{other:?}")),
            }
        }
    }
}

pub(crate) fn all(tally: &mut Tally) {
    let file = json("abi.json");
    for (name, golden) in file["ioctls"].as_object().unwrap() {
        let request = Request::ALL.into_iter().find(|request| request.name() == name);
        let outcome = request.ok_or_else(|| "no such request".to_owned()).and_then(|request| {
            same("number", &u64::from(request.number()), &int(&golden["request"]))?;
            same("of number", &Request::of_number(request.number()), &Some(request))?;
            same("size", &(request.size() as u64), &int(&golden["size"]))
        });
        tally.case(name, outcome);
    }
    for (name, golden) in file["structs"].as_object().unwrap() {
        let size = int(&golden["size"]);
        if let Some((_, ours, fields)) = STRUCTURES.iter().find(|entry| entry.0 == name) {
            tally.case(name, same("size", &(*ours as u64), &size).and_then(|()| structure(golden, fields)));
        } else if let Some(ours) = measured(name) {
            tally.case(name, same("size", &ours, &size));
        } else {
            match name.as_str() {
                "ert_packet" | "ert_start_kernel_cmd" => tally.case(name, ert_header(golden)),
                "ert_npu_data" | "ert_npu_preempt_data" | "ert_cmd_chain_data" => {
                    tally.case(name, payload(name, golden))
                }
                "array_offset" | "aie_partition_info" => tally.case(name, partition_part(name, golden)),
                "XAie_OpHdr" => tally.leave_out(name, "of its bytes only the code is defined; the others are kept"),
                "XAie_MaskWrite32Hdr" | "XAie_MaskPoll32Hdr" => tally.case(name, mask_header(size)),
                "ert_dpu_data" => tally.leave_out(name, "for microcontrollers of a later generation (AIE2PS)"),
                "aie_resources_bin" | "soft_kernel" => tally.leave_out(name, "a section that no NPU file has"),
                _ => tally.leave_out(name, "not read by this crate"),
            }
        }
    }
}

/// Structures inside that of a partition, by what this crate writes where the C compiler puts their fields.
fn partition_part(name: &str, golden: &Value) -> Outcome {
    /// Where `aie_partition` has its `aie_partition_info`.
    const INFO: usize = 32;
    let partition = AiePartition {
        columns: 7,
        start_columns: vec![5, 6],
        pdis: vec![PartitionPdi::default(); 3],
        ..AiePartition::default()
    };
    let bytes = partition.encode();
    let short = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
    let word = |at: usize| u32::from(short(at)) | u32::from(short(at + 2)) << 16;
    let at = |field: &str| {
        let found = list(&golden["fields"]).iter().find(|entry| entry["name"] == field);
        found.map(|entry| int(&entry["offset"]) as usize).ok_or_else(|| format!("no {field}"))
    };
    if name == "aie_partition_info" {
        same("column width", &short(INFO + at("column_width")?), &7)?;
        same("start columns", &word(INFO + at("start_columns")?), &2)?;
        // The number of PDIs comes behind the structure.
        return same("PDIs", &word(INFO + int(&golden["size"]) as usize), &3);
    }
    let array = INFO + 8;
    same("size", &word(array + at("size")?), &2)?;
    let first = word(array + at("offset")?) as usize;
    same("elements", &[short(first), short(first + 2)], &[5, 6])
}

/// The C structure is padded to 32 bytes; mlir-aie writes the 28 that have a meaning, and both must be read.
fn mask_header(size: u64) -> Outcome {
    let mut stream = Stream::new(Header::of(&DEVICES[0]));
    stream.push(Operation::MaskPoll { address: Address(4), value: 1, mask: 1, busy: false });
    stream.entries[0].spare.extra = vec![0; (size as usize - 28) / 4];
    let words = stream.words().map_err(|error| error.to_string())?;
    same("size word", &u64::from(words[10]), &size)?;
    same("words", &(words.len() as u64 * 4), &(16 + size))
}
