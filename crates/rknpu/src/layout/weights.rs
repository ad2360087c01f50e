//! The order of convolution weights on the RK3588.
//!
//! *Direct*: kernels come in groups of 32 (elements of 1 byte) or 16 (2 bytes), the last group short. Inside a group: input
//! channels in groups of 32, then lines, pixels, kernels of the group, channels of the group. The last group of input channels is
//! filled up to 16 or 32 channels (1 byte), or 8, 16 or 32 (2 bytes). With elements of 1 byte an odd number of kernels gets one
//! more, all zeros; `CNA.WEIGHT_SIZE2` counts it.
//!
//! *Depthwise*: channels come in groups of 64 (1 byte) or 32 (2 bytes). Inside a group: lines, pixels, channels. The last
//! group is filled up to 16, 32 or 64 channels (1 byte), or 8, 16 or 32 (2 bytes).
//!
//! Filling is with weights that mean nothing: zero, or the zero point of the kernel (depthwise: of the first channel) where
//! weights are quantised asymmetrically.
//!
//! Source: the weight descriptors that the vendor's compiler leaves in its containers and published hardware sweeps; held
//! against blobs of that compiler in this crate's tests.

use std::ops::Range;

use super::{Dimensions, LayoutError, exactly};

/// Input channels of a full group.
const GROUP_CHANNELS: usize = 32;

/// The kind of convolution.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum WeightKind {
    /// Every kernel sees every input channel.
    Direct,
    /// One kernel per channel.
    Depthwise,
}

/// Where the weights of a convolution lie in its blob.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct WeightLayout {
    kind: WeightKind,
    kernels: usize,
    channels: usize,
    height: usize,
    width: usize,
    element: usize,
}

impl WeightLayout {
    /// Weights of a direct convolution; the dense tensor is `[kernels][channels][height][width]`. `element` is in bytes.
    ///
    /// # Errors
    /// For elements other than 1 or 2 bytes and sizes that are zero or too large.
    pub fn direct(
        kernels: usize,
        channels: usize,
        height: usize,
        width: usize,
        element: usize,
    ) -> Result<Self, LayoutError> {
        Self { kind: WeightKind::Direct, kernels, channels, height, width, element }.checked()
    }

    /// Weights of a depthwise convolution; the dense tensor is `[channels][height][width]`. `element` is in bytes.
    ///
    /// # Errors
    /// As [`direct`](Self::direct).
    pub fn depthwise(channels: usize, height: usize, width: usize, element: usize) -> Result<Self, LayoutError> {
        Self { kind: WeightKind::Depthwise, kernels: 1, channels, height, width, element }.checked()
    }

    fn checked(self) -> Result<Self, LayoutError> {
        if !matches!(self.element, 1 | 2) {
            return Err(LayoutError::Element { bytes: self.element, supported: "1 and 2" });
        }
        let sizes = [self.kernels, self.channels, self.height, self.width];
        let error = || {
            let names = ["kernels", "channels", "height", "width"];
            LayoutError::Dimensions { dimensions: Dimensions { names, sizes } }
        };
        // Padding adds at most one kernel and less than one full group of 64 channels, so this bounds the blob and every offset in it.
        let (kernels, padded) = self.kernels.checked_add(1).zip(self.channels.checked_add(64)).ok_or_else(error)?;
        let bound = [kernels, padded, self.height, self.width, self.element];
        let bytes =
            bound.into_iter().try_fold(1usize, usize::checked_mul).filter(|bytes| *bytes <= isize::MAX as usize);
        if bytes.is_none() || sizes.contains(&0) { Err(error()) } else { Ok(self) }
    }

    /// The kind of convolution.
    pub const fn kind(&self) -> WeightKind {
        self.kind
    }

    /// Kernels of the dense tensor; 1 for a depthwise convolution, as the registers count.
    pub const fn kernels(&self) -> usize {
        self.kernels
    }

    /// Channels of the dense tensor.
    pub const fn channels(&self) -> usize {
        self.channels
    }

    /// Kernels of a full group of a direct convolution.
    pub const fn group_kernels(&self) -> usize {
        if self.element == 1 { 32 } else { 16 }
    }

    /// Channels of a full group.
    pub const fn group_channels(&self) -> usize {
        match self.kind {
            WeightKind::Direct => GROUP_CHANNELS,
            WeightKind::Depthwise => GROUP_CHANNELS * 2 / self.element,
        }
    }

    /// Channels in the blob: the last group filled up.
    pub const fn padded_channels(&self) -> usize {
        let full = self.channels / self.group_channels() * self.group_channels();
        full + self.padded_tail(self.channels - full)
    }

