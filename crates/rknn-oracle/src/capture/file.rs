//! The file: a zip archive of JSON and pages.

use std::io::{Cursor, Read, Write};
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use super::{Capture, FORMAT_VERSION, Header, InputRecord, OutputRecord, PAGE, Record};
use crate::Error;

/// Name of the file in a capture's folder.
const NAME: &str = "capture.zip";
/// What an archive member may unpack to: captures of the largest models seen take a tenth of it.
const MEMBER_LIMIT: u64 = 4 << 30;

impl Capture {
    /// The capture as a file.
    ///
    /// # Errors
    /// When it cannot be put together, which only memory can prevent.
    pub fn to_bytes(&self) -> Result<Vec<u8>, Error> {
        let fail = |reason: String| Error::Capture { path: PathBuf::from(NAME), reason };
        let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
        // No time stamps: equal captures are equal files.
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .compression_level(Some(9))
            .last_modified_time(zip::DateTime::default());
        let mut add = |name: &str, bytes: &[u8]| -> Result<(), Error> {
            archive.start_file(name, options).map_err(|error| fail(error.to_string()))?;
            archive.write_all(bytes).map_err(|error| fail(error.to_string()))
        };
        add("capture.json", json(&self.header, true)?.as_bytes())?;
        add("events.jsonl", lines(&self.records)?.as_bytes())?;
        add("inputs.jsonl", lines(&self.inputs)?.as_bytes())?;
        add("answers.jsonl", lines(&self.answers)?.as_bytes())?;
        add("pages.bin", &self.pages)?;
        for input in &self.inputs {
            add(&format!("input{}.bin", input.index), &input.bytes)?;
        }
        for (index, output) in self.outputs.iter().enumerate() {
            add(&format!("output{index}.float"), &output.float)?;
            add(&format!("output{index}.raw"), &output.raw)?;
        }
        Ok(archive.finish().map_err(|error| fail(error.to_string()))?.into_inner())
    }

    /// Writes the capture into a folder, which is made.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn save(&self, folder: &Path) -> Result<PathBuf, Error> {
        std::fs::create_dir_all(folder).map_err(crate::error::file(folder))?;
        let path = folder.join(NAME);
        std::fs::write(&path, self.to_bytes()?).map_err(crate::error::file(&path))?;
        Ok(path)
    }

    /// Reads a capture from its folder or its file.
    ///
    /// # Errors
    /// When it cannot be read, is no capture, or is of a newer format.
    pub fn load(path: &Path) -> Result<Self, Error> {
        let path = if path.is_dir() { path.join(NAME) } else { path.to_owned() };
        let bytes = std::fs::read(&path).map_err(crate::error::file(&path))?;
        Self::from_bytes(&bytes, &path)
    }

    /// Reads a capture's file; `path` is for messages.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    pub fn from_bytes(bytes: &[u8], path: &Path) -> Result<Self, Error> {
        let fail = |reason: String| Error::Capture { path: path.to_owned(), reason };
        let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(|error| fail(error.to_string()))?;
        let mut member = |name: &str| -> Result<Vec<u8>, Error> {
            let mut bytes = Vec::new();
            let file = archive.by_name(name).map_err(|error| fail(format!("{name}: {error}")))?;
            let read = file.take(MEMBER_LIMIT).read_to_end(&mut bytes);
            read.map_err(|error| fail(format!("{name}: {error}")))?;
            Ok(bytes)
        };
        let header: Header =
            serde_json::from_slice(&member("capture.json")?).map_err(|error| fail(format!("capture.json: {error}")))?;
        if header.format != "ferrite-capture" || header.version > FORMAT_VERSION {
            let reason = format!("format `{}` version {} is not known", header.format, header.version);
            return Err(fail(reason));
        }
        let records: Vec<Record> = parse(&member("events.jsonl")?, "events.jsonl").map_err(&fail)?;
        let mut inputs: Vec<InputRecord> = parse(&member("inputs.jsonl")?, "inputs.jsonl").map_err(&fail)?;
        let answers = parse(&member("answers.jsonl")?, "answers.jsonl").map_err(&fail)?;
        let pages = member("pages.bin")?;
        for input in &mut inputs {
            input.bytes = member(&format!("input{}.bin", input.index))?;
        }
        let mut outputs = Vec::new();
        while let Ok(float) = member(&format!("output{}.float", outputs.len())) {
            let raw = member(&format!("output{}.raw", outputs.len()))?;
            outputs.push(OutputRecord { float, raw });
        }
        let capture = Self { header, records, pages, inputs, outputs, answers };
        capture.check().map_err(fail)?;
        Ok(capture)
    }

    /// Every run of pages lies in the store and in its buffer.
    fn check(&self) -> Result<(), String> {
        let stored = (self.pages.len() / PAGE) as u64;
        let buffers = self.buffers();
        // What a capture says about sizes is bounded, so that reading one cannot exhaust memory.
        let total = buffers.iter().fold(0_u64, |sum, (bytes, _)| sum.saturating_add(*bytes));
        if total > MEMBER_LIMIT {
            return Err(format!("buffers of {total} bytes"));
        }
        for (index, submit) in self.submissions().enumerate() {
            for changed in &submit.memory {
                let number = changed.buffer as usize;
                let size = number.checked_sub(1).and_then(|at| buffers.get(at)).map(|(bytes, _)| *bytes);
                let size = size.ok_or_else(|| format!("submission {index}: there is no buffer {number}"))?;
                for &(page, place, count) in &changed.runs {
                    let inside = |first: u32, limit: u64| u64::from(first) + u64::from(count) <= limit;
                    if !inside(page, size.div_ceil(PAGE as u64)) || !inside(place, stored) {
                        return Err(format!("submission {index}: buffer {number} has pages that do not exist"));
                    }
                }
            }
        }
        Ok(())
    }
}

fn json(value: &impl serde::Serialize, pretty: bool) -> Result<String, Error> {
    let text = if pretty { serde_json::to_string_pretty(value) } else { serde_json::to_string(value) };
    text.map_err(|error| Error::Capture { path: PathBuf::from(NAME), reason: error.to_string() })
}

fn lines<T: serde::Serialize>(list: &[T]) -> Result<String, Error> {
    let mut text = String::new();
    for item in list {
        text += &json(item, false)?;
        text.push('\n');
    }
    Ok(text)
}

fn parse<T: DeserializeOwned>(bytes: &[u8], name: &str) -> Result<Vec<T>, String> {
    let lines = bytes.split(|byte| *byte == b'\n').enumerate().filter(|(_, line)| !line.is_empty());
    lines
        .map(|(number, line)| {
            serde_json::from_slice(line).map_err(|error| format!("{name}, line {}: {error}", number + 1))
        })
        .collect()
}
