//! The DPU's stages, each against its definition.

mod common;

use common::{Machine, address, copy_job, element_operand, from_cube, numbers, to_cube};
use ferrite_rknpu::typed::{AluAlgorithm, ElementSize, Job, LutWrite, Precision};
use ferrite_rknpu_emulator::{Limits, Options, Rounding};
use half::f16;

const SIZE: (u32, u32, u32) = (6, 3, 16);
const PIXELS: usize = 18;

fn half_planes(seed: u32) -> Vec<Vec<f16>> {
    let mut values = numbers(seed).map(|number| f16::from_f32(number as f32 / 32.0));
    (0..SIZE.2).map(|_| values.by_ref().take(PIXELS).collect()).collect()
}

fn byte_planes(seed: u32) -> Vec<Vec<i8>> {
    let mut values = numbers(seed).map(|number| number as i8);
    (0..SIZE.2).map(|_| values.by_ref().take(PIXELS).collect()).collect()
}

fn half_cube(planes: &[Vec<f16>]) -> Vec<u8> {
    to_cube(planes, f16::to_le_bytes)
}

/// Runs one memory-to-memory task that `change` has been at; main data and result in half precision.
fn run_half(input: &[Vec<f16>], other: &[u8], change: impl FnOnce(&mut Job, u32)) -> Vec<Vec<f16>> {
    let mut machine = Machine::new();
    let (source, operand) = (machine.buffer(&half_cube(input)), machine.buffer(other));
    let output = machine.space(PIXELS * 32);
    let mut job = copy_job(Precision::Float16, SIZE, address(&source), address(&output));
    change(&mut job, address(&operand));
    machine.task(&job);
    machine.run().expect("runs");
    from_cube(&machine.bytes(&output), 16, PIXELS, f16::from_le_bytes)
}

fn each<A: Copy, B: Copy, C>(left: &[Vec<A>], right: &[Vec<B>], with: impl Fn(A, B) -> C) -> Vec<Vec<C>> {
    let rows = left.iter().zip(right);
    rows.map(|(left, right)| left.iter().zip(right).map(|(left, right)| with(*left, *right)).collect()).collect()
}

#[test]
fn a_task_without_stages_copies() {
    let input = half_planes(1);
    assert_eq!(run_half(&input, &[0; 16], |_, _| {}), input);
}

#[test]
fn half_precision_operations_with_a_second_tensor() {
    let (input, other) = (half_planes(1), half_planes(2));
    let run = |algorithm: AluAlgorithm, multiply: bool| {
        run_half(&input, &half_cube(&other), |job, operand| {
            let ew = &mut job.dpu.as_mut().unwrap().ew;
            (ew.bypass, ew.operation_bypass, ew.from_memory) = (false, false, true);
            (ew.algorithm, ew.multiply, ew.converter_bypass) = (algorithm, multiply, multiply);
            element_operand(job.dpu_rdma.as_mut().unwrap(), operand, PIXELS as u32 * 16, ElementSize::Bits16);
        })
    };
    let expect = |with: fn(f32, f32) -> f32| each(&input, &other, |a, b| f16::from_f32(with(a.to_f32(), b.to_f32())));
    assert_eq!(run(AluAlgorithm::Add, false), expect(|a, b| a + b));
    assert_eq!(run(AluAlgorithm::Subtract, false), expect(|a, b| a - b));
    assert_eq!(run(AluAlgorithm::Max, false), expect(f32::max));
    assert_eq!(run(AluAlgorithm::Min, false), expect(f32::min));
    assert_eq!(run(AluAlgorithm::Max, true), expect(|a, b| a * b));
    let bits = |planes: Vec<Vec<f16>>| planes.concat().into_iter().map(f16::to_bits).collect::<Vec<_>>();
    assert_eq!(bits(run(AluAlgorithm::Divide, false)), bits(expect(|a, b| a / b)));
}

#[test]
fn an_operand_per_channel_is_packed() {
    let input = half_planes(1);
    let factors: Vec<f16> = numbers(3).take(16).map(|number| f16::from_f32(number as f32 / 64.0)).collect();
    let bytes: Vec<u8> = factors.iter().flat_map(|factor| factor.to_le_bytes()).collect();
    let made = run_half(&input, &bytes, |job, operand| {
        let ew = &mut job.dpu.as_mut().unwrap().ew;
        (ew.bypass, ew.operation_bypass, ew.from_memory, ew.multiply, ew.converter_bypass) =
            (false, false, true, true, true);
        element_operand(job.dpu_rdma.as_mut().unwrap(), operand, 0, ElementSize::Bits16);
        job.dpu_rdma.as_mut().unwrap().ew_data_mode = 0;
    });
    for ((made, input), factor) in made.iter().zip(&input).zip(&factors) {
        let expected: Vec<f16> = input.iter().map(|value| f16::from_f32(value.to_f32() * factor.to_f32())).collect();
        assert_eq!(made, &expected);
    }
}

