//! Pictures as inputs.

use std::io::Cursor;
use std::path::Path;

use ferrite_rknn_runtime::{ElementType, Layout, Normalization, Tensor, TensorInfo};
use image::imageops::{self, FilterType};
use image::{ImageFormat, ImageReader, RgbImage};

use crate::args_run::{Channels, InputArgs, Resize};
use crate::failure::{Exit, Failure};

/// Largest side of a picture, in pixels.
const LARGEST_SIDE: u32 = 1 << 15;
/// The most a picture may take when decoded, in bytes.
const LARGEST_ALLOCATION: u64 = 1 << 30;

/// Which picture formats are told apart; only PNG and JPEG can be read.
pub(crate) fn format(bytes: &[u8]) -> Option<ImageFormat> {
    image::guess_format(bytes).ok()
}

/// Size and channels an input wants, and where the network has its channels.
struct Frame {
    width: u32,
    height: u32,
    channels: usize,
    layout: Layout,
}

/// A picture brought to an input's size and domain.
pub(crate) fn load(
    path: &Path,
    bytes: &[u8],
    info: &TensorInfo,
    args: &InputArgs,
) -> Result<(Tensor, Layout), Failure> {
    let frame = frame(info)?;
    let host = host_normalization(info, args, frame.channels)?;
    let picture = resized(decode(path, bytes)?, &frame, args.resize, path)?;
    let mut pixels = Vec::with_capacity(frame.width as usize * frame.height as usize * frame.channels);
    let fill: Vec<Option<u8>> = fill(info.normalization.as_ref(), host.as_ref(), frame.channels);
    for y in 0..frame.height {
        for x in 0..frame.width {
            let pixel =
                (x < picture.width()).then(|| channels(picture.get_pixel(x, y).0, frame.channels, args.channels));
            for (channel, &fill) in fill.iter().enumerate() {
                pixels.push(pixel.map_or(fill, |pixel| Some(pixel[channel])));
            }
        }
    }
    let shape = vec![1, frame.height as usize, frame.width as usize, frame.channels];
    Ok((tensor(shape, &pixels, host.as_ref())?, frame.layout))
}

fn frame(info: &TensorInfo) -> Result<Frame, Failure> {
    let picture = |height: usize, width: usize, channels: usize, layout| {
        let side = |size: usize| u32::try_from(size).ok().filter(|&size| (1..=LARGEST_SIDE).contains(&size));
        let known = [1, 3].contains(&channels);
        known.then_some(Frame { width: side(width)?, height: side(height)?, channels, layout })
    };
    let frame = match *info.shape {
        // A network that has its channels last takes the rows of a picture as they are.
        [1, c, h, w] => picture(h, w, c, Layout::Nhwc).or_else(|| picture(c, h, w, Layout::Nchw)),
        _ => None,
    };
    frame.ok_or_else(|| {
        let shape = super::shape(&info.shape);
        Failure::input(format!("input `{}` has shape {shape}, which no picture fits", info.name))
            .help("pictures fit inputs 1xCxHxW or 1xHxWxC with 1 or 3 channels; give an array (.npy) instead")
    })
}

/// The mean and divisor from the command line, where the model has none.
fn host_normalization(info: &TensorInfo, args: &InputArgs, channels: usize) -> Result<Option<Normalization>, Failure> {
    if args.mean.is_empty() && args.std.is_empty() {
        return Ok(None);
    }
    if info.normalization.is_some() {
        return Err(Failure::input(format!("input `{}` has its mean and divisor in the model", info.name))
            .help("leave out --mean and --std"));
    }
    let expand = |values: &[f32], default: f32, flag: &str| match *values {
        [] => Ok(vec![default; channels]),
        [one] => Ok(vec![one; channels]),
        _ if values.len() == channels => Ok(values.to_vec()),
        _ => Err(Failure::input(format!(
            "{flag} has {} numbers, input `{}` {channels} channels",
            values.len(),
            info.name
        ))),
    };
    let normalization =
        Normalization { mean: expand(&args.mean, 0.0, "--mean")?, std: expand(&args.std, 1.0, "--std")? };
    match normalization.std.iter().find(|std| **std == 0.0 || !std.is_finite()) {
        Some(std) => Err(Failure::input(format!("--std cannot be {std}"))),
        None => Ok(Some(normalization)),
    }
}

