//! What differs between the systems on chip.
//!
//! Sources: cores, DMA mask, amount scale, `TASK_CON` bits and tasks per submit from the configuration structures of the
//! vendor's kernel driver (0.9.8); precisions and atoms from the matmul layouts in the vendor's runtime header; convolution
//! buffer of the RK3588 from Mesa's rocket driver, of the RK3576 from published hardware sweeps. `None` means that no source
//! is known, not that the part is absent.

use std::fmt;

/// A numeric format of the datapath, with its 3-bit code in the precision fields of the registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Precision {
    /// 8-bit integer.
    Int8 = 0,
    /// 16-bit integer.
    Int16 = 1,
    /// IEEE half precision.
    Fp16 = 2,
    /// bfloat16.
    Bf16 = 3,
    /// 32-bit integer; output only.
    Int32 = 4,
    /// IEEE single precision; output only.
    Fp32 = 5,
    /// 4-bit integer.
    Int4 = 6,
    /// 19 bits of a single precision number; convolution only.
    Tf32 = 7,
}

impl Precision {
    /// Every precision, by code.
    pub const ALL: [Self; 8] =
        [Self::Int8, Self::Int16, Self::Fp16, Self::Bf16, Self::Int32, Self::Fp32, Self::Int4, Self::Tf32];

    /// The precision with this code.
    pub fn from_code(code: u32) -> Option<Self> {
        Self::ALL.get(usize::try_from(code).ok()?).copied()
    }

    /// Its code in precision fields.
    pub const fn code(self) -> u32 {
        self as u32
    }

    /// Bits of an element in memory.
    pub const fn bits(self) -> u32 {
        match self {
            Self::Int4 => 4,
            Self::Int8 => 8,
            Self::Int16 | Self::Fp16 | Self::Bf16 => 16,
            Self::Int32 | Self::Fp32 | Self::Tf32 => 32,
        }
    }
}

impl fmt::Display for Precision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Int8 => "int8",
            Self::Int16 => "int16",
            Self::Fp16 => "fp16",
            Self::Bf16 => "bf16",
            Self::Int32 => "int32",
            Self::Fp32 => "fp32",
            Self::Int4 => "int4",
            Self::Tf32 => "tf32",
        })
    }
}

/// The buffer in each core that holds features and weights during a convolution.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ConvolutionBuffer {
    /// Number of banks.
    pub banks: u32,
    /// Bytes of a bank.
    pub bank_bytes: Option<u32>,
}

/// Facts about the NPU of one system on chip.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Soc {
    /// Name in lower case, as the vendor's tools spell their target: `rk3588`.
    pub name: &'static str,
    /// Number of NPU cores.
    pub cores: u32,
    /// The convolution buffer of each core.
    pub convolution_buffer: Option<ConvolutionBuffer>,
    /// Bytes of a feature atom: the channels of one pixel that lie side by side.
    pub atom_bytes: Option<u32>,
    /// Bits of a device address that the DMA can use. Address registers have 32 bits everywhere.
    pub dma_bits: u32,
    /// Commands that the program controller fetches at a time, the unit of `PC.REGISTER_AMOUNTS`.
    pub amount_scale: u32,
    /// Width of the task count in `PC.TASK_CON`.
    pub task_number_bits: u32,
    /// Offset of `TASK_STATUS`.
    pub task_status_offset: u16,
    /// Most tasks that the program controller takes in one go.
    pub max_tasks: u32,
    /// Precisions of convolution inputs.
    pub precisions: &'static [Precision],
    /// Whether [`registers`](crate::registers) describe it. Others re-arrange registers, so programs cannot be read with them.
    pub supported: bool,
}

use Precision::{Bf16, Fp16, Int4, Int8, Int16, Tf32};

impl Soc {
    /// RK3588 and RK3588S.
    pub const RK3588: Self = Self {
        name: "rk3588",
        cores: 3,
        convolution_buffer: Some(ConvolutionBuffer { banks: 12, bank_bytes: Some(32 * 1024) }),
        atom_bytes: Some(16),
        dma_bits: 40,
        amount_scale: 2,
        task_number_bits: 12,
        task_status_offset: 0x3c,
        max_tasks: 4095,
        precisions: &[Int8, Int16, Fp16, Bf16, Int4, Tf32],
        supported: true,
    };

    /// RK3576. Its CNA, CORE and DPU geometry registers are packed differently.
    pub const RK3576: Self = Self {
        name: "rk3576",
        cores: 2,
        convolution_buffer: Some(ConvolutionBuffer { banks: 16, bank_bytes: None }),
        atom_bytes: Some(16),
        dma_bits: 40,
        amount_scale: 2,
        task_number_bits: 16,
        task_status_offset: 0x48,
        max_tasks: 65535,
        precisions: &[Int8, Int16, Fp16, Bf16, Int4],
        supported: false,
    };

    /// RK3566 and RK3568. Their operation enables sit elsewhere, and they have one more block.
    pub const RK3566: Self = Self {
        name: "rk3566",
        cores: 1,
        convolution_buffer: None,
        atom_bytes: Some(8),
        dma_bits: 32,
        amount_scale: 1,
        task_number_bits: 12,
        task_status_offset: 0x3c,
        max_tasks: 4095,
        precisions: &[Int8, Int16, Fp16],
        supported: false,
    };

    /// RK3562. Its register map is not known.
    pub const RK3562: Self = Self {
        name: "rk3562",
        cores: 1,
        convolution_buffer: None,
        atom_bytes: None,
        dma_bits: 40,
        amount_scale: 2,
        task_number_bits: 16,
        task_status_offset: 0x48,
        max_tasks: 65535,
        precisions: &[Int8, Int16, Fp16],
        supported: false,
    };

    /// Every system on chip with known facts.
    pub const ALL: [&'static Self; 4] = [&Self::RK3588, &Self::RK3576, &Self::RK3566, &Self::RK3562];

    /// The system on chip with this name, in any case. `rk3568` and `rk3588s` name the same NPUs as `rk3566` and `rk3588`.
    pub fn named(name: &str) -> Option<&'static Self> {
        let name = match name.to_ascii_lowercase().as_str() {
            "rk3568" => "rk3566".to_owned(),
            "rk3588s" => "rk3588".to_owned(),
            name => name.to_owned(),
        };
        Self::ALL.into_iter().find(|soc| soc.name == name)
    }
}

impl fmt::Display for Soc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name)
    }
}
