//! What the registers of a task say, each by itself and against each other.

use ferrite_rknpu::registers::field;
use ferrite_rknpu::typed::{Cna, ConvolutionMode, Core, Dpu, DpuRdma, Job, PoolingMethod, Ppu, PpuRdma, Precision};
use ferrite_rknpu::{Field, Soc, reg};

use super::{At, Kind, Report};
use crate::programs::Programs;

/// Bits without a field that the vendor's programs set: the top of CONV_CON2 with the rows of a slice, and a bit more than
/// CBUF_CON1's field where pixels are packed. Neither has an effect on results.
const USED: &[(u16, u32)] = &[(reg::cna::CONV_CON2, 0xff00_0000), (reg::cna::CBUF_CON1, 0x4000)];

pub(super) fn check(programs: &Programs<'_>, report: &mut Report) {
    for region in programs.regions() {
        let mut table_loaded = false;
        for task in programs.replay(region) {
            table_loaded &= !task.starts_submission;
            let mut at = At { programs, task: &task, report };
            match &task.job {
                Err(error) => at.record(Kind::BadProgram, error.to_string()),
                Ok(job) => {
                    table_loaded |= !job.lut.is_empty();
                    self::job(&mut at, job, table_loaded);
                }
            }
        }
    }
}

fn job(at: &mut At<'_, '_>, job: &Job, table_loaded: bool) {
    for rest in &job.rest {
        let used = USED.iter().find(|(register, _)| *register == rest.register).map_or(0, |(_, bits)| *bits);
        let bits = rest.bits & !used;
        if bits != 0 {
            at.register(Kind::ReservedBits, rest.register, None, format!("bits {bits:#010x} belong to no field"));
        }
    }
    if let (Some(cna), Some(core), Some(dpu)) = (&job.cna, &job.core, &job.dpu) {
        buffer(at, cna);
        convolution(at, cna, core, dpu);
        window(at, cna, core);
    }
    if let Some(dpu) = &job.dpu {
        pipeline(at, dpu, table_loaded);
        reader(at, dpu, job.dpu_rdma.as_ref());
    }
    if let (Some(ppu), Some(rdma)) = (&job.ppu, &job.ppu_rdma) {
        pooling(at, ppu, rdma);
    }
}

/// The convolution buffer's banks. Source: Mesa's rocket driver, 12 banks shared by features and weights.
fn buffer(at: &mut At<'_, '_>, cna: &Cna) {
    let banks = Soc::RK3588.convolution_buffer.map_or(0, |buffer| buffer.banks);
    let (data, weights) = (cna.data_banks, cna.weight_banks);
    if data + weights > banks {
        let message = format!("{data} banks for features and {weights} for weights, the buffer has {banks}");
        at.field(Kind::Limit, field::cna::cbuf_con0::WEIGHT_BANK, message);
    }
    for (count, field) in [(data, field::cna::cbuf_con0::DATA_BANK), (weights, field::cna::cbuf_con0::WEIGHT_BANK)] {
        if count == 0 {
            at.field(Kind::Limit, field, "no bank of the convolution buffer");
        }
    }
    if cna.fc_data_banks != 0 {
        at.field(Kind::Limit, field::cna::cbuf_con0::FC_DATA_BANK, "banks that corrupt the features of a convolution");
    }
}

