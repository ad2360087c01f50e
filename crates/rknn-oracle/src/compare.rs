//! Counting what differs between two traces.

use std::collections::BTreeSet;
use std::fmt;

use ferrite_rknn_runtime::BufferRole;
use ferrite_rknpu::{Command, CommandKind, RegisterInfo, TaskRecord};
use serde::{Deserialize, Serialize};

use crate::trace::{Trace, TraceSubmission};

/// Kinds of difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A command's target, register or value, where the value is no address; or a command too many or too few.
    NonDma,
    /// An address that refers to another place, or to no buffer.
    Dma,
    /// A field of a task record.
    TaskList,
    /// A field of a submission, or a submission too many or too few.
    Submission,
    /// The size of a buffer, or a buffer too many or too few.
    Buffer,
    /// A byte of an input buffer.
    Input,
    /// A byte of an output.
    Output,
    /// An answer to a query.
    Query,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::NonDma,
        Self::Dma,
        Self::TaskList,
        Self::Submission,
        Self::Buffer,
        Self::Input,
        Self::Output,
        Self::Query,
    ];

    /// The word in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::NonDma => "non-DMA",
            Self::Dma => "DMA",
            Self::TaskList => "task list",
            Self::Submission => "submissions",
            Self::Buffer => "buffers",
            Self::Input => "inputs",
            Self::Output => "outputs",
            Self::Query => "queries",
        }
    }
}

/// How much was compared, and how much of it differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Counts {
    /// Records of the task list.
    pub tasks: usize,
    /// Programs, once per address.
    pub programs: usize,
    /// Submissions of the vendor's runtime.
    pub submissions: usize,
    /// Differences, in the order of [`Kind::ALL`].
    pub differences: [usize; 8],
}

impl Counts {
    /// Number of differences of a kind.
    pub fn of(&self, kind: Kind) -> usize {
        self.differences[kind as usize]
    }

    /// Whether nothing differs.
    pub fn is_equal(&self) -> bool {
        self.differences.iter().all(|count| *count == 0)
    }
}

/// `tasks N, programs N, non-DMA N, DMA N, task list N, submissions N, buffers N`: the first two say how much was compared,
/// the others count differences.
impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "tasks {}, programs {}", self.tasks, self.programs)?;
        for kind in &Kind::ALL[..5] {
            write!(f, ", {} {}", kind.name(), self.of(*kind))?;
        }
        Ok(())
    }
}

/// One difference.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Difference {
    /// Its kind.
    pub kind: Kind,
    /// Operator, task, register and field, or whatever says where.
    pub place: String,
    /// What the vendor's runtime has.
    pub theirs: String,
    /// What ours has.
    pub ours: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}: theirs {}, ours {}", self.kind.name(), self.place, self.theirs, self.ours)
    }
}

/// How many differences of each kind are kept.
const KEPT: usize = 5;

/// Counts, and the first differences of each kind.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tally {
    pub(crate) counts: Counts,
    pub(crate) first: Vec<Difference>,
}

impl Tally {
    pub(crate) fn add(
        &mut self,
        kind: Kind,
        place: impl FnOnce() -> String,
        theirs: impl fmt::Display,
        ours: impl fmt::Display,
    ) {
        let count = &mut self.counts.differences[kind as usize];
        *count += 1;
        if *count <= KEPT {
            let (place, theirs, ours) = (place(), theirs.to_string(), ours.to_string());
            self.first.push(Difference { kind, place, theirs, ours });
        }
    }

    /// Compares bytes; each that differs counts.
    pub(crate) fn bytes(&mut self, kind: Kind, name: &str, theirs: &[u8], ours: &[u8]) {
        if theirs.len() != ours.len() {
            let size = |bytes: &[u8]| format!("{} bytes", bytes.len());
            self.add(kind, || name.to_owned(), size(theirs), size(ours));
        }
        for (at, (theirs, ours)) in theirs.iter().zip(ours).enumerate().filter(|(_, (theirs, ours))| theirs != ours) {
            self.add(kind, || format!("{name}, byte {at:#x}"), format!("{theirs:#04x}"), format!("{ours:#04x}"));
        }
    }
}

/// Compares what two runtimes handed the kernel. `operators` gives names to the operator numbers in task records.
pub fn compare(theirs: &Trace, ours: &Trace, operators: &[String]) -> (Counts, Vec<Difference>) {
    let mut tally = Tally::default();
    traces(&mut tally, theirs, ours, operators);
    (tally.counts, tally.first)
}

