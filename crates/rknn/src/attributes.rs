//! What the compiler noted about inputs and outputs: the `attrs` dictionary, and the JSON text after the FlatBuffer.

use std::collections::HashMap;

use serde_json::Value;

use crate::literal::Literal;

/// One graph input or output as the user of the compiler declared it.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct PortAttributes {
    /// Tensor name.
    pub name: String,
    /// Position among the inputs or among the outputs.
    pub index: usize,
    /// An output, not an input.
    pub is_output: bool,
    /// Shape in `layout` order.
    pub shape: Vec<u32>,
    /// Order of the dimensions, `nchw` for instance.
    pub layout: String,
    /// Element type the user hands over, by numpy name.
    pub dtype: String,
    /// Mean per channel, subtracted from the input.
    pub mean: Vec<f64>,
    /// Divisor per channel, applied after the mean.
    pub std: Vec<f64>,
    /// Whether channels 0 and 2 are swapped.
    pub rgb2bgr: bool,
    /// Value range the network expects, where noted.
    pub range: Option<(f64, f64)>,
}

impl PortAttributes {
    fn read(name: &str, value: &Literal) -> PortAttributes {
        let list = |key: &str| value.get(key).and_then(Literal::as_list).unwrap_or_default();
        let text = |key: &str| value.get(key).and_then(Literal::as_str).unwrap_or_default().to_owned();
        let flag = |key: &str| value.get(key).and_then(Literal::as_bool).unwrap_or(false);
        let floats = |key: &str| list(key).iter().filter_map(Literal::as_f64).collect::<Vec<f64>>();
        let range = match floats("range").as_slice() {
            [low, high] => Some((*low, *high)),
            _ => None,
        };
        PortAttributes {
            name: name.to_owned(),
            index: value.get("idx").and_then(Literal::as_i64).and_then(|i| usize::try_from(i).ok()).unwrap_or(0),
            is_output: flag("is_output"),
            shape: list("shape").iter().filter_map(|d| u32::try_from(d.as_i64()?).ok()).collect(),
            layout: text("layout"),
            dtype: text("dtype"),
            mean: floats("mean"),
            std: floats("std"),
            rgb2bgr: flag("rgb2bgr"),
            range,
        }
    }
}

/// Typed view of the `attrs` part of the embedded dictionary, in file order.
pub(crate) fn ports(dictionary: &Literal) -> Vec<PortAttributes> {
    let attrs = dictionary.get("attrs").and_then(Literal::as_dict).unwrap_or_default();
    attrs.iter().filter_map(|(key, value)| Some(PortAttributes::read(key.as_str()?, value))).collect()
}

/// One entry of `norm_tensor` in the JSON text: an input or output of the whole model.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct NormTensor {
    /// Id that `graph` and `connection` refer to.
    pub id: u64,
    /// Tensor name (`url`).
    pub name: String,
    /// Shape.
    pub size: Vec<u64>,
    /// Kind of quantisation, empty for none.
    pub quantization: String,
    /// Quantised type, empty for none.
    pub quantized_type: String,
}

/// Typed view of the JSON text. The whole of it is in `value`.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Tail {
    /// The document.
    pub value: Value,
    /// Model name.
    pub name: String,
    /// Version of the toolkit that wrote the file.
    pub version: String,
    /// Chips the model is for.
    pub target_platform: Vec<String>,
    /// Inputs, in order.
    pub inputs: Vec<NormTensor>,
    /// Outputs, in order.
    pub outputs: Vec<NormTensor>,
}

impl Tail {
    pub(crate) fn new(value: Value) -> Tail {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let target_platform = match &value["target_platform"] {
            Value::Array(list) => list.iter().map(text).collect(),
            Value::String(name) => vec![name.clone()],
            _ => Vec::new(),
        };
        Tail {
            name: text(&value["name"]),
            version: text(&value["version"]),
            target_platform,
            inputs: Self::side(&value, "input"),
            outputs: Self::side(&value, "output"),
            value,
        }
    }

    /// Norm tensors on one side of the `graph` list, ordered by their position there.
    fn side(value: &Value, side: &str) -> Vec<NormTensor> {
        let list = |key: &str| value[key].as_array().map(Vec::as_slice).unwrap_or_default();
        let norms = list("norm_tensor").iter();
        let norms: HashMap<u64, &Value> = norms.filter_map(|norm| Some((norm["tensor_id"].as_u64()?, norm))).collect();
        let mut places: Vec<(u64, u64)> = list("graph")
            .iter()
            .filter(|edge| edge["left"] == side && edge["right"] == "norm_tensor")
            .filter_map(|edge| Some((edge["left_tensor_id"].as_u64()?, edge["right_tensor_id"].as_u64()?)))
            .collect();
        places.sort_unstable();
        places.dedup();
        places.iter().filter_map(|&(_, id)| Some(norm_tensor(id, norms.get(&id)?))).collect()
    }
}

fn norm_tensor(id: u64, norm: &Value) -> NormTensor {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    NormTensor {
        id,
        name: text(&norm["url"]),
        size: norm["size"].as_array().map(|l| l.iter().filter_map(Value::as_u64).collect()).unwrap_or_default(),
        quantization: text(&norm["dtype"]["qnt_method"]),
        quantized_type: text(&norm["dtype"]["qnt_type"]),
    }
}
