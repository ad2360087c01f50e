//! Facts about AMD XDNA, the NPU of Ryzen AI processors: what its array looks like, and every binary that it, its firmware and its
//! driver take. Facts, not policy: nothing here does I/O, allocates device memory or decides what to run.

mod bytes;
pub mod descriptor;
pub mod device;
mod error;
pub mod events;
pub mod queue;
pub mod registers;
pub mod transfer;
pub mod txn;

pub use descriptor::Descriptor;
pub use device::{Address, DEVICES, Device, Direction, Generation, Tile, TileFacts, TileKind};
pub use error::{Error, Result};
pub use registers::{Field, FieldOverflow, Module, Register};

/// Where the array sees main memory: what is added to a device address that no firmware translates.
pub const DDR_APERTURE: u64 = 0x8000_0000;
