//! Stream switches: ports, their registers, and which of them can be connected.
//!
//! A *slave* port brings words into the switch, a *master* port takes them out. In circuit mode a master names the slave that
//! feeds it; in packet mode slots of the slave match packet ids and name an arbiter and a master select.
//!
//! One sentence of the facts is kept literally where it could be read twice: connections between equal bundles of a core or
//! shim tile keep the channel.

use std::fmt;

use super::tile::TileKind;
use crate::registers::{FieldOverflow, field, reg};

/// What a port leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Bundle {
    /// The processor.
    Core,
    /// The tile's DMA.
    Dma,
    /// The handler of control packets.
    TileControl,
    /// A FIFO inside the switch.
    Fifo,
    /// The tile below; on a shim tile the interface to the NoC.
    South,
    /// The tile to the left.
    West,
    /// The tile above.
    North,
    /// The tile to the right.
    East,
    /// The trace unit of the processor, of a memory tile or of a shim tile.
    Trace,
    /// The trace unit of a core tile's memory.
    MemoryTrace,
}

impl fmt::Display for Bundle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Core => "Core",
            Self::Dma => "DMA",
            Self::TileControl => "Tile_Ctrl",
            Self::Fifo => "FIFO",
            Self::South => "South",
            Self::West => "West",
            Self::North => "North",
            Self::East => "East",
            Self::Trace => "Trace",
            Self::MemoryTrace => "Mem_Trace",
        })
    }
}

/// A port: bundle and channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Port {
    /// The bundle.
    pub bundle: Bundle,
    /// The channel in the bundle.
    pub channel: u8,
}

/// `South:0`.
impl fmt::Display for Port {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.bundle, self.channel)
    }
}

/// Which side of the switch a port is on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Side {
    /// Into the switch.
    Slave,
    /// Out of the switch.
    Master,
}

/// Ports of one side by index: bundle and number of channels.
pub const fn ports(kind: TileKind, side: Side) -> &'static [(Bundle, u8)] {
    use Bundle::*;
    match (kind, side) {
        (TileKind::Core, Side::Slave) => &[
            (Core, 1),
            (Dma, 2),
            (TileControl, 1),
            (Fifo, 1),
            (South, 6),
            (West, 4),
            (North, 4),
            (East, 4),
            (Trace, 1),
            (MemoryTrace, 1),
        ],
        (TileKind::Core, Side::Master) => {
            &[(Core, 1), (Dma, 2), (TileControl, 1), (Fifo, 1), (South, 4), (West, 4), (North, 6), (East, 4)]
        }
        (TileKind::Memory, Side::Slave) => &[(Dma, 6), (TileControl, 1), (South, 6), (North, 4), (Trace, 1)],
        (TileKind::Memory, Side::Master) => &[(Dma, 6), (TileControl, 1), (South, 4), (North, 6)],
        (TileKind::Shim, Side::Slave) => {
            &[(TileControl, 1), (Fifo, 1), (South, 8), (West, 4), (North, 4), (East, 4), (Trace, 1)]
        }
        (TileKind::Shim, Side::Master) => &[(TileControl, 1), (Fifo, 1), (South, 6), (West, 4), (North, 6), (East, 4)],
    }
}

/// The port with this index.
pub fn port(kind: TileKind, side: Side, index: u8) -> Option<Port> {
    let mut first = 0;
    for (bundle, count) in ports(kind, side) {
        if index < first + count {
            return Some(Port { bundle: *bundle, channel: index - first });
        }
        first += count;
    }
    None
}

/// The index of a port.
pub fn index(kind: TileKind, side: Side, port: Port) -> Option<u8> {
    let mut first = 0;
    for (bundle, count) in ports(kind, side) {
        if *bundle == port.bundle {
            return (port.channel < *count).then(|| first + port.channel);
        }
        first += count;
    }
    None
}

/// Offset of the configuration register of the port with index 0; the others follow every 4 bytes.
const fn base(kind: TileKind, side: Side) -> u32 {
    match (kind, side) {
        (TileKind::Core, Side::Master) => reg::core::STREAM_SWITCH_MASTER_CONFIG_AIE_CORE0,
        (TileKind::Core, Side::Slave) => reg::core::STREAM_SWITCH_SLAVE_CONFIG_AIE_CORE0,
        (TileKind::Memory, Side::Master) => reg::memory_tile::STREAM_SWITCH_MASTER_CONFIG_DMAN,
        (TileKind::Memory, Side::Slave) => reg::memory_tile::STREAM_SWITCH_SLAVE_CONFIG_DMA_N,
        (TileKind::Shim, Side::Master) => reg::shim::STREAM_SWITCH_MASTER_CONFIG_TILE_CTRL,
        (TileKind::Shim, Side::Slave) => reg::shim::STREAM_SWITCH_SLAVE_CONFIG_TILE_CTRL,
    }
}

/// Bytes from the configuration of the slave ports to their packet slots, of which each port has four.
const SLOTS: u32 = 0x100;

