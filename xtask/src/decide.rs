//! From a network's outputs to its decision, as `models/zoo/README.md` describes it.

use anyhow::{Result, anyhow, bail};
use serde_json::{Value, json};

/// A pixel with a greater probability is text.
const TEXT: f32 = 0.3;
/// Smaller regions are no box.
const MINIMUM_PIXELS: usize = 10;
/// Regions whose mean probability is less are no box.
const MINIMUM_MEAN: f64 = 0.5;

/// An output: name, shape, values.
pub(crate) type Output = (String, Vec<usize>, Vec<f32>);

/// The decision of a kind of network from its outputs, in the form of `decisions.json`.
pub(crate) fn decision(kind: &str, outputs: &[Output], characters: &[String]) -> Result<Value> {
    let softmax = outputs.iter().find(|(name, ..)| name.starts_with("softmax"));
    let (_, shape, values) = softmax.or(outputs.first()).ok_or_else(|| anyhow!("no output"))?;
    Ok(match kind {
        "text" => json!(text(shape, values, characters)),
        "boxes" => json!(boxes(shape, values)),
        "cells" => json!(cells(shape, values)),
        "angle" | "face" => json!(first_largest(values)),
        other => bail!("decisions of kind `{other}` are unknown"),
    })
}

/// Whether two decisions agree.
pub(crate) fn same(kind: &str, expected: &Value, got: &Value) -> bool {
    let lists = || Some((quads(expected)?, quads(got)?));
    match kind {
        "boxes" => lists().is_some_and(|(expected, got)| same_boxes(&expected, &got)),
        "cells" => lists().is_some_and(|(expected, got)| {
            let common = expected.iter().filter(|cell| got.contains(cell)).count();
            2 * common >= expected.len() + got.len() - common
        }),
        _ => expected == got,
    }
}

fn first_largest(values: &[f32]) -> usize {
    (0..values.len()).reduce(|best, next| if values[next] > values[best] { next } else { best }).unwrap_or(0)
}

fn text(shape: &[usize], values: &[f32], characters: &[String]) -> String {
    let classes = shape.last().copied().unwrap_or(1).max(1);
    let best: Vec<usize> = values.chunks_exact(classes).map(first_largest).collect();
    let kept = best.iter().enumerate().filter(|&(step, class)| step == 0 || best[step - 1] != *class);
    kept.filter(|(_, class)| **class > 0)
        .map(|(_, class)| characters.get(class - 1).map_or(" ", String::as_str))
        .collect()
}

/// `[left, top, right, bottom]` of the regions of text, ordered by top, left, bottom, right.
fn boxes(shape: &[usize], values: &[f32]) -> Vec<[usize; 4]> {
    let width = shape.last().copied().unwrap_or(1).max(1);
    let mut waiting: Vec<bool> = values.iter().map(|&value| value > TEXT).collect();
    let height = values.len() / width;
    let mut found = Vec::new();
    for start in 0..values.len() {
        if !std::mem::take(&mut waiting[start]) {
            continue;
        }
        let mut pixels = vec![start];
        let mut next = 0;
        while let Some(&pixel) = pixels.get(next) {
            next += 1;
            let (x, y) = (pixel % width, pixel / width);
            for ny in y.saturating_sub(1)..(y + 2).min(height) {
                for nx in x.saturating_sub(1)..(x + 2).min(width) {
                    if std::mem::take(&mut waiting[ny * width + nx]) {
                        pixels.push(ny * width + nx);
                    }
                }
            }
        }
        #[expect(clippy::cast_precision_loss, reason = "counts of pixels")]
        let mean = pixels.iter().map(|&pixel| f64::from(values[pixel])).sum::<f64>() / pixels.len() as f64;
        if pixels.len() >= MINIMUM_PIXELS && mean >= MINIMUM_MEAN {
            let columns = pixels.iter().map(|pixel| pixel % width);
            let rows = pixels.iter().map(|pixel| pixel / width);
            let bounds = |low: Option<usize>, high: Option<usize>| (low.unwrap_or(0), high.unwrap_or(0) + 1);
            let (left, right) = bounds(columns.clone().min(), columns.max());
            let (top, bottom) = bounds(rows.clone().min(), rows.max());
            found.push([left, top, right, bottom]);
        }
    }
    found.sort_by_key(|&[left, top, right, bottom]| (top, left, bottom, right));
    found
}

