//! One context of a loaded model.

use std::sync::Arc;
use std::time::Duration;

use ferrite_device::{Buffer, BufferKind};
use ferrite_rknpu::{Submission, TaskRange, TaskRecord};

use crate::Error;
use crate::convert::{dequantize, fill_input, form_of, read_output};
use crate::host;
use crate::plan::{BufferRole, Plan};
use crate::probe::Probe;
use crate::relocate::{InputForm, Target, program_patches, rewrite};
use crate::schedule::{Job, Step};
use crate::tensor::{ElementType, Layout, Tensor, to_f32};
use crate::weights::Weights;

/// What the vendor's runtime gives a job before the driver resets the core, in milliseconds.
const JOB_TIMEOUT: u32 = 6000;
/// How long to wait for a fence. An emulator may take far longer than the chip.
const FENCE_TIMEOUT: Duration = Duration::from_secs(24 * 3600);

/// What a run did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RunReport {
    /// Submissions to the NPU.
    pub submissions: usize,
    /// Tasks in them.
    pub npu_tasks: usize,
    /// Operators computed on the host because the model says so.
    pub host_operators: usize,
}

/// One context: its own activations, inputs, outputs and programs; weights shared.
#[derive(Debug)]
pub struct Session {
    weights: Arc<Weights>,
    /// Buffers by role, the weights excepted.
    buffers: Vec<(BufferRole, Buffer)>,
    tasks: Arc<[TaskRecord]>,
    /// A program buffer of this session's own, where the image's place was taken.
    own_programs: Option<Buffer>,
    inputs_set: Vec<bool>,
    /// How each input was handed over last; programs depend on it.
    forms: Vec<InputForm>,
}

impl Drop for Session {
    fn drop(&mut self) {
        if self.own_programs.is_none() && self.weights.buffer().is_some() {
            self.weights.give_programs_back();
        }
    }
}

impl Session {
    /// Allocates a session's buffers and relocates its programs.
    ///
    /// # Errors
    /// When the device cannot give the memory.
    pub fn new(weights: Arc<Weights>) -> Result<Self, Error> {
        let plan = Arc::clone(weights.plan());
        let mut buffers = Vec::new();
        for info in plan.buffers().iter().filter(|info| info.role != BufferRole::Weights) {
            let kind = if info.role == BufferRole::Tasks { BufferKind::Tasks } else { BufferKind::Data };
            let action = format!("allocating {} bytes for {}", info.bytes, info.role);
            let buffer = weights.device().allocate(info.bytes, kind).map_err(Error::device(action))?;
            buffer.set_label(info.role.to_string());
            plan.name_tensors(info.role, &buffer);
            buffers.push((info.role, buffer));
        }
        let inputs_set = vec![false; plan.inputs().len()];
        let forms = vec![InputForm::default(); plan.inputs().len()];
        let taken = weights.buffer().is_some() && weights.take_programs();
        let mut session = Self { weights, buffers, tasks: Arc::from([]), own_programs: None, inputs_set, forms };
        if !taken && session.weights.buffer().is_some() {
            session.own_programs = Some(session.allocate_programs()?);
        }
        session.install_programs()?;
        Ok(session)
    }

    /// The plan that it runs.
    #[must_use]
    pub fn plan(&self) -> &Plan {
        self.weights.plan()
    }

    /// A view of this session's tensors, also while it runs.
    pub fn probe(&self) -> Probe {
        Probe::new(Arc::clone(&self.weights), self.buffers.clone())
    }

    fn allocate_programs(&self) -> Result<Buffer, Error> {
        let model = &self.plan().model;
        let size = model.program_blob().and_then(|blob| model.blob(blob)).map_or(0, <[u8]>::len) as u64;
        let device = self.weights.device();
        device.allocate(size, BufferKind::Program).map_err(Error::device("allocating a session's programs"))
    }

    /// The buffer and offset of this session's programs.
    fn programs(&self) -> Option<(&Buffer, u64)> {
        if let Some(buffer) = &self.own_programs {
            return Some((buffer, 0));
        }
        let place = self.plan().model.weight_image().blobs.get(self.plan().model.program_blob()?)?.start;
        Some((self.weights.buffer()?, place as u64))
    }

    /// Relocates the programs and the task list to this session's buffers.
    fn install_programs(&mut self) -> Result<(), Error> {
        let Some((buffer, offset)) = self.programs() else { return Ok(()) };
        let base = buffer.device_address() + offset;
        let plan = self.plan();
        let programs = plan.model.program_blob().and_then(|blob| plan.model.blob(blob)).unwrap_or_default();
        let patches = program_patches(plan, &self.forms)?;
        let address = |target| match target {
            Target::Programs => Some(base),
            Target::Buffer(BufferRole::Weights) => self.weights.buffer().map(Buffer::device_address),
            Target::Buffer(role) => self.buffer(role).map(Buffer::device_address),
        };
        // From the file each time: patches differ with the form of the inputs, and what one left another need not overwrite.
        let install = |place: &mut [u8]| {
            place.copy_from_slice(programs);
            rewrite(place, &plan.relocations, &patches, address)
        };
        let range = offset..offset + programs.len() as u64;
        buffer.with_bytes_mut(range, install).map_err(Error::device("writing the programs"))??;
        buffer.flush_all_dirty().map_err(Error::device("flushing the programs"))?;
        let absolute = |task: &TaskRecord| TaskRecord { regcmd_addr: base + task.regcmd_addr, ..*task };
        let tasks: Arc<[TaskRecord]> = plan.tasks.iter().map(absolute).collect();
        if let Some(list) = self.buffer(BufferRole::Tasks) {
            list.write(0, &TaskRecord::write_list(&tasks)).map_err(Error::device("writing the task list"))?;
        }
        self.tasks = tasks;
        Ok(())
    }

