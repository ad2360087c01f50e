//! Convolutions against their definition, computed naively from the same numbers.

mod common;

use common::{Convolution, Machine, address, from_cube, numbers, to_cube, with_operand_reader};
use ferrite_rknpu::typed::{AluAlgorithm, Precision, RawBits};
use half::f16;

/// Input `[channel][pixel]`, weights `[output][channel][row][column]`; sums in 64-bit integers. `pad` is what stands around
/// the input.
fn naive(
    shape: &Convolution,
    input: &[Vec<i32>],
    weights: &dyn Fn(u32, u32, u32, u32) -> i32,
    pad: i32,
) -> Vec<Vec<i64>> {
    let (width, height, channels) = shape.input;
    let (output_width, output_height) = shape.output_size();
    let mut outputs = Vec::new();
    for output in 0..shape.outputs {
        let mut plane = Vec::new();
        for y in 0..output_height {
            for x in 0..output_width {
                let mut sum = 0i64;
                for channel in 0..channels {
                    if shape.depthwise && channel != output {
                        continue;
                    }
                    for ky in 0..shape.kernel.1 {
                        for kx in 0..shape.kernel.0 {
                            let column = (x * shape.stride.0 + kx * shape.dilation.0).wrapping_sub(shape.pad.0);
                            let row = (y * shape.stride.1 + ky * shape.dilation.1).wrapping_sub(shape.pad.1);
                            let inside = column < width && row < height;
                            let value =
                                if inside { input[channel as usize][(row * width + column) as usize] } else { pad };
                            sum += i64::from(value) * i64::from(weights(output, channel, ky, kx));
                        }
                    }
                }
                plane.push(sum);
            }
        }
        outputs.push(plane);
    }
    outputs
}

/// The blob of a direct convolution, written down from its description: groups of output channels, of 32 input channels, rows,
/// columns, output channels, input channels; the last input group padded to 1, 2 or 4 times `smallest`.
fn direct_blob<const BYTES: usize>(
    shape: &Convolution,
    weights: &dyn Fn(u32, u32, u32, u32) -> i32,
    (output_group, smallest): (u32, u32),
    encode: impl Fn(i32) -> [u8; BYTES],
) -> Vec<u8> {
    let channels = shape.input.2;
    let mut blob = Vec::new();
    for first_output in (0..shape.outputs).step_by(output_group as usize) {
        for first_input in (0..channels).step_by(32) {
            let left = (channels - first_input).min(32);
            let padded = [smallest, 2 * smallest, 4 * smallest].into_iter().find(|size| *size >= left).unwrap().min(32);
            for ky in 0..shape.kernel.1 {
                for kx in 0..shape.kernel.0 {
                    for output in first_output..(first_output + output_group).min(shape.outputs) {
                        for input in first_input..first_input + padded {
                            let weight = if input < channels { weights(output, input, ky, kx) } else { 0 };
                            blob.extend(encode(weight));
                        }
                    }
                }
            }
        }
    }
    blob
}

fn depthwise_blob<const BYTES: usize>(
    shape: &Convolution,
    weights: &dyn Fn(u32, u32, u32, u32) -> i32,
    (group, smallest): (u32, u32),
    encode: impl Fn(i32) -> [u8; BYTES],
) -> Vec<u8> {
    let channels = shape.input.2;
    let mut blob = Vec::new();
    for first in (0..channels).step_by(group as usize) {
        let left = (channels - first).min(group);
        let padded = [smallest, 2 * smallest, 4 * smallest].into_iter().find(|size| *size >= left).unwrap();
        for ky in 0..shape.kernel.1 {
            for kx in 0..shape.kernel.0 {
                for channel in first..first + padded {
                    blob.extend(encode(if channel < channels { weights(channel, channel, ky, kx) } else { 0 }));
                }
            }
        }
    }
    blob
}

