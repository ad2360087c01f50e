//! The assembler.

use super::nearest::nearest;
use super::{ENABLE, enable_register};
use crate::command::{Command, EnableMask};
use crate::program::Program;
use crate::registers::{Block, FieldOverflow, REGISTERS, RegisterInfo};

/// A text that is no program, and where it goes wrong.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {kind}")]
pub struct AssembleError {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// What is wrong there.
    #[source]
    pub kind: AssembleErrorKind,
}

/// What is wrong with a text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AssembleErrorKind {
    /// No command or register has this name.
    #[error("unknown register `{name}`{}", suggestion(.nearest.as_deref()))]
    UnknownRegister {
        /// The name.
        name: String,
        /// The full name that comes closest, if one is close.
        nearest: Option<String>,
    },
    /// The register has no such field.
    #[error("`{register}` has no field `{name}`{}", suggestion(*.nearest))]
    UnknownField {
        /// Full name of the register.
        register: String,
        /// The name.
        name: String,
        /// The name that comes closest, if one is close.
        nearest: Option<&'static str>,
    },
    /// The field stands twice on the line.
    #[error("`{name}` is given twice")]
    RepeatedField {
        /// The name.
        name: &'static str,
    },
    /// A value that the field cannot hold.
    #[error(transparent)]
    FieldOverflow(#[from] FieldOverflow),
    /// A value with too many bits for where it stands.
    #[error("{text} does not fit {bits} bits")]
    TooLarge {
        /// The number as written.
        text: String,
        /// Bits that fit.
        bits: u32,
    },
    /// Programs cannot write to the block.
    #[error("programs cannot write {block}: commands have no target for it")]
    Unreachable {
        /// The block.
        block: Block,
    },
    /// An offset outside the page of the block that is to be written.
    #[error("{offset:#06x} is no offset of {block}, which starts at {:#06x}", .block.base())]
    OutsideBlock {
        /// The block.
        block: Block,
        /// The offset.
        offset: u16,
    },
    /// Two parts of the line contradict each other.
    #[error("`{name}` is {value:#x} here, but the line also says {other:#x}")]
    Contradiction {
        /// What has two values.
        name: String,
        /// The value where the error is.
        value: u64,
        /// The value elsewhere on the line.
        other: u64,
    },
    /// Something else should stand here.
    #[error("expected {expected}, found {found}")]
    Expected {
        /// What should stand here.
        expected: &'static str,
        /// What does.
        found: String,
    },
}

fn suggestion(nearest: Option<&str>) -> String {
    nearest.map(|name| format!("; did you mean `{name}`?")).unwrap_or_default()
}

type Result<T, E = AssembleError> = std::result::Result<T, E>;

/// Reads a program from text; see [`text`](super) for the form.
///
/// # Errors
/// The first thing that is wrong, with its line and column.
pub fn assemble(text: &str) -> Result<Program> {
    let mut commands = Vec::new();
    for (index, line) in text.lines().enumerate() {
        commands.extend(Line::new(index + 1, line).command()?);
    }
    Ok(Program { commands })
}

/// A token with its column.
#[derive(Debug, Clone, Copy)]
struct Token<'a> {
    text: &'a str,
    column: usize,
}

impl Token<'_> {
    /// The column's 16 digits: the whole command in hexadecimal.
    fn word(&self) -> Option<u64> {
        let digits = self.text.len() == 16 && self.text.bytes().all(|byte| byte.is_ascii_hexdigit());
        u64::from_str_radix(self.text, 16).ok().filter(|_| digits)
    }
}

/// One line, read from the left.
struct Line<'a> {
    number: usize,
    tokens: std::iter::Peekable<std::vec::IntoIter<Token<'a>>>,
    /// Column behind the last token.
    end: usize,
}

