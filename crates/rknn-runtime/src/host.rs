//! Steps that the model assigns to the host.

use ferrite_device::Buffer;
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
    if function.keeps_elements() && copied(session, plan, index)? {
        return Ok(());
    }
    let attributes = attributes(plan, index)?;
    let stored = function.takes_stored(&attributes) && stores_alike(plan, index)?;
    let mut inputs = Vec::with_capacity(operator.inputs.len());
    for (position, &tensor) in operator.inputs.iter().enumerate() {
        inputs.push(argument(session, plan, index, tensor, stored && position == 0)?);
    }
    let described = operator.outputs.iter().map(|&output| NativeTensor::new(&plan.model.tensors()[output]));
    let targets = described.collect::<Result<Vec<NativeTensor>, Error>>()?;
    let shapes: Vec<Vec<usize>> = targets.iter().map(|target| target.shape.clone()).collect();
    let integer_output = targets.first().is_some_and(|target| target.element.is_integer());
    let (kind, output_shapes) = (operator.kind.as_str(), shapes.as_slice());
    let call = Call { kind, attributes: &attributes, inputs: &inputs, output_shapes, stored, integer_output };
    let results = function.run(&call).map_err(failed)?;

    for ((result, target), &output) in results.iter().zip(&targets).zip(&operator.outputs) {
        let quantization = quantization(&plan.model.tensors()[output], target.element).filter(|_| !stored);
        let bytes = encode(&result.data, target.element, quantization);
        let (buffer, offset) = place(session, plan, output, &target.name)?;
        write_tensor(buffer, offset, target, &bytes)?;
    }
    Ok(())
}

/// Whether the first input and the only output of an operator hold quantised numbers of the same meaning.
fn stores_alike(plan: &Plan, index: usize) -> Result<bool, Error> {
    let operator = &plan.model.operators()[index];
    let (Some(&from), &[to]) = (operator.inputs.first(), operator.outputs.as_slice()) else { return Ok(false) };
    let described = |tensor: usize| -> Result<_, Error> {
        let description = &plan.model.tensors()[tensor];
        let element = NativeTensor::new(description)?.element;
        Ok((element, quantization(description, element)))
    };
    let (source, target) = (described(from)?, described(to)?);
    Ok(source == target && source.1.is_some())
}

/// Does an operator that keeps its elements by copying bytes, where both sides store numbers alike; whether they do.
fn copied(session: &Session, plan: &Plan, index: usize) -> Result<bool, Error> {
    let operator = &plan.model.operators()[index];
    let (Some(&from), &[to]) = (operator.inputs.first(), operator.outputs.as_slice()) else { return Ok(false) };
    let [source, target] = [from, to].map(|tensor| &plan.model.tensors()[tensor]);
    let (old, new) = (NativeTensor::new(source)?, NativeTensor::new(target)?);
    let alike = old.element == new.element && quantization(source, old.element) == quantization(target, new.element);
    if !alike || source.blob.is_some() || old.elements() != new.elements() {
        return Ok(false);
    }
    let (buffer, offset) = place(session, plan, from, &old.name)?;
    let bytes = read_output(buffer, offset, &old)?;
    let (buffer, offset) = place(session, plan, to, &new.name)?;
    write_tensor(buffer, offset, &new, &bytes)?;
    Ok(true)
}

/// What an argument holds when the operator runs: a graph input, the result of an earlier operator, or a constant. Scratch
/// tensors and placeholders for arguments left out hold nothing. Quantised numbers become real ones unless they are wanted as
/// they are `stored`.
fn argument(
    session: &Session,
    plan: &Plan,
    before: usize,
    tensor: usize,
    stored: bool,
) -> Result<Option<HostTensor>, Error> {
    let description = &plan.model.tensors()[tensor];
    let made = || plan.model.operators()[..before].iter().any(|earlier| earlier.outputs.contains(&tensor));
    let native = || NativeTensor::new(description);
    let (native, bytes) = match description.blob {
        Some(blob) => {
            let native = native()?;
            let blob = plan.model.blob(blob).unwrap_or_default();
            // The declared bytes may be more than there are elements.
            if native.end().is_none_or(|end| end > blob.len()) {
                let reason =
                    format!("its constant has {} bytes, which do not hold shape {:?}", blob.len(), native.shape);
                return Err(Error::inconsistent(format!("tensor `{}`", native.name), reason));
            }
            let mut bytes = Vec::new();
            native.gather(blob, &mut bytes);
            (native, bytes)
        }
        None if description.kind == Kind::INPUT || description.kind != Kind::PLACEHOLDER && made() => {
            let native = native()?;
            let (buffer, offset) = place(session, plan, tensor, &native.name)?;
            let bytes = read_output(buffer, offset, &native)?;
            (native, bytes)
        }
        None => return Ok(None),
    };
    let mut data = to_f32(native.element, &bytes);
    if let Some(q) = quantization(description, native.element).filter(|_| !stored) {
        #[expect(clippy::cast_precision_loss, reason = "zero points are 8 or 16 bits wide")]
        data.iter_mut().for_each(|value| *value = (*value - q.zero_point as f32) * q.scale);
    }
    Ok(Some(HostTensor { shape: native.shape, data }))
}

/// The buffer and offset of a tensor.
fn place<'a>(session: &'a Session, plan: &Plan, tensor: usize, name: &str) -> Result<(&'a Buffer, u64), Error> {
    let location = plan.locate(tensor);
    let buffer = session.buffer(location.buffer);
    let missing = || Error::inconsistent(format!("tensor `{name}`"), "it lies in no buffer");
    Ok((buffer.ok_or_else(missing)?, location.offset))
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
