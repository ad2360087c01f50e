//! What a run will need and do, decided from the model alone.

use std::fmt;

use ferrite_rknn::{Kind, Model, PortAttributes, Target};
use ferrite_rknpu::{CoreMask, TaskRecord};

use crate::Error;
use crate::native::NativeTensor;
use crate::relocate::{Relocation, relocations};
use crate::schedule::{Step, steps};
use crate::tensor::ElementType;

/// Choices of a plan.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct PlanOptions {
    /// The chip the plan is for, as model files name it.
    pub soc: String,
    /// The cores to run on: none for one core of the driver's choice, one core, or the first two or all three together.
    pub cores: CoreMask,
}

impl Default for PlanOptions {
    fn default() -> Self {
        Self { soc: "rk3588".to_owned(), cores: CoreMask::default() }
    }
}

impl PlanOptions {
    /// The same for other cores.
    #[must_use]
    pub fn with_cores(self, cores: CoreMask) -> Self {
        Self { cores, ..self }
    }
}

/// Affine quantisation: real value = (stored - zero point) * scale.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Quantization {
    /// Step between neighbouring values.
    pub scale: f32,
    /// Stored value of real zero.
    pub zero_point: i32,
}

/// What the compiler baked in for an input: the network sees `(value - mean[c]) / std[c]`.
#[derive(Debug, Clone, PartialEq)]
pub struct Normalization {
    /// Per channel; one entry stands for all.
    pub mean: Vec<f32>,
    /// Per channel; one entry stands for all.
    pub std: Vec<f32>,
}

/// An input or output of the model.
#[derive(Debug, Clone, PartialEq)]
pub struct TensorInfo {
    /// Name in the model.
    pub name: String,
    /// Shape as the network defines it (NCHW for four dimensions).
    pub shape: Vec<usize>,
    /// Type of the elements in device memory.
    pub element: ElementType,
    /// How integers stand for real numbers, for quantised tensors.
    pub quantization: Option<Quantization>,
    /// Shape in device memory.
    pub native_shape: Vec<usize>,
    /// Bytes in device memory.
    pub native_bytes: u64,
    /// Normalisation of an input, unless it is the identity.
    pub normalization: Option<Normalization>,
}

impl TensorInfo {
    /// Mean and std of a channel; of the identity where there is no normalisation.
    pub(crate) fn channel_normalization(&self, channel: usize) -> (f32, f32) {
        let pick = |values: &[f32], other: f32| values.get(channel).or(values.first()).copied().unwrap_or(other);
        self.normalization.as_ref().map_or((0.0, 1.0), |known| (pick(&known.mean, 0.0), pick(&known.std, 1.0)))
    }
}

/// What a buffer holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BufferRole {
    /// Task records.
    Tasks,
    /// Weights, other constants and register programs.
    Weights,
    /// Tensors between operators.
    Activations,
    /// One input.
    Input(usize),
    /// One output.
    Output(usize),
}

impl fmt::Display for BufferRole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tasks => f.write_str("tasks"),
            Self::Weights => f.write_str("weights"),
            Self::Activations => f.write_str("activations"),
            Self::Input(index) => write!(f, "input {index}"),
            Self::Output(index) => write!(f, "output {index}"),
        }
    }
}

/// A buffer of the plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BufferInfo {
    /// What it holds.
    pub role: BufferRole,
    /// Size in bytes, as it is requested from the device.
    pub bytes: u64,
}

/// How much work a run may take before it counts as runaway.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WorkLimit {
    /// Bytes moved between memory and NPU.
    pub bytes: u64,
    /// Multiply-adds.
    pub macs: u64,
}

/// Where a tensor lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Location {
    pub(crate) buffer: BufferRole,
    pub(crate) offset: u64,
}