fn half_bytes(value: i32) -> [u8; 2] {
    f16::from_f32(value as f32).to_le_bytes()
}

/// Integers in -2..=2, so that every sum of a test is an integer that half precision holds.
fn small(seed: u32) -> impl Iterator<Item = i32> {
    numbers(seed).map(|number| number.rem_euclid(5) - 2)
}

fn weights_of(seed: u32, kernel: (u32, u32), inputs: u32, outputs: u32) -> impl Fn(u32, u32, u32, u32) -> i32 {
    let all: Vec<i32> = small(seed).take((outputs * inputs * kernel.0 * kernel.1) as usize).collect();
    move |output, input, ky, kx| all[(((output * inputs + input) * kernel.1 + ky) * kernel.0 + kx) as usize]
}

fn planes(shape: &Convolution, mut values: impl Iterator<Item = i32>) -> Vec<Vec<i32>> {
    let pixels = (shape.input.0 * shape.input.1) as usize;
    (0..shape.input.2).map(|_| values.by_ref().take(pixels).collect()).collect()
}

const PLAIN: Convolution = Convolution {
    precision: Precision::Float16,
    depthwise: false,
    input: (5, 3, 16),
    outputs: 16,
    kernel: (1, 1),
    stride: (1, 1),
    dilation: (1, 1),
    pad: (0, 0, 0, 0),
};

fn half_convolution(shape: &Convolution) {
    let input = planes(shape, small(1));
    let inputs = shape.input.2;
    let weights = weights_of(2, shape.kernel, inputs, shape.outputs);
    let blob = if shape.depthwise {
        depthwise_blob(shape, &weights, (32, 8), half_bytes)
    } else {
        direct_blob(shape, &weights, (16, 8), half_bytes)
    };
    let mut machine = Machine::new();
    // Not-a-number in every lane without a channel: those lanes must not count.
    let mut cube = to_cube(&input, half_bytes);
    let pixels = (shape.input.0 * shape.input.1) as usize;
    for channel in inputs as usize..(inputs as usize).next_multiple_of(8) {
        for pixel in 0..pixels {
            let at = (channel / 8 * pixels + pixel) * 16 + channel % 8 * 2;
            cube[at..at + 2].copy_from_slice(&f16::NAN.to_le_bytes());
        }
    }
    let features = machine.buffer(&cube);
    let weight_buffer = machine.buffer(&blob);
    let (width, height) = shape.output_size();
    let output_pixels = (width * height) as usize;
    let output = machine.space(output_pixels * shape.padded_outputs() as usize * 2);
    machine.task(&shape.job(address(&features), &blob, address(&weight_buffer), address(&output)));
    machine.run().expect("runs");
    let bytes = machine.bytes(&output);
    let made = from_cube(&bytes, shape.padded_outputs() as usize, output_pixels, |b| f16::from_le_bytes(b).to_f64());
    let expected = naive(shape, &input, &weights, 0);
    for (channel, plane) in made.iter().enumerate() {
        match expected.get(channel) {
            Some(expected) => {
                let expected: Vec<f64> = expected.iter().map(|sum| *sum as f64).collect();
                assert_eq!(plane, &expected, "channel {channel} of {shape:?}");
            }
            None => assert!(plane.iter().all(|value| *value == 0.0), "channel {channel} has no kernel"),
        }
    }
}

#[test]
fn one_by_one() {
    half_convolution(&PLAIN);
    // Several input groups, the last of 8, 16, 24 channels; several output groups, the last short.
    for (inputs, outputs) in [(3, 5), (40, 20), (48, 33), (56, 16), (120, 7)] {
        half_convolution(&Convolution { input: (5, 3, inputs), outputs, ..PLAIN });
    }
}

