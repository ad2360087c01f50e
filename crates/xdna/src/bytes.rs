//! Little-endian reading with checked offsets, and writing.

use crate::error::{Error, Result};

/// A part of a file that knows where it lies in the file, so that errors can name the byte.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bytes<'a> {
    bytes: &'a [u8],
    origin: usize,
}

impl<'a> Bytes<'a> {
    /// `origin` is the place of the first byte in the file.
    pub(crate) const fn new(bytes: &'a [u8], origin: usize) -> Self {
        Self { bytes, origin }
    }

    pub(crate) const fn len(&self) -> usize {
        self.bytes.len()
    }

    pub(crate) const fn as_slice(&self) -> &'a [u8] {
        self.bytes
    }

    /// Place in the file of a place in this part.
    pub(crate) const fn place(&self, at: usize) -> usize {
        self.origin.saturating_add(at)
    }

    /// `length` bytes from `at`.
    pub(crate) fn part(&self, at: usize, length: usize, what: &'static str) -> Result<Self> {
        let end = at.checked_add(length).filter(|end| *end <= self.bytes.len());
        let Some(bytes) = end.and_then(|end| self.bytes.get(at..end)) else {
            let missing = (at as u64).saturating_add(length as u64).saturating_sub(self.bytes.len() as u64);
            return Err(Error::Truncated { offset: self.place(at), what, missing });
        };
        Ok(Self { bytes, origin: self.place(at) })
    }

    /// Offset and length that a file gives in 64 bits.
    pub(crate) fn part64(&self, at: u64, length: u64, what: &'static str) -> Result<Self> {
        match (usize::try_from(at), usize::try_from(length)) {
            (Ok(at), Ok(length)) => self.part(at, length, what),
            _ => Err(Error::Truncated { offset: self.origin, what, missing: at.saturating_add(length) }),
        }
    }

    fn array<const N: usize>(&self, at: usize, what: &'static str) -> Result<[u8; N]> {
        let part = self.part(at, N, what)?;
        Ok(std::array::from_fn(|index| part.bytes[index]))
    }

    pub(crate) fn u8(&self, at: usize, what: &'static str) -> Result<u8> {
        self.array::<1>(at, what).map(|[byte]| byte)
    }

    pub(crate) fn u16(&self, at: usize, what: &'static str) -> Result<u16> {
        self.array(at, what).map(u16::from_le_bytes)
    }

    pub(crate) fn u32(&self, at: usize, what: &'static str) -> Result<u32> {
        self.array(at, what).map(u32::from_le_bytes)
    }

    pub(crate) fn u64(&self, at: usize, what: &'static str) -> Result<u64> {
        self.array(at, what).map(u64::from_le_bytes)
    }

    pub(crate) fn array16(&self, at: usize, what: &'static str) -> Result<[u8; 16]> {
        self.array(at, what)
    }

    /// All of it as words; the length must be a multiple of 4.
    pub(crate) fn words(&self, what: &'static str) -> Result<Vec<u32>> {
        if !self.bytes.len().is_multiple_of(4) {
            return Err(Error::Misaligned { offset: self.origin, what, value: self.bytes.len() as u64, unit: 4 });
        }
        Ok(to_words(self.bytes))
    }

    /// A string up to the first zero, or the end.
    pub(crate) fn text(&self, what: &'static str) -> Result<String> {
        let end = self.bytes.iter().position(|byte| *byte == 0).unwrap_or(self.bytes.len());
        match std::str::from_utf8(&self.bytes[..end]) {
            Ok(text) => Ok(text.to_owned()),
            Err(_) => Err(Error::NotUtf8 { offset: self.origin, what }),
        }
    }
}

/// Whole words of bytes; a rest of fewer than four bytes is dropped.
pub(crate) fn to_words(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks_exact(4).map(|chunk| u32::from_le_bytes([chunk[0], chunk[1], chunk[2], chunk[3]])).collect()
}

/// Words as bytes.
pub(crate) fn to_bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// The low and the high word of a 64-bit value.
pub(crate) const fn halves(value: u64) -> [u32; 2] {
    [value as u32, (value >> 32) as u32]
}

/// A 64-bit value of its low and its high word.
pub(crate) const fn whole(low: u32, high: u32) -> u64 {
    low as u64 | (high as u64) << 32
}
