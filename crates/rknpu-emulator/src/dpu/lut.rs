//! The two lookup tables of a core and how they are read.

use ferrite_rknpu::typed::{LUT_ENTRIES, LutStage, LutWrite};

use super::elements::CHUNK;
use super::whole::{EXACT, Whole};
use crate::options::{LutIndex, Rounding};
use crate::rounding::{shift, small_integer};
use crate::simd::LANES;

/// LE (below zero) and LO (from zero). They keep their contents from task to task and submission to submission.
#[derive(Debug, Clone)]
pub(crate) struct Tables {
    entries: [[i16; LUT_ENTRIES]; 2],
}

impl Default for Tables {
    fn default() -> Self {
        Self { entries: [[0; LUT_ENTRIES]; 2] }
    }
}

impl Tables {
    pub(crate) fn load(&mut self, writes: &[LutWrite]) {
        for write in writes {
            self.entries[usize::from(write.table & 1)][usize::from(write.index)] = write.value;
        }
    }
}

/// Intervals of a table; the two tables follow each other.
const INTERVALS: usize = LUT_ENTRIES - 1;

/// Distance of entries. Both tables are modelled with this one only, LE from -16384, LO from 0; see the checks.
const DISTANCE: f64 = 32.0;
const DISTANCE_BITS: u32 = 5;

/// Both tables as intervals: the entry where one begins, and how far it is to the next. All numbers are small integers.
type Intervals = Box<[[f32; 2]; 2 * INTERVALS]>;

fn intervals(tables: &Tables) -> Intervals {
    let mut intervals = Box::new([[0.0; 2]; 2 * INTERVALS]);
    for (table, intervals) in tables.entries.iter().zip(intervals.chunks_exact_mut(INTERVALS)) {
        for (interval, pair) in intervals.iter_mut().zip(table.windows(2)) {
            *interval = [f32::from(pair[0]), f32::from(pair[1]) - f32::from(pair[0])];
        }
    }
    intervals
}

/// Where positions fall, between two passes over them.
#[derive(Debug)]
pub(super) struct Places {
    /// Intervals, later what the table has there.
    index: Box<[i32; MOST]>,
    found: Box<[[f32; 2]; MOST]>,
    fraction: Box<[f64; MOST]>,
}

/// Values that are looked up at a time.
const MOST: usize = CHUNK * LANES;

impl Default for Places {
    fn default() -> Self {
        Self { index: Box::new([0; MOST]), found: Box::new([[0.0; 2]; MOST]), fraction: Box::new([0.0; MOST]) }
    }
}

impl Places {
    /// Splits positions into intervals and what is left, in units of `unit`; tells whether any lies outside of `low..=high`.
    #[inline(always)]
    fn split<T: Copy>(
        &mut self,
        positions: &[T],
        (low, high): (f64, f64),
        unit: f64,
        to_f64: impl Fn(T) -> f64,
    ) -> bool {
        let mut outside = 0;
        let targets = self.index.iter_mut().zip(self.fraction.iter_mut());
        for (position, (place, fraction)) in positions.iter().zip(targets) {
            let position = to_f64(*position);
            // NaN counts as positive; its index is 0 and its fraction NaN.
            let (start, first) = if position < 0.0 { (low, 0) } else { (0.0, INTERVALS as i32) };
            let offset = (position - start) * (1.0 / DISTANCE);
            let inside = if offset > 0.0 { offset } else { 0.0 };
            let last = (INTERVALS - 1) as f64;
            let index = (if inside < last { inside } else { last }).floor();
            *place = first + small_integer(index);
            *fraction = (offset - index) * unit;
            outside |= i32::from(position < low) | i32::from(position > high);
        }
        outside != 0
    }

    #[inline(always)]
    fn gather(&mut self, intervals: &Intervals, count: usize) {
        for (found, place) in self.found[..count].iter_mut().zip(self.index.iter()) {
            *found = intervals[*place as usize & (2 * INTERVALS - 1)];
        }
    }

    /// Entry, step and fraction of every position.
    #[inline(always)]
    fn parts(&self) -> impl Iterator<Item = (f64, f64, f64)> {
        let parts = self.found.iter().zip(self.fraction.iter());
        parts.map(|([from, step], fraction)| (f64::from(*from), f64::from(*step), *fraction))
    }
}

/// A slope beyond one end of the tables.
#[derive(Debug, Clone, Copy)]
struct Slope {
    end: f64,
    entry: f64,
    factor: f64,
}

/// The tables as a floating-point task reads them. Arithmetic is in 64 bits, so that only the result is rounded.
#[derive(Debug, Clone)]
pub(super) struct FloatTable {
    intervals: Intervals,
    below: Slope,
    above: Slope,
    index: LutIndex,
}

impl FloatTable {
    pub(super) fn new(tables: &Tables, stage: &LutStage, index: LutIndex) -> Self {
        let slope = |end: i32, entry: i16, scale: i32, by: u32| Slope {
            end: f64::from(end),
            entry: f64::from(entry),
            factor: f64::from(scale) / (1u64 << by) as f64,
        };
        let [low, high] = &tables.entries;
        Self {
            intervals: intervals(tables),
            below: slope(stage.le_start, low[0], stage.le_underflow_scale, stage.le_underflow_shift),
            above: slope(stage.lo_end, high[LUT_ENTRIES - 1], stage.lo_overflow_scale, stage.lo_overflow_shift),
            index,
        }
    }

