//! The listing that aiebu writes of control code, and that its assembler takes (`*.ctrltext.asm`).
//!
//! It has no header: the number of `.attach_to_group` lines is that of the columns, and which generation the code is for is not said;
//! aiebu assembles it for npu2. Of waits, register reads and timers it gives the name alone. A masked write is listed with its mask first, which is what is read here;
//! aiebu's own assembler takes the value first.
//!
//! ```
//! use ferrite_xdna::txn::aiebu::AiebuListing;
//!
//! let listing = AiebuListing::parse("    .attach_to_group 0\nXAIE_IO_WRITE @0x1d214, 0x3\n").unwrap();
//! assert_eq!((listing.columns, listing.stream().words().unwrap()[4 + 2]), (1, 0x1d214));
//! assert!(listing.to_string().ends_with("XAIE_IO_WRITE                   @0x1d214, 0x3\n"));
//! ```
//!
//! Form from src/cpp/aiebu/src/analyzer of Xilinx/aiebu (`transaction.cpp`, `reporter.cpp`) and from its tests.

use std::fmt;

use super::text::{ParseError, ParseProblem, Parsed, fit, number};
use super::{Header, Operation, Stream, opcode};
use crate::device::{Address, Device, Generation};

/// A listing.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AiebuListing {
    /// The section of an ELF file that it was made of; only a comment in the text.
    pub section: Option<Section>,
    /// Columns of the array.
    pub columns: u8,
    /// Operations in order. One whose fields the listing leaves out is an [`Operation::Custom`] without payload.
    pub operations: Vec<Operation>,
    /// Whether an empty line follows the operations, as aiebu writes it.
    pub closed: bool,
}

/// What the comment above a listing says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// Index of the section.
    pub index: u32,
    /// Its name.
    pub name: String,
    /// Its bytes.
    pub size: u32,
}

/// An operation of which the listing gives the name alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("aiebu's listing leaves out the fields of operation {operation}, {name}")]
pub struct LeftOut {
    /// Number of the operation.
    pub operation: usize,
    /// Its name.
    pub name: &'static str,
}

/// Lines of operations of which only the name is listed.
const NAMES_ALONE: [(&str, u8); 4] = [
    ("XAIE_IO_CUSTOM_OP_TCT", opcode::SYNC),
    ("ReadOp:", opcode::READ_REGISTERS),
    ("TimerOp:", opcode::RECORD_TIMER),
    ("MergeSync Op:", opcode::MERGE_SYNC),
];
/// What is saved at a point of preemption, by level.
const LEVELS: [&str; 5] = ["NOOP", "MEM_TILE", "AIE_TILE", "AIE_REGISTERS", "INVALID"];
const GROUP: &str = ".attach_to_group";

/// Whether a line that is neither empty nor a comment can be the first of a listing.
pub(crate) fn is_first_line(line: &str) -> bool {
    line.starts_with(GROUP) || line.starts_with("XAIE_IO_")
}

