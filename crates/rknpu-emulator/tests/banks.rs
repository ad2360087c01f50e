//! The register banks: what a task that writes little runs with, and that simpler rules would be wrong.

mod common;

use common::{Machine, address, copy_job, pooling};
use ferrite_rknpu::typed::{Job, PoolingMethod, Precision};
use ferrite_rknpu::{Command, EnableMask, reg};

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
