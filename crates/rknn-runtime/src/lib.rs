//! Loads a compiled `.rknn` model, plans its buffers and submissions, and runs it on an RKNPU2 device.
//!
//! 1. [`Plan::new`] decides buffers, tensor addresses, tasks and submissions. It needs no device.
//! 2. [`Weights::load`] puts the weight image on a device; sessions share it.
//! 3. [`Session`] is one context: it owns programs relocated to its own activations, inputs and outputs.
//!
//! The device is anything that implements [`ferrite_device::Submit`] for [`ferrite_rknpu::Submission`]: the emulator, the
//! vendor's kernel driver or mainline's. Nothing here can tell which.
//!
//! The host computes only what the file's own target column gives to it ([`Step::Host`]); a register program that fails is
//! an error, never a reason to compute on the host.

mod attributes;
mod convert;
mod error;
mod host;
mod native;
mod plan;
mod probe;
mod relocate;
mod schedule;
mod session;
mod tensor;
mod weights;

pub use attributes::{MemorySizes, Order, Port, PortDescription, View};
pub use error::{Error, ErrorKind};
pub use plan::{BufferInfo, BufferRole, Normalization, Plan, PlanOptions, Quantization, TensorInfo, WorkLimit};
pub use probe::Probe;
pub use schedule::{Job, Step};
pub use session::{RunReport, Session};
pub use tensor::{ElementType, Layout, Tensor};
pub use weights::{NpuDevice, Weights};
