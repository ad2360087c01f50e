//! The floating-point pipeline over blocks of channels.

use ferrite_rknpu::typed::AluAlgorithm;

use super::elements::{CHUNK, Elements, Rooms};
use super::lanes::{Repeated, converted, each, every};
use super::lut::{FloatTable, Places};
use super::sink::Sink;
use crate::conv::FloatConvolution;
use crate::rounding::{Half, maximum, minimum, nearest, select};
use crate::simd::{Kernel, LANES, Simd};

/// The second operand of an operation.
#[derive(Debug)]
pub(super) enum Operand<'a> {
    Channels(Repeated<f32>),
    Elements(Elements<'a>),
}

/// One operation on every value. Which operations a task has is decided once.
#[derive(Debug)]
pub(super) enum Step<'a> {
    /// `main OP operand`
    Alu(AluAlgorithm, Operand<'a>),
    /// Products; with `prelu` only of values up to zero.
    Multiply {
        operand: Operand<'a>,
        prelu: bool,
    },
    AtLeastZero,
    AtMost(f32),
    Table(FloatTable),
}

/// What the pipeline writes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Format {
    Half(Half),
    Single,
    /// Rounded and saturated.
    Int8,
    Int16,
}

impl Format {
    /// Bytes of an element.
    pub(super) fn bytes(self) -> usize {
        match self {
            Self::Int8 => 1,
            Self::Half(_) | Self::Int16 => 2,
            Self::Single => 4,
        }
    }
}

/// The last conversion.
#[derive(Debug, Clone, Copy)]
pub(super) struct Output {
    /// Added, then multiplied.
    pub(super) scale: Option<(f32, f32)>,
    pub(super) format: Format,
}

/// Where values come from.
#[derive(Debug)]
pub(super) enum Main<'a> {
    Convolution(Box<FloatConvolution<'a>>),
    Elements(Elements<'a>),
}

/// A whole task between its reads and its writes.
pub(super) struct Pipeline<'a> {
    pub(super) main: Main<'a>,
    pub(super) steps: Vec<Step<'a>>,
    pub(super) output: Output,
    pub(super) pixels: usize,
    pub(super) channels: usize,
    pub(super) sink: Sink,
    /// Instead of the sink: the largest of so many channels of every pixel, and its first candidate.
    pub(super) maximum: Option<(usize, f32)>,
    pub(super) plane: &'a mut Vec<f32>,
}

/// What a pipeline makes.
pub(super) struct Made {
    pub(super) sink: Sink,
    /// One half-precision number per pixel.
    pub(super) maxima: Vec<u16>,
}

impl Kernel for Pipeline<'_> {
    type Output = Made;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Made {
        let Self { main, steps, output, pixels, channels, sink, maximum, plane } = self;
        let start = maximum.map_or(0.0, |(_, start)| start);
        let mut made = Stage {
            steps,
            output,
            sink,
            maximum: maximum.map(|(channels, _)| channels),
            maxima: vec![start; if maximum.is_some() { pixels } else { 0 }],
            rooms: Rooms::default(),
            others: [[0.0; LANES]; CHUNK],
            places: Places::default(),
            bits: [[0; LANES]; CHUNK],
        };
        let mut values = [[0.0; LANES]; CHUNK];
        let blocks = channels.div_ceil(LANES);
        match main {
            Main::Elements(elements) => {
                let mut rooms = Rooms::default();
                for block in 0..blocks {
                    for first in (0..pixels).step_by(CHUNK) {
                        let values = &mut values[..CHUNK.min(pixels - first)];
                        elements.floats(simd, &mut rooms, block, first, values);
                        made.run(simd, block, first, values);
                    }
                }
            }
            Main::Convolution(convolution) => {
                let (width, _) = convolution.size();
                for band in convolution.bands() {
                    convolution.gather(simd, &band, plane);
                    let inside = band.len() * width;
                    for block in 0..blocks {
                        for first in (0..inside).step_by(CHUNK) {
                            let values = &mut values[..CHUNK.min(inside - first)];
                            convolution.sums(simd, plane, block, first, values);
                            made.run(simd, block, band.start * width + first, values);
                        }
                    }
                }
            }
        }
        let narrowed = |values: &[f32]| {
            let block = std::array::from_fn(|lane| values.get(lane).copied().unwrap_or(0.0));
            simd.narrow(&block).into_iter().take(values.len())
        };
        let maxima = made.maxima.chunks(LANES).flat_map(narrowed).collect();
        Made { sink: made.sink, maxima }
    }
}

