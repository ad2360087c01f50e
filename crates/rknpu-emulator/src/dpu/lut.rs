//! The two lookup tables of a core and how they are read.

use ferrite_rknpu::typed::{LUT_ENTRIES, LutStage, LutWrite};

use super::whole::Whole;
use crate::options::{LutIndex, Rounding};
use crate::rounding::shift;
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

/// The intervals at some places.
#[inline(always)]
fn gather(intervals: &Intervals, places: &[i32; LANES]) -> [[f32; 2]; LANES] {
    let mut found = [[0.0; 2]; LANES];
    for lane in 0..LANES {
        found[lane] = intervals[places[lane] as usize & (2 * INTERVALS - 1)];
    }
    found
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
    pub(super) fn look_up(&self, values: &mut [f32; LANES]) {
        if self.index == LutIndex::Rounded {
            values.iter_mut().for_each(|value| *value = value.round());
        }
        let mut places = [0; LANES];
        let mut fractions = [0.0; LANES];
        let mut outside = 0;
        let (low, high) = (self.below.end, self.above.end);
        for lane in 0..LANES {
            let position = f64::from(values[lane]);
            // NaN counts as positive; its index is 0 and its fraction NaN.
            let (start, first) = if position < 0.0 { (low, 0) } else { (0.0, INTERVALS as i32) };
            let offset = (position - start) * (1.0 / DISTANCE);
            let inside = if offset > 0.0 { offset } else { 0.0 };
            let last = (INTERVALS - 1) as f64;
            let index = (if inside < last { inside } else { last }) as i32;
            places[lane] = first + index;
            fractions[lane] = offset - f64::from(index);
            outside |= i32::from(position < low) | i32::from(position > high);
        }
        let found = gather(&self.intervals, &places);
        let positions = *values;
        let mut made = [0.0; LANES];
        for lane in 0..LANES {
            let [from, step] = found[lane];
            made[lane] = (f64::from(from) + f64::from(step) * fractions[lane]) as f32;
        }
        *values = made;
        if outside != 0 {
            for (value, position) in values.iter_mut().zip(positions) {
                let position = f64::from(position);
                let beyond = |slope: Slope| (slope.entry + (position - slope.end) * slope.factor) as f32;
                if position < self.below.end {
                    *value = beyond(self.below);
                } else if position > self.above.end {
                    *value = beyond(self.above);
                }
            }
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

    /// The largest magnitude of a result, from that of a position.
    pub(super) fn bound(&self, position: u128) -> u128 {
        let stage = &self.stage;
        let slope = |end: i32, scale: i32, by: u32| {
            ((position + u128::from(end.unsigned_abs())) * u128::from(scale.unsigned_abs())) >> by
        };
        let below = slope(stage.le_start, stage.le_underflow_scale, stage.le_underflow_shift);
        let above = slope(stage.lo_end, stage.lo_overflow_scale, stage.lo_overflow_shift);
        (1 << 16) + below.max(above)
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

    /// The same for a block of positions that are integers.
    #[inline(always)]
    pub(super) fn look_up(&self, values: &mut [f64; LANES], rounding: Rounding) {
        let (low, high) = (f64::from(self.stage.le_start), f64::from(self.stage.lo_end));
        let mut places = [0; LANES];
        let mut fractions = [0.0; LANES];
        let mut outside = 0;
        for lane in 0..LANES {
            let position = values[lane];
            let (start, first) = if position < 0.0 { (low, 0) } else { (0.0, INTERVALS as i32) };
            let offset = position - start;
            let scaled = offset * (1.0 / DISTANCE);
            let inside = if scaled > 0.0 { scaled } else { 0.0 };
            let last = (INTERVALS - 1) as f64;
            let index = (if inside < last { inside } else { last }) as i32;
            places[lane] = first + index;
            fractions[lane] = offset - f64::from(index) * DISTANCE;
            outside |= i32::from(position < low) | i32::from(position > high);
        }
        let found = gather(&self.intervals, &places);
        let positions = *values;
        let mut made = [0.0; LANES];
        for lane in 0..LANES {
            let [from, step] = found[lane];
            let product = f64::from(step) * fractions[lane];
            made[lane] = f64::from(from) + product.shift(f64::shifter(DISTANCE_BITS), rounding);
        }
        *values = made;
        if outside != 0 {
            for (value, position) in values.iter_mut().zip(positions) {
                if position < low || position > high {
                    *value = self.at(position as i64, rounding) as f64;
                }
            }
        }
    }
}
