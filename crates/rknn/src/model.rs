//! A whole file.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use ferrite_rknpu::TaskRecord;

use crate::attributes::{self, PortAttributes, Tail};
use crate::bson;
use crate::error::{Error, Result};
use crate::flatbuffer::{Buffer, Table};
use crate::graph::{Graph, Operator, Patch, Relocations, Tensor, read_graph};
use crate::image::WeightImage;
use crate::literal::Literal;
use crate::schema::{blob, memory, root};
use crate::sniff::{FileKind, sniff};

/// The container's frame.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Header {
    /// Container version, 1 to 6.
    pub version: u64,
    /// Where the FlatBuffer lies in the file.
    pub flatbuffer: Range<usize>,
    /// Where the JSON text lies in the file.
    pub json: Range<usize>,
    /// Bytes after the JSON text; 0 in all files seen.
    pub trailing: usize,
}

/// The texts of the root table.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Info {
    /// Number in root slot 0; 6 in all files seen.
    pub schema: u32,
    /// `RKNPU v2`, for instance.
    pub format: String,
    /// Version of the compiler.
    pub compiler: String,
    /// Chip, `rk3588` for instance.
    pub runtime: String,
    /// Framework the network came from.
    pub source: String,
    /// JSON text about element type and layout of the inputs.
    pub input_json: String,
    /// The same for the outputs.
    pub output_json: String,
    /// `static_shape` or a mode of dynamic shapes.
    pub shape_mode: String,
    /// The Python dictionary, as text.
    pub attributes: String,
}

/// Buffer sizes the compiler planned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Memory {
    /// Bytes of the blobs of kinds WEIGHT and CONSTANT, each rounded up to 64.
    pub weights: u64,
    /// Bytes of the activation buffer.
    pub activations: u64,
}

/// The bytes of a file, as whoever read it handed them over: they are not copied again.
#[derive(Debug)]
struct File(Vec<u8>);

/// A model read from a file. It owns the file's bytes; blobs are views of them.
#[derive(Debug, Clone)]
pub struct Model {
    file: Arc<File>,
    header: Header,
    info: Info,
    memory: Option<Memory>,
    graphs: Vec<Graph>,
    blobs: Vec<Range<usize>>,
    attributes: Option<Literal>,
    ports: Vec<PortAttributes>,
    tail: Tail,
    warnings: Vec<String>,
}

impl Model {
    /// Reads a container.
    ///
    /// # Errors
    /// [`Error::NotRknn`] for other kinds of files, otherwise the first place that contradicts the format.
    pub fn read(bytes: impl Into<Vec<u8>>) -> Result<Model> {
        let bytes = bytes.into();
        let header = read_header(&bytes)?;
        let buffer = Buffer::new(&bytes[header.flatbuffer.clone()], header.flatbuffer.start);
        let table = buffer.root("root table")?;
        let slot = if header.version > 5 { root::BLOBS } else { root::BLOBS_OLD };
        let blobs = table.tables(slot, "blobs", |t| Ok(t.vector(blob::BYTES, 1, "blob bytes")?.range()))?;
        check_total(&blobs, &header.flatbuffer)?;
        let mut graphs = table.tables(root::GRAPHS, "graphs", |t| read_graph(t, blobs.len()))?;
        if graphs.is_empty() {
            return Err(Error::Missing { offset: table.offset(), what: "graph" });
        }
        for graph in &mut graphs {
            check_commands(graph, &blobs, &bytes)?;
        }
        let info = read_info(&table)?;
        let memory = read_memory(&table)?;
        let attributes = Literal::parse(&info.attributes);
        let tail = read_tail(&bytes, &header)?;
        let mut model = Model {
            header,
            memory,
            graphs,
            blobs,
            ports: attributes.as_ref().map(attributes::ports).unwrap_or_default(),
            warnings: Vec::new(),
            attributes: attributes.as_ref().ok().cloned(),
            tail,
            info,
            file: Arc::new(File(bytes)),
        };
        if let (Err(position), false) = (&attributes, model.info.attributes.is_empty()) {
            model.warnings.push(format!("the attribute dictionary makes no sense from its character {position} on"));
        }
        model.cross_check();
        Ok(model)
    }

