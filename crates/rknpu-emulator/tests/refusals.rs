//! What the emulator refuses, and how it says so.

mod common;

use std::error::Error as _;
use std::time::{Duration, Instant};

use common::{Convolution, Machine, address, copy_job};
use ferrite_device::{BufferKind, Device as _, Submit as _};
use ferrite_rknpu::typed::{AluAlgorithm, Job, Precision};
use ferrite_rknpu::{Command, CoreMask, EnableMask, TaskRange};
use ferrite_rknpu_emulator::{Error, Limits, Options};

const SIZE: (u32, u32, u32) = (4, 4, 8);

/// A machine with one task that copies 256 bytes, changed by `change`.
fn copy_machine(limits: Limits, change: impl FnOnce(&mut Job)) -> Machine {
    let mut machine = Machine::with(Options::default(), limits);
    let source = machine.space(256);
    let output = machine.space(256);
    let mut job = copy_job(Precision::Float16, SIZE, address(&source), address(&output));
    change(&mut job);
    machine.task(&copy_job(Precision::Float16, SIZE, address(&source), address(&output)));
    machine.task(&job);
    std::mem::forget((source, output));
    machine
}

fn full(error: &Error) -> String {
    let mut text = error.to_string();
    let mut next = error.source();
    while let Some(source) = next {
        text += &format!(": {source}");
        next = source.source();
    }
    text
}

fn refusal(change: impl FnOnce(&mut Job)) -> String {
    full(&copy_machine(Limits::default(), change).run().expect_err("refused"))
}

#[test]
fn what_is_not_modelled_names_task_register_and_value() {
    let message = refusal(|job| job.dpu.as_mut().unwrap().minmax = 3);
    assert!(
        message.contains("task 1") && message.contains("DPU.DATA_CUBE_HEIGHT") && message.contains("0x3"),
        "{message}"
    );
    let message = refusal(|job| {
        let bs = &mut job.dpu.as_mut().unwrap().bs;
        (bs.bypass, bs.alu_bypass, bs.algorithm) = (false, false, AluAlgorithm::Unknown(9));
    });
    assert!(message.contains("DPU.BS_CFG") && message.contains("0x9"), "{message}");
    let message = refusal(|job| job.dpu_rdma.as_mut().unwrap().pad_left = 1);
    assert!(message.contains("DPU_RDMA.RDMA_PAD_CFG"), "{message}");
    // Bits without a typed field: a register nobody has named.
    let message = refusal(|job| {
        let block = ferrite_rknpu::Block::Dpu;
        job.rest.push(ferrite_rknpu::typed::RawBits { block, register: 0x40c4, bits: 0x20 });
    });
    assert!(message.contains("0x40c4") && message.contains("0x20"), "{message}");
}

#[test]
fn the_accumulator_shift_is_refused() {
    let shape = Convolution {
        precision: Precision::Float16,
        depthwise: false,
        input: (2, 2, 8),
        outputs: 16,
        kernel: (1, 1),
        stride: (1, 1),
        dilation: (1, 1),
        pad: (0, 0, 0, 0),
    };
    let mut machine = Machine::new();
    let memory = machine.space(4096);
    let mut job = shape.job(address(&memory), &[0; 256], address(&memory), address(&memory));
    job.core.as_mut().unwrap().clip_truncate = 3;
    machine.task(&job);
    let message = full(&machine.run().expect_err("refused"));
    assert!(message.contains("CORE.CLIP_TRUNCATE") && message.contains("0x3"), "{message}");
}

#[test]
fn an_access_outside_of_the_buffers_names_the_address_register() {
    let message = refusal(|job| job.dpu_rdma.as_mut().unwrap().source = 0x10_0000);
    assert!(message.contains("task 1") && message.contains("DPU_RDMA.RDMA_SRC_BASE_ADDR"), "{message}");
    assert!(message.contains("0x100000"), "{message}");
    let message = refusal(|job| job.dpu.as_mut().unwrap().destination = 0x10_0000);
    assert!(message.contains("DPU.DST_BASE_ADDR"), "{message}");
    // A single surface has no next one.
    copy_machine(Limits::default(), |job| job.dpu_rdma.as_mut().unwrap().surface_notch = -4096).run().expect("runs");
}

#[test]
fn allocated_buffers_are_whole_pages() {
    let machine = Machine::new();
    assert_eq!(machine.emulator.allocate(80, BufferKind::Data).expect("memory").len(), 4096);
}

