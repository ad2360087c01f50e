//! Finding the device node.

use std::collections::BTreeSet;
use std::fmt;
use std::fs::{self, OpenOptions as FileOptions};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use ferrite_rknpu::ioctl::{Node, action};
use rustix::io::Errno;

use crate::error::OpenError;
use crate::kernel::{Kernel, Version, ask};
use crate::sys;

/// How the DRM driver introduces itself.
const DRIVER: &str = "rknpu";
/// The folder of DRM nodes.
const DRM_FOLDER: &str = "/dev/dri";
/// The node of the driver's other build.
const CHARACTER_DEVICE: &str = "/dev/rknpu";
/// The device number that all DRM nodes share.
const DRM_MAJOR: u32 = 226;
/// Nodes that are tried even where the folder cannot be listed: that many of each kind.
const UNLISTED: u32 = 8;

/// Where to look for the NPU.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OpenOptions {
    /// The nodes to try, in order; none means every DRM node of this machine, then `/dev/rknpu`.
    pub nodes: Vec<PathBuf>,
}

impl OpenOptions {
    /// Only this node.
    pub fn node(path: impl Into<PathBuf>) -> Self {
        Self { nodes: vec![path.into()] }
    }
}

/// A node that is no usable NPU.
#[derive(Debug)]
pub struct Refusal {
    /// The node, or a pattern for those that do not exist.
    pub path: PathBuf,
    /// Why not.
    pub reason: Reason,
}

/// Why a node is no usable NPU.
#[derive(Debug)]
#[non_exhaustive]
pub enum Reason {
    /// There is no such node.
    Absent,
    /// It cannot be opened.
    Open(io::Error),
    /// It belongs to another DRM driver.
    OtherDriver(String),
    /// It is neither a DRM node nor the driver's own: questions for its version fail.
    NoNpu(io::Error),
    /// It is the driver's, but does not answer for its version.
    Silent(io::Error),
    /// The driver is older than what is spoken here.
    TooOld(Version),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.path.display(), self.reason)
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Absent => f.write_str("does not exist"),
            Self::Open(error) if error.kind() == io::ErrorKind::PermissionDenied => f.write_str("permission denied"),
            Self::Open(error) => write!(f, "cannot be opened: {error}"),
            Self::OtherDriver(name) => write!(f, "driver `{name}`"),
            Self::NoNpu(error) => write!(f, "no NPU: {error}"),
            Self::Silent(error) => write!(f, "the rknpu driver does not answer for its version: {error}"),
            Self::TooOld(version) => {
                write!(f, "rknpu driver {version}, older than {}, whose submissions differ", Version::OLDEST)
            }
        }
    }
}

/// Opens the first usable node.
pub(crate) fn open(options: &OpenOptions) -> Result<Kernel, OpenError> {
    let mut probed = Vec::new();
    let (nodes, listed) = if options.nodes.is_empty() { candidates() } else { (options.nodes.clone(), None) };
    for path in nodes {
        match probe(&path) {
            Ok(kernel) => return Ok(kernel),
            // Guesses that are not there are told once, below.
            Err(Reason::Absent) if listed.as_ref().is_some_and(|listed| is_guess(&path, listed)) => {}
            Err(reason) => probed.push(Refusal { path, reason }),
        }
    }
    if listed.is_some() && !probed.iter().any(|refusal| refusal.path.starts_with(DRM_FOLDER)) {
        let path = Path::new(DRM_FOLDER).join("renderD* and card*");
        probed.insert(0, Refusal { path, reason: Reason::Absent });
    }
    Err(OpenError { probed })
}

fn is_guess(path: &Path, listed: &BTreeSet<PathBuf>) -> bool {
    path.starts_with(DRM_FOLDER) && !listed.contains(path)
}

/// All nodes worth a try, render nodes first, as they need no privileges; and those that a listing showed.
fn candidates() -> (Vec<PathBuf>, Option<BTreeSet<PathBuf>>) {
    let entries = fs::read_dir(DRM_FOLDER).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()));
    let listed: BTreeSet<PathBuf> = entries.collect();
    let numbered = |kind: &str, from: u32| {
        let guesses = (from..from + UNLISTED).map(|number| Path::new(DRM_FOLDER).join(format!("{kind}{number}")));
        let have =
            |path: &&PathBuf| path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(kind.as_bytes()));
        let mut all: Vec<PathBuf> = listed.iter().filter(have).cloned().chain(guesses).collect();
        all.sort();
        all.dedup();
        all
    };
    let mut nodes = numbered("renderD", 128);
    nodes.extend(numbered("card", 0));
    nodes.push(CHARACTER_DEVICE.into());
    (nodes, Some(listed))
}

fn probe(path: &Path) -> Result<Kernel, Reason> {
    let file = match FileOptions::new().read(true).write(true).open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(Reason::Absent),
        Err(error) => return Err(Reason::Open(error)),
    };
    let drm = path.starts_with(DRM_FOLDER) || file.metadata().is_ok_and(|meta| major(meta.rdev()) == DRM_MAJOR);
    let file = OwnedFd::from(file);
    let node = if drm { drm_node(file.as_fd())? } else { other_node(file.as_fd())? };
    let question = |selector| ask(file.as_fd(), node, selector, 0);
    let version = Version::from_number(question(action::DRV_VERSION).map_err(|errno| Reason::Silent(errno.into()))?);
    if version < Version::OLDEST {
        return Err(Reason::TooOld(version));
    }
    // Informs only; nothing here depends on it.
    let hardware = question(action::HW_VERSION).unwrap_or(0);
    Ok(Kernel::new(file, node, path.to_owned(), version, hardware))
}

fn major(device: u64) -> u32 {
    rustix::fs::major(device)
}

fn drm_node(file: BorrowedFd<'_>) -> Result<Node, Reason> {
    match sys::drm_name(file) {
        Ok(name) if name == DRIVER => Ok(Node::Drm),
        Ok(name) => Err(Reason::OtherDriver(name)),
        Err(errno) => Err(Reason::NoNpu(errno.into())),
    }
}

/// Under another name than those of DRM: the character device, or what a link or a container put there, which is often a DRM
/// node. The character device must be asked first, for it may look at the number of a request only, and DRM's is that of
/// another question.
fn other_node(file: BorrowedFd<'_>) -> Result<Node, Reason> {
    match ask(file, Node::Misc, action::DRV_VERSION, 0) {
        Ok(_) => Ok(Node::Misc),
        Err(Errno::NOTTY | Errno::INVAL | Errno::NOSYS) => drm_node(file),
        Err(errno) => Err(Reason::Silent(errno.into())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_refusal_is_told_with_its_reason() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let nodes = vec!["/nonexistent/renderD128".into(), file.path().to_owned(), "/".into()];
        let error = open(&OpenOptions { nodes }).unwrap_err();
        let text = error.to_string();
        assert!(text.contains("probed /nonexistent/renderD128 (does not exist); "), "{text}");
        assert!(text.contains(" (no NPU: "), "an ordinary file answers no question: {text}");
        assert!(text.contains("; / (cannot be opened: "), "{text}");
    }

    #[test]
    fn render_nodes_come_first_and_the_character_device_last() {
        let (nodes, listed) = candidates();
        assert!(listed.is_some());
        let place = |name: &str| nodes.iter().position(|path| path == Path::new(name)).unwrap();
        assert!(place("/dev/dri/renderD129") < place("/dev/dri/card0"));
        assert_eq!(place(CHARACTER_DEVICE), nodes.len() - 1);
    }
}
