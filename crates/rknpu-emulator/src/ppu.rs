//! Pooling: PPU_RDMA and PPU.

use ferrite_rknpu::reg;
use ferrite_rknpu::typed::{PoolingMethod, Ppu, PpuRdma, Precision};
use half::f16;

use crate::error::Error;
use crate::rounding::{saturate, shift};
use crate::task::Task;
use crate::view::ATOM;

/// One lane type: how bytes become numbers, windows become one number, and numbers become bytes.
trait Lane<const BYTES: usize> {
    type Value: Copy;
    fn decode(bytes: [u8; BYTES]) -> Self::Value;
    fn encode(value: Self::Value) -> [u8; BYTES];
}

struct Float;
struct Byte;

impl Lane<2> for Float {
    type Value = f32;
    fn decode(bytes: [u8; 2]) -> f32 {
        f16::from_le_bytes(bytes).to_f32()
    }
    fn encode(value: f32) -> [u8; 2] {
        f16::from_f32(value).to_le_bytes()
    }
}

impl Lane<1> for Byte {
    type Value = i64;
    fn decode([byte]: [u8; 1]) -> i64 {
        i64::from(byte as i8)
    }
    fn encode(value: i64) -> [u8; 1] {
        [saturate(value, 8) as i8 as u8]
    }
}

/// Runs the PPU of a task whose registers have been checked.
pub(crate) fn run(task: &mut Task<'_, '_>, ppu: &Ppu, rdma: &PpuRdma) -> Result<(), Error> {
    let rounding = task.options.rounding;
    match (ppu.processing_precision, ppu.method) {
        // Padding takes no part in a maximum: the compiler leaves its value at zero for tensors with negative borders.
        (Precision::Float16, PoolingMethod::Max) => {
            pool::<Float, 2>(task, ppu, rdma, |window, _| window.iter().copied().fold(f32::NEG_INFINITY, f32::max))
        }
        (Precision::Int8, PoolingMethod::Max) => {
            pool::<Byte, 1>(task, ppu, rdma, |window, _| window.iter().copied().max().unwrap_or(i64::from(i8::MIN)))
        }
        (Precision::Float16, PoolingMethod::Average) => {
            let factor = reciprocal(ppu.reciprocal_width) * reciprocal(ppu.reciprocal_height) * 2f32.powi(-32);
            let padding = f16::from_bits(ppu.pad_value as u16).to_f32();
            pool::<Float, 2>(task, ppu, rdma, move |window, outside| {
                (window.iter().sum::<f32>() + padding * outside as f32) * factor
            })
        }
        (Precision::Int8, PoolingMethod::Average) => {
            // Both reciprocals are at most 17 bits wide, the sum at most 16.
            let factor = i64::from(ppu.reciprocal_width) * i64::from(ppu.reciprocal_height);
            let padding = i64::from(ppu.pad_value as u8 as i8);
            pool::<Byte, 1>(task, ppu, rdma, move |window, outside| {
                let sum = window.iter().sum::<i64>() + padding * outside as i64;
                shift(sum.saturating_mul(factor), 32, rounding)
            })
        }
        (Precision::Float16 | Precision::Int8, method) => {
            task.refuse(reg::ppu::OPERATION_MODE_CFG, method.code(), "POOLING_METHOD")
        }
        (precision, _) => task.refuse(reg::ppu::DATA_FORMAT, precision.code(), "PROC_PRECISION"),
    }
}

/// 65536 / size in half precision. The largest exponent is one like the others here: a size of 1 stands as what elsewhere
/// is infinity, and means 65536 (zoo: `avgpool_k5x1`).
fn reciprocal(bits: u32) -> f32 {
    const EXPONENT: u32 = 0x7c00;
    if bits & EXPONENT == EXPONENT {
        return 65536.0 * (1.0 + (bits & 0x3ff) as f32 / 1024.0);
    }
    f16::from_bits(bits as u16).to_f32()
}

/// `reduce` gets the elements of a window that lie in the cube, and how many do not.
fn pool<L: Lane<BYTES>, const BYTES: usize>(
    task: &mut Task<'_, '_>,
    ppu: &Ppu,
    rdma: &PpuRdma,
    reduce: impl Fn(&[L::Value], usize) -> L::Value,
) -> Result<(), Error> {
    let lanes = ATOM / BYTES;
    let (width, height) = (rdma.width as usize, rdma.height as usize);
    let output_line = (i64::from(ppu.output_width) + i64::from(ppu.notch)) * ATOM as i64;
    let window_size = (ppu.kernel_width * ppu.kernel_height) as usize;
    let mut window = Vec::with_capacity(window_size);
    for surface in 0..(rdma.channels as usize).div_ceil(lanes) {
        let mut values = Vec::with_capacity(width * height * lanes);
        for y in 0..height {
            let address = i64::from(rdma.source)
                + surface as i64 * i64::from(rdma.surface_stride)
                + y as i64 * i64::from(rdma.line_stride);
            let bytes = task.read(reg::ppu_rdma::RDMA_SRC_BASE_ADDR, address, width * ATOM)?;
            values.extend(bytes.as_chunks::<BYTES>().0.iter().map(|bytes| L::decode(*bytes)));
        }
        for y in 0..ppu.output_height {
            let rows = inside(y, ppu.stride_y, ppu.pad_top, ppu.kernel_height, rdma.height);
            let mut row = Vec::with_capacity(ppu.output_width as usize * ATOM);
            for x in 0..ppu.output_width {
                let columns = inside(x, ppu.stride_x, ppu.pad_left, ppu.kernel_width, rdma.width);
                for lane in 0..lanes {
                    window.clear();
                    for line in rows.clone() {
                        window.extend(columns.clone().map(|column| values[(line * width + column) * lanes + lane]));
                    }
                    row.extend(L::encode(reduce(&window, window_size - window.len())));
                }
            }
            let address = i64::from(ppu.destination)
                + surface as i64 * i64::from(ppu.surface_stride)
                + i64::from(y) * output_line;
            task.write(reg::ppu::DST_BASE_ADDR, address, &row)?;
        }
    }
    Ok(())
}

/// The part of a window that lies in the cube, in one direction.
fn inside(output: u32, stride: u32, pad: u32, kernel: u32, size: u32) -> std::ops::Range<usize> {
    let start = i64::from(output) * i64::from(stride) - i64::from(pad);
    let end = (start + i64::from(kernel)).clamp(0, i64::from(size));
    start.clamp(0, end) as usize..end as usize
}
