//! The convolution: CNA and CORE.
//!
//! Outputs are made in blocks of [`LANES`] channels by some pixels. Weights are unpacked once ([`weights`]), features band by
//! band of rows ([`features`]); the innermost loops are in [`crate::simd`]. Every floating-point accumulator adds its products
//! in one order: input group, kernel row, kernel column, input channel.

pub(crate) mod features;
pub(crate) mod shape;
pub(crate) mod weights;

use std::ops::Range;
use std::sync::Arc;

use ferrite_rknpu::reg;
use ferrite_rknpu::typed::{Cna, ConvolutionMode, Core, Precision};

use crate::error::Error;
use crate::rounding::Half;
use crate::simd::{LANES, Run, Simd};
use crate::task::Task;
use features::{Converter, Features};
use shape::Shape;
use weights::{Key, Layout, Panel, PanelCache};

/// Bytes of gathered features that stay close to the processor.
const BAND_BYTES: usize = 384 << 10;

/// Panels of earlier tasks.
#[derive(Debug, Default)]
pub(crate) struct Panels {
    floats: PanelCache<f32>,
    ints: PanelCache<i16>,
}

/// Element type of the features, as far as a convolution is modelled; bytes where it is neither.
pub(crate) fn half_of(precision: Precision) -> Option<Half> {
    match precision {
        Precision::Float16 => Some(Half::Float16),
        Precision::BFloat16 => Some(Half::BFloat16),
        _ => None,
    }
}

/// What windows consist of.
#[derive(Debug)]
enum Windows {
    Direct(Vec<Run>),
    Depthwise(Vec<usize>),
}

/// The part that does not depend on the element type.
#[derive(Debug)]
struct Plan<'a> {
    shape: Shape,
    features: Features<'a>,
    windows: Windows,
    /// Rows of outputs in a band.
    rows: usize,
    bases: Vec<usize>,
}

impl<'a> Plan<'a> {
    fn new(task: &'a Task<'_, '_>, cna: &Cna, core: &Core, bytes: usize) -> Result<Self, Error> {
        let shape = Shape::new(cna, core);
        let depthwise = cna.mode == ConvolutionMode::Depthwise;
        // Integers are multiplied in pairs.
        let alignment = if depthwise { LANES } else { 3 - bytes };
        let features = Features::new(task, cna, &shape, bytes, alignment)?;
        let pixel = features.pixel;
        let windows = match (depthwise, bytes) {
            (true, _) => Windows::Depthwise(shape.taps(pixel)),
            (false, 1) => Windows::Direct(shape.unordered_runs(pixel, shape.channels.next_multiple_of(2))),
            (false, _) => Windows::Direct(shape.runs(pixel)),
        };
        let line = (shape.width * pixel * 2 * bytes).max(1);
        let fitting = (BAND_BYTES / line).saturating_sub(shape.reach(1)) / shape.stride.1.max(1) + 1;
        // Neighbouring bands read the rows between them twice; bands lower than a window would read most rows many times.
        let rows = fitting.max(2 * shape.reach(1) / shape.stride.1.max(1)).min(shape.output_height);
        let bases = shape.bases(rows, pixel);
        Ok(Self { shape, features, windows, rows, bases })
    }

    /// Bands as ranges of output rows.
    fn bands(&self) -> impl Iterator<Item = Range<usize>> + use<'a> {
        let (rows, height) = (self.rows, self.shape.output_height);
        (0..height).step_by(rows.max(1)).map(move |first| first..(first + rows).min(height))
    }

    fn input_rows(&self, band: &Range<usize>) -> Range<usize> {
        let first = band.start * self.shape.stride.1;
        first..first + self.shape.reach(band.len())
    }
}

/// A convolution of half-precision or bfloat16 numbers.
#[derive(Debug)]
pub(crate) struct FloatConvolution<'a> {
    plan: Plan<'a>,
    half: Half,
    panel: Arc<Panel<f32>>,
}

/// A convolution of bytes.
#[derive(Debug)]
pub(crate) struct IntConvolution<'a> {
    plan: Plan<'a>,
    converter: Converter,
    panel: Arc<Panel<i16>>,
    /// Sums of inputs, where the correction for the weights' zero point is not in the weights.
    ones: Option<Panel<i16>>,
    /// The largest magnitude of an accumulator, correction included.
    pub(crate) bound: u128,
    corrections: Vec<i16>,
}

