//! CNA (feature and weight fetch, convolution sequencing) and CORE (the multiplier array).

use super::codes::{ConvolutionMode, Precision};
use super::field::fields;

fields! {
    /// The CNA's registers. Sizes are in elements; strides keep the register's unit, see [`Cna::line_bytes`].
    Cna {
        /// S_POINTER.
        pointer: u32 => Raw @ 0x1004[0..=31];
        /// What is convolved.
        mode: ConvolutionMode => Raw @ 0x100c[0..=3];
        /// Element type of data and weights.
        input_precision: Precision => Raw @ 0x100c[4..=6];
        /// Type of the products.
        processing_precision: Precision => Raw @ 0x100c[7..=9];
        /// ARGB_IN; see [`Cna::packed_channels`].
        argb_code: u32 => Raw @ 0x100c[12..=15];
        /// Zero insertion in front of the convolution.
        deconvolution: bool => Raw @ 0x100c[16..=16];
        /// Lines are fetched one by one rather than in groups of four.
        group_line_off: bool => Raw @ 0x100c[29..=29];
        /// Pixels are packed, not 16-byte atoms.
        nonaligned_dma: bool => Raw @ 0x100c[30..=30];
        /// CMD_FIFO_SRST.
        fifo_reset: bool => Raw @ 0x1010[0..=0];
        /// CSC_DO_EN.
        data_only: bool => Raw @ 0x1010[1..=1];
        /// CSC_WO_EN.
        weights_only: bool => Raw @ 0x1010[2..=2];
        /// Rows kept before the computation starts.
        feature_grains: u32 => Raw @ 0x1010[4..=13];
        /// KERNEL_GROUP.
        kernel_group: u32 => Raw @ 0x1010[16..=23];
        /// Columns from one window to the next.
        stride_x: u32 => Raw @ 0x1014[0..=2];
        /// Rows from one window to the next.
        stride_y: u32 => Raw @ 0x1014[3..=5];
        /// Distance of input columns after zero insertion.
        deconvolution_x: u32 => MinusOne @ 0x1014[8..=10];
        /// Distance of input rows after zero insertion.
        deconvolution_y: u32 => MinusOne @ 0x1014[11..=13];
        /// Distance of kernel columns.
        dilation_x: u32 => MinusOne @ 0x1014[16..=20];
        /// Distance of kernel rows.
        dilation_y: u32 => MinusOne @ 0x1014[21..=25];
        /// NN_MODE.
        nn_mode: u32 => Raw @ 0x1014[28..=30];
        /// Input rows.
        height: u32 => Raw @ 0x1020[0..=10];
        /// Input columns, with the columns that only fill a packed line.
        width: u32 => Raw @ 0x1020[16..=26];
        /// Input channels, padded to what the precision fetches.
        channels: u32 => Raw @ 0x1024[0..=15];
        /// (real channels - 1) mod 64; see [`Cna::real_channels`].
        real_channels_code: u32 => Raw @ 0x1024[16..=29];
        /// Output columns.
        output_width: u32 => Raw @ 0x1028[0..=10];
        /// Output pixels.
        output_pixels: u32 => Raw @ 0x102c[0..=21];
        /// SURF_MODE.
        surface_mode: u32 => Raw @ 0x102c[22..=23];
        /// Bytes of all weights.
        weight_bytes: u32 => Raw @ 0x1030[0..=31];
        /// Bytes of one output channel's weights.
        kernel_bytes: u32 => Raw @ 0x1034[0..=18];
        /// Output channels that have weights.
        kernels: u32 => Raw @ 0x1038[0..=13];
        /// Kernel rows.
        kernel_height: u32 => Raw @ 0x1038[16..=20];
        /// Kernel columns.
        kernel_width: u32 => Raw @ 0x1038[24..=28];
        /// Convolution buffer banks for features.
        data_banks: u32 => Raw @ 0x1040[0..=3];
        /// Convolution buffer banks for weights.
        weight_banks: u32 => Raw @ 0x1040[4..=7];
        /// FC_DATA_BANK.
        fc_data_banks: u32 => Raw @ 0x1040[8..=10];
        /// The features of the task before are still in the buffer.
        data_reuse: bool => Raw @ 0x1040[12..=12];
        /// The weights of the task before are still in the buffer.
        weight_reuse: bool => Raw @ 0x1040[13..=13];
        /// Convolution buffer entries of one input row.
        data_entries: u32 => Raw @ 0x1044[0..=13];
        /// The input converter passes everything.
        converter_bypass: bool => Raw @ 0x104c[0..=0];
        /// Offset before the multiplication (set) or behind the shift (clear).
        converter_offset_first: bool => Raw @ 0x104c[1..=1];
        /// ROUND_TYPE.
        converter_round: bool => Raw @ 0x104c[2..=2];
        /// The input bytes are signed.
        data_signed: bool => Raw @ 0x104c[3..=3];
        /// Right shift of channels 0 mod 4.
        converter_shift_0: u32 => Raw @ 0x104c[4..=9];
        /// Right shift of channels 1 mod 4.
        converter_shift_1: u32 => Raw @ 0x104c[10..=15];
        /// Right shift of channels 2 mod 4.
        converter_shift_2: u32 => Raw @ 0x104c[16..=21];
        /// Right shift of channels 3 mod 4.
        converter_shift_3: u32 => Raw @ 0x104c[22..=27];
        /// Offset of channels 0 mod 4.
        converter_offset_0: i32 => Signed @ 0x1050[0..=15];
        /// Factor of channels 0 mod 4.
        converter_scale_0: i32 => Signed @ 0x1050[16..=31];
        /// Offset of channels 1 mod 4.
        converter_offset_1: i32 => Signed @ 0x1054[0..=15];
        /// Factor of channels 1 mod 4.
        converter_scale_1: i32 => Signed @ 0x1054[16..=31];
        /// Offset of channels 2 mod 4.
        converter_offset_2: i32 => Signed @ 0x1058[0..=15];
        /// Factor of channels 2 mod 4.
        converter_scale_2: i32 => Signed @ 0x1058[16..=31];
        /// Offset of channels 3 mod 4.
        converter_offset_3: i32 => Signed @ 0x105c[0..=15];
        /// Factor of channels 3 mod 4.
        converter_scale_3: i32 => Signed @ 0x105c[16..=31];
        /// FC_SKIP_EN.
        fc_skip: bool => Raw @ 0x1060[0..=0];
        /// FC_SKIP_DATA.
        fc_skip_data: u32 => Raw @ 0x1060[16..=31];
        /// FC data offset.
        fc_data_offset: u32 => Raw @ 0x1064[0..=16];
        /// Rows of padding above.
        pad_top: u32 => Raw @ 0x1068[0..=3];
        /// Columns of padding to the left.
        pad_left: u32 => Raw @ 0x1068[4..=7];
        /// Device address of the features.
        feature_address: u32 => Raw @ 0x1070[0..=31];
        /// FC weight offset.
        fc_weight_offset: u32 => Raw @ 0x1074[0..=16];
        /// DMA burst code of features.
        data_burst: u32 => Raw @ 0x1078[0..=3];
        /// DMA burst code of weights.
        weight_burst: u32 => Raw @ 0x1078[16..=19];
        /// OV4K_BYPASS.
        ov4k_bypass: bool => Raw @ 0x1078[31..=31];
        /// LINE_STRIDE in the register's unit.
        line_stride: u32 => Raw @ 0x107c[0..=27];
        /// SURF_STRIDE in atoms, from the end of a fetched group of lines.
        surface_stride: i32 => Signed @ 0x1080[0..=27];
        /// Rows the DMA fetches.
        dma_height: u32 => Raw @ 0x1084[0..=10];
        /// Columns the DMA fetches.
        dma_width: u32 => Raw @ 0x1084[16..=29];
        /// Channels the DMA fetches.
        dma_channels: u32 => Raw @ 0x1088[0..=15];
        /// Clock gates.
        clock_gate: u32 => Raw @ 0x1090[0..=4];
        /// Weight decompression.
        decompression: u32 => Raw @ 0x1100[0..=2];
        /// WT_DEC_BYPASS.
        decompression_bypass: bool => Raw @ 0x1100[3..=3];
        /// DCOMP_REGNUM.
        decompression_registers: u32 => Raw @ 0x1104[0..=31];
        /// Device address of the weights.
        weight_address: u32 => Raw @ 0x1110[0..=31];
        /// PER_CHANNEL_CVT_EN.
        per_channel_converter: u32 => Raw @ 0x1180[0..=31];
        /// Value of a padding element, behind the converter.
        pad_value: u32 => Raw @ 0x1184[0..=31];
    }
}

