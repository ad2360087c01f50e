//! What one tile has.

use std::fmt;

use crate::registers::{Register, reg};

/// The three kinds of tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum TileKind {
    /// Row 0: the way to main memory.
    Shim,
    /// Row 1: 512 KB of memory.
    Memory,
    /// Rows 2 and up: a processor with 64 KB.
    Core,
}

/// Which way a DMA channel moves data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Direction {
    /// From the stream switch into memory.
    S2mm = 0,
    /// From memory to the stream switch.
    Mm2s = 1,
}

impl Direction {
    /// Both.
    pub const ALL: [Self; 2] = [Self::S2mm, Self::Mm2s];

    /// The direction with this number.
    pub const fn of_number(number: u8) -> Option<Self> {
        match number {
            0 => Some(Self::S2mm),
            1 => Some(Self::Mm2s),
            _ => None,
        }
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::S2mm => "S2MM",
            Self::Mm2s => "MM2S",
        })
    }
}

/// DMA channels of one direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Channels {
    /// How many there are.
    pub count: u8,
    /// Offset of the control register of channel 0; those of the others follow every 8 bytes, and the task queue of each
    /// lies 4 bytes behind its control register.
    pub control: u32,
}

/// Numbers of one kind of tile. Offsets are byte offsets in the tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TileFacts {
    /// Bytes of data memory, from offset 0.
    pub data_memory: u32,
    /// Banks of data memory that mlir-aie allocates in.
    pub banks: u8,
    /// Bytes of program memory, from [`TileFacts::PROGRAM_MEMORY`].
    pub program_memory: u32,
    /// Locks.
    pub locks: u8,
    /// Offset of the value of lock 0; the others follow every 16 bytes.
    pub lock_values: u32,
    /// Number of the tile's own first lock in its buffer descriptors: memory tiles count those of their western neighbour first.
    pub own_lock: u8,
    /// Offset of the window through which locks are requested; 0x8000 bytes.
    pub lock_requests: u32,
    /// Buffer descriptors.
    pub descriptors: u8,
    /// Words of one buffer descriptor that mean something.
    pub descriptor_words: u8,
    /// Offset of buffer descriptor 0; the others follow every 32 bytes.
    pub descriptor_base: u32,
    /// Dimensions of a buffer descriptor, the iteration not counted.
    pub dimensions: u8,
    /// Channels into memory.
    pub s2mm: Channels,
    /// Channels out of memory.
    pub mm2s: Channels,
}

impl TileFacts {
    /// Where the program memory of a core tile starts.
    pub const PROGRAM_MEMORY: u32 = 0x20000;
    /// Bytes from one buffer descriptor to the next.
    pub const DESCRIPTOR_STRIDE: u32 = 0x20;
    /// Bytes from one lock value to the next.
    pub const LOCK_STRIDE: u32 = 0x10;
    /// Bytes of the lock request window that are in use: locks times 0x400.
    pub const LOCK_REQUEST_STRIDE: u32 = 0x400;
    /// Tasks that the queue of a DMA channel holds.
    pub const QUEUE_DEPTH: u8 = 4;
}

/// What lies at an offset in a tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Region {
    /// Data memory.
    DataMemory,
    /// Program memory.
    ProgramMemory,
    /// A register.
    Register(Register),
    /// The window through which this lock is requested.
    LockRequest {
        /// The lock.
        lock: u8,
    },
}

const SHIM: TileFacts = TileFacts {
    data_memory: 0,
    banks: 0,
    program_memory: 0,
    locks: 16,
    lock_values: reg::shim::LOCKN_VALUE,
    own_lock: 0,
    lock_requests: reg::shim::LOCK_REQUEST,
    descriptors: 16,
    descriptor_words: 8,
    descriptor_base: reg::shim::DMA_BDN_0,
    dimensions: 3,
    s2mm: Channels { count: 2, control: reg::shim::DMA_S2MM_N_CTRL },
    mm2s: Channels { count: 2, control: reg::shim::DMA_MM2S_N_CTRL },
};

const MEMORY: TileFacts = TileFacts {
    data_memory: 0x8_0000,
    banks: 8,
    program_memory: 0,
    locks: 64,
    lock_values: reg::memory_tile::LOCKN_VALUE,
    own_lock: 64,
    lock_requests: reg::memory_tile::LOCK_REQUEST,
    descriptors: 48,
    descriptor_words: 8,
    descriptor_base: reg::memory_tile::DMA_BDN_0,
    dimensions: 4,
    s2mm: Channels { count: 6, control: reg::memory_tile::DMA_S2MM_N_CTRL },
    mm2s: Channels { count: 6, control: reg::memory_tile::DMA_MM2S_N_CTRL },
};

