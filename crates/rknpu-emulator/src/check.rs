//! What is looked at before a task runs: whether everything it asks for is modelled, and what it costs.

use ferrite_rknpu::reg;
use ferrite_rknpu::typed::{
    Cna, ConvolutionMode, Core, Dpu, DpuRdma, Job, PoolingMethod, Ppu, PpuRdma, Precision, RawBits, ranges,
};

use crate::conv::shape::Shape;
use crate::error::Error;
use crate::task::refusal;

/// What a task costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cost {
    pub(crate) bytes: u64,
    pub(crate) macs: u64,
    pub(crate) working_bytes: u64,
}

/// Collects the first complaint.
struct Check {
    task: usize,
    first: Option<Error>,
}

impl Check {
    /// Complains unless `fine`.
    fn expect(&mut self, fine: bool, register: u16, value: impl Into<u32>, reason: &'static str) {
        if !fine && self.first.is_none() {
            self.first = Some(refusal(self.task, register, value.into(), reason));
        }
    }

    fn zero(&mut self, register: u16, value: impl Into<u32>, reason: &'static str) {
        let value = value.into();
        self.expect(value == 0, register, value, reason);
    }
}

/// Register bits without a typed field that have no effect in any program seen: the top bits of CONV_CON2 count the rows of
/// a slice; DATA_ENTRIES counts all pixels of a slice where pixels are packed (320 x 70 in zoo: `ocr4det`), which takes a
/// bit more than its field.
const WITHOUT_EFFECT: &[(u16, u32)] = &[(reg::cna::CONV_CON2, 0xff00_0000), (reg::cna::CBUF_CON1, 0x4000)];

/// Refuses what is not modelled.
///
/// # Errors
/// [`Error::NotModelled`] with the first such value.
pub(crate) fn modelled(task: usize, job: &Job) -> Result<(), Error> {
    let mut check = Check { task, first: None };
    for RawBits { register, bits, .. } in &job.rest {
        let known = WITHOUT_EFFECT.iter().find(|(at, _)| at == register).map_or(0, |(_, bits)| *bits);
        check.zero(*register, bits & !known, "bits without a known meaning");
    }
    let convolution = job.cna.is_some() && job.core.is_some() && job.dpu.is_some();
    let global = reg::pc::OPERATION_ENABLE;
    check.expect(
        convolution || job.cna.is_none() && job.core.is_none(),
        global,
        job.enable.0,
        "CNA, CORE and DPU work together",
    );
    check.expect(job.ppu.is_some() == job.ppu_rdma.is_some(), global, job.enable.0, "PPU and PPU_RDMA work together");
    check.expect(job.dpu.is_some() || job.dpu_rdma.is_none(), global, job.enable.0, "DPU_RDMA without the DPU");
    check.expect(job.dpu.is_none() || job.ppu.is_none(), global, job.enable.0, "DPU and PPU in one task");
    if let (Some(cna), Some(core), Some(dpu)) = (&job.cna, &job.core, &job.dpu) {
        cna_checks(&mut check, cna, core);
        core_checks(&mut check, cna, core, dpu);
    }
    if let Some(dpu) = &job.dpu {
        dpu_checks(&mut check, dpu, job);
        stage_checks(&mut check, dpu);
    }
    if let (Some(dpu), Some(rdma)) = (&job.dpu, &job.dpu_rdma) {
        rdma_checks(&mut check, dpu, rdma);
    }
    if let (Some(ppu), Some(rdma)) = (&job.ppu, &job.ppu_rdma) {
        ppu_checks(&mut check, ppu, rdma);
    }
    check.first.map_or(Ok(()), Err)
}

