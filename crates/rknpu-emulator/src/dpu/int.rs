//! The integer pipeline over blocks of channels.

use ferrite_rknpu::typed::AluAlgorithm;

use super::elements::{CHUNK, Elements, Rooms};
use super::lanes::{PerChannel, Repeated, converted, each, each_of_three, every};
use super::lut::{IntTable, Places};
use super::sink::Sink;
use super::whole::{EXACT, EXACT_SHIFT, Shift, Whole};
use crate::conv::IntConvolution;
use crate::options::Rounding;
use crate::simd::{Kernel, LANES, Simd};

/// `((x + before) * scale >> shift) + behind`
#[derive(Debug, Clone, Copy)]
pub(super) struct Affine {
    pub(super) before: i64,
    pub(super) scale: i64,
    pub(super) shift: u32,
    pub(super) behind: i64,
}

/// The second operand of an operation.
#[derive(Debug)]
pub(super) enum Operand<'a> {
    Channels(PerChannel<i64>),
    Elements(Elements<'a>, Option<Affine>),
}

/// Right shifts by sign.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shifts {
    pub(super) positive: u32,
    pub(super) negative: u32,
}

/// One operation on every value. Which operations a task has is decided once.
#[derive(Debug)]
pub(super) enum Step<'a> {
    /// `main OP operand`
    Alu(AluAlgorithm, Operand<'a>),
    /// Product and shift; with `prelu` only of values up to zero.
    Multiply {
        operand: Operand<'a>,
        shifts: Shifts,
        prelu: bool,
    },
    /// Product, sum and shift of values up to zero.
    PreluMultiplyFirst {
        factor: PerChannel<i64>,
        alu: Option<(AluAlgorithm, PerChannel<i64>)>,
        shifts: Shifts,
    },
    Shift(Shifts),
    AtLeastZero,
    AtMost(i64),
    Table(IntTable),
}

/// What the pipeline writes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Format {
    Int8,
    Int16,
    Int32,
    /// Times this power of two.
    Float16(f64),
}

impl Format {
    /// Bytes of an element.
    pub(super) fn bytes(self) -> usize {
        match self {
            Self::Int8 => 1,
            Self::Int16 | Self::Float16(_) => 2,
            Self::Int32 => 4,
        }
    }
}

/// The last conversion.
#[derive(Debug, Clone, Copy)]
pub(super) struct Output {
    pub(super) affine: Affine,
    pub(super) format: Format,
}

/// Where values come from.
#[derive(Debug)]
pub(super) enum Main<'a> {
    Convolution(Box<IntConvolution<'a>>),
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
    pub(super) rounding: Rounding,
    pub(super) plane: &'a mut Vec<i16>,
}

impl Kernel for Pipeline<'_> {
    type Output = Sink;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Sink {
        match (S::DOUBLES && self.fits_doubles(), self.rounding) {
            (false, _) => self.execute::<S, i64, 3>(simd),
            (true, Rounding::HalfEven) => self.execute::<S, f64, 0>(simd),
            (true, Rounding::HalfAway) => self.execute::<S, f64, 1>(simd),
            (true, Rounding::Floor) => self.execute::<S, f64, 2>(simd),
        }
    }
}

