//! Why an access of the emulated device failed.

use std::fmt;
use std::ops::Range;

/// A device access that reaches no memory, or, in strict mode, memory whose newest bytes are still in the host's cache or
/// that has no bytes of anyone's yet.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct AccessError {
    /// First device address of the access.
    pub address: u64,
    /// Its length in bytes.
    pub length: u64,
    /// What is wrong with it.
    pub fault: Fault,
    /// The buffer that the access is in or begins closest to; none when there is no buffer at all.
    pub nearest: Option<Box<NearestBuffer>>,
}

/// What is wrong with a device access.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// It begins outside of every buffer.
    Unmapped,
    /// It begins in a buffer and reaches beyond its end.
    Straddles,
    /// Strict mode: the host wrote some of these bytes and did not flush them.
    Unflushed {
        /// The first unflushed part, in device addresses.
        range: Range<u64>,
    },
    /// Where that is asked for: neither the host nor the device ever wrote some of these bytes.
    Unwritten {
        /// The first such part, in device addresses.
        range: Range<u64>,
    },
}

/// The buffer an access error is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NearestBuffer {
    /// Device address of its first byte.
    pub base: u64,
    /// Its size in bytes.
    pub size: u64,
    /// Its name, if it has one.
    pub label: Option<String>,
    /// What lies at the place concerned, if its parts have names.
    pub part: Option<String>,
}

impl fmt::Display for NearestBuffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(label) = &self.label {
            write!(f, "{label:?} ")?;
        }
        write!(f, "{:#x}..{:#x}", self.base, self.base + self.size)?;
        match &self.part {
            Some(part) => write!(f, ", there lies {part}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for AccessError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "device access of {} bytes at {:#x} ", self.length, self.address)?;
        match &self.fault {
            Fault::Unmapped => write!(f, "is outside of every buffer")?,
            Fault::Straddles => write!(f, "reaches beyond its buffer")?,
            Fault::Unflushed { range } => {
                write!(f, "reads {:#x}..{:#x}, which the host wrote and nobody flushed", range.start, range.end)?;
            }
            Fault::Unwritten { range } => {
                write!(f, "reads {:#x}..{:#x}, which nobody ever wrote", range.start, range.end)?;
            }
        }
        match (&self.nearest, &self.fault) {
            (None, _) => write!(f, "; nothing is allocated"),
            (Some(buffer), Fault::Unmapped) => write!(f, "; the nearest buffer is {buffer}"),
            (Some(buffer), _) => write!(f, "; the buffer is {buffer}"),
        }
    }
}