/// Offset of the configuration register of a port.
pub fn register(kind: TileKind, side: Side, port: Port) -> Option<u32> {
    index(kind, side, port).map(|index| base(kind, side) + 4 * u32::from(index))
}

/// Offset of one of the four packet slots of a slave port.
pub fn slot_register(kind: TileKind, port: Port, slot: u8) -> Option<u32> {
    let index = index(kind, Side::Slave, port)?;
    (slot < 4).then(|| base(kind, Side::Slave) + SLOTS + 16 * u32::from(index) + 4 * u32::from(slot))
}

/// The port whose configuration register lies at an offset.
pub fn port_at(kind: TileKind, offset: u32) -> Option<(Side, Port)> {
    [Side::Slave, Side::Master].into_iter().find_map(|side| {
        let inside = offset.checked_sub(base(kind, side))?;
        let index = u8::try_from(inside / 4).ok()?;
        inside.is_multiple_of(4).then(|| port(kind, side, index)).flatten().map(|port| (side, port))
    })
}

/// The slave port and slot whose register lies at an offset.
pub fn slot_at(kind: TileKind, offset: u32) -> Option<(Port, u8)> {
    let inside = offset.checked_sub(base(kind, Side::Slave) + SLOTS)?;
    let port = port(kind, Side::Slave, u8::try_from(inside / 16).ok()?)?;
    inside.is_multiple_of(4).then_some((port, (inside % 16 / 4) as u8))
}

/// Whether the switch can lead words from a slave to a master port.
pub fn is_legal(kind: TileKind, slave: Port, master: Port) -> bool {
    use Bundle::*;
    if index(kind, Side::Slave, slave).is_none() || index(kind, Side::Master, master).is_none() {
        return false;
    }
    let same_channel = slave.channel == master.channel;
    let keeps_channel = slave.bundle != master.bundle || same_channel;
    match (kind, slave.bundle) {
        (TileKind::Core, Dma | Fifo | South | West | North | East) => keeps_channel,
        (TileKind::Core, Core) => master.bundle != Core,
        (TileKind::Core, TileControl) => !matches!(master.bundle, TileControl | Dma),
        (TileKind::Core, Trace | MemoryTrace) => {
            matches!(master.bundle, Fifo | South) || master == Port { bundle: Dma, channel: 0 }
        }
        (TileKind::Memory, Dma) => match master.bundle {
            Dma => same_channel,
            bundle => matches!(bundle, TileControl | South | North),
        },
        (TileKind::Memory, TileControl) => {
            matches!(master.bundle, South | North) || master == Port { bundle: Dma, channel: 5 }
        }
        (TileKind::Memory, South | North) => match master.bundle {
            Dma | TileControl => true,
            bundle => bundle != slave.bundle && same_channel,
        },
        (TileKind::Memory, Trace) => master.bundle == South || master == Port { bundle: Dma, channel: 5 },
        (TileKind::Shim, TileControl) => master.bundle != TileControl,
        (TileKind::Shim, Fifo | South) => true,
        (TileKind::Shim, West | North | East) => keeps_channel,
        (TileKind::Shim, Trace) => {
            matches!(master.bundle, Fifo | South) || (matches!(master.bundle, West | East) && master.channel == 0)
        }
        _ => false,
    }
}

/// Why a connection cannot be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ConnectError {
    /// The tile has no such port.
    #[error("a {kind} tile has no {side} port {port}")]
    NoPort {
        /// Kind of tile.
        kind: TileKind,
        /// `slave` or `master`.
        side: &'static str,
        /// The port.
        port: Port,
    },
    /// The switch has no path.
    #[error("the stream switch of a {kind} tile cannot connect {slave} to {master}")]
    Illegal {
        /// Kind of tile.
        kind: TileKind,
        /// From.
        slave: Port,
        /// To.
        master: Port,
    },
    /// A field does not hold the port's index.
    #[error(transparent)]
    Overflow(#[from] FieldOverflow),
}

/// The two register writes (offset in the tile, value) of a circuit: the master's, then the slave's.
///
/// # Errors
/// If a port does not exist or the switch has no such path.
pub fn connect(kind: TileKind, slave: Port, master: Port) -> Result<[(u32, u32); 2], ConnectError> {
    let missing = |side, port| ConnectError::NoPort { kind, side, port };
    let from = index(kind, Side::Slave, slave).ok_or(missing("slave", slave))?;
    let master_register = register(kind, Side::Master, master).ok_or(missing("master", master))?;
    let slave_register = register(kind, Side::Slave, slave).ok_or(missing("slave", slave))?;
    if !is_legal(kind, slave, master) {
        return Err(ConnectError::Illegal { kind, slave, master });
    }
    let mut value = 0;
    field::core::stream_switch_master_config_aie_core0::MASTER_ENABLE.set(&mut value, 1)?;
    field::core::stream_switch_master_config_aie_core0::CONFIGURATION.set(&mut value, u32::from(from))?;
    let mut enabled = 0;
    field::core::stream_switch_slave_config_aie_core0::SLAVE_ENABLE.set(&mut enabled, 1)?;
    Ok([(master_register, value), (slave_register, enabled)])
}
