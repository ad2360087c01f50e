//! Hardware traces: what trace units of tiles send, decoded to events.
//!
//! A trace is a sequence of 8-word packets, a header and 7 words of a tile's byte stream. In event-time mode (the only one decoded
//! here) the bytes are records of variable length: which events are active, and how many cycles passed. Rules from
//! python/utils/trace of Xilinx/mlir-aie.
//!
//! Unlike the upstream parser, which never ends on some inputs, [`Trace::decode`] keeps bytes that start no record in
//! [`Record::Unknown`].

mod chrome;
mod read;
mod record;
mod unit;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use crate::device::{Address, Tile};
use crate::packet::StreamHeader;
use crate::registers::Module;

pub use chrome::{ChromeEvent, Timeline};
pub use read::events_of_json;
pub(crate) use read::is_timeline;
pub use record::{Record, records};
pub use unit::{Configuration, Unit};

/// Words of a packet.
const PACKET: usize = 8;
/// The word that fills up a packet.
const FILLER: u32 = 0xa5a5_a5a5;
/// The word that, before two zeros, ends a trace.
const END: u32 = 0xfefe_fefe;

/// What kind of trace unit sends: the packet type, by mlir-aie's convention.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum UnitKind {
    /// The processor of a core tile.
    Core = 0,
    /// The memory of a core tile.
    Memory = 1,
    /// A shim tile.
    Shim = 2,
    /// A memory tile.
    MemoryTile = 3,
}

impl UnitKind {
    /// All of them, by number.
    pub const ALL: [Self; 4] = [Self::Core, Self::Memory, Self::Shim, Self::MemoryTile];

    /// The kind with this packet type.
    pub const fn of_packet_type(number: u8) -> Option<Self> {
        match number {
            0 => Some(Self::Core),
            1 => Some(Self::Memory),
            2 => Some(Self::Shim),
            3 => Some(Self::MemoryTile),
            _ => None,
        }
    }

    /// The registers and events that belong to it.
    pub const fn module(self) -> Module {
        match self {
            Self::Core => Module::Core,
            Self::Memory => Module::Memory,
            Self::Shim => Module::Shim,
            Self::MemoryTile => Module::MemoryTile,
        }
    }
}

impl fmt::Display for UnitKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Core => "core",
            Self::Memory => "mem",
            Self::Shim => "shim",
            Self::MemoryTile => "memtile",
        })
    }
}

/// What one trace unit sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnitTrace {
    /// Packet type.
    pub kind: u8,
    /// Its tile as the packets name it.
    pub tile: Tile,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

impl UnitTrace {
    /// The records in order.
    pub fn records(&self) -> Vec<Record> {
        records(&self.bytes)
    }

    /// The records in order, each with the cycle at which it starts.
    pub fn timed_records(&self) -> Vec<(u64, Record)> {
        let (mut cycle, mut last) = (0_u64, 0);
        let timed = self.records().into_iter().map(|record| {
            let start = cycle;
            let cycles = match record {
                Record::Events { cycles, .. } => {
                    last = u64::from(cycles);
                    1 + last
                }
                // A record without cycles that comes again only takes its own.
                Record::Repeat { count } => u64::from(count) * if last == 0 { 1 } else { 1 + last },
                _ => 0,
            };
            cycle = cycle.saturating_add(cycles);
            (start, record)
        });
        timed.collect()
    }
}

/// A trace, divided by unit.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Trace {
    /// What each unit sent, in the order in which they first appear.
    pub units: Vec<UnitTrace>,
    /// Packets whose header is none; they are counted to the unit before.
    pub invalid_headers: usize,
    /// Words before the first valid header.
    pub lost_words: usize,
    /// Words behind the end mark, or behind the last whole packet.
    pub ignored_words: usize,
}

/// A text that is no trace.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: `{text}` is no word of 8 hexadecimal digits")]
pub struct TraceTextError {
    /// The line, from 1.
    pub line: usize,
    /// Its text.
    pub text: String,
}

/// The words of a trace written as text, one a line, as mlir-aie's host code does.
///
/// # Errors
/// If a line is no word.
pub fn words_of_text(text: &str) -> Result<Vec<u32>, TraceTextError> {
    let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
    let word = |(line, text): (usize, &str)| {
        let digits = text.strip_prefix("0x").unwrap_or(text);
        u32::from_str_radix(digits, 16).map_err(|_| TraceTextError { line, text: text.chars().take(40).collect() })
    };
    lines.filter(|(_, line)| !line.is_empty()).map(word).collect()
}

/// Where a trace ends: the first end mark that two zeros follow.
fn end_of(words: &[u32]) -> usize {
    words.windows(3).position(|window| window == [END, 0, 0]).unwrap_or(words.len())
}

