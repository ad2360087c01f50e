//! The output converter: from the pipeline's numbers to the bytes that are written.

use ferrite_rknpu::reg;
use ferrite_rknpu::typed::{Dpu, OutputConverter, Precision};
use half::f16;

use crate::cube::{ATOM, Atoms, Cube, Values};
use crate::error::Error;
use crate::options::Options;
use crate::rounding::{Half, saturate, shift};
use crate::task::Task;

/// Converts and orders a cube into atoms. `raw`: half-precision bits that only passed through.
pub(super) fn convert(task: &Task<'_, '_>, dpu: &Dpu, raw: bool, cube: &Cube) -> Result<Atoms, Error> {
    let out = &dpu.out;
    let options = task.options;
    match &cube.values {
        Values::Int(values) => {
            let fixed = |value: i64| {
                let scaled = shift(value.saturating_mul(i64::from(out.scale)), out.shift, options.rounding);
                scaled.saturating_add(i64::from(out.offset))
            };
            match dpu.output_precision {
                Precision::Int8 => Ok(order(cube, values, |value| [saturate(fixed(value), 8) as i8 as u8])),
                Precision::Int16 => Ok(order(cube, values, |value| (saturate(fixed(value), 16) as i16).to_le_bytes())),
                Precision::Float16 => {
                    let scale = power(out);
                    Ok(order(cube, values, |value| f16::from_f64(fixed(value) as f64 * scale).to_le_bytes()))
                }
                other => task.refuse(reg::dpu::DATA_FORMAT, other.code(), "OUT_PRECISION of an integer pipeline"),
            }
        }
        Values::Float(values) => {
            let float = |value: f32| scaled(out, options, value);
            match dpu.output_precision {
                Precision::Float16 => Ok(order(cube, values, |value| f16::from_f32(float(value)).to_le_bytes())),
                Precision::Int16 if raw => Ok(order(cube, values, |value| f16::from_f32(float(value)).to_le_bytes())),
                Precision::BFloat16 => Ok(order(cube, values, |value| Half::BFloat16.bits(float(value)).to_le_bytes())),
                Precision::Float32 => Ok(order(cube, values, |value| float(value).to_le_bytes())),
                // `as` saturates, and turns NaN into zero.
                Precision::Int8 => {
                    Ok(order(cube, values, |value| (float(value).round_ties_even() as i8).to_le_bytes()))
                }
                Precision::Int16 => {
                    Ok(order(cube, values, |value| (float(value).round_ties_even() as i16).to_le_bytes()))
                }
                other => task.refuse(reg::dpu::DATA_FORMAT, other.code(), "OUT_PRECISION of a floating-point pipeline"),
            }
        }
    }
}

fn power(out: &OutputConverter) -> f64 {
    2f64.powi(-(out.minus_exponent as i32))
}

fn scaled(out: &OutputConverter, options: &Options, value: f32) -> f32 {
    if out.minus_exponent == 0 {
        return value;
    }
    let offset = if options.add_float_offset { out.offset as f32 } else { 0.0 };
    (value + offset) * power(out) as f32
}

/// From the order pixel, channel to the order surface, pixel, lane; lanes behind the last channel are zero.
fn order<T: Copy, const BYTES: usize>(cube: &Cube, values: &[T], encode: impl Fn(T) -> [u8; BYTES]) -> Atoms {
    let lanes = ATOM / BYTES;
    let mut atoms = Atoms::zeroed(cube.channels.div_ceil(lanes), cube.height, cube.width);
    let pixels = cube.pixels();
    for (surface, bytes) in atoms.bytes.chunks_exact_mut(pixels * ATOM).enumerate() {
        let first = surface * lanes;
        let count = lanes.min(cube.channels - first);
        for (pixel, atom) in values.chunks_exact(cube.channels).zip(bytes.chunks_exact_mut(ATOM)) {
            let slots = atom.as_chunks_mut::<BYTES>().0;
            for (slot, value) in slots.iter_mut().zip(&pixel[first..first + count]) {
                *slot = encode(*value);
            }
        }
    }
    atoms
}

/// The largest channel of every pixel, packed at the destination. Only channels with a meaning take part.
pub(super) fn channel_maximum(task: &mut Task<'_, '_>, dpu: &Dpu, cube: &Cube) -> Result<(), Error> {
    let Values::Float(values) = &cube.values else {
        return task.refuse(reg::dpu::DATA_CUBE_HEIGHT, dpu.minmax, "MINMAX_CTL of an integer pipeline");
    };
    let start = f16::from_bits(dpu.offset_pend as u16).to_f32();
    let channels = (dpu.original_channels as usize).min(cube.channels);
    let largest = |pixel: &[f32]| pixel[..channels].iter().copied().fold(start, f32::max);
    let bytes: Vec<u8> = match dpu.output_precision {
        Precision::Float16 => {
            let maxima = values.chunks_exact(cube.channels).map(largest);
            maxima.flat_map(|value| f16::from_f32(value).to_le_bytes()).collect()
        }
        other => return task.refuse(reg::dpu::DATA_FORMAT, other.code(), "OUT_PRECISION of a channel maximum"),
    };
    task.write(reg::dpu::DST_BASE_ADDR, i64::from(dpu.destination), &bytes)
}
