//! Why a submission failed.

use ferrite_device::memory::AccessError;
use ferrite_rknpu::SubmissionError;
use ferrite_rknpu::typed::{ReplayError, ranges::UnknownLayout};

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
