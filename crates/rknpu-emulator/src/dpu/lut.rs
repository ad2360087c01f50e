//! The two lookup tables of a core and how they are read.

use ferrite_rknpu::typed::{LUT_ENTRIES, LutStage, LutWrite};

use super::whole::Whole;
use crate::options::{LutIndex, Rounding};
use crate::rounding::shift;

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

/// Places of both tables in one array; LO begins in its middle.
const PLACES: usize = 2048;

fn both<T: Copy + Default>(tables: &Tables, convert: impl Fn(i16) -> T) -> Box<[T; PLACES]> {
    let mut places = Box::new([T::default(); PLACES]);
    for (table, places) in tables.entries.iter().zip(places.chunks_exact_mut(PLACES / 2)) {
        places.iter_mut().zip(table).for_each(|(place, entry)| *place = convert(*entry));
    }
    places
}

/// The tables as a floating-point task reads them. Arithmetic is in 64 bits, so that only the result is rounded.
#[derive(Debug, Clone)]
pub(super) struct FloatTable {
    places: Box<[f64; PLACES]>,
    low: f64,
    high: f64,
    starts: [f64; 2],
    /// One over the distance of entries.
    steps: [f64; 2],
    below: f64,
    above: f64,
    index: LutIndex,
}

impl FloatTable {
    pub(super) fn new(tables: &Tables, stage: &LutStage, index: LutIndex) -> Self {
        let slope = |scale: i32, by: u32| f64::from(scale) / (1u64 << by) as f64;
        let step = |select: u32| 1.0 / (1u64 << select) as f64;
        Self {
            places: both(tables, f64::from),
            low: f64::from(stage.le_start),
            high: f64::from(stage.lo_end),
            starts: [f64::from(stage.le_start), f64::from(stage.lo_start)],
            steps: [step(stage.le_index_select), step(stage.lo_index_select)],
            below: slope(stage.le_underflow_scale, stage.le_underflow_shift),
            above: slope(stage.lo_overflow_scale, stage.lo_overflow_shift),
            index,
        }
    }

    /// The table's value at any position; the interpolation itself is not rounded.
    #[inline(always)]
    pub(super) fn at(&self, position: f32) -> f32 {
        let position = match self.index {
            LutIndex::Fractional => position,
            LutIndex::Rounded => position.round(),
        };
        let side = usize::from(position >= 0.0 || position.is_nan());
        let position = f64::from(position);
        let offset = (position - self.starts[side]) * self.steps[side];
        // NaN's index is 0 and its fraction NaN.
        let inside = if offset > 0.0 { offset } else { 0.0 };
        let index = (if inside < (LUT_ENTRIES - 2) as f64 { inside } else { (LUT_ENTRIES - 2) as f64 }) as i32;
        let place = side * (PLACES / 2) + index as usize;
        let (from, to) = (self.places[place & (PLACES - 1)], self.places[(place + 1) & (PLACES - 1)]);
        let between = from + (to - from) * (offset - f64::from(index));
        let below = self.places[0] + (position - self.low) * self.below;
        let above = self.places[PLACES / 2 + LUT_ENTRIES - 1] + (position - self.high) * self.above;
        let value = if position > self.high { above } else { between };
        (if position < self.low { below } else { value }) as f32
    }
}

/// The tables as an integer task reads them.
#[derive(Debug, Clone)]
pub(super) struct IntTable {
    places: Box<[i32; PLACES]>,
    stage: LutStage,
}

impl IntTable {
    pub(super) fn new(tables: &Tables, stage: &LutStage) -> Self {
        Self { places: both(tables, i32::from), stage: stage.clone() }
    }

    /// The largest magnitude of a result, from that of a position.
    pub(super) fn bound(&self, position: u128) -> u128 {
        (1 << 15) + ((position + (1 << 15)) << 15)
    }

    /// The table's value at a position.
    #[inline(always)]
    pub(super) fn at<N: Whole>(&self, position: N, rounding: Rounding) -> N {
        let stage = &self.stage;
        let position = position.to_i64();
        let (low, high) = (i64::from(stage.le_start), i64::from(stage.lo_end));
        if position < low {
            let slope = position.saturating_sub(low).saturating_mul(i64::from(stage.le_underflow_scale));
            let first = i64::from(self.places[0]);
            return N::from_i64(first.saturating_add(shift(slope, stage.le_underflow_shift, rounding)));
        }
        if position > high {
            let slope = position.saturating_sub(high).saturating_mul(i64::from(stage.lo_overflow_scale));
            let last = i64::from(self.places[PLACES / 2 + LUT_ENTRIES - 1]);
            return N::from_i64(last.saturating_add(shift(slope, stage.lo_overflow_shift, rounding)));
        }
        let (half, start, select) = match position < 0 {
            true => (0, stage.le_start, stage.le_index_select),
            false => (PLACES / 2, stage.lo_start, stage.lo_index_select),
        };
        let offset = (position - i64::from(start)).max(0);
        let index = ((offset >> select) as usize).min(LUT_ENTRIES - 2);
        let fraction = offset - ((index as i64) << select);
        let place = half + index;
        let (from, to) = (self.places[place & (PLACES - 1)], self.places[(place + 1) & (PLACES - 1)]);
        N::from_i64(i64::from(from) + shift((i64::from(to) - i64::from(from)) * fraction, select, rounding))
    }
}
