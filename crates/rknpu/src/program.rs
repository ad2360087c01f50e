//! The commands of one task.

use crate::command::{Command, CommandKind, EnableMask};
use crate::registers::reg;

/// Commands of the tail that ends every program; [`TaskRecord::regcfg_amount`](crate::TaskRecord) does not count them.
pub const TAIL_COMMANDS: usize = 4;

/// The commands of one task, tail included.
///
/// Any commands are a `Program`: whether the tail is regular is for [`tail`](Self::tail) to say.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Program {
    /// The commands in the order in which the core reads them.
    pub commands: Vec<Command>,
}

/// The last four commands of a program: the link to the next one, the barrier and the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Tail {
    /// The next program, or `None` where the vendor writes a no-op.
    pub next_address: Option<u32>,
    /// What `PC.REGISTER_AMOUNTS` is set to: in its low 16 bits the length of the next program (see [`register_amounts`]), 0
    /// after the last one. The vendor's compiler sets bit 16 or 17 after some convolutions; why is not known.
    pub next_amounts: u32,
    /// The blocks to start.
    pub enable: EnableMask,
}

/// Bytes that are no program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a program of {length} bytes ends inside a command (8 bytes each)")]
pub struct ProgramError {
    /// Number of bytes.
    pub length: usize,
}

impl Program {
    /// Reads little-endian commands.
    ///
    /// # Errors
    /// If the number of bytes is not a multiple of 8.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ProgramError> {
        let (words, rest) = bytes.as_chunks::<8>();
        if !rest.is_empty() {
            return Err(ProgramError { length: bytes.len() });
        }
        Ok(words.iter().map(|word| Command(u64::from_le_bytes(*word))).collect())
    }

    /// The commands as little-endian bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.commands.iter().flat_map(|command| command.0.to_le_bytes()).collect()
    }

    /// The commands before the tail; all of them if the program is shorter than a tail.
    pub fn body(&self) -> &[Command] {
        match self.tail() {
            Some(_) => &self.commands[..self.commands.len() - TAIL_COMMANDS],
            None => &self.commands,
        }
    }

    /// The tail, if the last four commands are one.
    pub fn tail(&self) -> Option<Tail> {
        let [next, amounts, barrier, enable] = *self.commands.last_chunk::<TAIL_COMMANDS>()?;
        let next_address = match next.decode() {
            CommandKind::Nop => None,
            CommandKind::Write { offset: reg::pc::BASE_ADDRESS, value, .. } => Some(value),
            _ => return None,
        };
        match (amounts.decode(), barrier.decode(), enable.decode()) {
            (
                CommandKind::Write { offset: reg::pc::REGISTER_AMOUNTS, value, .. },
                CommandKind::Barrier,
                CommandKind::Enable { mask },
            ) => Some(Tail { next_address, next_amounts: value, enable: mask }),
            _ => None,
        }
    }
}

impl Tail {
    /// The four commands.
    pub fn commands(&self) -> [Command; TAIL_COMMANDS] {
        let write = |offset, value| Command::from(CommandKind::Write { block: crate::Block::Pc, offset, value });
        [
            self.next_address.map_or(Command::NOP, |address| write(reg::pc::BASE_ADDRESS, address)),
            write(reg::pc::REGISTER_AMOUNTS, self.next_amounts),
            Command::BARRIER,
            Command::enable(self.enable),
        ]
    }
}

/// What `PC.REGISTER_AMOUNTS` holds for a program of `commands` commands, tail included: the number of fetches of `scale`
/// commands each, rounded up, minus one. `scale` is [`Soc::amount_scale`](crate::Soc::amount_scale).
///
/// `None` for an empty program or a scale of zero. Source: the vendor's kernel driver and mainline's `rocket` compute the same.
pub const fn register_amounts(commands: u32, scale: u32) -> Option<u32> {
    if commands == 0 || scale == 0 { None } else { Some(commands.div_ceil(scale) - 1) }
}

impl FromIterator<Command> for Program {
    fn from_iter<I: IntoIterator<Item = Command>>(commands: I) -> Self {
        Self { commands: commands.into_iter().collect() }
    }
}

impl From<Vec<Command>> for Program {
    fn from(commands: Vec<Command>) -> Self {
        Self { commands }
    }
}
