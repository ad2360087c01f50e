//! Errors of the oracle.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use ferrite_rknpu_fake::JobError;
use ferrite_rknpu_fake::shim::BuildError;

/// Why a capture or a comparison could not be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Something that must be installed is not.
    #[error("{what} is missing; `apt-get install {packages}` brings it")]
    Missing {
        /// What.
        what: String,
        /// The Debian packages.
        packages: &'static str,
    },
    /// The shim or the client could not be built.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// The runtime could not be fetched.
    #[error("fetching the vendor's runtime: {0}")]
    Fetch(String),
    /// A downloaded file is not the one it should be.
    #[error("{}: SHA-256 is {have}, not {want}; remove the file and try again", path.display())]
    Digest {
        /// Which file.
        path: PathBuf,
        /// What it has.
        have: String,
        /// What it should have.
        want: &'static str,
    },
    /// A file could not be read or written.
    #[error("{}: {source}", path.display())]
    File {
        /// Which one.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The fake driver could not be started.
    #[error("starting the fake driver: {0}")]
    Driver(io::Error),
    /// The runtime refused: a call returned an error, or it wrote one down.
    #[error("the vendor's runtime failed at {step}: {message}")]
    Client {
        /// The last call.
        step: String,
        /// What is known.
        message: String,
    },
    /// The runtime ended in the middle without a word about why.
    #[error("the vendor's runtime crashed in {step}: {message}")]
    Crashed {
        /// The last call that returned.
        step: String,
        /// What is known.
        message: String,
    },
    /// We did not wait any longer; what the runtime would have done is not known.
    #[error("the vendor's runtime did not end within {} s; the last call that returned is {step}", limit.as_secs())]
    TimedOut {
        /// The last call that returned.
        step: String,
        /// How long it had.
        limit: Duration,
    },
    /// The emulator could not run what the vendor's runtime submitted.
    #[error("the emulator behind the vendor's runtime")]
    Job(#[source] JobError),
    /// A capture file is wrong.
    #[error("{}: {reason}", path.display())]
    Capture {
        /// Which file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// The capture is of another model.
    #[error("the capture is of a model with SHA-256 {want}, this one has {have}")]
    OtherModel {
        /// The captured model.
        want: String,
        /// The one given.
        have: String,
    },
    /// The container is wrong.
    #[error(transparent)]
    Model(#[from] ferrite_rknn::Error),
    /// Our own runtime failed.
    #[error("our runtime: {0}")]
    Runtime(#[from] ferrite_rknn_runtime::Error),
}

/// What kind of problem an error is, for exit codes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// A file that was given is wrong.
    Input,
    /// Something that must be there is not; the message says what to install.
    Missing,
    /// The vendor's runtime does not run the model.
    Refused,
    /// The vendor's runtime took longer than it may.
    TimedOut,
    /// Our runtime or our emulator does not run the model.
    Ours,
}

impl Error {
    /// What kind of problem this is.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Missing { .. } | Self::Build(_) | Self::Fetch(_) | Self::Digest { .. } | Self::Driver(_) => {
                ErrorKind::Missing
            }
            Self::File { .. } | Self::Capture { .. } | Self::OtherModel { .. } | Self::Model(_) => ErrorKind::Input,
            Self::Client { .. } | Self::Crashed { .. } => ErrorKind::Refused,
            Self::TimedOut { .. } => ErrorKind::TimedOut,
            Self::Runtime(_) | Self::Job(_) => ErrorKind::Ours,
        }
    }
}

/// Names the file in an I/O error.
pub(crate) fn file(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Error {
    let path = path.into();
    move |source| Error::File { path, source }
}