impl Pipeline<'_> {
    /// Whether no intermediate result can exceed what a double holds exactly.
    fn fits_doubles(&self) -> bool {
        let main = match &self.main {
            Main::Convolution(convolution) => convolution.bound,
            Main::Elements(elements) => elements.bound(),
        };
        let steps = self.steps.iter().try_fold(Range::symmetric(main), |range, step| step.range(range));
        steps.and_then(|range| self.output.affine.bound(range.magnitude())).is_some()
    }

    #[inline(always)]
    fn execute<S: Simd, N: Whole, const ROUNDING: u8>(self, simd: S) -> Sink {
        let Self { main, steps, output, pixels, channels, sink, rounding, plane } = self;
        // A constant where it matters: shifts are in the innermost loops.
        let rounding = match ROUNDING {
            0 => Rounding::HalfEven,
            1 => Rounding::HalfAway,
            2 => Rounding::Floor,
            _ => rounding,
        };
        // Without an operand of its own for every element, equal accumulators of a channel stay equal.
        let alike = steps.iter().all(|step| {
            !matches!(step, Step::Alu(_, Operand::Elements(..)) | Step::Multiply { operand: Operand::Elements(..), .. })
        });
        let mut stage = Stage::<N> {
            steps: steps.into_iter().map(Prepared::new).collect(),
            affine: output.affine.prepare(),
            format: output.format,
            sink,
            rooms: Rooms::default(),
            others: [[N::default(); LANES]; CHUNK],
            places: Places::default(),
        };
        let mut values = [[N::default(); LANES]; CHUNK];
        let blocks = channels.div_ceil(LANES);
        match main {
            Main::Elements(elements) => {
                let mut rooms = Rooms::default();
                for block in 0..blocks {
                    for first in (0..pixels).step_by(CHUNK) {
                        let values = &mut values[..CHUNK.min(pixels - first)];
                        elements.wholes(&mut rooms, block, first, values);
                        stage.run(simd, rounding, block, first, values);
                    }
                }
            }
            Main::Convolution(convolution) => {
                let mut sums = [[0; LANES]; CHUNK];
                let (width, _) = convolution.size();
                for band in convolution.bands() {
                    convolution.gather(&band, plane);
                    let inside = band.len() * width;
                    for block in 0..blocks {
                        let same = alike && convolution.is_empty(block);
                        for first in (0..inside).step_by(CHUNK) {
                            let count = CHUNK.min(inside - first);
                            let pixel = band.start * width + first;
                            if same && pixel > 0 {
                                stage.sink.repeat(block, pixel, count);
                                continue;
                            }
                            let (values, sums) = (&mut values[..count], &mut sums[..count]);
                            convolution.sums(simd, plane, block, first, sums);
                            converted(sums, values, N::from_i32);
                            if let Some(factors) = convolution.separate(simd, plane, block, first, sums) {
                                for (values, sums) in values.iter_mut().zip(sums.iter()) {
                                    for lane in 0..LANES {
                                        let factor = N::from_i32(i32::from(factors[lane]));
                                        values[lane] = values[lane].add(factor.multiply(N::from_i32(sums[lane])));
                                    }
                                }
                            }
                            stage.run(simd, rounding, block, pixel, values);
                        }
                    }
                }
            }
        }
        stage.sink
    }
}

impl Affine {
    /// The largest magnitude of the result, if doubles are exact all the way.
    fn bound(&self, value: u128) -> Option<u128> {
        let magnitude = |value: i64| u128::from(value.unsigned_abs());
        let product = (value + magnitude(self.before)) * magnitude(self.scale);
        let result = (product >> self.shift.min(127)) + 1 + magnitude(self.behind);
        (product <= EXACT && self.shift <= EXACT_SHIFT && result <= EXACT).then_some(result)
    }

    fn prepare<N: Whole>(&self) -> PreparedAffine<N> {
        PreparedAffine {
            before: N::from_i64(self.before),
            scale: N::from_i64(self.scale),
            shift: N::shifter(self.shift),
            behind: N::from_i64(self.behind),
        }
    }

    /// The conversion of one number.
    pub(super) fn apply(&self, value: i64, rounding: Rounding) -> i64 {
        self.prepare::<i64>().apply(value, rounding)
    }
}

#[derive(Debug, Clone, Copy)]
struct PreparedAffine<N> {
    before: N,
    scale: N,
    shift: Shift<N>,
    behind: N,
}

impl<N: Whole> PreparedAffine<N> {
    #[inline(always)]
    fn apply(&self, value: N, rounding: Rounding) -> N {
        value.add(self.before).multiply(self.scale).shift(self.shift, rounding).add(self.behind)
    }
}

impl Operand<'_> {
    fn bound(&self) -> Option<u128> {
        match self {
            Self::Channels(channels) => channels.values().map(|value| u128::from(value.unsigned_abs())).max(),
            Self::Elements(elements, None) => Some(elements.bound()),
            Self::Elements(elements, Some(affine)) => affine.bound(elements.bound()),
        }
    }
}

