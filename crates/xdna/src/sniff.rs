//! What a file is, judged by its content alone.

use std::fmt;

use crate::base64;
use crate::buffers::ExternalBuffers;
use crate::bytes::Bytes;
use crate::cdo::Cdo;
use crate::elf::Elf;
use crate::packet::ControlStream;
use crate::pdi::Pdi;
use crate::trace::is_timeline;
use crate::txn::{Header, aiebu};
use crate::xclbin::Xclbin;

/// What the first bytes of a file show it to be; says nothing about whether the rest is sound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum FileKind {
    /// An xclbin.
    Xclbin,
    /// A PDI.
    Pdi,
    /// A CDO.
    Cdo,
    /// An instruction stream.
    InstructionStream,
    /// An instruction stream in its text form.
    InstructionText,
    /// A listing of an instruction stream as aiebu writes it.
    AiebuListing,
    /// Control packets.
    ControlPackets,
    /// An ELF file with control code.
    ControlCode,
    /// An ELF file with a program for a core tile.
    CoreProgram,
    /// Words of a trace, one a line.
    TraceText,
    /// The timeline of a trace, as JSON for Perfetto.
    Timeline,
    /// A compiler's list of buffers, as JSON.
    BufferList,
    /// Any of the binary ones, in base64.
    Base64,
    /// No bytes at all.
    Empty,
    /// Anything else.
    Unknown,
}

impl FileKind {
    /// Whether it is a file for AMD XDNA.
    pub const fn is_known(self) -> bool {
        !matches!(self, Self::Empty | Self::Unknown)
    }

    /// Whether there can be instruction streams, configurations or control packets in it.
    pub const fn has_programs(self) -> bool {
        !matches!(self, Self::CoreProgram | Self::TraceText | Self::Timeline | Self::BufferList) && self.is_known()
    }

    /// A name for programs; [`Display`](fmt::Display) gives one for people.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Xclbin => "xclbin",
            Self::Pdi => "pdi",
            Self::Cdo => "cdo",
            Self::InstructionStream => "instruction-stream",
            Self::InstructionText => "instruction-text",
            Self::AiebuListing => "aiebu-listing",
            Self::ControlPackets => "control-packets",
            Self::ControlCode => "control-code",
            Self::CoreProgram => "core-program",
            Self::TraceText => "trace-text",
            Self::Timeline => "timeline",
            Self::BufferList => "buffer-list",
            Self::Base64 => "base64",
            Self::Empty => "empty",
            Self::Unknown => "unknown",
        }
    }
}

impl fmt::Display for FileKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Xclbin => "an xclbin",
            Self::Pdi => "a PDI",
            Self::Cdo => "a CDO",
            Self::InstructionStream => "an instruction stream",
            Self::InstructionText => "an instruction stream as text",
            Self::AiebuListing => "a listing of aiebu's",
            Self::ControlPackets => "a stream of control packets",
            Self::ControlCode => "an ELF with control code",
            Self::CoreProgram => "an ELF with a core program",
            Self::TraceText => "a trace as text",
            Self::Timeline => "a timeline of a trace",
            Self::BufferList => "a list of buffers",
            Self::Base64 => "a binary in base64",
            Self::Empty => "an empty file",
            Self::Unknown => "not a file for AMD XDNA",
        })
    }
}

/// Tells what `bytes` (a whole file or its first kilobyte) are.
pub fn sniff(bytes: &[u8]) -> FileKind {
    if bytes.is_empty() {
        return FileKind::Empty;
    }
    match binary(bytes) {
        FileKind::Unknown => text(bytes),
        kind => kind,
    }
}

fn binary(bytes: &[u8]) -> FileKind {
    if Xclbin::is_xclbin(bytes) {
        return FileKind::Xclbin;
    }
    if Pdi::is_pdi(bytes) {
        return FileKind::Pdi;
    }
    let file = Bytes::new(bytes, 0);
    if Elf::is_elf(bytes) {
        return match file.u16(18, "the machine") {
            Ok(Elf::CONTROL_CODE) => FileKind::ControlCode,
            Ok(Elf::CORE) => FileKind::CoreProgram,
            _ => FileKind::Unknown,
        };
    }
    let words = [0, 4].map(|at| file.u32(at, "the first words").unwrap_or_default());
    if words[0] == 4 && [Cdo::IDENT, Cdo::IDENT_XLNX].contains(&words[1]) {
        return FileKind::Cdo;
    }
    if is_stream(&file) {
        return FileKind::InstructionStream;
    }
    if ControlStream::is_control(bytes) { FileKind::ControlPackets } else { FileKind::Unknown }
}

/// A stream has no magic number: version, generation and shape of the array must make sense together.
fn is_stream(file: &Bytes<'_>) -> bool {
    let Ok(header) = file.part(0, Header::SIZE, "the header") else { return false };
    let [major, minor, generation, rows, columns, memory_rows, ..] = *header.as_slice() else { return false };
    let size = header.u32(12, "the size").unwrap_or_default();
    let version = matches!((major, minor), (0, 1) | (1, 0));
    let shape = (2..=8).contains(&rows) && (1..=16).contains(&columns) && (1..=2).contains(&memory_rows);
    version && (1..=16).contains(&generation) && shape && size >= 16 && size.is_multiple_of(4)
}

fn text(bytes: &[u8]) -> FileKind {
    const HEAD: usize = 1024;
    let head = &bytes[..bytes.len().min(HEAD)];
    let Ok(text) = std::str::from_utf8(head) else { return FileKind::Unknown };
    if ExternalBuffers::is_list(text) {
        return FileKind::BufferList;
    }
    if is_timeline(text) {
        return FileKind::Timeline;
    }
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with(';'));
    let Some(first) = lines.next() else { return FileKind::Unknown };
    if first.starts_with("txn 0.1") || first.starts_with("txn 1.0") {
        return FileKind::InstructionText;
    }
    if aiebu::is_first_line(first) {
        return FileKind::AiebuListing;
    }
    let is_word = |line: &str| line.len() == 8 && line.bytes().all(|byte| byte.is_ascii_hexdigit());
    // The last line of the first kilobyte may be cut, also where no more was given.
    let rest: Vec<&str> = lines.collect();
    let whole = if head.len() == HEAD { rest.len().saturating_sub(1) } else { rest.len() };
    let words = is_word(first) && rest[..whole].iter().all(|line| is_word(line));
    if words {
        return FileKind::TraceText;
    }
    // Base64 of something unknown is just text.
    if binary(&base64::start(text)) == FileKind::Unknown { FileKind::Unknown } else { FileKind::Base64 }
}
