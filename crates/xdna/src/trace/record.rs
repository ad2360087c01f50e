//! The byte stream of a trace unit.

/// One record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Record {
    /// The trace starts, with the unit's timer.
    Start {
        /// 56 bits.
        timer: u64,
    },
    /// Events were active for a time; each bit is a slot.
    Events {
        /// The slots.
        slots: u8,
        /// Cycles, without the one that every record takes.
        cycles: u32,
    },
    /// The record before came again.
    Repeat {
        /// How often.
        count: u32,
    },
    /// Time passed without a change: 0x3FFFF cycles.
    Sync,
    /// Bytes without meaning.
    Skip,
    /// A byte that starts no record.
    Unknown {
        /// The byte.
        byte: u8,
    },
    /// A record whose end is missing.
    CutShort {
        /// Its first byte.
        byte: u8,
    },
}

/// The records of a byte stream. Filler bytes are left out.
pub fn records(bytes: &[u8]) -> Vec<Record> {
    let mut records = Vec::new();
    let mut rest = bytes;
    while let Some((&first, _)) = rest.split_first() {
        let length = length(first);
        let Some((record, after)) = rest.split_at_checked(length) else {
            records.push(Record::CutShort { byte: first });
            break;
        };
        records.extend(decode(first, record));
        rest = after;
    }
    records
}

/// Bytes of the record that a byte starts.
const fn length(first: u8) -> usize {
    match first {
        0xf0..=0xf7 if first & 0xfb == 0xf0 => 8,
        0xdc..=0xdf => 4,
        0x80..=0x9f => 2,
        0xa0..=0xbf => 3,
        0xc0..=0xcf => 2,
        0xd0..=0xd3 => 3,
        0xd4..=0xd7 => 4,
        0xd8..=0xdb => 2,
        _ => 1,
    }
}

fn decode(first: u8, record: &[u8]) -> Option<Record> {
    let whole = record.iter().fold(0_u64, |sum, byte| sum << 8 | u64::from(*byte));
    let bits = |low: u32, count: u32| (whole >> low & ((1 << count) - 1)) as u32;
    let one = |slot: u32| 1_u8 << slot;
    Some(match first {
        0x00..=0x7f => Record::Events { slots: one(bits(4, 3)), cycles: bits(0, 4) },
        0x80..=0x9f => Record::Events { slots: one(bits(10, 3)), cycles: bits(0, 10) },
        0xa0..=0xbf => Record::Events { slots: one(bits(18, 3)), cycles: bits(0, 18) },
        0xc0..=0xcf => Record::Events { slots: bits(4, 8) as u8, cycles: bits(0, 4) },
        0xd0..=0xd3 => Record::Events { slots: bits(10, 8) as u8, cycles: bits(0, 10) },
        0xd4..=0xd7 => Record::Events { slots: bits(18, 8) as u8, cycles: bits(0, 18) },
        0xd8..=0xdb => Record::Repeat { count: bits(0, 10) },
        0xdc..=0xdf => Record::Skip,
        0xe0..=0xef => Record::Repeat { count: bits(0, 4) },
        0xf0 | 0xf4 => Record::Start { timer: whole & 0x00ff_ffff_ffff_ffff },
        0xfe => return None,
        0xff => Record::Sync,
        byte => Record::Unknown { byte },
    })
}
