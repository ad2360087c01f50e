//! Judges compiled `.rknn` models without running them.
//!
//! | module | what it does |
//! |---|---|
//! | [`programs`] | replays the programs task by task, and says where each register value and address comes from |
//! | [`mod@lint`] | finds what is wrong in a model |
//!
//! Nothing here needs a device or an emulator: everything follows from the file.

pub mod lint;
pub mod programs;

pub use lint::{Finding, Kind, Place, Report, Severity, lint};
