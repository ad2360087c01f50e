//! Holding a model against its capture.

use std::collections::BTreeMap;
use std::fmt;

use ferrite_device::IntervalSet;
use ferrite_rknn::Model;
use ferrite_rknn_runtime::{BufferRole, Plan, PlanOptions};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::capture::{Capture, Record};
use crate::compare::{Counts, Difference, Kind, Tally, traces};
use crate::ours::{Ours, ours};
use crate::trace::Trace;
use crate::{Error, answers, vendor};

/// Result of a comparison.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Diff {
    /// How much was compared and how much differs.
    pub counts: Counts,
    /// The first differences of each kind.
    pub first: Vec<Difference>,
    /// Cache maintenance, side by side.
    pub syncs: SyncCoverage,
    /// Requests that the fake driver did not know, by number.
    pub unknown_requests: Vec<u32>,
}

/// What was moved between caches and memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct SyncCoverage {
    /// Bytes that our runtime left unflushed or read stale; any is a fault of ours.
    pub missing: u64,
    /// Bytes that the vendor's runtime moves to the device, and ours does not, counted once.
    pub vendor_only: u64,
    /// Bytes that the vendor's runtime moves to the device again although it moved them before.
    pub vendor_repeated: u64,
    /// Bytes that ours moves to the device, counted once.
    pub ours: u64,
}

impl Diff {
    /// Whether nothing differs.
    pub fn is_equal(&self) -> bool {
        self.counts.is_equal() && self.syncs.missing == 0
    }
}

impl fmt::Display for Diff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for difference in &self.first {
            writeln!(f, "{difference}")?;
        }
        for kind in Kind::ALL {
            let (count, shown) = (self.counts.of(kind), self.first.iter().filter(|d| d.kind == kind).count());
            if count > shown {
                writeln!(f, "{}: {} more", kind.name(), count - shown)?;
            }
        }
        let syncs = &self.syncs;
        writeln!(
            f,
            "syncs: {} bytes missing; to the device {} bytes of ours, {} that only the vendor moves, {} that it repeats",
            syncs.missing, syncs.ours, syncs.vendor_only, syncs.vendor_repeated
        )?;
        let beside = Kind::ALL[5..].iter().map(|kind| format!("{} {}", kind.name(), self.counts.of(*kind)));
        writeln!(f, "compared {} submissions; {}", self.counts.submissions, beside.collect::<Vec<_>>().join(", "))?;
        write!(f, "{}", self.counts)
    }
}

/// Runs our plan of a model as the capture was made, and compares.
///
/// # Errors
/// When the capture is of another file, or our runtime fails.
pub fn diff(model: &[u8], capture: &Capture) -> Result<Diff, Error> {
    let have = vendor::hex(&Sha256::digest(model));
    if have != capture.header.model_sha256 {
        return Err(Error::OtherModel { want: capture.header.model_sha256.clone(), have });
    }
    let model = Model::read(model)?;
    let ours = ours(&model, capture)?;
    let roles: Vec<BufferRole> = ours.plan.buffers().iter().map(|info| info.role).collect();
    let mut theirs = Trace::of_capture(capture, &roles);
    let operators: Vec<String> = model.operators().iter().map(|operator| operator.name.clone()).collect();
    // A capture of programs has no large inputs.
    let kept = |index: usize| capture.inputs.iter().any(|input| input.index == index && !input.bytes.is_empty());
    let complete = (0..theirs.inputs.len()).all(kept);
    if !complete {
        theirs.inputs.clear();
    }
    let mut tally = Tally::default();
    traces(&mut tally, &theirs, &ours.trace, &operators);
    for (index, (their, our)) in capture.outputs.iter().zip(&ours.outputs).enumerate() {
        tally.bytes(Kind::Output, &format!("output {index} as float32"), &their.float, &our.float);
        tally.bytes(Kind::Output, &format!("output {index} as it is"), &their.raw, &our.raw);
    }
    answers::compare(&mut tally, &capture.answers, &ours.plan);
    let unknown = |record: &Record| if let Record::Unknown { request } = record { Some(*request) } else { None };
    Ok(Diff {
        counts: tally.counts,
        first: tally.first,
        syncs: syncs(capture, &ours),
        unknown_requests: capture.records.iter().filter_map(unknown).collect(),
    })
}

/// Compares recorded answers to queries alone with what our plan of a model says: the counts and the first differences.
///
/// # Errors
/// When the model cannot be read or planned.
pub fn diff_answers(model: &[u8], answers: &[Value]) -> Result<(Counts, Vec<Difference>), Error> {
    let plan = Plan::new(&Model::read(model)?, &PlanOptions::default())?;
    let mut tally = Tally::default();
    answers::compare(&mut tally, answers, &plan);
    Ok((tally.counts, tally.first))
}

fn syncs(capture: &Capture, ours: &Ours) -> SyncCoverage {
    let mut coverage = SyncCoverage { missing: ours.unflushed + ours.stale, ..SyncCoverage::default() };
    let total = |set: &IntervalSet| set.iter().map(|range| range.end - range.start).sum::<u64>();
    let mut moved: BTreeMap<usize, IntervalSet> = BTreeMap::new();
    for (role, to_device, range) in &ours.moves {
        let place = ours.trace.buffers.iter().position(|buffer| buffer.role == *role);
        if let Some(place) = place.filter(|_| *to_device) {
            moved.entry(place).or_default().insert(range.clone());
        }
    }
    coverage.ours = moved.values().map(total).sum();
    let mut before: BTreeMap<usize, IntervalSet> = BTreeMap::new();
    for record in &capture.records {
        let &Record::Sync { buffer, direction, offset, bytes, error: None } = record else { continue };
        if direction & 1 == 0 {
            continue;
        }
        let place = (buffer as usize).wrapping_sub(1);
        let set = before.entry(place).or_default();
        let had = total(set);
        set.insert(offset..offset.saturating_add(bytes));
        coverage.vendor_repeated += bytes - (total(set) - had).min(bytes);
    }
    for (place, set) in &before {
        let mut rest = set.clone();
        for range in moved.get(place).into_iter().flat_map(IntervalSet::iter) {
            rest.remove(range.clone());
        }
        coverage.vendor_only += total(&rest);
    }
    coverage
}
