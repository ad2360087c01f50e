//! The text form: one operation a line.
//!
//! A line is a keyword with positional numbers and `name=number` pairs; `;` starts a comment. A line that starts with `+` goes on
//! with the words of the operation above it. Undefined bits follow the word `spare`.

use std::fmt;

use super::{Entry, Header, Operation, Spare, Stream, Version};
use crate::device::{Address, Direction, Tile};

/// Data words that stand on one line.
const WORDS_A_LINE: usize = 8;

/// A stream as text.
#[derive(Debug, Clone, Copy)]
pub struct Listing<'a> {
    pub(super) stream: &'a Stream,
    pub(super) offsets: bool,
}

impl fmt::Display for Listing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let header = &self.stream.header;
        let (major, minor) = header.version.numbers();
        write!(f, "txn {major}.{minor} generation={} rows={}", header.generation, header.rows)?;
        write!(f, " columns={} memory_rows={}", header.columns, header.memory_rows)?;
        if header.padding != 0 {
            write!(f, " padding={:#x}", header.padding)?;
        }
        writeln!(f)?;
        let mut at = Header::SIZE;
        let mut words = Vec::new();
        for entry in &self.stream.entries {
            if self.offsets {
                words.clear();
                let _ = super::encode::plain(&mut words, header.version, &entry.operation);
                writeln!(f, "; {at:#06x}")?;
                at += 4 * (words.len() + entry.spare.extra.len());
            }
            write_entry(f, entry)?;
        }
        for line in self.stream.trailing.chunks(32) {
            f.write_str("trailing")?;
            line.iter().try_for_each(|byte| write!(f, " {byte:#x}"))?;
            writeln!(f)?;
        }
        Ok(())
    }
}

fn write_entry(f: &mut fmt::Formatter<'_>, entry: &Entry) -> fmt::Result {
    let words = write_operation(f, &entry.operation)?;
    let mut lines = words.chunks(WORDS_A_LINE);
    lines.next().unwrap_or_default().iter().try_for_each(|word| write!(f, " {word:#x}"))?;
    for line in lines {
        f.write_str("\n+")?;
        line.iter().try_for_each(|word| write!(f, " {word:#x}"))?;
    }
    if !entry.spare.is_empty() {
        f.write_str(" spare")?;
        entry.spare.bits.iter().try_for_each(|(word, bits)| write!(f, " {word}:{bits:#x}"))?;
        entry.spare.extra.iter().try_for_each(|word| write!(f, " {word:#x}"))?;
    }
    writeln!(f)
}

/// Writes keyword and fields; gives back the words that end the line.
fn write_operation<'a>(f: &mut fmt::Formatter<'_>, operation: &'a Operation) -> Result<&'a [u32], fmt::Error> {
    match operation {
        Operation::Write { address, value } => write!(f, "write {:#010x} {value:#x}", address.0)?,
        Operation::BlockWrite { address, data } => {
            write!(f, "blockwrite {:#010x}", address.0)?;
            return Ok(data);
        }
        Operation::MaskWrite { address, value, mask } => {
            write!(f, "maskwrite {:#010x} {value:#x} mask={mask:#x}", address.0)?;
        }
        Operation::MaskPoll { address, value, mask, busy } => {
            let keyword = if *busy { "maskpoll_busy" } else { "maskpoll" };
            write!(f, "{keyword} {:#010x} {value:#x} mask={mask:#x}", address.0)?;
        }
        Operation::Noop => f.write_str("noop")?,
        Operation::Preempt { level } => write!(f, "preempt {level}")?,
        Operation::LoadPdi { id, size, address } => write!(f, "loadpdi {id} size={size:#x} address={address:#x}")?,
        Operation::LoadProgram { operations, id } => write!(f, "loadprogram {id} operations={operations}")?,
        Operation::CreateScratchpad { usage, size, offset } => {
            write!(f, "scratchpad {usage} size={size:#x} offset={offset:#x}")?;
        }
        Operation::UpdateState { index, function, argument } => {
            write!(f, "update_state {index} function={function} argument={argument:#x}")?;
        }
        Operation::UpdateRegister { index, function, argument, address } => {
            write!(
                f,
                "update_register {index} function={function} argument={argument:#x} address={:#010x}",
                address.0
            )?;
        }
        Operation::UpdateScratch => f.write_str("update_scratch")?,
        Operation::Sync { direction, tile, rows, columns, channel } => {
            match Direction::of_number(*direction) {
                Some(direction) => write!(f, "sync {}", direction.to_string().to_lowercase())?,
                None => write!(f, "sync {direction}")?,
            }
            write!(f, " column={} row={} columns={columns} rows={rows} channel={channel}", tile.column, tile.row)?;
        }
        Operation::PatchAddress { address, argument, offset, action } => {
            write!(f, "patch {:#010x} argument={argument} offset={offset:#x}", address.0)?;
            if *action != 0 {
                write!(f, " action={action:#x}")?;
            }
        }
        Operation::ReadRegisters { addresses, wide } => {
            f.write_str(if *wide { "read_registers_wide" } else { "read_registers" })?;
            addresses.iter().try_for_each(|address| write!(f, " {address:#x}"))?;
        }
        Operation::RecordTimer { id } => write!(f, "record_timer {id}")?,
        Operation::MergeSync { tokens } => write!(f, "merge_sync {tokens:#x}")?,
        Operation::Custom { opcode, payload } => {
            write!(f, "custom {opcode:#x}")?;
            return Ok(payload);
        }
        Operation::Opaque { operations, words } => {
            write!(f, "opaque {operations}")?;
            return Ok(words);
        }
    }
    Ok(&[])
}

