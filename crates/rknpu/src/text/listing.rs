//! The disassembler.

use std::fmt;

use super::{ENABLE, enable_register};
use crate::command::{BARRIER_TARGET, Command, CommandKind, ENABLE_TARGET};
use crate::registers::{Block, RegisterInfo};

/// Width of the register column: the longest full name of a register that programs can write.
const REGISTER_COLUMN: usize = 31;

/// Commands as text; see [`text`](super).
#[derive(Debug, Clone, Copy)]
pub struct Listing<'a> {
    commands: &'a [Command],
    dump: bool,
}

impl<'a> Listing<'a> {
    /// All columns.
    pub const fn new(commands: &'a [Command]) -> Self {
        Self { commands, dump: true }
    }

    /// Without offset and word, and without the value where fields tell it: every line can be edited in one place.
    #[must_use]
    pub const fn plain(self) -> Self {
        Self { dump: false, ..self }
    }
}

impl fmt::Display for Listing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, command) in self.commands.iter().enumerate() {
            if self.dump {
                write!(f, "{:04x}: {:016x} ", index * 8, command.0)?;
            }
            write_command(f, *command, REGISTER_COLUMN, self.dump)?;
            f.write_str("\n")?;
        }
        Ok(())
    }
}

/// One command as text, with single spaces: `CNA.CONV_CON1 0x00000120 IN_PRECISION=2 PROC_PRECISION=2`.
impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_command(f, *self, 0, true)
    }
}

/// `values` asks for the value of a register also where its fields tell it.
fn write_command(f: &mut fmt::Formatter<'_>, command: Command, column: usize, values: bool) -> fmt::Result {
    match command.decode() {
        CommandKind::Nop => f.write_str("NOP"),
        CommandKind::Barrier => f.write_str("BARRIER"),
        CommandKind::Enable { mask } => write_value(f, &format!("{ENABLE:column$}"), enable_register(), mask.0, values),
        CommandKind::Write { block, offset, value } => {
            let register = RegisterInfo::at(offset);
            let name = register.map_or_else(|| format!("{block}.{offset:#06x}"), RegisterInfo::full_name);
            write_value(f, &format!("{name:column$}"), register, value, values)
        }
        CommandKind::Unknown { .. } => {
            let word = format!(".word {:#018x}", command.0);
            write!(f, "{word:column$} ; {}", irregularity(command))
        }
    }
}

fn write_value(
    f: &mut fmt::Formatter<'_>,
    name: &str,
    register: Option<&RegisterInfo>,
    word: u32,
    values: bool,
) -> fmt::Result {
    f.write_str(name)?;
    // Fields cover every bit of a known register, so a word that is not zero has a field that is not.
    if values || word == 0 || register.is_none() {
        write!(f, " {word:#010x}")?;
    }
    let Some(register) = register else { return Ok(()) };
    for field in register.fields.iter().filter(|field| field.is_set(word)) {
        let value = field.get(word);
        // Addresses, strides and bit patterns read better in hexadecimal, sizes and switches in decimal.
        if register.kind.is_address() || value > 0xffff {
            write!(f, " {}={value:#x}", field.name)?;
        } else {
            write!(f, " {}={value}", field.name)?;
        }
    }
    Ok(())
}

/// Why a word has no better text than `.word`.
fn irregularity(command: Command) -> String {
    let (target, offset) = (command.target(), command.offset());
    match (target, Block::of_target(target)) {
        (_, Some(block)) => format!("target {block}, but {offset:#06x} is not in its page"),
        (BARRIER_TARGET, None) => "a barrier with stray bits".to_owned(),
        (ENABLE_TARGET, None) => format!("an enable of {offset:#06x}"),
        (_, None) => format!("no block has target {target:#06x}"),
    }
}
