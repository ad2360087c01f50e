//! What is wrong in a model, found without running it.
//!
//! The vendor's compiler is the measure: whatever it makes is legal, so a rule that calls one of its programs an error is
//! wrong. Tests hold the rules against every compiled model of the repository. What the compiler does make and that is still
//! doubtful (a read beyond a buffer's last byte, say) is a warning.

mod fields;
mod memory;
mod model;
mod ranges;
mod registers;
mod tasks;

use std::collections::HashMap;
use std::fmt;

use ferrite_rknn::Model;
use ferrite_rknpu::{Field, RegisterInfo};

use crate::programs::{Programs, Task};

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing.
    Note,
    /// Probably not what is meant, or not what happens everywhere.
    Warning,
    /// Will fail, hang or compute something else.
    Error,
}

impl Severity {
    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident = $name:literal, $severity:ident;)*) => {
        /// What is judged. Every kind has one severity.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Kind {
            $($(#[$doc])* $kind,)*
        }

        impl Kind {
            /// Every kind.
            pub const ALL: &'static [Self] = &[$(Self::$kind),*];

            /// Its name.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$kind => $name,)* }
            }

            /// How bad it is.
            #[must_use]
            pub const fn severity(self) -> Severity {
                match self { $(Self::$kind => Severity::$severity,)* }
            }
        }
    };
}

kinds! {
    /// The chips and versions the file needs.
    Needs = "needs", Note;
    /// The file names its chip or its compiler in two ways that contradict each other.
    TargetMismatch = "target-mismatch", Error;
    /// A chip whose registers are not known: programs are not judged.
    UnknownTarget = "unknown-target", Warning;
    /// Tables of the file that contradict each other.
    Inconsistent = "inconsistent", Warning;
    /// An operator that the compiler left to the CPU.
    CpuOperator = "cpu-operator", Note;
    /// A task record that no operator submits.
    UnsubmittedTask = "unsubmitted-task", Error;
    /// An operator counts tasks that the list does not have.
    MissingTask = "missing-task", Error;
    /// A task record that names another operator than the one that submits it.
    WrongOwner = "wrong-owner", Error;
    /// A record whose length or address does not meet a whole program.
    TaskProgram = "task-program", Error;
    /// The blocks that a record starts are not those of its program.
    EnableMask = "enable-mask", Error;
    /// An interrupt that the task never raises is waited for.
    InterruptMask = "interrupt-mask", Error;
    /// A program that does not lead to the next task of its submission.
    BrokenChain = "broken-chain", Error;
    /// More tasks in one submission than the program controller counts.
    TooManyTasks = "too-many-tasks", Error;
    /// Commands that cannot be replayed.
    BadProgram = "bad-program", Error;
    /// A value that the network asks for and that a register field cannot hold.
    FieldOverflow = "field-overflow", Error;
    /// Bits of a register that no field covers.
    ReservedBits = "reserved-bits", Error;
    /// A value beyond a limit of the hardware.
    Limit = "limit", Error;
    /// A code without a known meaning.
    UnknownCode = "unknown-code", Warning;
    /// Registers that contradict each other.
    Disagreement = "disagreement", Error;
    /// A window that does not produce the output its registers promise.
    Geometry = "geometry", Error;
    /// A task that waits for data nobody delivers.
    Hang = "hang", Error;
    /// A lookup table that nothing in the submission filled.
    TableNotLoaded = "table-not-loaded", Error;
    /// An address that the loader does not relocate.
    UnrelocatedAddress = "unrelocated-address", Error;
    /// A relocation that does not fit the program.
    BadRelocation = "bad-relocation", Error;
    /// DMA outside its buffer.
    OutsideBuffer = "outside-buffer", Error;
    /// DMA beyond a buffer's last byte, but inside its last page.
    OutsideBytes = "outside-bytes", Warning;
    /// A graph input read with another distance of surfaces than it has.
    StrideMismatch = "stride-mismatch", Warning;
    /// DMA beyond its tensor, into memory of the same buffer.
    OutsideTensor = "outside-tensor", Warning;
    /// A write into weights, programs or tasks.
    WriteToConstants = "write-to-constants", Error;
    /// A task reads what its own output overwrites, at other places.
    Overlap = "overlap", Error;
    /// A task works in one tensor, and writes what it may not have read yet.
    InPlace = "in-place", Warning;
    /// A tensor that is overwritten before its last reader.
    Clobbered = "clobbered", Error;
    /// A constant that is infinite or not a number in half precision.
    NotFinite = "not-finite", Warning;
    /// Half precision that can overflow: a bound, not an observation.
    Fp16Range = "fp16-range", Warning;
    /// How large an input must be for half precision to overflow: a bound, not an observation.
    Fp16Headroom = "fp16-headroom", Note;
    /// There are more findings than are listed.
    More = "more-findings", Warning;
}

