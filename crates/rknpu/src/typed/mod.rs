//! Typed decode: what the programs of a submission do, task by task.
//!
//! [`Banks`] replays programs into the registers each task runs with, [`Job`] gives those registers names, units and signs,
//! and [`ranges`] says which memory a job touches. Emulator, disassembler, linter and cost model share this.
//!
//! A [`Job`] keeps every bit: what has no typed field stays in [`Job::rest`], so [`Job::encode`] restores the registers.

mod banks;
mod cna;
mod codes;
mod dpu;
mod field;
mod ppu;
pub mod ranges;
mod rdma;
#[cfg(test)]
mod tests;

pub use banks::{BANKED, Bank, Banks, EffectiveState, LUT_ENTRIES, LutWrite, ReplayError};
pub use cna::{Cna, Core, InputConverter};
pub use codes::{AluAlgorithm, ConvolutionMode, ElementSize, PoolingMethod, Precision};
pub use dpu::{Dpu, ElementwiseStage, LutStage, OutputConverter, ScaleStage};
pub use field::{EncodeError, FieldPlace};
pub use ppu::{Ppu, PpuRdma};
pub use rdma::{DpuRdma, OperandRecord};

use std::sync::OnceLock;

use crate::command::{Command, EnableMask};
use crate::registers::{Block, reg};

/// Register bits without a typed field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RawBits {
    /// The block.
    pub block: Block,
    /// The register's offset in the core.
    pub register: u16,
    /// Its bits, those with a typed field cleared.
    pub bits: u32,
}

/// What one task does.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Job {
    /// The blocks it starts; each has its typed registers below.
    pub enable: EnableMask,
    /// Feature and weight fetch.
    pub cna: Option<Cna>,
    /// Multipliers.
    pub core: Option<Core>,
    /// Post-processing.
    pub dpu: Option<Dpu>,
    /// Its readers.
    pub dpu_rdma: Option<DpuRdma>,
    /// Pooling.
    pub ppu: Option<Ppu>,
    /// Its reader.
    pub ppu_rdma: Option<PpuRdma>,
    /// Lookup table entries it writes, in order.
    pub lut: Vec<LutWrite>,
    /// Nonzero bits without a typed field, by rising register.
    pub rest: Vec<RawBits>,
}

/// Every typed field of a block, in no particular order; nothing for blocks without banks.
pub fn places(block: Block) -> Vec<FieldPlace> {
    let mut places = Vec::new();
    match block {
        Block::Cna => Cna::places(0, &mut places),
        Block::Core => Core::places(0, &mut places),
        Block::Dpu => Dpu::places(0, &mut places),
        Block::DpuRdma => DpuRdma::places(0, &mut places),
        Block::Ppu => Ppu::places(0, &mut places),
        Block::PpuRdma => PpuRdma::places(0, &mut places),
        _ => {}
    }
    places
}

/// A block's registers with typed fields and the bits those cover.
struct Coverage {
    masks: Bank,
    registers: Vec<u16>,
}

impl Coverage {
    /// The coverage of a block with banks, computed once.
    fn of(block: Block) -> &'static Self {
        static ALL: OnceLock<Vec<(Block, Coverage)>> = OnceLock::new();
        static NONE: OnceLock<Coverage> = OnceLock::new();
        let all = ALL.get_or_init(|| BANKED.into_iter().map(|block| (block, Self::compute(block))).collect());
        let found = all.iter().find(|(of, _)| *of == block).map(|(_, coverage)| coverage);
        found.unwrap_or_else(|| NONE.get_or_init(|| Self::compute(block)))
    }

    fn compute(block: Block) -> Self {
        let mut masks = Bank::default();
        for place in places(block) {
            masks.set(place.register, masks.get(place.register) | place.mask());
        }
        let registers = masks.nonzero(block).map(|(register, _)| register).collect();
        Self { masks, registers }
    }
}

