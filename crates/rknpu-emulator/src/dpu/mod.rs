//! The DPU: weight zero-point correction, BS, BN, EW, output conversion, write.
//!
//! What a task does is decided once ([`steps`]); then blocks of channels run through it, some pixels at a time
//! ([`float`], [`int`]).

mod elements;
mod float;
mod int;
mod lanes;
mod lut;
mod operand;
mod read;
mod sink;
mod steps;
pub(crate) mod whole;
mod write;

pub(crate) use lut::Tables;

use ferrite_rknpu::reg;
use ferrite_rknpu::typed::{Dpu, DpuRdma, Precision};
use half::f16;

use crate::conv::{FloatConvolution, IntConvolution, Panels, half_of};
use crate::error::Error;
use crate::rounding::Half;
use crate::simd::{Path, dispatch};
use crate::task::Task;
use crate::view::{ATOM, Atoms};
use elements::{Elements, Kind};
use operand::StageOperands;
use sink::Sink;

/// Memory that tasks use one after the other.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    atoms: Vec<u8>,
    floats: Vec<f32>,
    ints: Vec<i16>,
}

impl Scratch {
    /// Buffers beyond this many bytes are not kept for the next task.
    const KEPT: usize = 64 << 20;

    fn trim(&mut self) {
        if self.atoms.capacity() + 4 * self.floats.capacity() + 2 * self.ints.capacity() > Self::KEPT {
            *self = Self::default();
        }
    }
}

/// What a core works with.
pub(crate) struct Tools<'a> {
    pub(crate) tables: &'a Tables,
    pub(crate) panels: &'a mut Panels,
    pub(crate) scratch: &'a mut Scratch,
    pub(crate) path: Path,
}

/// Runs the DPU of a task whose registers have been checked, the convolution in front of it included.
pub(crate) fn run(
    task: &mut Task<'_, '_>,
    dpu: &Dpu,
    rdma: Option<&DpuRdma>,
    tools: &mut Tools<'_>,
) -> Result<(), Error> {
    let made = make(task, dpu, rdma, tools)?;
    let atoms = match made {
        Made::Atoms(atoms) if dpu.nonaligned => {
            let bytes = match dpu.kept_bytes() {
                Some(kept) => atoms.bytes.chunks_exact(ATOM).flat_map(|atom| &atom[..kept as usize]).copied().collect(),
                None => pixel_by_pixel(&atoms),
            };
            return task.write(reg::dpu::DST_BASE_ADDR, i64::from(dpu.destination), &bytes);
        }
        Made::Atoms(atoms) => atoms,
        Made::Packed(bytes) => {
            return task.write(reg::dpu::DST_BASE_ADDR, i64::from(dpu.destination), &bytes);
        }
    };
    tools.scratch.atoms = write::store(task, dpu, rdma, atoms)?;
    tools.scratch.trim();
    Ok(())
}

/// What a task is about to write.
enum Made {
    Atoms(Atoms),
    /// Elements at the destination, one behind the other.
    Packed(Vec<u8>),
}

/// NONALIGN: all surfaces of a pixel, then those of the next.
fn pixel_by_pixel(atoms: &Atoms) -> Vec<u8> {
    let pixels = atoms.height * atoms.width;
    let places = (0..pixels).flat_map(|pixel| (0..atoms.surfaces).map(move |surface| surface * pixels + pixel));
    places.flat_map(|place| atoms.atom(place)).copied().collect()
}

fn make(task: &Task<'_, '_>, dpu: &Dpu, rdma: Option<&DpuRdma>, tools: &mut Tools<'_>) -> Result<Made, Error> {
    if let Some(rdma) = rdma
        && dpu.flying
    {
        if is_copy(dpu, rdma) {
            return Ok(Made::Atoms(read::main(task, rdma)?.even.to_atoms()));
        }
        if is_paired(dpu, rdma) {
            let register = reg::dpu_rdma::RDMA_FEATURE_MODE_CFG;
            let code = rdma.input_precision.code();
            return task.refuse(register, code, "16-bit data in an 8-bit pipeline that changes them");
        }
    }
    let bs = operand::load(task, dpu, rdma, operand::Source::Bs)?;
    let bn = operand::load(task, dpu, rdma, operand::Source::Bn)?;
    let per_channel = bs.channels_matter() || bn.channels_matter();
    if dpu.processing_precision.is_float() {
        make_floats(task, dpu, rdma, (&bs, &bn), per_channel, tools)
    } else {
        make_ints(task, dpu, rdma, (&bs, &bn), per_channel, tools)
    }
}

