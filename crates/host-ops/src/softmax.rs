//! Softmax along one axis (ONNX from opset 13 on).

use crate::Call;
use crate::call::{HostTensor, rounded};
use crate::shape::{axis, check_shape, group_offsets};

pub(crate) fn softmax(call: &Call<'_>) -> Result<Vec<f32>, String> {
    let (input, along) = checked(call)?;
    Ok(normalised(input, along, |value, sum| value.exp() / sum))
}

pub(crate) fn log_softmax(call: &Call<'_>) -> Result<Vec<f32>, String> {
    let (input, along) = checked(call)?;
    Ok(log_softmax_along(input, along))
}

/// One for the first of the largest values, zero for the others.
pub(crate) fn hardmax(call: &Call<'_>) -> Result<Vec<f32>, String> {
    let (input, along) = checked(call)?;
    let mut out = vec![0.0; input.data.len()];
    let (starts, together) = group_offsets(&input.shape, &[along]);
    for start in starts {
        let larger = |best: usize, at: usize| if input.data[at] > input.data[best] { at } else { best };
        if let Some(best) = together.iter().map(|offset| start + offset).reduce(larger) {
            out[best] = 1.0;
        }
    }
    Ok(out)
}

/// The input and the axis.
fn checked<'a>(call: &'a Call<'_>) -> Result<(&'a HostTensor, usize), String> {
    let input = call.input(0)?;
    check_shape(&input.shape, call.output_shape())?;
    Ok((input, axis(call.attributes.int("axis").unwrap_or(-1), input.shape.len())?))
}

/// Logarithms of the softmax along an axis that the tensor has.
pub(crate) fn log_softmax_along(input: &HostTensor, along: usize) -> Vec<f32> {
    normalised(input, along, |value, sum| value - sum.ln())
}

/// `f` gets a value less the largest along the axis, and the sum of the exponentials of such.
fn normalised(input: &HostTensor, along: usize, f: impl Fn(f64, f64) -> f64) -> Vec<f32> {
    let (starts, together) = group_offsets(&input.shape, &[along]);
    let mut out = input.data.clone();
    for start in starts {
        let places = || together.iter().map(|offset| start + offset);
        let largest = places().map(|at| input.data[at]).fold(f32::NEG_INFINITY, f32::max);
        let relative = |at: usize| f64::from(input.data[at]) - f64::from(largest);
        let sum: f64 = places().map(|at| relative(at).exp()).sum();
        for at in places() {
            out[at] = rounded(f(relative(at), sum));
        }
    }
    out
}
