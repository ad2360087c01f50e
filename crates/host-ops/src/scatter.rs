//! Operators that read or write elements at places which another tensor lists.

use crate::Call;
use crate::call::{HostTensor, integer, rounded};
use crate::combine::{larger, smaller};
use crate::shape::{axis, check_shape, count, for_each_offset, group_offsets, split_at, strides};

/// How attribute `reduction` says a new value meets the old one.
fn reduction(call: &Call<'_>) -> Result<fn(f64, f64) -> f64, String> {
    match call.text("reduction", "none") {
        "none" => Ok(|_, new| new),
        "add" => Ok(|old, new| old + new),
        "mul" => Ok(|old, new| old * new),
        "max" => Ok(larger),
        "min" => Ok(smaller),
        other => Err(format!("`reduction` is `{other}`, expected none, add, mul, max or min")),
    }
}

/// For every element of `indices`, the offset in a tensor of `shape` of the element at its place with the index instead
/// along an axis.
fn places(indices: &HostTensor, shape: &[usize], along: usize) -> Result<Vec<usize>, String> {
    let fits = |at: usize| at == along || indices.shape[at] <= shape[at];
    if indices.shape.len() != shape.len() || !(0..shape.len()).all(fits) {
        return Err(format!("indices of shape {:?} for {shape:?}", indices.shape));
    }
    let (stride, mut others) = (strides(shape)[along], strides(shape));
    others[along] = 0;
    let mut offsets = Vec::with_capacity(indices.data.len());
    for_each_offset(&indices.shape, &others, |offset| offsets.push(offset));
    let place = |(offset, &index): (usize, &f32)| Ok(offset + inside(index, shape[along])? * stride);
    offsets.into_iter().zip(&indices.data).map(place).collect()
}

/// An index, counted from the end where it is negative.
fn inside(index: f32, size: usize) -> Result<usize, String> {
    axis(integer(index), size).map_err(|_| format!("index {index} is beyond {size}"))
}

/// The axis that the attribute names.
fn attribute_axis(call: &Call<'_>, shape: &[usize]) -> Result<usize, String> {
    axis(call.attributes.int("axis").unwrap_or(0), shape.len())
}

/// `GatherElements`: per element of input 1, one of input 0.
pub(crate) fn gather_elements(call: &Call<'_>) -> Result<Vec<f32>, String> {
    let (input, indices) = (call.input(0)?, call.input(1)?);
    check_shape(&indices.shape, call.output_shape())?;
    let places = places(indices, &input.shape, attribute_axis(call, &input.shape)?)?;
    Ok(places.into_iter().map(|at| input.data[at]).collect())
}

/// `ScatterElements`: input 0 with the elements of input 2 at the places of input 1.
pub(crate) fn scatter_elements(call: &Call<'_>) -> Result<Vec<f32>, String> {
    let (input, indices, updates) = (call.input(0)?, call.input(1)?, call.input(2)?);
    check_shape(&input.shape, call.output_shape())?;
    if indices.shape != updates.shape {
        return Err(format!("indices of shape {:?} and updates of shape {:?}", indices.shape, updates.shape));
    }
    let meet = reduction(call)?;
    let mut out = input.data.clone();
    for (at, &update) in
        places(indices, &input.shape, attribute_axis(call, &input.shape)?)?.into_iter().zip(&updates.data)
    {
        out[at] = rounded(meet(f64::from(out[at]), f64::from(update)));
    }
    Ok(out)
}

/// Where the slices begin that tuples of indices name, and how many elements each has. The first `batch` axes of tuples and
/// tensor go together.
fn slices(indices: &HostTensor, shape: &[usize], batch: usize) -> Result<(Vec<usize>, usize), String> {
    let refuse = || format!("tuples of indices of shape {:?} for {shape:?} with {batch} batch axes", indices.shape);
    let (&depth, list) = indices.shape.split_last().ok_or_else(refuse)?;
    let rest = shape.get(batch..).filter(|rest| depth <= rest.len() && depth > 0).ok_or_else(refuse)?;
    if list.get(..batch) != Some(&shape[..batch]) {
        return Err(refuse());
    }
    let size = count(&rest[depth..]).ok_or_else(refuse)?;
    let steps = strides(rest);
    let [block, tuples] = [count(rest), count(&list[batch..])].map(Option::unwrap_or_default);
    let start = |(number, tuple): (usize, &[f32])| {
        let parts = tuple.iter().zip(rest).zip(&steps);
        let within = parts.map(|((&index, &size), step)| Ok(inside(index, size)? * step));
        Ok(number / tuples * block + within.sum::<Result<usize, String>>()?)
    };
    let starts = indices.data.chunks_exact(depth).enumerate().map(start).collect::<Result<_, String>>()?;
    Ok((starts, size))
}

