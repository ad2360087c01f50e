//! Damaged models through read, plan and run, damaged files for AMD XDNA through explaining and judging: no panic, bounded time,
//! bounded memory.
//!
//! Each file is handled by processes of its own, so that a crash, a hang or a memory leak of one mutation is seen and told
//! from the others. The worker prints a line per mutation; the parent watches the clock.

use std::fs;
use std::io::{BufRead, BufReader};
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use ferrite_device::memory::{DeviceMemory, Settings};
use ferrite_rknn::{Kind, Model};
use ferrite_rknn_runtime::{Layout, Plan, PlanOptions, Session, Tensor, Weights};
use ferrite_rknpu_emulator::{Emulator, Limits, Options as EmulatorOptions};
use ferrite_xdna::programs::Code;
use serde::{Deserialize, Serialize};

use crate::mutate::{Random, mutate};
use crate::shell::root;

/// The files that are damaged unless others are named: small, of every kind of program.
const FILES: [&str; 20] = [
    "ops/conv3x3-fp16.rknn",
    "ops/conv3x3-int8.rknn",
    "ops/dwconv-int8.rknn",
    "ops/deconv-fp16.rknn",
    "ops/maxpool-int8.rknn",
    "ops/sigmoid-fp16.rknn",
    "ops/softmax-fp16.rknn",
    "ops/transpose-fp16.rknn",
    "ops/conv_s2_rgb-int8.rknn",
    "ops/gemm-fp16.rknn",
    "ops/concat-int8.rknn",
    "mtcnn/r-int8.rknn",
    "mtcnn/p-fp16.rknn",
    "ops/resblock-int8.rknn",
    "zoo/data/gather_channels-int8.rknn",
    "zoo/data/matmul_k1000-int8.rknn",
    "zoo/data/pad_reflect-fp16.rknn",
    "zoo/data/reducemax_hw-int8.rknn",
    "zoo/data/softmax_rank3-fp16.rknn",
    "zoo/data/tconv_k2_s3-fp16.rknn",
];
/// Files for AMD XDNA, one of every kind, which are explained and judged.
const XDNA_FILES: [&str; 17] = [
    "npu1_1col.xclbin",
    "npu2_two_args.xclbin",
    "chained.xclbin",
    "core_and_shim.pdi",
    "sizes.pdi",
    "initbuffer.pdi",
    "three_args.txn",
    "memtile_scalar.txn",
    "aiebu_basic.elf",
    "three_args.elf",
    "synthetic_full.elf",
    "trace_test2.txt",
    "ml_txn.b64",
    "ctrl_pkt0.b64",
    "ml_txn.ctrltext.asm",
    "external_buffer_id.json",
    "trace_test1_golden.json",
];
/// No mutation may take longer.
const TIME_LIMIT: Duration = Duration::from_secs(10);
/// No mutation may use more than four times its file plus this.
const MEMORY_ALLOWANCE: u64 = 512 << 20;

/// What the last panic said, and where.
static PANIC: Mutex<Option<String>> = Mutex::new(None);

#[derive(Args)]
pub(crate) struct Options {
    /// Mutations per file
    #[arg(long, default_value_t = 2000)]
    mutations: u64,
    /// First seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Files to damage instead of the usual ones
    files: Vec<PathBuf>,
}

#[derive(Args)]
pub(crate) struct WorkerOptions {
    file: PathBuf,
    first: u64,
    last: u64,
}

impl Options {
    /// The full run over the usual files.
    pub(crate) fn full() -> Self {
        Self { mutations: 2000, seed: 1, files: Vec::new() }
    }
}

/// What became of one mutation.
#[derive(Debug, Serialize, Deserialize)]
struct Outcome {
    seed: u64,
    /// `ran`, or the stage that refused it: `read`, `plan`, `load`, `run`.
    stage: String,
    /// The panic's message.
    panic: Option<String>,
    milliseconds: u64,
    /// Highest resident memory during the mutation.
    memory: u64,
}

