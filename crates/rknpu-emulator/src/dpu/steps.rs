//! From registers to the operations of a task.

use ferrite_rknpu::reg;
use ferrite_rknpu::typed::{AluAlgorithm, Dpu, DpuRdma, ElementSize, ElementwiseStage, Precision, ScaleStage};

use super::elements::{Elements, Kind};
use super::lanes::{PerChannel, Repeated};
use super::lut::{FloatTable, IntTable, Tables};
use super::operand::StageOperands;
use super::{float, int, operand_half, read};
use crate::error::Error;
use crate::rounding::Half;
use crate::task::Task;
use crate::view::{ATOM, Surfaces, View, Walk};

/// BS adds first, BN multiplies first (and shifts last). Established: either order makes the other stage's programs wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Order {
    AluFirst,
    MultiplyFirst,
}

impl Order {
    fn registers(self) -> (u16, u16) {
        match self {
            Self::AluFirst => (reg::dpu::BS_CFG, reg::dpu::BS_MUL_CFG),
            Self::MultiplyFirst => (reg::dpu::BN_CFG, reg::dpu::BN_MUL_CFG),
        }
    }
}

/// The operands of BS or BN as bits.
struct ScaleOperands {
    alu: Option<PerChannel<u32>>,
    factor: Option<PerChannel<u16>>,
}

fn scale_operands(
    task: &Task<'_, '_>,
    stage: &ScaleStage,
    order: Order,
    operands: &StageOperands,
) -> Result<ScaleOperands, Error> {
    let (config, multiply) = order.registers();
    let alu = match (stage.alu_bypass, stage.alu_from_memory, &operands.alu) {
        (true, _, _) => None,
        (false, false, _) => Some(PerChannel::uniform(stage.alu_operand)),
        (false, true, Some(operands)) => Some(PerChannel::new(operands.iter().copied())),
        (false, true, None) => return task.refuse(config, 1, "ALU_SRC is memory, but DATA_USE has no ALU operand"),
    };
    let factor = match (stage.multiply_bypass, stage.multiply_from_memory, &operands.multiply) {
        (true, _, _) => None,
        (false, false, _) => Some(PerChannel::uniform(stage.multiply_operand as u16)),
        (false, true, Some(operands)) => Some(PerChannel::new(operands.iter().copied())),
        (false, true, None) => return task.refuse(multiply, 1, "MUL_SRC is memory, but DATA_USE has no MUL operand"),
    };
    Ok(ScaleOperands { alu, factor })
}

/// The operations of a floating-point task on data of `size` (width and height) by `channels`.
pub(super) fn float<'a>(
    task: &'a Task<'_, '_>,
    dpu: &Dpu,
    rdma: Option<&DpuRdma>,
    (bs, bn): (&StageOperands, &StageOperands),
    size: (usize, usize),
    channels: usize,
    tables: &Tables,
) -> Result<Vec<float::Step<'a>>, Error> {
    let half = operand_half(dpu);
    let mut steps = Vec::new();
    float_scale(task, &dpu.bs, Order::AluFirst, bs, half, &mut steps)?;
    float_scale(task, &dpu.bn, Order::MultiplyFirst, bn, half, &mut steps)?;
    let ew = &dpu.ew;
    if ew.bypass {
        return Ok(steps);
    }
    if !ew.lut_bypass {
        steps.push(float::Step::Table(FloatTable::new(tables, &dpu.lut, task.options.lut_index)));
    }
    if !ew.operation_bypass {
        let operand = match fetch(task, ew, rdma, size, channels)? {
            Second::Constant(bits) => {
                float::Operand::Channels(Repeated::new(PerChannel::uniform(f32::from_bits(bits))))
            }
            Second::Channels(ElementSize::Bits16, bytes) => {
                let values = bytes.as_chunks().0.iter().map(|bytes| half.to_f32(u16::from_le_bytes(*bytes)));
                float::Operand::Channels(Repeated::new(PerChannel::new(values)))
            }
            Second::Channels(ElementSize::Bits32, bytes) => {
                let values = bytes.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes));
                float::Operand::Channels(Repeated::new(PerChannel::new(values)))
            }
            Second::Elements(ElementSize::Bits16, surfaces) => {
                float::Operand::Elements(Elements { surfaces, kind: Kind::Half(half) })
            }
            Second::Elements(ElementSize::Bits32, surfaces) => {
                float::Operand::Elements(Elements { surfaces, kind: Kind::Single })
            }
            Second::Channels(other, _) | Second::Elements(other, _) => {
                let register = reg::dpu_rdma::RDMA_ERDMA_CFG;
                return task.refuse(register, other.code(), "ERDMA_DATA_SIZE of a floating-point pipeline");
            }
        };
        if ew.multiply {
            steps.push(float::Step::Multiply { operand, prelu: ew.prelu });
        } else if let AluAlgorithm::Unknown(code) = ew.algorithm {
            return task.refuse(reg::dpu::EW_CFG, code, "ALU_ALGO");
        } else {
            steps.push(float::Step::Alu(ew.algorithm, operand));
        }
    }
    float_clamp(!ew.relu_bypass, ew.relux.then_some(ew.relux_limit), &mut steps);
    Ok(steps)
}

