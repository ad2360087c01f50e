//! The weight blob, unpacked into the order in which the innermost loops use it, and kept as long as it stays the same.

use std::collections::HashMap;
use std::sync::Arc;

use ferrite_rknpu::reg;
use ferrite_rknpu::typed::{Cna, ConvolutionMode};

use super::shape::INPUT_GROUP;
use crate::error::Error;
use crate::simd::LANES;
use crate::task::Task;

/// What the blob's layout depends on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Layout {
    /// Bytes of a weight.
    pub(crate) bytes: usize,
    /// Output channels of one group of a direct convolution.
    pub(crate) output_group: usize,
    /// Channels of one group of a depthwise convolution.
    pub(crate) depthwise_group: usize,
    /// The last group of channels is padded to this, twice this, or a whole group.
    pub(crate) smallest: usize,
}

impl Layout {
    /// Half precision and bfloat16.
    pub(crate) const HALF: Self = Self { bytes: 2, output_group: 16, depthwise_group: 32, smallest: 8 };
    /// Bytes.
    pub(crate) const BYTE: Self = Self { bytes: 1, output_group: 32, depthwise_group: 64, smallest: 16 };

    /// Stored channels of every group of up to `group` channels.
    fn padded(&self, channels: usize, group: usize) -> impl Iterator<Item = usize> + use<> {
        let smallest = self.smallest;
        (0..channels.div_ceil(group)).map(move |index| {
            let left = channels - index * group;
            [smallest, smallest * 2, smallest * 4].into_iter().find(|size| *size >= left).unwrap_or(group).min(group)
        })
    }

    /// Bytes of one output channel's weights, or of all weights when depthwise.
    pub(crate) fn stored_bytes(&self, channels: usize, group: usize, window: usize) -> u64 {
        self.padded(channels, group).map(|padded| (padded * window * self.bytes) as u64).sum()
    }
}

/// Weights for [`LANES`] outputs at a time, each block in the order in which its sums run.
#[derive(Debug)]
pub(crate) struct Panel<T> {
    pub(crate) values: Vec<T>,
    /// Weights of one block.
    pub(crate) block: usize,
}

impl<T> Panel<T> {
    /// The weights of outputs `block * LANES` and following, none where there are no kernels.
    #[inline(always)]
    pub(crate) fn block(&self, block: usize) -> Option<&[T]> {
        let start = block.checked_mul(self.block)?;
        self.values.get(start..start + self.block).filter(|weights| !weights.is_empty())
    }
}

/// The checked blob of a task.
///
/// # Errors
/// When its sizes are not what channels and window take, or it is not in memory.
pub(crate) fn blob<'a>(task: &'a Task<'_, '_>, cna: &Cna, layout: Layout) -> Result<&'a [u8], Error> {
    let channels = cna.real_channels() as usize;
    let window = cna.kernel_width as usize * cna.kernel_height as usize;
    if cna.mode == ConvolutionMode::Depthwise {
        if u64::from(cna.weight_bytes) != layout.stored_bytes(channels, layout.depthwise_group, window) {
            return task.refuse(reg::cna::WEIGHT_SIZE0, cna.weight_bytes, "other than what channels and window take");
        }
    } else {
        let kernel_bytes = layout.stored_bytes(channels, INPUT_GROUP, window);
        if u64::from(cna.kernel_bytes) != kernel_bytes {
            return task.refuse(reg::cna::WEIGHT_SIZE1, cna.kernel_bytes, "other than what channels and window take");
        }
        if u64::from(cna.weight_bytes) != kernel_bytes * u64::from(cna.kernels) {
            return task.refuse(reg::cna::WEIGHT_SIZE0, cna.weight_bytes, "other than what all kernels take");
        }
    }
    task.read(reg::cna::DCOMP_ADDR0, i64::from(cna.weight_address), cna.weight_bytes as usize)
}

