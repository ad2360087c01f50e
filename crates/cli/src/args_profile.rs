//! The flags of `ferrite profile`.

use std::path::PathBuf;

use clap::Args;

use crate::failure::EXIT_CODES;

/// Estimate what each operator of a model costs, without running it
///
/// Cycles, bytes and multiply-adds on one core, and which bound holds. For convolutions and matrix products the numbers are those that
/// Rockchip's compiler prints, derived from the file; for the rest there is a model of our own. Neither was held against a chip.
#[derive(Debug, Args)]
#[command(after_long_help = profile_help())]
pub(crate) struct ProfileArgs {
    /// The model, a .rknn file
    pub(crate) model: PathBuf,
    /// Also write a timeline that opens in Perfetto, with a track for every core and block
    #[arg(long, value_name = "OUT")]
    pub(crate) trace: Option<PathBuf>,
    /// Cores of the timeline's plan
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=3))]
    pub(crate) cores: u8,
}

fn profile_help() -> String {
    format!(
        "Columns: NPU and DDR are cycles of the multipliers (or another block) and of moving data, CYCLES the larger of both; BYTES is what \
         DDR counts, MOVED what the programs fetch and write, inputs that are fetched again included; MACS are multiply-adds without padding channels, \
         UTIL is their part of what the multipliers could do in that time. FROM says whether the cycles are the compiler's (toolkit) or ours \
         (model). Time between tasks, submissions and on the CPU is not counted. In a timeline all tasks last as our model says, at 1 GHz.\n\n\
         Examples:\n  ferrite profile model.rknn\n  ferrite profile model.rknn --trace trace.json --cores 3\n  \
         ferrite profile model.rknn --json\n\n{EXIT_CODES}"
    )
}
