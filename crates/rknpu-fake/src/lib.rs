//! A fake `rknpu` kernel driver, so that programs for Rockchip's NPU run, and can be watched, on a machine without one.
//!
//! Two parts. A thin library in C ([`shim`]) is preloaded into the client; it forwards opens, ioctls and mappings of device
//! nodes over a Unix socket. The [`Server`] in the host process hands them to a [`FakeDriver`], which has all the policy: the
//! table of buffers, addresses, limits, planted [`Faults`], and an error for every request it does not know. Buffers are
//! memfds, so both sides share their pages. What a submission *does* is up to an [`Executor`]: nothing, a filling from
//! a seed, or what the chip would do ([`Emulated`]). Who wants to watch implements [`Observer`].
//!
//! ```no_run
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use ferrite_rknpu_fake::{DriverOptions, FakeDriver, RecordOnly, Server, shim};
//!
//! let shim = shim::build(shim::Machine::host())?;
//! let server = Server::start(FakeDriver::new(DriverOptions::default(), Box::new(RecordOnly)))?;
//! std::process::Command::new("client").envs(server.environment(&shim)).status()?;
//! let driver = server.finish();
//! assert_eq!(driver.leaks().handles, 0);
//! # Ok(())
//! # }
//! ```

mod buffers;
mod driver;
mod drm;
mod emulated;
mod event;
mod executor;
mod options;
mod server;
pub mod shim;
mod wire;

pub use buffers::{Buffers, FakeBuffer};
pub use driver::FakeDriver;
pub use emulated::{Emulated, Emulation};
pub use event::{Event, Leaks, Observer, What};
pub use executor::{Executor, FillOutputs, JobError, RecordOnly, fill_bytes, written_buffers};
pub use ferrite_rknpu_emulator::{Emulator, Limits, Statistics};
pub use options::{DriverOptions, Faults};
pub use rustix::io::Errno;
pub use server::{FinishedDriver, Server};