/// What values can be: from minus `negative` to `positive`.
#[derive(Debug, Clone, Copy)]
struct Range {
    negative: u128,
    positive: u128,
}

impl Range {
    fn symmetric(magnitude: u128) -> Self {
        Self { negative: magnitude, positive: magnitude }
    }

    fn magnitude(self) -> u128 {
        self.negative.max(self.positive)
    }

    fn union(self, other: Self) -> Self {
        Self { negative: self.negative.max(other.negative), positive: self.positive.max(other.positive) }
    }

    fn alu(self, algorithm: AluAlgorithm, operand: u128) -> Self {
        match algorithm {
            AluAlgorithm::Add | AluAlgorithm::Subtract => {
                Self { negative: self.negative + operand, positive: self.positive + operand }
            }
            _ => self.union(Self::symmetric(operand)),
        }
    }

    /// Behind right shifts; `None` if doubles are not exact in front of them.
    fn shifted(self, shifts: Shifts) -> Option<Self> {
        let exact = self.magnitude() <= EXACT && shifts.positive.max(shifts.negative) <= EXACT_SHIFT;
        let (negative, positive) =
            ((self.negative >> shifts.negative.min(127)) + 1, (self.positive >> shifts.positive.min(127)) + 1);
        exact.then_some(Self { negative, positive })
    }
}

impl Step<'_> {
    /// What values can be behind the step from what they can be in front of it; `None` if a double might not be exact.
    fn range(&self, value: Range) -> Option<Range> {
        let largest =
            |values: &PerChannel<i64>| values.values().map(|v| u128::from(v.unsigned_abs())).max().unwrap_or(0);
        let up_to_zero = Range { positive: 0, ..value };
        let above_zero = Range { negative: 0, ..value };
        let product = |value: Range, factor: u128| Range::symmetric(value.magnitude() * factor);
        let range = match self {
            Self::Alu(algorithm, operand) => value.alu(*algorithm, operand.bound()?),
            Self::Multiply { operand, shifts, prelu: false } => product(value, operand.bound()?).shifted(*shifts)?,
            Self::Multiply { operand, shifts, prelu: true } => {
                product(up_to_zero, operand.bound()?).shifted(*shifts)?.union(above_zero)
            }
            Self::PreluMultiplyFirst { factor, alu, shifts } => {
                let sum = |range: Range| match alu {
                    Some((algorithm, operand)) => range.alu(*algorithm, largest(operand)),
                    None => range,
                };
                let multiplied = product(up_to_zero, largest(factor));
                (multiplied.magnitude() <= EXACT).then_some(())?;
                sum(multiplied).shifted(*shifts)?.union(sum(above_zero))
            }
            Self::Shift(shifts) => value.shifted(*shifts)?,
            Self::AtLeastZero => above_zero,
            Self::AtMost(limit) => value.union(Range::symmetric(u128::from(limit.unsigned_abs()))),
            Self::Table(table) => Range::symmetric(table.bound(value.magnitude())?),
        };
        (range.magnitude() <= EXACT).then_some(range)
    }
}

enum PreparedOperand<'a, N> {
    Channels(Repeated<N>),
    Elements(Elements<'a>, Option<PreparedAffine<N>>),
}

#[derive(Debug, Clone, Copy)]
struct PreparedShifts<N> {
    positive: Shift<N>,
    negative: Shift<N>,
}

impl<N: Whole> PreparedShifts<N> {
    fn new(shifts: Shifts) -> Self {
        Self { positive: N::shifter(shifts.positive), negative: N::shifter(shifts.negative) }
    }

    #[inline(always)]
    fn apply(&self, value: N, rounding: Rounding) -> N {
        value.shift(if value >= N::default() { self.positive } else { self.negative }, rounding)
    }
}

