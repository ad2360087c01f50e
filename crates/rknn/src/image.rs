//! The image of constants and programs, and the task list.

use std::ops::Range;

/// Blobs start at multiples of this in the weight image, and its size is a multiple of it.
pub const BLOB_ALIGNMENT: usize = 64;

/// Where each blob lies in the weight buffer.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct WeightImage {
    /// Range of each blob in the buffer, by blob index; empty blobs have an empty range.
    pub blobs: Vec<Range<usize>>,
    /// Size of the buffer in bytes.
    pub size: usize,
}

impl WeightImage {
    pub(crate) fn new(lengths: impl Iterator<Item = usize>) -> WeightImage {
        let mut end = 0_usize;
        let blobs = lengths.map(|length| {
            let start = end.next_multiple_of(BLOB_ALIGNMENT);
            end = start.saturating_add(length);
            start..end
        });
        let blobs = blobs.collect();
        WeightImage { blobs, size: end.next_multiple_of(BLOB_ALIGNMENT) }
    }
}

/// One 40-byte record of the task list, as the kernel driver's `struct rknpu_task` has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TaskRecord {
    /// Flags; 0 in all files seen.
    pub flags: u32,
    /// Index of the operator the task belongs to.
    pub operator: u32,
    /// Blocks the task enables: bit 0 CNA, 2 CORE, 3 DPU, 4 DPU_RDMA, 5 PPU, 6 PPU_RDMA.
    pub enable_mask: u32,
    /// Interrupts that end the task.
    pub interrupt_mask: u32,
    /// Interrupts to clear before it.
    pub interrupt_clear: u32,
    /// Interrupt status; written by the driver, 0 in files.
    pub interrupt_status: u32,
    /// Number of 64-bit commands, without the four that close every program.
    pub command_count: u32,
    /// Offset of the program; 0 in all files seen.
    pub command_offset: u32,
    /// Address of the program: in the file, its byte offset in the program blob.
    pub address: u64,
}

impl TaskRecord {
    /// Size of a record in bytes.
    pub const SIZE: usize = 40;

    /// Decodes one record.
    pub fn from_bytes(bytes: &[u8; Self::SIZE]) -> TaskRecord {
        let word = |i: usize| u32::from_le_bytes(std::array::from_fn(|k| bytes[4 * i + k]));
        TaskRecord {
            flags: word(0),
            operator: word(1),
            enable_mask: word(2),
            interrupt_mask: word(3),
            interrupt_clear: word(4),
            interrupt_status: word(5),
            command_count: word(6),
            command_offset: word(7),
            address: u64::from(word(8)) | u64::from(word(9)) << 32,
        }
    }

    /// Encodes the record.
    pub fn to_bytes(self) -> [u8; Self::SIZE] {
        let low = [
            self.flags,
            self.operator,
            self.enable_mask,
            self.interrupt_mask,
            self.interrupt_clear,
            self.interrupt_status,
            self.command_count,
            self.command_offset,
        ];
        let mut bytes = [0; Self::SIZE];
        for (chunk, word) in bytes.chunks_exact_mut(4).zip(low) {
            chunk.copy_from_slice(&word.to_le_bytes());
        }
        bytes[32..].copy_from_slice(&self.address.to_le_bytes());
        bytes
    }
}
