//! Files for AMD XDNA: what `inspect`, `disasm`, `lint`, `asm` and `trace` do with them.

mod disasm;
mod inspect;
mod lint;
mod steps;
mod trace;

use std::path::Path;

use ferrite_xdna::base64::Base64;
use ferrite_xdna::{FileKind, sniff};

use crate::failure::Failure;
use crate::source;

pub(crate) use disasm::{assemble, run as disasm};
pub(crate) use inspect::run as inspect;
pub(crate) use lint::run as lint;
pub(crate) use trace::run as trace;

/// What a user is told who gave a file of another kind.
pub(crate) const KINDS: &str = "for AMD XDNA: an xclbin, a PDI, a CDO, an instruction stream (also as text), control packets, an ELF, a trace as text";

/// A file for AMD XDNA.
pub(crate) struct File {
    pub(crate) kind: FileKind,
    pub(crate) bytes: Vec<u8>,
    /// Whether kind and bytes are those of what the file holds in base64.
    pub(crate) base64: bool,
}

/// What AMD file these bytes are or begin. Control packets have no magic number, so another file's goes before.
pub(crate) fn kind_of(bytes: &[u8]) -> FileKind {
    match sniff(bytes) {
        FileKind::ControlPackets if ferrite_rknn::sniff(bytes) != ferrite_rknn::FileKind::Unknown => FileKind::Unknown,
        kind => kind,
    }
}

/// Reads a file if its content shows that it is for AMD XDNA; its name does not matter.
pub(crate) fn open(path: &Path) -> Result<Option<File>, Failure> {
    let start = source::read_start(path, "the file")?;
    if !kind_of(&start).is_known() {
        return Ok(None);
    }
    let bytes = source::read(path, "the file")?;
    let kind = sniff(&bytes);
    if kind != FileKind::Base64 {
        return Ok(Some(File { kind, bytes, base64: false }));
    }
    let decoded = Base64::decode(&String::from_utf8_lossy(&bytes));
    let bytes = decoded.map_err(|error| unsound(path, kind, &error.into()))?.bytes;
    Ok(Some(File { kind: sniff(&bytes), bytes, base64: true }))
}

/// The failure for a file that is of a known kind but unsound.
fn unsound(path: &Path, kind: FileKind, error: &ferrite_xdna::Error) -> Failure {
    let failure = Failure::input(format!("`{}` is {kind}, but not a sound one", path.display())).because(error);
    match error {
        ferrite_xdna::Error::Truncated { .. } => {
            failure.help("compare the file's size with that at its source, and copy it again")
        }
        _ => failure,
    }
}
