//! What executes a model's programs.

use std::error::Error as _;
use std::path::Path;
use std::sync::Arc;

use ferrite_device::memory::{DeviceMemory, Settings};
use ferrite_rknn_runtime::{Error, ErrorKind, NpuDevice, Plan, Session, Weights, WorkLimit};
use ferrite_rknpu_emulator::{Emulator, Limits, Options, Statistics};

use super::RunResult;
use crate::args_run::{Engine as Choice, EngineArgs};
use crate::failure::{Exit, Failure};

/// An engine that was opened, and what it counts.
pub(crate) struct Engine {
    choice: Choice,
    device: Arc<NpuDevice>,
    /// What counts its work; a chip does not.
    emulator: Option<Arc<Emulator>>,
    limit: WorkLimit,
}

impl Engine {
    /// Opens the engine of the command line, with a limit of work derived from the model unless one is given.
    pub(crate) fn open(args: &EngineArgs, plan: &Plan) -> Result<Self, Failure> {
        let limit = match args.work_limit {
            Some(work) => WorkLimit { bytes: work, macs: work },
            None => plan.work_limit(),
        };
        if args.on == Choice::Rknpu {
            let device = ferrite_rknpu_driver::open_default().map_err(|error| {
                let help = format!("{}, or run with `--on emulator`", error.help());
                Failure::new(Exit::Device, error.to_string()).help(help)
            })?;
            return Ok(Self { choice: args.on, device, emulator: None, limit });
        }
        let limits = Limits { bytes: limit.bytes, macs: limit.macs, ..Limits::default() };
        // Strict: a forgotten flush is an error here, as it would be one on the chip now and then.
        let settings = Settings { name: "emulated RK3588".into(), strict: true, ..Settings::default() };
        let memory = DeviceMemory::new(settings);
        let emulator = Arc::new(Emulator::with_options(memory, Options::default(), limits));
        Ok(Self { choice: args.on, device: Arc::clone(&emulator) as Arc<NpuDevice>, emulator: Some(emulator), limit })
    }

    /// A session of the plan on this engine.
    pub(crate) fn session(&self, plan: &Arc<Plan>) -> Result<Session, Error> {
        Session::new(Weights::load(Arc::clone(plan), Arc::clone(&self.device))?)
    }

    pub(crate) fn name(&self) -> &'static str {
        self.choice.name()
    }

    pub(crate) fn limit(&self) -> WorkLimit {
        self.limit
    }

    /// What the engine did by its own count; a chip does not count.
    pub(crate) fn statistics(&self) -> Option<Statistics> {
        self.emulator.as_ref().map(|emulator| emulator.statistics())
    }

    /// Tasks executed: by the engine's own count, or else those submitted.
    pub(crate) fn executed_tasks(&self, results: &[RunResult]) -> u64 {
        self.statistics().map_or_else(|| submitted_tasks(results), |statistics| statistics.tasks)
    }

    /// One line about the work done.
    pub(crate) fn work(&self) -> Option<String> {
        self.statistics().map(|done| format!("{} bytes moved, {} multiply-adds", done.bytes, done.macs))
    }

    /// Fails unless the engine executed as many tasks as were submitted.
    pub(crate) fn confirm(&self, results: &[RunResult]) -> Result<(), Failure> {
        let submitted = submitted_tasks(results);
        let executed = self.executed_tasks(results);
        if submitted == executed {
            return Ok(());
        }
        Err(Failure::new(Exit::Device, format!("{submitted} tasks were submitted, but {executed} executed")))
    }
}

fn submitted_tasks(results: &[RunResult]) -> u64 {
    results.iter().map(|result| result.report.npu_tasks as u64).sum()
}

/// What the user is told about an error of the runtime.
pub(crate) fn failure(model: &Path, error: &Error) -> Failure {
    if let Error::Model(error) = error {
        return crate::source::refused(model, error);
    }
    let emulator = emulator_error(error);
    let exit = match (error.kind(), emulator) {
        (_, Some(ferrite_rknpu_emulator::Error::NotModelled { .. } | ferrite_rknpu_emulator::Error::Layout { .. })) => {
            Exit::Unsupported
        }
        (ErrorKind::Input, _) => Exit::Input,
        (ErrorKind::Unsupported, _) => Exit::Unsupported,
        (ErrorKind::Device, _) => Exit::Device,
    };
    let failure = Failure::new(exit, format!("cannot run `{}`", model.display())).because(error);
    match emulator {
        Some(ferrite_rknpu_emulator::Error::Limit { task, .. }) => failure
            .help(format!("`ferrite disasm {} --task {task}` shows the task", model.display()))
            .help("`--work-limit` allows more work"),
        _ => failure,
    }
}

/// The emulator's own error among the causes.
fn emulator_error(error: &Error) -> Option<&ferrite_rknpu_emulator::Error> {
    match error.source()?.downcast_ref()? {
        ferrite_device::Error::Device { source, .. } => source.downcast_ref(),
        _ => None,
    }
}
