//! Numbers of NPUs: half-precision floats, rounding, tolerances and verdicts.
//!
//! Architecture invariant: everything that judges a result against a reference does so through [`compare`] and a declared
//! [`Tolerance`]; everything that narrows a number does so with a stated [`Rounding`].

mod aie;
mod bfp;
mod compare;
mod element;
mod float;
pub mod rounding;
mod tolerance;
mod verdict;

pub use aie::AieRounding;
pub use bfp::Bfp16Ebs8;
pub use compare::{CompareError, compare};
pub use element::Element;
pub use float::{
    FloatFormat, UnknownFormat, f32_to_bf16, f32_to_f16, f64_to_bf16, f64_to_f16, ulp_distance_bf16, ulp_distance_f16,
    ulp_distance_f32,
};
pub use half::{bf16, f16};
pub use rounding::Rounding;
pub use tolerance::{FORMS, InvalidTolerance, ParseToleranceError, Tolerance};
pub use verdict::{Pair, Specials, UlpStatistics, Verdict, WouldPass};
