//! Elements of cubes in blocks of channels.

use ferrite_rknpu::typed::Precision;

use crate::conv::features::words;
use crate::dpu::lanes::converted;
use crate::dpu::whole::Whole;
use crate::rounding::Half;
use crate::simd::{LANES, Simd, map};
use crate::view::{ATOM, Surfaces};

/// Pixels that are worked on at a time: some kilobytes of numbers.
pub(super) const CHUNK: usize = 48;

/// Element type of a cube.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Half(Half),
    Single,
    Int8,
    Int16,
    Int32,
}

impl Kind {
    /// The type of main data.
    pub(super) fn of(precision: Precision) -> Option<Self> {
        Some(match precision {
            Precision::Float16 => Self::Half(Half::Float16),
            Precision::BFloat16 => Self::Half(Half::BFloat16),
            Precision::Float32 => Self::Single,
            Precision::Int8 => Self::Int8,
            Precision::Int16 => Self::Int16,
            _ => return None,
        })
    }

    pub(super) fn bytes(self) -> usize {
        match self {
            Self::Int8 => 1,
            Self::Half(_) | Self::Int16 => 2,
            Self::Single | Self::Int32 => 4,
        }
    }
}

/// A cube of elements.
#[derive(Debug)]
pub(super) struct Elements<'a> {
    pub(super) surfaces: Surfaces<'a>,
    pub(super) kind: Kind,
}

/// Buffers for rows that are not contiguous.
#[derive(Debug, Default)]
pub(super) struct Rooms([Vec<u8>; 4]);

/// Atoms of surfaces that a cube does not have.
static NOTHING: [u8; CHUNK * ATOM] = [0; CHUNK * ATOM];

impl Elements<'_> {
    /// The atoms of a block: `N` surfaces of the same pixels.
    #[inline(always)]
    fn atoms<'b, const N: usize>(
        &'b self,
        rooms: &'b mut Rooms,
        block: usize,
        first: usize,
        count: usize,
    ) -> [&'b [[u8; ATOM]]; N] {
        let mut rooms = rooms.0.iter_mut();
        std::array::from_fn(|part| {
            let surface = block * N + part;
            let bytes = match rooms.next() {
                Some(room) if surface < self.surfaces.count() => self.surfaces.pixels(surface, first, count, room),
                _ => &NOTHING[..count * ATOM],
            };
            bytes.as_chunks::<ATOM>().0
        })
    }

    /// Numbers of a floating-point pipeline.
    #[inline(always)]
    pub(super) fn floats<S: Simd>(
        &self,
        simd: S,
        rooms: &mut Rooms,
        block: usize,
        first: usize,
        values: &mut [[f32; LANES]],
    ) {
        match self.kind {
            Kind::Half(half) => {
                let [left, right] = self.atoms::<2>(rooms, block, first, values.len());
                for ((values, left), right) in values.iter_mut().zip(left).zip(right) {
                    let mut bits = [0; LANES];
                    words(left, &mut bits[..8]);
                    words(right, &mut bits[8..]);
                    *values = half.widen(simd, &bits);
                }
            }
            _ => {
                let atoms = self.atoms::<4>(rooms, block, first, values.len());
                for (quarter, atoms) in atoms.into_iter().enumerate() {
                    for (values, atom) in values.iter_mut().zip(atoms) {
                        for (value, bytes) in values[quarter * 4..].iter_mut().zip(atom.as_chunks::<4>().0) {
                            *value = f32::from_le_bytes(*bytes);
                        }
                    }
                }
            }
        }
    }

    /// Numbers of an integer pipeline.
    #[inline(always)]
    pub(super) fn wholes<N: Whole>(&self, rooms: &mut Rooms, block: usize, first: usize, values: &mut [[N; LANES]]) {
        match self.kind {
            Kind::Int8 => {
                let [atoms] = self.atoms::<1>(rooms, block, first, values.len());
                converted(atoms, values, |byte| N::from_i32(i32::from(byte as i8)));
            }
            Kind::Int16 => {
                let [left, right] = self.atoms::<2>(rooms, block, first, values.len());
                for ((values, left), right) in values.iter_mut().zip(left).zip(right) {
                    let mut bits = [0; LANES];
                    words(left, &mut bits[..8]);
                    words(right, &mut bits[8..]);
                    *values = map(&bits, |bits| N::from_i32(i32::from(bits as i16)));
                }
            }
            _ => {
                let atoms = self.atoms::<4>(rooms, block, first, values.len());
                for (quarter, atoms) in atoms.into_iter().enumerate() {
                    for (values, atom) in values.iter_mut().zip(atoms) {
                        for (value, bytes) in values[quarter * 4..].iter_mut().zip(atom.as_chunks::<4>().0) {
                            *value = N::from_i32(i32::from_le_bytes(*bytes));
                        }
                    }
                }
            }
        }
    }

    /// The largest magnitude that an integer element can have.
    pub(super) fn bound(&self) -> u128 {
        match self.kind {
            Kind::Int8 => 1 << 7,
            Kind::Half(_) | Kind::Int16 => 1 << 15,
            Kind::Single | Kind::Int32 => 1 << 31,
        }
    }
}
