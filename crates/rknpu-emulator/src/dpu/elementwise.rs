//! EW: lookup table, one operation with a second tensor, clamp.

use ferrite_rknpu::reg;
use ferrite_rknpu::typed::{Dpu, DpuRdma, ElementSize, ElementwiseStage};

use super::lut::Tables;
use super::operand_half;
use super::read::{self, Walk};
use super::stage::{alu_float, alu_int, clamp_float, clamp_int, multiply_float};
use crate::cube::{ATOM, Atoms, Cube, Values};
use crate::error::Error;
use crate::rounding::shift;
use crate::task::Task;

/// Applies the stage to every value.
pub(super) fn apply(
    task: &Task<'_, '_>,
    dpu: &Dpu,
    rdma: Option<&DpuRdma>,
    tables: &Tables,
    cube: &mut Cube,
) -> Result<(), Error> {
    let ew = &dpu.ew;
    if ew.bypass {
        return Ok(());
    }
    if !ew.lut_bypass {
        match &mut cube.values {
            Values::Float(values) => {
                values.iter_mut().for_each(|value| *value = tables.float(&dpu.lut, *value, task.options));
            }
            Values::Int(values) => {
                let rounding = task.options.rounding;
                values.iter_mut().for_each(|value| *value = tables.int(&dpu.lut, *value, rounding));
            }
        }
    }
    if !ew.operation_bypass {
        operate(task, dpu, rdma, cube)?;
    }
    match &mut cube.values {
        Values::Float(values) => {
            clamp_float(values, !ew.relu_bypass, ew.relux.then(|| f32::from_bits(ew.relux_limit)));
        }
        Values::Int(values) => {
            clamp_int(values, !ew.relu_bypass, ew.relux.then_some(i64::from(ew.relux_limit as i32)));
        }
    }
    Ok(())
}

/// The second operand before its type is known.
enum Operand {
    /// One value for all: the register.
    Constant(u32),
    /// One value per channel, packed.
    Channels(Vec<u8>),
    /// One value per element.
    Elements(Atoms),
}

fn fetch(task: &Task<'_, '_>, ew: &ElementwiseStage, rdma: Option<&DpuRdma>, cube: &Cube) -> Result<Operand, Error> {
    if !ew.from_memory {
        return Ok(Operand::Constant(ew.operand));
    }
    let config = reg::dpu_rdma::RDMA_ERDMA_CFG;
    let Some(rdma) = rdma.filter(|rdma| !rdma.ew_disable) else {
        return task.refuse(reg::dpu::EW_CFG, 1, "OP_SRC is memory, but ERDMA is disabled");
    };
    let Some(bytes) = rdma.ew_size.bytes() else {
        return task.refuse(config, rdma.ew_size.code(), "ERDMA_DATA_SIZE");
    };
    let surfaces = (cube.channels * bytes as usize).div_ceil(ATOM);
    match (rdma.combined, rdma.ew_data_mode) {
        (5, _) => Ok(Operand::Elements(read::alternating(task, rdma, surfaces)?)),
        (_, 0) => {
            let register = reg::dpu_rdma::RDMA_EW_BASE_ADDR;
            let bytes = task.read(register, i64::from(rdma.ew_address), cube.channels * bytes as usize)?;
            Ok(Operand::Channels(bytes.to_vec()))
        }
        (_, 1) => {
            let walk = Walk {
                width: cube.width,
                height: cube.height,
                surfaces,
                line: (cube.width as i64 + i64::from(rdma.ew_line_notch)) * ATOM as i64,
                surface: |surface| {
                    let offset = surface as i64 * i64::from(rdma.ew_surface_stride);
                    (reg::dpu_rdma::RDMA_EW_BASE_ADDR, i64::from(rdma.ew_address) + offset)
                },
            };
            Ok(Operand::Elements(walk.read(task)?))
        }
        (_, mode) => task.refuse(config, mode, "ERDMA_DATA_MODE"),
    }
}

