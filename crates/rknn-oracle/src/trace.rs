//! What a comparison looks at, from a capture or from our own runtime.

use std::collections::BTreeMap;
use std::sync::Arc;

use ferrite_rknn_runtime::BufferRole;
use ferrite_rknpu::{TaskRange, TaskRecord};

use crate::capture::{Capture, Memory};

/// Programs by device address.
pub(crate) type Programs = BTreeMap<u64, Vec<u8>>;

/// A buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TraceBuffer {
    /// What it is for.
    pub role: BufferRole,
    /// Bytes requested.
    pub bytes: u64,
    /// Device address.
    pub address: u64,
}

/// A submission and what it refers to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TraceSubmission {
    /// Job flags.
    pub flags: u32,
    /// First task, as the driver counts.
    pub start: u32,
    /// Number of tasks, as the driver counts.
    pub number: u32,
    /// Core mask.
    pub core_mask: u32,
    /// All five entries.
    pub subcores: [TaskRange; 5],
    /// The whole task list.
    pub tasks: Arc<Vec<TaskRecord>>,
    /// The programs of all its tasks.
    pub programs: Arc<Programs>,
}

/// A run as the driver sees it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Trace {
    /// The buffers.
    pub buffers: Vec<TraceBuffer>,
    /// The submissions.
    pub submissions: Vec<TraceSubmission>,
    /// Contents of the input buffers at the first submission, by input.
    pub inputs: Vec<Vec<u8>>,
}

impl Trace {
    /// The trace in a capture, whose buffers were created in the order of `roles`. The vendor's runtime has the order of
    /// [`Plan::buffers`](ferrite_rknn_runtime::Plan::buffers), which its captures support for the first two: they hold the
    /// task list and the programs of every submission. A buffer beyond the list counts as one more output.
    pub fn of_capture(capture: &Capture, roles: &[BufferRole]) -> Self {
        let role = |index: usize| roles.get(index).copied().unwrap_or(BufferRole::Output(index));
        let buffers = capture.buffers().into_iter().enumerate();
        let buffers: Vec<TraceBuffer> =
            buffers.map(|(index, (bytes, address))| TraceBuffer { role: role(index), bytes, address }).collect();
        let mut trace = Self { buffers, ..Self::default() };
        capture.replay(|submit, memory| {
            if trace.submissions.is_empty() {
                trace.inputs = input_contents(&trace.buffers, memory);
            }
            let last = trace.submissions.last();
            let tasks = share(last.map(|last| &last.tasks), memory.task_list(submit.task_list));
            let programs = programs(&tasks, |address, bytes| {
                let Some(source) = memory.read(address, bytes.len()) else { return false };
                bytes.copy_from_slice(source);
                true
            });
            let programs = share(last.map(|last| &last.programs), programs);
            trace.submissions.push(TraceSubmission {
                flags: submit.flags,
                start: submit.start,
                number: submit.number,
                core_mask: submit.core_mask,
                subcores: submit.ranges(),
                tasks,
                programs,
            });
        });
        trace
    }

    /// The buffer that contains an address, and the offset in it.
    pub fn locate(&self, address: u64) -> Option<(BufferRole, u64)> {
        let inside = |buffer: &&TraceBuffer| address.wrapping_sub(buffer.address) < buffer.bytes.max(1);
        self.buffers.iter().find(inside).map(|buffer| (buffer.role, address - buffer.address))
    }
}

fn input_contents(buffers: &[TraceBuffer], memory: &Memory) -> Vec<Vec<u8>> {
    let numbered = buffers.iter().zip(1_u32..);
    let inputs = numbered.filter(|(buffer, _)| matches!(buffer.role, BufferRole::Input(_)));
    inputs.map(|(_, number)| memory.buffer(number).unwrap_or_default().to_vec()).collect()
}

/// The same allocation as before if nothing changed, as is usual.
pub(crate) fn share<T: PartialEq>(before: Option<&Arc<T>>, now: T) -> Arc<T> {
    match before {
        Some(before) if **before == now => Arc::clone(before),
        _ => Arc::new(now),
    }
}

/// The programs of all tasks. `read` copies device memory and says whether it could; programs that lie nowhere are left out.
pub(crate) fn programs(tasks: &[TaskRecord], read: impl Fn(u64, &mut [u8]) -> bool) -> Programs {
    let mut programs = Programs::new();
    for task in tasks {
        // The longest programs seen load tables and take 8 KiB; 1 MiB bounds what a damaged record can ask for.
        let Some(length) = usize::try_from(task.program_bytes()).ok().filter(|length| *length <= 1 << 20) else {
            continue;
        };
        if programs.get(&task.regcmd_addr).is_some_and(|have: &Vec<u8>| have.len() >= length) {
            continue;
        }
        let mut bytes = vec![0; length];
        if read(task.regcmd_addr, &mut bytes) {
            programs.insert(task.regcmd_addr, bytes);
        }
    }
    programs
}