#[test]
fn bs_adds_first_and_bn_multiplies_first() {
    let input = half_planes(1);
    let with = |bn: bool| {
        run_half(&input, &[0; 16], |job, _| {
            let dpu = job.dpu.as_mut().unwrap();
            let stage = if bn { &mut dpu.bn } else { &mut dpu.bs };
            (stage.bypass, stage.alu_bypass, stage.multiply_bypass) = (false, false, false);
            stage.algorithm = AluAlgorithm::Add;
            stage.alu_operand = 1.5f32.to_bits();
            stage.multiply_operand = u32::from(f16::from_f32(0.25).to_bits());
        })
    };
    let expect = |with: fn(f32) -> f32| each(&input, &input, |a, _| f16::from_f32(with(a.to_f32())));
    assert_eq!(with(false), expect(|x| (x + 1.5) * 0.25));
    assert_eq!(with(true), expect(|x| x * 0.25 + 1.5));
}

#[test]
fn clamps_and_prelu() {
    let input = half_planes(1);
    let made = run_half(&input, &[0; 16], |job, _| {
        let bs = &mut job.dpu.as_mut().unwrap().bs;
        (bs.bypass, bs.relu_bypass, bs.relux, bs.relux_limit) = (false, false, true, 2.0f32.to_bits());
    });
    assert_eq!(made, each(&input, &input, |x, _| f16::from_f32(x.to_f32().clamp(0.0, 2.0))));
    let leaky = run_half(&input, &[0; 16], |job, _| {
        let bs = &mut job.dpu.as_mut().unwrap().bs;
        (bs.bypass, bs.multiply_bypass, bs.prelu) = (false, false, true);
        bs.multiply_operand = u32::from(f16::from_f32(0.5).to_bits());
    });
    assert_eq!(leaky, each(&input, &input, |x, _| if x.to_f32() <= 0.0 { f16::from_f32(x.to_f32() * 0.5) } else { x }));
}

#[test]
fn byte_addition_with_conversion() {
    let (input, other) = (byte_planes(4), byte_planes(5));
    let run = |rounding: Rounding| {
        let mut machine = Machine::with(Options { rounding, ..Options::default() }, Limits::default());
        let source = machine.buffer(&to_cube(&input, |value| [value as u8]));
        let operand = machine.buffer(&to_cube(&other, |value| [value as u8]));
        let output = machine.space(PIXELS * 16);
        let mut job = copy_job(Precision::Int8, SIZE, address(&source), address(&output));
        let dpu = job.dpu.as_mut().unwrap();
        let ew = &mut dpu.ew;
        (ew.bypass, ew.operation_bypass, ew.from_memory) = (false, false, true);
        ew.algorithm = AluAlgorithm::Add;
        (ew.converter_offset_first, ew.converter_offset, ew.converter_scale, ew.converter_shift) = (true, 3, 5, 1);
        (dpu.out.scale, dpu.out.shift, dpu.out.offset) = (3, 3, 1);
        element_operand(job.dpu_rdma.as_mut().unwrap(), address(&operand), PIXELS as u32 * 16, ElementSize::Bits8);
        machine.task(&job);
        machine.run().expect("runs");
        from_cube(&machine.bytes(&output), 16, PIXELS, |[byte]: [u8; 1]| byte as i8)
    };
    let expect = |round: fn(f64) -> f64| {
        each(&input, &other, |a, b| {
            let converted = round((f64::from(b) + 3.0) * 5.0 / 2.0);
            (round((f64::from(a) + converted) * 3.0 / 8.0) + 1.0).clamp(-128.0, 127.0) as i8
        })
    };
    assert_eq!(run(Rounding::HalfAway), expect(f64::round));
    assert_eq!(run(Rounding::HalfEven), expect(f64::round_ties_even));
    assert_eq!(run(Rounding::Floor), expect(f64::floor));
}

