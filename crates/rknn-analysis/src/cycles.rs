//! What a model costs: cycles, bytes and multiply-adds per operator and task.
//!
//! Two sources, kept apart by [`Source`]:
//!
//! - **The toolkit's own figures.** Rockchip's compiler prints, for convolutions and matrix products, cycles of DDR and NPU. [`Figures`]
//!   are the same numbers, derived from programs and tensors; how was found by comparing with 4296 layers that toolkit 2.5.0
//!   compiled (`models/zoo/cycles.py` collects them, `models/zoo/cycles.tsv` has a part, a test compares).
//! - **A model of our own** for the rest, for which the toolkit prints zeros, and for every single task. A task takes as long as
//!   the slowest of:
//!   - *memory*: the bytes of all its DMAs over [`BYTES_PER_CYCLE`]; what REUSE bits leave in the convolution buffer is not fetched;
//!   - *multipliers*: as the toolkit counts;
//!   - *DPU*: 8 elements a cycle, which the toolkit's figures imply behind a convolution; taken over for tasks that only move data;
//!   - *PPU*: 8 elements of its input or output a cycle, whichever are more. This is an assumption: it is as wide as the DPU.
//!
//! Neither was held against a chip. Both count one core, without the time between tasks and submissions.

use std::collections::BTreeMap;

use ferrite_rknn::{DataType, Kind, Model, Operator, Target, Tensor};
use ferrite_rknpu::typed::ranges::{self, Direction};
use ferrite_rknpu::typed::{ConvolutionMode, Job, Precision};
use ferrite_rknpu::{EnableMask, reg};

use crate::programs::{Programs, Region, Task};

/// Bytes that DDR moves in a cycle of the NPU, as the toolkit counts: all of its 4296 figures are right for 23.654001010 to
/// 23.654001492 and for nothing else. (70 % of 64 bits at 4224 MT/s and a clock of 1 GHz would be 23.6544.)
pub const BYTES_PER_CYCLE: f64 = 23.654_001_2;
/// The clock for which that is meant, in Hz.
pub const CLOCK: f64 = 1e9;
/// Elements that the DPU takes in a cycle. Follows from the toolkit's figures: a group of 32 byte-wide kernels never takes
/// less than 4 cycles a pixel, a group of 16 kernels of two bytes never less than 2.
const DPU_ELEMENTS: u64 = 8;
/// Channels that the multipliers take in a cycle, and channels of a depthwise convolution.
const CHANNELS: u64 = 32;
const DEPTHWISE_CHANNELS: u64 = 64;
/// Pixels are counted in these.
const PIXELS: u64 = 16;

/// Where a layer's cycles come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// The formulas of the toolkit's own figures.
    Toolkit,
    /// Our model.
    Model,
    /// An operator on the CPU, or one that does nothing: no cycles.
    None,
}

impl Source {
    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Toolkit => "toolkit",
            Self::Model => "model",
            Self::None => "none",
        }
    }
}

/// What takes longest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    /// Moving data.
    Memory,
    /// The multipliers, or another block of the NPU.
    Compute,
    /// Nothing on the NPU.
    Host,
}

impl Bound {
    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Memory => "memory",
            Self::Compute => "compute",
            Self::Host => "host",
        }
    }

    fn of(memory: u64, compute: u64) -> Self {
        if memory > compute { Self::Memory } else { Self::Compute }
    }
}

/// What the toolkit prints about a layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Figures {
    /// Cycles of DDR.
    pub ddr: u64,
    /// Cycles of the NPU.
    pub npu: u64,
    /// Bytes read, which it prints in KB, rounded down.
    pub read: u64,
    /// Bytes read and written, from which `ddr` follows.
    pub bytes: u64,
}

/// What one task costs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskCost {
    /// Index in the task list.
    pub task: usize,
    /// Index of the operator.
    pub operator: usize,
    /// The blocks that it starts.
    pub enable: EnableMask,
    /// Cycles of the slowest block.
    pub compute: u64,
    /// Cycles of the DMA.
    pub memory: u64,
    /// Bytes that the DMA moves.
    pub bytes: u64,
    /// Multiply-adds, without those of padding channels.
    pub multiply_adds: u64,
}

impl TaskCost {
    /// Cycles, if moving and computing overlap.
    #[must_use]
    pub fn cycles(&self) -> u64 {
        self.compute.max(self.memory)
    }
}

