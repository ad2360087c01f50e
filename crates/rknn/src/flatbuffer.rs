//! A FlatBuffer reader that trusts nothing.
//!
//! The schema of `.rknn` files is only partly known, so tables are read by slot number. Every access is checked
//! against the buffer, errors carry the offset in the *file*, and no access recurses: depth is what the caller's
//! code has, so a cycle of offsets cannot loop. Since offsets may be shared, a small file could still describe huge
//! data; [`Buffer::charge`] keeps a budget in proportion to the file's size.

use std::cell::Cell;
use std::ops::Range;

use crate::error::{Error, Result};

/// Bytes of memory a reader may ask for per byte of file. Real files need less than 2.
const MEMORY_PER_BYTE: usize = 16;

/// The bytes of one FlatBuffer, with its place in the file.
#[derive(Debug)]
pub(crate) struct Buffer<'a> {
    bytes: &'a [u8],
    base: usize,
    budget: Cell<usize>,
}

impl<'a> Buffer<'a> {
    /// `base` is the file offset of `bytes[0]`.
    pub(crate) fn new(bytes: &'a [u8], base: usize) -> Self {
        let budget = bytes.len().saturating_mul(MEMORY_PER_BYTE).saturating_add(1 << 16);
        Buffer { bytes, base, budget: Cell::new(budget) }
    }

    /// Takes `amount` bytes from the memory budget.
    pub(crate) fn charge(&self, position: usize, amount: usize, what: &'static str) -> Result<()> {
        let left = self.budget.get().checked_sub(amount);
        self.budget.set(left.ok_or(Error::TooMuchMemory { offset: self.base + position, what })?);
        Ok(())
    }

    /// The root table.
    pub(crate) fn root(&'a self, what: &'static str) -> Result<Table<'a>> {
        let position = self.indirect(0, what)?;
        Table::new(self, position, what)
    }

    fn slice(&self, position: usize, length: usize, what: &'static str) -> Result<&'a [u8]> {
        let end = position.checked_add(length);
        end.and_then(|end| self.bytes.get(position..end)).ok_or(Error::OutOfBounds {
            offset: self.base.saturating_add(position),
            what,
            end: (self.base as u64).saturating_add(position as u64).saturating_add(length as u64),
        })
    }

    fn array<const N: usize>(&self, position: usize, what: &'static str) -> Result<[u8; N]> {
        let slice = self.slice(position, N, what)?;
        Ok(std::array::from_fn(|i| slice[i]))
    }

    fn u32(&self, position: usize, what: &'static str) -> Result<u32> {
        Ok(u32::from_le_bytes(self.array(position, what)?))
    }

    /// Follows the forward offset stored at `position`.
    fn indirect(&self, position: usize, what: &'static str) -> Result<usize> {
        let offset = self.u32(position, what)? as usize;
        let target = position.saturating_add(offset);
        if offset == 0 || target >= self.bytes.len() {
            return Err(Error::OutOfBounds { offset: self.base + position, what, end: (self.base + target) as u64 });
        }
        Ok(target)
    }
}

/// One table: a place and the vtable that says which slots it has.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Table<'a> {
    buffer: &'a Buffer<'a>,
    position: usize,
    vtable: &'a [u8],
    size: usize,
}

impl<'a> Table<'a> {
    fn new(buffer: &'a Buffer<'a>, position: usize, what: &'static str) -> Result<Self> {
        let bad = || Error::BadTable { offset: buffer.base + position, what };
        let back = i32::from_le_bytes(buffer.array(position, what)?);
        let start = (position as i64) - i64::from(back);
        let start = usize::try_from(start).map_err(|_| bad())?;
        let vtable_size = usize::from(u16::from_le_bytes(buffer.array(start, what)?));
        let size = usize::from(u16::from_le_bytes(buffer.array(start.saturating_add(2), what)?));
        if vtable_size < 4 || !vtable_size.is_multiple_of(2) || size < 4 {
            return Err(bad());
        }
        let vtable = buffer.slice(start, vtable_size, what)?;
        buffer.slice(position, size, what)?;
        Ok(Table { buffer, position, vtable, size })
    }

    /// File offset of the table.
    pub(crate) fn offset(&self) -> usize {
        self.buffer.base + self.position
    }

    /// The buffer the table lies in.
    pub(crate) fn buffer(&self) -> &'a Buffer<'a> {
        self.buffer
    }

    fn entry(&self, slot: usize) -> usize {
        let at = 4 + 2 * slot;
        self.vtable.get(at..at + 2).map_or(0, |b| usize::from(u16::from_le_bytes([b[0], b[1]])))
    }

    /// Position of a slot of `length` bytes, or `None` when the slot is absent.
    fn field(&self, slot: usize, length: usize, what: &'static str) -> Result<Option<usize>> {
        match self.entry(slot) {
            0 => Ok(None),
            at if at < 4 || at + length > self.size => Err(Error::BadTable { offset: self.offset(), what }),
            at => Ok(Some(self.position + at)),
        }
    }

