//! ERT packets: what a command buffer holds when a context executes it.
//!
//! A packet is a word of header, a mask of compute units for all but chains, and a payload that depends on the opcode. Layouts from
//! src/runtime_src/core/include/xrt/detail/ert.h of Xilinx/XRT and drivers/accel/amdxdna/amdxdna_ctx.h of amd/xdna-driver.

use crate::bytes::{halves, whole};

/// What is to be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Opcode(pub u8);

impl Opcode {
    /// Runs a kernel of an xclbin.
    pub const START_CU: Self = Self(0);
    /// Runs a kernel on several microcontrollers.
    pub const START_DPU: Self = Self(18);
    /// Runs a list of commands.
    pub const CMD_CHAIN: Self = Self(19);
    /// Runs the control code of an ELF.
    pub const START_NPU: Self = Self(20);
    /// Runs the control code of an ELF that can be preempted.
    pub const START_NPU_PREEMPT: Self = Self(21);
    /// Runs a kernel of a full ELF.
    pub const START_NPU_PREEMPT_ELF: Self = Self(22);

    /// Its name.
    pub const fn name(self) -> Option<&'static str> {
        Some(match self {
            Self::START_CU => "ERT_START_CU",
            Self::START_DPU => "ERT_START_DPU",
            Self::CMD_CHAIN => "ERT_CMD_CHAIN",
            Self::START_NPU => "ERT_START_NPU",
            Self::START_NPU_PREEMPT => "ERT_START_NPU_PREEMPT",
            Self::START_NPU_PREEMPT_ELF => "ERT_START_NPU_PREEMPT_ELF",
            _ => return None,
        })
    }
}

/// How far a command is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct State(pub u8);

impl State {
    /// Not submitted yet.
    pub const NEW: Self = Self(1);
    /// Waiting.
    pub const QUEUED: Self = Self(2);
    /// Running.
    pub const RUNNING: Self = Self(3);
    /// Done.
    pub const COMPLETED: Self = Self(4);
    /// Failed.
    pub const ERROR: Self = Self(5);
    /// Given up.
    pub const ABORT: Self = Self(6);
    /// Handed to the firmware.
    pub const SUBMITTED: Self = Self(7);
    /// Took too long.
    pub const TIMEOUT: Self = Self(8);
    /// The firmware does not answer.
    pub const NO_RESPONSE: Self = Self(9);
}

/// A packet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Packet {
    /// How far it is.
    pub state: State,
    /// What is to be done.
    pub opcode: Opcode,
    /// Four bits of type, 0 for what is here.
    pub kind: u8,
    /// Masks of compute units, one word each; none in a chain, else one to four.
    pub cu_masks: Vec<u32>,
    /// Bits 9 to 4 of the header, and for a chain 11 and 10 too.
    pub custom: u8,
    /// The words behind the masks.
    pub payload: Vec<u32>,
}

/// Why a packet cannot be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PacketError {
    /// More words than the header can count.
    #[error("the packet has {0} words behind its header, but at most 2047 can be counted")]
    TooLong(usize),
    /// No mask of compute units, or more than four; or one in a chain.
    #[error("a packet has one to four masks of compute units and a chain none, not {0}")]
    Masks(usize),
    /// A value that does not fit its bits.
    #[error("{what} is {value}, but at most {limit} fits")]
    TooLarge {
        /// The field.
        what: &'static str,
        /// The value.
        value: u8,
        /// Largest value.
        limit: u8,
    },
}

impl Packet {
    /// A new packet for a compute unit.
    pub fn new(opcode: Opcode, cu_mask: u32, payload: Vec<u32>) -> Self {
        let cu_masks = if opcode == Opcode::CMD_CHAIN { Vec::new() } else { vec![cu_mask] };
        Self { state: State::NEW, opcode, kind: 0, cu_masks, custom: 0, payload }
    }

    /// The packet at the start of a command buffer; `None` if it is cut short. Words behind it are not looked at.
    pub fn decode(words: &[u32]) -> Option<Self> {
        let header = *words.first()?;
        let count = (header >> 12 & 0x7ff) as usize;
        let opcode = Opcode((header >> 23 & 0x1f) as u8);
        let chain = opcode == Opcode::CMD_CHAIN;
        let body = words.get(1..1 + count)?;
        let masks = if chain { 0 } else { 1 + (header >> 10 & 3) as usize };
        let custom = (header >> 4 & if chain { 0xff } else { 0x3f }) as u8;
        let (cu_masks, payload) = body.split_at_checked(masks)?;
        let (state, kind) = (State((header & 0xf) as u8), (header >> 28) as u8);
        Some(Self { state, opcode, kind, cu_masks: cu_masks.to_vec(), custom, payload: payload.to_vec() })
    }

