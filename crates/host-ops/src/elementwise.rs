//! Operators of one value each: `y = f(x)`, computed in `f64` and rounded once.

use crate::Call;
use crate::shape::check_shape;

fn map(call: &Call<'_>, f: impl Fn(f64) -> f64) -> Result<Vec<f32>, String> {
    let input = call.input(0)?;
    check_shape(&input.shape, call.output_shape())?;
    #[expect(clippy::cast_possible_truncation, reason = "rounding to f32 once is the contract")]
    Ok(input.data.iter().map(|&x| f(f64::from(x)) as f32).collect())
}

/// Defines operators by their functions.
macro_rules! elementwise {
    ($($name:ident = $f:expr;)*) => {
        $(pub(crate) fn $name(call: &Call<'_>) -> Result<Vec<f32>, String> {
            map(call, $f)
        })*
    };
}

elementwise! {
    abs = f64::abs;
    ceil = f64::ceil;
    cos = f64::cos;
    erf = libm::erf;
    exp = f64::exp;
    floor = f64::floor;
    hard_swish = |x| x * (x / 6.0 + 0.5).clamp(0.0, 1.0);
    log = f64::ln;
    mish = |x| x * soft_plus(x).tanh();
    neg = |x| -x;
    not = |x| if x == 0.0 { 1.0 } else { 0.0 };
    reciprocal = f64::recip;
    relu = |x| if x < 0.0 { 0.0 } else { x };
    round = f64::round_ties_even;
    sigmoid = |x| 1.0 / (1.0 + (-x).exp());
    sign = |x| if x > 0.0 { 1.0 } else if x < 0.0 { -1.0 } else { x };
    sin = f64::sin;
    softplus = soft_plus;
    softsign = |x| x / (1.0 + x.abs());
    sqrt = f64::sqrt;
    tanh = f64::tanh;
}

/// ln(1 + e^x) without overflow for large x.
fn soft_plus(x: f64) -> f64 {
    x.max(0.0) + (-x.abs()).exp().ln_1p()
}

/// The attribute's number as ONNX stores it, in single precision.
fn parameter(call: &Call<'_>, name: &str, default: f32) -> f64 {
    #[expect(clippy::cast_possible_truncation, reason = "the network holds single precision")]
    f64::from(call.attributes.float(name).map_or(default, |value| value as f32))
}

pub(crate) fn elu(call: &Call<'_>) -> Result<Vec<f32>, String> {
    let alpha = parameter(call, "alpha", 1.0);
    map(call, |x| if x < 0.0 { alpha * x.exp_m1() } else { x })
}

pub(crate) fn hard_sigmoid(call: &Call<'_>) -> Result<Vec<f32>, String> {
    let (alpha, beta) = (parameter(call, "alpha", 0.2), parameter(call, "beta", 0.5));
    map(call, |x| (alpha * x + beta).clamp(0.0, 1.0))
}

pub(crate) fn leaky_relu(call: &Call<'_>) -> Result<Vec<f32>, String> {
    let alpha = parameter(call, "alpha", 0.01);
    map(call, |x| if x < 0.0 { alpha * x } else { x })
}

/// To integers towards zero, to truth values by whether it is zero. The caller stores the numbers in the type itself.
pub(crate) fn cast(call: &Call<'_>) -> Result<Vec<f32>, String> {
    // ONNX's numbers of element types.
    match call.attributes.int("to") {
        Some(1 | 10 | 11 | 16) => map(call, |x| x),
        Some(2..=7 | 12 | 13) => map(call, f64::trunc),
        Some(9) => map(call, |x| if x == 0.0 { 0.0 } else { 1.0 }),
        other => Err(format!("`to` is {other:?}, no type of numbers that is known")),
    }
}
