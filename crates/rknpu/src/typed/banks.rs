//! Register banks: what a program writes, and what a task therefore runs with.
//!
//! Every block has two banks and a pointer. A program writes the bank at its block's pointer and runs from it; after the task
//! the pointer of every block that the program starts moves to the other bank. A program that writes few registers is
//! therefore a difference to the task two uses of that block ago. Established by executing the vendor's programs: with a
//! single bank, or with one parity for all blocks, their results are wrong.

use std::collections::BTreeMap;

use crate::command::{Command, CommandKind, EnableMask};
use crate::registers::{Block, reg};

/// Registers that fit the dense part of a bank: every block's known registers lie in its first 512 bytes.
const DENSE: usize = 0x80;
/// Entries of one lookup table.
pub const LUT_ENTRIES: usize = 513;

/// The blocks that have banks.
pub const BANKED: [Block; 6] = [Block::Cna, Block::Core, Block::Dpu, Block::DpuRdma, Block::Ppu, Block::PpuRdma];

/// One bank of one block: a value per register, zero where nothing was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bank {
    dense: Box<[u32; DENSE]>,
    other: BTreeMap<u16, u32>,
}

impl Default for Bank {
    fn default() -> Self {
        Self { dense: Box::new([0; DENSE]), other: BTreeMap::new() }
    }
}

impl Bank {
    fn slot(register: u16) -> Option<usize> {
        let index = usize::from(register & 0xfff) / 4;
        (register & 3 == 0 && index < DENSE).then_some(index)
    }

    /// The value of the register at this offset in the core.
    pub fn get(&self, register: u16) -> u32 {
        match Self::slot(register) {
            Some(slot) => self.dense[slot],
            None => self.other.get(&register).copied().unwrap_or(0),
        }
    }

    /// Writes the register at this offset in the core.
    pub fn set(&mut self, register: u16, value: u32) {
        match Self::slot(register) {
            Some(slot) => self.dense[slot] = value,
            None if value == 0 => drop(self.other.remove(&register)),
            None => drop(self.other.insert(register, value)),
        }
    }

    /// The registers that are not zero, by rising offset, for a bank of `block`.
    pub fn nonzero(&self, block: Block) -> impl Iterator<Item = (u16, u32)> {
        let base = block.base();
        let dense = self.dense.iter().enumerate().filter(|(_, value)| **value != 0);
        let dense = dense.map(move |(slot, value)| (base + (slot * 4) as u16, *value));
        let mut all: Vec<_> = dense.chain(self.other.iter().map(|(register, value)| (*register, *value))).collect();
        all.sort_unstable();
        all.into_iter()
    }
}

/// One entry written into a lookup table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LutWrite {
    /// 0 for LE, 1 for LO.
    pub table: u8,
    /// Entry, below [`LUT_ENTRIES`].
    pub index: u16,
    /// The entry's value.
    pub value: i16,
}

/// What a task runs with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EffectiveState {
    /// The blocks that the program starts.
    pub enable: EnableMask,
    /// The bank of every block that it starts, in the order of [`BANKED`].
    pub banks: Vec<(Block, Bank)>,
    /// Lookup table entries that the program writes, in order.
    pub lut: Vec<LutWrite>,
}

impl EffectiveState {
    /// The bank a started block runs from.
    pub fn bank(&self, block: Block) -> Option<&Bank> {
        self.banks.iter().find(|(of, _)| *of == block).map(|(_, bank)| bank)
    }
}

/// A program that cannot be replayed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReplayError {
    /// A command with no known meaning.
    #[error("command {index} has no known meaning: target {target:#06x}, offset {offset:#06x}, value {value:#010x}")]
    UnknownCommand {
        /// Position in the program.
        index: usize,
        /// Bits 48 to 63.
        target: u16,
        /// Bits 0 to 15.
        offset: u16,
        /// Bits 16 to 47.
        value: u32,
    },
    /// The program starts nothing.
    #[error("the program of {commands} commands has no command that starts blocks")]
    NoEnable {
        /// Length of the program.
        commands: usize,
    },
    /// Something stands behind the command that starts the blocks.
    #[error("command {index} of {commands} starts blocks, but is not the last")]
    EarlyEnable {
        /// Position in the program.
        index: usize,
        /// Length of the program.
        commands: usize,
    },
    /// The mask starts something that is not known.
    #[error("the enable mask {mask:#x} has bits without a known block")]
    UnknownBlock {
        /// The mask.
        mask: u32,
    },
    /// A lookup table entry beyond the end of its table.
    #[error("command {index} writes entry {entry} of a lookup table of {LUT_ENTRIES}")]
    LutIndex {
        /// Position in the program.
        index: usize,
        /// The entry.
        entry: u32,
    },
}

