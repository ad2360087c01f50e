//! Values of inputs, from files of several kinds.

use std::path::Path;

use ferrite_rknn::FileKind;
use ferrite_rknn_runtime::{ElementType, Layout, Tensor, TensorInfo};
use image::ImageFormat;

use super::specs::Source;
use super::{image as picture, random, shape};
use crate::args_run::{InputArgs, LayoutArg};
use crate::failure::Failure;
use crate::npz::{self, Archive, NPY_MAGIC, NPZ_MAGIC};
use crate::source;

/// The value of input number `index` and its layout.
pub(crate) fn load(
    source: &Source,
    index: usize,
    info: &TensorInfo,
    args: &InputArgs,
) -> Result<(Tensor, Layout), Failure> {
    match source {
        Source::Random { seed } => Ok((random::tensor(info, index, *seed)?, Layout::Nchw)),
        Source::Member { path, member } => {
            let bytes = source::read(path, "the input")?;
            let value = Archive::open(bytes).and_then(|mut archive| archive.read(member));
            array(path, value, info, args)
        }
        Source::File { path, element } => file(path, *element, info, args),
    }
}

fn file(
    path: &Path,
    element: Option<ElementType>,
    info: &TensorInfo,
    args: &InputArgs,
) -> Result<(Tensor, Layout), Failure> {
    let bytes = source::read(path, "the input")?;
    let native = args.layout == Some(LayoutArg::Native);
    if element.is_some() || (native && !bytes.starts_with(NPY_MAGIC)) {
        return bare(path, bytes, element, info, args);
    }
    if bytes.starts_with(NPY_MAGIC) {
        return array(path, npz::read_npy(&bytes), info, args);
    }
    if NPZ_MAGIC.iter().any(|magic| bytes.starts_with(magic)) {
        return archive(path, bytes, info, args);
    }
    match (picture::format(&bytes), ferrite_rknn::sniff(&bytes)) {
        (Some(ImageFormat::Png | ImageFormat::Jpeg), _) => picture::load(path, &bytes, info, args),
        (_, kind @ (FileKind::GitLfsPointer | FileKind::Html | FileKind::Rknn { .. } | FileKind::Empty)) => {
            Err(Failure::input(format!("cannot use `{}` as an input: it is {kind}", path.display())))
        }
        // Bare values may begin like anything; what has the right size is taken for them.
        (format, _) => match (guess(&bytes, info), format) {
            (None, Some(_)) => picture::load(path, &bytes, info, args),
            (element, _) => bare(path, bytes, element, info, args),
        },
    }
}

/// An archive that was named for one input.
fn archive(path: &Path, bytes: Vec<u8>, info: &TensorInfo, args: &InputArgs) -> Result<(Tensor, Layout), Failure> {
    let value = Archive::open(bytes).and_then(|mut archive| {
        let names = archive.names();
        let only = if let [one] = names.as_slice() { Some(one.clone()) } else { None };
        let member = archive.find("in", &info.name).or(only).unwrap_or_else(|| info.name.clone());
        archive.read(&member)
    });
    array(path, value, info, args)
}

fn array(
    path: &Path,
    value: Result<Tensor, npz::ArrayError>,
    info: &TensorInfo,
    args: &InputArgs,
) -> Result<(Tensor, Layout), Failure> {
    let value = value.map_err(|error| Failure::input(format!("cannot read `{}`", path.display())).because(&error))?;
    if args.layout == Some(LayoutArg::Native) {
        return Ok((value, Layout::Native));
    }
    let layouts = match args.layout {
        Some(LayoutArg::Nhwc) => vec![Layout::Nhwc],
        Some(_) => vec![Layout::Nchw],
        None => vec![Layout::Nchw, Layout::Nhwc],
    };
    let fits = |layout: &Layout| without_batch(&ordered(&info.shape, *layout)) == without_batch(value.shape());
    if let Some(layout) = layouts.iter().copied().find(fits) {
        let dimensions = ordered(&info.shape, layout);
        let value = Tensor::new(value.element(), dimensions, value.bytes().to_vec());
        return Ok((value.map_err(|error| super::failed("cannot use the array", &error))?, layout));
    }
    let mut wanted: Vec<String> = layouts.iter().map(|layout| shape(&ordered(&info.shape, *layout))).collect();
    wanted.dedup();
    let have = shape(value.shape());
    Err(Failure::input(format!("`{}` has shape {have}, input `{}` {}", path.display(), info.name, wanted.join(" or "))))
}

/// A shape in a layout's order of dimensions.
fn ordered(shape: &[usize], layout: Layout) -> Vec<usize> {
    match (layout, shape) {
        (Layout::Nhwc, &[n, c, h, w]) => vec![n, h, w, c],
        _ => shape.to_vec(),
    }
}

/// A shape without the ones in front, which may be left out.
fn without_batch(shape: &[usize]) -> Vec<usize> {
    shape.iter().copied().skip_while(|&size| size == 1).collect()
}

/// The element type of bare values, by the size of the file.
fn guess(bytes: &[u8], info: &TensorInfo) -> Option<ElementType> {
    let count =
        info.shape.iter().try_fold(1_usize, |count, &size| count.checked_mul(size)).filter(|&count| count > 0)?;
    let float = [ElementType::F32, ElementType::F16, ElementType::Bf16].contains(&info.element);
    let own = |size: usize| !float && info.quantization.is_none() && info.element.size() == size;
    match (bytes.len().is_multiple_of(count), bytes.len() / count) {
        (true, size) if own(size) => Some(info.element),
        (true, 4) => Some(ElementType::F32),
        (true, 2) => Some(if info.element == ElementType::Bf16 { ElementType::Bf16 } else { ElementType::F16 }),
        (true, 1) => Some(ElementType::U8),
        _ => None,
    }
}

fn bare(
    path: &Path,
    bytes: Vec<u8>,
    element: Option<ElementType>,
    info: &TensorInfo,
    args: &InputArgs,
) -> Result<(Tensor, Layout), Failure> {
    if args.layout == Some(LayoutArg::Native) {
        let value = Tensor::new(ElementType::U8, vec![bytes.len()], bytes);
        return Ok((value.map_err(|error| super::failed("cannot use the bytes", &error))?, Layout::Native));
    }
    let layout = if args.layout == Some(LayoutArg::Nhwc) { Layout::Nhwc } else { Layout::Nchw };
    let have = bytes.len();
    let count = info.shape.iter().fold(1_usize, |count, &size| count.saturating_mul(size));
    let wanted = |element: ElementType| format!("{} for {}", count.saturating_mul(element.size()), element.name());
    let wrong = |wanted: String| {
        Failure::input(format!("`{}` has {have} bytes; input `{}` needs {wanted}", path.display(), info.name)).help(
            "PNG, JPEG, .npy and .npz files are recognised by their content; anything else is taken for bare values",
        )
    };
    let Some(element) = element else {
        let types = [ElementType::F32, ElementType::F16, ElementType::U8];
        return Err(wrong(types.map(wanted).join(", ")));
    };
    let value = Tensor::new(element, ordered(&info.shape, layout), bytes);
    value.map(|value| (value, layout)).map_err(|_| wrong(wanted(element)))
}
