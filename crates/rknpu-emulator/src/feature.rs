//! CNA's feature fetch: from a cube or packed pixels in memory to a padded, zero-inserted, converted block of channels.

use ferrite_rknpu::reg;
use ferrite_rknpu::typed::{Cna, Core, Precision};

use crate::cube::ATOM;
use crate::error::Error;
use crate::rounding::{Half, saturate, shift};
use crate::task::Task;

/// The shape of a convolution, in the input as the windows see it: padded and zero-inserted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shape {
    /// Columns and rows that windows reach.
    pub(crate) width: usize,
    pub(crate) height: usize,
    /// Channels that hold data.
    pub(crate) channels: usize,
    pub(crate) output_width: usize,
    pub(crate) output_height: usize,
    pub(crate) kernel_width: usize,
    pub(crate) kernel_height: usize,
    /// Columns and rows from window to window. Zero repeats one window: that is how programs broadcast a row, a column or a
    /// pixel (zoo: `add_row`, `expand_odd`).
    pub(crate) stride: (usize, usize),
    pub(crate) dilation: (usize, usize),
}

impl Shape {
    pub(crate) fn new(cna: &Cna, core: &Core) -> Self {
        let reach = |outputs: u32, stride: u32, kernel: u32, dilation: u32| {
            (outputs as usize - 1) * stride as usize + (kernel as usize - 1) * dilation as usize + 1
        };
        Self {
            width: reach(core.output_width, cna.stride_x, cna.kernel_width, cna.dilation_x),
            height: reach(core.output_height, cna.stride_y, cna.kernel_height, cna.dilation_y),
            channels: cna.real_channels() as usize,
            output_width: core.output_width as usize,
            output_height: core.output_height as usize,
            kernel_width: cna.kernel_width as usize,
            kernel_height: cna.kernel_height as usize,
            stride: (cna.stride_x as usize, cna.stride_y as usize),
            dilation: (cna.dilation_x as usize, cna.dilation_y as usize),
        }
    }

    /// Values of the gathered block.
    pub(crate) fn values(&self) -> u64 {
        (self.width as u64).saturating_mul(self.height as u64).saturating_mul(self.channels as u64)
    }

    /// Where the channels of the pixel under kernel place (`kx`, `ky`) of output (`x`, `y`) begin.
    pub(crate) fn at(&self, (x, y): (usize, usize), (kx, ky): (usize, usize)) -> usize {
        let row = y * self.stride.1 + ky * self.dilation.1;
        let column = x * self.stride.0 + kx * self.dilation.0;
        (row * self.width + column) * self.channels
    }
}

/// The gathered block, in the order row, column, channel. Lanes beyond the real channels are not part of it: what memory
/// holds there must not count, not even multiplied by zero.
pub(crate) struct Features<T> {
    pub(crate) shape: Shape,
    pub(crate) values: Vec<T>,
}

/// Half-precision features, widened.
pub(crate) fn gather_float(task: &Task<'_, '_>, cna: &Cna, shape: Shape, half: Half) -> Result<Features<f32>, Error> {
    let decode = |bytes: &[u8], _channel: usize| half.to_f32(u16::from_le_bytes([bytes[0], bytes[1]]));
    gather::<f32, 2>(task, cna, shape, 0.0, decode)
}

/// Byte features behind the input converter.
pub(crate) fn gather_int(task: &Task<'_, '_>, cna: &Cna, shape: Shape) -> Result<Features<i16>, Error> {
    let pad = i16::from(cna.pad_value as u8 as i8);
    let rounding = task.options.rounding;
    // 256 byte values and four channel sets: the conversion is a table.
    let convert = |channel: usize, byte: u8| {
        if cna.converter_bypass {
            return i16::from(byte as i8);
        }
        let value = if cna.data_signed { i64::from(byte as i8) } else { i64::from(byte) };
        let converter = cna.converter(channel);
        let (offset, scale) = (i64::from(converter.offset), i64::from(converter.scale));
        let converted = match cna.converter_offset_first {
            true => shift((value + offset) * scale, converter.shift, rounding),
            false => shift(value * scale, converter.shift, rounding) + offset,
        };
        saturate(converted, 8) as i16
    };
    let table: Vec<i16> =
        (0..4).flat_map(|set| (0..=255).map(move |byte| (set, byte))).map(|(s, b)| convert(s, b)).collect();
    gather::<i16, 1>(task, cna, shape, pad, |bytes, channel| table[(channel & 3) << 8 | usize::from(bytes[0])])
}

/// Element type of the features, as far as a convolution is modelled.
pub(crate) fn half_of(precision: Precision) -> Option<Half> {
    match precision {
        Precision::Float16 => Some(Half::Float16),
        Precision::BFloat16 => Some(Half::BFloat16),
        _ => None,
    }
}

fn gather<T: Copy, const BYTES: usize>(
    task: &Task<'_, '_>,
    cna: &Cna,
    shape: Shape,
    pad: T,
    decode: impl Fn(&[u8], usize) -> T,
) -> Result<Features<T>, Error> {
    let mut values = vec![pad; shape.values() as usize];
    let register = reg::cna::FEATURE_DATA_ADDR;
    let base = i64::from(cna.feature_address);
    let packed = match cna.packed_channels() {
        Ok(packed) => packed.map(|channels| channels as usize),
        Err(code) => return task.refuse(reg::cna::CONV_CON1, code, "unknown ARGB_IN"),
    };
    let lanes = ATOM / BYTES;
    let columns = reached(cna.width, cna.pad_left, cna.deconvolution_x, shape.width);
    let rows = reached(cna.height, cna.pad_top, cna.deconvolution_y, shape.height);
    for y in 0..rows {
        let row = (cna.pad_top as usize + y * cna.deconvolution_y as usize) * shape.width;
        let place = |x: usize| (row + cna.pad_left as usize + x * cna.deconvolution_x as usize) * shape.channels;
        match packed {
            Some(channels) => {
                let pixel = channels * BYTES;
                let line = y as i64 * i64::from(cna.line_stride) * pixel as i64;
                let bytes = task.read(register, base + line, columns * pixel)?;
                for (x, bytes) in bytes.chunks_exact(pixel).enumerate() {
                    let target = &mut values[place(x)..][..shape.channels];
                    for (channel, (value, bytes)) in target.iter_mut().zip(bytes.chunks_exact(BYTES)).enumerate() {
                        *value = decode(bytes, channel);
                    }
                }
            }
            None => {
                for surface in 0..shape.channels.div_ceil(lanes) {
                    let first = surface * lanes;
                    let count = lanes.min(shape.channels - first);
                    let at = base + surface as i64 * cna.surface_bytes() + y as i64 * cna.line_bytes();
                    let bytes = task.read(register, at, columns * ATOM)?;
                    for (x, atom) in bytes.chunks_exact(ATOM).enumerate() {
                        let target = &mut values[place(x) + first..][..count];
                        for (lane, (value, bytes)) in target.iter_mut().zip(atom.chunks_exact(BYTES)).enumerate() {
                            *value = decode(bytes, first + lane);
                        }
                    }
                }
            }
        }
    }
    Ok(Features { shape, values })
}

/// How many input columns (or rows) windows reach at all.
fn reached(inputs: u32, pad: u32, distance: u32, size: usize) -> usize {
    let behind_padding = (size as u64).saturating_sub(u64::from(pad));
    behind_padding.div_ceil(u64::from(distance)).min(u64::from(inputs)) as usize
}
