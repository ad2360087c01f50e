//! The vendor's answers to queries against what our plan says.

use ferrite_rknn_runtime::{ElementType, Order, Plan, Port, TensorInfo, View};
use serde_json::Value;

use crate::compare::{Kind, Tally};
use crate::input::{Format, Type};

/// `RKNN_TENSOR_QNT_AFFINE_ASYMMETRIC`, which the runtime also says of tensors that are not quantised.
const AFFINE: u64 = 2;
/// `RKNN_TENSOR_NC1HWC2`; the other orders are those of [`Format`].
const NC1HWC2: u64 = 2;

/// Compares every answer: numbers of inputs and outputs, memory, and each port in each of its views.
pub(crate) fn compare(tally: &mut Tally, answers: &[Value], plan: &Plan) {
    for answer in answers.iter().filter(|answer| answer["call"] == "query" && answer["result"] == 0) {
        let index = answer["index"].as_u64().and_then(|index| usize::try_from(index).ok()).unwrap_or(0);
        let what = answer["what"].as_str().unwrap_or_default();
        let mut port = |port, view| described(tally, &format!("{what} {index}"), answer, plan, port, view);
        match what {
            "counts" => {
                number(tally, "number of inputs", &answer["inputs"], plan.inputs().len() as u64);
                number(tally, "number of outputs", &answer["outputs"], plan.outputs().len() as u64);
            }
            "memory" => {
                let sizes = plan.memory_sizes();
                number(tally, "bytes of weights", &answer["weights"], sizes.weights);
                number(tally, "bytes of activations", &answer["internal"], sizes.internal);
                number(tally, "bytes of memory", &answer["total"], sizes.total);
            }
            "input" => port(Port::Input(index), View::Converted),
            "native_input" => port(Port::Input(index), View::Native),
            "native_input_nhwc" => port(Port::Input(index), View::NativeNhwc),
            "output" => port(Port::Output(index), View::Converted),
            "native_output" => port(Port::Output(index), View::Native),
            "native_output_nhwc" => port(Port::Output(index), View::NativeNhwc),
            // The runtime's versions are the capture's, not the plan's.
            _ => {}
        }
    }
}

fn number(tally: &mut Tally, what: &str, theirs: &Value, ours: u64) {
    if theirs.as_u64() != Some(ours) {
        tally.add(Kind::Query, || what.to_owned(), theirs, ours);
    }
}

fn described(tally: &mut Tally, what: &str, answer: &Value, plan: &Plan, port: Port, view: View) {
    let info = match port {
        Port::Input(index) => plan.inputs().get(index),
        Port::Output(index) => plan.outputs().get(index),
    };
    let (Some(info), Some(ours)) = (info, plan.describe(port, view)) else {
        tally.add(Kind::Query, || what.to_owned(), "described", "there is no such port");
        return;
    };
    let theirs: Vec<usize> =
        answer["shape"].as_array().into_iter().flatten().filter_map(|size| size.as_u64()?.try_into().ok()).collect();
    if theirs != ours.shape {
        tally.add(
            Kind::Query,
            || format!("{what}, shape"),
            format_args!("{theirs:?}"),
            format_args!("{:?}", ours.shape),
        );
    }
    let numbers = [
        ("format", order(ours.order)),
        ("elements", ours.elements as u64),
        ("bytes", ours.bytes as u64),
        ("width_stride", ours.width_stride as u64),
        ("stride_bytes", ours.stride_bytes as u64),
        // Never set by the runtime for models seen.
        ("height_stride", 0),
        ("pass_through", 0),
        ("fraction", 0),
    ];
    for (field, ours) in numbers {
        number(tally, &format!("{what}, {field}"), &answer[field], ours);
    }
    type_and_scale(tally, what, answer, info);
}

fn type_and_scale(tally: &mut Tally, what: &str, answer: &Value, info: &TensorInfo) {
    if answer["name"] != info.name.as_str() {
        tally.add(Kind::Query, || format!("{what}, name"), &answer["name"], &info.name);
    }
    let (scale, zero_point) = info.quantization.map_or((1.0, 0), |known| (known.scale, known.zero_point));
    let element = type_number(info.element);
    if answer["type"].as_u64() != element {
        tally.add(Kind::Query, || format!("{what}, type"), &answer["type"], info.element.name());
    }
    number(tally, &format!("{what}, quantization"), &answer["quantization"], AFFINE);
    number(tally, &format!("{what}, scale"), &answer["scale_bits"], u64::from(f32::to_bits(scale)));
    if answer["zero_point"].as_i64() != Some(i64::from(zero_point)) {
        tally.add(Kind::Query, || format!("{what}, zero point"), &answer["zero_point"], zero_point);
    }
}

fn type_number(element: ElementType) -> Option<u64> {
    Type::of(element).map(|element| element as u64)
}

fn order(order: Order) -> u64 {
    match order {
        Order::Nchw => Format::Nchw as u64,
        Order::Nhwc => Format::Nhwc as u64,
        Order::Nc1hwc2 => NC1HWC2,
        Order::Undefined => Format::Undefined as u64,
    }
}
