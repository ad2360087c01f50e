//! What a device is given to run.

use std::ops::Range;
use std::sync::Arc;

use crate::bits::bits;
use crate::task::TaskRecord;

bits! {
    /// How a submission is to be run; the bits of the vendor's kernel driver. The vendor's runtime submits `PC|PINGPONG`, and
    /// `PC` alone for tasks that load lookup tables.
    JobFlags {
        /// The program controller fetches the programs. Without it the host would write every register itself.
        PC = 0x01;
        /// Return before the work is done.
        NONBLOCK = 0x02;
        /// Tasks alternate between the two register banks of each block.
        PINGPONG = 0x04;
        /// Wait for a fence before starting.
        FENCE_IN = 0x08;
        /// Hand out a fence that signals the end.
        FENCE_OUT = 0x10;
    }
}

bits! {
    /// The cores that a submission may use. The empty set leaves the choice of one core to the driver.
    CoreMask {
        /// The first core.
        CORE0 = 0x1;
        /// The second core.
        CORE1 = 0x2;
        /// The third core.
        CORE2 = 0x4;
    }
}

/// A range of the task list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct TaskRange {
    /// Index of the first task.
    pub start: u32,
    /// Number of tasks.
    pub number: u32,
}

/// Work for the NPU, in the form that every kind of device can take.
///
/// * The vendor's `rknpu` driver needs the fields as they are: the records lie in a buffer at `task_list`, and the numbers
///   become those of its submit structure, whose oddities therefore stay visible here (see [`subcores`](Self::subcores)).
/// * Mainline's `rocket` has neither task list nor core mask: it takes `regcmd_addr` and the number of commands of the tasks in
///   [`work`](Self::work), one job, in order.
/// * The emulator runs [`work`](Self::work) core by core and reads the programs from device memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Submission {
    /// How to run it.
    pub flags: JobFlags,
    /// Every record of the task list, from index 0, so that the ranges below index it. Shared by all submissions of a plan.
    pub tasks: Arc<[TaskRecord]>,
    /// Device address of the buffer that holds the records.
    pub task_list: u64,
    /// The range as the driver counts it: the vendor's runtime writes three times the number of tasks here when one core runs.
    pub range: TaskRange,
    /// The cores to use.
    pub core_mask: CoreMask,
    /// Which tasks each core runs: core `n` of a job for one or two cores takes entry `n`, of a job for three entry `n + 2`.
    pub subcores: [TaskRange; 5],
    /// How long the driver waits before it resets the core, in milliseconds.
    pub timeout: u32,
}

/// What one core does for a submission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CoreWork {
    /// The core, from 0.
    pub core: usize,
    /// Its tasks, in order, as indices of [`Submission::tasks`].
    pub tasks: Range<usize>,
}

/// A submission that makes no sense.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SubmissionError {
    /// A core's range goes past the task list.
    #[error("core {core} is to run {number} tasks from task {start}, but the list has {tasks}")]
    Range {
        /// The core.
        core: usize,
        /// Index of the first task.
        start: u32,
        /// Number of tasks.
        number: u32,
        /// Length of the list.
        tasks: usize,
    },
    /// The mask names a core that does not exist.
    #[error("core mask {mask:#x} names a core beyond the third")]
    CoreMask {
        /// The mask.
        mask: u32,
    },
}

impl Submission {
    /// A submission of tasks `start` to `start + number` for one core of the driver's choice, with the numbers where the
    /// vendor's runtime puts them.
    pub fn single_core(
        flags: JobFlags,
        tasks: Arc<[TaskRecord]>,
        task_list: u64,
        range: TaskRange,
        timeout: u32,
    ) -> Self {
        let tripled = TaskRange { start: range.start, number: range.number.saturating_mul(3) };
        let none = TaskRange::default();
        Self {
            flags,
            tasks,
            task_list,
            range: tripled,
            core_mask: CoreMask::default(),
            subcores: [range, range, range, none, none],
            timeout,
        }
    }

    /// Which tasks each core runs. Where the driver chooses the core, it is core 0 here: all of the vendor's entries agree.
    ///
    /// # Errors
    /// If a range goes past the list or the mask names a fourth core.
    pub fn work(&self) -> Result<Vec<CoreWork>, SubmissionError> {
        let mask = if self.core_mask.0 == 0 { CoreMask::CORE0.0 } else { self.core_mask.0 };
        if mask > 0b111 {
            return Err(SubmissionError::CoreMask { mask });
        }
        let first_entry = if mask.count_ones() == 3 { 2 } else { 0 };
        let cores = (0..3).filter(|core| mask >> core & 1 == 1);
        cores.map(|core| self.core_work(core, self.subcores[first_entry + core])).collect()
    }

    fn core_work(&self, core: usize, range: TaskRange) -> Result<CoreWork, SubmissionError> {
        let TaskRange { start, number } = range;
        let tasks = self.tasks.len();
        let end = u64::from(start) + u64::from(number);
        match (usize::try_from(start), usize::try_from(end)) {
            (Ok(first), Ok(end)) if end <= tasks => Ok(CoreWork { core, tasks: first..end }),
            _ => Err(SubmissionError::Range { core, start, number, tasks }),
        }
    }
}
