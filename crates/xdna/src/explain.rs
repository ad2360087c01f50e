//! What a file says, in words.
//!
//! [`explain`] tells what a file is and gives a [`Document`]: for an xclbin its kernels, memory, partition, PDIs and every write of
//! their configurations as tile, register and field; for an instruction stream each operation on a line of at most [`WIDTH`]
//! characters.

mod containers;
mod packets;
mod steps;
mod tables;

use std::fmt;

use crate::base64::Base64;
use crate::buffers::ExternalBuffers;
use crate::cdo::Cdo;
use crate::elf::Elf;
use crate::error::Result;
use crate::packet::ControlStream;
use crate::pdi::Pdi;
use crate::sniff::{FileKind, sniff};
use crate::trace::{Configuration, Trace, events_of_json, words_of_text};
use crate::txn::Stream;
use crate::txn::aiebu::AiebuListing;
use crate::xclbin::Xclbin;

/// Longest line, in characters.
pub const WIDTH: usize = 120;

/// A titled text with parts.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Document {
    /// Title.
    pub title: String,
    /// Lines under it.
    pub lines: Vec<String>,
    /// Parts.
    pub parts: Vec<Document>,
}

impl Document {
    fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), ..Self::default() }
    }

    fn line(&mut self, line: impl Into<String>) {
        self.lines.push(fit(line.into()));
    }

    /// A part of which every line has its number.
    fn numbered(title: impl Into<String>, lines: &[String]) -> Self {
        let width = lines.len().to_string().len();
        let lines = lines.iter().enumerate().map(|(index, line)| fit(format!("{index:width$} {line}")));
        Self { lines: lines.collect(), ..Self::new(title) }
    }
}

/// A line that is too long ends in three dots.
fn fit(line: String) -> String {
    match line.char_indices().nth(WIDTH) {
        None => line,
        Some(_) => line.chars().take(WIDTH - 3).chain("...".chars()).collect(),
    }
}

/// Title and lines, parts indented by two spaces.
impl fmt::Display for Document {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fn write(document: &Document, f: &mut fmt::Formatter<'_>, depth: usize) -> fmt::Result {
            let indent = 2 * depth;
            writeln!(f, "{:indent$}{}", "", document.title)?;
            for line in &document.lines {
                writeln!(f, "{:indent$}  {line}", "")?;
            }
            document.parts.iter().try_for_each(|part| write(part, f, depth + 1))
        }
        write(self, f, 0)
    }
}

/// Tells what a file says.
///
/// # Errors
/// If it is a file for AMD XDNA but unsound; what is none gives a document that says so.
pub fn explain(bytes: &[u8]) -> Result<Document> {
    let kind = sniff(bytes);
    match kind {
        FileKind::Xclbin => containers::xclbin(&Xclbin::decode(bytes)?),
        FileKind::Pdi => Ok(containers::pdi("PDI", &Pdi::decode(bytes)?)),
        FileKind::Cdo => Ok(containers::cdo("CDO", &Cdo::decode(bytes)?)),
        FileKind::InstructionStream => Ok(stream(&Stream::decode(bytes)?)),
        FileKind::ControlCode | FileKind::CoreProgram => containers::elf(&Elf::decode(bytes)?),
        FileKind::InstructionText => Ok(stream(&Stream::parse(&String::from_utf8_lossy(bytes))?)),
        FileKind::AiebuListing => Ok(containers::listing(&AiebuListing::parse(&String::from_utf8_lossy(bytes))?)),
        FileKind::ControlPackets => Ok(packets::stream("control packets", &ControlStream::decode(bytes)?)),
        FileKind::Base64 => {
            let mut document = explain(&Base64::decode(&String::from_utf8_lossy(bytes))?.bytes)?;
            document.title.push_str(", in base64");
            Ok(document)
        }
        FileKind::BufferList => Ok(tables::buffers(&ExternalBuffers::parse(&String::from_utf8_lossy(bytes))?)),
        FileKind::Timeline => Ok(tables::timeline(&events_of_json(&String::from_utf8_lossy(bytes))?)),
        FileKind::TraceText => Ok(trace(&words_of_text(&String::from_utf8_lossy(bytes))?)),
        FileKind::Empty | FileKind::Unknown => Ok(Document::new(kind.to_string())),
    }
}

/// Tells what an instruction stream does, one line for each operation.
pub fn stream(stream: &Stream) -> Document {
    steps::stream("instruction stream", stream)
}

/// Each operation of an instruction stream in words.
pub fn operations(stream: &Stream) -> Vec<String> {
    steps::operations(stream)
}

/// Each command of a configuration in words.
pub fn commands(cdo: &Cdo) -> Vec<String> {
    steps::commands(cdo)
}

/// Each control packet in words.
pub fn control_packets(stream: &ControlStream) -> Vec<String> {
    packets::lines(stream)
}

fn trace(words: &[u32]) -> Document {
    let trace = Trace::decode(words);
    let mut document = Document::new("trace");
    for line in trace.to_text(&Configuration::default()).lines() {
        document.line(line);
    }
    document
}