/// What one operator costs on one core.
#[derive(Debug, Clone, PartialEq)]
pub struct Layer {
    /// Its index.
    pub operator: usize,
    /// Its type.
    pub kind: String,
    /// Its name.
    pub name: String,
    /// Where `cycles` come from.
    pub source: Source,
    /// The toolkit's figures, where it has any.
    pub figures: Option<Figures>,
    /// Cycles.
    pub cycles: u64,
    /// Cycles of the slowest block.
    pub compute: u64,
    /// Cycles of moving data.
    pub memory: u64,
    /// What takes longest.
    pub bound: Bound,
    /// Bytes that the programs' DMA moves; more than `figures` count where an input is fetched several times.
    pub moved: u64,
    /// Multiply-adds, without those of padding channels.
    pub multiply_adds: u64,
    /// Multiply-adds over what the multipliers could do in `cycles`, 0 to 1.
    pub utilisation: f64,
    /// Number of tasks.
    pub tasks: usize,
}

/// What a model costs on one core.
#[derive(Debug, Clone, PartialEq)]
pub struct Profile {
    /// Every operator, in execution order.
    pub layers: Vec<Layer>,
    /// Every task, in execution order.
    pub tasks: Vec<TaskCost>,
}

impl Profile {
    /// The costs of a model.
    #[must_use]
    pub fn new(model: &Model) -> Self {
        let programs = Programs::new(model);
        let region = programs.regions().iter().find(|region| region.cores == 1);
        let (work, tasks) = region.map(|region| replay(&programs, region)).unwrap_or_default();
        let layers = model.operators().iter().enumerate();
        let layers = layers.map(|(index, operator)| layer(model, index, operator, work.get(&index), &tasks)).collect();
        Self { layers, tasks }
    }

    /// Cycles of all layers.
    #[must_use]
    pub fn cycles(&self) -> u64 {
        self.layers.iter().map(|layer| layer.cycles).sum()
    }
}

/// The costs of the tasks that one core of a plan runs, in order.
#[must_use]
pub fn task_costs(programs: &Programs<'_>, region: &Region) -> Vec<TaskCost> {
    replay(programs, region).1
}

fn replay(programs: &Programs<'_>, region: &Region) -> (BTreeMap<usize, Work>, Vec<TaskCost>) {
    let mut work: BTreeMap<usize, Work> = BTreeMap::new();
    let mut costs = Vec::new();
    for task in programs.replay(region) {
        // A program that cannot be replayed costs nothing anybody could say; `lint` reports it.
        let (Ok(job), Some((operator, description))) = (&task.job, task.operator) else { continue };
        // The runtime does a graph input's tasks itself.
        if description.kind == "InputOperator" {
            continue;
        }
        costs.push(task_cost(&task, operator, job));
        work.entry(operator).or_default().add(programs, &task, job);
    }
    (work, costs)
}

/// The cost of one task, by our model.
fn task_cost(task: &Task<'_>, operator: usize, job: &Job) -> TaskCost {
    let reused = |register: u16| {
        let cna = job.cna.as_ref();
        (register == reg::cna::DCOMP_ADDR0 && cna.is_some_and(|cna| cna.weight_reuse))
            || (register == reg::cna::FEATURE_DATA_ADDR && cna.is_some_and(|cna| cna.data_reuse))
    };
    let regions = ranges::regions(job).unwrap_or_default();
    let moved = regions.iter().filter(|region| !reused(region.register));
    let bytes = moved.map(ranges::Region::bytes).fold(0, u64::saturating_add);
    let compute = match (convolution(job), &job.ppu) {
        (Some((group, _)), _) => group.cycles(),
        (None, Some(ppu)) => {
            let input = u64::from(ppu.input_width) * u64::from(ppu.input_height) * u64::from(ppu.input_channels);
            let output = u64::from(ppu.output_width) * u64::from(ppu.output_height) * u64::from(ppu.output_channels);
            input.max(output).div_ceil(DPU_ELEMENTS)
        }
        (None, None) => {
            let elements = |region: &ranges::Region| region.bytes() / element_bytes(job, region.direction);
            regions.iter().map(elements).max().unwrap_or(0).div_ceil(DPU_ELEMENTS)
        }
    };
    TaskCost {
        task: task.index,
        operator,
        enable: job.enable,
        compute,
        memory: memory_cycles(bytes),
        bytes,
        multiply_adds: convolution(job).map_or(0, |(_, multiply_adds)| multiply_adds),
    }
}

