//! Advanced SIMD of 64-bit Arm, which every such processor has.

use std::arch::aarch64::*;
use std::arch::asm;

use super::{LANES, Run, Simd, check, extent};

/// Proof that the processor has the extension: only [`Neon::detect`] makes one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Neon(());

impl Neon {
    pub(crate) fn detect() -> Option<Self> {
        std::arch::is_aarch64_feature_detected!("neon").then_some(Self(()))
    }
}

impl Simd for Neon {
    const DOUBLES: bool = true;

    #[inline(always)]
    fn widen(self, bits: &[u16; LANES]) -> [f32; LANES] {
        let mut values = [0.0; LANES];
        for quarter in (0..LANES).step_by(4) {
            // SAFETY: the extension exists; accesses are to four elements of arrays of sixteen. Rust has no stable type for
            // half precision, hence no intrinsic; the instruction touches registers only.
            unsafe {
                let four = vld1_u16(bits.as_ptr().add(quarter));
                let wide: float32x4_t;
                asm!("fcvtl {wide:v}.4s, {four:v}.4h", wide = out(vreg) wide, four = in(vreg) four,
                    options(pure, nomem, nostack, preserves_flags));
                vst1q_f32(values.as_mut_ptr().add(quarter), wide);
            }
        }
        values
    }

    #[inline(always)]
    fn narrow(self, values: &[f32; LANES]) -> [u16; LANES] {
        let mut bits = [0; LANES];
        for quarter in (0..LANES).step_by(4) {
            // SAFETY: the extension exists; accesses are to four elements of arrays of sixteen; the instruction touches
            // registers only.
            unsafe {
                let four = vld1q_f32(values.as_ptr().add(quarter));
                let four = vbslq_f32(vceqq_f32(four, four), four, vdupq_n_f32(f32::from_bits(0x7fc0_0000)));
                let narrow: uint16x4_t;
                asm!("fcvtn {narrow:v}.4h, {four:v}.4s", narrow = out(vreg) narrow, four = in(vreg) four,
                    options(pure, nomem, nostack, preserves_flags));
                vst1_u16(bits.as_mut_ptr().add(quarter), narrow);
            }
        }
        bits
    }

    #[inline(always)]
    fn direct_float<const P: usize, const FUSED: bool>(
        self,
        plane: &[f32],
        base: [usize; P],
        runs: &[Run],
        panel: &[f32],
    ) -> [[f32; LANES]; P] {
        let (furthest, count) = extent(runs);
        check(plane.len(), &base, furthest);
        assert!(count * LANES <= panel.len(), "a panel of {} weights for {count} inputs", panel.len());
        // SAFETY: the extension exists; inputs lie below base + furthest, which has been checked for every window, and the
        // panel has LANES weights for every input of the runs.
        unsafe {
            let windows = base.map(|base| plane.as_ptr().add(base));
            let mut sums = [[vdupq_n_f32(0.0); 4]; P];
            let mut weights = panel.as_ptr();
            for run in runs {
                let inputs = windows.map(|window| window.add(run.offset));
                for index in 0..run.count {
                    let four = [0, 4, 8, 12].map(|lane| vld1q_f32(weights.add(lane)));
                    weights = weights.add(LANES);
                    for (sums, inputs) in sums.iter_mut().zip(&inputs) {
                        let input = vld1q_dup_f32(inputs.add(index));
                        for (sum, weights) in sums.iter_mut().zip(four) {
                            *sum = multiply_add::<FUSED>(input, weights, *sum);
                        }
                    }
                }
            }
            sums.map(floats)
        }
    }

    #[inline(always)]
    fn direct_int<const P: usize>(
        self,
        plane: &[i16],
        base: [usize; P],
        runs: &[Run],
        panel: &[i16],
    ) -> [[i32; LANES]; P] {
        let (furthest, count) = extent(runs);
        check(plane.len(), &base, furthest);
        assert!(count * LANES <= panel.len(), "a panel of {} weights for {count} inputs", panel.len());
        // SAFETY: the extension exists; inputs lie below base + furthest, which has been checked for every window, and the
        // panel has LANES weights for every input of the runs.
        unsafe {
            let windows = base.map(|base| plane.as_ptr().add(base));
            let mut sums = [[vdupq_n_s32(0); 4]; P];
            let mut weights = panel.as_ptr();
            for run in runs {
                let inputs = windows.map(|window| window.add(run.offset));
                for pair in 0..run.count / 2 {
                    // Loads that take pairs apart: first weights of four outputs, second weights of four outputs.
                    let four = [0, 8, 16, 24].map(|place| vld2_s16(weights.add(place)));
                    weights = weights.add(2 * LANES);
                    for (sums, inputs) in sums.iter_mut().zip(&inputs) {
                        let (first, second) = (*inputs.add(2 * pair), *inputs.add(2 * pair + 1));
                        for (sum, int16x4x2_t(one, other)) in sums.iter_mut().zip(four) {
                            *sum = vmlal_n_s16(vmlal_n_s16(*sum, one, first), other, second);
                        }
                    }
                }
            }
            sums.map(ints)
        }
    }