    pub(crate) fn buffer(&self, role: BufferRole) -> Option<&Buffer> {
        self.buffers.iter().find(|(have, _)| *have == role).map(|(_, buffer)| buffer)
    }

    fn required(&self, role: BufferRole) -> Result<&Buffer, Error> {
        self.buffer(role).ok_or_else(|| Error::inconsistent(role.to_string(), "the plan has no such buffer"))
    }

    /// Converts and stores input `index`.
    ///
    /// With [`Layout::Nchw`] and [`Layout::Nhwc`] the values are in the domain before the model's normalisation (pixels of
    /// 0 to 255 where it has mean and std), of any element type; but signed bytes for an input of signed bytes are taken for
    /// numbers that are quantised already. With [`Layout::Native`] the bytes are copied as they are.
    ///
    /// # Errors
    /// When there is no such input or the shape does not fit; the message says what would.
    pub fn set_input(&mut self, index: usize, tensor: &Tensor, layout: Layout) -> Result<(), Error> {
        let count = self.plan().inputs().len();
        let what = "inputs";
        let info = self.plan().inputs().get(index).ok_or(Error::NoSuchTensor { what, count, index })?;
        let native = &self.plan().input_tensors[index];
        let bytes = fill_input(info, native, tensor, layout)?;
        let form = form_of(native, tensor, layout);
        let action = || format!("writing input `{}`", info.name);
        let buffer = self.required(BufferRole::Input(index))?;
        buffer.write(0, &bytes).map_err(Error::device(action()))?;
        self.inputs_set[index] = true;
        if std::mem::replace(&mut self.forms[index], form) != form {
            self.install_programs()?;
        }
        Ok(())
    }

    /// Runs the model once on the inputs set.
    ///
    /// # Errors
    /// When an input is missing, or the device or a host operator fails.
    pub fn run(&mut self) -> Result<RunReport, Error> {
        if let Some(missing) = self.inputs_set.iter().position(|&set| !set) {
            return Err(Error::InputNotSet(self.plan().inputs()[missing].name.clone()));
        }
        let mut report = RunReport::default();
        let plan = Arc::clone(self.weights.plan());
        for step in plan.steps() {
            match step {
                Step::Submit(job) => {
                    self.submit(job)?;
                    report.submissions += 1;
                    report.npu_tasks += job.tasks;
                }
                Step::Host { operator, .. } => {
                    host::run(self, &plan, *operator)?;
                    report.host_operators += 1;
                }
            }
        }
        Ok(report)
    }

    fn submit(&self, job: &Job) -> Result<(), Error> {
        for (role, buffer) in &self.buffers {
            buffer.flush_all_dirty().map_err(Error::device(format!("flushing {role}")))?;
        }
        let submission = Submission {
            flags: job.flags,
            tasks: Arc::clone(&self.tasks),
            task_list: self.required(BufferRole::Tasks)?.device_address(),
            range: job.range,
            core_mask: job.core_mask,
            subcores: job.subcores,
            timeout: JOB_TIMEOUT,
        };
        let TaskRange { start, number } = job.subcores[0];
        let action = format!("running tasks {start} to {}", (start + number).saturating_sub(1));
        let device = self.weights.device();
        let mut fence = device.submit(&submission).map_err(Error::device(action.clone()))?;
        fence.wait(FENCE_TIMEOUT).map_err(Error::device(action))
    }

    /// Output `index` of the last run as float32 in its logical shape; integers are dequantised.
    ///
    /// # Errors
    /// When there is no such output.
    pub fn output(&self, index: usize) -> Result<Tensor, Error> {
        let raw = self.output_raw(index)?;
        let mut values = to_f32(raw.element(), raw.bytes());
        if let Some(quantization) = self.plan().outputs()[index].quantization {
            dequantize(&mut values, quantization, &self.plan().output_tensors[index]);
        }
        Tensor::from_f32(raw.shape().to_vec(), &values)
    }

    /// Output `index` of the last run in the model's own element type, in its logical shape.
    ///
    /// # Errors
    /// When there is no such output.
    pub fn output_raw(&self, index: usize) -> Result<Tensor, Error> {
        let count = self.plan().outputs().len();
        let native =
            self.plan().output_tensors.get(index).ok_or(Error::NoSuchTensor { what: "outputs", count, index })?;
        let element: ElementType = native.element;
        let bytes = read_output(self.required(BufferRole::Output(index))?, 0, native)?;
        Tensor::new(element, native.shape.clone(), bytes)
    }
}
