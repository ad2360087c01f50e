//! Random inputs, the same everywhere for the same seed.

use ferrite_rknn_runtime::{ElementType, Tensor, TensorInfo};

use crate::failure::Failure;

/// The SplitMix64 generator, which is a few lines and passes the usual tests.
struct SplitMix64(u64);

impl SplitMix64 {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Uniform in 0..1, on a grid of 2^-24.
    fn uniform(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1_u32 << 24) as f32
    }

    /// Nearly standard normal: the sum of twelve uniform values. Unlike the exact formulas it needs no function whose last
    /// digit depends on the platform.
    fn normal(&mut self) -> f32 {
        (0..12).map(|_| self.uniform()).sum::<f32>() - 6.0
    }
}

/// Values for input number `index`: pixels where the model normalises them itself, 0 or 1 for integers that stand for
/// themselves, else standard normal.
pub(crate) fn tensor(info: &TensorInfo, index: usize, seed: u64) -> Result<Tensor, Failure> {
    let count = info.shape.iter().try_fold(1_usize, |count, &size| count.checked_mul(size));
    let count = count.filter(|&count| count as u64 <= info.native_bytes.saturating_mul(8)).ok_or_else(|| {
        Failure::input(format!(
            "input `{}` has the shape {} in {} bytes",
            info.name,
            super::shape(&info.shape),
            info.native_bytes
        ))
    })?;
    let mut generator = SplitMix64(seed);
    // Inputs of one seed must differ from each other.
    generator.0 = generator.next().wrapping_add(index as u64);
    let float = [ElementType::F32, ElementType::F16, ElementType::Bf16].contains(&info.element);
    let made = if info.normalization.is_some() {
        Tensor::new(
            ElementType::U8,
            info.shape.clone(),
            (0..count).map(|_| generator.next().to_be_bytes()[0]).collect(),
        )
    } else if !float && info.quantization.is_none() {
        Tensor::new(
            ElementType::U8,
            info.shape.clone(),
            (0..count).map(|_| generator.next().to_be_bytes()[0] >> 7).collect(),
        )
    } else {
        Tensor::from_f32(info.shape.clone(), &(0..count).map(|_| generator.normal()).collect::<Vec<f32>>())
    };
    made.map_err(|error| super::failed("cannot make random values", &error))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first outputs for seed 1234567, as published with the generator's reference implementation.
    #[test]
    fn splitmix_is_the_published_one() {
        let mut generator = SplitMix64(1_234_567);
        let first = [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
        assert_eq!([(); 3].map(|()| generator.next()), first);
    }

    #[test]
    fn normal_values_have_mean_zero_and_variance_one() {
        let mut generator = SplitMix64(5);
        let values: Vec<f64> = (0..100_000).map(|_| generator.normal().into()).collect();
        let mean = values.iter().sum::<f64>() / 1e5;
        let variance = values.iter().map(|value| value * value).sum::<f64>() / 1e5;
        assert!(mean.abs() < 0.01 && (variance - 1.0).abs() < 0.02, "{mean} {variance}");
    }
}