const CORE: TileFacts = TileFacts {
    data_memory: 0x1_0000,
    banks: 4,
    program_memory: 0x4000,
    locks: 16,
    lock_values: reg::memory::LOCKN_VALUE,
    own_lock: 0,
    lock_requests: reg::memory::LOCK_REQUEST,
    descriptors: 16,
    descriptor_words: 6,
    descriptor_base: reg::memory::DMA_BDN_0,
    dimensions: 3,
    s2mm: Channels { count: 2, control: reg::memory::DMA_S2MM_N_CTRL },
    mm2s: Channels { count: 2, control: reg::memory::DMA_MM2S_N_CTRL },
};

impl TileKind {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Shim, Self::Memory, Self::Core];

    /// Its numbers.
    pub const fn facts(self) -> &'static TileFacts {
        match self {
            Self::Shim => &SHIM,
            Self::Memory => &MEMORY,
            Self::Core => &CORE,
        }
    }

    /// Its DMA channels of one direction.
    pub const fn channels(self, direction: Direction) -> Channels {
        match direction {
            Direction::S2mm => self.facts().s2mm,
            Direction::Mm2s => self.facts().mm2s,
        }
    }

    /// Offset of the control register of a DMA channel.
    pub fn control_register(self, direction: Direction, channel: u8) -> Option<u32> {
        let channels = self.channels(direction);
        (channel < channels.count).then(|| channels.control + 8 * u32::from(channel))
    }

    /// Offset of the task queue of a DMA channel.
    pub fn queue_register(self, direction: Direction, channel: u8) -> Option<u32> {
        self.control_register(direction, channel).map(|control| control + 4)
    }

    /// The DMA channel whose task queue lies at an offset.
    pub fn queue_at(self, offset: u32) -> Option<(Direction, u8)> {
        let channels = Direction::ALL
            .into_iter()
            .flat_map(|direction| (0..self.channels(direction).count).map(move |channel| (direction, channel)));
        channels.into_iter().find(|(direction, channel)| self.queue_register(*direction, *channel) == Some(offset))
    }

    /// Offset of a buffer descriptor.
    pub fn descriptor_register(self, descriptor: u8) -> Option<u32> {
        let facts = self.facts();
        (descriptor < facts.descriptors)
            .then(|| facts.descriptor_base + TileFacts::DESCRIPTOR_STRIDE * u32::from(descriptor))
    }

    /// The buffer descriptor whose words an offset lies in, and which of its words it is.
    pub fn descriptor_at(self, offset: u32) -> Option<(u8, u8)> {
        let facts = self.facts();
        let inside = offset.checked_sub(facts.descriptor_base)?;
        let descriptor = u8::try_from(inside / TileFacts::DESCRIPTOR_STRIDE).ok()?;
        let word = (inside % TileFacts::DESCRIPTOR_STRIDE / 4) as u8;
        let known = descriptor < facts.descriptors && word < facts.descriptor_words && offset.is_multiple_of(4);
        known.then_some((descriptor, word))
    }

    /// Offset of the value of a lock.
    pub fn lock_register(self, lock: u8) -> Option<u32> {
        let facts = self.facts();
        (lock < facts.locks).then(|| facts.lock_values + TileFacts::LOCK_STRIDE * u32::from(lock))
    }

    /// The lock whose value lies at an offset.
    pub fn lock_at(self, offset: u32) -> Option<u8> {
        let facts = self.facts();
        let inside = offset.checked_sub(facts.lock_values)?;
        let lock = u8::try_from(inside / TileFacts::LOCK_STRIDE).ok()?;
        (inside.is_multiple_of(TileFacts::LOCK_STRIDE) && lock < facts.locks).then_some(lock)
    }

    /// What lies at an offset; nothing where the offset is between registers.
    pub fn region(self, offset: u32) -> Option<Region> {
        let facts = self.facts();
        if offset < facts.data_memory {
            return Some(Region::DataMemory);
        }
        if offset.checked_sub(TileFacts::PROGRAM_MEMORY).is_some_and(|inside| inside < facts.program_memory) {
            return Some(Region::ProgramMemory);
        }
        if let Some(inside) = offset.checked_sub(facts.lock_requests)
            && inside < TileFacts::LOCK_REQUEST_STRIDE * u32::from(facts.locks)
        {
            return Some(Region::LockRequest { lock: (inside / TileFacts::LOCK_REQUEST_STRIDE) as u8 });
        }
        Register::at(self, offset).map(Region::Register)
    }
}

impl fmt::Display for TileKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Shim => "shim",
            Self::Memory => "memory",
            Self::Core => "core",
        })
    }
}
