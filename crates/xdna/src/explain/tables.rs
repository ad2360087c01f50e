//! Lists of buffers and timelines in words.

use std::collections::BTreeMap;

use super::{Document, fit};
use crate::buffers::ExternalBuffers;
use crate::trace::ChromeEvent;

pub(super) fn buffers(list: &ExternalBuffers) -> Document {
    let mut document = Document::new("buffers of a design");
    for (key, buffer) in &list.buffers {
        let what = if buffer.ctrl_pkt_buffer { ", the control packets" } else { "" };
        document
            .line(format!("{key}: `{}`, buffer {}, {} bytes{what}", buffer.name, buffer.xrt_id, buffer.size_in_bytes));
        for place in &buffer.control_packet_patch_locations {
            let (offset, size) = (place.offset, place.size);
            document
                .line(format!("  address of {size} bytes in the control packets + {offset:#x}, {}", place.operation));
        }
    }
    document
}

/// What a slot of a unit saw.
#[derive(Default)]
struct Slot {
    name: String,
    times: usize,
    cycles: u64,
    begun: Option<u64>,
}

pub(super) fn timeline(events: &[ChromeEvent]) -> Document {
    let mut units: BTreeMap<usize, (String, BTreeMap<usize, Slot>)> = BTreeMap::new();
    let mut last = 0;
    for event in events {
        match event {
            ChromeEvent::Process { pid, name } => units.entry(*pid).or_default().0.clone_from(name),
            ChromeEvent::Thread { pid, tid, name } => {
                units.entry(*pid).or_default().1.entry(*tid).or_default().name = name.to_string();
            }
            ChromeEvent::Begin { pid, tid, cycle, .. } => {
                let slot = units.entry(*pid).or_default().1.entry(*tid).or_default();
                slot.times += 1;
                slot.begun = Some(*cycle);
                last = last.max(*cycle);
            }
            ChromeEvent::End { pid, tid, cycle, .. } => {
                let slot = units.entry(*pid).or_default().1.entry(*tid).or_default();
                let begun = slot.begun.take().unwrap_or(*cycle);
                slot.cycles = slot.cycles.saturating_add(cycle.saturating_sub(begun));
                last = last.max(*cycle);
            }
        }
    }
    let mut document = Document::new("timeline of a trace");
    document.line(format!("{} entries, until cycle {last}", events.len()));
    for (name, slots) in units.values() {
        let mut part = Document::new(fit(name.clone()));
        for (number, Slot { name, times, cycles, .. }) in slots {
            part.line(format!("slot {number} {name}: {times} times, {cycles} cycles"));
        }
        document.parts.push(part);
    }
    document
}
