//! Records to a timeline of events, and the timeline to JSON that Perfetto and Chrome show.

use std::borrow::Cow;
use std::fmt::{self, Write as _};

use super::{Configuration, Record, Trace, Unit, UnitKind, UnitTrace};
use crate::device::Tile;

/// An entry of the timeline. `pid` is the unit, in the order of the configuration, then of the trace; `tid` is the slot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChromeEvent {
    /// Names a unit.
    Process {
        /// The unit.
        pid: usize,
        /// `core_trace for tile2,1`: kind, row, column.
        name: String,
    },
    /// Names a slot.
    Thread {
        /// The unit.
        pid: usize,
        /// The slot.
        tid: usize,
        /// The event's name.
        name: Cow<'static, str>,
    },
    /// An event begins.
    Begin {
        /// The unit.
        pid: usize,
        /// The slot.
        tid: usize,
        /// The event's name.
        name: Cow<'static, str>,
        /// Cycle.
        cycle: u64,
    },
    /// An event ends.
    End {
        /// The unit.
        pid: usize,
        /// The slot.
        tid: usize,
        /// The event's name.
        name: Cow<'static, str>,
        /// Cycle.
        cycle: u64,
    },
}

/// One JSON object.
impl fmt::Display for ChromeEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let quoted = |name: &str| serde_json::Value::from(name);
        match self {
            Self::Process { pid, name } => {
                write!(
                    f,
                    "{{\"name\": \"process_name\", \"ph\": \"M\", \"pid\": {pid}, \"args\": {{\"name\": {}}}}}",
                    quoted(name)
                )
            }
            Self::Thread { pid, tid, name } => write!(
                f,
                "{{\"name\": \"thread_name\", \"ph\": \"M\", \"pid\": {pid}, \"tid\": {tid}, \"args\": {{\"name\": {}}}}}",
                quoted(name)
            ),
            Self::Begin { pid, tid, name, cycle } | Self::End { pid, tid, name, cycle } => {
                let phase = if matches!(self, Self::Begin { .. }) { 'B' } else { 'E' };
                write!(f, "{{\"name\": {}, \"ts\": {cycle}, \"ph\": \"{phase}\", ", quoted(name))?;
                write!(f, "\"pid\": {pid}, \"tid\": {tid}, \"args\": {{}}}}")
            }
        }
    }
}

/// The timeline as the text of a JSON file.
pub(super) fn json(events: &[ChromeEvent]) -> String {
    let mut out = String::from("[");
    for (index, event) in events.iter().enumerate() {
        // Writing into a string cannot fail.
        let _ = write!(out, "{}{event}", if index == 0 { "" } else { ",\n" });
    }
    out.push_str("]\n");
    out
}

/// The unit that a part of the trace comes from, by packet type and tile.
pub(super) fn sent_by(unit: &Unit, part: &UnitTrace, shift: i32) -> bool {
    let column = i32::from(unit.tile.column) + shift;
    unit.packet_type == part.kind && unit.tile.row == part.tile.row && column == i32::from(part.tile.column)
}

/// A timeline.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Timeline {
    /// Names first, then what each unit saw, in order.
    pub events: Vec<ChromeEvent>,
    /// Whether that is all: two bytes can repeat a record a thousand times, and what a corrupt trace makes of this is cut off.
    pub complete: bool,
}

/// Events that a trace may have for each of its bytes; real ones have fewer than one.
const EVENTS_A_BYTE: usize = 16;

/// And events that every trace may have.
const EVENTS_AT_LEAST: usize = 1 << 16;

/// Names of the slots of a unit.
type Slots = [Cow<'static, str>; 8];

pub(super) fn timeline(trace: &Trace, configuration: &Configuration) -> Timeline {
    let shift = trace.column_shift(configuration);
    let bytes: usize = trace.units.iter().map(|part| part.bytes.len()).sum();
    let limit = bytes.saturating_mul(EVENTS_A_BYTE).saturating_add(EVENTS_AT_LEAST);
    let sources = sources(trace, configuration, shift);
    let mut events = Vec::new();
    for (pid, (name, slots, _)) in sources.iter().enumerate() {
        events.push(ChromeEvent::Process { pid, name: name.clone() });
        let threads = slots.iter().enumerate();
        events.extend(threads.map(|(tid, name)| ChromeEvent::Thread { pid, tid, name: name.clone() }));
    }
    for (pid, (_, names, parts)) in sources.into_iter().enumerate() {
        for part in parts {
            let mut line = Line { events: &mut events, pid, names: names.clone(), cycle: 0, active: 0, limit };
            line.run(&part.records());
        }
    }
    let complete = events.len() < limit;
    events.truncate(limit);
    Timeline { events, complete }
}

/// The processes of a timeline: the configured units first, then those that sent without a known configuration. Each with its name,
/// its slots and what it sent.
fn sources<'a>(
    trace: &'a Trace,
    configuration: &Configuration,
    shift: i32,
) -> Vec<(String, Slots, Vec<&'a UnitTrace>)> {
    let title = |kind: &dyn fmt::Display, Tile { column, row }| format!("{kind}_trace for tile{row},{column}");
    let configured = configuration.units.iter().map(|unit| {
        let column = (i32::from(unit.tile.column) + shift).rem_euclid(256) as u8;
        let parts = trace.units.iter().filter(|part| sent_by(unit, part, shift)).collect();
        (title(&unit.kind, Tile { column, ..unit.tile }), std::array::from_fn(|slot| unit.event_name(slot)), parts)
    });
    let others = trace.units.iter().filter(|part| !configuration.units.iter().any(|unit| sent_by(unit, part, shift)));
    let others = others.map(|part| {
        let name = match UnitKind::of_packet_type(part.kind) {
            Some(kind) => title(&kind, part.tile),
            None => title(&format_args!("type{}", part.kind), part.tile),
        };
        (name, std::array::from_fn(|slot| format!("slot {slot}").into()), vec![part])
    });
    configured.chain(others).collect()
}

/// The timeline of one unit while it is made.
struct Line<'a> {
    events: &'a mut Vec<ChromeEvent>,
    pid: usize,
    names: Slots,
    cycle: u64,
    active: u8,
    limit: usize,
}

impl Line<'_> {
    fn run(&mut self, records: &[Record]) {
        let mut last = None;
        for record in records {
            if self.events.len() >= self.limit {
                return;
            }
            match record {
                Record::Events { slots, cycles } => {
                    self.step(*slots, *cycles);
                    last = Some((*slots, *cycles));
                }
                // A record without cycles that comes again only takes time.
                Record::Repeat { count } => match last {
                    Some((_, 0)) => self.cycle += u64::from(*count),
                    Some((slots, cycles)) => (0..*count).for_each(|_| self.step(slots, cycles)),
                    None => {}
                },
                _ => {}
            }
        }
    }

    fn step(&mut self, slots: u8, cycles: u32) {
        self.cycle += 1;
        let ends = if cycles > 0 { self.active } else { self.active & !slots };
        self.each(ends, false);
        self.active &= !ends;
        self.cycle += u64::from(cycles);
        self.each(slots & !self.active, true);
        self.active |= slots;
    }

    fn each(&mut self, slots: u8, begin: bool) {
        for (tid, name) in self.names.iter().enumerate().filter(|(tid, _)| slots >> tid & 1 == 1) {
            let (pid, name, cycle) = (self.pid, name.clone(), self.cycle);
            self.events.push(if begin {
                ChromeEvent::Begin { pid, tid, name, cycle }
            } else {
                ChromeEvent::End { pid, tid, name, cycle }
            });
        }
    }
}
