//! The device model.

use ferrite_xdna::device::switch::{self, Port, Side};
use ferrite_xdna::registers::{Module, REGISTERS};
use ferrite_xdna::{DEVICES, Device, Register, TileKind};

use crate::check::{Outcome, Tally, int, json, same};

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
    let total: usize = Module::ALL
        .iter()
        .map(|module| Register::all(module.tile()).filter(|r| r.info.module == *module).count())
        .sum();
    let lines = REGISTERS.len();
    tally.case("registers", if total > 1500 && lines > 400 { Ok(()) } else { Err(format!("{total} registers")) });
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