/// Bytes of an element of what the DPU reads or writes.
fn element_bytes(job: &Job, direction: Direction) -> u64 {
    let precision = match direction {
        Direction::Read => job.dpu_rdma.as_ref().map(|rdma| rdma.input_precision),
        Direction::Write => job.dpu.as_ref().map(|dpu| dpu.output_precision),
    };
    u64::from(precision.and_then(Precision::bytes).unwrap_or(1))
}

#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "far below 2^52, and not negative"
)]
fn memory_cycles(bytes: u64) -> u64 {
    (bytes as f64 / BYTES_PER_CYCLE).ceil() as u64
}

/// The convolution of a task, in the numbers that the toolkit's formula takes, and its multiply-adds.
fn convolution(job: &Job) -> Option<(Group, u64)> {
    let (cna, core, dpu) = (job.cna.as_ref()?, job.core.as_ref()?, job.dpu.as_ref()?);
    let taps = u64::from(cna.kernel_width) * u64::from(cna.kernel_height);
    let pixels = u64::from(core.output_width) * u64::from(core.output_height);
    let depthwise = cna.mode == ConvolutionMode::Depthwise;
    let real = u64::from(cna.real_channels());
    let outputs = if depthwise { 1 } else { u64::from(cna.kernels.min(dpu.original_channels)) };
    let group = Group {
        depthwise,
        single: !depthwise && real == 1 && dpu.original_channels > 1,
        kernels_of_group: if cna.input_precision == Precision::Int8 { 32 } else { 16 },
        taps,
        channels: u64::from(cna.channels),
        kernels: u64::from(cna.kernels),
        pixels,
    };
    Some((group, taps.saturating_mul(pixels).saturating_mul(real * outputs)))
}

/// Tasks of one operator with the same weights: rows of one convolution. Groups of the same size are parts of one
/// convolution, too: its kernels, or the channels of a depthwise one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Group {
    depthwise: bool,
    /// One input channel and several kernels.
    single: bool,
    /// 32 of bytes, 16 of two bytes.
    kernels_of_group: u64,
    taps: u64,
    /// Input channels, padded.
    channels: u64,
    kernels: u64,
    pixels: u64,
}

impl Group {
    /// Cycles of the multipliers: for every 16 pixels and every group of kernels (32 of bytes, 16 of two bytes) the taps of the
    /// kernel times the groups of 32 input channels, but no fewer than the DPU takes for the group's outputs. Depthwise: taps
    /// times groups of 64 channels. A single input channel under several kernels is counted as depthwise.
    fn cycles(&self) -> u64 {
        let pixels = self.pixels.next_multiple_of(PIXELS);
        let per_pixel = if self.single {
            self.taps
        } else if self.depthwise {
            self.channels.div_ceil(DEPTHWISE_CHANNELS) * self.taps
        } else {
            let channels = self.channels.div_ceil(CHANNELS) * self.taps;
            self.kernels.div_ceil(self.kernels_of_group) * channels.max(self.kernels_of_group / DPU_ELEMENTS)
        };
        per_pixel.saturating_mul(pixels)
    }
}

/// The convolutions of one operator.
#[derive(Debug, Clone, Default)]
struct Work {
    /// By where the weights lie: tensor and offset.
    groups: BTreeMap<(Option<usize>, u32), Group>,
}

impl Work {
    fn add(&mut self, programs: &Programs<'_>, task: &Task<'_>, job: &Job) {
        let Some((group, _)) = convolution(job) else { return };
        let weights = task.origin(reg::cna::DCOMP_ADDR0).and_then(|command| programs.address(command));
        let key = weights.map_or((None, 0), |address| (address.tensor, address.addend));
        self.groups.entry(key).and_modify(|known| known.pixels += group.pixels).or_insert(group);
    }

    /// Cycles of the multipliers for the whole operator; a convolution's pixels are those of so many pictures.
    fn cycles(&self, pictures: u64) -> u64 {
        let mut whole: Vec<Group> = Vec::new();
        for group in self.groups.values() {
            let part = |known: &&mut Group| {
                (known.depthwise, known.taps, known.pixels) == (group.depthwise, group.taps, group.pixels)
                    && (group.depthwise || known.channels == group.channels)
            };
            match whole.iter_mut().find(part) {
                Some(known) if group.depthwise => known.channels += group.channels,
                Some(known) => known.kernels += group.kernels,
                None => whole.push(*group),
            }
        }
        let picture = |group: &Group| Group { pixels: group.pixels.div_ceil(pictures), ..*group };
        whole.iter().map(|group| picture(group).cycles().saturating_mul(pictures)).fold(0, u64::saturating_add)
    }
}

