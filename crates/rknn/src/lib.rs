//! The `.rknn` container, versions 1 to 6: what the vendor's compiler writes and its runtime loads.
//!
//! A file is a header, a FlatBuffer and a JSON text. The FlatBuffer holds tensors, operators, blobs (constants,
//! register programs, the task list) and the table of every address in the programs. [`Model::read`] checks every
//! offset; corrupt input is an [`Error`] with the byte where it is wrong. How each field's meaning was established
//! is written down in `docs/rknn-format.md`.

mod attributes;
mod bson;
mod error;
mod flatbuffer;
mod graph;
mod image;
mod literal;
mod model;
mod schema;
mod sniff;

pub use attributes::{NormTensor, PortAttributes, Tail};
pub use error::{Error, Result};
pub use ferrite_rknpu::TaskRecord;
pub use graph::{
    DataType, Graph, InputPatches, Kind, Layout, Normalization, Operator, Patch, ProgramPatches, Relocation,
    Relocations, Target, Tensor,
};
pub use image::{BLOB_ALIGNMENT, WeightImage};
pub use literal::Literal;
pub use model::{Header, Info, Memory, Model};
pub use sniff::{FileKind, sniff};
