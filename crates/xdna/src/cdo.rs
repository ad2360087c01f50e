//! CDO version 2: the register writes that configure a partition.
//!
//! mlir-aie writes three files (core programs, initialisation, enabling); bootgen merges them into one and puts it into a PDI.
//! Layouts and producers' rules from cdo-driver/cdo_driver.c of Xilinx/bootgen and lib/Targets/AIERT.cpp of Xilinx/mlir-aie; the
//! loader's view from src/runtime_src/tools/xclbinutil/aie-pdi-transform of Xilinx/XRT.

use crate::bytes::{Bytes, halves, to_bytes, to_words, whole};
use crate::error::{Error, Result};

/// A configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cdo {
    /// [`Cdo::IDENT`], or [`Cdo::IDENT_XLNX`], which bootgen takes as well.
    pub ident: u32,
    /// Version word, 0x200.
    pub version: u32,
    /// The commands.
    pub commands: Vec<Command>,
    /// Bytes after the length that the header gives.
    pub trailing: Vec<u8>,
}

impl Default for Cdo {
    fn default() -> Self {
        Self { ident: Self::IDENT, version: Self::VERSION, commands: Vec::new(), trailing: Vec::new() }
    }
}

/// One command. Addresses have 64 bits; `wide` tells the form that carries them all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// Stores a word.
    Write {
        /// Where.
        address: u64,
        /// The word.
        value: u32,
        /// The 64-bit form.
        wide: bool,
    },
    /// Replaces the bits of a word that the mask names.
    MaskWrite {
        /// Where.
        address: u64,
        /// Which bits.
        mask: u32,
        /// The new bits.
        value: u32,
        /// The 64-bit form.
        wide: bool,
    },
    /// Waits until the masked word equals a value.
    MaskPoll {
        /// Where.
        address: u64,
        /// Which bits.
        mask: u32,
        /// The value.
        value: u32,
        /// Milliseconds until it fails.
        timeout: u32,
        /// The 64-bit form.
        wide: bool,
    },
    /// Stores consecutive words.
    DmaWrite {
        /// Where the first goes.
        address: u64,
        /// The words.
        data: Vec<u32>,
    },
    /// Waits.
    Delay {
        /// Cycles.
        cycles: u32,
    },
    /// Does nothing but take room.
    Nop {
        /// Words that are skipped.
        payload: Vec<u32>,
    },
    /// Anything else, as it is: an unknown code, an unusual length, another handler.
    Other {
        /// Command word, long length if there is one, payload.
        words: Vec<u32>,
    },
}

/// Codes of commands.
pub mod code {
    /// [`Command::MaskPoll`](super::Command::MaskPoll).
    pub const MASK_POLL: u8 = 1;
    /// [`Command::MaskWrite`](super::Command::MaskWrite).
    pub const MASK_WRITE: u8 = 2;
    /// [`Command::Write`](super::Command::Write).
    pub const WRITE: u8 = 3;
    /// [`Command::Delay`](super::Command::Delay).
    pub const DELAY: u8 = 4;
    /// [`Command::DmaWrite`](super::Command::DmaWrite).
    pub const DMA_WRITE: u8 = 5;
    /// [`Command::MaskPoll`](super::Command::MaskPoll), 64-bit form.
    pub const MASK_POLL64: u8 = 6;
    /// [`Command::MaskWrite`](super::Command::MaskWrite), 64-bit form.
    pub const MASK_WRITE64: u8 = 7;
    /// [`Command::Write`](super::Command::Write), 64-bit form.
    pub const WRITE64: u8 = 8;
    /// [`Command::Nop`](super::Command::Nop).
    pub const NOP: u8 = 0x11;
    /// Marks a place; seen in other devices' files.
    pub const MARKER: u8 = 0x19;
    /// Ends a file; not written for NPUs.
    pub const END: u8 = 0xff;
    /// The handler that all of these belong to.
    pub const HANDLER: u8 = 1;

