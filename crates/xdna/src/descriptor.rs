//! Buffer descriptors: what a DMA channel moves, in which order, under which locks.
//!
//! A descriptor walks up to four dimensions: D0 advances by its step for every word, D1 after `wrap` words, and so on; the
//! outermost has no wrap and runs until `length` words are done. Each execution starts `iteration.current` iteration steps
//! further. The three kinds of tile have different words for the same things; [`Descriptor`] has them all, in units of words and
//! bytes and not minus one, and says what a kind of tile cannot do.
//!
//! ```
//! use ferrite_xdna::TileKind;
//! use ferrite_xdna::descriptor::{Descriptor, Dimension};
//!
//! let mut descriptor = Descriptor { length: 2048, valid: true, ..Descriptor::default() };
//! descriptor.dimensions[0] = Dimension { step: 1, wrap: 32 };
//! descriptor.dimensions[1] = Dimension { step: 64, wrap: 32 };
//! descriptor.dimensions[2].step = 2048;
//! let words = descriptor.encode(TileKind::Shim).unwrap();
//! assert_eq!(words[3..6], [0x0200_0000, 0x0200_003f, 0x0000_07ff]);
//! assert_eq!(Descriptor::decode(TileKind::Shim, &words), Some(descriptor));
//! ```

mod check;
mod layout;

use std::fmt;

use crate::device::TileKind;
use crate::registers::FieldOverflow;

pub use check::{Problem, Use};
pub use layout::Part;

/// A buffer descriptor of any tile. The default is an invalid descriptor of no words, contiguous, without iteration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Descriptor {
    /// Words that one execution moves. Padding is not counted.
    pub length: u32,
    /// First byte: in the tile's own view of memory, or, for a shim tile, a 48-bit device address. A multiple of 4.
    pub address: u64,
    /// D0 to D3, D0 innermost. Shim and core tiles have three, and the last that a tile has no wrap.
    pub dimensions: [Dimension; 4],
    /// How executions after the first move on.
    pub iteration: Iteration,
    /// Zeros that are sent around D0 to D2; memory tiles only, MM2S only.
    pub padding: [Padding; 3],
    /// The packet header that is sent ahead.
    pub packet: Packet,
    /// Number that an out-of-order S2MM channel finds this descriptor by.
    pub out_of_order: u8,
    /// The lock that is taken before the first word.
    pub acquire: Acquire,
    /// The lock that is given back after the last word.
    pub release: Release,
    /// The descriptor that follows.
    pub next: Next,
    /// Whether it may be executed.
    pub valid: bool,
    /// MM2S: no TLAST after the last word.
    pub suppress_tlast: bool,
    /// Whether zeros are compressed; core and memory tiles.
    pub compression: bool,
    /// How a shim tile talks to memory.
    pub bus: Bus,
    /// Bits of the words that no field covers.
    pub reserved: [u32; 8],
}

/// One dimension of a walk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Dimension {
    /// Words from one element to the next, at least 1.
    pub step: u32,
    /// Elements after which the next dimension advances; 0 for never.
    pub wrap: u32,
}

impl Default for Dimension {
    fn default() -> Self {
        Self { step: 1, wrap: 0 }
    }
}

/// How executions after the first move on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Iteration {
    /// Words from one execution to the next, at least 1.
    pub step: u32,
    /// Executions after which the first place comes again, 1 to 64.
    pub wrap: u32,
    /// The execution that is next, from 0; the hardware counts it on.
    pub current: u8,
}

impl Default for Iteration {
    fn default() -> Self {
        Self { step: 1, wrap: 1, current: 0 }
    }
}

/// Zeros around one dimension: words for D0, whole padded rows for D1, whole padded planes for D2.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Padding {
    /// Before the data.
    pub before: u8,
    /// After the data.
    pub after: u8,
}

/// A packet header.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Packet {
    /// Whether it is sent.
    pub enabled: bool,
    /// Its id, 5 bits.
    pub id: u8,
    /// Its type, 3 bits.
    pub kind: u8,
}

/// A lock to take: with a negative value, wait until the lock has at least its magnitude and subtract that; with any other, wait
/// until the lock equals it and subtract it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Acquire {
    /// Whether one is taken.
    pub enabled: bool,
    /// Which, in the numbering of the tile's descriptors: memory tiles count 64 of their western neighbour first.
    pub lock: u8,
    /// The value, -64 to 63.
    pub value: i8,
}

/// A lock to give back: the value is added, 0 does nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Release {
    /// Which, numbered as in [`Acquire`].
    pub lock: u8,
    /// The value, -64 to 63.
    pub value: i8,
}

/// The descriptor that follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Next {
    /// Whether one follows; else the task ends.
    pub enabled: bool,
    /// Which.
    pub descriptor: u8,
}