/// The plan of a model for given cores.
#[derive(Debug, Clone)]
pub struct Plan {
    pub(crate) model: Model,
    pub(crate) input_tensors: Vec<NativeTensor>,
    pub(crate) output_tensors: Vec<NativeTensor>,
    /// Addresses to write into the programs.
    pub(crate) relocations: Vec<Relocation>,
    /// The task list with addresses relative to the program blob.
    pub(crate) tasks: Vec<TaskRecord>,
    inputs: Vec<TensorInfo>,
    outputs: Vec<TensorInfo>,
    steps: Vec<Step>,
    buffers: Vec<BufferInfo>,
}

impl Plan {
    /// Plans a model.
    ///
    /// # Errors
    /// When the model is for another chip, contradicts itself, or uses what the runtime does not know.
    pub fn new(model: &Model, options: &PlanOptions) -> Result<Self, Error> {
        model.require_soc(&options.soc)?;
        if model.graphs().len() > 1 {
            let feature = format!("a model of {} graphs (dynamic shapes)", model.graphs().len());
            return Err(Error::Unsupported { part: "model".to_owned(), feature });
        }
        let tasks = read_tasks(model)?;
        let steps = steps(model, &tasks, options.cores)?;
        let natives = |indices: &[usize]| -> Result<Vec<NativeTensor>, Error> {
            indices.iter().map(|&index| NativeTensor::new(&model.tensors()[index])).collect()
        };
        let input_tensors = natives(model.inputs())?;
        let output_tensors = natives(model.outputs())?;
        let info = |natives: &[NativeTensor], indices: &[usize], input: bool| -> Result<Vec<TensorInfo>, Error> {
            natives.iter().zip(indices).map(|(native, &index)| tensor_info(model, native, index, input)).collect()
        };
        Ok(Self {
            inputs: info(&input_tensors, model.inputs(), true)?,
            outputs: info(&output_tensors, model.outputs(), false)?,
            relocations: relocations(model)?,
            buffers: buffers(model, &steps)?,
            input_tensors,
            output_tensors,
            tasks,
            steps,
            model: model.clone(),
        })
    }

    /// The model's inputs.
    #[must_use]
    pub fn inputs(&self) -> &[TensorInfo] {
        &self.inputs
    }

    /// The model's outputs.
    #[must_use]
    pub fn outputs(&self) -> &[TensorInfo] {
        &self.outputs
    }

    /// What a run does, in order.
    #[must_use]
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The buffers a session needs, in the order of their allocation. The weights are shared between sessions.
    #[must_use]
    pub fn buffers(&self) -> &[BufferInfo] {
        &self.buffers
    }

    /// Number of NPU tasks of one run.
    #[must_use]
    pub fn task_count(&self) -> usize {
        let tasks = |step: &Step| if let Step::Submit(job) = step { job.tasks } else { 0 };
        self.steps.iter().map(tasks).sum()
    }

    /// A bound for the work of one submission: 16 times what a direct evaluation of the declared tensors takes.
    ///
    /// Bytes: every operator touches all its arguments and results once per task it has. Multiply-adds: every element it
    /// touches contracts over one kernel of its largest constant or over the largest dimension among its tensors. Neither bound is tight, nor meant to be: it only has to stop programs that run away.
    #[must_use]
    pub fn work_limit(&self) -> WorkLimit {
        const SLACK: u64 = 16;
        let (mut bytes, mut macs) = (1_u64 << 20, 1_u64 << 20);
        for operator in self.model.operators().iter().filter(|operator| operator.target == Target::NPU) {
            let tensors = operator.inputs.iter().chain(&operator.outputs).map(|&index| &self.model.tensors()[index]);
            let touched = tensors.clone().map(|tensor| u64::from(tensor.size)).fold(0, u64::saturating_add);
            bytes = bytes.saturating_add(touched.saturating_mul(u64::from(operator.task_count(0)).max(1)));
            let largest = tensors.clone().flat_map(|tensor| &tensor.shape).max().map_or(1, |&size| u64::from(size));
            let kernel = tensors.filter(|tensor| tensor.blob.is_some()).map(kernel_size).max().unwrap_or(1);
            macs = macs.saturating_add(touched.saturating_mul(kernel.max(largest)));
        }
        WorkLimit { bytes: bytes.saturating_mul(SLACK), macs: macs.saturating_mul(SLACK) }
    }