#[test]
fn addresses_below_zero_are_errors() {
    let message = refusal(|job| {
        let rdma = job.dpu_rdma.as_mut().unwrap();
        (rdma.channels, rdma.source, rdma.surface_notch) = (16, 0, -0x7000_0000);
        let dpu = job.dpu.as_mut().unwrap();
        (dpu.channels, dpu.write_channels) = (16, 16);
    });
    assert!(message.contains("DPU_RDMA.RDMA_SRC_BASE_ADDR"), "{message}");
}

#[test]
fn hostile_sizes_end_at_a_limit_at_once() {
    let start = Instant::now();
    for error in [
        copy_machine(Limits::default(), |job| {
            let rdma = job.dpu_rdma.as_mut().unwrap();
            (rdma.width, rdma.height, rdma.channels) = (8192, 8192, 8192);
        }),
        copy_machine(Limits::default(), |job| {
            let rdma = job.dpu_rdma.as_mut().unwrap();
            (rdma.width, rdma.height, rdma.channels) = (8191, 8191, 8);
            rdma.source = 0x1000;
        }),
        copy_machine(Limits::default(), |job| {
            let pooled = common::pooling(Precision::Float16, (8192, 8192, 8192), (8192, 8192), 0, 0);
            *job = pooled;
        }),
    ] {
        let error = error.run().expect_err("refused");
        assert!(matches!(error, Error::Limit { task: 1, .. }), "{error}");
    }
    let shape = Convolution {
        precision: Precision::Float16,
        depthwise: false,
        input: (2047, 2047, 65_528),
        outputs: 8192,
        kernel: (31, 31),
        stride: (1, 1),
        dilation: (1, 1),
        pad: (15, 15, 15, 15),
    };
    let mut machine = Machine::new();
    let memory = machine.space(4096);
    let mut job = shape.job(address(&memory), &[0; 8192], address(&memory), address(&memory));
    job.cna.as_mut().unwrap().weight_bytes = u32::MAX;
    machine.task(&job);
    let error = machine.run().expect_err("refused");
    assert!(matches!(error, Error::Limit { task: 0, .. }), "{error}");
    assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
}

#[test]
fn limits_hold_for_a_submission_as_a_whole() {
    // Two tasks, 512 bytes of data and one program each.
    let bytes = |limit| copy_machine(Limits { bytes: limit, ..Limits::default() }, |_| {}).run();
    let machine = copy_machine(Limits::default(), |_| {});
    machine.run().expect("runs");
    let spent = machine.emulator.statistics();
    assert_eq!((spent.tasks, spent.macs), (2, 0));
    assert_eq!(spent.tasks_by_mask.into_iter().collect::<Vec<_>>(), [(0x18, 2)]);
    assert!(bytes(spent.bytes).is_ok());
    let error = bytes(spent.bytes - 1).expect_err("one byte short");
    assert!(matches!(error, Error::Limit { task: 1, needed: 512, left: 511, .. }), "{error}");
}

#[test]
fn the_device_interface_reports_through_the_fence() {
    let machine = copy_machine(Limits::default(), |_| {});
    assert_eq!(machine.emulator.name(), "RK3588 emulator");
    machine.run().expect("flushes the programs");
    let submission = machine.submission();
    let mut fence = machine.emulator.submit(&submission).expect("accepted");
    assert!(fence.is_done().expect("known"));
    fence.wait(Duration::ZERO).expect("done");
    let mut wrong = submission.clone();
    wrong.subcores[0] = TaskRange { start: 1, number: 7 };
    let error = machine.emulator.submit(&wrong).expect("accepted").wait(Duration::ZERO).expect_err("no such tasks");
    assert!(error.source().expect("a source").to_string().contains("task"), "{error:?}");
    let nobody = ferrite_rknpu::Submission { core_mask: CoreMask(8), ..submission };
    assert!(machine.emulator.submit(&nobody).expect("accepted").wait(Duration::ZERO).is_err());
}

#[test]
fn unflushed_programs_are_errors_in_strict_mode() {
    let machine = copy_machine(Limits::default(), |_| {});
    let error = machine.emulator.run(&machine.submission()).expect_err("nobody flushed");
    assert!(full(&error).contains("nobody flushed"), "{}", full(&error));
}

#[test]
fn programs_without_a_meaning_are_errors() {
    let mut machine = Machine::new();
    machine.commands(vec![Command::new(0x7777, 1, 2)], EnableMask(0x18));
    let message = full(&machine.run().expect_err("refused"));
    assert!(message.contains("task 0") && message.contains("0x7777"), "{message}");
}