/// Why a text is not an instruction stream.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct ParseError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub problem: ParseProblem,
}

/// What can be wrong with a line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseProblem {
    /// The first line is not a header.
    #[error("a stream starts with `txn 0.1` or `txn 1.0`")]
    NoHeader,
    /// A keyword that no operation has.
    #[error("there is no operation `{0}`")]
    NoSuchOperation(String),
    /// Something that is not a number.
    #[error("`{0}` is no number")]
    NotANumber(String),
    /// Something that is not an address.
    #[error("`{0}` is no address, which starts with `@`")]
    NoAddress(String),
    /// A level of preemption that does not exist.
    #[error("there is no level of preemption `{0}`")]
    NoSuchLevel(String),
    /// A number that is too large for its place.
    #[error("{what} cannot be {value}, at most {limit}")]
    TooLarge {
        /// The place.
        what: &'static str,
        /// The number.
        value: u64,
        /// Largest that fits.
        limit: u64,
    },
    /// A value that the operation needs.
    #[error("{0} is missing")]
    Missing(&'static str),
    /// Something that the operation has no place for.
    #[error("`{0}` has no place here")]
    Superfluous(String),
    /// A line of words that follows no operation with words.
    #[error("no operation with words precedes this line")]
    NothingToContinue,
}

pub(super) type Parsed<T> = Result<T, ParseProblem>;

pub(super) fn number(text: &str) -> Parsed<u64> {
    let parsed = match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16),
        None => text.parse(),
    };
    parsed.map_err(|_| ParseProblem::NotANumber(text.to_owned()))
}

pub(super) fn fit<T: TryFrom<u64>>(value: u64, what: &'static str, limit: u64) -> Parsed<T> {
    T::try_from(value).map_err(|_| ParseProblem::TooLarge { what, value, limit })
}

/// What is left of a line: positional words and pairs.
struct Line<'a> {
    words: std::collections::VecDeque<&'a str>,
    pairs: Vec<(&'a str, &'a str)>,
}

impl<'a> Line<'a> {
    fn new(text: &'a str) -> Self {
        let mut line = Self { words: std::collections::VecDeque::new(), pairs: Vec::new() };
        for word in text.split_whitespace() {
            match word.split_once('=') {
                Some(pair) => line.pairs.push(pair),
                None => line.words.push_back(word),
            }
        }
        line
    }

    fn positional(&mut self, what: &'static str) -> Parsed<u64> {
        number(self.words.pop_front().ok_or(ParseProblem::Missing(what))?)
    }

    fn word32(&mut self, what: &'static str) -> Parsed<u32> {
        fit(self.positional(what)?, what, u64::from(u32::MAX))
    }