impl<'a> Line<'a> {
    fn new(number: usize, line: &'a str) -> Self {
        let code = line.split([';', '#']).next().unwrap_or_default();
        let mut tokens = Vec::new();
        let mut start = None;
        let mut column = 1;
        for (at, letter) in code.char_indices() {
            let single = matches!(letter, '=' | ':');
            if single || letter.is_whitespace() {
                tokens.extend(start.take().map(|(from, column)| Token { text: &code[from..at], column }));
            }
            if single {
                tokens.push(Token { text: &code[at..at + 1], column });
            } else if !letter.is_whitespace() && start.is_none() {
                start = Some((at, column));
            }
            column += 1;
        }
        tokens.extend(start.map(|(from, column)| Token { text: &code[from..], column }));
        Self { number, tokens: tokens.into_iter().peekable(), end: column }
    }

    fn error(&self, column: usize, kind: impl Into<AssembleErrorKind>) -> AssembleError {
        AssembleError { line: self.number, column, kind: kind.into() }
    }

    /// Takes the next token if it is `text`.
    fn take(&mut self, text: &str) -> bool {
        self.tokens.next_if(|token| token.text == text).is_some()
    }

    fn expected(&self, token: Option<Token<'_>>, expected: &'static str) -> AssembleError {
        let found = token.map_or_else(|| "the end of the line".to_owned(), |token| format!("`{}`", token.text));
        let column = token.map_or(self.end, |token| token.column);
        self.error(column, AssembleErrorKind::Expected { expected, found })
    }

    /// The command on the line, `None` if there is none.
    fn command(mut self) -> Result<Option<Command>> {
        let Some(mut first) = self.tokens.next() else { return Ok(None) };
        if self.take(":") {
            // The offset: a position in some other listing.
            match self.tokens.next() {
                Some(token) => first = token,
                None => return Ok(None),
            }
        }
        let Some(word) = first.word() else { return self.written(first).map(Some) };
        let Some(name) = self.tokens.next() else { return Ok(Some(Command(word))) };
        let number = self.number;
        let command = self.written(name)?;
        if command.0 != word {
            let kind = AssembleErrorKind::Contradiction { name: name.text.to_owned(), value: command.0, other: word };
            return Err(AssembleError { line: number, column: name.column, kind });
        }
        Ok(Some(command))
    }

    /// The command that starts with the token `name` and goes to the end of the line.
    fn written(mut self, name: Token<'_>) -> Result<Command> {
        let command = match name.text {
            "NOP" => Command::NOP,
            "BARRIER" => Command::BARRIER,
            ".word" => Command(self.number(64)?.unsigned(64, &self)?),
            ENABLE => Command::enable(EnableMask(self.value(enable_register())?)),
            _ => {
                let (target, offset) = self.destination(name)?;
                Command::new(target, offset, self.value(RegisterInfo::at(offset))?)
            }
        };
        match self.tokens.next() {
            Some(token) => Err(self.expected(Some(token), "the end of the line")),
            None => Ok(command),
        }
    }

    /// Target word and offset of a register.
    fn destination(&self, name: Token<'_>) -> Result<(u16, u16)> {
        let (block, offset) = match RegisterInfo::named(name.text) {
            Some(register) => (register.block, register.offset),
            None => self.numbered(name)?,
        };
        let target = block.target().ok_or_else(|| self.error(name.column, AssembleErrorKind::Unreachable { block }))?;
        Ok((target, offset))
    }

    /// A register without a name: `DPU.0x40c4`.
    fn numbered(&self, name: Token<'_>) -> Result<(Block, u16)> {
        let parts = name.text.split_once('.').and_then(|(block, offset)| {
            let digits =
                offset.strip_prefix("0x").filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
            Some((Block::named(block)?, u16::from_str_radix(digits, 16).ok()?))
        });
        match parts {
            Some((block, offset)) if Block::at(offset) == Some(block) => Ok((block, offset)),
            Some((block, offset)) => Err(self.error(name.column, AssembleErrorKind::OutsideBlock { block, offset })),
            None => {
                let kind = AssembleErrorKind::UnknownRegister { name: name.text.to_owned(), nearest: like(name.text) };
                Err(self.error(name.column, kind))
            }
        }
    }

