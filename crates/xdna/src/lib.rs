//! Facts about AMD XDNA, the NPU of Ryzen AI processors: what its array looks like, and every binary that it, its firmware and its
//! driver take. Facts, not policy: nothing here does I/O, allocates device memory or decides what to run.

mod bytes;
pub mod cdo;
pub mod descriptor;
pub mod device;
pub mod elf;
mod error;
pub mod ert;
pub mod events;
pub mod ioctl;
pub mod packet;
pub mod pdi;
pub mod queue;
pub mod registers;
pub mod trace;
pub mod transfer;
pub mod txn;
pub mod xclbin;

pub use cdo::Cdo;
pub use descriptor::Descriptor;
pub use device::{Address, DEVICES, Device, Direction, Generation, Tile, TileFacts, TileKind};
pub use elf::Elf;
pub use error::{Error, Result};
pub use pdi::Pdi;
pub use registers::{Field, FieldOverflow, Module, Register};
pub use xclbin::Xclbin;

/// Where the array sees main memory: what is added to a device address that no firmware translates.
pub const DDR_APERTURE: u64 = 0x8000_0000;
