//! Our own runtime on a device that only records.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ferrite_device::{Backing, Buffer, BufferKind, Completed, Device, Fence, Submit};
use ferrite_rknn::Model;
use ferrite_rknn_runtime::{BufferRole, ElementType, Layout, Plan, PlanOptions, Session, Tensor, Weights};
use ferrite_rknpu::{CoreMask, Submission};
use ferrite_rknpu_fake::{fill_bytes, written_buffers};

use crate::capture::{Capture, InputRecord};
use crate::input::Format;
use crate::trace::{Trace, TraceBuffer, TraceSubmission, programs, share};
use crate::{Error, OutputRecord};

/// Memory of one buffer, and what was moved.
struct Memory {
    address: u64,
    bytes: Mutex<Vec<u8>>,
    /// (to the device, range), in order.
    moves: Mutex<Vec<(bool, Range<u64>)>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Both sides see the same bytes: what must be flushed is judged by the buffer's own records.
impl Backing for Memory {
    fn name(&self) -> &str {
        "recorder"
    }

    fn len(&self) -> u64 {
        lock(&self.bytes).len() as u64
    }

    fn device_address(&self) -> u64 {
        self.address
    }

    fn read_host(&self, range: Range<u64>, access: &mut dyn FnMut(&[u8])) -> Result<(), ferrite_device::Error> {
        // The buffer has checked the range against a length that was a `usize`.
        access(&lock(&self.bytes)[range.start as usize..range.end as usize]);
        Ok(())
    }

    fn write_host(&self, range: Range<u64>, access: &mut dyn FnMut(&mut [u8])) -> Result<(), ferrite_device::Error> {
        access(&mut lock(&self.bytes)[range.start as usize..range.end as usize]);
        Ok(())
    }

    fn flush(&self, range: Range<u64>) -> Result<Range<u64>, ferrite_device::Error> {
        lock(&self.moves).push((true, range.clone()));
        Ok(range)
    }

    fn invalidate(&self, range: Range<u64>) -> Result<Range<u64>, ferrite_device::Error> {
        lock(&self.moves).push((false, range.clone()));
        Ok(range)
    }
}

struct Allocation {
    role: BufferRole,
    requested: u64,
    memory: Arc<Memory>,
    buffer: Buffer,
}

#[derive(Default)]
struct State {
    /// What is still to be allocated: role and the address the vendor's buffer has.
    places: VecDeque<(BufferRole, Option<u64>)>,
    /// Where buffers go that the vendor does not have.
    free: u64,
    allocations: Vec<Allocation>,
    trace: Trace,
    /// Bytes that the host wrote and did not flush, at submissions.
    unflushed: u64,
}

/// Allocates where it is told, records submissions, fills what programs write.
struct Recorder {
    state: Mutex<State>,
    fill_seed: Option<u64>,
}

impl Device for Recorder {
    fn name(&self) -> &str {
        "recorder"
    }

    fn allocate(&self, size: u64, _kind: BufferKind) -> Result<Buffer, ferrite_device::Error> {
        let bytes = usize::try_from(size).unwrap_or(usize::MAX);
        let limit = 4 << 30;
        if size > limit {
            return Err(ferrite_device::Error::OutOfMemory { requested: size, in_use: 0, limit });
        }
        let mut state = lock(&self.state);
        let (role, place) = state.places.pop_front().unwrap_or((BufferRole::Output(usize::MAX), None));
        let address = place.unwrap_or_else(|| {
            state.free += 1 << 32;
            state.free
        });
        let memory = Arc::new(Memory { address, bytes: Mutex::new(vec![0; bytes]), moves: Mutex::default() });
        let buffer = Buffer::new(memory.clone());
        state.allocations.push(Allocation { role, requested: size, memory, buffer: buffer.clone() });
        Ok(buffer)
    }
}

impl Submit<Submission> for Recorder {
    fn submit(&self, submission: &Submission) -> Result<Box<dyn Fence>, ferrite_device::Error> {
        lock(&self.state).submit(submission, self.fill_seed);
        Ok(Box::new(Completed::new(Ok(()))))
    }
}

impl State {
    fn at(&self, address: u64) -> Option<(usize, usize)> {
        self.allocations.iter().enumerate().find_map(|(index, allocation)| {
            let offset =
                address.checked_sub(allocation.memory.address).filter(|&offset| offset < allocation.requested)?;
            Some((index, usize::try_from(offset).ok()?))
        })
    }

