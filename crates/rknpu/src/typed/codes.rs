//! Enumerations that several blocks share.

use super::field::codes;

codes! {
    /// Element type of a tensor or of a datapath (3 bits everywhere).
    Precision {
        /// Signed 8-bit integers.
        Int8 = 0,
        /// Signed 16-bit integers.
        Int16 = 1,
        /// IEEE half precision.
        Float16 = 2,
        /// bfloat16.
        BFloat16 = 3,
        /// Signed 32-bit integers.
        Int32 = 4,
        /// IEEE single precision.
        Float32 = 5,
        /// Signed 4-bit integers.
        Int4 = 6,
        /// 19-bit floats in 32 bits.
        TensorFloat32 = 7,
    }
}

impl Precision {
    /// Bytes per element; `None` for 4-bit and unknown types.
    pub fn bytes(self) -> Option<u32> {
        match self {
            Self::Int8 => Some(1),
            Self::Int16 | Self::Float16 | Self::BFloat16 => Some(2),
            Self::Int32 | Self::Float32 | Self::TensorFloat32 => Some(4),
            Self::Int4 | Self::Unknown(_) => None,
        }
    }

    /// Whether a datapath of this precision computes in floating point.
    pub fn is_float(self) -> bool {
        matches!(self, Self::Float16 | Self::BFloat16 | Self::Float32 | Self::TensorFloat32)
    }
}

codes! {
    /// What CNA, CORE, DPU and DPU_RDMA convolve.
    ConvolutionMode {
        /// Every output channel sees every input channel.
        Direct = 0,
        /// Output channel k sees input channel k.
        Depthwise = 3,
    }
}

codes! {
    /// The arithmetic unit of BS, BN and EW: `main OP operand`.
    AluAlgorithm {
        /// The larger of both.
        Max = 0,
        /// The smaller of both.
        Min = 1,
        /// The sum.
        Add = 2,
        /// Main divided by the operand.
        Divide = 3,
        /// Main minus the operand.
        Subtract = 4,
    }
}

codes! {
    /// How a pooling window becomes one value.
    PoolingMethod {
        /// The mean, from a sum and two reciprocals.
        Average = 0,
        /// The largest element inside the cube.
        Max = 1,
        /// The smallest element.
        Min = 2,
    }
}

codes! {
    /// Width of an operand element (ERDMA_DATA_SIZE, and PPU_RDMA's IN_PRECISION, which is a size and no precision).
    ElementSize {
        /// Four bits, or unset.
        Bits4 = 0,
        /// One byte.
        Bits8 = 1,
        /// Two bytes.
        Bits16 = 2,
        /// Four bytes.
        Bits32 = 3,
    }
}

impl ElementSize {
    /// Bytes per element, where it is whole bytes.
    pub fn bytes(self) -> Option<u32> {
        match self {
            Self::Bits8 => Some(1),
            Self::Bits16 => Some(2),
            Self::Bits32 => Some(4),
            Self::Bits4 | Self::Unknown(_) => None,
        }
    }
}
