//! CNA's feature fetch: from a cube or packed pixels in memory to padded, zero-inserted, converted rows of pixels.

use std::ops::Range;

use ferrite_rknpu::reg;
use ferrite_rknpu::typed::Cna;

use super::shape::Shape;
use crate::error::Error;
use crate::options::Rounding;
use crate::rounding::{Half, saturate, shift};
use crate::simd::{LANES, Simd, map};
use crate::task::Task;
use crate::view::{ATOM, View, Walk};

/// Where features come from and how they lie around each other.
#[derive(Debug)]
pub(crate) struct Features<'a> {
    view: View<'a>,
    /// Channels of a packed pixel; else atoms.
    packed: Option<usize>,
    width: usize,
    channels: usize,
    /// Values of a pixel in the gathered rows; those behind the channels are zero or meet zero weights.
    pub(crate) pixel: usize,
    pad: (usize, usize),
    distance: (usize, usize),
}

impl<'a> Features<'a> {
    /// `bytes` per element; `alignment` of a pixel's values when pixels are packed.
    pub(crate) fn new(
        task: &'a Task<'_, '_>,
        cna: &Cna,
        shape: &Shape,
        bytes: usize,
        alignment: usize,
    ) -> Result<Self, Error> {
        let packed = match cna.packed_channels() {
            Ok(packed) => packed.map(|channels| channels as usize),
            Err(code) => return task.refuse(reg::cna::CONV_CON1, code, "unknown ARGB_IN"),
        };
        let columns = reached(cna.width, cna.pad_left, cna.deconvolution_x, shape.width);
        let height = reached(cna.height, cna.pad_top, cna.deconvolution_y, shape.height);
        let (register, base) = (reg::cna::FEATURE_DATA_ADDR, i64::from(cna.feature_address));
        let walk = match packed {
            Some(channels) => {
                let pixel = channels * bytes;
                let line = i64::from(cna.line_stride) * pixel as i64;
                Walk { register, base, surfaces: 1, height, row: columns * pixel, line, surface: 0 }
            }
            None => {
                let surfaces = (shape.channels * bytes).div_ceil(ATOM);
                let (line, surface) = (cna.line_bytes(), cna.surface_bytes());
                Walk { register, base, surfaces, height, row: columns * ATOM, line, surface }
            }
        };
        Ok(Self {
            view: View::read(task, walk)?,
            packed,
            width: shape.width,
            channels: shape.channels,
            pixel: shape.channels.next_multiple_of(if packed.is_some() { alignment } else { LANES }),
            pad: (cna.pad_left as usize, cna.pad_top as usize),
            distance: (cna.deconvolution_x as usize, cna.deconvolution_y as usize),
        })
    }

    /// The input row that lies at a row of the padded, zero-inserted block.
    fn source(&self, row: usize) -> Option<usize> {
        let behind = row.checked_sub(self.pad.1)?;
        let y = behind / self.distance.1;
        (behind.is_multiple_of(self.distance.1) && y < self.view.height).then_some(y)
    }

    /// Whether every value of a row with data is written anyway.
    fn covers<const BYTES: usize>(&self) -> bool {
        self.packed.is_none() && self.distance.0 == 1 && self.pad.0 == 0 && self.view.width() == self.width
    }

    /// Rows of the block, in the order row, column, channel. `place` writes [`LANES`] values of a pixel from its bytes.
    #[inline(always)]
    fn gather<T: Copy, const BYTES: usize>(
        &self,
        rows: Range<usize>,
        plane: &mut Vec<T>,
        pad: T,
        mut atoms: impl FnMut(usize, [&[u8]; BYTES], &mut [T], usize),
        element: impl Fn([u8; BYTES], usize) -> T,
        row_of: impl Fn(&[u8], &mut [T]),
    ) {
        let line = self.width * self.pixel;
        plane.resize(rows.len() * line, pad);
        for (row, line) in rows.zip(plane.chunks_exact_mut(line)) {
            let Some(y) = self.source(row) else {
                line.fill(pad);
                continue;
            };
            if !self.covers::<BYTES>() {
                line.fill(pad);
            }
            let step = self.distance.0 * self.pixel;
            let line = line.get_mut(self.pad.0 * self.pixel..).unwrap_or_default();
            if let Some(channels) = self.packed {
                if step == channels && self.pixel == channels {
                    // Values lie as bytes do.
                    row_of(self.view.row(0, y), line);
                    continue;
                }
                let pixels = self.view.row(0, y).chunks_exact(channels * BYTES);
                for (values, bytes) in line.chunks_mut(step).zip(pixels) {
                    let elements = bytes.as_chunks::<BYTES>().0.iter().enumerate();
                    for (value, (channel, bytes)) in values.iter_mut().zip(elements) {
                        *value = element(*bytes, channel);
                    }
                }
                continue;
            }
            for block in 0..self.channels.div_ceil(LANES) {
                let row = |part: usize| {
                    let surface = block * BYTES + part;
                    if surface < self.view.surfaces { self.view.row(surface, y) } else { &[] }
                };
                let target = line.get_mut(block * LANES..).unwrap_or_default();
                atoms(block, std::array::from_fn(row), target, step);
            }
        }
    }