/// Where something is.
#[derive(Debug, Clone, PartialEq, Eq, Default, Hash)]
pub struct Place {
    /// The operator: its index and name.
    pub operator: Option<(usize, String)>,
    /// The task, by its index in the task list.
    pub task: Option<usize>,
    /// The register or field, by the hardware's name.
    pub register: Option<String>,
    /// Offset in the file, in bytes.
    pub offset: Option<usize>,
}

/// Something found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// By which rule.
    pub kind: Kind,
    /// Where.
    pub place: Place,
    /// What.
    pub message: String,
    /// How many more tasks of the same operator have the same.
    pub more: usize,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.kind.severity().name())?;
        let place = &self.place;
        let parts = [
            place.operator.as_ref().map(|(index, name)| format!("operator {index} `{name}`")),
            place.task.map(|task| format!("task {task}")),
            place.register.clone(),
            place.offset.map(|offset| format!("byte {offset:#x}")),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        if !parts.is_empty() {
            write!(f, "{}: ", parts.join(", "))?;
        }
        write!(f, "{}", self.message)?;
        if self.more > 0 {
            write!(f, " (and in {} more tasks)", self.more)?;
        }
        write!(f, " [{}]", self.kind.name())
    }
}

/// All findings about a model, in the order of the file.
#[derive(Debug, Clone, Default)]
pub struct Report {
    /// The findings.
    pub findings: Vec<Finding>,
    /// The place of each distinct finding in `findings`.
    known: HashMap<(Kind, Option<usize>, Option<String>, String), usize>,
    omitted: usize,
}

/// Findings that are listed at most: a corrupt file can have any number.
const LIMIT: usize = 1000;

impl Report {
    /// Number of findings of a severity.
    #[must_use]
    pub fn count(&self, severity: Severity) -> usize {
        self.findings.iter().filter(|finding| finding.kind.severity() == severity).count()
    }

    fn add(&mut self, kind: Kind, place: Place, message: impl Into<String>) {
        let message = message.into();
        let operator = place.operator.as_ref().map(|(index, _)| *index);
        let key = (kind, operator, place.register.clone(), message.clone());
        if let (Some(&at), Some(_)) = (self.known.get(&key), operator) {
            self.findings[at].more += 1;
        } else if self.findings.len() < LIMIT {
            self.known.insert(key, self.findings.len());
            self.findings.push(Finding { kind, place, message, more: 0 });
        } else {
            self.omitted += 1;
        }
    }

    fn finish(mut self) -> Self {
        if self.omitted > 0 {
            let message = format!("{} more findings are not listed", self.omitted);
            self.findings.push(Finding { kind: Kind::More, place: Place::default(), message, more: 0 });
        }
        self
    }
}

/// Judges a model.
#[must_use]
pub fn lint(model: &Model) -> Report {
    let mut report = Report::default();
    model::check(model, &mut report);
    fields::check(model, &mut report);
    if model::programs_are_known(model) {
        let programs = Programs::new(model);
        tasks::check(&programs, &mut report);
        registers::check(&programs, &mut report);
        memory::check(&programs, &mut report);
        ranges::check(&programs, &mut report);
    }
    report.finish()
}

/// The place of an operator.
fn operator_place(model: &Model, index: usize) -> Place {
    let operator = model.operators().get(index);
    Place {
        operator: operator.map(|operator| (index, operator.name.clone())),
        offset: operator.map(|operator| operator.place),
        ..Place::default()
    }
}

/// What the rules about one task need: its place, and where to report.
struct At<'r, 'a> {
    programs: &'r Programs<'a>,
    task: &'r Task<'a>,
    report: &'r mut Report,
}

impl At<'_, '_> {
    /// Reports about a register; the byte is that of the command that wrote it.
    fn register(&mut self, kind: Kind, register: u16, name: Option<String>, message: impl Into<String>) {
        let command = self.task.origin(register);
        let name = name.or_else(|| RegisterInfo::at(register).map(RegisterInfo::full_name));
        let place = Place {
            register: Some(name.unwrap_or_else(|| format!("{register:#06x}"))),
            offset: command.and_then(|command| self.programs.file_offset(command)),
            ..self.place()
        };
        self.report.add(kind, place, message);
    }

    fn field(&mut self, kind: Kind, field: Field, message: impl Into<String>) {
        self.register(kind, field.offset, Some(field.to_string()), message);
    }

    /// Reports about the task's record.
    fn record(&mut self, kind: Kind, message: impl Into<String>) {
        let place = Place { offset: self.programs.record_offset(self.task.index), ..self.place() };
        self.report.add(kind, place, message);
    }

    /// Reports about a command of the program, by its position.
    fn command(&mut self, kind: Kind, position: usize, message: impl Into<String>) {
        let place = Place {
            register: self
                .task
                .program
                .commands
                .get(position)
                .and_then(|command| command.register())
                .map(RegisterInfo::full_name),
            offset: self.programs.file_offset(self.task.first_command + position),
            ..self.place()
        };
        self.report.add(kind, place, message);
    }

    fn place(&self) -> Place {
        Place {
            operator: self.task.operator.map(|(index, operator)| (index, operator.name.clone())),
            task: Some(self.task.index),
            ..Place::default()
        }
    }
}
