//! Holding values against a reference.

use crate::rounding::Rounding;
use crate::verdict::{Pair, Specials, UlpStatistics, Verdict, WouldPass};
use crate::{Element, FloatFormat, InvalidTolerance, Tolerance};

/// Values that cannot be compared.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CompareError {
    /// The two sides differ in length.
    #[error("{actual} values cannot be compared with {expected} expected ones")]
    Length {
        /// Length of the actual values.
        actual: usize,
        /// Length of the expected values.
        expected: usize,
    },
    /// The shape is not that of the values.
    #[error("{count} values do not have the shape {shape:?}")]
    Shape {
        /// The shape given.
        shape: Vec<usize>,
        /// How many values there are.
        count: usize,
    },
    /// The tolerance makes no sense.
    #[error(transparent)]
    Tolerance(#[from] InvalidTolerance),
}

/// Judges `actual` by `expected`, both flat; `shape` only serves to name places.
///
/// Both values of a pair are widened to f64, where every type but a large `i64` is exact, so that neither side loses digits;
/// the difference of two integers is exact always. A NaN must meet a NaN and an infinity the same infinity, whatever the
/// budget.
///
/// # Errors
/// When the lengths or the shape do not fit, or the tolerance is invalid.
pub fn compare<A: Element, E: Element>(
    actual: &[A],
    expected: &[E],
    tolerance: Tolerance,
    shape: Option<&[usize]>,
) -> Result<Verdict, CompareError> {
    tolerance.validate()?;
    if actual.len() != expected.len() {
        return Err(CompareError::Length { actual: actual.len(), expected: expected.len() });
    }
    if let Some(shape) = shape {
        let count = shape.iter().try_fold(1usize, |count, &dimension| count.checked_mul(dimension));
        if count != Some(actual.len()) {
            return Err(CompareError::Shape { shape: shape.to_vec(), count: actual.len() });
        }
    }
    let judge = Judge {
        tolerance,
        format: distance_format::<A, E>(tolerance),
        range: value_range(expected),
        floor: if let Tolerance::Relative { abs_floor, .. } = tolerance { abs_floor } else { 0.0 },
        step: if let Tolerance::Lsb { step, .. } = tolerance { step } else { 1.0 },
    };
    let mut tally = Tally::default();
    for (index, (&a, &e)) in actual.iter().zip(expected).enumerate() {
        let pair = Finding { index, actual: a.to_f64(), expected: e.to_f64(), error: difference(a, e) };
        tally.add(&judge, pair, A::UNIT_ROUNDOFF, E::UNIT_ROUNDOFF);
    }
    Ok(tally.conclude(&judge, shape))
}

/// The format to count distances in: the tolerance's, else the narrower of the two types'.
fn distance_format<A: Element, E: Element>(tolerance: Tolerance) -> Option<FloatFormat> {
    match tolerance {
        Tolerance::Ulps { format, .. } => Some(format),
        _ => [A::FORMAT, E::FORMAT].into_iter().flatten().min_by_key(|format| format.precision()),
    }
}

/// Largest less smallest finite value; 0 if there is none.
fn value_range<E: Element>(values: &[E]) -> f64 {
    let finite = values.iter().map(|value| value.to_f64()).filter(|value| value.is_finite());
    let (low, high) = finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
    (high - low).max(0.0)
}

fn difference<A: Element, E: Element>(actual: A, expected: E) -> f64 {
    match (actual.to_integer(), expected.to_integer()) {
        (Some(a), Some(e)) => a.abs_diff(e) as f64,
        _ => (actual.to_f64() - expected.to_f64()).abs(),
    }
}

/// What stays the same for every pair.
struct Judge {
    tolerance: Tolerance,
    format: Option<FloatFormat>,
    range: f64,
    floor: f64,
    step: f64,
}

#[derive(Clone, Copy)]
struct Finding {
    index: usize,
    actual: f64,
    expected: f64,
    error: f64,
}

impl Finding {
    /// Adds the coordinates.
    fn place(self, shape: Option<&[usize]>) -> Pair {
        let coordinates = shape.map(|shape| {
            let mut rest = self.index;
            let mut coordinates: Vec<_> = shape
                .iter()
                .rev()
                .map(|&dimension| {
                    let coordinate = rest % dimension;
                    rest /= dimension;
                    coordinate
                })
                .collect();
            coordinates.reverse();
            coordinates
        });
        let Self { index, actual, expected, error } = self;
        Pair { index, coordinates, actual, expected, error }
    }
}

/// An error over the unit it is measured in; no error is 0 in any unit, even in one of size 0.
fn quotient(error: f64, unit: f64) -> f64 {
    if error == 0.0 { 0.0 } else { error / unit }
}

/// What is gathered over the pairs. The `needed_` fields hold the greatest measure of each kind, infinite where no budget
/// suffices.
#[derive(Default)]
struct Tally {
    count: usize,
    finite: usize,
    mismatches: usize,
    special_mismatches: usize,
    first_special: Option<Finding>,
    worst: Option<Finding>,
    worst_relative: Option<f64>,
    sum_error: f64,
    sum_error_squared: f64,
    sum_actual_squared: f64,
    sum_expected_squared: f64,
    sum_product: f64,
    sum_ulps: f64,
    exact_ulps: usize,
    needed_ulps: u32,
    needed_relative: f64,
    needed_steps: f64,
    actual_specials: Specials,
    expected_specials: Specials,
}

