//! Tensors, operators and the relocation tables of one graph.

use std::fmt;
use std::ops::Range;

use crate::error::{Error, Result};
use crate::flatbuffer::Table;
use crate::schema::{graph, operator, patch, relocation, tensor};

/// A one-byte enumeration of the format: known values have names, unknown ones survive.
macro_rules! open_enum {
    ($(#[$doc:meta])* $name:ident { $($(#[$item_doc:meta])* $item:ident = $value:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash)]
        pub struct $name(pub u8);
        impl $name {
            $($(#[$item_doc])* pub const $item: $name = $name($value);)*
            /// Name of a known value.
            pub fn name(self) -> Option<&'static str> {
                match self.0 { $($value => Some(stringify!($item)),)* _ => None }
            }
        }
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self.name() { Some(name) => f.write_str(name), None => write!(f, "unknown {}", self.0) }
            }
        }
        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { fmt::Display::fmt(self, f) }
        }
    };
}

open_enum! {
    /// Element type of a tensor as stored on the device; the numbers are those of ONNX `TensorProto.DataType`.
    DataType {
        /// Not given.
        UNDEFINED = 0,
        /// 32-bit float.
        FLOAT32 = 1,
        /// Unsigned 8-bit integer.
        UINT8 = 2,
        /// Signed 8-bit integer.
        INT8 = 3,
        /// Unsigned 16-bit integer.
        UINT16 = 4,
        /// Signed 16-bit integer.
        INT16 = 5,
        /// Signed 32-bit integer.
        INT32 = 6,
        /// Signed 64-bit integer.
        INT64 = 7,
        /// Truth value, one byte.
        BOOL = 9,
        /// IEEE half precision.
        FLOAT16 = 10,
        /// 64-bit float.
        FLOAT64 = 11,
        /// Unsigned 32-bit integer.
        UINT32 = 12,
        /// Unsigned 64-bit integer (commands of register programs).
        UINT64 = 13,
        /// bfloat16.
        BFLOAT16 = 16,
    }
}

impl DataType {
    /// Bytes per element, for the known types.
    pub fn size(self) -> Option<usize> {
        Some(match self {
            DataType::UINT8 | DataType::INT8 | DataType::BOOL => 1,
            DataType::UINT16 | DataType::INT16 | DataType::FLOAT16 | DataType::BFLOAT16 => 2,
            DataType::FLOAT32 | DataType::INT32 | DataType::UINT32 => 4,
            DataType::INT64 | DataType::FLOAT64 | DataType::UINT64 => 8,
            _ => return None,
        })
    }
}

open_enum! {
    /// How the native shape of a tensor is to be read.
    Layout {
        /// No particular one: plain vectors, scalars, programs.
        PLAIN = 0,
        /// Feature cube `[N, C1, H, W, C2]`.
        NC1HWC2 = 0x40,
        /// Convolution weights `[OC1, IC1, KH, KW, OC2, IC2]`.
        WEIGHT = 0x41,
    }
}

open_enum! {
    /// What a tensor is for.
    Kind {
        /// Result of one operator and argument of another.
        INTERMEDIATE = 0,
        /// Input of the graph.
        INPUT = 1,
        /// Output of the graph.
        OUTPUT = 2,
        /// Constant with data in a blob.
        CONSTANT = 4,
        /// The register programs (64-bit commands).
        PROGRAMS = 9,
        /// The task list (40-byte records).
        TASKS = 10,
    }
}

open_enum! {
    /// Where an operator runs.
    Target {
        /// On the host, or nowhere (graph inputs and outputs).
        HOST = 0,
        /// On the NPU.
        NPU = 2,
    }
}

