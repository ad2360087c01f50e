//! The host process's side: the fake kernel, and what it saw.

use std::path::Path;
use std::process::Command;
use std::sync::{Arc, Mutex};

use ferrite_device::Buffer;
use ferrite_device::memory::DeviceMemory;
use ferrite_rknpu::Submission;
use ferrite_rknpu_emulator::Emulator;
use ferrite_rknpu_fake::{
    Buffers, DriverOptions, Event, Executor, FakeDriver, Faults, JobError, Leaks, Observer, RecordOnly, Server, shim,
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

/// The emulator in the place of the chip. Its memory is not the kernel's, so everything is copied there, and what the programs
/// changed is copied back: the client's other threads write their own buffers meanwhile, and a device leaves those alone.
pub(crate) struct Emulate(Emulator);

impl Default for Emulate {
    fn default() -> Self {
        Self(Emulator::new(DeviceMemory::default()))
    }
}

impl Executor for Emulate {
    fn submit(&mut self, submission: &Submission, buffers: &Buffers) -> Result<(), JobError> {
        let failed = |error: &dyn std::error::Error| JobError(error.to_string());
        let mut copies: Vec<(Buffer, Vec<u8>)> = Vec::new();
        for buffer in buffers.iter() {
            let copy =
                self.0.memory().allocate_at(buffer.device_address, buffer.size).map_err(|error| failed(&error))?;
            let before = buffer.contents().unwrap();
            copy.write(0, &before).unwrap();
            copy.flush_all_dirty().unwrap();
            copies.push((copy, before));
        }
        self.0.run(submission).map_err(|error| failed(&error))?;
        for (buffer, (copy, before)) in buffers.iter().zip(copies) {
            copy.invalidate(0..copy.len()).unwrap();
            let after = copy.read_vec(0..copy.len()).unwrap();
            let mut at = 0;
            for run in after
                .iter()
                .zip(&before)
                .collect::<Vec<_>>()
                .chunk_by(|one, other| (one.0 == one.1) == (other.0 == other.1))
            {
                if run[0].0 != run[0].1 {
                    buffer.write(at as u64, &after[at..at + run.len()]).unwrap();
                }
                at += run.len();
            }
        }
        Ok(())
    }
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
