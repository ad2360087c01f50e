//! Judges compiled `.rknn` models without running them.
//!
//! | module | what it does |
//! |---|---|
//! | [`programs`] | replays the programs task by task, and says where each register value and address comes from |
//! | [`mod@lint`] | finds what is wrong in a model |
//! | [`cycles`] | what operators and tasks cost: cycles, bytes, multiply-adds |
//! | [`timeline`] | when each task would run |
//!
//! Nothing here needs a device or an emulator: everything follows from the file.

pub mod cycles;
pub mod lint;
pub mod programs;
pub mod timeline;

pub use lint::{Finding, Kind, Place, Report, Severity, lint};
