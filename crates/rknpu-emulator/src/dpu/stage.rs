//! BS and BN: one addition-like operation, one multiplication, one clamp, per channel.

use ferrite_rknpu::reg;
use ferrite_rknpu::typed::{AluAlgorithm, ScaleStage};

use super::operand::StageOperands;
use crate::cube::{Cube, Values};
use crate::error::Error;
use crate::options::Rounding;
use crate::rounding::{Half, shift};
use crate::task::Task;

/// BS adds first, BN multiplies first (and shifts last). Established: either order makes the other stage's programs wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
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

/// Applies a stage to every value.
pub(super) fn apply(
    task: &Task<'_, '_>,
    stage: &ScaleStage,
    order: Order,
    negative_shift: u32,
    operands: &StageOperands,
    half: Half,
    cube: &mut Cube,
) -> Result<(), Error> {
    if stage.bypass {
        return Ok(());
    }
    let channels = cube.channels;
    let (config, multiply) = order.registers();
    let alu_bits = match (stage.alu_bypass, stage.alu_from_memory, &operands.alu) {
        (true, _, _) => None,
        (false, false, _) => Some(vec![stage.alu_operand; channels]),
        (false, true, Some(operands)) => Some(operands.clone()),
        (false, true, None) => return task.refuse(config, 1, "ALU_SRC is memory, but DATA_USE has no ALU operand"),
    };
    let factor_bits = match (stage.multiply_bypass, stage.multiply_from_memory, &operands.multiply) {
        (true, _, _) => None,
        (false, false, _) => Some(vec![stage.multiply_operand as u16; channels]),
        (false, true, Some(operands)) => Some(operands.clone()),
        (false, true, None) => return task.refuse(multiply, 1, "MUL_SRC is memory, but DATA_USE has no MUL operand"),
    };
    match &mut cube.values {
        Values::Float(values) => {
            let alu = alu_bits.map(|bits| bits.into_iter().map(f32::from_bits).collect::<Vec<_>>());
            let factors = factor_bits.map(|bits| bits.into_iter().map(|bits| half.to_f32(bits)).collect::<Vec<_>>());
            for pixel in values.chunks_exact_mut(channels) {
                let add = |pixel: &mut [f32]| alu.as_ref().map_or(Ok(()), |alu| alu_float(stage.algorithm, pixel, alu));
                let scale = |pixel: &mut [f32]| {
                    if let Some(factors) = &factors {
                        multiply_float(pixel, factors, stage.prelu);
                    }
                };
                let added = match order {
                    Order::AluFirst => add(pixel).map(|()| scale(pixel)),
                    Order::MultiplyFirst => {
                        scale(pixel);
                        add(pixel)
                    }
                };
                if let Err(algorithm) = added {
                    return task.refuse(config, algorithm.code(), "ALU_ALGO");
                }
                clamp_float(pixel, !stage.relu_bypass, stage.relux.then(|| f32::from_bits(stage.relux_limit)));
            }
        }
        Values::Int(values) => {
            let alu = alu_bits.map(|bits| bits.into_iter().map(|bits| i64::from(bits as i32)).collect::<Vec<_>>());
            let factors =
                factor_bits.map(|bits| bits.into_iter().map(|bits| i64::from(bits as i16)).collect::<Vec<_>>());
            let shifts = Shifts { positive: stage.shift, negative: negative_shift, rounding: task.options.rounding };
            for pixel in values.chunks_exact_mut(channels) {
                if let Err(algorithm) = int_pixel(stage, order, shifts, alu.as_deref(), factors.as_deref(), pixel) {
                    return task.refuse(config, algorithm.code(), "ALU_ALGO of an integer pipeline");
                }
            }
        }
    }
    Ok(())
}

#[derive(Debug, Clone, Copy)]
struct Shifts {
    positive: u32,
    negative: u32,
    rounding: Rounding,
}

impl Shifts {
    fn apply(self, value: i64) -> i64 {
        shift(value, if value >= 0 { self.positive } else { self.negative }, self.rounding)
    }
}