    /// The container's frame.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The texts of the root table.
    pub fn info(&self) -> &Info {
        &self.info
    }

    /// Buffer sizes the compiler planned, where the file has them.
    pub fn memory(&self) -> Option<Memory> {
        self.memory
    }

    /// All graphs. Models of one fixed shape have one.
    pub fn graphs(&self) -> &[Graph] {
        &self.graphs
    }

    /// Tensors of the first graph.
    pub fn tensors(&self) -> &[Tensor] {
        &self.graphs[0].tensors
    }

    /// Operators of the first graph, in execution order.
    pub fn operators(&self) -> &[Operator] {
        &self.graphs[0].operators
    }

    /// Indices of the first graph's input tensors.
    pub fn inputs(&self) -> &[usize] {
        &self.graphs[0].inputs
    }

    /// Indices of the first graph's output tensors.
    pub fn outputs(&self) -> &[usize] {
        &self.graphs[0].outputs
    }

    /// Every address in the first graph's register programs, by tensor.
    pub fn relocations(&self) -> &[Relocations] {
        &self.graphs[0].relocations
    }

    /// Ranges of the blobs in the file, by blob index. Blob 0 is always empty.
    pub fn blobs(&self) -> &[Range<usize>] {
        &self.blobs
    }

    /// Bytes of a blob; `None` for an index out of range.
    pub fn blob(&self, index: usize) -> Option<&[u8]> {
        self.bytes().get(self.blobs.get(index)?.clone())
    }

    /// Attributes of an operator of this model: name and value (the type tag beside each value is dropped), and behind them
    /// what only its typed parameters have.
    ///
    /// # Errors
    /// When the attribute document is malformed.
    pub fn operator_attributes(&self, operator: &Operator) -> Result<Vec<(String, Literal)>> {
        let range = operator.attributes.clone();
        let bytes = self.bytes().get(range.clone()).unwrap_or_default();
        let unwrap = |(name, value): (String, Literal)| (name, value.get("value").cloned().unwrap_or(value));
        let mut all: Vec<(String, Literal)> = bson::read(bytes, range.start)?.into_iter().map(unwrap).collect();
        for (name, text) in &operator.parameters {
            if all.iter().all(|(have, _)| have != name) {
                all.push(((*name).to_owned(), Literal::Str(text.clone())));
            }
        }
        Ok(all)
    }

    /// Bytes of the file.
    pub fn bytes(&self) -> &[u8] {
        &self.file.0
    }

    /// The embedded Python dictionary, where it can be parsed.
    pub fn attributes(&self) -> Option<&Literal> {
        self.attributes.as_ref()
    }

    /// What the dictionary says about inputs and outputs, in its order.
    pub fn ports(&self) -> &[PortAttributes] {
        &self.ports
    }

    /// The JSON text after the FlatBuffer.
    pub fn tail(&self) -> &Tail {
        &self.tail
    }

    /// Contradictions that do not prevent use.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Index of the blob with the first graph's register programs.
    pub fn program_blob(&self) -> Option<usize> {
        self.graphs[0].program_blob()
    }

    /// Index of the blob with the first graph's task list.
    pub fn task_blob(&self) -> Option<usize> {
        self.graphs[0].task_blob()
    }

    /// The task list of the first graph: the regions for one core, two cores (first, second) and three cores (first
    /// to third), one after the other. Empty when no operator runs on the NPU.
    ///
    /// # Errors
    /// When the blob is not a whole number of records.
    pub fn task_list(&self) -> Result<Vec<TaskRecord>> {
        self.task_list_of(&self.graphs[0])
    }