#[test]
fn negative_products_have_their_own_shift() {
    let input = byte_planes(4);
    let mut machine = Machine::new();
    let source = machine.buffer(&to_cube(&input, |value| [value as u8]));
    let output = machine.space(PIXELS * 16);
    let mut job = copy_job(Precision::Int8, SIZE, address(&source), address(&output));
    let dpu = job.dpu.as_mut().unwrap();
    let bs = &mut dpu.bs;
    (bs.bypass, bs.multiply_bypass, bs.multiply_operand, bs.shift, bs.prelu) = (false, false, 4096, 0, true);
    dpu.bs_negative_shift = 14;
    machine.task(&job);
    machine.run().expect("runs");
    let made = from_cube(&machine.bytes(&output), 16, PIXELS, |[byte]: [u8; 1]| byte as i8);
    assert_eq!(
        made,
        each(&input, &input, |x, _| if x <= 0 { (f64::from(x) / 4.0).round_ties_even() as i8 } else { x })
    );
}

/// The tables of x/8 below zero and x/4 from zero, in steps of 32, with slopes of 1/8 and 1/4 beyond the ends.
fn tables() -> Vec<LutWrite> {
    let entry = |table: u8, value: fn(i32) -> i32| {
        (0..513).map(move |index| LutWrite { table, index: index as u16, value: value(index) as i16 })
    };
    entry(0, |index| (index * 32 - 16384) / 8).chain(entry(1, |index| index * 32 / 4)).collect()
}

fn use_tables(job: &mut Job) {
    let dpu = job.dpu.as_mut().unwrap();
    (dpu.ew.bypass, dpu.ew.lut_bypass) = (false, false);
    let lut = &mut dpu.lut;
    (lut.mode, lut.le_index_select, lut.lo_index_select) = (0x68, 5, 5);
    (lut.le_start, lut.lo_end) = (-16384, 16384);
    (lut.le_underflow_scale, lut.le_underflow_shift) = (1, 3);
    (lut.lo_overflow_scale, lut.lo_overflow_shift) = (1, 2);
    // The position: 8200 times the data, which reach four; most positions lie between two entries.
    (dpu.bn.bypass, dpu.bn.multiply_bypass) = (false, false);
    dpu.bn.multiply_operand = u32::from(f16::from_f32(8200.0).to_bits());
}

#[test]
fn lookup_tables_interpolate_and_extrapolate() {
    let input = half_planes(1);
    let made = run_half(&input, &[0; 16], |job, _| {
        use_tables(job);
        job.lut = tables();
        job.dpu.as_mut().unwrap().out.minus_exponent = 10;
    });
    // A piecewise linear function is its own interpolation.
    let expected = each(&input, &input, |x, _| {
        let position = x.to_f32() * 8200.0;
        f16::from_f32(position / if position < 0.0 { 8.0 } else { 4.0 } / 1024.0)
    });
    assert_eq!(made, expected);
}

#[test]
fn lookup_tables_of_integers_round_between_entries() {
    let input = byte_planes(4);
    let mut machine = Machine::new();
    let source = machine.buffer(&to_cube(&input, |value| [value as u8]));
    let output = machine.space(PIXELS * 32);
    let mut job = copy_job(Precision::Int8, SIZE, address(&source), address(&output));
    use_tables(&mut job);
    job.lut = tables();
    let dpu = job.dpu.as_mut().unwrap();
    dpu.output_precision = Precision::Int16;
    dpu.bn.multiply_operand = 131;
    machine.task(&job);
    machine.run().expect("runs");
    let made = from_cube(&machine.bytes(&output), 16, PIXELS, i16::from_le_bytes);
    // 131 x an i8 reaches past both tables' ends; the slopes go on from there. The step from an entry (or an end) is rounded,
    // ties to even, and added to it.
    let expected = each(&input, &input, |x, _| {
        let position = f64::from(x) * 131.0;
        let divisor = if position < 0.0 { 8.0 } else { 4.0 };
        let entry =
            if position.abs() > 16384.0 { position.signum() * 16384.0 } else { (position / 32.0).floor() * 32.0 };
        (entry / divisor + ((position - entry) / divisor).round_ties_even()) as i16
    });
    assert_eq!(made, expected);
}

