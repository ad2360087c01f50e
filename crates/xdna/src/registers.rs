//! The registers of a tile, as data.
//!
//! Everything here comes from `registers.tsv`: the list [`REGISTERS`], a constant with the offset of every register ([`reg`])
//! and one for every bit field ([`mod@field`]). A line may stand for a family of equal registers, such as the lock values; its
//! constants belong to the first member. The list describes AIE2 (npu1); mlir-aie uses it for AIE2P (npu2) as well.
//!
//! ```
//! use ferrite_xdna::TileKind;
//! use ferrite_xdna::registers::{Register, field, reg};
//!
//! let mut word = 0;
//! field::shim::dma_bdn_3::D0_WRAP.set(&mut word, 32).unwrap();
//! assert_eq!(word, 32 << 20);
//! let register = Register::at(TileKind::Shim, reg::shim::DMA_BDN_3 + 0x20).unwrap();
//! assert_eq!(register.name(), "DMA_BD1_3");
//!
//! let error = field::shim::dma_bdn_3::D0_WRAP.set(&mut word, 1024).unwrap_err();
//! assert_eq!(error.to_string(), "`shim.DMA_BDN_3.D0_Wrap` cannot hold 1024 (max 1023)");
//! ```

#[rustfmt::skip]
mod table;

use std::fmt;
use std::sync::LazyLock;

use crate::device::TileKind;

pub use table::{REGISTERS, field, reg};

/// The part of a tile that registers belong to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Module {
    /// The processor of a core tile.
    Core,
    /// The data memory of a core tile with its DMA and locks.
    Memory,
    /// A memory tile.
    MemoryTile,
    /// A shim tile.
    Shim,
}

impl Module {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Core, Self::Memory, Self::MemoryTile, Self::Shim];

    /// Its name in `registers.tsv`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Core => "core",
            Self::Memory => "memory",
            Self::MemoryTile => "memory_tile",
            Self::Shim => "shim",
        }
    }

    /// The kind of tile that has it.
    pub const fn tile(self) -> TileKind {
        match self {
            Self::Core | Self::Memory => TileKind::Core,
            Self::MemoryTile => TileKind::Memory,
            Self::Shim => TileKind::Shim,
        }
    }
}

impl fmt::Display for Module {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A register, or a family of equal registers.
#[derive(Debug, PartialEq, Eq)]
pub struct RegisterInfo {
    /// Where it belongs.
    pub module: Module,
    /// Byte offset in the tile of the first of the family; a multiple of 4.
    pub offset: u32,
    /// How many there are.
    pub count: u16,
    /// Bytes from one to the next; 0 for a single one.
    pub stride: u16,
    /// Name; `N` written as `{}` stands for the index.
    pub name: &'static str,
    /// Its named bit fields, lowest first. They do not overlap; bits without a name are reserved.
    pub fields: &'static [Field],
}

impl RegisterInfo {
    /// The bits that some field names.
    pub fn named_bits(&self) -> u32 {
        self.fields.iter().fold(0, |bits, field| bits | field.mask())
    }
}

/// One member of a family.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Register {
    /// The family.
    pub info: &'static RegisterInfo,
    /// Which one, less than its count.
    pub index: u16,
}

/// Every register of a kind of tile by rising offset: offset, place in [`REGISTERS`], index.
type Index = Vec<(u32, u16, u16)>;

static BY_OFFSET: LazyLock<[Index; 3]> = LazyLock::new(|| {
    TileKind::ALL.map(|kind| {
        let mut index: Index = REGISTERS
            .iter()
            .zip(0..)
            .filter(|(info, _)| info.module.tile() == kind)
            .flat_map(|(info, place)| {
                (0..info.count).map(move |n| (info.offset + u32::from(n * info.stride), place, n))
            })
            .collect();
        index.sort_unstable();
        index
    })
});

impl Register {
    /// The register at a byte offset in a tile.
    pub fn at(kind: TileKind, offset: u32) -> Option<Self> {
        let index = BY_OFFSET.get(kind as usize)?;
        let place = index.binary_search_by_key(&offset, |entry| entry.0).ok()?;
        let (_, info, index) = *index.get(place)?;
        Some(Self { info: REGISTERS.get(usize::from(info))?, index })
    }

    /// The register of a kind of tile with this name.
    pub fn named(kind: TileKind, name: &str) -> Option<Self> {
        Self::all(kind).find(|register| register.name() == name)
    }

    /// Every register of a kind of tile by rising offset.
    pub fn all(kind: TileKind) -> impl Iterator<Item = Self> {
        let index = BY_OFFSET.get(kind as usize).map_or(&[][..], Vec::as_slice);
        index
            .iter()
            .filter_map(|(_, info, index)| Some(Self { info: REGISTERS.get(usize::from(*info))?, index: *index }))
    }

    /// Byte offset in the tile.
    pub const fn offset(&self) -> u32 {
        self.info.offset + self.index as u32 * self.info.stride as u32
    }

    /// Its own name: `Lock3_value`.
    pub fn name(&self) -> String {
        self.info.name.replace("{}", &self.index.to_string())
    }

    /// A word as the fields that are not zero: `Enable=1`; bits without a name as `reserved=0x…`.
    pub fn describe(&self, word: u32) -> String {
        let mut parts: Vec<String> = self
            .info
            .fields
            .iter()
            .filter(|field| field.is_set(word))
            .map(|field| format!("{}={:#x}", field.name, field.get(word)))
            .collect();
        let rest = word & !self.info.named_bits();
        if rest != 0 {
            parts.push(format!("reserved={rest:#x}"));
        }
        if parts.is_empty() { "0".to_owned() } else { parts.join(" ") }
    }