    /// The name of the operator that a task of the task list is for.
    #[must_use]
    pub fn operator_of_task(&self, task: usize) -> Option<&str> {
        let operator = usize::try_from(self.tasks.get(task)?.op_idx).ok()?;
        Some(&self.model.operators().get(operator)?.name)
    }

    /// Names the tensors that lie in a buffer, for the messages of its device.
    pub(crate) fn name_tensors(&self, role: BufferRole, buffer: &ferrite_device::Buffer) {
        let image = self.model.weight_image();
        for (index, tensor) in self.model.tensors().iter().enumerate() {
            let Location { buffer: holder, offset } = locate(&self.model, &image, index);
            let Some(native) = (holder == role).then(|| NativeTensor::new(tensor).ok()).flatten() else { continue };
            let end = offset.saturating_add(native.bytes as u64).min(buffer.len());
            // A message without a name is no reason to fail.
            let _ = buffer.name_part(offset.min(end)..end, format!("tensor `{}`", native.name));
        }
    }

    /// Where a tensor of the model lies.
    pub(crate) fn locate(&self, tensor: usize) -> Location {
        locate(&self.model, &self.model.weight_image(), tensor)
    }
}

/// Elements of one kernel of a weight tensor. Which of the first two dimensions counts kernels differs between convolution
/// and transposed convolution, so this is the larger reading; depthwise weights have a one there.
fn kernel_size(tensor: &ferrite_rknn::Tensor) -> u64 {
    let dimension = |axis: usize| tensor.shape.get(axis).map_or(1, |&size| u64::from(size).max(1));
    let elements = tensor.shape.iter().fold(1_u64, |product, &size| product.saturating_mul(u64::from(size)));
    let (first, second) = (dimension(0), dimension(1));
    let kernels = if first.min(second) == 1 { first.max(second) } else { first.min(second) };
    (elements / kernels).max(1)
}

pub(crate) fn locate(model: &Model, image: &ferrite_rknn::WeightImage, tensor: usize) -> Location {
    let description = &model.tensors()[tensor];
    if let Some(blob) = description.blob {
        return Location { buffer: BufferRole::Weights, offset: image.blobs[blob].start as u64 };
    }
    let position = |list: &[usize]| list.iter().position(|&index| index == tensor);
    if let Some(index) = position(model.inputs()) {
        return Location { buffer: BufferRole::Input(index), offset: 0 };
    }
    if let Some(index) = position(model.outputs()) {
        return Location { buffer: BufferRole::Output(index), offset: 0 };
    }
    Location { buffer: BufferRole::Activations, offset: u64::from(description.offset) }
}

/// The task list; every task's program must lie in the program blob.
fn read_tasks(model: &Model) -> Result<Vec<TaskRecord>, Error> {
    let (Some(list), Some(programs)) = (model.task_blob(), model.program_blob()) else { return Ok(Vec::new()) };
    let bytes = model.blob(list).unwrap_or_default();
    let tasks = TaskRecord::read_list(bytes)
        .map_err(|error| Error::inconsistent(format!("task list (blob {list})"), error.to_string()))?;
    let available = model.blob(programs).unwrap_or_default().len() as u64;
    for (index, task) in tasks.iter().enumerate() {
        if task.regcmd_addr.checked_add(task.program_bytes()).is_none_or(|end| end > available) {
            let reason = format!(
                "its program at {:#x} of {} commands does not lie within the {available} bytes of programs",
                task.regcmd_addr,
                task.commands()
            );
            return Err(Error::inconsistent(format!("task {index}"), reason));
        }
    }
    Ok(tasks)
}

