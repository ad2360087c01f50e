//! The feature layout NC1HWC2.
//!
//! An *atom* holds C2 consecutive channels of one pixel. Atoms of a line lie side by side; lines and surfaces (all pixels of one
//! group of C2 channels) follow at strides of their own:
//! `address = base + c / C2 * surface_stride + y * line_stride + x * atom + c % C2 * element`.
//!
//! An atom is 16 bytes on the RK3588, so C2 is 16, 8 or 4 for elements of 1, 2 or 4 bytes; on RK3566 and RK3568 it is half
//! of that (see [`Soc::atom_bytes`](crate::Soc::atom_bytes)). Source: layouts in the vendor's matmul header; on the RK3588 also
//! programs of the vendor's compiler, whose results come out right when executed with this rule.

use super::{Dimensions, LayoutError, at_least, exactly};

/// Bytes of an atom on the RK3588.
pub const ATOM_BYTES: usize = 16;

/// Where the elements of one image lie. A batch is several images, each with its own base.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct FeatureLayout {
    channels: usize,
    height: usize,
    width: usize,
    element: usize,
    atom: usize,
    line_stride: usize,
    surface_stride: usize,
}

/// The order of a dense tensor of one image.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Order {
    /// Channel, line, pixel.
    Chw,
    /// Line, pixel, channel.
    Hwc,
}

impl FeatureLayout {
    /// A layout without gaps: lines of `width` atoms, surfaces of `height` lines. `element` and `atom` are bytes.
    ///
    /// # Errors
    /// For elements other than 1, 2 or 4 bytes, atoms that are no multiple of the element, and sizes that are zero or too large.
    pub fn dense(
        channels: usize,
        height: usize,
        width: usize,
        element: usize,
        atom: usize,
    ) -> Result<Self, LayoutError> {
        let line = width.checked_mul(atom);
        let surface = line.and_then(|line| line.checked_mul(height));
        let (Some(line), Some(surface)) = (line, surface) else {
            return Err(too_large(channels, height, width));
        };
        Self::strided(channels, height, width, element, atom, line, surface)
    }

    /// The layout that the vendor gives the tensors between operators: dense, but a surface takes a multiple of 4 atoms unless
    /// it is a single pixel.
    ///
    /// # Errors
    /// As [`dense`](Self::dense).
    pub fn aligned(
        channels: usize,
        height: usize,
        width: usize,
        element: usize,
        atom: usize,
    ) -> Result<Self, LayoutError> {
        let pixels = height.checked_mul(width).ok_or(too_large(channels, height, width))?;
        let dense = Self::dense(channels, height, width, element, atom)?;
        let pixels = if pixels == 1 { Some(1) } else { pixels.checked_next_multiple_of(4) };
        let surface = pixels.and_then(|pixels| pixels.checked_mul(atom)).ok_or(too_large(channels, height, width))?;
        Self::strided(channels, height, width, element, atom, dense.line_stride, surface)
    }

    /// A layout with explicit strides, in bytes. They may leave gaps, and they may overlap: a reader that repeats a line has a
    /// line stride of 0.
    ///
    /// # Errors
    /// As [`dense`](Self::dense).
    pub fn strided(
        channels: usize,
        height: usize,
        width: usize,
        element: usize,
        atom: usize,
        line_stride: usize,
        surface_stride: usize,
    ) -> Result<Self, LayoutError> {
        if !matches!(element, 1 | 2 | 4) || atom == 0 || !atom.is_multiple_of(element) {
            return Err(LayoutError::Element { bytes: element, supported: "1, 2 and 4, which must divide the atom" });
        }
        let layout = Self { channels, height, width, element, atom, line_stride, surface_stride };
        let span = layout.checked_span();
        let tensor = [channels, height, width, element].into_iter().try_fold(1usize, usize::checked_mul);
        match (span, tensor) {
            // Every offset is below the span, so a span that fits keeps all later arithmetic from overflowing.
            (Some(span), Some(tensor)) if tensor > 0 && isize::try_from(span.max(tensor)).is_ok() => Ok(layout),
            _ => Err(too_large(channels, height, width)),
        }
    }

    fn checked_span(&self) -> Option<usize> {
        let surfaces = (self.surfaces().checked_sub(1)?).checked_mul(self.surface_stride)?;
        let lines = (self.height.checked_sub(1)?).checked_mul(self.line_stride)?;
        self.width.checked_mul(self.atom)?.checked_add(lines)?.checked_add(surfaces)
    }

    /// Channels side by side in an atom: C2.
    pub const fn atom_channels(&self) -> usize {
        self.atom / self.element
    }

    /// Number of surfaces: C1, the channels in groups of C2, rounded up.
    pub const fn surfaces(&self) -> usize {
        self.channels.div_ceil(self.atom_channels())
    }

    /// Bytes from one line to the next.
    pub const fn line_stride(&self) -> usize {
        self.line_stride
    }