pub(crate) fn traces(tally: &mut Tally, theirs: &Trace, ours: &Trace, operators: &[String]) {
    buffers(tally, theirs, ours);
    let mut comparison = Comparison { tally, theirs, ours, operators, seen: BTreeSet::new(), records: BTreeSet::new() };
    comparison.tally.counts.submissions = theirs.submissions.len();
    for (index, (their, our)) in theirs.submissions.iter().zip(&ours.submissions).enumerate() {
        comparison.submission(index, their, our);
        comparison.task_list(their, our);
        comparison.programs(their, our);
    }
    let number = |trace: &Trace| format!("{} submissions", trace.submissions.len());
    for index in
        theirs.submissions.len().min(ours.submissions.len())..theirs.submissions.len().max(ours.submissions.len())
    {
        comparison.tally.add(Kind::Submission, || format!("submission {index}"), number(theirs), number(ours));
    }
    for (index, contents) in theirs.inputs.iter().enumerate() {
        let have = ours.inputs.get(index).map_or(&[][..], Vec::as_slice);
        comparison.tally.bytes(Kind::Input, &format!("input {index}"), contents, have);
    }
}

/// By role: the order in which buffers are created is each runtime's own.
fn buffers(tally: &mut Tally, theirs: &Trace, ours: &Trace) {
    let text = |bytes: Option<u64>| bytes.map_or("none".to_owned(), |bytes| format!("{bytes} bytes"));
    let size = |trace: &Trace, role| trace.buffers.iter().find(|buffer| buffer.role == role).map(|buffer| buffer.bytes);
    for buffer in &theirs.buffers {
        let have = size(ours, buffer.role);
        if have != Some(buffer.bytes) {
            tally.add(Kind::Buffer, || buffer.role.to_string(), text(Some(buffer.bytes)), text(have));
        }
    }
    for buffer in ours.buffers.iter().filter(|buffer| size(theirs, buffer.role).is_none()) {
        tally.add(Kind::Buffer, || buffer.role.to_string(), text(None), text(Some(buffer.bytes)));
    }
}

struct Comparison<'a> {
    tally: &'a mut Tally,
    theirs: &'a Trace,
    ours: &'a Trace,
    operators: &'a [String],
    /// Differing commands that were counted, by their address: a program counts once, however often it is submitted.
    seen: BTreeSet<(u64, usize)>,
    /// The same for fields of task records.
    records: BTreeSet<(usize, usize)>,
}

