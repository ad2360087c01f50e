//! Which events a trace unit watches.

use std::borrow::Cow;

use super::{RegisterWrite, UnitKind};
use crate::action::Action;
use crate::cdo::Cdo;
use crate::device::Tile;
use crate::events;
use crate::registers::{Module, Register, reg};
use crate::txn::Stream;

/// A configured trace unit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unit {
    /// What kind.
    pub kind: UnitKind,
    /// Its tile, as the program names it.
    pub tile: Tile,
    /// Events by slot, 0 for none.
    pub slots: [u8; 8],
    /// Packet id of what it sends.
    pub packet_id: u8,
    /// Packet type of what it sends.
    pub packet_type: u8,
    /// The event that starts it, and the one that stops it.
    pub start_stop: (u8, u8),
}

impl Unit {
    /// The name of the event in a slot.
    pub fn event_name(&self, slot: usize) -> Cow<'static, str> {
        let number = self.slots.get(slot).copied().unwrap_or_default();
        events::name(self.kind.module(), number).map_or_else(|| format!("EVENT_{number}").into(), Cow::Borrowed)
    }
}

/// Every trace unit that a program configures.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Configuration {
    /// The units in the order in which the program first names them.
    pub units: Vec<Unit>,
}

/// Offset of the first trace register of a module: control 0, control 1; events 16 bytes on.
const fn base(module: Module) -> u32 {
    match module {
        Module::Core => reg::core::TRACE_CONTROL0,
        Module::Memory => reg::memory::TRACE_CONTROL0,
        Module::MemoryTile => reg::memory_tile::TRACE_CONTROL0,
        Module::Shim => reg::shim::TRACE_CONTROL0,
    }
}

impl Configuration {
    /// The configuration in a sequence of register writes.
    pub fn of_writes(writes: impl IntoIterator<Item = RegisterWrite>) -> Self {
        let mut configuration = Self::default();
        for (address, value) in writes {
            let tile = address.tile();
            let Some(kind) = tile.kind() else { continue };
            let Some(register) = Register::at(kind, address.offset()) else { continue };
            let module = register.info.module;
            let Some(kind) = UnitKind::ALL.into_iter().find(|kind| kind.module() == module) else { continue };
            let Some(inside) = address.offset().checked_sub(base(module)) else { continue };
            let [a, b, c, d] = value.to_le_bytes();
            match inside {
                0x0 => configuration.unit(kind, tile).start_stop = (c, d),
                0x4 => {
                    let unit = configuration.unit(kind, tile);
                    unit.packet_id = a & 0x1f;
                    unit.packet_type = b >> 4 & 7;
                }
                0x10 => configuration.unit(kind, tile).slots[..4].copy_from_slice(&[a, b, c, d]),
                0x14 => configuration.unit(kind, tile).slots[4..].copy_from_slice(&[a, b, c, d]),
                _ => {}
            }
        }
        // Writing zeros to the registers of a unit does not configure it.
        configuration.units.retain(|unit| unit.slots != [0; 8]);
        configuration
    }

    /// The configuration that an instruction stream writes.
    pub fn of_stream(stream: &Stream) -> Self {
        Self::of_actions(stream.operations().map(Action::of_operation))
    }

    /// The configuration that a CDO writes.
    pub fn of_cdo(cdo: &Cdo) -> Self {
        Self::of_actions(cdo.commands.iter().map(Action::of_command))
    }

    /// Adds the units of another program, which take the place of those that both configure.
    pub fn extend(&mut self, other: Self) {
        for unit in other.units {
            let (kind, tile) = (unit.kind, unit.tile);
            *self.unit(kind, tile) = unit;
        }
    }

    fn of_actions<'a>(actions: impl Iterator<Item = Action<'a>>) -> Self {
        let writes = actions.filter_map(|action| match action {
            // Trace registers are written one by one.
            Action::Write { address, data: [value] } => Some((address, *value)),
            Action::Mask { address, value, mask: u32::MAX } => Some((address, value)),
            _ => None,
        });
        Self::of_writes(writes)
    }

    fn unit(&mut self, kind: UnitKind, tile: Tile) -> &mut Unit {
        let place = match self.units.iter().position(|unit| (unit.kind, unit.tile) == (kind, tile)) {
            Some(place) => place,
            None => {
                let packet_type = kind as u8;
                let unit = Unit { kind, tile, slots: [0; 8], packet_id: 0, packet_type, start_stop: (0, 0) };
                self.units.push(unit);
                self.units.len() - 1
            }
        };
        &mut self.units[place]
    }
}
