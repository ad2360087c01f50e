//! Operators that move data and compute nothing.

use crate::{Call, Error, HostTensor, check_count, single};

/// The same values in the same order under the declared shape.
pub(crate) fn reshape(call: &Call<'_>) -> Result<HostTensor, Error> {
    let input = single("Reshape", call)?;
    check_count("Reshape", input.data.len(), call.output_shape)?;
    Ok(HostTensor { shape: call.output_shape.to_vec(), data: input.data.clone() })
}

/// Permutes dimensions by attribute `perm`; without it, reverses them (as ONNX does).
pub(crate) fn transpose(call: &Call<'_>) -> Result<HostTensor, Error> {
    const KIND: &str = "Transpose";
    let input = single(KIND, call)?;
    let rank = input.shape.len();
    let permutation: Vec<usize> = match call.attributes.ints("perm") {
        Some(axes) => axes.iter().map(|&axis| usize::try_from(axis).unwrap_or(usize::MAX)).collect(),
        None => (0..rank).rev().collect(),
    };
    let mut sorted = permutation.clone();
    sorted.sort_unstable();
    if !sorted.iter().copied().eq(0..rank) {
        let reason = format!("`perm` {permutation:?} does not permute {rank} dimensions");
        return Err(Error::Invalid { kind: KIND, reason });
    }
    let shape: Vec<usize> = permutation.iter().map(|&axis| input.shape[axis]).collect();
    if shape != call.output_shape {
        let reason = format!("the result {shape:?} is not the declared output shape {:?}", call.output_shape);
        return Err(Error::Invalid { kind: KIND, reason });
    }
    check_count(KIND, input.data.len(), &shape)?;

    let mut strides = vec![1_usize; rank];
    for axis in (1..rank).rev() {
        strides[axis - 1] = strides[axis] * input.shape[axis];
    }
    let strides: Vec<usize> = permutation.iter().map(|&axis| strides[axis]).collect();
    let mut index = vec![0_usize; rank];
    let mut data = Vec::with_capacity(input.data.len());
    for _ in 0..input.data.len() {
        data.push(input.data[index.iter().zip(&strides).map(|(i, stride)| i * stride).sum::<usize>()]);
        for axis in (0..rank).rev() {
            index[axis] += 1;
            if index[axis] < shape[axis] {
                break;
            }
            index[axis] = 0;
        }
    }
    Ok(HostTensor { shape, data })
}
