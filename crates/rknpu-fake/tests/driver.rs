//! The driver through its shim, from a client in C that knows the kernel's interface and nothing of this crate.

use std::path::PathBuf;
use std::process::Command;
use std::sync::{Arc, Mutex};

use ferrite_rknpu::Submission;
use ferrite_rknpu::ioctl::{Node, Request};
use ferrite_rknpu_fake::{
    Buffers, DriverOptions, Event, FakeDriver, Faults, FinishedDriver, Leaks, Observer, RecordOnly, Server, What, shim,
};

#[derive(Default)]
struct Log {
    events: Vec<Event>,
    submissions: Vec<(Submission, Vec<u8>)>,
}

struct Watch(Arc<Mutex<Log>>);

impl Observer for Watch {
    fn event(&mut self, event: &Event, _buffers: &Buffers) {
        self.0.lock().unwrap().events.push(event.clone());
    }

    fn submission(&mut self, submission: &Submission, buffers: &Buffers) {
        let mut program = vec![0; 40];
        buffers.read(submission.tasks[0].regcmd_addr, &mut program).unwrap();
        self.0.lock().unwrap().submissions.push((submission.clone(), program));
    }
}

/// What the client printed, whether it succeeded, and the rest. `None` where there is no C compiler.
fn run(options: DriverOptions, arguments: &[&str]) -> Option<(String, bool, FinishedDriver, Arc<Mutex<Log>>)> {
    let machine = shim::Machine::host();
    let client = match shim::compile(machine, "client", include_str!("client.c"), &[], &[]) {
        Err(shim::BuildError::NoCompiler { .. }) => return None,
        client => client.unwrap(),
    };
    let shim: PathBuf = shim::build(machine).unwrap();
    let log = Arc::new(Mutex::new(Log::default()));
    let driver = FakeDriver::new(options, Box::new(RecordOnly)).observed(Box::new(Watch(Arc::clone(&log))));
    let server = Server::start(driver).unwrap();
    let output = Command::new(client).args(arguments).envs(server.environment(&shim)).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    Some((text, output.status.success(), server.finish(), log))
}

const NODE: &str = "/dev/dri/card0";

fn faults(faults: Faults) -> DriverOptions {
    DriverOptions { faults, ..DriverOptions::default() }
}

#[test]
fn a_client_gets_what_the_kernel_would_give() {
    let options = DriverOptions { driver_version: (0, 8, 2), ..DriverOptions::default() };
    let Some((text, success, driver, log)) = run(options, &[NODE]) else { return };
    let expected = "version rknpu 0.8.2\ndriver 802\naddresses ffeff000 ffefd000\ndone 3\nexport shares\nimport same\n";
    assert_eq!(text, expected);
    assert!(success);
    assert_eq!((driver.leaks(), driver.buffers(), driver.submissions()), (Leaks::default(), 0, 1));
    let log = log.lock().unwrap();
    let (submission, program) = &log.submissions[0];
    assert_eq!((submission.range.number, submission.subcores[2].number, submission.tasks.len()), (3, 1, 1));
    // The program as the client wrote it through its mapping: a write to 0x4020 of target 0x1001.
    assert_eq!((&program[..2], &program[6..8]), (&[0x20, 0x40][..], &[0x01, 0x10][..]));
    let unknown: Vec<&Event> = log.events.iter().filter(|event| matches!(event.what, What::Unknown(_))).collect();
    assert_eq!(unknown.len(), 1);
    assert!(unknown[0].error.is_some());
}

/// The driver's other build: a character device, and memory from a dma-heap.
#[test]
fn memory_can_come_from_a_heap() {
    let options = DriverOptions { node: Node::Misc, ..DriverOptions::default() };
    let Some((text, success, driver, log)) = run(options.clone(), &["/dev/rknpu", "heap"]) else { return };
    assert_eq!(text, "driver 908\naddresses ffeff000 ffefd000\ndone 3\n");
    assert!(success);
    assert_eq!((driver.leaks(), driver.buffers()), (Leaks::default(), 0));
    let program = &log.lock().unwrap().submissions[0].1;
    assert_eq!(program[..2], [0x20, 0x40]);
    let (text, ..) = run(options, &[NODE]).unwrap();
    assert_eq!(text, "open failed 2\n");
}

#[test]
fn absent_devices_are_absent() {
    let Some((text, success, ..)) = run(faults(Faults { no_device: true, ..Faults::default() }), &[NODE]) else {
        return;
    };
    assert_eq!((text.as_str(), success), ("open failed 2\n", false));
    let (text, ..) = run(DriverOptions::default(), &["/dev/rknpu"]).unwrap();
    assert_eq!(text, "open failed 2\n");
}

#[test]
fn every_allocation_can_fail_and_nothing_leaks() {
    for number in [1, 2] {
        let options = faults(Faults { fail_create: Some(number), ..Faults::default() });
        let Some((text, success, driver, _)) = run(options, &[NODE]) else { return };
        assert!(text.contains("create failed 12\n"), "{text}");
        assert!(!success);
        assert_eq!((driver.leaks(), driver.buffers()), (Leaks::default(), 0));
    }
    let options = DriverOptions { memory: 4096, ..DriverOptions::default() };
    let Some((text, ..)) = run(options, &[NODE]) else { return };
    assert!(text.contains("create failed 12\n"), "the second buffer is beyond the limit: {text}");
}

#[test]
fn submissions_time_out_and_signals_interrupt() {
    let options = faults(Faults { submit_timeout: Some(1), ..Faults::default() });
    let Some((text, _, driver, _)) = run(options, &[NODE]) else { return };
    assert!(text.contains("submit failed 110\n"), "{text}");
    assert_eq!(driver.leaks(), Leaks::default());
    for (request, what) in [(Request::Submit, "submit"), (Request::MemCreate, "create"), (Request::MemSync, "sync")] {
        let options = faults(Faults { interrupt_once: Some(request), ..Faults::default() });
        let (text, success, ..) = run(options, &[NODE]).unwrap();
        assert_eq!(text.matches(" interrupted\n").count(), 1, "{text}");
        assert!(text.contains(&format!("{what} interrupted\n")) && success, "{text}");
    }
}

#[test]
fn what_a_client_keeps_is_counted_and_freed() {
    let Some((_, _, driver, _)) = run(DriverOptions::default(), &[NODE, "keep"]) else { return };
    assert_eq!(driver.leaks(), Leaks { handles: 2, mappings: 2 });
    assert_eq!(driver.buffers(), 0);
}
