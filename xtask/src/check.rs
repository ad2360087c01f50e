//! `cargo xtask test`: every check there is.

use std::env;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Result, bail};
use clap::Args;

use crate::shell::{cargo, root, step};
use crate::{corrupt, coverage, cross, fuzz, parity, zoo};

#[derive(Args)]
pub(crate) struct Options {
    /// Skip what takes minutes: the full run over damaged files
    #[arg(long)]
    quick: bool,
    /// Build and judge the zoo too, which takes a quarter of an hour and fetches the vendor's toolkit; CI always does
    #[arg(long)]
    zoo: bool,
    /// Fuzz each target for half a minute too; CI always does
    #[arg(long)]
    fuzz: bool,
    /// Build for 64-bit Arm and test there too, which as root installs Debian's packages; CI always does
    #[arg(long)]
    cross: bool,
}

pub(crate) fn run(options: &Options) -> Result<()> {
    step("formatting", &mut cargo(&["fmt", "--all", "--check"]))?;
    step("lints", &mut cargo(&["clippy", "--quiet", "--workspace", "--all-targets", "--", "-D", "warnings"]))?;
    let mut documentation = cargo(&["doc", "--quiet", "--workspace", "--no-deps"]);
    step("documentation", documentation.env("RUSTDOCFLAGS", "-D warnings"))?;
    let mut tests = cargo(&["test", "--workspace"]);
    if let Some(python) = python_environment()? {
        tests.env("FERRITE_VENV", python);
    }
    step("tests", &mut tests)?;
    let live = live_oracle()?;
    coverage::run(&coverage::Options::check())?;
    if !options.quick {
        corrupt::run(&corrupt::Options::full())?;
    }
    long("fuzz", options.fuzz, || fuzz::run(&fuzz::Options::all()))?;
    long("cross", options.cross, || cross::run(&cross::Options::all()))?;
    long("zoo", options.zoo, || {
        zoo::run(&zoo::Options::check())?;
        if live { parity::run(&parity::Options::check()) } else { Ok(()) }
    })?;
    println!("all checks passed");
    Ok(())
}

/// A check of many minutes, which runs where it is asked for and in CI.
fn long(task: &str, asked: bool, check: impl FnOnce() -> Result<()>) -> Result<()> {
    if asked || env::var_os("CI").is_some() {
        return check();
    }
    eprintln!(
        "skipped: `cargo xtask {task}`, as it takes many minutes (`cargo xtask test --{task}` includes it; CI does)"
    );
    Ok(())
}

/// The comparison with the vendor's own runtime, which is fetched and run under qemu; whether it could be made.
fn live_oracle() -> Result<bool> {
    let there = |program: &str| {
        let folders = env::var_os("PATH").unwrap_or_default();
        env::split_paths(&folders).any(|folder| folder.join(program).exists())
    };
    let missing = ["qemu-aarch64-static", "aarch64-linux-gnu-gcc", "pip"].into_iter().find(|program| !there(program));
    match missing {
        None => {
            for (package, title) in [("ferrite-rknn-oracle", "vendor's runtime"), ("ferrite-cli", "vendor-run")] {
                step(title, &mut cargo(&["test", "-p", package, "--test", "live", "--", "--ignored"]))?;
            }
            Ok(true)
        }
        Some(program) if env::var_os("CI").is_some() => bail!("CI needs {program} for the vendor's runtime"),
        Some(program) => {
            eprintln!(
                "skipped: comparison with the vendor's runtime, because there is no {program} (`.ci/run` says what to install)"
            );
            Ok(false)
        }
    }
}

/// A Python environment with the independent parser `rknncli` (MIT), for tests that compare with it. Without Python or a
/// package index those tests skip and say so; in CI that is a failure.
fn python_environment() -> Result<Option<PathBuf>> {
    let folder = root().join("target/venv-rknncli");
    let done = folder.join("bin/rknncli").exists();
    let make = || -> Result<()> {
        let at = folder.display().to_string();
        step("python environment", Command::new("python3").args(["-m", "venv", &at]))?;
        let mut pip = Command::new(folder.join("bin/pip"));
        step("rknncli", pip.args(["install", "--quiet", "rknncli==0.3.3"]))
    };
    match if done { Ok(()) } else { make() } {
        Ok(()) => Ok(Some(folder)),
        Err(error) if env::var_os("CI").is_some() => bail!("CI needs rknncli: {error:#}"),
        Err(error) => {
            eprintln!("skipped: comparison with rknncli, because {error:#}");
            Ok(None)
        }
    }
}
