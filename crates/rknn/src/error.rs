//! Everything that can be wrong with a file, with the byte where it is wrong.

use crate::sniff::FileKind;

/// Why a file, or a part of it, cannot be read. Offsets count bytes from the start of the file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The bytes are something else.
    #[error("not a plain .rknn file: {0}")]
    NotRknn(FileKind),
    /// The header names a container version this reader does not know.
    #[error("byte 0x8: container version {version:#x}, but only 1 to 6 are known")]
    UnsupportedVersion {
        /// Version as the header has it.
        version: u64,
    },
    /// The file ends before something its own lengths promise, as after an interrupted download.
    #[error(
        "byte {offset:#x}: the file ends {missing} bytes before the end of the {what}; was the download cut short?"
    )]
    Truncated {
        /// Where the incomplete part starts.
        offset: usize,
        /// The incomplete part.
        what: &'static str,
        /// How many bytes are missing; a length field that is itself corrupt makes this absurdly large.
        missing: u64,
    },
    /// An offset or a length inside the FlatBuffer points outside it.
    #[error("byte {offset:#x}: {what} reaches outside the FlatBuffer (it would end at byte {end:#x})")]
    OutOfBounds {
        /// The place that was to be read.
        offset: usize,
        /// What was being read.
        what: &'static str,
        /// First byte after it, as far as it can be computed.
        end: u64,
    },
    /// A vtable that cannot belong to the table at this place.
    #[error("byte {offset:#x}: {what} has a malformed vtable")]
    BadTable {
        /// Start of the table.
        offset: usize,
        /// What was being read.
        what: &'static str,
    },
    /// A string that is not UTF-8.
    #[error("byte {offset:#x}: {what} is not UTF-8")]
    NotUtf8 {
        /// First bad byte.
        offset: usize,
        /// What was being read.
        what: &'static str,
    },
    /// A field that the format always has is absent.
    #[error("byte {offset:#x}: {what} is missing")]
    Missing {
        /// Start of the table that lacks it.
        offset: usize,
        /// The missing part.
        what: &'static str,
    },
    /// A length, index or value that contradicts another one.
    #[error("byte {offset:#x}: {what} is {value}, but {limit} is the most that can be right")]
    OutOfRange {
        /// Where the value stands.
        offset: usize,
        /// What the value is.
        what: &'static str,
        /// The value.
        value: u64,
        /// Largest value that would be consistent.
        limit: u64,
    },
    /// Parts of the file are shared so often that reading it would take memory its size does not justify.
    #[error("byte {offset:#x}: reading {what} needs more memory than a sound file of this size can ask for")]
    TooMuchMemory {
        /// The place that was to be read.
        offset: usize,
        /// What was being read.
        what: &'static str,
    },
    /// The JSON text after the FlatBuffer is malformed.
    #[error("byte {offset:#x}: JSON: {message}")]
    Json {
        /// First byte of the JSON text.
        offset: usize,
        /// What the JSON parser says, with line and column inside the text.
        message: String,
    },
    /// The file is for another chip.
    #[error("the model is compiled for {found}, not for {wanted}")]
    WrongSoc {
        /// The chips the file names, comma separated.
        found: String,
        /// The chip asked for.
        wanted: String,
    },
}

/// A [`std::result::Result`] with this crate's [`Error`].
pub type Result<T> = std::result::Result<T, Error>;