/// One tensor.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Tensor {
    /// Name; may be empty (tensor 0 is usually an empty placeholder).
    pub name: String,
    /// Element type on the device.
    pub data_type: DataType,
    /// How `native_shape` is to be read.
    pub layout: Layout,
    /// What the tensor is for.
    pub kind: Kind,
    /// Shape on the device, in elements; see [`Layout`].
    pub native_shape: Vec<u32>,
    /// Shape as the network defines it (NCHW order for four dimensions).
    pub shape: Vec<u32>,
    /// Kind of quantisation (`layer`, `channel`, `dfp`); empty for none.
    pub quantization: String,
    /// Name of the quantised type; empty for none.
    pub quantized_type: String,
    /// Calibrated minimum, one value or one per channel.
    pub minimum: Vec<f32>,
    /// Calibrated maximum, one value or one per channel.
    pub maximum: Vec<f32>,
    /// Scale, one value or one per channel; real = (stored - zero point) * scale.
    pub scale: Vec<f32>,
    /// Zero point, one value or one per channel.
    pub zero_point: Vec<i32>,
    /// Size on the device, in bytes.
    pub size: u32,
    /// Byte offset in the activation buffer; meaningful for intermediate tensors.
    pub offset: u32,
    /// Index of the blob with the tensor's data.
    pub blob: Option<usize>,
    /// File offset of the table, for messages.
    pub place: usize,
}

/// One operator. Its index in the vector is the `operator` of its tasks.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Operator {
    /// Type, such as `Conv`, `ConvRelu`, `InputOperator`.
    pub kind: String,
    /// Name of this instance, such as `Conv:y`.
    pub name: String,
    /// Where it runs.
    pub target: Target,
    /// Indices of the argument tensors.
    pub inputs: Vec<usize>,
    /// Indices of the result tensors.
    pub outputs: Vec<usize>,
    /// Tag of the typed parameter table (a FlatBuffer union); 0 for none.
    pub parameters_type: u8,
    /// Vectors of the typed parameter table by slot, where it has any. Scalars are not listed.
    pub parameters_offset: Option<usize>,
    /// Range of the attribute document (BSON) in the file; empty for none.
    pub attributes: Range<usize>,
    /// Tasks per region of the task list: on one core; of two cores the first and second; of three cores each.
    pub tasks: [u32; 6],
    /// Of those, counted apart: tasks that fill lookup tables.
    pub lut_tasks: [u32; 6],
    /// Nine sizes in bytes; see the format document.
    pub sizes: [u32; 9],
    /// Unknown byte in slot 13.
    pub unknown_13: u8,
    /// File offset of the table, for messages.
    pub place: usize,
}

/// One register value that holds an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Relocation {
    /// Byte offset from the start of what the name stands for. The template holds the same number.
    pub addend: u32,
    /// Index of the 64-bit command in the program blob.
    pub command: usize,
    /// Index of the operator that owns the program; absent for programs that fill lookup tables.
    pub operator: Option<usize>,
    /// Core the program is planned for (0 to 2).
    pub core: u32,
}

/// All places that refer to one tensor.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Relocations {
    /// Name of a tensor. Lookup table programs have an operator type here, and refer to the start of the program blob.
    pub name: String,
    /// Index of the tensor; `None` means the start of the program blob.
    pub tensor: Option<usize>,
    /// The places.
    pub places: Vec<Relocation>,
    /// File offset of the table, for messages.
    pub place: usize,
}

/// A register value that the runtime may replace: the command's index and a number from the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patch {
    /// Slot of the table it stands in; says which register.
    pub slot: usize,
    /// The number.
    pub value: u32,
    /// Index of the 64-bit command in the program blob; out of range for slots that hold no reference.
    pub command: u32,
}

/// Patches of the programs that read one graph input: one inner vector per program.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct InputPatches {
    /// Name of the graph input.
    pub name: String,
    /// Patches, program by program.
    pub programs: Vec<Vec<Patch>>,
}

