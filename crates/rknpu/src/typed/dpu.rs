//! DPU: the post-processing pipeline, and its write DMA.

use super::codes::{AluAlgorithm, ConvolutionMode, Precision};
use super::field::fields;

fields! {
    /// BS or BN, which have the same registers (0x4040 and 0x4060). BS is ALU then MUL, BN is MUL then ALU then shift.
    ScaleStage {
        /// The stage passes everything.
        bypass: bool => Raw @ 0x0[0..=0];
        /// No ALU.
        alu_bypass: bool => Raw @ 0x0[1..=1];
        /// No multiplication.
        multiply_bypass: bool => Raw @ 0x0[4..=4];
        /// Only values up to zero are multiplied.
        prelu: bool => Raw @ 0x0[5..=5];
        /// No clamp at zero.
        relu_bypass: bool => Raw @ 0x0[6..=6];
        /// Clamp at `relux_limit`.
        relux: bool => Raw @ 0x0[7..=7];
        /// The ALU operand is per channel, from memory.
        alu_from_memory: bool => Raw @ 0x0[8..=8];
        /// The ALU's operation.
        algorithm: AluAlgorithm => Raw @ 0x0[16..=19];
        /// ALU operand: int32 or the bits of a float32.
        alu_operand: u32 => Raw @ 0x4[0..=31];
        /// The factor is per channel, from memory.
        multiply_from_memory: bool => Raw @ 0x8[0..=0];
        /// TRUNCATE_SRC.
        truncate_source: bool => Raw @ 0x8[1..=1];
        /// Right shift of products that are not negative.
        shift: u32 => Raw @ 0x8[8..=13];
        /// Factor: int16, or the bits of a float16 or bfloat16.
        multiply_operand: u32 => Raw @ 0x8[16..=31];
        /// Upper clamp: int32 or the bits of a float32.
        relux_limit: u32 => Raw @ 0xc[0..=31];
    }
}

fields! {
    /// EW: lookup table, then one element-wise operation, then ReLU (0x4070).
    ElementwiseStage {
        /// The stage passes everything.
        bypass: bool => Raw @ 0x0[0..=0];
        /// No operation.
        operation_bypass: bool => Raw @ 0x0[1..=1];
        /// Multiply (set) or the ALU (clear).
        multiply: bool => Raw @ 0x0[2..=2];
        /// Only values up to zero are multiplied.
        prelu: bool => Raw @ 0x0[5..=5];
        /// The operand comes from ERDMA rather than from the registers.
        from_memory: bool => Raw @ 0x0[6..=6];
        /// No lookup table.
        lut_bypass: bool => Raw @ 0x0[7..=7];
        /// The operand is not converted.
        converter_bypass: bool => Raw @ 0x0[8..=8];
        /// No clamp at zero.
        relu_bypass: bool => Raw @ 0x0[9..=9];
        /// Clamp at `relux_limit`.
        relux: bool => Raw @ 0x0[10..=10];
        /// The ALU's operation.
        algorithm: AluAlgorithm => Raw @ 0x0[16..=19];
        /// EW_EQUAL_EN.
        equal: bool => Raw @ 0x0[20..=20];
        /// EW_BINARY_EN.
        binary: bool => Raw @ 0x0[21..=21];
        /// EDATA_SIZE; the size that counts is the one of ERDMA.
        operand_size_code: u32 => Raw @ 0x0[22..=23];
        /// EW_DATA_MODE.
        data_mode: u32 => Raw @ 0x0[28..=29];
        /// EW_CVT_ROUND.
        converter_round: bool => Raw @ 0x0[30..=30];
        /// Offset before the multiplication (set) or behind the shift (clear).
        converter_offset_first: bool => Raw @ 0x0[31..=31];
        /// Operand conversion: offset.
        converter_offset: i32 => Signed @ 0x4[0..=31];
        /// Operand conversion: factor.
        converter_scale: i32 => Signed @ 0x8[0..=15];
        /// Operand conversion: right shift.
        converter_shift: u32 => Raw @ 0x8[16..=21];
        /// Right shift of an integer product.
        truncate: u32 => Raw @ 0x8[22..=31];
        /// Upper clamp: int32 or the bits of a float32.
        relux_limit: u32 => Raw @ 0xc[0..=31];
        /// The operand when it comes from the registers; the seven registers behind it were never used.
        operand: u32 => Raw @ 0x20[0..=31];
    }
}

