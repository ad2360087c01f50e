//! The vendor's runtime on our emulator.

use std::path::Path;
use std::time::{Duration, Instant};

use ferrite_rknpu_fake::{DriverOptions, Emulated, Emulation, FakeDriver, Server, Statistics};

use crate::run::{Client, fail_unless_complete};
use crate::vendor::Runtime;
use crate::{CoreChoice, Error, InputSpec, OutputRecord};

/// How to run a model.
#[derive(Debug, Clone)]
pub struct EmulateOptions {
    /// The cores.
    pub cores: CoreChoice,
    /// A value for each input.
    pub inputs: Vec<InputSpec>,
    /// The kernel driver.
    pub driver: DriverOptions,
    /// What stands behind it.
    pub emulation: Emulation,
    /// How long the runtime may take, the emulator included.
    pub limit: Duration,
}

impl Default for EmulateOptions {
    fn default() -> Self {
        Self {
            cores: CoreChoice::Auto,
            inputs: Vec::new(),
            driver: DriverOptions::default(),
            emulation: Emulation::default(),
            limit: Duration::from_secs(3600),
        }
    }
}

/// What the runtime computed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmulatedRun {
    /// Each output, as float32 and as it is.
    pub outputs: Vec<OutputRecord>,
    /// Submissions to the kernel.
    pub submissions: u32,
    /// What the emulator did.
    pub statistics: Statistics,
    /// Time from the start of the runtime's process to its end.
    pub time: Duration,
}

/// Runs a model once through the vendor's runtime, with the emulator behind the fake kernel driver.
///
/// # Errors
/// [`Error::Job`] with the emulator's own error when it was the emulator that failed; else when something is missing or the
/// runtime does not run the model.
pub fn emulate(model: &Path, runtime: &Runtime, options: &EmulateOptions) -> Result<EmulatedRun, Error> {
    let client = Client::prepare(model, options.cores, &options.inputs)?;
    let executor = Emulated::new(&options.driver, &options.emulation);
    let emulator = executor.emulator();
    let driver = FakeDriver::new(options.driver.clone(), Box::new(executor));
    let server = Server::start(driver).map_err(Error::Driver)?;
    let start = Instant::now();
    let ended = client.run(runtime, &server, options.limit)?;
    let time = start.elapsed();
    let driver = server.finish();
    // The runtime hears of a timeout only; what happened is known here.
    if let Some(failure) = driver.failure() {
        return Err(Error::Job(failure));
    }
    fail_unless_complete(&ended, &client.answers()?)?;
    let submissions = driver.submissions();
    Ok(EmulatedRun { outputs: client.outputs()?, submissions, statistics: emulator.statistics(), time })
}
