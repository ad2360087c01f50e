//! Operations to words.

use super::{Entry, Operation, Stream, Version, opcode};
use crate::bytes::{halves, to_bytes};

/// Why a stream cannot be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EncodeError {
    /// A value that needs more bits than its field has.
    #[error("operation {operation}: {what} is {value}, but at most {limit} fits")]
    TooLarge {
        /// Number of the operation.
        operation: usize,
        /// The field.
        what: &'static str,
        /// The value.
        value: u64,
        /// Largest value that fits.
        limit: u64,
    },
    /// Spare bits of a word that the operation does not have.
    #[error("operation {operation}: spare bits for word {word}, but there are {words} words")]
    NoSuchWord {
        /// Number of the operation.
        operation: usize,
        /// The word.
        word: u16,
        /// Words of the operation.
        words: usize,
    },
    /// Extra words for an operation whose size is fixed.
    #[error("operation {operation}: this kind of operation has a fixed size, so it can have no extra words")]
    FixedSize {
        /// Number of the operation.
        operation: usize,
    },
    /// An unknown operation that is not the last entry.
    #[error("operation {operation}: nothing can follow an operation of unknown size")]
    AfterOpaque {
        /// Number of the operation.
        operation: usize,
    },
    /// The stream is larger than its header can say.
    #[error("the stream has {0} bytes, more than its header can say")]
    StreamTooLong(usize),
}

/// Where an operation keeps its size, as word index; `None` for those of fixed size.
pub(super) const fn size_word(version: Version, opcode: u8) -> Option<usize> {
    match (version, opcode) {
        (_, opcode::FIRST_CUSTOM..) => Some(1),
        (Version::V0_1, opcode::WRITE) => Some(5),
        (Version::V0_1, opcode::BLOCK_WRITE) => Some(3),
        (Version::V0_1, opcode::MASK_WRITE | opcode::MASK_POLL | opcode::MASK_POLL_BUSY) => Some(6),
        (Version::V1_0, opcode::BLOCK_WRITE) => Some(2),
        _ => None,
    }
}

pub(super) fn stream(stream: &Stream) -> Result<Vec<u8>, EncodeError> {
    let header = &stream.header;
    let (major, minor) = header.version.numbers();
    let mut words = vec![
        u32::from_le_bytes([major, minor, header.generation, header.rows]),
        u32::from(header.columns) | u32::from(header.memory_rows) << 8 | u32::from(header.padding) << 16,
        0,
        0,
    ];
    let mut count: usize = 0;
    for (index, entry) in stream.entries.iter().enumerate() {
        count += match &entry.operation {
            Operation::Opaque { .. } if index + 1 < stream.entries.len() => {
                return Err(EncodeError::AfterOpaque { operation: index + 1 });
            }
            Operation::Opaque { operations, .. } => *operations as usize,
            _ => 1,
        };
        append(&mut words, header.version, index, entry)?;
    }
    let size = words.len() * 4;
    words[2] = u32::try_from(count).map_err(|_| EncodeError::StreamTooLong(size))?;
    words[3] = u32::try_from(size).map_err(|_| EncodeError::StreamTooLong(size))?;
    let mut bytes = to_bytes(&words);
    bytes.extend_from_slice(&stream.trailing);
    Ok(bytes)
}

fn append(words: &mut Vec<u32>, version: Version, index: usize, entry: &Entry) -> Result<(), EncodeError> {
    let start = words.len();
    plain(words, version, &entry.operation).map_err(|(what, value, limit)| EncodeError::TooLarge {
        operation: index,
        what,
        value,
        limit,
    })?;
    if !entry.spare.extra.is_empty() {
        let size = size_word(version, entry.operation.opcode()).and_then(|word| words.get_mut(start + word));
        let Some(size) = size else { return Err(EncodeError::FixedSize { operation: index }) };
        *size = size.wrapping_add(4 * entry.spare.extra.len() as u32);
        words.extend_from_slice(&entry.spare.extra);
    }
    let length = words.len() - start;
    for (word, bits) in &entry.spare.bits {
        let Some(place) = words.get_mut(start + usize::from(*word)) else {
            return Err(EncodeError::NoSuchWord { operation: index, word: *word, words: length });
        };
        *place ^= bits;
    }
    Ok(())
}