#[test]
fn lookup_tables_stay_from_task_to_task_and_submission_to_submission() {
    let input = half_planes(1);
    let mut machine = Machine::new();
    let source = machine.buffer(&half_cube(&input));
    let output = machine.space(PIXELS * 32);
    let mut load = copy_job(Precision::Int8, (1, 1, 16), address(&source), address(&source));
    load.lut = tables();
    machine.task(&load);
    machine.run().expect("runs");
    let mut second = Machine::continued(machine.emulator);
    let mut job = copy_job(Precision::Float16, SIZE, address(&source), address(&output));
    use_tables(&mut job);
    job.dpu.as_mut().unwrap().out.minus_exponent = 10;
    second.task(&job);
    second.run().expect("runs");
    let made = from_cube(&second.bytes(&output), 16, PIXELS, f16::from_le_bytes);
    assert_ne!(made[0], vec![f16::ZERO; PIXELS]);
}

#[test]
fn half_precision_from_integers_and_back() {
    let input = byte_planes(4);
    let mut machine = Machine::new();
    let source = machine.buffer(&to_cube(&input, |value| [value as u8]));
    let output = machine.space(PIXELS * 32);
    let mut job = copy_job(Precision::Int8, SIZE, address(&source), address(&output));
    let dpu = job.dpu.as_mut().unwrap();
    dpu.output_precision = Precision::Float16;
    (dpu.out.scale, dpu.out.shift, dpu.out.offset, dpu.out.minus_exponent) = (7, 1, 1, 4);
    machine.task(&job);
    machine.run().expect("runs");
    let made = from_cube(&machine.bytes(&output), 16, PIXELS, f16::from_le_bytes);
    assert_eq!(
        made,
        each(&input, &input, |x, _| f16::from_f64(((f64::from(x) * 7.0 / 2.0).round_ties_even() + 1.0) / 16.0))
    );

    // Into 16-bit integers: to the nearest, saturating.
    let halves = half_planes(1);
    let made = run_half(&halves, &[0; 16], |job, _| {
        let dpu = job.dpu.as_mut().unwrap();
        dpu.output_precision = Precision::Int16;
        (dpu.bs.bypass, dpu.bs.multiply_bypass) = (false, false);
        dpu.bs.multiply_operand = u32::from(f16::from_f32(20_000.0).to_bits());
    });
    let factor = f64::from(f16::from_f32(20_000.0).to_f32());
    let expected = each(&halves, &halves, |x, _| {
        let scaled = (x.to_f64() * factor).round_ties_even().clamp(-32768.0, 32767.0);
        f16::from_bits(scaled as i16 as u16)
    });
    let bits = |planes: Vec<Vec<f16>>| planes.concat().into_iter().map(f16::to_bits).collect::<Vec<_>>();
    assert_eq!(bits(made), bits(expected));
}

#[test]
fn both_readers_deliver_one_residual_operand() {
    // Behind a convolution with identity weights: the operand's even surfaces come from the main reader.
    let shape = common::Convolution {
        precision: Precision::Float16,
        depthwise: false,
        input: (6, 3, 16),
        outputs: 16,
        kernel: (1, 1),
        stride: (1, 1),
        dilation: (1, 1),
        pad: (0, 0, 0, 0),
    };
    let (input, other) = (half_planes(1), half_planes(2));
    let one = f16::ONE.to_le_bytes();
    let blob: Vec<u8> = (0..256).flat_map(|at| if at / 16 == at % 16 { one } else { [0; 2] }).collect();
    let mut machine = Machine::new();
    let (source, operand) = (machine.buffer(&half_cube(&input)), machine.buffer(&half_cube(&other)));
    let weights = machine.buffer(&blob);
    let output = machine.space(PIXELS * 32);
    let mut job = shape.job(address(&source), &blob, address(&weights), address(&output));
    let rdma = common::with_operand_reader(&mut job);
    rdma.main_disable = false;
    (rdma.combined, rdma.source) = (5, address(&operand));
    element_operand(rdma, address(&operand) + PIXELS as u32 * 16, 0, ElementSize::Bits16);
    (rdma.surface_notch, rdma.ew_surface_notch) = (PIXELS as i32 * 16, PIXELS as i32 * 16);
    let dpu = job.dpu.as_mut().unwrap();
    dpu.combined = true;
    let ew = &mut dpu.ew;
    (ew.bypass, ew.operation_bypass, ew.from_memory, ew.algorithm) = (false, false, true, AluAlgorithm::Add);
    machine.task(&job);
    machine.run().expect("runs");
    let made = from_cube(&machine.bytes(&output), 16, PIXELS, f16::from_le_bytes);
    assert_eq!(made, each(&input, &other, |a, b| f16::from_f32(a.to_f32() + b.to_f32())));
}

