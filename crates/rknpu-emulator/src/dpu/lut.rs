//! The two lookup tables of a core and how they are read.

use ferrite_rknpu::typed::{LUT_ENTRIES, LutStage, LutWrite};

use crate::options::{LutIndex, Options, Rounding};
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

    /// The table's value at an integer position.
    pub(super) fn int(&self, stage: &LutStage, position: i64, rounding: Rounding) -> i64 {
        let (table, start, select) = self.side(stage, position < 0);
        let low = i64::from(stage.le_start);
        let high = i64::from(stage.lo_end);
        if position < low {
            let slope = position.saturating_sub(low).saturating_mul(i64::from(stage.le_underflow_scale));
            return i64::from(table[0]).saturating_add(shift(slope, stage.le_underflow_shift, rounding));
        }
        if position > high {
            let slope = position.saturating_sub(high).saturating_mul(i64::from(stage.lo_overflow_scale));
            return i64::from(table[LUT_ENTRIES - 1]).saturating_add(shift(slope, stage.lo_overflow_shift, rounding));
        }
        let offset = (position - i64::from(start)).max(0);
        let index = ((offset >> select) as usize).min(LUT_ENTRIES - 2);
        let fraction = offset - ((index as i64) << select);
        let (from, to) = (i64::from(table[index]), i64::from(table[index + 1]));
        from + shift((to - from) * fraction, select, rounding)
    }

    /// The table's value at any position; the interpolation itself is not rounded.
    pub(super) fn float(&self, stage: &LutStage, position: f32, options: &Options) -> f32 {
        let position = match options.lut_index {
            LutIndex::Fractional => position,
            LutIndex::Rounded => position.round(),
        };
        let (table, start, select) = self.side(stage, position < 0.0);
        // 64-bit arithmetic, so that only the result is rounded.
        let position = f64::from(position);
        let (low, high) = (f64::from(stage.le_start), f64::from(stage.lo_end));
        let slope = |scale: i32, by: u32| f64::from(scale) / (1u64 << by) as f64;
        let value = if position < low {
            f64::from(table[0]) + (position - low) * slope(stage.le_underflow_scale, stage.le_underflow_shift)
        } else if position > high {
            let last = f64::from(table[LUT_ENTRIES - 1]);
            last + (position - high) * slope(stage.lo_overflow_scale, stage.lo_overflow_shift)
        } else {
            // NaN ends here too: its index is 0 and its fraction NaN.
            let offset = (position - f64::from(start)) / (1u64 << select) as f64;
            let index = (offset as usize).min(LUT_ENTRIES - 2);
            let (from, to) = (f64::from(table[index]), f64::from(table[index + 1]));
            from + (to - from) * (offset - index as f64)
        };
        value as f32
    }

    fn side(&self, stage: &LutStage, negative: bool) -> (&[i16; LUT_ENTRIES], i32, u32) {
        match negative {
            true => (&self.entries[0], stage.le_start, stage.le_index_select),
            false => (&self.entries[1], stage.lo_start, stage.lo_index_select),
        }
    }
}
