//! Packets on the stream switch, and control packets: register accesses that travel as stream packets.

use crate::bytes::Bytes;
use crate::device::Generation;
use crate::error::{Error, Result};

/// The first word of a packet on the stream switch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct StreamHeader {
    /// Id, 5 bits: what switches route by.
    pub id: u8,
    /// Type, 3 bits.
    pub kind: u8,
    /// Row of the source, 5 bits.
    pub row: u8,
    /// Column of the source, 7 bits.
    pub column: u8,
}

/// Sets bit 31 so that the number of ones in the word is odd.
const fn odd_parity(word: u32) -> u32 {
    let rest = word & 0x7fff_ffff;
    if rest.count_ones().is_multiple_of(2) { rest | 1 << 31 } else { rest }
}

/// Whether a word has an odd number of ones.
const fn has_odd_parity(word: u32) -> bool {
    !word.count_ones().is_multiple_of(2)
}

impl StreamHeader {
    /// The header with this id and type, from no tile in particular.
    pub const fn new(kind: u8, id: u8) -> Self {
        Self { id, kind, row: 0, column: 0 }
    }

    /// The header in a word; `None` if the parity is wrong or a bit is set that must be clear (11 to 5, 15, 19, 30 to 28).
    pub const fn decode(word: u32) -> Option<Self> {
        const CLEAR: u32 = 0x7 << 28 | 1 << 15 | 0x7f << 5;
        if !has_odd_parity(word) || word & CLEAR != 0 {
            return None;
        }
        Some(Self {
            id: (word & 0x1f) as u8,
            kind: (word >> 12 & 7) as u8,
            row: (word >> 16 & 0x1f) as u8,
            column: (word >> 21 & 0x7f) as u8,
        })
    }

    /// The word. Bits of a value beyond its field are dropped.
    pub const fn encode(&self) -> u32 {
        odd_parity(
            (self.id & 0x1f) as u32
                | ((self.kind & 7) as u32) << 12
                | ((self.row & 0x1f) as u32) << 16
                | ((self.column & 0x7f) as u32) << 21,
        )
    }
}

/// What a control packet does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum ControlOperation {
    /// Stores words.
    Write = 0,
    /// Asks for words; the answer is a packet with the same control word.
    Read = 1,
    /// Stores words and counts the address on.
    WriteIncrement = 2,
    /// Stores a block of words.
    BlockWrite = 3,
}

impl ControlOperation {
    /// Its name in a listing.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Write => "write",
            Self::Read => "read",
            Self::WriteIncrement => "write-increment",
            Self::BlockWrite => "block-write",
        }
    }

    const fn of_bits(bits: u32) -> Self {
        match bits & 3 {
            0 => Self::Write,
            1 => Self::Read,
            2 => Self::WriteIncrement,
            _ => Self::BlockWrite,
        }
    }
}

/// A register access as a packet.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ControlPacket {
    /// Address in the tile, 20 bits.
    pub address: u32,
    /// What it does.
    pub operation: ControlOperation,
    /// Id by which an answer finds its way, 7 bits.
    pub response: u8,
    /// Words to store; none for a read.
    pub data: Vec<u32>,
    /// Words of the access: 1 to 4, and for a write the number of its data.
    pub words: u8,
}

/// Why a control packet cannot be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ControlPacketError {
    /// An address outside the tile.
    #[error("address {0:#x} has more than 20 bits")]
    Address(u32),
    /// A response id of more than 7 bits.
    #[error("response id {0} has more than 7 bits")]
    Response(u8),
    /// No words, or more than a packet holds; [`ControlPacket::split`] helps.
    #[error("a control packet accesses 1 to 4 words, not {0}")]
    Words(usize),
    /// A write whose data do not fit its number of words, or a read with data.
    #[error("a control packet for {words} words comes with {data} words of data")]
    Data {
        /// Words of the access.
        words: u8,
        /// Words of data.
        data: usize,
    },
}

impl ControlPacket {
    /// Words of data that one packet holds.
    pub const LIMIT: usize = 4;

