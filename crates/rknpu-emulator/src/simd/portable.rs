//! Plain Rust: the reference for the others, and what runs where there is nothing else.

use half::f16;

use super::{LANES, Run, Simd};

#[derive(Debug, Clone, Copy)]
pub(crate) struct Portable;

impl Simd for Portable {
    const DOUBLES: bool = false;

    #[inline(always)]
    fn widen(self, bits: &[u16; LANES]) -> [f32; LANES] {
        bits.map(|bits| f16::from_bits(bits).to_f32_const())
    }

    #[inline(always)]
    fn narrow(self, values: &[f32; LANES]) -> [u16; LANES] {
        values.map(|value| if value.is_nan() { 0x7e00 } else { f16::from_f32_const(value).to_bits() })
    }

    #[inline(always)]
    fn direct_float<const P: usize, const FUSED: bool>(
        self,
        plane: &[f32],
        base: [usize; P],
        runs: &[Run],
        panel: &[f32],
    ) -> [[f32; LANES]; P] {
        let mut sums = [[0.0; LANES]; P];
        let mut weights = panel.as_chunks::<LANES>().0.iter();
        for run in runs {
            for (index, weights) in (0..run.count).zip(&mut weights) {
                for (sums, base) in sums.iter_mut().zip(base) {
                    let value = plane[base + run.offset + index];
                    sums.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += value * weight);
                }
            }
        }
        sums
    }

    #[inline(always)]
    fn direct_int<const P: usize>(
        self,
        plane: &[i16],
        base: [usize; P],
        runs: &[Run],
        panel: &[i16],
    ) -> [[i32; LANES]; P] {
        let mut sums = [[0; LANES]; P];
        let mut weights = panel.as_chunks::<{ 2 * LANES }>().0.iter();
        for run in runs {
            for (pair, weights) in (0..run.count / 2).zip(&mut weights) {
                for (sums, base) in sums.iter_mut().zip(base) {
                    let inputs = &plane[base + run.offset + 2 * pair..][..2];
                    add_pairs(sums, [inputs[0]; LANES], [inputs[1]; LANES], weights);
                }
            }
        }
        sums
    }

    #[inline(always)]
    fn depthwise_float<const P: usize, const FUSED: bool>(
        self,
        plane: &[f32],
        base: [usize; P],
        taps: &[usize],
        panel: &[f32],
    ) -> [[f32; LANES]; P] {
        let mut sums = [[0.0; LANES]; P];
        for (tap, weights) in taps.iter().zip(panel.as_chunks::<LANES>().0) {
            for (sums, base) in sums.iter_mut().zip(base) {
                let inputs = &plane[base + tap..][..LANES];
                for ((sum, input), weight) in sums.iter_mut().zip(inputs).zip(weights) {
                    *sum += input * weight;
                }
            }
        }
        sums
    }

    #[inline(always)]
    fn depthwise_int<const P: usize>(
        self,
        plane: &[i16],
        base: [usize; P],
        taps: &[usize],
        panel: &[i16],
    ) -> [[i32; LANES]; P] {
        let mut sums = [[0; LANES]; P];
        for (taps, weights) in taps.chunks(2).zip(panel.as_chunks::<{ 2 * LANES }>().0) {
            let second = taps.get(1).unwrap_or(&taps[0]);
            for (sums, base) in sums.iter_mut().zip(base) {
                let inputs = |tap: usize| std::array::from_fn(|lane| plane[base + tap + lane]);
                add_pairs(sums, inputs(taps[0]), inputs(*second), weights);
            }
        }
        sums
    }
}

/// Whoever made the panel has shown that no sum leaves 32 bits; wrapping keeps overflow checks out of the loop.
#[inline(always)]
fn add_pairs(sums: &mut [i32; LANES], first: [i16; LANES], second: [i16; LANES], weights: &[i16; 2 * LANES]) {
    let product = |input: i16, weight: i16| i32::from(input).wrapping_mul(i32::from(weight));
    for (lane, sum) in sums.iter_mut().enumerate() {
        let pair = product(first[lane], weights[2 * lane]).wrapping_add(product(second[lane], weights[2 * lane + 1]));
        *sum = sum.wrapping_add(pair);
    }
}
