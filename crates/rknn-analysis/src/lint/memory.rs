//! Where tasks read and write.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;

use ferrite_rknn::{Model, Target};
use ferrite_rknn_runtime::{BufferRole, Plan, PlanOptions};
use ferrite_rknpu::registers::Kind as RegisterKind;
use ferrite_rknpu::typed::ranges::{Direction, Region as Dma, regions};
use ferrite_rknpu::{Command, CommandKind, RegisterInfo, reg};

use super::{At, Kind, Place, Report, operator_place};
use crate::programs::{COMMAND_BYTES, Programs};

/// Bytes of a page: devices map buffers by these, so what lies behind a buffer's last byte is its own up to there.
const PAGE: i64 = 4096;
/// Bytes of an atom, the unit of feature cubes.
const ATOM: i64 = 16;
/// Constants of a channel group are fetched whole: 4 records of 64 bytes for 32 channels.
const CONSTANT_GROUP: i64 = 256;
/// Bytes moved beyond which a task is not followed: a corrupt program can ask for any number.
const MOST_BYTES: u64 = 1 << 28;

pub(super) fn check(programs: &Programs<'_>, report: &mut Report) {
    let layout = Layout::new(programs.model());
    relocations(programs, report);
    for region in programs.regions() {
        let single = region.cores == 1;
        let mut history = History::default();
        let mut operator = None;
        for task in programs.replay(region) {
            let Ok(job) = &task.job else { continue };
            let mut at = At { programs, task: &task, report };
            let accesses = match regions(job) {
                Ok(found) => found,
                Err(error) => {
                    at.register(Kind::UnknownCode, error.register, None, error.to_string());
                    continue;
                }
            };
            let accesses: Vec<Access> = accesses.into_iter().filter_map(|dma| access(&mut at, &layout, dma)).collect();
            accesses.iter().for_each(|access| bounds(&mut at, &layout, access));
            // Only the plan for one core runs its tasks in the order of the list.
            if single {
                let now = task.operator.map(|(index, _)| index);
                if now != operator {
                    layout.on_host(operator.map_or(0, |index| index + 1)..now.unwrap_or(0), &mut history);
                    operator = now;
                }
                follow(&mut at, &layout, &accesses, &mut history);
            }
        }
    }
}

/// Every relocation must hit an address register, and every address must be relocated.
fn relocations(programs: &Programs<'_>, report: &mut Report) {
    let model = programs.model();
    let blob = model.program_blob().and_then(|blob| model.blob(blob)).unwrap_or_default();
    let (words, _) = blob.as_chunks::<COMMAND_BYTES>();
    let mut inside = Cursor::new(programs);
    for (index, word) in words.iter().enumerate() {
        let command = Command(u64::from_le_bytes(*word));
        let CommandKind::Write { offset, value, .. } = command.decode() else { continue };
        let Some(register) = RegisterInfo::at(offset) else { continue };
        let address = programs.address(index);
        let message = match address {
            Some(_) if !register.kind.is_address() => "is relocated, and holds no address".to_owned(),
            Some(address) if address.addend != value => {
                format!("holds {value:#x}, its relocation says {:#x}", address.addend)
            }
            None if matches!(register.kind, RegisterKind::Read | RegisterKind::Write) && value != 0 => {
                let place = inside.place(index, register);
                report.add(Kind::UnrelocatedAddress, place, format!("address {value:#x} is not relocated"));
                continue;
            }
            _ => continue,
        };
        report.add(Kind::BadRelocation, inside.place(index, register), message);
    }
}

/// Finds the task that a command belongs to.
struct Cursor<'p, 'a> {
    programs: &'p Programs<'a>,
    /// First command -> task.
    tasks: BTreeMap<usize, usize>,
}

impl<'p, 'a> Cursor<'p, 'a> {
    fn new(programs: &'p Programs<'a>) -> Self {
        let first = |record: &ferrite_rknpu::TaskRecord| (record.regcmd_addr / COMMAND_BYTES as u64) as usize;
        Self {
            programs,
            tasks: programs.records().iter().enumerate().map(|(task, record)| (first(record), task)).collect(),
        }
    }

    fn place(&mut self, command: usize, register: &RegisterInfo) -> Place {
        let task = self.tasks.range(..=command).next_back().map(|(_, task)| *task);
        let owner = task.map(|task| self.programs.records()[task].op_idx as usize);
        Place {
            task,
            register: Some(register.full_name()),
            offset: self.programs.file_offset(command),
            operator: owner.and_then(|owner| operator_place(self.programs.model(), owner).operator),
        }
    }
}

