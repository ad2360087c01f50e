//! Who runs a model, and what executes its programs.

use std::error::Error as _;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ferrite_device::memory::{DeviceMemory, Settings};
use ferrite_rknn_runtime::{Error, ErrorKind, NpuDevice, Plan, RunReport, Session, Tensor, Weights, WorkLimit};
use ferrite_rknpu_emulator::{Emulator, Limits, Options, Statistics};

use super::{Loaded, RunResult};
use crate::args_run::{Engine as Choice, EngineArgs, HazardArgs, work_limit};
use crate::failure::{Exit, Failure};
use crate::version::schema;

/// What one run gave.
pub(crate) struct Answer {
    /// Each output as real numbers and as it is stored.
    pub(crate) outputs: Vec<(Tensor, Tensor)>,
    pub(crate) report: RunReport,
    pub(crate) time: Duration,
}

/// A runtime with a model, and what stands behind it.
pub(crate) trait Engine {
    /// Its name in summaries and documents.
    fn name(&self) -> &'static str;

    /// The name of the JSON document about its runs.
    fn schema(&self) -> &'static str;

    /// What a submission may cost.
    fn limit(&self) -> WorkLimit;

    /// What was executed by the engine's own count; a chip does not count.
    fn statistics(&self) -> Option<Statistics>;

    /// Runs the model once.
    fn run(&mut self, inputs: &[Loaded]) -> Result<Answer, Failure>;

    /// Tasks executed: by the engine's own count, or else those submitted.
    fn executed_tasks(&self, results: &[RunResult]) -> u64 {
        self.statistics().map_or_else(|| submitted_tasks(results), |statistics| statistics.tasks)
    }

    /// One line about the work done.
    fn work(&self) -> Option<String> {
        self.statistics().map(|done| format!("{} bytes moved, {} multiply-adds", done.bytes, done.macs))
    }

    /// Fails unless the engine executed as many tasks as were submitted.
    fn confirm(&self, results: &[RunResult]) -> Result<(), Failure> {
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

/// Ferrite's own runtime on the emulator or on a chip.
pub(crate) struct Own<'a> {
    model: &'a Path,
    choice: Choice,
    session: Session,
    /// What counts its work; a chip does not.
    emulator: Option<Arc<Emulator>>,
    limit: WorkLimit,
}

impl<'a> Own<'a> {
    /// Opens the engine of the command line, with a limit of work derived from the model unless one is given, and loads a plan.
    pub(crate) fn open(model: &'a Path, args: &EngineArgs, plan: &Arc<Plan>) -> Result<Self, Failure> {
        let limit = work_limit(args.work_limit, plan);
        let (device, emulator): (Arc<NpuDevice>, _) = match args.on {
            Choice::Rknpu => (chip()?, None),
            Choice::Emulator => {
                let emulator = Arc::new(emulator(limit, args.hazards));
                (Arc::clone(&emulator) as Arc<NpuDevice>, Some(emulator))
            }
        };
        let session = Weights::load(Arc::clone(plan), device).and_then(Session::new);
        let session = session.map_err(|error| failure(model, &error))?;
        Ok(Self { model, choice: args.on, session, emulator, limit })
    }
}

impl Own<'_> {
    /// What the user is told about a failed run, with names from the plan.
    fn failure(&self, error: &Error) -> Failure {
        match emulator_error(error) {
            Some(emulator) => refused_by_emulator(self.model, error, emulator, Some(self.session.plan())),
            None => failure(self.model, error),
        }
    }
}

fn chip() -> Result<Arc<NpuDevice>, Failure> {
    let device = ferrite_rknpu_driver::open_default().map_err(|error| {
        let help = format!("{}, or run with `--on emulator`", error.help());
        Failure::new(Exit::Device, error.to_string()).help(help)
    })?;
    Ok(device)
}

fn emulator(limit: WorkLimit, hazards: HazardArgs) -> Emulator {
    let HazardArgs { chaos, unwritten, core_conflicts } = hazards;
    // Strict: a forgotten flush is an error here, as it would be one on the chip now and then.
    let settings = Settings { name: "emulated RK3588".into(), strict: true, unwritten, ..Settings::default() };
    Emulator::with_options(
        DeviceMemory::new(settings),
        Options { chaos, core_conflicts, ..Options::default() },
        limits(limit),
    )
}

pub(crate) fn limits(limit: WorkLimit) -> Limits {
    Limits { bytes: limit.bytes, macs: limit.macs, ..Limits::default() }
}

impl Engine for Own<'_> {
    fn name(&self) -> &'static str {
        self.choice.name()
    }

    fn schema(&self) -> &'static str {
        schema::RUN
    }

    fn limit(&self) -> WorkLimit {
        self.limit
    }

    fn statistics(&self) -> Option<Statistics> {
        self.emulator.as_ref().map(|emulator| emulator.statistics())
    }

    fn run(&mut self, inputs: &[Loaded]) -> Result<Answer, Failure> {
        for (index, input) in inputs.iter().enumerate() {
            self.session.set_input(index, &input.tensor, input.layout).map_err(|error| self.failure(&error))?;
        }
        let start = Instant::now();
        let report = self.session.run().map_err(|error| self.failure(&error))?;
        let time = start.elapsed();
        let output = |index| Ok((self.session.output(index)?, self.session.output_raw(index)?));
        let outputs = (0..self.session.plan().outputs().len()).map(output).collect::<Result<_, _>>();
        Ok(Answer { outputs: outputs.map_err(|error| self.failure(&error))?, report, time })
    }
}

/// What the user is told about an error of the runtime.
pub(crate) fn failure(model: &Path, error: &Error) -> Failure {
    if let Error::Model(error) = error {
        return crate::source::refused(model, error);
    }
    if let Some(emulator) = emulator_error(error) {
        return refused_by_emulator(model, error, emulator, None);
    }
    let exit = match error.kind() {
        ErrorKind::Input => Exit::Input,
        ErrorKind::Unsupported => Exit::Unsupported,
        ErrorKind::Device => Exit::Device,
    };
    cannot_run(exit, model).because(error)
}

fn cannot_run(exit: Exit, model: &Path) -> Failure {
    Failure::new(exit, format!("cannot run `{}`", model.display()))
}

/// What the user is told when the emulator did not take a task.
pub(crate) fn refused_by_emulator(
    model: &Path,
    error: &dyn std::error::Error,
    emulator: &ferrite_rknpu_emulator::Error,
    plan: Option<&Plan>,
) -> Failure {
    use ferrite_rknpu_emulator::Error as E;
    let exit = match emulator {
        E::NotModelled { .. } | E::Layout { .. } => Exit::Unsupported,
        _ => Exit::Device,
    };
    let mut failure = cannot_run(exit, model).because(error);
    if let Some(task) = emulator.task()
        && let Some(operator) = plan.and_then(|plan| plan.operator_of_task(task))
    {
        failure = failure.help(format!("task {task} is for operator `{operator}`"));
    }
    match emulator {
        E::Limit { task, .. } => failure
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
