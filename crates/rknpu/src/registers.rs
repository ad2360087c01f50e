//! The registers of one RKNPU2 core, as data.
//!
//! Everything here comes from `registers.tsv`: the list [`REGISTERS`], a constant with the offset of every register
//! ([`reg`]) and a constant for every bit field ([`mod@field`]). [`Block`] says where a block sits and how commands address it.
//!
//! ```
//! use ferrite_rknpu::registers::{RegisterInfo, field, reg};
//!
//! let mut word = 0x0000_0120;
//! assert_eq!(field::cna::conv_con1::PROC_PRECISION.get(word), 2);
//! field::cna::conv_con1::CONV_MODE.set(&mut word, 3).unwrap();
//! assert_eq!(word, 0x0000_0123);
//! assert_eq!(RegisterInfo::at(reg::cna::CONV_CON1).unwrap().full_name(), "CNA.CONV_CON1");
//!
//! let error = field::cna::conv_con3::CONV_X_STRIDE.set(&mut word, 50).unwrap_err();
//! assert_eq!(error.to_string(), "`CNA.CONV_CON3.CONV_X_STRIDE` cannot hold 50 (max 7)");
//! ```

mod block;
#[rustfmt::skip]
mod table;

use std::fmt;

pub use block::Block;
pub use table::{REGISTERS, field, reg};

/// One register of a core.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RegisterInfo {
    /// The block it belongs to.
    pub block: Block,
    /// Byte offset from the base of the core, as commands carry it; a multiple of 4.
    pub offset: u16,
    /// Name inside the block, as in the vendor's manual.
    pub name: &'static str,
    /// What it holds.
    pub kind: Kind,
    /// Its bit fields, lowest first. They do not overlap, and together they cover all 32 bits (reserved ones included).
    pub fields: &'static [Field],
}

/// What a register holds, as far as relocation and range checks care.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Anything but a device address.
    Plain,
    /// A device address that the core reads data from.
    Read,
    /// A device address that the core writes data to.
    Write,
    /// The device address of the program of the next task.
    NextProgram,
}

impl Kind {
    /// Whether the register holds a device address, which a loader must relocate.
    pub const fn is_address(self) -> bool {
        !matches!(self, Self::Plain)
    }
}

impl RegisterInfo {
    /// The register at an offset from the base of the core.
    pub fn at(offset: u16) -> Option<&'static Self> {
        let index = REGISTERS.binary_search_by_key(&offset, |register| register.offset).ok()?;
        REGISTERS.get(index)
    }

    /// The register with a full name such as `CNA.CONV_CON1`.
    pub fn named(name: &str) -> Option<&'static Self> {
        let (block, register) = name.split_once('.')?;
        REGISTERS.iter().find(|info| info.name == register && info.block.name() == block)
    }

    /// Its name with the block: `CNA.CONV_CON1`.
    pub fn full_name(&self) -> String {
        format!("{}.{}", self.block, self.name)
    }

    /// One of its fields by name.
    pub fn field(&self, name: &str) -> Option<&'static Field> {
        self.fields.iter().find(|field| field.name == name)
    }
}

impl fmt::Display for RegisterInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.block, self.name)
    }
}

/// One bit field of a register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Field {
    /// The block of its register.
    pub block: Block,
    /// The name of its register.
    pub register: &'static str,
    /// The offset of its register.
    pub offset: u16,
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

    /// Whether the manual only says "reserved" about it.
    pub fn is_reserved(&self) -> bool {
        self.name.starts_with("RESERVED_")
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
        write!(f, "{}.{}.{}", self.block, self.register, self.name)
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
    ($($block:ident $block_module:ident {
        $($offset:literal $register:ident $module:ident $kind:ident { $($low:literal $high:literal $field:ident;)* })*
    })*) => {
        /// Every register of a core, by rising offset.
        pub static REGISTERS: &[RegisterInfo] = &[$($(RegisterInfo {
            block: Block::$block,
            offset: $offset,
            name: stringify!($register),
            kind: Kind::$kind,
            fields: &[$(field::$block_module::$module::$field),*],
        },)*)*];

        /// The offset of every register, by block: `reg::cna::CONV_CON1`.
        pub mod reg {
            $(
                #[doc = concat!("Offsets of the registers of ", stringify!($block), ".")]
                pub mod $block_module {
                    $(
                        #[doc = concat!("`", stringify!($register), "`, at ", stringify!($offset), ".")]
                        pub const $register: u16 = $offset;
                    )*
                }
            )*
        }

        /// Every bit field, by block and register: `field::cna::conv_con1::CONV_MODE`.
        pub mod field {
            $(
                #[doc = concat!("Fields of the registers of ", stringify!($block), ".")]
                pub mod $block_module {
                    $(
                        #[doc = concat!("Fields of `", stringify!($register), "`, at ", stringify!($offset), ".")]
                        pub mod $module {
                            use crate::registers::{Block, Field};
                            $(
                                #[doc = concat!("Bits ", stringify!($low), " to ", stringify!($high), " of `", stringify!($register), "`.")]
                                pub const $field: Field = Field {
                                    block: Block::$block,
                                    register: stringify!($register),
                                    offset: $offset,
                                    name: stringify!($field),
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