fn int_pixel(
    stage: &ScaleStage,
    order: Order,
    shifts: Shifts,
    alu: Option<&[i64]>,
    factors: Option<&[i64]>,
    pixel: &mut [i64],
) -> Result<(), AluAlgorithm> {
    if order == Order::AluFirst
        && let Some(alu) = alu
    {
        alu_int(stage.algorithm, pixel, alu)?;
    }
    // Positive values of a PReLU pass unmultiplied and unshifted.
    let mut multiplied = vec![false; pixel.len()];
    if let Some(factors) = factors {
        for ((value, factor), multiplied) in pixel.iter_mut().zip(factors).zip(&mut multiplied) {
            if !stage.prelu || *value <= 0 {
                let product = value.saturating_mul(*factor);
                *value = if order == Order::AluFirst { shifts.apply(product) } else { product };
                *multiplied = true;
            }
        }
    }
    if order == Order::MultiplyFirst {
        if let Some(alu) = alu {
            alu_int(stage.algorithm, pixel, alu)?;
        }
        for (value, multiplied) in pixel.iter_mut().zip(&multiplied) {
            if *multiplied {
                *value = shifts.apply(*value);
            }
        }
    }
    clamp_int(pixel, !stage.relu_bypass, stage.relux.then_some(i64::from(stage.relux_limit as i32)));
    Ok(())
}

/// `main OP operand`, element by element.
pub(super) fn alu_float(algorithm: AluAlgorithm, values: &mut [f32], operands: &[f32]) -> Result<(), AluAlgorithm> {
    let pairs = values.iter_mut().zip(operands);
    match algorithm {
        AluAlgorithm::Max => pairs.for_each(|(value, operand)| *value = value.max(*operand)),
        AluAlgorithm::Min => pairs.for_each(|(value, operand)| *value = value.min(*operand)),
        AluAlgorithm::Add => pairs.for_each(|(value, operand)| *value += operand),
        AluAlgorithm::Divide => pairs.for_each(|(value, operand)| *value /= operand),
        AluAlgorithm::Subtract => pairs.for_each(|(value, operand)| *value -= operand),
        unknown @ AluAlgorithm::Unknown(_) => return Err(unknown),
    }
    Ok(())
}

/// `main OP operand` of integers, saturating at 64 bits; how integers divide is not established.
pub(super) fn alu_int(algorithm: AluAlgorithm, values: &mut [i64], operands: &[i64]) -> Result<(), AluAlgorithm> {
    let pairs = values.iter_mut().zip(operands);
    match algorithm {
        AluAlgorithm::Max => pairs.for_each(|(value, operand)| *value = (*value).max(*operand)),
        AluAlgorithm::Min => pairs.for_each(|(value, operand)| *value = (*value).min(*operand)),
        AluAlgorithm::Add => pairs.for_each(|(value, operand)| *value = value.saturating_add(*operand)),
        AluAlgorithm::Subtract => pairs.for_each(|(value, operand)| *value = value.saturating_sub(*operand)),
        unknown @ (AluAlgorithm::Divide | AluAlgorithm::Unknown(_)) => return Err(unknown),
    }
    Ok(())
}

/// Products; with `prelu` only of values up to zero.
pub(super) fn multiply_float(values: &mut [f32], factors: &[f32], prelu: bool) {
    let pairs = values.iter_mut().zip(factors);
    if prelu {
        pairs.for_each(|(value, factor)| *value = if *value <= 0.0 { *value * factor } else { *value });
    } else {
        pairs.for_each(|(value, factor)| *value *= factor);
    }
}

pub(super) fn clamp_float(values: &mut [f32], at_zero: bool, above: Option<f32>) {
    if at_zero {
        values.iter_mut().for_each(|value| *value = value.max(0.0));
    }
    if let Some(above) = above {
        values.iter_mut().for_each(|value| *value = value.min(above));
    }
}

pub(super) fn clamp_int(values: &mut [i64], at_zero: bool, above: Option<i64>) {
    if at_zero {
        values.iter_mut().for_each(|value| *value = (*value).max(0));
    }
    if let Some(above) = above {
        values.iter_mut().for_each(|value| *value = (*value).min(above));
    }
}
