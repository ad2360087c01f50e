//! Operators that bring groups of values to a common scale.

use crate::call::{HostTensor, rounded};
use crate::shape::{
    axes, axis, broadcast, broadcast_strides, check_shape, count, for_each_offset, group_offsets, split_at,
};
use crate::{Call, elementwise::parameter};

/// Mean and variance of values.
fn moments(values: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    #[expect(clippy::cast_precision_loss, reason = "counts of values in memory")]
    let count = values.clone().count() as f64;
    let mean = values.clone().sum::<f64>() / count;
    (mean, values.map(|value| (value - mean).powi(2)).sum::<f64>() / count)
}

/// The values of a tensor as those of a larger shape that it is repeated to.
fn repeated(tensor: &HostTensor, wide: &[usize], what: &str) -> Result<Vec<f64>, String> {
    if broadcast(&[&tensor.shape, wide])? != wide {
        return Err(format!("{what} of shape {:?} for {wide:?}", tensor.shape));
    }
    let mut values = Vec::with_capacity(count(wide).unwrap_or(0));
    let strides = broadcast_strides(&tensor.shape, wide);
    for_each_offset(wide, &strides, |offset| values.push(f64::from(tensor.data[offset])));
    Ok(values)
}

/// Over the axes from `axis` on, with a scale and a shift (inputs 1 and 2). Further outputs are the means and the
/// reciprocals of the deviations.
pub(crate) fn layer(call: &Call<'_>) -> Result<Vec<Vec<f32>>, String> {
    let input = call.input(0)?;
    check_shape(&input.shape, call.output_shape())?;
    let from = axis(call.attributes.int("axis").unwrap_or(-1), input.shape.len())?;
    let epsilon = parameter(call, "epsilon", 1e-5);
    let scale = repeated(call.input(1)?, &input.shape, "a scale")?;
    let shift = call.optional(2).map(|_| repeated(call.input(2)?, &input.shape, "a shift")).transpose()?;
    let size = count(&input.shape[from..]).unwrap_or(0).max(1);
    let (mut out, mut means, mut factors) = (Vec::with_capacity(input.data.len()), Vec::new(), Vec::new());
    for (start, group) in input.data.chunks(size).enumerate() {
        let (mean, variance) = moments(group.iter().map(|&value| f64::from(value)));
        let factor = (variance + epsilon).sqrt().recip();
        for (at, &value) in (start * size..).zip(group) {
            let shift = shift.as_ref().map_or(0.0, |shift| shift[at]);
            out.push(rounded((f64::from(value) - mean) * factor * scale[at] + shift));
        }
        means.push(rounded(mean));
        factors.push(rounded(factor));
    }
    // The caller checks the numbers of values against the declared shapes.
    Ok([out, means, factors].into_iter().take(call.output_shapes.len()).collect())
}

/// Over the axes behind the channels, with a scale and a shift per channel (inputs 1 and 2).
pub(crate) fn instance(call: &Call<'_>) -> Result<Vec<f32>, String> {
    let (input, scale, shift) = (call.input(0)?, call.input(1)?, call.input(2)?);
    check_shape(&input.shape, call.output_shape())?;
    let &[_, channels, ref places @ ..] = &input.shape[..] else {
        return Err(format!("input shape {:?} has no channels", input.shape));
    };
    if [scale, shift].iter().any(|given| given.data.len() != channels) {
        return Err(format!("scale {:?} and shift {:?} for {channels} channels", scale.shape, shift.shape));
    }
    let epsilon = parameter(call, "epsilon", 1e-5);
    let mut out = Vec::with_capacity(input.data.len());
    for (plane, group) in input.data.chunks(count(places).unwrap_or(0).max(1)).enumerate() {
        let (mean, variance) = moments(group.iter().map(|&value| f64::from(value)));
        let factor = (variance + epsilon).sqrt().recip() * f64::from(scale.data[plane % channels]);
        let shift = f64::from(shift.data[plane % channels]);
        out.extend(group.iter().map(|&value| rounded((f64::from(value) - mean) * factor + shift)));
    }
    Ok(out)
}

/// Less the mean, by the deviation, over `axes`.
pub(crate) fn mean_variance(call: &Call<'_>) -> Result<Vec<f32>, String> {
    /// What ONNX's definition adds to the deviation.
    const LEAST: f64 = 1e-9;
    let input = call.input(0)?;
    check_shape(&input.shape, call.output_shape())?;
    let along = axes(Some(call.attributes.ints("axes").unwrap_or(&[0, 2, 3])), input.shape.len())?;
    let (starts, together) = group_offsets(&input.shape, &along);
    let mut out = input.data.clone();
    for start in starts {
        let value = |offset: &usize| f64::from(input.data[start + offset]);
        let (mean, variance) = moments(together.iter().map(value));
        for offset in &together {
            out[start + offset] = rounded((value(offset) - mean) / (variance.sqrt() + LEAST));
        }
    }
    Ok(out)
}

/// By the sum of magnitudes (`p` 1) or the root of the sum of squares (`p` 2) along an axis; zeros stay.
pub(crate) fn by_norm(call: &Call<'_>) -> Result<Vec<f32>, String> {
    let input = call.input(0)?;
    check_shape(&input.shape, call.output_shape())?;
    let along = axis(call.attributes.int("axis").unwrap_or(-1), input.shape.len())?;
    let power = call.attributes.int("p").unwrap_or(2);
    let (starts, together) = group_offsets(&input.shape, &[along]);
    let mut out = input.data.clone();
    for start in starts {
        let values = together.iter().map(|offset| f64::from(input.data[start + offset]));
        let norm = match power {
            1 => values.map(f64::abs).sum::<f64>(),
            2 => values.map(|value| value * value).sum::<f64>().sqrt(),
            other => return Err(format!("`p` is {other}, expected 1 or 2")),
        };
        for offset in together.iter().filter(|_| norm != 0.0) {
            out[start + offset] = rounded(f64::from(input.data[start + offset]) / norm);
        }
    }
    Ok(out)
}

/// Local response normalisation: by a power of the squares of `size` neighbouring channels.
pub(crate) fn local_response(call: &Call<'_>) -> Result<Vec<f32>, String> {
    let input = call.input(0)?;
    check_shape(&input.shape, call.output_shape())?;
    if input.shape.len() < 2 {
        return Err(format!("input shape {:?} has no channels", input.shape));
    }
    let size = call.attributes.int("size").and_then(|size| usize::try_from(size).ok()).filter(|&size| size > 0);
    let size = size.ok_or("`size` is missing or not positive")?;
    let (alpha, beta) = (parameter(call, "alpha", 1e-4), parameter(call, "beta", 0.75));
    let bias = parameter(call, "bias", 1.0);
    let (_, channels, inner) = split_at(&input.shape, 1);
    let square = |at: usize| f64::from(input.data[at]).powi(2);
    let response = |at: usize| {
        let channel = at / inner % channels;
        let (first, end) = (channel.saturating_sub((size - 1) / 2), channel.saturating_add(size / 2 + 1).min(channels));
        let sum: f64 = (first..end).map(|other| square(at - channel * inner + other * inner)).sum();
        #[expect(clippy::cast_precision_loss, reason = "a number of channels")]
        let scale = bias + alpha / size as f64 * sum;
        rounded(f64::from(input.data[at]) / scale.powf(beta))
    };
    Ok((0..input.data.len()).map(response).collect())
}
