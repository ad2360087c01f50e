//! Words to operations.

use super::encode::{plain, size_word};
use super::{Entry, Header, Operation, Spare, Stream, Version, opcode};
use crate::bytes::{Bytes, whole};
use crate::device::{Address, Tile};
use crate::error::{Error, Result};

pub(super) fn stream(bytes: &[u8], origin: usize) -> Result<Stream> {
    let file = Bytes::new(bytes, origin);
    let header = header(&file)?;
    let count = file.u32(8, "the number of operations")?;
    let size = file.u32(12, "the size of the instruction stream")? as usize;
    if size < Header::SIZE {
        let value = size as u64;
        return Err(Error::Unexpected { offset: file.place(12), what: "the size", value, expected: "16 or more" });
    }
    let body = file.part(Header::SIZE, size - Header::SIZE, "the instruction stream")?;
    let words = body.words("the instruction stream")?;
    let entries = Decoder { words: &words, body, version: header.version, scratch: Vec::new() }.entries(count)?;
    Ok(Stream { header, entries, trailing: bytes.get(size..).unwrap_or_default().to_vec() })
}

fn header(file: &Bytes<'_>) -> Result<Header> {
    let what = "the header of the instruction stream";
    let file = file.part(0, Header::SIZE, what)?;
    let version = match (file.u8(0, what)?, file.u8(1, what)?) {
        (0, 1) => Version::V0_1,
        (1, 0) => Version::V1_0,
        (major, minor) => {
            return Err(Error::Unexpected {
                offset: file.place(0),
                what: "the version (major in the low byte)",
                value: u64::from(u16::from_le_bytes([major, minor])),
                expected: "0x100 (version 0.1) or 0x1 (version 1.0)",
            });
        }
    };
    Ok(Header {
        version,
        generation: file.u8(2, what)?,
        rows: file.u8(3, what)?,
        columns: file.u8(4, what)?,
        memory_rows: file.u8(5, what)?,
        padding: file.u16(6, what)?,
    })
}

struct Decoder<'a> {
    words: &'a [u32],
    body: Bytes<'a>,
    version: Version,
    scratch: Vec<u32>,
}

