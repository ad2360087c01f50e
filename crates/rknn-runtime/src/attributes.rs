//! Inputs and outputs as the vendor's interface describes them.
//!
//! The rules were read off the answers of the vendor's runtime 1.5.2 for 350 models, whose inputs and outputs have two to four
//! dimensions of fp16 or int8, and predict every one of them. For anything else they are a guess.

use ferrite_rknn::{BLOB_ALIGNMENT, Kind, Model};

use crate::native::{Arrangement, NativeTensor, padded_width};
use crate::plan::{BufferRole, Plan};

/// An order of dimensions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Order {
    /// Channels first.
    Nchw,
    /// Channels last.
    Nhwc,
    /// Groups of channels, height, width, channels of a group.
    Nc1hwc2,
    /// None in particular: anything that does not have four dimensions.
    Undefined,
}

/// An input or an output, by its position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Port {
    /// An input.
    Input(usize),
    /// An output.
    Output(usize),
}

/// Which of the descriptions of a port is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum View {
    /// As a caller hands it over or gets it, converted by the runtime.
    Converted,
    /// As it lies in device memory.
    Native,
    /// As device memory can be asked to hold it with channels last. Inputs lie as they do in any case.
    NativeNhwc,
}

/// Shape and size of a port in one view. Type and quantisation are those of [`TensorInfo`](crate::TensorInfo) in every view.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PortDescription {
    /// Sizes, outermost first.
    pub shape: Vec<usize>,
    /// What the sizes are.
    pub order: Order,
    /// Elements, those that only fill groups of channels included.
    pub elements: usize,
    /// Bytes of the elements.
    pub bytes: usize,
    /// Elements from one row of an input to the next; 0 for outputs and without four dimensions.
    pub width_stride: usize,
    /// Bytes of a buffer for it.
    pub stride_bytes: usize,
}

/// Bytes of one row of a converted output are whole groups of so many.
const ROW: usize = 16;
/// Pixels of an output's surface are a multiple of this, single pixels excepted.
const SURFACE: usize = 4;

/// What the vendor's interface says about memory, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemorySizes {
    /// Weights and other constants; programs and what the compiler adds are not among them.
    pub weights: u64,
    /// Activations.
    pub internal: u64,
    /// All buffers but those of inputs and outputs.
    pub total: u64,
}

impl Plan {
    /// What the vendor's interface says about the memory of this model.
    #[must_use]
    pub fn memory_sizes(&self) -> MemorySizes {
        let bytes = |role| self.buffers().iter().find(|info| info.role == role).map_or(0, |info| info.bytes);
        let internal = bytes(BufferRole::Activations);
        MemorySizes {
            weights: self
                .model
                .tensors()
                .iter()
                .map(|tensor| constant_bytes(&self.model, tensor))
                .fold(0, u64::saturating_add),
            internal,
            total: internal.saturating_add(bytes(BufferRole::Tasks)).saturating_add(bytes(BufferRole::Weights)),
        }
    }

    /// How the vendor's interface describes an input or output; `None` when there is no such.
    #[must_use]
    pub fn describe(&self, port: Port, view: View) -> Option<PortDescription> {
        match port {
            Port::Input(index) => {
                let native_shape = &self.inputs().get(index)?.native_shape;
                Some(input(self.input_tensors.get(index)?, native_shape, view))
            }
            Port::Output(index) => {
                let native_shape = &self.outputs().get(index)?.native_shape;
                Some(output(self.output_tensors.get(index)?, native_shape, view))
            }
        }
    }
}

/// What a constant adds to the bytes of weights: those of its blob or, where it stands for an argument left out and has none, those
/// that it declares; in both cases in whole units of the weight image.
fn constant_bytes(model: &Model, tensor: &ferrite_rknn::Tensor) -> u64 {
    if tensor.kind != Kind::WEIGHT && tensor.kind != Kind::CONSTANT {
        return 0;
    }
    let blob = tensor.blob.and_then(|blob| model.blob(blob));
    let bytes = blob.map_or(u64::from(tensor.size), |bytes| bytes.len() as u64);
    bytes.next_multiple_of(BLOB_ALIGNMENT as u64)
}

fn input(tensor: &NativeTensor, native_shape: &[usize], view: View) -> PortDescription {
    let width = if let &[.., width] = tensor.shape.as_slice() { width } else { 0 };
    let width_stride = match (tensor.shape.len(), &tensor.arrangement) {
        (_, Arrangement::Pixels { width_stride }) => *width_stride,
        (4, _) => width,
        _ => 0,
    };
    let native = match (&tensor.arrangement, view) {
        (_, View::Converted) | (Arrangement::Pixels { .. }, _) => {
            PortDescription { stride_bytes: tensor.bytes, ..channels_last(tensor) }
        }
        (Arrangement::Cube { .. }, _) => described(tensor, native_shape.to_vec(), Order::Nc1hwc2),
        (Arrangement::Linear, _) => as_defined(tensor),
    };
    PortDescription { width_stride, ..native }
}

fn output(tensor: &NativeTensor, native_shape: &[usize], view: View) -> PortDescription {
    let size = tensor.element.size();
    match (view, &tensor.arrangement) {
        (View::Converted, _) => {
            let plain = as_defined(tensor);
            let &[batch, channels, height, width] = tensor.shape.as_slice() else { return plain };
            let group = ROW / size;
            let row = padded_width(width, tensor.element).unwrap_or(width);
            let stride_bytes = product(&[batch, channels.div_ceil(group), group, height, row, size]);
            PortDescription { stride_bytes, ..plain }
        }
        (View::Native, Arrangement::Cube { .. }) => {
            described(tensor, whole_surfaces(native_shape.to_vec()), Order::Nc1hwc2)
        }
        (View::Native, _) => as_defined(tensor),
        (View::NativeNhwc, _) => {
            let plain = channels_last(tensor);
            // Bytes come in sixteens, wider numbers in fours.
            let unit = if size == 1 { ROW } else { 4 * size };
            PortDescription { stride_bytes: plain.bytes.div_ceil(unit).saturating_mul(unit), ..plain }
        }
    }
}

/// A surface that is no multiple of four pixels is described as one row that is.
fn whole_surfaces(mut shape: Vec<usize>) -> Vec<usize> {
    if let [_, _, height, width, _] = shape.as_mut_slice() {
        let pixels = height.saturating_mul(*width);
        if pixels > 1 && !pixels.is_multiple_of(SURFACE) {
            (*height, *width) = (1, pixels.div_ceil(SURFACE).saturating_mul(SURFACE));
        }
    }
    shape
}

/// In the order in which the network defines it.
fn as_defined(tensor: &NativeTensor) -> PortDescription {
    let order = if tensor.shape.len() == 4 { Order::Nchw } else { Order::Undefined };
    described(tensor, tensor.shape.clone(), order)
}

fn channels_last(tensor: &NativeTensor) -> PortDescription {
    match tensor.shape.as_slice() {
        &[n, c, h, w] => described(tensor, vec![n, h, w, c], Order::Nhwc),
        _ => as_defined(tensor),
    }
}

/// Packed elements of a shape.
fn described(tensor: &NativeTensor, shape: Vec<usize>, order: Order) -> PortDescription {
    let elements = product(&shape);
    let bytes = elements.saturating_mul(tensor.element.size());
    PortDescription { shape, order, elements, bytes, width_stride: 0, stride_bytes: bytes }
}

/// Saturating: a zero in front makes any number of elements behind it add up to none, and no file has more than can be counted.
fn product(sizes: &[usize]) -> usize {
    sizes.iter().fold(1, |product, &size| product.saturating_mul(size))
}
