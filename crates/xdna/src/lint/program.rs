//! Addresses, descriptors and waits of instruction streams and configurations.

use std::collections::{BTreeMap, BTreeSet};

use super::{Findings, Rule};
use crate::action::{Action, Descriptors, Push};
use crate::cdo::{Cdo, Command};
use crate::descriptor::Use;
use crate::device::{Address, Device, Direction, Generation, Tile, TileFacts, TileKind};
use crate::txn::{Operation, Stream, opcode};

pub(super) fn stream(stream: &Stream, findings: &mut Findings) {
    let generation = Generation::of_number(stream.header.generation);
    let mut program = Program::new(Some(stream.header.columns), generation);
    for (index, entry) in stream.entries.iter().enumerate() {
        let place = format!("operation {index}");
        match &entry.operation {
            Operation::Custom { opcode, payload } => {
                let message = match opcode::name(*opcode).filter(|_| payload.is_empty()) {
                    Some(name) => format!("{name} has no fields"),
                    None => format!("code {opcode:#x} is not known"),
                };
                findings.warning(Rule::UnknownOperation, &place, message);
                // It may wait.
                program.forget();
            }
            Operation::Opaque { operations, .. } => {
                let code = entry.operation.opcode();
                let message = format!("code {code:#x} is not known, so {operations} operations cannot be judged");
                findings.warning(Rule::UnknownOperation, &place, message);
            }
            // Polls of other registers, loads and the like may mean anything for tasks in flight.
            Operation::LoadPdi { .. } => program.forget(),
            _ => {}
        }
        program.step(&place, &Action::of_operation(&entry.operation), findings);
    }
    program.end(findings);
}

pub(super) fn configuration(cdo: &Cdo, columns: Option<u8>, findings: &mut Findings) {
    let mut program = Program::new(columns, None);
    for (index, command) in cdo.commands.iter().enumerate() {
        let place = format!("command {index}");
        if let Command::Other { words } = command {
            let code = words.first().copied().unwrap_or_default();
            findings.warning(Rule::UnknownOperation, &place, format!("code {:#06x} is not known", code & 0xffff));
        }
        program.step(&place, &Action::of_command(command), findings);
    }
    // Tasks of a configuration run for as long as it is loaded: nobody waits for them.
}

/// A DMA channel.
type Channel = (Tile, Direction, u8);

/// A task in flight.
#[derive(Debug, Clone)]
struct Flight {
    place: String,
    push: Push,
    /// Its descriptors.
    descriptors: BTreeSet<u8>,
}

struct Program {
    columns: Option<u8>,
    generation: Option<Generation>,
    descriptors: Descriptors,
    /// Tasks that nobody waited for yet.
    flying: BTreeMap<Channel, Vec<Flight>>,
    /// Tokens that were asked for and not yet waited for.
    tokens: BTreeMap<Channel, u32>,
    /// Channels whose queue was found to overflow.
    overflown: BTreeSet<Channel>,
    /// Whether tasks may come from elsewhere, such as a PDI that was loaded.
    foreign: bool,
}

impl Program {
    fn new(columns: Option<u8>, generation: Option<Generation>) -> Self {
        Self {
            columns,
            generation,
            descriptors: Descriptors::default(),
            flying: BTreeMap::new(),
            tokens: BTreeMap::new(),
            overflown: BTreeSet::new(),
            foreign: false,
        }
    }

    /// A load of a PDI stops and starts tasks.
    fn forget(&mut self) {
        self.flying.clear();
        self.tokens.clear();
        self.foreign = true;
    }

    fn step(&mut self, place: &str, action: &Action<'_>, findings: &mut Findings) {
        match *action {
            Action::Write { address, data } => {
                self.address(place, address, data.len(), findings);
                self.overwritten(place, address, data.len(), findings);
            }
            Action::Mask { address, .. } | Action::Patch { address, .. } => {
                self.address(place, address, 1, findings);
            }
            Action::Poll { address, .. } => {
                self.address(place, address, 1, findings);
                self.polled(address);
            }
            Action::Far { address } => {
                let message = format!("address {address:#x} is outside the array");
                findings.error(Rule::AddressOutsideTile, place, message);
            }
            Action::Wait { direction, tile, rows, columns, channel } => {
                self.wait(place, direction, tile, (columns, rows), channel, findings);
            }
            Action::Other => {}
        }
        if let Some(push) = self.descriptors.apply(action) {
            self.push(place, push, findings);
        }
    }

