//! What can be wrong with a binary, with the byte where it is wrong.

/// Why a file cannot be read. Offsets count from the start of the file, also inside nested formats.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The bytes end before something that their own lengths promise.
    #[error("byte {offset:#x}: {what} is cut short by {missing} bytes")]
    Truncated {
        /// Where the incomplete part starts.
        offset: usize,
        /// The incomplete part.
        what: &'static str,
        /// How many bytes are missing; a corrupt length makes this absurdly large.
        missing: u64,
    },
    /// A value that must be a certain one is another.
    #[error("byte {offset:#x}: {what} is {value:#x}, but only {expected} can be right")]
    Unexpected {
        /// Where the value stands.
        offset: usize,
        /// What the value is.
        what: &'static str,
        /// The value.
        value: u64,
        /// What would be right, in words.
        expected: &'static str,
    },
    /// A value that contradicts another one.
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
    /// A size that is no multiple of the unit it counts.
    #[error("byte {offset:#x}: {what} is {value}, which is no multiple of {unit}")]
    Misaligned {
        /// Where the value stands.
        offset: usize,
        /// What the value is.
        what: &'static str,
        /// The value.
        value: u64,
        /// The unit.
        unit: u64,
    },
    /// A checksum that does not fit the words it covers.
    #[error("byte {offset:#x}: the checksum of the {what} is {found:#010x}, its words give {computed:#010x}")]
    Checksum {
        /// Where the checksum stands.
        offset: usize,
        /// What it covers.
        what: &'static str,
        /// The checksum in the file.
        found: u32,
        /// The right one.
        computed: u32,
    },
    /// A string that is not UTF-8.
    #[error("byte {offset:#x}: {what} is not UTF-8")]
    NotUtf8 {
        /// First byte of the string.
        offset: usize,
        /// What it is.
        what: &'static str,
    },
    /// Markup that is not well formed.
    #[error("byte {offset:#x}: {what}: {problem}")]
    Markup {
        /// Where reading stopped.
        offset: usize,
        /// The document.
        what: &'static str,
        /// What is wrong.
        problem: &'static str,
    },
    /// An instruction stream as text that cannot be read.
    #[error(transparent)]
    Text(#[from] crate::txn::ParseError),
    /// A trace as text that cannot be read.
    #[error(transparent)]
    TraceText(#[from] crate::trace::TraceTextError),
    /// A binary in base64 that cannot be read.
    #[error(transparent)]
    Base64(#[from] crate::base64::Base64Error),
    /// JSON that is none, or says something else than expected.
    #[error("{what}: {message}")]
    Json {
        /// What it should be.
        what: &'static str,
        /// What is wrong, with the place.
        message: String,
    },
    /// The ELF reader refuses the file.
    #[error("ELF: {message}")]
    Elf {
        /// What it says.
        message: String,
    },
    /// Parts of the file are shared so often that reading it would take memory its size does not justify.
    #[error("byte {offset:#x}: reading {what} needs more memory than a sound file of this size can ask for")]
    TooMuchMemory {
        /// The place that was to be read.
        offset: usize,
        /// What was being read.
        what: &'static str,
    },
}

/// A [`std::result::Result`] with this crate's [`Error`].
pub type Result<T> = std::result::Result<T, Error>;