/// What CNA, CORE and DPU say about one convolution.
fn convolution(at: &mut At<'_, '_>, cna: &Cna, core: &Core, dpu: &Dpu) {
    use field::{cna as c, core as k, dpu as d};
    if Soc::RK3588.precisions.iter().all(|known| known.code() != cna.input_precision.code()) {
        let message = format!("{:?} is no type of features or weights", cna.input_precision);
        at.field(Kind::Limit, c::conv_con1::IN_PRECISION, message);
    }
    if let ConvolutionMode::Unknown(code) = cna.mode {
        at.field(Kind::UnknownCode, c::conv_con1::CONV_MODE, format!("code {code} has no known meaning"));
    }
    if let Err(code) = cna.packed_channels() {
        at.field(Kind::UnknownCode, c::conv_con1::ARGB_IN, format!("code {code} has no known meaning"));
    }
    let depthwise = cna.mode == ConvolutionMode::Depthwise;
    let mut equal = |field: Field, value: u32, other: &str, expected: u32| {
        if value != expected {
            at.field(Kind::Disagreement, field, format!("{value}, but {other} says {expected}"));
        }
    };
    equal(c::data_size2::DATAOUT_WIDTH, cna.output_width, "CORE", core.output_width);
    let pixels = core.output_width.saturating_mul(core.output_height);
    equal(c::data_size3::DATAOUT_ATOMICS, cna.output_pixels, "CORE", pixels);
    equal(k::dataout_size_0::DATAOUT_WIDTH, core.output_width, "the DPU", dpu.width);
    equal(k::dataout_size_0::DATAOUT_HEIGHT, core.output_height, "the DPU", dpu.height);
    equal(k::dataout_size_1::DATAOUT_CHANNEL, core.output_channels, "the DPU", dpu.channels);
    equal(c::conv_con1::PROC_PRECISION, cna.processing_precision.code(), "IN_PRECISION", cna.input_precision.code());
    equal(k::misc_cfg::PROC_PRECISION, core.processing_precision.code(), "the CNA", cna.input_precision.code());
    equal(k::misc_cfg::DW_EN, u32::from(core.depthwise), "CONV_MODE", u32::from(depthwise));
    equal(d::feature_mode_cfg::CONV_MODE, dpu.convolution_mode.code(), "the CNA", cna.mode.code());
    equal(d::feature_mode_cfg::FLYING_MODE, u32::from(dpu.flying), "a convolution", 0);
    let kernels = if depthwise { 1 } else { cna.kernels };
    equal(
        c::weight_size0::WEIGHT_BYTES,
        cna.weight_bytes,
        "WEIGHT_BYTES_PER_KERNEL times the kernels",
        cna.kernel_bytes.saturating_mul(kernels),
    );
}

/// The output that a window makes of the input, one axis at a time.
fn window(at: &mut At<'_, '_>, cna: &Cna, core: &Core) {
    use field::cna::{conv_con3, data_size0, pad_con0, weight_size2};
    let axes = [
        (
            cna.width,
            cna.deconvolution_x,
            (cna.kernel_width - u32::from(cna.kernel_width > 0)) * cna.dilation_x,
            cna.stride_x,
            cna.pad_left,
            core.output_width,
            [data_size0::DATAIN_WIDTH, conv_con3::CONV_X_STRIDE, pad_con0::PAD_LEFT, weight_size2::WEIGHT_WIDTH],
        ),
        (
            cna.height,
            cna.deconvolution_y,
            (cna.kernel_height - u32::from(cna.kernel_height > 0)) * cna.dilation_y,
            cna.stride_y,
            cna.pad_top,
            core.output_height,
            [data_size0::DATAIN_HEIGHT, conv_con3::CONV_Y_STRIDE, pad_con0::PAD_TOP, weight_size2::WEIGHT_HEIGHT],
        ),
    ];
    // A stride of 0 repeats one window: so the compiler spreads a vector.
    for (size, inserted, reach, stride, pad, output, [size_field, stride_field, pad_field, kernel_field]) in axes {
        if size == 0 {
            at.field(Kind::Geometry, size_field, "an input without pixels");
            continue;
        }
        let kernel = if size_field == data_size0::DATAIN_WIDTH { cna.kernel_width } else { cna.kernel_height };
        if kernel == 0 {
            at.field(Kind::Geometry, kernel_field, "a kernel without elements");
            continue;
        }
        if pad > reach {
            at.field(Kind::Geometry, pad_field, format!("{pad} of padding, the window reaches only {reach} back"));
        }
        // The last window ends inside the input or in padding on the other side, which no register holds.
        let input = i64::from((size - 1) * inserted + 1);
        let last = i64::from(output - 1) * i64::from(stride) - i64::from(pad);
        if last >= input + i64::from(inserted) {
            let message = format!("the last of {output} windows starts at {last}, the input ends at {input}");
            at.field(Kind::Geometry, size_field, message);
        }
        let unused = input - (last + i64::from(reach) + 1);
        if size_field == data_size0::DATAIN_WIDTH && stride > 0 && unused >= i64::from(stride) + 15 {
            let message = format!("{output} windows {stride} apart leave {unused} of {size} columns unread");
            at.field(Kind::Geometry, stride_field, message);
        }
    }
}