    fn address(&self, place: &str, address: Address, words: usize, findings: &mut Findings) {
        let tile = address.tile();
        let Some(kind) = tile.kind() else {
            let message = format!("row {} does not exist, rows are 0 to {}", tile.row, Device::ROWS - 1);
            findings.error(Rule::AddressOutsideTile, place, message);
            return;
        };
        if let Some(columns) = self.columns.filter(|columns| tile.column >= *columns) {
            let message = format!("column {} is outside the {columns} columns", tile.column);
            findings.error(Rule::AddressOutsideTile, place, message);
        }
        let offset = address.offset();
        if !offset.is_multiple_of(4) {
            let message = format!("offset {offset:#x} of {kind} tile {tile} is no multiple of 4");
            findings.error(Rule::AddressOutsideTile, place, message);
            return;
        }
        // A block is judged by its ends: registers have gaps that blocks may pass.
        let last = u64::from(offset) + 4 * (words as u64).saturating_sub(1);
        for end in [u64::from(offset), last] {
            let inside = u32::try_from(end).is_ok_and(|end| end <= Address::OFFSET_MASK && exists(kind, end));
            if !inside {
                let message = format!("nothing is at offset {end:#x} of {kind} tile {tile}");
                findings.error(Rule::AddressOutsideTile, place, message);
                return;
            }
        }
    }

    /// Changing a descriptor of a task that nobody waited for is a race.
    fn overwritten(&self, place: &str, address: Address, words: usize, findings: &mut Findings) {
        let tile = address.tile();
        let Some(kind) = tile.kind() else { return };
        let touched: BTreeSet<u8> = (0..words.min(8 * 48))
            .filter_map(|word| kind.descriptor_at(address.offset().wrapping_add(4 * word as u32)))
            .map(|(descriptor, _)| descriptor)
            .collect();
        let channels = (tile, Direction::S2mm, 0)..=(tile, Direction::Mm2s, u8::MAX);
        for flight in self.flying.range(channels).flat_map(|(_, flights)| flights) {
            if let Some(id) = touched.intersection(&flight.descriptors).next() {
                let message = format!(
                    "buffer descriptor {id} of {kind} tile {tile} is changed, but the task that {} starts with it may be running",
                    flight.place
                );
                findings.warning(Rule::MissingSync, place, message);
                return;
            }
        }
    }

    fn push(&mut self, place: &str, push: Push, findings: &mut Findings) {
        let Push { tile, kind, direction, channel, task } = push;
        let descriptors = self.chain(place, &push, findings);
        let key = (tile, direction, channel);
        let flights = self.flying.entry(key).or_default();
        flights.push(Flight { place: place.to_owned(), push, descriptors });
        // One task runs, four wait.
        let limit = usize::from(TileFacts::QUEUE_DEPTH) + 1;
        if flights.len() > limit {
            // What was pushed first is done by now, or the queue has overflown.
            flights.remove(0);
            if !self.overflown.insert(key) {
                return self.token(key, task.token);
            }
            let message = format!(
                "more than {limit} tasks for {direction} channel {channel} of {kind} tile {tile} without a wait in between"
            );
            findings.warning(Rule::QueueOverflow, place, message);
        }
        self.token(key, task.token);
    }

    fn token(&mut self, key: Channel, token: bool) {
        if token {
            *self.tokens.entry(key).or_default() += 1;
        }
    }