/// A step with its numbers in the type of the pipeline.
enum Prepared<'a, N> {
    Alu(AluAlgorithm, PreparedOperand<'a, N>),
    Multiply { operand: PreparedOperand<'a, N>, shifts: PreparedShifts<N>, prelu: bool },
    PreluMultiplyFirst { factor: Repeated<N>, alu: Option<(AluAlgorithm, Repeated<N>)>, shifts: PreparedShifts<N> },
    Shift(PreparedShifts<N>),
    AtLeastZero,
    AtMost(N),
    Table(IntTable),
}

impl<'a, N: Whole> Prepared<'a, N> {
    fn new(step: Step<'a>) -> Self {
        let channels = |values: &PerChannel<i64>| Repeated::new(values.map(N::from_i64));
        let operand = |operand| match operand {
            Operand::Channels(values) => PreparedOperand::Channels(channels(&values)),
            Operand::Elements(elements, affine) => {
                PreparedOperand::Elements(elements, affine.map(|affine| affine.prepare()))
            }
        };
        match step {
            Step::Alu(algorithm, other) => Self::Alu(algorithm, operand(other)),
            Step::Multiply { operand: other, shifts, prelu } => {
                Self::Multiply { operand: operand(other), shifts: PreparedShifts::new(shifts), prelu }
            }
            Step::PreluMultiplyFirst { factor, alu, shifts } => Self::PreluMultiplyFirst {
                factor: channels(&factor),
                alu: alu.map(|(algorithm, operand)| (algorithm, channels(&operand))),
                shifts: PreparedShifts::new(shifts),
            },
            Step::Shift(shifts) => Self::Shift(PreparedShifts::new(shifts)),
            Step::AtLeastZero => Self::AtLeastZero,
            Step::AtMost(limit) => Self::AtMost(N::from_i64(limit)),
            Step::Table(table) => Self::Table(table),
        }
    }
}

struct Stage<'a, N> {
    steps: Vec<Prepared<'a, N>>,
    affine: PreparedAffine<N>,
    format: Format,
    sink: Sink,
    rooms: Rooms,
    others: [[N; LANES]; CHUNK],
    places: Places,
}

impl<N: Whole> Stage<'_, N> {
    #[inline(always)]
    fn run<S: Simd>(&mut self, simd: S, rounding: Rounding, block: usize, first: usize, values: &mut [[N; LANES]]) {
        for step in &mut self.steps {
            let others = &mut self.others[..values.len()];
            match step {
                Prepared::Alu(algorithm, operand) => {
                    let other = other(operand, &mut self.rooms, others, block, first, rounding);
                    match algorithm {
                        AluAlgorithm::Max => each(values, other, larger),
                        AluAlgorithm::Min => each(values, other, smaller),
                        AluAlgorithm::Add => each(values, other, N::add),
                        AluAlgorithm::Subtract => each(values, other, N::subtract),
                        AluAlgorithm::Divide | AluAlgorithm::Unknown(_) => {}
                    }
                }
                Prepared::Multiply { operand, shifts, prelu } => {
                    let other = other(operand, &mut self.rooms, others, block, first, rounding);
                    let shifts = *shifts;
                    let product = |value: N, other| shifts.apply(value.multiply(other), rounding);
                    if *prelu {
                        let zero = N::default();
                        each(values, other, |value, other| N::select(value <= zero, product(value, other), value));
                    } else {
                        each(values, other, product);
                    }
                }
                Prepared::PreluMultiplyFirst { factor, alu, shifts } => {
                    let shifts = *shifts;
                    prelu_multiply_first(values, block, factor, alu.as_mut(), |value| shifts.apply(value, rounding));
                }
                Prepared::Shift(shifts) => {
                    let shifts = *shifts;
                    every(values, |value| shifts.apply(value, rounding));
                }
                Prepared::AtLeastZero => every(values, |value| larger(value, N::default())),
                Prepared::AtMost(limit) => {
                    let limit = *limit;
                    every(values, |value| smaller(value, limit));
                }
                Prepared::Table(table) => N::look_up(values.as_flattened_mut(), table, rounding, &mut self.places),
            }
        }
        self.write(simd, rounding, block, first, values);
    }

    #[inline(always)]
    fn write<S: Simd>(&mut self, simd: S, rounding: Rounding, block: usize, first: usize, values: &[[N; LANES]]) {
        let affine = self.affine;
        let convert = |value: N| affine.apply(value, rounding);
        match self.format {
            Format::Int8 => {
                let mut bytes = [[0i8; LANES]; CHUNK];
                converted(values, &mut bytes, |value| convert(value).within(-128, 127) as i8);
                self.sink.put(block, first, &mut bytes[..values.len()], i8::to_le_bytes);
            }
            Format::Int16 => {
                let mut bits = [[0i16; LANES]; CHUNK];
                converted(values, &mut bits, |value| convert(value).within(-32768, 32767) as i16);
                self.sink.put(block, first, &mut bits[..values.len()], i16::to_le_bytes);
            }
            Format::Int32 => {
                let mut words = [[0i32; LANES]; CHUNK];
                // A double holds every number of 32 bits; the cast saturates.
                converted(values, &mut words, |value| convert(value).to_f64() as i32);
                self.sink.put(block, first, &mut words[..values.len()], i32::to_le_bytes);
            }
            Format::Float16(factor) => {
                let mut singles = [[0.0; LANES]; CHUNK];
                converted(values, &mut singles, |value| (convert(value).to_f64() * factor) as f32);
                let mut bits = [[0u16; LANES]; CHUNK];
                for (bits, singles) in bits.iter_mut().zip(&singles[..values.len()]) {
                    *bits = simd.narrow(singles);
                }
                self.sink.put(block, first, &mut bits[..values.len()], u16::to_le_bytes);
            }
        }
    }
}

