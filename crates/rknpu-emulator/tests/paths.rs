//! Every vector unit gives the same bits: random tasks on the portable code and on what this processor has.

mod common;

use arbtest::arbitrary::{Result, Unstructured};
use arbtest::arbtest;
use common::{Convolution, Machine, address, copy_job, element_operand, pooling, with_operand_reader};
use ferrite_rknpu::typed::{
    AluAlgorithm, Dpu, DpuRdma, ElementSize, Job, LutStage, LutWrite, PoolingMethod, Precision, ScaleStage,
};
use ferrite_rknpu_emulator::{Limits, LutIndex, Options, Rounding, Vector};

/// Bytes that tasks read, and as many that they write.
const BYTES: usize = 1 << 16;

fn stage(u: &mut Unstructured<'_>, float: bool, operands: bool) -> Result<ScaleStage> {
    let mut stage = ScaleStage {
        alu_bypass: u.ratio(1, 3)?,
        multiply_bypass: u.ratio(1, 3)?,
        relu_bypass: u.arbitrary()?,
        relux: u.ratio(1, 4)?,
        prelu: u.ratio(1, 3)?,
        alu_from_memory: operands && u.arbitrary()?,
        multiply_from_memory: operands && u.arbitrary()?,
        alu_operand: u.arbitrary()?,
        multiply_operand: u32::from(u.arbitrary::<u16>()?),
        relux_limit: u.arbitrary()?,
        shift: if float { 0 } else { u.int_in_range(0..=40)? },
        ..ScaleStage::default()
    };
    let algorithms = [AluAlgorithm::Max, AluAlgorithm::Min, AluAlgorithm::Add, AluAlgorithm::Subtract];
    stage.algorithm = if float && u.ratio(1, 8)? { AluAlgorithm::Divide } else { *u.choose(&algorithms)? };
    stage.bypass = u.ratio(1, 4)?;
    Ok(stage)
}

/// Random operations for a DPU; `operands` is where records of all three per-channel operands lie.
fn operations(u: &mut Unstructured<'_>, dpu: &mut Dpu, rdma: Option<&mut DpuRdma>, operands: u32) -> Result<()> {
    let float = dpu.processing_precision.is_float();
    let from_memory = rdma.is_some();
    dpu.bs = stage(u, float, from_memory)?;
    dpu.bn = stage(u, float, from_memory)?;
    (dpu.bs_negative_shift, dpu.bn_negative_shift) = (u.int_in_range(0..=40)?, u.int_in_range(0..=40)?);
    if let Some(rdma) = rdma {
        (rdma.bs_use, rdma.bs_address, rdma.bn_use, rdma.bn_address) = (7, operands, 7, operands + 512);
        if dpu.processing_precision != Precision::Float32 && u.arbitrary()? {
            let size =
                if dpu.processing_precision == Precision::Int8 { ElementSize::Bits8 } else { ElementSize::Bits16 };
            element_operand(rdma, operands, dpu.width * dpu.height * 16, size);
            rdma.ew_data_mode = u.int_in_range(0..=1)?;
            let ew = &mut dpu.ew;
            (ew.bypass, ew.operation_bypass, ew.from_memory) = (false, false, true);
            (ew.multiply, ew.prelu, ew.converter_bypass) = (u.arbitrary()?, u.arbitrary()?, u.arbitrary()?);
            ew.algorithm = *u.choose(&[AluAlgorithm::Max, AluAlgorithm::Add, AluAlgorithm::Subtract])?;
            if !float {
                (ew.converter_offset, ew.converter_offset_first) = (u.arbitrary()?, u.arbitrary()?);
                (ew.converter_scale, ew.converter_shift) = (i32::from(u.arbitrary::<i16>()?), u.int_in_range(0..=30)?);
                ew.truncate = u.int_in_range(0..=20)?;
                dpu.ew_negative_truncate = ew.truncate;
            }
        }
    }
    if u.arbitrary()? {
        (dpu.ew.bypass, dpu.ew.lut_bypass) = (false, false);
        let slope = |u: &mut Unstructured<'_>| Ok((i32::from(u.arbitrary::<i16>()?), u.int_in_range(0..=31)?));
        let ((below, below_by), (above, above_by)) = (slope(u)?, slope(u)?);
        dpu.lut = LutStage {
            mode: 0x68,
            le_index_select: 5,
            lo_index_select: 5,
            le_start: -16384,
            lo_end: 16384,
            le_underflow_scale: below,
            le_underflow_shift: below_by,
            lo_overflow_scale: above,
            lo_overflow_shift: above_by,
            ..dpu.lut.clone()
        };
    }
    dpu.ew.relu_bypass = u.arbitrary()?;
    if float {
        dpu.out.minus_exponent = if u.arbitrary()? { u.int_in_range(0..=40)? } else { 0 };
    } else {
        (dpu.out.scale, dpu.out.shift) = (i32::from(u.arbitrary::<i16>()?), u.int_in_range(0..=40)?);
        dpu.out.offset = i32::from(u.arbitrary::<i16>()?);
        if u.ratio(1, 5)? {
            dpu.output_precision = Precision::Float16;
            dpu.out.minus_exponent = u.int_in_range(0..=30)?;
        }
    }
    if dpu.output_precision.bytes() != dpu.processing_precision.bytes() {
        dpu.group_surfaces = 1;
    }
    Ok(())
}