#[test]
fn bfloat16_factors_of_half_precision_data() {
    let input = half_planes(1);
    let factors = half_planes(2);
    let bits = to_cube(&factors, |factor: f16| half::bf16::from_f32(factor.to_f32()).to_le_bytes());
    let made = run_half(&input, &bits, |job, operand| {
        let dpu = job.dpu.as_mut().unwrap();
        (dpu.processing_precision, dpu.input_precision) = (Precision::BFloat16, Precision::BFloat16);
        let ew = &mut dpu.ew;
        (ew.bypass, ew.operation_bypass, ew.from_memory, ew.multiply, ew.converter_bypass) =
            (false, false, true, true, true);
        element_operand(job.dpu_rdma.as_mut().unwrap(), operand, PIXELS as u32 * 16, ElementSize::Bits16);
    });
    let expected = each(&input, &factors, |a, b| f16::from_f32(a.to_f32() * half::bf16::from_f32(b.to_f32()).to_f32()));
    assert_eq!(made, expected);
}

#[test]
fn both_readers_deliver_wide_main_data() {
    // 16 channels in 32 bits: surfaces 0 and 2 come from the main reader, 1 and 3 from the other.
    let wide: Vec<Vec<f32>> =
        half_planes(1).iter().map(|plane| plane.iter().map(|value| value.to_f32() + 0.1).collect()).collect();
    let mut machine = Machine::new();
    let source = machine.buffer(&to_cube(&wide, f32::to_le_bytes));
    let output = machine.space(PIXELS * 32);
    let surface = PIXELS as u32 * 16;
    let mut job = copy_job(Precision::Float32, SIZE, address(&source), address(&output));
    let rdma = job.dpu_rdma.as_mut().unwrap();
    rdma.combined = 3;
    element_operand(rdma, address(&source) + surface, 2 * surface, ElementSize::Bits32);
    (rdma.surface_notch, rdma.ew_surface_notch) = (surface as i32, surface as i32);
    let dpu = job.dpu.as_mut().unwrap();
    (dpu.combined, dpu.output_precision, dpu.out.to_float16) = (true, Precision::Float16, true);
    machine.task(&job);
    machine.run().expect("runs");
    let made = from_cube(&machine.bytes(&output), 16, PIXELS, f16::from_le_bytes);
    assert_eq!(made, each(&wide, &wide, |value, _| f16::from_f32(value)));
}

#[test]
fn half_precision_of_both_readers_becomes_bytes() {
    // 16 channels in 16 bits: surface 0 comes from the main reader, 1 from the other; one surface of bytes is made.
    let input = half_planes(12);
    let mut machine = Machine::new();
    let source = machine.buffer(&half_cube(&input));
    let output = machine.space(PIXELS * 16);
    let surface = PIXELS as u32 * 16;
    let mut job = copy_job(Precision::Float16, SIZE, address(&source), address(&output));
    let rdma = job.dpu_rdma.as_mut().unwrap();
    rdma.combined = 3;
    element_operand(rdma, address(&source) + surface, 2 * surface, ElementSize::Bits16);
    (rdma.surface_notch, rdma.ew_surface_notch) = (surface as i32, surface as i32);
    let dpu = job.dpu.as_mut().unwrap();
    (dpu.combined, dpu.output_precision) = (true, Precision::Int8);
    // Quantised by BS and BN: times 40, plus the zero point.
    (dpu.bs.bypass, dpu.bs.multiply_bypass, dpu.bs.multiply_operand) =
        (false, false, u32::from(f16::from_f32(40.0).to_bits()));
    (dpu.bn.bypass, dpu.bn.alu_bypass, dpu.bn.algorithm) = (false, false, AluAlgorithm::Add);
    dpu.bn.alu_operand = (-5f32).to_bits();
    machine.task(&job);
    machine.run().expect("runs");
    let made = from_cube(&machine.bytes(&output), 16, PIXELS, |[byte]: [u8; 1]| byte as i8);
    let expected =
        each(&input, &input, |value, _| (value.to_f32() * 40.0 - 5.0).round_ties_even().clamp(-128.0, 127.0) as i8);
    assert_eq!(made, expected);
    assert!(made.iter().flatten().any(|value| *value == 127), "the test must saturate");
}