fn cna_checks(check: &mut Check, cna: &Cna, core: &Core) {
    use reg::cna::*;
    let precision = cna.input_precision;
    let known = matches!(precision, Precision::Int8 | Precision::Float16 | Precision::BFloat16);
    check.expect(known, CONV_CON1, precision.code(), "IN_PRECISION");
    check.expect(cna.processing_precision == precision, CONV_CON1, cna.processing_precision.code(), "PROC_PRECISION");
    check.expect(!matches!(cna.mode, ConvolutionMode::Unknown(_)), CONV_CON1, cna.mode.code(), "CONV_MODE");
    match cna.packed_channels() {
        Err(code) => check.expect(false, CONV_CON1, code, "ARGB_IN"),
        Ok(Some(channels)) => {
            check.expect(
                channels == cna.real_channels(),
                DATA_SIZE1,
                cna.channels,
                "real channels other than ARGB_IN's",
            );
            check.expect(cna.nonaligned_dma, CONV_CON1, 0u32, "ARGB_IN without NONALIGN_DMA");
        }
        Ok(None) => check.zero(CONV_CON1, cna.nonaligned_dma, "NONALIGN_DMA without ARGB_IN"),
    }
    for (value, what) in
        [(cna.fifo_reset, "CMD_FIFO_SRST"), (cna.data_only, "CSC_DO_EN"), (cna.weights_only, "CSC_WO_EN")]
    {
        check.zero(CONV_CON2, value, what);
    }
    check.zero(CONV_CON2, cna.kernel_group, "KERNEL_GROUP");
    check.zero(CONV_CON3, cna.nn_mode, "NN_MODE");
    check.zero(DATA_SIZE3, cna.surface_mode, "SURF_MODE");
    let inserted = cna.deconvolution || cna.deconvolution_x == 1 && cna.deconvolution_y == 1;
    check.expect(inserted, CONV_CON3, cna.deconvolution_x, "a DECONV stride without DECONV");
    check.expect(cna.width != 0 && cna.height != 0, DATA_SIZE0, 0u32, "an input without pixels");
    let real = cna.real_channels() != 0 && cna.real_channels_code < 64;
    check.expect(real, DATA_SIZE1, cna.real_channels_code, "real channels that do not go with the padded ones");
    let window = cna.kernel_width != 0 && cna.kernel_height != 0;
    check.expect(window && cna.kernels != 0, WEIGHT_SIZE2, 0u32, "an empty kernel");
    check.expect(cna.output_width == core.output_width, DATA_SIZE2, cna.output_width, "another width than CORE's");
    let pixels = core.output_width.saturating_mul(core.output_height);
    check.expect(cna.output_pixels == pixels, DATA_SIZE3, cna.output_pixels, "another number of pixels than CORE's");
    let kernels = if cna.mode == ConvolutionMode::Depthwise { 1 } else { core.output_channels };
    check.expect(cna.kernels <= kernels, WEIGHT_SIZE2, cna.kernels, "more kernels than output channels");
    check.zero(CBUF_CON0, cna.fc_data_banks, "FC_DATA_BANK");
    if precision.is_float() {
        check.expect(cna.converter_bypass, CVT_CON0, 0u32, "input conversion of floating-point features");
        check.zero(PAD_CON1, cna.pad_value, "a padding value of floating-point features");
    }
    check.zero(FC_CON0, cna.fc_skip, "FC_SKIP_EN");
    check.zero(FC_CON0, cna.fc_skip_data, "FC_SKIP_DATA");
    check.zero(FC_CON1, cna.fc_data_offset, "DATA_OFFSET");
    check.zero(FC_CON2, cna.fc_weight_offset, "WEIGHT_OFFSET");
    check.zero(DCOMP_CTRL, cna.decompression, "compressed weights");
    check.zero(DCOMP_REGNUM, cna.decompression_registers, "compressed weights");
}

