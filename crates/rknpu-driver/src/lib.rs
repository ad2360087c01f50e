//! Runs [`Submission`](ferrite_rknpu::Submission)s on the chip, through the vendor's `rknpu` kernel driver 0.8.0 to 0.9.8.
//!
//! [`VendorDriver`] is a [`Device`](ferrite_device::Device): it finds the device node, allocates buffers, moves ranges
//! between the caches and memory, and submits. Both builds of the kernel driver are spoken to: the DRM driver behind
//! `/dev/dri`, and the character device `/dev/rknpu`, whose memory comes from a dma-heap.
//!
//! # What the kernel does not do, and who does it here
//!
//! * **Caches.** The kernel driver moves nothing at a submission. Buffers are mapped cached; flushing and invalidating are
//!   `MEM_SYNC` on the range asked for.
//! * **What the device wrote.** The kernel does not say. Before a submission the programs of its tasks are searched for the
//!   address registers that the hardware writes through, and the buffers that they point into are marked stale as a whole when
//!   the job ended. Marking *every* buffer instead would be wrong with two sessions at once: what one of them has just written
//!   on the host, and not yet flushed, would look as if the device had newer bytes.
//! * **Kernel names.** A submission names its task list by a number that the kernel uses as a pointer without a check. Only
//!   numbers of buffers that this driver holds are ever passed.
//!
//! # When memory is given back
//!
//! The driver keeps a reference to each of its buffers, since it must mark them. A buffer that nobody else holds is released
//! before the next allocation, import or submission, and when the driver goes.
//!
//! # Tests without a chip
//!
//! `tests/` runs this crate against `ferrite-rknpu-fake`, a stand-in for the kernel behind a preloaded library. For that, every
//! system call goes through the C library.

mod driver;
mod error;
mod kernel;
mod mapping;
mod memory;
mod probe;
mod registry;
mod sys;
mod written;

pub use driver::VendorDriver;
pub use error::{DriverError, OpenError};
pub use kernel::Version;
pub use probe::{OpenOptions, Reason, Refusal};

use std::sync::Arc;

/// Opens the NPU of this machine, wherever its node is. The answer serves as the runtime's device.
///
/// # Errors
/// When there is none that can be used; the error says what was probed and what would help.
pub fn open_default() -> Result<Arc<VendorDriver>, OpenError> {
    VendorDriver::open(&OpenOptions::default()).map(Arc::new)
}
