//! Between a caller's tensors and device memory.

use ferrite_device::Buffer;

use crate::Error;
use crate::native::{Arrangement, NativeTensor};
use crate::plan::{Quantization, TensorInfo};
use crate::relocate::{Converter, InputForm};
use crate::tensor::{ElementType, Layout, Tensor};

/// How a tensor of the caller's is handed over.
pub(crate) fn form_of(native: &NativeTensor, tensor: &Tensor, layout: Layout) -> InputForm {
    let pixels = matches!(native.arrangement, Arrangement::Pixels { .. });
    match (layout, tensor.element(), native.element) {
        (Layout::Native, ..) => InputForm::Native,
        (_, ElementType::U8, ElementType::I8) if pixels => InputForm::Bytes,
        _ => InputForm::Converted,
    }
}

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
    let form = form_of(native, tensor, layout);
    let encode = Encoder::new(info, native, form, tensor.element());
    let size = native.element.size();
    let mut logical = vec![0; values.len() * size];
    let plane = (native.nchw()[2] * native.nchw()[3]).max(1);
    for (index, (value, out)) in values.iter().zip(logical.chunks_exact_mut(size)).enumerate() {
        encode.store(*value, index / plane, out);
    }
    let mut bytes = vec![0; native.bytes];
    native.scatter(&logical, &mut bytes);
    native.fill_row_gaps(&encode.gap(), &mut bytes);
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

/// Pixels have at most so many channels. (That feature cubes of so few are converted like pixels rests on one input, two channels of
/// an attention; no other input seen contradicts.)
const PIXEL_CHANNELS: usize = 4;

/// From the caller's domain to the stored number, channel by channel.
struct Encoder {
    element: ElementType,
    channels: Vec<Channel>,
    divide: bool,
    /// Quantised numbers beyond a signed byte keep their lowest eight bits: so the vendor's runtime stores bytes and half floats in
    /// tensors that do not have four dimensions; single floats are taken to be alike, which nothing shows. Elsewhere it saturates, in
    /// plain tensors of four dimensions too.
    wraps: bool,
}

enum Channel {
    /// (value - mean) / std
    Float { mean: f32, std: f32 },
    /// round((normalised value + shift) / scale), ties to even, with shift = zero point * scale: the order and the roundings of
    /// the vendor's runtime. It divides for feature cubes and multiplies by the reciprocal for plain tensors.
    Integer { mean: f32, std: f32, shift: f32, scale: f32, zero: f32 },
    /// round(value * factor) + offset with the numbers that the input converter of the hardware would use, halves down, the offset
    /// rounded on its own: so the vendor's runtime treats what could be pixels, also where it lies as a feature cube.
    Fixed { factor: f32, offset: f32, zero: f32 },
    /// The caller's numbers are the stored ones. In the gaps of rows the vendor's runtime then puts the mean for raw bytes and
    /// 0 for quantised numbers.
    Stored { zero: f32 },
}

impl Encoder {
    fn new(info: &TensorInfo, native: &NativeTensor, form: InputForm, given: ElementType) -> Self {
        let fixed = match native.arrangement {
            Arrangement::Pixels { .. } => true,
            Arrangement::Cube { .. } => native.nchw()[1] <= PIXEL_CHANNELS,
            Arrangement::Linear => false,
        };
        let converter = Converter::new(info, native).filter(|_| fixed);
        let channel = |index: usize| {
            let (mean, std) = info.channel_normalization(index);
            match info.quantization {
                None => Channel::Float { mean, std },
                // Bytes for the converter are raw; signed bytes are taken for numbers that are quantised already.
                Some(_) if form == InputForm::Bytes => Channel::Stored { zero: mean.round() },
                Some(_) if given == ElementType::I8 && native.element == ElementType::I8 => {
                    Channel::Stored { zero: 0.0 }
                }
                #[expect(clippy::cast_precision_loss, reason = "zero points are 8 or 16 bits wide")]
                Some(quantization) => {
                    let zero = quantization.zero_point as f32;
                    let scale = quantization.scale;
                    match converter.as_ref().and_then(|converter| converter.channel(index)) {
                        Some((factor, offset)) => Channel::Fixed { factor, offset, zero },
                        None => Channel::Integer { mean, std, shift: zero * scale, scale, zero },
                    }
                }
            }
        };
        let element = if form == InputForm::Bytes { ElementType::U8 } else { native.element };
        let channels = (0..native.nchw()[1].max(1)).map(channel).collect();
        let divide = matches!(native.arrangement, Arrangement::Cube { .. });
        let plain = native.arrangement == Arrangement::Linear;
        let wraps = plain && native.shape.len() != 4 && native.element == ElementType::I8;
        Self { element, channels, divide, wraps }
    }