fn tables(u: &mut Unstructured<'_>) -> Result<Vec<LutWrite>> {
    let (mut state, step) = (u.arbitrary::<i16>()?, u.arbitrary::<i16>()?);
    let mut next = || {
        state = state.wrapping_mul(25_173).wrapping_add(step);
        state
    };
    Ok((0..2)
        .flat_map(|table| (0..513).map(move |index| (table, index)))
        .map(|(table, index)| LutWrite { table, index, value: next() })
        .collect())
}

fn padded(channels: u32, group: u32, smallest: u32) -> u32 {
    let rest = channels % group;
    channels / group * group + if rest == 0 { 0 } else { rest.next_power_of_two().max(smallest) }
}

fn convolution(u: &mut Unstructured<'_>, memory: u32, destination: u32) -> Result<Job> {
    let precision = *u.choose(&[Precision::Int8, Precision::Float16, Precision::BFloat16])?;
    let depthwise = u.ratio(1, 3)?;
    let channels = u.int_in_range(1..=70)?;
    let kernel = (u.int_in_range(1..=4)?, u.int_in_range(1..=4)?);
    let pad = (u.int_in_range(0..=2)?, u.int_in_range(0..=2)?, u.int_in_range(0..=2)?, u.int_in_range(0..=2)?);
    let dilation = (u.int_in_range(1..=2)?, u.int_in_range(1..=2)?);
    let shape = Convolution {
        precision,
        depthwise,
        input: (u.int_in_range(8..=14)?, u.int_in_range(8..=14)?, channels),
        outputs: if depthwise { channels } else { u.int_in_range(1..=50)? },
        kernel,
        stride: (u.int_in_range(1..=3)?, u.int_in_range(1..=3)?),
        dilation,
        pad,
    };
    let bytes = precision.bytes().unwrap_or(1);
    let (group, smallest) = match (depthwise, bytes) {
        (true, 2) => (32, 8),
        (true, _) => (64, 16),
        (false, 2) => (32, 8),
        (false, _) => (32, 16),
    };
    let kernel_bytes = padded(channels, group, smallest) * kernel.0 * kernel.1 * bytes;
    let weights = vec![0; (kernel_bytes * if depthwise { 1 } else { shape.outputs }) as usize];
    let mut job = shape.job(memory, &weights, memory + 64, destination);
    let cna = job.cna.get_or_insert_default();
    if precision == Precision::Int8 {
        cna.pad_value = u.arbitrary()?;
        if u.arbitrary()? {
            (cna.converter_bypass, cna.data_signed) = (false, u.arbitrary()?);
            cna.converter_offset_first = u.arbitrary()?;
            (cna.converter_scale_0, cna.converter_shift_0) =
                (i32::from(u.arbitrary::<i16>()?), u.int_in_range(0..=20)?);
            (cna.converter_scale_1, cna.converter_offset_1) = (1, i32::from(u.arbitrary::<i8>()?));
        }
    }
    if channels <= 4 && !depthwise {
        (cna.argb_code, cna.nonaligned_dma) = (7 + channels, true);
        cna.line_stride = cna.width;
    }
    let rdma = with_operand_reader(&mut job).clone();
    let mut rdma = rdma;
    let dpu = job.dpu.get_or_insert_default();
    operations(u, dpu, Some(&mut rdma), memory + 4096)?;
    if precision == Precision::Int8 && u.arbitrary()? {
        (dpu.correction_bypass, dpu.correction_from_memory) = (false, u.arbitrary()?);
        dpu.correction = i32::from(u.arbitrary::<i16>()?);
    }
    job.dpu_rdma = Some(rdma);
    Ok(job)
}

