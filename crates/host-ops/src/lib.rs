//! Operators that run on the host.
//!
//! A compiled `.rknn` model names a target for every operator. Those it gives to the CPU are few (most operators become
//! register programs); this crate evaluates them. It is never a fallback: nothing here runs because a register program
//! failed.
//!
//! Every operator computes in `f64` from `f32` inputs and rounds once. Tensors are dense, row-major and in the logical
//! (ONNX) order of dimensions; the caller converts from and to device layouts, and dequantises and quantises.
//!
//! [`lookup`] finds an operator by the name that the model uses. Adding one is adding a row to its table. What operators
//! mean is ONNX's definition (opset 19), unless the name begins with `ex`: those are the compiler's own.

mod call;
mod combine;
mod elementwise;
mod gather;
mod layout;
mod loss;
mod normalise;
mod pool;
mod reduce;
mod resize;
mod scatter;
mod shape;
mod softmax;
mod window;

pub use call::{Attribute, Attributes, Call, HostTensor};

/// What went wrong in a host operator.
#[derive(Debug, Clone, thiserror::Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// No implementation of this operator.
    #[error("the model assigns operator `{kind}` to the host CPU, and Ferrite has no implementation of it")]
    Unsupported {
        /// Operator type as the model spells it.
        kind: String,
    },
    /// The operator exists but not with these attributes, inputs or shapes.
    #[error("host operator `{kind}`: {reason}")]
    Invalid {
        /// Operator type.
        kind: String,
        /// What does not fit, in words.
        reason: String,
    },
}

/// A host operator: one call makes every output, in the shapes that the model declares.
#[derive(Debug, Clone, Copy)]
pub struct HostOperator {
    make: Make,
}