    /// Judges the descriptors of a task; gives back which they are.
    fn chain(&self, place: &str, push: &Push, findings: &mut Findings) -> BTreeSet<u8> {
        let Push { tile, kind, direction, channel, task } = *push;
        let mut seen = BTreeSet::new();
        let mut next = Some(task.descriptor);
        while let Some(id) = next.take() {
            if !seen.insert(id) {
                break;
            }
            let how = Use { kind, id, generation: self.generation, channel: Some((direction, channel)) };
            if id >= kind.facts().descriptors {
                let last = kind.facts().descriptors - 1;
                let message = format!("{kind} tile {tile} has buffer descriptors 0 to {last}, there is no {id}");
                findings.error(Rule::DescriptorLimit, place, message);
                break;
            }
            // A descriptor that was not written here may be part of the configuration.
            let Some((descriptor, _)) = self.descriptors.get(tile, id) else { break };
            for problem in descriptor.check(&how) {
                let message = format!("buffer descriptor {id} of {kind} tile {tile}: {problem}");
                findings.error(Rule::DescriptorLimit, place, message);
            }
            next = descriptor.next.enabled.then_some(descriptor.next.descriptor);
        }
        seen
    }

    /// A poll of a status register waits as well.
    fn polled(&mut self, address: Address) {
        let tile = address.tile();
        let Some(kind) = tile.kind() else { return };
        let Some(register) = crate::registers::Register::at(kind, address.offset()) else { return };
        let direction = match register.info.name {
            "DMA_S2MM_Status_{}" => Direction::S2mm,
            "DMA_MM2S_Status_{}" => Direction::Mm2s,
            _ => return,
        };
        self.flying.remove(&(tile, direction, register.index as u8));
    }

    fn wait(&mut self, place: &str, direction: u8, first: Tile, size: (u8, u8), channel: u8, findings: &mut Findings) {
        let Some(direction) = Direction::of_number(direction) else {
            findings.error(Rule::SyncWithoutTask, place, format!("direction {direction} does not exist"));
            return;
        };
        for column in (0..size.0).map(|column| first.column.saturating_add(column)) {
            for row in (0..size.1).map(|row| first.row.saturating_add(row)) {
                let tile = Tile { column, row };
                if !self.wait_for(place, (tile, direction, channel), findings) {
                    return;
                }
            }
        }
    }

    /// Gives back whether there is such a channel at all.
    fn wait_for(&mut self, place: &str, key: Channel, findings: &mut Findings) -> bool {
        let (tile, direction, channel) = key;
        let known = tile.kind().is_some_and(|kind| kind.control_register(direction, channel).is_some());
        let outside = self.columns.is_some_and(|columns| tile.column >= columns);
        if !known || outside {
            let message = format!("there is no {direction} channel {channel} in tile {tile}");
            findings.error(Rule::SyncWithoutTask, place, message);
            return false;
        }
        match self.tokens.get_mut(&key) {
            Some(count) if *count > 0 => *count -= 1,
            // Tasks of the configuration can send tokens too, but shim tasks are the program's.
            _ if self.foreign || tile.kind() != Some(TileKind::Shim) => {}
            _ => {
                let message =
                    format!("waits for a token of {direction} channel {channel} of tile {tile}, but no task sends one");
                findings.warning(Rule::SyncWithoutTask, place, message);
            }
        }
        // The token of a task comes when it and all tasks before it are done.
        if let Some(flights) = self.flying.get_mut(&key) {
            let done =
                flights.iter().position(|flight| flight.push.task.token).map_or(flights.len(), |place| place + 1);
            flights.drain(..done);
        }
        true
    }

    /// What is still in flight at the end: results that nobody waits for.
    fn end(&self, findings: &mut Findings) {
        for ((tile, direction, channel), flights) in &self.flying {
            let shim = tile.kind() == Some(TileKind::Shim);
            if let (Some(flight), true, Direction::S2mm) = (flights.last(), shim, direction) {
                let message = format!(
                    "nobody waits for {direction} channel {channel} of shim tile {tile}: the program may end before its results \
                     are in memory"
                );
                findings.warning(Rule::MissingSync, &flight.place, message);
            }
        }
    }
}

/// Whether something is at an offset; descriptors are followed by words that are not used but belong to them.
fn exists(kind: TileKind, offset: u32) -> bool {
    let facts = kind.facts();
    let descriptors =
        facts.descriptor_base..facts.descriptor_base + TileFacts::DESCRIPTOR_STRIDE * u32::from(facts.descriptors);
    descriptors.contains(&offset) || kind.region(offset).is_some()
}
