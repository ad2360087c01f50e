//! What a file is, judged by its content alone.

use std::fmt;

/// What the first bytes of a file show it to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum FileKind {
    /// A plain container of this version; says nothing about whether the rest is sound.
    Rknn {
        /// Container version from the header.
        version: u64,
    },
    /// An encrypted container: only the vendor's runtime has the key.
    Encrypted,
    /// An RKNN1 model (RK1808, RK3399Pro, RV1126): a container around OpenVX data, which is a different format.
    Rknn1,
    /// The container of the microcontroller-sized NPUs (RV1103, RV1106, RK2118), which is a different format.
    Micro {
        /// Container version from the header, 0x1001 and up.
        version: u64,
    },
    /// Starts like a container but goes on differently; perhaps of the RKNN3 generation, for which no public
    /// description exists.
    Rknn3,
    /// A Git LFS pointer: a small text that stands for the real file.
    GitLfsPointer,
    /// A web page, typically an error page saved under the model's name.
    Html,
    /// Some other text.
    Text,
    /// An ONNX model.
    Onnx,
    /// A TensorFlow Lite model.
    TfLite,
    /// A zip archive: TorchScript, Keras, a zipped model.
    Zip,
    /// A gzip stream.
    Gzip,
    /// No bytes at all.
    Empty,
    /// Anything else.
    Unknown,
}

impl fmt::Display for FileKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FileKind::Rknn { version } => write!(f, "an .rknn container of version {version:#x}"),
            FileKind::Encrypted => f.write_str("an encrypted .rknn, which only the vendor's runtime can open"),
            FileKind::Rknn1 => f.write_str("an RKNN1 model, for RK1808, RK3399Pro or RV1126; its format is different"),
            FileKind::Micro { version } => {
                write!(f, "an .rknn for RV1103, RV1106 or RK2118 (version {version:#x}), whose format is different")
            }
            FileKind::Rknn3 => f.write_str("an .rknn of another generation, probably RKNN3, whose format is different"),
            FileKind::GitLfsPointer => {
                f.write_str("a Git LFS pointer; fetch the real file with `git lfs pull` or the download button")
            }
            FileKind::Html => f.write_str("a web page, probably saved instead of the model"),
            FileKind::Text => f.write_str("a text file"),
            FileKind::Onnx => f.write_str("an ONNX model; compile it to .rknn first"),
            FileKind::TfLite => f.write_str("a TensorFlow Lite model; compile it to .rknn first"),
            FileKind::Zip => f.write_str("a zip archive; unpack it first"),
            FileKind::Gzip => f.write_str("a gzip file; unpack it first"),
            FileKind::Empty => f.write_str("an empty file"),
            FileKind::Unknown => f.write_str("an unknown kind of file"),
        }
    }
}

/// Tells what `bytes` (a whole file or its first kilobyte) are.
pub fn sniff(bytes: &[u8]) -> FileKind {
    if bytes.is_empty() {
        return FileKind::Empty;
    }
    if bytes.starts_with(b"CYPTRKNN") || bytes.starts_with(b"CYPTKNNR") {
        return FileKind::Encrypted;
    }
    if bytes.starts_with(b"RKNN") {
        return container(bytes);
    }
    if bytes.starts_with(b"PK\x03\x04") {
        return FileKind::Zip;
    }
    if bytes.starts_with(b"\x1f\x8b") {
        return FileKind::Gzip;
    }
    if bytes.get(4..8) == Some(b"TFL3") {
        return FileKind::TfLite;
    }
    text(bytes).unwrap_or(if is_onnx(bytes) { FileKind::Onnx } else { FileKind::Unknown })
}

/// Kinds of files that start with `RKNN`: 4 zero bytes, the version and the FlatBuffer's length should follow.
fn container(bytes: &[u8]) -> FileKind {
    if bytes.get(4..8).is_some_and(|rest| rest != [0; 4]) {
        return FileKind::Rknn3;
    }
    let version = bytes.get(8..16).map_or(0, |b| u64::from_le_bytes(std::array::from_fn(|i| b[i])));
    if (0x1001..0x2000).contains(&version) {
        return FileKind::Micro { version };
    }
    let payload = if version > 1 { 64 } else { 24 };
    let openvx = bytes.get(payload..payload + 4) == Some(b"VPMN");
    if openvx { FileKind::Rknn1 } else { FileKind::Rknn { version } }
}

/// Kinds of text; `None` when the bytes are binary.
fn text(bytes: &[u8]) -> Option<FileKind> {
    if bytes.starts_with(b"version https://git-lfs.github.com/spec/v1") {
        return Some(FileKind::GitLfsPointer);
    }
    let head = &bytes[..bytes.len().min(512)];
    if !head.iter().all(|&b| b >= 0x20 || matches!(b, b'\t' | b'\n' | b'\r' | 0x0c)) {
        return None;
    }
    let start = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head).trim_ascii_start();
    let lower: Vec<u8> = start.iter().take(15).map(u8::to_ascii_lowercase).collect();
    let html = [&b"<!doctype html"[..], b"<html", b"<head", b"<?xml"].iter().any(|tag| lower.starts_with(tag));
    Some(if html { FileKind::Html } else { FileKind::Text })
}

/// An ONNX file is a protobuf message that opens with field 1 (`ir_version`, a small varint), followed by a string
/// field (2 producer_name …) or the opset list (8) or the graph (7).
fn is_onnx(bytes: &[u8]) -> bool {
    matches!(bytes, [0x08, 1..=0x20, 0x12 | 0x1a | 0x22 | 0x32 | 0x3a | 0x42, ..])
}
