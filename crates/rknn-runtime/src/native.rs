//! Where the elements of a tensor lie in device memory.
//!
//! Three arrangements occur. The rules for strides were established by reading the buffers that the vendor's runtime
//! hands the kernel (`docs/rknn-format.md`, "Tensors in memory").

use ferrite_rknn::{Kind, Layout as ModelLayout};

use crate::Error;
use crate::tensor::{ElementType, element_count};

/// Bytes of one atom: the channels of one pixel in one surface of a feature cube.
const ATOM: usize = 16;

/// Arrangement of one tensor in device memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Arrangement {
    /// Row-major in the logical order of dimensions.
    Linear,
    /// Feature cube NC1HWC2.
    Cube {
        /// Elements per atom.
        c2: usize,
        /// Bytes from one batch element to the next.
        batch_stride: usize,
        /// Bytes from one surface (C1) to the next.
        surface_stride: usize,
    },
    /// Pixels of few interleaved channels, rows padded to `width_stride` pixels.
    Pixels {
        /// Pixels from one row to the next.
        width_stride: usize,
    },
}

/// A tensor's shape, type and arrangement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NativeTensor {
    pub(crate) name: String,
    pub(crate) element: ElementType,
    /// As the network defines it.
    pub(crate) shape: Vec<usize>,
    pub(crate) arrangement: Arrangement,
    /// Bytes in device memory.
    pub(crate) bytes: usize,
}

impl NativeTensor {
    pub(crate) fn new(tensor: &ferrite_rknn::Tensor) -> Result<Self, Error> {
        let element = ElementType::of_model(tensor.data_type, &tensor.name)?;
        let shape: Vec<usize> = tensor.shape.iter().map(|&size| size as usize).collect();
        let native: Vec<usize> = tensor.native_shape.iter().map(|&size| size as usize).collect();
        let arrangement = arrangement(tensor, element, &shape, &native)?;
        let this = Self { name: tensor.name.clone(), element, shape, arrangement, bytes: tensor.size as usize };
        this.check_extent()?;
        Ok(this)
    }

    /// `[N, C, H, W]` with ones for dimensions the tensor does not have.
    pub(crate) fn nchw(&self) -> [usize; 4] {
        nchw(&self.shape)
    }

    /// Number of elements.
    pub(crate) fn elements(&self) -> usize {
        self.shape.iter().product()
    }

    /// Byte offset of element (n, c, 0, 0), and byte strides of h and w.
    fn place(&self, n: usize, c: usize) -> (usize, usize, usize) {
        let size = self.element.size();
        let [_, channels, height, width] = self.nchw();
        match self.arrangement {
            Arrangement::Linear => ((n * channels + c) * height * width * size, width * size, size),
            Arrangement::Cube { c2, batch_stride, surface_stride } => {
                (n * batch_stride + c / c2 * surface_stride + c % c2 * size, width * ATOM, ATOM)
            }
            Arrangement::Pixels { width_stride } => {
                let pixel = channels * size;
                (n * height * width_stride * pixel + c * size, width_stride * pixel, pixel)
            }
        }
    }

    /// The highest element must end inside the tensor's declared bytes.
    fn check_extent(&self) -> Result<(), Error> {
        let fail = || {
            let reason =
                format!("shape {:?} of {} does not fit its {} bytes", self.shape, self.element.name(), self.bytes);
            Error::inconsistent(format!("tensor `{}`", self.name), reason)
        };
        let count = element_count(&self.shape).ok_or_else(fail)?;
        // No arrangement stores an element in less than its size, so this bounds everything below.
        if count.checked_mul(self.element.size()).is_none_or(|bytes| bytes > self.bytes) {
            return Err(fail());
        }
        if self.end().is_none_or(|end| end > self.bytes) { Err(fail()) } else { Ok(()) }
    }

    /// Bytes up to the end of the last element, unless they are too many to count.
    pub(crate) fn end(&self) -> Option<usize> {
        let [n, c, h, w] = self.nchw();
        if [n, c, h, w].contains(&0) {
            return Some(0);
        }
        let (start, row, column) = self.place(n - 1, c - 1);
        let rows = (h - 1).checked_mul(row)?;
        rows.checked_add((w - 1).checked_mul(column)?)?.checked_add(start)?.checked_add(self.element.size())
    }

    /// Copies elements from device order to row-major logical order.
    pub(crate) fn gather(&self, native: &[u8], out: &mut Vec<u8>) {
        let size = self.element.size();
        out.clear();
        let bytes = self.elements() * size;
        if self.arrangement == Arrangement::Linear {
            out.extend_from_slice(&native[..bytes]);
            return;
        }
        out.reserve(bytes);
        let [batch, channels, height, width] = self.nchw();
        for n in 0..batch {
            for c in 0..channels {
                let (start, row, column) = self.place(n, c);
                for y in 0..height {
                    let line = start + y * row;
                    for x in 0..width {
                        let at = line + x * column;
                        out.extend_from_slice(&native[at..at + size]);
                    }
                }
            }
        }
    }

