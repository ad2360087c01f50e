//! What can go wrong, and what to do about it.

use std::io;
use std::ops::Range;

use ferrite_rknpu::{SubmissionError, TaskRecord};
use rustix::io::Errno;

use crate::probe::{Reason, Refusal};

/// No NPU could be opened.
#[derive(Debug, thiserror::Error)]
#[error("no NPU device: probed {}", list(.probed))]
pub struct OpenError {
    /// Every node that was looked at, in order, and why it is not one.
    pub probed: Vec<Refusal>,
}

fn list(probed: &[Refusal]) -> String {
    let parts: Vec<String> = probed.iter().map(Refusal::to_string).collect();
    if parts.is_empty() { "nothing".to_owned() } else { parts.join("; ") }
}

impl OpenError {
    /// What the user can do.
    pub fn help(&self) -> &'static str {
        let any = |wanted: fn(&Reason) -> bool| self.probed.iter().any(|refusal| wanted(&refusal.reason));
        if any(|reason| matches!(reason, Reason::TooOld(_))) {
            return "install a kernel whose rknpu driver is 0.8.0 or newer";
        }
        if any(|reason| matches!(reason, Reason::Open(error) if error.kind() == io::ErrorKind::PermissionDenied)) {
            return "join the group that owns the node (`render` or `video`): usermod -aG render,video $USER, then log in again";
        }
        if any(|reason| matches!(reason, Reason::Silent(_))) {
            return "`dmesg | grep -i rknpu` says what is wrong with the driver";
        }
        "load the vendor's rknpu kernel driver (`dmesg | grep -i rknpu` shows whether it is there) and, in a container, pass \
         /dev/dri or /dev/rknpu in"
    }
}

/// A request that the kernel driver refused, or that makes no sense to it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DriverError {
    /// The kernel refused.
    #[error("{what}: {source} ({advice})")]
    Refused {
        /// What was asked, in words.
        what: String,
        /// Its answer.
        source: io::Error,
        /// What the answer means here.
        advice: &'static str,
    },
    /// A job did not end.
    #[error(
        "tasks {first} to {last} (operators {} to {} of the model) did not finish: the driver waited {waited} and reset the \
         NPU; its counter says {done} tasks done. `dmesg` has the interrupt status of each core. Check the programs on the \
         emulator; if they finish there, retry on one core and with driver 0.9.6 or newer",
        .operators.start(), .operators.end(), waited = waited(*.timeout)
    )]
    Timeout {
        /// First task that was to run, as index of the task list.
        first: usize,
        /// Last task that was to run.
        last: usize,
        /// Lowest and highest operator of these tasks.
        operators: std::ops::RangeInclusive<u32>,
        /// Milliseconds of one wait; the driver waits up to three times.
        timeout: u32,
        /// The driver's count of finished tasks.
        done: u32,
    },
    /// The kernel placed a buffer where programs cannot reach it.
    #[error(
        "the kernel placed a buffer at device addresses {:#x}..{:#x}, but programs hold 32 bits of an address; free memory, or \
         boot with the NPU's IOMMU enabled",
        .range.start, .range.end
    )]
    BeyondWindow {
        /// The addresses.
        range: Range<u64>,
    },
    /// An imported buffer is larger or smaller than the caller says.
    #[error("{wanted} bytes of a file descriptor were to be imported, which has {found}")]
    ImportSize {
        /// Bytes asked for.
        wanted: u64,
        /// Bytes there are.
        found: u64,
    },
    /// No heap gives memory.
    #[error("no memory for the NPU: {0}")]
    NoHeap(String),
    /// The submission contradicts itself.
    #[error(transparent)]
    Submission(#[from] SubmissionError),
    /// The submission has no tasks.
    #[error("a submission without tasks")]
    NoTasks,
    /// The task list is not where it must be.
    #[error("the task list at {address:#x} is not the start of a buffer for task records that holds {tasks} of them")]
    TaskList {
        /// Its address.
        address: u64,
        /// Records it should have.
        tasks: usize,
    },
    /// A program is not in memory of this device.
    #[error("the program of task {task}, {bytes} bytes at {address:#x}, lies in no buffer of this device")]
    Program {
        /// The task, as index of the task list.
        task: usize,
        /// Where it should be.
        address: u64,
        /// Its length.
        bytes: u64,
    },
    /// Jobs are waited for by the submitting thread only.
    #[error("job flags {flags:#x} ask for more than a blocking submission by the program controller")]
    Flags {
        /// The flags.
        flags: u32,
    },
}

