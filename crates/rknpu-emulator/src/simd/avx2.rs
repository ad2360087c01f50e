//! AVX2, FMA and F16C.

use std::arch::x86_64::*;

use super::{Kernel, LANES, Run, Simd, check, extent};

/// Proof that the processor has the three extensions: only [`Avx2::detect`] makes one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Avx2(());

impl Avx2 {
    pub(crate) fn detect() -> Option<Self> {
        let all =
            is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") && is_x86_feature_detected!("f16c");
        all.then_some(Self(()))
    }

    /// Runs a kernel with everything inlined into code for these extensions.
    pub(crate) fn run<K: Kernel>(self, kernel: K) -> K::Output {
        #[target_feature(enable = "avx2,fma,f16c")]
        fn inside<K: Kernel>(unit: Avx2, kernel: K) -> K::Output {
            kernel.run(unit)
        }
        // SAFETY: the value `self` exists, so the extensions do.
        unsafe { inside(self, kernel) }
    }
}

impl Simd for Avx2 {
    const DOUBLES: bool = true;

    #[inline(always)]
    fn widen(self, bits: &[u16; LANES]) -> [f32; LANES] {
        let mut values = [0.0; LANES];
        // SAFETY: the extensions exist; each access is to eight elements of arrays of sixteen.
        unsafe {
            for half in [0, 8] {
                let eight = _mm_loadu_si128(bits.as_ptr().add(half).cast());
                _mm256_storeu_ps(values.as_mut_ptr().add(half), _mm256_cvtph_ps(eight));
            }
        }
        values
    }