    /// The name of a code.
    pub const fn name(code: u8) -> Option<&'static str> {
        Some(match code {
            MASK_POLL => "MASK_POLL",
            MASK_WRITE => "MASK_WRITE",
            WRITE => "WRITE",
            DELAY => "DELAY",
            DMA_WRITE => "DMA_WRITE",
            MASK_POLL64 => "MASK_POLL64",
            MASK_WRITE64 => "MASK_WRITE64",
            WRITE64 => "WRITE64",
            NOP => "NOP",
            MARKER => "MARKER",
            END => "END",
            _ => return None,
        })
    }
}

/// Payloads from this length on have it in a word of its own.
const LONG: usize = 255;

impl Command {
    /// The address it writes or polls.
    pub const fn address(&self) -> Option<u64> {
        match self {
            Self::Write { address, .. }
            | Self::MaskWrite { address, .. }
            | Self::MaskPoll { address, .. }
            | Self::DmaWrite { address, .. } => Some(*address),
            _ => None,
        }
    }

    /// Its code; see [`code`].
    pub fn code(&self) -> u8 {
        match self {
            Self::Write { wide: false, .. } => code::WRITE,
            Self::Write { wide: true, .. } => code::WRITE64,
            Self::MaskWrite { wide: false, .. } => code::MASK_WRITE,
            Self::MaskWrite { wide: true, .. } => code::MASK_WRITE64,
            Self::MaskPoll { wide: false, .. } => code::MASK_POLL,
            Self::MaskPoll { wide: true, .. } => code::MASK_POLL64,
            Self::DmaWrite { .. } => code::DMA_WRITE,
            Self::Delay { .. } => code::DELAY,
            Self::Nop { .. } => code::NOP,
            Self::Other { words } => words.first().map_or(code::END, |word| *word as u8),
        }
    }

    /// Code and payload; none for [`Command::Other`].
    fn parts(&self) -> Option<(u8, Vec<u32>)> {
        let target = |address: u64, wide: bool| {
            let [low, high] = halves(address);
            if wide { vec![high, low] } else { vec![low] }
        };
        let (mut payload, rest): (Vec<u32>, &[u32]) = match self {
            Self::Write { address, value, wide } => (target(*address, *wide), &[*value]),
            Self::MaskWrite { address, mask, value, wide } => (target(*address, *wide), &[*mask, *value]),
            Self::MaskPoll { address, mask, value, timeout, wide } => {
                (target(*address, *wide), &[*mask, *value, *timeout])
            }
            Self::DmaWrite { address, data } => (target(*address, true), data),
            Self::Delay { cycles } => (Vec::new(), &[*cycles]),
            Self::Nop { payload } => (Vec::new(), payload),
            Self::Other { .. } => return None,
        };
        payload.extend_from_slice(rest);
        Some((self.code(), payload))
    }

    /// The command as words. The address of a short form loses its upper half.
    pub fn encode(&self) -> Vec<u32> {
        let (code, payload) = match (self, self.parts()) {
            (Self::Other { words }, _) => return words.clone(),
            (_, Some(parts)) => parts,
            (_, None) => return Vec::new(),
        };
        let first = u32::from(code) | u32::from(code::HANDLER) << 8 | (payload.len().min(LONG) as u32) << 16;
        let mut words = vec![first];
        if payload.len() >= LONG {
            words.push(payload.len() as u32);
        }
        words.extend(payload);
        words
    }

    /// Words of the command.
    pub fn len(&self) -> usize {
        let payload = match self {
            Self::Other { words } => return words.len(),
            Self::Write { wide, .. } => 2 + usize::from(*wide),
            Self::MaskWrite { wide, .. } => 3 + usize::from(*wide),
            Self::MaskPoll { wide, .. } => 4 + usize::from(*wide),
            Self::DmaWrite { data, .. } => 2 + data.len(),
            Self::Delay { .. } => 1,
            Self::Nop { payload } => payload.len(),
        };
        1 + usize::from(payload >= LONG) + payload
    }