impl Tally {
    fn add(&mut self, judge: &Judge, pair: Finding, actual_roundoff: f64, expected_roundoff: f64) {
        let Finding { actual, expected, error, .. } = pair;
        self.count += 1;
        count_special(&mut self.actual_specials, actual);
        count_special(&mut self.expected_specials, expected);
        if !actual.is_finite() || !expected.is_finite() {
            let same = actual == expected || actual.is_nan() && expected.is_nan();
            if !same {
                self.mismatches += 1;
                self.special_mismatches += 1;
                self.first_special.get_or_insert(Finding { error: f64::NAN, ..pair });
            }
            return;
        }
        let ulps = judge.format.map(|format| {
            let narrow = |value| format.narrow(value, Rounding::HalfEven);
            // Two finite values never become NaN, so that there is a distance.
            format.distance(narrow(actual), narrow(expected)).unwrap_or(u32::MAX)
        });
        let relative = if error <= judge.floor { 0.0 } else { quotient(error, expected.abs()) };
        let representation = actual.abs() * actual_roundoff + expected.abs() * expected_roundoff;
        let steps = (error - representation).max(0.0) / judge.step;

        let pass = match judge.tolerance {
            Tolerance::Exact => error == 0.0,
            Tolerance::Ulps { budget, .. } => ulps.is_some_and(|ulps| ulps <= budget),
            Tolerance::Relative { rel, .. } => relative <= rel,
            Tolerance::RangeFraction(fraction) => quotient(error, judge.range) <= fraction,
            Tolerance::Lsb { budget, .. } => steps <= f64::from(budget),
        };
        self.mismatches += usize::from(!pass);
        self.finite += 1;
        if self.worst.is_none_or(|worst| error > worst.error) {
            self.worst = Some(pair);
        }
        if expected != 0.0 {
            let relative = quotient(error, expected.abs());
            self.worst_relative = Some(self.worst_relative.map_or(relative, |worst| worst.max(relative)));
        }
        self.sum_error += error;
        self.sum_error_squared += error * error;
        self.sum_actual_squared += actual * actual;
        self.sum_expected_squared += expected * expected;
        self.sum_product += actual * expected;
        let ulps = ulps.unwrap_or(0);
        self.sum_ulps += f64::from(ulps);
        self.exact_ulps += usize::from(ulps == 0);
        self.needed_ulps = self.needed_ulps.max(ulps);
        self.needed_relative = self.needed_relative.max(relative);
        self.needed_steps = self.needed_steps.max(steps);
    }

    fn conclude(self, judge: &Judge, shape: Option<&[usize]>) -> Verdict {
        let over_finite = |sum: f64| if self.finite == 0 { 0.0 } else { sum / self.finite as f64 };
        let share = |part: usize| if self.finite == 0 { 1.0 } else { part as f64 / self.finite as f64 };
        Verdict {
            pass: self.mismatches == 0,
            tolerance: judge.tolerance,
            count: self.count,
            mismatches: self.mismatches,
            special_mismatches: self.special_mismatches,
            first_special_mismatch: self.first_special.map(|pair| pair.place(shape)),
            worst: self.worst.map(|pair| pair.place(shape)),
            worst_relative: self.worst_relative,
            mean_absolute: over_finite(self.sum_error),
            rms: over_finite(self.sum_error_squared).sqrt(),
            cosine: self.cosine(),
            ulps: judge.format.map(|format| UlpStatistics {
                format,
                mean: over_finite(self.sum_ulps),
                max: self.needed_ulps,
                exact_share: share(self.exact_ulps),
            }),
            actual_specials: self.actual_specials,
            expected_specials: self.expected_specials,
            would_pass: self.would_pass(judge),
        }
    }

    fn cosine(&self) -> f64 {
        match (self.sum_actual_squared == 0.0, self.sum_expected_squared == 0.0) {
            (true, true) => 1.0,
            (false, false) => {
                let cosine = self.sum_product / (self.sum_actual_squared.sqrt() * self.sum_expected_squared.sqrt());
                cosine.clamp(-1.0, 1.0)
            }
            _ => 0.0,
        }
    }

    fn would_pass(&self, judge: &Judge) -> WouldPass {
        if self.special_mismatches > 0 {
            return WouldPass::default();
        }
        let finite = |value: f64| value.is_finite().then_some(value);
        let worst = self.worst.map_or(0.0, |pair| pair.error);
        let steps = self.needed_steps.ceil();
        WouldPass {
            exact: worst == 0.0,
            ulps: judge.format.map(|_| self.needed_ulps),
            relative: finite(self.needed_relative),
            absolute: finite(worst),
            range_fraction: finite(quotient(worst, judge.range)),
            lsb: (steps <= f64::from(u32::MAX)).then_some(steps as u32),
        }
    }
}

fn count_special(specials: &mut Specials, value: f64) {
    specials.nan += usize::from(value.is_nan());
    specials.infinite += usize::from(value.is_infinite());
}
