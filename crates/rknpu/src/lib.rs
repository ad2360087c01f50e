//! Facts about the Rockchip RKNPU2, the NPU of the RK3588 and its relatives: what its registers, programs, tasks and tensors look
//! like. Facts, not policy: nothing here does I/O, allocates device memory or decides what to run.
//!
//! | module | what it knows |
//! |---|---|
//! | [`registers`] | blocks, registers and bit fields, with accessors that check what fits |
//! | [`command`] | the 64-bit commands: register writes, barrier, enable |
//! | [`program`] | the commands of a task and their tail |
//! | [`task`], [`submission`] | task records, and what a device is given to run |
//! | [`text`] | disassembler and assembler |
//! | [`layout`] | how features and weights lie in memory |
//! | [`soc`] | what differs between systems on chip, and precision codes |
//! | [`typed`] | what the tasks of a submission do, register banks included |
//!
//! # Adding a register
//!
//! `registers.tsv` is the one list of registers; everything else follows from it. Add a line for each bit field (with reserved
//! ones, so that all 32 bits are covered, and sorted by offset and lowest bit), then run
//! `BLESS=1 cargo test -p ferrite-rknpu` twice: the first run rewrites `src/registers/table.rs`, the second, built with it, the
//! listings in `tests/programs`. The constants, the disassembler and the assembler know the register from then on. The tests refuse fields that overlap, leave a
//! gap or share a name.
//!
//! # Adding a program or a weight blob as evidence
//!
//! Put the bytes into `tests/programs/NAME.bin` and bless, or into `tests/weights` under a name that tells the shape.

mod bits;
pub mod command;
pub mod ioctl;
pub mod layout;
pub mod program;
pub mod registers;
pub mod soc;
pub mod submission;
pub mod task;
pub mod text;
pub mod typed;

pub use command::{Command, CommandKind, EnableMask};
pub use program::{Program, Tail};
pub use registers::{Block, Field, FieldOverflow, RegisterInfo, field, reg};
pub use soc::{Precision, Soc};
pub use submission::{CoreMask, CoreWork, JobFlags, Submission, SubmissionError, TaskRange};
pub use task::TaskRecord;
pub use text::assemble;
