//! Making a capture.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use ferrite_rknn::Model;
use ferrite_rknn_runtime::{Plan, PlanOptions};
use ferrite_rknpu_fake::{DriverOptions, Executor, FakeDriver, FillOutputs, Leaks, RecordOnly, Server};
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::capture::{
    Capture, FORMAT_VERSION, Form, Header, InputRecord, OutputRecord, Record, Recorder, VendorVersion,
};
use crate::error::file;
use crate::vendor::{self, Ended, Runtime};
use crate::{Error, InputSpec};

/// Which cores the runtime is told to use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CoreChoice {
    /// The mask is not set.
    Auto,
    /// The mask that is set: 1, 2, 4, 3 or 7.
    Mask(u32),
}

impl CoreChoice {
    /// The choice for a number of cores, 1 to 3: automatic, the first two, all.
    pub fn of_count(cores: u32) -> Option<Self> {
        match cores {
            1 => Some(Self::Auto),
            2 => Some(Self::Mask(3)),
            3 => Some(Self::Mask(7)),
            _ => None,
        }
    }

    /// The mask, if one is set.
    pub fn mask(self) -> Option<u32> {
        match self {
            Self::Auto => None,
            Self::Mask(mask) => Some(mask),
        }
    }
}

/// How to make a capture.
#[derive(Debug, Clone)]
pub struct CaptureOptions {
    /// The cores.
    pub cores: CoreChoice,
    /// The inputs; float32 values from a seed if there are none.
    pub inputs: Vec<InputSpec>,
    /// The seed from which to fill what the NPU would write; `None` leaves memory as it is.
    pub fill_seed: Option<u64>,
    /// The kernel driver.
    pub driver: DriverOptions,
    /// How long the runtime may take for a small model; larger ones may take longer, see [`capture`].
    pub limit: Duration,
}

impl Default for CaptureOptions {
    fn default() -> Self {
        Self {
            cores: CoreChoice::Auto,
            inputs: Vec::new(),
            fill_seed: Some(1),
            driver: DriverOptions::default(),
            limit: Duration::from_secs(600),
        }
    }
}

/// Runs a model through the vendor's runtime and records what it does. For each 64 MB of buffers it may take as long again as
/// the options say.
///
/// # Errors
/// When something is missing, or the runtime does not run the model.
pub fn capture(model: &Path, runtime: &Runtime, options: &CaptureOptions) -> Result<Capture, Error> {
    let bytes = std::fs::read(model).map_err(file(model))?;
    let model_sha256 = vendor::hex(&Sha256::digest(&bytes));
    let parsed = Model::read(bytes)?;
    let plan = Plan::new(&parsed, &PlanOptions::default())?;
    let inputs = if options.inputs.is_empty() { default_inputs(&plan) } else { options.inputs.clone() };
    let limit = options.limit.saturating_mul(size_factor(&plan));

    let client = Client::prepare(model, options.cores, &inputs)?;
    let (ended, watched) = watch(&options.driver, options.fill_seed, |server| client.run(runtime, server, limit))?;
    let answers = client.answers()?;
    fail_unless_complete(&ended, &answers)?;
    let Watched { records, pages, .. } = watched;
    let says = |field: &str| {
        let answer = answers.iter().find(|answer| answer["what"] == "versions");
        answer.and_then(|answer| answer[field].as_str()).unwrap_or_default().to_owned()
    };
    Ok(Capture {
        header: Header {
            format: "ferrite-capture".to_owned(),
            version: FORMAT_VERSION,
            form: Form::Full,
            model: model.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            model_sha256,
            core_mask: options.cores.mask(),
            fill_seed: options.fill_seed,
            runtime: VendorVersion { api: says("api"), driver: says("driver"), sha256: runtime.sha256.clone() },
        },
        records,
        pages,
        inputs: inputs.into_iter().map(InputRecord::from).collect(),
        outputs: client.outputs()?,
        answers,
    })
}

/// What the fake driver was asked while something ran.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Watched {
    /// Every request.
    pub records: Vec<Record>,
    /// The pages that the records refer to.
    pub pages: Vec<u8>,
    /// What all clients together did not give back.
    pub leaks: Leaks,
}

/// Starts a fake driver, calls `run` with it, which must start a client and wait for its end, and returns what was recorded.
/// The client may be anything that speaks the kernel's interface, our own runtime on its real driver among them.
///
/// # Errors
/// When the driver cannot be started, and whatever `run` reports.
pub fn watch<T>(
    driver: &DriverOptions,
    fill_seed: Option<u64>,
    run: impl FnOnce(&Server) -> Result<T, Error>,
) -> Result<(T, Watched), Error> {
    let recorder = Recorder::default();
    let executor: Box<dyn Executor> = match fill_seed {
        Some(seed) => Box::new(FillOutputs { seed }),
        None => Box::new(RecordOnly),
    };
    let driver = FakeDriver::new(driver.clone(), executor).observed(Box::new(recorder.clone()));
    let server = Server::start(driver).map_err(Error::Driver)?;
    let result = run(&server)?;
    let leaks = server.finish().leaks();
    let (records, pages) =
        recorder.take().map_err(|message| Error::Client { step: "recording".to_owned(), message })?;
    Ok((result, Watched { records, pages, leaks }))
}

