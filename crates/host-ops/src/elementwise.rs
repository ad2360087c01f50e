//! Operators of one value each: `y = f(x)`, computed in `f64` and rounded once.

use crate::{Call, Error, HostTensor, check_count, single};

fn map(kind: &'static str, call: &Call<'_>, f: impl Fn(f64) -> f64) -> Result<HostTensor, Error> {
    let input = single(kind, call)?;
    check_count(kind, input.data.len(), call.output_shape)?;
    #[expect(clippy::cast_possible_truncation, reason = "rounding to f32 once is the contract")]
    let data = input.data.iter().map(|&x| f(f64::from(x)) as f32).collect();
    Ok(HostTensor { shape: call.output_shape.to_vec(), data })
}

/// Defines one operator of the table: its name in errors and its function.
macro_rules! elementwise {
    ($($name:ident, $kind:literal, $f:expr;)*) => {
        $(pub(crate) fn $name(call: &Call<'_>) -> Result<HostTensor, Error> {
            map($kind, call, $f)
        })*
    };
}

elementwise! {
    abs, "Abs", f64::abs;
    ceil, "Ceil", f64::ceil;
    cos, "Cos", f64::cos;
    erf, "Erf", libm::erf;
    exp, "Exp", f64::exp;
    floor, "Floor", f64::floor;
    log, "Log", f64::ln;
    mish, "Mish", |x| x * softplus(x).tanh();
    neg, "Neg", |x| -x;
    reciprocal, "Reciprocal", f64::recip;
    round, "Round", f64::round_ties_even;
    sin, "Sin", f64::sin;
    sqrt, "Sqrt", f64::sqrt;
}

/// ln(1 + e^x) without overflow for large x.
fn softplus(x: f64) -> f64 {
    x.max(0.0) + (-x.abs()).exp().ln_1p()
}