fn float_scale(
    task: &Task<'_, '_>,
    stage: &ScaleStage,
    order: Order,
    operands: &StageOperands,
    half: Half,
    steps: &mut Vec<float::Step<'_>>,
) -> Result<(), Error> {
    if stage.bypass {
        return Ok(());
    }
    let ScaleOperands { alu, factor } = scale_operands(task, stage, order, operands)?;
    if alu.is_some()
        && let AluAlgorithm::Unknown(code) = stage.algorithm
    {
        return task.refuse(order.registers().0, code, "ALU_ALGO");
    }
    let alu = alu.map(|bits| {
        float::Step::Alu(stage.algorithm, float::Operand::Channels(Repeated::new(bits.map(f32::from_bits))))
    });
    let multiply = factor.map(|bits| float::Step::Multiply {
        operand: float::Operand::Channels(Repeated::new(bits.map(|bits| half.to_f32(bits)))),
        prelu: stage.prelu,
    });
    match order {
        Order::AluFirst => steps.extend(alu.into_iter().chain(multiply)),
        Order::MultiplyFirst => steps.extend(multiply.into_iter().chain(alu)),
    }
    float_clamp(!stage.relu_bypass, stage.relux.then_some(stage.relux_limit), steps);
    Ok(())
}

fn float_clamp(at_zero: bool, above: Option<u32>, steps: &mut Vec<float::Step<'_>>) {
    steps.extend(at_zero.then_some(float::Step::AtLeastZero));
    steps.extend(above.map(|bits| float::Step::AtMost(f32::from_bits(bits))));
}

/// The last conversion of a floating-point task. `raw`: half-precision bits that only pass through.
pub(super) fn float_output(task: &Task<'_, '_>, dpu: &Dpu, raw: bool) -> Result<float::Output, Error> {
    let out = &dpu.out;
    let format = match dpu.output_precision {
        Precision::Float16 => float::Format::Half(Half::Float16),
        Precision::Int16 if raw => float::Format::Half(Half::Float16),
        Precision::BFloat16 => float::Format::Half(Half::BFloat16),
        Precision::Float32 => float::Format::Single,
        Precision::Int8 => float::Format::Int8,
        Precision::Int16 => float::Format::Int16,
        other => {
            let reason = "OUT_PRECISION of a floating-point pipeline";
            return task.refuse(reg::dpu::DATA_FORMAT, other.code(), reason);
        }
    };
    let offset = if task.options.add_float_offset { out.offset as f32 } else { 0.0 };
    let scale = (out.minus_exponent != 0).then(|| (offset, power(out.minus_exponent) as f32));
    Ok(float::Output { scale, format })
}

fn power(minus_exponent: u32) -> f64 {
    2f64.powi(-(minus_exponent as i32))
}

