//! Files for AMD XDNA: what `inspect`, `disasm`, `lint`, `asm` and `trace` do with them.

mod disasm;
mod inspect;
mod lint;
mod steps;
mod trace;

use std::path::Path;

use ferrite_xdna::{FileKind, sniff};

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
    if !sniff(&start).is_known() {
        return Ok(None);
    }
    let bytes = source::read(path, "the file")?;
    Ok(Some(File { kind: sniff(&bytes), bytes }))
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
