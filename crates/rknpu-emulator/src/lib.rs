//! Executes RKNPU2 register programs: convolution, post-processing, pooling, bit for bit the same on every run.
//!
//! [`Emulator`] is a [`ferrite_device::Device`] whose jobs are [`ferrite_rknpu::Submission`]s. It reads programs from device
//! memory, replays the register banks ([`ferrite_rknpu::typed`]) and does what the registers say.
//!
//! Architecture invariant: the emulator sees programs and memory only, never a model, an operator or a tensor name. What it
//! does not model is an error that names task, register and value ([`Error::NotModelled`]), never silence; an access outside
//! of every buffer is an error that names the register the address came from; [`Limits`] bound what a submission may cost
//! before anything of a task runs.
//!
//! Without silicon some things are choices. [`Options`] has those that can be changed; the others are: results beyond the
//! largest half become infinite, denormals are kept, NaN loses against numbers in maxima and minima, integer stages saturate
//! at 64 bits, and interpolation in a lookup table is not rounded in floating point.
//!
//! The order of every sum is fixed (input channel group, kernel row, kernel column, channel), so results do not depend on
//! how the work is blocked.

mod check;
mod conv;
mod decode;
mod dpu;
mod emulator;
mod error;
mod hazards;
mod options;
mod ppu;
mod rounding;
mod simd;
mod task;
mod view;

pub use emulator::Emulator;
pub use error::{Error, Party};
pub use options::{Limits, LutIndex, Options, Rounding, Statistics, Vector};