    /// The size that a last group with so many channels is filled up to.
    const fn padded_tail(&self, channels: usize) -> usize {
        let smallest = if self.element == 1 { 16 } else { 8 };
        match channels {
            0 => 0,
            _ if channels <= smallest => smallest,
            _ if channels <= smallest * 2 => smallest * 2,
            _ => smallest * 4,
        }
    }

    /// Kernels in the blob, `CNA.WEIGHT_SIZE2`.
    pub const fn padded_kernels(&self) -> usize {
        match self.kind {
            WeightKind::Direct if self.element == 1 => self.kernels.next_multiple_of(2),
            _ => self.kernels,
        }
    }

    /// Bytes of one kernel in the blob, `CNA.WEIGHT_SIZE1`.
    pub const fn kernel_bytes(&self) -> usize {
        self.height * self.width * self.padded_channels() * self.element
    }

    /// Bytes of the blob, `CNA.WEIGHT_SIZE0`.
    pub const fn blob_bytes(&self) -> usize {
        self.padded_kernels() * self.kernel_bytes()
    }

    /// Bytes of the dense tensor.
    pub const fn tensor_bytes(&self) -> usize {
        self.kernels * self.channels * self.height * self.width * self.element
    }

    /// Byte offset of a weight in the blob, or `None` outside the tensor. `kernel` is 0 for a depthwise convolution. Padding
    /// channels and kernels count as inside.
    pub const fn offset(&self, kernel: usize, channel: usize, y: usize, x: usize) -> Option<usize> {
        if kernel >= self.padded_kernels() || channel >= self.padded_channels() || y >= self.height || x >= self.width {
            return None;
        }
        let first_kernel = kernel / self.group_kernels() * self.group_kernels();
        let first_channel = channel / self.group_channels() * self.group_channels();
        let kernels = minimum(self.padded_kernels() - first_kernel, self.group_kernels());
        let channels = minimum(self.padded_channels() - first_channel, self.group_channels());
        let area = self.height * self.width;
        let groups = first_kernel * area * self.padded_channels() + kernels * area * first_channel;
        let inside = ((y * self.width + x) * kernels + kernel - first_kernel) * channels + channel - first_channel;
        Some((groups + inside) * self.element)
    }

    /// The blob of a dense tensor. Padding channels get `zero_points`: one element for each of [`kernels`](Self::kernels), in its
    /// byte order, or nothing for zeros. They must not contribute, whatever the feature has in those channels.
    ///
    /// # Errors
    /// If `tensor` is not exactly the tensor, or `zero_points` neither empty nor one element per kernel.
    pub fn pack(&self, tensor: &[u8], zero_points: &[u8]) -> Result<Vec<u8>, LayoutError> {
        exactly("the weight tensor", tensor.len(), self.tensor_bytes())?;
        if !zero_points.is_empty() {
            exactly("the list of zero points", zero_points.len(), self.kernels * self.element)?;
        }
        let mut blob = vec![0; self.blob_bytes()];
        for (kernel, zero_point) in zero_points.chunks_exact(self.element).enumerate() {
            self.for_each_of(kernel, self.channels..self.padded_channels(), |packed| {
                blob[packed..packed + self.element].copy_from_slice(zero_point);
            });
        }
        self.for_each(|dense, packed| {
            blob[packed..packed + self.element].copy_from_slice(&tensor[dense..dense + self.element]);
        });
        Ok(blob)
    }

    /// The dense tensor of a blob; what the blob has in padding channels is not looked at.
    ///
    /// # Errors
    /// If `blob` is not exactly the blob.
    pub fn unpack(&self, blob: &[u8]) -> Result<Vec<u8>, LayoutError> {
        exactly("the weight blob", blob.len(), self.blob_bytes())?;
        let mut tensor = vec![0; self.tensor_bytes()];
        self.for_each(|dense, packed| {
            tensor[dense..dense + self.element].copy_from_slice(&blob[packed..packed + self.element]);
        });
        Ok(tensor)
    }

    /// Calls with the byte offsets of every weight in the dense tensor and in the blob.
    fn for_each(&self, mut weight: impl FnMut(usize, usize)) {
        let mut dense = 0;
        for kernel in 0..self.kernels {
            self.for_each_of(kernel, 0..self.channels, |packed| {
                weight(dense, packed);
                dense += self.element;
            });
        }
    }

    /// Calls with the byte offset in the blob of every weight of some channels of a kernel, in dense order.
    fn for_each_of(&self, kernel: usize, channels: Range<usize>, mut weight: impl FnMut(usize)) {
        for channel in channels {
            for y in 0..self.height {
                for x in 0..self.width {
                    // Inside by the loops' bounds.
                    weight(self.offset(kernel, channel, y, x).unwrap_or_default());
                }
            }
        }
    }
}

/// `Ord::min`, which constant functions cannot call.
const fn minimum(a: usize, b: usize) -> usize {
    if a < b { a } else { b }
}