/// Where the tensors and the buffers of a model lie.
struct Layout<'m> {
    model: &'m Model,
    buffers: HashMap<BufferRole, i64>,
    /// Tensors that no operator takes: the compiler writes rubbish there.
    scratch: HashSet<usize>,
    image: ferrite_rknn::WeightImage,
}

impl<'m> Layout<'m> {
    fn new(model: &'m Model) -> Self {
        let image = model.weight_image();
        let mut buffers = HashMap::new();
        if let Ok(plan) = Plan::new(model, &PlanOptions::default()) {
            buffers.extend(plan.buffers().iter().map(|buffer| (buffer.role, buffer.bytes as i64)));
        } else {
            // What the file says itself, for models that contradict themselves.
            buffers.insert(BufferRole::Weights, image.size as i64);
            buffers.insert(BufferRole::Activations, model.memory().map_or(0, |memory| memory.activations as i64));
            let size = |tensor: usize| i64::from(model.tensors()[tensor].size);
            buffers
                .extend(model.inputs().iter().enumerate().map(|(at, &tensor)| (BufferRole::Input(at), size(tensor))));
            buffers
                .extend(model.outputs().iter().enumerate().map(|(at, &tensor)| (BufferRole::Output(at), size(tensor))));
        }
        let taken: HashSet<usize> = model.operators().iter().flat_map(|operator| operator.inputs.clone()).collect();
        let scratch = (0..model.tensors().len()).filter(|tensor| !taken.contains(tensor)).collect();
        Self { model, buffers, scratch, image }
    }

    /// The buffer of a tensor, its offset there and its size.
    fn locate(&self, tensor: usize) -> (BufferRole, i64, i64) {
        let description = &self.model.tensors()[tensor];
        if let Some(blob) = description.blob {
            let range = &self.image.blobs[blob];
            return (BufferRole::Weights, range.start as i64, range.len() as i64);
        }
        let size = i64::from(description.size);
        let position = |list: &[usize]| list.iter().position(|&index| index == tensor);
        if let Some(index) = position(self.model.inputs()) {
            return (BufferRole::Input(index), 0, size);
        }
        if let Some(index) = position(self.model.outputs()) {
            return (BufferRole::Output(index), 0, size);
        }
        (BufferRole::Activations, i64::from(description.offset), size)
    }

    /// The distance of surfaces that a reader of a whole graph input assumes, and the one they have, if these differ: inputs
    /// are packed (`docs/rknn-format.md`).
    fn other_stride(&self, access: &Access) -> Option<(i64, i64)> {
        let tensor = access.tensor.filter(|_| matches!(access.buffer, BufferRole::Input(_)))?;
        let [_, _, height, width, _] = self.model.tensors()[tensor].native_shape[..] else { return None };
        let [surfaces, rows, columns] = access.dma.dimensions[..] else { return None };
        let whole = rows.count == u64::from(height) && columns.count == u64::from(width) && surfaces.count > 1;
        let packed = i64::from(height) * i64::from(width) * ATOM;
        (whole && access.dma.direction == Direction::Read && surfaces.stride != packed)
            .then_some((surfaces.stride, packed))
    }

    /// What operators on the host write.
    fn on_host(&self, operators: Range<usize>, history: &mut History) {
        for operator in self.model.operators().get(operators).unwrap_or_default() {
            if operator.target == Target::NPU {
                continue;
            }
            for &tensor in &operator.outputs {
                let (buffer, offset, size) = self.locate(tensor);
                history.write(buffer, tensor, offset / ATOM..(offset + size) / ATOM, None);
            }
        }
    }
}

/// One DMA of a task, in its buffer.
struct Access {
    dma: Dma,
    /// The tensor; `None` for the programs themselves.
    tensor: Option<usize>,
    buffer: BufferRole,
    /// Offset of address 0 of the DMA in the buffer: its base is relative to the tensor.
    origin: i64,
}

impl Access {
    /// First byte and first byte behind the last, in the buffer.
    fn bounds(&self) -> (i64, i64) {
        let (low, high) = self.dma.bounds();
        (low.saturating_add(self.origin), high.saturating_add(self.origin))
    }

    /// Calls `each` with the atoms of every run.
    fn atoms(&self, each: &mut impl FnMut(Range<i64>)) {
        self.dma.for_each_run(&mut |run| {
            let (start, end) = (run.start + self.origin, run.end + self.origin);
            each(start.div_euclid(ATOM)..(end + ATOM - 1).div_euclid(ATOM));
        });
    }
}

