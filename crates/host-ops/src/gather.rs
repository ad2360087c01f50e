//! Operators that pick, repeat, join and part along axes.

use crate::Call;
use crate::call::integer;
use crate::shape::{Sources, axis, broadcast, check_shape, picked, split_at};

/// Repeats the whole tensor, input 1 times along every axis.
pub(crate) fn tile(call: &Call<'_>) -> Result<Vec<f32>, String> {
    let input = call.input(0)?;
    let repeats = call.integers("repeats", 1).ok_or("the repeats are missing")?;
    let repeats: Option<Vec<usize>> = repeats.iter().map(|&count| usize::try_from(count).ok()).collect();
    let Some(repeats) = repeats.filter(|repeats| repeats.len() == input.shape.len()) else {
        return Err(format!("the repeats do not fit the input shape {:?}", input.shape));
    };
    let sizes = input.shape.iter().zip(repeats);
    let shape: Vec<usize> = sizes.map(|(size, count)| size.saturating_mul(count)).collect();
    check_shape(&shape, call.output_shape())?;
    let sources = |(&out, &size): (&usize, &usize)| (0..out).map(|at| Some(at % size)).collect();
    let axes: Vec<Sources> = shape.iter().zip(&input.shape).map(sources).collect();
    Ok(picked(&input.data, &input.shape, &axes, 0.0))
}

/// Broadcasts to the declared shape.
pub(crate) fn expand(call: &Call<'_>) -> Result<Vec<f32>, String> {
    let input = call.input(0)?;
    let declared = call.output_shape();
    if broadcast(&[&input.shape, declared])? != declared {
        return Err(format!("{:?} cannot be repeated to {declared:?}", input.shape));
    }
    let mut shape = vec![1; declared.len() - input.shape.len()];
    shape.extend(&input.shape);
    let sources = |(&out, &size): (&usize, &usize)| (0..out).map(|at| Some(at % size.max(1))).collect();
    let axes: Vec<Sources> = declared.iter().zip(&shape).map(sources).collect();
    Ok(picked(&input.data, &shape, &axes, 0.0))
}

/// Slices along an axis, by the indices of input 1.
pub(crate) fn gather(call: &Call<'_>) -> Result<Vec<f32>, String> {
    let (input, indices) = (call.input(0)?, call.input(1)?);
    let at = axis(call.attributes.int("axis").unwrap_or(0), input.shape.len())?;
    let (outer, size, inner) = split_at(&input.shape, at);
    let shape = [&input.shape[..at], &indices.shape[..], &input.shape[at + 1..]].concat();
    check_shape(&shape, call.output_shape())?;
    let places = indices.data.iter().map(|&index| axis(integer(index), size).map(Some));
    let places = places.collect::<Result<Sources, _>>().map_err(|_| format!("an index is beyond {size}"))?;
    let all = |count: usize| (0..count).map(Some).collect::<Sources>();
    Ok(picked(&input.data, &[outer, size, inner], &[all(outer), places, all(inner)], 0.0))
}

/// One behind the other along an axis.
pub(crate) fn concat(call: &Call<'_>) -> Result<Vec<f32>, String> {
    let inputs = call.given()?;
    let first = inputs.first().ok_or("it has no data input")?;
    let at = axis(call.attributes.int("axis").ok_or("`axis` is missing")?, first.shape.len())?;
    let mut shape = first.shape.clone();
    shape[at] = 0;
    for input in &inputs {
        let others = |shape: &[usize]| [&shape[..at], &shape[at + 1..]].concat();
        if input.shape.len() != shape.len() || others(&input.shape) != others(&shape) {
            return Err(format!("inputs of shapes {:?} and {:?} do not line up", first.shape, input.shape));
        }
        shape[at] = shape[at].saturating_add(input.shape[at]);
    }
    check_shape(&shape, call.output_shape())?;
    let (outer, _, inner) = split_at(&shape, at);
    let part = |outer: usize| {
        inputs.iter().flat_map(move |input| {
            let run = input.shape[at] * inner;
            &input.data[outer * run..][..run]
        })
    };
    Ok((0..outer).flat_map(part).copied().collect())
}

/// Parts along an axis, as large as the declared outputs.
pub(crate) fn split(call: &Call<'_>) -> Result<Vec<Vec<f32>>, String> {
    let input = call.input(0)?;
    let at = axis(call.attributes.int("axis").unwrap_or(0), input.shape.len())?;
    let (outer, size, inner) = split_at(&input.shape, at);
    let mut start = 0_usize;
    let mut parts = Vec::with_capacity(call.output_shapes.len());
    for shape in call.output_shapes {
        let part = shape.get(at).copied().unwrap_or(0);
        let mut expected = input.shape.clone();
        expected[at] = part;
        if *shape != expected || start.checked_add(part).is_none_or(|end| end > size) {
            return Err(format!("a part of shape {shape:?} is not in {:?}", input.shape));
        }
        let rows = (0..outer).flat_map(|row| &input.data[(row * size + start) * inner..][..part * inner]);
        parts.push(rows.copied().collect());
        start += part;
    }
    if start != size {
        return Err(format!("the parts make {start} of {size}"));
    }
    Ok(parts)
}
