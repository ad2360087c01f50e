//! Data movement: strides, transposes, repeated pixels, reductions over channels, pooling.

mod common;

use common::{Machine, address, copy_job, from_cube, numbers, pooling, to_cube};
use ferrite_rknpu::typed::{PoolingMethod, Precision};
use half::f16;

/// Distinct 16-bit values by channel and pixel.
fn distinct(channels: usize, pixels: usize) -> Vec<Vec<i16>> {
    (0..channels).map(|channel| (0..pixels).map(|pixel| (channel * 256 + pixel) as i16).collect()).collect()
}

fn wide_cube(planes: &[Vec<i16>]) -> Vec<u8> {
    to_cube(planes, i16::to_le_bytes)
}

#[test]
fn a_window_of_a_cube_is_read_and_written_by_strides() {
    // 3 x 2 pixels out of 5 x 4, into 7 x 6.
    let input = distinct(16, 20);
    let mut machine = Machine::new();
    let source = machine.buffer(&wide_cube(&input));
    let output = machine.space(2 * 42 * 16);
    let mut job =
        copy_job(Precision::Int16, (3, 2, 16), address(&source) + (5 + 1) * 16, address(&output) + (7 * 2 + 3) * 16);
    let rdma = job.dpu_rdma.as_mut().unwrap();
    // From the end of the last line to the next surface: what is left of 20 atoms.
    (rdma.line_notch, rdma.surface_notch) = (2, (20 - (5 + 3)) * 16);
    let dpu = job.dpu.as_mut().unwrap();
    (dpu.notch, dpu.surface_stride, dpu.group_stride) = (4, 42 * 16, 42 * 16);
    machine.task(&job);
    machine.run().expect("runs");
    let made = from_cube(&machine.bytes(&output), 16, 42, i16::from_le_bytes);
    for (channel, plane) in made.iter().enumerate() {
        let mut expected = vec![0; 42];
        for y in 0..2 {
            for x in 0..3 {
                expected[(y + 2) * 7 + x + 3] = input[channel][(y + 1) * 5 + x + 1];
            }
        }
        assert_eq!(plane, &expected, "channel {channel}");
    }
}

#[test]
fn output_groups_have_a_stride_of_their_own() {
    // Four surfaces in groups of two, the groups swapped by a base in the middle and a stride that wraps is not possible:
    // a gap between the groups instead.
    let input = distinct(32, 4);
    let mut machine = Machine::new();
    let source = machine.buffer(&wide_cube(&input));
    let output = machine.space(10 * 4 * 16);
    let mut job = copy_job(Precision::Int16, (4, 1, 32), address(&source), address(&output));
    let dpu = job.dpu.as_mut().unwrap();
    (dpu.group_surfaces, dpu.surface_stride, dpu.group_stride) = (2, 2 * 64, 6 * 64);
    machine.task(&job);
    machine.run().expect("runs");
    let bytes = machine.bytes(&output);
    for (surface, place) in [0, 2, 6, 8].into_iter().enumerate() {
        let expected = &wide_cube(&input)[surface * 64..][..64];
        assert_eq!(&bytes[place * 64..][..64], expected, "surface {surface}");
    }
}

#[test]
fn other_write_sizes_take_the_atoms_as_they_come() {
    // 4 x 3 pixels, 4 surfaces in groups of 2. The pipeline's order is group, row, surface in group, column; written as 1 x 4
    // pixels, every four atoms of that order are a surface.
    let input = distinct(32, 12);
    let mut machine = Machine::new();
    let source = machine.buffer(&wide_cube(&input));
    let output = machine.space(48 * 16);
    let mut job = copy_job(Precision::Int16, (4, 3, 32), address(&source), address(&output));
    let dpu = job.dpu.as_mut().unwrap();
    (dpu.write_width, dpu.write_height, dpu.write_channels) = (1, 4, 96);
    (dpu.group_surfaces, dpu.surface_stride, dpu.group_stride) = (2, 64, 128);
    machine.task(&job);
    machine.run().expect("runs");
    let (bytes, cube) = (machine.bytes(&output), wide_cube(&input));
    let mut place = 0;
    for group in 0..2 {
        for row in 0..3 {
            for surface in 2 * group..2 * group + 2 {
                for column in 0..4 {
                    let expected = &cube[((surface * 3 + row) * 4 + column) * 16..][..16];
                    assert_eq!(&bytes[place * 16..][..16], expected, "{surface} {row} {column}");
                    place += 1;
                }
            }
        }
    }
}

