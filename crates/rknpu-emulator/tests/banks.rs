//! The register banks: what a task that writes little runs with, and that simpler rules would be wrong.

mod common;

use common::{Machine, address, copy_job, pooling};
use ferrite_rknpu::typed::{Job, PoolingMethod, Precision};
use ferrite_rknpu::{Command, CoreMask, EnableMask, Submission, TaskRange, reg};

const SIZE: (u32, u32, u32) = (4, 4, 16);

/// Adds `addend` to every byte.
fn adding(source: u32, destination: u32, addend: u32) -> Job {
    let mut job = copy_job(Precision::Int8, SIZE, source, destination);
    let bs = &mut job.dpu.as_mut().unwrap().bs;
    (bs.bypass, bs.alu_bypass, bs.alu_operand) = (false, false, addend);
    bs.algorithm = ferrite_rknpu::typed::AluAlgorithm::Add;
    job
}

fn retarget(destination: u32) -> Vec<Command> {
    Command::write(reg::dpu::DST_BASE_ADDR, destination).into_iter().collect()
}

/// Two complete tasks, then one that only names another destination. Returns the first byte it wrote.
fn third_task(between: impl FnOnce(&mut Machine, u32)) -> u8 {
    let mut machine = Machine::new();
    let source = machine.buffer(&[10; 256]);
    let [first, second, third] = [(); 3].map(|()| machine.space(256));
    machine.task(&adding(address(&source), address(&first), 1));
    machine.task(&adding(address(&source), address(&second), 2));
    between(&mut machine, address(&source));
    machine.commands(retarget(address(&third)), EnableMask(0x18));
    machine.run().expect("runs");
    assert_eq!((machine.bytes(&first)[0], machine.bytes(&second)[0]), (11, 12));
    machine.bytes(&third)[0]
}

#[test]
fn a_difference_is_to_the_task_two_uses_ago() {
    // With a single bank it would be the second task's 12.
    assert_eq!(third_task(|_, _| {}), 11);
}

#[test]
fn tasks_of_other_blocks_do_not_move_a_pointer() {
    // With one parity for all blocks the pooling task would move the DPU's pointer, and this would be 12.
    let made = third_task(|machine, source| {
        let pooled = machine.space(256);
        let mut job = pooling(Precision::Int8, SIZE, (4, 4), source, address(&pooled));
        job.ppu.as_mut().unwrap().method = PoolingMethod::Max;
        machine.task(&job);
        std::mem::forget(pooled);
    });
    assert_eq!(made, 11);
}

#[test]
fn every_submission_starts_at_the_first_bank() {
    let mut machine = Machine::new();
    let source = machine.buffer(&[10; 256]);
    let [first, second] = [(); 2].map(|()| machine.space(256));
    machine.task(&adding(address(&source), address(&first), 1));
    machine.task(&adding(address(&source), address(&second), 2));
    machine.task(&adding(address(&source), address(&second), 3));
    machine.run().expect("runs");
    // Three tasks moved the pointer an odd number of times; the same submission again must not notice.
    machine.run().expect("runs again");
    assert_eq!((machine.bytes(&first)[0], machine.bytes(&second)[0]), (11, 13));
}

#[test]
fn every_core_has_its_own_banks_and_runs_its_own_tasks() {
    let mut machine = Machine::new();
    let source = machine.buffer(&[10; 256]);
    let outputs = [(); 4].map(|()| machine.space(256));
    machine.task(&adding(address(&source), address(&outputs[0]), 1));
    machine.task(&adding(address(&source), address(&outputs[1]), 2));
    machine.commands(retarget(address(&outputs[2])), EnableMask(0x18));
    machine.task(&adding(address(&source), address(&outputs[3]), 4));
    machine.flush();
    let range = |start, number| TaskRange { start, number };
    // The first core runs tasks 0 to 2, the second one task 3, whose bank must not disturb the first core's.
    let (first, second) = (range(0, 3), range(3, 1));
    let two = Submission {
        core_mask: CoreMask(3),
        subcores: [first, second, first, second, range(u32::MAX, 0)],
        ..machine.submission()
    };
    machine.emulator.run(&two).expect("runs");
    let made = outputs.each_ref().map(|output| machine.bytes(output)[0]);
    assert_eq!(made, [11, 12, 11, 14]);
    // Three cores: the entries from the third on, each core's first task complete.
    let three = Submission {
        core_mask: CoreMask(7),
        subcores: [range(0, 1), range(1, 1), range(0, 1), range(1, 1), range(3, 1)],
        ..machine.submission()
    };
    machine.emulator.run(&three).expect("runs");
    assert_eq!(machine.emulator.statistics().tasks, 4 + 3);
}
