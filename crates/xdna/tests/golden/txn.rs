//! Instruction streams.

use ferrite_xdna::elf::Elf;
use ferrite_xdna::txn::aiebu::AiebuListing;
use ferrite_xdna::txn::{Entry, Header, Operation, Stream, Version, xclbin_patch_offset};
use ferrite_xdna::{Address, Device, Tile};
use serde_json::Value;

use crate::check::{Outcome, Tally, base64, bytes, int, int8, int32, json, list, name, same, string, text, words};

/// An operation as the golden files describe it: addresses are complete, or come with column and row.
pub(crate) fn entry(op: &Value) -> Entry {
    let given = op.get("column").is_some();
    let tile = Tile::new(int8(&op["column"]), int8(&op["row"]));
    let address = int32(if op["address"].is_null() { &op["addr"] } else { &op["address"] });
    let address = if given { tile.address(address) } else { Address(address) };
    let (value, mask) = (int32(&op["value"]), int32(&op["mask"]));
    match op["op"].as_str().unwrap() {
        "write32" => Operation::Write { address, value },
        "maskwrite32" => Operation::MaskWrite { address, value, mask },
        "blockwrite" => {
            let data = list(&op["data"]).iter().map(int32).collect();
            if given {
                return Entry::block_write(tile, address.offset(), data);
            }
            Operation::BlockWrite { address, data }
        }
        "sync" => Operation::Sync {
            direction: int8(&op["direction"]),
            tile,
            rows: int8(&op["row_num"]),
            columns: int8(&op["column_num"]),
            channel: int8(&op["channel"]),
        },
        "load_pdi" => {
            Operation::LoadPdi { id: int(&op["id"]) as u16, size: int32(&op["size"]), address: int(&op["address"]) }
        }
        "preempt" => Operation::Preempt { level: int8(&op["level"]) },
        "read_reg" => Operation::ReadRegisters { addresses: vec![u64::from(address.0)], wide: false },
        "address_patch" => Operation::PatchAddress {
            address,
            argument: int32(&op["arg_idx"]),
            offset: int(&op["arg_plus"]),
            action: 0,
        },
        other => panic!("{other}"),
    }
    .into()
}

fn stream(case: &Value) -> Stream {
    let mut header = Header::of(Device::named(case["device"].as_str().unwrap()).unwrap());
    if int(&case["version"][0]) == 1 {
        header.version = Version::V1_0;
    }
    let mut stream = Stream::new(header);
    stream.entries = list(&case["ops"]).iter().map(entry).collect();
    stream
}

fn without_spare(stream: &Stream) -> Vec<Operation> {
    stream.operations().cloned().collect()
}

/// Both ways, and the text form of what was decoded.
fn both_ways(case: &Value) -> Outcome {
    let golden = words(&case["words"]);
    let ours = stream(case);
    same("words", &ours.words().map_err(text)?, &golden)?;
    decoded(case)
}

fn decoded(case: &Value) -> Outcome {
    let golden: Vec<u8> = words(&case["words"]).iter().flat_map(|word| word.to_le_bytes()).collect();
    let decoded = Stream::decode(&golden).map_err(text)?;
    let ours = stream(case);
    same("header", &decoded.header, &ours.header)?;
    same("operations", &without_spare(&decoded), &without_spare(&ours))?;
    same("encoded again", &decoded.encode().map_err(text)?, &golden)?;
    same("text", &Stream::parse(&decoded.to_string()).map_err(text)?, &decoded)
}

pub(crate) fn streams(tally: &mut Tally) {
    let file = json("txn.json");
    for case in list(&file["full_streams"]) {
        tally.case(name(case), both_ways(case));
    }
    for case in list(&file["partial_op_checks"]) {
        tally.case(name(case), partial(case));
    }
    for case in list(&file["txn2mlir_roundtrips"]) {
        tally.case(name(case), decoded(case));
        tally.regression(&format!("{}: words", name(case)), both_ways(case));
    }
    for case in list(&file["version_1_0"]) {
        tally.regression(name(case), both_ways(case));
    }
}

fn partial(case: &Value) -> Outcome {
    let mut stream = Stream::new(Header::of(Device::named(case["device"].as_str().unwrap()).unwrap()));
    let mut entry = entry(&case["op"]);
    if case["fold_ddr_addr_offset"] == true
        && let Operation::PatchAddress { argument, offset, .. } = &mut entry.operation
    {
        *offset = xclbin_patch_offset(*argument, *offset);
    }
    stream.push(entry);
    let words = stream.words().map_err(text)?;
    let from = 4 + int(&case["expect_words_from"]) as usize;
    let golden = self::words(&case["expect"]);
    same("words", &words[from..from + golden.len()].to_vec(), &golden)
}

