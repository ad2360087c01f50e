//! The programs of a model, task by task, as the cores will run them.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;

use ferrite_rknn::{Model, Operator};
use ferrite_rknn_runtime::{Plan, PlanOptions, Step};
use ferrite_rknpu::typed::{Banks, EffectiveState, Job, ReplayError};
use ferrite_rknpu::{Block, Command, CommandKind, CoreMask, Program, TaskRecord, reg};

/// Bytes of a command.
pub const COMMAND_BYTES: usize = 8;
/// The plans that the task list has regions for: cores of the plan, and its regions' cores.
const REGIONS: [(usize, usize); 6] = [(1, 0), (2, 0), (2, 1), (3, 0), (3, 1), (3, 2)];

/// A part of the task list: what one core runs in the plan for one, two or three cores.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Region {
    /// Number of cores of the plan.
    pub cores: usize,
    /// The core, from 0.
    pub core: usize,
    /// Its tasks in the task list.
    pub tasks: Range<usize>,
    /// Those of them that start a submission, and so with fresh register banks.
    starts: HashSet<usize>,
}

/// One task, replayed.
#[derive(Debug, Clone)]
pub struct Task<'a> {
    /// Index in the task list.
    pub index: usize,
    /// Its record.
    pub record: TaskRecord,
    /// Whether a submission starts with it.
    pub starts_submission: bool,
    /// Its program.
    pub program: Program,
    /// Index of its first command in the program blob.
    pub first_command: usize,
    /// Its operator, if the record names one.
    pub operator: Option<(usize, &'a Operator)>,
    /// What it does, or why that cannot be said.
    pub job: Result<Job, ReplayError>,
    /// Where register values come from: a bank holds the index of the command, plus one, that wrote each register.
    origin: Option<EffectiveState>,
}

impl Task<'_> {
    /// Index in the program blob of the command that wrote a register of this task; it may belong to an earlier task.
    #[must_use]
    pub fn origin(&self, register: u16) -> Option<usize> {
        let bank = self.origin.as_ref()?.bank(Block::at(register)?)?;
        (bank.get(register) as usize).checked_sub(1)
    }
}

/// The program blob and the task list of a model.
#[derive(Debug, Clone)]
pub struct Programs<'a> {
    model: &'a Model,
    /// The programs, one after the other.
    bytes: &'a [u8],
    records: Vec<TaskRecord>,
    regions: Vec<Region>,
    /// The tensor and the addend that each relocated command refers to.
    addresses: HashMap<usize, Address>,
}

/// What an address in a program refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Address {
    /// The tensor; `None` for the start of the programs.
    pub tensor: Option<usize>,
    /// Bytes from its start.
    pub addend: u32,
}

impl<'a> Programs<'a> {
    /// The programs of a model. A task list that is not whole records has none.
    #[must_use]
    pub fn new(model: &'a Model) -> Self {
        let records = model.task_list().unwrap_or_default();
        let bytes = model.program_blob().and_then(|blob| model.blob(blob)).unwrap_or_default();
        let place =
            |tensor| move |place: &ferrite_rknn::Relocation| (place.command, Address { tensor, addend: place.addend });
        let addresses = model.relocations().iter().flat_map(|list| list.places.iter().map(place(list.tensor)));
        Self { model, bytes, regions: regions(model, records.len()), records, addresses: addresses.collect() }
    }

