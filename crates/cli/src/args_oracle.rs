//! The flags of `ferrite oracle`.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use ferrite_rknn_oracle::CoreChoice;

use crate::failure::EXIT_CODES;

/// Hold what Ferrite hands the kernel against what Rockchip's own runtime hands it
///
/// `capture` runs Rockchip's runtime under qemu behind a fake kernel driver and records everything; `diff` compares a capture with
/// Ferrite's own plan and needs nothing of Rockchip's; `report` does both for many models.
#[derive(Debug, Args)]
#[command(after_long_help = help())]
pub(crate) struct OracleArgs {
    #[command(subcommand)]
    pub(crate) command: OracleCommand,
}

fn help() -> String {
    format!(
        "`capture` and `report` use librknnrt 1.5.2, which they fetch once from PyPI (`rknpu` 1.5.2) with pip into the user's cache. \
         Rockchip's licence for it covers developing and testing software for Rockchip chips. They need qemu-user-static, \
         gcc-aarch64-linux-gnu and libstdc++6-arm64-cross.\n\n\
         Examples:\n  ferrite oracle capture model.rknn --out captures\n  ferrite oracle diff model.rknn captures/model.zip\n\n{EXIT_CODES}"
    )
}

#[derive(Debug, Subcommand)]
pub(crate) enum OracleCommand {
    Capture(CaptureArgs),
    Diff(DiffArgs),
    Report(ReportArgs),
}

/// Record what Rockchip's runtime does with a model
#[derive(Debug, Args)]
pub(crate) struct CaptureArgs {
    /// The model, a .rknn file
    pub(crate) model: PathBuf,
    /// The folder that the capture goes to
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
    /// Keep only programs, task list and records, small enough to commit
    #[arg(long)]
    pub(crate) slim: bool,
    #[command(flatten)]
    pub(crate) cores: CoreArgs,
    #[command(flatten)]
    pub(crate) runtime: RuntimeArgs,
}

/// Compare a capture with what Ferrite would hand the kernel: exit code 0 if equal, 1 if not
///
/// Prints the first differences of each kind by operator, task, register and field, and as last line
/// `tasks N, programs N, non-DMA N, DMA N, task list N, submissions N, buffers N`: the first two say how much was compared, the others
/// count differences.
#[derive(Debug, Args)]
pub(crate) struct DiffArgs {
    /// The model, a .rknn file
    pub(crate) model: PathBuf,
    /// The capture, or the folder that `capture` wrote it to
    pub(crate) capture: PathBuf,
}

/// Capture and compare many models: exit code 1 on differences that are not on the allowlist
#[derive(Debug, Args)]
pub(crate) struct ReportArgs {
    /// The models, .rknn files
    #[arg(required = true)]
    pub(crate) models: Vec<PathBuf>,
    /// Known differences: tab-separated model, cores, kind, count, cause; `*` stands for anything in the first two
    #[arg(long, value_name = "FILE")]
    pub(crate) allowlist: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) cores: CoreArgs,
    #[command(flatten)]
    pub(crate) runtime: RuntimeArgs,
}

#[derive(Debug, Args)]
pub(crate) struct CoreArgs {
    /// Cores to plan for: 1, 2 or 3, which means the masks auto, 3 and 7
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=3), conflicts_with = "core_mask")]
    cores: Option<u32>,
    /// Core mask to set: auto, 1, 2, 4, 3 or 7
    #[arg(long, value_name = "MASK", value_parser = parse_mask)]
    core_mask: Option<CoreChoice>,
}

impl CoreArgs {
    pub(crate) fn choice(&self) -> CoreChoice {
        self.core_mask.or(self.cores.and_then(CoreChoice::of_count)).unwrap_or(CoreChoice::Auto)
    }
}

fn parse_mask(text: &str) -> Result<CoreChoice, String> {
    match text {
        "auto" | "0" => Ok(CoreChoice::Auto),
        "1" | "2" | "3" | "4" | "7" => text.parse().map(CoreChoice::Mask).map_err(|_| "not a mask".to_owned()),
        _ => Err("masks are auto, 1, 2, 4, 3 and 7".to_owned()),
    }
}

#[derive(Debug, Args)]
pub(crate) struct RuntimeArgs {
    /// Another librknnrt.so for aarch64 instead of the one from PyPI
    #[arg(long, value_name = "PATH", env = "FERRITE_RUNTIME")]
    pub(crate) runtime: Option<PathBuf>,
}