fn make_floats(
    task: &Task<'_, '_>,
    dpu: &Dpu,
    rdma: Option<&DpuRdma>,
    (bs, bn): (&StageOperands, &StageOperands),
    per_channel: bool,
    tools: &mut Tools<'_>,
) -> Result<Made, Error> {
    let (main, size, channels) = match main_elements(task, dpu, rdma)? {
        Some((elements, channels)) => {
            let size = elements.surfaces.size();
            (float::Main::Elements(elements), size, channels)
        }
        None => {
            let (cna, core) = convolution(task)?;
            let Some(half) = half_of(cna.input_precision) else {
                return task.refuse(reg::cna::CONV_CON1, cna.input_precision.code(), "IN_PRECISION");
            };
            let convolution = FloatConvolution::new(task, (cna, core), half, tools.panels)?;
            let size = convolution.size();
            (float::Main::Convolution(Box::new(convolution)), size, core.output_channels as usize)
        }
    };
    if per_channel {
        require_channels(task, dpu, channels)?;
    }
    let steps = steps::float(task, dpu, rdma, (bs, bn), size, channels, tools.tables)?;
    let output = steps::float_output(task, dpu, rdma.is_some_and(|rdma| is_raw(dpu, rdma)))?;
    let maximum = (dpu.minmax != 0).then(|| {
        let start = f16::from_bits(dpu.offset_pend as u16).to_f32();
        ((dpu.original_channels as usize).min(channels), start)
    });
    if maximum.is_some() && output.format != float::Format::Half(Half::Float16) {
        let code = dpu.output_precision.code();
        return task.refuse(reg::dpu::DATA_FORMAT, code, "OUT_PRECISION of a channel maximum");
    }
    let pixels = size.0 * size.1;
    let element = output.format.bytes();
    let room = std::mem::take(&mut tools.scratch.atoms);
    let sink = Sink::new(room, pixels, if maximum.is_some() { 0 } else { channels }, element);
    let plane = &mut tools.scratch.floats;
    let pipeline = float::Pipeline { main, steps, output, pixels, channels, sink, maximum, plane };
    let made = dispatch(tools.path, pipeline);
    if maximum.is_some() {
        return Ok(Made::Packed(made.maxima.into_iter().flat_map(u16::to_le_bytes).collect()));
    }
    Ok(Made::Atoms(made.sink.into_atoms(size)))
}

fn make_ints(
    task: &Task<'_, '_>,
    dpu: &Dpu,
    rdma: Option<&DpuRdma>,
    (bs, bn): (&StageOperands, &StageOperands),
    per_channel: bool,
    tools: &mut Tools<'_>,
) -> Result<Made, Error> {
    let (main, size, channels) = match main_elements(task, dpu, rdma)? {
        Some((elements, channels)) => {
            let size = elements.surfaces.size();
            (int::Main::Elements(elements), size, channels)
        }
        None => {
            let (cna, core) = convolution(task)?;
            let corrections = corrections(task, dpu, bs, core.output_channels as usize)?;
            let convolution = IntConvolution::new(task, (cna, core), corrections, tools.panels)?;
            let size = convolution.size();
            (int::Main::Convolution(Box::new(convolution)), size, core.output_channels as usize)
        }
    };
    if per_channel {
        require_channels(task, dpu, channels)?;
    }
    let steps = steps::int(task, dpu, rdma, (bs, bn), size, channels, tools.tables)?;
    if dpu.minmax != 0 {
        return task.refuse(reg::dpu::DATA_CUBE_HEIGHT, dpu.minmax, "MINMAX_CTL of an integer pipeline");
    }
    let output = steps::int_output(task, dpu)?;
    let pixels = size.0 * size.1;
    let sink = Sink::new(std::mem::take(&mut tools.scratch.atoms), pixels, channels, output.format.bytes());
    let (rounding, plane) = (task.options.rounding, &mut tools.scratch.ints);
    let pipeline = int::Pipeline { main, steps, output, pixels, channels, sink, rounding, plane };
    Ok(Made::Atoms(dispatch(tools.path, pipeline).into_atoms(size)))
}