    /// The model.
    #[must_use]
    pub fn model(&self) -> &'a Model {
        self.model
    }

    /// The task list.
    #[must_use]
    pub fn records(&self) -> &[TaskRecord] {
        &self.records
    }

    /// The parts of the task list that have tasks.
    #[must_use]
    pub fn regions(&self) -> &[Region] {
        &self.regions
    }

    /// Number of commands in the program blob.
    #[must_use]
    pub fn commands(&self) -> usize {
        self.bytes.len() / COMMAND_BYTES
    }

    /// What the address that a command writes refers to.
    #[must_use]
    pub fn address(&self, command: usize) -> Option<Address> {
        self.addresses.get(&command).copied()
    }

    /// Offset in the file of a command.
    #[must_use]
    pub fn file_offset(&self, command: usize) -> Option<usize> {
        let blob = self.model.blobs().get(self.model.program_blob()?)?;
        Some(blob.start + command * COMMAND_BYTES)
    }

    /// Offset in the file of a task record.
    #[must_use]
    pub fn record_offset(&self, task: usize) -> Option<usize> {
        let blob = self.model.blobs().get(self.model.task_blob()?)?;
        Some(blob.start + task * TaskRecord::SIZE)
    }

    /// The commands of a task; `None` where they do not lie in the program blob.
    #[must_use]
    pub fn program(&self, record: &TaskRecord) -> Option<Program> {
        let start = usize::try_from(record.regcmd_addr).ok()?;
        let end = start.checked_add(usize::try_from(record.program_bytes()).ok()?)?;
        Program::from_bytes(self.bytes.get(start..end)?).ok()
    }

    /// Replays the tasks of a region in order; those whose programs lie outside the blob are left out.
    pub fn replay<'s>(&'s self, region: &'s Region) -> impl Iterator<Item = Task<'a>> + 's {
        let (mut banks, mut shadow) = (Banks::new(), Banks::new());
        region.tasks.clone().filter_map(move |index| {
            let record = *self.records.get(index)?;
            let program = self.program(&record)?;
            let starts_submission = region.starts.contains(&index);
            if starts_submission {
                (banks, shadow) = (Banks::new(), Banks::new());
            }
            let first_command = (record.regcmd_addr / COMMAND_BYTES as u64) as usize;
            let job = banks.apply(&program.commands).map(|state| Job::decode(&state));
            let origin = shadow.apply(&origins(&program, first_command)).ok();
            let operator = record.op_idx as usize;
            Some(Task {
                index,
                record,
                starts_submission,
                first_command,
                operator: self.model.operators().get(operator).map(|found| (operator, found)),
                program,
                job,
                origin,
            })
        })
    }
}

/// The program with the index of each command, plus one, in the place of its value. Lookup tables are left out: what is
/// written there is no register.
fn origins(program: &Program, first: usize) -> Vec<Command> {
    let tagged = |(index, command): (usize, &Command)| match command.decode() {
        CommandKind::Write { offset: reg::dpu::LUT_ACCESS_CFG | reg::dpu::LUT_ACCESS_DATA, .. } => Command::NOP,
        CommandKind::Write { .. } => command.with_value(u32::try_from(first + index + 1).unwrap_or(0)),
        _ => *command,
    };
    program.commands.iter().enumerate().map(tagged).collect()
}

/// The parts of the task list, by the operators' counts, as far as the list reaches.
fn regions(model: &Model, records: usize) -> Vec<Region> {
    let mut starts: BTreeMap<usize, HashSet<usize>> = BTreeMap::new();
    let mut end = 0_usize;
    let mut all = Vec::new();
    for (region, (cores, core)) in REGIONS.into_iter().enumerate() {
        let counts = model.operators().iter().map(|operator| operator.task_count(region) as usize);
        let start = end;
        end = counts.fold(end, usize::saturating_add);
        let tasks = start.min(records)..end.min(records);
        let starts = starts.entry(cores).or_insert_with(|| submission_starts(model, cores));
        if !tasks.is_empty() {
            all.push(Region { cores, core, starts: starts.clone(), tasks });
        }
    }
    all
}

/// The tasks that start a submission in the plan for so many cores. Without a plan (for a model that contradicts itself) an
/// operator whose flags differ from the one before counts as a start.
fn submission_starts(model: &Model, cores: usize) -> HashSet<usize> {
    let mask = [CoreMask::default(), CoreMask(3), CoreMask(7)][cores - 1];
    let Ok(plan) = Plan::new(model, &PlanOptions::default().with_cores(mask)) else { return HashSet::new() };
    let submits = plan.steps().iter().filter_map(|step| if let Step::Submit(job) = step { Some(job) } else { None });
    submits
        .flat_map(|job| job.subcores.iter().filter(|range| range.number > 0).map(|range| range.start as usize))
        .collect()
}
