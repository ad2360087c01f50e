//! Attributes of operators: the network's own (kernel sizes, axes ...), which the compiler stores as BSON.

use ferrite_rknn::{Model, Operator};
use serde_json::{Map, Value, json};

use crate::printer::Printer;

/// Deepest nesting that is read; the compiler nests three levels.
const DEPTH: usize = 16;

pub(super) fn attributes(model: &Model, first: bool, printer: &mut Printer) {
    printer.heading(first, "Attributes");
    let mut table = crate::table::Table::new(&[">#", "OPERATOR", "ATTRIBUTE", "VALUE"]);
    for (index, operator) in model.operators().iter().enumerate() {
        let name = super::tables::safe(&operator.name);
        match of(model, operator) {
            Ok(attributes) => {
                for (key, value) in attributes {
                    table.row([index.to_string(), name.clone(), super::tables::safe(&key), value.to_string()]);
                }
            }
            Err(offset) => printer.warn(format!("the attributes of `{name}` make no sense at byte {offset:#x}")),
        }
    }
    printer.table(&table);
}

pub(super) fn document(model: &Model) -> Value {
    let list = model.operators().iter().enumerate().map(|(index, operator)| {
        let attributes = of(model, operator).ok();
        json!({ "operator": index, "name": operator.name, "values": attributes })
    });
    list.collect()
}

/// The attributes of one operator, or the offset in the file where they stop making sense.
///
/// Each is stored as `{dtype, value}`; only the value is kept.
fn of(model: &Model, operator: &Operator) -> Result<Map<String, Value>, usize> {
    let range = operator.attributes.clone();
    if range.is_empty() {
        return Ok(Map::new());
    }
    let bytes = model.bytes().get(range.clone()).ok_or(range.start)?;
    if bytes.starts_with(&[0; 4]) {
        // A document cannot have the length 0; the compiler writes this where there is none.
        return Ok(Map::new());
    }
    let mut reader = Bson { bytes, at: 0 };
    let document = reader.document(DEPTH).ok_or(range.start + reader.at)?;
    let bare = |(key, mut value): (String, Value)| match value.get_mut("value") {
        Some(inner) => (key, inner.take()),
        None => (key, value),
    };
    Ok(document.into_iter().map(bare).collect())
}

/// A reader of the kinds of BSON elements that occur; `None` means malformed at `at`.
struct Bson<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Bson<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let taken = self.bytes.get(self.at..)?.first_chunk::<N>()?;
        self.at += N;
        Some(*taken)
    }

    /// The rest of a text that ends with a zero byte.
    fn name(&mut self) -> Option<String> {
        let rest = self.bytes.get(self.at..)?;
        let length = rest.iter().position(|&byte| byte == 0)?;
        self.at += length + 1;
        Some(String::from_utf8_lossy(&rest[..length]).into_owned())
    }

    fn document(&mut self, depth: usize) -> Option<Map<String, Value>> {
        let start = self.at;
        let length = usize::try_from(i32::from_le_bytes(self.take()?)).ok()?;
        let end = start.checked_add(length).filter(|&end| end <= self.bytes.len())?;
        let depth = depth.checked_sub(1)?;
        let mut document = Map::new();
        loop {
            let [kind] = self.take()?;
            if kind == 0 {
                return (self.at == end).then_some(document);
            }
            let key = self.name()?;
            document.insert(key, self.value(kind, depth)?);
        }
    }

    fn value(&mut self, kind: u8, depth: usize) -> Option<Value> {
        Some(match kind {
            0x01 => json!(f64::from_le_bytes(self.take()?)),
            0x02 => {
                let length = usize::try_from(i32::from_le_bytes(self.take()?)).ok()?;
                let end = self.at.checked_add(length)?;
                let text = self.bytes.get(self.at..end)?.strip_suffix(b"\0")?;
                let text = String::from_utf8_lossy(text).into_owned();
                self.at = end;
                json!(text)
            }
            0x03 => Value::Object(self.document(depth)?),
            0x04 => self.document(depth)?.into_iter().map(|(_, value)| value).collect(),
            0x08 => json!(self.take::<1>()? != [0]),
            0x0a => Value::Null,
            0x10 => json!(i32::from_le_bytes(self.take()?)),
            0x12 => json!(i64::from_le_bytes(self.take()?)),
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8]) -> Result<Value, usize> {
        let mut reader = Bson { bytes, at: 0 };
        reader.document(DEPTH).map(Value::Object).ok_or(reader.at)
    }

    /// The examples of bsonspec.org.
    #[test]
    fn specification_examples() {
        let hello = b"\x16\0\0\0\x02hello\0\x06\0\0\0world\0\0";
        assert_eq!(read(hello), Ok(json!({ "hello": "world" })));
        let array = b"1\0\0\0\x04BSON\0&\0\0\0\x020\0\x08\0\0\0awesome\0\x011\0333333\x14@\x102\0\xc2\x07\0\0\0\0";
        assert_eq!(read(array), Ok(json!({ "BSON": ["awesome", 5.05, 1986] })));
    }

    #[test]
    fn malformed_documents_are_refused() {
        let hello = b"\x16\0\0\0\x02hello\0\x06\0\0\0world\0\0";
        for length in 0..hello.len() {
            assert!(read(&hello[..length]).is_err(), "{length} bytes");
        }
        assert!(read(b"\x06\0\0\0\x7f\0").is_err());
        let nested = b"\xff\x0f\0\0\x03\0".repeat(800);
        assert!(read(&nested).is_err());
    }
}
