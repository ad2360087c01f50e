//! Block floats: numbers that share an exponent.

/// A block of the format `bfp16ebs8` of AMD XDNA (AIE2P): eight numbers with one exponent, in nine bytes.
///
/// Number `i` is `mantissas[i] * 2^(exponent - 133)`. Infinities and NaN cannot be represented. Behaviour of
/// programming_examples/ml/block_datatypes/helper.h of Xilinx/mlir-aie.
///
/// ```
/// use ferrite_numerics::Bfp16Ebs8;
///
/// let block = Bfp16Ebs8::encode([1.0, 0.5, -1.0, 0.0, 0.25, 1.5, -0.5, 0.01]);
/// assert_eq!(block.to_bytes(), [0x7f, 0x40, 0x20, 0xc0, 0x00, 0x10, 0x60, 0xe0, 0x00]);
/// assert_eq!(block.decode()[5], 1.5);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Bfp16Ebs8 {
    /// The biased exponent: that of the number with the largest one.
    pub exponent: u8,
    /// The numbers in units of `2^(exponent - 133)`.
    pub mantissas: [i8; Self::NUMBERS],
}

impl Bfp16Ebs8 {
    /// Numbers in a block.
    pub const NUMBERS: usize = 8;
    /// Bytes of a block.
    pub const SIZE: usize = 9;

    /// Rounds eight numbers toward negative infinity, to the precision that the largest of them leaves.
    ///
    /// Numbers too small for that become 0, or -1 unit if they are negative; so does -0 beside a number of 2^-95 or more.
    /// Infinities and NaN give unspecified numbers.
    pub fn encode(numbers: [f32; Self::NUMBERS]) -> Self {
        let exponent_of = |number: f32| (number.to_bits() >> 23) as u8;
        let exponent = numbers.into_iter().map(exponent_of).max().unwrap_or_default();
        let mantissas = numbers.map(|number| {
            let own = exponent_of(number);
            let bits = number.to_bits();
            // A number with a biased exponent of 0 has no hidden bit; its unit is taken to be that of the exponent 0.
            let hidden = if own == 0 { 0 } else { 1 << 23 };
            let significand = bits & 0x7f_ffff | hidden;
            let signed = if bits >> 31 == 1 { significand.wrapping_neg() } else { significand };
            let mantissa = (signed >> 17) as u8 as i8;
            match exponent - own {
                // Shifted out altogether, the sign of the number is what counts, also that of a zero.
                32.. => -i8::from(bits >> 31 == 1),
                shift => mantissa >> shift.min(7),
            }
        });
        Self { exponent, mantissas }
    }

    /// The eight numbers; exact, as every one of them is a number of `f32`.
    pub fn decode(&self) -> [f32; Self::NUMBERS] {
        // In two steps: the smallest units are subnormal numbers of f32 and no power of two that `f32` could hold is needed.
        let unit = f64::from_bits(u64::from(u32::from(self.exponent) + 1023 - 133) << 52);
        self.mantissas.map(|mantissa| (f64::from(mantissa) * unit) as f32)
    }

    /// A block in memory: exponent, then mantissas.
    pub const fn from_bytes(bytes: [u8; Self::SIZE]) -> Self {
        let [exponent, a, b, c, d, e, f, g, h] = bytes;
        let mantissas = [a as i8, b as i8, c as i8, d as i8, e as i8, f as i8, g as i8, h as i8];
        Self { exponent, mantissas }
    }

    /// The block as it lies in memory: exponent, then mantissas.
    pub const fn to_bytes(&self) -> [u8; Self::SIZE] {
        let [a, b, c, d, e, f, g, h] = self.mantissas;
        [self.exponent, a as u8, b as u8, c as u8, d as u8, e as u8, f as u8, g as u8, h as u8]
    }
}