pub(crate) fn run(options: &Options) -> Result<()> {
    let usual = || FILES.iter().map(|file| root().join("models").join(file)).chain(XDNA_FILES.map(xdna_file)).collect();
    let files: Vec<PathBuf> = if options.files.is_empty() { usual() } else { options.files.clone() };
    let mut failures = Vec::new();
    println!(
        "{:<32} {:>6} {:>6} {:>6} {:>6} {:>6} {:>9} {:>9}",
        "file", "read", "plan", "load", "run", "ran", "max ms", "max MiB"
    );
    for file in &files {
        let outcomes = watch(file, options.seed..options.seed + options.mutations, &mut failures)?;
        let stage = |name: &str| outcomes.iter().filter(|outcome| outcome.stage == name).count();
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let slowest = outcomes.iter().map(|outcome| outcome.milliseconds).max().unwrap_or(0);
        let largest = outcomes.iter().map(|outcome| outcome.memory >> 20).max().unwrap_or(0);
        let [read, plan, load, run, ran] = ["read", "plan", "load", "run", "ran"].map(stage);
        println!("{name:<32} {read:>6} {plan:>6} {load:>6} {run:>6} {ran:>6} {slowest:>9} {largest:>9}");
    }
    for failure in &failures {
        eprintln!("{failure}");
    }
    ensure!(failures.is_empty(), "{} mutations misbehaved", failures.len());
    println!(
        "{} files, {} mutations each: no panic, none over 10 s, none over 4 x file + 512 MiB",
        files.len(),
        options.mutations
    );
    Ok(())
}

/// Runs workers over the seeds and collects outcomes; a worker that hangs or dies is replaced behind the bad seed.
fn watch(file: &Path, seeds: Range<u64>, failures: &mut Vec<String>) -> Result<Vec<Outcome>> {
    let size = fs::metadata(file).with_context(|| format!("reading {}", file.display()))?.len();
    let mut outcomes: Vec<Outcome> = Vec::new();
    let mut next = seeds.start;
    while next < seeds.end {
        let (mut child, lines) = start_worker(file, next, seeds.end)?;
        while next < seeds.end {
            // The worker measures exactly; this only catches hangs.
            match lines.recv_timeout(TIME_LIMIT * 2) {
                Ok(line) => {
                    let outcome: Outcome =
                        serde_json::from_str(&line).with_context(|| format!("worker said {line}"))?;
                    failures.extend(complaint(&outcome, size).map(|text| format!("{}: {text}", file.display())));
                    next = outcome.seed + 1;
                    outcomes.push(outcome);
                }
                Err(RecvTimeoutError::Timeout) => {
                    failures.push(format!("{}: seed {next} hangs", file.display()));
                    child.kill().ok();
                    next += 1;
                    break;
                }
                Err(RecvTimeoutError::Disconnected) => {
                    failures.push(format!("{}: seed {next} kills the process", file.display()));
                    next += 1;
                    break;
                }
            }
        }
        child.wait()?;
    }
    Ok(outcomes)
}

/// What is wrong with an outcome, if anything.
fn complaint(outcome: &Outcome, file_size: u64) -> Option<String> {
    let seed = outcome.seed;
    if let Some(panic) = &outcome.panic {
        return Some(format!("seed {seed} panics: {panic}"));
    }
    if u128::from(outcome.milliseconds) > TIME_LIMIT.as_millis() {
        return Some(format!("seed {seed} takes {} ms", outcome.milliseconds));
    }
    let limit = file_size * 4 + MEMORY_ALLOWANCE;
    (outcome.memory > limit).then(|| format!("seed {seed} uses {} bytes, allowed are {limit}", outcome.memory))
}

fn start_worker(file: &Path, first: u64, end: u64) -> Result<(Child, Receiver<String>)> {
    let mut child = Command::new(std::env::current_exe()?)
        .arg("corrupt-worker")
        .arg(file)
        .args([first.to_string(), (end - 1).to_string()])
        .stdout(Stdio::piped())
        .spawn()?;
    let Some(output) = child.stdout.take() else { bail!("the worker has no output") };
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                break;
            }
        }
    });
    Ok((child, receiver))
}

pub(crate) fn work(options: &WorkerOptions) -> Result<()> {
    std::panic::set_hook(Box::new(|panic| {
        *PANIC.lock().unwrap_or_else(PoisonError::into_inner) = Some(panic.to_string())
    }));
    let bytes = fs::read(&options.file)?;
    let structure = structure(&bytes)?;
    for seed in options.first..=options.last {
        println!("{}", serde_json::to_string(&one(&bytes, &structure, seed))?);
    }
    Ok(())
}

fn one(bytes: &[u8], structure: &[Range<usize>], seed: u64) -> Outcome {
    // "5" resets the peak that the kernel keeps for this process.
    fs::write("/proc/self/clear_refs", "5").ok();
    let start = Instant::now();
    let damaged = mutate(bytes, structure, seed);
    let result = catch_unwind(AssertUnwindSafe(|| stage_of(damaged, seed)));
    let stage = result.unwrap_or("panic");
    let panic = PANIC.lock().unwrap_or_else(PoisonError::into_inner).take();
    let milliseconds = u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX);
    Outcome { seed, stage: stage.to_owned(), panic, milliseconds, memory: peak_memory() }
}

