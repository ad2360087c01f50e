//! Steps that the model assigns to the host.

use ferrite_host_ops::{Attribute, Attributes, Call, HostTensor, lookup};
use ferrite_rknn::{Kind, Literal};

use crate::Error;
use crate::convert::{encode, read_output, write_tensor};
use crate::native::NativeTensor;
use crate::plan::{Plan, quantization};
use crate::session::Session;
use crate::tensor::to_f32;

/// Computes one operator from and to device memory.
pub(crate) fn run(session: &Session, plan: &Plan, index: usize) -> Result<(), Error> {
    let operator = &plan.model.operators()[index];
    let failed = |source| Error::HostOperator { operator: operator.name.clone(), source };
    let function = lookup(&operator.kind).map_err(failed)?;
    let &[output] = operator.outputs.as_slice() else {
        let feature = format!("a host operator with {} results", operator.outputs.len());
        return Err(Error::Unsupported { part: format!("operator `{}`", operator.name), feature });
    };
    let inputs = operator
        .inputs
        .iter()
        .filter(|&&tensor| carries_data(plan, index, tensor))
        .map(|&tensor| read(session, plan, tensor))
        .collect::<Result<Vec<HostTensor>, Error>>()?;
    let target = NativeTensor::new(&plan.model.tensors()[output])?;
    let attributes = attributes(plan, index)?;
    let call = Call { attributes: &attributes, inputs: &inputs, output_shape: &target.shape };
    let result = function(&call).map_err(failed)?;

    let bytes = encode(&result.data, target.element, quantization(&plan.model.tensors()[output], target.element));
    let location = plan.locate(output);
    let buffer = session
        .buffer(location.buffer)
        .ok_or_else(|| Error::inconsistent(format!("tensor `{}`", target.name), "it lies in no buffer"))?;
    write_tensor(buffer, location.offset, &target, &bytes)
}

/// Whether an argument holds data at run time: a graph input, or the result of an earlier operator. Constants describe
/// shapes, and scratch tensors have no producer.
fn carries_data(plan: &Plan, before: usize, tensor: usize) -> bool {
    plan.model.tensors()[tensor].kind == Kind::INPUT
        || plan.model.operators()[..before].iter().any(|earlier| earlier.outputs.contains(&tensor))
}

fn read(session: &Session, plan: &Plan, tensor: usize) -> Result<HostTensor, Error> {
    let description = &plan.model.tensors()[tensor];
    let native = NativeTensor::new(description)?;
    let location = plan.locate(tensor);
    let buffer = session
        .buffer(location.buffer)
        .ok_or_else(|| Error::inconsistent(format!("tensor `{}`", native.name), "it lies in no buffer"))?;
    let bytes = read_output(buffer, location.offset, &native)?;
    let mut data = to_f32(native.element, &bytes);
    if let Some(q) = quantization(description, native.element) {
        #[expect(clippy::cast_precision_loss, reason = "zero points are 8 or 16 bits wide")]
        data.iter_mut().for_each(|value| *value = (*value - q.zero_point as f32) * q.scale);
    }
    Ok(HostTensor { shape: native.shape, data })
}

/// The operator's attributes, in the form host operators take. What is neither number, text nor list of numbers is left
/// out: no host operator knows such.
fn attributes(plan: &Plan, index: usize) -> Result<Attributes, Error> {
    let document = plan.model.operator_attributes(&plan.model.operators()[index])?;
    let known = document.into_iter().filter_map(|(name, value)| Some((name, attribute(&value)?)));
    Ok(Attributes(known.collect()))
}

fn attribute(value: &Literal) -> Option<Attribute> {
    if let Some(text) = value.as_str() {
        return Some(Attribute::Text(text.to_owned()));
    }
    let scalar = std::slice::from_ref(value);
    let values = value.as_list().unwrap_or(scalar);
    let ints: Option<Vec<i64>> = values.iter().map(Literal::as_i64).collect();
    let floats = || values.iter().map(Literal::as_f64).collect::<Option<Vec<f64>>>();
    ints.map(Attribute::Ints).or_else(|| floats().map(Attribute::Floats))
}
