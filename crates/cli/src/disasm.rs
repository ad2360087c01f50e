//! `ferrite disasm`.

mod document;
mod listing;

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::path::Path;

use ferrite_rknn::{Model, TaskRecord};
use ferrite_rknn_runtime::{Plan, PlanOptions, Step};
use ferrite_rknpu::{Command, CommandKind, Program};

use crate::args::DisasmArgs;
use crate::failure::{Exit, Failure};
use crate::printer::Printer;
use crate::{source, suggest, xdna};

pub(crate) fn run(args: &DisasmArgs, as_json: bool, printer: &mut Printer) -> Result<Exit, Failure> {
    if args.raw {
        let bytes = source::read(&args.file, "the program")?;
        let tasks = raw_tasks(&bytes, args)?;
        print(args, as_json, &tasks, printer);
        return Ok(Exit::Ok);
    }
    if let Some(file) = xdna::open(&args.file)? {
        return xdna::disasm(args, &file, as_json, printer);
    }
    let model = source::model(&args.file)?;
    let tasks = model_tasks(&model, args)?;
    print(args, as_json, &tasks, printer);
    Ok(Exit::Ok)
}

fn print(args: &DisasmArgs, as_json: bool, tasks: &[Task], printer: &mut Printer) {
    if as_json { document::print(args, tasks, printer) } else { listing::print(args, tasks, printer) }
}

/// One program with what is known about it.
struct Task {
    /// Index in the task list, or in the file with `--raw`.
    index: usize,
    /// Index, name and type of its operator.
    operator: Option<(usize, String, String)>,
    /// Its core, and the number of cores of the plan it belongs to.
    core: (usize, usize),
    /// Byte offset of the program in the program blob or the file.
    offset: u64,
    program: Program,
    /// What addresses in the program refer to, by index of the command.
    addresses: HashMap<usize, Address>,
    /// What it runs with; only with `--state`.
    state: Option<Result<State, String>>,
}

/// The tensor an address register is relocated with.
#[derive(Debug, Clone)]
struct Address {
    name: String,
    addend: u32,
}

/// The registers a task runs with.
struct State {
    /// Every register that is not zero, as the command that would write it, and whether this task wrote it.
    registers: Vec<(Command, bool)>,
    /// Number of lookup table entries that the task writes.
    lut_entries: usize,
}

/// A part of the task list that one core runs.
struct Region {
    core: (usize, usize),
    tasks: Range<usize>,
}

/// The regions of the task list: for one core, for two (first, second), for three.
fn regions(model: &Model, tasks: usize) -> Vec<Region> {
    let mut start = 0_usize;
    let mut list = Vec::new();
    for (i, core) in [(0, 1), (0, 2), (1, 2), (0, 3), (1, 3), (2, 3)].into_iter().enumerate() {
        let counts = model.operators().iter().map(|operator| operator.task_count(i) as usize);
        let number = counts.fold(0_usize, usize::saturating_add);
        let end = start.saturating_add(number).min(tasks);
        list.push(Region { core, tasks: start..end });
        start = end;
    }
    list
}

fn model_tasks(model: &Model, args: &DisasmArgs) -> Result<Vec<Task>, Failure> {
    let records = model.task_list().map_err(|error| source::refused(&args.file, &error))?;
    let programs = model.program_blob().and_then(|blob| model.blob(blob)).unwrap_or_default();
    let operator = args.operator.as_deref().map(|wanted| find_operator(model, wanted)).transpose()?;
    let mut regions = regions(model, records.len());
    if !args.all_cores {
        regions.truncate(1);
    }
    let known = regions.last().map_or(0, |region| region.tasks.end);
    if let Some(range) = args.task.as_ref().filter(|range| range.start >= known) {
        return Err(no_such_task(range.start, known, records.len()));
    }
    let relocated = addresses(model);
    let starts = submission_starts(model);
    let mut tasks = Vec::new();
    for region in regions {
        let mut banks = ferrite_rknpu::typed::Banks::new();
        for index in region.tasks {
            let record = &records[index];
            if starts.contains(&index) {
                banks = ferrite_rknpu::typed::Banks::new();
            }
            let program = program(&args.file, index, record, programs)?;
            let state = args.state.then(|| replay(&mut banks, &program));
            let wanted = args.task.as_ref().is_none_or(|range| range.contains(&index));
            if !wanted || operator.is_some_and(|operator| operator as u64 != u64::from(record.op_idx)) {
                continue;
            }
            let first = usize::try_from(record.regcmd_addr / 8).unwrap_or(usize::MAX);
            let at = |i| Some((i, relocated.get(&first.checked_add(i)?)?.clone()));
            tasks.push(Task {
                index,
                operator: model
                    .operators()
                    .get(record.op_idx as usize)
                    .map(|operator| (record.op_idx as usize, operator.name.clone(), operator.kind.clone())),
                core: region.core,
                offset: record.regcmd_addr,
                addresses: (0..program.commands.len()).filter_map(at).collect(),
                program,
                state,
            });
        }
    }
    Ok(tasks)
}

