//! The emulator's speed next to ONNX Runtime's and the vendor's simulator's, in one run, one thread each.

use std::env;
use std::fmt;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use ferrite_device::memory::{DeviceMemory, Settings};
use ferrite_rknn::Model;
use ferrite_rknn_runtime::{Layout, Plan, PlanOptions, Session, Tensor, TensorInfo, Weights};
use ferrite_rknpu_emulator::Emulator;
use serde_json::Value;

use crate::loading;
use crate::shell::{cargo, root, step};

#[derive(Args)]
pub(crate) struct Options {
    /// Rounds; in each of them everybody runs once
    #[arg(long, default_value_t = 15)]
    rounds: usize,
    /// Only networks whose name contains this text
    #[arg(long)]
    only: Option<String>,
    /// Time the emulator alone
    #[arg(long)]
    alone: bool,
    /// Where the zoo was built
    #[arg(long, default_value = "target/zoo")]
    zoo: PathBuf,
}

/// Name in `models/zoo`, and where the compiled network is if the zoo has not been built.
const NETWORKS: [(&str, Option<&str>); 4] =
    [("ocr6rec", Some("models/ocr/rec")), ("ocr6det", None), ("ocr4rec", None), ("mtcnn_o", Some("models/mtcnn/o"))];

pub(crate) fn run(options: &Options) -> Result<()> {
    if cfg!(debug_assertions) {
        // Times of the development profile mean nothing.
        let mut release = cargo(&["run", "--quiet", "--release", "--package", "xtask", "--"]);
        release.args(env::args_os().skip(1));
        return step("bench in the release profile", &mut release);
    }
    ensure!(options.rounds > 0, "no rounds");
    let python = if options.alone { None } else { python()? };
    let packages = root().join(&options.zoo).join("packages");
    let mut peers = python.as_deref().map(|python| Peers::start(python, &packages)).transpose()?;
    println!("{HEAD}");
    for (name, elsewhere) in NETWORKS {
        for precision in ["fp16", "int8"] {
            if options.only.as_ref().is_some_and(|only| !format!("{name}-{precision}").contains(only.as_str())) {
                continue;
            }
            let Some(path) = compiled(&root().join(&options.zoo), name, elsewhere, precision) else {
                println!(
                    "| {name} | {precision} | skipped: not in {}; `cargo xtask zoo` builds it |",
                    options.zoo.display()
                );
                continue;
            };
            match compare(&path, name, precision, peers.as_mut(), options.rounds) {
                Ok(row) => println!("| {name} | {precision} | {row} |"),
                Err(error) => println!("| {name} | {precision} | skipped: {error:#} |"),
            }
        }
    }
    loading::run(options.rounds)
}

const HEAD: &str = "\
Medians of interleaved rounds (smallest to largest); ratios are taken round by round. The emulator's time is that of a whole run,
operators on the host included.

| network | precision | emulator ms | ONNX Runtime fp32 ms | simulator ms | over ONNX Runtime | over simulator |
|---|---|---|---|---|---|---|";

fn compiled(zoo: &Path, name: &str, elsewhere: Option<&str>, precision: &str) -> Option<PathBuf> {
    let zoo = zoo.join(format!("{name}-{precision}.rknn"));
    let committed = elsewhere.map(|path| root().join(format!("{path}-{precision}.rknn")));
    [Some(zoo), committed].into_iter().flatten().find(|path| path.exists())
}

/// A Python with the vendor's toolkit and ONNX Runtime; without one the peers are left out, with the reason.
fn python() -> Result<Option<PathBuf>> {
    let named = ["FERRITE_TOOLKIT_VENV", "FERRITE_VENV"].into_iter().filter_map(env::var_os).map(PathBuf::from);
    for venv in named.chain([root().join("target/venv")]) {
        let python = venv.join("bin/python");
        let mut probe = Command::new(&python);
        probe.args(["-c", "import rknn.api, onnxruntime"]).stdout(Stdio::null()).stderr(Stdio::null());
        if probe.status().is_ok_and(|status| status.success()) {
            return Ok(Some(python));
        }
    }
    let reason = "no Python with rknn-toolkit2 and onnxruntime in FERRITE_TOOLKIT_VENV, FERRITE_VENV or target/venv \
        (models/setup.sh makes the last)";
    if env::var_os("CI").is_some() {
        bail!("CI needs the peers: {reason}");
    }
    println!("skipped: ONNX Runtime and the simulator, because there is {reason}");
    Ok(None)
}

/// One row of the table behind the names.
struct Row {
    ours: Spread,
    /// Times of ONNX Runtime and of the simulator.
    theirs: [Option<Spread>; 2],
    /// Ours over theirs.
    ratios: [Option<Spread>; 2],
}

/// The median, the smallest and the largest of some numbers.
struct Spread {
    median: f64,
    smallest: f64,
    largest: f64,
}