impl<'a> FloatConvolution<'a> {
    pub(crate) fn new(
        task: &'a Task<'_, '_>,
        (cna, core): (&Cna, &Core),
        half: Half,
        panels: &mut Panels,
    ) -> Result<Self, Error> {
        let plan = Plan::new(task, cna, core, 2)?;
        let blob = weights::blob(task, cna, Layout::HALF)?;
        let make = || weights::float_panel(cna, blob, |bytes| half.to_f32(u16::from_le_bytes(bytes)));
        Ok(Self { plan, half, panel: panels.floats.get(Key::new(cna), blob, &[], make) })
    }

    pub(crate) fn size(&self) -> (usize, usize) {
        (self.plan.shape.output_width, self.plan.shape.output_height)
    }

    pub(crate) fn bands(&self) -> impl Iterator<Item = Range<usize>> + use<'a> {
        self.plan.bands()
    }

    /// The features of a band.
    #[inline(always)]
    pub(crate) fn gather<S: Simd>(&self, simd: S, band: &Range<usize>, plane: &mut Vec<f32>) {
        self.plan.features.floats(simd, self.half, self.plan.input_rows(band), plane);
    }

    /// Accumulators of the band's pixels from `first` on.
    #[inline(always)]
    pub(crate) fn sums<S: Simd>(&self, simd: S, plane: &[f32], block: usize, first: usize, sums: &mut [[f32; LANES]]) {
        let bases = &self.plan.bases[first..first + sums.len()];
        let Some(panel) = self.panel.block(block) else {
            return sums.fill([0.0; LANES]);
        };
        match (&self.plan.windows, self.half) {
            (Windows::Direct(runs), Half::Float16) => {
                direct_float::<S, true>(simd, plane, bases, runs, panel, sums);
            }
            (Windows::Direct(runs), Half::BFloat16) => {
                direct_float::<S, false>(simd, plane, bases, runs, panel, sums);
            }
            (Windows::Depthwise(taps), Half::Float16) => {
                depthwise_float::<S, true>(simd, &plane[block * LANES..], bases, taps, panel, sums);
            }
            (Windows::Depthwise(taps), Half::BFloat16) => {
                depthwise_float::<S, false>(simd, &plane[block * LANES..], bases, taps, panel, sums);
            }
        }
    }
}

impl<'a> IntConvolution<'a> {
    /// `corrections`: per output, the negative zero point of its weights.
    pub(crate) fn new(
        task: &'a Task<'_, '_>,
        (cna, core): (&Cna, &Core),
        corrections: Option<Vec<i16>>,
        panels: &mut Panels,
    ) -> Result<Self, Error> {
        let plan = Plan::new(task, cna, core, 1)?;
        let window = plan.shape.window() as u64;
        let products = plan.shape.channels as u64 * window;
        let fits = |weight: u64| products * 128 * weight <= i32::MAX as u64;
        if !fits(128) {
            return task.refuse(reg::cna::DATA_SIZE1, cna.channels, "the accumulator could exceed 32 bits");
        }
        let blob = weights::blob(task, cna, Layout::BYTE)?;
        let mut corrections = corrections.unwrap_or_default();
        let largest = corrections.iter().map(|factor| u64::from(factor.unsigned_abs())).max().unwrap_or(0);
        // In the weights where nothing can overflow, else by a second sum.
        let folded = largest < 16384 && fits(128 + largest);
        let ones = (largest != 0 && !folded).then(|| weights::ones(cna));
        let in_weights = if ones.is_some() { &[][..] } else { &corrections };
        let make = || weights::int_panel(cna, blob, in_weights);
        let panel = panels.ints.get(Key::new(cna), blob, in_weights, make);
        corrections.resize(corrections.len().next_multiple_of(LANES), 0);
        let bound = u128::from(products) * 128 * u128::from(128 + largest);
        let converter = Converter::new(cna, task.options.rounding);
        Ok(Self { plan, converter, panel, ones, bound, corrections })
    }

    pub(crate) fn size(&self) -> (usize, usize) {
        (self.plan.shape.output_width, self.plan.shape.output_height)
    }

