//! Instruction streams: what the firmware executes to start transfers, patch addresses and wait (`insts.bin`, also called TXN).
//!
//! ```
//! use ferrite_xdna::txn::{Entry, Header, Operation, Stream};
//! use ferrite_xdna::{Device, Tile};
//!
//! let device = Device::named("npu2_1col").unwrap();
//! let mut stream = Stream::new(Header::of(device));
//! stream.push(Operation::Write { address: Tile::new(0, 2).address(0x1f000), value: 2 });
//! let bytes = stream.encode().unwrap();
//! assert_eq!(bytes[..8], [0, 1, 4, 6, 1, 1, 0, 0]);
//! assert_eq!(Stream::decode(&bytes).unwrap(), stream);
//! assert_eq!(Stream::parse(&stream.to_string()).unwrap(), stream);
//! ```
//!
//! Layouts from include/aie/Runtime/TxnEncoding.h of Xilinx/mlir-aie and driver/src/common/xaie_txn.h of Xilinx/aie-rt. Two
//! versions exist: 0.1, which everything in use writes, and 1.0, a shorter form of 2024.
//!
//! Bytes that no field covers are undefined: mlir-aie writes zeros, aie-rt leaves whatever was in memory. They are kept in
//! [`Spare`], so that decoding and encoding gives the same bytes.

pub mod aiebu;
mod decode;
mod encode;
mod text;

use crate::bytes::to_words;
use crate::device::{Address, Device, Generation, Tile};
use crate::error::Result;

pub use encode::EncodeError;
pub use text::ParseError;

/// An instruction stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stream {
    /// What the first 16 bytes say, apart from counts.
    pub header: Header,
    /// Operations in order.
    pub entries: Vec<Entry>,
    /// Bytes of the file after the size that the header gives.
    pub trailing: Vec<u8>,
}

/// The form of a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Version {
    /// Version 0.1, the normal form.
    V0_1,
    /// Version 1.0, the short form.
    V1_0,
}

impl Version {
    /// Major and minor number.
    pub const fn numbers(self) -> (u8, u8) {
        match self {
            Self::V0_1 => (0, 1),
            Self::V1_0 => (1, 0),
        }
    }
}

/// What the first 16 bytes of a stream say, apart from the number of operations and the size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Header {
    /// The form of the operations.
    pub version: Version,
    /// Generation of the device, see [`Generation::of_number`].
    pub generation: u8,
    /// Rows of the device.
    pub rows: u8,
    /// Columns of the device.
    pub columns: u8,
    /// Rows of memory tiles.
    pub memory_rows: u8,
    /// Two undefined bytes.
    pub padding: u16,
}

impl Header {
    /// Bytes of a header.
    pub const SIZE: usize = 16;

    /// The header for a device, version 0.1.
    pub const fn of(device: &Device) -> Self {
        Self {
            version: Version::V0_1,
            generation: device.generation as u8,
            rows: Device::ROWS,
            columns: device.columns,
            memory_rows: Device::MEMORY_ROWS,
            padding: 0,
        }
    }

    /// The device that the stream is for, if it is one of the known ones.
    pub fn device(&self) -> Option<&'static Device> {
        let generation = Generation::of_number(self.generation)?;
        Device::of(generation, self.columns).filter(|_| self.rows == Device::ROWS)
    }
}

/// An operation together with the undefined bits around its fields.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// What it does.
    pub operation: Operation,
    /// Bits that no field covers.
    pub spare: Spare,
}

impl Entry {
    /// A block write as mlir-aie writes it when column and row are given apart: they are repeated in the second word.
    pub fn block_write(tile: Tile, offset: u32, data: Vec<u32>) -> Self {
        let hint = u32::from(tile.column) | u32::from(tile.row) << 8;
        let bits = if hint == 0 { Vec::new() } else { vec![(1, hint)] };
        let operation = Operation::BlockWrite { address: tile.address(offset), data };
        Self { operation, spare: Spare { bits, extra: Vec::new() } }
    }
}

impl From<Operation> for Entry {
    fn from(operation: Operation) -> Self {
        Self { operation, spare: Spare::default() }
    }
}

/// Bits of an operation that no field covers; all zero in what this crate makes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Spare {
    /// Words of the operation that differ from the plain encoding: index and the bits in which they differ.
    pub bits: Vec<(u16, u32)>,
    /// Words behind the last field that the operation's size covers.
    pub extra: Vec<u32>,
}