#[test]
fn columns_become_surfaces() {
    // 8 columns, 5 rows, 2 surfaces; atoms stay whole.
    let input = distinct(16, 40);
    let mut machine = Machine::new();
    let source = machine.buffer(&wide_cube(&input));
    let output = machine.space(8 * 10 * 16);
    let mut job = copy_job(Precision::Int16, (8, 5, 16), address(&source), address(&output));
    let dpu = job.dpu.as_mut().unwrap();
    (dpu.transpose, dpu.transpose_wide, dpu.group_surfaces) = (true, true, 8);
    (dpu.write_width, dpu.write_height, dpu.surface_stride) = (5, 2, 10 * 16);
    machine.task(&job);
    machine.run().expect("runs");
    let bytes = machine.bytes(&output);
    let cube = wide_cube(&input);
    for surface in 0..2 {
        for y in 0..5 {
            for x in 0..8 {
                let made = &bytes[((x * 2 + surface) * 5 + y) * 16..][..16];
                assert_eq!(made, &cube[((surface * 5 + y) * 8 + x) * 16..][..16], "{surface} {y} {x}");
            }
        }
    }
}

#[test]
fn pixels_become_lanes() {
    // 24 pixels of 16 channels, 16 bits: every output atom is 8 pixels of one channel.
    let input = distinct(16, 24);
    let mut machine = Machine::new();
    let source = machine.buffer(&wide_cube(&input));
    let output = machine.space(16 * 3 * 16);
    let mut job = copy_job(Precision::Int16, (24, 1, 16), address(&source), address(&output));
    let dpu = job.dpu.as_mut().unwrap();
    (dpu.transpose_lanes, dpu.transpose_wide, dpu.group_surfaces) = (true, true, 8);
    (dpu.write_width, dpu.write_height, dpu.write_groups) = (3, 1, 2);
    (dpu.surface_stride, dpu.group_stride) = (3 * 16, 8 * 3 * 16);
    machine.task(&job);
    machine.run().expect("runs");
    let bytes = machine.bytes(&output);
    for (channel, plane) in input.iter().enumerate() {
        let expected: Vec<u8> = plane.iter().flat_map(|value| value.to_le_bytes()).collect();
        assert_eq!(&bytes[channel * 48..][..48], &expected[..], "channel {channel}");
    }
}

#[test]
fn blocks_of_pixels_run_on_into_the_next_surface() {
    // Eight surfaces of 7 pixels are seven blocks of 8: a channel's pixels of all surfaces lie without gaps.
    let input = distinct(64, 7);
    let mut machine = Machine::new();
    let source = machine.buffer(&wide_cube(&input));
    let output = machine.space(8 * 7 * 16);
    let mut job = copy_job(Precision::Int16, (1, 7, 64), address(&source), address(&output));
    let dpu = job.dpu.as_mut().unwrap();
    (dpu.transpose_lanes, dpu.transpose_wide, dpu.group_surfaces) = (true, true, 8);
    (dpu.write_width, dpu.write_height, dpu.write_groups) = (1, 1, 7);
    (dpu.surface_stride, dpu.group_stride) = (7 * 16, 16);
    machine.task(&job);
    machine.run().expect("runs");
    let bytes = machine.bytes(&output);
    for lane in 0..8 {
        let pixels = (0..8).flat_map(|surface| &input[surface * 8 + lane]);
        let expected: Vec<u8> = pixels.flat_map(|value| value.to_le_bytes()).collect();
        assert_eq!(&bytes[lane * 7 * 16..][..7 * 16], &expected[..], "lane {lane}");
    }
}