#[test]
fn windows_strides_dilations_and_padding() {
    let base = Convolution { input: (9, 8, 24), outputs: 20, kernel: (3, 3), pad: (1, 1, 1, 1), ..PLAIN };
    half_convolution(&base);
    half_convolution(&Convolution { kernel: (5, 2), pad: (2, 0, 1, 1), ..base });
    half_convolution(&Convolution { stride: (2, 3), ..base });
    half_convolution(&Convolution { dilation: (2, 2), pad: (2, 2, 2, 2), ..base });
    half_convolution(&Convolution { input: (1, 1, 40), pad: (1, 1, 1, 1), ..base });
}

#[test]
fn the_bit_above_data_entries_changes_nothing() {
    let shape = Convolution { input: (4, 2, 8), outputs: 3, ..PLAIN };
    let input = planes(&shape, small(7));
    let weights = weights_of(8, shape.kernel, 8, 3);
    let blob = direct_blob(&shape, &weights, (16, 8), half_bytes);
    let run = |bits: u32| {
        let mut machine = Machine::new();
        let features = machine.buffer(&to_cube(&input, half_bytes));
        let weight_buffer = machine.buffer(&blob);
        let output = machine.space(8 * shape.padded_outputs() as usize * 2);
        let mut job = shape.job(address(&features), &blob, address(&weight_buffer), address(&output));
        let register = ferrite_rknpu::reg::cna::CBUF_CON1;
        job.rest.push(RawBits { block: ferrite_rknpu::Block::Cna, register, bits });
        machine.task(&job);
        machine.run().map(|()| machine.bytes(&output))
    };
    assert_eq!(run(0x4000).expect("runs"), run(0).expect("runs"));
    assert!(run(0x8000).is_err(), "the next bit has no known meaning");
}

#[test]
fn a_stride_of_zero_repeats_a_window() {
    // One row of 5 pixels, three times; then its first pixel, twelve times.
    let shape = Convolution { input: (5, 1, 8), outputs: 3, ..PLAIN };
    let input = planes(&shape, small(5));
    let weights = weights_of(6, shape.kernel, 8, 3);
    let blob = direct_blob(&shape, &weights, (16, 8), half_bytes);
    let row = &naive(&shape, &input, &weights, 0);
    for (width, height, stride_x) in [(5_u32, 3_u32, 1), (4, 3, 0)] {
        let mut machine = Machine::new();
        let features = machine.buffer(&to_cube(&input, half_bytes));
        let weight_buffer = machine.buffer(&blob);
        let pixels = (width * height) as usize;
        let output = machine.space(pixels * shape.padded_outputs() as usize * 2);
        let repeated = Convolution { input: (width, height, 8), ..shape };
        let mut job = repeated.job(address(&features), &blob, address(&weight_buffer), address(&output));
        let cna = job.cna.as_mut().unwrap();
        (cna.stride_x, cna.stride_y, cna.width, cna.height) = (stride_x, 0, 5, 1);
        machine.task(&job);
        machine.run().expect("runs");
        let channels = shape.padded_outputs() as usize;
        let made = from_cube(&machine.bytes(&output), channels, pixels, |b| f16::from_le_bytes(b).to_f64());
        for (made, row) in made.iter().zip(row) {
            let expected: Vec<f64> =
                (0..pixels).map(|pixel| row[pixel % width as usize * stride_x as usize] as f64).collect();
            assert_eq!(made, &expected, "{width} x {height}");
        }
    }
}

#[test]
fn depthwise() {
    for channels in [8, 24, 32, 40, 120] {
        let shape = Convolution {
            depthwise: true,
            input: (7, 5, channels),
            outputs: channels,
            kernel: (3, 3),
            pad: (1, 1, 1, 1),
            ..PLAIN
        };
        half_convolution(&shape);
        half_convolution(&Convolution { stride: (2, 2), ..shape });
    }
}

