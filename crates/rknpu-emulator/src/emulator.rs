//! The emulated device.

use std::sync::{Mutex, MutexGuard, PoisonError};

use ferrite_device::memory::{DeviceMemory, DeviceMemoryGuard, PAGE};
use ferrite_device::{Buffer, BufferKind, Completed, Device, Fence, Submit};
use ferrite_rknpu::{CoreWork, Submission, TaskRecord};

use crate::check::Cost;
use crate::conv::Panels;
use crate::decode::{Cache, Failure, Sequence};
use crate::dpu::{self, Scratch, Tables, Tools};
use crate::error::Error;
use crate::hazards::Hazards;
use crate::options::{Limits, Options, Statistics};
use crate::ppu;
use crate::simd::Path;
use crate::task::Task;

/// An RK3588's NPU with three cores and the memory it is given. Jobs run when they are submitted.
///
/// What its cores keep between submissions are the lookup tables; register banks start empty each time, as the first
/// programs of a submission are complete.
#[derive(Debug)]
pub struct Emulator {
    memory: DeviceMemory,
    options: Options,
    limits: Limits,
    path: Path,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    tables: [Tables; 3],
    statistics: Statistics,
    programs: Cache,
    panels: Panels,
    scratch: Scratch,
    /// How often lines were moved unasked.
    stirred: u64,
}

impl Emulator {
    /// An emulator on `memory` with default options and limits.
    pub fn new(memory: DeviceMemory) -> Self {
        Self::with_options(memory, Options::default(), Limits::default())
    }

    /// An emulator on `memory`.
    pub fn with_options(memory: DeviceMemory, options: Options, limits: Limits) -> Self {
        let path = Path::choose(options.vector);
        Self { memory, options, limits, path, state: Mutex::default() }
    }

    /// The memory it works on.
    pub fn memory(&self) -> &DeviceMemory {
        &self.memory
    }

    /// What it has done so far.
    pub fn statistics(&self) -> Statistics {
        self.lock().statistics.clone()
    }

    /// Runs a submission to its end.
    ///
    /// # Errors
    /// [`Error`] of the first task that fails; what ran before it has been written.
    pub fn run(&self, submission: &Submission) -> Result<(), Error> {
        self.run_watched(submission, |_| ())
    }

    /// Runs a submission to its end and calls `before` with the place of each task in the list before it starts. Meanwhile the
    /// memory is free, so what tasks left there can be read, and what the next one finds be changed.
    ///
    /// # Errors
    /// As [`Emulator::run`].
    pub fn run_watched(&self, submission: &Submission, mut before: impl FnMut(usize)) -> Result<(), Error> {
        let work = submission.work()?;
        let mut state = self.lock();
        self.stir(&mut state);
        let result = self.run_cores(submission, &work, &mut state, &mut before);
        self.stir(&mut state);
        result
    }

    fn run_cores(
        &self,
        submission: &Submission,
        work: &[CoreWork],
        state: &mut State,
        before: &mut impl FnMut(usize),
    ) -> Result<(), Error> {
        let State { tables, statistics, programs, panels, scratch, .. } = state;
        let mut run = Run {
            options: &self.options,
            limits: self.limits,
            tasks: &submission.tasks,
            statistics,
            programs,
            panels,
            scratch,
            path: self.path,
            spent: (0, 0),
            hazards: (self.options.core_conflicts && work.len() > 1).then(Hazards::default),
        };
        for CoreWork { core, tasks } in work {
            let mut banks = Sequence::default();
            let Some(tables) = tables.get_mut(*core) else { continue };
            for index in tasks.clone() {
                before(index);
                run.task(*core, index, &mut self.memory.lock(), &mut banks, tables)?;
            }
        }
        Ok(())
    }

