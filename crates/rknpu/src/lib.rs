//! Facts about the Rockchip RKNPU2.

mod bits;
pub mod command;
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
pub use soc::Soc;
pub use submission::{CoreMask, CoreWork, JobFlags, Submission, SubmissionError, TaskRange};
pub use task::TaskRecord;
pub use text::assemble;
