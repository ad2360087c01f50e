//! Memory shared with an NPU.
//!
//! A [`Device`] allocates [`Buffer`]s and, through [`Submit`], runs jobs that end at a [`Fence`]. A buffer knows in whole
//! cache lines what the host wrote since the last flush and what the device wrote since the last invalidate, so that a run
//! moves only what changed and an emulator can tell when a flush is missing.
//!
//! Architecture invariant: nothing here knows an NPU family. A job's type is a parameter of [`Submit`]; memory is whatever
//! implements [`Backing`]. [`memory::DeviceMemory`] is such memory for emulators: it keeps the host's bytes and the device's
//! bytes apart.

mod backing;
mod buffer;
mod device;
mod error;
mod fence;
mod interval_set;
pub mod memory;
mod residency;

pub use backing::Backing;
pub use buffer::Buffer;
pub use device::{BufferKind, Device, Submit};
pub use error::Error;
pub use fence::{Completed, Fence, Signal, SignalFence, signal};
pub use interval_set::IntervalSet;

/// Bytes in one cache line of the host, the unit of residency: 64 on the Cortex-A55 and A76 of the RK3588 and on x86-64.
pub const CACHE_LINE: u64 = 64;