    /// A packet that stores words.
    pub fn write(address: u32, operation: ControlOperation, response: u8, data: Vec<u32>) -> Self {
        let words = u8::try_from(data.len()).unwrap_or(u8::MAX);
        Self { address, operation, response, data, words }
    }

    /// A packet that asks for words.
    pub const fn read(address: u32, response: u8, words: u8) -> Self {
        Self { address, operation: ControlOperation::Read, response, data: Vec::new(), words }
    }

    /// Control word and data, without a stream header.
    ///
    /// # Errors
    /// If a value does not fit.
    pub fn encode(&self) -> std::result::Result<Vec<u32>, ControlPacketError> {
        if self.address > 0xf_ffff {
            return Err(ControlPacketError::Address(self.address));
        }
        if self.response > 0x7f {
            return Err(ControlPacketError::Response(self.response));
        }
        if !(1..=Self::LIMIT).contains(&usize::from(self.words)) {
            return Err(ControlPacketError::Words(self.words.into()));
        }
        let wanted = if self.operation == ControlOperation::Read { 0 } else { usize::from(self.words) };
        if self.data.len() != wanted {
            return Err(ControlPacketError::Data { words: self.words, data: self.data.len() });
        }
        let control = self.address
            | u32::from(self.words - 1) << 20
            | (self.operation as u32) << 22
            | u32::from(self.response) << 24;
        let mut words = vec![odd_parity(control)];
        words.extend_from_slice(&self.data);
        Ok(words)
    }

    /// Splits an access that is too long for one packet; each further packet lies 16 bytes on.
    pub fn split(&self) -> Vec<Self> {
        if self.data.len() <= Self::LIMIT {
            return vec![self.clone()];
        }
        let part = |(index, data): (usize, &[u32])| {
            let address = self.address.wrapping_add(16 * index as u32);
            Self::write(address, self.operation, self.response, data.to_vec())
        };
        self.data.chunks(Self::LIMIT).enumerate().map(part).collect()
    }
}

/// A control packet with the header that routes it, and what fills its place behind it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoutedPacket {
    /// The stream header.
    pub header: StreamHeader,
    /// The packet.
    pub control: ControlPacket,
    /// Words up to the next packet; any, and none where packets follow each other closely.
    pub padding: Vec<u32>,
}

/// Control packets as they lie in memory. They follow each other closely (mlir-aie), or each has a slot of 32 bytes of its own
/// (the control data that aiebu puts into an ELF file).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ControlStream {
    /// Packets in order.
    pub packets: Vec<RoutedPacket>,
}

impl ControlStream {
    /// Words of a slot.
    pub const SLOT: usize = 8;

    /// Whether bytes, a whole file or its start, begin as control packets do: there is no magic number, so the first packet must
    /// be one in every bit, and its address that of a word.
    pub fn is_control(bytes: &[u8]) -> bool {
        let first = Self::packet(&Bytes::new(bytes, 0), 0);
        first.is_ok_and(|(packet, _)| packet.control.address.is_multiple_of(4))
    }

    /// Adds a packet right behind the last.
    pub fn push(&mut self, header: StreamHeader, control: ControlPacket) {
        self.packets.push(RoutedPacket { header, control, padding: Vec::new() });
    }

    /// Fills the slot of every packet with zeros.
    pub fn fill_slots(&mut self) {
        for packet in &mut self.packets {
            packet.padding = vec![0; Self::SLOT.saturating_sub(packet.words())];
        }
    }

    /// Reads a stream of requests. Packets in slots are told from others by what they hold: words that fill a slot are no packet.
    ///
    /// # Errors
    /// If a header or control word is not one (wrong parity, bits that must be clear), or data are missing.
    pub fn decode(bytes: &[u8]) -> Result<Self> {
        Self::decode_at(bytes, 0)
    }

