//! The tensors between operators, read and changed.

use std::sync::Arc;

use ferrite_device::Buffer;

use crate::Error;
use crate::convert::{encode, read_output, write_tensor};
use crate::native::NativeTensor;
use crate::plan::{BufferRole, quantization};
use crate::tensor::{Tensor, to_f32};
use crate::weights::Weights;

/// A session's view of its tensors, by their index in the model. It may be used while the session runs, between tasks of an
/// emulator that says when: so layers are compared, and fed with what others computed.
///
/// Activations share memory. A tensor is there from the end of the operator that makes it to the last that takes it.
#[derive(Debug, Clone)]
pub struct Probe {
    weights: Arc<Weights>,
    buffers: Vec<(BufferRole, Buffer)>,
}

impl Probe {
    pub(crate) fn new(weights: Arc<Weights>, buffers: Vec<(BufferRole, Buffer)>) -> Self {
        Self { weights, buffers }
    }

    /// A tensor as float32 in its logical shape; integers are dequantised.
    ///
    /// # Errors
    /// When there is no such tensor, or none with a place among inputs, outputs and activations.
    pub fn read(&self, tensor: usize) -> Result<Tensor, Error> {
        let (native, buffer, offset) = self.place(tensor)?;
        let mut values = to_f32(native.element, &read_output(buffer, offset, &native)?);
        if let Some(q) = quantization(&self.weights.plan().model.tensors()[tensor], native.element) {
            #[expect(clippy::cast_precision_loss, reason = "zero points are 8 or 16 bits wide")]
            values.iter_mut().for_each(|value| *value = (*value - q.zero_point as f32) * q.scale);
        }
        Tensor::from_f32(native.shape, &values)
    }

    /// Stores the values of a tensor, quantised where it is, for the device to find.
    ///
    /// # Errors
    /// As [`Probe::read`], and when there are more or fewer values than the tensor has elements.
    pub fn write(&self, tensor: usize, values: &[f32]) -> Result<(), Error> {
        let (native, buffer, offset) = self.place(tensor)?;
        if values.len() != native.elements() {
            let reason = format!("{} values were given, it has {}", values.len(), native.elements());
            return Err(Error::Tensor { tensor: native.name, reason });
        }
        let quantization = quantization(&self.weights.plan().model.tensors()[tensor], native.element);
        write_tensor(buffer, offset, &native, &encode(values, native.element, quantization))?;
        let range = offset..offset + native.bytes as u64;
        buffer.flush(range).map_err(Error::device(format!("flushing tensor `{}`", native.name)))?;
        Ok(())
    }

    fn place(&self, tensor: usize) -> Result<(NativeTensor, &Buffer, u64), Error> {
        let plan = self.weights.plan();
        let count = plan.model.tensors().len();
        let description =
            plan.model.tensors().get(tensor).ok_or(Error::NoSuchTensor { what: "tensors", count, index: tensor })?;
        let native = NativeTensor::new(description)?;
        let location = plan.locate(tensor);
        let buffer = self.buffers.iter().find(|(role, _)| *role == location.buffer);
        let (_, buffer) = buffer
            .ok_or_else(|| Error::inconsistent(format!("tensor `{}`", native.name), "it is not an activation"))?;
        Ok((native, buffer, location.offset))
    }
}
