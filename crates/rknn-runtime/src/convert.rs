//! Between a caller's tensors and device memory.

use ferrite_device::Buffer;

use crate::Error;
use crate::native::NativeTensor;
use crate::plan::TensorInfo;
use crate::tensor::{ElementType, Layout, Tensor};

/// The native bytes of an input.
pub(crate) fn fill_input(
    info: &TensorInfo,
    native: &NativeTensor,
    tensor: &Tensor,
    layout: Layout,
) -> Result<Vec<u8>, Error> {
    let fail = |reason: String| Error::Tensor { tensor: info.name.clone(), reason };
    if layout == Layout::Native {
        if tensor.bytes().len() != native.bytes {
            let have = tensor.bytes().len();
            return Err(fail(format!("{have} native bytes were given, the model wants {}", native.bytes)));
        }
        return Ok(tensor.bytes().to_vec());
    }
    let channels_last = layout == Layout::Nhwc && native.shape.len() == 4;
    let mut wanted = native.shape.clone();
    if channels_last {
        wanted = vec![wanted[0], wanted[2], wanted[3], wanted[1]];
    }
    // Leading ones may be left out, as for a picture [H, W, C].
    let trimmed = |shape: &[usize]| shape.iter().copied().skip_while(|&size| size == 1).collect::<Vec<usize>>();
    if trimmed(tensor.shape()) != trimmed(&wanted) {
        return Err(fail(format!("shape {:?} was given, the model wants {wanted:?}", tensor.shape())));
    }
    let mut values = tensor.to_f32();
    if channels_last {
        values = channels_first(&values, native.nchw());
    }
    let encode = Encoder::new(info, native.nchw()[1]);
    let size = native.element.size();
    let mut logical = vec![0; values.len() * size];
    let plane = (native.nchw()[2] * native.nchw()[3]).max(1);
    for (index, (value, out)) in values.iter().zip(logical.chunks_exact_mut(size)).enumerate() {
        native.element.store(encode.value(*value, index / plane), out);
    }
    let mut bytes = vec![0; native.bytes];
    native.scatter(&logical, &mut bytes);
    // Row gaps take part in the convolution; they must count as zero.
    let mut zero = vec![0; size];
    #[expect(clippy::cast_precision_loss, reason = "zero points are 8 or 16 bits wide")]
    native.element.store(info.quantization.map_or(0.0, |q| q.zero_point as f32), &mut zero);
    native.fill_row_gaps(&zero, &mut bytes);
    Ok(bytes)
}

/// `[N, H, W, C]` to `[N, C, H, W]`.
fn channels_first(values: &[f32], [batch, channels, height, width]: [usize; 4]) -> Vec<f32> {
    let pixels = height * width;
    let mut out = Vec::with_capacity(values.len());
    for n in 0..batch {
        for c in 0..channels {
            out.extend((0..pixels).map(|pixel| values[(n * pixels + pixel) * channels + c]));
        }
    }
    out
}

/// From the caller's domain to the stored number, channel by channel.
struct Encoder {
    channels: Vec<Channel>,
}

enum Channel {
    /// (value - mean) / std
    Float { mean: f32, std: f32 },
    /// round(value * factor) + offset. The vendor's runtime rounds the offset, in which mean and zero point meet, on its
    /// own; so do we, to get its bits.
    Integer { factor: f32, offset: f32 },
}

impl Encoder {
    fn new(info: &TensorInfo, channels: usize) -> Self {
        let pick = |values: &[f32], channel: usize| values.get(channel).or(values.first()).copied();
        let channel = |index: usize| {
            let (mean, std) = info.normalization.as_ref().map_or((0.0, 1.0), |normalization| {
                (pick(&normalization.mean, index).unwrap_or(0.0), pick(&normalization.std, index).unwrap_or(1.0))
            });
            match info.quantization {
                None => Channel::Float { mean, std },
                Some(quantization) => {
                    let scale = std * quantization.scale;
                    #[expect(clippy::cast_precision_loss, reason = "zero points are 8 or 16 bits wide")]
                    let offset = (quantization.zero_point as f32 - mean / scale).round();
                    Channel::Integer { factor: 1.0 / scale, offset }
                }
            }
        };
        Self { channels: (0..channels.max(1)).map(channel).collect() }
    }

    /// `plane` counts channels through all batches.
    fn value(&self, value: f32, plane: usize) -> f32 {
        match self.channels[plane % self.channels.len()] {
            Channel::Float { mean, std } => (value - mean) / std,
            Channel::Integer { factor, offset } => (value * factor).round() + offset,
        }
    }
}

/// Logical bytes of a tensor at `offset` of a buffer.
pub(crate) fn read_output(buffer: &Buffer, offset: u64, native: &NativeTensor) -> Result<Vec<u8>, Error> {
    let range = offset..offset + native.bytes as u64;
    let action = || format!("reading tensor `{}`", native.name);
    buffer.invalidate(range.clone()).map_err(Error::device(action()))?;
    let mut logical = Vec::new();
    buffer.with_bytes(range, |bytes| native.gather(bytes, &mut logical)).map_err(Error::device(action()))?;
    Ok(logical)
}

/// Stores logical bytes of a tensor at `offset` of a buffer.
pub(crate) fn write_tensor(buffer: &Buffer, offset: u64, native: &NativeTensor, logical: &[u8]) -> Result<(), Error> {
    let action = || format!("writing tensor `{}`", native.name);
    let range = offset..offset + native.bytes as u64;
    let write = |bytes: &mut [u8]| native.scatter(logical, bytes);
    buffer.with_bytes_mut(range, write).map_err(Error::device(action()))
}

/// Bytes of `values` as elements of a tensor, quantised where it is.
pub(crate) fn encode(values: &[f32], element: ElementType, quantization: Option<crate::Quantization>) -> Vec<u8> {
    let size = element.size();
    let mut bytes = vec![0; values.len() * size];
    for (value, out) in values.iter().zip(bytes.chunks_exact_mut(size)) {
        #[expect(clippy::cast_precision_loss, reason = "zero points are 8 or 16 bits wide")]
        let stored = quantization.map_or(*value, |q| (value / q.scale).round() + q.zero_point as f32);
        element.store(stored, out);
    }
    bytes
}
