//! What a device must provide so that a [`Buffer`](crate::Buffer) can stand on its memory.

use crate::Error;
use std::ops::Range;
use std::os::fd::OwnedFd;

/// The memory below a buffer: one allocation with the host's view of it and the way to make the views agree.
///
/// [`Buffer`](crate::Buffer) checks every range before it calls, keeps residency and decides *what* must move; a backing only
/// moves it. Ranges are bytes relative to the allocation. No lock of the buffer is held during a call, so a backing may take
/// its own.
pub trait Backing: Send + Sync {
    /// What messages call this kind of memory.
    fn name(&self) -> &str;

    /// Length of the allocation in bytes; constant.
    fn len(&self) -> u64;

    /// Whether the allocation has no bytes.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The address at which the device sees the first byte; constant.
    fn device_address(&self) -> u64;

    /// Calls `access` once with the host's view of `range`.
    ///
    /// # Errors
    /// When the host's view cannot be reached; then `access` is not called.
    fn read_host(&self, range: Range<u64>, access: &mut dyn FnMut(&[u8])) -> Result<(), Error>;

    /// Calls `access` once with the host's view of `range`, writable.
    ///
    /// # Errors
    /// When the host's view cannot be reached; then `access` is not called.
    fn write_host(&self, range: Range<u64>, access: &mut dyn FnMut(&mut [u8])) -> Result<(), Error>;

    /// Makes the host's bytes of `range` visible to the device and returns the range really moved, which covers `range`
    /// (a kernel may only move whole pages or whole buffers).
    ///
    /// # Errors
    /// When the kernel refuses; the buffer then still counts the range as dirty.
    fn flush(&self, range: Range<u64>) -> Result<Range<u64>, Error>;

    /// Makes the device's bytes of `range` visible to the host and returns the range really moved, which covers `range`.
    ///
    /// # Errors
    /// When the kernel refuses; the buffer then still counts the range as stale.
    fn invalidate(&self, range: Range<u64>) -> Result<Range<u64>, Error>;

    /// A file descriptor by which another process or device can import this memory.
    ///
    /// # Errors
    /// [`Error::Unsupported`] where memory cannot be exported.
    fn export(&self) -> Result<OwnedFd, Error> {
        Err(Error::Unsupported { device: self.name().to_owned(), operation: "exporting memory" })
    }

    /// The address of the host's view, for callers that must hand it to foreign code. It stays valid while the backing lives.
    ///
    /// # Errors
    /// [`Error::Unsupported`] where the host's view has no stable address.
    fn host_pointer(&self) -> Result<*mut u8, Error> {
        Err(Error::Unsupported { device: self.name().to_owned(), operation: "handing out raw pointers" })
    }
}
