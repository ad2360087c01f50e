//! Pooling: PPU_RDMA and PPU.

use ferrite_rknpu::reg;
use ferrite_rknpu::typed::{PoolingMethod, Ppu, PpuRdma, Precision};
use half::f16;

use crate::error::Error;
use crate::options::Rounding;
use crate::rounding::{maximum, saturate, shift};
use crate::simd::{Kernel, LANES, Path, Simd, dispatch};
use crate::task::Task;
use crate::view::ATOM;

/// How the elements of a window become one number, and rows of elements are read and written.
trait Reduce {
    type Value: Copy + Default;
    /// Elements of an atom.
    const LANES: usize;
    /// Before the first element.
    fn start(&self) -> Self::Value;
    fn add(&self, value: Self::Value, element: Self::Value) -> Self::Value;
    /// Behind the last element, with the number of elements of the window that do not lie in the cube.
    fn finish(&self, value: Self::Value, outside: usize) -> Self::Value;
    fn decode<S: Simd>(simd: S, bytes: &[u8], values: &mut Vec<Self::Value>);
    fn encode<S: Simd>(simd: S, values: &[Self::Value], bytes: &mut Vec<u8>);
}

/// Half precision. Padding takes no part in a maximum: the compiler leaves its value at zero for tensors with negative borders.
enum Floats {
    Max,
    Mean { padding: f32, factor: f32 },
}

impl Reduce for Floats {
    type Value = f32;
    const LANES: usize = 8;

    #[inline(always)]
    fn start(&self) -> f32 {
        match self {
            Self::Max => f32::NEG_INFINITY,
            Self::Mean { .. } => -0.0,
        }
    }

    #[inline(always)]
    fn add(&self, value: f32, element: f32) -> f32 {
        match self {
            Self::Max => maximum(value, element),
            Self::Mean { .. } => value + element,
        }
    }

    #[inline(always)]
    fn finish(&self, value: f32, outside: usize) -> f32 {
        match self {
            Self::Max => value,
            Self::Mean { padding, factor } => (value + padding * outside as f32) * factor,
        }
    }

    #[inline(always)]
    fn decode<S: Simd>(simd: S, bytes: &[u8], values: &mut Vec<f32>) {
        for bytes in bytes.chunks(2 * LANES) {
            let mut bits = [0; LANES];
            for (bits, bytes) in bits.iter_mut().zip(bytes.as_chunks::<2>().0) {
                *bits = u16::from_le_bytes(*bytes);
            }
            values.extend_from_slice(&simd.widen(&bits)[..bytes.len() / 2]);
        }
    }

    #[inline(always)]
    fn encode<S: Simd>(simd: S, values: &[f32], bytes: &mut Vec<u8>) {
        for values in values.chunks(LANES) {
            let mut block = [0.0; LANES];
            block[..values.len()].copy_from_slice(values);
            for bits in &simd.narrow(&block)[..values.len()] {
                bytes.extend(bits.to_le_bytes());
            }
        }
    }
}

/// Bytes.
enum Bytes {
    Max,
    Mean { padding: i32, factor: i64, rounding: Rounding },
}

impl Reduce for Bytes {
    type Value = i32;
    const LANES: usize = 16;

    #[inline(always)]
    fn start(&self) -> i32 {
        match self {
            Self::Max => i32::from(i8::MIN),
            Self::Mean { .. } => 0,
        }
    }

    #[inline(always)]
    fn add(&self, value: i32, element: i32) -> i32 {
        match self {
            Self::Max => value.max(element),
            // A window has at most 256 places.
            Self::Mean { .. } => value.wrapping_add(element),
        }
    }

    #[inline(always)]
    fn finish(&self, value: i32, outside: usize) -> i32 {
        match self {
            Self::Max => value,
            Self::Mean { padding, factor, rounding } => {
                let sum = i64::from(value) + i64::from(*padding) * outside as i64;
                saturate(shift(sum.saturating_mul(*factor), 32, *rounding), 8) as i32
            }
        }
    }

    #[inline(always)]
    fn decode<S: Simd>(_: S, bytes: &[u8], values: &mut Vec<i32>) {
        values.extend(bytes.iter().map(|byte| i32::from(*byte as i8)));
    }

    #[inline(always)]
    fn encode<S: Simd>(_: S, values: &[i32], bytes: &mut Vec<u8>) {
        bytes.extend(values.iter().map(|value| *value as i8 as u8));
    }
}

