//! The weight blob, unpacked into the order in which the convolution loops use it.

use ferrite_rknpu::reg;
use ferrite_rknpu::typed::Cna;

use crate::error::Error;
use crate::task::Task;

/// Input channels of one group of the blob.
pub(crate) const INPUT_GROUP: usize = 32;

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

fn blob<'a>(task: &'a Task<'_, '_>, cna: &Cna) -> Result<&'a [u8], Error> {
    task.read(reg::cna::DCOMP_ADDR0, i64::from(cna.weight_address), cna.weight_bytes as usize)
}

/// Weights of a direct convolution in the order output group, input group, kernel row, kernel column, input channel, output
/// channel in group; the last output group filled up with zeros, padded input channels left out.
pub(crate) fn direct<T: Copy + Default>(
    task: &Task<'_, '_>,
    cna: &Cna,
    layout: Layout,
    decode: impl Fn(&[u8]) -> T,
) -> Result<Vec<T>, Error> {
    let channels = cna.real_channels() as usize;
    let kernels = cna.kernels as usize;
    let window = cna.kernel_width as usize * cna.kernel_height as usize;
    let kernel_bytes = layout.stored_bytes(channels, INPUT_GROUP, window);
    if u64::from(cna.kernel_bytes) != kernel_bytes {
        return task.refuse(reg::cna::WEIGHT_SIZE1, cna.kernel_bytes, "other than what channels and window take");
    }
    if u64::from(cna.weight_bytes) != kernel_bytes * kernels as u64 {
        return task.refuse(reg::cna::WEIGHT_SIZE0, cna.weight_bytes, "other than what all kernels take");
    }
    let mut rest = blob(task, cna)?;
    let groups = kernels.div_ceil(layout.output_group);
    let mut values = vec![T::default(); groups * layout.output_group * window * channels];
    let mut targets = values.chunks_exact_mut(layout.output_group);
    for output in 0..groups {
        let outputs = layout.output_group.min(kernels - output * layout.output_group);
        for (input, padded) in layout.padded(channels, INPUT_GROUP).enumerate() {
            let inputs = INPUT_GROUP.min(channels - input * INPUT_GROUP);
            for _ in 0..window {
                let (block, behind) = rest.split_at(outputs * padded * layout.bytes);
                rest = behind;
                for channel in 0..inputs {
                    let target = targets.next().unwrap_or_default();
                    for (value, kernel) in target.iter_mut().zip(block.chunks_exact(padded * layout.bytes)) {
                        *value = decode(&kernel[channel * layout.bytes..][..layout.bytes]);
                    }
                }
            }
        }
    }
    Ok(values)
}

/// Weights of a depthwise convolution in the order kernel row, kernel column, channel.
pub(crate) fn depthwise<T: Copy + Default>(
    task: &Task<'_, '_>,
    cna: &Cna,
    layout: Layout,
    decode: impl Fn(&[u8]) -> T,
) -> Result<Vec<T>, Error> {
    let channels = cna.real_channels() as usize;
    let window = cna.kernel_width as usize * cna.kernel_height as usize;
    if u64::from(cna.weight_bytes) != layout.stored_bytes(channels, layout.depthwise_group, window) {
        return task.refuse(reg::cna::WEIGHT_SIZE0, cna.weight_bytes, "other than what channels and window take");
    }
    let mut rest = blob(task, cna)?;
    let mut values = vec![T::default(); window * channels];
    for (group, padded) in layout.padded(channels, layout.depthwise_group).enumerate() {
        let first = group * layout.depthwise_group;
        let count = layout.depthwise_group.min(channels - first);
        for place in 0..window {
            let (block, behind) = rest.split_at(padded * layout.bytes);
            rest = behind;
            let target = &mut values[place * channels + first..][..count];
            for (value, bytes) in target.iter_mut().zip(block.chunks_exact(layout.bytes)) {
                *value = decode(bytes);
            }
        }
    }
    Ok(values)
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
