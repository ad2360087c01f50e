//! The task list, and the chain that leads from one program to the next.

use ferrite_rknn::Target;
use ferrite_rknpu::program::register_amounts;
use ferrite_rknpu::{EnableMask, Soc, TaskRecord};

use super::{At, Kind, Place, Report};
use crate::programs::{Programs, Region, Task};

/// Interrupt bits of the blocks that end a task (facts of the vendor's driver): both register groups of DPU, of PPU.
const DPU_DONE: u32 = 0x300;
const PPU_DONE: u32 = 0xc00;
/// Regions of the task list.
const REGIONS: usize = 6;

pub(super) fn check(programs: &Programs<'_>, report: &mut Report) {
    counts(programs, report);
    for index in 0..programs.records().len() {
        record(programs, index, report);
    }
    for region in programs.regions() {
        chain(programs, region, report);
    }
}

/// A record's place, with its operator as the record says.
fn place(programs: &Programs<'_>, index: usize) -> Place {
    let owner = programs.records().get(index).map(|record| record.op_idx as usize);
    let operator = owner.and_then(|owner| Some((owner, programs.model().operators().get(owner)?.name.clone())));
    Place { operator, task: Some(index), register: None, offset: programs.record_offset(index) }
}

/// Operators count their tasks; every record belongs to one of them.
fn counts(programs: &Programs<'_>, report: &mut Report) {
    let (operators, records) = (programs.model().operators(), programs.records());
    let mut next = 0_usize;
    for region in 0..REGIONS {
        for (index, operator) in operators.iter().enumerate() {
            let count = operator.task_count(region) as usize;
            let end = next.saturating_add(count);
            if end > records.len() && count > 0 {
                let message = format!("counts {count} tasks from number {next} on, the list ends at {}", records.len());
                report.add(Kind::MissingTask, super::operator_place(programs.model(), index), message);
            }
            for (task, record) in records.iter().enumerate().take(end).skip(next) {
                if record.op_idx as usize != index {
                    let message = format!("operator {index} submits this task, its record names {}", record.op_idx);
                    report.add(Kind::WrongOwner, place(programs, task), message);
                }
            }
            // The runtime computes operators of the host itself; a graph input's tasks fill row gaps, which it does, too.
            let host = operator.target != Target::NPU && operator.kind != "InputOperator";
            if host && count > 0 && region == 0 {
                let message = format!("runs on the CPU and has {count} tasks, which nobody submits");
                report.add(Kind::UnsubmittedTask, super::operator_place(programs.model(), index), message);
            }
            next = end;
        }
    }
    for task in next..records.len() {
        report.add(Kind::UnsubmittedTask, place(programs, task), "no operator submits this task");
    }
}

/// One record against its own program.
fn record(programs: &Programs<'_>, index: usize, report: &mut Report) {
    let Some(record) = programs.records().get(index) else { return };
    let mut add = |kind, message: String| report.add(kind, place(programs, index), message);
    let Some(program) = programs.program(record) else {
        let message = format!(
            "{} commands at {:#x} do not lie in the {} of the programs",
            record.commands(),
            record.regcmd_addr,
            programs.commands()
        );
        return add(Kind::TaskProgram, message);
    };
    let Some(tail) = program.tail() else {
        let message = format!("a record of {} commands does not end where its program ends", record.regcfg_amount);
        return add(Kind::TaskProgram, message);
    };
    if record.enable_mask != tail.enable {
        let message = format!("the record starts {}, the program {}", record.enable_mask, tail.enable);
        add(Kind::EnableMask, message);
    }
    let done = done(tail.enable);
    if record.int_mask != done {
        let message = format!("waits for interrupt {:#x}, the program raises {done:#x}", record.int_mask);
        add(Kind::InterruptMask, message);
    } else if record.int_clear & done != done {
        let message = format!("waits for interrupt {done:#x} and clears only {:#x}", record.int_clear);
        add(Kind::InterruptMask, message);
    }
}

/// The interrupt bits of what a program starts.
fn done(enable: EnableMask) -> u32 {
    let dpu = if enable.contains(EnableMask::DPU) { DPU_DONE } else { 0 };
    let ppu = if enable.contains(EnableMask::PPU) { PPU_DONE } else { 0 };
    dpu | ppu
}

/// The program controller fetches what each program names as next: within a submission that must be the next task.
fn chain(programs: &Programs<'_>, region: &Region, report: &mut Report) {
    let tasks: Vec<Task<'_>> = programs.replay(region).collect();
    let mut submission = 0;
    for pair in tasks.windows(2) {
        let [task, next] = pair else { continue };
        if next.starts_submission {
            submission = 0;
            continue;
        }
        submission += 1;
        if submission == Soc::RK3588.max_tasks {
            let message = format!("more than {submission} tasks in one submission");
            At { programs, task, report }.record(Kind::TooManyTasks, message);
        }
        link(&mut At { programs, task, report }, &next.record);
    }
}

fn link(at: &mut At<'_, '_>, next: &TaskRecord) {
    // Without a tail the record is wrong, which is said elsewhere.
    let (Some(tail), length) = (at.task.program.tail(), at.task.program.commands.len()) else { return };
    match tail.next_address {
        Some(address) if u64::from(address) == next.regcmd_addr => {}
        Some(address) => {
            let message =
                format!("leads to the program at {address:#x}, the next task's is at {:#x}", next.regcmd_addr);
            at.command(Kind::BrokenChain, length - 4, message);
        }
        None => at.command(Kind::BrokenChain, length - 4, "leads nowhere, and the submission goes on"),
    }
    let commands = u32::try_from(next.commands()).unwrap_or(u32::MAX);
    let wanted = register_amounts(commands, Soc::RK3588.amount_scale).unwrap_or_default();
    if tail.next_amounts & 0xffff != wanted {
        let message = format!("fetches {} for the next program, which has {wanted}", tail.next_amounts & 0xffff);
        at.command(Kind::BrokenChain, length - 3, message);
    }
}
