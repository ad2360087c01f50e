//! What runs on vector units, and the choice among them.
//!
//! A [`Kernel`] is written once, in portable Rust, over blocks of [`LANES`] channels; [`dispatch`] compiles it a second time with
//! the processor's vector extensions switched on. Only what the compiler does not find by itself is written by hand, behind
//! [`Simd`]: half-precision conversion and the innermost loops of the convolution.
//!
//! Every implementation gives the same bits. Vectors run over output channels; each accumulator adds its products in the
//! order of its runs. A fused multiply-add is only used where the product is exact in single precision (half precision: 11 by
//! 11 bits, exponents far from the limits), so that fused and separate operations round once and alike; bfloat16, whose
//! products can leave the range, is multiplied and added in two steps everywhere. Integers are exact. NaN has one form.

#![allow(
    unsafe_code,
    reason = "vector instructions: calling what a feature check permits, and reading through pointers checked in bulk"
)]

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "aarch64")]
mod neon;
mod portable;
#[cfg(test)]
mod tests;

use crate::options::Vector;

/// Channels of one block: two surfaces of 16-bit elements, one of bytes.
pub(crate) const LANES: usize = 16;

/// Consecutive inputs of a window: from `offset` behind the window's first input, `count` of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) offset: usize,
    pub(crate) count: usize,
}

/// The hand-written parts. Methods panic on what lies outside of the slices they are given.
pub(crate) trait Simd: Copy {
    /// Whether arithmetic in double precision is vectorised, rounding included.
    const DOUBLES: bool;

    /// Half precision to single.
    fn widen(self, bits: &[u16; LANES]) -> [f32; LANES];

    /// Single precision to half, to the nearest, ties to even; NaN becomes 0x7e00.
    fn narrow(self, values: &[f32; LANES]) -> [u16; LANES];

    /// Accumulators of `P` windows, which begin at `base`. `panel` has [`LANES`] weights for every input of the runs.
    fn direct_float<const P: usize, const FUSED: bool>(
        self,
        plane: &[f32],
        base: [usize; P],
        runs: &[Run],
        panel: &[f32],
    ) -> [[f32; LANES]; P];

    /// The same in integers. Runs have even counts; `panel` has, for every two inputs, pairs of weights for [`LANES`] outputs.
    fn direct_int<const P: usize>(
        self,
        plane: &[i16],
        base: [usize; P],
        runs: &[Run],
        panel: &[i16],
    ) -> [[i32; LANES]; P];

    /// Channel by channel: a tap is where a window's inputs of [`LANES`] channels begin.
    fn depthwise_float<const P: usize, const FUSED: bool>(
        self,
        plane: &[f32],
        base: [usize; P],
        taps: &[usize],
        panel: &[f32],
    ) -> [[f32; LANES]; P];

    /// The same in integers; `panel` has pairs of weights, of every two taps, the last one filled up with zeros.
    fn depthwise_int<const P: usize>(
        self,
        plane: &[i16],
        base: [usize; P],
        taps: &[usize],
        panel: &[i16],
    ) -> [[i32; LANES]; P];
}

/// Code to be compiled for every vector unit. `run` must be `#[inline(always)]`, like everything hot that it calls.
pub(crate) trait Kernel {
    type Output;
    fn run<S: Simd>(self, simd: S) -> Self::Output;
}

/// A vector unit that this processor has.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Path {
    Portable(portable::Portable),
    #[cfg(target_arch = "x86_64")]
    Avx2(avx2::Avx2),
    #[cfg(target_arch = "aarch64")]
    Neon(neon::Neon),
}

impl Path {
    pub(crate) fn choose(vector: Vector) -> Self {
        if vector == Vector::Detect {
            #[cfg(target_arch = "x86_64")]
            if let Some(unit) = avx2::Avx2::detect() {
                return Self::Avx2(unit);
            }
            #[cfg(target_arch = "aarch64")]
            if let Some(unit) = neon::Neon::detect() {
                return Self::Neon(unit);
            }
        }
        Self::Portable(portable::Portable)
    }
}

/// Runs a kernel compiled for a vector unit.
pub(crate) fn dispatch<K: Kernel>(path: Path, kernel: K) -> K::Output {
    match path {
        Path::Portable(unit) => kernel.run(unit),
        #[cfg(target_arch = "x86_64")]
        Path::Avx2(unit) => unit.run(kernel),
        #[cfg(target_arch = "aarch64")]
        Path::Neon(unit) => kernel.run(unit),
    }
}

/// `convert` of every element. The standard library's `map` may stay a function of its own, compiled without the vector unit.
#[inline(always)]
pub(crate) fn map<T: Copy, U: Copy + Default, const N: usize>(values: &[T; N], convert: impl Fn(T) -> U) -> [U; N] {
    let mut converted = [U::default(); N];
    for lane in 0..N {
        converted[lane] = convert(values[lane]);
    }
    converted
}

/// The last element that any window of `base` reads, checked once for all of them.
#[inline(always)]
fn check<const P: usize>(length: usize, base: &[usize; P], furthest: usize) {
    for base in base {
        assert!(base + furthest <= length, "a window reaches {} of {length} inputs", base + furthest);
    }
}

/// One past the last input of the runs, and how many there are.
#[inline(always)]
fn extent(runs: &[Run]) -> (usize, usize) {
    runs.iter().fold((0, 0), |(end, count), run| (end.max(run.offset + run.count), count + run.count))
}