    /// The value of a register: a number, fields, or both.
    fn value(&mut self, register: Option<&'static RegisterInfo>) -> Result<u32> {
        let numeric = |token: &Token<'_>| token.text.starts_with(|first: char| first.is_ascii_digit() || first == '-');
        let given = if self.take("=") || self.tokens.peek().is_some_and(numeric) {
            let number = self.number(32)?;
            Some(number.unsigned(32, self)? as u32)
        } else {
            None
        };
        let Some(register) = register else {
            // Nothing is known about it, so the number cannot be left out.
            return given.ok_or_else(|| self.expected(self.tokens.clone().next(), "a number"));
        };
        self.fields(register, given)
    }

    /// The fields that follow, put together, or held against the number that came before them.
    fn fields(&mut self, register: &'static RegisterInfo, given: Option<u32>) -> Result<u32> {
        let mut value = given.unwrap_or(0);
        let mut seen = 0;
        while let Some(token) = self.tokens.next() {
            let Some(field) = register.field(token.text) else {
                let kind = AssembleErrorKind::UnknownField {
                    register: register.full_name(),
                    name: token.text.to_owned(),
                    nearest: nearest(token.text, register.fields.iter().map(|field| field.name)),
                };
                return Err(self.error(token.column, kind));
            };
            if seen & field.mask() != 0 {
                return Err(self.error(token.column, AssembleErrorKind::RepeatedField { name: field.name }));
            }
            seen |= field.mask();
            if !self.take("=") {
                return Err(self.expected(self.tokens.clone().next(), "`=`"));
            }
            let number = self.number(32)?;
            let before = value;
            match i32::try_from(number.value) {
                Ok(signed) if signed < 0 => field.set_signed(&mut value, signed),
                _ => field.set(&mut value, number.unsigned(32, self)? as u32),
            }
            .map_err(|overflow| self.error(number.column, overflow))?;
            if given.is_some() && value != before {
                let (name, value, other) = (field.name.to_owned(), field.get(value).into(), field.get(before).into());
                return Err(self.error(token.column, AssembleErrorKind::Contradiction { name, value, other }));
            }
        }
        Ok(value)
    }

    /// The number that must come next.
    fn number(&mut self, bits: u32) -> Result<Number<'a>> {
        let Some(token) = self.tokens.next() else { return Err(self.expected(None, "a number")) };
        let (negative, digits) = token.text.strip_prefix('-').map_or((false, token.text), |digits| (true, digits));
        let (radix, digits) = digits.strip_prefix("0x").map_or((10, digits), |digits| (16, digits));
        if digits.is_empty() || !digits.chars().all(|digit| digit.is_digit(radix)) {
            return Err(self.expected(Some(token), "a number"));
        }
        let too_large = || AssembleErrorKind::TooLarge { text: token.text.to_owned(), bits };
        let magnitude = u64::from_str_radix(digits, radix).map_err(|_| self.error(token.column, too_large()))?;
        let value = if negative { -i128::from(magnitude) } else { i128::from(magnitude) };
        Ok(Number { value, text: token.text, column: token.column })
    }
}

/// A number as written.
struct Number<'a> {
    value: i128,
    text: &'a str,
    column: usize,
}

impl Number<'_> {
    /// As `bits` bits, in two's complement if it is negative.
    fn unsigned(&self, bits: u32, line: &Line<'_>) -> Result<u64> {
        let (least, beyond) = (-(1i128 << (bits - 1)), 1i128 << bits);
        if self.value < least || self.value >= beyond {
            return Err(line.error(self.column, AssembleErrorKind::TooLarge { text: self.text.to_owned(), bits }));
        }
        Ok(self.value.rem_euclid(beyond) as u64)
    }
}

/// The register or command whose name comes closest; a name without its block counts as well.
fn like(name: &str) -> Option<String> {
    let registers = || REGISTERS.iter().filter(|register| register.block.target().is_some());
    let full: Vec<String> = registers().map(RegisterInfo::full_name).collect();
    let commands = ["NOP", "BARRIER", ".word", ENABLE];
    if let Some(found) = nearest(name, commands.into_iter().chain(full.iter().map(String::as_str))) {
        return Some(found.to_owned());
    }
    let bare = nearest(name, registers().map(|register| register.name))?;
    registers().find(|register| register.name == bare).map(RegisterInfo::full_name)
}
