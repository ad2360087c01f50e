//! Operators that cut out, surround and stretch along axes.

use crate::Call;
use crate::shape::{Sources, axes, check_shape, picked};

/// One size as a signed number.
fn signed(size: usize) -> i64 {
    i64::try_from(size).unwrap_or(i64::MAX)
}

/// Ranges with steps. Starts, ends, axes and steps are inputs or, in old networks, attributes.
pub(crate) fn slice(call: &Call<'_>) -> Result<Vec<f32>, String> {
    let input = call.input(0)?;
    let starts = call.integers("starts", 1).ok_or("the starts are missing")?;
    let ends = call.integers("ends", 2).ok_or("the ends are missing")?;
    let rank = input.shape.len();
    let on = match call.integers("axes", 3) {
        Some(list) => axes(Some(&list), rank)?,
        None => (0..starts.len().min(rank)).collect(),
    };
    let steps = call.integers("steps", 4).unwrap_or_else(|| vec![1; starts.len()]);
    if [ends.len(), on.len(), steps.len()] != [starts.len(); 3] {
        return Err(format!("starts {starts:?}, ends {ends:?}, axes {on:?} and steps {steps:?} differ in number"));
    }
    let mut all: Vec<Sources> = input.shape.iter().map(|&size| (0..size).map(Some).collect()).collect();
    for (((start, end), &axis), &step) in starts.iter().zip(&ends).zip(&on).zip(&steps) {
        all[axis] = range(*start, *end, step, input.shape[axis])?;
    }
    let shape: Vec<usize> = all.iter().map(Vec::len).collect();
    check_shape(&shape, call.output_shape())?;
    Ok(picked(&input.data, &input.shape, &all, 0.0))
}

/// The places from `start` to before `end`; both count from the end where negative, and are moved inside.
fn range(start: i64, end: i64, step: i64, size: usize) -> Result<Sources, String> {
    let count = signed(size);
    let from_front = |at: i64| if at < 0 { at.saturating_add(count) } else { at };
    let (start, end) = (from_front(start), from_front(end));
    let (start, end) = match step {
        0 => return Err("a step of zero".to_owned()),
        1.. => (start.clamp(0, count), end.clamp(0, count)),
        _ => (start.clamp(-1, count - 1), end.clamp(-1, count - 1)),
    };
    let place = |&at: &i64| if step > 0 { at < end } else { at > end };
    let walk = std::iter::successors(Some(start), |at| at.checked_add(step)).take_while(place);
    Ok(walk.map(|at| usize::try_from(at).ok()).collect())
}

/// Surrounds a tensor. Sizes and value are inputs or, in old networks, attributes; negative sizes cut off.
pub(crate) fn pad(call: &Call<'_>) -> Result<Vec<f32>, String> {
    let input = call.input(0)?;
    let pads = call.integers("pads", 1).ok_or("the sizes are missing")?;
    let fill = match call.optional(2) {
        Some(value) => value.data.first().copied().unwrap_or(0.0),
        #[expect(clippy::cast_possible_truncation, reason = "the network holds single precision")]
        None => call.attributes.float("value").unwrap_or(0.0) as f32,
    };
    let on = axes(call.integers("axes", 3).as_deref(), input.shape.len())?;
    if pads.len() != 2 * on.len() {
        return Err(format!("pads {pads:?} are not two for each of {} dimensions", on.len()));
    }
    let mut before = vec![0; input.shape.len()];
    let mut sizes: Vec<i64> = input.shape.iter().map(|&size| signed(size)).collect();
    for (index, &axis) in on.iter().enumerate() {
        before[axis] = pads[index];
        sizes[axis] = sizes[axis].saturating_add(pads[index]).saturating_add(pads[on.len() + index]);
    }
    let shape: Vec<usize> = sizes.iter().map(|&size| usize::try_from(size).unwrap_or(0)).collect();
    check_shape(&shape, call.output_shape())?;
    let mode = call.text("mode", "constant");
    let axis = |axis: usize| {
        let source = |at: i64| outside(mode, at.saturating_sub(before[axis]), signed(input.shape[axis]));
        (0..sizes[axis].max(0)).map(source).collect::<Result<Sources, String>>()
    };
    let all = (0..shape.len()).map(axis).collect::<Result<Vec<_>, _>>()?;
    Ok(picked(&input.data, &input.shape, &all, fill))
}

