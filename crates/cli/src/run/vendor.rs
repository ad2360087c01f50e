//! Rockchip's runtime, with the emulator in the place of the NPU.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use ferrite_rknn_oracle::vendor::Runtime;
use ferrite_rknn_oracle::{EmulateOptions, Error, InputSpec, OutputRecord, emulate};
use ferrite_rknn_runtime::{ElementType, Plan, RunReport, Step, Tensor, TensorInfo, WorkLimit};
use ferrite_rknpu_emulator::Statistics;

use super::Loaded;
use super::engine::{Answer, Engine, limits, refused_by_emulator};
use crate::args_run::work_limit;
use crate::args_vendor::VendorEngineArgs;
use crate::failure::{Exit, Failure};
use crate::oracle;
use crate::printer::Printer;
use crate::version::schema;

/// The runtime may take as long as the emulator needs.
const LIMIT: Duration = Duration::from_secs(24 * 3600);

pub(crate) struct Vendor<'a> {
    model: &'a Path,
    runtime: Runtime,
    plan: Arc<Plan>,
    options: EmulateOptions,
    limit: WorkLimit,
    statistics: Statistics,
}

impl<'a> Vendor<'a> {
    /// Fetches the runtime if need be.
    pub(crate) fn open(
        model: &'a Path,
        args: &VendorEngineArgs,
        plan: &Arc<Plan>,
        printer: &mut Printer,
    ) -> Result<Self, Failure> {
        let limit = work_limit(args.work_limit, plan);
        let mut options = EmulateOptions { cores: args.cores.choice(), limit: LIMIT, ..EmulateOptions::default() };
        options.emulation.strict = args.strict;
        options.emulation.limits = limits(limit);
        options.emulation.unwritten = args.hazards.unwritten;
        options.emulation.options.chaos = args.hazards.chaos;
        options.emulation.options.core_conflicts = args.hazards.core_conflicts;
        let runtime = oracle::runtime(&args.runtime, printer)?;
        Ok(Self { model, runtime, plan: Arc::clone(plan), options, limit, statistics: Statistics::default() })
    }

    fn failure(&self, error: &Error) -> Failure {
        if let Error::Job(job) = error
            && let Some(emulator) = job.reason().downcast_ref()
        {
            return refused_by_emulator(self.model, error, emulator, Some(&self.plan));
        }
        let what = format!("Rockchip's runtime cannot run `{}`", self.model.display());
        oracle::failure(&what, error)
    }
}

impl Engine for Vendor<'_> {
    fn name(&self) -> &'static str {
        "Rockchip's runtime on the emulator"
    }

    fn schema(&self) -> &'static str {
        schema::VENDOR_RUN
    }

    fn limit(&self) -> WorkLimit {
        self.limit
    }

    fn statistics(&self) -> Option<Statistics> {
        Some(self.statistics.clone())
    }

    fn run(&mut self, inputs: &[Loaded]) -> Result<Answer, Failure> {
        let spec = |(index, input): (usize, &Loaded)| InputSpec::of_tensor(index, &input.tensor, input.layout);
        self.options.inputs = inputs.iter().enumerate().map(spec).collect();
        let done = emulate(self.model, &self.runtime, &self.options).map_err(|error| self.failure(&error))?;
        self.statistics.add(&done.statistics);
        let report = RunReport {
            submissions: done.submissions as usize,
            npu_tasks: usize::try_from(done.statistics.tasks).unwrap_or(usize::MAX),
            // The runtime does not say; those that the file gives to the host.
            host_operators: self.plan.steps().iter().filter(|step| matches!(step, Step::Host { .. })).count(),
        };
        let outputs = self.plan.outputs().iter().enumerate();
        let outputs = outputs.map(|(index, info)| tensors(info, done.outputs.get(index)));
        Ok(Answer { outputs: outputs.collect::<Result<_, _>>()?, report, time: done.time })
    }
}

/// An output as real numbers and as it is stored.
fn tensors(info: &TensorInfo, record: Option<&OutputRecord>) -> Result<(Tensor, Tensor), Failure> {
    let wrong = |reason: String| {
        Failure::new(
            Exit::Device,
            format!("Rockchip's runtime gave another output `{}` than the file has: {reason}", info.name),
        )
    };
    let record = record.ok_or_else(|| wrong("none".to_owned()))?;
    let tensor = |element: ElementType, bytes: &[u8]| {
        Tensor::new(element, info.shape.clone(), bytes.to_vec()).map_err(|error| wrong(error.to_string()))
    };
    Ok((tensor(ElementType::F32, &record.float)?, tensor(info.element, &record.raw)?))
}