#[derive(Debug, Clone, Default)]
struct Pair {
    banks: [Bank; 2],
    pointer: usize,
}

/// The register banks of one core over one submission. A submission starts with every pointer at bank 0.
#[derive(Debug, Clone, Default)]
pub struct Banks {
    pairs: [Pair; BANKED.len()],
    lut_port: u32,
    lut_next: u32,
}

impl Banks {
    /// Banks full of zeros, pointers at bank 0.
    pub fn new() -> Self {
        Self::default()
    }

    /// Applies one task's program, tail included, and moves the pointers.
    ///
    /// # Errors
    /// [`ReplayError`] for what cannot be given a meaning; the banks are then half written and good for nothing.
    pub fn apply(&mut self, program: &[Command]) -> Result<EffectiveState, ReplayError> {
        let mut lut = Vec::new();
        let mut enable = None;
        for (index, command) in program.iter().enumerate() {
            match command.decode() {
                CommandKind::Write { offset: reg::dpu::LUT_ACCESS_CFG, value, .. } => {
                    self.lut_port = value;
                    self.lut_next = value & 0x3ff;
                }
                CommandKind::Write { offset: reg::dpu::LUT_ACCESS_DATA, value, .. } => {
                    lut.extend(self.lut_data(index, value)?);
                }
                CommandKind::Write { block, offset, value } => self.write(block, offset, value),
                CommandKind::Barrier | CommandKind::Nop => {}
                CommandKind::Enable { mask } if index + 1 == program.len() => enable = Some(mask),
                CommandKind::Enable { .. } => {
                    return Err(ReplayError::EarlyEnable { index, commands: program.len() });
                }
                CommandKind::Unknown { target, offset, value } => {
                    return Err(ReplayError::UnknownCommand { index, target, offset, value });
                }
            }
        }
        let enable = enable.ok_or(ReplayError::NoEnable { commands: program.len() })?;
        let known = BANKED.iter().filter_map(|block| block.enable_bit()).fold(0, |mask, bit| mask | 1 << bit);
        if enable.0 & !known != 0 {
            return Err(ReplayError::UnknownBlock { mask: enable.0 });
        }
        let mut banks = Vec::new();
        for (pair, block) in self.pairs.iter_mut().zip(BANKED) {
            if enable.starts(block) {
                banks.push((block, pair.banks[pair.pointer].clone()));
                pair.pointer ^= 1;
            }
        }
        Ok(EffectiveState { enable, banks, lut })
    }

    fn write(&mut self, block: Block, offset: u16, value: u32) {
        // The program controller's registers chain programs; they are no part of what a task does.
        if let Some(at) = BANKED.iter().position(|banked| *banked == block) {
            let pair = &mut self.pairs[at];
            pair.banks[pair.pointer].set(offset, value);
        }
    }

    /// Data written while the port is not set to writing are ignored: every full program writes zeros to both registers,
    /// and honouring that would destroy the first entry.
    fn lut_data(&mut self, index: usize, value: u32) -> Result<Option<LutWrite>, ReplayError> {
        if self.lut_port >> 17 & 1 == 0 {
            return Ok(None);
        }
        let entry = self.lut_next;
        if entry as usize >= LUT_ENTRIES {
            return Err(ReplayError::LutIndex { index, entry });
        }
        self.lut_next += 1;
        Ok(Some(LutWrite { table: (self.lut_port >> 16 & 1) as u8, index: entry as u16, value: value as u16 as i16 }))
    }
}