impl Trace {
    /// Divides a trace by unit. Filler words are dropped, and what follows the end mark is ignored.
    pub fn decode(words: &[u32]) -> Self {
        let end = end_of(words);
        let mut trace = Self { ignored_words: words.len() - end, ..Self::default() };
        let mut current = None;
        let mut places = BTreeMap::new();
        for packet in words[..end].chunks(PACKET) {
            let Some((header, data)) = packet.split_first() else { continue };
            match StreamHeader::decode(*header) {
                Some(header) => current = Some(trace.unit(header, &mut places)),
                None => trace.invalid_headers += 1,
            }
            match current.and_then(|current| trace.units.get_mut(current)) {
                Some(unit) => {
                    let data = data.iter().filter(|word| **word != FILLER);
                    unit.bytes.extend(data.flat_map(|word| word.to_be_bytes()));
                }
                None => trace.lost_words += packet.len(),
            }
        }
        trace
    }

    /// The place of the unit that a header names.
    fn unit(&mut self, header: StreamHeader, places: &mut BTreeMap<(u8, Tile), usize>) -> usize {
        let tile = Tile::new(header.column, header.row);
        *places.entry((header.kind, tile)).or_insert_with(|| {
            self.units.push(UnitTrace { kind: header.kind, tile, bytes: Vec::new() });
            self.units.len() - 1
        })
    }

    /// How many columns to the right of the configured ones the packets say they come from; 0 without packets or configuration.
    /// A partition's program counts columns from its own first one, packets from the array's.
    pub fn column_shift(&self, configuration: &Configuration) -> i32 {
        let configured = configuration.units.iter().map(|unit| unit.tile.column).min();
        let seen = self.units.iter().map(|unit| unit.tile.column).min();
        match (configured, seen) {
            (Some(configured), Some(seen)) => i32::from(seen) - i32::from(configured),
            _ => 0,
        }
    }

    /// The configured unit that a part of the trace comes from.
    pub fn unit_of<'a>(&self, part: &UnitTrace, configuration: &'a Configuration) -> Option<&'a Unit> {
        let shift = self.column_shift(configuration);
        configuration.units.iter().find(|unit| chrome::sent_by(unit, part, shift))
    }

    /// What all units saw as a timeline; slots of units that are not configured have numbers instead of events.
    pub fn timeline(&self, configuration: &Configuration) -> Timeline {
        chrome::timeline(self, configuration)
    }
}

/// A register and the word written to it.
pub type RegisterWrite = (Address, u32);

/// A timeline as the text of a JSON file, which Perfetto and Chrome show.
pub fn to_json(events: &[ChromeEvent]) -> String {
    chrome::json(events)
}

impl Trace {
    /// The records of all units as text, with event names where a configuration tells them.
    pub fn to_text(&self, configuration: &Configuration) -> String {
        use fmt::Write as _;
        let mut out = String::new();
        for part in &self.units {
            let unit = self.unit_of(part, configuration);
            let kind = UnitKind::of_packet_type(part.kind);
            let title = kind.map_or_else(|| format!("packet type {}", part.kind), |kind| kind.to_string());
            // Writing into a string cannot fail.
            let _ = writeln!(out, "{title} {}: {} bytes", part.tile, part.bytes.len());
            for (cycle, record) in part.timed_records() {
                let _ = writeln!(out, "  {cycle:>10} {}", record_text(&record, unit));
            }
        }
        let Self { invalid_headers, lost_words, ignored_words, .. } = self;
        let _ = writeln!(out, "{invalid_headers} invalid headers, {lost_words} words lost, {ignored_words} ignored");
        out
    }
}

/// The names of the events in some slots; the numbers of the slots where the unit's configuration is not known.
pub fn event_names(slots: u8, unit: Option<&Unit>) -> Vec<Cow<'static, str>> {
    let name = |slot: usize| unit.map_or_else(|| format!("slot {slot}").into(), |unit| unit.event_name(slot));
    (0..8).filter(|slot| slots >> slot & 1 == 1).map(name).collect()
}

fn record_text(record: &Record, unit: Option<&Unit>) -> String {
    match record {
        Record::Start { timer } => format!("start, timer {timer}"),
        Record::Events { slots, cycles } => format!("+{cycles} {}", event_names(*slots, unit).join(" ")),
        Record::Repeat { count } => format!("again {count} times"),
        Record::Sync => "sync".to_owned(),
        Record::Skip => "skipped bytes".to_owned(),
        Record::Unknown { byte } => format!("unknown byte {byte:#04x}"),
        Record::CutShort { byte } => format!("record {byte:#04x} is cut short"),
    }
}