impl Comparison<'_> {
    fn submission(&mut self, index: usize, their: &TraceSubmission, our: &TraceSubmission) {
        let fields = |submission: &TraceSubmission| {
            let mut fields = vec![
                ("flags".to_owned(), submission.flags),
                ("task_start".to_owned(), submission.start),
                ("task_number".to_owned(), submission.number),
                ("core_mask".to_owned(), submission.core_mask),
            ];
            for (entry, range) in submission.subcores.iter().enumerate() {
                fields.push((format!("subcores[{entry}].start"), range.start));
                fields.push((format!("subcores[{entry}].number"), range.number));
            }
            fields
        };
        for ((name, theirs), (_, ours)) in fields(their).into_iter().zip(fields(our)) {
            if theirs != ours {
                self.tally.add(Kind::Submission, || format!("submission {index}, {name}"), theirs, ours);
            }
        }
    }

    fn task_name(&self, index: usize, record: &TaskRecord) -> String {
        let name = usize::try_from(record.op_idx).ok().and_then(|operator| self.operators.get(operator));
        format!("operator {} `{}`, task {index}", record.op_idx, name.map_or("?", String::as_str))
    }

    fn task_list(&mut self, their: &TraceSubmission, our: &TraceSubmission) {
        self.tally.counts.tasks = self.tally.counts.tasks.max(their.tasks.len());
        for index in 0..their.tasks.len().max(our.tasks.len()) {
            let (Some(their), Some(our)) = (their.tasks.get(index), our.tasks.get(index)) else {
                if self.records.insert((index, usize::MAX)) {
                    let number = |list: &[TaskRecord]| format!("{} records", list.len());
                    let (theirs, ours) = (number(&their.tasks), number(&our.tasks));
                    self.tally.add(Kind::TaskList, || format!("task {index}"), theirs, ours);
                }
                continue;
            };
            let fields = |record: &TaskRecord| {
                [
                    ("flags", record.flags),
                    ("op_idx", record.op_idx),
                    ("enable_mask", record.enable_mask.0),
                    ("int_mask", record.int_mask),
                    ("int_clear", record.int_clear),
                    ("int_status", record.int_status),
                    ("regcfg_amount", record.regcfg_amount),
                    ("regcfg_offset", record.regcfg_offset),
                ]
            };
            for (field, ((name, theirs), (_, ours))) in fields(their).into_iter().zip(fields(our)).enumerate() {
                if theirs != ours && self.records.insert((index, field)) {
                    let place = format!("{}, {name}", self.task_name(index, their));
                    self.tally.add(Kind::TaskList, || place, format_args!("{theirs:#x}"), format_args!("{ours:#x}"));
                }
            }
            let places = (self.theirs.locate(their.regcmd_addr), self.ours.locate(our.regcmd_addr));
            if (places.0.is_none() || places.0 != places.1) && self.records.insert((index, 8)) {
                let place = format!("{}, regcmd_addr", self.task_name(index, their));
                self.tally.add(
                    Kind::TaskList,
                    || place,
                    Place(their.regcmd_addr, places.0),
                    Place(our.regcmd_addr, places.1),
                );
            }
        }
    }

    fn programs(&mut self, their: &TraceSubmission, our: &TraceSubmission) {
        let mut addresses = BTreeSet::new();
        for (index, (task, counterpart)) in their.tasks.iter().zip(our.tasks.iter()).enumerate() {
            if !addresses.insert(task.regcmd_addr) {
                continue;
            }
            let program = their.programs.get(&task.regcmd_addr).map_or(&[][..], Vec::as_slice);
            let other = our.programs.get(&counterpart.regcmd_addr).map_or(&[][..], Vec::as_slice);
            self.program(index, task, program, other);
        }
        self.tally.counts.programs = self.tally.counts.programs.max(addresses.len());
    }

    fn program(&mut self, index: usize, task: &TaskRecord, program: &[u8], other: &[u8]) {
        let (theirs, ours) = (commands(program), commands(other));
        if program.is_empty() || theirs.len() != ours.len() {
            if self.seen.insert((task.regcmd_addr, usize::MAX)) {
                let place = format!("{}, program", self.task_name(index, task));
                let length = |list: &[Command]| format!("{} commands", list.len());
                self.tally.add(Kind::NonDma, || place, length(&theirs), length(&ours));
            }
            return;
        }
        for (at, (their, our)) in theirs.into_iter().zip(ours).enumerate() {
            let Some(kind) = self.command(their, our) else { continue };
            if !self.seen.insert((task.regcmd_addr, at)) {
                continue;
            }
            let place = format!("{}, command {at}, {}", self.task_name(index, task), register_and_field(their, our));
            if kind == Kind::Dma {
                let (a, b) = (u64::from(their.value()), u64::from(our.value()));
                self.tally.add(kind, || place, Place(a, self.theirs.locate(a)), Place(b, self.ours.locate(b)));
            } else {
                self.tally.add(kind, || place, text(their, our, their), text(their, our, our));
            }
        }
    }

    /// Whether two commands differ, and how.
    fn command(&self, their: Command, our: Command) -> Option<Kind> {
        if (their.target(), their.offset()) != (our.target(), our.offset()) {
            return Some(Kind::NonDma);
        }
        let is_address = their.register().is_some_and(|register| register.kind.is_address());
        if !is_address {
            return (their.value() != our.value()).then_some(Kind::NonDma);
        }
        let (a, b) = (u64::from(their.value()), u64::from(our.value()));
        // Zero is no address: that unit is off, or nothing follows.
        if a == 0 && b == 0 {
            return None;
        }
        let (a, b) = (self.theirs.locate(a), self.ours.locate(b));
        (a.is_none() || a != b).then_some(Kind::Dma)
    }
}

fn commands(bytes: &[u8]) -> Vec<Command> {
    bytes.as_chunks::<8>().0.iter().map(|word| Command(u64::from_le_bytes(*word))).collect()
}

/// The register that a command writes, and the lowest field in which the two values differ.
fn register_and_field(their: Command, our: Command) -> String {
    match their.decode() {
        CommandKind::Write { offset, .. } => {
            let Some(register) = RegisterInfo::at(offset) else { return format!("register {offset:#06x}") };
            let changed = their.value() ^ our.value();
            let field = register.fields.iter().find(|field| changed & field.mask() != 0);
            match field {
                Some(field) if !register.kind.is_address() => format!("{}.{}", register.full_name(), field.name),
                _ => register.full_name(),
            }
        }
        other => format!("{other:?}"),
    }
}

/// A command in a message: its value if the other has the same register, all of it otherwise.
fn text(their: Command, our: Command, which: Command) -> String {
    if (their.target(), their.offset()) == (our.target(), our.offset()) {
        format!("{:#x}", which.value())
    } else {
        format!("{:#018x}", which.0)
    }
}

/// An address in a message.
struct Place(u64, Option<(BufferRole, u64)>);

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.1 {
            Some((role, offset)) => write!(f, "{role} + {offset:#x}"),
            None => write!(f, "{:#x}, which is in no buffer", self.0),
        }
    }
}