/// The buffer that a DMA goes to, by the relocation of its address.
fn access(at: &mut At<'_, '_>, layout: &Layout<'_>, dma: Dma) -> Option<Access> {
    // Without a command the register was never written; without a relocation that is reported elsewhere.
    let address = at.programs.address(at.task.origin(dma.register)?)?;
    let (buffer, origin) = match address.tensor {
        Some(tensor) => {
            let (buffer, offset, _) = layout.locate(tensor);
            (buffer, offset)
        }
        None => {
            let blob = layout.model.program_blob()?;
            (BufferRole::Weights, layout.image.blobs[blob].start as i64)
        }
    };
    (dma.bytes() > 0).then_some(Access { dma, tensor: address.tensor, buffer, origin })
}

/// A DMA against its buffer and its tensor.
fn bounds(at: &mut At<'_, '_>, layout: &Layout<'_>, access: &Access) {
    let (low, high) = access.bounds();
    let size = layout.buffers.get(&access.buffer).copied().unwrap_or(0);
    let writes = access.dma.direction == Direction::Write;
    let verb = if writes { "writes" } else { "reads" };
    let register = access.dma.register;
    let name = access.tensor.map_or("the programs", |tensor| layout.model.tensors()[tensor].name.as_str());
    if low < 0 || high > size {
        let pages = (size + PAGE - 1) / PAGE * PAGE;
        let kind = if low < 0 || high > pages { Kind::OutsideBuffer } else { Kind::OutsideBytes };
        let message = format!(
            "{verb} bytes {low:#x} to {high:#x} of buffer `{}`, which has {size:#x} (tensor `{name}`)",
            access.buffer
        );
        return at.register(kind, register, None, message);
    }
    let Some(tensor) = access.tensor else { return };
    let constant = access.buffer == BufferRole::Weights;
    if writes && constant && !layout.scratch.contains(&tensor) {
        return at.register(Kind::WriteToConstants, register, None, format!("writes into constant `{name}`"));
    }
    if let Some((stride, packed)) = layout.other_stride(access) {
        let message = format!("reads surfaces of input `{name}` {stride} bytes apart, they lie {packed} apart");
        at.register(Kind::StrideMismatch, register, None, message);
    }
    let (_, start, length) = layout.locate(tensor);
    let slack = if constant { CONSTANT_GROUP } else { 0 };
    if low < start || high > start + length + slack {
        let message =
            format!("{verb} bytes {:#x} to {:#x} of tensor `{name}`, which has {length:#x}", low - start, high - start);
        at.register(Kind::OutsideTensor, register, None, message);
    }
}

/// Who wrote each atom of a buffer last, and which tensors lost atoms to others.
#[derive(Default)]
struct History {
    owners: HashMap<BufferRole, Vec<u32>>,
    /// What each tensor lost, in order.
    losses: HashMap<usize, Vec<Loss>>,
}

/// Atoms of a tensor that were overwritten.
struct Loss {
    /// With which tensor.
    by: usize,
    /// By which task; `None` for an operator on the host.
    task: Option<usize>,
    atoms: Range<i64>,
}

/// No tensor.
const NOBODY: u32 = u32::MAX;

impl History {
    fn write(&mut self, buffer: BufferRole, tensor: usize, atoms: Range<i64>, task: Option<usize>) {
        let owners = self.owners.entry(buffer).or_default();
        let (start, end) = (atoms.start.max(0) as usize, atoms.end.max(0) as usize);
        if owners.len() < end {
            owners.resize(end, NOBODY);
        }
        let mut at = start;
        while at < end {
            let before = owners[at];
            let run = owners[at..end].iter().take_while(|owner| **owner == before).count();
            if before != NOBODY && before as usize != tensor {
                let lost = Loss { by: tensor, task, atoms: at as i64..(at + run) as i64 };
                self.losses.entry(before as usize).or_default().push(lost);
            }
            owners[at..at + run].fill(tensor as u32);
            at += run;
        }
    }

    /// Who took an atom of `tensor` that it had written before, if anybody did.
    fn thief(&self, buffer: BufferRole, tensor: usize, atoms: &Range<i64>) -> Option<(usize, Option<usize>, i64)> {
        let owners = self.owners.get(&buffer)?;
        let (start, end) = (atoms.start.max(0) as usize, (atoms.end.max(0) as usize).min(owners.len()));
        let stranger =
            owners.get(start..end)?.iter().position(|owner| *owner != NOBODY && *owner as usize != tensor)?;
        let atom = (start + stranger) as i64;
        let losses = self.losses.get(&tensor)?;
        let loss = losses.iter().rev().find(|loss| loss.atoms.contains(&atom))?;
        Some((loss.by, loss.task, atom))
    }
}

