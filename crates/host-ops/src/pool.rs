//! Pooling that the NPU cannot do: averages that leave padding out of the count.

use crate::Call;

/// Two-dimensional average pooling over NCHW, attributes as in ONNX (`kernel_shape`, `strides`, `pads`,
/// `count_include_pad`).
pub(crate) fn average(call: &Call<'_>) -> Result<Vec<f32>, String> {
    let input = call.input(0)?;
    let (&[n, c, h, w], &[out_n, out_c, out_h, out_w]) = (&input.shape[..], call.output_shape()) else {
        return Err(format!("input shape {:?} is not NCHW", input.shape));
    };
    if (out_n, out_c) != (n, c) {
        return Err(format!("output shape {:?} does not match input {:?}", call.output_shape(), input.shape));
    }
    let kernel = sizes(call, "kernel_shape", 2)?.ok_or("`kernel_shape` is missing")?;
    let strides = sizes(call, "strides", 2)?.unwrap_or_else(|| vec![1, 1]);
    let pads = sizes(call, "pads", 4)?.unwrap_or_else(|| vec![0; 4]);
    let plain = matches!(call.text("auto_pad", "NOTSET"), "NOTSET" | "");
    if !plain || call.attributes.ints("dilations").is_some_and(|list| list.iter().any(|&step| step != 1)) {
        return Err("`auto_pad` and `dilations` are not implemented".to_owned());
    }
    let include_pad = call.attributes.ints("count_include_pad").is_some_and(|v| v.first() == Some(&1));
    let (kernel_h, kernel_w) = (kernel[0], kernel[1]);
    let fits = |out: usize, stride: usize, pad: usize, size: usize| {
        out == 0 || (out - 1).checked_mul(stride).is_some_and(|start| start < size.saturating_add(pad))
    };
    if kernel_h == 0 || kernel_w == 0 || !fits(out_h, strides[0], pads[0], h) || !fits(out_w, strides[1], pads[1], w) {
        return Err(format!("kernel {kernel:?}, strides {strides:?} and pads {pads:?} do not fit the shapes"));
    }

    // The window of output `o` along one axis: first and one-past-last input index that exist.
    let window = |o: usize, stride: usize, pad: usize, kernel: usize, size: usize| {
        let start = o * stride;
        (start.saturating_sub(pad).min(size), start.saturating_add(kernel).saturating_sub(pad).min(size))
    };
    // Its length with padding; a last window may reach beyond that.
    let padded = |o: usize, stride: usize, kernel: usize, size: usize| kernel.min(size.saturating_sub(o * stride));
    let mut data = Vec::with_capacity(n * c * out_h * out_w);
    for plane in input.data.chunks_exact((h * w).max(1)) {
        for oy in 0..out_h {
            let (y0, y1) = window(oy, strides[0], pads[0], kernel_h, h);
            for ox in 0..out_w {
                let (x0, x1) = window(ox, strides[1], pads[1], kernel_w, w);
                let sum: f64 = (y0..y1).flat_map(|y| &plane[y * w + x0..y * w + x1]).map(|&v| f64::from(v)).sum();
                let count = if include_pad {
                    padded(oy, strides[0], kernel_h, h + pads[0] + pads[2])
                        * padded(ox, strides[1], kernel_w, w + pads[1] + pads[3])
                } else {
                    (y1 - y0) * (x1 - x0)
                };
                #[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "counts are small")]
                let average = (sum / count.max(1) as f64) as f32;
                // Ties to even: so are all 624 stored numbers that the vendor's runtime makes of 15 x 11 pixels.
                data.push(if call.stored { average.round_ties_even() } else { average });
            }
        }
    }
    Ok(data)
}

/// Attribute `name` as `count` non-negative sizes.
fn sizes(call: &Call<'_>, name: &str, count: usize) -> Result<Option<Vec<usize>>, String> {
    let Some(values) = call.attributes.ints(name) else { return Ok(None) };
    let sizes: Option<Vec<usize>> = values.iter().map(|&v| usize::try_from(v).ok()).collect();
    match sizes {
        Some(sizes) if sizes.len() == count => Ok(Some(sizes)),
        _ => Err(format!("`{name}` is {values:?}, expected {count} sizes")),
    }
}