impl AiebuListing {
    /// Reads a listing. Comments start with `;`.
    ///
    /// # Errors
    /// If a line cannot be understood; the error names it.
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        let mut listing = Self::default();
        for (index, line) in text.lines().enumerate() {
            listing.line(line).map_err(|problem| ParseError { line: index + 1, problem })?;
        }
        listing.closed = !listing.operations.is_empty() && text.ends_with("\n\n");
        Ok(listing)
    }

    fn line(&mut self, line: &str) -> Parsed<()> {
        let (code, comment) = line.split_once(';').unwrap_or((line, ""));
        let code = code.trim();
        if let Some(group) = code.strip_prefix(GROUP) {
            return self.group(group.trim());
        }
        if !code.is_empty() {
            self.operations.push(operation(code)?);
        } else if self.section.is_none() {
            self.section = Section::parse(comment.trim());
        }
        Ok(())
    }

    /// Columns are listed from 0 on, before any operation.
    fn group(&mut self, text: &str) -> Parsed<()> {
        let column: u8 = fit(number(text)?, "a column", u64::from(u8::MAX) - 1)?;
        if column != self.columns || !self.operations.is_empty() {
            return Err(ParseProblem::Superfluous(format!("{GROUP} {text}")));
        }
        self.columns += 1;
        Ok(())
    }

    /// The stream that aiebu assembles of it; operations whose fields are left out stand in it without them.
    pub fn stream(&self) -> Stream {
        let header = Header {
            version: super::Version::V0_1,
            generation: Generation::Npu2 as u8,
            rows: Device::ROWS,
            columns: self.columns,
            memory_rows: Device::MEMORY_ROWS,
            padding: 0,
        };
        let entries = self.operations.iter().cloned().map(Into::into).collect();
        Stream { header, entries, trailing: Vec::new() }
    }

    /// The first operation whose fields the listing leaves out: with one, there is no telling what the stream was.
    pub fn left_out(&self) -> Option<LeftOut> {
        let name = |operation: &Operation| match operation {
            Operation::Custom { opcode, payload } if payload.is_empty() => name_alone(*opcode),
            _ => None,
        };
        let found = self.operations.iter().enumerate().find_map(|(index, operation)| Some((index, name(operation)?)));
        found.map(|(operation, name)| LeftOut { operation, name })
    }

    /// The listing that aiebu writes of a stream; `None` if it has an operation that aiebu cannot list.
    pub fn of(stream: &Stream) -> Option<Self> {
        let operations = stream.operations().map(|operation| match operation {
            Operation::Sync { .. }
            | Operation::ReadRegisters { .. }
            | Operation::RecordTimer { .. }
            | Operation::MergeSync { .. } => {
                Some(Operation::Custom { opcode: operation.opcode(), payload: Vec::new() })
            }
            Operation::Write { .. }
            | Operation::BlockWrite { .. }
            | Operation::MaskWrite { .. }
            | Operation::MaskPoll { .. }
            | Operation::PatchAddress { action: 0, .. }
            | Operation::LoadProgram { .. }
            | Operation::Noop => Some(operation.clone()),
            Operation::Preempt { level } if usize::from(*level) < LEVELS.len() => Some(operation.clone()),
            _ => None,
        });
        let operations: Vec<Operation> = operations.collect::<Option<_>>()?;
        Some(Self { section: None, columns: stream.header.columns, closed: !operations.is_empty(), operations })
    }
}

impl Section {
    /// `[2] .ctrltext 256`
    fn parse(comment: &str) -> Option<Self> {
        let (index, rest) = comment.strip_prefix('[')?.split_once(']')?;
        let (name, size) = rest.split_once('\t')?;
        Some(Self { index: index.parse().ok()?, name: name.trim().to_owned(), size: size.parse().ok()? })
    }
}

fn name_alone(code: u8) -> Option<&'static str> {
    NAMES_ALONE.iter().find(|known| known.1 == code).map(|known| known.0)
}

/// Operands of a line, taken from the front.
struct Operands<'a>(std::iter::Peekable<std::str::Split<'a, char>>);