/// The first tasks of the single-core plan's submissions, which start with fresh banks. Without a plan (for a model that this
/// version cannot run) all tasks are taken for one submission, as those of the other regions always are.
fn submission_starts(model: &Model) -> HashSet<usize> {
    let Ok(plan) = Plan::new(model, &PlanOptions::default()) else { return HashSet::new() };
    let first = |step: &Step| match step {
        Step::Submit(job) => Some(job.subcores[0].start as usize),
        Step::Host { .. } => None,
    };
    plan.steps().iter().filter_map(first).collect()
}

fn no_such_task(wanted: usize, known: usize, all: usize) -> Failure {
    let failure = Failure::input(format!("there is no task {wanted}: the single-core plan has {known}"));
    if known < all {
        failure.help(format!("`--all-cores` also shows the plans for two and three cores, {all} tasks in all"))
    } else {
        failure
    }
}

fn find_operator(model: &Model, wanted: &str) -> Result<usize, Failure> {
    let operators = model.operators();
    if let Some(index) = operators.iter().position(|operator| operator.name == wanted) {
        return Ok(index);
    }
    if let Some(index) = wanted.parse().ok().filter(|&index: &usize| index < operators.len()) {
        return Ok(index);
    }
    let failure = Failure::input(format!("there is no operator `{wanted}`, and no number below {}", operators.len()));
    Err(match suggest::nearest(wanted, operators.iter().map(|operator| operator.name.as_str())) {
        Some(name) => failure.help(format!("an operator with a similar name exists: `{name}`")),
        None => failure.help("`ferrite inspect` lists the operators"),
    })
}

/// What the relocation table says about each command of the program blob.
fn addresses(model: &Model) -> HashMap<usize, Address> {
    let entries = model.relocations().iter().flat_map(|entry| {
        let name = if entry.tensor.is_some() { entry.name.clone() } else { format!("programs ({})", entry.name) };
        entry.places.iter().map(move |place| (place.command, Address { name: name.clone(), addend: place.addend }))
    });
    entries.collect()
}

fn program(file: &Path, index: usize, record: &TaskRecord, blob: &[u8]) -> Result<Program, Failure> {
    let bytes = record.program_bytes();
    let start = usize::try_from(record.regcmd_addr).unwrap_or(usize::MAX);
    let end = record.regcmd_addr.checked_add(bytes).and_then(|end| usize::try_from(end).ok());
    let range = end.and_then(|end| blob.get(start..end));
    let outside = || {
        Failure::input(format!(
            "task {index} of `{}` has {bytes} bytes of commands at {:#x}, but the programs end at {:#x}",
            file.display(),
            record.regcmd_addr,
            blob.len()
        ))
    };
    let read = Program::from_bytes(range.ok_or_else(outside)?);
    read.map_err(|error| Failure::input(format!("task {index} is no program")).because(&error))
}

/// The programs of a bare file: each ends with the command that starts the blocks.
fn raw_tasks(bytes: &[u8], args: &DisasmArgs) -> Result<Vec<Task>, Failure> {
    let all = Program::from_bytes(bytes)
        .map_err(|error| Failure::input(format!("`{}` is no program", args.file.display())).because(&error))?;
    let mut banks = ferrite_rknpu::typed::Banks::new();
    let mut offset = 0;
    let mut tasks = Vec::new();
    let ends = |command: &Command| matches!(command.decode(), CommandKind::Enable { .. });
    for (index, commands) in all.commands.split_inclusive(ends).enumerate() {
        let program = Program::from(commands.to_vec());
        let state = args.state.then(|| replay(&mut banks, &program));
        let wanted = args.task.as_ref().is_none_or(|range| range.contains(&index));
        let bytes = commands.len() as u64 * 8;
        if wanted {
            tasks.push(Task { index, operator: None, core: (0, 1), offset, program, addresses: HashMap::new(), state });
        }
        offset += bytes;
    }
    match &args.task {
        Some(range) if tasks.is_empty() => {
            Err(Failure::input(format!("there is no program {} in the file", range.start)))
        }
        _ => Ok(tasks),
    }
}

fn replay(banks: &mut ferrite_rknpu::typed::Banks, program: &Program) -> Result<State, String> {
    let effective = banks.apply(&program.commands).map_err(|error| error.to_string())?;
    let mut registers = Vec::new();
    for (block, bank) in &effective.banks {
        for (offset, value) in bank.nonzero(*block) {
            let written = program.commands.iter().any(|command| match command.decode() {
                CommandKind::Write { offset: at, .. } => at == offset,
                _ => false,
            });
            registers.extend(Command::write(offset, value).map(|command| (command, written)));
        }
    }
    Ok(State { registers, lut_entries: effective.lut.len() })
}
