//! NumPy's files: `.npy` arrays and `.npz` archives of them.

use std::fs;
use std::io::{Cursor, Read, Seek, Write};
use std::path::Path;

use ferrite_rknn_runtime::{ElementType, Tensor};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use crate::failure::Failure;

/// The first bytes of a `.npy` file.
pub(crate) const NPY_MAGIC: &[u8] = b"\x93NUMPY";
/// The first bytes of a `.npz` archive: a zip file's first entry, or the directory of one without any.
pub(crate) const NPZ_MAGIC: [&[u8]; 2] = [b"PK\x03\x04", b"PK\x05\x06"];
/// The most that one member may unpack to: more than any input of a network, less than what brings a machine down.
const MEMBER_LIMIT: u64 = 1 << 30;

/// An array that cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ArrayError {
    /// No `.npy` header.
    #[error("not a .npy array: {0}")]
    Header(&'static str),
    /// A type of elements that tensors cannot have.
    #[error("element type `{0}` is not supported; float16, float32, float64, (u)int8 to (u)int32, int64 and bool are")]
    ElementType(String),
    /// Data and shape disagree.
    #[error("the array holds {have} bytes, but its shape {shape:?} needs {need}")]
    Size {
        /// The shape.
        shape: Vec<usize>,
        /// Bytes it needs.
        need: u64,
        /// Bytes there are.
        have: usize,
    },
    /// No zip file.
    #[error("not a .npz archive")]
    Zip(#[from] zip::result::ZipError),
    /// No such member.
    #[error("the archive has no member `{0}`")]
    NoMember(String),
    /// A member is wrong.
    #[error("member `{member}`")]
    Member {
        /// Its name.
        member: String,
        /// Why.
        source: Box<ArrayError>,
    },
    /// Too much data.
    #[error("it unpacks to more than {MEMBER_LIMIT} bytes")]
    TooLarge,
    /// Damaged data.
    #[error("it cannot be unpacked")]
    Unpack(#[source] std::io::Error),
}

type Result<T> = std::result::Result<T, ArrayError>;

/// Reads a `.npy` array; float64 becomes float32.
pub(crate) fn read_npy(bytes: &[u8]) -> Result<Tensor> {
    let (header, data) = split_header(bytes)?;
    let descr = dictionary_text(header, "descr").ok_or(ArrayError::Header("its header has no element type"))?;
    let shape = dictionary_shape(header).ok_or(ArrayError::Header("its header has no shape"))?;
    let fortran = header.contains("'fortran_order': True");
    let (element, size, widen) = element_type(descr)?;
    let need = shape.iter().try_fold(size as u64, |product, &length| product.checked_mul(length as u64));
    if need != Some(data.len() as u64) {
        return Err(ArrayError::Size { shape, need: need.unwrap_or(u64::MAX), have: data.len() });
    }
    let data = if fortran { to_row_major(data, &shape, size) } else { data.to_vec() };
    let data = if widen { doubles_to_floats(&data) } else { data };
    let have = data.len();
    Tensor::new(element, shape.clone(), data).map_err(|_| ArrayError::Size { shape, need: have as u64, have })
}

/// Header text and data. Version 1 has a 16-bit length, later ones 32 bits.
fn split_header(bytes: &[u8]) -> Result<(&str, &[u8])> {
    let rest = bytes.strip_prefix(NPY_MAGIC).ok_or(ArrayError::Header("it does not start like one"))?;
    let cut = ArrayError::Header("the file ends inside its header");
    let (length, rest) = match rest {
        [1, _, a, b, rest @ ..] => (usize::from(u16::from_le_bytes([*a, *b])), rest),
        [2..=3, _, a, b, c, d, rest @ ..] => (u32::from_le_bytes([*a, *b, *c, *d]) as usize, rest),
        [1..=3, ..] => return Err(cut),
        _ => return Err(ArrayError::Header("its version is unknown")),
    };
    let (header, data) = rest.split_at_checked(length).ok_or(cut)?;
    let header = std::str::from_utf8(header).map_err(|_| ArrayError::Header("its header is no text"))?;
    Ok((header, data))
}

/// The text between quotes after `'key':`.
fn dictionary_text<'a>(header: &'a str, key: &str) -> Option<&'a str> {
    let (_, after) = header.split_once(&format!("'{key}':"))?;
    let after = after.trim_start();
    let quote = after.chars().next().filter(|c| ['\'', '"'].contains(c))?;
    after[1..].split_once(quote).map(|(text, _)| text)
}