    #[inline(always)]
    fn narrow(self, values: &[f32; LANES]) -> [u16; LANES] {
        let mut bits = [0; LANES];
        // SAFETY: the extensions exist; each access is to eight elements of arrays of sixteen.
        unsafe {
            for half in [0, 8] {
                let eight = _mm256_loadu_ps(values.as_ptr().add(half));
                let nan = _mm256_cmp_ps::<_CMP_UNORD_Q>(eight, eight);
                let eight = _mm256_blendv_ps(eight, _mm256_set1_ps(f32::from_bits(0x7fc0_0000)), nan);
                let eight = _mm256_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(eight);
                _mm_storeu_si128(bits.as_mut_ptr().add(half).cast(), eight);
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
        // SAFETY: the extensions exist; inputs lie below base + furthest, which has been checked for every window, and the
        // panel has LANES weights for every input of the runs.
        unsafe {
            let mut windows = [plane.as_ptr(); P];
            for (window, base) in windows.iter_mut().zip(base) {
                *window = window.add(base);
            }
            let mut sums = [[_mm256_setzero_ps(); 2]; P];
            let mut weights = panel.as_ptr();
            for run in runs {
                let mut inputs = windows;
                for input in &mut inputs {
                    *input = input.add(run.offset);
                }
                for index in 0..run.count {
                    let left = _mm256_loadu_ps(weights);
                    let right = _mm256_loadu_ps(weights.add(8));
                    weights = weights.add(LANES);
                    for (sums, inputs) in sums.iter_mut().zip(&inputs) {
                        let input = _mm256_broadcast_ss(&*inputs.add(index));
                        sums[0] = multiply_add::<FUSED>(input, left, sums[0]);
                        sums[1] = multiply_add::<FUSED>(input, right, sums[1]);
                    }
                }
            }
            let mut out = [[0.0; LANES]; P];
            for (out, sums) in out.iter_mut().zip(sums) {
                *out = floats(sums);
            }
            out
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
        // SAFETY: the extensions exist; inputs lie below base + furthest, which has been checked for every window, and the
        // panel has LANES weights for every input of the runs. Pairs are read unaligned.
        unsafe {
            let mut windows = [plane.as_ptr(); P];
            for (window, base) in windows.iter_mut().zip(base) {
                *window = window.add(base);
            }
            let mut sums = [[_mm256_setzero_si256(); 2]; P];
            let mut weights = panel.as_ptr();
            for run in runs {
                let mut inputs = windows;
                for input in &mut inputs {
                    *input = input.add(run.offset);
                }
                for pair in 0..run.count / 2 {
                    let left = _mm256_loadu_si256(weights.cast());
                    let right = _mm256_loadu_si256(weights.add(LANES).cast());
                    weights = weights.add(2 * LANES);
                    for (sums, inputs) in sums.iter_mut().zip(&inputs) {
                        let input = _mm256_set1_epi32(inputs.cast::<i32>().add(pair).read_unaligned());
                        sums[0] = _mm256_add_epi32(sums[0], _mm256_madd_epi16(input, left));
                        sums[1] = _mm256_add_epi32(sums[1], _mm256_madd_epi16(input, right));
                    }
                }
            }
            let mut out = [[0; LANES]; P];
            for (out, sums) in out.iter_mut().zip(sums) {
                *out = ints(sums);
            }
            out
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
        // SAFETY: the extensions exist; inputs lie below base + furthest, which has been checked for every window, and the
        // panel has LANES weights for every tap.
        unsafe {
            let mut windows = [plane.as_ptr(); P];
            for (window, base) in windows.iter_mut().zip(base) {
                *window = window.add(base);
            }
            let mut sums = [[_mm256_setzero_ps(); 2]; P];
            let mut weights = panel.as_ptr();
            for tap in taps {
                let left = _mm256_loadu_ps(weights);
                let right = _mm256_loadu_ps(weights.add(8));
                weights = weights.add(LANES);
                for (sums, window) in sums.iter_mut().zip(&windows) {
                    let inputs = window.add(*tap);
                    sums[0] = multiply_add::<FUSED>(_mm256_loadu_ps(inputs), left, sums[0]);
                    sums[1] = multiply_add::<FUSED>(_mm256_loadu_ps(inputs.add(8)), right, sums[1]);
                }
            }
            let mut out = [[0.0; LANES]; P];
            for (out, sums) in out.iter_mut().zip(sums) {
                *out = floats(sums);
            }
            out
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
        // SAFETY: the extensions exist; inputs lie below base + furthest, which has been checked for every window, and the
        // panel has 2 * LANES weights for every two taps.
        unsafe {
            let mut windows = [plane.as_ptr(); P];
            for (window, base) in windows.iter_mut().zip(base) {
                *window = window.add(base);
            }
            let mut sums = [[_mm256_setzero_si256(); 2]; P];
            let mut weights = panel.as_ptr();
            for taps in taps.chunks(2) {
                let (first, second) = (taps[0], *taps.last().unwrap_or(&taps[0]));
                let low = _mm256_loadu_si256(weights.cast());
                let high = _mm256_loadu_si256(weights.add(LANES).cast());
                weights = weights.add(2 * LANES);
                // Unpacking works in halves of 128 bits: lanes 0-3 and 8-11, then the others.
                let outer = _mm256_permute2x128_si256::<0x20>(low, high);
                let inner = _mm256_permute2x128_si256::<0x31>(low, high);
                for (sums, window) in sums.iter_mut().zip(&windows) {
                    let one = _mm256_loadu_si256(window.add(first).cast());
                    let other = _mm256_loadu_si256(window.add(second).cast());
                    let even = _mm256_madd_epi16(_mm256_unpacklo_epi16(one, other), outer);
                    let odd = _mm256_madd_epi16(_mm256_unpackhi_epi16(one, other), inner);
                    sums[0] = _mm256_add_epi32(sums[0], even);
                    sums[1] = _mm256_add_epi32(sums[1], odd);
                }
            }
            let mut out = [[0; LANES]; P];
            for (out, [outer, inner]) in out.iter_mut().zip(sums) {
                let low = _mm256_permute2x128_si256::<0x20>(outer, inner);
                *out = ints([low, _mm256_permute2x128_si256::<0x31>(outer, inner)]);
            }
            out
        }
    }
}

/// # Safety
/// The processor must have AVX and FMA.
#[inline(always)]
unsafe fn multiply_add<const FUSED: bool>(a: __m256, b: __m256, sum: __m256) -> __m256 {
    // SAFETY: as the caller promises.
    unsafe { if FUSED { _mm256_fmadd_ps(a, b, sum) } else { _mm256_add_ps(sum, _mm256_mul_ps(a, b)) } }
}

#[inline(always)]
fn floats(halves: [__m256; 2]) -> [f32; LANES] {
    // SAFETY: two times eight single-precision numbers, of which every bit pattern is one.
    unsafe { std::mem::transmute(halves) }
}

#[inline(always)]
fn ints(halves: [__m256i; 2]) -> [i32; LANES] {
    // SAFETY: two times eight 32-bit integers, of which every bit pattern is one.
    unsafe { std::mem::transmute(halves) }
}