    /// The words of the packet.
    ///
    /// # Errors
    /// If it is too long, has the wrong number of masks, or a value does not fit.
    pub fn encode(&self) -> Result<Vec<u32>, PacketError> {
        let chain = self.opcode == Opcode::CMD_CHAIN;
        let masks = self.cu_masks.len();
        if chain != (masks == 0) || masks > 4 {
            return Err(PacketError::Masks(masks));
        }
        let count = masks + self.payload.len();
        if count > 0x7ff {
            return Err(PacketError::TooLong(count));
        }
        let custom_limit = if chain { 0xff } else { 0x3f };
        let fields = [
            ("the state", self.state.0, 0xf),
            ("the opcode", self.opcode.0, 0x1f),
            ("the type", self.kind, 0xf),
            ("the custom field", self.custom, custom_limit),
        ];
        for (what, value, limit) in fields {
            if value > limit {
                return Err(PacketError::TooLarge { what, value, limit });
            }
        }
        let header = u32::from(self.state.0)
            | u32::from(self.custom) << 4
            | (masks.saturating_sub(1) as u32) << 10
            | (count as u32) << 12
            | u32::from(self.opcode.0) << 23
            | u32::from(self.kind) << 28;
        let mut words = vec![header];
        words.extend_from_slice(&self.cu_masks);
        words.extend_from_slice(&self.payload);
        Ok(words)
    }
}

/// The payload of a packet that runs something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Payload {
    /// [`Opcode::START_CU`]: the argument block of a kernel that runs an instruction stream.
    Kernel {
        /// 3 for an instruction stream.
        opcode: u64,
        /// Address of the instruction stream.
        instructions: u64,
        /// Its words.
        count: u32,
        /// Addresses of the buffers.
        buffers: Vec<u64>,
    },
    /// [`Opcode::START_NPU`].
    Npu {
        /// Address of the instruction stream.
        instructions: u64,
        /// Its bytes.
        size: u32,
        /// Number of properties, 0.
        properties: u32,
        /// Addresses of the buffers.
        buffers: Vec<u64>,
    },
    /// [`Opcode::START_NPU_PREEMPT`] and [`Opcode::START_NPU_PREEMPT_ELF`].
    Preempt {
        /// Address and bytes of the instruction stream.
        instructions: (u64, u32),
        /// Address and bytes of the stream that saves.
        save: (u64, u32),
        /// Address and bytes of the stream that restores.
        restore: (u64, u32),
        /// Number of properties, 0.
        properties: u32,
        /// Addresses of the buffers.
        buffers: Vec<u64>,
    },
    /// [`Opcode::CMD_CHAIN`].
    Chain {
        /// Commands that are submitted.
        submit_index: u32,
        /// The command that failed.
        error_index: u32,
        /// Three reserved words.
        reserved: [u32; 3],
        /// Handles of the command buffers.
        commands: Vec<u64>,
    },
}

fn pairs(words: &[u32]) -> Option<Vec<u64>> {
    words.len().is_multiple_of(2).then(|| words.chunks_exact(2).map(|pair| whole(pair[0], pair[1])).collect())
}

impl Payload {
    /// The payload of a packet; `None` for other opcodes and for payloads that are too short.
    pub fn decode(opcode: Opcode, words: &[u32]) -> Option<Self> {
        match (opcode, words) {
            (Opcode::START_CU, [o0, o1, i0, i1, count, rest @ ..]) => Some(Self::Kernel {
                opcode: whole(*o0, *o1),
                instructions: whole(*i0, *i1),
                count: *count,
                buffers: pairs(rest)?,
            }),
            (Opcode::START_NPU, [i0, i1, size, properties, rest @ ..]) => Some(Self::Npu {
                instructions: whole(*i0, *i1),
                size: *size,
                properties: *properties,
                buffers: pairs(rest)?,
            }),
            (
                Opcode::START_NPU_PREEMPT | Opcode::START_NPU_PREEMPT_ELF,
                [i0, i1, s0, s1, r0, r1, size, save, restore, properties, rest @ ..],
            ) => Some(Self::Preempt {
                instructions: (whole(*i0, *i1), *size),
                save: (whole(*s0, *s1), *save),
                restore: (whole(*r0, *r1), *restore),
                properties: *properties,
                buffers: pairs(rest)?,
            }),
            (Opcode::CMD_CHAIN, [count, submit, error, a, b, c, rest @ ..]) => {
                let commands = pairs(rest)?;
                (commands.len() == *count as usize).then_some(Self::Chain {
                    submit_index: *submit,
                    error_index: *error,
                    reserved: [*a, *b, *c],
                    commands,
                })
            }
            _ => None,
        }
    }

    /// The payload as words.
    pub fn encode(&self) -> Vec<u32> {
        let (mut words, rest) = match self {
            Self::Kernel { opcode, instructions, count, buffers } => {
                let mut words = halves(*opcode).to_vec();
                words.extend(halves(*instructions));
                words.push(*count);
                (words, buffers)
            }
            Self::Npu { instructions, size, properties, buffers } => {
                let mut words = halves(*instructions).to_vec();
                words.extend([*size, *properties]);
                (words, buffers)
            }
            Self::Preempt { instructions, save, restore, properties, buffers } => {
                let addresses = [instructions.0, save.0, restore.0];
                let mut words: Vec<u32> = addresses.into_iter().flat_map(halves).collect();
                words.extend([instructions.1, save.1, restore.1, *properties]);
                (words, buffers)
            }
            Self::Chain { submit_index, error_index, reserved, commands } => {
                let mut words = vec![commands.len() as u32, *submit_index, *error_index];
                words.extend(reserved);
                (words, commands)
            }
        };
        words.extend(rest.iter().flat_map(|value| halves(*value)));
        words
    }
}