/// Follows the data: a task may read what its tensor's producers wrote, and not what something else put there since.
fn follow(at: &mut At<'_, '_>, layout: &Layout<'_>, accesses: &[Access], history: &mut History) {
    // What lies outside its buffer is reported already, and could be anywhere.
    let astray = |access: &Access| {
        let (low, high) = access.bounds();
        low < 0 || high > layout.buffers.get(&access.buffer).map_or(0, |size| size + PAGE)
    };
    if accesses.iter().any(|access| access.dma.bytes() > MOST_BYTES || astray(access)) {
        return;
    }
    let (reads, writes): (Vec<_>, Vec<_>) = accesses.iter().partition(|access| access.dma.direction == Direction::Read);
    for read in &reads {
        let Some(tensor) = read.tensor.filter(|_| read.buffer != BufferRole::Weights) else { continue };
        let mut found = None;
        read.atoms(&mut |atoms| {
            if found.is_none() {
                found = history.thief(read.buffer, tensor, &atoms);
            }
        });
        if let Some((by, task, atom)) = found {
            let name = |tensor: usize| layout.model.tensors()[tensor].name.clone();
            let task = task.map_or("an operator on the host".to_owned(), |task| format!("task {task}"));
            let message = format!(
                "reads tensor `{}`, which {task} overwrote with `{}` at byte {:#x} of the buffer",
                name(tensor),
                name(by),
                atom * ATOM
            );
            at.register(Kind::Clobbered, read.dma.register, None, message);
        }
    }
    for write in &writes {
        for read in reads.iter().filter(|read| read.buffer == write.buffer) {
            overlap(at, layout, read, write);
        }
    }
    let task = at.task.index;
    for write in writes {
        let Some(tensor) = write.tensor.filter(|_| write.buffer != BufferRole::Weights) else { continue };
        write.atoms(&mut |atoms| history.write(write.buffer, tensor, atoms, Some(task)));
    }
}

/// A task may write where it reads, if it gets there later: both walk their cubes at the same pace, so an atom must be read in no
/// later part of the walk than it is written in. (The compiler narrows float32 to half precision in place.) A convolution looks at
/// its input around every output and for every group of kernels, so it may not write over another tensor that it reads at all.
fn overlap(at: &mut At<'_, '_>, layout: &Layout<'_>, read: &Access, write: &Access) {
    let (read_low, read_high) = read.bounds();
    let (low, high) = write.bounds();
    let apart = read_high <= low || high <= read_low;
    // A program that fills a lookup table copies its own first bytes onto themselves.
    let itself = read.tensor.is_none() && write.tensor.is_none();
    if apart || itself {
        return;
    }
    let (written, count) = order(write, read_low..read_high);
    let (taken, of) = order(read, low..high);
    let anywhere = read.dma.register == reg::cna::FEATURE_DATA_ADDR && read.tensor != write.tensor;
    let late = |atom: &&i64| match (written.get(*atom), taken.get(*atom)) {
        (Some(write), Some(read)) => anywhere || read * count > write * of,
        _ => false,
    };
    if let Some(atom) = taken.keys().filter(late).min() {
        let name = |tensor: Option<usize>| {
            tensor.map_or("the programs", |tensor| layout.model.tensors()[tensor].name.as_str())
        };
        let message = format!(
            "writes `{}` over what {} still reads of `{}`, at byte {:#x} of buffer `{}`",
            name(write.tensor),
            read.dma.name(),
            name(read.tensor),
            atom * ATOM,
            write.buffer
        );
        // The compiler lets some tasks work in place although they do not walk alike.
        let kind = if read.tensor == write.tensor { Kind::InPlace } else { Kind::Overlap };
        at.register(kind, write.dma.register, None, message);
    }
}

/// When each atom inside `bounds` is first touched, counted in atoms, and how many the walk touches.
fn order(access: &Access, bounds: Range<i64>) -> (HashMap<i64, u64>, u64) {
    let (first, end) = (bounds.start.div_euclid(ATOM), (bounds.end + ATOM - 1).div_euclid(ATOM));
    let mut touched = HashMap::new();
    let mut count = 0;
    access.atoms(&mut |atoms| {
        for atom in atoms.start.max(first)..atoms.end.min(end) {
            touched.entry(atom).or_insert(count + (atom - atoms.start) as u64);
        }
        count += (atoms.end - atoms.start) as u64;
    });
    (touched, count)
}
