//! CDO and PDI.

use ferrite_xdna::cdo::{Cdo, Command};
use ferrite_xdna::descriptor::{Acquire, Descriptor, Release};
use ferrite_xdna::device::switch::{self, Bundle, Port};
use ferrite_xdna::pdi::{self, Pdi};
use ferrite_xdna::queue::Task;
use ferrite_xdna::registers::field::shim::demux_config;
use ferrite_xdna::{Direction, Generation, Tile, TileKind};
use serde_json::Value;

use crate::check::{Outcome, Tally, bytes, int, int8, int32, json, list, name, same, text, to_words, word, words};

fn tile(value: &Value) -> Tile {
    Tile::new(int8(&value[0]), int8(&value[1]))
}

/// The command lists of the two golden files.
fn command(golden: &Value) -> Command {
    let address = int(&golden["address"]);
    let any = |value: &Value| if value.is_string() { word(value) } else { int32(value) };
    let (mask, value) = (any(&golden["mask"]), any(&golden["value"]));
    match golden["cmd"].as_str().unwrap_or("nop") {
        "write64" => Command::Write { address, value, wide: true },
        "write" => Command::Write { address, value, wide: false },
        "mask_write64" => Command::MaskWrite { address, mask, value, wide: true },
        "mask_write" => Command::MaskWrite { address, mask, value, wide: false },
        "mask_poll64" => Command::MaskPoll { address, mask, value, timeout: int32(&golden["timeout"]), wide: true },
        "mask_poll" => Command::MaskPoll { address, mask, value, timeout: int32(&golden["timeout"]), wide: false },
        "dma_write" => Command::DmaWrite { address, data: words(&golden["data"]) },
        // The one command that the golden file leaves undecoded: a poll in its short form.
        "0x101" => {
            let word = |index: usize| int32(&golden["payload"][index]);
            let (mask, value, timeout) = (word(1), word(2), word(3));
            Command::MaskPoll { address: word(0).into(), mask, value, timeout, wide: false }
        }
        // A call of the driver that repeats one word.
        "dma_set" => Command::DmaWrite { address, data: vec![value; int(&golden["words"]) as usize] },
        _ => Command::Nop { payload: vec![0; int(&golden["payload_words"]) as usize] },
    }
}

/// The registers of a design as mlir-aie orders them: buffers, then per DMA its descriptors, queues and channels, then switches and
/// the shim's demultiplexer.
fn design(input: &Value) -> Result<Vec<Command>, String> {
    let mut commands = Vec::new();
    let wide = |tile: Tile, offset: u32| u64::from(tile.address(offset).0);
    for buffer in list(&input["buffers"]) {
        let address = wide(tile(&buffer["tile"]), int32(&buffer["address"]));
        commands.push(Command::DmaWrite { address, data: initial(buffer) });
    }
    for dma in list(&input["shim_dma"]) {
        let at = tile(&dma["tile"]);
        for channel in list(&dma["channels"]) {
            let bd = &channel["bd"];
            let offset = TileKind::Shim.descriptor_register(int8(&bd["bd_id"])).unwrap();
            let data = descriptor(bd).encode(TileKind::Shim).map_err(text)?;
            commands.push(Command::DmaWrite { address: wide(at, offset), data });
        }
        for channel in list(&dma["channels"]) {
            let direction = if channel["dir"] == "S2MM" { Direction::S2mm } else { Direction::Mm2s };
            let control = TileKind::Shim.control_register(direction, int8(&channel["channel"])).unwrap();
            // The compiler asks for a token on S2MM channels only.
            let task =
                Task { descriptor: int8(&channel["bd"]["bd_id"]), executions: 1, token: direction == Direction::S2mm };
            let value = task.encode(TileKind::Shim).map_err(text)?;
            commands.push(Command::Write { address: wide(at, control + 4), value, wide: true });
            commands.push(Command::MaskWrite { address: wide(at, control), mask: 0, value: 1, wide: true });
        }
    }
    for switchbox in list(&input["switchbox"]) {
        let at = tile(&switchbox["tile"]);
        let (slave, master) = (Port { bundle: Bundle::North, channel: 0 }, Port { bundle: Bundle::South, channel: 2 });
        same("the connection", &switchbox["connect"].as_str(), &Some("North:0 -> South:2"))?;
        for (offset, value) in switch::connect(TileKind::Shim, slave, master).map_err(text)? {
            commands.push(Command::Write { address: wide(at, offset), value, wide: true });
        }
    }
    for mux in list(&input["shim_mux"]) {
        same("the connection", &mux["connect"].as_str(), &Some("North:2 -> DMA:0"))?;
        let field = demux_config::SOUTH2;
        let mut value = 0;
        field.set(&mut value, 1).map_err(text)?;
        let address = wide(tile(&mux["tile"]), field.offset);
        commands.push(Command::MaskWrite { address, mask: field.mask(), value, wide: true });
    }
    Ok(commands)
}

