//! Why a submission failed.

use std::ops::Range;

use ferrite_device::memory::AccessError;
use ferrite_rknpu::SubmissionError;
use ferrite_rknpu::typed::{ReplayError, ranges::UnknownLayout};

/// One side of a conflict between cores.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Party {
    /// The task.
    pub index: usize,
    /// Its core, from 0.
    pub core: usize,
    /// The address register of the DMA.
    pub register: String,
    /// Whether the DMA writes.
    pub writes: bool,
}

impl Party {
    fn verb(&self) -> &'static str {
        if self.writes { "writes" } else { "reads" }
    }
}

impl Error {
    /// The task that failed, where it was a task.
    pub fn task(&self) -> Option<usize> {
        match self {
            Self::Submission(_) => None,
            Self::CoreConflict { task, .. } => Some(task.index),
            Self::Replay { task, .. }
            | Self::NotModelled { task, .. }
            | Self::Layout { task, .. }
            | Self::Access { task, .. }
            | Self::Address { task, .. }
            | Self::Limit { task, .. } => Some(*task),
        }
    }
}

/// What went wrong, and at which task. Task numbers index the submission's task list.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The submission itself makes no sense.
    #[error(transparent)]
    Submission(#[from] SubmissionError),
    /// A program has no meaning.
    #[error("task {task}, program at {address:#x}")]
    Replay {
        /// The task.
        task: usize,
        /// Device address of its program.
        address: u64,
        /// What is wrong with it.
        #[source]
        source: ReplayError,
    },
    /// A program asks for something whose meaning is not established, or that this emulator does not have.
    #[error("task {task}: `{register}` = {value:#x} is not modelled: {reason}")]
    NotModelled {
        /// The task.
        task: usize,
        /// Block and register, such as `CORE.CLIP_TRUNCATE`.
        register: String,
        /// The value concerned: of the field that the reason names.
        value: u32,
        /// What about it.
        reason: &'static str,
    },
    /// It is not known which memory the task touches.
    #[error("task {task}")]
    Layout {
        /// The task.
        task: usize,
        /// Which register says so.
        #[source]
        source: UnknownLayout,
    },
    /// A DMA left the buffers.
    #[error("task {task}: the DMA that starts at `{register}`")]
    Access {
        /// The task.
        task: usize,
        /// The address register, or `program` for the fetch of the program.
        register: String,
        /// What happened.
        #[source]
        source: AccessError,
    },
    /// One core reads what another writes in the same submission: what it finds is chance.
    #[error(
        "task {} on core {} {} {:#x}..{:#x} (`{}`), which task {} on core {} {} (`{}`) in the same submission; nothing orders them",
        .task.index, .task.core, .task.verb(), .range.start, .range.end, .task.register, .other.index, .other.core, .other.verb(),
        .other.register
    )]
    CoreConflict {
        /// The task that was about to run.
        task: Box<Party>,
        /// The task of another core.
        other: Box<Party>,
        /// The first bytes in common, in device addresses.
        range: Range<u64>,
    },
    /// A DMA computed an address below zero.
    #[error("task {task}: the DMA that starts at `{register}` reaches address {address}")]
    Address {
        /// The task.
        task: usize,
        /// The address register.
        register: String,
        /// The address.
        address: i64,
    },
    /// The task would exceed a limit; nothing of it was executed.
    #[error("task {task} needs {needed} {what}, {left} are left of the limit")]
    Limit {
        /// The task.
        task: usize,
        /// What is limited.
        what: &'static str,
        /// What the task needs.
        needed: u64,
        /// What the limit leaves.
        left: u64,
    },
}