    /// Whether it has no words, which only an [`Command::Other`] made by hand can have.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The command in exactly these words.
    fn decode(words: &[u32]) -> Self {
        let first = words.first().copied().unwrap_or_default();
        let long = first >> 16 & 0xff == LONG as u32;
        let payload = words.get(1 + usize::from(long)..).unwrap_or_default();
        let command = match (first as u8, payload) {
            (code::WRITE, [address, value]) => Self::Write { address: u64::from(*address), value: *value, wide: false },
            (code::WRITE64, [high, low, value]) => {
                Self::Write { address: whole(*low, *high), value: *value, wide: true }
            }
            (code::MASK_WRITE, [address, mask, value]) => {
                Self::MaskWrite { address: u64::from(*address), mask: *mask, value: *value, wide: false }
            }
            (code::MASK_WRITE64, [high, low, mask, value]) => {
                Self::MaskWrite { address: whole(*low, *high), mask: *mask, value: *value, wide: true }
            }
            (code::MASK_POLL, [address, mask, value, timeout]) => {
                let address = u64::from(*address);
                Self::MaskPoll { address, mask: *mask, value: *value, timeout: *timeout, wide: false }
            }
            (code::MASK_POLL64, [high, low, mask, value, timeout]) => {
                let address = whole(*low, *high);
                Self::MaskPoll { address, mask: *mask, value: *value, timeout: *timeout, wide: true }
            }
            (code::DMA_WRITE, [high, low, data @ ..]) => {
                Self::DmaWrite { address: whole(*low, *high), data: data.to_vec() }
            }
            (code::DELAY, [cycles]) => Self::Delay { cycles: *cycles },
            (code::NOP, payload) => Self::Nop { payload: payload.to_vec() },
            _ => return Self::Other { words: words.to_vec() },
        };
        // Unusual spellings (another handler, a short payload in the long form) are kept as they are.
        if command.encode() == words { command } else { Self::Other { words: words.to_vec() } }
    }

    /// The form that bootgen chooses: 32-bit addresses where they suffice, and a plain write for a single word.
    #[must_use]
    pub fn narrow(self) -> Self {
        let wide = |address: u64| address > u64::from(u32::MAX);
        match self {
            Self::Write { address, value, .. } => Self::Write { address, value, wide: wide(address) },
            Self::MaskWrite { address, mask, value, .. } => {
                Self::MaskWrite { address, mask, value, wide: wide(address) }
            }
            Self::MaskPoll { address, mask, value, timeout, .. } => {
                Self::MaskPoll { address, mask, value, timeout, wide: wide(address) }
            }
            Self::DmaWrite { address, data } => match data[..] {
                [value] => Self::Write { address, value, wide: wide(address) },
                _ => Self::DmaWrite { address, data },
            },
            other => other,
        }
    }
}

/// Words of a header.
const HEADER: usize = 5;

/// Bytes of a header, behind which the commands lie.
pub const HEADER_BYTES: usize = 4 * HEADER;

impl Cdo {
    /// `CDO` and a zero.
    pub const IDENT: u32 = 0x004f_4443;
    /// `XLNX`.
    pub const IDENT_XLNX: u32 = 0x584c_4e58;
    /// Version 2.0.
    pub const VERSION: u32 = 0x200;

    /// Reads a configuration.
    ///
    /// # Errors
    /// If the header is not one, its checksum is wrong, or a command is cut short.
    pub fn decode(bytes: &[u8]) -> Result<Self> {
        Self::decode_at(bytes, 0)
    }