    fn read(&self, address: u64, bytes: &mut [u8]) -> bool {
        let Some((index, offset)) = self.at(address) else { return false };
        let memory = lock(&self.allocations[index].memory.bytes);
        let Some(source) = offset.checked_add(bytes.len()).and_then(|end| memory.get(offset..end)) else {
            return false;
        };
        bytes.copy_from_slice(source);
        true
    }

    fn submit(&mut self, submission: &Submission, fill_seed: Option<u64>) {
        let dirty = |allocation: &Allocation| allocation.buffer.dirty_ranges();
        self.unflushed += self.allocations.iter().flat_map(dirty).map(|range| range.end - range.start).sum::<u64>();
        if self.trace.submissions.is_empty() {
            let inputs = self.allocations.iter().filter(|allocation| matches!(allocation.role, BufferRole::Input(_)));
            self.trace.inputs = inputs.map(|allocation| lock(&allocation.memory.bytes).clone()).collect();
        }
        let last = self.trace.submissions.last();
        // The task list as it is in memory, not as the submission carries it: the kernel reads memory.
        let tasks = share(last.map(|last| &last.tasks), self.task_list(submission));
        let programs = programs(&tasks, |address, bytes| self.read(address, bytes));
        let programs = share(last.map(|last| &last.programs), programs);
        self.trace.submissions.push(TraceSubmission {
            flags: submission.flags.0,
            start: submission.range.start,
            number: submission.range.number,
            core_mask: submission.core_mask.0,
            subcores: submission.subcores,
            tasks,
            programs,
        });
        if let Some(seed) = fill_seed {
            self.fill(submission, seed);
        }
    }

    fn task_list(&self, submission: &Submission) -> Vec<ferrite_rknpu::TaskRecord> {
        let size = ferrite_rknpu::TaskRecord::SIZE;
        let mut bytes = vec![0; submission.tasks.len() * size];
        let read = self.read(submission.task_list, &mut bytes);
        ferrite_rknpu::TaskRecord::read_list(&bytes).ok().filter(|_| read).unwrap_or_default()
    }