fn core_checks(check: &mut Check, cna: &Cna, core: &Core, dpu: &Dpu) {
    use reg::core::*;
    check.zero(CLIP_TRUNCATE, core.clip_truncate, "a shift of the accumulator");
    let precision = core.processing_precision;
    check.expect(precision == cna.input_precision, MISC_CFG, precision.code(), "another PROC_PRECISION than CNA's");
    let depthwise = cna.mode == ConvolutionMode::Depthwise;
    check.expect(core.depthwise == depthwise, MISC_CFG, core.depthwise, "DW_EN against CNA's CONV_MODE");
    let size = (core.output_width, core.output_height) == (dpu.width, dpu.height);
    check.expect(size, DATAOUT_SIZE_0, core.output_width, "another output size than the DPU's");
    check.expect(
        core.output_channels == dpu.channels,
        DATAOUT_SIZE_1,
        core.output_channels,
        "another channel count than the DPU's",
    );
    check.expect(!dpu.flying, reg::dpu::FEATURE_MODE_CFG, 1u32, "FLYING_MODE behind a convolution");
    let same = dpu.convolution_mode == cna.mode;
    check.expect(same, reg::dpu::FEATURE_MODE_CFG, dpu.convolution_mode.code(), "another CONV_MODE than CNA's");
    let type_kept = dpu.processing_precision.is_float() == cna.input_precision.is_float();
    check.expect(
        type_kept,
        reg::dpu::DATA_FORMAT,
        dpu.processing_precision.code(),
        "another kind of PROC_PRECISION than CNA's",
    );
}

fn dpu_checks(check: &mut Check, dpu: &Dpu, job: &Job) {
    use reg::dpu::*;
    let precision = dpu.processing_precision;
    let known = matches!(
        precision,
        Precision::Int8 | Precision::Int16 | Precision::Float16 | Precision::BFloat16 | Precision::Float32
    );
    check.expect(known, DATA_FORMAT, precision.code(), "PROC_PRECISION");
    check.expect(!dpu.flying || job.dpu_rdma.is_some(), FEATURE_MODE_CFG, 1u32, "FLYING_MODE without DPU_RDMA");
    check.expect(dpu.flying || job.cna.is_some(), FEATURE_MODE_CFG, 0u32, "no main data");
    check.expect(dpu.output_mode == 2, FEATURE_MODE_CFG, dpu.output_mode, "OUTPUT_MODE other than 2");
    check.expect(dpu.rgp_type == 0 || dpu.kept_bytes().is_some(), FEATURE_MODE_CFG, dpu.rgp_type, "RGP_TYPE");
    check.zero(DATA_FORMAT, dpu.mc_surface_out, "MC_SURF_OUT");
    check.zero(BS_OW_CFG, dpu.rgp_counter, "RGP_CNTER");
    let wide = dpu.output_precision.bytes() == Some(4);
    check.expect(!wide || dpu.offset_pend == 0, OFFSET_PEND, dpu.offset_pend, "OFFSET_PEND of 32-bit output");
    check.expect(matches!(dpu.minmax, 0 | 7), DATA_CUBE_HEIGHT, dpu.minmax, "MINMAX_CTL");
    let packed = dpu.nonaligned && dpu.minmax == 0;
    check.expect(dpu.nonaligned || dpu.minmax == 0, FEATURE_MODE_CFG, 0u32, "MINMAX_CTL without NONALIGN");
    let plain = !dpu.transpose && !dpu.transpose_lanes && dpu.channels == dpu.original_channels;
    let atoms = dpu.output_precision.bytes() == Some(2) && dpu.channels == 8;
    let fits = plain && if dpu.kept_bytes().is_some() { atoms } else { wide };
    let known = "NONALIGN without MINMAX_CTL of other than whole 32-bit pixels or, with RGP_TYPE, single atoms";
    check.expect(!packed || fits, FEATURE_MODE_CFG, 1u32, known);
    check.expect(packed || dpu.rgp_type == 0, FEATURE_MODE_CFG, dpu.rgp_type, "RGP_TYPE without NONALIGN");
    check.expect(dpu.minmax == 0 || dpu.height == 1, DATA_CUBE_HEIGHT, dpu.height, "MINMAX_CTL of several rows");
    let transposes = u32::from(dpu.transpose) + u32::from(dpu.transpose_lanes) + u32::from(dpu.minmax != 0);
    check.expect(transposes <= 1, BS_OW_CFG, transposes, "TP_EN, TP_ORG_EN and MINMAX_CTL exclude each other");
    let lanes = dpu.output_precision.bytes() == Some(2);
    check.expect(
        lanes || !(dpu.transpose || dpu.transpose_lanes),
        DATA_FORMAT,
        dpu.output_precision.code(),
        "a transpose of other than 16-bit data",
    );
    let exclusive = dpu.correction_bypass || job.cna.as_ref().is_some_and(|cna| !cna.input_precision.is_float());
    check.expect(exclusive, BS_OW_CFG, 0u32, "zero-point correction without an integer convolution");
    if precision.is_float() {
        check.expect(dpu.out.scale == 1, OUT_CVT_SCALE, dpu.out.scale as u32, "a factor of a floating-point pipeline");
        check.zero(OUT_CVT_SHIFT, dpu.out.shift, "a shift of a floating-point pipeline");
        let offset = dpu.out.minus_exponent != 0 || dpu.out.offset == 0;
        check.expect(offset, OUT_CVT_OFFSET, dpu.out.offset as u32, "an offset of a floating-point pipeline");
    } else {
        let power = dpu.out.minus_exponent == 0 || dpu.output_precision.is_float();
        check.expect(power, OUT_CVT_SHIFT, dpu.out.minus_exponent, "MINUS_EXP of an integer output");
    }
}