#[test]
fn pixels_of_bytes_become_lanes() {
    // 32 pixels of 16 byte channels: channel c's pixels 0..16 and 16..32 are the atoms of two groups.
    let input: Vec<Vec<u8>> = (0..16u8)
        .map(|channel| (0..32).map(|pixel: u8| pixel.wrapping_mul(37).wrapping_add(channel * 11)).collect())
        .collect();
    let mut machine = Machine::new();
    let source = machine.buffer(&to_cube(&input, |value: u8| [value]));
    let output = machine.space(2 * 16 * 16);
    let mut job = copy_job(Precision::Int16, (32, 1, 8), address(&source), address(&output));
    let dpu = job.dpu.as_mut().unwrap();
    (dpu.transpose_lanes, dpu.transpose_wide, dpu.group_surfaces) = (true, false, 8);
    // Lanes 8 and up are a line of their own.
    (dpu.write_width, dpu.write_height, dpu.write_groups, dpu.notch) = (1, 2, 2, 7);
    (dpu.surface_stride, dpu.group_stride) = (16, 16 * 16);
    machine.task(&job);
    machine.run().expect("runs");
    let bytes = machine.bytes(&output);
    for (channel, plane) in input.iter().enumerate() {
        for block in 0..2 {
            assert_eq!(&bytes[(block * 16 + channel) * 16..][..16], &plane[block * 16..][..16], "{channel} {block}");
        }
    }
}

#[test]
fn pixels_are_repeated() {
    // Every pixel twice in its row; every row twice, as surfaces of their own that interleave in memory.
    let input = distinct(8, 6);
    let mut machine = Machine::new();
    let source = machine.buffer(&wide_cube(&input));
    let output = machine.space(24 * 16);
    let mut job = copy_job(Precision::Int16, (3, 2, 8), address(&source), address(&output));
    let rdma = job.dpu_rdma.as_mut().unwrap();
    rdma.unpooling = true;
    (rdma.kernel_width, rdma.kernel_height, rdma.kernel_stride_x, rdma.kernel_stride_y) = (2, 2, 2, 2);
    let dpu = job.dpu.as_mut().unwrap();
    (dpu.width, dpu.write_width, dpu.notch) = (6, 6, 6);
    (dpu.group_surfaces, dpu.surface_stride) = (2, 6 * 16);
    machine.task(&job);
    machine.run().expect("runs");
    let made = from_cube(&machine.bytes(&output), 8, 24, i16::from_le_bytes);
    for (channel, plane) in made.iter().enumerate() {
        let expected: Vec<i16> = (0..24).map(|at| input[channel][at / 6 / 2 * 3 + at % 6 / 2]).collect();
        assert_eq!(plane, &expected, "channel {channel}");
    }
}

#[test]
fn lanes_behind_the_last_channel_get_a_value() {
    // 11 of 32 channels of bytes; the pipeline adds nothing, the value takes the place of what stood there.
    let mut values = numbers(13);
    let planes: Vec<Vec<i8>> = (0..32).map(|_| values.by_ref().take(12).map(|number| number as i8).collect()).collect();
    let mut machine = Machine::new();
    let source = machine.buffer(&to_cube(&planes, |value| [value as u8]));
    let output = machine.space(2 * 12 * 16);
    let mut job = copy_job(Precision::Int8, (4, 3, 32), address(&source), address(&output));
    let dpu = job.dpu.as_mut().unwrap();
    (dpu.original_channels, dpu.offset_pend) = (11, -13i16 as u16 as u32);
    machine.task(&job);
    machine.run().expect("runs");
    let made = from_cube(&machine.bytes(&output), 32, 12, |[byte]: [u8; 1]| byte as i8);
    for (channel, (made, plane)) in made.iter().zip(&planes).enumerate() {
        let expected = if channel < 11 { plane.clone() } else { vec![-13; 12] };
        assert_eq!(made, &expected, "channel {channel}");
    }
}