fn waited(timeout: u32) -> String {
    format!("up to 3 times {timeout} ms")
}

impl DriverError {
    pub(crate) fn refused(what: impl Into<String>, request: Asked, errno: Errno) -> Self {
        Self::Refused { what: what.into(), source: errno.into(), advice: advice(request, errno) }
    }

    pub(crate) fn timeout(tasks: &[TaskRecord], range: Range<usize>, timeout: u32, done: u32) -> Self {
        let operators = tasks.get(range.clone()).unwrap_or_default().iter().map(|task| task.op_idx);
        let bounds = operators.clone().min().unwrap_or(0)..=operators.max().unwrap_or(0);
        Self::Timeout { first: range.start, last: range.end.saturating_sub(1), operators: bounds, timeout, done }
    }
}

/// What was asked of the kernel, as far as the meaning of its answers depends on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Asked {
    Allocate,
    Map,
    Sync,
    Import,
    Export,
    Submit,
}

/// What an error of the kernel means.
fn advice(request: Asked, errno: Errno) -> &'static str {
    match (request, errno) {
        (Asked::Submit, Errno::INVAL) => {
            "the driver rejects the job: this chip may have fewer cores than the core mask names"
        }
        (Asked::Sync, Errno::INVAL) => "the driver knows no such cached buffer",
        (_, Errno::INVAL) => "the driver rejects the request: no such size or kind of buffer",
        (Asked::Allocate | Asked::Import, Errno::NOMEM) => {
            "memory or the NPU's 4 GiB of addresses are used up, perhaps by other processes: see /sys/kernel/debug/rknpu/mm"
        }
        (_, Errno::NOMEM) => "the system is out of memory or of mappings",
        (_, Errno::ACCESS | Errno::PERM) => {
            "not allowed: the node must be open for reading and writing, by group `render` or `video`"
        }
        (_, Errno::MFILE | Errno::NFILE) => "too many open files: see `ulimit -n`",
        (_, Errno::NODEV | Errno::NXIO | Errno::IO) => "the device is gone or without power; see `dmesg`",
        (_, Errno::NOTTY) => "the node does not speak the driver's protocol",
        (_, Errno::TIMEDOUT) => "the driver gave up and reset the NPU; see `dmesg`",
        _ => "see `dmesg`",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    fn error(reasons: Vec<Reason>) -> OpenError {
        let path = || PathBuf::from("/dev/dri/renderD128");
        OpenError { probed: reasons.into_iter().map(|reason| Refusal { path: path(), reason }).collect() }
    }

    #[test]
    fn help_follows_the_most_telling_refusal() {
        let denied = || Reason::Open(io::Error::from(io::ErrorKind::PermissionDenied));
        let old = Reason::TooOld(crate::Version { major: 0, minor: 7, patch: 2 });
        assert!(error(vec![Reason::Absent, denied()]).help().contains("usermod"));
        assert!(error(vec![denied(), old]).help().contains("0.8.0"));
        assert!(error(vec![Reason::Absent]).help().contains("load the vendor's rknpu kernel driver"));
        let text = error(vec![Reason::OtherDriver("panthor".into()), denied()]).to_string();
        assert_eq!(
            text,
            "no NPU device: probed /dev/dri/renderD128 (driver `panthor`); /dev/dri/renderD128 (permission denied)"
        );
    }

    #[test]
    fn a_timeout_names_tasks_and_operators() {
        let tasks = [3, 4, 4, 9].map(|op_idx| TaskRecord { op_idx, ..TaskRecord::default() });
        let text = DriverError::timeout(&tasks, 1..3, 6000, 1).to_string();
        assert!(text.starts_with("tasks 1 to 2 (operators 4 to 4 of the model) did not finish"), "{text}");
        assert!(text.contains("up to 3 times 6000 ms") && text.contains("says 1 tasks done"), "{text}");
    }
}