    /// The inline bytes of a scalar or struct.
    pub(crate) fn inline<const N: usize>(&self, slot: usize, what: &'static str) -> Result<Option<[u8; N]>> {
        self.field(slot, N, what)?.map(|position| self.buffer.array(position, what)).transpose()
    }

    /// A byte, 0 when absent (the FlatBuffer default).
    pub(crate) fn u8(&self, slot: usize, what: &'static str) -> Result<u8> {
        Ok(self.inline::<1>(slot, what)?.map_or(0, |b| b[0]))
    }

    /// A 32-bit number, 0 when absent.
    pub(crate) fn u32(&self, slot: usize, what: &'static str) -> Result<u32> {
        Ok(self.inline(slot, what)?.map_or(0, u32::from_le_bytes))
    }

    /// A 64-bit number, 0 when absent.
    pub(crate) fn u64(&self, slot: usize, what: &'static str) -> Result<u64> {
        Ok(self.inline(slot, what)?.map_or(0, u64::from_le_bytes))
    }

    /// A child table.
    pub(crate) fn table(&self, slot: usize, what: &'static str) -> Result<Option<Table<'a>>> {
        let Some(position) = self.field(slot, 4, what)? else { return Ok(None) };
        Table::new(self.buffer, self.buffer.indirect(position, what)?, what).map(Some)
    }

    /// A vector of `width`-byte elements; the slot's absence is an empty vector.
    pub(crate) fn vector(&self, slot: usize, width: usize, what: &'static str) -> Result<Vector<'a>> {
        let Some(position) = self.field(slot, 4, what)? else {
            return Ok(Vector { buffer: self.buffer, start: self.position, bytes: &[], width, what });
        };
        let at = self.buffer.indirect(position, what)?;
        let count = self.buffer.u32(at, what)? as usize;
        let start = at.saturating_add(4);
        let bytes = self.buffer.slice(start, count.saturating_mul(width), what)?;
        Ok(Vector { buffer: self.buffer, start, bytes, width, what })
    }

    /// A string; absent is empty.
    pub(crate) fn string(&self, slot: usize, what: &'static str) -> Result<String> {
        let vector = self.vector(slot, 1, what)?;
        self.buffer.charge(vector.start, vector.bytes.len(), what)?;
        match std::str::from_utf8(vector.bytes) {
            Ok(text) => Ok(text.to_owned()),
            Err(error) => Err(Error::NotUtf8 { offset: vector.offset() + error.valid_up_to(), what }),
        }
    }

    /// A vector of 32-bit numbers.
    pub(crate) fn u32s(&self, slot: usize, what: &'static str) -> Result<Vec<u32>> {
        self.vector(slot, 4, what)?.collect(|b: [u8; 4]| u32::from_le_bytes(b))
    }

    /// A vector of pairs of 32-bit numbers (8-byte structs).
    pub(crate) fn pairs(&self, slot: usize, what: &'static str) -> Result<Vec<(u32, u32)>> {
        self.vector(slot, 8, what)?.collect(|b: [u8; 8]| {
            (u32::from_le_bytes([b[0], b[1], b[2], b[3]]), u32::from_le_bytes([b[4], b[5], b[6], b[7]]))
        })
    }

    /// A vector of tables, each turned into a `T`.
    pub(crate) fn tables<T>(
        &self,
        slot: usize,
        what: &'static str,
        mut read: impl FnMut(Table<'a>) -> Result<T>,
    ) -> Result<Vec<T>> {
        let vector = self.vector(slot, 4, what)?;
        let count = vector.len();
        self.buffer.charge(vector.start, count.saturating_mul(size_of::<T>()), what)?;
        let mut items = Vec::with_capacity(count);
        for index in 0..count {
            let at = self.buffer.indirect(vector.start + 4 * index, what)?;
            items.push(read(Table::new(self.buffer, at, what)?)?);
        }
        Ok(items)
    }
}

/// A vector of fixed-width elements.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Vector<'a> {
    buffer: &'a Buffer<'a>,
    start: usize,
    bytes: &'a [u8],
    width: usize,
    what: &'static str,
}

impl<'a> Vector<'a> {
    /// Number of elements.
    pub(crate) fn len(&self) -> usize {
        self.bytes.len() / self.width
    }

    /// File offset of the first element.
    pub(crate) fn offset(&self) -> usize {
        self.buffer.base + self.start
    }

    /// Range of the elements in the file.
    pub(crate) fn range(&self) -> Range<usize> {
        self.offset()..self.offset() + self.bytes.len()
    }

    /// Copies the elements out.
    pub(crate) fn collect<T, const N: usize>(&self, convert: impl Fn([u8; N]) -> T) -> Result<Vec<T>> {
        self.buffer.charge(self.start, self.len().saturating_mul(size_of::<T>()), self.what)?;
        Ok(self.bytes.chunks_exact(N).map(|chunk| convert(std::array::from_fn(|i| chunk[i]))).collect())
    }
}
