//! Reading the files named on the command line.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use ferrite_rknn::{Error, FileKind, Model};

use crate::failure::{Exit, Failure};
use crate::suggest;

/// The bytes of a file; `what` says what it was read for.
pub(crate) fn read(path: &Path, what: &str) -> Result<Vec<u8>, Failure> {
    let place = path.display();
    fs::read(path).map_err(|error| {
        let failure = Failure::input(format!("cannot read {what} `{place}`")).because(&error);
        match (error.kind(), neighbour(path)) {
            (ErrorKind::NotFound, Some(name)) => failure.help(format!("a file with a similar name exists: `{name}`")),
            (ErrorKind::IsADirectory, _) => failure.help("this is a folder; name a file in it"),
            _ => failure,
        }
    })
}

/// A file in the same folder whose name is close.
fn neighbour(path: &Path) -> Option<String> {
    const LOOKED_AT: usize = 10_000;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let names: Vec<String> = fs::read_dir(folder)
        .ok()?
        .take(LOOKED_AT)
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .collect();
    let near = suggest::nearest(path.file_name()?.to_str()?, names.iter().map(String::as_str))?;
    Some(path.with_file_name(near).display().to_string())
}

/// Reads a model, whatever the file is called.
pub(crate) fn model(path: &Path) -> Result<Model, Failure> {
    let bytes = read(path, "the model")?;
    let kind = crate::xdna::kind_of(&bytes);
    Model::read(bytes).map_err(|error| {
        if !kind.is_known() {
            return refused(path, &error);
        }
        let message = format!("cannot use `{}` as a model: it is {kind} for AMD XDNA", path.display());
        Failure::new(Exit::Unsupported, message).help("`ferrite inspect`, `disasm` and `lint` read such files")
    })
}

/// The failure for a file that the reader of models does not take.
pub(crate) fn refused(path: &Path, error: &Error) -> Failure {
    let exit = match error {
        Error::NotRknn(FileKind::Encrypted | FileKind::Rknn3 | FileKind::Onnx | FileKind::TfLite)
        | Error::UnsupportedVersion { .. }
        | Error::WrongSoc { .. } => Exit::Unsupported,
        _ => Exit::Input,
    };
    let failure = Failure::new(exit, format!("cannot use `{}` as a model", path.display())).because(error);
    match error {
        Error::NotRknn(FileKind::Unknown | FileKind::Text) => {
            failure.help(format!(
                "a compiled model of Rockchip's toolkit is needed (its first four bytes are `RKNN`); `inspect`, `disasm` and `lint` also take files {}",
                crate::xdna::KINDS
            ))
        }
        Error::Truncated { .. } => failure.help("compare the file's size with that at its source, and copy it again"),
        Error::WrongSoc { .. } => failure.help("compile the model for that chip"),
        _ => failure,
    }
}

/// Writes a file under a temporary name next to it, then renames it, so that it is never half written.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let temporary = temporary_name(path);
    fs::write(&temporary, bytes).and_then(|()| fs::rename(&temporary, path)).map_err(|error| {
        let _ = fs::remove_file(&temporary);
        Failure::input(format!("cannot save `{}`", path.display())).because(&error)
    })
}

/// A name in the same folder that nobody else uses.
pub(crate) fn temporary_name(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    path.with_file_name(format!(".{name}.{}.tmp", std::process::id()))
}

/// The first bytes of a file, enough to tell what it is.
pub(crate) fn read_start(path: &Path, what: &str) -> Result<Vec<u8>, Failure> {
    use std::io::Read;
    let start = fs::File::open(path).and_then(|file| {
        let mut start = Vec::new();
        file.take(1024).read_to_end(&mut start).map(|_| start)
    });
    // Reading it whole fails in the same way, and says so properly.
    start.or_else(|_| read(path, what))
}
