//! DPU_RDMA: the main data of a memory-to-memory task and every operand of BS, BN and EW.

use super::codes::{ConvolutionMode, ElementSize, Precision};
use super::field::fields;

fields! {
    /// The DPU_RDMA's registers. Sizes are in elements, notches in atoms or bytes as stated.
    DpuRdma {
        /// S_POINTER.
        pointer: u32 => Raw @ 0x5004[0..=31];
        /// Columns read.
        width: u32 => MinusOne @ 0x500c[0..=12];
        /// Rows read.
        height: u32 => MinusOne @ 0x5010[0..=12];
        /// Atoms between the end of an EW operand's line and the next.
        ew_line_notch: u32 => Raw @ 0x5010[16..=28];
        /// Channels read, padded.
        channels: u32 => MinusOne @ 0x5014[0..=12];
        /// Device address of the main data.
        source: u32 => Raw @ 0x5018[0..=31];
        /// Which operands the BS blob has: 1 ALU, 2 zero-point correction, 4 MUL.
        bs_use: u32 => Raw @ 0x501c[1..=4];
        /// Device address of the BS blob.
        bs_address: u32 => Raw @ 0x5020[0..=31];
        /// Which operands the BN blob has.
        bn_use: u32 => Raw @ 0x5028[1..=4];
        /// Device address of the BN blob.
        bn_address: u32 => Raw @ 0x502c[0..=31];
        /// No EW operand is read.
        ew_disable: bool => Raw @ 0x5034[0..=0];
        /// OV4K_BYPASS.
        ov4k_bypass: bool => Raw @ 0x5034[1..=1];
        /// Width of an EW operand element.
        ew_size: ElementSize => Raw @ 0x5034[2..=3];
        /// ERDMA_NONALIGN.
        ew_nonaligned: bool => Raw @ 0x5034[28..=28];
        /// ERDMA_SURF_MODE.
        ew_surface_mode: bool => Raw @ 0x5034[29..=29];
        /// ERDMA_DATA_MODE: 0 one value per channel, 1 one per element.
        ew_data_mode: u32 => Raw @ 0x5034[30..=31];
        /// Device address of the EW operand.
        ew_address: u32 => Raw @ 0x5038[0..=31];
        /// Bytes between surfaces of the EW operand.
        ew_surface_stride: u32 => Bytes16 @ 0x5040[4..=31];
        /// The main data come from memory.
        flying: bool => Raw @ 0x5044[0..=0];
        /// Kind of convolution in front.
        convolution_mode: ConvolutionMode => Raw @ 0x5044[1..=2];
        /// Main data are widened to 32 bits.
        widen: bool => Raw @ 0x5044[3..=3];
        /// No main data are read.
        main_disable: bool => Raw @ 0x5044[4..=4];
        /// Type of the pipeline.
        processing_precision: Precision => Raw @ 0x5044[5..=7];
        /// How the main and the EW reader share one operand: 5 alternate surfaces, 3 alternate halves.
        combined: u32 => Raw @ 0x5044[8..=10];
        /// DMA burst code.
        burst: u32 => Raw @ 0x5044[11..=14];
        /// Type of the main data.
        input_precision: Precision => Raw @ 0x5044[15..=17];
        /// Columns of one unpooled pixel.
        kernel_width: u32 => MinusOne @ 0x5048[0..=2];
        /// Rows of one unpooled pixel.
        kernel_height: u32 => MinusOne @ 0x5048[3..=5];
        /// Columns from one unpooled pixel to the next.
        kernel_stride_x: u32 => MinusOne @ 0x5048[6..=8];
        /// Rows from one unpooled pixel to the next.
        kernel_stride_y: u32 => MinusOne @ 0x5048[9..=11];
        /// Pixels are repeated.
        unpooling: bool => Raw @ 0x5048[12..=12];
        /// POOLING_METHOD.
        pooling_method: bool => Raw @ 0x5048[13..=13];
        /// Atoms between the end of a line and the next.
        line_notch: u32 => Raw @ 0x5048[19..=31];
        /// Bytes from the end of a surface's last line to the next surface.
        surface_notch: i32 => Bytes16 @ 0x504c[4..=31];
        /// PAD_LEFT.
        pad_left: u32 => Raw @ 0x5064[0..=2];
        /// PAD_TOP.
        pad_top: u32 => Raw @ 0x5064[4..=6];
        /// PAD_VALUE.
        pad_value: u32 => Raw @ 0x5064[16..=31];
        /// Arbitration weight of the main reader.
        main_weight: u32 => Raw @ 0x5068[0..=7];
        /// Arbitration weight of the BS reader.
        bs_weight: u32 => Raw @ 0x5068[8..=15];
        /// Arbitration weight of the BN reader.
        bn_weight: u32 => Raw @ 0x5068[16..=23];
        /// Arbitration weight of the EW reader.
        ew_weight: u32 => Raw @ 0x5068[24..=31];
        /// Bytes from the end of an EW surface to the next in combined modes.
        ew_surface_notch: i32 => Bytes16 @ 0x506c[4..=31];
    }
}

impl DpuRdma {
    /// Bytes from one line of the main data to the next.
    pub fn line_bytes(&self) -> i64 {
        (i64::from(self.width) + i64::from(self.line_notch)) * 16
    }

    /// Bytes from one surface of the main data to the next: the notch counts from the end of the last line.
    pub fn surface_bytes(&self) -> i64 {
        (i64::from(self.height) - 1) * self.line_bytes() + i64::from(self.width) * 16 + i64::from(self.surface_notch)
    }
}

/// Byte positions in one 8-channel record of a BS or BN blob, for the operands that `use_mask` enables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OperandRecord {
    /// 32-bit ALU operands.
    pub alu: Option<u32>,
    /// 16-bit weight zero-point corrections.
    pub correction: Option<u32>,
    /// 16-bit factors.
    pub multiply: Option<u32>,
    /// Bytes of a record.
    pub bytes: u32,
}

impl OperandRecord {
    /// The record for a DATA_USE mask.
    pub fn new(use_mask: u32) -> Self {
        let mut bytes = 0;
        let mut part = |bit: u32, size: u32| {
            (use_mask & bit != 0).then(|| {
                let at = bytes;
                bytes += size;
                at
            })
        };
        let (alu, correction, multiply) = (part(1, 32), part(2, 16), part(4, 16));
        Self { alu, correction, multiply, bytes }
    }
}
