//! What one looks at first in a tensor.

use ferrite_rknn_runtime::{ElementType, Tensor};
use serde_json::{Value, json};

/// How many of the first values are shown.
const FIRST: usize = 6;

/// A value and its place.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Extreme {
    pub(crate) value: f32,
    pub(crate) at: Vec<usize>,
}

/// Statistics of one tensor. NaN and infinities are counted and otherwise left out.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Statistics {
    pub(crate) min: Option<Extreme>,
    pub(crate) max: Option<Extreme>,
    pub(crate) mean: f64,
    /// Standard deviation of the population.
    pub(crate) std: f64,
    pub(crate) nan: usize,
    pub(crate) infinite: usize,
    /// Stored values at either end of a type that saturates: 8- and 16-bit integers and float16.
    pub(crate) saturated: usize,
    pub(crate) first: Vec<f32>,
}

impl Statistics {
    /// Statistics of `values`, which are `raw` without its quantisation.
    pub(crate) fn of(values: &Tensor, raw: &Tensor) -> Self {
        let numbers = values.to_f32();
        let finite = || numbers.iter().enumerate().filter(|(_, value)| value.is_finite());
        let count = finite().count().max(1) as f64;
        let mean = finite().map(|(_, &value)| f64::from(value)).sum::<f64>() / count;
        let variance = finite().map(|(_, &value)| (f64::from(value) - mean).powi(2)).sum::<f64>() / count;
        let extreme = |(at, &value): (usize, &f32)| Extreme { value, at: coordinates(at, values.shape()) };
        // The first of equals, as NumPy's argmin and argmax.
        let min = finite().reduce(|best, next| if next.1 < best.1 { next } else { best });
        let max = finite().reduce(|best, next| if next.1 > best.1 { next } else { best });
        Self {
            min: min.map(extreme),
            max: max.map(extreme),
            mean,
            std: variance.sqrt(),
            nan: numbers.iter().filter(|value| value.is_nan()).count(),
            infinite: numbers.iter().filter(|value| value.is_infinite()).count(),
            saturated: saturated(raw),
            first: numbers.into_iter().take(FIRST).collect(),
        }
    }

    /// Lines for people.
    pub(crate) fn lines(&self) -> Vec<String> {
        let extreme = |name: &str, extreme: &Option<Extreme>| match extreme {
            Some(Extreme { value, at }) => format!("{name} {value} at {at:?}"),
            None => format!("{name} -"),
        };
        let first = self.first.iter().map(f32::to_string).collect::<Vec<_>>().join(" ");
        vec![
            format!("{}, {}", extreme("min", &self.min), extreme("max", &self.max)),
            format!("mean {:.6}, std {:.6}", self.mean, self.std),
            format!("NaN {}, infinite {}, saturated {}", self.nan, self.infinite, self.saturated),
            format!("first {first}"),
        ]
    }

    pub(crate) fn document(&self) -> Value {
        let extreme = |extreme: &Option<Extreme>| extreme.as_ref().map(|e| json!({ "value": e.value, "at": e.at }));
        json!({
            "min": extreme(&self.min),
            "max": extreme(&self.max),
            "mean": self.mean,
            "std": self.std,
            "nan": self.nan,
            "infinite": self.infinite,
            "saturated": self.saturated,
            "first": self.first,
        })
    }
}

/// The place of a flat index in a row-major shape.
pub(crate) fn coordinates(mut index: usize, shape: &[usize]) -> Vec<usize> {
    let mut at: Vec<usize> = shape
        .iter()
        .rev()
        .map(|&size| {
            let here = index % size.max(1);
            index /= size.max(1);
            here
        })
        .collect();
    at.reverse();
    at
}

fn saturated(raw: &Tensor) -> usize {
    // All ends are exact in f32.
    let (low, high) = match raw.element() {
        ElementType::I8 => (f32::from(i8::MIN), f32::from(i8::MAX)),
        ElementType::U8 => (0.0, f32::from(u8::MAX)),
        ElementType::I16 => (f32::from(i16::MIN), f32::from(i16::MAX)),
        ElementType::U16 => (0.0, f32::from(u16::MAX)),
        ElementType::F16 => (half::f16::MIN.to_f32(), half::f16::MAX.to_f32()),
        _ => return 0,
    };
    raw.to_f32().into_iter().filter(|&value| value == low || value == high).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_counts_and_moments() {
        let values = [1.0, -3.0, f32::NAN, 7.0, f32::INFINITY, 7.0];
        let tensor = Tensor::from_f32(vec![1, 2, 3], &values).unwrap();
        let statistics = Statistics::of(&tensor, &tensor);
        assert_eq!(statistics.min, Some(Extreme { value: -3.0, at: vec![0, 0, 1] }));
        assert_eq!(statistics.max, Some(Extreme { value: 7.0, at: vec![0, 1, 0] }));
        assert_eq!((statistics.nan, statistics.infinite, statistics.mean), (1, 1, 3.0));
        assert_eq!(statistics.std, 18.0_f64.sqrt());
    }

    #[test]
    fn saturation_is_counted_in_the_stored_type() {
        let raw = Tensor::new(ElementType::I8, vec![4], vec![0x80, 0x7f, 0, 1]).unwrap();
        assert_eq!(saturated(&raw), 2);
        let raw = Tensor::new(ElementType::F16, vec![3], vec![0xff, 0x7b, 0xff, 0xfb, 0, 0x7c]).unwrap();
        assert_eq!(saturated(&raw), 2, "the two ends, but not infinity");
    }

    #[test]
    fn empty_tensors_have_statistics() {
        let tensor = Tensor::from_f32(vec![0], &[]).unwrap();
        assert_eq!(Statistics::of(&tensor, &tensor).lines()[0], "min -, max -");
    }
}
