//! Shapes, strides and axes.

/// An element-count mismatch between what a call computes and what the model declares.
pub(crate) fn check_count(have: usize, shape: &[usize]) -> Result<(), String> {
    if count(shape) == Some(have) {
        return Ok(());
    }
    Err(format!("{have} elements do not fill the shape {shape:?}"))
}

/// Product of the sizes, unless it overflows.
pub(crate) fn count(shape: &[usize]) -> Option<usize> {
    shape.iter().try_fold(1_usize, |product, &size| product.checked_mul(size))
}

/// The result must have the declared shape; dimensions of one may be more or fewer, as compilers like four of them.
pub(crate) fn check_shape(made: &[usize], declared: &[usize]) -> Result<(), String> {
    let essential = |shape: &[usize]| shape.iter().copied().filter(|&size| size != 1).collect::<Vec<_>>();
    if essential(made) == essential(declared) && count(declared).is_some() {
        return Ok(());
    }
    Err(format!("the result {made:?} is not the declared output shape {declared:?}"))
}

/// Elements from one index to the next along every axis of a dense tensor.
pub(crate) fn strides(shape: &[usize]) -> Vec<usize> {
    let mut strides = vec![1_usize; shape.len()];
    for axis in (1..shape.len()).rev() {
        strides[axis - 1] = strides[axis].saturating_mul(shape[axis]);
    }
    strides
}

/// An axis counted from the end where it is negative.
pub(crate) fn axis(axis: i64, rank: usize) -> Result<usize, String> {
    let signed = i64::try_from(rank).unwrap_or(i64::MAX);
    let at = if axis < 0 { axis.saturating_add(signed) } else { axis };
    usize::try_from(at).ok().filter(|&at| at < rank).ok_or_else(|| format!("{rank} dimensions have no axis {axis}"))
}

/// Axes, all of them where none are given.
pub(crate) fn axes(given: Option<&[i64]>, rank: usize) -> Result<Vec<usize>, String> {
    match given {
        Some(list) => list.iter().map(|&each| axis(each, rank)).collect(),
        None => Ok((0..rank).collect()),
    }
}

/// Sizes in front of, at and behind an axis.
pub(crate) fn split_at(shape: &[usize], axis: usize) -> (usize, usize, usize) {
    // Where a size is zero the others may be anything.
    let product = |sizes: &[usize]| sizes.iter().copied().fold(1, usize::saturating_mul);
    (product(&shape[..axis]), shape[axis], product(&shape[axis + 1..]))
}

/// Calls `visit` with the offset of every element of `shape`, in row-major order, for given strides.
pub(crate) fn for_each_offset(shape: &[usize], strides: &[usize], mut visit: impl FnMut(usize)) {
    if shape.contains(&0) {
        return;
    }
    let mut index = vec![0_usize; shape.len()];
    let mut offset = 0;
    loop {
        visit(offset);
        let mut axis = shape.len();
        loop {
            if axis == 0 {
                return;
            }
            axis -= 1;
            index[axis] += 1;
            offset += strides[axis];
            if index[axis] < shape[axis] {
                break;
            }
            offset -= strides[axis] * shape[axis];
            index[axis] = 0;
        }
    }
}

/// Offsets at which groups of elements along axes begin, and those of a group's elements from there.
pub(crate) fn group_offsets(shape: &[usize], along: &[usize]) -> (Vec<usize>, Vec<usize>) {
    let (mut kept, mut gone) = (shape.to_vec(), vec![1; shape.len()]);
    for &axis in along {
        (kept[axis], gone[axis]) = (1, shape[axis]);
    }
    let offsets = |shape: &[usize], strides: &[usize]| {
        let mut offsets = Vec::new();
        for_each_offset(shape, strides, |offset| offsets.push(offset));
        offsets
    };
    let strides = strides(shape);
    if shape.contains(&0) {
        return (Vec::new(), Vec::new());
    }
    (offsets(&kept, &strides), offsets(&gone, &strides))
}

/// The elements of a dense tensor with its dimensions in another order.
pub(crate) fn permuted(data: &[f32], shape: &[usize], permutation: &[usize]) -> Vec<f32> {
    let strides = strides(shape);
    let new_shape: Vec<usize> = permutation.iter().map(|&axis| shape[axis]).collect();
    let new_strides: Vec<usize> = permutation.iter().map(|&axis| strides[axis]).collect();
    let mut out = Vec::with_capacity(data.len());
    for_each_offset(&new_shape, &new_strides, |offset| out.push(data[offset]));
    out
}

/// Where an output index along one axis comes from; `None` for the fill value.
pub(crate) type Sources = Vec<Option<usize>>;

/// A tensor whose element at (i, j, ...) is the input's at (axes[0][i], axes[1][j], ...), or `fill`.
pub(crate) fn picked(data: &[f32], shape: &[usize], axes: &[Sources], fill: f32) -> Vec<f32> {
    let strides = strides(shape);
    // One axis after the other, innermost last: every element is a list of offsets extended by one axis.
    let mut offsets: Vec<Option<usize>> = vec![Some(0)];
    for (sources, stride) in axes.iter().zip(&strides) {
        let step = |offset: Option<usize>, source: Option<usize>| Some(offset? + source? * stride);
        offsets = offsets.iter().flat_map(|&offset| sources.iter().map(move |&source| step(offset, source))).collect();
    }
    offsets.into_iter().map(|offset| offset.map_or(fill, |offset| data[offset])).collect()
}

/// The shape that all of `shapes` are broadcast to.
pub(crate) fn broadcast(shapes: &[&[usize]]) -> Result<Vec<usize>, String> {
    let rank = shapes.iter().map(|shape| shape.len()).max().unwrap_or(0);
    let mut out = vec![1_usize; rank];
    for shape in shapes {
        let (have, place) = (shape.iter(), out[rank - shape.len()..].iter_mut());
        for (&size, place) in have.zip(place) {
            match (*place, size) {
                (1, _) => *place = size,
                (_, 1) => {}
                (large, size) if large == size => {}
                _ => return Err(format!("shapes {shapes:?} do not go together")),
            }
        }
    }
    Ok(out)
}

/// Strides that walk a tensor of `shape` as if it had shape `wide`.
pub(crate) fn broadcast_strides(shape: &[usize], wide: &[usize]) -> Vec<usize> {
    let own = strides(shape);
    let mut out = vec![0; wide.len()];
    for (index, (&size, stride)) in shape.iter().zip(own).enumerate() {
        out[wide.len() - shape.len() + index] = if size == 1 { 0 } else { stride };
    }
    out
}
