//! What can be chosen about an emulator, and what it counts.

use std::collections::BTreeMap;

/// How a right shift rounds. The mode of the hardware is not established. Half to even is the default: the rounding bits of the
/// converters (`CVT_ROUND`) are 0 in all programs seen, which published sweeps of the hardware read as half to even, and it
/// agrees best with the vendor's simulator where programs have exact ties (average pooling, element-wise addition).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Rounding {
    /// To the nearest, ties to the even number.
    #[default]
    HalfEven,
    /// To the nearest, ties away from zero.
    HalfAway,
    /// Down.
    Floor,
}

/// What indexes a lookup table in a floating-point pipeline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LutIndex {
    /// The value with its fraction. With it SiLU agrees with its definition to some units in the last place; rounding first
    /// turns every small input into zero.
    #[default]
    Fractional,
    /// The value rounded to an integer first.
    Rounded,
}

/// What executes the innermost loops. Results do not depend on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Vector {
    /// The widest vector unit of this processor that there is code for.
    #[default]
    Detect,
    /// Portable code: the reference.
    Portable,
}

/// Choices where the hardware's behaviour is not established, and how the emulator goes about its work.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Options {
    /// Rounding of every shift in the integer pipeline.
    pub rounding: Rounding,
    /// Lookup table index in floating point.
    pub lut_index: LutIndex,
    /// Whether the output converter adds its OFFSET to floating-point values before it divides by the power of two. Off by
    /// default: sigmoid, tanh and hard sigmoid are closer to their definitions without, though a sweep on hardware is said
    /// to have seen it added.
    pub add_float_offset: bool,
    /// What executes the innermost loops.
    pub vector: Vector,
    /// A seed from which lines move between the host's and the device's view unasked, before and after every submission
    /// ([`DeviceMemory::stir`](ferrite_device::memory::DeviceMemory::stir)). Results of a program that flushes and invalidates
    /// do not depend on it.
    pub chaos: Option<u64>,
    /// Makes it an error when a core reads what another one writes in the same submission: nothing orders them.
    pub core_conflicts: bool,
}

/// What one submission may cost. A task that would exceed a limit is refused before it starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes read and written by all DMAs of a submission, programs included.
    pub bytes: u64,
    /// Multiply-adds of a submission; an element of a pooling window counts as one.
    pub macs: u64,
    /// Working memory of one task in bytes: gathered features, unpacked weights, accumulators.
    pub working_bytes: u64,
}

impl Default for Limits {
    /// 64 GiB of traffic, 2^43 multiply-adds, 2 GiB of working memory.
    fn default() -> Self {
        Self { bytes: 1 << 36, macs: 1 << 43, working_bytes: 1 << 31 }
    }
}

/// What an emulator has done since it was made.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Tasks executed to their end.
    pub tasks: u64,
    /// The same by enable mask.
    pub tasks_by_mask: BTreeMap<u32, u64>,
    /// Multiply-adds, padding included.
    pub macs: u64,
    /// Bytes moved by DMAs, programs included.
    pub bytes: u64,
}

impl Statistics {
    /// Counts what another emulator has done as well.
    pub fn add(&mut self, other: &Self) {
        self.tasks += other.tasks;
        self.macs = self.macs.saturating_add(other.macs);
        self.bytes = self.bytes.saturating_add(other.bytes);
        for (mask, tasks) in &other.tasks_by_mask {
            *self.tasks_by_mask.entry(*mask).or_default() += tasks;
        }
    }
}