fn stage_checks(check: &mut Check, dpu: &Dpu) {
    use reg::dpu::*;
    for (stage, config, multiply) in [(&dpu.bs, BS_CFG, BS_MUL_CFG), (&dpu.bn, BN_CFG, BN_MUL_CFG)] {
        if stage.bypass {
            continue;
        }
        check.zero(multiply, stage.truncate_source, "TRUNCATE_SRC");
        let fine = stage.alu_bypass || !matches!(stage.algorithm, ferrite_rknpu::typed::AluAlgorithm::Unknown(_));
        check.expect(fine, config, stage.algorithm.code(), "ALU_ALGO");
        if dpu.processing_precision.is_float() && !stage.multiply_bypass {
            check.zero(multiply, stage.shift, "a shift of a floating-point pipeline");
        }
    }
    let ew = &dpu.ew;
    if ew.bypass {
        return;
    }
    check.zero(EW_CFG, ew.equal, "EW_EQUAL_EN");
    check.zero(EW_CFG, ew.binary, "EW_BINARY_EN");
    if !ew.lut_bypass {
        let lut = &dpu.lut;
        check.expect(lut.mode == 0x68, LUT_CFG, lut.mode, "table modes other than 0x68");
        let selects = lut.le_index_select == 5 && lut.lo_index_select == 5;
        check.expect(selects, LUT_INFO, lut.le_index_select, "INDEX_SELECT other than 5");
        let ends = lut.le_end == 0 && lut.lo_start == 0 && lut.le_start == -16384 && lut.lo_end == 16384;
        check.expect(ends, LUT_LE_START, lut.le_start as u32, "tables that do not meet at zero and reach 16384");
    }
    if ew.operation_bypass {
        return;
    }
    if dpu.processing_precision.is_float() {
        let converter = ew.converter_offset == 0 && ew.converter_scale == 1 && ew.converter_shift == 0;
        check.expect(
            ew.converter_bypass || converter,
            EW_CVT_SCALE_VALUE,
            ew.converter_scale as u32,
            "operand conversion in floating point",
        );
        check.expect(ew.reads_operand() || !ew.multiply, EW_CFG, 0u32, "a factor from the register in floating point");
    } else if ew.multiply {
        let symmetric = dpu.ew_negative_truncate == 0 || dpu.ew_negative_truncate == ew.truncate;
        check.expect(symmetric, DATA_FORMAT, dpu.ew_negative_truncate, "EW_TRUNCATE_NEG");
    }
}