impl Operand {
    /// Values in the order of the cube: per element, or per channel and to be repeated for every pixel.
    fn values<T: Copy + Default, const BYTES: usize>(
        &self,
        channels: usize,
        constant: impl Fn(u32) -> T,
        decode: impl Fn([u8; BYTES]) -> T,
    ) -> Vec<T> {
        match self {
            Self::Constant(bits) => vec![constant(*bits); channels],
            Self::Channels(bytes) => bytes.as_chunks::<BYTES>().0.iter().map(|bytes| decode(*bytes)).collect(),
            Self::Elements(atoms) => read::elements(atoms, channels, decode),
        }
    }
}

fn operate(task: &Task<'_, '_>, dpu: &Dpu, rdma: Option<&DpuRdma>, cube: &mut Cube) -> Result<(), Error> {
    let ew = &dpu.ew;
    let operand = fetch(task, ew, rdma, cube)?;
    let size = match &operand {
        Operand::Constant(_) => ElementSize::Bits32,
        _ => rdma.map_or(ElementSize::Bits32, |rdma| rdma.ew_size),
    };
    let channels = cube.channels;
    match &mut cube.values {
        Values::Float(values) => {
            let half = operand_half(dpu);
            let operands = match size {
                ElementSize::Bits16 => {
                    operand.values(channels, |_| 0.0, |bytes: [u8; 2]| half.to_f32(u16::from_le_bytes(bytes)))
                }
                ElementSize::Bits32 => operand.values(channels, f32::from_bits, f32::from_le_bytes),
                _ => {
                    let register = reg::dpu_rdma::RDMA_ERDMA_CFG;
                    return task.refuse(register, size.code(), "ERDMA_DATA_SIZE of a floating-point pipeline");
                }
            };
            for (values, operands) in values.chunks_exact_mut(operands.len().max(1)).zip(std::iter::repeat(&operands)) {
                if ew.multiply {
                    multiply_float(values, operands, ew.prelu);
                } else if let Err(algorithm) = alu_float(ew.algorithm, values, operands) {
                    return task.refuse(reg::dpu::EW_CFG, algorithm.code(), "ALU_ALGO");
                }
            }
        }
        Values::Int(values) => {
            let constant = |bits: u32| i64::from(bits as i32);
            let mut operands = match size {
                ElementSize::Bits8 => operand.values(channels, constant, |[byte]: [u8; 1]| i64::from(byte as i8)),
                ElementSize::Bits16 => {
                    operand.values(channels, constant, |bytes: [u8; 2]| i64::from(i16::from_le_bytes(bytes)))
                }
                _ => operand.values(channels, constant, |bytes: [u8; 4]| i64::from(i32::from_le_bytes(bytes))),
            };
            if ew.from_memory && !ew.converter_bypass {
                operands.iter_mut().for_each(|operand| *operand = converted(task, ew, *operand));
            }
            for (values, operands) in values.chunks_exact_mut(operands.len().max(1)).zip(std::iter::repeat(&operands)) {
                if ew.multiply {
                    for (value, operand) in values.iter_mut().zip(operands) {
                        if !ew.prelu || *value <= 0 {
                            *value = shift(value.saturating_mul(*operand), ew.truncate, task.options.rounding);
                        }
                    }
                } else if let Err(algorithm) = alu_int(ew.algorithm, values, operands) {
                    return task.refuse(reg::dpu::EW_CFG, algorithm.code(), "ALU_ALGO of an integer pipeline");
                }
            }
        }
    }
    Ok(())
}

/// The operand's own conversion; what the type bit means was established for the input converter.
fn converted(task: &Task<'_, '_>, ew: &ElementwiseStage, operand: i64) -> i64 {
    let (offset, scale) = (i64::from(ew.converter_offset), i64::from(ew.converter_scale));
    let rounding = task.options.rounding;
    match ew.converter_offset_first {
        true => shift(operand.saturating_add(offset).saturating_mul(scale), ew.converter_shift, rounding),
        false => shift(operand.saturating_mul(scale), ew.converter_shift, rounding).saturating_add(offset),
    }
}
