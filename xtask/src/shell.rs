//! Running other programs, and how far they are.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use indicatif::{ProgressBar, ProgressStyle};

/// The root of the workspace.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map_or_else(PathBuf::new, Path::to_path_buf)
}

/// A cargo command in the workspace.
pub(crate) fn cargo(arguments: &[&str]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments).current_dir(root());
    command
}

/// Runs a command and fails when it does; prints what runs and how long it took.
pub(crate) fn step(title: &str, command: &mut Command) -> Result<()> {
    eprintln!("--- {title}");
    let start = Instant::now();
    let status = command.status().with_context(|| format!("starting {command:?}"))?;
    ensure!(status.success(), "{title} failed: {status}");
    eprintln!("--- {title}: {:.1} s", start.elapsed().as_secs_f64());
    Ok(())
}

/// A progress bar on a terminal; nothing elsewhere.
pub(crate) fn bar(length: u64, what: &str) -> ProgressBar {
    let style = ProgressStyle::with_template("{prefix} {bar:30} {pos}/{len} {msg}");
    ProgressBar::new(length)
        .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
        .with_prefix(what.to_owned())
}