    /// Copies row-major logical elements to their places in device order. Bytes between elements stay as they are.
    pub(crate) fn scatter(&self, logical: &[u8], native: &mut [u8]) {
        if self.arrangement == Arrangement::Linear {
            let bytes = logical.len().min(native.len());
            native[..bytes].copy_from_slice(&logical[..bytes]);
            return;
        }
        let size = self.element.size();
        let mut elements = logical.chunks_exact(size);
        let [batch, channels, height, width] = self.nchw();
        for n in 0..batch {
            for c in 0..channels {
                let (start, row, column) = self.place(n, c);
                for y in 0..height {
                    let line = start + y * row;
                    for (x, element) in (0..width).zip(&mut elements) {
                        let at = line + x * column;
                        native[at..at + size].copy_from_slice(element);
                    }
                }
            }
        }
    }

    /// For padded pixel rows: repeats `gap`, the bytes of one pixel, right of the picture.
    pub(crate) fn fill_row_gaps(&self, gap: &[u8], native: &mut [u8]) {
        let Arrangement::Pixels { width_stride } = self.arrangement else { return };
        let [batch, channels, height, width] = self.nchw();
        let pixel = channels * self.element.size();
        for row in native.chunks_exact_mut((width_stride * pixel).max(1)).take(batch * height) {
            for place in row[width * pixel..].chunks_exact_mut(gap.len()) {
                place.copy_from_slice(gap);
            }
        }
    }
}

/// `[N, C, H, W]` of a shape: missing inner dimensions are ones, extra inner ones fold into W.
fn nchw(shape: &[usize]) -> [usize; 4] {
    let dimension = |axis: usize| shape.get(axis).copied().unwrap_or(1);
    // Saturating: a zero in front makes any number of elements behind it add up to none.
    let rest = shape.iter().skip(3).fold(1_usize, |product, &size| product.saturating_mul(size));
    [dimension(0), dimension(1), dimension(2), rest]
}

/// Pixels in a row of a few-channel input: whole 16-byte groups of one channel (8 pixels of fp16, 16 of int8).
pub(crate) fn padded_width(width: usize, element: ElementType) -> Option<usize> {
    width.checked_next_multiple_of(ATOM / element.size())
}

fn arrangement(
    tensor: &ferrite_rknn::Tensor,
    element: ElementType,
    shape: &[usize],
    native: &[usize],
) -> Result<Arrangement, Error> {
    if tensor.layout != ModelLayout::NC1HWC2 {
        return Ok(Arrangement::Linear);
    }
    let bad = |reason: String| Error::inconsistent(format!("tensor `{}`", tensor.name), reason);
    // Results of operators on the host keep four dimensions although the layout says five.
    let &[n, c1, height, width, c2] = native else { return Ok(Arrangement::Linear) };
    let [batch, channels, logical_height, logical_width] = nchw(shape);
    if (n, height, width) != (batch, logical_height, logical_width) {
        return Err(bad(format!("native shape {native:?} does not match shape {shape:?}")));
    }
    if c1 == 1 && c2 == channels && c2 * element.size() < ATOM && tensor.kind == Kind::INPUT {
        let width_stride = padded_width(width, element).ok_or_else(|| bad(format!("width {width} is too large")))?;
        return Ok(Arrangement::Pixels { width_stride });
    }
    if c2 == 0 || c2 * element.size() != ATOM || channels.div_ceil(c2) > c1 {
        return Err(bad(format!("native shape {native:?} cannot hold {channels} channels of {}", element.name())));
    }
    let too_large = || bad(format!("native shape {native:?} is too large"));
    let pixels = height.checked_mul(width).ok_or_else(too_large)?;
    // Graph inputs are packed; all else starts its surfaces at multiples of four pixels, single pixels excepted.
    let pixels = if tensor.kind == Kind::INPUT || pixels == 1 {
        pixels
    } else {
        pixels.checked_next_multiple_of(4).ok_or_else(too_large)?
    };
    let surface_stride = pixels.checked_mul(ATOM).ok_or_else(too_large)?;
    // The file counts surfaces in whole groups of kernels; pictures of a batch lie as close as their channels allow.
    let batch_stride = surface_stride.checked_mul(channels.div_ceil(c2)).ok_or_else(too_large)?;
    batch_stride.checked_mul(batch).ok_or_else(too_large)?;
    Ok(Arrangement::Cube { c2, batch_stride, surface_stride })
}

#[cfg(test)]
mod tests {
    use super::nchw;

    #[test]
    fn dimensions_behind_a_zero_may_be_anything() {
        let huge = u32::MAX as usize;
        assert_eq!(nchw(&[0, huge, huge, huge, huge, huge]), [0, huge, huge, usize::MAX]);
        assert_eq!(nchw(&[2, 3]), [2, 3, 1, 1]);
    }
}