fn dictionary_shape(header: &str) -> Option<Vec<usize>> {
    let (_, after) = header.split_once("'shape':")?;
    let (inside, _) = after.trim_start().strip_prefix('(')?.split_once(')')?;
    inside.split(',').map(str::trim).filter(|size| !size.is_empty()).map(|size| size.parse().ok()).collect()
}

/// The element type of the result, bytes of an element in the file, and whether it is narrowed from float64.
fn element_type(descr: &str) -> Result<(ElementType, usize, bool)> {
    let element = match descr {
        "<f8" => return Ok((ElementType::F32, 8, true)),
        "<f4" => ElementType::F32,
        "<f2" => ElementType::F16,
        "|u1" => ElementType::U8,
        "|i1" => ElementType::I8,
        "<u2" => ElementType::U16,
        "<i2" => ElementType::I16,
        "<u4" => ElementType::U32,
        "<i4" => ElementType::I32,
        "<i8" => ElementType::I64,
        "|b1" => ElementType::Bool,
        other => return Err(ArrayError::ElementType(other.into())),
    };
    Ok((element, element.size(), false))
}

fn doubles_to_floats(bytes: &[u8]) -> Vec<u8> {
    #[expect(clippy::cast_possible_truncation, reason = "narrowing is what is documented")]
    bytes.as_chunks().0.iter().flat_map(|chunk| (f64::from_le_bytes(*chunk) as f32).to_le_bytes()).collect()
}

/// Column-major elements of `size` bytes in row-major order.
fn to_row_major(bytes: &[u8], shape: &[usize], size: usize) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    let mut index = vec![0; shape.len()];
    for _ in 0..bytes.len() / size {
        let at = index.iter().zip(shape).rev().fold(0, |at, (&i, &length)| at * length + i);
        out.extend_from_slice(&bytes[at * size..][..size]);
        for (i, &length) in index.iter_mut().zip(shape).rev() {
            *i += 1;
            if *i < length {
                break;
            }
            *i = 0;
        }
    }
    out
}

/// Writes a `.npy` array, version 1, row-major. bfloat16, which NumPy does not have, is widened to float32.
pub(crate) fn write_npy(tensor: &Tensor) -> Vec<u8> {
    let widened: Vec<u8>;
    let (descr, bytes) = match tensor.element() {
        ElementType::F32 => ("<f4", tensor.bytes()),
        ElementType::F16 => ("<f2", tensor.bytes()),
        ElementType::U8 => ("|u1", tensor.bytes()),
        ElementType::I8 => ("|i1", tensor.bytes()),
        ElementType::U16 => ("<u2", tensor.bytes()),
        ElementType::I16 => ("<i2", tensor.bytes()),
        ElementType::U32 => ("<u4", tensor.bytes()),
        ElementType::I32 => ("<i4", tensor.bytes()),
        ElementType::I64 => ("<i8", tensor.bytes()),
        ElementType::Bool => ("|b1", tensor.bytes()),
        _ => {
            widened = tensor.to_f32().iter().flat_map(|value| value.to_le_bytes()).collect();
            ("<f4", widened.as_slice())
        }
    };
    let comma = if tensor.shape().len() == 1 { "," } else { "" };
    let sizes: Vec<String> = tensor.shape().iter().map(usize::to_string).collect();
    let mut header =
        format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({}{comma}), }}", sizes.join(", "));
    // The data start at a multiple of 64 bytes; magic, version and length take 10, the line feed 1.
    let total = (10 + header.len() + 1).next_multiple_of(64);
    header += &" ".repeat(total - 10 - header.len() - 1);
    header.push('\n');
    let mut file = [NPY_MAGIC, &[1, 0]].concat();
    // Even a hundred dimensions stay below 65536.
    file.extend(u16::try_from(header.len()).unwrap_or(u16::MAX).to_le_bytes());
    file.extend(header.as_bytes());
    file.extend_from_slice(bytes);
    file
}

