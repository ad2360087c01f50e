//! The DPU: weight zero-point correction, BS, BN, EW, output conversion, write.

mod elementwise;
mod lut;
mod operand;
mod output;
mod read;
mod stage;
mod write;

pub(crate) use lut::Tables;

use ferrite_rknpu::reg;
use ferrite_rknpu::typed::{Dpu, DpuRdma, Precision};

use crate::conv::{self, WindowSums};
use crate::cube::{Cube, Values};
use crate::error::Error;
use crate::rounding::Half;
use crate::task::Task;
use operand::StageOperands;
use stage::{Order, apply};

/// Runs the DPU of a task whose registers have been checked, the convolution in front of it included.
pub(crate) fn run(task: &mut Task<'_, '_>, dpu: &Dpu, rdma: Option<&DpuRdma>, tables: &Tables) -> Result<(), Error> {
    if let Some(rdma) = rdma
        && dpu.flying
        && is_copy(dpu, rdma)
    {
        let atoms = read::raw(task, rdma)?;
        return write::store(task, dpu, Some(rdma), atoms);
    }
    if let Some(rdma) = rdma
        && dpu.flying
        && is_paired(dpu, rdma)
    {
        let register = reg::dpu_rdma::RDMA_FEATURE_MODE_CFG;
        return task.refuse(
            register,
            rdma.input_precision.code(),
            "16-bit data in an 8-bit pipeline that changes them",
        );
    }
    let (mut cube, sums) = match (dpu.flying, rdma) {
        (true, Some(rdma)) => (read::main(task, dpu, rdma)?, None),
        _ => convolve(task, dpu)?,
    };
    let bs = operand::load(task, dpu, rdma, operand::Source::Bs)?;
    let bn = operand::load(task, dpu, rdma, operand::Source::Bn)?;
    if bs.channels_matter() || bn.channels_matter() {
        require_channels(task, dpu, &cube)?;
    }
    if let Some(sums) = sums {
        correct(task, dpu, &bs, &sums, &mut cube)?;
    }
    let half = operand_half(dpu);
    apply(task, &dpu.bs, Order::AluFirst, dpu.bs_negative_shift, &bs, half, &mut cube)?;
    apply(task, &dpu.bn, Order::MultiplyFirst, dpu.bn_negative_shift, &bn, half, &mut cube)?;
    elementwise::apply(task, dpu, rdma, tables, &mut cube)?;
    if dpu.minmax != 0 {
        return output::channel_maximum(task, dpu, &cube);
    }
    let atoms = output::convert(task, dpu, rdma.is_some_and(|rdma| is_raw(dpu, rdma)), &cube)?;
    write::store(task, dpu, rdma, atoms)
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

fn convolve(task: &Task<'_, '_>, dpu: &Dpu) -> Result<(Cube, Option<WindowSums>), Error> {
    let (Some(cna), Some(core)) = (&task.job.cna, &task.job.core) else {
        return task.refuse(reg::dpu::FEATURE_MODE_CFG, 0, "no main data: FLYING_MODE is off and no convolution runs");
    };
    let made = conv::run(task, cna, core, !dpu.correction_bypass)?;
    Ok((made.cube, made.sums))
}

/// Per-channel operands are counted by the DPU's own channels.
fn require_channels(task: &Task<'_, '_>, dpu: &Dpu, cube: &Cube) -> Result<(), Error> {
    if dpu.channels as usize == cube.channels {
        return Ok(());
    }
    task.refuse(
        reg::dpu::DATA_CUBE_CHANNEL,
        dpu.channels,
        "per-channel operands for another number of channels than the data",
    )
}

/// Adds the weights' zero point: its negative times the sum of the inputs under the window.
fn correct(
    task: &Task<'_, '_>,
    dpu: &Dpu,
    operands: &StageOperands,
    sums: &WindowSums,
    cube: &mut Cube,
) -> Result<(), Error> {
    let channels = cube.channels;
    let factors: Vec<i64> = match (&operands.correction, dpu.correction_from_memory) {
        (Some(factors), true) => factors.iter().map(|factor| i64::from(*factor)).collect(),
        (None, true) => return task.refuse(reg::dpu::BS_OW_CFG, 1, "OW_SRC without OW in BRDMA_DATA_USE"),
        (_, false) => vec![i64::from(dpu.correction); channels],
    };
    let Values::Int(values) = &mut cube.values else {
        return task.refuse(reg::dpu::BS_OW_CFG, 0, "zero-point correction of a floating-point convolution");
    };
    for (pixel, sums) in values.chunks_exact_mut(channels).zip(sums.values.chunks_exact(sums.channels)) {
        if sums.len() == 1 {
            let sum = i64::from(sums[0]);
            pixel.iter_mut().zip(&factors).for_each(|(value, factor)| *value += factor * sum);
        } else {
            let own = pixel.iter_mut().zip(&factors).zip(sums);
            own.for_each(|((value, factor), sum)| *value += factor * i64::from(*sum));
        }
    }
    Ok(())
}