/// The operations of an integer task on data of `size` (width and height) by `channels`.
pub(super) fn int<'a>(
    task: &'a Task<'_, '_>,
    dpu: &Dpu,
    rdma: Option<&DpuRdma>,
    (bs, bn): (&StageOperands, &StageOperands),
    size: (usize, usize),
    channels: usize,
    tables: &Tables,
) -> Result<Vec<int::Step<'a>>, Error> {
    let mut steps = Vec::new();
    int_scale(task, &dpu.bs, Order::AluFirst, dpu.bs_negative_shift, bs, &mut steps)?;
    int_scale(task, &dpu.bn, Order::MultiplyFirst, dpu.bn_negative_shift, bn, &mut steps)?;
    let ew = &dpu.ew;
    if ew.bypass {
        return Ok(steps);
    }
    if !ew.lut_bypass {
        steps.push(int::Step::Table(IntTable::new(tables, &dpu.lut)));
    }
    if !ew.operation_bypass {
        let affine = (ew.from_memory && !ew.converter_bypass).then(|| operand_conversion(ew));
        let rounding = task.options.rounding;
        let per_channel = |values: &mut dyn Iterator<Item = i64>| {
            let converted = values.map(|value| affine.map_or(value, |affine| affine.apply(value, rounding)));
            int::Operand::Channels(PerChannel::new(converted))
        };
        let operand = match fetch(task, ew, rdma, size, channels)? {
            Second::Constant(bits) => int::Operand::Channels(PerChannel::uniform(i64::from(bits as i32))),
            Second::Channels(ElementSize::Bits8, bytes) => {
                per_channel(&mut bytes.iter().map(|byte| i64::from(*byte as i8)))
            }
            Second::Channels(ElementSize::Bits16, bytes) => {
                per_channel(&mut bytes.as_chunks().0.iter().map(|bytes| i64::from(i16::from_le_bytes(*bytes))))
            }
            Second::Channels(_, bytes) => {
                per_channel(&mut bytes.as_chunks().0.iter().map(|bytes| i64::from(i32::from_le_bytes(*bytes))))
            }
            Second::Elements(element, surfaces) => {
                let kind = match element {
                    ElementSize::Bits8 => Kind::Int8,
                    ElementSize::Bits16 => Kind::Int16,
                    _ => Kind::Int32,
                };
                int::Operand::Elements(Elements { surfaces, kind }, affine)
            }
        };
        let unknown = matches!(ew.algorithm, AluAlgorithm::Divide | AluAlgorithm::Unknown(_));
        if ew.multiply {
            let shifts = int::Shifts { positive: ew.truncate, negative: ew.truncate };
            steps.push(int::Step::Multiply { operand, shifts, prelu: ew.prelu });
        } else if unknown {
            return task.refuse(reg::dpu::EW_CFG, ew.algorithm.code(), "ALU_ALGO of an integer pipeline");
        } else {
            steps.push(int::Step::Alu(ew.algorithm, operand));
        }
    }
    int_clamp(!ew.relu_bypass, ew.relux.then_some(ew.relux_limit), &mut steps);
    Ok(steps)
}

/// The operand's own conversion; what the type bit means was established for the input converter.
fn operand_conversion(ew: &ElementwiseStage) -> int::Affine {
    let (offset, scale) = (i64::from(ew.converter_offset), i64::from(ew.converter_scale));
    let (before, behind) = if ew.converter_offset_first { (offset, 0) } else { (0, offset) };
    int::Affine { before, scale, shift: ew.converter_shift, behind }
}

fn int_scale(
    task: &Task<'_, '_>,
    stage: &ScaleStage,
    order: Order,
    negative: u32,
    operands: &StageOperands,
    steps: &mut Vec<int::Step<'_>>,
) -> Result<(), Error> {
    if stage.bypass {
        return Ok(());
    }
    let ScaleOperands { alu, factor } = scale_operands(task, stage, order, operands)?;
    let algorithm = stage.algorithm;
    if alu.is_some() && matches!(algorithm, AluAlgorithm::Divide | AluAlgorithm::Unknown(_)) {
        return task.refuse(order.registers().0, algorithm.code(), "ALU_ALGO of an integer pipeline");
    }
    let alu = alu.map(|bits| (algorithm, bits.map(|bits| i64::from(bits as i32))));
    let factor = factor.map(|bits| bits.map(|bits| i64::from(bits as i16)));
    let add = |(algorithm, operand)| int::Step::Alu(algorithm, int::Operand::Channels(operand));
    let shifts = int::Shifts { positive: stage.shift, negative };
    match (order, factor) {
        (Order::AluFirst, factor) => {
            steps.extend(alu.map(add));
            steps.extend(factor.map(|factor| int::Step::Multiply {
                operand: int::Operand::Channels(factor),
                shifts,
                prelu: stage.prelu,
            }));
        }
        (Order::MultiplyFirst, Some(factor)) if stage.prelu => {
            steps.push(int::Step::PreluMultiplyFirst { factor, alu, shifts });
        }
        (Order::MultiplyFirst, Some(factor)) => {
            let none = int::Shifts { positive: 0, negative: 0 };
            let operand = int::Operand::Channels(factor);
            match alu {
                None => steps.push(int::Step::Multiply { operand, shifts, prelu: false }),
                Some(alu) => {
                    let multiply = int::Step::Multiply { operand, shifts: none, prelu: false };
                    steps.extend([multiply, add(alu), int::Step::Shift(shifts)]);
                }
            }
        }
        (Order::MultiplyFirst, None) => steps.extend(alu.map(add)),
    }
    int_clamp(!stage.relu_bypass, stage.relux.then_some(stage.relux_limit), steps);
    Ok(())
}