/// `GatherND`: the slices that tuples of indices name.
pub(crate) fn gather_nd(call: &Call<'_>) -> Result<Vec<f32>, String> {
    let (input, indices) = (call.input(0)?, call.input(1)?);
    let batch = call.attributes.int("batch_dims").unwrap_or(0);
    let batch = usize::try_from(batch).map_err(|_| format!("`batch_dims` is {batch}"))?;
    let (starts, size) = slices(indices, &input.shape, batch)?;
    let made = starts.len().checked_mul(size);
    if made.is_none() || made != count(call.output_shape()) {
        let declared = call.output_shape();
        return Err(format!("{} slices of {size} are not the declared output shape {declared:?}", starts.len()));
    }
    Ok(starts.into_iter().flat_map(|start| &input.data[start..start + size]).copied().collect())
}

/// `ScatterND`: input 0 with the slices of input 2 at the places that tuples of indices name.
pub(crate) fn scatter_nd(call: &Call<'_>) -> Result<Vec<f32>, String> {
    let (input, indices, updates) = (call.input(0)?, call.input(1)?, call.input(2)?);
    check_shape(&input.shape, call.output_shape())?;
    let (starts, size) = slices(indices, &input.shape, 0)?;
    if starts.len().checked_mul(size) != Some(updates.data.len()) {
        return Err(format!("{} slices of {size} from updates of shape {:?}", starts.len(), updates.shape));
    }
    let meet = reduction(call)?;
    let mut out = input.data.clone();
    for (start, update) in starts.into_iter().zip(updates.data.chunks(size.max(1))) {
        for (old, &new) in out[start..start + size].iter_mut().zip(update) {
            *old = rounded(meet(f64::from(*old), f64::from(new)));
        }
    }
    Ok(out)
}

/// The slices along an axis (without one, the elements) where input 1 is true.
pub(crate) fn compress(call: &Call<'_>) -> Result<Vec<f32>, String> {
    let (input, condition) = (call.input(0)?, call.input(1)?);
    let shape = if call.attributes.int("axis").is_some() { input.shape.clone() } else { vec![input.data.len()] };
    let along = attribute_axis(call, &shape)?;
    let (outer, size, inner) = split_at(&shape, along);
    let kept: Vec<usize> = (0..size).filter(|&at| condition.data.get(at).is_some_and(|&value| value != 0.0)).collect();
    let mut made = shape;
    made[along] = kept.len();
    check_shape(&made, call.output_shape())?;
    let part = |row: usize| kept.iter().flat_map(move |at| &input.data[(row * size + at) * inner..][..inner]);
    Ok((0..outer).flat_map(part).copied().collect())
}

/// The `k` largest or smallest values along an axis, best first, and their indices; of equals the first.
pub(crate) fn top_k(call: &Call<'_>) -> Result<Vec<Vec<f32>>, String> {
    let input = call.input(0)?;
    let along = axis(call.attributes.int("axis").unwrap_or(-1), input.shape.len())?;
    let (_, size, inner) = split_at(&input.shape, along);
    let wanted = call.integers("k", 1).and_then(|list| list.first().copied()).ok_or("`k` is missing")?;
    let wanted = usize::try_from(wanted).ok().filter(|&wanted| wanted <= size);
    let wanted = wanted.ok_or_else(|| format!("`k` is beyond {size} values"))?;
    let mut shape = input.shape.clone();
    shape[along] = wanted;
    call.output_shapes.iter().try_for_each(|declared| check_shape(&shape, declared))?;
    let largest = call.attributes.int("largest") != Some(0);
    let made = count(&shape).unwrap_or(0);
    let (mut values, mut indices) = (vec![0.0; made], vec![0.0; made]);
    for (group, start) in group_offsets(&input.shape, &[along]).0.into_iter().enumerate() {
        let value = |index: usize| input.data[start + index * inner];
        let mut order: Vec<usize> = (0..size).collect();
        let compare = |a: usize, b: usize| value(a).total_cmp(&value(b));
        order.sort_by(|&a, &b| if largest { compare(b, a) } else { compare(a, b) });
        for (rank, &index) in order.iter().take(wanted).enumerate() {
            let at = (group / inner * wanted + rank) * inner + group % inner;
            #[expect(
                clippy::cast_precision_loss,
                reason = "indices of tensors that fit memory and are read one by one"
            )]
            let place = index as f32;
            (values[at], indices[at]) = (value(index), place);
        }
    }
    Ok([values, indices].into_iter().take(call.output_shapes.len()).collect())
}
