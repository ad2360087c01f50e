//! The vendor's runtime as an oracle: what it hands the kernel for a model, recorded, and compared with what ours hands it.
//!
//! 1. [`vendor`] fetches the runtime, and runs it under qemu behind the fake kernel driver.
//! 2. [`capture()`] does that for one model and records everything in a [`Capture`] (`docs/capture-format.md`).
//! 3. [`diff`] runs our own plan on a device that only records, gives its buffers the captured addresses, and counts what
//!    differs. Nothing of the vendor's is needed for that, so committed captures prove it anywhere.
//! 4. [`emulate()`] has our emulator behind the fake driver, so that the vendor's runtime computes on it: outputs must equal
//!    those of our own runtime, bit for bit.
//!
//! Everything is black-box: the runtime is run and watched, never taken apart.

mod answers;
mod capture;
mod compare;
mod emulate;
mod error;
mod input;
mod ours;
mod parity;
mod report;
mod run;
mod trace;
pub mod vendor;
mod zoo;

pub use capture::{
    BufferPages, Capture, FORMAT_VERSION, Form, Header, InputRecord, Memory, OutputRecord, PAGE, Record, SubmitRecord,
    VendorVersion,
};
pub use compare::{Counts, Difference, Kind, compare};
pub use emulate::{EmulateOptions, EmulatedRun, emulate};
pub use error::{Error, ErrorKind};
pub use input::{Format, InputSpec, Type};
pub use ours::{Ours, ours};
pub use parity::{OutputParity, Parity, parity};
pub use report::{Diff, SyncCoverage, diff, diff_answers};
pub use run::{CaptureOptions, CoreChoice, Watched, capture, watch};
pub use trace::{Trace, TraceBuffer, TraceSubmission};
pub use zoo::{Allowed, Outcome, Row, Trial, Way, fits, judge, read_allowlist, with_sources};
