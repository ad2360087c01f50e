//! Limits that no single field knows.

use super::{Descriptor, Padding};
use crate::device::{Direction, Generation, TileKind};

/// What a descriptor is judged as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Use {
    /// Kind of its tile.
    pub kind: TileKind,
    /// Its number.
    pub id: u8,
    /// Generation of the device, where that is known.
    pub generation: Option<Generation>,
    /// The channel that executes it, where that is known.
    pub channel: Option<(Direction, u8)>,
}

/// Something that the hardware would do wrong or not at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// No such descriptor.
    #[error("a {kind} tile has buffer descriptors 0 to {}, there is no {id}", kind.facts().descriptors - 1)]
    NoSuchDescriptor {
        /// Kind of tile.
        kind: TileKind,
        /// The number.
        id: u8,
    },
    /// The next descriptor does not exist.
    #[error("the next buffer descriptor is {next}, but a {kind} tile has 0 to {}", kind.facts().descriptors - 1)]
    NoSuchNext {
        /// Kind of tile.
        kind: TileKind,
        /// The number.
        next: u8,
    },
    /// A descriptor without the valid bit.
    #[error("it is started but not marked valid")]
    NotValid,
    /// Nothing is moved.
    #[error("it moves 0 words")]
    Empty,
    /// Memory tiles tie descriptors to channels.
    #[error("{direction} channel {channel} of a memory tile reaches buffer descriptors {} only, not {id}", if channel % 2 == 0 { "0 to 23" } else { "24 to 47" })]
    WrongChannel {
        /// Direction.
        direction: Direction,
        /// Channel.
        channel: u8,
        /// The descriptor.
        id: u8,
    },
    /// Words outside the memory that the tile's DMA reaches.
    #[error("it reaches byte {end:#x}, but the DMA of a {kind} tile reaches {limit:#x} bytes")]
    OutsideMemory {
        /// Kind of tile.
        kind: TileKind,
        /// First byte after what it touches.
        end: u64,
        /// First byte that is out of reach.
        limit: u64,
    },
    /// Zero padding on the way in.
    #[error("zero padding works on MM2S channels only")]
    PaddingOnWrite,
    /// Padding after a dimension that never ends.
    #[error("zeros after D{dimension} need a wrap in D{dimension}")]
    PaddingWithoutWrap {
        /// The dimension.
        dimension: usize,
    },
    /// A burst length that the generation has not.
    #[error("burst length code {code} is not known to {}; codes are 0 to {}", generation.architecture(), generation.bursts().len() - 1)]
    Burst {
        /// The code.
        code: u8,
        /// The generation.
        generation: Generation,
    },
    /// A lock that does not exist.
    #[error("lock {lock} does not exist; descriptors of a {kind} tile name locks 0 to {limit}")]
    NoSuchLock {
        /// Kind of tile.
        kind: TileKind,
        /// The lock.
        lock: u8,
        /// Largest number.
        limit: u8,
    },
}

/// Bytes that the DMA of a kind of tile reaches by its own addresses.
const fn reach(kind: TileKind) -> u64 {
    match kind {
        TileKind::Shim => 1 << 48,
        // The western neighbour, its own memory, the eastern neighbour.
        TileKind::Memory => 3 * 0x8_0000,
        TileKind::Core => 0x1_0000,
    }
}

/// Largest lock number in descriptors.
const fn last_lock(kind: TileKind) -> u8 {
    match kind {
        TileKind::Memory => 3 * 64 - 1,
        TileKind::Shim | TileKind::Core => kind.facts().locks - 1,
    }
}

pub(super) fn check(descriptor: &Descriptor, how: &Use) -> Vec<Problem> {
    let Use { kind, id, generation, channel } = *how;
    let mut problems = Vec::new();
    if id >= kind.facts().descriptors {
        problems.push(Problem::NoSuchDescriptor { kind, id });
    }
    if descriptor.next.enabled && descriptor.next.descriptor >= kind.facts().descriptors {
        problems.push(Problem::NoSuchNext { kind, next: descriptor.next.descriptor });
    }
    if !descriptor.valid {
        problems.push(Problem::NotValid);
    }
    if descriptor.length == 0 {
        problems.push(Problem::Empty);
    }
    let end = descriptor.address.saturating_add(descriptor.extent(kind).saturating_mul(4));
    if end > reach(kind) {
        problems.push(Problem::OutsideMemory { kind, end, limit: reach(kind) });
    }
    if let Some(generation) = generation
        && kind == TileKind::Shim
        && usize::from(descriptor.bus.burst) >= generation.bursts().len()
    {
        problems.push(Problem::Burst { code: descriptor.bus.burst, generation });
    }
    padding(descriptor, channel, &mut problems);
    locks(descriptor, kind, &mut problems);
    if let Some((direction, channel)) = channel
        && kind == TileKind::Memory
        && (channel % 2 == 0) != (id < 24)
    {
        problems.push(Problem::WrongChannel { direction, channel, id });
    }
    problems
}

fn padding(descriptor: &Descriptor, channel: Option<(Direction, u8)>, problems: &mut Vec<Problem>) {
    if descriptor.padding == [Padding::default(); 3] {
        return;
    }
    if matches!(channel, Some((Direction::S2mm, _))) {
        problems.push(Problem::PaddingOnWrite);
    }
    let pairs = descriptor.padding.iter().zip(&descriptor.dimensions).enumerate();
    let endless = pairs.filter(|(_, (padding, dimension))| padding.after != 0 && dimension.wrap == 0);
    problems.extend(endless.map(|(dimension, _)| Problem::PaddingWithoutWrap { dimension }));
}

fn locks(descriptor: &Descriptor, kind: TileKind, problems: &mut Vec<Problem>) {
    let limit = last_lock(kind);
    let acquired = descriptor.acquire.enabled.then_some(descriptor.acquire.lock);
    let released = (descriptor.release.value != 0).then_some(descriptor.release.lock);
    for lock in acquired.into_iter().chain(released).filter(|lock| *lock > limit) {
        problems.push(Problem::NoSuchLock { kind, lock, limit });
    }
}
