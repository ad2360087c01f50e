//! Task queues and locks of a tile, as register writes.

use crate::device::{Direction, TileKind};
use crate::registers::{Field, FieldOverflow, field};

/// What is pushed into the task queue of a DMA channel; the task starts by itself. Queues hold four tasks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Task {
    /// The first buffer descriptor.
    pub descriptor: u8,
    /// How often the chain is executed, 1 to 256.
    pub executions: u16,
    /// Whether a task-complete token is sent at the end.
    pub token: bool,
}

/// The fields of a task queue's register: descriptor, executions minus one, token.
const fn fields(kind: TileKind) -> [Field; 3] {
    match kind {
        TileKind::Shim => {
            use field::shim::dma_s2mm_n_task_queue as queue;
            [queue::START_BD_ID, queue::REPEAT_COUNT, queue::ENABLE_TOKEN_ISSUE]
        }
        TileKind::Memory => {
            use field::memory_tile::dma_s2mm_n_start_queue as queue;
            [queue::START_BD_ID, queue::REPEAT_COUNT, queue::ENABLE_TOKEN_ISSUE]
        }
        TileKind::Core => {
            use field::memory::dma_s2mm_n_start_queue as queue;
            [queue::START_BD_ID, queue::REPEAT_COUNT, queue::ENABLE_TOKEN_ISSUE]
        }
    }
}

impl Task {
    /// The task in a word written to a queue; bits between the fields are ignored.
    pub const fn decode(kind: TileKind, word: u32) -> Self {
        let [descriptor, repeat, token] = fields(kind);
        Self {
            descriptor: descriptor.get(word) as u8,
            executions: repeat.get(word) as u16 + 1,
            token: token.is_set(word),
        }
    }

    /// The word to write.
    ///
    /// # Errors
    /// If a value does not fit. No executions are as impossible as 257.
    pub fn encode(&self, kind: TileKind) -> Result<u32, FieldOverflow> {
        let [descriptor, repeat, token] = fields(kind);
        let mut word = 0;
        descriptor.set(&mut word, u32::from(self.descriptor))?;
        let executions = i64::from(self.executions);
        let none = FieldOverflow { field: repeat, value: executions - 1, min: 0, max: i64::from(repeat.max()) };
        repeat.set(&mut word, u32::try_from(executions - 1).map_err(|_| none)?)?;
        token.set(&mut word, u32::from(self.token))?;
        Ok(word)
    }
}

/// The masked write (offset in the tile, value, mask) that gives a channel's tokens a controller id: mlir-aie sends it before the
/// first task with a token.
pub fn controller(kind: TileKind, direction: Direction, channel: u8, id: u8) -> Option<(u32, u32, u32)> {
    // Five bits of the field are all that a packet id has.
    let mask = 0x1f << field::shim::dma_s2mm_n_ctrl::CONTROLLER_ID.low;
    kind.control_register(direction, channel).map(|register| (register, u32::from(id) << 8 & mask, mask))
}