/// Runs the PPU of a task whose registers have been checked.
pub(crate) fn run(task: &mut Task<'_, '_>, ppu: &Ppu, rdma: &PpuRdma, path: Path) -> Result<(), Error> {
    let rounding = task.options.rounding;
    match (ppu.processing_precision, ppu.method) {
        (Precision::Float16, PoolingMethod::Max) => pool(task, ppu, rdma, path, &Floats::Max),
        (Precision::Int8, PoolingMethod::Max) => pool(task, ppu, rdma, path, &Bytes::Max),
        (Precision::Float16, PoolingMethod::Average) => {
            let factor = reciprocal(ppu.reciprocal_width) * reciprocal(ppu.reciprocal_height) * 2f32.powi(-32);
            let padding = f16::from_bits(ppu.pad_value as u16).to_f32();
            pool(task, ppu, rdma, path, &Floats::Mean { padding, factor })
        }
        (Precision::Int8, PoolingMethod::Average) => {
            // Both reciprocals are at most 17 bits wide, the sum at most 16.
            let factor = i64::from(ppu.reciprocal_width) * i64::from(ppu.reciprocal_height);
            let padding = i32::from(ppu.pad_value as u8 as i8);
            pool(task, ppu, rdma, path, &Bytes::Mean { padding, factor, rounding })
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

fn pool<R: Reduce>(task: &mut Task<'_, '_>, ppu: &Ppu, rdma: &PpuRdma, path: Path, reduce: &R) -> Result<(), Error> {
    let row = rdma.width as usize * ATOM;
    let output_row = ppu.output_width as usize * ATOM;
    let output_line = (i64::from(ppu.output_width) + i64::from(ppu.notch)) * ATOM as i64;
    let mut input = Vec::new();
    let mut made = Vec::new();
    for surface in 0..(rdma.channels as usize).div_ceil(R::LANES) as i64 {
        input.clear();
        for y in 0..i64::from(rdma.height) {
            let address =
                i64::from(rdma.source) + surface * i64::from(rdma.surface_stride) + y * i64::from(rdma.line_stride);
            input.extend_from_slice(task.read(reg::ppu_rdma::RDMA_SRC_BASE_ADDR, address, row)?);
        }
        made.clear();
        dispatch(path, Surface { ppu, rdma, reduce, input: &input, made: &mut made });
        for (y, row) in made.chunks_exact(output_row).enumerate() {
            let address = i64::from(ppu.destination) + surface * i64::from(ppu.surface_stride) + y as i64 * output_line;
            task.write(reg::ppu::DST_BASE_ADDR, address, row)?;
        }
    }
    Ok(())
}

/// One surface: atoms in, atoms out.
struct Surface<'a, R> {
    ppu: &'a Ppu,
    rdma: &'a PpuRdma,
    reduce: &'a R,
    input: &'a [u8],
    made: &'a mut Vec<u8>,
}

impl<R: Reduce> Kernel for Surface<'_, R> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { ppu, rdma, reduce, input, made } = self;
        let size = (ppu.kernel_width * ppu.kernel_height) as usize;
        let width = rdma.width as usize;
        let mut values = Vec::with_capacity(input.len() / ATOM * R::LANES);
        R::decode(simd, input, &mut values);
        let mut row = vec![R::Value::default(); ppu.output_width as usize * R::LANES];
        for y in 0..ppu.output_height {
            let rows = inside(y, ppu.stride_y, ppu.pad_top, ppu.kernel_height, rdma.height);
            for (x, target) in row.chunks_exact_mut(R::LANES).enumerate() {
                let columns = inside(x as u32, ppu.stride_x, ppu.pad_left, ppu.kernel_width, rdma.width);
                let outside = size - rows.len() * columns.len();
                let mut lanes = [reduce.start(); LANES];
                for line in rows.clone() {
                    let elements =
                        &values[(line * width + columns.start) * R::LANES..(line * width + columns.end) * R::LANES];
                    for elements in elements.chunks_exact(R::LANES) {
                        for (lane, element) in lanes.iter_mut().zip(elements) {
                            *lane = reduce.add(*lane, *element);
                        }
                    }
                }
                for (target, lane) in target.iter_mut().zip(lanes) {
                    *target = reduce.finish(lane, outside);
                }
            }
            R::encode(simd, &row, made);
        }
    }
}

/// The part of a window that lies in the cube, in one direction.
fn inside(output: u32, stride: u32, pad: u32, kernel: u32, size: u32) -> std::ops::Range<usize> {
    let start = i64::from(output) * i64::from(stride) - i64::from(pad);
    let end = (start + i64::from(kernel)).clamp(0, i64::from(size));
    start.clamp(0, end) as usize..end as usize
}