/// The buffers and their sizes.
fn buffers(model: &Model, steps: &[Step]) -> Result<Vec<BufferInfo>, Error> {
    let has_tasks = steps.iter().any(|step| matches!(step, Step::Submit(_)));
    let mut buffers = Vec::new();
    let mut push = |role, bytes: u64| {
        if bytes > 0 {
            buffers.push(BufferInfo { role, bytes });
        }
    };
    if has_tasks {
        push(BufferRole::Tasks, model.task_blob().and_then(|blob| model.blob(blob)).map_or(0, |b| b.len() as u64));
    }
    push(BufferRole::Weights, model.weight_image().size as u64);
    // Results of host operators may lie beyond what the compiler counts for the NPU.
    let mut activations = model.memory().map_or(0, |memory| memory.activations);
    for step in steps {
        let Step::Host { operator, .. } = step else { continue };
        let operator = &model.operators()[*operator];
        for tensor in operator.inputs.iter().chain(&operator.outputs).map(|&index| &model.tensors()[index]) {
            if tensor.kind != Kind::INPUT && tensor.kind != Kind::OUTPUT && tensor.blob.is_none() {
                activations = activations.max(u64::from(tensor.offset) + u64::from(tensor.size));
            }
        }
    }
    push(BufferRole::Activations, activations);
    let ports = [(model.inputs(), true), (model.outputs(), false)];
    for (indices, input) in ports {
        for (position, &index) in indices.iter().enumerate() {
            let tensor = &model.tensors()[index];
            if tensor.size == 0 {
                return Err(Error::inconsistent(format!("tensor `{}`", tensor.name), "it has no bytes"));
            }
            let role = if input { BufferRole::Input(position) } else { BufferRole::Output(position) };
            push(role, u64::from(tensor.size));
        }
    }
    Ok(buffers)
}

pub(crate) fn quantization(tensor: &ferrite_rknn::Tensor, element: ElementType) -> Option<Quantization> {
    let (&scale, &zero_point) = (tensor.scale.first()?, tensor.zero_point.first()?);
    element.is_integer().then_some(Quantization { scale, zero_point })
}

fn tensor_info(model: &Model, native: &NativeTensor, index: usize, input: bool) -> Result<TensorInfo, Error> {
    let tensor = &model.tensors()[index];
    let port = model.ports().iter().find(|port| port.is_output != input && port.name == tensor.name);
    Ok(TensorInfo {
        name: tensor.name.clone(),
        shape: native.shape.clone(),
        element: native.element,
        quantization: quantization(tensor, native.element),
        native_shape: tensor.native_shape.iter().map(|&size| size as usize).collect(),
        native_bytes: u64::from(tensor.size),
        normalization: port.filter(|_| input).map(|port| normalization(port, native)).transpose()?.flatten(),
    })
}

/// The normalisation of an input; `None` for the identity.
fn normalization(port: &PortAttributes, native: &NativeTensor) -> Result<Option<Normalization>, Error> {
    #[expect(clippy::cast_possible_truncation, reason = "the values come from single-precision settings")]
    let narrow = |values: &[f64]| values.iter().map(|&value| value as f32).collect::<Vec<f32>>();
    let (mean, std) = (narrow(&port.mean), narrow(&port.std));
    if mean.iter().all(|&value| value == 0.0) && std.iter().all(|&value| value == 1.0) {
        return Ok(None);
    }
    let [_, channels, ..] = native.nchw();
    let fits = |values: &[f32]| values.len() == 1 || values.len() == channels;
    if !fits(&mean) || !fits(&std) || std.contains(&0.0) {
        let reason = format!("mean {mean:?} and std {std:?} do not fit {channels} channels");
        return Err(Error::inconsistent(format!("input `{}`", native.name), reason));
    }
    // `rgb2bgr` says how the compiler read calibration pictures; inference swaps nothing (`models/ocr/scores.npz` shows it).
    Ok(Some(Normalization { mean, std }))
}
