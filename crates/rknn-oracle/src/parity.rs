//! The vendor's runtime and ours on one emulator: what they compute must be the same bytes.

use std::path::Path;
use std::sync::Arc;

use ferrite_device::memory::{DeviceMemory, Settings};
use ferrite_rknn::Model;
use ferrite_rknn_runtime::{Layout, Plan, Session, Tensor, TensorInfo, Weights};
use ferrite_rknpu_fake::Emulator;

use crate::error::file;
use crate::input::{Format, Type};
use crate::vendor::Runtime;
use crate::{EmulateOptions, Error, InputSpec, OutputRecord, emulate};

/// How one output of the two runtimes compares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutputParity {
    /// The output's name.
    pub name: String,
    /// Its elements.
    pub elements: usize,
    /// Elements whose float32 values are not the same bits; all of them where the lengths differ.
    pub float: usize,
    /// The same for the values as they are stored.
    pub raw: usize,
}

/// How a run of the two runtimes compares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parity {
    /// By output.
    pub outputs: Vec<OutputParity>,
    /// Tasks that the emulator executed for the vendor's runtime, and for ours.
    pub tasks: (u64, u64),
    /// Submissions of the vendor's runtime, and ours.
    pub submissions: (u64, u64),
}

impl Parity {
    /// Whether the runtimes gave the NPU as much to do and their outputs are the same bytes.
    pub fn is_equal(&self) -> bool {
        let same = |output: &OutputParity| output.float == 0 && output.raw == 0;
        self.tasks.0 == self.tasks.1 && self.submissions.0 == self.submissions.1 && self.outputs.iter().all(same)
    }
}

/// Runs a model on inputs from a seed through the vendor's runtime and through ours, each on an emulator of its own in strict
/// mode, and compares every byte of the outputs. The options' inputs are not used.
///
/// # Errors
/// Those of [`emulate()`], and [`Error::Runtime`] when ours does not run the model.
pub fn parity(model: &Path, runtime: &Runtime, seed: u64, options: &EmulateOptions) -> Result<Parity, Error> {
    let parsed = Model::read(std::fs::read(model).map_err(file(model))?)?;
    let plan = Arc::new(Plan::new(&parsed, &crate::ours::options(options.cores.mask()))?);
    let inputs: Vec<Tensor> =
        plan.inputs().iter().enumerate().map(|(index, info)| input(index, info, seed)).collect::<Result<_, _>>()?;
    let specs = inputs.iter().enumerate().map(|(index, tensor)| InputSpec::of_tensor(index, tensor, Layout::Nchw));
    let theirs = emulate(model, runtime, &EmulateOptions { inputs: specs.collect(), ..options.clone() })?;
    let (ours, tasks, submissions) = ours(&plan, &inputs)?;
    let pairs = plan.outputs().iter().enumerate();
    Ok(Parity {
        outputs: pairs.map(|(index, info)| compare(info, theirs.outputs.get(index), &ours[index])).collect(),
        tasks: (theirs.statistics.tasks, tasks),
        submissions: (u64::from(theirs.submissions), submissions),
    })
}

/// Pixels where the model normalises them itself, 0 or 1 for integers that stand for themselves, else floats.
fn input(index: usize, info: &TensorInfo, seed: u64) -> Result<Tensor, ferrite_rknn_runtime::Error> {
    let count = info.shape.iter().product();
    let plain_integer = info.element.is_integer() && info.quantization.is_none();
    let element = if info.normalization.is_some() || plain_integer { Type::Uint8 } else { Type::Float32 };
    let mut bytes = InputSpec::values(index, count, element, Format::Undefined, seed).bytes;
    if plain_integer && info.normalization.is_none() {
        bytes.iter_mut().for_each(|byte| *byte >>= 7);
    }
    Tensor::new(element.into(), info.shape.clone(), bytes)
}

/// Outputs, tasks and submissions of our runtime.
fn ours(plan: &Arc<Plan>, inputs: &[Tensor]) -> Result<(Vec<OutputRecord>, u64, u64), ferrite_rknn_runtime::Error> {
    let memory = DeviceMemory::new(Settings { strict: true, limit: 4 << 30, ..Settings::default() });
    let emulator = Arc::new(Emulator::new(memory));
    let mut session = Session::new(Weights::load(Arc::clone(plan), emulator.clone())?)?;
    for (index, tensor) in inputs.iter().enumerate() {
        session.set_input(index, tensor, Layout::Nchw)?;
    }
    let report = session.run()?;
    let record = |index| -> Result<OutputRecord, ferrite_rknn_runtime::Error> {
        let (float, raw) = (session.output(index)?, session.output_raw(index)?);
        Ok(OutputRecord { float: float.bytes().to_vec(), raw: raw.bytes().to_vec() })
    };
    let outputs = (0..plan.outputs().len()).map(record).collect::<Result<_, _>>()?;
    Ok((outputs, emulator.statistics().tasks, report.submissions as u64))
}

fn compare(info: &TensorInfo, theirs: Option<&OutputRecord>, ours: &OutputRecord) -> OutputParity {
    let elements = info.shape.iter().product();
    let differing = |size: usize, theirs: Option<&[u8]>, ours: &[u8]| match theirs {
        Some(theirs) if theirs.len() == ours.len() => {
            theirs.chunks(size).zip(ours.chunks(size)).filter(|(theirs, ours)| theirs != ours).count()
        }
        _ => elements,
    };
    OutputParity {
        name: info.name.clone(),
        elements,
        float: differing(4, theirs.map(|record| &*record.float), &ours.float),
        raw: differing(info.element.size(), theirs.map(|record| &*record.raw), &ours.raw),
    }
}