#[test]
fn the_largest_channel_of_every_pixel() {
    // 11 of 16 channels count; the others are larger.
    let mut values = numbers(8).map(|number| f16::from_f32(number as f32));
    let mut planes: Vec<Vec<f16>> = (0..11).map(|_| values.by_ref().take(9).collect()).collect();
    planes.extend((11..16).map(|_| vec![f16::MAX; 9]));
    let mut machine = Machine::new();
    let source = machine.buffer(&to_cube(&planes, f16::to_le_bytes));
    let output = machine.space(32);
    let mut job = copy_job(Precision::Float16, (9, 1, 16), address(&source), address(&output));
    let dpu = job.dpu.as_mut().unwrap();
    (dpu.minmax, dpu.nonaligned, dpu.original_channels, dpu.offset_pend) = (7, true, 11, 0xfbff);
    machine.task(&job);
    machine.run().expect("runs");
    let bytes = machine.bytes(&output);
    let made: Vec<f16> = bytes[..18].chunks(2).map(|bytes| f16::from_le_bytes([bytes[0], bytes[1]])).collect();
    let expected: Vec<f16> =
        (0..9).map(|pixel| planes[..11].iter().map(|plane| plane[pixel]).fold(f16::MIN, f16::max)).collect();
    assert_eq!(made, expected);
}

/// What a window of `kernel` at `stride` with padding in front covers; `None` outside of the cube.
fn windows(size: (i32, i32), output: (i32, i32), kernel: i32, stride: i32, pad: i32) -> Vec<Vec<Option<usize>>> {
    let outputs = (0..output.1).flat_map(|y| (0..output.0).map(move |x| (x, y)));
    let window = |(x, y): (i32, i32)| {
        let places = (0..kernel).flat_map(|ky| (0..kernel).map(move |kx| (kx, ky)));
        let place = |(kx, ky)| {
            let (column, row) = (x * stride + kx - pad, y * stride + ky - pad);
            let inside = (0..size.0).contains(&column) && (0..size.1).contains(&row);
            inside.then_some((row * size.0 + column) as usize)
        };
        places.map(place).collect()
    };
    outputs.map(window).collect()
}

#[test]
fn maxima_ignore_padding() {
    // All values negative, so that padding with zero would show.
    let mut values = numbers(9).map(|number| f16::from_f32(-1.0 - (number + 128) as f32));
    let planes: Vec<Vec<f16>> = (0..16).map(|_| values.by_ref().take(30).collect()).collect();
    let mut machine = Machine::new();
    let source = machine.buffer(&to_cube(&planes, f16::to_le_bytes));
    let output = machine.space(2 * 9 * 16);
    let mut job = pooling(Precision::Float16, (6, 5, 16), (3, 3), address(&source), address(&output));
    let ppu = job.ppu.as_mut().unwrap();
    ppu.method = PoolingMethod::Max;
    (ppu.kernel_width, ppu.kernel_height, ppu.stride_x, ppu.stride_y) = (3, 3, 2, 2);
    (ppu.pad_left, ppu.pad_top) = (1, 1);
    machine.task(&job);
    machine.run().expect("runs");
    let made = from_cube(&machine.bytes(&output), 16, 9, f16::from_le_bytes);
    for (plane, made) in planes.iter().zip(&made) {
        let largest =
            |window: &Vec<Option<usize>>| window.iter().flatten().map(|at| plane[*at]).fold(f16::MIN, f16::max);
        let expected: Vec<f16> = windows((6, 5), (3, 3), 3, 2, 1).iter().map(largest).collect();
        assert_eq!(made, &expected);
    }
}