    /// `plane` counts channels through all batches.
    fn store(&self, value: f32, plane: usize, out: &mut [u8]) {
        let stored = match self.channels[plane % self.channels.len()] {
            Channel::Float { mean, std } => (value - mean) / std,
            Channel::Integer { mean, std, shift, scale, .. } => {
                let sum = (value - mean) / std + shift;
                if self.divide { sum / scale } else { sum * (1.0 / scale) }.round_ties_even()
            }
            Channel::Fixed { factor, offset, .. } => (value * factor - 0.5).ceil() + offset,
            Channel::Stored { .. } => value,
        };
        #[expect(clippy::cast_possible_truncation, reason = "what is kept of a number beyond eight bits")]
        let stored = if self.wraps { f32::from(stored as i32 as i8) } else { stored };
        self.element.store(stored, out);
    }

    /// One pixel of what stands in the gaps of rows, which take part in the convolution.
    fn gap(&self) -> Vec<u8> {
        let mut pixel = vec![0; self.channels.len() * self.element.size()];
        for (channel, out) in self.channels.iter().zip(pixel.chunks_exact_mut(self.element.size())) {
            let zero = match channel {
                Channel::Float { .. } => 0.0,
                Channel::Integer { zero, .. } | Channel::Fixed { zero, .. } | Channel::Stored { zero } => *zero,
            };
            self.element.store(zero, out);
        }
        pixel
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
    // The device may have written here before, an earlier tensor in the same place. Without this the next reader's invalidation would
    // take those bytes and throw away what the host writes now.
    buffer.invalidate(range.clone()).map_err(Error::device(action()))?;
    let write = |bytes: &mut [u8]| native.scatter(logical, bytes);
    buffer.with_bytes_mut(range, write).map_err(Error::device(action()))
}

/// Bytes of `values` as elements of a tensor, quantised where it is.
pub(crate) fn encode(values: &[f32], element: ElementType, quantization: Option<crate::Quantization>) -> Vec<u8> {
    let size = element.size();
    let mut bytes = vec![0; values.len() * size];
    for (value, out) in values.iter().zip(bytes.chunks_exact_mut(size)) {
        #[expect(clippy::cast_precision_loss, reason = "zero points are 8 or 16 bits wide")]
        let stored = quantization.map_or(*value, |q| (value / q.scale + q.zero_point as f32).round_ties_even());
        element.store(stored, out);
    }
    bytes
}

/// How many pixels the vendor's runtime converts at once.
const PIXELS_AT_ONCE: usize = 4;

/// Stored numbers of an output to real ones, as the vendor's runtime rounds them. In feature cubes it takes whole groups of
/// channels four pixels at a time, with one fused multiply-add and the rounded product of zero point and scale. What is left
/// over, channels of an incomplete group and the last one to three pixels of a plane, and everything in plain tensors it
/// subtracts first and multiplies then. Read off outputs of the runtime in which the two differ: 2000 and more values in 30
/// shapes, without exception.
pub(crate) fn dequantize(values: &mut [f32], quantization: Quantization, native: &NativeTensor) {
    let Quantization { scale, zero_point } = quantization;
    #[expect(clippy::cast_precision_loss, reason = "zero points are 8 or 16 bits wide")]
    let zero = zero_point as f32;
    let [_, channels, height, width] = native.nchw();
    let plane = (height * width).max(1);
    let (channels_at_once, pixels_at_once) = match native.arrangement {
        Arrangement::Cube { c2, .. } => (channels / c2 * c2, plane / PIXELS_AT_ONCE * PIXELS_AT_ONCE),
        _ => (0, 0),
    };
    for (index, value) in values.iter_mut().enumerate() {
        let (channel, pixel) = (index / plane % channels.max(1), index % plane);
        let fused = channel < channels_at_once && pixel < pixels_at_once;
        *value = if fused { value.mul_add(scale, -(zero * scale)) } else { (*value - zero) * scale };
    }
}