/// 16-bit factors are bfloat16 in a bfloat16 pipeline, else half precision.
fn operand_half(dpu: &Dpu) -> Half {
    if dpu.processing_precision == Precision::BFloat16 { Half::BFloat16 } else { Half::Float16 }
}

/// Half-precision data that pass the pipeline as bits.
fn is_raw(dpu: &Dpu, rdma: &DpuRdma) -> bool {
    dpu.flying && rdma.input_precision == Precision::Int16 && dpu.processing_precision.is_float()
}

/// Bytes that are moved two at a time.
fn is_paired(dpu: &Dpu, rdma: &DpuRdma) -> bool {
    rdma.input_precision == Precision::Int16 && dpu.processing_precision == Precision::Int8
}

/// Whether what is read is written unchanged, so that the bits need no detour through numbers.
fn is_copy(dpu: &Dpu, rdma: &DpuRdma) -> bool {
    let idle = dpu.bs.bypass && dpu.bn.bypass && dpu.ew.bypass && dpu.minmax == 0 && rdma.combined == 0;
    let out = &dpu.out;
    let identity = out.scale == 1 && out.shift == 0 && out.offset == 0 && out.minus_exponent == 0;
    let same = rdma.input_precision == dpu.output_precision
        || is_raw(dpu, rdma) && dpu.output_precision == Precision::Float16 && !out.to_float16
        || is_paired(dpu, rdma) && dpu.output_precision == Precision::Int8;
    idle && identity && same
}

/// The main data of a memory-to-memory task and how many channels they have; none behind a convolution.
fn main_elements<'a>(
    task: &'a Task<'_, '_>,
    dpu: &Dpu,
    rdma: Option<&DpuRdma>,
) -> Result<Option<(Elements<'a>, usize)>, Error> {
    let Some(rdma) = rdma.filter(|_| dpu.flying) else { return Ok(None) };
    let float = dpu.processing_precision.is_float();
    let kind = match (float, rdma.input_precision) {
        (false, precision @ (Precision::Int8 | Precision::Int16)) => Kind::of(precision),
        // 16-bit integers in a floating-point pipeline are half precision whose bits are kept.
        (true, Precision::Int16) => Some(Kind::Half(Half::Float16)),
        (true, precision @ (Precision::Float16 | Precision::BFloat16 | Precision::Float32)) => Kind::of(precision),
        _ => None,
    };
    let surfaces = read::main(task, rdma)?;
    let Some(kind) = kind else {
        let register = reg::dpu_rdma::RDMA_FEATURE_MODE_CFG;
        return task.refuse(register, rdma.input_precision.code(), "IN_PRECISION of the main data in this pipeline");
    };
    let repeated = surfaces.count() * (ATOM / kind.bytes());
    let channels = if rdma.unpooling { repeated } else { rdma.channels as usize };
    Ok(Some((Elements { surfaces, kind }, channels)))
}

type Convolution<'a> = (&'a ferrite_rknpu::typed::Cna, &'a ferrite_rknpu::typed::Core);

fn convolution<'a>(task: &Task<'a, '_>) -> Result<Convolution<'a>, Error> {
    let job = task.job;
    let (Some(cna), Some(core)) = (&job.cna, &job.core) else {
        return task.refuse(reg::dpu::FEATURE_MODE_CFG, 0, "no main data: FLYING_MODE is off and no convolution runs");
    };
    Ok((cna, core))
}

/// Per-channel operands are counted by the DPU's own channels.
fn require_channels(task: &Task<'_, '_>, dpu: &Dpu, channels: usize) -> Result<(), Error> {
    if dpu.channels as usize == channels {
        return Ok(());
    }
    task.refuse(
        reg::dpu::DATA_CUBE_CHANNEL,
        dpu.channels,
        "per-channel operands for another number of channels than the data",
    )
}

/// The negative zero points of the weights of every output; times the sum of the inputs they are added to it.
fn corrections(
    task: &Task<'_, '_>,
    dpu: &Dpu,
    operands: &StageOperands,
    channels: usize,
) -> Result<Option<Vec<i16>>, Error> {
    if dpu.correction_bypass {
        return Ok(None);
    }
    match (&operands.correction, dpu.correction_from_memory) {
        (Some(factors), true) => Ok(Some(factors.clone())),
        (None, true) => task.refuse(reg::dpu::BS_OW_CFG, 1, "OW_SRC without OW in BRDMA_DATA_USE"),
        (_, false) => Ok(Some(vec![dpu.correction as i16; channels])),
    }
}