/// Every weight of a blob with its output channel, input channel and kernel place; of a depthwise blob both channels are the
/// same. Padded input channels are left out.
fn each(cna: &Cna, layout: Layout, blob: &[u8], mut weight: impl FnMut(usize, usize, usize, &[u8])) {
    let channels = cna.real_channels() as usize;
    let window = cna.kernel_width as usize * cna.kernel_height as usize;
    let mut rest = blob;
    let mut take = |bytes: usize| {
        let (block, behind) = rest.split_at(bytes.min(rest.len()));
        rest = behind;
        block
    };
    if cna.mode == ConvolutionMode::Depthwise {
        for (group, padded) in layout.padded(channels, layout.depthwise_group).enumerate() {
            let first = group * layout.depthwise_group;
            for place in 0..window {
                let block = take(padded * layout.bytes).chunks_exact(layout.bytes);
                for (channel, bytes) in (first..channels).zip(block) {
                    weight(channel, channel, place, bytes);
                }
            }
        }
        return;
    }
    let kernels = cna.kernels as usize;
    for first_output in (0..kernels).step_by(layout.output_group) {
        let outputs = layout.output_group.min(kernels - first_output);
        for (group, padded) in layout.padded(channels, INPUT_GROUP).enumerate() {
            let first = group * INPUT_GROUP;
            for place in 0..window {
                let block = take(outputs * padded * layout.bytes).chunks_exact(padded * layout.bytes);
                for (output, kernel) in block.enumerate() {
                    for (channel, bytes) in (first..channels).zip(kernel.chunks_exact(layout.bytes)) {
                        weight(first_output + output, channel, place, bytes);
                    }
                }
            }
        }
    }
}

fn blocks(cna: &Cna) -> usize {
    let outputs = if cna.mode == ConvolutionMode::Depthwise { cna.real_channels() } else { cna.kernels };
    (outputs as usize).div_ceil(LANES)
}

/// Weights in the order of [`Shape::runs`](super::shape::Shape::runs), or of the taps of a depthwise convolution.
pub(crate) fn float_panel(cna: &Cna, blob: &[u8], decode: impl Fn([u8; 2]) -> f32) -> Panel<f32> {
    let channels = cna.real_channels() as usize;
    let window = cna.kernel_width as usize * cna.kernel_height as usize;
    let depthwise = cna.mode == ConvolutionMode::Depthwise;
    let block = window * LANES * if depthwise { 1 } else { channels };
    let mut values = vec![0.0; blocks(cna) * block];
    each(cna, Layout::HALF, blob, |output, channel, place, bytes| {
        let input = if depthwise {
            place
        } else {
            let first = channel / INPUT_GROUP * INPUT_GROUP;
            let count = INPUT_GROUP.min(channels - first);
            first * window + place * count + channel - first
        };
        let at = output / LANES * block + input * LANES + output % LANES;
        values[at] = decode([bytes[0], bytes[1]]);
    });
    Panel { values, block }
}

/// Pairs of weights, every one with its output's `correction` added; an output without a kernel has corrections only. A pair
/// is two neighbouring channels of a kernel place, or two neighbouring places of a depthwise kernel.
pub(crate) fn int_panel(cna: &Cna, blob: &[u8], corrections: &[i16]) -> Panel<i16> {
    let channels = cna.real_channels() as usize;
    let window = cna.kernel_width as usize * cna.kernel_height as usize;
    let depthwise = cna.mode == ConvolutionMode::Depthwise;
    let pairs = if depthwise { window.div_ceil(2) } else { window * channels.div_ceil(2) };
    let block = pairs * 2 * LANES;
    let corrected = corrections.iter().rposition(|correction| *correction != 0).map_or(0, |last| last + 1);
    let corrected = if depthwise { corrected.min(channels) } else { corrected };
    let mut values = vec![0; blocks(cna).max(corrected.div_ceil(LANES)) * block];
    let place_of = |output: usize, channel: usize, place: usize| {
        let input = if depthwise { place } else { place * channels.next_multiple_of(2) + channel };
        output / LANES * block + input / 2 * 2 * LANES + output % LANES * 2 + input % 2
    };
    for (output, correction) in corrections.iter().enumerate().take(corrected) {
        for place in 0..window {
            for channel in 0..if depthwise { 1 } else { channels } {
                values[place_of(output, channel, place)] = *correction;
            }
        }
    }
    each(cna, Layout::BYTE, blob, |output, channel, place, bytes| {
        let value = &mut values[place_of(output, channel, place)];
        *value = value.wrapping_add(i16::from(bytes[0] as i8));
    });
    Panel { values, block }
}

