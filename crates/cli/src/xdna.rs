//! Files for AMD XDNA: what `inspect`, `disasm`, `lint`, `asm` and `trace` do with them.

mod disasm;
mod inspect;
mod lint;
mod trace;

use std::error::Error;
use std::path::Path;

use ferrite_xdna::explain::Document;
use ferrite_xdna::trace::words_of_text;
use ferrite_xdna::txn::Stream;
use ferrite_xdna::{FileKind, explain, sniff};

use crate::failure::Failure;
use crate::source;

pub(crate) use disasm::{assemble, run as disasm};
pub(crate) use inspect::run as inspect;
pub(crate) use lint::run as lint;
pub(crate) use trace::run as trace;

/// What a user is told who gave a file of another kind.
pub(crate) const KINDS: &str =
    "for AMD XDNA: an xclbin, a PDI, a CDO, an instruction stream (also as text), an ELF, a trace as text";

/// A file for AMD XDNA.
pub(crate) struct File {
    pub(crate) kind: FileKind,
    pub(crate) bytes: Vec<u8>,
}

/// Reads a file if its content shows that it is for AMD XDNA; its name does not matter.
pub(crate) fn open(path: &Path) -> Result<Option<File>, Failure> {
    let start = source::read_start(path, "the file")?;
    if matches!(sniff(&start), FileKind::Unknown | FileKind::Empty) {
        return Ok(None);
    }
    let bytes = source::read(path, "the file")?;
    Ok(Some(File { kind: sniff(&bytes), bytes }))
}

/// The failure for a file that is of a known kind but unsound.
fn unsound(path: &Path, kind: FileKind, error: &dyn Error) -> Failure {
    Failure::input(format!("`{}` is {kind}, but not a sound one", path.display())).because(error)
}

/// What a file says; texts that do not parse are an error here.
fn document(path: &Path, file: &File) -> Result<Document, Failure> {
    let text = String::from_utf8_lossy(&file.bytes);
    match file.kind {
        FileKind::InstructionText => {
            Stream::parse(&text).map(drop).map_err(|error| unsound(path, file.kind, &error))?
        }
        FileKind::TraceText => words_of_text(&text).map(drop).map_err(|error| unsound(path, file.kind, &error))?,
        _ => {}
    }
    explain(&file.bytes).map_err(|error| unsound(path, file.kind, &error))
}
