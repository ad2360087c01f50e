//! Softmax along one axis (ONNX from opset 13 on).

use crate::Call;
use crate::shape::{axis, check_shape, split_at};

pub(crate) fn softmax(call: &Call<'_>) -> Result<Vec<f32>, String> {
    normalised(call, |value, sum| value.exp() / sum)
}

pub(crate) fn log_softmax(call: &Call<'_>) -> Result<Vec<f32>, String> {
    normalised(call, |value, sum| value - sum.ln())
}

/// `f` gets a value less the largest along the axis, and the sum of the exponentials of such.
fn normalised(call: &Call<'_>, f: impl Fn(f64, f64) -> f64) -> Result<Vec<f32>, String> {
    let input = call.input(0)?;
    check_shape(&input.shape, call.output_shape())?;
    let along = axis(call.attributes.int("axis").unwrap_or(-1), input.shape.len())?;
    let (outer, size, inner) = split_at(&input.shape, along);
    let mut out = input.data.clone();
    for start in (0..outer).flat_map(|row| (0..inner).map(move |column| row * size * inner + column)) {
        let places = || (0..size).map(|index| start + index * inner);
        let largest = places().map(|at| input.data[at]).fold(f32::NEG_INFINITY, f32::max);
        let relative = |at: usize| f64::from(input.data[at]) - f64::from(largest);
        let sum: f64 = places().map(|at| relative(at).exp()).sum();
        for at in places() {
            #[expect(clippy::cast_possible_truncation, reason = "rounding to f32 once is the contract")]
            let rounded = f(relative(at), sum) as f32;
            out[at] = rounded;
        }
    }
    Ok(out)
}
