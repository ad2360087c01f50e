//! PPU (pooling) and PPU_RDMA (its reader).

use super::codes::{ElementSize, PoolingMethod, Precision};
use super::field::fields;

fields! {
    /// The PPU's registers. Sizes are in elements, strides in bytes.
    Ppu {
        /// S_POINTER.
        pointer: u32 => Raw @ 0x6004[0..=31];
        /// Input columns.
        input_width: u32 => MinusOne @ 0x600c[0..=12];
        /// Input rows.
        input_height: u32 => MinusOne @ 0x6010[0..=12];
        /// Input channels, padded.
        input_channels: u32 => MinusOne @ 0x6014[0..=12];
        /// Output columns.
        output_width: u32 => MinusOne @ 0x6018[0..=12];
        /// Output rows.
        output_height: u32 => MinusOne @ 0x601c[0..=12];
        /// Output channels, padded.
        output_channels: u32 => MinusOne @ 0x6020[0..=12];
        /// The reduction.
        method: PoolingMethod => Raw @ 0x6024[0..=1];
        /// The data come from PPU_RDMA.
        flying: bool => Raw @ 0x6024[4..=4];
        /// USE_CNT.
        use_count: u32 => Raw @ 0x6024[5..=7];
        /// Atoms between the end of an output line and the next.
        notch: u32 => Raw @ 0x6024[16..=28];
        /// Positions of the maxima are written too.
        index: bool => Raw @ 0x6024[30..=30];
        /// Window columns.
        kernel_width: u32 => MinusOne @ 0x6034[0..=3];
        /// Window rows.
        kernel_height: u32 => MinusOne @ 0x6034[8..=11];
        /// Columns from one window to the next.
        stride_x: u32 => MinusOne @ 0x6034[16..=19];
        /// Rows from one window to the next.
        stride_y: u32 => MinusOne @ 0x6034[20..=23];
        /// 65536 / window columns: an integer, or the bits of a float16.
        reciprocal_width: u32 => Raw @ 0x6038[0..=16];
        /// 65536 / window rows.
        reciprocal_height: u32 => Raw @ 0x603c[0..=16];
        /// Columns of padding to the left.
        pad_left: u32 => Raw @ 0x6040[0..=2];
        /// Rows of padding above.
        pad_top: u32 => Raw @ 0x6040[4..=6];
        /// Columns of padding to the right; the output size says the same.
        pad_right: u32 => Raw @ 0x6040[8..=10];
        /// Rows of padding below.
        pad_bottom: u32 => Raw @ 0x6040[12..=14];
        /// Value of a padding element in an average.
        pad_value: u32 => Raw @ 0x6044[0..=31];
        /// Bits 32 to 34 of the padding value: the extension of its sign.
        pad_value_1: u32 => Raw @ 0x6048[0..=2];
        /// Device address of the output.
        destination: u32 => Bytes16 @ 0x6070[4..=31];
        /// Bytes between output surfaces.
        surface_stride: u32 => Bytes16 @ 0x607c[4..=31];
        /// Element type.
        processing_precision: Precision => Raw @ 0x6084[0..=2];
        /// The data come from the DPU.
        from_dpu: bool => Raw @ 0x6084[3..=3];
        /// INDEX_ADD.
        index_add: u32 => Raw @ 0x6084[4..=31];
        /// DMA burst code.
        burst: u32 => Raw @ 0x60dc[0..=3];
        /// NONALIGN.
        nonaligned: bool => Raw @ 0x60dc[7..=7];
        /// MC_SURF_OUT.
        mc_surface_out: bool => Raw @ 0x60dc[8..=8];
        /// SURF_LEN.
        surface_length: u32 => Raw @ 0x60dc[16..=31];
    }
}

fields! {
    /// The PPU_RDMA's registers. Sizes are in elements, strides in bytes.
    PpuRdma {
        /// S_POINTER.
        pointer: u32 => Raw @ 0x7004[0..=31];
        /// Columns read.
        width: u32 => MinusOne @ 0x700c[0..=12];
        /// Rows read.
        height: u32 => MinusOne @ 0x7010[0..=12];
        /// Channels read, padded.
        channels: u32 => MinusOne @ 0x7014[0..=12];
        /// Device address of the input.
        source: u32 => Raw @ 0x701c[0..=31];
        /// Bytes between lines.
        line_stride: u32 => Bytes16 @ 0x7024[4..=31];
        /// Bytes between surfaces.
        surface_stride: u32 => Bytes16 @ 0x7028[4..=31];
        /// Size of an element.
        element_size: ElementSize => Raw @ 0x7030[0..=1];
    }
}
