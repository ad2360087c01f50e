//! The largest values of an output and the classes they stand for.

use std::path::Path;

use ferrite_rknn_runtime::Tensor;
use serde_json::{Value, json};

use super::statistics::coordinates;
use crate::failure::Failure;
use crate::source;

/// Reads names, one a line.
pub(crate) fn read_lines(path: &Path, what: &str) -> Result<Vec<String>, Failure> {
    let bytes = source::read(path, what)?;
    let text = String::from_utf8(bytes)
        .map_err(|error| Failure::input(format!("{what} `{}` is not UTF-8 text", path.display())).because(&error))?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    // Lines may be white space themselves, so nothing but the line's end is cut off.
    Ok(text.split_terminator('\n').map(|line| line.strip_suffix('\r').unwrap_or(line).to_string()).collect())
}

/// One of the largest values.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Hit {
    pub(crate) value: f32,
    /// Place along the only dimension that is not 1; `None` for tensors with several.
    pub(crate) class: Option<usize>,
    pub(crate) at: Vec<usize>,
    pub(crate) label: Option<String>,
}

/// The `count` largest values, largest first, the first of equals first; NaN is never among them.
pub(crate) fn largest(values: &Tensor, count: usize, labels: Option<&[String]>) -> Vec<Hit> {
    let numbers = values.to_f32();
    let mut order: Vec<usize> = (0..numbers.len()).filter(|&at| !numbers[at].is_nan()).collect();
    let by_value = |&a: &usize, &b: &usize| numbers[b].total_cmp(&numbers[a]).then(a.cmp(&b));
    if count < order.len() {
        order.select_nth_unstable_by(count, by_value);
        order.truncate(count);
    }
    order.sort_unstable_by(by_value);
    let vector = values.shape().iter().filter(|&&size| size != 1).count() <= 1;
    let hit = |at: usize| Hit {
        value: numbers[at],
        class: vector.then_some(at),
        at: coordinates(at, values.shape()),
        label: labels.filter(|_| vector).and_then(|labels| labels.get(at).cloned()),
    };
    order.into_iter().map(hit).collect()
}

impl Hit {
    pub(crate) fn line(&self) -> String {
        let place = self.class.map_or_else(|| format!("{:?}", self.at), |class| class.to_string());
        format!("{} {place}{}", self.value, self.label.as_ref().map(|label| format!(" {label}")).unwrap_or_default())
    }

    pub(crate) fn document(&self) -> Value {
        json!({ "value": self.value, "class": self.class, "at": self.at, "label": self.label })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_come_first_with_their_labels() {
        let tensor = Tensor::from_f32(vec![1, 5, 1, 1], &[0.1, 0.9, f32::NAN, 0.9, -1.0]).unwrap();
        let labels = ["a", "b", "c"].map(String::from);
        let hits = largest(&tensor, 3, Some(&labels));
        let seen: Vec<_> = hits.iter().map(|hit| (hit.class, hit.label.as_deref())).collect();
        assert_eq!(seen, [(Some(1), Some("b")), (Some(3), None), (Some(0), Some("a"))]);
        assert_eq!(hits[0].line(), "0.9 1 b");
        assert_eq!(largest(&tensor, 99, None).len(), 4);
    }

    #[test]
    fn places_in_a_matrix_are_coordinates() {
        let tensor = Tensor::from_f32(vec![2, 2], &[0.0, 1.0, 5.0, 2.0]).unwrap();
        assert_eq!(largest(&tensor, 1, None)[0].line(), "5 [1, 0]");
    }
}