    /// Bytes from one surface to the next.
    pub const fn surface_stride(&self) -> usize {
        self.surface_stride
    }

    /// Bytes from the base to the end of the last atom.
    pub fn span(&self) -> usize {
        // The constructors checked it.
        self.checked_span().unwrap_or(usize::MAX)
    }

    /// Bytes of the tensor without any gap or padding.
    pub const fn tensor_bytes(&self) -> usize {
        self.channels * self.height * self.width * self.element
    }

    /// Byte offset of an element from the base, or `None` outside the tensor. The padding lanes behind the last channel of the
    /// last surface count as inside, since programs read and write them.
    pub const fn offset(&self, channel: usize, y: usize, x: usize) -> Option<usize> {
        let lanes = self.atom_channels();
        if channel / lanes >= self.surfaces() || y >= self.height || x >= self.width {
            return None;
        }
        let atom = channel / lanes * self.surface_stride + y * self.line_stride + x * self.atom;
        Some(atom + channel % lanes * self.element)
    }

    /// Puts a dense tensor into device memory. Lanes behind the last channel get `padding`, one element in its byte order
    /// (zero, or the zero point of a quantised tensor); gaps between lines and surfaces stay as they are.
    ///
    /// # Errors
    /// If `tensor` is not exactly the tensor, `padding` not one element, or `memory` shorter than [`span`](Self::span).
    pub fn pack(&self, order: Order, tensor: &[u8], padding: &[u8], memory: &mut [u8]) -> Result<(), LayoutError> {
        exactly("the tensor", tensor.len(), self.tensor_bytes())?;
        exactly("the padding", padding.len(), self.element)?;
        at_least("the memory", memory.len(), self.span())?;
        match self.element {
            1 => self.pack_elements::<1>(order, tensor, padding, memory),
            2 => self.pack_elements::<2>(order, tensor, padding, memory),
            _ => self.pack_elements::<4>(order, tensor, padding, memory),
        }
        Ok(())
    }

    /// Takes a dense tensor out of device memory.
    ///
    /// # Errors
    /// If `tensor` is not exactly the tensor or `memory` shorter than [`span`](Self::span).
    pub fn unpack(&self, order: Order, memory: &[u8], tensor: &mut [u8]) -> Result<(), LayoutError> {
        exactly("the tensor", tensor.len(), self.tensor_bytes())?;
        at_least("the memory", memory.len(), self.span())?;
        match self.element {
            1 => self.unpack_elements::<1>(order, memory, tensor),
            2 => self.unpack_elements::<2>(order, memory, tensor),
            _ => self.unpack_elements::<4>(order, memory, tensor),
        }
        Ok(())
    }

    fn pack_elements<const N: usize>(&self, order: Order, tensor: &[u8], padding: &[u8], memory: &mut [u8]) {
        let (tensor, padding) = (tensor.as_chunks::<N>().0, padding.as_chunks::<N>().0[0]);
        self.for_each_atom(order, |atom, first, stride, count| {
            let lanes = memory[atom..atom + self.atom].as_chunks_mut::<N>().0;
            for (lane, target) in lanes.iter_mut().enumerate() {
                *target = if lane < count { tensor[first + lane * stride] } else { padding };
            }
        });
    }

    fn unpack_elements<const N: usize>(&self, order: Order, memory: &[u8], tensor: &mut [u8]) {
        let tensor = tensor.as_chunks_mut::<N>().0;
        self.for_each_atom(order, |atom, first, stride, count| {
            let lanes = memory[atom..atom + self.atom].as_chunks::<N>().0;
            for (lane, source) in lanes.iter().take(count).enumerate() {
                tensor[first + lane * stride] = *source;
            }
        });
    }

    /// Calls with each atom's byte offset, the index of its first channel in the dense tensor, the distance to the next
    /// channel there, and the number of channels that are not padding.
    fn for_each_atom(&self, order: Order, mut atom_at: impl FnMut(usize, usize, usize, usize)) {
        let lanes = self.atom_channels();
        let (channel_step, line_step, pixel_step) = match order {
            Order::Chw => (self.height * self.width, self.width, 1),
            Order::Hwc => (1, self.width * self.channels, self.channels),
        };
        for surface in 0..self.surfaces() {
            let channel = surface * lanes;
            let count = lanes.min(self.channels - channel);
            for y in 0..self.height {
                let line = surface * self.surface_stride + y * self.line_stride;
                let first = channel * channel_step + y * line_step;
                for x in 0..self.width {
                    atom_at(line + x * self.atom, first + x * pixel_step, channel_step, count);
                }
            }
        }
    }
}

fn too_large(channels: usize, height: usize, width: usize) -> LayoutError {
    let names = ["images", "channels", "height", "width"];
    LayoutError::Dimensions { dimensions: Dimensions { names, sizes: [1, channels, height, width] } }
}
