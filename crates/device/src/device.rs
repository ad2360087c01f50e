//! The traits that a driver or an emulator implements.

use crate::{Buffer, Error, Fence};
use std::fmt;
use std::os::fd::OwnedFd;

/// What a buffer is for. A driver turns it into its own flags; an emulator may ignore it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum BufferKind {
    /// Weights, activations, inputs and outputs: cached by the host, read and written by the device.
    Data,
    /// Programs and descriptors that the device itself fetches.
    Program,
    /// Records that the kernel reads to start the device (the vendor's RKNPU driver wants these mapped into the kernel).
    Tasks,
    /// Memory on the chip where there is some, else as [`Data`](Self::Data).
    OnChip,
}

impl fmt::Display for BufferKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Data => "data",
            Self::Program => "program",
            Self::Tasks => "tasks",
            Self::OnChip => "on-chip",
        })
    }
}

/// An NPU, real or emulated, as far as its memory goes.
pub trait Device: Send + Sync {
    /// What messages call this device, for example `RK3588 emulator`.
    fn name(&self) -> &str;

    /// Allocates `size` bytes, zeroed, with the host's and the device's view in agreement.
    ///
    /// # Errors
    /// [`Error::EmptyBuffer`], [`Error::OutOfMemory`], [`Error::AddressSpaceFull`], or the kernel's refusal.
    fn allocate(&self, size: u64, kind: BufferKind) -> Result<Buffer, Error>;

    /// Makes `size` bytes behind a file descriptor visible to the device.
    ///
    /// # Errors
    /// [`Error::Unsupported`] where memory cannot be imported, or the kernel's refusal.
    fn import(&self, fd: OwnedFd, size: u64) -> Result<Buffer, Error> {
        let _ = (fd, size);
        Err(Error::Unsupported { device: self.name().to_owned(), operation: "importing memory" })
    }
}

/// A device that runs jobs of its family's type `S`.
pub trait Submit<S: ?Sized>: Device {
    /// Starts a job. Everything it reads must have been flushed before; what it writes is marked stale for the host at the
    /// latest when the fence reports its end.
    ///
    /// # Errors
    /// The device's refusal, usually as [`Error::Device`]. Failures during the job come from the fence.
    fn submit(&self, submission: &S) -> Result<Box<dyn Fence>, Error>;
}