/// The whole byte path: asymmetric weights corrected by their zero point, bias, factor per channel, requantisation with its
/// two roundings, saturation.
fn byte_convolution(shape: &Convolution) {
    let input: Vec<Vec<i32>> = planes(shape, numbers(3));
    let stored: Vec<i32> =
        numbers(4).take((shape.outputs * shape.input.2 * shape.kernel.0 * shape.kernel.1) as usize).collect();
    let (inputs, kernel) = (shape.input.2, shape.kernel);
    let weights = move |output: u32, input: u32, ky: u32, kx: u32| {
        let input = if shape.depthwise { 0 } else { input };
        stored[(((output * inputs + input) * kernel.1 + ky) * kernel.0 + kx) as usize]
    };
    let byte = |value: i32| [value as i8 as u8];
    let blob = if shape.depthwise {
        depthwise_blob(shape, &weights, (64, 16), byte)
    } else {
        direct_blob(shape, &weights, (32, 16), byte)
    };
    let (bias, zero, factor): (Vec<i64>, Vec<i64>, Vec<i64>) = numbers(5)
        .take(shape.outputs as usize)
        .map(|number| (i64::from(number) * 100, i64::from(number % 16), 8000 + i64::from(number) * 60))
        .fold(Default::default(), |(mut a, mut b, mut c), (x, y, z)| {
            a.push(x);
            b.push(y);
            c.push(z);
            (a, b, c)
        });
    // Eight channels a record: additions, zero points, factors.
    let padded = shape.padded_outputs() as usize;
    let or_zero = |values: &[i64], channel: usize| values.get(channel).copied().unwrap_or(0);
    let mut operands = Vec::new();
    for record in 0..padded / 8 {
        let channels = record * 8..record * 8 + 8;
        operands.extend(channels.clone().flat_map(|channel| (or_zero(&bias, channel) as i32).to_le_bytes()));
        operands.extend(channels.clone().flat_map(|channel| (or_zero(&zero, channel) as i16).to_le_bytes()));
        operands.extend(channels.flat_map(|channel| (or_zero(&factor, channel) as i16).to_le_bytes()));
    }
    let mut machine = Machine::new();
    let features = machine.buffer(&to_cube(&input, byte));
    let weight_buffer = machine.buffer(&blob);
    let operand_buffer = machine.buffer(&operands);
    let (width, height) = shape.output_size();
    let pixels = (width * height) as usize;
    let output = machine.space(pixels * padded);
    let mut job = shape.job(address(&features), &blob, address(&weight_buffer), address(&output));
    let pad = -7;
    job.cna.as_mut().unwrap().pad_value = pad as u32;
    let rdma = with_operand_reader(&mut job);
    rdma.bs_use = 7;
    rdma.bs_address = address(&operand_buffer);
    let dpu = job.dpu.as_mut().unwrap();
    dpu.correction_bypass = false;
    dpu.correction_from_memory = true;
    dpu.bs.bypass = false;
    dpu.bs.alu_bypass = false;
    dpu.bs.alu_from_memory = true;
    dpu.bs.algorithm = AluAlgorithm::Add;
    dpu.bs.multiply_bypass = false;
    dpu.bs.multiply_from_memory = true;
    dpu.bs.shift = 14;
    dpu.bs_negative_shift = 14;
    dpu.out.scale = 17_000;
    dpu.out.shift = 22;
    dpu.out.offset = -3;
    machine.task(&job);
    machine.run().expect("runs");
    let made = from_cube(&machine.bytes(&output), shape.outputs as usize, pixels, |[byte]: [u8; 1]| byte as i8);
    // To the nearest, ties to even; the quotient is exact.
    let rounded = |value: i64, by: u32| (value as f64 / f64::from(1u32 << by)).round_ties_even();
    for (channel, plane) in made.iter().enumerate() {
        let real = |output: u32, input: u32, ky: u32, kx: u32| weights(output, input, ky, kx) + zero[channel] as i32;
        let sums = naive(shape, &input, &real, pad);
        let expected: Vec<i8> = sums[channel]
            .iter()
            .map(|sum| {
                let scaled = rounded((sum + bias[channel]) * factor[channel], 14) as i64;
                (rounded(scaled * 17_000, 22) - 3.0).clamp(-128.0, 127.0) as i8
            })
            .collect();
        assert_eq!(plane, &expected, "channel {channel} of {shape:?}");
    }
}

