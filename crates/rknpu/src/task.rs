//! Task records, as the vendor's kernel driver and the `.rknn` container hold them.

use crate::command::EnableMask;
use crate::program::TAIL_COMMANDS;

/// One task: 40 bytes, little-endian, without padding.
///
/// The vendor's kernel driver looks at the first task's address and length and at the last task's interrupt mask; the chain
/// inside the programs does the rest. The other fields inform whoever reads the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct TaskRecord {
    /// 0 in the submissions of the vendor's runtime.
    pub flags: u32,
    /// Index of the operator in the container's list of operators.
    pub op_idx: u32,
    /// The blocks that the program starts, as in its last command.
    pub enable_mask: EnableMask,
    /// Bits of `PC.INTERRUPT_STATUS` that mean "done": 0x300 for the DPU, 0xc00 for the PPU.
    pub int_mask: u32,
    /// Bits to clear before the start; the vendor writes 0x1ffff.
    pub int_clear: u32,
    /// The kernel stores the interrupt status here when the task is done.
    pub int_status: u32,
    /// Number of commands, without the [`TAIL_COMMANDS`] of the tail.
    pub regcfg_amount: u32,
    /// 0 in the submissions of the vendor's runtime; the kernel does not look at it when the core fetches the programs.
    pub regcfg_offset: u32,
    /// Device address of the program.
    pub regcmd_addr: u64,
}

/// Bytes that are no list of task records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a task list of {length} bytes ends inside a record ({} bytes each)", TaskRecord::SIZE)]
pub struct TaskListError {
    /// Number of bytes.
    pub length: usize,
}

impl TaskRecord {
    /// Bytes of a record.
    pub const SIZE: usize = 40;

    /// Reads one record.
    pub fn from_bytes(bytes: &[u8; Self::SIZE]) -> Self {
        let (words, _) = bytes.as_chunks::<4>();
        let [flags, op_idx, enable_mask, int_mask, int_clear, int_status, regcfg_amount, regcfg_offset, low, high] =
            std::array::from_fn(|index| u32::from_le_bytes(words[index]));
        Self {
            flags,
            op_idx,
            enable_mask: EnableMask(enable_mask),
            int_mask,
            int_clear,
            int_status,
            regcfg_amount,
            regcfg_offset,
            regcmd_addr: u64::from(high) << 32 | u64::from(low),
        }
    }

    /// The record as bytes.
    pub fn to_bytes(&self) -> [u8; Self::SIZE] {
        let words = [
            self.flags,
            self.op_idx,
            self.enable_mask.0,
            self.int_mask,
            self.int_clear,
            self.int_status,
            self.regcfg_amount,
            self.regcfg_offset,
            self.regcmd_addr as u32,
            (self.regcmd_addr >> 32) as u32,
        ];
        let mut bytes = [0; Self::SIZE];
        for (target, word) in bytes.as_chunks_mut::<4>().0.iter_mut().zip(words) {
            *target = word.to_le_bytes();
        }
        bytes
    }

    /// Reads a list of records.
    ///
    /// # Errors
    /// If the number of bytes is not a multiple of [`SIZE`](Self::SIZE).
    pub fn read_list(bytes: &[u8]) -> Result<Vec<Self>, TaskListError> {
        let (records, rest) = bytes.as_chunks();
        if !rest.is_empty() {
            return Err(TaskListError { length: bytes.len() });
        }
        Ok(records.iter().map(Self::from_bytes).collect())
    }

    /// A list of records as bytes.
    pub fn write_list(records: &[Self]) -> Vec<u8> {
        records.iter().flat_map(Self::to_bytes).collect()
    }

    /// Number of commands in the program, tail included.
    pub const fn commands(&self) -> u64 {
        self.regcfg_amount as u64 + TAIL_COMMANDS as u64
    }

    /// Bytes of the program, tail included.
    pub const fn program_bytes(&self) -> u64 {
        self.commands() * 8
    }
}