impl<'a> Operands<'a> {
    fn next(&mut self, what: &'static str) -> Parsed<&'a str> {
        self.0.next().map(str::trim).filter(|text| !text.is_empty()).ok_or(ParseProblem::Missing(what))
    }

    fn word(&mut self, what: &'static str) -> Parsed<u32> {
        fit(number(self.next(what)?)?, what, u64::from(u32::MAX))
    }

    fn address(&mut self) -> Parsed<Address> {
        const WHAT: &str = "the address";
        let text = self.next(WHAT)?;
        let digits = text.strip_prefix('@').ok_or_else(|| ParseProblem::NoAddress(text.to_owned()))?;
        fit(number(digits)?, WHAT, u64::from(u32::MAX)).map(Address)
    }
}

fn operation(code: &str) -> Parsed<Operation> {
    if let Some((_, opcode)) = NAMES_ALONE.iter().find(|known| known.0 == code) {
        return Ok(Operation::Custom { opcode: *opcode, payload: Vec::new() });
    }
    let (name, rest) = code.split_once(char::is_whitespace).unwrap_or((code, ""));
    let mut operands = Operands(rest.trim().split(',').peekable());
    // Of version 1.0, writes are listed with a comma behind the name.
    let operation = match name.trim_end_matches(',') {
        "XAIE_IO_WRITE" => Operation::Write { address: operands.address()?, value: operands.word("the value")? },
        "XAIE_IO_BLOCKWRITE" => {
            let (address, mut data) = (operands.address()?, Vec::new());
            while operands.0.peek().is_some() {
                data.push(operands.word("a word")?);
            }
            Operation::BlockWrite { address, data }
        }
        "XAIE_IO_MASKWRITE" => {
            let (address, mask) = (operands.address()?, operands.word("the mask")?);
            Operation::MaskWrite { address, value: operands.word("the value")?, mask }
        }
        name @ ("XAIE_IO_MASKPOLL" | "XAIE_IO_MASKPOLL_BUSY") => {
            let (address, mask) = (operands.address()?, operands.word("the mask")?);
            let busy = name == "XAIE_IO_MASKPOLL_BUSY";
            Operation::MaskPoll { address, value: operands.word("the value")?, mask, busy }
        }
        // Without operands there is one empty part.
        "XAIE_IO_NOOP" if rest.is_empty() => return Ok(Operation::Noop),
        "XAIE_IO_NOOP" => Operation::Noop,
        "XAIE_IO_PREEMPT" => {
            let text = operands.next("what is saved")?;
            let level = LEVELS.iter().zip(0..).find(|known| *known.0 == text);
            let (_, level) = level.ok_or_else(|| ParseProblem::NoSuchLevel(text.to_owned()))?;
            Operation::Preempt { level }
        }
        "XAIE_IO_LOAD_PM_START" => {
            let count = number(operands.next("the number of operations")?)?;
            let operations = Some(count).filter(|count| *count < 1 << 24).ok_or(ParseProblem::TooLarge {
                what: "the number of operations",
                value: count,
                limit: (1 << 24) - 1,
            })? as u32;
            Operation::LoadProgram { operations, id: operands.word("the number")? }
        }
        "XAIE_IO_CUSTOM_OP_DDR_PATCH" => {
            let (address, argument) = (operands.address()?, operands.word("the argument")?);
            Operation::PatchAddress { address, argument, offset: number(operands.next("the offset")?)?, action: 0 }
        }
        other => return Err(ParseProblem::NoSuchOperation(other.to_owned())),
    };
    match operands.0.next() {
        Some(more) => Err(ParseProblem::Superfluous(more.trim().to_owned())),
        None => Ok(operation),
    }
}

/// The text to the byte as aiebu writes it.
impl fmt::Display for AiebuListing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(Section { index, name, size }) = &self.section {
            writeln!(f, ";  [{index}] {name}\t{size}")?;
        }
        writeln!(f)?;
        (0..self.columns).try_for_each(|column| writeln!(f, "    {GROUP} {column}"))?;
        writeln!(f)?;
        self.operations.iter().try_for_each(|operation| write_operation(f, operation))?;
        if self.closed { writeln!(f) } else { Ok(()) }
    }
}

fn write_operation(f: &mut fmt::Formatter<'_>, operation: &Operation) -> fmt::Result {
    let name = |name: &str| format!("{name:<32}");
    match operation {
        Operation::Write { address, value } => writeln!(f, "{}@{:#x}, {value:#x}", name("XAIE_IO_WRITE"), address.0),
        Operation::BlockWrite { address, data } => {
            write!(f, "{}@{:#x}", name("XAIE_IO_BLOCKWRITE"), address.0)?;
            data.iter().try_for_each(|word| write!(f, ", {word:#x}"))?;
            writeln!(f)
        }
        Operation::MaskWrite { address, value, mask } => {
            writeln!(f, "{}@{:#x}, {mask:#x}, {value:#x}", name("XAIE_IO_MASKWRITE"), address.0)
        }
        Operation::MaskPoll { address, value, mask, busy } => {
            let keyword = if *busy { "XAIE_IO_MASKPOLL_BUSY" } else { "XAIE_IO_MASKPOLL" };
            writeln!(f, "{}@{:#x}, {mask:#x}, {value:#x}", name(keyword), address.0)
        }
        Operation::Noop => writeln!(f, "{}", name("XAIE_IO_NOOP")),
        Operation::Preempt { level } => {
            let level = LEVELS.get(usize::from(*level)).unwrap_or(&LEVELS[4]);
            writeln!(f, "{}{level}", name("XAIE_IO_PREEMPT"))
        }
        Operation::LoadProgram { operations, id } => {
            writeln!(f, "{}{operations:#x}, {id:#x}", name("XAIE_IO_LOAD_PM_START"))
        }
        Operation::PatchAddress { address, argument, offset, .. } => {
            writeln!(f, "{}@{:#x}, {argument}, {offset:#x}", name("XAIE_IO_CUSTOM_OP_DDR_PATCH"), address.0)
        }
        // Those that have no place in a listing are left out of it by `of`.
        other => match name_alone(other.opcode()) {
            Some(keyword @ "XAIE_IO_CUSTOM_OP_TCT") => writeln!(f, "{}", name(keyword)),
            Some(keyword) => writeln!(f, "{keyword} "),
            None => Ok(()),
        },
    }
}