/// A value that does not fit: what it is, the value, the largest that fits.
type TooLarge = (&'static str, u64, u64);

/// Appends an operation with all undefined bits zero.
pub(super) fn plain(words: &mut Vec<u32>, version: Version, operation: &Operation) -> Result<(), TooLarge> {
    let code = u32::from(operation.opcode());
    let short = version == Version::V1_0;
    match operation {
        Operation::Write { address, value } if short => words.extend([code, address.0, *value]),
        Operation::Write { address, value } => words.extend([code, 0, address.0, 0, *value, 24]),
        Operation::BlockWrite { address, data } => {
            if short {
                words.extend([code, address.0, 12 + 4 * data.len() as u32]);
            } else {
                words.extend([code, 0, address.0, 16 + 4 * data.len() as u32]);
            }
            words.extend_from_slice(data);
        }
        Operation::MaskWrite { address, value, mask } | Operation::MaskPoll { address, value, mask, .. } => {
            if short {
                words.extend([code, address.0, *value, *mask]);
            } else {
                words.extend([code, 0, address.0, 0, *value, *mask, 28]);
            }
        }
        Operation::Noop | Operation::UpdateScratch => words.push(code),
        Operation::Preempt { level } => words.push(code | u32::from(*level) << 8),
        Operation::LoadPdi { id, size, address } => {
            let [low, high] = halves(*address);
            words.extend([code | u32::from(*id) << 16, *size, low, high]);
        }
        Operation::LoadProgram { operations, id } => {
            if *operations > 0xff_ffff {
                return Err(("the number of operations", u64::from(*operations), 0xff_ffff));
            }
            words.extend([code | operations << 8, *id]);
        }
        Operation::CreateScratchpad { usage, size, offset } => {
            let [low, high] = halves(*offset);
            words.extend([code | u32::from(*usage) << 8, *size, low, high]);
        }
        Operation::UpdateState { index, function, argument } => {
            words.extend([code | u32::from(*index) << 8 | u32::from(*function) << 16, *argument]);
        }
        Operation::UpdateRegister { index, function, argument, address } => {
            words.extend([code | u32::from(*index) << 8 | u32::from(*function) << 16, *argument, address.0]);
        }
        _ => custom(words, version, operation)?,
    }
    Ok(())
}

/// Operations that carry their size in the second word.
fn custom(words: &mut Vec<u32>, version: Version, operation: &Operation) -> Result<(), TooLarge> {
    let code = u32::from(operation.opcode());
    match operation {
        Operation::Sync { direction, tile, rows, columns, channel } => words.extend([
            code,
            16,
            u32::from_le_bytes([*direction, tile.row, tile.column, 0]),
            u32::from_le_bytes([0, *rows, *columns, *channel]),
        ]),
        Operation::PatchAddress { address, argument, offset, action } => {
            let [low, high] = halves(*offset);
            if version == Version::V0_1 {
                words.extend([code, 48, 0, 0, *action, 0, address.0, 0, *argument, 0, low, high]);
            } else if *argument > 0xff {
                return Err(("the argument", u64::from(*argument), 0xff));
            } else if *action != 0 {
                return Err(("the action", u64::from(*action), 0));
            } else {
                words.extend([code, 24, address.0, *argument, low, high]);
            }
        }
        Operation::ReadRegisters { addresses, wide } => {
            let count = addresses.len() as u32;
            if *wide {
                words.extend([code, 16 + 8 * count, count, 0]);
                words.extend(addresses.iter().flat_map(|address| halves(*address)));
            } else if let Some(address) = addresses.iter().find(|address| **address > u64::from(u32::MAX)) {
                return Err(("a register address", *address, u64::from(u32::MAX)));
            } else {
                words.extend([code, 12 + 4 * count, count]);
                words.extend(addresses.iter().map(|address| *address as u32));
            }
        }
        Operation::RecordTimer { id } => words.extend([code, 12, *id]),
        Operation::MergeSync { tokens } => words.extend([code, 16, *tokens, 0]),
        Operation::Custom { payload, .. } => {
            words.extend([code, 8 + 4 * payload.len() as u32]);
            words.extend_from_slice(payload);
        }
        Operation::Opaque { words: rest, .. } => words.extend_from_slice(rest),
        // Everything else is encoded by the caller.
        _ => {}
    }
    Ok(())
}