/// The program that calls the vendor's runtime, its instructions and what it leaves behind, in a folder of its own.
pub(crate) struct Client {
    folder: tempfile::TempDir,
    job: PathBuf,
}

impl Client {
    /// Writes the instructions for one run of a model.
    pub(crate) fn prepare(model: &Path, cores: CoreChoice, inputs: &[InputSpec]) -> Result<Self, Error> {
        let folder = tempfile::tempdir().map_err(file(std::env::temp_dir()))?;
        let job = write_job(folder.path(), model, cores, inputs)?;
        Ok(Self { folder, job })
    }

    /// Runs it on a fake driver until it ends.
    pub(crate) fn run(&self, runtime: &Runtime, server: &Server, limit: Duration) -> Result<Ended, Error> {
        let mut command = vendor::arm_command(&vendor::client()?, &server.environment(&vendor::preload()?))?;
        command.arg(&runtime.library).arg(&self.job);
        vendor::run(command, &self.folder.path().join("log"), limit)
    }

    /// What the runtime answered to each call.
    pub(crate) fn answers(&self) -> Result<Vec<Value>, Error> {
        read_answers(&self.folder.path().join("answers.jsonl"))
    }

    /// The outputs it gave.
    pub(crate) fn outputs(&self) -> Result<Vec<OutputRecord>, Error> {
        read_outputs(self.folder.path())
    }
}

impl From<InputSpec> for InputRecord {
    fn from(spec: InputSpec) -> Self {
        let InputSpec { index, element, format, pass_through, bytes } = spec;
        Self { index, element, format, pass_through, bytes }
    }
}

fn default_inputs(plan: &Plan) -> Vec<InputSpec> {
    plan.inputs().iter().enumerate().map(|(index, info)| InputSpec::float(index, &info.shape, 1)).collect()
}

/// What takes an emulated processor its time is going through memory.
fn size_factor(plan: &Plan) -> u32 {
    let bytes = plan.buffers().iter().fold(0_u64, |sum, info| sum.saturating_add(info.bytes));
    u32::try_from(bytes >> 26).unwrap_or(u32::MAX).saturating_add(1)
}

/// The client's instructions, and the files they name.
fn write_job(folder: &Path, model: &Path, cores: CoreChoice, inputs: &[InputSpec]) -> Result<PathBuf, Error> {
    let model = std::path::absolute(model).map_err(file(model))?;
    let mut text = format!("model {}\nout {}\n", model.display(), folder.display());
    if let Some(mask) = cores.mask() {
        let _ = writeln!(text, "mask {mask}");
    }
    for input in inputs {
        let path = folder.join(format!("input{}.bin", input.index));
        std::fs::write(&path, &input.bytes).map_err(file(&path))?;
        let (element, format, pass) = (input.element as u32, input.format as u32, u32::from(input.pass_through));
        let _ = writeln!(text, "input {} {element} {format} {pass} {}", input.index, path.display());
    }
    let job = folder.join("job");
    std::fs::write(&job, text).map_err(file(&job))?;
    Ok(job)
}

fn read_answers(path: &Path) -> Result<Vec<Value>, Error> {
    let Ok(text) = std::fs::read(path) else { return Ok(Vec::new()) };
    let text = String::from_utf8_lossy(&text);
    let bad = |error: serde_json::Error| Error::Capture { path: path.to_owned(), reason: error.to_string() };
    text.lines().map(|line| serde_json::from_str(line).map_err(bad)).collect()
}

/// The last answer must be that of a successful `destroy`, no call before it may have failed, and none may have complained:
/// the runtime returns success for inputs that it did not take.
pub(crate) fn fail_unless_complete(ended: &Ended, answers: &[Value]) -> Result<(), Error> {
    let name = |answer: Option<&Value>| answer.and_then(|answer| answer["call"].as_str()).unwrap_or("init").to_owned();
    let last = name(answers.last());
    if let Some(limit) = ended.timed_out {
        return Err(Error::TimedOut { step: last, limit });
    }
    let failed = answers.iter().find(|answer| answer["result"] != 0 && answer["call"] != "query");
    if let Some(answer) = failed {
        return Err(Error::Client { step: name(Some(answer)), message: format!("it returned {}", answer["result"]) });
    }
    // It says what it cannot do before it aborts, and goes on after other errors.
    if let Some(text) = ended.errors.first() {
        return Err(Error::Client { step: last, message: text.clone() });
    }
    if last == "destroy" && ended.success {
        return Ok(());
    }
    Err(Error::Crashed { step: last, message: ended.message.clone() })
}

fn read_outputs(folder: &Path) -> Result<Vec<OutputRecord>, Error> {
    let mut outputs = Vec::new();
    loop {
        let path = |kind: &str| folder.join(format!("output{}.{kind}", outputs.len()));
        let (float, raw) = (path("float"), path("raw"));
        if !float.exists() || !raw.exists() {
            return Ok(outputs);
        }
        let float = std::fs::read(&float).map_err(file(&float))?;
        outputs.push(OutputRecord { float, raw: std::fs::read(&raw).map_err(file(&raw))? });
    }
}