    #[inline(always)]
    fn depthwise_float<const P: usize, const FUSED: bool>(
        self,
        plane: &[f32],
        base: [usize; P],
        taps: &[usize],
        panel: &[f32],
    ) -> [[f32; LANES]; P] {
        let furthest = taps.iter().max().map_or(0, |tap| tap + LANES);
        check(plane.len(), &base, furthest);
        assert!(taps.len() * LANES <= panel.len(), "a panel of {} weights for {} taps", panel.len(), taps.len());
        // SAFETY: the extension exists; inputs lie below base + furthest, which has been checked for every window, and the
        // panel has LANES weights for every tap.
        unsafe {
            let windows = base.map(|base| plane.as_ptr().add(base));
            let mut sums = [[vdupq_n_f32(0.0); 4]; P];
            for (index, tap) in taps.iter().enumerate() {
                let weights = panel.as_ptr().add(index * LANES);
                let four = [0, 4, 8, 12].map(|lane| vld1q_f32(weights.add(lane)));
                for (sums, window) in sums.iter_mut().zip(&windows) {
                    for (lane, (sum, weights)) in sums.iter_mut().zip(four).enumerate() {
                        *sum = multiply_add::<FUSED>(vld1q_f32(window.add(tap + 4 * lane)), weights, *sum);
                    }
                }
            }
            sums.map(floats)
        }
    }

    #[inline(always)]
    fn depthwise_int<const P: usize>(
        self,
        plane: &[i16],
        base: [usize; P],
        taps: &[usize],
        panel: &[i16],
    ) -> [[i32; LANES]; P] {
        let furthest = taps.iter().max().map_or(0, |tap| tap + LANES);
        check(plane.len(), &base, furthest);
        let pairs = taps.len().div_ceil(2);
        assert!(pairs * 2 * LANES <= panel.len(), "a panel of {} weights for {} taps", panel.len(), taps.len());
        // SAFETY: the extension exists; inputs lie below base + furthest, which has been checked for every window, and the
        // panel has 2 * LANES weights for every two taps.
        unsafe {
            let windows = base.map(|base| plane.as_ptr().add(base));
            let mut sums = [[vdupq_n_s32(0); 4]; P];
            for (index, taps) in taps.chunks(2).enumerate() {
                let (first, second) = (taps[0], *taps.last().unwrap_or(&taps[0]));
                let weights = panel.as_ptr().add(index * 2 * LANES);
                let four = [0, 8, 16, 24].map(|place| vld2_s16(weights.add(place)));
                for (sums, window) in sums.iter_mut().zip(&windows) {
                    for (lane, (sum, int16x4x2_t(one, other))) in sums.iter_mut().zip(four).enumerate() {
                        let sum_of_one = vmlal_s16(*sum, vld1_s16(window.add(first + 4 * lane)), one);
                        *sum = vmlal_s16(sum_of_one, vld1_s16(window.add(second + 4 * lane)), other);
                    }
                }
            }
            sums.map(ints)
        }
    }
}

/// # Safety
/// The processor must have the extension.
#[inline(always)]
unsafe fn multiply_add<const FUSED: bool>(a: float32x4_t, b: float32x4_t, sum: float32x4_t) -> float32x4_t {
    // SAFETY: as the caller promises.
    unsafe { if FUSED { vfmaq_f32(sum, a, b) } else { vaddq_f32(sum, vmulq_f32(a, b)) } }
}

#[inline(always)]
fn floats(quarters: [float32x4_t; 4]) -> [f32; LANES] {
    // SAFETY: four times four single-precision numbers, of which every bit pattern is one.
    unsafe { std::mem::transmute(quarters) }
}

#[inline(always)]
fn ints(quarters: [int32x4_t; 4]) -> [i32; LANES] {
    // SAFETY: four times four 32-bit integers, of which every bit pattern is one.
    unsafe { std::mem::transmute(quarters) }
}
