//! Programs as text, and back.
//!
//! [`Program::listing`] shows one command a line: byte offset, the 64 bits, the register, its value, and every field that is
//! not zero. [`assemble`] reads exactly that text, also without the first two columns and with comments, so
//! `assemble(listing(program)) == program` bit for bit, whatever the words.
//!
//! ```text
//! 0010: 020100000120100c CNA.CONV_CON1                   0x00000120 IN_PRECISION=2 PROC_PRECISION=2
//! 0018: 10010000000040c4 DPU.0x40c4                      0x00000000
//! 0020: 0041000000000000 BARRIER
//! 0028: 00810000001d0008 ENABLE                          0x0000001d CNA_OP_EN=1 CORE_OP_EN=1 DPU_OP_EN=1 DPU_RDMA_OP_EN=1
//! 0030: 1234000000000000 .word 0x1234000000000000        ; no block has target 0x1234
//! ```
//!
//! The grammar of a line, where everything after `;` or `#` is a comment:
//!
//! ```text
//! line     = [offset ":"] [word] [command]
//! command  = "NOP" | "BARRIER" | ".word" number | register [["="] number] {field "=" number}
//! register = "ENABLE" | block "." name | block "." hexadecimal offset
//! ```
//!
//! * The offset is only a position; what it says is not looked at.
//! * The word has 16 hexadecimal digits. Alone it is the command; before a command it must say the same.
//! * Numbers are decimal, `0x…`, or negative for two's complement in the field's width.
//! * Without a number the register starts from zero. With one, the fields must agree with it.
//! * A known register with no number and no field is written with zero.

mod assemble;
mod listing;
mod nearest;

pub use assemble::{AssembleError, AssembleErrorKind, assemble};
pub use listing::Listing;

use crate::Program;
use crate::registers::{RegisterInfo, reg};

/// The name of the command that starts blocks, and of its pseudo-register in texts.
const ENABLE: &str = "ENABLE";

/// The fields of the enable mask; the manual gives them for the register that the command stands for.
fn enable_register() -> Option<&'static RegisterInfo> {
    RegisterInfo::at(reg::global::OPERATION_ENABLE)
}

impl Program {
    /// The program as text with all columns; [`Listing::plain`] is the form to edit.
    pub fn listing(&self) -> Listing<'_> {
        Listing::new(&self.commands)
    }
}

impl std::str::FromStr for Program {
    type Err = AssembleError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        assemble(text)
    }
}