impl Decoder<'_> {
    fn entries(&mut self, count: u32) -> Result<Vec<Entry>> {
        // The count is not trusted with memory: every operation has at least one word.
        let mut entries = Vec::with_capacity((count as usize).min(self.words.len()));
        let mut at = 0;
        let mut decoded: u32 = 0;
        while at < self.words.len() {
            let length = self.length(at)?;
            let rest = count.saturating_sub(decoded);
            let entry = match length {
                Some(length) => self.entry(at, length)?,
                None => Entry::from(Operation::Opaque { operations: rest, words: self.words[at..].to_vec() }),
            };
            decoded += if length.is_some() { 1 } else { rest };
            at += length.unwrap_or(self.words.len() - at);
            entries.push(entry);
        }
        if decoded != count {
            return Err(Error::Unexpected {
                offset: self.body.place(0) - 8,
                what: "the number of operations",
                value: u64::from(count),
                expected: "the number that the size holds",
            });
        }
        Ok(entries)
    }

    fn word(&self, at: usize, what: &'static str) -> Result<u32> {
        let missing = ((at + 1).saturating_sub(self.words.len()) * 4) as u64;
        self.words.get(at).copied().ok_or(Error::Truncated { offset: self.body.place(at * 4), what, missing })
    }

    /// Words of the operation at `at`, all of which exist; `None` if its size cannot be told.
    fn length(&self, at: usize) -> Result<Option<usize>> {
        let code = self.word(at, "an operation")? as u8;
        let version = self.version;
        let least = match (code, version) {
            (opcode::WRITE, Version::V0_1) => 6,
            (opcode::WRITE, Version::V1_0) => 3,
            (opcode::BLOCK_WRITE, Version::V0_1) => 4,
            (opcode::BLOCK_WRITE, Version::V1_0) => 3,
            (opcode::MASK_WRITE | opcode::MASK_POLL | opcode::MASK_POLL_BUSY, Version::V0_1) => 7,
            (opcode::MASK_WRITE | opcode::MASK_POLL | opcode::MASK_POLL_BUSY, Version::V1_0) => 4,
            (opcode::NOOP | opcode::PREEMPT | opcode::UPDATE_SCRATCH, _) => 1,
            (opcode::LOAD_PDI | opcode::CREATE_SCRATCHPAD, _) => 4,
            (opcode::LOAD_PROGRAM | opcode::UPDATE_STATE, _) => 2,
            (opcode::UPDATE_REGISTER, _) => 3,
            (opcode::SYNC | opcode::MERGE_SYNC, _) => 4,
            (opcode::PATCH_ADDRESS, Version::V0_1) => 12,
            (opcode::PATCH_ADDRESS, Version::V1_0) => 6,
            (opcode::RECORD_TIMER | opcode::READ_REGISTERS, _) => 3,
            (opcode::FIRST_CUSTOM.., _) => 2,
            _ => return Ok(None),
        };
        let what = "an operation";
        let length = match size_word(version, code) {
            None => least,
            Some(word) => self.size(at + word, least)?,
        };
        let end = at.saturating_add(length);
        if end > self.words.len() {
            let missing = ((end - self.words.len()) as u64).saturating_mul(4);
            return Err(Error::Truncated { offset: self.body.place(at * 4), what, missing });
        }
        Ok(Some(length))
    }

    /// An operation's own size, in words.
    fn size(&self, at: usize, least: usize) -> Result<usize> {
        let what = "the size of an operation";
        let size = self.word(at, what)?;
        let offset = self.body.place(at * 4);
        if !size.is_multiple_of(4) {
            return Err(Error::Misaligned { offset, what, value: u64::from(size), unit: 4 });
        }
        let length = size as usize / 4;
        if length < least {
            let expected = "a size that holds its fields";
            return Err(Error::Unexpected { offset, what, value: u64::from(size), expected });
        }
        Ok(length)
    }

    /// The operation of `length` words at `at`.
    fn entry(&mut self, at: usize, length: usize) -> Result<Entry> {
        let words = &self.words[at..at + length];
        self.check_upper_halves(at, words)?;
        let operation = operation(self.version, words);
        self.scratch.clear();
        // What was just decoded fits; an empty result would only make all of it spare.
        let _ = plain(&mut self.scratch, self.version, &operation);
        let extra = words.get(self.scratch.len()..).unwrap_or_default().to_vec();
        if let Some(size) = size_word(self.version, operation.opcode()).and_then(|word| self.scratch.get_mut(word)) {
            *size = size.wrapping_add(4 * extra.len() as u32);
        }
        let pairs = words.iter().zip(&self.scratch).zip(0..);
        let bits = pairs.filter(|((word, plain), _)| word != plain).map(|((word, plain), at)| (at, word ^ plain));
        Ok(Entry { operation, spare: Spare { bits: bits.collect(), extra } })
    }

    /// Register addresses and argument numbers have 64 bits in version 0.1, but the array needs 32.
    fn check_upper_halves(&self, at: usize, words: &[u32]) -> Result<()> {
        if self.version != Version::V0_1 {
            return Ok(());
        }
        let halves: &[usize] = match words.first().map_or(0, |word| *word as u8) {
            opcode::WRITE | opcode::MASK_WRITE | opcode::MASK_POLL | opcode::MASK_POLL_BUSY => &[3],
            opcode::PATCH_ADDRESS => &[7, 9],
            _ => &[],
        };
        match halves.iter().find(|half| words.get(**half).is_some_and(|word| *word != 0)) {
            None => Ok(()),
            Some(half) => Err(Error::Unexpected {
                offset: self.body.place((at + half) * 4),
                what: "the upper half of a register address or argument number",
                value: u64::from(words[*half]),
                expected: "0",
            }),
        }
    }
}