/// A panel of one block whose sums are those of the inputs.
pub(crate) fn ones(cna: &Cna) -> Panel<i16> {
    let channels = cna.real_channels() as usize;
    let window = cna.kernel_width as usize * cna.kernel_height as usize;
    let inputs = if cna.mode == ConvolutionMode::Depthwise { window } else { window * channels.next_multiple_of(2) };
    let block = inputs.next_multiple_of(2) * LANES;
    let odd = channels % 2 == 1 && cna.mode != ConvolutionMode::Depthwise;
    let mut values = vec![0; block];
    for (index, pair) in values.chunks_exact_mut(2).enumerate() {
        let input = index / LANES * 2;
        let last = odd && input % channels.next_multiple_of(2) == channels - 1;
        pair[0] = i16::from(input < inputs);
        pair[1] = i16::from(input + 1 < inputs && !last);
    }
    Panel { values, block }
}

/// What a panel was made from, apart from the bytes.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    pub(crate) address: u32,
    pub(crate) precision: u32,
    pub(crate) depthwise: bool,
    pub(crate) channels: u32,
    pub(crate) kernels: u32,
    pub(crate) kernel: (u32, u32),
}

impl Key {
    pub(crate) fn new(cna: &Cna) -> Self {
        Self {
            address: cna.weight_address,
            precision: cna.input_precision.code(),
            depthwise: cna.mode == ConvolutionMode::Depthwise,
            channels: cna.real_channels(),
            kernels: cna.kernels,
            kernel: (cna.kernel_width, cna.kernel_height),
        }
    }
}

/// Panels of earlier tasks. Whether one still holds is decided by comparing every byte it was made from: memory may have
/// changed in between.
#[derive(Debug)]
pub(crate) struct PanelCache<T> {
    entries: HashMap<Key, Entry<T>>,
    bytes: usize,
}

#[derive(Debug)]
struct Entry<T> {
    blob: Vec<u8>,
    corrections: Vec<i16>,
    panel: Arc<Panel<T>>,
}

impl<T> Default for PanelCache<T> {
    fn default() -> Self {
        Self { entries: HashMap::new(), bytes: 0 }
    }
}

/// What all panels of one kind may take; beyond it they are made anew.
const CACHE_BYTES: usize = 512 << 20;

impl<T> PanelCache<T> {
    pub(crate) fn get(
        &mut self,
        key: Key,
        blob: &[u8],
        corrections: &[i16],
        make: impl FnOnce() -> Panel<T>,
    ) -> Arc<Panel<T>> {
        if let Some(entry) = self.entries.get(&key)
            && entry.blob == blob
            && entry.corrections == corrections
        {
            return Arc::clone(&entry.panel);
        }
        let panel = Arc::new(make());
        let size = |panel: &Panel<T>, blob: &[u8]| blob.len() + size_of_val(panel.values.as_slice());
        let needed = size(&panel, blob);
        if let Some(old) = self.entries.remove(&key) {
            self.bytes -= size(&old.panel, &old.blob);
        }
        if self.bytes + needed > CACHE_BYTES {
            *self = Self::default();
        }
        if needed <= CACHE_BYTES / 2 {
            self.bytes += needed;
            let entry = Entry { blob: blob.to_vec(), corrections: corrections.to_vec(), panel: Arc::clone(&panel) };
            self.entries.insert(key, entry);
        }
        panel
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_group_is_padded_to_a_few_sizes() {
        // Bytes per output channel as compiled networks of those channel counts have them.
        let half = |channels, window| Layout::HALF.stored_bytes(channels, INPUT_GROUP, window);
        assert_eq!(
            [half(3, 9), half(16, 9), half(24, 9), half(40, 1), half(48, 1), half(56, 1), half(120, 1)],
            [8 * 9 * 2, 288, 576, 80, 96, 128, 256]
        );
        let byte = |channels| Layout::BYTE.stored_bytes(channels, INPUT_GROUP, 1);
        assert_eq!([byte(3), byte(17), byte(40)], [16, 32, 48]);
        assert_eq!(Layout::BYTE.stored_bytes(48, 64, 1), 64);
        assert_eq!(Layout::HALF.stored_bytes(24, 32, 1), 64);
    }
}
