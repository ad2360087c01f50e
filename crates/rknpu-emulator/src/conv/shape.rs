//! The shape of a convolution and the order in which its windows are summed.

use ferrite_rknpu::typed::{Cna, Core};

use crate::simd::Run;

/// The shape of a convolution, in the input as the windows see it: padded and zero-inserted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shape {
    /// Columns and rows that windows reach.
    pub(crate) width: usize,
    pub(crate) height: usize,
    /// Channels that hold data.
    pub(crate) channels: usize,
    pub(crate) output_width: usize,
    pub(crate) output_height: usize,
    pub(crate) kernel_width: usize,
    pub(crate) kernel_height: usize,
    /// Columns and rows from window to window. Zero repeats one window: that is how programs broadcast a row, a column or a
    /// pixel (zoo: `add_row`, `expand_odd`).
    pub(crate) stride: (usize, usize),
    pub(crate) dilation: (usize, usize),
}

/// Input channels of one group: sums run through groups of so many, in each through rows, columns, channels.
pub(crate) const INPUT_GROUP: usize = 32;

impl Shape {
    pub(crate) fn new(cna: &Cna, core: &Core) -> Self {
        let reach = |outputs: u32, stride: u32, kernel: u32, dilation: u32| {
            (outputs as usize - 1) * stride as usize + (kernel as usize - 1) * dilation as usize + 1
        };
        Self {
            width: reach(core.output_width, cna.stride_x, cna.kernel_width, cna.dilation_x),
            height: reach(core.output_height, cna.stride_y, cna.kernel_height, cna.dilation_y),
            channels: cna.real_channels() as usize,
            output_width: core.output_width as usize,
            output_height: core.output_height as usize,
            kernel_width: cna.kernel_width as usize,
            kernel_height: cna.kernel_height as usize,
            stride: (cna.stride_x as usize, cna.stride_y as usize),
            dilation: (cna.dilation_x as usize, cna.dilation_y as usize),
        }
    }

    /// Values of the whole block of features.
    pub(crate) fn values(&self) -> u64 {
        (self.width as u64).saturating_mul(self.height as u64).saturating_mul(self.channels as u64)
    }

    /// Places of a kernel.
    pub(crate) fn window(&self) -> usize {
        self.kernel_width * self.kernel_height
    }

    /// Input rows under `rows` rows of outputs.
    pub(crate) fn reach(&self, rows: usize) -> usize {
        (rows - 1) * self.stride.1 + (self.kernel_height - 1) * self.dilation.1 + 1
    }

    /// Where every kernel place begins behind its window's first input, in rows then columns; `pixel` values per pixel.
    pub(crate) fn taps(&self, pixel: usize) -> Vec<usize> {
        let place = |ky: usize, kx: usize| (ky * self.dilation.1 * self.width + kx * self.dilation.0) * pixel;
        (0..self.kernel_height).flat_map(|ky| (0..self.kernel_width).map(move |kx| place(ky, kx))).collect()
    }

    /// The inputs of a window in the order of the sum: group, row, column, channel.
    pub(crate) fn runs(&self, pixel: usize) -> Vec<Run> {
        let taps = self.taps(pixel);
        let groups = (0..self.channels).step_by(INPUT_GROUP);
        merged(groups.flat_map(|first| {
            let count = INPUT_GROUP.min(self.channels - first);
            taps.iter().map(move |tap| Run { offset: tap + first, count })
        }))
    }

    /// The inputs of a window for sums that do not depend on their order: row, column, `channels` channels.
    pub(crate) fn unordered_runs(&self, pixel: usize, channels: usize) -> Vec<Run> {
        merged(self.taps(pixel).into_iter().map(|offset| Run { offset, count: channels }))
    }

    /// Where the windows of `rows` rows of outputs begin.
    pub(crate) fn bases(&self, rows: usize, pixel: usize) -> Vec<usize> {
        let place = |y: usize, x: usize| (y * self.stride.1 * self.width + x * self.stride.0) * pixel;
        (0..rows).flat_map(|y| (0..self.output_width).map(move |x| place(y, x))).collect()
    }
}

/// Runs that follow each other in memory become one.
fn merged(runs: impl Iterator<Item = Run>) -> Vec<Run> {
    let mut all: Vec<Run> = Vec::new();
    for run in runs {
        match all.last_mut() {
            Some(last) if last.offset + last.count == run.offset => last.count += run.count,
            _ => all.push(run),
        }
    }
    all
}