impl Spare {
    /// Whether there is nothing in it.
    pub const fn is_empty(&self) -> bool {
        self.bits.is_empty() && self.extra.is_empty()
    }
}

/// What one operation does. Addresses are those of the array: column, row and offset.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Operation {
    /// Stores a word.
    Write {
        /// Where.
        address: Address,
        /// The word.
        value: u32,
    },
    /// Stores consecutive words.
    BlockWrite {
        /// Where the first goes.
        address: Address,
        /// The words.
        data: Vec<u32>,
    },
    /// Replaces the bits of a word that the mask names.
    MaskWrite {
        /// Where.
        address: Address,
        /// The new bits.
        value: u32,
        /// Which bits.
        mask: u32,
    },
    /// Waits until the masked word equals a value.
    MaskPoll {
        /// Where.
        address: Address,
        /// The value.
        value: u32,
        /// Which bits.
        mask: u32,
        /// The busy form, which does not let other work in.
        busy: bool,
    },
    /// Does nothing.
    Noop,
    /// A point where another context may take over.
    Preempt {
        /// What is saved: 0 nothing, 1 memory tiles, 2 core tiles, 3 their registers too.
        level: u8,
    },
    /// Loads a configuration.
    LoadPdi {
        /// Number of the PDI.
        id: u16,
        /// Its bytes.
        size: u32,
        /// Where it lies.
        address: u64,
    },
    /// Announces that the following operations load program memory.
    LoadProgram {
        /// How many of them do; 24 bits.
        operations: u32,
        /// Number of the program.
        id: u32,
    },
    /// Makes a scratch pad.
    CreateScratchpad {
        /// What for; 0 is the state table.
        usage: u8,
        /// Bytes.
        size: u32,
        /// Offset or address.
        offset: u64,
    },
    /// Changes an entry of the state table.
    UpdateState {
        /// Which entry.
        index: u8,
        /// How: 0 multiply, 1 increment, 2 decrement.
        function: u8,
        /// By what.
        argument: u32,
    },
    /// Writes a register from an entry of the state table.
    UpdateRegister {
        /// Which entry.
        index: u8,
        /// How: 0 multiply, 1 increment, 2 decrement.
        function: u8,
        /// By what.
        argument: u32,
        /// The register.
        address: Address,
    },
    /// Writes the state table back.
    UpdateScratch,
    /// Waits for the task-complete tokens of one channel of a rectangle of tiles.
    Sync {
        /// Direction of the channel, by number: 0 is S2MM, 1 is MM2S.
        direction: u8,
        /// The rectangle's lower left tile.
        tile: Tile,
        /// Its rows.
        rows: u8,
        /// Its columns.
        columns: u8,
        /// The channel.
        channel: u8,
    },
    /// Puts the device address of an argument into a buffer descriptor.
    PatchAddress {
        /// A word of the descriptor; usually its second.
        address: Address,
        /// Number of the buffer argument.
        argument: u32,
        /// Bytes added to the argument's address.
        offset: u64,
        /// Always 0 in what was seen; version 1.0 has none.
        action: u32,
    },
    /// Reads registers back.
    ReadRegisters {
        /// Which.
        addresses: Vec<u64>,
        /// Whether addresses have 64 bits (aie-rt, version 1.0) or 32 (mlir-aie).
        wide: bool,
    },
    /// Records a time.
    RecordTimer {
        /// Number of the record.
        id: u32,
    },
    /// Waits for merged tokens.
    MergeSync {
        /// Tokens and columns; how they are packed is not documented.
        tokens: u32,
    },
    /// An operation of 0x80 or more that is not known: it carries its size and can be stepped over.
    Custom {
        /// Its code.
        opcode: u8,
        /// Its words after code and size.
        payload: Vec<u32>,
    },
    /// An operation below 0x80 that is not known, with everything behind it: without its size nothing can be told apart.
    Opaque {
        /// How many operations the header still counts, this one included.
        operations: u32,
        /// All words, the first of which starts with the code.
        words: Vec<u32>,
    },
}