fields! {
    /// The last conversion before the write (0x4080).
    OutputConverter {
        /// Added behind the shift.
        offset: i32 => Signed @ 0x0[0..=31];
        /// Factor.
        scale: i32 => Signed @ 0x4[0..=15];
        /// Round 32-bit floats to 16 bits.
        to_float16: bool => Raw @ 0x4[16..=16];
        /// Right shift.
        shift: u32 => Raw @ 0x8[0..=11];
        /// A power of two the result is divided by on its way to floating point.
        minus_exponent: u32 => Raw @ 0x8[12..=19];
        /// CVT_ROUND.
        round: bool => Raw @ 0x8[30..=30];
        /// CVT_TYPE.
        type_bit: bool => Raw @ 0x8[31..=31];
    }
}

fields! {
    /// How the lookup tables are indexed (0x4108).
    LutStage {
        /// LUT_CFG; 0x68 is the one mode with an established meaning.
        mode: u32 => Raw @ 0x0[0..=7];
        /// log2 of the distance of LE entries.
        le_index_select: u32 => Raw @ 0x4[8..=15];
        /// log2 of the distance of LO entries.
        lo_index_select: u32 => Raw @ 0x4[16..=23];
        /// Position of LE's first entry.
        le_start: i32 => Signed @ 0x8[0..=31];
        /// Position of LE's last entry.
        le_end: i32 => Signed @ 0xc[0..=31];
        /// Position of LO's first entry.
        lo_start: i32 => Signed @ 0x10[0..=31];
        /// Position of LO's last entry.
        lo_end: i32 => Signed @ 0x14[0..=31];
        /// Slope below LE.
        le_underflow_scale: i32 => Signed @ 0x18[0..=15];
        /// Slope above LE.
        le_overflow_scale: i32 => Signed @ 0x18[16..=31];
        /// Right shift of the slope below LE.
        le_underflow_shift: u32 => Raw @ 0x1c[0..=4];
        /// Right shift of the slope above LE.
        le_overflow_shift: u32 => Raw @ 0x1c[5..=9];
        /// Slope below LO.
        lo_underflow_scale: i32 => Signed @ 0x20[0..=15];
        /// Slope above LO.
        lo_overflow_scale: i32 => Signed @ 0x20[16..=31];
        /// Right shift of the slope below LO.
        lo_underflow_shift: u32 => Raw @ 0x24[0..=4];
        /// Right shift of the slope above LO.
        lo_overflow_shift: u32 => Raw @ 0x24[5..=9];
    }
}

