//! What the network asks for against what a register field holds.
//!
//! The vendor's compiler writes the low bits of a value that does not fit and goes on (airockchip/rknn-toolkit2 issue 315), so
//! the program looks sound: only the operator's attributes tell.

use ferrite_rknn::{Literal, Model, Target};
use ferrite_rknpu::Field;
use ferrite_rknpu::registers::field::cna;

use super::{Kind, Report, operator_place};

/// An attribute, the fields of its elements (rows before columns, as ONNX has them), and what the hardware adds to the field.
type Limit = (&'static str, &'static [Field], u32);

const CONVOLUTION: &[Limit] = &[
    ("strides", &[cna::conv_con3::CONV_Y_STRIDE, cna::conv_con3::CONV_X_STRIDE], 0),
    ("dilations", &[cna::conv_con3::ATROUS_Y_DILATION, cna::conv_con3::ATROUS_X_DILATION], 1),
    ("kernel_shape", &[cna::weight_size2::WEIGHT_HEIGHT, cna::weight_size2::WEIGHT_WIDTH], 0),
    ("pads", &[cna::pad_con0::PAD_TOP, cna::pad_con0::PAD_LEFT], 0),
];

pub(super) fn check(model: &Model, report: &mut Report) {
    for (index, operator) in model.operators().iter().enumerate() {
        let convolution = operator.kind.starts_with("Conv") && !operator.kind.starts_with("ConvTranspose");
        if !convolution || operator.target != Target::NPU {
            continue;
        }
        let Ok(attributes) = model.operator_attributes(operator) else { continue };
        for (name, fields, added) in CONVOLUTION {
            let Some((_, value)) = attributes.iter().find(|(known, _)| known == name) else { continue };
            let values = value.as_list().unwrap_or_default().iter().map(Literal::as_i64);
            for (value, field) in values.zip(*fields) {
                let limit = i64::from(field.max()) + i64::from(*added);
                if let Some(value) = value.filter(|value| *value > limit) {
                    let mut place = operator_place(model, index);
                    place.register = Some(field.to_string());
                    place.offset = Some(operator.attributes.start);
                    let cut = (value - i64::from(*added)) & i64::from(field.max());
                    let message =
                        format!("`{name}` is {value}, the field holds {limit} at most: the low bits alone are {cut}");
                    report.add(Kind::FieldOverflow, place, message);
                }
            }
        }
    }
}
