//! Losses of classification: log-probabilities along axis 1 against the numbers of the right classes.

use crate::Call;
use crate::call::{integer, rounded};
use crate::shape::{check_shape, count};
use crate::softmax::log_softmax_along;

/// Input 0 holds log-probabilities.
pub(crate) fn negative_log_likelihood(call: &Call<'_>) -> Result<Vec<f32>, String> {
    let input = call.input(0)?;
    likelihood(call, &input.data, &input.shape)
}

/// Input 0 holds scores. A second output is their log-probabilities.
pub(crate) fn softmax_cross_entropy(call: &Call<'_>) -> Result<Vec<Vec<f32>>, String> {
    let scores = call.input(0)?;
    if scores.shape.len() < 2 {
        return Err(format!("input shape {:?} has no axis of classes", scores.shape));
    }
    let log_probability = log_softmax_along(scores, 1);
    let mut results = vec![likelihood(call, &log_probability, &scores.shape)?];
    if let Some(shape) = call.output_shapes.get(1) {
        check_shape(&scores.shape, shape)?;
        results.push(log_probability);
    }
    Ok(results)
}

/// Input 1 is the classes, input 2 (if given) a weight per class.
fn likelihood(call: &Call<'_>, log_probability: &[f32], shape: &[usize]) -> Result<Vec<f32>, String> {
    let &[samples, classes, ref places @ ..] = shape else {
        return Err(format!("input shape {shape:?} has no axis of classes"));
    };
    let target = call.input(1)?;
    let each = [&[samples], places].concat();
    check_shape(&each, &target.shape).map_err(|_| format!("classes of shape {:?} for {shape:?}", target.shape))?;
    let weights = call.optional(2).map(|_| call.input(2)).transpose()?;
    if weights.is_some_and(|weights| weights.data.len() != classes) {
        return Err(format!("weights of shape {:?} for {classes} classes", weights.map(|weights| &weights.shape)));
    }
    let inner = count(places).ok_or_else(|| format!("input shape {shape:?} is too large"))?;
    let ignored = call.attributes.int("ignore_index");
    let mut total = 0.0;
    let loss = |(at, &class): (usize, &f32)| {
        let class = integer(class);
        if Some(class) == ignored {
            return Ok(0.0);
        }
        let class = usize::try_from(class).ok().filter(|&class| class < classes);
        let class = class.ok_or_else(|| format!("class {} at place {at} is none of {classes}", target.data[at]))?;
        let weight = weights.map_or(1.0, |weights| f64::from(weights.data[class]));
        total += weight;
        Ok(-weight * f64::from(log_probability[(at / inner * classes + class) * inner + at % inner]))
    };
    let losses = target.data.iter().enumerate().map(loss).collect::<Result<Vec<f64>, String>>()?;
    let sum: f64 = losses.iter().sum();
    let (made, shape) = match call.text("reduction", "mean") {
        "none" => (losses, each),
        "sum" => (vec![sum], Vec::new()),
        "mean" => (vec![sum / total], Vec::new()),
        other => return Err(format!("`reduction` is `{other}`, expected none, sum or mean")),
    };
    check_shape(&shape, call.output_shape())?;
    Ok(made.into_iter().map(rounded).collect())
}