impl Spread {
    fn of(mut numbers: Vec<f64>) -> Option<Self> {
        numbers.sort_by(f64::total_cmp);
        let median = *numbers.get(numbers.len() / 2)?;
        Some(Self { median, smallest: *numbers.first()?, largest: *numbers.last()? })
    }
}

impl fmt::Display for Spread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.2} ({:.2} to {:.2})", self.median, self.smallest, self.largest)
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.ours)?;
        for spread in self.theirs.iter().chain(&self.ratios) {
            match spread {
                Some(spread) => write!(f, " | {spread}")?,
                None => write!(f, " | ")?,
            }
        }
        Ok(())
    }
}

const PEERS: [&str; 2] = ["onnx", "simulator"];

fn compare(path: &Path, name: &str, precision: &str, mut peers: Option<&mut Peers>, rounds: usize) -> Result<Row> {
    let mut session = session(path)?;
    if let Some(peers) = &mut peers {
        peers.ask(&format!("load {name} {precision}"))?;
    }
    let mut ours = Vec::new();
    let mut theirs = [Vec::new(), Vec::new()];
    // The first round warms everybody up.
    for round in 0..=rounds {
        let start = Instant::now();
        session.run()?;
        let own = start.elapsed();
        let mut others = [None, None];
        if let Some(peers) = &mut peers {
            for (time, peer) in others.iter_mut().zip(PEERS) {
                *time = Some(peers.time(peer)?);
            }
        }
        if round > 0 {
            ours.push(own);
            theirs.iter_mut().zip(others).for_each(|(times, time)| times.extend(time));
        }
    }
    let milliseconds = |times: &[Duration]| Spread::of(times.iter().map(|time| time.as_secs_f64() * 1e3).collect());
    let ratios = |times: &Vec<Duration>| {
        let pairs = ours.iter().zip(times);
        Spread::of(pairs.map(|(own, other)| own.as_secs_f64() / other.as_secs_f64()).collect())
    };
    Ok(Row {
        ours: milliseconds(&ours).context("no rounds")?,
        ratios: theirs.each_ref().map(ratios),
        theirs: theirs.map(|times| milliseconds(&times)),
    })
}

/// A session with inputs that look like data.
fn session(path: &Path) -> Result<Session> {
    let model = Model::read(fs::read(path)?)?;
    let plan = Arc::new(Plan::new(&model, &PlanOptions::default())?);
    let emulator = Arc::new(Emulator::new(DeviceMemory::new(Settings::default())));
    let mut session = Session::new(Weights::load(Arc::clone(&plan), emulator)?)?;
    for (index, info) in plan.inputs().iter().enumerate() {
        session.set_input(index, &input(info)?, Layout::Nchw)?;
    }
    Ok(session)
}

/// Pixels where the model normalises them, else numbers between -2 and 2.
fn input(info: &TensorInfo) -> Result<Tensor> {
    let mut state = 1u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let byte = f32::from((state >> 24) as u8);
        if info.normalization.is_some() { byte } else { byte / 64.0 - 2.0 }
    };
    let values: Vec<f32> = (0..info.shape.iter().product()).map(|_| next()).collect();
    Ok(Tensor::from_f32(info.shape.clone(), &values)?)
}

/// `benches/peers.py` at work.
struct Peers {
    child: Child,
    questions: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

impl Peers {
    fn start(python: &Path, packages: &Path) -> Result<Self> {
        let mut child = Command::new(python)
            .arg(root().join("benches/peers.py"))
            .arg(packages)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .context("starting benches/peers.py")?;
        let questions = child.stdin.take();
        let answers = BufReader::new(child.stdout.take().context("benches/peers.py has no output")?);
        Ok(Self { child, questions, answers })
    }

    fn ask(&mut self, question: &str) -> Result<Value> {
        let questions = self.questions.as_mut().context("benches/peers.py has no input")?;
        writeln!(questions, "{question}").context("benches/peers.py has ended")?;
        let mut line = String::new();
        ensure!(self.answers.read_line(&mut line)? != 0, "benches/peers.py ended at `{question}`");
        let answer: Value = serde_json::from_str(&line).with_context(|| format!("benches/peers.py says {line:?}"))?;
        match answer["error"].as_str() {
            Some(error) => bail!("{question}: {error}"),
            None => Ok(answer),
        }
    }

    fn time(&mut self, peer: &str) -> Result<Duration> {
        let answer = self.ask(peer)?;
        let seconds = answer["seconds"].as_f64().with_context(|| format!("no time in {answer}"))?;
        Ok(Duration::from_secs_f64(seconds))
    }
}

impl Drop for Peers {
    fn drop(&mut self) {
        // It ends with its input.
        self.questions = None;
        let _ = self.child.wait();
    }
}