/// One channel's input conversion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InputConverter {
    /// Added before or behind the multiplication, see [`Cna::converter_offset_first`].
    pub offset: i32,
    /// The factor.
    pub scale: i32,
    /// Arithmetic right shift.
    pub shift: u32,
}

impl Cna {
    /// Channels of a packed pixel (ARGB_IN 8 + n - 1), `None` in cube mode, the raw code where it is neither.
    pub fn packed_channels(&self) -> Result<Option<u32>, u32> {
        match self.argb_code {
            0 => Ok(None),
            code @ 8..=11 => Ok(Some(code - 7)),
            code => Err(code),
        }
    }

    /// Channels that hold data. The register stores one less, modulo 64, so the number comes from the padded count:
    /// it is at most 63 below it. Zero for registers that contradict each other.
    pub fn real_channels(&self) -> u32 {
        let padded = self.channels;
        match padded {
            0 => 0,
            _ => padded.saturating_sub((padded - 1).wrapping_sub(self.real_channels_code) % 64),
        }
    }

    /// Stores the number of channels that hold data.
    pub fn set_real_channels(&mut self, channels: u32) {
        self.real_channels_code = channels.wrapping_sub(1) % 64;
    }

    /// Bytes from one line to the next in cube mode.
    pub fn line_bytes(&self) -> i64 {
        i64::from(self.line_stride) * if self.group_line_off { 16 } else { 4 }
    }

