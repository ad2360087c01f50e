//! What can go wrong with memory shared with a device.

use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

/// An error of a buffer, a device or a fence. Ranges and sizes are in bytes.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A buffer of no bytes was asked for.
    #[error("a buffer needs at least one byte")]
    EmptyBuffer,
    /// The allocation would take the device's memory over its limit.
    #[error("{requested} bytes do not fit: {in_use} of {limit} bytes of device memory are in use")]
    OutOfMemory {
        /// The size asked for, rounded up to the device's page.
        requested: u64,
        /// What live buffers hold.
        in_use: u64,
        /// The configured limit.
        limit: u64,
    },
    /// No gap of the device's address space takes the buffer.
    #[error("no free range of {requested} bytes between device addresses {lowest:#x} and {top:#x}")]
    AddressSpaceFull {
        /// The size asked for, rounded up to the device's page.
        requested: u64,
        /// The lowest address given out.
        lowest: u64,
        /// One past the highest address given out.
        top: u64,
    },
    /// A fixed device address was asked for that is misaligned, outside the address space or taken.
    #[error("device address range {start:#x}..{end:#x} cannot be used: {reason}", start = .range.start, end = .range.end)]
    AddressUnavailable {
        /// The range asked for.
        range: Range<u64>,
        /// Why not.
        reason: &'static str,
    },
    /// A range reaches beyond the buffer or is reversed.
    #[error("range {start:#x}..{end:#x} is not within {buffer} of {len:#x} bytes", start = .range.start, end = .range.end)]
    OutOfRange {
        /// The buffer's label or address.
        buffer: String,
        /// The range asked for.
        range: Range<u64>,
        /// The buffer's (or view's) length.
        len: u64,
    },
    /// A view would begin or end inside a cache line, so that two views shared the fate of one line.
    #[error(
        "view {start:#x}..{end:#x} of {buffer} splits a cache line of {line} bytes",
        start = .range.start, end = .range.end, line = crate::CACHE_LINE
    )]
    SplitsCacheLine {
        /// The buffer's label or address.
        buffer: String,
        /// The range asked for, relative to the buffer or view it was asked from.
        range: Range<u64>,
    },
    /// In strict mode: the host read lines that the device wrote and that were not invalidated.
    #[error(
        "host read of {start:#x}..{end:#x} of {buffer}, which the device wrote and nobody invalidated",
        start = .range.start, end = .range.end
    )]
    StaleRead {
        /// The buffer's label or address.
        buffer: String,
        /// The first stale part of what was read, in whole cache lines, relative to the allocation.
        range: Range<u64>,
    },
    /// A backing reported that it moved a range that does not cover the one it was asked to move.
    #[error(
        "the backing of {buffer} moved {ms:#x}..{me:#x} when asked for {rs:#x}..{re:#x}",
        ms = .moved.start, me = .moved.end, rs = .requested.start, re = .requested.end
    )]
    IncompleteMove {
        /// The buffer's label or address.
        buffer: String,
        /// The range asked for.
        requested: Range<u64>,
        /// The range it says it moved.
        moved: Range<u64>,
    },
    /// The device or backing has no such function.
    #[error("{device} does not support {operation}")]
    Unsupported {
        /// The device's or backing's name.
        device: String,
        /// What was asked.
        operation: &'static str,
    },
    /// The job did not finish in time; it may still be running.
    #[error("the device did not finish within {waited:?}")]
    Timeout {
        /// How long the caller was ready to wait.
        waited: Duration,
    },
    /// The job's other half went away without saying how the job ended.
    #[error("the job was abandoned before it finished")]
    Abandoned,
    /// A system call failed.
    #[error("{operation} failed")]
    Io {
        /// What was attempted.
        operation: &'static str,
        /// The system's answer.
        #[source]
        source: Arc<std::io::Error>,
    },
    /// The device refused or failed a job, in the device family's own words.
    #[error("{device} failed")]
    Device {
        /// The device's name.
        device: String,
        /// The family's error.
        #[source]
        source: Arc<dyn std::error::Error + Send + Sync>,
    },
}

impl Error {
    /// Wraps a device family's own error.
    pub fn device(device: impl Into<String>, source: impl std::error::Error + Send + Sync + 'static) -> Self {
        Self::Device { device: device.into(), source: Arc::new(source) }
    }

    /// Wraps a failed system call.
    pub fn io(operation: &'static str, source: std::io::Error) -> Self {
        Self::Io { operation, source: Arc::new(source) }
    }
}
