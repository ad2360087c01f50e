//! Pooling that the NPU cannot do: averages that leave padding out of the count.

use crate::{Call, Error, HostTensor, check_count, single};

const KIND: &str = "AveragePool";

/// Two-dimensional average pooling over NCHW, attributes as in ONNX (`kernel_shape`, `strides`, `pads`,
/// `count_include_pad`).
pub(crate) fn average(call: &Call<'_>) -> Result<HostTensor, Error> {
    let input = single(KIND, call)?;
    let invalid = |reason: String| Error::Invalid { kind: KIND, reason };
    let (&[n, c, h, w], &[out_n, out_c, out_h, out_w]) = (&input.shape[..], call.output_shape) else {
        return Err(invalid(format!("input shape {:?} is not NCHW", input.shape)));
    };
    if (out_n, out_c) != (n, c) {
        return Err(invalid(format!("output shape {:?} does not match input {:?}", call.output_shape, input.shape)));
    }
    check_count(KIND, input.data.len(), &input.shape)?;
    let kernel = sizes(call, "kernel_shape", 2)?.ok_or_else(|| invalid("`kernel_shape` is missing".to_owned()))?;
    let strides = sizes(call, "strides", 2)?.unwrap_or_else(|| vec![1, 1]);
    let pads = sizes(call, "pads", 4)?.unwrap_or_else(|| vec![0; 4]);
    let include_pad = call.attributes.ints("count_include_pad").is_some_and(|v| v.first() == Some(&1));
    let (kernel_h, kernel_w) = (kernel[0], kernel[1]);
    let fits = |out: usize, stride: usize, pad: usize, size: usize| {
        out == 0 || (out - 1).checked_mul(stride).is_some_and(|start| start < size.saturating_add(pad))
    };
    if kernel_h == 0 || kernel_w == 0 || !fits(out_h, strides[0], pads[0], h) || !fits(out_w, strides[1], pads[1], w) {
        return Err(invalid(format!("kernel {kernel:?}, strides {strides:?} and pads {pads:?} do not fit the shapes")));
    }

    // The window of output `o` along one axis: first and one-past-last input index that exist.
    let window = |o: usize, stride: usize, pad: usize, kernel: usize, size: usize| {
        let start = o * stride;
        (start.saturating_sub(pad).min(size), start.saturating_add(kernel).saturating_sub(pad).min(size))
    };
    let mut data = Vec::with_capacity(n * c * out_h * out_w);
    for plane in input.data.chunks_exact((h * w).max(1)) {
        for oy in 0..out_h {
            let (y0, y1) = window(oy, strides[0], pads[0], kernel_h, h);
            for ox in 0..out_w {
                let (x0, x1) = window(ox, strides[1], pads[1], kernel_w, w);
                let sum: f64 = (y0..y1).flat_map(|y| &plane[y * w + x0..y * w + x1]).map(|&v| f64::from(v)).sum();
                let count = if include_pad { kernel_h * kernel_w } else { (y1 - y0) * (x1 - x0) };
                #[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "counts are small")]
                data.push((sum / count.max(1) as f64) as f32);
            }
        }
    }
    check_count(KIND, data.len(), call.output_shape)?;
    Ok(HostTensor { shape: call.output_shape.to_vec(), data })
}

/// Attribute `name` as `count` non-negative sizes.
fn sizes(call: &Call<'_>, name: &str, count: usize) -> Result<Option<Vec<usize>>, Error> {
    let Some(values) = call.attributes.ints(name) else { return Ok(None) };
    let sizes: Option<Vec<usize>> = values.iter().map(|&v| usize::try_from(v).ok()).collect();
    match sizes {
        Some(sizes) if sizes.len() == count => Ok(Some(sizes)),
        _ => Err(Error::Invalid { kind: KIND, reason: format!("`{name}` is {values:?}, expected {count} sizes") }),
    }
}
