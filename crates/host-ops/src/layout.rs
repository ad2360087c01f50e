//! Operators that reorder elements.

use crate::Call;
use crate::shape::{check_count, check_shape, permuted};

/// The same values in the same order under the declared shape.
pub(crate) fn reshape(call: &Call<'_>) -> Result<Vec<f32>, String> {
    let input = call.input(0)?;
    check_count(input.data.len(), call.output_shape())?;
    Ok(input.data.clone())
}

/// Permutes dimensions by attribute `perm`; without it, reverses them (as ONNX does).
pub(crate) fn transpose(call: &Call<'_>) -> Result<Vec<f32>, String> {
    let input = call.input(0)?;
    let rank = input.shape.len();
    let permutation: Vec<usize> = match call.attributes.ints("perm") {
        Some(axes) => axes.iter().map(|&axis| usize::try_from(axis).unwrap_or(usize::MAX)).collect(),
        None => (0..rank).rev().collect(),
    };
    let mut sorted = permutation.clone();
    sorted.sort_unstable();
    if !sorted.iter().copied().eq(0..rank) {
        return Err(format!("`perm` {permutation:?} does not permute {rank} dimensions"));
    }
    let shape: Vec<usize> = permutation.iter().map(|&axis| input.shape[axis]).collect();
    if shape != call.output_shape() {
        return Err(format!("the result {shape:?} is not the declared output shape {:?}", call.output_shape()));
    }
    Ok(permuted(&input.data, &input.shape, &permutation))
}

/// Channels to blocks of pixels.
pub(crate) fn depth_to_space(call: &Call<'_>) -> Result<Vec<f32>, String> {
    let input = call.input(0)?;
    let (&[n, c, h, w], block) = (&input.shape[..], block_size(call)?) else {
        return Err(format!("input shape {:?} is not NCHW", input.shape));
    };
    let area = block.checked_mul(block).filter(|&area| c.is_multiple_of(area));
    let Some(area) = area else {
        return Err(format!("{c} channels are no multiple of a block of {block} x {block}"));
    };
    check_shape(&[n, c / area, h * block, w * block], call.output_shape())?;
    // In which order a pixel's channels count block row, block column and output channel.
    let (shape, permutation) = match call.text("mode", "DCR") {
        "DCR" => ([n, block, block, c / area, h, w], [0, 3, 4, 1, 5, 2]),
        "CRD" => ([n, c / area, block, block, h, w], [0, 1, 4, 2, 5, 3]),
        other => return Err(format!("`mode` is `{other}`, expected DCR or CRD")),
    };
    Ok(permuted(&input.data, &shape, &permutation))
}

/// Blocks of pixels to channels.
pub(crate) fn space_to_depth(call: &Call<'_>) -> Result<Vec<f32>, String> {
    let input = call.input(0)?;
    let (&[n, c, h, w], block) = (&input.shape[..], block_size(call)?) else {
        return Err(format!("input shape {:?} is not NCHW", input.shape));
    };
    if !h.is_multiple_of(block) || !w.is_multiple_of(block) {
        return Err(format!("a map of {h} x {w} is not made of blocks of {block} x {block}"));
    }
    let (rows, columns) = (h / block, w / block);
    let channels = c.saturating_mul(block).saturating_mul(block);
    check_shape(&[n, channels, rows, columns], call.output_shape())?;
    Ok(permuted(&input.data, &[n, c, rows, block, columns, block], &[0, 3, 5, 1, 2, 4]))
}

fn block_size(call: &Call<'_>) -> Result<usize, String> {
    let size = call.attributes.int("blocksize").and_then(|size| usize::try_from(size).ok());
    size.filter(|&size| size > 0).ok_or_else(|| "`blocksize` is missing or not positive".to_owned())
}
