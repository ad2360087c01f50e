//! One command of a program.

use std::fmt;

use crate::bits::bits;
use crate::registers::{Block, RegisterInfo, reg};

/// Target word of [`CommandKind::Barrier`].
pub const BARRIER_TARGET: u16 = 0x0041;
/// Target word of [`CommandKind::Enable`].
pub const ENABLE_TARGET: u16 = 0x0081;

/// A 64-bit command: target in bits 48 to 63, value in bits 16 to 47, register offset in bits 0 to 15.
///
/// Any 64 bits are a `Command`; [`decode`](Self::decode) says what they mean, and nothing is lost by it.
/// Source: RK3588 TRM part 1, chapter 36.
///
/// ```
/// use ferrite_rknpu::{Block, Command, CommandKind, reg};
///
/// let command = Command(0x0201_0000_0120_100c);
/// assert_eq!(
///     command.decode(),
///     CommandKind::Write { block: Block::Cna, offset: reg::cna::CONV_CON1, value: 0x120 }
/// );
/// assert_eq!(Command::from(command.decode()), command);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Command(pub u64);

/// What a [`Command`] means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CommandKind {
    /// Writes a register of `block`; the offset lies in the block's page, but the register need not be a known one.
    Write {
        /// The block.
        block: Block,
        /// Byte offset of the register from the base of the core.
        offset: u16,
        /// The value.
        value: u32,
    },
    /// Must stand before [`Enable`](Self::Enable): waits for the writes before it.
    Barrier,
    /// Starts the blocks of the mask; the last command of a program.
    Enable {
        /// The blocks to start.
        mask: EnableMask,
    },
    /// All 64 bits are zero: no effect.
    Nop,
    /// Anything else: no known target, an offset outside the target's page, a barrier or enable with stray bits.
    Unknown {
        /// Bits 48 to 63.
        target: u16,
        /// Bits 0 to 15.
        offset: u16,
        /// Bits 16 to 47.
        value: u32,
    },
}

impl Command {
    /// No effect.
    pub const NOP: Self = Self(0);
    /// The barrier that precedes the enable.
    pub const BARRIER: Self = Self::new(BARRIER_TARGET, 0, 0);

    /// A command from its three parts.
    pub const fn new(target: u16, offset: u16, value: u32) -> Self {
        Self((target as u64) << 48 | (value as u64) << 16 | offset as u64)
    }

    /// A write of the register at `offset`, or `None` if programs cannot reach the block that owns the offset.
    pub fn write(offset: u16, value: u32) -> Option<Self> {
        Some(Self::new(Block::at(offset)?.target()?, offset, value))
    }

    /// The command that starts the blocks of `mask`.
    pub const fn enable(mask: EnableMask) -> Self {
        Self::new(ENABLE_TARGET, reg::pc::OPERATION_ENABLE, mask.0)
    }

    /// Bits 48 to 63.
    pub const fn target(self) -> u16 {
        (self.0 >> 48) as u16
    }

    /// Bits 0 to 15: the register's byte offset from the base of the core.
    pub const fn offset(self) -> u16 {
        self.0 as u16
    }

    /// Bits 16 to 47.
    pub const fn value(self) -> u32 {
        (self.0 >> 16) as u32
    }

    /// The same command with another value; this is what relocating an address register takes.
    pub const fn with_value(self, value: u32) -> Self {
        Self::new(self.target(), self.offset(), value)
    }

    /// What the command means. `Command::from` gives the same 64 bits back.
    pub fn decode(self) -> CommandKind {
        let (target, offset, value) = (self.target(), self.offset(), self.value());
        match (target, offset) {
            _ if self == Self::NOP => CommandKind::Nop,
            _ if self == Self::BARRIER => CommandKind::Barrier,
            (ENABLE_TARGET, reg::pc::OPERATION_ENABLE) => CommandKind::Enable { mask: EnableMask(value) },
            _ => match Block::of_target(target).filter(|block| Block::at(offset) == Some(*block)) {
                Some(block) => CommandKind::Write { block, offset, value },
                None => CommandKind::Unknown { target, offset, value },
            },
        }
    }

    /// The register that the command writes, if it is a write of a known register.
    pub fn register(self) -> Option<&'static RegisterInfo> {
        match self.decode() {
            CommandKind::Write { offset, .. } => RegisterInfo::at(offset),
            _ => None,
        }
    }
}

impl From<CommandKind> for Command {
    /// Encodes; a write to a block that programs cannot reach (none that [`Command::decode`] returns) gets target 0.
    fn from(kind: CommandKind) -> Self {
        match kind {
            CommandKind::Write { block, offset, value } => Self::new(block.target().unwrap_or(0), offset, value),
            CommandKind::Barrier => Self::BARRIER,
            CommandKind::Enable { mask } => Self::enable(mask),
            CommandKind::Nop => Self::NOP,
            CommandKind::Unknown { target, offset, value } => Self::new(target, offset, value),
        }
    }
}

impl fmt::Debug for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Command({:#018x})", self.0)
    }
}

bits! {
    /// Which blocks a program starts, as in the command that ends it and in [`TaskRecord`](crate::TaskRecord).
    ///
    /// The vendor's compiler uses 0x1d and 0x0d for convolutions with and without DPU_RDMA, 0x18 for work that goes from
    /// memory through the DPU to memory, and 0x60 for pooling. Bit 1 has no known block.
    EnableMask {
        /// The CNA.
        CNA = 0x01;
        /// The CORE.
        CORE = 0x04;
        /// The DPU.
        DPU = 0x08;
        /// The readers of the DPU.
        DPU_RDMA = 0x10;
        /// The PPU.
        PPU = 0x20;
        /// The reader of the PPU.
        PPU_RDMA = 0x40;
    }
}

impl EnableMask {
    /// Whether the mask starts a block. Blocks without an enable bit are never started.
    pub fn starts(self, block: Block) -> bool {
        block.enable_bit().is_some_and(|bit| self.0 >> bit & 1 == 1)
    }

    /// The blocks it starts, by rising base.
    pub fn blocks(self) -> impl Iterator<Item = Block> {
        Block::ALL.into_iter().filter(move |block| self.starts(*block))
    }
}
