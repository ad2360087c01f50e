//! The blocks of a core and how commands address them.

use std::fmt;

/// A block of the core: a group of registers with a job of its own.
///
/// Source of bases, targets and enable bits: RK3588 TRM part 1, chapter 36, and the programs of the vendor's compiler.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Block {
    /// Program controller: fetches commands, raises interrupts.
    Pc,
    /// Convolution front end: feature and weight fetch, input conversion, padding, buffer banks.
    Cna,
    /// Multipliers and accumulators.
    Core,
    /// Everything after the accumulator: bias, scale, activation, element-wise, lookup, output conversion, write.
    Dpu,
    /// The readers of the DPU: main cube, bias, scale, element-wise operand.
    DpuRdma,
    /// Pooling.
    Ppu,
    /// The reader of the PPU.
    PpuRdma,
    /// Arbitration of the memory port.
    Ddma,
    /// Arbitration of the second memory port.
    Sdma,
    /// The register that enables every block at once.
    Global,
}

impl Block {
    /// Every block, by rising base.
    pub const ALL: [Self; 10] = [
        Self::Pc,
        Self::Cna,
        Self::Core,
        Self::Dpu,
        Self::DpuRdma,
        Self::Ppu,
        Self::PpuRdma,
        Self::Ddma,
        Self::Sdma,
        Self::Global,
    ];

    /// The name, as the vendor writes it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pc => "PC",
            Self::Cna => "CNA",
            Self::Core => "CORE",
            Self::Dpu => "DPU",
            Self::DpuRdma => "DPU_RDMA",
            Self::Ppu => "PPU",
            Self::PpuRdma => "PPU_RDMA",
            Self::Ddma => "DDMA",
            Self::Sdma => "SDMA",
            Self::Global => "GLOBAL",
        }
    }

    /// The block with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|block| block.name() == name)
    }

    /// Byte offset of its first register from the base of the core. A block owns the 4096 bytes from there.
    pub const fn base(self) -> u16 {
        match self {
            Self::Pc => 0x0000,
            Self::Cna => 0x1000,
            Self::Core => 0x3000,
            Self::Dpu => 0x4000,
            Self::DpuRdma => 0x5000,
            Self::Ppu => 0x6000,
            Self::PpuRdma => 0x7000,
            Self::Ddma => 0x8000,
            Self::Sdma => 0x9000,
            Self::Global => 0xf000,
        }
    }

    /// The block that owns a register offset, whether or not the register is known.
    pub fn at(offset: u16) -> Option<Self> {
        Self::ALL.into_iter().find(|block| block.base() == offset & 0xf000)
    }

    /// The target word of a command that writes a register of this block, or `None` for the blocks that programs cannot
    /// reach (their numbers do not fit the 16 bits).
    pub const fn target(self) -> Option<u16> {
        match self {
            Self::Pc => Some(0x0101),
            Self::Cna => Some(0x0201),
            Self::Core => Some(0x0801),
            Self::Dpu => Some(0x1001),
            Self::DpuRdma => Some(0x2001),
            Self::Ppu => Some(0x4001),
            Self::PpuRdma => Some(0x8001),
            Self::Ddma | Self::Sdma | Self::Global => None,
        }
    }

    /// The block that a target word addresses.
    pub fn of_target(target: u16) -> Option<Self> {
        Self::ALL.into_iter().find(|block| block.target() == Some(target))
    }

    /// The bit that starts this block in the enable mask that ends a program, for the blocks that have one.
    pub const fn enable_bit(self) -> Option<u8> {
        match self {
            Self::Cna => Some(0),
            Self::Core => Some(2),
            Self::Dpu => Some(3),
            Self::DpuRdma => Some(4),
            Self::Ppu => Some(5),
            Self::PpuRdma => Some(6),
            Self::Pc | Self::Ddma | Self::Sdma | Self::Global => None,
        }
    }
}

impl fmt::Display for Block {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
