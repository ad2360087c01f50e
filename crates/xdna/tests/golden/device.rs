//! The device model.

use ferrite_xdna::device::Region;
use ferrite_xdna::device::switch::{self, Port, Side};
use ferrite_xdna::registers::{Module, REGISTERS};
use ferrite_xdna::{DEVICES, Device, Direction, Register, TileFacts, TileKind};
use serde_json::Value;

use crate::check::{Outcome, Tally, elsewhere, int, int8, int32, json, list, name, same};

/// Facts of `device_model.json`, which is not copied here: `tests/tables.rs` holds the registers against it where it is at hand.
pub(crate) fn device_model(tally: &mut Tally) {
    let devices = &json("txn.json")["devices"];
    for device in &DEVICES {
        let golden = &devices[device.name];
        let ours = [device.columns, Device::ROWS, Device::MEMORY_ROWS, device.generation as u8].map(u64::from);
        let golden = ["cols", "rows", "memtile_rows", "devgen"].map(|key| int(&golden[key]));
        tally.case(device.name, same("columns, rows, memory rows, generation", &ours, &golden));
    }
    // Every port has its register, and the register is named after the port.
    for kind in TileKind::ALL {
        for side in [Side::Slave, Side::Master] {
            for index in 0..=u8::MAX {
                let Some(port) = switch::port(kind, side, index) else { break };
                tally.case(&format!("{kind} port {port}"), port_register(kind, side, port, index));
            }
        }
    }
    match elsewhere("device_model.json") {
        Some(model) => {
            tile_kinds(tally, &model["tile_kinds"]);
            Module::ALL
                .into_iter()
                .for_each(|module| registers(tally, module, list(&model["registers"][module.name()])));
        }
        None => println!("skipped: device_model.json, which is not at hand: its registers and tile kinds"),
    }
    let total: usize = Module::ALL
        .iter()
        .map(|module| Register::all(module.tile()).filter(|r| r.info.module == *module).count())
        .sum();
    let lines = REGISTERS.len();
    tally.case("registers", if total > 1500 && lines > 400 { Ok(()) } else { Err(format!("{total} registers")) });
}

fn tile_kinds(tally: &mut Tally, golden: &Value) {
    for (kind, name) in TileKind::ALL.into_iter().zip(["shim", "memtile", "core"]) {
        let (facts, golden) = (kind.facts(), &golden[name]);
        let register = |direction| kind.control_register(direction, 0).map(u64::from);
        let ours = [
            ("data_memory", Some(facts.data_memory.into())),
            ("locks", Some(facts.locks.into())),
            ("bds", Some(facts.descriptors.into())),
            ("s2mm", Some(facts.s2mm.count.into())),
            ("mm2s", Some(facts.mm2s.count.into())),
            ("dims", Some(facts.dimensions.into())),
            ("dma_bd_base", Some(facts.descriptor_base.into())),
            ("bd_stride", Some(TileFacts::DESCRIPTOR_STRIDE.into())),
            ("bd_words", Some(facts.descriptor_words.into())),
            ("s2mm_ctrl", register(Direction::S2mm)),
            ("mm2s_ctrl", register(Direction::Mm2s)),
            ("lock_value_base", Some(facts.lock_values.into())),
            ("lock_stride", Some(TileFacts::LOCK_STRIDE.into())),
        ];
        // A shim tile has no memory, of which its entry says nothing.
        let outcome = ours.iter().try_for_each(|(name, ours)| same(name, ours, &Some(int(&golden[*name]))));
        tally.more_cases += 1;
        tally.case(&format!("{kind} tile"), outcome);
    }
}

/// Each register with its fields, and each memory that stands among them.
fn registers(tally: &mut Tally, module: Module, golden: &[Value]) {
    for entry in golden {
        let (name, offset) = (name(entry), int32(&entry["offset"]));
        let outcome = if entry["width"] == 32 {
            register(module, name, offset, &entry["fields"])
        } else {
            let memory = if name == "Program_Memory" { Region::ProgramMemory } else { Region::DataMemory };
            same("memory", &module.tile().region(offset), &Some(memory))
        };
        tally.more_cases += 1;
        tally.case(&format!("{module} {name}"), outcome);
    }
}

fn register(module: Module, name: &str, offset: u32, fields: &Value) -> Outcome {
    let register = Register::at(module.tile(), offset).ok_or("no such register")?;
    same("module", &register.info.module, &module)?;
    same("name", &register.name().as_str(), &name)?;
    let mut golden: Vec<_> = list(fields)
        .iter()
        .map(|field| (field[0].as_str().unwrap_or_default(), int8(&field[1]), int8(&field[2])))
        .collect();
    golden.sort_by_key(|field| field.1);
    let ours: Vec<_> = register.info.fields.iter().map(|field| (field.name, field.low, field.high)).collect();
    same("fields", &ours, &golden)
}

fn port_register(kind: TileKind, side: Side, port: Port, index: u8) -> Outcome {
    let offset = switch::register(kind, side, port).ok_or("no register")?;
    same("port", &switch::port_at(kind, offset), &Some((side, port)))?;
    same("index", &switch::index(kind, side, port), &Some(index))?;
    let register = Register::at(kind, offset).ok_or("no such register")?;
    let name = register.name().replace('_', "").to_lowercase();
    let side = if side == Side::Slave { "slave" } else { "master" };
    let bundle = port.bundle.to_string().replace('_', "").to_lowercase();
    let fits = name.starts_with(&format!("streamswitch{side}config")) && name.contains(&bundle);
    if fits { Ok(()) } else { Err(format!("{name} for {port}")) }
}
