//! Operators that make one value of many along axes.

use crate::Call;
use crate::combine::{larger, smaller};
use crate::shape::{axes, axis, check_shape, for_each_offset, split_at, strides};

/// Gives `f` the values that belong together, once for every element of the result.
fn reduced(call: &Call<'_>, f: impl Fn(&[f64]) -> f64) -> Result<Vec<f32>, String> {
    let input = call.input(0)?;
    let rank = input.shape.len();
    let given = call.integers("axes", 1).filter(|list| !list.is_empty());
    if given.is_none() && call.attributes.int("noop_with_empty_axes") == Some(1) {
        check_shape(&input.shape, call.output_shape())?;
        return Ok(input.data.clone());
    }
    let along = axes(given.as_deref(), rank)?;
    let (mut kept, mut gone) = (input.shape.clone(), vec![1; rank]);
    for &axis in &along {
        (kept[axis], gone[axis]) = (1, input.shape[axis]);
    }
    check_shape(&kept, call.output_shape())?;
    let strides = strides(&input.shape);
    let mut together = Vec::new();
    for_each_offset(&gone, &strides, |offset| together.push(offset));
    let mut values = vec![0.0; together.len()];
    let mut out = Vec::new();
    for_each_offset(&kept, &strides, |start| {
        for (value, offset) in values.iter_mut().zip(&together) {
            *value = f64::from(input.data[start + offset]);
        }
        #[expect(clippy::cast_possible_truncation, reason = "rounding to f32 once is the contract")]
        out.push(f(&values) as f32);
    });
    Ok(out)
}

#[expect(clippy::cast_precision_loss, reason = "counts are small")]
fn average(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn logarithm_of_exponentials(values: &[f64]) -> f64 {
    // Without overflow: the largest is taken out.
    let largest = values.iter().copied().fold(f64::NEG_INFINITY, larger);
    if largest.is_infinite() {
        return largest;
    }
    largest + values.iter().map(|value| (value - largest).exp()).sum::<f64>().ln()
}

/// Defines operators by their functions.
macro_rules! reductions {
    ($($name:ident = $f:expr;)*) => {
        $(pub(crate) fn $name(call: &Call<'_>) -> Result<Vec<f32>, String> {
            reduced(call, $f)
        })*
    };
}

reductions! {
    l1 = |values| values.iter().map(|value| value.abs()).sum();
    l2 = |values| values.iter().map(|value| value * value).sum::<f64>().sqrt();
    log_sum = |values| values.iter().sum::<f64>().ln();
    log_sum_exp = logarithm_of_exponentials;
    max = |values| values.iter().copied().fold(f64::NEG_INFINITY, larger);
    mean = average;
    min = |values| values.iter().copied().fold(f64::INFINITY, smaller);
    product = |values| values.iter().product();
    sum = |values| values.iter().sum();
    sum_square = |values| values.iter().map(|value| value * value).sum();
}

pub(crate) fn arg_max(call: &Call<'_>) -> Result<Vec<f32>, String> {
    place(call, |new, best| new > best)
}

pub(crate) fn arg_min(call: &Call<'_>) -> Result<Vec<f32>, String> {
    place(call, |new, best| new < best)
}

/// The index of the best value along one axis: the first of equals, or the last if `select_last_index` says so.
fn place(call: &Call<'_>, better: impl Fn(f32, f32) -> bool) -> Result<Vec<f32>, String> {
    let input = call.input(0)?;
    let along = axis(call.attributes.int("axis").unwrap_or(0), input.shape.len())?;
    let last = call.attributes.int("select_last_index") == Some(1);
    let mut shape = input.shape.clone();
    shape[along] = 1;
    check_shape(&shape, call.output_shape())?;
    let (outer, size, inner) = split_at(&input.shape, along);
    if size == 0 {
        return Err("an axis without elements has no best".to_owned());
    }
    let best = |start: usize| {
        let value = |index: usize| input.data[start + index * inner];
        let replaces = |new: f32, best: f32| better(new, best) || last && new == best;
        (1..size).fold(0, |best, index| if replaces(value(index), value(best)) { index } else { best })
    };
    #[expect(clippy::cast_precision_loss, reason = "indices of tensors that fit memory and are read one by one")]
    let out =
        (0..outer).flat_map(|row| (0..inner).map(move |column| row * size * inner + column)).map(|at| best(at) as f32);
    Ok(out.collect())
}