fn descriptor(bd: &Value) -> Descriptor {
    let mut descriptor = Descriptor { length: int32(&bd["length_elements"]), valid: true, ..Descriptor::default() };
    let bursts = Generation::Npu1.bursts();
    let burst = bursts.iter().position(|length| u64::from(*length) == int(&bd["burst_length"]));
    descriptor.bus.burst = burst.unwrap_or(bursts.len() - 1) as u8;
    if bd["acquire"].is_object() {
        let lock = int8(&bd["acquire"]["lock"]);
        descriptor.acquire = Acquire { enabled: true, lock, value: int8(&bd["acquire"]["value"]).cast_signed() };
        descriptor.release =
            Release { lock: int8(&bd["release"]["lock"]), value: int8(&bd["release"]["value"]).cast_signed() };
    }
    descriptor
}

/// Words of a buffer's initial value.
fn initial(buffer: &Value) -> Vec<u32> {
    let values = list(&buffer["init"]);
    match buffer["type"].as_str().unwrap() {
        "8xi32" => values.iter().map(int32).collect(),
        "8xf32" => values.iter().map(|value| (value.as_f64().unwrap() as f32).to_bits()).collect(),
        _ => to_words(&values.iter().map(int8).collect::<Vec<_>>()),
    }
}

fn log(case: &Value) -> Outcome {
    let file = Cdo::of_driver(design(&case["input"])?);
    same("decoded", &Cdo::decode(&file.encode()).map_err(text)?, &file)?;
    let mut ours = file.commands.iter();
    for golden in list(&case["expected_log"]) {
        let found = if golden["cmd"] == "dma_write_word_check" {
            ours.any(|command| has_word(command, int(&golden["address"]), word(&golden["value"])))
        } else {
            ours.any(|command| *command == self::command(golden))
        };
        if !found {
            return Err(format!("no {golden}"));
        }
    }
    Ok(())
}

fn has_word(command: &Command, at: u64, value: u32) -> bool {
    let Command::DmaWrite { address, data } = command else { return false };
    let index = at.checked_sub(*address).map(|offset| offset as usize / 4);
    index.and_then(|index| data.get(index)) == Some(&value)
}

pub(crate) fn logs(tally: &mut Tally) {
    for case in list(&json("cdo.json")["cases"]) {
        tally.case(name(case), log(case));
    }
}

fn file(golden: &Value) -> Result<Cdo, String> {
    let cdo = Cdo::of_driver(list(&golden["commands"]).iter().map(command));
    let golden = words(&golden["words"]);
    same("words", &cdo.words(), &golden)?;
    let bytes: Vec<u8> = golden.iter().flat_map(|word| word.to_le_bytes()).collect();
    same("decoded", &Cdo::decode(&bytes).map_err(text)?, &cdo)?;
    Ok(cdo)
}

fn image(case: &Value, files: &[Cdo]) -> Outcome {
    let golden = &case["pdi"];
    let bytes = bytes(golden["file"].as_str().unwrap());
    same("size", &(bytes.len() as u64), &int(&golden["size"]))?;
    let pdi = Pdi::decode(&bytes).map_err(text)?;
    same("encoded again", &pdi.encode(), &bytes)?;
    let headers = &golden["headers"];
    same("image header table", &pdi.table.to_vec(), &words(&headers["image_header_table"]["words"]))?;
    same("image header", &pdi.image.to_vec(), &words(&headers["image_header"]["words"]))?;
    same("partition header", &pdi.partition.to_vec(), &words(&headers["partition_header"]["words"]))?;
    same("name", &Some(pdi.name().as_str()), &headers["image_header"]["name"].as_str())?;
    let length = u64::from(pdi.partition[pdi::partition::LENGTH]);
    same("length", &length, &int(&headers["partition_header"]["unenc_len"]))?;
    let cdo = pdi.cdo().ok_or("no CDO")?;
    // The golden list gives a NOP by its name only.
    let plain = |command: &Command| match command {
        Command::Nop { .. } => Command::Nop { payload: Vec::new() },
        other => other.clone(),
    };
    let ours: Vec<Command> = cdo.commands.iter().map(plain).collect();
    same("commands", &ours, &list(&golden["commands"]).iter().map(command).collect())?;
    // And the same from the three files, byte for byte.
    same("made by us", &Pdi::of_bootgen(Cdo::merge(files)).encode(), &bytes)
}

pub(crate) fn tool(tally: &mut Tally) {
    for case in list(&json("pdi_cdo.json")["cases"]) {
        let mut files = Vec::new();
        for part in ["elfs", "init", "enable"] {
            let result = file(&case["files"][part]);
            files.extend(result.clone().ok());
            tally.case(&format!("{} {part}", name(case)), result.map(drop));
        }
        tally.case(&format!("{} pdi", name(case)), image(case, &files));
    }
}
