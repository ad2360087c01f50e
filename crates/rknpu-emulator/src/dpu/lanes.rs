//! Per-channel operands in blocks, and applying them.

use crate::simd::{LANES, map};

/// One value per channel, or one for all.
#[derive(Debug, Clone)]
pub(super) struct PerChannel<T> {
    blocks: Vec<[T; LANES]>,
    uniform: bool,
}

impl<T: Copy + Default> PerChannel<T> {
    pub(super) fn uniform(value: T) -> Self {
        Self { blocks: vec![[value; LANES]], uniform: true }
    }

    pub(super) fn new(values: impl IntoIterator<Item = T>) -> Self {
        let values: Vec<T> = values.into_iter().collect();
        let block = |values: &[T]| std::array::from_fn(|lane| values.get(lane).copied().unwrap_or_default());
        Self { blocks: values.chunks(LANES).map(block).collect(), uniform: false }
    }

    #[inline(always)]
    pub(super) fn block(&self, block: usize) -> [T; LANES] {
        self.blocks.get(if self.uniform { 0 } else { block }).copied().unwrap_or([T::default(); LANES])
    }

    pub(super) fn map<U>(&self, convert: impl Fn(T) -> U) -> PerChannel<U> {
        PerChannel { blocks: self.blocks.iter().map(|block| block.map(&convert)).collect(), uniform: self.uniform }
    }

    pub(super) fn values(&self) -> impl Iterator<Item = T> {
        self.blocks.iter().flatten().copied()
    }
}

/// The second operand of a block of some pixels.
pub(super) enum Other<'a, T> {
    Channels([T; LANES]),
    Elements(&'a [[T; LANES]]),
}

/// `operation(value, other)` for every value.
#[inline(always)]
pub(super) fn each<T: Copy + Default>(values: &mut [[T; LANES]], other: &Other<'_, T>, operation: impl Fn(T, T) -> T) {
    // Blocks are copied out and back, so that the compiler need not ask whether two of them overlap.
    match other {
        Other::Channels(other) => {
            let other = *other;
            for values in values {
                *values = both(*values, other, &operation);
            }
        }
        Other::Elements(others) => {
            for (values, other) in values.iter_mut().zip(*others) {
                *values = both(*values, *other, &operation);
            }
        }
    }
}

#[inline(always)]
fn both<T: Copy + Default>(values: [T; LANES], other: [T; LANES], operation: impl Fn(T, T) -> T) -> [T; LANES] {
    let mut made = [T::default(); LANES];
    for lane in 0..LANES {
        made[lane] = operation(values[lane], other[lane]);
    }
    made
}

/// `operation(value)` for every value.
#[inline(always)]
pub(super) fn every<T: Copy + Default>(values: &mut [[T; LANES]], operation: impl Fn(T) -> T) {
    for values in values {
        *values = map(values, &operation);
    }
}
