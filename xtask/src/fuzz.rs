//! `cargo xtask fuzz`: every fuzz target for a while, with libFuzzer.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use clap::Args;

use crate::shell::{cargo, root, step};

/// Where targets find files to start from; the others start from nothing.
const SEEDS: [(&str, &str); 2] = [("container", "models/ops"), ("xdna_file", "crates/xdna/tests/golden/data")];
const CARGO_FUZZ: &str = "0.13.2";

#[derive(Args)]
pub(crate) struct Options {
    /// Seconds per target
    #[arg(long, default_value_t = 30)]
    seconds: u32,
    /// Targets; all of them unless some are named
    targets: Vec<String>,
}

impl Options {
    /// What CI does.
    pub(crate) fn all() -> Self {
        Self { seconds: 30, targets: Vec::new() }
    }
}

pub(crate) fn run(options: &Options) -> Result<()> {
    let known = targets()?;
    if let Some(unknown) = options.targets.iter().find(|name| !known.contains(name)) {
        bail!("there is no fuzz target {unknown}; there are {}", known.join(", "));
    }
    let chosen = if options.targets.is_empty() { &known } else { &options.targets };
    let program = cargo_fuzz()?;
    for target in chosen {
        step(&format!("fuzzing {target}"), &mut command(&program, target, options.seconds)?)?;
    }
    println!("fuzzing: {} targets, {} s each, nothing found", chosen.len(), options.seconds);
    Ok(())
}

fn command(program: &Path, target: &str, seconds: u32) -> Result<Command> {
    let corpus = root().join("fuzz/corpus").join(target);
    fs::create_dir_all(&corpus).with_context(|| format!("making {}", corpus.display()))?;
    let mut command = Command::new(program);
    // The sanitizers need a nightly compiler; what they would find, safe Rust does not have.
    command.args(["fuzz", "run", "--sanitizer", "none", target]).arg(corpus);
    command.args(SEEDS.iter().filter(|(name, _)| *name == target).map(|(_, folder)| root().join(folder)));
    command.arg("--").arg(format!("-max_total_time={seconds}"));
    command.args(["-timeout=10", "-rss_limit_mb=4096", "-print_final_stats=1", "-print_funcs=0", "-verbosity=0"]);
    // Stable Rust takes the flags for coverage only when told to.
    command.env("RUSTC_BOOTSTRAP", "1").env_remove("CARGO_TARGET_DIR").current_dir(root());
    Ok(command)
}

/// The names of the targets, in order.
fn targets() -> Result<Vec<String>> {
    let folder = root().join("fuzz/fuzz_targets");
    let mut names = Vec::new();
    for entry in fs::read_dir(&folder).with_context(|| format!("reading {}", folder.display()))? {
        let path = entry?.path();
        names.extend(path.file_stem().map(|name| name.to_string_lossy().into_owned()));
    }
    ensure!(!names.is_empty(), "no fuzz targets in {}", folder.display());
    names.sort();
    Ok(names)
}

/// cargo-fuzz, installed below the target folder where it is missing.
fn cargo_fuzz() -> Result<PathBuf> {
    let folders = env::var_os("PATH").unwrap_or_default();
    let found = env::split_paths(&folders).map(|folder| folder.join("cargo-fuzz"));
    let ours = root().join("target/tools");
    let mut places = found.chain([ours.join("bin/cargo-fuzz")]);
    if let Some(program) = places.find(|program| program.exists()) {
        return Ok(program);
    }
    let mut install = cargo(&["install", "--quiet", "--locked", "cargo-fuzz", "--version", CARGO_FUZZ, "--root"]);
    step("cargo-fuzz", install.arg(&ours))?;
    Ok(ours.join("bin/cargo-fuzz"))
}