    /// Reads a configuration that starts at a byte of a larger file; errors count from the start of that file.
    ///
    /// # Errors
    /// As [`Cdo::decode`].
    pub fn decode_at(bytes: &[u8], origin: usize) -> Result<Self> {
        let file = Bytes::new(bytes, origin);
        let what = "the header of the CDO";
        let header: Vec<u32> = (0..HEADER).map(|word| file.u32(word * 4, what)).collect::<Result<_>>()?;
        let unexpected = |word: usize, what, expected| Error::Unexpected {
            offset: file.place(word * 4),
            what,
            value: header[word].into(),
            expected,
        };
        if header[0] != 4 {
            return Err(unexpected(0, "the header length of the CDO", "4"));
        }
        if ![Self::IDENT, Self::IDENT_XLNX].contains(&header[1]) {
            return Err(unexpected(1, "the identification of the CDO", "0x4f4443 or 0x584c4e58"));
        }
        if header[2] != Self::VERSION {
            return Err(unexpected(2, "the version of the CDO", "0x200"));
        }
        let computed = checksum(&header[..4]);
        if header[4] != computed {
            let found = header[4];
            return Err(Error::Checksum { offset: file.place(16), what: "header of the CDO", found, computed });
        }
        let length = header[3] as usize;
        let body = file.part(HEADER * 4, length.saturating_mul(4), "the commands of the CDO")?;
        let trailing = bytes.get((HEADER + length) * 4..).unwrap_or_default().to_vec();
        Ok(Self { ident: header[1], version: header[2], commands: commands(&body)?, trailing })
    }

    /// The configuration as bytes.
    pub fn encode(&self) -> Vec<u8> {
        let body: Vec<u32> = self.commands.iter().flat_map(Command::encode).collect();
        let mut words = vec![4, self.ident, self.version, body.len() as u32];
        words.push(checksum(&words));
        words.extend(body);
        let mut bytes = to_bytes(&words);
        bytes.extend_from_slice(&self.trailing);
        bytes
    }

    /// The configuration as words; trailing bytes that fill no word are left out.
    pub fn words(&self) -> Vec<u32> {
        to_words(&self.encode())
    }

    /// A file as mlir-aie writes it through AMD's CDO driver: a NOP first, and NOPs that bring the data of every DMA write to a
    /// multiple of 16 bytes. Commands should be in their 64-bit forms.
    pub fn of_driver(commands: impl IntoIterator<Item = Command>) -> Self {
        let first = Command::Nop { payload: Vec::new() };
        // The driver decides about the long form one word later than it writes it, so data of 253 words lie a word off.
        let aligned = align(std::iter::once(first).chain(commands), LONG + 1);
        Self { commands: aligned, ..Self::default() }
    }

    /// Several files as bootgen merges them for a PDI: commands in their narrow forms, NOPs kept, and data aligned within each
    /// file as if it had its own header.
    pub fn merge<'a>(files: impl IntoIterator<Item = &'a Self>) -> Self {
        let narrowed = |file: &Self| align(file.commands.iter().cloned().map(Command::narrow), LONG);
        Self { commands: files.into_iter().flat_map(narrowed).collect(), ..Self::default() }
    }
}

/// The checksum that AMD's headers end with.
pub(crate) fn checksum(words: &[u32]) -> u32 {
    !words.iter().fold(0, |sum: u32, word| sum.wrapping_add(*word))
}

fn commands(body: &Bytes<'_>) -> Result<Vec<Command>> {
    let what = "a CDO command";
    let words = body.words("the commands of the CDO")?;
    let mut commands = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let mut length = (words[at] >> 16 & 0xff) as usize;
        let mut header = 1;
        if length == LONG {
            length = body.u32((at + 1) * 4, what)? as usize;
            header = 2;
        }
        let length = length.saturating_add(header);
        let end = at.saturating_add(length);
        let Some(command) = words.get(at..end) else {
            let missing = (end as u64 - words.len() as u64).saturating_mul(4);
            return Err(Error::Truncated { offset: body.place(at * 4), what, missing });
        };
        commands.push(Command::decode(command));
        at = end;
    }
    Ok(commands)
}

/// Puts a NOP before every DMA write whose data would not start at a multiple of 16 bytes of its file.
fn align(commands: impl Iterator<Item = Command>, long: usize) -> Vec<Command> {
    let mut aligned = Vec::new();
    let mut at = HEADER;
    for command in commands {
        if let Command::DmaWrite { data, .. } = &command {
            let header = if data.len() + 2 >= long { 4 } else { 3 };
            let gap = (4 - (at + header) % 4) % 4;
            if gap > 0 {
                aligned.push(Command::Nop { payload: vec![0; gap - 1] });
                at += gap;
            }
        }
        at += command.len();
        aligned.push(command);
    }
    aligned
}