/// An opened archive.
#[derive(Debug)]
pub struct Archive {
    zip: ZipArchive<Cursor<Vec<u8>>>,
}

impl Archive {
    /// Opens the archive in `bytes`.
    ///
    /// # Errors
    /// When they are no zip file.
    pub fn open(bytes: Vec<u8>) -> Result<Self> {
        Ok(Self { zip: ZipArchive::new(Cursor::new(bytes))? })
    }

    /// Names of the members, without `.npy`.
    pub fn names(&self) -> Vec<String> {
        self.zip.file_names().map(|name| name.strip_suffix(".npy").unwrap_or(name).to_string()).collect()
    }

    /// The member called `name`, or else `prefix.name`.
    pub fn find(&self, prefix: &str, name: &str) -> Option<String> {
        let names = self.names();
        [name.to_string(), format!("{prefix}.{name}")].into_iter().find(|wanted| names.contains(wanted))
    }

    /// Reads a member.
    ///
    /// # Errors
    /// When there is none of that name, or it is no array.
    pub fn read(&mut self, name: &str) -> Result<Tensor> {
        let in_member = |source| ArrayError::Member { member: name.into(), source: Box::new(source) };
        let index = [format!("{name}.npy"), name.to_string()].iter().find_map(|file| self.zip.index_for_name(file));
        let index = index.ok_or_else(|| ArrayError::NoMember(name.into()))?;
        let mut bytes = Vec::new();
        let member = self.zip.by_index(index).map_err(|error| in_member(error.into()))?;
        // The declared size is not trusted: only what really unpacks is kept, up to the limit.
        member.take(MEMBER_LIMIT + 1).read_to_end(&mut bytes).map_err(|error| in_member(ArrayError::Unpack(error)))?;
        if bytes.len() as u64 > MEMBER_LIMIT {
            return Err(in_member(ArrayError::TooLarge));
        }
        read_npy(&bytes).map_err(in_member)
    }
}

/// Writes a compressed archive under a temporary name next to `path`, then renames it, so that `path` is never half written.
pub(crate) fn save_npz(path: &Path, members: &[(String, Tensor)]) -> std::result::Result<(), Failure> {
    let place = path.display().to_string();
    let fail = |error: &dyn std::error::Error| Failure::input(format!("cannot save `{place}`")).because(error);
    let temporary = crate::source::temporary_name(path);
    let written =
        fs::File::create(&temporary).map_err(zip::result::ZipError::from).and_then(|file| write_npz(file, members));
    if let Err(error) = written {
        let _ = fs::remove_file(&temporary);
        return Err(fail(&error));
    }
    fs::rename(&temporary, path).map_err(|error| {
        let _ = fs::remove_file(&temporary);
        fail(&error)
    })
}

fn write_npz(file: impl Write + Seek, members: &[(String, Tensor)]) -> zip::result::ZipResult<()> {
    let mut archive = ZipWriter::new(file);
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    for (name, tensor) in members {
        let array = write_npy(tensor);
        archive.start_file(format!("{name}.npy"), options.large_file(array.len() > u32::MAX as usize / 2))?;
        archive.write_all(&array)?;
    }
    archive.finish()?.flush()?;
    Ok(())
}

#[cfg(test)]
#[path = "npz_tests.rs"]
mod tests;