    /// The same for any graph of this model.
    ///
    /// # Errors
    /// When the blob is not a whole number of records.
    pub fn task_list_of(&self, graph: &Graph) -> Result<Vec<TaskRecord>> {
        let Some(index) = graph.task_blob() else { return Ok(Vec::new()) };
        let Some(range) = self.blobs.get(index).cloned() else { return Ok(Vec::new()) };
        let (records, rest) = self.bytes()[range.clone()].as_chunks();
        if !rest.is_empty() {
            return Err(Error::OutOfRange {
                offset: range.start,
                what: "length of the task list",
                value: range.len() as u64,
                limit: (records.len() * TaskRecord::SIZE) as u64,
            });
        }
        Ok(records.iter().map(TaskRecord::from_bytes).collect())
    }

    /// Where each blob lies in the weight buffer.
    pub fn weight_image(&self) -> WeightImage {
        WeightImage::new(self.blobs.iter().map(Range::len))
    }

    /// Checks that the model is for `soc` (`rk3588`; case is ignored).
    ///
    /// # Errors
    /// [`Error::WrongSoc`], which names both.
    pub fn require_soc(&self, soc: &str) -> Result<()> {
        let platforms = &self.tail.target_platform;
        if platforms.iter().any(|name| name.eq_ignore_ascii_case(soc)) {
            return Ok(());
        }
        Err(Error::WrongSoc { found: platforms.join(", "), wanted: soc.to_owned() })
    }

    /// Compares what the file says twice.
    fn cross_check(&mut self) {
        let mut warnings = Vec::new();
        let mut side = |what: &str, indices: &[usize], norms: &[attributes::NormTensor]| {
            if indices.len() != norms.len() {
                let (graph, json) = (indices.len(), norms.len());
                warnings.push(format!("the graph has {graph} {what}s, the JSON text {json}"));
            }
            for (&index, norm) in indices.iter().zip(norms) {
                let tensor = &self.graphs[0].tensors[index];
                if tensor.name != norm.name {
                    warnings.push(format!("{what} {} of the graph is {} in the JSON text", tensor.name, norm.name));
                }
            }
        };
        side("input", &self.graphs[0].inputs, &self.tail.inputs);
        side("output", &self.graphs[0].outputs, &self.tail.outputs);
        if self.header.trailing > 0 {
            warnings.push(format!("{} bytes follow the JSON text", self.header.trailing));
        }
        self.warnings.append(&mut warnings);
    }
}

impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let on_npu = self.operators().iter().filter(|operator| operator.tasks.iter().any(|&n| n > 0)).count();
        write!(
            f,
            "{}: container {}, toolkit {}, {} inputs, {} outputs, {} operators ({on_npu} on the NPU), {} blobs, {} bytes",
            self.tail.target_platform.join(", "),
            self.header.version,
            self.tail.version,
            self.inputs().len(),
            self.outputs().len(),
            self.operators().len(),
            self.blobs.len(),
            self.bytes().len(),
        )
    }
}

/// Reads a 64-bit length at `offset` and returns the range of what it measures.
fn measured(bytes: &[u8], offset: usize, start: usize, what: &'static str) -> Result<Range<usize>> {
    let length = bytes.get(offset..offset + 8).map(|b| u64::from_le_bytes(std::array::from_fn(|i| b[i])));
    let have = bytes.len() as u64;
    let truncated = |missing| Error::Truncated { offset: offset.min(bytes.len()), what, missing };
    let length = length.ok_or_else(|| truncated((offset as u64 + 8).saturating_sub(have)))?;
    let end = (start as u64).saturating_add(length);
    match usize::try_from(end) {
        Ok(end) if end <= bytes.len() => Ok(start..end),
        _ => Err(Error::Truncated { offset: start.min(bytes.len()), what, missing: end - have }),
    }
}