type One = fn(&Call<'_>) -> Result<Vec<f32>, String>;
type Several = fn(&Call<'_>) -> Result<Vec<Vec<f32>>, String>;

/// Implementations give values; shapes are the model's. What they complain about becomes [`Error::Invalid`].
#[derive(Debug, Clone, Copy)]
enum Make {
    One(One),
    Several(Several),
    /// Averages, which are as good in stored numbers as in real ones, and rounded to stored ones where these are given.
    Average(One),
    /// The elements of the first input as they are, in another shape.
    Same,
}

impl HostOperator {
    /// Whether the result is the elements of the first input, in their order: such an operator need not look at them.
    pub const fn keeps_elements(&self) -> bool {
        matches!(self.make, Make::Same)
    }

    /// Whether the operator can compute from quantised numbers as they are stored, where input and output store numbers alike:
    /// so the vendor's runtime does, and rounds each operator in its own way. Padding that counts is a real zero, not a stored
    /// one.
    #[must_use]
    pub fn takes_stored(&self, attributes: &Attributes) -> bool {
        matches!(self.make, Make::Average(_)) && attributes.int("count_include_pad") != Some(1)
    }

    /// Evaluates the operator.
    ///
    /// # Errors
    /// [`Error::Invalid`] when attributes, inputs and declared shapes do not go together.
    pub fn run(&self, call: &Call<'_>) -> Result<Vec<HostTensor>, Error> {
        let invalid = |reason: String| Error::Invalid { kind: call.kind.to_owned(), reason };
        let made = match self.make {
            Make::One(make) | Make::Average(make) => make(call).map(|values| vec![values]),
            Make::Several(make) => make(call),
            Make::Same => layout::reshape(call).map(|values| vec![values]),
        };
        let made = made.map_err(invalid)?;
        if made.len() != call.output_shapes.len() {
            let reason = format!("it makes {} results, the model declares {}", made.len(), call.output_shapes.len());
            return Err(invalid(reason));
        }
        let pairs = made.into_iter().zip(call.output_shapes);
        let outputs = pairs.map(|(data, shape)| {
            shape::check_count(data.len(), shape)?;
            Ok(HostTensor { shape: shape.clone(), data })
        });
        outputs.collect::<Result<_, String>>().map_err(invalid)
    }
}

/// The operator that `kind` names.
///
/// # Errors
/// [`Error::Unsupported`] when there is none.
pub fn lookup(kind: &str) -> Result<HostOperator, Error> {
    OPERATORS
        .iter()
        .find(|(name, _)| *name == kind)
        .map(|(_, make)| HostOperator { make: *make })
        .ok_or_else(|| Error::Unsupported { kind: kind.to_owned() })
}

/// Names of all operators in the table, for help texts.
pub fn names() -> impl Iterator<Item = &'static str> {
    OPERATORS.iter().map(|(name, _)| *name)
}

use Make::{Average as average, One as one, Same as same, Several as several};

#[rustfmt::skip] // one operator a line
const OPERATORS: &[(&str, Make)] = &[
    ("Abs",                       one(elementwise::abs)),
    ("Acos",                      one(elementwise::acos)),
    ("Acosh",                     one(elementwise::acosh)),
    ("Add",                       one(combine::add)),
    ("And",                       one(combine::and)),
    ("ArgMax",                    one(reduce::arg_max)),
    ("ArgMin",                    one(reduce::arg_min)),
    ("Asin",                      one(elementwise::asin)),
    ("Asinh",                     one(elementwise::asinh)),
    ("Atan",                      one(elementwise::atan)),
    ("Atanh",                     one(elementwise::atanh)),
    ("AveragePool",               average(pool::average)),
    ("Cast",                      one(elementwise::cast)),
    ("CastLike",                  one(elementwise::cast_like)),
    ("Ceil",                      one(elementwise::ceil)),
    ("Celu",                      one(elementwise::celu)),
    ("Clip",                      one(combine::clip)),
    ("Compress",                  one(scatter::compress)),
    ("Concat",                    one(gather::concat)),
    ("Cos",                       one(elementwise::cos)),
    ("Cosh",                      one(elementwise::cosh)),
    ("DepthToSpace",              one(layout::depth_to_space)),
    ("Div",                       one(combine::divide)),
    ("Elu",                       one(elementwise::elu)),
    ("Equal",                     one(combine::equal)),
    ("Erf",                       one(elementwise::erf)),
    ("Exp",                       one(elementwise::exp)),
    ("Expand",                    one(gather::expand)),
    ("Flatten",                   same),
    ("Floor",                     one(elementwise::floor)),
    ("Gather",                    one(gather::gather)),
    ("GatherElements",            one(scatter::gather_elements)),
    ("GatherND",                  one(scatter::gather_nd)),
    ("Greater",                   one(combine::greater)),
    ("GreaterOrEqual",            one(combine::greater_or_equal)),
    ("HardSigmoid",               one(elementwise::hard_sigmoid)),
    ("HardSwish",                 one(elementwise::hard_swish)),
    ("Hardmax",                   one(softmax::hardmax)),
    ("Identity",                  same),
    ("InstanceNormalization",     one(normalise::instance)),
    ("IsInf",                     one(elementwise::is_inf)),
    ("IsNaN",                     one(elementwise::is_nan)),
    ("LRN",                       one(normalise::local_response)),
    ("LayerNormalization",        several(normalise::layer)),
    ("LeakyRelu",                 one(elementwise::leaky_relu)),
    ("Less",                      one(combine::less)),
    ("LessOrEqual",               one(combine::less_or_equal)),
    ("Log",                       one(elementwise::log)),
    ("LogSoftmax",                one(softmax::log_softmax)),
    ("LpNormalization",           one(normalise::by_norm)),
    ("Max",                       one(combine::max)),
    ("Mean",                      one(combine::mean)),
    ("MeanVarianceNormalization", one(normalise::mean_variance)),
    ("Min",                       one(combine::min)),
    ("Mish",                      one(elementwise::mish)),
    ("Mod",                       one(combine::modulo)),
    ("Mul",                       one(combine::multiply)),
    ("Neg",                       one(elementwise::neg)),
    ("NegativeLogLikelihoodLoss", one(loss::negative_log_likelihood)),
    ("Not",                       one(elementwise::not)),
    ("OptionalGetElement",        same),
    ("Or",                        one(combine::or)),
    ("PRelu",                     one(combine::prelu)),
    ("Pad",                       one(window::pad)),
    ("Pow",                       one(combine::power)),
    ("Reciprocal",                one(elementwise::reciprocal)),
    ("ReduceL1",                  one(reduce::l1)),
    ("ReduceL2",                  one(reduce::l2)),
    ("ReduceLogSum",              one(reduce::log_sum)),
    ("ReduceLogSumExp",           one(reduce::log_sum_exp)),
    ("ReduceMax",                 one(reduce::max)),
    ("ReduceMean",                one(reduce::mean)),
    ("ReduceMin",                 one(reduce::min)),
    ("ReduceProd",                one(reduce::product)),
    ("ReduceSum",                 one(reduce::sum)),
    ("ReduceSumSquare",           one(reduce::sum_square)),
    ("Relu",                      one(elementwise::relu)),
    ("Reshape",                   same),
    ("Resize",                    average(resize::resize)),
    ("Round",                     one(elementwise::round)),
    ("ScatterElements",           one(scatter::scatter_elements)),
    ("ScatterND",                 one(scatter::scatter_nd)),
    ("Selu",                      one(elementwise::selu)),
    ("Shrink",                    one(elementwise::shrink)),
    ("Sigmoid",                   one(elementwise::sigmoid)),
    ("Sign",                      one(elementwise::sign)),
    ("Sin",                       one(elementwise::sin)),
    ("Sinh",                      one(elementwise::sinh)),
    ("Size",                      one(elementwise::size)),
    ("Slice",                     one(window::slice)),
    ("Softmax",                   one(softmax::softmax)),
    ("SoftmaxCrossEntropyLoss",   several(loss::softmax_cross_entropy)),
    ("Softplus",                  one(elementwise::softplus)),
    ("Softsign",                  one(elementwise::softsign)),
    ("SpaceToDepth",              one(layout::space_to_depth)),
    ("Split",                     several(gather::split)),
    ("Sqrt",                      one(elementwise::sqrt)),
    ("Squeeze",                   same),
    ("Sub",                       one(combine::subtract)),
    ("Sum",                       one(combine::add)),
    ("Tan",                       one(elementwise::tan)),
    ("Tanh",                      one(elementwise::tanh)),
    ("Tile",                      one(gather::tile)),
    ("TopK",                      several(scatter::top_k)),
    ("Transpose",                 one(layout::transpose)),
    ("Unsqueeze",                 same),
    ("Where",                     one(combine::choose)),
    ("exConvTransposePad",        one(window::transposed_convolution)),
    ("exDataConvert",             same),
    ("exSoftmax13",               one(softmax::softmax)),
];

#[cfg(test)]
mod tests;
