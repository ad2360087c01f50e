//! Resize: nearest neighbour and linear, with ONNX's ways to map coordinates.
//!
//! Scales are single precision in ONNX. Coordinates and values are computed in it as the vendor's runtime does, the last axis
//! first, each interpolation with one fused multiply-add: of the orders tried it alone gives all 5.5 million half floats that
//! the runtime makes of 33 x 33 pixels. Stored integers it interpolates with the other product inside of the multiply-add, and cuts
//! fractions off: of the orders tried it alone gives all 1287 of 5 x 7 pixels.

use crate::Call;
use crate::shape::{Sources, axes, picked, split_at};

/// Input 2 is the scales, input 3 the sizes; the declared shape has what follows from either. Sizes that are given but hold
/// no number per dimension are placeholders.
pub(crate) fn resize(call: &Call<'_>) -> Result<Vec<f32>, String> {
    let input = call.input(0)?;
    let out = call.output_shape();
    if out.len() != input.shape.len() || input.shape.contains(&0) {
        return Err(format!("input shape {:?} and declared output shape {out:?}", input.shape));
    }
    for (name, unset) in [("antialias", 0), ("exclude_outside", 0)] {
        if call.attributes.int(name).is_some_and(|value| value != unset) {
            return Err(format!("`{name}` is not implemented"));
        }
    }
    let scales = scales(call, &input.shape, out)?;
    let transform = call.text("coordinate_transformation_mode", "half_pixel");
    let coordinates = |axis: usize| {
        let sizes = (input.shape[axis], out[axis]);
        (0..out[axis]).map(|at| coordinate(transform, at, scales[axis], sizes)).collect::<Result<Vec<f32>, String>>()
    };
    match call.text("mode", "nearest") {
        "nearest" => {
            let mode = call.text("nearest_mode", "round_prefer_floor");
            let axis = |axis: usize| {
                let nearest = |at: f32| nearest(mode, at, input.shape[axis]).map(Some);
                coordinates(axis)?.into_iter().map(nearest).collect::<Result<Sources, String>>()
            };
            let all = (0..out.len()).map(axis).collect::<Result<Vec<_>, _>>()?;
            Ok(picked(&input.data, &input.shape, &all, 0.0))
        }
        "linear" => {
            let (mut shape, mut data) = (input.shape.clone(), input.data.clone());
            for axis in (0..out.len()).rev() {
                if (out[axis], scales[axis]) != (shape[axis], 1.0) {
                    let between = if call.stored { between_integers } else { between };
                    data = linear(&data, &shape, axis, &coordinates(axis)?, between);
                    shape[axis] = out[axis];
                }
            }
            Ok(if call.stored { data.into_iter().map(f32::trunc).collect() } else { data })
        }
        other => Err(format!("`mode` `{other}` is not implemented")),
    }
}

#[expect(clippy::cast_precision_loss, reason = "sizes of tensors in memory")]
fn scales(call: &Call<'_>, from: &[usize], to: &[usize]) -> Result<Vec<f32>, String> {
    let mut scales: Vec<f32> = to.iter().zip(from).map(|(&to, &from)| to as f32 / from as f32).collect();
    let on = axes(call.attributes.ints("axes"), from.len())?;
    let sizes_given = call.optional(3).is_some_and(|sizes| sizes.data.len() == on.len());
    if let Some(given) = call.optional(2).filter(|given| given.data.len() == on.len() && !sizes_given) {
        for (&axis, &scale) in on.iter().zip(&given.data) {
            let size = scale * from[axis] as f32;
            // The size is the floor of that, up to rounding of the scale.
            if !(scale > 0.0 && (size - to[axis] as f32).abs() <= 1.0) {
                return Err(format!("{} pixels times {scale} are not {}", from[axis], to[axis]));
            }
            scales[axis] = scale;
        }
    }
    Ok(scales)
}

/// Where output pixel `at` lies in the input.
#[expect(clippy::cast_precision_loss, reason = "sizes of tensors in memory")]
fn coordinate(mode: &str, at: usize, scale: f32, (from, to): (usize, usize)) -> Result<f32, String> {
    let (at, from, to) = (at as f32, from as f32, to as f32);
    Ok(match mode {
        "half_pixel" => (at + 0.5) / scale - 0.5,
        "half_pixel_symmetric" => {
            let kept = to / (scale * from);
            from / 2.0 * (1.0 - kept) + (at + 0.5) / scale - 0.5
        }
        "pytorch_half_pixel" if to > 1.0 => (at + 0.5) / scale - 0.5,
        "pytorch_half_pixel" => 0.0,
        "tf_half_pixel_for_nn" => (at + 0.5) / scale,
        // By ONNX's definition the unrounded size counts, which only matters where scales are given.
        "align_corners" if scale * from == 1.0 => 0.0,
        "align_corners" => at * (from - 1.0) / (scale * from - 1.0),
        "asymmetric" => at / scale,
        other => return Err(format!("`coordinate_transformation_mode` `{other}` is not implemented")),
    })
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "casts saturate; the result is clamped")]
fn nearest(mode: &str, at: f32, size: usize) -> Result<usize, String> {
    let rounded = match mode {
        "round_prefer_floor" => (at - 0.5).ceil(),
        "round_prefer_ceil" => (at + 0.5).floor(),
        "floor" => at.floor(),
        "ceil" => at.ceil(),
        other => return Err(format!("`nearest_mode` is `{other}`")),
    };
    Ok((rounded.max(0.0) as usize).min(size - 1))
}

/// Between two values, at `part` of the way.
fn between(low: f32, high: f32, part: f32) -> f32 {
    high.mul_add(part, low * (1.0 - part))
}

/// The same for stored integers.
fn between_integers(low: f32, high: f32, part: f32) -> f32 {
    low.mul_add(1.0 - part, high * part)
}

/// Interpolates along one axis; beyond the outermost pixels these count.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "coordinates are clamped to the axis")]
#[expect(clippy::cast_precision_loss, reason = "sizes of tensors in memory")]
fn linear(
    data: &[f32],
    shape: &[usize],
    axis: usize,
    coordinates: &[f32],
    between: fn(f32, f32, f32) -> f32,
) -> Vec<f32> {
    let (outer, size, inner) = split_at(shape, axis);
    let mut out = Vec::with_capacity(outer * coordinates.len() * inner);
    for plane in data.chunks_exact((size * inner).max(1)).take(outer) {
        for &at in coordinates {
            let at = at.clamp(0.0, (size - 1) as f32);
            let low = (at.floor() as usize).min(size - 1);
            let high = (low + 1).min(size - 1);
            let part = at - low as f32;
            let rows = plane[low * inner..][..inner].iter().zip(&plane[high * inner..][..inner]);
            out.extend(rows.map(|(&low, &high)| between(low, high, part)));
        }
    }
    out
}
