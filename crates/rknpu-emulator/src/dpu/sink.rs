//! From blocks of channels to atoms.

use crate::simd::LANES;
use crate::view::{ATOM, Atoms};

/// The atoms a pipeline makes; every one of them is written once.
#[derive(Debug)]
pub(super) struct Sink {
    bytes: Vec<u8>,
    pixels: usize,
    surfaces: usize,
    channels: usize,
    surfaces_of_block: usize,
}

impl Sink {
    /// For `channels` channels of elements of `size` bytes; `bytes` is reused.
    pub(super) fn new(mut bytes: Vec<u8>, pixels: usize, channels: usize, size: usize) -> Self {
        let surfaces = (channels * size).div_ceil(ATOM);
        bytes.resize(surfaces * pixels * ATOM, 0);
        Self { bytes, pixels, surfaces, channels, surfaces_of_block: size }
    }

    pub(super) fn into_atoms(self, (width, height): (usize, usize)) -> Atoms {
        Atoms { surfaces: self.surfaces, height, width, bytes: self.bytes }
    }

    /// Stores what the first pixel of a block has at other pixels.
    #[inline(always)]
    pub(super) fn repeat(&mut self, block: usize, first: usize, count: usize) {
        let parts = self.surfaces_of_block;
        for surface in (block * parts..(block + 1) * parts).take_while(|surface| *surface < self.surfaces) {
            let atoms = self.bytes[surface * self.pixels * ATOM..][..self.pixels * ATOM].as_chunks_mut::<ATOM>().0;
            let atom = atoms[0];
            atoms[first..first + count].fill(atom);
        }
    }

    /// Stores elements of a block; lanes behind the last channel become zero.
    #[inline(always)]
    pub(super) fn put<T: Copy + Default, const SIZE: usize>(
        &mut self,
        block: usize,
        first: usize,
        elements: &mut [[T; LANES]],
        encode: impl Fn(T) -> [u8; SIZE],
    ) {
        let behind = self.channels.saturating_sub(block * LANES);
        if behind < LANES {
            elements.iter_mut().for_each(|lanes| lanes[behind..].fill(T::default()));
        }
        let per_atom = ATOM / SIZE;
        for part in 0..SIZE {
            let surface = block * SIZE + part;
            if surface >= self.surfaces {
                break;
            }
            let start = (surface * self.pixels + first) * ATOM;
            let atoms = self.bytes[start..start + elements.len() * ATOM].as_chunks_mut::<ATOM>().0;
            for (atom, lanes) in atoms.iter_mut().zip(elements.iter()) {
                let lanes = &lanes[part * per_atom..][..per_atom];
                let mut made = [0; ATOM];
                for (bytes, lane) in made.as_chunks_mut::<SIZE>().0.iter_mut().zip(lanes) {
                    *bytes = encode(*lane);
                }
                *atom = made;
            }
        }
    }
}