/// The operation in its words; there are at least as many as its kind has.
fn operation(version: Version, words: &[u32]) -> Operation {
    let word = |at: usize| words.get(at).copied().unwrap_or_default();
    let [code, one, two, three] = word(0).to_le_bytes();
    let short = version == Version::V1_0;
    let address = Address(word(if short { 1 } else { 2 }));
    let after = if short { 2 } else { 4 };
    match code {
        opcode::WRITE => Operation::Write { address, value: word(after) },
        opcode::BLOCK_WRITE => {
            let data = words.get(if short { 3 } else { 4 }..).unwrap_or_default().to_vec();
            Operation::BlockWrite { address, data }
        }
        opcode::MASK_WRITE => Operation::MaskWrite { address, value: word(after), mask: word(after + 1) },
        opcode::MASK_POLL | opcode::MASK_POLL_BUSY => {
            let busy = code == opcode::MASK_POLL_BUSY;
            Operation::MaskPoll { address, value: word(after), mask: word(after + 1), busy }
        }
        opcode::NOOP => Operation::Noop,
        opcode::PREEMPT => Operation::Preempt { level: one },
        opcode::LOAD_PDI => {
            Operation::LoadPdi { id: u16::from_le_bytes([two, three]), size: word(1), address: whole(word(2), word(3)) }
        }
        opcode::LOAD_PROGRAM => Operation::LoadProgram { operations: word(0) >> 8, id: word(1) },
        opcode::CREATE_SCRATCHPAD => {
            Operation::CreateScratchpad { usage: one, size: word(1), offset: whole(word(2), word(3)) }
        }
        opcode::UPDATE_STATE => Operation::UpdateState { index: one, function: two, argument: word(1) },
        opcode::UPDATE_REGISTER => {
            Operation::UpdateRegister { index: one, function: two, argument: word(1), address: Address(word(2)) }
        }
        opcode::UPDATE_SCRATCH => Operation::UpdateScratch,
        opcode::SYNC => {
            let [direction, row, column, _] = word(2).to_le_bytes();
            let [_, rows, columns, channel] = word(3).to_le_bytes();
            Operation::Sync { direction, tile: Tile { column, row }, rows, columns, channel }
        }
        opcode::PATCH_ADDRESS if short => Operation::PatchAddress {
            address: Address(word(2)),
            argument: word(3) & 0xff,
            offset: whole(word(4), word(5)),
            action: 0,
        },
        opcode::PATCH_ADDRESS => Operation::PatchAddress {
            address: Address(word(6)),
            argument: word(8),
            offset: whole(word(10), word(11)),
            action: word(4),
        },
        opcode::READ_REGISTERS => read_registers(words),
        opcode::RECORD_TIMER => Operation::RecordTimer { id: word(2) },
        opcode::MERGE_SYNC => Operation::MergeSync { tokens: word(2) },
        _ => custom(words),
    }
}

fn custom(words: &[u32]) -> Operation {
    let opcode = words.first().map_or(0, |word| *word as u8);
    Operation::Custom { opcode, payload: words.get(2..).unwrap_or_default().to_vec() }
}

/// The two published layouts differ in the width of addresses; the size tells which one it is.
fn read_registers(words: &[u32]) -> Operation {
    let count = words.get(2).map_or(0, |count| *count as usize);
    if count.checked_add(3) == Some(words.len()) {
        let addresses = words[3..].iter().map(|word| u64::from(*word)).collect();
        return Operation::ReadRegisters { addresses, wide: false };
    }
    if count.checked_mul(2).and_then(|words| words.checked_add(4)) == Some(words.len()) {
        let addresses = words[4..].chunks_exact(2).map(|pair| whole(pair[0], pair[1])).collect();
        return Operation::ReadRegisters { addresses, wide: true };
    }
    custom(words)
}