fn flying(u: &mut Unstructured<'_>, memory: u32, destination: u32) -> Result<Job> {
    let precisions = [Precision::Int8, Precision::Int16, Precision::Float16, Precision::BFloat16, Precision::Float32];
    let precision = *u.choose(&precisions)?;
    let size = (u.int_in_range(1..=13)?, u.int_in_range(1..=13)?, u.int_in_range(1..=50)?);
    let mut job = copy_job(precision, size, memory, destination);
    let mut rdma = job.dpu_rdma.take().unwrap_or_default();
    rdma.line_notch = u.int_in_range(0..=2)?;
    let dpu = job.dpu.get_or_insert_default();
    operations(u, dpu, Some(&mut rdma), memory + 4096)?;
    if precision.is_float() && u.ratio(1, 3)? {
        let formats = [Precision::Float16, Precision::BFloat16, Precision::Float32, Precision::Int16, Precision::Int8];
        dpu.output_precision = *u.choose(&formats)?;
    }
    job.dpu_rdma = Some(rdma);
    Ok(job)
}

fn pool(u: &mut Unstructured<'_>, memory: u32, destination: u32) -> Result<Job> {
    let precision = *u.choose(&[Precision::Int8, Precision::Float16])?;
    let size = (u.int_in_range(1..=9)?, u.int_in_range(1..=9)?, u.int_in_range(1..=40)?);
    let mut job = pooling(precision, size, (size.0, size.1), memory, destination);
    let ppu = job.ppu.get_or_insert_default();
    ppu.method = *u.choose(&[PoolingMethod::Max, PoolingMethod::Average])?;
    (ppu.kernel_width, ppu.kernel_height) = (u.int_in_range(1..=5)?, u.int_in_range(1..=5)?);
    (ppu.pad_left, ppu.pad_top) = (u.int_in_range(0..=2)?, u.int_in_range(0..=2)?);
    (ppu.reciprocal_width, ppu.reciprocal_height) = (0x7155, u.int_in_range(0x7000..=0x7bff)?);
    Ok(job)
}

/// What a job leaves in memory, or its error.
fn outcome(options: Options, input: &[u8], make: &dyn Fn(u32, u32) -> Job) -> std::result::Result<Vec<u8>, String> {
    let mut machine = Machine::with(options, Limits::default());
    let memory = machine.buffer(input);
    let output = machine.space(BYTES);
    machine.task(&make(address(&memory), address(&output)));
    // Twice: what was kept from the first time must not matter.
    let runs = machine.run().and_then(|()| machine.run());
    runs.map(|()| machine.bytes(&output)).map_err(|error| format!("{error:?}"))
}

fn compare(u: &mut Unstructured<'_>, ran: &mut u32) -> Result<()> {
    let options = Options {
        rounding: *u.choose(&[Rounding::HalfEven, Rounding::HalfAway, Rounding::Floor])?,
        lut_index: *u.choose(&[LutIndex::Fractional, LutIndex::Rounded])?,
        ..Options::default()
    };
    let seed: u32 = u.arbitrary()?;
    let input: Vec<u8> = if u.arbitrary()? {
        common::numbers(seed).take(BYTES).map(|number| number as u8).collect()
    } else {
        // Half-precision numbers of ordinary size.
        let halves = common::numbers(seed).take(BYTES / 2);
        halves.flat_map(|number| half::f16::from_f32(number as f32 / 16.0).to_le_bytes()).collect()
    };
    // The same choices for both machines: addresses do not change from one to the next.
    let kind = u.int_in_range(0..=5)?;
    let lut = tables(u)?;
    let choices = u.bytes(u.len())?;
    let job = |memory: u32, destination: u32| {
        let mut u = Unstructured::new(choices);
        let made = match kind {
            0..=2 => convolution(&mut u, memory, destination),
            3 | 4 => flying(&mut u, memory, destination),
            _ => pool(&mut u, memory, destination),
        };
        let mut job = made.unwrap_or_else(|_| copy_job(Precision::Int8, (4, 4, 16), memory, destination));
        if job.dpu.is_some() {
            job.lut = lut.clone();
        }
        job
    };
    let reference = outcome(Options { vector: Vector::Portable, ..options.clone() }, &input, &job);
    let detected = outcome(options, &input, &job);
    *ran += u32::from(reference.is_ok());
    assert!(reference == detected, "{:#?}\n{:?}", job(0, 0), reference.as_ref().err());
    Ok(())
}

#[test]
fn every_vector_unit_gives_the_same_bits() {
    let mut ran = 0;
    arbtest(|u| compare(u, &mut ran)).size_min(256).size_max(4096).budget_ms(6000);
    assert!(ran > 50, "only {ran} tasks ran");
}
