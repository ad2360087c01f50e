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
    acos = f64::acos;
    acosh = f64::acosh;
    asin = f64::asin;
    asinh = f64::asinh;
    atan = f64::atan;
    atanh = f64::atanh;
    ceil = f64::ceil;
    cos = f64::cos;
    cosh = f64::cosh;
    erf = libm::erf;
    exp = f64::exp;
    floor = f64::floor;
    hard_swish = |x| x * (x / 6.0 + 0.5).clamp(0.0, 1.0);
    is_nan = |x| if x.is_nan() { 1.0 } else { 0.0 };
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
    sinh = f64::sinh;
    softplus = soft_plus;
    softsign = |x| x / (1.0 + x.abs());
    sqrt = f64::sqrt;
    tan = f64::tan;
    tanh = f64::tanh;
}

/// ln(1 + e^x) without overflow for large x.
fn soft_plus(x: f64) -> f64 {
    x.max(0.0) + (-x.abs()).exp().ln_1p()
}

/// The attribute's number as ONNX stores it, in single precision.
pub(crate) fn parameter(call: &Call<'_>, name: &str, default: f32) -> f64 {
    #[expect(clippy::cast_possible_truncation, reason = "the network holds single precision")]
    f64::from(call.attributes.float(name).map_or(default, |value| value as f32))
}

pub(crate) fn celu(call: &Call<'_>) -> Result<Vec<f32>, String> {
    let alpha = parameter(call, "alpha", 1.0);
    map(call, |x| if x < 0.0 { alpha * (x / alpha).exp_m1() } else { x })
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

pub(crate) fn selu(call: &Call<'_>) -> Result<Vec<f32>, String> {
    let (alpha, gamma) = (parameter(call, "alpha", 1.673_263_2), parameter(call, "gamma", 1.050_701));
    map(call, |x| gamma * if x > 0.0 { x } else { alpha * x.exp_m1() })
}

/// Zero between -`lambd` and `lambd`, nearer to zero by `bias` beyond.
pub(crate) fn shrink(call: &Call<'_>) -> Result<Vec<f32>, String> {
    let (bias, limit) = (parameter(call, "bias", 0.0), parameter(call, "lambd", 0.5));
    map(call, |x| match x {
        x if x < -limit => x + bias,
        x if x > limit => x - bias,
        x if x.is_nan() => x,
        _ => 0.0,
    })
}

pub(crate) fn is_inf(call: &Call<'_>) -> Result<Vec<f32>, String> {
    let wanted = |name: &str| call.attributes.int(name) != Some(0);
    let (negative, positive) = (wanted("detect_negative"), wanted("detect_positive"));
    let found = |x: f64| x.is_infinite() && if x < 0.0 { negative } else { positive };
    map(call, |x| if found(x) { 1.0 } else { 0.0 })
}

/// The number of elements.
pub(crate) fn size(call: &Call<'_>) -> Result<Vec<f32>, String> {
    let input = call.input(0)?;
    check_shape(&[], call.output_shape())?;
    #[expect(clippy::cast_precision_loss, reason = "the caller takes no other numbers")]
    Ok(vec![input.data.len() as f32])
}

/// To the type of input 1, which the output has.
pub(crate) fn cast_like(call: &Call<'_>) -> Result<Vec<f32>, String> {
    map(call, if call.integer_output { f64::trunc } else { |x| x })
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
