//! Cores that depend on each other within a submission, and reads of memory without contents.

mod common;

use common::{Machine, address, copy_job};
use ferrite_device::memory::{DeviceMemory, Fault, Settings};
use ferrite_rknpu::typed::Precision;
use ferrite_rknpu::{CoreMask, Submission, TaskRange};
use ferrite_rknpu_emulator::{Emulator, Error, Limits, Options};

const SIZE: (u32, u32, u32) = (4, 4, 16);

/// A machine that watches its cores or does not.
fn machine(core_conflicts: bool) -> Machine {
    Machine::with(Options { core_conflicts, ..Options::default() }, Limits::default())
}

/// The first task on core 0, the second on core 1.
fn on_two_cores(machine: &Machine) -> Result<(), Error> {
    let single = machine.submission();
    let none = TaskRange::default();
    let subcores = [TaskRange { start: 0, number: 1 }, TaskRange { start: 1, number: 1 }, none, none, none];
    machine.flush();
    machine.emulator.run(&Submission { core_mask: CoreMask::CORE0 | CoreMask::CORE1, subcores, ..single })
}

#[test]
fn a_core_that_reads_what_another_writes_is_an_error_where_that_is_asked_for() {
    for watched in [false, true] {
        let mut machine = machine(watched);
        let source = machine.buffer(&[10; 256]);
        let [middle, end] = [(); 2].map(|()| machine.space(256));
        machine.task(&copy_job(Precision::Int8, SIZE, address(&source), address(&middle)));
        machine.task(&copy_job(Precision::Int8, SIZE, address(&middle), address(&end)));
        let result = on_two_cores(&machine);
        if !watched {
            assert!(result.is_ok(), "{result:?}");
            continue;
        }
        let Err(Error::CoreConflict { task, other, range }) = result else { panic!("{result:?}") };
        assert_eq!((task.index, task.core, task.writes, &*task.register), (1, 1, false, "DPU_RDMA.RDMA_SRC_BASE_ADDR"));
        assert_eq!((other.index, other.core, other.writes, &*other.register), (0, 0, true, "DPU.DST_BASE_ADDR"));
        assert_eq!(range, middle.device_address()..middle.device_address() + 256);
        // One after the other on one core, all is well.
        assert!(machine.run().is_ok());
    }
}

#[test]
fn a_core_that_writes_what_another_reads_is_an_error_too() {
    let mut machine = machine(true);
    let [first, second] = [(); 2].map(|()| machine.buffer(&[10; 256]));
    let end = machine.space(256);
    machine.task(&copy_job(Precision::Int8, SIZE, address(&first), address(&end)));
    machine.task(&copy_job(Precision::Int8, SIZE, address(&second), address(&first)));
    let Err(Error::CoreConflict { task, other, .. }) = on_two_cores(&machine) else { panic!("no conflict") };
    assert!(task.writes && !other.writes);
}

#[test]
fn cores_that_read_the_same_and_write_apart_are_fine() {
    let mut machine = machine(true);
    let source = machine.buffer(&[10; 256]);
    let [first, second] = [(); 2].map(|()| machine.space(256));
    machine.task(&copy_job(Precision::Int8, SIZE, address(&source), address(&first)));
    machine.task(&copy_job(Precision::Int8, SIZE, address(&source), address(&second)));
    on_two_cores(&machine).unwrap();
    assert_eq!(machine.bytes(&second), [10; 256]);
}

#[test]
fn a_task_that_reads_what_nobody_wrote_is_told_with_its_register() {
    let memory = DeviceMemory::new(Settings { unwritten: true, ..Settings::default() });
    let mut machine = Machine::continued(Emulator::new(memory));
    let source = machine.emulator.memory().allocate(256).unwrap();
    let end = machine.space(256);
    machine.task(&copy_job(Precision::Int8, SIZE, address(&source), address(&end)));
    let Err(Error::Access { task: 0, register, source: error }) = machine.run() else { panic!("no error") };
    assert_eq!(register, "DPU_RDMA.RDMA_SRC_BASE_ADDR");
    assert!(matches!(error.fault, Fault::Unwritten { .. }), "{error}");
}
