//! The attribute documents of operators: BSON, read as far as the compiler uses it.

use crate::error::{Error, Result};
use crate::literal::Literal;

/// Real documents nest three deep; this only guards the stack.
const MAX_DEPTH: usize = 16;

/// Reads the document in `bytes`, which start at `offset` in the file. Bytes whose first number is not their length
/// (operators without attributes have such) are an empty document.
pub(crate) fn read(bytes: &[u8], offset: usize) -> Result<Vec<(String, Literal)>> {
    let length = bytes.first_chunk().map(|b| u32::from_le_bytes(*b) as usize);
    if length != Some(bytes.len()) {
        return Ok(Vec::new());
    }
    let mut reader = Reader { bytes, offset, position: 0 };
    reader.document(0)
}

struct Reader<'a> {
    bytes: &'a [u8],
    offset: usize,
    position: usize,
}

impl<'a> Reader<'a> {
    fn take(&mut self, length: usize) -> Result<&'a [u8]> {
        let end = self.position.saturating_add(length);
        let taken = self.bytes.get(self.position..end).ok_or(Error::OutOfBounds {
            offset: self.offset + self.position,
            what: "attribute document",
            end: (self.offset as u64).saturating_add(end as u64),
        })?;
        self.position = end;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        let taken = self.take(N)?;
        Ok(std::array::from_fn(|i| taken[i]))
    }

    fn length(&mut self) -> Result<usize> {
        Ok(u32::from_le_bytes(self.array()?) as usize)
    }

    fn text(&self, bytes: &[u8]) -> Result<String> {
        let not_utf8 = |_| Error::NotUtf8 { offset: self.offset + self.position, what: "attribute document" };
        std::str::from_utf8(bytes).map(str::to_owned).map_err(not_utf8)
    }

    /// A name or key, up to and without its zero.
    fn name(&mut self) -> Result<String> {
        let rest = self.bytes.get(self.position..).unwrap_or_default();
        let length = rest.iter().position(|&b| b == 0).unwrap_or(rest.len());
        let taken = self.take(length + 1)?;
        self.text(&taken[..length])
    }

    /// Elements up to the zero that closes a document; the declared length is not needed for that.
    fn document(&mut self, depth: usize) -> Result<Vec<(String, Literal)>> {
        self.length()?;
        let mut elements = Vec::new();
        loop {
            let kind = self.array::<1>()?[0];
            if kind == 0 {
                return Ok(elements);
            }
            let name = self.name()?;
            elements.push((name, self.value(kind, depth)?));
        }
    }

    fn value(&mut self, kind: u8, depth: usize) -> Result<Literal> {
        let limit = |value, limit| Error::OutOfRange {
            offset: self.offset + self.position,
            what: "element of an attribute document",
            value,
            limit,
        };
        if depth >= MAX_DEPTH {
            return Err(limit(depth as u64, MAX_DEPTH as u64));
        }
        Ok(match kind {
            0x01 => Literal::Float(f64::from_le_bytes(self.array()?)),
            0x02 => {
                let length = self.length()?;
                let taken = self.take(length)?;
                Literal::Str(self.text(taken.strip_suffix(b"\0").unwrap_or(taken))?)
            }
            0x03 => {
                let elements = self.document(depth + 1)?;
                Literal::Dict(elements.into_iter().map(|(name, value)| (Literal::Str(name), value)).collect())
            }
            0x04 => Literal::List(self.document(depth + 1)?.into_iter().map(|(_, value)| value).collect()),
            0x08 => Literal::Bool(self.array::<1>()?[0] != 0),
            0x0a => Literal::None,
            0x10 => Literal::Int(i32::from_le_bytes(self.array()?).into()),
            0x12 => Literal::Int(i64::from_le_bytes(self.array()?)),
            other => return Err(limit(other.into(), 0x12)),
        })
    }
}
