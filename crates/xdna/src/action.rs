//! What instruction streams and configurations have in common: writes, masked writes, polls, waits and patches.

use std::collections::BTreeMap;

use crate::cdo::Command;
use crate::descriptor::Descriptor;
use crate::device::{Address, Direction, Tile, TileFacts, TileKind};
use crate::queue::Task;
use crate::txn::Operation;

/// One step of a program, whatever its format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Action<'a> {
    /// Stores consecutive words.
    Write { address: Address, data: &'a [u32] },
    /// Replaces masked bits.
    Mask { address: Address, value: u32, mask: u32 },
    /// Waits for masked bits.
    Poll { address: Address, value: u32, mask: u32 },
    /// Waits for tokens of a rectangle of tiles.
    Wait { direction: u8, tile: Tile, rows: u8, columns: u8, channel: u8 },
    /// Puts the address of an argument into a descriptor.
    Patch { address: Address, argument: u32, offset: u64 },
    /// Writes outside the 32-bit space of the array.
    Far { address: u64 },
    /// Anything else.
    Other,
}

impl<'a> Action<'a> {
    pub(crate) fn of_operation(operation: &'a Operation) -> Self {
        match operation {
            Operation::Write { address, value } => Self::Write { address: *address, data: std::slice::from_ref(value) },
            Operation::BlockWrite { address, data } => Self::Write { address: *address, data },
            Operation::MaskWrite { address, value, mask } => {
                Self::Mask { address: *address, value: *value, mask: *mask }
            }
            Operation::MaskPoll { address, value, mask, .. } => {
                Self::Poll { address: *address, value: *value, mask: *mask }
            }
            Operation::Sync { direction, tile, rows, columns, channel } => {
                let (tile, rows, columns, channel) = (*tile, *rows, *columns, *channel);
                Self::Wait { direction: *direction, tile, rows, columns, channel }
            }
            Operation::PatchAddress { address, argument, offset, .. } => {
                Self::Patch { address: *address, argument: *argument, offset: *offset }
            }
            _ => Self::Other,
        }
    }

    pub(crate) fn of_command(command: &'a Command) -> Self {
        let near = |address: u64| u32::try_from(address).ok().map(Address);
        let action = match command {
            Command::Write { address, value, .. } => {
                near(*address).map(|address| Self::Write { address, data: std::slice::from_ref(value) })
            }
            Command::DmaWrite { address, data } => near(*address).map(|address| Self::Write { address, data }),
            Command::MaskWrite { address, mask, value, .. } => {
                near(*address).map(|address| Self::Mask { address, value: *value, mask: *mask })
            }
            Command::MaskPoll { address, mask, value, .. } => {
                near(*address).map(|address| Self::Poll { address, value: *value, mask: *mask })
            }
            _ => return Self::Other,
        };
        action.unwrap_or(Self::Far { address: command.address().unwrap_or_default() })
    }
}

/// A buffer descriptor as far as a program has written it.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Written {
    /// Its words.
    words: [u32; 8],
    /// The words that were written, by bit.
    known: u8,
    /// The argument that its address was patched to, with the offset.
    pub(crate) argument: Option<(u32, u64)>,
}

/// A task that a program starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Push {
    pub(crate) tile: Tile,
    pub(crate) kind: TileKind,
    pub(crate) direction: Direction,
    pub(crate) channel: u8,
    pub(crate) task: Task,
}

/// What a program has written of the descriptors so far.
#[derive(Debug, Clone, Default)]
pub(crate) struct Descriptors {
    written: BTreeMap<(Tile, u8), Written>,
}

impl Descriptors {
    /// Takes note of an action; gives back the task that it starts.
    pub(crate) fn apply(&mut self, action: &Action<'_>) -> Option<Push> {
        match *action {
            Action::Write { address, data } => {
                self.write(address, data);
                push(address, data)
            }
            Action::Mask { address, value, mask } => {
                if let Some((place, word)) = self.place(address) {
                    let entry = self.written.entry(place).or_default();
                    entry.words[word] = entry.words[word] & !mask | value & mask;
                    entry.known |= 1 << word;
                }
                None
            }
            Action::Patch { address, argument, offset } => {
                // Any word of the first four stands for the descriptor.
                let base = Address(address.0 & !0xf);
                if let Some((place, _)) = self.place(base) {
                    self.written.entry(place).or_default().argument = Some((argument, offset));
                }
                None
            }
            _ => None,
        }
    }

    fn place(&self, address: Address) -> Option<((Tile, u8), usize)> {
        let tile = address.tile();
        let (descriptor, word) = tile.kind()?.descriptor_at(address.offset())?;
        Some(((tile, descriptor), usize::from(word)))
    }

    fn write(&mut self, address: Address, data: &[u32]) {
        let Some(kind) = address.tile().kind() else { return };
        let facts = kind.facts();
        let start = address.offset();
        let first = facts.descriptor_base.saturating_sub(start).div_ceil(4) as usize;
        let end = facts.descriptor_base + TileFacts::DESCRIPTOR_STRIDE * u32::from(facts.descriptors);
        let count = end.saturating_sub(start).div_ceil(4) as usize;
        for (index, value) in data.iter().enumerate().take(count).skip(first) {
            if let Some((place, word)) = self.place(Address(address.0.wrapping_add(4 * index as u32))) {
                let entry = self.written.entry(place).or_default();
                entry.words[word] = *value;
                entry.known |= 1 << word;
                if word <= 1 {
                    entry.argument = None;
                }
            }
        }
    }

    /// A descriptor all of whose words were written.
    pub(crate) fn get(&self, tile: Tile, id: u8) -> Option<(Descriptor, Option<(u32, u64)>)> {
        let kind = tile.kind()?;
        let written = self.written.get(&(tile, id))?;
        let all = (1_u16 << kind.facts().descriptor_words) - 1;
        if u16::from(written.known) & all != all {
            return None;
        }
        Some((Descriptor::decode(kind, &written.words)?, written.argument))
    }

    /// Every descriptor all of whose words were written.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Tile, u8, Descriptor)> {
        self.written.keys().filter_map(|(tile, id)| Some((*tile, *id, self.get(*tile, *id)?.0)))
    }
}

/// The task that a write starts.
fn push(address: Address, data: &[u32]) -> Option<Push> {
    let [value] = *data else { return None };
    let tile = address.tile();
    let kind = tile.kind()?;
    let (direction, channel) = kind.queue_at(address.offset())?;
    Some(Push { tile, kind, direction, channel, task: Task::decode(kind, value) })
}