/// How a shim tile talks to memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Bus {
    /// Burst length as a place in [`Generation::bursts`](crate::Generation::bursts).
    pub burst: u8,
    /// AxCache; mlir-aie writes 2.
    pub cache: u8,
    /// AxQoS.
    pub qos: u8,
    /// Stream id of the memory management unit.
    pub smid: u8,
    /// Secure access.
    pub secure: bool,
}

/// Why a descriptor cannot be written as words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DescriptorError {
    /// A value that does not fit its field.
    #[error("{part} of a {kind} tile's buffer descriptor: {overflow}")]
    Overflow {
        /// Kind of tile.
        kind: TileKind,
        /// What does not fit.
        part: Part,
        /// Field, value and limits.
        overflow: FieldOverflow,
    },
    /// Something that this kind of tile has not.
    #[error("a {kind} tile's buffer descriptor has no {part}, but {value} is asked for")]
    Unsupported {
        /// Kind of tile.
        kind: TileKind,
        /// What it has not.
        part: Part,
        /// What is asked for, as the field would store it.
        value: i64,
    },
    /// A step of 0, or an iteration over 0 executions: the hardware stores these minus one.
    #[error("{part} is stored minus one, so it cannot be 0")]
    Zero {
        /// Which.
        part: Part,
    },
    /// An address between words.
    #[error("address {0:#x} is no multiple of 4")]
    Unaligned(u64),
}

impl Descriptor {
    /// The descriptor in the words of a kind of tile; `None` if there are too few. Further words are not looked at.
    pub fn decode(kind: TileKind, words: &[u32]) -> Option<Self> {
        layout::decode(kind, words)
    }

    /// The words of a kind of tile: 8, or 6 for core tiles.
    ///
    /// # Errors
    /// If a value does not fit, or if the tile has not what is asked for.
    pub fn encode(&self, kind: TileKind) -> Result<Vec<u32>, DescriptorError> {
        layout::encode(self, kind)
    }

    /// What is wrong with it as descriptor number `id` of a tile, beyond what [`Descriptor::encode`] refuses.
    pub fn check(&self, how: &Use) -> Vec<Problem> {
        check::check(self, how)
    }

    /// Whether consecutive words are moved, execution after execution.
    pub fn is_linear(&self) -> bool {
        let Self { dimensions, iteration, .. } = self;
        dimensions[0].step == 1 && dimensions[0].wrap == 0 && iteration.wrap == 1 && iteration.current == 0
    }

    /// The words from the first one to the last one that executions touch, relative to the address.
    pub fn extent(&self, kind: TileKind) -> u64 {
        if self.length == 0 {
            return 0;
        }
        let count = usize::from(kind.facts().dimensions);
        let mut rest = u64::from(self.length);
        let mut last = 0;
        for dimension in &self.dimensions[..count] {
            let wrap = u64::from(dimension.wrap);
            let here = if wrap == 0 { rest } else { rest.min(wrap) };
            last += (here - 1) * u64::from(dimension.step);
            rest = rest.div_ceil(here);
            if wrap == 0 {
                break;
            }
        }
        last + u64::from(self.iteration.wrap.saturating_sub(1)) * u64::from(self.iteration.step) + 1
    }
}

/// What it does in one line; nothing is said about what is off.
impl fmt::Display for Descriptor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} words at {:#x}", self.length, self.address)?;
        if !self.is_linear() {
            for (index, dimension) in self.dimensions.iter().enumerate().filter(|(_, d)| **d != Dimension::default()) {
                write!(f, ", D{index} step {}", dimension.step)?;
                if dimension.wrap != 0 {
                    write!(f, " wrap {}", dimension.wrap)?;
                }
            }
        }
        for (index, padding) in self.padding.iter().enumerate().filter(|(_, p)| **p != Padding::default()) {
            write!(f, ", D{index} padded {}+{}", padding.before, padding.after)?;
        }
        if self.iteration != Iteration::default() {
            let Iteration { step, wrap, current } = self.iteration;
            write!(f, ", iteration {current} of {wrap} step {step}")?;
        }
        if self.packet.enabled {
            write!(f, ", packet {} type {}", self.packet.id, self.packet.kind)?;
        }
        if self.acquire.enabled {
            let sign = if self.acquire.value < 0 { ">=" } else { "==" };
            write!(f, ", acquire lock {} {sign} {}", self.acquire.lock, self.acquire.value.unsigned_abs())?;
        }
        if self.release.value != 0 {
            write!(f, ", release lock {} by {}", self.release.lock, self.release.value)?;
        }
        if self.next.enabled {
            write!(f, ", then descriptor {}", self.next.descriptor)?;
        }
        f.write_str(if self.valid { "" } else { ", not valid" })
    }
}
