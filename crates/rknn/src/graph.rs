//! Tensors, operators and the relocation tables of one graph.

use std::collections::HashMap;
use std::fmt;
use std::ops::Range;

use crate::error::{Error, Result};
use crate::flatbuffer::Table;
use crate::schema::{graph, normalization, operator, output_ready, patch, relocation, tensor};

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
        /// Linear, channels before rows and columns; tensors of operators on the host.
        NCHW = 2,
        /// Feature cube `[N, C1, H, W, C2]`.
        NC1HWC2 = 0x40,
        /// Convolution weights `[OC1, IC1, KH, KW, OC2, IC2]`.
        WEIGHT = 0x41,
    }
}

open_enum! {
    /// What a tensor is for.
    Kind {
        /// None: the empty tensor 0.
        PLACEHOLDER = 0,
        /// Input of the graph.
        INPUT = 1,
        /// Output of the graph.
        OUTPUT = 2,
        /// Lives in the activation buffer: result of one operator and argument of another, or scratch space.
        INTERMEDIATE = 3,
        /// Weights, biases and the like, with data in a blob.
        WEIGHT = 4,
        /// Other constants of the network (normalisation parameters, shapes), with data in a blob.
        CONSTANT = 5,
        /// Program that fills a lookup table, with data in a blob; the program blob holds it too.
        LOOKUP_TABLE = 6,
        /// Constant the compiler added, with data in a blob.
        AUXILIARY = 8,
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
    /// Values (one or one per channel) that fill what lies between the rows of a padded input; usually empty.
    pub fill: Vec<i32>,
    /// Size on the device, in bytes, row padding included; 0 for programs and tasks.
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
    /// Indices of the result tensors. The placeholder, tensor 0, stands for one that nobody uses.
    pub outputs: Vec<usize>,
    /// Tag of the typed parameter table (a FlatBuffer union); 0 for none.
    pub parameters_type: u8,
    /// File offset of that table.
    pub parameters_offset: Option<usize>,
    /// What it holds by ONNX name, as far as the attribute document lacks it.
    pub parameters: Vec<(&'static str, String)>,
    /// Range of the attribute document (BSON) in the file; empty for none.
    pub attributes: Range<usize>,
    /// Tasks per region of the task list, those in `lut_tasks` not counted. The regions: one core; of two cores the
    /// first, the second; of three cores the first, second, third.
    pub tasks: [u32; 6],
    /// More tasks per region. Where the first number is not 0, the operator fills a lookup table.
    pub lut_tasks: [u32; 6],
    /// Nine numbers of unknown meaning, perhaps traffic in bytes.
    pub sizes: [u32; 9],
    /// Unknown byte in slot 13.
    pub unknown_13: u8,
    /// File offset of the table, for messages.
    pub place: usize,
}

impl Operator {
    /// Number of tasks the operator has in a region (0 to 5), tables included.
    pub fn task_count(&self, region: usize) -> u32 {
        let count = |list: &[u32; 6]| list.get(region).copied().unwrap_or(0);
        count(&self.tasks).saturating_add(count(&self.lut_tasks))
    }
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

/// A register value that the runtime may replace, depending on how the input is handed over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patch {
    /// Register, as the offset inside the core that the command writes.
    pub register: u16,
    /// Value for an input that is handed over in its native form. The template holds the same number.
    pub value: u32,
    /// Index of the 64-bit command in the program blob.
    pub command: usize,
}

/// Patches of one program that reads a graph input.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ProgramPatches {
    /// Registers that hold a size, a stride or the address.
    pub sizes: Vec<Patch>,
    /// Registers of the input conversion.
    pub conversions: Vec<Patch>,
    /// First row of the input that the program reads; not 0 where cores share the work.
    pub first_row: u32,
}

/// Patches of the programs that read one graph input through the convolution blocks, in the order of the task list.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct InputPatches {
    /// Name of the graph input.
    pub name: String,
    /// Index of the input tensor.
    pub tensor: Option<usize>,
    /// Patches, program by program.
    pub programs: Vec<ProgramPatches>,
}