    /// Half-precision or bfloat16 rows, widened.
    #[inline(always)]
    pub(crate) fn floats<S: Simd>(&self, simd: S, half: Half, rows: Range<usize>, plane: &mut Vec<f32>) {
        let full = self.channels / LANES;
        let atoms = |block: usize, [left, right]: [&[u8]; 2], line: &mut [f32], step: usize| {
            let (left, right) = (left.as_chunks::<ATOM>().0, right.as_chunks::<ATOM>().0);
            for (x, (values, left)) in line.chunks_mut(step).zip(left).enumerate() {
                let mut bits = [0; LANES];
                words(left, &mut bits[..8]);
                if let Some(right) = right.get(x) {
                    words(right, &mut bits[8..]);
                }
                if block == full {
                    // What memory holds behind the last channel must not count, not even multiplied by zero.
                    bits[self.channels % LANES..].fill(0);
                }
                let Some(values) = values.first_chunk_mut::<LANES>() else { continue };
                *values = half.widen(simd, &bits);
            }
        };
        let element = |bytes, _| half.to_f32(u16::from_le_bytes(bytes));
        let row_of = |bytes: &[u8], line: &mut [f32]| {
            let blocks = bytes.chunks(2 * LANES);
            for (values, bytes) in line[..bytes.len() / 2].chunks_mut(LANES).zip(blocks) {
                let mut bits = [0; LANES];
                for (bits, bytes) in bits.iter_mut().zip(bytes.as_chunks::<2>().0) {
                    *bits = u16::from_le_bytes(*bytes);
                }
                let wide = half.widen(simd, &bits);
                values.copy_from_slice(&wide[..values.len()]);
            }
        };
        self.gather::<f32, 2>(rows, plane, 0.0, atoms, element, row_of);
    }

    /// Byte rows behind the input converter.
    #[inline(always)]
    pub(crate) fn bytes(&self, converter: &Converter, rows: Range<usize>, plane: &mut Vec<i16>) {
        let atoms = |_: usize, [row]: [&[u8]; 1], line: &mut [i16], step: usize| {
            for (values, atom) in line.chunks_mut(step).zip(row.as_chunks::<ATOM>().0) {
                let Some(values) = values.first_chunk_mut::<LANES>() else { continue };
                match &converter.table {
                    None => *values = map(atom, |byte| i16::from(byte as i8)),
                    Some(table) => {
                        for lane in 0..LANES {
                            values[lane] = table[lane & 3][usize::from(atom[lane])];
                        }
                    }
                }
            }
        };
        let row_of = |bytes: &[u8], line: &mut [i16]| {
            for (index, (value, byte)) in line.iter_mut().zip(bytes).enumerate() {
                *value = converter.value(*byte, index % self.channels);
            }
        };
        let element = |[byte]: [u8; 1], channel| converter.value(byte, channel);
        self.gather::<i16, 1>(rows, plane, converter.pad, atoms, element, row_of);
    }
}

/// Little-endian 16-bit words.
#[inline(always)]
pub(crate) fn words(bytes: &[u8; ATOM], words: &mut [u16]) {
    for (word, bytes) in words.iter_mut().zip(bytes.as_chunks::<2>().0) {
        *word = u16::from_le_bytes(*bytes);
    }
}

/// The input converter of byte features: 256 values and four sets of numbers make it a table.
#[derive(Debug)]
pub(crate) struct Converter {
    table: Option<Box<[[i16; 256]; 4]>>,
    pad: i16,
}

impl Converter {
    pub(crate) fn new(cna: &Cna, rounding: Rounding) -> Self {
        let convert = |channel: usize, byte: u8| {
            let value = if cna.data_signed { i64::from(byte as i8) } else { i64::from(byte) };
            let converter = cna.converter(channel);
            let (offset, scale) = (i64::from(converter.offset), i64::from(converter.scale));
            let converted = match cna.converter_offset_first {
                true => shift((value + offset) * scale, converter.shift, rounding),
                false => shift(value * scale, converter.shift, rounding) + offset,
            };
            saturate(converted, 8) as i16
        };
        let table = (!cna.converter_bypass)
            .then(|| Box::new(std::array::from_fn(|set| std::array::from_fn(|byte| convert(set, byte as u8)))));
        Self { table, pad: i16::from(cna.pad_value as u8 as i8) }
    }

    fn value(&self, byte: u8, channel: usize) -> i16 {
        self.table.as_ref().map_or(i16::from(byte as i8), |table| table[channel & 3][usize::from(byte)])
    }
}

/// How many input columns (or rows) windows reach at all.
fn reached(inputs: u32, pad: u32, distance: u32, size: usize) -> usize {
    let behind_padding = (size as u64).saturating_sub(u64::from(pad));
    behind_padding.div_ceil(u64::from(distance)).min(u64::from(inputs)) as usize
}
