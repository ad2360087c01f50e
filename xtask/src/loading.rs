//! How long it takes to load a model and to plan it, next to copying its file in memory.

use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use ferrite_device::memory::{DeviceMemory, Settings};
use ferrite_rknn::Model;
use ferrite_rknn_runtime::{Plan, PlanOptions, Session, Weights};
use ferrite_rknpu_emulator::Emulator;

use crate::everything;
use crate::shell::root;

/// Loading may take so many times as long as copying the file.
const COPIES: f64 = 3.0;
/// Fewest tasks first; `cargo xtask zoo --all` builds them.
const NETWORKS: [&str; 3] = ["l0_mlp-fp16", "l0_attn_fused-fp16", "l0_attn_unfused-fp16"];

/// Prints a row for each of the networks that were built. What is measured is reading the container, planning, filling the
/// weight buffer and relocating the programs; all times are the best of the rounds.
pub(crate) fn run(rounds: usize) -> Result<()> {
    println!(
        "\n| network | tasks | copy ms | load and relocate ms | over copy (at most {COPIES}) | plan ms | plan ns per task |\n\
         |---|---|---|---|---|---|---|"
    );
    for name in NETWORKS {
        let path: PathBuf = everything::folder("2.3.2").join(name).with_extension("rknn");
        if path.exists() {
            println!("{}", row(name, &path, rounds)?);
        } else {
            let place = path.strip_prefix(root()).unwrap_or(&path).display();
            println!("| {name} | skipped: no {place}; `cargo xtask zoo --all` builds it |");
        }
    }
    Ok(())
}

fn row(name: &str, path: &Path, rounds: usize) -> Result<String> {
    let file = fs::read(path).with_context(|| format!("reading {}", path.display()))?;
    let (mut copying, mut loading, mut planning) = (Duration::MAX, Duration::MAX, Duration::MAX);
    let mut tasks = 0;
    for _ in 0..rounds {
        let start = Instant::now();
        let copy = black_box(file.clone());
        copying = copying.min(start.elapsed());

        let device = Arc::new(Emulator::new(DeviceMemory::new(Settings::default())));
        let start = Instant::now();
        let model = Model::read(copy)?;
        let planned = Instant::now();
        let plan = Arc::new(Plan::new(&model, &PlanOptions::default())?);
        planning = planning.min(planned.elapsed());
        tasks = plan.task_count();
        let session = Session::new(Weights::load(plan, device)?)?;
        loading = loading.min(start.elapsed());
        drop(session);
    }
    let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
    let (ratio, each) =
        (loading.as_secs_f64() / copying.as_secs_f64(), planning.as_secs_f64() * 1e9 / tasks.max(1) as f64);
    Ok(format!(
        "| {name} | {tasks} | {:.2} | {:.2} | {ratio:.2} | {:.2} | {each:.0} |",
        milliseconds(copying),
        milliseconds(loading),
        milliseconds(planning)
    ))
}
