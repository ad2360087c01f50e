//! The backing of one emulated buffer.

use super::Shared;
use super::zeroed::Zeroed;
use crate::{Backing, Error};
use std::ops::Range;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

/// One buffer whose host view lives here and whose device view lives in the address map.
pub(super) struct SplitMemory {
    shared: Arc<Shared>,
    base: u64,
    len: u64,
    host: Arc<RwLock<Zeroed>>,
}

impl SplitMemory {
    pub(super) fn new(shared: Arc<Shared>, base: u64, len: u64, host: Arc<RwLock<Zeroed>>) -> Self {
        Self { shared, base, len, host }
    }

    /// Indices of `range`; the buffer has checked that it is within the allocation, whose length is a `usize`.
    fn indices(&self, range: &Range<u64>) -> Result<Range<usize>, Error> {
        match (usize::try_from(range.start), usize::try_from(range.end)) {
            (Ok(start), Ok(end)) if start <= end && range.end <= self.len => Ok(start..end),
            _ => Err(Error::OutOfRange { buffer: self.name().to_owned(), range: range.clone(), len: self.len }),
        }
    }
}

/// The host's bytes; a panic of someone who wrote them leaves bytes, so poisoning is of no interest.
pub(super) fn lock_host(host: &RwLock<Zeroed>) -> RwLockReadGuard<'_, Zeroed> {
    host.read().unwrap_or_else(PoisonError::into_inner)
}

impl Backing for SplitMemory {
    fn name(&self) -> &str {
        &self.shared.settings.name
    }

    fn len(&self) -> u64 {
        self.len
    }

    fn device_address(&self) -> u64 {
        self.base
    }

    fn read_host(&self, range: Range<u64>, access: &mut dyn FnMut(&[u8])) -> Result<(), Error> {
        let indices = self.indices(&range)?;
        access(&lock_host(&self.host)[indices]);
        Ok(())
    }

    fn write_host(&self, range: Range<u64>, access: &mut dyn FnMut(&mut [u8])) -> Result<(), Error> {
        let indices = self.indices(&range)?;
        access(&mut self.host.write().unwrap_or_else(PoisonError::into_inner)[indices]);
        Ok(())
    }

    // Lock order everywhere: the map, then a host view, then a residency.
    fn flush(&self, range: Range<u64>) -> Result<Range<u64>, Error> {
        let indices = self.indices(&range)?;
        let mut map = self.shared.map();
        if let Some(device) = map.device_bytes(self.base) {
            device[indices.clone()].copy_from_slice(&lock_host(&self.host)[indices]);
        }
        Ok(range)
    }

    fn invalidate(&self, range: Range<u64>) -> Result<Range<u64>, Error> {
        let indices = self.indices(&range)?;
        let mut map = self.shared.map();
        if let Some(device) = map.device_bytes(self.base) {
            let mut host = self.host.write().unwrap_or_else(PoisonError::into_inner);
            host[indices.clone()].copy_from_slice(&device[indices]);
        }
        Ok(range)
    }
}

impl Drop for SplitMemory {
    fn drop(&mut self) {
        self.shared.freed.lock().unwrap_or_else(PoisonError::into_inner).push(self.base);
    }
}