fn int_clamp(at_zero: bool, above: Option<u32>, steps: &mut Vec<int::Step<'_>>) {
    steps.extend(at_zero.then_some(int::Step::AtLeastZero));
    steps.extend(above.map(|limit| int::Step::AtMost(i64::from(limit as i32))));
}

/// The last conversion of an integer task.
pub(super) fn int_output(task: &Task<'_, '_>, dpu: &Dpu) -> Result<int::Output, Error> {
    let out = &dpu.out;
    let format = match dpu.output_precision {
        Precision::Int8 => int::Format::Int8,
        Precision::Int16 => int::Format::Int16,
        Precision::Int32 => int::Format::Int32,
        Precision::Float16 => int::Format::Float16(power(out.minus_exponent)),
        other => {
            return task.refuse(reg::dpu::DATA_FORMAT, other.code(), "OUT_PRECISION of an integer pipeline");
        }
    };
    let (scale, behind) = (i64::from(out.scale), i64::from(out.offset));
    Ok(int::Output { affine: int::Affine { before: 0, scale, shift: out.shift, behind }, format })
}

/// The second operand of EW before its type is known.
enum Second<'a> {
    /// One value for all: the register.
    Constant(u32),
    /// One value per channel, packed.
    Channels(ElementSize, &'a [u8]),
    /// One value per element.
    Elements(ElementSize, Surfaces<'a>),
}

fn fetch<'a>(
    task: &'a Task<'_, '_>,
    ew: &ElementwiseStage,
    rdma: Option<&DpuRdma>,
    (width, height): (usize, usize),
    channels: usize,
) -> Result<Second<'a>, Error> {
    if !ew.reads_operand() {
        return Ok(Second::Constant(ew.operand));
    }
    let config = reg::dpu_rdma::RDMA_ERDMA_CFG;
    let Some(rdma) = rdma.filter(|rdma| !rdma.ew_disable) else {
        return task.refuse(reg::dpu::EW_CFG, 1, "OP_SRC is memory, but ERDMA is disabled");
    };
    let Some(bytes) = rdma.ew_size.bytes() else {
        return task.refuse(config, rdma.ew_size.code(), "ERDMA_DATA_SIZE");
    };
    let bytes = bytes as usize;
    let surfaces = (channels * bytes).div_ceil(ATOM);
    let (register, base) = (reg::dpu_rdma::RDMA_EW_BASE_ADDR, i64::from(rdma.ew_address));
    match (rdma.combined, rdma.ew_data_mode) {
        (5, _) => Ok(Second::Elements(rdma.ew_size, read::alternating(task, rdma, surfaces)?)),
        (_, 0) => Ok(Second::Channels(rdma.ew_size, task.read(register, base, channels * bytes)?)),
        (_, 1) => {
            let walk = Walk {
                register,
                base,
                surfaces,
                height,
                row: width * ATOM,
                line: (width as i64 + i64::from(rdma.ew_line_notch)) * ATOM as i64,
                surface: i64::from(rdma.ew_surface_stride),
            };
            Ok(Second::Elements(rdma.ew_size, View::read(task, walk)?.into()))
        }
        (_, 2) => Ok(Second::Elements(rdma.ew_size, pixels(task, rdma, (width, height), surfaces)?.into())),
        (_, mode) => task.refuse(config, mode, "ERDMA_DATA_MODE"),
    }
}

/// ERDMA_DATA_MODE 2: one value per pixel, the same for all channels. The values lie in slots of 32 bits, as a packing task in front
/// leaves them. Established with rows of 16-bit values (ONNX's `test_mul_bcast` and `test_rms_normalization_4d_axis2`).
fn pixels(
    task: &Task<'_, '_>,
    rdma: &DpuRdma,
    (width, height): (usize, usize),
    surfaces: usize,
) -> Result<View<'static>, Error> {
    const SLOT: usize = 4;
    let register = reg::dpu_rdma::RDMA_ERDMA_CFG;
    if rdma.ew_size != ElementSize::Bits16 {
        return task.refuse(register, rdma.ew_size.code(), "ERDMA_DATA_SIZE of one operand per pixel");
    }
    if height != 1 {
        return task.refuse(register, rdma.ew_data_mode, "one operand per pixel of several rows");
    }
    let slots = task.read(reg::dpu_rdma::RDMA_EW_BASE_ADDR, i64::from(rdma.ew_address), width * SLOT)?;
    let row: Vec<u8> = slots.chunks_exact(SLOT).flat_map(|slot| slot[..2].repeat(ATOM / 2)).collect();
    Ok(View::packed(row.repeat(surfaces), surfaces, height, width * ATOM))
}