    /// The fields that a masked write touches, with their new values: `Enable=1 Reset=0`.
    pub fn describe_masked(&self, word: u32, mask: u32) -> String {
        let touched: Vec<String> = self
            .info
            .fields
            .iter()
            .filter(|field| field.mask() & mask != 0)
            .map(|field| format!("{}={:#x}", field.name, field.get(word & mask)))
            .collect();
        let rest = mask & !self.info.named_bits();
        match (touched.is_empty(), rest) {
            (true, 0) => "nothing".to_owned(),
            (true, _) => format!("reserved={:#x}", word & rest),
            (false, 0) => touched.join(" "),
            (false, _) => format!("{} reserved={:#x}", touched.join(" "), word & rest),
        }
    }
}

/// One bit field of a register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Field {
    /// Where its register belongs.
    pub module: Module,
    /// The name of its register's constant.
    pub register: &'static str,
    /// The offset of its register.
    pub offset: u32,
    /// Its own name.
    pub name: &'static str,
    /// Its lowest bit.
    pub low: u8,
    /// Its highest bit, at most 31.
    pub high: u8,
}

impl Field {
    /// Number of bits, 1 to 32.
    pub const fn width(&self) -> u32 {
        (self.high - self.low) as u32 + 1
    }

    /// The largest value that fits, read as unsigned.
    pub const fn max(&self) -> u32 {
        u32::MAX >> (32 - self.width())
    }

    /// The bits of the register that belong to the field.
    pub const fn mask(&self) -> u32 {
        self.max() << self.low
    }

    /// Its value in a register's word, unsigned.
    pub const fn get(&self, word: u32) -> u32 {
        (word >> self.low) & self.max()
    }

    /// Whether its value is not zero: the natural reading of one-bit fields.
    pub const fn is_set(&self, word: u32) -> bool {
        word & self.mask() != 0
    }

    /// Its value in a register's word, in two's complement of the field's width.
    pub const fn get_signed(&self, word: u32) -> i32 {
        let unused = 32 - self.width();
        ((self.get(word) << unused) as i32) >> unused
    }

    /// Puts a value into a register's word and leaves the other bits alone.
    ///
    /// # Errors
    /// [`FieldOverflow`] if the value needs more bits than the field has; the word is then unchanged.
    pub const fn set(&self, word: &mut u32, value: u32) -> Result<(), FieldOverflow> {
        if value > self.max() {
            return Err(FieldOverflow { field: *self, value: value as i64, min: 0, max: self.max() as i64 });
        }
        *word = *word & !self.mask() | value << self.low;
        Ok(())
    }

    /// Puts a signed value into a register's word, in two's complement of the field's width.
    ///
    /// # Errors
    /// [`FieldOverflow`] if the value does not fit; the word is then unchanged.
    pub const fn set_signed(&self, word: &mut u32, value: i32) -> Result<(), FieldOverflow> {
        let max = (self.max() >> 1) as i32;
        let min = -max - 1;
        if value < min || value > max {
            return Err(FieldOverflow { field: *self, value: value as i64, min: min as i64, max: max as i64 });
        }
        *word = *word & !self.mask() | (value as u32 & self.max()) << self.low;
        Ok(())
    }
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.module, self.register, self.name)
    }
}

/// A value does not fit the bits of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("`{field}` cannot hold {value} ({})", self.limit())]
pub struct FieldOverflow {
    /// The field.
    pub field: Field,
    /// The value that does not fit.
    pub value: i64,
    /// The smallest value that fits.
    pub min: i64,
    /// The largest value that fits.
    pub max: i64,
}

impl FieldOverflow {
    fn limit(&self) -> String {
        if self.value < self.min { format!("min {}", self.min) } else { format!("max {}", self.max) }
    }
}

/// Turns the generated list into constants; see the module for what comes out.
macro_rules! registers {
    ($($module:ident $lower:ident {
        $($offset:literal $count:literal $stride:literal $text:literal $register:ident $fields:ident {
            $($low:literal $high:literal $field_text:literal $field:ident;)*
        })*
    })*) => {
        /// Every register of every module, by module and rising offset.
        pub static REGISTERS: &[RegisterInfo] = &[$($(RegisterInfo {
            module: Module::$module,
            offset: $offset,
            count: $count,
            stride: $stride,
            name: $text,
            fields: &[$(field::$lower::$fields::$field),*],
        },)*)*];

        /// The offset of every register, by module: `reg::shim::DMA_BDN_0`.
        pub mod reg {
            $(
                #[doc = concat!("Offsets of the registers of ", stringify!($module), ".")]
                pub mod $lower {
                    $(
                        #[doc = concat!("`", $text, "`, at ", stringify!($offset), ".")]
                        pub const $register: u32 = $offset;
                    )*
                }
            )*
        }

        /// Every bit field, by module and register: `field::shim::dma_bdn_3::D0_WRAP`.
        pub mod field {
            $(
                #[doc = concat!("Fields of the registers of ", stringify!($module), ".")]
                pub mod $lower {
                    $(
                        #[doc = concat!("Fields of `", $text, "`, at ", stringify!($offset), ".")]
                        pub mod $fields {
                            use crate::registers::{Field, Module};
                            $(
                                #[doc = concat!("Bits ", stringify!($low), " to ", stringify!($high), " of `", $text, "`.")]
                                pub const $field: Field = Field {
                                    module: Module::$module,
                                    register: stringify!($register),
                                    offset: $offset,
                                    name: $field_text,
                                    low: $low,
                                    high: $high,
                                };
                            )*
                        }
                    )*
                }
            )*
        }
    };
}
use registers;
