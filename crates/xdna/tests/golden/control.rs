//! Control packets.

use ferrite_xdna::packet::{ControlOperation, ControlPacket, ControlStream, Step, StreamHeader, transfers};
use ferrite_xdna::txn::Operation;
use ferrite_xdna::{Address, Device};
use serde_json::Value;

use crate::check::{Outcome, Tally, int, int8, int32, json, list, name, same, text, words};

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
        stream.packets.push((header, packet));
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
    for case in list(&file["config_from_elf"]) {
        tally.leave_out(name(case), "its core program, core_0_2.elf, is not among the golden files");
    }
}