/// How the runtime turns what the user hands over into what the network expects: `(x - mean) / std` per channel.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct Normalization {
    /// Mean of four channels; channels the input does not have repeat the first.
    pub mean: Vec<f32>,
    /// Divisor of four channels, in the same way.
    pub std: Vec<f32>,
    /// Order of the channels; 0, 1, 2, 3 in all files seen.
    pub channel_order: Vec<u32>,
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
    /// Normalisation of each input, in the order of `inputs`.
    pub normalizations: Vec<Normalization>,
    /// Addresses in the register programs.
    pub relocations: Vec<Relocations>,
    /// Registers that depend on how an input is handed over.
    pub input_patches: Vec<InputPatches>,
    /// First task of the region for: core 0, core 1, core 2, two cores, three cores. The first three are equal.
    /// `None` when no operator has tasks.
    pub regions: Option<[u32; 5]>,
    /// Per output name, the number of tasks in the one-core region after which it is complete.
    pub output_ready: Vec<(String, u32)>,
    /// File offset of the table, for messages.
    pub place: usize,
}

impl Graph {
    /// Index of the blob with the register programs: that of the tensor of kind [`Kind::PROGRAMS`].
    pub fn program_blob(&self) -> Option<usize> {
        self.blob_of_kind(Kind::PROGRAMS)
    }

    /// Index of the blob with the task list: that of the tensor of kind [`Kind::TASKS`].
    pub fn task_blob(&self) -> Option<usize> {
        self.blob_of_kind(Kind::TASKS)
    }

    fn blob_of_kind(&self, kind: Kind) -> Option<usize> {
        self.tensors.iter().find(|tensor| tensor.kind == kind)?.blob
    }
}

/// What stands for an output that nobody uses.
const UNUSED: u32 = u32::MAX;

/// The indices in a vector; fails unless every one is below `limit`. `none` stands for the placeholder, tensor 0.
fn indices(table: &Table<'_>, slot: usize, limit: usize, none: Option<u32>, what: &'static str) -> Result<Vec<usize>> {
    let vector = table.vector(slot, 4, what)?;
    let index = |b: [u8; 4]| Some(u32::from_le_bytes(b)).filter(|index| Some(*index) != none).unwrap_or(0) as usize;
    let list: Vec<usize> = vector.collect(index)?;
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

/// Index of the first tensor of each name.
type Names<'a> = HashMap<&'a str, usize>;

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
        fill: table.vector(tensor::FILL, 4, "tensor fill value")?.collect(i32::from_le_bytes)?,
        size: table.u32(tensor::SIZE, "tensor size")?,
        offset: table.u32(tensor::OFFSET, "tensor offset")?,
        blob: (blob != 0).then_some(blob),
        place: table.offset(),
    })
}

fn read_operator(table: Table<'_>, tensors: usize) -> Result<Operator> {
    let parameters_type = table.u8(operator::PARAMETERS_TYPE, "operator parameters type")?;
    let parameters = table.table(operator::PARAMETERS, "operator parameters")?;
    Ok(Operator {
        kind: table.string(operator::TYPE, "operator type")?,
        name: table.string(operator::NAME, "operator name")?,
        target: Target(table.u8(operator::TARGET, "operator target")?),
        inputs: indices(&table, operator::INPUTS, tensors, None, "operator input")?,
        outputs: indices(&table, operator::OUTPUTS, tensors, Some(UNUSED), "operator output")?,
        parameters_type,
        parameters_offset: parameters.as_ref().map(Table::offset),
        parameters: parameters.map_or(Ok(Vec::new()), |table| read_parameters(&table, parameters_type))?,
        attributes: table.vector(operator::ATTRIBUTES, 1, "operator attributes")?.range(),
        tasks: numbers(&table, operator::TASKS, "operator task counts")?,
        lut_tasks: numbers(&table, operator::LUT_TASKS, "operator lookup table task counts")?,
        sizes: numbers(&table, operator::SIZES, "operator sizes")?,
        unknown_13: table.u8(operator::UNKNOWN_13, "operator slot 13")?,
        place: table.offset(),
    })
}

/// The texts of a typed parameter table.
fn read_parameters(table: &Table<'_>, tag: u8) -> Result<Vec<(&'static str, String)>> {
    let slots = operator::PARAMETER_TEXTS.iter().filter(|(tags, ..)| *tags == tag);
    let texts = slots.map(|&(_, slot, name)| Ok((name, table.string(slot, "operator parameter")?)));
    Ok(texts.collect::<Result<Vec<_>>>()?.into_iter().filter(|(_, text)| !text.is_empty()).collect())
}

fn read_relocations(table: Table<'_>, tensors: &Names<'_>, operators: usize) -> Result<Relocations> {
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
    let tensor = if owners.is_empty() { None } else { tensors.get(name.as_str()).copied() };
    Ok(Relocations { tensor, name, places, place: table.offset() })
}

