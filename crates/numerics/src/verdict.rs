//! What a comparison found.

use crate::{FloatFormat, Tolerance};
use serde::Serialize;
use std::fmt;

/// The outcome of one comparison. Errors are absolute differences of pairs of finite values.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Verdict {
    /// Whether every pair is within the tolerance.
    pub pass: bool,
    /// The tolerance judged by.
    pub tolerance: Tolerance,
    /// How many pairs were compared.
    pub count: usize,
    /// How many pairs are beyond the tolerance, special mismatches included.
    pub mismatches: usize,
    /// How many pairs have a NaN or an infinity on one side and not the same on the other: no tolerance excuses these.
    pub special_mismatches: usize,
    /// The first of those.
    pub first_special_mismatch: Option<Pair>,
    /// The pair with the greatest error, the first of equals; none if no pair is finite.
    pub worst: Option<Pair>,
    /// The greatest error over the expected magnitude, over pairs whose expected value is not 0.
    pub worst_relative: Option<f64>,
    /// Mean of the errors.
    pub mean_absolute: f64,
    /// Root of the mean of the squared errors.
    pub rms: f64,
    /// Cosine of the angle between the two, seen as vectors of their finite pairs; 1 if both are zero, 0 if one is.
    pub cosine: f64,
    /// Distances in units in the last place, if a floating-point format is involved.
    pub ulps: Option<UlpStatistics>,
    /// NaNs and infinities of the actual values.
    pub actual_specials: Specials,
    /// NaNs and infinities of the expected values.
    pub expected_specials: Specials,
    /// The smallest budget of each kind that would have passed.
    pub would_pass: WouldPass,
}

/// One pair of values and its place.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Pair {
    /// Place in the flat arrays.
    pub index: usize,
    /// Place by the shape given, outermost dimension first.
    pub coordinates: Option<Vec<usize>>,
    /// The value judged.
    pub actual: f64,
    /// The reference's value.
    pub expected: f64,
    /// Absolute difference; NaN if one of the two is not finite.
    pub error: f64,
}

/// Distances of all finite pairs after rounding both values to one format.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[non_exhaustive]
pub struct UlpStatistics {
    /// The format.
    pub format: FloatFormat,
    /// Mean distance.
    pub mean: f64,
    /// Greatest distance.
    pub max: u32,
    /// Fraction of the finite pairs whose distance is 0; 1 if there are none.
    pub exact_share: f64,
}

/// How many values are not finite.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[non_exhaustive]
pub struct Specials {
    /// NaNs.
    pub nan: usize,
    /// Infinities of either sign.
    pub infinite: usize,
}

/// The smallest budget of each kind of tolerance that would have passed; none where no budget would.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
#[non_exhaustive]
pub struct WouldPass {
    /// Whether [`Tolerance::Exact`] passes.
    pub exact: bool,
    /// Budget of [`Tolerance::Ulps`] in the format of [`Verdict::ulps`]; none also if no such format is involved.
    pub ulps: Option<u32>,
    /// `rel` of [`Tolerance::Relative`], with the judging tolerance's floor or else none.
    pub relative: Option<f64>,
    /// `abs_floor` of [`Tolerance::Relative`] with a `rel` of 0: the greatest error.
    pub absolute: Option<f64>,
    /// The fraction of [`Tolerance::RangeFraction`].
    pub range_fraction: Option<f64>,
    /// Budget of [`Tolerance::Lsb`], with the judging tolerance's step or else 1.
    pub lsb: Option<u32>,
}

impl fmt::Display for Pair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.coordinates {
            Some(coordinates) => write!(f, "{coordinates:?}")?,
            None => write!(f, "[{}]", self.index)?,
        }
        write!(f, " got {}, expected {}", self.actual, self.expected)
    }
}

/// `value` in four digits, rounded up: what is printed must pass when it is typed in.
fn digits(value: f64) -> String {
    let nearest = format!("{value:.3e}");
    // Four digits are at most half a thousandth off.
    if nearest.parse().is_ok_and(|printed: f64| printed >= value) {
        nearest
    } else {
        format!("{:.3e}", value * 1.000_501)
    }
}

impl Verdict {
    /// The smallest budgets in the text forms of [`Tolerance`], separated by ` | `.
    fn passing_forms(&self) -> String {
        let would = &self.would_pass;
        if would.exact {
            return "exact".to_owned();
        }
        let ulps = would.ulps.zip(self.ulps);
        // Steps of 1 mean something where integers were compared or steps were asked for.
        let step = match self.tolerance {
            Tolerance::Lsb { step, .. } => Some(step),
            _ => self.ulps.is_none().then_some(1.0),
        };
        let lsb = step.zip(would.lsb).map(|(step, budget)| Tolerance::Lsb { step, budget }.to_string());
        let floor = match self.tolerance {
            Tolerance::Relative { abs_floor, .. } if abs_floor > 0.0 => format!(",abs:{abs_floor:?}"),
            _ => String::new(),
        };
        let forms = [
            ulps.map(|(budget, ulps)| Tolerance::Ulps { budget, format: ulps.format }.to_string()),
            lsb,
            would.relative.map(|rel| format!("rel:{}{floor}", digits(rel))),
            would.absolute.map(|abs| format!("rel:0,abs:{}", digits(abs))),
            would.range_fraction.map(|fraction| format!("range:{}", digits(fraction))),
        ];
        let forms: Vec<_> = forms.into_iter().flatten().collect();
        if forms.is_empty() { "no tolerance".to_owned() } else { forms.join(" | ") }
    }
}

impl fmt::Display for Verdict {
    /// One to four lines without a final line feed.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.pass {
            write!(f, "pass: {} values within {}", self.count, self.tolerance)?;
        } else {
            write!(f, "fail: {} of {} values beyond {}", self.mismatches, self.count, self.tolerance)?;
        }
        if let Some(pair) = &self.first_special_mismatch {
            write!(f, "\n  {} NaN or infinity mismatches, the first at {pair}", self.special_mismatches)?;
        }
        if let Some(worst) = &self.worst {
            write!(f, "\n  worst error {:.4e} at {worst}", worst.error)?;
            write!(f, "\n  mean {:.3e}, rms {:.3e}, cosine {:.8}", self.mean_absolute, self.rms, self.cosine)?;
            if let Some(ulps) = &self.ulps {
                let share = 100.0 * ulps.exact_share;
                write!(f, ", {} ulps mean {:.3} max {}, {share:.2} % exact", ulps.format, ulps.mean, ulps.max)?;
            }
        }
        if !self.pass {
            write!(f, "\n  would pass: {}", self.passing_forms())?;
        }
        Ok(())
    }
}
