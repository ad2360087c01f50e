//! The image of constants and programs, and the task list.

use std::ops::Range;

/// Blobs start at multiples of this in the weight image, and its size is a multiple of it.
pub const BLOB_ALIGNMENT: usize = 64;

/// Where each blob lies in the weight buffer.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct WeightImage {
    /// Range of each blob in the buffer, by blob index; empty blobs have an empty range.
    pub blobs: Vec<Range<usize>>,
    /// Size of the buffer in bytes.
    pub size: usize,
}

impl WeightImage {
    pub(crate) fn new(lengths: impl Iterator<Item = usize>) -> WeightImage {
        let mut end = 0_usize;
        let blobs = lengths.map(|length| {
            let start = end.next_multiple_of(BLOB_ALIGNMENT);
            end = start.saturating_add(length);
            start..end
        });
        let blobs = blobs.collect();
        WeightImage { blobs, size: end.next_multiple_of(BLOB_ALIGNMENT) }
    }
}