struct Stage<'a> {
    steps: Vec<Step<'a>>,
    output: Output,
    sink: Sink,
    maximum: Option<usize>,
    maxima: Vec<f32>,
    rooms: Rooms,
    others: [[f32; LANES]; CHUNK],
    places: Places,
    bits: [[u16; LANES]; CHUNK],
}

impl Stage<'_> {
    #[inline(always)]
    fn run<S: Simd>(&mut self, simd: S, block: usize, first: usize, values: &mut [[f32; LANES]]) {
        for step in &mut self.steps {
            let rooms = &mut self.rooms;
            match step {
                Step::Alu(algorithm, operand) => {
                    let others = &mut self.others[..values.len()];
                    let other = other(simd, operand, rooms, others, block, first);
                    match algorithm {
                        AluAlgorithm::Max => each(values, other, maximum),
                        AluAlgorithm::Min => each(values, other, minimum),
                        AluAlgorithm::Add => each(values, other, |value, other| value + other),
                        AluAlgorithm::Divide => each(values, other, |value, other| value / other),
                        AluAlgorithm::Subtract => each(values, other, |value, other| value - other),
                        AluAlgorithm::Unknown(_) => {}
                    }
                }
                Step::Multiply { operand, prelu } => {
                    let others = &mut self.others[..values.len()];
                    let other = other(simd, operand, rooms, others, block, first);
                    if *prelu {
                        each(values, other, |value, other| select(value <= 0.0, value * other, value));
                    } else {
                        each(values, other, |value, other| value * other);
                    }
                }
                Step::AtLeastZero => every(values, |value| maximum(value, 0.0)),
                Step::AtMost(limit) => {
                    let limit = *limit;
                    every(values, |value| minimum(value, limit));
                }
                Step::Table(table) => table.look_up(values.as_flattened_mut(), &mut self.places),
            }
        }
        match self.maximum {
            Some(channels) => self.keep_largest(block, first, values, channels),
            None => self.write(simd, block, first, values),
        }
    }

    /// Channels in rising order.
    #[inline(always)]
    fn keep_largest(&mut self, block: usize, first: usize, values: &[[f32; LANES]], channels: usize) {
        let count = channels.saturating_sub(block * LANES).min(LANES);
        for (largest, values) in self.maxima[first..].iter_mut().zip(values) {
            *largest = values[..count].iter().fold(*largest, |largest, value| maximum(largest, *value));
        }
    }

    #[inline(always)]
    fn write<S: Simd>(&mut self, simd: S, block: usize, first: usize, values: &mut [[f32; LANES]]) {
        if let Some((offset, factor)) = self.output.scale {
            every(values, |value| (value + offset) * factor);
        }
        let bits = &mut self.bits[..values.len()];
        match self.output.format {
            Format::Half(half) => {
                for (bits, values) in bits.iter_mut().zip(values.iter()) {
                    *bits = half.narrow(simd, values);
                }
                self.sink.put(block, first, bits, u16::to_le_bytes);
            }
            Format::Int8 => {
                converted(values, bits, |value| nearest(value, -128.0, 127.0) as u16);
                self.sink.put(block, first, bits, |bits| [bits as u8]);
            }
            Format::Int16 => {
                converted(values, bits, |value| nearest(value, -32768.0, 32767.0) as u16);
                self.sink.put(block, first, bits, u16::to_le_bytes);
            }
            Format::Single => {
                let encode = |value: f32| select(value.is_nan(), f32::NAN, value).to_le_bytes();
                self.sink.put(block, first, values, encode);
            }
        }
    }
}

#[inline(always)]
fn other<'b, S: Simd>(
    simd: S,
    operand: &'b mut Operand<'_>,
    rooms: &mut Rooms,
    others: &'b mut [[f32; LANES]],
    block: usize,
    first: usize,
) -> &'b [[f32; LANES]] {
    match operand {
        Operand::Channels(channels) => channels.block(block),
        Operand::Elements(elements) => {
            elements.floats(simd, rooms, block, first, others);
            others
        }
    }
}
