//! The embedded XML: kernels, their arguments, their instances.

use std::fmt::Write as _;

use crate::bytes::Bytes;
use crate::error::{Error, Result};

/// A kernel as the XML describes it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Kernel {
    /// Name.
    pub name: String,
    /// Type: `dpu`.
    pub kind: String,
    /// Subtype, 1 for DPU.
    pub subtype: u32,
    /// Function, 0 for DPU.
    pub functional: u32,
    /// Kernel id.
    pub kernel_id: u32,
    /// Arguments by number.
    pub arguments: Vec<Argument>,
    /// Names of its instances.
    pub instances: Vec<String>,
}

/// An argument of a kernel.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Argument {
    /// Name.
    pub name: String,
    /// Type, as in C: `uint64_t`, `char *`.
    pub kind: String,
    /// Whether it is a buffer; else it is a value.
    pub is_buffer: bool,
    /// Byte offset in the argument block.
    pub offset: u32,
    /// Bytes in the argument block.
    pub size: u32,
    /// Digits of the offset as they are written: xclbinutil copies them from its input.
    pub offset_text: String,
    /// The memory bank that the input of xclbinutil names; not in the XML, empty when read.
    pub memory: String,
}

impl Argument {
    /// An argument of a C type at an offset; `memory` names the bank of a buffer.
    pub fn new(name: &str, kind: &str, offset: u32, memory: &str) -> Self {
        let size = if kind == "uint32_t" { 4 } else { 8 };
        let offset_text = format!("0x{offset:02X}");
        let is_buffer = !memory.is_empty();
        let (name, kind, memory) = (name.to_owned(), kind.to_owned(), memory.to_owned());
        Self { name, kind, is_buffer, offset, size, offset_text, memory }
    }
}

/// A tag with its attributes.
struct Tag<'a> {
    name: &'a str,
    closing: bool,
    attributes: &'a str,
    place: usize,
}

impl Tag<'_> {
    fn malformed(&self, problem: &'static str) -> Error {
        Error::Markup { offset: self.place, what: WHAT, problem }
    }

    fn attribute(&self, wanted: &str) -> Result<Option<String>> {
        let mut rest = self.attributes.trim_start();
        while !rest.is_empty() {
            let (name, after) = rest.split_once('=').ok_or_else(|| self.malformed("an attribute has no value"))?;
            let after = after.trim_start();
            let quote = after.chars().next().filter(|quote| matches!(quote, '"' | '\''));
            let quote = quote.ok_or_else(|| self.malformed("an attribute's value is not quoted"))?;
            let (value, after) =
                after[1..].split_once(quote).ok_or_else(|| self.malformed("an attribute's value does not end"))?;
            if name.trim() == wanted {
                return unescape(value).map(Some).ok_or_else(|| self.malformed("an unknown entity"));
            }
            rest = after.trim_start();
        }
        Ok(None)
    }

    fn text(&self, name: &str) -> Result<String> {
        Ok(self.attribute(name)?.unwrap_or_default())
    }

    fn number(&self, name: &str) -> Result<u32> {
        let text = self.text(name)?;
        let parsed = match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
            Some(digits) => u32::from_str_radix(digits, 16),
            None if text.is_empty() => Ok(0),
            None => text.parse(),
        };
        parsed.map_err(|_| self.malformed("an attribute that must be a number is none"))
    }
}

const WHAT: &str = "the embedded XML";

/// Replaces the five entities that XML has by itself, and numbered ones.
fn unescape(text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('&') {
        let (entity, after) = after.split_once(';')?;
        out.push_str(before);
        out.push(match entity {
            "lt" => '<',
            "gt" => '>',
            "amp" => '&',
            "quot" => '"',
            "apos" => '\'',
            _ => {
                let digits = entity.strip_prefix('#')?;
                let code = match digits.strip_prefix('x') {
                    Some(digits) => u32::from_str_radix(digits, 16),
                    None => digits.parse(),
                };
                char::from_u32(code.ok()?)?
            }
        });
        rest = after;
    }
    out.push_str(rest);
    Some(out)
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// The tags of a document, comments and declarations left out.
struct Tags<'a> {
    text: &'a str,
    at: usize,
    origin: usize,
}