    fn fill(&self, submission: &Submission, seed: u64) {
        let find = |address| self.at(address).map(|(index, _)| index);
        for index in written_buffers(submission, find, |address, bytes: &mut [u8]| self.read(address, bytes)) {
            let allocation = &self.allocations[index];
            let mut memory = lock(&allocation.memory.bytes);
            fill_bytes(seed, allocation.memory.address, &mut memory);
            drop(memory);
            // The whole buffer is a range of the buffer.
            let _ = allocation.buffer.mark_device_wrote(0..allocation.requested);
        }
    }
}

/// What our runtime did.
#[derive(Debug, Clone)]
pub struct Ours {
    /// As the driver sees it.
    pub trace: Trace,
    /// The outputs.
    pub outputs: Vec<OutputRecord>,
    /// Bytes that a submission could have read although the host had not flushed them; must be 0.
    pub unflushed: u64,
    /// Bytes of outputs that were read although the device wrote them and they were not invalidated; must be 0.
    pub stale: u64,
    /// Ranges moved, by role: (to the device, range).
    pub moves: Vec<(BufferRole, bool, Range<u64>)>,
    /// The plan, for names.
    pub plan: Arc<Plan>,
}

/// The plan's options for a core mask.
pub(crate) fn options(core_mask: Option<u32>) -> PlanOptions {
    let mut options = PlanOptions::default();
    options.cores = CoreMask(core_mask.unwrap_or(0));
    options
}

/// Runs a model through our runtime with the inputs, the addresses and the fill seed of a capture.
///
/// # Errors
/// When our runtime fails.
pub fn ours(model: &Model, capture: &Capture) -> Result<Ours, Error> {
    let plan = Arc::new(Plan::new(model, &options(capture.header.core_mask))?);
    let theirs = capture.buffers();
    // Weights are loaded before a session has anything; the vendor creates the task list first.
    let roles = plan.buffers().iter().map(|info| info.role).enumerate();
    let mut places: Vec<(BufferRole, Option<u64>)> =
        roles.map(|(index, role)| (role, theirs.get(index).map(|(_, address)| *address))).collect();
    places.sort_by_key(|(role, _)| *role != BufferRole::Weights);
    let state = State { places: places.into(), ..State::default() };
    let device = Arc::new(Recorder { state: Mutex::new(state), fill_seed: capture.header.fill_seed });
    let mut session = Session::new(Weights::load(Arc::clone(&plan), device.clone())?)?;
    for input in &capture.inputs {
        set_input(&mut session, &plan, input)?;
    }
    // A capture made before inputs were always recorded: they were float32 then.
    for (index, info) in plan.inputs().iter().enumerate() {
        if !capture.inputs.iter().any(|input| input.index == index) {
            let zeros = vec![0.0; info.shape.iter().product()];
            session.set_input(index, &Tensor::from_f32(info.shape.clone(), &zeros)?, Layout::Nchw)?;
        }
    }
    session.run()?;
    let outputs = (0..plan.outputs().len())
        .map(|index| {
            let (float, raw) = (session.output(index)?, session.output_raw(index)?);
            Ok(OutputRecord { float: float.bytes().to_vec(), raw: raw.bytes().to_vec() })
        })
        .collect::<Result<Vec<OutputRecord>, ferrite_rknn_runtime::Error>>()?;
    drop(session);

    let mut state = lock(&device.state);
    let stale = state.allocations.iter().filter(|allocation| matches!(allocation.role, BufferRole::Output(_)));
    let stale =
        stale.flat_map(|allocation| allocation.buffer.stale_ranges()).map(|range| range.end - range.start).sum();
    let mut moves = Vec::new();
    for allocation in &state.allocations {
        let list = std::mem::take(&mut *lock(&allocation.memory.moves));
        moves.extend(list.into_iter().map(|(to_device, range)| (allocation.role, to_device, range)));
    }
    let described = |allocation: &Allocation| TraceBuffer {
        role: allocation.role,
        bytes: allocation.requested,
        address: allocation.memory.address,
    };
    let order = |role: BufferRole| plan.buffers().iter().position(|info| info.role == role);
    let mut buffers: Vec<TraceBuffer> = state.allocations.iter().map(described).collect();
    buffers.sort_by_key(|buffer| order(buffer.role).unwrap_or(usize::MAX));
    let trace = Trace { buffers, ..std::mem::take(&mut state.trace) };
    Ok(Ours { trace, outputs, unflushed: state.unflushed, stale, moves, plan: Arc::clone(&plan) })
}

fn set_input(session: &mut Session, plan: &Plan, input: &InputRecord) -> Result<(), Error> {
    let element = ElementType::from(input.element);
    let info = plan.inputs().get(input.index);
    let shape = info.map(|info| info.shape.clone()).unwrap_or_default();
    // A capture of programs has no contents, and programs do not depend on them.
    let native = info.map_or(0, |info| usize::try_from(info.native_bytes).unwrap_or(usize::MAX));
    let length = if input.pass_through { native } else { shape.iter().product::<usize>() * element.size() };
    let bytes = if input.bytes.is_empty() { vec![0; length] } else { input.bytes.clone() };
    let (shape, layout) = match (input.pass_through, input.format, shape.as_slice()) {
        (true, ..) => (vec![bytes.len() / element.size()], Layout::Native),
        (false, Format::Nhwc, &[n, c, h, w]) => (vec![n, h, w, c], Layout::Nhwc),
        _ => (shape, Layout::Nchw),
    };
    let tensor = Tensor::new(element, shape, bytes)?;
    Ok(session.set_input(input.index, &tensor, layout)?)
}