/// One graph.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Graph {
    /// Tensors; operators refer to them by index.
    pub tensors: Vec<Tensor>,
    /// Operators in execution order.
    pub operators: Vec<Operator>,
    /// Indices of the input tensors.
    pub inputs: Vec<usize>,
    /// Indices of the output tensors.
    pub outputs: Vec<usize>,
    /// Addresses in the register programs.
    pub relocations: Vec<Relocations>,
    /// Size and stride registers of programs that read a graph input.
    pub input_sizes: Vec<InputPatches>,
    /// Input conversion registers of programs that read a graph input.
    pub input_conversions: Vec<InputPatches>,
    /// File offset of the table, for messages.
    pub place: usize,
}

/// Fails unless every index in the vector is below `limit`.
fn indices(table: &Table<'_>, slot: usize, limit: usize, what: &'static str) -> Result<Vec<usize>> {
    let vector = table.vector(slot, 4, what)?;
    let list: Vec<usize> = vector.collect(|b: [u8; 4]| u32::from_le_bytes(b) as usize)?;
    match list.iter().position(|&index| index >= limit) {
        None => Ok(list),
        Some(at) => Err(Error::OutOfRange {
            offset: vector.offset() + 4 * at,
            what,
            value: list[at] as u64,
            limit: (limit as u64).saturating_sub(1),
        }),
    }
}

/// The first `N` numbers of a vector; a shorter vector is filled up with zeros.
fn numbers<const N: usize>(table: &Table<'_>, slot: usize, what: &'static str) -> Result<[u32; N]> {
    let list = table.u32s(slot, what)?;
    Ok(std::array::from_fn(|i| list.get(i).copied().unwrap_or(0)))
}

fn read_tensor(table: Table<'_>, blobs: usize) -> Result<Tensor> {
    let floats = |slot, what| table.vector(slot, 4, what)?.collect(f32::from_le_bytes);
    let blob = table.u32(tensor::BLOB, "tensor blob index")? as usize;
    if blob != 0 && blob >= blobs {
        return Err(Error::OutOfRange {
            offset: table.offset(),
            what: "tensor blob index",
            value: blob as u64,
            limit: (blobs as u64).saturating_sub(1),
        });
    }
    Ok(Tensor {
        name: table.string(tensor::NAME, "tensor name")?,
        data_type: DataType(table.u8(tensor::DATA_TYPE, "tensor data type")?),
        layout: Layout(table.u8(tensor::LAYOUT, "tensor layout")?),
        kind: Kind(table.u8(tensor::KIND, "tensor kind")?),
        native_shape: table.u32s(tensor::NATIVE_SHAPE, "tensor native shape")?,
        shape: table.u32s(tensor::SHAPE, "tensor shape")?,
        quantization: table.string(tensor::QUANTIZATION, "tensor quantization")?,
        quantized_type: table.string(tensor::QUANTIZED_TYPE, "tensor quantized type")?,
        minimum: floats(tensor::MINIMUM, "tensor minimum")?,
        maximum: floats(tensor::MAXIMUM, "tensor maximum")?,
        scale: floats(tensor::SCALE, "tensor scale")?,
        zero_point: table.vector(tensor::ZERO_POINT, 4, "tensor zero point")?.collect(i32::from_le_bytes)?,
        size: table.u32(tensor::SIZE, "tensor size")?,
        offset: table.u32(tensor::OFFSET, "tensor offset")?,
        blob: (blob != 0).then_some(blob),
        place: table.offset(),
    })
}

fn read_operator(table: Table<'_>, tensors: usize) -> Result<Operator> {
    Ok(Operator {
        kind: table.string(operator::TYPE, "operator type")?,
        name: table.string(operator::NAME, "operator name")?,
        target: Target(table.u8(operator::TARGET, "operator target")?),
        inputs: indices(&table, operator::INPUTS, tensors, "operator input")?,
        outputs: indices(&table, operator::OUTPUTS, tensors, "operator output")?,
        parameters_type: table.u8(operator::PARAMETERS_TYPE, "operator parameters type")?,
        parameters_offset: table.table(operator::PARAMETERS, "operator parameters")?.map(|t| t.offset()),
        attributes: table.vector(operator::ATTRIBUTES, 1, "operator attributes")?.range(),
        tasks: numbers(&table, operator::TASKS, "operator task counts")?,
        lut_tasks: numbers(&table, operator::LUT_TASKS, "operator lookup table task counts")?,
        sizes: numbers(&table, operator::SIZES, "operator sizes")?,
        unknown_13: table.u8(operator::UNKNOWN_13, "operator slot 13")?,
        place: table.offset(),
    })
}

