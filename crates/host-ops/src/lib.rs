//! Operators that run on the host.
//!
//! A compiled `.rknn` model names a target for every operator. Those it gives to the CPU are few (most operators become
//! register programs); this crate evaluates them. It is never a fallback: nothing here runs because a register program
//! failed.
//!
//! Every operator computes in `f64` from `f32` inputs and rounds once. Tensors are dense, row-major and in the logical
//! (ONNX) order of dimensions; the caller converts from and to device layouts.
//!
//! [`lookup`] finds an operator by the name that the model uses. Adding one is adding a row to its table.

mod elementwise;
mod movement;
mod pool;

use std::collections::BTreeMap;

/// What went wrong in a host operator.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// No implementation of this operator.
    #[error("the model assigns operator `{kind}` to the host CPU, and Ferrite has no implementation of it")]
    Unsupported {
        /// Operator type as the model spells it.
        kind: String,
    },
    /// The operator exists but not with these attributes or shapes.
    #[error("host operator `{kind}`: {reason}")]
    Invalid {
        /// Operator type.
        kind: &'static str,
        /// What does not fit, in words.
        reason: String,
    },
}

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
}

/// One host operator call.
#[derive(Debug)]
pub struct Call<'a> {
    /// The operator's attributes.
    pub attributes: &'a Attributes,
    /// Data inputs; constants that only describe shapes may be left out.
    pub inputs: &'a [HostTensor],
    /// The shape that the model declares for the output.
    pub output_shape: &'a [usize],
}

/// A host operator: one call makes one output of the declared shape.
pub type HostOperator = fn(&Call<'_>) -> Result<HostTensor, Error>;

/// The operator that `kind` names.
///
/// # Errors
/// [`Error::Unsupported`] when there is none.
pub fn lookup(kind: &str) -> Result<HostOperator, Error> {
    OPERATORS
        .iter()
        .find(|(name, _)| *name == kind)
        .map(|(_, operator)| *operator)
        .ok_or_else(|| Error::Unsupported { kind: kind.to_owned() })
}

/// Names of all operators in the table, for help texts.
pub fn names() -> impl Iterator<Item = &'static str> {
    OPERATORS.iter().map(|(name, _)| *name)
}

#[rustfmt::skip] // one operator a line
const OPERATORS: &[(&str, HostOperator)] = &[
    ("Abs",         elementwise::abs),
    ("AveragePool", pool::average),
    ("Ceil",        elementwise::ceil),
    ("Cos",         elementwise::cos),
    ("Erf",         elementwise::erf),
    ("Exp",         elementwise::exp),
    ("Flatten",     movement::reshape),
    ("Floor",       elementwise::floor),
    ("Identity",    movement::reshape),
    ("Log",         elementwise::log),
    ("Mish",        elementwise::mish),
    ("Neg",         elementwise::neg),
    ("Reciprocal",  elementwise::reciprocal),
    ("Reshape",     movement::reshape),
    ("Round",       elementwise::round),
    ("Sin",         elementwise::sin),
    ("Sqrt",        elementwise::sqrt),
    ("Squeeze",     movement::reshape),
    ("Transpose",   movement::transpose),
    ("Unsqueeze",   movement::reshape),
];

/// The only input of a call.
fn single<'a>(kind: &'static str, call: &'a Call<'_>) -> Result<&'a HostTensor, Error> {
    match call.inputs {
        [input, ..] => Ok(input),
        [] => Err(Error::Invalid { kind, reason: "it has no data input".to_owned() }),
    }
}

/// An element-count mismatch between what a call computes and what the model declares.
fn check_count(kind: &'static str, have: usize, shape: &[usize]) -> Result<(), Error> {
    let want = shape.iter().try_fold(1_usize, |product, &size| product.checked_mul(size));
    if want == Some(have) {
        return Ok(());
    }
    Err(Error::Invalid { kind, reason: format!("{have} elements do not fill the declared output shape {shape:?}") })
}

#[cfg(test)]
mod tests;