fn xdna_file(name: &str) -> PathBuf {
    root().join("crates/xdna/tests/golden/data").join(name)
}

/// How far a damaged file gets. What its first bytes show it to be for may be damaged, too: then the other family's reader has it.
pub(crate) fn stage_of(bytes: Vec<u8>, seed: u64) -> &'static str {
    if ferrite_xdna::sniff(&bytes).is_known() { xdna_stage(&bytes) } else { model_stage(bytes, seed) }
}

/// Explained, judged and disassembled, as the command does it.
fn xdna_stage(bytes: &[u8]) -> &'static str {
    let Ok(document) = ferrite_xdna::explain(bytes) else { return "read" };
    let Ok(programs) = ferrite_xdna::programs(bytes) else { return "plan" };
    let Ok(findings) = ferrite_xdna::lint(bytes) else { return "run" };
    let listings = programs.iter().filter_map(|program| match &program.code {
        Code::Stream(stream) => Some(stream.listing().to_string().len()),
        _ => None,
    });
    // All of it is text that someone reads.
    std::hint::black_box(document.to_string().len() + findings.len() + listings.sum::<usize>());
    "ran"
}

fn model_stage(bytes: Vec<u8>, seed: u64) -> &'static str {
    let Ok(model) = Model::read(bytes) else { return "read" };
    let Ok(plan) = Plan::new(&model, &PlanOptions::default()) else { return "plan" };
    let limit = plan.work_limit();
    let limits = Limits { bytes: limit.bytes, macs: limit.macs, ..Limits::default() };
    let plan = Arc::new(plan);
    let Some(mut session) = load(&plan, limits) else { return "load" };
    let mut random = Random::new(seed);
    for (index, info) in plan.inputs().iter().enumerate() {
        #[expect(clippy::cast_precision_loss, reason = "any values do")]
        let values: Vec<f32> =
            (0..info.shape.iter().product()).map(|_| random.below(4096) as f32 / 1024.0 - 2.0).collect();
        let set = Tensor::from_f32(info.shape.clone(), &values)
            .and_then(|tensor| session.set_input(index, &tensor, Layout::Nchw));
        if set.is_err() {
            return "load";
        }
    }
    if session.run().is_err() {
        return "run";
    }
    for index in 0..plan.outputs().len() {
        if session.output(index).is_err() {
            return "run";
        }
    }
    "ran"
}

fn load(plan: &Arc<Plan>, limits: Limits) -> Option<Session> {
    let memory = DeviceMemory::new(Settings { limit: 96 << 20, ..Settings::default() });
    let emulator = Arc::new(Emulator::with_options(memory, EmulatorOptions::default(), limits));
    let weights = Weights::load(Arc::clone(plan), emulator).ok()?;
    Session::new(weights).ok()
}

/// Everything but bulk constants: header, tables, programs, task list, texts. Files for AMD XDNA have few.
pub(crate) fn structure(bytes: &[u8]) -> Result<Vec<Range<usize>>> {
    if ferrite_xdna::sniff(bytes).is_known() {
        return Ok(std::iter::once(0..bytes.len()).collect());
    }
    let model = Model::read(bytes.to_vec())?;
    let constants = model.tensors().iter().filter(|tensor| tensor.kind == Kind::CONSTANT).filter_map(|t| t.blob);
    let mut bulk: Vec<Range<usize>> = constants.filter_map(|blob| model.blobs().get(blob).cloned()).collect();
    bulk.retain(|range| range.len() > 256);
    bulk.sort_by_key(|range| range.start);
    let mut ranges = Vec::new();
    let mut at = 0;
    for range in bulk {
        if range.start > at {
            ranges.push(at..range.start);
        }
        at = at.max(range.end);
    }
    ranges.push(at..bytes.len());
    Ok(ranges)
}

/// Highest resident memory since the last reset, in bytes (Linux).
fn peak_memory() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM:"));
    let kibibytes = line.and_then(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok()).unwrap_or(0);
    kibibytes << 10
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A slice of what `cargo xtask corrupt` does: no mutation may panic.
    #[test]
    fn damaged_models_never_panic() {
        let mut refused = 0;
        let models = FILES.iter().map(|file| root().join("models").join(file));
        for file in models.chain(XDNA_FILES.map(xdna_file)) {
            let bytes = fs::read(&file).unwrap();
            let structure = structure(&bytes).unwrap();
            assert_eq!(stage_of(bytes.clone(), 0), "ran", "{} undamaged", file.display());
            refused += (0..25).filter(|&seed| stage_of(mutate(&bytes, &structure, seed), seed) != "ran").count();
        }
        assert!(refused > 160, "only {refused} of 925 damaged files were refused");
    }
}