#[test]
fn averages_count_padding() {
    let mut values = numbers(10);
    let planes: Vec<Vec<i8>> = (0..32).map(|_| values.by_ref().take(36).map(|number| number as i8).collect()).collect();
    let mut machine = Machine::new();
    let source = machine.buffer(&to_cube(&planes, |value| [value as u8]));
    let output = machine.space(2 * 16 * 16);
    let mut job = pooling(Precision::Int8, (6, 6, 32), (4, 4), address(&source), address(&output));
    let ppu = job.ppu.as_mut().unwrap();
    ppu.method = PoolingMethod::Average;
    (ppu.kernel_width, ppu.kernel_height, ppu.stride_x, ppu.stride_y) = (2, 2, 2, 2);
    (ppu.pad_left, ppu.pad_top) = (1, 1);
    // 35 bits in two registers.
    (ppu.pad_value, ppu.pad_value_1) = (-7i32 as u32, 7);
    (ppu.reciprocal_width, ppu.reciprocal_height) = (32768, 32768);
    machine.task(&job);
    machine.run().expect("runs");
    let made = from_cube(&machine.bytes(&output), 32, 16, |[byte]: [u8; 1]| byte as i8);
    for (plane, made) in planes.iter().zip(&made) {
        let mean = |window: &Vec<Option<usize>>| {
            let sum: i32 = window.iter().map(|at| at.map_or(-7, |at| i32::from(plane[at]))).sum();
            (f64::from(sum) / 4.0).round_ties_even() as i8
        };
        let expected: Vec<i8> = windows((6, 6), (4, 4), 2, 2, 1).iter().map(mean).collect();
        assert_eq!(made, &expected);
    }
}

#[test]
fn half_precision_averages() {
    let mut values = numbers(11).map(|number| f16::from_f32(number as f32 / 16.0));
    let planes: Vec<Vec<f16>> = (0..8).map(|_| values.by_ref().take(16).collect()).collect();
    let mut machine = Machine::new();
    let source = machine.buffer(&to_cube(&planes, f16::to_le_bytes));
    let output = machine.space(4 * 16);
    let mut job = pooling(Precision::Float16, (4, 4, 8), (2, 2), address(&source), address(&output));
    let ppu = job.ppu.as_mut().unwrap();
    (ppu.kernel_width, ppu.kernel_height, ppu.stride_x, ppu.stride_y) = (2, 2, 2, 2);
    let reciprocal = u32::from(f16::from_f32(32768.0).to_bits());
    (ppu.reciprocal_width, ppu.reciprocal_height) = (reciprocal, reciprocal);
    machine.task(&job);
    machine.run().expect("runs");
    let made = from_cube(&machine.bytes(&output), 8, 4, f16::from_le_bytes);
    for (plane, made) in planes.iter().zip(&made) {
        let mean = |window: &Vec<Option<usize>>| {
            f16::from_f64(window.iter().flatten().map(|at| plane[*at].to_f64()).sum::<f64>() / 4.0)
        };
        let expected: Vec<f16> = windows((4, 4), (2, 2), 2, 2, 0).iter().map(mean).collect();
        assert_eq!(made, &expected);
    }
}

#[test]
fn a_window_one_pixel_wide_has_a_reciprocal_beyond_half_precision() {
    let planes: Vec<Vec<f16>> =
        (0..8).map(|channel| (0..12).map(|pixel| f16::from_f32((channel * 12 + pixel) as f32)).collect()).collect();
    let mut machine = Machine::new();
    let source = machine.buffer(&to_cube(&planes, f16::to_le_bytes));
    let output = machine.space(6 * 16);
    let mut job = pooling(Precision::Float16, (3, 4, 8), (3, 2), address(&source), address(&output));
    let ppu = job.ppu.as_mut().unwrap();
    (ppu.kernel_width, ppu.kernel_height, ppu.stride_x, ppu.stride_y) = (1, 2, 1, 2);
    // 65536 / 1 rounds to what is infinity elsewhere.
    let bits = |value: f32| u32::from(f16::from_f32(value).to_bits());
    (ppu.reciprocal_width, ppu.reciprocal_height) = (bits(65536.0), bits(32768.0));
    machine.task(&job);
    machine.run().expect("runs");
    let made = from_cube(&machine.bytes(&output), 8, 6, f16::from_le_bytes);
    for (plane, made) in planes.iter().zip(&made) {
        let mean = |at: usize| f16::from_f32((plane[at].to_f32() + plane[at + 3].to_f32()) / 2.0);
        assert_eq!(made, &[0, 1, 2, 6, 7, 8].map(mean));
    }
}