fn rdma_checks(check: &mut Check, dpu: &Dpu, rdma: &DpuRdma) {
    use reg::dpu_rdma::*;
    check.expect(rdma.bs_use < 8, RDMA_BRDMA_CFG, rdma.bs_use, "BRDMA_DATA_USE");
    check.expect(rdma.bn_use < 8, RDMA_NRDMA_CFG, rdma.bn_use, "NRDMA_DATA_USE");
    check.zero(RDMA_ERDMA_CFG, rdma.ew_nonaligned, "ERDMA_NONALIGN");
    check.zero(RDMA_ERDMA_CFG, rdma.ew_surface_mode, "ERDMA_SURF_MODE");
    check.zero(RDMA_SRC_DMA_CFG, rdma.pooling_method, "POOLING_METHOD");
    let padded = rdma.pad_left != 0 || rdma.pad_top != 0 || rdma.pad_value != 0;
    check.zero(RDMA_PAD_CFG, padded, "padding of the main data");
    if dpu.flying {
        check.expect(
            rdma.flying && !rdma.main_disable,
            RDMA_FEATURE_MODE_CFG,
            0u32,
            "FLYING_MODE of DPU_RDMA against the DPU's",
        );
        // The reader's type is the type of the main data; half precision and bfloat16 meet in one pipeline.
        let (reader, pipeline) = (rdma.input_precision, dpu.input_precision);
        let same_kind = reader.is_float() && pipeline.is_float() && reader.bytes() == pipeline.bytes();
        check.expect(
            reader == pipeline || same_kind,
            RDMA_FEATURE_MODE_CFG,
            reader.code(),
            "another IN_PRECISION than the DPU's",
        );
    }
    if dpu.flying && !dpu.ew.bypass && !dpu.ew.operation_bypass && dpu.ew.from_memory {
        let same = rdma.channels == dpu.channels && !rdma.unpooling;
        check.expect(same, RDMA_DATA_CUBE_CHANNEL, rdma.channels, "an operand of another size than the data");
    }
    if rdma.unpooling {
        let whole = rdma.kernel_width == rdma.kernel_stride_x && rdma.kernel_height == rdma.kernel_stride_y;
        check.expect(whole && dpu.flying, RDMA_SRC_DMA_CFG, rdma.kernel_stride_x, "unpooling with gaps or overlaps");
        let plain = !dpu.transpose && !dpu.transpose_lanes && dpu.minmax == 0 && rdma.combined == 0;
        check.expect(plain, RDMA_SRC_DMA_CFG, 1u32, "unpooling into a transpose or a maximum");
    }
    match rdma.combined {
        0 => check.zero(reg::dpu::FEATURE_MODE_CFG, dpu.combined, "COMB_USE without the reader's"),
        3 => {
            let float = matches!(rdma.input_precision, Precision::Float32 | Precision::Float16);
            let main = float && dpu.flying && !dpu.ew.from_memory;
            check.expect(main, RDMA_FEATURE_MODE_CFG, 3u32, "COMB_USE 3 of other than floating-point main data");
        }
        5 => check.expect(!dpu.flying, RDMA_FEATURE_MODE_CFG, 5u32, "COMB_USE 5 without a convolution"),
        other => check.expect(false, RDMA_FEATURE_MODE_CFG, other, "COMB_USE"),
    }
    if rdma.combined != 0 {
        check.expect(
            rdma.line_notch == rdma.ew_line_notch,
            RDMA_SRC_DMA_CFG,
            rdma.line_notch,
            "readers with different line notches",
        );
    }
    if rdma.combined == 5 {
        let same = (rdma.width, rdma.height, rdma.channels) == (dpu.width, dpu.height, dpu.channels);
        check.expect(same, RDMA_DATA_CUBE_WIDTH, rdma.width, "an operand of another size than the data");
    }
}