impl Job {
    /// Names the registers of a task.
    pub fn decode(state: &EffectiveState) -> Self {
        let mut job = Self { enable: state.enable, lut: state.lut.clone(), ..Self::default() };
        for (block, bank) in &state.banks {
            match block {
                Block::Cna => job.cna = Some(Cna::decode(bank, 0)),
                Block::Core => job.core = Some(Core::decode(bank, 0)),
                Block::Dpu => job.dpu = Some(Dpu::decode(bank, 0)),
                Block::DpuRdma => job.dpu_rdma = Some(DpuRdma::decode(bank, 0)),
                Block::Ppu => job.ppu = Some(Ppu::decode(bank, 0)),
                Block::PpuRdma => job.ppu_rdma = Some(PpuRdma::decode(bank, 0)),
                _ => {}
            }
            let coverage = Coverage::of(*block);
            let rest = bank.nonzero(*block).map(|(register, value)| (register, value & !coverage.masks.get(register)));
            job.rest.extend(rest.filter(|(_, bits)| *bits != 0).map(|(register, bits)| RawBits {
                block: *block,
                register,
                bits,
            }));
        }
        job
    }

    /// The registers of the task, every typed register of every started block among them.
    ///
    /// A block that [`enable`](Self::enable) starts but that has no typed registers here is encoded as zeros.
    ///
    /// # Errors
    /// [`EncodeError`] for a value that its field cannot hold.
    pub fn state(&self) -> Result<EffectiveState, EncodeError> {
        let mut banks = Vec::new();
        for block in self.enable.blocks() {
            let mut bank = Bank::default();
            match block {
                Block::Cna => self.cna.as_ref().map_or(Ok(()), |typed| typed.encode(&mut bank, 0))?,
                Block::Core => self.core.as_ref().map_or(Ok(()), |typed| typed.encode(&mut bank, 0))?,
                Block::Dpu => self.dpu.as_ref().map_or(Ok(()), |typed| typed.encode(&mut bank, 0))?,
                Block::DpuRdma => self.dpu_rdma.as_ref().map_or(Ok(()), |typed| typed.encode(&mut bank, 0))?,
                Block::Ppu => self.ppu.as_ref().map_or(Ok(()), |typed| typed.encode(&mut bank, 0))?,
                Block::PpuRdma => self.ppu_rdma.as_ref().map_or(Ok(()), |typed| typed.encode(&mut bank, 0))?,
                _ => {}
            }
            for rest in self.rest.iter().filter(|rest| rest.block == block) {
                bank.set(rest.register, bank.get(rest.register) | rest.bits);
            }
            banks.push((block, bank));
        }
        Ok(EffectiveState { enable: self.enable, banks, lut: self.lut.clone() })
    }

    /// The commands that make a task out of this job, without the tail: lookup table entries, then every typed register of
    /// every started block, zeros included, so that nothing depends on what a bank held before.
    ///
    /// # Errors
    /// [`EncodeError`] for a value that its field cannot hold.
    pub fn encode(&self) -> Result<Vec<Command>, EncodeError> {
        let mut commands = Vec::new();
        let mut write = |register, value| commands.extend(Command::write(register, value));
        let mut next = None;
        for entry in &self.lut {
            let at = (entry.table, entry.index);
            if next != Some(at) {
                write(reg::dpu::LUT_ACCESS_CFG, 1 << 17 | u32::from(entry.table) << 16 | u32::from(entry.index));
            }
            write(reg::dpu::LUT_ACCESS_DATA, u32::from(entry.value as u16));
            next = Some((entry.table, entry.index + 1));
        }
        if next.is_some() {
            write(reg::dpu::LUT_ACCESS_CFG, 0);
        }
        for (block, bank) in &self.state()?.banks {
            let mut registers = Coverage::of(*block).registers.clone();
            registers.extend(bank.nonzero(*block).map(|(register, _)| register));
            registers.sort_unstable();
            registers.dedup();
            for register in registers {
                write(register, bank.get(register));
            }
        }
        Ok(commands)
    }
}
