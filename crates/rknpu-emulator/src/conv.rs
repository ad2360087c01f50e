//! The convolution: CNA and CORE.
//!
//! The innermost loop runs over the output channels of one group, so that the compiler can vectorise it, while every
//! accumulator adds its products in one order: input group, kernel row, kernel column, input channel.

use ferrite_rknpu::reg;
use ferrite_rknpu::typed::{Cna, ConvolutionMode, Core};

use crate::cube::{Cube, Values};
use crate::error::Error;
use crate::feature::{Features, Shape, gather_float, gather_int, half_of};
use crate::task::Task;
use crate::weights::{self, INPUT_GROUP, Layout};

/// What CORE hands to the DPU.
pub(crate) struct Accumulators {
    /// One value per output pixel and DPU channel; channels without weights are zero.
    pub(crate) cube: Cube,
    /// Sums of the inputs under every window, for the weight zero-point correction.
    pub(crate) sums: Option<WindowSums>,
}

/// Input sums: one per pixel, or one per pixel and channel when depthwise.
pub(crate) struct WindowSums {
    pub(crate) channels: usize,
    pub(crate) values: Vec<i32>,
}

/// Runs the convolution of a task whose registers have been checked. `sums` asks for the window sums.
pub(crate) fn run(task: &Task<'_, '_>, cna: &Cna, core: &Core, sums: bool) -> Result<Accumulators, Error> {
    let shape = Shape::new(cna, core);
    let channels = core.output_channels as usize;
    let depthwise = cna.mode == ConvolutionMode::Depthwise;
    let (values, sums) = match half_of(cna.input_precision) {
        Some(half) => {
            let decode = |bytes: &[u8]| half.to_f32(u16::from_le_bytes([bytes[0], bytes[1]]));
            let features = gather_float(task, cna, shape, half)?;
            let values = if depthwise {
                let weights = weights::depthwise(task, cna, Layout::HALF, decode)?;
                depthwise_loop(&features, &weights, channels, |sum: &mut f32, x, w| *sum += x * w)
            } else {
                let weights = weights::direct(task, cna, Layout::HALF, decode)?;
                direct_loop::<_, _, 16>(&features, &weights, channels, |sum: &mut f32, x, w| *sum += x * w)
            };
            (Values::Float(values), None)
        }
        None => {
            let products = shape.channels as u64 * (shape.kernel_width * shape.kernel_height) as u64;
            if products * 128 * 128 > i32::MAX as u64 {
                return task.refuse(reg::cna::DATA_SIZE1, cna.channels, "the accumulator could exceed 32 bits");
            }
            let decode = |bytes: &[u8]| i16::from(bytes[0] as i8);
            let features = gather_int(task, cna, shape)?;
            // The bound above makes the wrapping operations exact; they only keep overflow checks out of the loop.
            let add = |sum: &mut i32, x: i16, w: i16| {
                *sum = sum.wrapping_add(i32::from(x).wrapping_mul(i32::from(w)));
            };
            let values = if depthwise {
                let weights = weights::depthwise(task, cna, Layout::BYTE, decode)?;
                depthwise_loop(&features, &weights, channels, add)
            } else {
                let weights = weights::direct(task, cna, Layout::BYTE, decode)?;
                direct_loop::<_, _, 32>(&features, &weights, channels, add)
            };
            let sums = sums.then(|| window_sums(&features, depthwise));
            (Values::Int(values.into_iter().map(i64::from).collect()), sums)
        }
    };
    let cube = Cube { width: shape.output_width, height: shape.output_height, channels, values };
    Ok(Accumulators { cube, sums })
}