fn ppu_checks(check: &mut Check, ppu: &Ppu, rdma: &PpuRdma) {
    use reg::ppu::*;
    let precision = ppu.processing_precision;
    check.expect(
        matches!(precision, Precision::Int8 | Precision::Float16),
        DATA_FORMAT,
        precision.code(),
        "PROC_PRECISION",
    );
    check.expect(
        rdma.element_size.bytes() == precision.bytes(),
        reg::ppu_rdma::RDMA_DATA_FORMAT,
        rdma.element_size.code(),
        "an element size other than the precision's",
    );
    let known = matches!(ppu.method, PoolingMethod::Max | PoolingMethod::Average);
    check.expect(known, OPERATION_MODE_CFG, ppu.method.code(), "POOLING_METHOD");
    check.zero(OPERATION_MODE_CFG, ppu.index, "INDEX_EN");
    check.zero(OPERATION_MODE_CFG, ppu.use_count, "USE_CNT");
    check.expect(ppu.flying, OPERATION_MODE_CFG, 0u32, "FLYING_MODE off");
    check.zero(DATA_FORMAT, ppu.from_dpu, "DPU_FLYIN");
    check.zero(MISC_CTRL, ppu.nonaligned, "NONALIGN");
    check.zero(MISC_CTRL, ppu.mc_surface_out, "MC_SURF_OUT");
    // The padding value is one number of 35 bits: programs of int8 pooling extend the sign of a negative zero point through
    // both registers.
    let extension = if precision == Precision::Int8 && ppu.pad_value.cast_signed() < 0 { 0b111 } else { 0 };
    check.expect(ppu.pad_value_1 == extension, PADDING_VALUE_2_CFG, ppu.pad_value_1, "PAD_VALUE_1");
    let narrow = precision != Precision::Int8 || i8::try_from(ppu.pad_value.cast_signed()).is_ok();
    check.expect(narrow, PADDING_VALUE_1_CFG, ppu.pad_value, "a padding value beyond int8");
    let input = (ppu.input_width, ppu.input_height, ppu.input_channels) == (rdma.width, rdma.height, rdma.channels);
    check.expect(input, DATA_CUBE_IN_WIDTH, ppu.input_width, "another input than PPU_RDMA's");
    check.expect(
        ppu.output_channels == ppu.input_channels,
        DATA_CUBE_OUT_CHANNEL,
        ppu.output_channels,
        "another channel count than the input's",
    );
}

/// What the task costs, from its registers and the regions it touches.
pub(crate) fn cost(job: &Job, regions: &[ranges::Region]) -> Cost {
    let bytes = regions.iter().fold(0u64, |sum, region| sum.saturating_add(region.bytes()));
    let mut macs = ranges::multiply_adds(job);
    // Twice the traffic: what was read, and what is about to be written.
    let mut working_bytes = bytes.saturating_mul(2);
    if let (Some(cna), Some(core)) = (&job.cna, &job.core) {
        let window = u64::from(cna.kernel_width) * u64::from(cna.kernel_height);
        let weights = window * u64::from(cna.channels) * (u64::from(cna.kernels) + 32);
        let outputs = u64::from(core.output_width) * u64::from(core.output_height) * u64::from(core.output_channels);
        let gathered = if core.output_width == 0 { 0 } else { Shape::new(cna, core).values() };
        let values = gathered.saturating_add(weights).saturating_add(outputs.saturating_mul(4));
        working_bytes = working_bytes.saturating_add(values.saturating_mul(4));
    }
    if let (Some(dpu), Some(rdma)) = (&job.dpu, &job.dpu_rdma)
        && dpu.flying
    {
        let pixels = u64::from(rdma.width) * u64::from(rdma.height) * repeats(rdma);
        working_bytes = working_bytes.saturating_add(pixels * u64::from(rdma.channels) * 32);
    }
    if let Some(ppu) = &job.ppu {
        let window = u64::from(ppu.kernel_width) * u64::from(ppu.kernel_height);
        let outputs = u64::from(ppu.output_width) * u64::from(ppu.output_height) * u64::from(ppu.output_channels);
        macs = macs.saturating_add(outputs.saturating_mul(window));
        working_bytes = working_bytes.saturating_add(bytes);
    }
    Cost { bytes, macs, working_bytes }
}

fn repeats(rdma: &DpuRdma) -> u64 {
    if rdma.unpooling { u64::from(rdma.kernel_width) * u64::from(rdma.kernel_height) } else { 1 }
}