    /// Bytes from one surface to the next in cube mode: the register counts atoms from the end of the fetched group, which
    /// is one line or four.
    pub fn surface_bytes(&self) -> i64 {
        let group = i64::from(self.width) * if self.group_line_off { 1 } else { 4 };
        (i64::from(self.surface_stride) + group) * 16
    }

    /// The input conversion of channel `channel`; channels share four sets of numbers in turn.
    pub fn converter(&self, channel: usize) -> InputConverter {
        let (offset, scale, shift) = match channel % 4 {
            0 => (self.converter_offset_0, self.converter_scale_0, self.converter_shift_0),
            1 => (self.converter_offset_1, self.converter_scale_1, self.converter_shift_1),
            2 => (self.converter_offset_2, self.converter_scale_2, self.converter_shift_2),
            _ => (self.converter_offset_3, self.converter_scale_3, self.converter_shift_3),
        };
        InputConverter { offset, scale, shift }
    }
}

fields! {
    /// The CORE's registers.
    Core {
        /// S_POINTER.
        pointer: u32 => Raw @ 0x3004[0..=31];
        /// Clock gating.
        mac_gating: u32 => Raw @ 0x300c[0..=26];
        /// Set for convolutions of bytes.
        quantised: bool => Raw @ 0x3010[0..=0];
        /// Depthwise convolution.
        depthwise: bool => Raw @ 0x3010[1..=1];
        /// Type of the products.
        processing_precision: Precision => Raw @ 0x3010[8..=10];
        /// Clock gating.
        soft_gating: u32 => Raw @ 0x3010[14..=19];
        /// Output columns.
        output_width: u32 => MinusOne @ 0x3014[0..=15];
        /// Output rows.
        output_height: u32 => MinusOne @ 0x3014[16..=31];
        /// Output channels, padded.
        output_channels: u32 => MinusOne @ 0x3018[0..=15];
        /// Right shift of the accumulator.
        clip_truncate: u32 => Raw @ 0x301c[0..=4];
        /// Rounding of that shift.
        clip_round: bool => Raw @ 0x301c[6..=6];
    }
}
