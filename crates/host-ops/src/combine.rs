//! Operators that combine values of several tensors, shapes broadcast.

use crate::Call;
use crate::HostTensor;
use crate::shape::{broadcast, broadcast_strides, check_shape, for_each_offset};

/// Calls `f` with the values of every element of the broadcast shape.
fn combined(call: &Call<'_>, inputs: &[&HostTensor], f: impl Fn(&[f64]) -> f64) -> Result<Vec<f32>, String> {
    let shapes: Vec<&[usize]> = inputs.iter().map(|input| &input.shape[..]).collect();
    let wide = broadcast(&shapes)?;
    check_shape(&wide, call.output_shape())?;
    let elements = wide.iter().product();
    let walks = inputs.iter().map(|input| {
        let mut offsets = Vec::with_capacity(elements);
        for_each_offset(&wide, &broadcast_strides(&input.shape, &wide), |offset| offsets.push(offset));
        offsets
    });
    let walks: Vec<Vec<usize>> = walks.collect();
    let mut values = vec![0.0; inputs.len()];
    let element = |index: usize| {
        for ((value, input), walk) in values.iter_mut().zip(inputs).zip(&walks) {
            *value = f64::from(input.data[walk[index]]);
        }
        #[expect(clippy::cast_possible_truncation, reason = "rounding to f32 once is the contract")]
        let rounded = f(&values) as f32;
        rounded
    };
    Ok((0..elements).map(element).collect())
}

fn two(call: &Call<'_>, f: impl Fn(f64, f64) -> f64) -> Result<Vec<f32>, String> {
    combined(call, &[call.input(0)?, call.input(1)?], |values| f(values[0], values[1]))
}

fn truth(call: &Call<'_>, f: impl Fn(f64, f64) -> bool) -> Result<Vec<f32>, String> {
    two(call, |a, b| if f(a, b) { 1.0 } else { 0.0 })
}

/// One or more inputs, from left to right.
fn folded(call: &Call<'_>, f: impl Fn(f64, f64) -> f64) -> Result<Vec<f32>, String> {
    let inputs = call.given()?;
    if inputs.is_empty() {
        return Err("it has no data input".to_owned());
    }
    combined(call, &inputs, |values| values.iter().copied().reduce(&f).unwrap_or(0.0))
}

/// The larger; not-a-number if either is.
pub(crate) fn larger(a: f64, b: f64) -> f64 {
    if a.is_nan() || a > b { a } else { b }
}

/// The smaller; not-a-number if either is.
pub(crate) fn smaller(a: f64, b: f64) -> f64 {
    if a.is_nan() || a < b { a } else { b }
}

/// Defines operators by a combinator and a function.
macro_rules! combining {
    ($($name:ident = $how:ident($f:expr);)*) => {
        $(pub(crate) fn $name(call: &Call<'_>) -> Result<Vec<f32>, String> {
            $how(call, $f)
        })*
    };
}

combining! {
    add = folded(|a, b| a + b);
    and = truth(|a, b| a != 0.0 && b != 0.0);
    divide = two(|a, b| a / b);
    equal = truth(|a, b| a == b);
    greater = truth(|a, b| a > b);
    greater_or_equal = truth(|a, b| a >= b);
    less = truth(|a, b| a < b);
    less_or_equal = truth(|a, b| a <= b);
    max = folded(larger);
    min = folded(smaller);
    multiply = two(|a, b| a * b);
    or = truth(|a, b| a != 0.0 || b != 0.0);
    power = two(f64::powf);
    prelu = two(|x, slope| if x < 0.0 { x * slope } else { x });
    subtract = two(|a, b| a - b);
}

pub(crate) fn mean(call: &Call<'_>) -> Result<Vec<f32>, String> {
    let inputs = call.given()?;
    if inputs.is_empty() {
        return Err("it has no data input".to_owned());
    }
    #[expect(clippy::cast_precision_loss, reason = "a number of inputs")]
    combined(call, &inputs, |values| values.iter().sum::<f64>() / values.len() as f64)
}

/// `Mod`: the remainder with the sign of the divisor or, if `fmod` says so, of the dividend.
pub(crate) fn modulo(call: &Call<'_>) -> Result<Vec<f32>, String> {
    let signs_of_dividend = call.attributes.int("fmod") == Some(1);
    two(call, |a, b| {
        let rest = a % b;
        if signs_of_dividend || rest == 0.0 || (rest < 0.0) == (b < 0.0) { rest } else { rest + b }
    })
}

/// `Where`: the second input where the first is true, else the third.
pub(crate) fn choose(call: &Call<'_>) -> Result<Vec<f32>, String> {
    let inputs = [call.input(0)?, call.input(1)?, call.input(2)?];
    combined(call, &inputs, |values| if values[0] != 0.0 { values[1] } else { values[2] })
}

/// `Clip`: limits are scalar inputs or, in old networks, attributes.
pub(crate) fn clip(call: &Call<'_>) -> Result<Vec<f32>, String> {
    let limit = |index: usize, name: &str, otherwise: f64| match call.optional(index) {
        Some(tensor) if tensor.data.len() == 1 => Ok(f64::from(tensor.data[0])),
        Some(tensor) => Err(format!("input {index} of shape {:?} is no limit", tensor.shape)),
        None => Ok(call.attributes.float(name).unwrap_or(otherwise)),
    };
    let (low, high) = (limit(1, "min", f64::NEG_INFINITY)?, limit(2, "max", f64::INFINITY)?);
    combined(call, &[call.input(0)?], |values| smaller(larger(values[0], low), high))
}