fn read_normalization(table: Table<'_>) -> Result<Normalization> {
    let floats = |slot, what| table.vector(slot, 4, what)?.collect(f32::from_le_bytes);
    Ok(Normalization {
        mean: floats(normalization::MEAN, "mean")?,
        std: floats(normalization::STD, "std")?,
        channel_order: table.u32s(normalization::CHANNEL_ORDER, "channel order")?,
    })
}

/// The patches in the slots `registers` lists; the compiler leaves uninitialised memory in the others.
fn read_patches(table: Table<'_>, registers: &[(usize, u16)]) -> Result<Vec<Patch>> {
    table.buffer().charge(0, registers.len() * size_of::<Patch>(), "input patches")?;
    let mut patches = Vec::with_capacity(registers.len());
    for &(slot, register) in registers {
        if let Some([a, b, c, d, e, f, g, h]) = table.inline(slot, "input patch")? {
            let value = u32::from_le_bytes([a, b, c, d]);
            patches.push(Patch { register, value, command: u32::from_le_bytes([e, f, g, h]) as usize });
        }
    }
    Ok(patches)
}

/// Size and conversion patches stand in two vectors of the same shape; joins them by input and program.
fn read_input_patches(table: Table<'_>, tensors: &Names<'_>) -> Result<Vec<InputPatches>> {
    let mut inputs = table.tables(graph::INPUT_SIZES, "input size patches", |input| {
        let name = input.string(patch::NAME, "patched input")?;
        let programs = input.tables(patch::PROGRAMS, "input size patches", |program| {
            Ok(ProgramPatches {
                sizes: read_patches(program, patch::SIZES)?,
                conversions: Vec::new(),
                first_row: program.u32(patch::FIRST_ROW, "first row")?,
            })
        })?;
        Ok(InputPatches { tensor: tensors.get(name.as_str()).copied(), name, programs })
    })?;
    let mut index = 0;
    let count = table.tables(graph::INPUT_CONVERSIONS, "input conversion patches", |input| {
        let name = input.string(patch::NAME, "patched input")?;
        let conversions = input
            .tables(patch::PROGRAMS, "input conversion patches", |program| read_patches(program, patch::CONVERSIONS))?;
        let same = inputs.get_mut(index).filter(|same| same.name == name && same.programs.len() == conversions.len());
        let same = same.ok_or(Error::Missing { offset: input.offset(), what: "size patches for these conversions" })?;
        for (program, conversions) in same.programs.iter_mut().zip(conversions) {
            program.conversions = conversions;
        }
        index += 1;
        Ok(())
    })?;
    let unmatched = Error::Missing { offset: table.offset(), what: "conversion patches for some sizes" };
    if count.len() == inputs.len() { Ok(inputs) } else { Err(unmatched) }
}

/// Reads one graph; `blobs` is the number of blobs tensors may refer to.
pub(crate) fn read_graph(table: Table<'_>, blobs: usize) -> Result<Graph> {
    let tensors = table.tables(graph::TENSORS, "tensors", |t| read_tensor(t, blobs))?;
    let operators = table.tables(graph::OPERATORS, "operators", |t| read_operator(t, tensors.len()))?;
    let inputs = indices(&table, graph::INPUTS, tensors.len(), None, "graph input")?;
    let outputs = indices(&table, graph::OUTPUTS, tensors.len(), None, "graph output")?;
    let mut names = Names::new();
    for (index, tensor) in tensors.iter().enumerate() {
        names.entry(tensor.name.as_str()).or_insert(index);
    }
    let relocations =
        table.tables(graph::RELOCATIONS, "relocations", |t| read_relocations(t, &names, operators.len()))?;
    let input_patches = read_input_patches(table, &names)?;
    Ok(Graph {
        inputs,
        outputs,
        relocations,
        input_patches,
        normalizations: table.tables(graph::NORMALIZATIONS, "normalizations", read_normalization)?,
        regions: table.u32s(graph::REGIONS, "task regions")?.try_into().ok(),
        output_ready: table.tables(graph::OUTPUT_READY, "task counts of outputs", |t| {
            Ok((t.string(output_ready::NAME, "output name")?, t.u32(output_ready::TASKS, "task count of an output")?))
        })?,
        tensors,
        operators,
        place: table.offset(),
    })
}