    pub(crate) fn bands(&self) -> impl Iterator<Item = Range<usize>> + use<'a> {
        self.plan.bands()
    }

    /// Whether all accumulators of a block are zero: it has no kernels.
    #[inline(always)]
    pub(crate) fn is_empty(&self, block: usize) -> bool {
        self.panel.block(block).is_none() && self.ones.is_none()
    }

    /// The features of a band.
    #[inline(always)]
    pub(crate) fn gather(&self, band: &Range<usize>, plane: &mut Vec<i16>) {
        self.plan.features.bytes(&self.converter, self.plan.input_rows(band), plane);
    }

    /// Accumulators of the band's pixels from `first` on.
    #[inline(always)]
    pub(crate) fn sums<S: Simd>(&self, simd: S, plane: &[i16], block: usize, first: usize, sums: &mut [[i32; LANES]]) {
        match self.panel.block(block) {
            Some(panel) => self.with_panel(simd, plane, block, first, panel, sums),
            None => sums.fill([0; LANES]),
        }
    }

    /// Sums of the inputs and the factors to be multiplied with them, where that is still to be added.
    #[inline(always)]
    pub(crate) fn separate<S: Simd>(
        &self,
        simd: S,
        plane: &[i16],
        block: usize,
        first: usize,
        sums: &mut [[i32; LANES]],
    ) -> Option<&[i16; LANES]> {
        let ones = self.ones.as_ref()?;
        let corrections = self.corrections.as_chunks::<LANES>().0.get(block)?;
        // A depthwise convolution has no inputs behind its last channel.
        match (ones.block(0), &self.plan.windows) {
            (_, Windows::Depthwise(_)) if block * LANES >= self.plan.features.pixel => sums.fill([0; LANES]),
            (Some(panel), _) => self.with_panel(simd, plane, block, first, panel, sums),
            (None, _) => sums.fill([0; LANES]),
        }
        Some(corrections)
    }

    #[inline(always)]
    fn with_panel<S: Simd>(
        &self,
        simd: S,
        plane: &[i16],
        block: usize,
        first: usize,
        panel: &[i16],
        sums: &mut [[i32; LANES]],
    ) {
        let bases = &self.plan.bases[first..first + sums.len()];
        match &self.plan.windows {
            Windows::Direct(runs) => direct_int(simd, plane, bases, runs, panel, sums),
            Windows::Depthwise(taps) => depthwise_int(simd, &plane[block * LANES..], bases, taps, panel, sums),
        }
    }
}

/// Some pixels at a time, the last ones with a loop of their own size.
macro_rules! by_pixels {
    ($bases:ident, $sums:ident, $most:literal, [$($count:literal)*], $call:expr) => {
        for (bases, sums) in $bases.chunks($most).zip($sums.chunks_mut($most)) {
            match bases.len() {
                $($count => {
                    if let (Some(bases), Some(sums)) = (bases.first_chunk::<$count>(), sums.first_chunk_mut()) {
                        let $bases = *bases;
                        *sums = $call;
                    }
                })*
                _ => {}
            }
        }
    };
}

#[inline(always)]
fn direct_float<S: Simd, const FUSED: bool>(
    simd: S,
    plane: &[f32],
    bases: &[usize],
    runs: &[Run],
    panel: &[f32],
    sums: &mut [[f32; LANES]],
) {
    by_pixels!(bases, sums, 6, [1 2 3 4 5 6], simd.direct_float::<_, FUSED>(plane, bases, runs, panel));
}

#[inline(always)]
fn direct_int<S: Simd>(
    simd: S,
    plane: &[i16],
    bases: &[usize],
    runs: &[Run],
    panel: &[i16],
    sums: &mut [[i32; LANES]],
) {
    by_pixels!(bases, sums, 6, [1 2 3 4 5 6], simd.direct_int(plane, bases, runs, panel));
}

#[inline(always)]
fn depthwise_float<S: Simd, const FUSED: bool>(
    simd: S,
    plane: &[f32],
    bases: &[usize],
    taps: &[usize],
    panel: &[f32],
    sums: &mut [[f32; LANES]],
) {
    by_pixels!(bases, sums, 4, [1 2 3 4], simd.depthwise_float::<_, FUSED>(plane, bases, taps, panel));
}

#[inline(always)]
fn depthwise_int<S: Simd>(
    simd: S,
    plane: &[i16],
    bases: &[usize],
    taps: &[usize],
    panel: &[i16],
    sums: &mut [[i32; LANES]],
) {
    by_pixels!(bases, sums, 4, [1 2 3 4], simd.depthwise_int(plane, bases, taps, panel));
}