    /// Replaces positions by the table's values there; the interpolation itself is not rounded.
    #[inline(always)]
    pub(super) fn look_up(&self, values: &mut [f32], places: &mut Places) {
        if self.index == LutIndex::Rounded {
            values.iter_mut().for_each(|value| *value = value.round());
        }
        let (below, above) = (self.below, self.above);
        let outside = places.split(values, (below.end, above.end), 1.0, f64::from);
        places.gather(&self.intervals, values.len());
        if !outside {
            for (value, (from, step, fraction)) in values.iter_mut().zip(places.parts()) {
                *value = (from + step * fraction) as f32;
            }
            return;
        }
        for (value, (from, step, fraction)) in values.iter_mut().zip(places.parts()) {
            let position = f64::from(*value);
            let beyond = |slope: Slope| slope.entry + (position - slope.end) * slope.factor;
            let between = from + step * fraction;
            let value_or_above = if position > above.end { beyond(above) } else { between };
            *value = (if position < below.end { beyond(below) } else { value_or_above }) as f32;
        }
    }
}

/// The tables as an integer task reads them.
#[derive(Debug, Clone)]
pub(super) struct IntTable {
    intervals: Intervals,
    ends: [i64; 2],
    stage: LutStage,
}

impl IntTable {
    pub(super) fn new(tables: &Tables, stage: &LutStage) -> Self {
        let ends = [i64::from(tables.entries[0][0]), i64::from(tables.entries[1][LUT_ENTRIES - 1])];
        Self { intervals: intervals(tables), ends, stage: stage.clone() }
    }

    /// The largest magnitude of a result, from that of a position; `None` where doubles might not be exact.
    pub(super) fn bound(&self, position: u128) -> Option<u128> {
        let stage = &self.stage;
        let slope = |end: i32, scale: i32, by: u32| {
            let product = (position + u128::from(end.unsigned_abs())) * u128::from(scale.unsigned_abs());
            (product <= EXACT).then_some((product >> by) + 1)
        };
        let below = slope(stage.le_start, stage.le_underflow_scale, stage.le_underflow_shift)?;
        let above = slope(stage.lo_end, stage.lo_overflow_scale, stage.lo_overflow_shift)?;
        Some((1 << 16) + below.max(above))
    }

    /// The table's value at a position: the reference.
    #[inline(always)]
    pub(super) fn at(&self, position: i64, rounding: Rounding) -> i64 {
        let stage = &self.stage;
        let (low, high) = (i64::from(stage.le_start), i64::from(stage.lo_end));
        if position < low {
            let slope = position.saturating_sub(low).saturating_mul(i64::from(stage.le_underflow_scale));
            return self.ends[0].saturating_add(shift(slope, stage.le_underflow_shift, rounding));
        }
        if position > high {
            let slope = position.saturating_sub(high).saturating_mul(i64::from(stage.lo_overflow_scale));
            return self.ends[1].saturating_add(shift(slope, stage.lo_overflow_shift, rounding));
        }
        let (first, start) = if position < 0 { (0, low) } else { (INTERVALS, 0) };
        let offset = position - start;
        let index = ((offset >> DISTANCE_BITS) as usize).min(INTERVALS - 1);
        let fraction = offset - ((index as i64) << DISTANCE_BITS);
        let [from, step] = self.intervals[(first + index) & (2 * INTERVALS - 1)];
        from as i64 + shift(step as i64 * fraction, DISTANCE_BITS, rounding)
    }

    /// The same for positions that are integers in doubles.
    #[inline(always)]
    pub(super) fn look_up(&self, values: &mut [f64], rounding: Rounding, places: &mut Places) {
        let (low, high) = (f64::from(self.stage.le_start), f64::from(self.stage.lo_end));
        let outside = places.split(values, (low, high), DISTANCE, |position| position);
        places.gather(&self.intervals, values.len());
        let by = f64::shifter(DISTANCE_BITS);
        if !outside {
            for (value, (from, step, fraction)) in values.iter_mut().zip(places.parts()) {
                *value = from + (step * fraction).shift(by, rounding);
            }
            return;
        }
        let [first, last] = self.ends.map(|end| end as f64);
        let stage = &self.stage;
        let (under, over) = (f64::from(stage.le_underflow_scale), f64::from(stage.lo_overflow_scale));
        let (under_by, over_by) = (f64::shifter(stage.le_underflow_shift), f64::shifter(stage.lo_overflow_shift));
        for (value, (from, step, fraction)) in values.iter_mut().zip(places.parts()) {
            let position = *value;
            let between = from + (step * fraction).shift(by, rounding);
            let below = first + ((position - low) * under).shift(under_by, rounding);
            let above = last + ((position - high) * over).shift(over_by, rounding);
            let value_or_above = if position > high { above } else { between };
            *value = if position < low { below } else { value_or_above };
        }
    }
}