/// Whether the toolkit prints figures for operators of this type.
fn has_figures(operator: &Operator) -> bool {
    operator.kind.starts_with("Conv") || operator.kind == "exMatMul"
}

fn layer(model: &Model, index: usize, operator: &Operator, work: Option<&Work>, tasks: &[TaskCost]) -> Layer {
    let own: Vec<&TaskCost> = tasks.iter().filter(|task| task.operator == index).collect();
    let sum = |value: fn(&TaskCost) -> u64| own.iter().map(|task| value(task)).fold(0, u64::saturating_add);
    let on_npu = operator.target == Target::NPU && !own.is_empty();
    let figures = work.filter(|_| has_figures(operator) && on_npu).map(|work| figures(model, operator, work));
    let (source, cycles, compute, memory) = match figures {
        Some(figures) => (Source::Toolkit, figures.ddr.max(figures.npu), figures.npu, figures.ddr),
        None if on_npu => (Source::Model, sum(TaskCost::cycles), sum(|task| task.compute), sum(|task| task.memory)),
        None => (Source::None, 0, 0, 0),
    };
    let multiply_adds = sum(|task| task.multiply_adds);
    Layer {
        operator: index,
        kind: operator.kind.clone(),
        name: operator.name.clone(),
        source,
        figures,
        cycles,
        compute,
        memory,
        bound: if on_npu { Bound::of(memory, compute) } else { Bound::Host },
        moved: sum(|task| task.bytes),
        multiply_adds,
        utilisation: utilisation(multiply_adds, cycles, peak(work)),
        tasks: own.len(),
    }
}

/// Multiply-adds a cycle that the multipliers can do for an operator.
fn peak(work: Option<&Work>) -> u64 {
    let group = work.and_then(|work| work.groups.values().next());
    group.map_or(0, |group| group.kernels_of_group * CHANNELS)
}

#[expect(clippy::cast_precision_loss, reason = "a ratio for people")]
fn utilisation(multiply_adds: u64, cycles: u64, peak: u64) -> f64 {
    let most = cycles.saturating_mul(peak);
    if most == 0 { 0.0 } else { multiply_adds as f64 / most as f64 }
}

/// The toolkit's figures for a layer.
fn figures(model: &Model, operator: &Operator, work: &Work) -> Figures {
    let tensor = |&index: &usize| &model.tensors()[index];
    let read = operator.inputs.iter().map(tensor).map(counted_bytes).fold(0, u64::saturating_add);
    let written = operator.outputs.iter().map(tensor).map(counted_bytes).fold(0, u64::saturating_add);
    let bytes = read.saturating_add(written);
    // The matrices of a batch have weights of their own.
    let batch = operator.outputs.first().and_then(|output| model.tensors()[*output].native_shape.first());
    let pictures =
        if operator.kind.starts_with("Conv") { batch.map_or(1, |&batch| u64::from(batch).max(1)) } else { 1 };
    Figures { ddr: memory_cycles(bytes), npu: work.cycles(pictures), read, bytes }
}

/// Bytes of a tensor as the toolkit counts them. Features have their native shape, without the rounding of surfaces; scratch space
/// does not count. Weights whose blob has one kind of group count with its padding, those with a shorter last group without.
fn counted_bytes(tensor: &Tensor) -> u64 {
    let product = |shape: &[u32]| shape.iter().fold(1_u64, |product, &size| product.saturating_mul(u64::from(size)));
    let size = element_size(tensor.data_type);
    match tensor.kind {
        Kind::INPUT | Kind::OUTPUT | Kind::INTERMEDIATE if tensor.name.ends_with("exSecondary") => 0,
        Kind::INPUT | Kind::OUTPUT | Kind::INTERMEDIATE => product(&tensor.native_shape).saturating_mul(size),
        Kind::LOOKUP_TABLE => 0,
        _ if tensor.blob.is_none() => 0,
        _ if tensor.native_shape.len() > 6 => product(&tensor.shape).saturating_mul(size),
        _ => u64::from(tensor.size),
    }
}

fn element_size(element: DataType) -> u64 {
    element.size().map_or(0, |size| size as u64)
}