#[test]
fn bytes_with_asymmetric_weights() {
    let base = Convolution {
        precision: Precision::Int8,
        input: (7, 6, 20),
        outputs: 37,
        kernel: (3, 3),
        pad: (1, 1, 1, 1),
        ..PLAIN
    };
    byte_convolution(&base);
    byte_convolution(&Convolution { input: (7, 6, 70), stride: (2, 1), ..base });
    byte_convolution(&Convolution { depthwise: true, input: (7, 6, 80), outputs: 80, ..base });
}

#[test]
fn results_do_not_depend_on_slicing() {
    // The same convolution at once and row by row; values whose sums round.
    let shape = Convolution { input: (11, 4, 67), outputs: 19, ..PLAIN };
    let tenth = |value: i32| f16::from_f32(value as f32 * 0.1).to_le_bytes();
    let input = planes(&shape, numbers(6));
    let weights: Vec<i32> = numbers(7).take((shape.outputs * shape.input.2) as usize).collect();
    let weight = |output: u32, input: u32, _: u32, _: u32| weights[(output * 67 + input) as usize];
    let blob = direct_blob(&shape, &weight, (16, 8), tenth);
    let mut machine = Machine::new();
    let features = machine.buffer(&to_cube(&input, tenth));
    let weight_buffer = machine.buffer(&blob);
    let size = 11 * 4 * shape.padded_outputs() as usize * 2;
    let (whole, rows) = (machine.space(size), machine.space(size));
    machine.task(&shape.job(address(&features), &blob, address(&weight_buffer), address(&whole)));
    for y in 0..4 {
        let row = Convolution { input: (11, 1, 67), ..shape };
        let offset = y * 11 * 16;
        let mut job = row.job(address(&features) + offset, &blob, address(&weight_buffer), address(&rows) + offset);
        let cna = job.cna.as_mut().unwrap();
        cna.surface_stride = 11 * 4 - 44;
        let dpu = job.dpu.as_mut().unwrap();
        dpu.surface_stride = 11 * 4 * 16;
        dpu.group_stride = 11 * 4 * 16;
        machine.task(&job);
    }
    machine.run().expect("runs");
    assert_eq!(machine.bytes(&whole), machine.bytes(&rows));
}

#[test]
fn deconvolution_inserts_zeros() {
    // 2 x 2 input of one real channel, distance 2, kernel of ones: every output of the 3 x 3 sums what its window covers.
    let shape = Convolution { input: (2, 2, 1), outputs: 16, kernel: (2, 2), ..PLAIN };
    let input = vec![vec![1, 2, 3, 4]];
    let blob = direct_blob(&shape, &|_, _, _, _| 1, (16, 8), half_bytes);
    let mut machine = Machine::new();
    let features = machine.buffer(&to_cube(&input, half_bytes));
    let weight_buffer = machine.buffer(&blob);
    let output = machine.space(9 * 32);
    // Inserted: 3 x 3, padded to 4 x 4 by one column and row in front.
    let padded = Convolution { input: (3, 3, 1), pad: (1, 1, 0, 0), ..shape };
    let mut job = padded.job(address(&features), &blob, address(&weight_buffer), address(&output));
    let cna = job.cna.as_mut().unwrap();
    cna.deconvolution = true;
    (cna.deconvolution_x, cna.deconvolution_y) = (2, 2);
    (cna.width, cna.height, cna.line_stride, cna.surface_stride) = (2, 2, 8, -4);
    machine.task(&job);
    machine.run().expect("runs");
    let made = from_cube(&machine.bytes(&output), 1, 9, |b| f16::from_le_bytes(b).to_f32());
    assert_eq!(made[0], [1.0, 1.0, 2.0, 1.0, 1.0, 2.0, 3.0, 3.0, 4.0]);
}