fn pipeline(at: &mut At<'_, '_>, dpu: &Dpu, table_loaded: bool) {
    use field::dpu as d;
    for (precision, field) in [
        (dpu.processing_precision, d::data_format::PROC_PRECISION),
        (dpu.output_precision, d::data_format::OUT_PRECISION),
    ] {
        if matches!(precision, Precision::Unknown(_) | Precision::TensorFloat32) {
            at.field(Kind::Limit, field, format!("{precision:?} is no type of the pipeline"));
        }
    }
    if !matches!(dpu.minmax, 0 | 7) {
        at.field(
            Kind::UnknownCode,
            d::data_cube_height::MINMAX_CTL,
            format!("code {} has no known meaning", dpu.minmax),
        );
    }
    if !dpu.ew.bypass && !dpu.ew.lut_bypass && !table_loaded {
        at.field(Kind::TableNotLoaded, d::ew_cfg::EW_LUT_BYPASS, "a lookup table is used that no task before it fills");
    }
}

/// DPU_RDMA against the DPU.
fn reader(at: &mut At<'_, '_>, dpu: &Dpu, rdma: Option<&DpuRdma>) {
    use field::{dpu as d, dpu_rdma as r};
    let Some(rdma) = rdma else {
        if dpu.flying {
            at.field(Kind::Hang, d::feature_mode_cfg::FLYING_MODE, "the data come from DPU_RDMA, which is not started");
        }
        return;
    };
    if dpu.flying && (!rdma.flying || rdma.main_disable) {
        at.field(
            Kind::Hang,
            r::rdma_feature_mode_cfg::MRDMA_DISABLE,
            "the DPU waits for data that DPU_RDMA does not read",
        );
    }
    // A main reader that is on without anybody to take its data blocks the task (facts of published hardware sweeps).
    if !dpu.flying && !rdma.main_disable && rdma.combined == 0 {
        at.field(Kind::Hang, r::rdma_feature_mode_cfg::MRDMA_DISABLE, "data are read that nobody takes");
    }
    let wanted = !dpu.ew.bypass && !dpu.ew.operation_bypass && dpu.ew.from_memory;
    if wanted && rdma.ew_disable && rdma.combined == 0 {
        at.field(Kind::Hang, r::rdma_erdma_cfg::ERDMA_DISABLE, "EW waits for an operand that DPU_RDMA does not read");
    }
}

fn pooling(at: &mut At<'_, '_>, ppu: &Ppu, rdma: &PpuRdma) {
    use field::ppu as p;
    if let PoolingMethod::Unknown(code) = ppu.method {
        at.field(Kind::UnknownCode, p::operation_mode_cfg::POOLING_METHOD, format!("code {code} has no known meaning"));
    }
    let axes = [
        (
            ppu.input_width,
            ppu.kernel_width,
            ppu.stride_x,
            ppu.pad_left,
            ppu.output_width,
            rdma.width,
            p::data_cube_out_width::CUBE_OUT_WIDTH,
        ),
        (
            ppu.input_height,
            ppu.kernel_height,
            ppu.stride_y,
            ppu.pad_top,
            ppu.output_height,
            rdma.height,
            p::data_cube_out_height::CUBE_OUT_HEIGHT,
        ),
    ];
    for (size, kernel, stride, pad, output, read, field) in axes {
        if read != size {
            at.field(Kind::Disagreement, field, format!("PPU_RDMA reads {read}, the PPU takes {size}"));
        }
        if pad >= kernel && pad > 0 {
            at.field(Kind::Geometry, field, format!("{pad} of padding before a window of {kernel}"));
        }
        let last = i64::from(output - 1) * i64::from(stride) - i64::from(pad);
        if last >= i64::from(size) {
            let message = format!("the last of {output} windows starts at {last}, the input ends at {size}");
            at.field(Kind::Geometry, field, message);
        }
    }
}
