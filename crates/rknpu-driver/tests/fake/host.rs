//! The host process's side: the fake kernel, and what it saw.

use std::path::Path;
use std::process::Command;
use std::sync::{Arc, Mutex};

use ferrite_rknpu::Submission;
use ferrite_rknpu_fake::{
    Buffers, DriverOptions, Emulated, Emulation, Event, Executor, FakeDriver, Faults, Leaks, Observer, RecordOnly,
    Server, shim,
};

use crate::client::{PART, REPORT};

/// What the kernel saw of one submission.
pub(crate) struct Seen {
    pub(crate) submission: Submission,
    /// How many events came before it.
    pub(crate) after: usize,
    /// Number, address and bytes of every buffer.
    pub(crate) buffers: Vec<(u32, u64, Vec<u8>)>,
}

/// What the kernel saw.
#[derive(Default)]
pub(crate) struct Log {
    pub(crate) events: Vec<Event>,
    pub(crate) submissions: Vec<Seen>,
}

struct Watch(Arc<Mutex<Log>>);

impl Observer for Watch {
    fn event(&mut self, event: &Event, _buffers: &Buffers) {
        self.0.lock().unwrap().events.push(event.clone());
    }

    fn submission(&mut self, submission: &Submission, buffers: &Buffers) {
        let copy = |buffer: &ferrite_rknpu_fake::FakeBuffer| {
            (buffer.number, buffer.device_address, buffer.contents().unwrap())
        };
        let mut log = self.0.lock().unwrap();
        let after = log.events.len();
        log.submissions.push(Seen {
            submission: submission.clone(),
            after,
            buffers: buffers.iter().map(copy).collect(),
        });
    }
}

/// The emulator in the place of the chip, behind caches: what is not synchronised does not arrive.
pub(crate) fn emulate() -> Box<dyn Executor> {
    let emulation = Emulation { strict: true, ..Emulation::default() };
    Box::new(Emulated::new(&DriverOptions::default(), &emulation))
}

/// A client that has ended.
pub(crate) struct Ended {
    /// What it had to say.
    pub(crate) report: String,
    pub(crate) log: Log,
    pub(crate) leaks: Leaks,
    /// Buffers that exist after it.
    pub(crate) buffers: usize,
}

impl Ended {
    /// Nothing is left of the client in the kernel, and it gave everything back by itself.
    pub(crate) fn assert_clean(&self) {
        assert_eq!((self.leaks, self.buffers), (Leaks::default(), 0), "{}", self.report);
    }
}

pub(crate) fn faults(faults: Faults) -> DriverOptions {
    DriverOptions { faults, ..DriverOptions::default() }
}

/// Runs a client on a kernel that records only.
pub(crate) fn record(options: DriverOptions, part: &str) -> Option<Ended> {
    run(options, part, Box::new(RecordOnly))
}

/// Runs a client. `None` where there is no C compiler for the preloaded library.
pub(crate) fn run(options: DriverOptions, part: &str, executor: Box<dyn Executor>) -> Option<Ended> {
    let shim = match shim::build(shim::Machine::host()) {
        Err(shim::BuildError::NoCompiler { .. }) => return None,
        shim => shim.unwrap(),
    };
    let log = Arc::new(Mutex::new(Log::default()));
    let driver = FakeDriver::new(options, executor).observed(Box::new(Watch(Arc::clone(&log))));
    let server = Server::start(driver).unwrap();
    let report = tempfile::NamedTempFile::new().unwrap();
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["client::main", "--exact", "--test-threads=1"]).env(PART, part).env(REPORT, report.path());
    let output = command.envs(server.environment(&shim)).output().unwrap();
    assert!(output.status.success(), "{part}: {}", String::from_utf8_lossy(&output.stdout));
    let ended = server.finish();
    let (leaks, buffers) = (ended.leaks(), ended.buffers());
    drop(ended);
    let log = std::mem::take(&mut *log.lock().unwrap());
    let report = std::fs::read_to_string(report.path()).unwrap();
    Some(Ended { report, log, leaks, buffers })
}

pub(crate) fn models() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/ops"))
}
