//! How far a result may lie from its reference.

use crate::FloatFormat;
use std::fmt;
use std::str::FromStr;

/// A declared tolerance.
///
/// The text form, by [`Display`](fmt::Display) and [`FromStr`], is what a command line takes; [`FORMS`] lists it.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Tolerance {
    /// Equal values; zeros of either sign are equal.
    Exact,
    /// At most `budget` representable numbers of `format` apart, after both were rounded to it.
    Ulps {
        /// The greatest distance that passes.
        budget: u32,
        /// The format in which it is counted.
        format: FloatFormat,
    },
    /// `|actual - expected| / |expected| <= rel`, or the error is at most `abs_floor`.
    Relative {
        /// The greatest quotient that passes.
        rel: f64,
        /// Errors up to this pass wherever they are; without it nothing but zero passes near an expected zero.
        abs_floor: f64,
    },
    /// The error is at most this fraction of the reference's value range (largest less smallest finite value). If the
    /// reference is constant, only equal values pass.
    RangeFraction(f64),
    /// At most `budget` quantisation steps apart. What rounding to the compared types can have added is not counted.
    Lsb {
        /// The size of one step, in the compared unit: 1 for the quantised integers themselves, the scale for real values.
        step: f64,
        /// The greatest number of steps that passes.
        budget: u32,
    },
}

/// The text forms of a tolerance.
pub const FORMS: &str = "exact | ulps:N[@f16|@bf16|@f32] (f16 if unstated) | rel:X[,abs:Y] | range:X | lsb:N[,step:X]";

/// A tolerance that cannot be understood.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is no tolerance: {reason}; valid forms: {FORMS}")]
pub struct ParseToleranceError {
    /// The text.
    pub text: String,
    /// What is wrong with it.
    pub reason: String,
}

/// A tolerance whose numbers make no sense.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("the {field} of a tolerance must be {demand}, not {value}")]
pub struct InvalidTolerance {
    /// Which number.
    pub field: &'static str,
    /// What it must be.
    pub demand: &'static str,
    /// What it is.
    pub value: f64,
}

impl Tolerance {
    /// Checks that budgets are finite and not negative, and that a step is positive.
    ///
    /// # Errors
    /// [`InvalidTolerance`] names the number.
    pub fn validate(&self) -> Result<(), InvalidTolerance> {
        let budget = |field, value: f64| {
            let good = value.is_finite() && value >= 0.0;
            if good { Ok(()) } else { Err(InvalidTolerance { field, demand: "finite and not negative", value }) }
        };
        match *self {
            Self::Exact | Self::Ulps { .. } => Ok(()),
            Self::Relative { rel, abs_floor } => budget("rel", rel).and_then(|()| budget("abs", abs_floor)),
            Self::RangeFraction(fraction) => budget("range", fraction),
            Self::Lsb { step, .. } if step.is_finite() && step > 0.0 => Ok(()),
            Self::Lsb { step, .. } => {
                Err(InvalidTolerance { field: "step", demand: "finite and positive", value: step })
            }
        }
    }
}

impl fmt::Display for Tolerance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Exact => f.write_str("exact"),
            Self::Ulps { budget, format } => write!(f, "ulps:{budget}@{format}"),
            Self::Relative { rel, abs_floor: 0.0 } => write!(f, "rel:{rel:?}"),
            Self::Relative { rel, abs_floor } => write!(f, "rel:{rel:?},abs:{abs_floor:?}"),
            Self::RangeFraction(fraction) => write!(f, "range:{fraction:?}"),
            Self::Lsb { step: 1.0, budget } => write!(f, "lsb:{budget}"),
            Self::Lsb { step, budget } => write!(f, "lsb:{budget},step:{step:?}"),
        }
    }
}

impl FromStr for Tolerance {
    type Err = ParseToleranceError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        parse(text).map_err(|reason| ParseToleranceError { text: text.to_owned(), reason })
    }
}

fn parse(text: &str) -> Result<Tolerance, String> {
    let (kind, rest) = match text.trim().split_once(':') {
        Some((kind, rest)) => (kind.trim(), rest.trim()),
        None if text.trim() == "exact" => return Ok(Tolerance::Exact),
        None => return Err("it has no kind and number".to_owned()),
    };
    let tolerance = match kind {
        "ulps" => {
            let (budget, format) = rest.split_once('@').unwrap_or((rest, "f16"));
            let format = format.trim().parse().map_err(|error| format!("{error}"))?;
            Tolerance::Ulps { budget: whole(budget)?, format }
        }
        "rel" => {
            let (rel, abs) = split_option(rest, "abs")?;
            Tolerance::Relative { rel: real(rel)?, abs_floor: abs.map_or(Ok(0.0), real)? }
        }
        "range" => Tolerance::RangeFraction(real(rest)?),
        "lsb" => {
            let (budget, step) = split_option(rest, "step")?;
            Tolerance::Lsb { budget: whole(budget)?, step: step.map_or(Ok(1.0), real)? }
        }
        other => return Err(format!("{other:?} is no kind of tolerance")),
    };
    tolerance.validate().map_err(|error| error.to_string())?;
    Ok(tolerance)
}

/// Splits `N,name:X` into `N` and perhaps `X`.
fn split_option<'a>(text: &'a str, name: &str) -> Result<(&'a str, Option<&'a str>), String> {
    let Some((first, option)) = text.split_once(',') else { return Ok((text, None)) };
    match option.split_once(':') {
        Some((key, value)) if key.trim() == name => Ok((first, Some(value))),
        _ => Err(format!("after the comma only {name}:X can follow")),
    }
}

fn whole(text: &str) -> Result<u32, String> {
    text.trim().parse().map_err(|_| format!("{text:?} is no whole number"))
}

fn real(text: &str) -> Result<f64, String> {
    text.trim().parse().map_err(|_| format!("{text:?} is no number"))
}