/// Packed pixels of unsigned bytes through the input converter; a kernel per channel that picks it out.
fn converted(offset_first: bool, bytes: &[u8], scale: [i32; 3], offset: [i32; 3]) -> Vec<Vec<i8>> {
    let shape = Convolution { precision: Precision::Int8, input: (4, 2, 3), outputs: 3, ..PLAIN };
    let blob = direct_blob(&shape, &|output, input, _, _| i32::from(output == input), (32, 16), |value| [value as u8]);
    let mut machine = Machine::new();
    let (features, weights) = (machine.buffer(bytes), machine.buffer(&blob));
    let output = machine.space(8 * 32);
    let mut job = shape.job(address(&features), &blob, address(&weights), address(&output));
    let cna = job.cna.as_mut().unwrap();
    (cna.argb_code, cna.nonaligned_dma, cna.group_line_off, cna.line_stride) = (10, true, true, 4);
    (cna.converter_bypass, cna.data_signed, cna.converter_offset_first) = (false, false, offset_first);
    [cna.converter_scale_0, cna.converter_scale_1, cna.converter_scale_2] = scale;
    [cna.converter_offset_0, cna.converter_offset_1, cna.converter_offset_2] = offset;
    (cna.converter_shift_0, cna.converter_shift_1, cna.converter_shift_2) = (3, 3, 3);
    machine.task(&job);
    machine.run().expect("runs");
    from_cube(&machine.bytes(&output), 3, 8, |[byte]: [u8; 1]| byte as i8)
}

#[test]
fn packed_pixels_are_converted_channel_by_channel() {
    let bytes: Vec<u8> = numbers(12).take(24).map(|number| number as u8).collect();
    let (scale, offset) = ([5, 7, -3], [-100, 9, 40]);
    for offset_first in [false, true] {
        let made = converted(offset_first, &bytes, scale, offset);
        for (channel, plane) in made.iter().enumerate() {
            let (scale, offset) = (f64::from(scale[channel]), f64::from(offset[channel]));
            let expected = bytes.iter().skip(channel).step_by(3).map(|byte| {
                let value = f64::from(*byte);
                let exact = if offset_first {
                    ((value + offset) * scale / 8.0).round_ties_even()
                } else {
                    (value * scale / 8.0).round_ties_even() + offset
                };
                exact.clamp(-128.0, 127.0) as i8
            });
            assert_eq!(plane, &expected.collect::<Vec<_>>(), "channel {channel}, offset first: {offset_first}");
        }
    }
}

#[test]
fn bfloat16_convolution() {
    let shape = Convolution { precision: Precision::BFloat16, input: (3, 2, 40), outputs: 17, ..PLAIN };
    let input = planes(&shape, small(1));
    let weights = weights_of(2, shape.kernel, 40, 17);
    let bits = |value: i32| half::bf16::from_f32(value as f32).to_le_bytes();
    let blob = direct_blob(&shape, &weights, (16, 8), bits);
    let mut machine = Machine::new();
    let (features, weight_buffer) = (machine.buffer(&to_cube(&input, bits)), machine.buffer(&blob));
    let output = machine.space(6 * 32 * 2);
    machine.task(&shape.job(address(&features), &blob, address(&weight_buffer), address(&output)));
    machine.run().expect("runs");
    let made = from_cube(&machine.bytes(&output), 17, 6, |b| half::bf16::from_le_bytes(b).to_f64());
    let expected = naive(&shape, &input, &weights, 0);
    // Sums of 40 products of at most 4 are at most 160, which bfloat16 holds.
    assert_eq!(
        made,
        expected.iter().map(|plane| plane.iter().map(|sum| *sum as f64).collect()).collect::<Vec<Vec<_>>>()
    );
}
