//! Per-channel operands in blocks, and applying them.

use super::elements::CHUNK;
use crate::simd::LANES;

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

    fn block(&self, block: usize) -> [T; LANES] {
        self.blocks.get(if self.uniform { 0 } else { block }).copied().unwrap_or([T::default(); LANES])
    }

    pub(super) fn map<U>(&self, convert: impl Fn(T) -> U) -> PerChannel<U> {
        PerChannel { blocks: self.blocks.iter().map(|block| block.map(&convert)).collect(), uniform: self.uniform }
    }

    pub(super) fn values(&self) -> impl Iterator<Item = T> {
        self.blocks.iter().flatten().copied()
    }
}

/// A per-channel operand, repeated for every pixel that is worked on at a time: long loops over two equally long rows of
/// numbers are what compilers turn into vector instructions.
#[derive(Debug, Clone)]
pub(super) struct Repeated<T> {
    channels: PerChannel<T>,
    tile: Vec<[T; LANES]>,
    /// The block that `tile` holds.
    filled: Option<usize>,
}

impl<T: Copy + Default> Repeated<T> {
    pub(super) fn new(channels: PerChannel<T>) -> Self {
        Self { channels, tile: vec![[T::default(); LANES]; CHUNK], filled: None }
    }

    /// The operands of a block.
    #[inline(always)]
    pub(super) fn block(&mut self, block: usize) -> &[[T; LANES]] {
        let block = if self.channels.uniform { 0 } else { block };
        if self.filled != Some(block) {
            self.tile.fill(self.channels.block(block));
            self.filled = Some(block);
        }
        &self.tile
    }
}

/// `operation(value, other)` for every value.
#[inline(always)]
pub(super) fn each<T: Copy>(values: &mut [[T; LANES]], others: &[[T; LANES]], operation: impl Fn(T, T) -> T) {
    for (value, other) in values.as_flattened_mut().iter_mut().zip(others.as_flattened()) {
        *value = operation(*value, *other);
    }
}

/// `operation(value, one, other)` for every value.
#[inline(always)]
pub(super) fn each_of_three<T: Copy>(
    values: &mut [[T; LANES]],
    ones: &[[T; LANES]],
    others: &[[T; LANES]],
    operation: impl Fn(T, T, T) -> T,
) {
    let operands = ones.as_flattened().iter().zip(others.as_flattened());
    for (value, (one, other)) in values.as_flattened_mut().iter_mut().zip(operands) {
        *value = operation(*value, *one, *other);
    }
}

/// `operation(value)` for every value.
#[inline(always)]
pub(super) fn every<T: Copy>(values: &mut [[T; LANES]], operation: impl Fn(T) -> T) {
    for value in values.as_flattened_mut() {
        *value = operation(*value);
    }
}

/// `convert(value)` of every value.
#[inline(always)]
pub(super) fn converted<T: Copy, U: Copy>(values: &[[T; LANES]], target: &mut [[U; LANES]], convert: impl Fn(T) -> U) {
    for (target, value) in target.as_flattened_mut().iter_mut().zip(values.as_flattened()) {
        *target = convert(*value);
    }
}