/// What stands at place `at` of an axis of `size`, which may be outside of it.
fn outside(mode: &str, at: i64, size: i64) -> Result<Option<usize>, String> {
    let place = match mode {
        "constant" => return Ok((0..size).contains(&at).then_some(at).and_then(|at| usize::try_from(at).ok())),
        _ if size == 0 => return Err(format!("nothing to repeat in mode `{mode}`")),
        "edge" => at.clamp(0, size - 1),
        "wrap" => at.rem_euclid(size),
        // There and back without repeating the ends.
        "reflect" if size == 1 => 0,
        "reflect" => {
            let period = 2 * (size - 1);
            let at = at.rem_euclid(period);
            at.min(period - at)
        }
        other => return Err(format!("`mode` is `{other}`")),
    };
    Ok(usize::try_from(place).ok())
}

/// `exConvTransposePad`: what turns a transposed convolution into a plain one. Between the pixels come `strides` - 1 zeros,
/// around the map as many as the kernel reaches less the pads. Read off declared shapes: every one follows from that, and
/// the convolution behind it has strides of one and no pads.
pub(crate) fn transposed_convolution(call: &Call<'_>) -> Result<Vec<f32>, String> {
    let input = call.input(0)?;
    let (&[n, c, h, w], &[_, _, out_h, out_w]) = (&input.shape[..], call.output_shape()) else {
        return Err(format!("shapes {:?} and {:?} are not NCHW", input.shape, call.output_shape()));
    };
    let numbers = |name: &str, otherwise: i64, count: usize| match call.attributes.ints(name) {
        None => Ok(vec![otherwise; count]),
        Some(values) if values.len() == count && values.iter().all(|value| (0..1 << 20).contains(value)) => {
            Ok(values.to_vec())
        }
        Some(values) => Err(format!("`{name}` is {values:?}, expected {count} sizes")),
    };
    let kernel = numbers("kernel_shape", 1, 2)?;
    let (strides, dilations) = (numbers("strides", 1, 2)?, numbers("dilations", 1, 2)?);
    let pads = numbers("pads", 0, 4)?;
    if !matches!(call.text("auto_pad", "NOTSET"), "NOTSET" | "") || strides.contains(&0) {
        return Err(format!("`auto_pad` {:?} or strides {strides:?}", call.attributes.text("auto_pad")));
    }
    let axis = |axis: usize, size: usize, out: usize| {
        let front = (kernel[axis] - 1) * dilations[axis] - pads[axis];
        let behind = (kernel[axis] - 1) * dilations[axis] - pads[axis + 2];
        let stretched = (signed(size) - 1).saturating_mul(strides[axis]).saturating_add(1);
        // The output may be longer by a padding of its own.
        let least = stretched.saturating_add(front).saturating_add(behind);
        if size == 0 || !(least..least.saturating_add(strides[axis])).contains(&signed(out)) {
            return Err(format!("{size} pixels become {least} or a few more, not {out}"));
        }
        let source = |at: i64| {
            let place = (at - front) / strides[axis];
            let whole = at >= front && (at - front) % strides[axis] == 0 && place < signed(size);
            whole.then_some(place).and_then(|place| usize::try_from(place).ok())
        };
        Ok::<Sources, String>((0..signed(out)).map(source).collect())
    };
    let (rows, columns) = (axis(0, h, out_h)?, axis(1, w, out_w)?);
    check_shape(&[n, c, out_h, out_w], call.output_shape())?;
    let all = |count: usize| (0..count).map(Some).collect::<Sources>();
    Ok(picked(&input.data, &input.shape, &[all(n), all(c), rows, columns], 0.0))
}