/// The one real stream with its upstream disassembly: what this crate prints must say the same.
pub(crate) fn aiebu(tally: &mut Tally) {
    let file = json("aiebu_txn.json");
    let blob = base64(&string("ml_txn.b64"));
    let stream = Stream::decode(&blob).unwrap();
    let whole = same("encoded again", &stream.encode().unwrap(), &blob)
        .and_then(|()| same("text", &Stream::parse(&stream.to_string()).map_err(text)?, &stream))
        .and_then(|()| same("operations", &stream.entries.len(), &list(&file["ops"]).len()))
        .and_then(|()| same("device", &stream.header.device().map(|device| device.name), &Some("npu2")));
    if let Err(problem) = whole {
        tally.failures.push(problem);
    }
    for (index, (entry, golden)) in stream.entries.iter().zip(list(&file["ops"])).enumerate() {
        tally.case(&format!("operation {index}"), aiebu_operation(&entry.operation, golden));
    }
    for name in ["memtile_scalar", "multi_bd_block", "three_args"] {
        tally.case(&format!("{name}.ctrltext.asm"), listing(name, &format!("{name}.elf")));
    }
    tally.case("ml_txn.ctrltext.asm", listing("ml_txn", "aiebu_basic.elf"));
    let cleared = cleared(&stream);
    let listing = string("ml_txn.ctrltext.asm");
    let golden: Vec<&str> = listing.lines().filter(|line| line.starts_with("XAIE_IO")).collect();
    let ours: Vec<String> = cleared.iter().map(assembly).collect();
    tally.case("listing", same("lines", &ours, &golden.iter().map(|line| normal(line)).collect::<Vec<_>>()));
}

/// aiebu's listing of the control code in an ELF file, to the byte; read back, it is the code but for fields that it leaves out.
fn listing(name: &str, elf: &str) -> Outcome {
    let golden = string(&format!("{name}.ctrltext.asm"));
    let read = AiebuListing::parse(&golden).map_err(text)?;
    same("written again", &read.to_string(), &golden)?;
    let elf = Elf::decode(&bytes(elf)).map_err(text)?;
    let section = elf.sections.iter().find(|section| section.name == ".ctrltext").ok_or("no control code")?;
    let stream = Stream::decode(&section.data).map_err(text)?;
    let mut ours = AiebuListing::of(&stream).ok_or("has operations that aiebu does not list")?;
    ours.section = read.section.clone();
    // An editor has taken the last empty line of one of them.
    ours.closed = read.closed;
    same("listing", &ours.to_string(), &golden)?;
    same("size", &read.section.map(|section| section.size as usize), &Some(section.data.len()))?;
    if ours.left_out().is_none() {
        same("operations", &without_spare(&ours.stream()), &without_spare(&stream))?;
        same("columns", &ours.stream().header.columns, &stream.header.columns)?;
    }
    Ok(())
}

fn aiebu_operation(ours: &Operation, golden: &Value) -> Outcome {
    let address = Address(int32(&golden["reg"]));
    let expected = match golden["op"].as_str().unwrap() {
        "XAIE_IO_WRITE" => Operation::Write { address, value: int32(&golden["value"]) },
        "XAIE_IO_BLOCKWRITE" => {
            Operation::BlockWrite { address, data: list(&golden["data"]).iter().map(int32).collect() }
        }
        "XAIE_IO_MASKPOLL" => {
            let (value, mask) = (int32(&golden["value"]), int32(&golden["mask"]));
            Operation::MaskPoll { address, value, mask, busy: false }
        }
        "XAIE_IO_CUSTOM_OP_DDR_PATCH" => Operation::PatchAddress {
            address,
            argument: int32(&golden["arg"]),
            offset: int(&golden["plus"]),
            action: int32(&golden["action"]),
        },
        other => return Err(format!("no such operation: {other}")),
    };
    same("operation", ours, &expected)
}

/// The upstream listing was made after the assembler cleared the address bits of every patched descriptor.
fn cleared(stream: &Stream) -> Vec<Operation> {
    let mut operations = without_spare(stream);
    for index in 0..operations.len() {
        let Operation::PatchAddress { address, .. } = operations[index] else { continue };
        let descriptor = Address(address.0 & !0xf);
        for before in operations[..index].iter_mut().rev() {
            if let Operation::BlockWrite { address, data } = before
                && *address == descriptor
            {
                data[1] &= 3;
                data[2] &= 0xffff_0000;
                break;
            }
        }
    }
    operations
}

fn assembly(operation: &Operation) -> String {
    match operation {
        Operation::Write { address, value } => format!("XAIE_IO_WRITE @{:#x}, {value:#x}", address.0),
        Operation::BlockWrite { address, data } => {
            let words: Vec<String> = data.iter().map(|word| format!("{word:#x}")).collect();
            format!("XAIE_IO_BLOCKWRITE @{:#x}, {}", address.0, words.join(", "))
        }
        Operation::MaskPoll { address, value, mask, .. } => {
            format!("XAIE_IO_MASKPOLL @{:#x}, {mask:#x}, {value:#x}", address.0)
        }
        Operation::PatchAddress { address, argument, offset, .. } => {
            format!("XAIE_IO_CUSTOM_OP_DDR_PATCH @{:#x}, {argument}, {offset:#x}", address.0)
        }
        other => format!("{other:?}"),
    }
}

fn normal(line: &str) -> String {
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}
