//! What an operator is called with.

use std::collections::BTreeMap;

/// A dense tensor handed to or made by a host operator.
#[derive(Debug, Clone, PartialEq)]
pub struct HostTensor {
    /// Sizes, outermost first.
    pub shape: Vec<usize>,
    /// Values in row-major order; as many as the product of `shape`.
    pub data: Vec<f32>,
}

/// An operator attribute.
#[derive(Debug, Clone, PartialEq)]
pub enum Attribute {
    /// Integers (a scalar is a list of one).
    Ints(Vec<i64>),
    /// Floating-point numbers (a scalar is a list of one).
    Floats(Vec<f64>),
    /// Text.
    Text(String),
}

/// The attributes of one operator, by ONNX name.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Attributes(pub BTreeMap<String, Attribute>);

impl Attributes {
    /// The integers of attribute `name`, if it is there and is made of integers.
    #[must_use]
    pub fn ints(&self, name: &str) -> Option<&[i64]> {
        match self.0.get(name) {
            Some(Attribute::Ints(values)) => Some(values),
            _ => None,
        }
    }

    /// The only integer of attribute `name`.
    #[must_use]
    pub fn int(&self, name: &str) -> Option<i64> {
        self.ints(name).and_then(|values| values.first().copied())
    }

    /// The only number of attribute `name`.
    #[must_use]
    pub fn float(&self, name: &str) -> Option<f64> {
        match self.0.get(name) {
            Some(Attribute::Floats(values)) => values.first().copied(),
            #[expect(clippy::cast_precision_loss, reason = "an integer that stands for a real number is small")]
            Some(Attribute::Ints(values)) => values.first().map(|&value| value as f64),
            _ => None,
        }
    }

    /// The text of attribute `name`.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<&str> {
        match self.0.get(name) {
            Some(Attribute::Text(text)) => Some(text),
            _ => None,
        }
    }
}

/// One host operator call.
#[derive(Debug)]
pub struct Call<'a> {
    /// Operator type as the model spells it, for messages.
    pub kind: &'a str,
    /// The operator's attributes.
    pub attributes: &'a Attributes,
    /// The inputs by position, constants included; `None` for one that is left out or carries no data.
    pub inputs: &'a [Option<HostTensor>],
    /// The shapes that the model declares for the outputs.
    pub output_shapes: &'a [Vec<usize>],
    /// Whether the first input holds quantised numbers as they are stored, for an operator that
    /// [takes them](crate::HostOperator::takes_stored): the result then is what to store.
    pub stored: bool,
    /// Whether the first output holds integers, for casts whose target no attribute names.
    pub integer_output: bool,
}

impl Call<'_> {
    /// Input `index`, if it is given.
    pub(crate) fn optional(&self, index: usize) -> Option<&HostTensor> {
        self.inputs.get(index).and_then(Option::as_ref)
    }

    /// Input `index`, consistent in itself.
    pub(crate) fn input(&self, index: usize) -> Result<&HostTensor, String> {
        let input = self.optional(index).ok_or_else(|| format!("input {index} carries no data"))?;
        crate::shape::check_count(input.data.len(), &input.shape)?;
        Ok(input)
    }

    /// All inputs that are given.
    pub(crate) fn given(&self) -> Result<Vec<&HostTensor>, String> {
        (0..self.inputs.len()).filter(|&index| self.optional(index).is_some()).map(|index| self.input(index)).collect()
    }

    /// The shape of the first output.
    pub(crate) fn output_shape(&self) -> &[usize] {
        self.output_shapes.first().map_or(&[], Vec::as_slice)
    }

    /// Integers from the attribute of that name or else from input `index`: operators changed from one to the other.
    pub(crate) fn integers(&self, name: &str, index: usize) -> Option<Vec<i64>> {
        let from_input = || self.optional(index).map(|input| input.data.iter().map(|&value| integer(value)).collect());
        self.attributes.ints(name).map(<[i64]>::to_vec).or_else(from_input)
    }

    /// A text attribute or its default.
    pub(crate) fn text(&self, name: &str, default: &'static str) -> &str {
        self.attributes.text(name).unwrap_or(default)
    }
}

/// A result in single precision.
#[expect(clippy::cast_possible_truncation, reason = "rounding to f32 once is the contract")]
pub(crate) fn rounded(value: f64) -> f32 {
    value as f32
}

/// A number that stands for an index or a size.
#[expect(
    clippy::cast_possible_truncation,
    reason = "casts saturate, and limits such as the largest integer mean `all`"
)]
pub(crate) fn integer(value: f32) -> i64 {
    value as i64
}