/// Positive values pass unmultiplied and unshifted, but not past the ALU.
#[inline(always)]
fn prelu_multiply_first<N: Whole>(
    values: &mut [[N; LANES]],
    block: usize,
    factor: &mut Repeated<N>,
    alu: Option<&mut (AluAlgorithm, Repeated<N>)>,
    shift: impl Fn(N) -> N,
) {
    let factors = factor.block(block);
    let Some((algorithm, operand)) = alu else {
        return with_sum(values, factors, factors, shift, |product, _| product);
    };
    let others = operand.block(block);
    match algorithm {
        AluAlgorithm::Max => with_sum(values, factors, others, shift, larger),
        AluAlgorithm::Min => with_sum(values, factors, others, shift, smaller),
        AluAlgorithm::Add => with_sum(values, factors, others, shift, N::add),
        AluAlgorithm::Subtract => with_sum(values, factors, others, shift, N::subtract),
        AluAlgorithm::Divide | AluAlgorithm::Unknown(_) => {}
    }
}

#[inline(always)]
fn with_sum<N: Whole>(
    values: &mut [[N; LANES]],
    factors: &[[N; LANES]],
    others: &[[N; LANES]],
    shift: impl Fn(N) -> N,
    sum: impl Fn(N, N) -> N,
) {
    each_of_three(values, factors, others, |value, factor, other| {
        let multiplied = value <= N::default();
        let made = sum(N::select(multiplied, value.multiply(factor), value), other);
        N::select(multiplied, shift(made), made)
    });
}

#[inline(always)]
fn larger<N: Whole>(one: N, other: N) -> N {
    N::select(other > one, other, one)
}

#[inline(always)]
fn smaller<N: Whole>(one: N, other: N) -> N {
    N::select(other < one, other, one)
}

#[inline(always)]
fn other<'b, N: Whole>(
    operand: &'b mut PreparedOperand<'_, N>,
    rooms: &mut Rooms,
    others: &'b mut [[N; LANES]],
    block: usize,
    first: usize,
    rounding: Rounding,
) -> &'b [[N; LANES]] {
    match operand {
        PreparedOperand::Channels(channels) => channels.block(block),
        PreparedOperand::Elements(elements, affine) => {
            elements.wholes(rooms, block, first, others);
            if let Some(affine) = *affine {
                every(others, |other| affine.apply(other, rounding));
            }
            others
        }
    }
}