fn read_relocations(table: Table<'_>, tensors: &[Tensor], operators: usize) -> Result<Relocations> {
    let name = table.string(relocation::NAME, "relocation name")?;
    let places = table.pairs(relocation::PLACES, "relocation places")?;
    let owners = table.pairs(relocation::OWNERS, "relocation owners")?;
    if !owners.is_empty() && places.len() != owners.len() {
        return Err(Error::OutOfRange {
            offset: table.offset(),
            what: "number of relocation owners",
            value: owners.len() as u64,
            limit: places.len() as u64,
        });
    }
    if let Some(&(owner, _)) = owners.iter().find(|owner| owner.0 as usize >= operators) {
        return Err(Error::OutOfRange {
            offset: table.offset(),
            what: "operator of a relocation",
            value: owner.into(),
            limit: (operators as u64).saturating_sub(1),
        });
    }
    table.buffer().charge(0, places.len() * size_of::<Relocation>(), "relocations")?;
    let places = places.iter().enumerate().map(|(i, &(addend, command))| {
        let owner = owners.get(i);
        Relocation {
            addend,
            command: command as usize,
            operator: owner.map(|owner| owner.0 as usize),
            core: owner.map_or(0, |owner| owner.1),
        }
    });
    let places = places.collect();
    // Lookup table programs name their operator's type, which a tensor may be called by accident.
    let tensor = if owners.is_empty() { None } else { tensors.iter().position(|tensor| tensor.name == name) };
    Ok(Relocations { tensor, name, places, place: table.offset() })
}

fn read_patches(table: Table<'_>) -> Result<InputPatches> {
    let programs = table.tables(patch::PROGRAMS, "input patches", |program| {
        let mut patches = Vec::new();
        for slot in program.slots() {
            if let Ok(Some(bytes)) = program.inline::<8>(slot, "input patch") {
                let [a, b, c, d, rest @ ..] = bytes;
                program.buffer().charge(0, size_of::<Patch>(), "input patch")?;
                patches.push(Patch {
                    slot,
                    value: u32::from_le_bytes([a, b, c, d]),
                    command: u32::from_le_bytes(rest),
                });
            }
        }
        Ok(patches)
    })?;
    Ok(InputPatches { name: table.string(patch::NAME, "patched input")?, programs })
}

/// Reads one graph; `blobs` is the number of blobs tensors may refer to.
pub(crate) fn read_graph(table: Table<'_>, blobs: usize) -> Result<Graph> {
    let tensors = table.tables(graph::TENSORS, "tensors", |t| read_tensor(t, blobs))?;
    let operators = table.tables(graph::OPERATORS, "operators", |t| read_operator(t, tensors.len()))?;
    let inputs = indices(&table, graph::INPUTS, tensors.len(), "graph input")?;
    let outputs = indices(&table, graph::OUTPUTS, tensors.len(), "graph output")?;
    let relocations =
        table.tables(graph::RELOCATIONS, "relocations", |t| read_relocations(t, &tensors, operators.len()))?;
    Ok(Graph {
        inputs,
        outputs,
        relocations,
        input_sizes: table.tables(graph::INPUT_SIZES, "input size patches", read_patches)?,
        input_conversions: table.tables(graph::INPUT_CONVERSIONS, "input conversion patches", read_patches)?,
        tensors,
        operators,
        place: table.offset(),
    })
}
