//! ERT packets and relocation; all of these are of the kind *ours*.

use ferrite_xdna::elf::Elf;
use ferrite_xdna::ert::{Opcode, Packet, Payload, State};
use serde_json::Value;

use crate::check::{Outcome, Tally, bytes, hex, int, int32, json, list, name, same, sha256, text, word, words};

fn packet(input: &Value) -> Packet {
    let buffers = |name: &str| list(&input[name]).iter().map(int).collect::<Vec<_>>();
    let sized = |name: &str| (int(&input[name]), int32(&input[format!("{name}_size")]));
    let (opcode, payload) = match input["opcode"].as_str().unwrap() {
        "ERT_START_CU" => (
            Opcode::START_CU,
            Payload::Kernel {
                opcode: int(&input["kernel_opcode"]),
                instructions: int(&input["instr"]),
                count: int32(&input["ninstr"]),
                buffers: buffers("bos"),
            },
        ),
        "ERT_START_NPU" => (
            Opcode::START_NPU,
            Payload::Npu {
                instructions: int(&input["instruction_buffer"]),
                size: int32(&input["instruction_buffer_size"]),
                properties: int32(&input["prop_count"]),
                buffers: buffers("args"),
            },
        ),
        "ERT_CMD_CHAIN" => (
            Opcode::CMD_CHAIN,
            Payload::Chain {
                submit_index: int32(&input["submit_index"]),
                error_index: int32(&input["error_index"]),
                reserved: [0; 3],
                commands: buffers("handles"),
            },
        ),
        preempt => (
            if preempt.ends_with("ELF") { Opcode::START_NPU_PREEMPT_ELF } else { Opcode::START_NPU_PREEMPT },
            Payload::Preempt {
                instructions: sized("inst"),
                save: sized("save"),
                restore: sized("restore"),
                properties: int32(&input["prop_count"]),
                buffers: buffers("args"),
            },
        ),
    };
    Packet::new(opcode, int32(&input["cu_mask"]), payload.encode())
}

fn ert(case: &Value) -> Outcome {
    let golden = words(&case["words"]);
    if case["input"]["state"].is_string() {
        // The header word of a finished command, alone: the words it counts are not given.
        let mut whole = golden.clone();
        whole.resize(17, 0);
        let packet = Packet::decode(&whole).ok_or("cut short")?;
        same("state", &packet.state, &State::COMPLETED)?;
        same("opcode", &packet.opcode, &Opcode::START_CU)?;
        return same("count", &(packet.payload.len() as u64 + 1), &int(&case["input"]["count"]));
    }
    let packet = packet(&case["input"]);
    let ours = packet.encode().map_err(text)?;
    same("words", &ours, &golden)?;
    let bytes: Vec<u8> = ours.iter().flat_map(|word| word.to_le_bytes()).collect();
    same("bytes", &Some(hex(&bytes).as_str()), &case["bytes"].as_str())?;
    let decoded = Packet::decode(&golden).ok_or("cut short")?;
    same("decoded", &decoded, &packet)?;
    let payload = Payload::decode(decoded.opcode, &decoded.payload).ok_or("no payload")?;
    same("payload", &payload.encode(), &packet.payload)
}

fn patched(case: &Value) -> Outcome {
    let elf = Elf::decode(&bytes(case["elf"].as_str().unwrap())).map_err(text)?;
    let code = elf.control_code().map_err(text)?;
    let values = &case["symbol_values"];
    let address = |symbol: &str| values.get(symbol).map(int);
    let sections = code.patch(&elf, address).map_err(text)?;
    let mut changed = Vec::new();
    for (index, data) in &sections {
        let section = &elf.sections[*index];
        let digest = case["patched_sha256"][&section.name].as_str();
        same(&section.name, &Some(sha256(data).as_str()), &digest)?;
        let old = section.data.chunks_exact(4).zip(data.chunks_exact(4)).enumerate();
        for (at, (before, after)) in old.filter(|(_, (before, after))| before != after) {
            let word = |bytes: &[u8]| u32::from_le_bytes(bytes.try_into().unwrap());
            changed.push((section.name.clone(), at as u64 * 4, word(before), word(after)));
        }
    }
    let golden = list(&case["changed_words"]);
    let golden = golden.iter().map(|c| (c[0].as_str().unwrap().to_owned(), int(&c[1]), word(&c[2]), word(&c[3])));
    changed.sort();
    let mut golden: Vec<_> = golden.collect();
    golden.sort();
    same("changed words", &changed, &golden)
}

pub(crate) fn all(tally: &mut Tally) {
    let file = json("runtime.json");
    for case in list(&file["ert"]["cases"]) {
        tally.regression(name(case), ert(case));
    }
    for case in list(&file["relocation"]["cases"]) {
        tally.regression(case["elf"].as_str().unwrap(), patched(case));
    }
}