    fn address(&mut self) -> Parsed<Address> {
        self.word32("the address").map(Address)
    }

    fn optional(&mut self, name: &'static str) -> Parsed<Option<u64>> {
        match self.pairs.iter().position(|pair| pair.0 == name) {
            Some(place) => number(self.pairs.swap_remove(place).1).map(Some),
            None => Ok(None),
        }
    }

    fn pair(&mut self, name: &'static str) -> Parsed<u64> {
        self.optional(name)?.ok_or(ParseProblem::Missing(name))
    }

    fn pair32(&mut self, name: &'static str) -> Parsed<u32> {
        fit(self.pair(name)?, name, u64::from(u32::MAX))
    }

    fn pair8(&mut self, name: &'static str) -> Parsed<u8> {
        fit(self.pair(name)?, name, u64::from(u8::MAX))
    }

    fn rest(&mut self) -> Parsed<Vec<u32>> {
        self.words.drain(..).map(|word| fit(number(word)?, "a word", u64::from(u32::MAX))).collect()
    }

    fn finish(self) -> Parsed<()> {
        let word = self.words.front().map(|word| (*word).to_owned());
        match word.or_else(|| self.pairs.first().map(|(name, value)| format!("{name}={value}"))) {
            Some(word) => Err(ParseProblem::Superfluous(word)),
            None => Ok(()),
        }
    }
}

pub(super) fn parse(text: &str) -> Result<Stream, ParseError> {
    let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line.split(';').next().unwrap_or("").trim()));
    let mut lines = lines.filter(|(_, line)| !line.is_empty());
    let (line, first) = lines.next().ok_or(ParseError { line: 1, problem: ParseProblem::NoHeader })?;
    let mut stream = Stream::new(header(first).map_err(|problem| ParseError { line, problem })?);
    for (line, text) in lines {
        parse_line(&mut stream, text).map_err(|problem| ParseError { line, problem })?;
    }
    Ok(stream)
}

fn header(text: &str) -> Parsed<Header> {
    let rest = text.strip_prefix("txn ").ok_or(ParseProblem::NoHeader)?;
    let (version, rest) = match rest.trim_start().split_at_checked(3) {
        Some(("0.1", rest)) => (Version::V0_1, rest),
        Some(("1.0", rest)) => (Version::V1_0, rest),
        _ => return Err(ParseProblem::NoHeader),
    };
    let mut line = Line::new(rest);
    let padding = line.optional("padding")?.unwrap_or(0);
    let header = Header {
        version,
        generation: line.pair8("generation")?,
        rows: line.pair8("rows")?,
        columns: line.pair8("columns")?,
        memory_rows: line.pair8("memory_rows")?,
        padding: fit(padding, "padding", u64::from(u16::MAX))?,
    };
    line.finish()?;
    Ok(header)
}

fn parse_line(stream: &mut Stream, text: &str) -> Parsed<()> {
    let (text, spare) = match text.split_once(" spare") {
        Some((text, spare)) => (text, self::spare(spare)?),
        None => (text, Spare::default()),
    };
    if let Some(more) = text.strip_prefix('+') {
        let mut line = Line::new(more);
        let words = line.rest()?;
        let entry = stream.entries.last_mut().ok_or(ParseProblem::NothingToContinue)?;
        match &mut entry.operation {
            Operation::BlockWrite { data: place, .. }
            | Operation::Custom { payload: place, .. }
            | Operation::Opaque { words: place, .. } => place.extend(words),
            _ => return Err(ParseProblem::NothingToContinue),
        }
        if !spare.is_empty() {
            entry.spare = spare;
        }
        return line.finish();
    }
    let mut line = Line::new(text);
    let keyword = line.words.pop_front().unwrap_or_default();
    if keyword == "trailing" {
        let bytes = line.words.drain(..).map(|word| fit(number(word)?, "a byte", u64::from(u8::MAX)));
        let bytes: Vec<u8> = bytes.collect::<Parsed<_>>()?;
        stream.trailing.extend(bytes);
        return line.finish();
    }
    let operation = operation(keyword, &mut line)?;
    line.finish()?;
    stream.push(Entry { operation, spare });
    Ok(())
}

