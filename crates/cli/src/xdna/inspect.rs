//! `ferrite inspect` of a file for AMD XDNA.

use std::path::Path;

use ferrite_xdna::explain::Document;
use serde_json::{Value, json};

use super::File;
use crate::failure::{Exit, Failure};
use crate::printer::{HEADING, Printer};
use crate::version::{schema, tool};

pub(crate) fn run(path: &Path, file: &File, as_json: bool, printer: &mut Printer) -> Result<Exit, Failure> {
    let document = super::document(path, file)?;
    if as_json {
        printer.json(&json!({
            "schema": schema::XDNA_INSPECT,
            "tool": tool(),
            "file": { "file": path.display().to_string(), "bytes": file.bytes.len(), "kind": file.kind.to_string() },
            "document": value(&document),
        }));
    } else {
        print(&document, 0, printer);
    }
    Ok(Exit::Ok)
}

fn print(document: &Document, depth: usize, printer: &mut Printer) {
    let indent = 2 * depth;
    printer.write(format_args!("{:indent$}{HEADING}{}{HEADING:#}\n", "", document.title));
    for line in &document.lines {
        printer.write(format_args!("{:indent$}  {line}\n", ""));
    }
    for part in &document.parts {
        print(part, depth + 1, printer);
    }
}

fn value(document: &Document) -> Value {
    json!({
        "title": document.title,
        "lines": document.lines,
        "parts": document.parts.iter().map(value).collect::<Value>(),
    })
}