/// `[column, row]` where the second of a pair is the larger, of `[1, columns, rows, 2]`.
fn cells(shape: &[usize], values: &[f32]) -> Vec<[usize; 2]> {
    let rows = shape.get(2).copied().unwrap_or(1).max(1);
    let pairs = values.as_chunks::<2>().0.iter().enumerate();
    pairs.filter(|(_, [no, yes])| yes > no).map(|(index, _)| [index / rows, index % rows]).collect()
}

/// A list of lists of numbers.
fn quads(value: &Value) -> Option<Vec<Vec<u64>>> {
    let list = |item: &Value| item.as_array()?.iter().map(Value::as_u64).collect();
    value.as_array()?.iter().map(list).collect()
}

fn same_boxes(expected: &[Vec<u64>], got: &[Vec<u64>]) -> bool {
    let matches = |a: &Vec<u64>| got.iter().filter(|b| overlap(a, b)).count() == 1;
    expected.len() == got.len() && expected.iter().all(matches)
}

/// Whether half of what two boxes cover together is common to both.
fn overlap(a: &[u64], b: &[u64]) -> bool {
    let (&[al, at, ar, ab], &[bl, bt, br, bb]) = (a, b) else { return false };
    let common = ar.min(br).saturating_sub(al.max(bl)) * ab.min(bb).saturating_sub(at.max(bt));
    let together = (ar - al) * (ab - at) + (br - bl) * (bb - bt) - common;
    2 * common >= together
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regions_touch_at_corners_and_must_be_large_and_sure() {
        // 12 pixels on a diagonal staircase, and a lone pixel.
        let mut values = vec![0.0; 16 * 8];
        for step in 0..6 {
            values[step * 16 + step] = 0.9;
            values[step * 16 + step + 1] = 0.6;
        }
        values[7 * 16 + 15] = 1.0;
        assert_eq!(boxes(&[1, 1, 8, 16], &values), [[0, 0, 7, 6]]);
        values.iter_mut().for_each(|value| *value *= 0.6);
        assert!(boxes(&[1, 1, 8, 16], &values).is_empty());
    }

    #[test]
    fn agreement() {
        assert!(same("boxes", &json!([[0, 0, 10, 10]]), &json!([[0, 0, 10, 6]])));
        assert!(!same("boxes", &json!([[0, 0, 10, 10]]), &json!([[0, 0, 10, 4]])));
        assert!(!same("boxes", &json!([]), &json!([[0, 0, 1, 1]])));
        assert!(same("cells", &json!([]), &json!([])) && !same("cells", &json!([[1, 2]]), &json!([])));
        assert!(same("text", &json!("a"), &json!("a")) && !same("angle", &json!(0), &json!(1)));
    }

    #[test]
    fn cells_are_ordered_by_column() {
        assert_eq!(cells(&[1, 2, 2, 2], &[0.0, 1.0, 1.0, 0.0, 0.5, 0.5, 0.0, 0.1]), [[0, 0], [1, 1]]);
    }

    #[test]
    fn repeats_merge() {
        let one_hot = |classes: &[usize]| -> Vec<f32> {
            classes.iter().flat_map(|&class| (0..4).map(move |c| f32::from(u8::from(c == class)))).collect()
        };
        let characters = ["a", "b"].map(str::to_owned);
        assert_eq!(text(&[1, 6, 4], &one_hot(&[1, 1, 0, 1, 3, 2]), &characters), "aa b");
    }
}