fn decode(path: &Path, bytes: &[u8]) -> Result<RgbImage, Failure> {
    let refused = |exit, error: &dyn std::error::Error| {
        Failure::new(exit, format!("cannot read the picture `{}`", path.display())).because(error)
    };
    let mut reader =
        ImageReader::new(Cursor::new(bytes)).with_guessed_format().map_err(|e| refused(Exit::Input, &e))?;
    let mut limits = image::Limits::default();
    limits.max_image_width = Some(LARGEST_SIDE);
    limits.max_image_height = Some(LARGEST_SIDE);
    limits.max_alloc = Some(LARGEST_ALLOCATION);
    reader.limits(limits);
    let picture = reader.decode().map_err(|error| match error {
        image::ImageError::Unsupported(_) => {
            refused(Exit::Unsupported, &error).help("PNG and JPEG pictures can be read; convert this one")
        }
        _ => refused(Exit::Input, &error),
    })?;
    Ok(picture.to_rgb8())
}

fn resized(picture: RgbImage, frame: &Frame, resize: Resize, path: &Path) -> Result<RgbImage, Failure> {
    let (width, height) = picture.dimensions();
    let wanted = match resize {
        Resize::Stretch => (frame.width, frame.height),
        Resize::Fit => {
            let scaled = f64::from(width) * f64::from(frame.height) / f64::from(height.max(1));
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a small positive number")]
            let scaled = scaled.round() as u32;
            (scaled.clamp(1, frame.width), frame.height)
        }
        Resize::None if (width, height) == (frame.width, frame.height) => (width, height),
        Resize::None => {
            let text =
                format!("`{}` has {width}x{height} pixels, the input {}x{}", path.display(), frame.width, frame.height);
            return Err(Failure::input(text).help("leave out `--resize none`, or bring the picture to that size"));
        }
    };
    if wanted == (width, height) {
        return Ok(picture);
    }
    // Bilinear, widened to the covered pixels when it makes smaller, as Pillow does it too.
    Ok(imageops::resize(&picture, wanted.0, wanted.1, FilterType::Triangle))
}

/// The channels of a pixel in the network's order.
fn channels([r, g, b]: [u8; 3], count: usize, order: Channels) -> [u8; 3] {
    match (count, order) {
        (1, _) => {
            // ITU-R BT.601 in 16-bit fixed point, rounded: the weights of OpenCV and Pillow.
            let grey = (19595 * u32::from(r) + 38470 * u32::from(g) + 7471 * u32::from(b) + (1 << 15)) >> 16;
            [u8::try_from(grey).unwrap_or(u8::MAX); 3]
        }
        (_, Channels::Rgb) => [r, g, b],
        (_, Channels::Bgr) => [b, g, r],
    }
}

/// What fills the columns that a picture leaves free, by channel: the pixel that normalises to zero, as near as a byte can be.
/// `None` is zero after a normalisation on the host, which need not be a byte's.
fn fill(model: Option<&Normalization>, host: Option<&Normalization>, channels: usize) -> Vec<Option<u8>> {
    let mean = |channel: usize| match model {
        Some(model) => model.mean.get(channel).or(model.mean.first()).copied().unwrap_or(0.0),
        None => 0.0,
    };
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to a byte")]
    let byte = |channel: usize| mean(channel).round().clamp(0.0, 255.0) as u8;
    (0..channels).map(|channel| host.is_none().then(|| byte(channel))).collect()
}

fn tensor(shape: Vec<usize>, pixels: &[Option<u8>], host: Option<&Normalization>) -> Result<Tensor, Failure> {
    let made = match host {
        None => Tensor::new(ElementType::U8, shape, pixels.iter().map(|pixel| pixel.unwrap_or(0)).collect()),
        Some(Normalization { mean, std }) => {
            let value = |(at, pixel): (usize, &Option<u8>)| {
                let channel = at % mean.len();
                pixel.map_or(0.0, |pixel| (f32::from(pixel) - mean[channel]) / std[channel])
            };
            Tensor::from_f32(shape, &pixels.iter().enumerate().map(value).collect::<Vec<f32>>())
        }
    };
    made.map_err(|error| super::failed("cannot make an input of a picture", &error))
}

#[cfg(test)]
#[path = "image_tests.rs"]
mod tests;