/// Codes of operations, by number.
pub mod opcode {
    /// [`Operation::Write`](super::Operation::Write).
    pub const WRITE: u8 = 0;
    /// [`Operation::BlockWrite`](super::Operation::BlockWrite).
    pub const BLOCK_WRITE: u8 = 1;
    /// No producer is known and its layout is not published.
    pub const BLOCK_SET: u8 = 2;
    /// [`Operation::MaskWrite`](super::Operation::MaskWrite).
    pub const MASK_WRITE: u8 = 3;
    /// [`Operation::MaskPoll`](super::Operation::MaskPoll).
    pub const MASK_POLL: u8 = 4;
    /// [`Operation::Noop`](super::Operation::Noop).
    pub const NOOP: u8 = 5;
    /// [`Operation::Preempt`](super::Operation::Preempt).
    pub const PREEMPT: u8 = 6;
    /// [`Operation::MaskPoll`](super::Operation::MaskPoll), busy.
    pub const MASK_POLL_BUSY: u8 = 7;
    /// [`Operation::LoadPdi`](super::Operation::LoadPdi).
    pub const LOAD_PDI: u8 = 8;
    /// [`Operation::LoadProgram`](super::Operation::LoadProgram).
    pub const LOAD_PROGRAM: u8 = 9;
    /// [`Operation::CreateScratchpad`](super::Operation::CreateScratchpad).
    pub const CREATE_SCRATCHPAD: u8 = 10;
    /// [`Operation::UpdateState`](super::Operation::UpdateState).
    pub const UPDATE_STATE: u8 = 11;
    /// [`Operation::UpdateRegister`](super::Operation::UpdateRegister).
    pub const UPDATE_REGISTER: u8 = 12;
    /// [`Operation::UpdateScratch`](super::Operation::UpdateScratch).
    pub const UPDATE_SCRATCH: u8 = 13;
    /// No producer is known and its layout is not published.
    pub const CONFIG_SHIM_BD: u8 = 14;
    /// No producer is known and its layout is not published.
    pub const CONFIG_SHIM_BD_DMABUF: u8 = 15;
    /// [`Operation::Sync`](super::Operation::Sync).
    pub const SYNC: u8 = 0x80;
    /// [`Operation::PatchAddress`](super::Operation::PatchAddress).
    pub const PATCH_ADDRESS: u8 = 0x81;
    /// [`Operation::ReadRegisters`](super::Operation::ReadRegisters).
    pub const READ_REGISTERS: u8 = 0x82;
    /// [`Operation::RecordTimer`](super::Operation::RecordTimer).
    pub const RECORD_TIMER: u8 = 0x83;
    /// [`Operation::MergeSync`](super::Operation::MergeSync).
    pub const MERGE_SYNC: u8 = 0x84;
    /// First code whose operations carry their size.
    pub const FIRST_CUSTOM: u8 = 0x80;

    /// Every code that has a name, by number.
    pub const NAMES: &[(u8, &str)] = &[
        (WRITE, "WRITE"),
        (BLOCK_WRITE, "BLOCKWRITE"),
        (BLOCK_SET, "BLOCKSET"),
        (MASK_WRITE, "MASKWRITE"),
        (MASK_POLL, "MASKPOLL"),
        (NOOP, "NOOP"),
        (PREEMPT, "PREEMPT"),
        (MASK_POLL_BUSY, "MASKPOLL_BUSY"),
        (LOAD_PDI, "LOADPDI"),
        (LOAD_PROGRAM, "LOAD_PM_START"),
        (CREATE_SCRATCHPAD, "CREATE_SCRATCHPAD"),
        (UPDATE_STATE, "UPDATE_STATE_TABLE"),
        (UPDATE_REGISTER, "UPDATE_REG"),
        (UPDATE_SCRATCH, "UPDATE_SCRATCH"),
        (CONFIG_SHIM_BD, "CONFIG_SHIMDMA_BD"),
        (CONFIG_SHIM_BD_DMABUF, "CONFIG_SHIMDMA_DMABUF_BD"),
        (SYNC, "TCT"),
        (PATCH_ADDRESS, "DDR_PATCH"),
        (READ_REGISTERS, "READ_REGS"),
        (RECORD_TIMER, "RECORD_TIMER"),
        (MERGE_SYNC, "MERGE_SYNC"),
        (200, "LOAD_PM_END_INTERNAL"),
    ];

    /// The name of a code, as AMD's sources have it.
    pub fn name(code: u8) -> Option<&'static str> {
        NAMES.iter().find(|entry| entry.0 == code).map(|entry| entry.1)
    }
}