/// Magic and 4 zero bytes, version, FlatBuffer length; version 1 ends there (24 bytes), later ones pad to 64.
fn read_header(bytes: &[u8]) -> Result<Header> {
    let version = match sniff(bytes) {
        FileKind::Rknn { version } => version,
        other => return Err(Error::NotRknn(other)),
    };
    if bytes.len() < 24 {
        return Err(Error::Truncated { offset: 0, what: "header", missing: 24 - bytes.len() as u64 });
    }
    if !(1..=6).contains(&version) {
        return Err(Error::UnsupportedVersion { version });
    }
    let flatbuffer = measured(bytes, 16, if version > 1 { 64 } else { 24 }, "FlatBuffer")?;
    if bytes.get(flatbuffer.start + 4..flatbuffer.start + 8) != Some(b"RKNN") || flatbuffer.len() < 8 {
        return Err(Error::Missing { offset: flatbuffer.start + 4, what: "FlatBuffer identifier RKNN" });
    }
    let json = measured(bytes, flatbuffer.end, flatbuffer.end.saturating_add(8), "JSON text")?;
    let trailing = bytes.len() - json.end;
    Ok(Header { version, flatbuffer, json, trailing })
}

/// Blobs may not overlap so much that together they are larger than the FlatBuffer: the weight image is made of them.
fn check_total(blobs: &[Range<usize>], flatbuffer: &Range<usize>) -> Result<()> {
    let total = blobs.iter().map(|blob| blob.len() as u64).fold(0, u64::saturating_add);
    let limit = flatbuffer.len() as u64;
    let error = Error::OutOfRange { offset: flatbuffer.start, what: "total length of the blobs", value: total, limit };
    if total > limit { Err(error) } else { Ok(()) }
}

/// Relocations must lie in the program blob, so that whoever applies them need not check again. Patches that are not
/// about the register of their slot are uninitialised memory of the compiler (seen for RK3566 and RK3568) and dropped.
fn check_commands(graph: &mut Graph, blobs: &[Range<usize>], bytes: &[u8]) -> Result<()> {
    let range = graph.program_blob().and_then(|blob| blobs.get(blob)).cloned().unwrap_or_default();
    let (commands, _) = bytes.get(range).unwrap_or_default().as_chunks::<8>();
    for relocations in &graph.relocations {
        if let Some(place) = relocations.places.iter().find(|place| place.command >= commands.len()) {
            return Err(Error::OutOfRange {
                offset: relocations.place,
                what: "command of a relocation",
                value: place.command as u64,
                limit: (commands.len() as u64).saturating_sub(1),
            });
        }
    }
    let real =
        |patch: &Patch| commands.get(patch.command).is_some_and(|command| command[..2] == patch.register.to_le_bytes());
    for program in graph.input_patches.iter_mut().flat_map(|input| &mut input.programs) {
        program.sizes.retain(real);
        program.conversions.retain(real);
    }
    Ok(())
}

fn read_info(table: &Table<'_>) -> Result<Info> {
    Ok(Info {
        schema: table.u32(root::SCHEMA, "root slot 0")?,
        format: table.string(root::FORMAT, "format")?,
        compiler: table.string(root::COMPILER, "compiler")?,
        runtime: table.string(root::RUNTIME, "runtime")?,
        source: table.string(root::SOURCE, "source")?,
        input_json: table.string(root::INPUT_JSON, "input JSON")?,
        output_json: table.string(root::OUTPUT_JSON, "output JSON")?,
        shape_mode: table.string(root::SHAPE_MODE, "shape mode")?,
        attributes: table.string(root::ATTRIBUTES, "attribute dictionary")?,
    })
}

fn read_memory(table: &Table<'_>) -> Result<Option<Memory>> {
    let Some(table) = table.table(root::MEMORY, "memory sizes")? else { return Ok(None) };
    Ok(Some(Memory {
        weights: table.u64(memory::WEIGHTS, "weight size")?,
        activations: table.u64(memory::ACTIVATIONS, "activation size")?,
    }))
}

fn read_tail(bytes: &[u8], header: &Header) -> Result<Tail> {
    let offset = header.json.start;
    let error = |e: serde_json::Error| Error::Json { offset, message: e.to_string() };
    serde_json::from_slice(&bytes[header.json.clone()]).map(Tail::new).map_err(error)
}