impl<'a> Tags<'a> {
    fn next(&mut self) -> Result<Option<Tag<'a>>> {
        loop {
            let Some(start) = self.text.get(self.at..).and_then(|rest| rest.find('<')).map(|at| self.at + at) else {
                return Ok(None);
            };
            let place = self.origin + start;
            let inside = &self.text[start + 1..];
            let end_mark = if inside.starts_with("!--") { "-->" } else { ">" };
            let Some(length) = inside.find(end_mark) else {
                return Err(Error::Markup { offset: place, what: WHAT, problem: "a tag does not end" });
            };
            self.at = start + 1 + length + end_mark.len();
            let body = &inside[..length];
            if body.starts_with(['?', '!']) {
                continue;
            }
            let closing = body.starts_with('/');
            let body = body.trim_start_matches('/').trim_end_matches('/').trim();
            let (name, attributes) = body.split_once(char::is_whitespace).unwrap_or((body, ""));
            return Ok(Some(Tag { name, closing, attributes, place }));
        }
    }
}

/// Reads the kernels of the XML.
pub(super) fn decode(data: &Bytes<'_>) -> Result<Vec<Kernel>> {
    let not_text = |_| Error::NotUtf8 { offset: data.place(0), what: WHAT };
    let text = std::str::from_utf8(data.as_slice()).map_err(not_text)?;
    let mut tags = Tags { text, at: 0, origin: data.place(0) };
    let mut kernels: Vec<Kernel> = Vec::new();
    let mut open = false;
    while let Some(tag) = tags.next()? {
        match (tag.name, tag.closing) {
            ("kernel", false) => {
                kernels.push(Kernel { name: tag.text("name")?, kind: tag.text("type")?, ..Kernel::default() });
                open = true;
            }
            ("kernel", true) => open = false,
            _ => {}
        }
        let Some(kernel) = kernels.last_mut().filter(|_| open && !tag.closing) else { continue };
        match tag.name {
            "extended-data" => {
                kernel.subtype = tag.number("subtype")?;
                kernel.functional = tag.number("functional")?;
                kernel.kernel_id = tag.number("dpu_kernel_id")?;
            }
            "arg" => kernel.arguments.push(Argument {
                name: tag.text("name")?,
                kind: tag.text("type")?,
                is_buffer: tag.number("addressQualifier")? != 0,
                offset: tag.number("offset")?,
                size: tag.number("size")?,
                offset_text: tag.text("offset")?,
                memory: String::new(),
            }),
            "instance" => kernel.instances.push(tag.text("name")?),
            _ => {}
        }
    }
    Ok(kernels)
}

/// Writes the XML as xclbinutil does.
pub(super) fn encode(kernels: &[Kernel]) -> Vec<u8> {
    let mut out = String::from(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<project>\n  <platform>\n    <device>\n      <core>\n",
    );
    for kernel in kernels {
        encode_kernel(&mut out, kernel);
    }
    out.push_str("      </core>\n    </device>\n  </platform>\n</project>\n");
    out.into_bytes()
}

fn encode_kernel(out: &mut String, kernel: &Kernel) {
    let Kernel { subtype, functional, kernel_id, .. } = kernel;
    // Writing into a string cannot fail.
    let _ = writeln!(
        out,
        "        <kernel name=\"{}\" language=\"c\" type=\"{}\">\n          <extended-data subtype=\"{subtype}\" \
         functional=\"{functional}\" dpu_kernel_id=\"{kernel_id:#x}\"/>",
        escape(&kernel.name),
        escape(&kernel.kind),
    );
    for (id, argument) in kernel.arguments.iter().enumerate() {
        let Argument { size, is_buffer, .. } = argument;
        let _ = writeln!(
            out,
            "          <arg name=\"{}\" addressQualifier=\"{}\" id=\"{id}\" size=\"{size:#x}\" offset=\"{}\" \
             hostOffset=\"0x0\" hostSize=\"{size:#x}\" type=\"{}\"/>",
            escape(&argument.name),
            u8::from(*is_buffer),
            escape(&argument.offset_text),
            escape(&argument.kind),
        );
    }
    for instance in &kernel.instances {
        let _ = writeln!(out, "          <instance name=\"{}\"/>", escape(instance));
    }
    out.push_str("        </kernel>\n");
}