fn spare(text: &str) -> Parsed<Spare> {
    let mut spare = Spare::default();
    for word in text.split_whitespace() {
        match word.split_once(':') {
            Some((index, bits)) => {
                let index = fit(number(index)?, "the index of a word", u64::from(u16::MAX))?;
                spare.bits.push((index, fit(number(bits)?, "the bits of a word", u64::from(u32::MAX))?));
            }
            None => spare.extra.push(fit(number(word)?, "a word", u64::from(u32::MAX))?),
        }
    }
    Ok(spare)
}

fn operation(keyword: &str, line: &mut Line<'_>) -> Parsed<Operation> {
    Ok(match keyword {
        "write" => Operation::Write { address: line.address()?, value: line.word32("the value")? },
        "blockwrite" => Operation::BlockWrite { address: line.address()?, data: line.rest()? },
        "maskwrite" => Operation::MaskWrite {
            address: line.address()?,
            value: line.word32("the value")?,
            mask: line.pair32("mask")?,
        },
        "maskpoll" | "maskpoll_busy" => Operation::MaskPoll {
            address: line.address()?,
            value: line.word32("the value")?,
            mask: line.pair32("mask")?,
            busy: keyword == "maskpoll_busy",
        },
        "noop" => Operation::Noop,
        "preempt" => Operation::Preempt { level: fit(line.positional("the level")?, "the level", 0xff)? },
        "loadpdi" => Operation::LoadPdi {
            id: fit(line.positional("the number")?, "the number", 0xffff)?,
            size: line.pair32("size")?,
            address: line.pair("address")?,
        },
        "loadprogram" => {
            Operation::LoadProgram { id: line.word32("the number")?, operations: line.pair32("operations")? }
        }
        "scratchpad" => Operation::CreateScratchpad {
            usage: fit(line.positional("the usage")?, "the usage", 0xff)?,
            size: line.pair32("size")?,
            offset: line.pair("offset")?,
        },
        "update_state" => Operation::UpdateState {
            index: fit(line.positional("the index")?, "the index", 0xff)?,
            function: line.pair8("function")?,
            argument: line.pair32("argument")?,
        },
        "update_register" => Operation::UpdateRegister {
            index: fit(line.positional("the index")?, "the index", 0xff)?,
            function: line.pair8("function")?,
            argument: line.pair32("argument")?,
            address: Address(line.pair32("address")?),
        },
        "update_scratch" => Operation::UpdateScratch,
        "sync" => sync(line)?,
        "patch" => Operation::PatchAddress {
            address: line.address()?,
            argument: line.pair32("argument")?,
            offset: line.pair("offset")?,
            action: fit(line.optional("action")?.unwrap_or(0), "action", u64::from(u32::MAX))?,
        },
        "read_registers" | "read_registers_wide" => Operation::ReadRegisters {
            addresses: line.words.drain(..).map(number).collect::<Parsed<_>>()?,
            wide: keyword == "read_registers_wide",
        },
        "record_timer" => Operation::RecordTimer { id: line.word32("the number")? },
        "merge_sync" => Operation::MergeSync { tokens: line.word32("the tokens")? },
        "custom" => {
            Operation::Custom { opcode: fit(line.positional("the code")?, "the code", 0xff)?, payload: line.rest()? }
        }
        "opaque" => Operation::Opaque { operations: line.word32("the number of operations")?, words: line.rest()? },
        _ => return Err(ParseProblem::NoSuchOperation(keyword.to_owned())),
    })
}

fn sync(line: &mut Line<'_>) -> Parsed<Operation> {
    let direction = match line.words.front() {
        Some(&"s2mm") => 0,
        Some(&"mm2s") => 1,
        Some(other) => fit(number(other)?, "the direction", 0xff)?,
        None => return Err(ParseProblem::Missing("the direction")),
    };
    line.words.pop_front();
    Ok(Operation::Sync {
        direction,
        tile: Tile { column: line.pair8("column")?, row: line.pair8("row")? },
        rows: line.pair8("rows")?,
        columns: line.pair8("columns")?,
        channel: line.pair8("channel")?,
    })
}