    /// Reads a stream that starts at a byte of a larger file; errors count from the start of that file.
    ///
    /// # Errors
    /// As [`ControlStream::decode`].
    pub fn decode_at(bytes: &[u8], origin: usize) -> Result<Self> {
        let file = Bytes::new(bytes, origin);
        let count = file.words("the stream of control packets")?.len();
        let (close, stopped) = match Self::read(&file, count, None) {
            Ok(stream) => return Ok(stream),
            Err(failure) => failure,
        };
        match Self::read(&file, count, Some(Self::SLOT)) {
            Ok(stream) => Ok(stream),
            // What got further is more likely what is meant.
            Err((_, at)) if at < stopped => Err(close),
            Err((error, _)) => Err(error),
        }
    }

    /// Reads packets until the end; an error comes with the word where the bad packet starts.
    fn read(file: &Bytes<'_>, count: usize, slot: Option<usize>) -> std::result::Result<Self, (Error, usize)> {
        let mut packets = Vec::new();
        let mut at = 0;
        while at < count {
            let (mut packet, length) = Self::packet(file, at).map_err(|error| (error, at))?;
            let end = at + slot.unwrap_or(length).max(length);
            let padding = (at + length..end).map(|word| file.u32(word * 4, "the padding of a control packet"));
            packet.padding = padding.collect::<Result<_>>().map_err(|error| (error, at))?;
            packets.push(packet);
            at = end;
        }
        Ok(Self { packets })
    }

    /// The packet that starts at a word, and how many it has.
    fn packet(file: &Bytes<'_>, at: usize) -> Result<(RoutedPacket, usize)> {
        let word = |index: usize| file.u32((at + index) * 4, "a control packet");
        let (first, control) = (word(0)?, word(1)?);
        let header = StreamHeader::decode(first).ok_or(Error::Unexpected {
            offset: file.place(at * 4),
            what: "a stream packet's header",
            value: first.into(),
            expected: "odd parity and clear bits between the fields",
        })?;
        if !has_odd_parity(control) {
            return Err(Error::Unexpected {
                offset: file.place(at * 4 + 4),
                what: "a control word",
                value: control.into(),
                expected: "odd parity",
            });
        }
        let operation = ControlOperation::of_bits(control >> 22);
        let words = (control >> 20 & 3) as u8 + 1;
        let count = if operation == ControlOperation::Read { 0 } else { usize::from(words) };
        let data = (0..count).map(|index| word(2 + index)).collect::<Result<_>>()?;
        let response = (control >> 24 & 0x7f) as u8;
        let control = ControlPacket { address: control & 0xf_ffff, operation, response, data, words };
        Ok((RoutedPacket { header, control, padding: Vec::new() }, 2 + count))
    }

    /// The stream as words.
    ///
    /// # Errors
    /// If a value does not fit.
    pub fn encode(&self) -> std::result::Result<Vec<u32>, ControlPacketError> {
        let mut words = Vec::new();
        for packet in &self.packets {
            words.push(packet.header.encode());
            words.extend(packet.control.encode()?);
            words.extend(&packet.padding);
        }
        Ok(words)
    }
}

impl RoutedPacket {
    /// Words of header, control word and data.
    fn words(&self) -> usize {
        2 + self.control.data.len()
    }

    /// Words from the start of this packet to that of the next.
    pub fn extent(&self) -> usize {
        self.words() + self.padding.len()
    }
}

/// What stands in a sequence of control packets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// A packet to the tiles of a column, stream header included.
    Packet {
        /// The column.
        column: u8,
        /// Its words.
        words: usize,
    },
    /// Any other operation, which packets cannot be moved across.
    Other,
}

/// The shim transfers, as first word and number of words, that carry a sequence of control packets. npu2 sends consecutive packets to
/// one column together, npu1 each by itself.
pub fn transfers(generation: Generation, steps: &[Step]) -> Vec<(usize, usize)> {
    let mut transfers: Vec<(usize, usize)> = Vec::new();
    let mut open = None;
    let mut at = 0;
    for step in steps {
        let Step::Packet { column, words } = *step else {
            open = None;
            continue;
        };
        match transfers.last_mut() {
            Some(last) if generation == Generation::Npu2 && open == Some(column) => last.1 += words,
            _ => transfers.push((at, words)),
        }
        open = Some(column);
        at += words;
    }
    transfers
}
