//! Control packets.

use ferrite_xdna::base64::Base64;
use ferrite_xdna::buffers::ExternalBuffers;
use ferrite_xdna::elf::{Elf, RelocationKind};
use ferrite_xdna::packet::{ControlOperation, ControlPacket, ControlStream, Step, StreamHeader, transfers};
use ferrite_xdna::txn::Operation;
use ferrite_xdna::{Address, Device};
use serde_json::Value;

use crate::check::{
    Outcome, Tally, base64, bytes, int, int8, int32, json, list, name, same, string, text, to_words, words,
};

fn packet(value: &Value) -> ControlPacket {
    let (address, response) = (int32(&value["address"]), int8(&value["stream_id"]));
    let data: Vec<u32> = list(&value["data"]).iter().map(int32).collect();
    match int(&value["opcode"]) {
        0 => ControlPacket::write(address, ControlOperation::Write, response, data),
        1 => ControlPacket::read(address, response, int8(&value["length"])),
        2 => ControlPacket::write(address, ControlOperation::WriteIncrement, response, data),
        _ => ControlPacket::write(address, ControlOperation::BlockWrite, response, data),
    }
}

fn stream(case: &Value) -> Outcome {
    let mut stream = ControlStream::default();
    for golden in list(&case["packets"]) {
        let header = StreamHeader::new(int8(&golden["pkt_type"]), int8(&golden["pkt_id"]));
        let packet = packet(golden);
        let mut ours = vec![header.encode()];
        ours.extend(packet.encode().map_err(text)?);
        same("packet", &ours, &words(&golden["words"]))?;
        stream.push(header, packet);
    }
    let golden = words(&case["stream"]);
    same("stream", &stream.encode().map_err(text)?, &golden)?;
    let bytes: Vec<u8> = golden.iter().flat_map(|word| word.to_le_bytes()).collect();
    same("decoded", &ControlStream::decode(&bytes).map_err(text)?, &stream)
}

fn batching(case: &Value) -> Outcome {
    let generation = Device::named(case["device"].as_str().unwrap()).unwrap().generation;
    let steps = list(&case["sequence"]).iter().map(|step| match step.as_str() {
        // Two headers and one word.
        Some("pkt(1 word)") => Step::Packet { column: 0, words: 3 },
        _ => Step::Other,
    });
    let ours = transfers(generation, &steps.collect::<Vec<_>>());
    let golden: Vec<(usize, usize)> =
        list(&case["expected_dma"]).iter().map(|span| (int(&span[0]) as usize, int(&span[1]) as usize)).collect();
    same("transfers", &ours, &golden)
}

/// A block write of an instruction stream becomes a packet with the same address and data.
fn from_operation(case: &Value) -> Outcome {
    let golden = &case["expected"];
    let data = list(&case["input"]["data"]).iter().map(int32).collect();
    let operation = Operation::BlockWrite { address: Address(int32(&case["input"]["address"])), data };
    let Operation::BlockWrite { address, data } = operation else { return Err("no block write".to_owned()) };
    let packet = ControlPacket::write(address.offset(), ControlOperation::Write, 0, data);
    same("address", &packet.address, &int32(&golden["address"]))?;
    same("data", &packet.data, &list(&golden["data"]).iter().map(int32).collect())?;
    same("packets", &packet.split().len(), &2)
}

/// The control data of aiebu's own test: every byte is kept, and it is the section that aiebu made of it.
fn aiebu() -> Outcome {
    let file = string("ctrl_pkt0.b64");
    let golden = base64(&file);
    let read = Base64::decode(&file).map_err(text)?;
    same("bytes of base64", &read.bytes, &golden)?;
    same("base64", &read.encode(), &file)?;
    let stream = ControlStream::decode(&golden).map_err(text)?;
    same("packets", &stream.packets.len(), &(golden.len() / 32))?;
    same("encoded again", &stream.encode().map_err(text)?, &to_words(&golden))?;
    for elf in ["aiebu_basic.elf", "aiebu_basic_from_asm.elf"] {
        let elf = Elf::decode(&bytes(elf)).map_err(text)?;
        let section = elf.sections.iter().find(|section| section.name == ".ctrldata").ok_or("no control data")?;
        same("section", &section.data, &golden)?;
    }
    Ok(())
}

/// Where the compiler said that addresses of buffers lie in the control data, aiebu put relocations of those arguments: for the
/// descriptor that starts a word before the address.
fn patch_locations() -> Outcome {
    let read = ExternalBuffers::parse(&string("external_buffer_id.json")).map_err(text)?;
    let golden = json("external_buffer_id.json");
    let mut places = Vec::new();
    for (key, buffer) in &read.buffers {
        let again = serde_json::to_value(buffer).map_err(text)?;
        same("buffer", &again, &golden["external_buffers"][key])?;
        // The first three arguments are no buffers.
        let symbol = (buffer.xrt_id + 3).to_string();
        places.extend(buffer.control_packet_patch_locations.iter().map(|place| (symbol.clone(), place.offset - 8)));
    }
    same("buffers", &Some(read.buffers.len()), &golden["external_buffers"].as_object().map(|map| map.len()))?;
    let elf = Elf::decode(&bytes("aiebu_basic.elf")).map_err(text)?;
    let code = elf.control_code().map_err(text)?;
    let relocations = code.relocations.iter();
    let ours = relocations.filter(|relocation| relocation.kind == RelocationKind::CONTROL_PACKET_48);
    let ours = ours.map(|relocation| (code.symbols[relocation.symbol].name.clone(), relocation.offset));
    let mut ours: Vec<(String, u32)> = ours.collect();
    ours.sort();
    places.sort();
    same("places", &ours, &places)
}

pub(crate) fn all(tally: &mut Tally) {
    let file = json("controlpackets.json");
    for case in list(&file["packets"]) {
        tally.case(name(case), stream(case));
    }
    for case in list(&file["legalize"]) {
        let golden: Vec<ControlPacket> = list(&case["expected"]).iter().map(packet).collect();
        tally.case(name(case), same("packets", &packet(&case["input"]).split(), &golden));
    }
    for case in list(&file["batching"]) {
        tally.case(name(case), batching(case));
    }
    for case in list(&file["txn_to_packet"]) {
        tally.case(name(case), from_operation(case));
    }
    tally.case("ctrl_pkt0.b64", aiebu());
    tally.case("external_buffer_id.json", patch_locations());
    for case in list(&file["config_from_elf"]) {
        tally.leave_out(name(case), "its core program, core_0_2.elf, is not among the golden files");
    }
}