    /// Lets lines move unasked, where that was chosen.
    fn stir(&self, state: &mut State) {
        if let Some(seed) = self.options.chaos {
            self.memory.stir(seed.rotate_left(32) ^ state.stirred);
            state.stirred += 1;
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // A panic while executing leaves statistics and tables, both of which are always valid.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One submission under way.
struct Run<'a> {
    options: &'a Options,
    limits: Limits,
    tasks: &'a [TaskRecord],
    statistics: &'a mut Statistics,
    programs: &'a mut Cache,
    panels: &'a mut Panels,
    scratch: &'a mut Scratch,
    path: Path,
    /// Bytes and multiply-adds so far.
    spent: (u64, u64),
    /// What other cores touched, where that is watched.
    hazards: Option<Hazards>,
}

impl Run<'_> {
    fn task(
        &mut self,
        core: usize,
        index: usize,
        memory: &mut DeviceMemoryGuard<'_>,
        banks: &mut Sequence,
        tables: &mut Tables,
    ) -> Result<(), Error> {
        // The range has been checked against the list.
        let Some(record) = self.tasks.get(index) else { return Ok(()) };
        let address = record.regcmd_addr;
        let bytes = record.program_bytes();
        self.spend(index, Cost { bytes, macs: 0, working_bytes: bytes })?;
        let program = memory.read(address, bytes as usize);
        let program =
            program.map_err(|source| Error::Access { task: index, register: "program".to_owned(), source })?;
        let decoded = self.programs.decode(banks, index, program).map_err(|failure| match failure {
            Failure::Replay(source) => Error::Replay { task: index, address, source },
            Failure::Error(error) => error,
        })?;
        let job = &decoded.job;
        tables.load(&job.lut);
        self.spend(index, decoded.cost)?;
        if let Some(hazards) = &mut self.hazards {
            hazards.touch(core, index, &decoded)?;
        }
        let mut task = Task { index, job, memory, options: self.options, regions: &decoded.regions };
        if let Some(dpu) = &job.dpu {
            let tools = &mut Tools { tables, panels: self.panels, scratch: self.scratch, path: self.path };
            dpu::run(&mut task, dpu, job.dpu_rdma.as_ref(), tools)?;
        }
        if let (Some(ppu), Some(rdma)) = (&job.ppu, &job.ppu_rdma) {
            ppu::run(&mut task, ppu, rdma, self.path)?;
        }
        self.statistics.tasks += 1;
        *self.statistics.tasks_by_mask.entry(job.enable.0).or_default() += 1;
        Ok(())
    }

    /// Takes a task's cost off the limits, or refuses it.
    fn spend(&mut self, task: usize, cost: Cost) -> Result<(), Error> {
        let (bytes, macs) = &mut self.spent;
        for (what, needed, left) in [
            ("bytes of traffic", cost.bytes, self.limits.bytes - *bytes),
            ("multiply-adds", cost.macs, self.limits.macs - *macs),
            ("bytes of working memory", cost.working_bytes, self.limits.working_bytes),
        ] {
            if needed > left {
                return Err(Error::Limit { task, what, needed, left });
            }
        }
        *bytes += cost.bytes;
        *macs += cost.macs;
        self.statistics.bytes = self.statistics.bytes.saturating_add(cost.bytes);
        self.statistics.macs = self.statistics.macs.saturating_add(cost.macs);
        Ok(())
    }
}

const NAME: &str = "RK3588 emulator";

impl Device for Emulator {
    fn name(&self) -> &str {
        NAME
    }

    /// Allocates whole pages, as the kernel does: programs read a row's last atom whole, beyond the end of a tensor that is
    /// not a multiple of 16 bytes.
    fn allocate(&self, size: u64, _kind: BufferKind) -> Result<Buffer, ferrite_device::Error> {
        self.memory.allocate(size.checked_next_multiple_of(PAGE).unwrap_or(size))
    }
}

impl Submit<Submission> for Emulator {
    /// Runs the job; its errors come from the fence, as a driver's would.
    fn submit(&self, submission: &Submission) -> Result<Box<dyn Fence>, ferrite_device::Error> {
        let result = self.run(submission).map_err(|error| ferrite_device::Error::device(NAME, error));
        Ok(Box::new(Completed::new(result)))
    }
}
