//! NPUs as arrays of tiles: which devices there are, what a tile has, how its stream switch can be connected.
//!
//! Facts from the target model of Xilinx/mlir-aie (AIETargetModel) and from Xilinx/aie-rt.

pub mod switch;
mod tile;

use std::fmt;

pub use tile::{Channels, Direction, Region, TileFacts, TileKind};

/// The two generations of array, by the number that instruction streams carry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Generation {
    /// AIE2: Phoenix and Hawk Point.
    Npu1 = 3,
    /// AIE2P: Strix, Strix Halo and Krackan.
    Npu2 = 4,
}

impl Generation {
    /// The generation with this number.
    pub const fn of_number(number: u8) -> Option<Self> {
        match number {
            3 => Some(Self::Npu1),
            4 => Some(Self::Npu2),
            _ => None,
        }
    }

    /// The name of its architecture.
    pub const fn architecture(self) -> &'static str {
        match self {
            Self::Npu1 => "AIE2",
            Self::Npu2 => "AIE2P",
        }
    }

    /// Burst lengths of shim DMAs in bytes, by the value of the field.
    pub const fn bursts(self) -> &'static [u16] {
        match self {
            Self::Npu1 => &[64, 128, 256],
            Self::Npu2 => &[64, 128, 256, 512],
        }
    }
}

/// The array that a program sees: a whole NPU, or some of its columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Device {
    /// Name, as mlir-aie has it.
    pub name: &'static str,
    /// Generation.
    pub generation: Generation,
    /// Columns.
    pub columns: u8,
    /// First columns that a partition of this width may be placed at, as mlir-aie writes them; empty where it writes none.
    pub start_columns: &'static [u16],
}

const fn device(name: &'static str, generation: Generation, columns: u8, start_columns: &'static [u16]) -> Device {
    Device { name, generation, columns, start_columns }
}

/// Every device.
pub const DEVICES: [Device; 12] = [
    device("npu1", Generation::Npu1, 4, &[0]),
    device("npu1_1col", Generation::Npu1, 1, &[1, 2, 3, 4]),
    device("npu1_2col", Generation::Npu1, 2, &[1, 2, 3]),
    device("npu1_3col", Generation::Npu1, 3, &[1, 2]),
    device("npu2", Generation::Npu2, 8, &[0]),
    device("npu2_1col", Generation::Npu2, 1, &[1, 2, 3, 4]),
    device("npu2_2col", Generation::Npu2, 2, &[1, 2, 3]),
    device("npu2_3col", Generation::Npu2, 3, &[1, 2]),
    device("npu2_4col", Generation::Npu2, 4, &[1]),
    device("npu2_5col", Generation::Npu2, 5, &[]),
    device("npu2_6col", Generation::Npu2, 6, &[]),
    device("npu2_7col", Generation::Npu2, 7, &[]),
];

impl Device {
    /// Rows: one of shim tiles, one of memory tiles, four of core tiles.
    pub const ROWS: u8 = 6;
    /// Rows of memory tiles.
    pub const MEMORY_ROWS: u8 = 1;

    /// The device of this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        DEVICES.iter().find(|device| device.name == name)
    }

    /// The device of this generation and width.
    pub fn of(generation: Generation, columns: u8) -> Option<&'static Self> {
        DEVICES.iter().find(|device| device.generation == generation && device.columns == columns)
    }

    /// The kind of tile in a row, whatever the device.
    pub const fn kind_of_row(row: u8) -> Option<TileKind> {
        match row {
            0 => Some(TileKind::Shim),
            1 => Some(TileKind::Memory),
            2..Self::ROWS => Some(TileKind::Core),
            _ => None,
        }
    }

    /// The kind of a tile, if the device has it.
    pub const fn kind(&self, tile: Tile) -> Option<TileKind> {
        if tile.column < self.columns { Self::kind_of_row(tile.row) } else { None }
    }
}

impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// A place in the array, counted from the lower left.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Tile {
    /// Column.
    pub column: u8,
    /// Row; 0 is the shim.
    pub row: u8,
}

impl Tile {
    /// The tile at a column and a row.
    pub const fn new(column: u8, row: u8) -> Self {
        Self { column, row }
    }

    /// What kind of tile its row makes it.
    pub const fn kind(self) -> Option<TileKind> {
        Device::kind_of_row(self.row)
    }

    /// The address of a byte of this tile.
    pub const fn address(self, offset: u32) -> Address {
        Address(
            (self.column as u32) << Address::COLUMN_SHIFT
                | ((self.row as u32) & 0x1f) << Address::ROW_SHIFT
                | offset & Address::OFFSET_MASK,
        )
    }
}

/// `(column,row)`.
impl fmt::Display for Tile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({},{})", self.column, self.row)
    }
}

/// Where a register or memory word lies in the array: column, row, and 20 bits of offset in the tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Address(pub u32);

impl Address {
    /// Lowest bit of the column.
    pub const COLUMN_SHIFT: u32 = 25;
    /// Lowest bit of the row.
    pub const ROW_SHIFT: u32 = 20;
    /// The bits of the offset.
    pub const OFFSET_MASK: u32 = 0xf_ffff;

    /// The tile.
    pub const fn tile(self) -> Tile {
        Tile { column: (self.0 >> Self::COLUMN_SHIFT) as u8, row: (self.0 >> Self::ROW_SHIFT & 0x1f) as u8 }
    }

    /// Byte offset in the tile.
    pub const fn offset(self) -> u32 {
        self.0 & Self::OFFSET_MASK
    }
}

/// `(column,row)+offset`.
impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}+{:#07x}", self.tile(), self.offset())
    }
}
