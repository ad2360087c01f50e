//! Every program in a file, whatever container it is in.

use crate::base64::Base64;
use crate::cdo::Cdo;
use crate::elf::Elf;
use crate::error::Result;
use crate::packet::ControlStream;
use crate::pdi::{Body, Pdi};
use crate::sniff::{FileKind, sniff};
use crate::txn::Stream;
use crate::txn::aiebu::AiebuListing;
use crate::xclbin::Xclbin;

/// A program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Code {
    /// An instruction stream.
    Stream(Stream),
    /// A configuration.
    Configuration(Cdo),
    /// Control packets.
    Packets(ControlStream),
    /// A program that is not read, and why.
    Unread(String),
}

/// A program with the part of the file that it is in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    /// Section or PDI; empty if the file is nothing but the program.
    pub part: String,
    /// The program.
    pub code: Code,
}

/// The instruction streams, configurations and control packets of a file, in order; none in what has none.
///
/// # Errors
/// If it is a file for AMD XDNA but unsound.
pub fn programs(bytes: &[u8]) -> Result<Vec<Program>> {
    let whole = |code| Ok(vec![Program { part: String::new(), code }]);
    match sniff(bytes) {
        FileKind::InstructionStream => whole(Code::Stream(Stream::decode(bytes)?)),
        FileKind::InstructionText => whole(Code::Stream(Stream::parse(&String::from_utf8_lossy(bytes))?)),
        FileKind::AiebuListing => whole(listing(&AiebuListing::parse(&String::from_utf8_lossy(bytes))?)),
        FileKind::ControlPackets => whole(Code::Packets(ControlStream::decode(bytes)?)),
        FileKind::Base64 => programs(&Base64::decode(&String::from_utf8_lossy(bytes))?.bytes),
        FileKind::Cdo => whole(Code::Configuration(Cdo::decode(bytes)?)),
        FileKind::Pdi => whole(configuration(Pdi::decode(bytes)?)),
        FileKind::Xclbin => xclbin(&Xclbin::decode(bytes)?),
        FileKind::ControlCode => elf(&Elf::decode(bytes)?),
        _ => Ok(Vec::new()),
    }
}

fn listing(listing: &AiebuListing) -> Code {
    match listing.left_out() {
        Some(left_out) => Code::Unread(left_out.to_string()),
        None => Code::Stream(listing.stream()),
    }
}

fn configuration(pdi: Pdi) -> Code {
    match pdi.body {
        Body::Cdo(cdo) => Code::Configuration(cdo),
        Body::Transformed(bytes) => Code::Unread(format!("a transformed CDO of {} bytes", bytes.len())),
    }
}

fn xclbin(xclbin: &Xclbin) -> Result<Vec<Program>> {
    let partition = xclbin.partition()?.unwrap_or_default();
    let program = |pdi: &crate::xclbin::PartitionPdi| Program {
        part: format!("PDI {}", pdi.uuid),
        // A PDI of another form does not hide the others.
        code: match Pdi::decode_at(&pdi.image, pdi.place) {
            Ok(pdi) => configuration(pdi),
            Err(error) => Code::Unread(error.to_string()),
        },
    };
    Ok(partition.pdis.iter().map(program).collect())
}

fn elf(elf: &Elf) -> Result<Vec<Program>> {
    let mut programs = Vec::new();
    for section in &elf.sections {
        let at = section.offset as usize;
        let code = if section.name.starts_with(".ctrltext") {
            Code::Stream(Stream::decode_at(&section.data, at)?)
        } else if section.name.starts_with(".pdi") {
            configuration(Pdi::decode_at(&section.data, at)?)
        } else if section.name.starts_with(".ctrldata") {
            // What it holds is the application's matter; other data do not hide the programs.
            match ControlStream::decode_at(&section.data, at) {
                Ok(packets) => Code::Packets(packets),
                Err(error) => Code::Unread(error.to_string()),
            }
        } else {
            continue;
        };
        programs.push(Program { part: section.name.clone(), code });
    }
    Ok(programs)
}