fields! {
    /// The DPU's registers. Sizes are in elements, strides in bytes.
    Dpu {
        /// S_POINTER.
        pointer: u32 => Raw @ 0x4004[0..=31];
        /// The main data come from DPU_RDMA rather than from CORE.
        flying: bool => Raw @ 0x400c[0..=0];
        /// OUTPUT_MODE.
        output_mode: u32 => Raw @ 0x400c[1..=2];
        /// Kind of convolution in front.
        convolution_mode: ConvolutionMode => Raw @ 0x400c[3..=4];
        /// DMA burst code.
        burst: u32 => Raw @ 0x400c[5..=8];
        /// SURF_LEN.
        surface_length: u32 => Raw @ 0x400c[9..=24];
        /// Elements are written packed.
        nonaligned: bool => Raw @ 0x400c[25..=25];
        /// RGP_TYPE.
        rgp_type: u32 => Raw @ 0x400c[26..=29];
        /// Columns become surfaces.
        transpose: bool => Raw @ 0x400c[30..=30];
        /// MRDMA and ERDMA together deliver one operand.
        combined: bool => Raw @ 0x400c[31..=31];
        /// Type of the pipeline.
        processing_precision: Precision => Raw @ 0x4010[0..=2];
        /// MC_SURF_OUT.
        mc_surface_out: bool => Raw @ 0x4010[3..=3];
        /// BS's right shift of negative products.
        bs_negative_shift: u32 => Raw @ 0x4010[4..=9];
        /// BN's right shift of negative values.
        bn_negative_shift: u32 => Raw @ 0x4010[10..=15];
        /// EW's right shift of negative products.
        ew_negative_truncate: u32 => Raw @ 0x4010[16..=25];
        /// Type of the data in front.
        input_precision: Precision => Raw @ 0x4010[26..=28];
        /// Type written.
        output_precision: Precision => Raw @ 0x4010[29..=31];
        /// OFFSET_PEND.
        offset_pend: u32 => Raw @ 0x4014[0..=15];
        /// Device address of the output.
        destination: u32 => Raw @ 0x4020[0..=31];
        /// Bytes between surfaces inside an output group.
        surface_stride: u32 => Bytes16 @ 0x4024[4..=31];
        /// Columns.
        width: u32 => MinusOne @ 0x4030[0..=12];
        /// Rows.
        height: u32 => MinusOne @ 0x4034[0..=12];
        /// Reduction over channels; 7 is the maximum.
        minmax: u32 => Raw @ 0x4034[22..=24];
        /// Atoms from the end of a line to the next line, modulo 8192; see [`Dpu::write_line_bytes`].
        notch: u32 => Raw @ 0x4038[0..=12];
        /// NOTCH_ADDR_1.
        notch_1: u32 => Raw @ 0x4038[16..=28];
        /// Channels, padded.
        channels: u32 => MinusOne @ 0x403c[0..=12];
        /// Channels with a meaning.
        original_channels: u32 => MinusOne @ 0x403c[16..=28];
        /// The weight zero-point correction is per channel, from memory.
        correction_from_memory: bool => Raw @ 0x4050[0..=0];
        /// No weight zero-point correction.
        correction_bypass: bool => Raw @ 0x4050[1..=1];
        /// Surfaces per output group.
        group_surfaces: u32 => MinusOne @ 0x4050[2..=4];
        /// SIZE_E_1 + 1.
        group_surfaces_1: u32 => MinusOne @ 0x4050[5..=7];
        /// SIZE_E_2 + 1.
        group_surfaces_2: u32 => MinusOne @ 0x4050[8..=10];
        /// Pixels become lanes.
        transpose_lanes: bool => Raw @ 0x4050[27..=27];
        /// RGP_CNTER.
        rgp_counter: u32 => Raw @ 0x4050[28..=31];
        /// The weight zero-point correction when it comes from the register.
        correction: i32 => Signed @ 0x4054[0..=15];
        /// Channels written.
        write_channels: u32 => MinusOne @ 0x4058[0..=12];
        /// SIZE_C_WDMA.
        write_groups: u32 => MinusOne @ 0x4058[16..=26];
        /// Lanes of a transpose are 16 bits wide rather than 8.
        transpose_wide: bool => Raw @ 0x4058[27..=27];
        /// Columns written.
        write_width: u32 => MinusOne @ 0x405c[0..=12];
        /// Rows written.
        write_height: u32 => MinusOne @ 0x405c[16..=28];
        /// Bytes from one output group to the next.
        group_stride: u32 => Bytes16 @ 0x40c0[4..=31];
    } parts {
        /// ALU, then MUL, then ReLU.
        bs: ScaleStage @ 0x4040;
        /// MUL, then ALU, then ReLU.
        bn: ScaleStage @ 0x4060;
        /// Table, operation, ReLU.
        ew: ElementwiseStage @ 0x4070;
        /// Requantisation.
        out: OutputConverter @ 0x4080;
        /// Table indexing.
        lut: LutStage @ 0x4108;
    }
}

impl ElementwiseStage {
    /// Whether the operand comes from ERDMA. One value per pixel (EW_DATA_MODE 2) always does: programs leave OP_SRC at zero then
    /// (rknn-toolkit2 2.5.0 on ONNX's `test_mul_bcast`).
    pub fn reads_operand(&self) -> bool {
        self.from_memory || self.data_mode == 2
    }
}

impl Dpu {
    /// RGP_TYPE: how many bytes of every atom are kept, packed: its first element of 8 or 16 bits. Established with reshapes of one
    /// channel to a plain tensor; SURF_LEN counts the atoms that remain (rknn-toolkit2 2.5.0 on ONNX's
    /// `test_attention_4d_softcap_neginf_mask_expanded`).
    pub fn kept_bytes(&self) -> Option<u32> {
        match self.rgp_type {
            2 => Some(1),
            3 => Some(2),
            _ => None,
        }
    }
}