/// `GROUP` output channels at a time; two neighbouring pixels share each weight that was loaded.
fn direct_loop<T: Copy, A: Copy + Default, const GROUP: usize>(
    features: &Features<T>,
    weights: &[T],
    channels: usize,
    add: impl Fn(&mut A, T, T) + Copy,
) -> Vec<A> {
    let shape = features.shape;
    let mut output = vec![A::default(); shape.output_width * shape.output_height * channels];
    let per_group = GROUP * shape.kernel_width * shape.kernel_height * shape.channels;
    if per_group == 0 {
        return output;
    }
    for (group, weights) in weights.chunks_exact(per_group).enumerate() {
        let first = group * GROUP;
        let count = GROUP.min(channels.saturating_sub(first));
        for y in 0..shape.output_height {
            let mut store = |x: usize, sums: &[A; GROUP]| {
                let at = (y * shape.output_width + x) * channels + first;
                output[at..at + count].copy_from_slice(&sums[..count]);
            };
            let mut x = 0;
            while x + 2 <= shape.output_width {
                let [left, right] = windows::<_, _, GROUP, 2>(features, weights, [(x, y), (x + 1, y)], add);
                store(x, &left);
                store(x + 1, &right);
                x += 2;
            }
            if x < shape.output_width {
                let [last] = windows::<_, _, GROUP, 1>(features, weights, [(x, y)], add);
                store(x, &last);
            }
        }
    }
    output
}

/// The accumulators of one group of output channels at some pixels.
#[inline]
fn windows<T: Copy, A: Copy + Default, const GROUP: usize, const PIXELS: usize>(
    features: &Features<T>,
    weights: &[T],
    pixels: [(usize, usize); PIXELS],
    add: impl Fn(&mut A, T, T) + Copy,
) -> [[A; GROUP]; PIXELS] {
    let shape = features.shape;
    let mut sums = [[A::default(); GROUP]; PIXELS];
    let mut weights = weights.as_chunks::<GROUP>().0;
    let mut input = 0;
    while input < shape.channels {
        let count = INPUT_GROUP.min(shape.channels - input);
        for ky in 0..shape.kernel_height {
            for kx in 0..shape.kernel_width {
                let (block, behind) = weights.split_at(count);
                weights = behind;
                let inputs = pixels.map(|pixel| &features.values[shape.at(pixel, (kx, ky)) + input..][..count]);
                for (channel, weights) in block.iter().enumerate() {
                    for (sums, inputs) in sums.iter_mut().zip(&inputs) {
                        let value = inputs[channel];
                        for (sum, weight) in sums.iter_mut().zip(weights) {
                            add(sum, value, *weight);
                        }
                    }
                }
            }
        }
        input += count;
    }
    sums
}

fn depthwise_loop<T: Copy, A: Copy + Default>(
    features: &Features<T>,
    weights: &[T],
    channels: usize,
    add: impl Fn(&mut A, T, T) + Copy,
) -> Vec<A> {
    let shape = features.shape;
    let mut output = vec![A::default(); shape.output_width * shape.output_height * channels];
    let count = shape.channels.min(channels);
    for y in 0..shape.output_height {
        for x in 0..shape.output_width {
            let sums = &mut output[(y * shape.output_width + x) * channels..][..count];
            for ky in 0..shape.kernel_height {
                for kx in 0..shape.kernel_width {
                    let inputs = &features.values[shape.at((x, y), (kx, ky))..][..count];
                    let weights = &weights[(ky * shape.kernel_width + kx) * shape.channels..][..count];
                    for ((sum, value), weight) in sums.iter_mut().zip(inputs).zip(weights) {
                        add(sum, *value, *weight);
                    }
                }
            }
        }
    }
    output
}

/// The sum of the inputs under every window: over all channels, or channel by channel.
fn window_sums(features: &Features<i16>, depthwise: bool) -> WindowSums {
    let shape = features.shape;
    let channels = if depthwise { shape.channels } else { 1 };
    let mut values = vec![0i32; shape.output_width * shape.output_height * channels];
    // Channel sums once per pixel, not once per window.
    let summed: Vec<i32> = match (depthwise, shape.channels) {
        (true, _) | (_, 0) => Vec::new(),
        _ => features
            .values
            .chunks_exact(shape.channels)
            .map(|pixel| pixel.iter().map(|v| i32::from(*v)).sum())
            .collect(),
    };
    for y in 0..shape.output_height {
        for x in 0..shape.output_width {
            let sums = &mut values[(y * shape.output_width + x) * channels..][..channels];
            for ky in 0..shape.kernel_height {
                for kx in 0..shape.kernel_width {
                    let at = shape.at((x, y), (kx, ky));
                    if depthwise {
                        for (sum, value) in sums.iter_mut().zip(&features.values[at..]) {
                            *sum += i32::from(*value);
                        }
                    } else if let Some(value) = summed.get(at / shape.channels.max(1)) {
                        sums[0] += value;
                    }
                }
            }
        }
    }
    WindowSums { channels, values }
}