impl Operation {
    /// Its code.
    pub fn opcode(&self) -> u8 {
        match self {
            Self::Write { .. } => opcode::WRITE,
            Self::BlockWrite { .. } => opcode::BLOCK_WRITE,
            Self::MaskWrite { .. } => opcode::MASK_WRITE,
            Self::MaskPoll { busy: false, .. } => opcode::MASK_POLL,
            Self::MaskPoll { busy: true, .. } => opcode::MASK_POLL_BUSY,
            Self::Noop => opcode::NOOP,
            Self::Preempt { .. } => opcode::PREEMPT,
            Self::LoadPdi { .. } => opcode::LOAD_PDI,
            Self::LoadProgram { .. } => opcode::LOAD_PROGRAM,
            Self::CreateScratchpad { .. } => opcode::CREATE_SCRATCHPAD,
            Self::UpdateState { .. } => opcode::UPDATE_STATE,
            Self::UpdateRegister { .. } => opcode::UPDATE_REGISTER,
            Self::UpdateScratch => opcode::UPDATE_SCRATCH,
            Self::Sync { .. } => opcode::SYNC,
            Self::PatchAddress { .. } => opcode::PATCH_ADDRESS,
            Self::ReadRegisters { .. } => opcode::READ_REGISTERS,
            Self::RecordTimer { .. } => opcode::RECORD_TIMER,
            Self::MergeSync { .. } => opcode::MERGE_SYNC,
            Self::Custom { opcode, .. } => *opcode,
            Self::Opaque { words, .. } => words.first().map_or(opcode::BLOCK_SET, |word| *word as u8),
        }
    }

    /// The address it writes, polls or patches.
    pub const fn address(&self) -> Option<Address> {
        match self {
            Self::Write { address, .. }
            | Self::BlockWrite { address, .. }
            | Self::MaskWrite { address, .. }
            | Self::MaskPoll { address, .. }
            | Self::UpdateRegister { address, .. }
            | Self::PatchAddress { address, .. } => Some(*address),
            _ => None,
        }
    }
}

/// What mlir-aie adds to the offset of a patch for xclbins: the firmware translates the first five buffers only, others need the
/// aperture at which the array sees main memory.
pub const fn xclbin_patch_offset(argument: u32, offset: u64) -> u64 {
    if argument >= 5 { offset.wrapping_add(crate::DDR_APERTURE) } else { offset }
}

impl Stream {
    /// A stream without operations.
    pub const fn new(header: Header) -> Self {
        Self { header, entries: Vec::new(), trailing: Vec::new() }
    }

    /// Adds an operation, or an operation with spare bits.
    pub fn push(&mut self, entry: impl Into<Entry>) {
        self.entries.push(entry.into());
    }

    /// The operations.
    pub fn operations(&self) -> impl Iterator<Item = &Operation> {
        self.entries.iter().map(|entry| &entry.operation)
    }

    /// Reads a stream; see [`Entry`] for what is kept of undefined bits.
    ///
    /// # Errors
    /// If the header is not that of a known version, if sizes contradict each other, or if the stream is cut short.
    pub fn decode(bytes: &[u8]) -> Result<Self> {
        Self::decode_at(bytes, 0)
    }

    /// Reads a stream that starts at a byte of a larger file; errors count from the start of that file.
    ///
    /// # Errors
    /// As [`Stream::decode`].
    pub fn decode_at(bytes: &[u8], origin: usize) -> Result<Self> {
        decode::stream(bytes, origin)
    }

    /// The stream as bytes.
    ///
    /// # Errors
    /// If a value does not fit its field.
    pub fn encode(&self) -> std::result::Result<Vec<u8>, EncodeError> {
        encode::stream(self)
    }

    /// The stream as words; trailing bytes that fill no word are left out.
    ///
    /// # Errors
    /// If a value does not fit its field.
    pub fn words(&self) -> std::result::Result<Vec<u32>, EncodeError> {
        self.encode().map(|bytes| to_words(&bytes))
    }

    /// Reads the text form, which is what [`Display`](std::fmt::Display) writes.
    ///
    /// # Errors
    /// If a line cannot be understood; the error names it.
    pub fn parse(text: &str) -> std::result::Result<Self, ParseError> {
        text::parse(text)
    }

    /// The text form, each operation preceded by a comment with its offset.
    pub const fn listing(&self) -> text::Listing<'_> {
        text::Listing { stream: self, offsets: true }
    }
}

impl std::fmt::Display for Stream {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        text::Listing { stream: self, offsets: false }.fmt(f)
    }
}
