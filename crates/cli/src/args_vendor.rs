//! The flags of `ferrite vendor-run`.

use std::path::PathBuf;

use clap::Args;

use crate::args_oracle::{CoreArgs, RuntimeArgs};
use crate::args_run::{CheckArgs, HazardArgs, InputArgs, OutputArgs, Wanted, parse_work};
use crate::failure::EXIT_CODES;

/// Run a compiled model through Rockchip's own runtime, with Ferrite's emulator in the place of the NPU
///
/// The runtime, unmodified, runs under qemu; a fake kernel driver hands what it submits to the emulator. Its outputs must be those of
/// `ferrite run`, bit for bit.
#[derive(Debug, Args)]
#[command(after_help = "Try `--help` for the kinds of inputs and two examples.")]
#[command(after_long_help = help())]
pub(crate) struct VendorRunArgs {
    /// The model, a .rknn file
    pub(crate) model: PathBuf,

    #[command(flatten)]
    pub(crate) input: InputArgs,
    #[command(flatten)]
    pub(crate) engine: VendorEngineArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    #[command(flatten)]
    pub(crate) check: CheckArgs,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Engine")]
pub(crate) struct VendorEngineArgs {
    #[command(flatten)]
    pub(crate) cores: CoreArgs,
    #[command(flatten)]
    pub(crate) runtime: RuntimeArgs,
    /// Fail where the NPU reads what the runtime wrote and did not synchronise, instead of reading old bytes
    #[arg(long)]
    pub(crate) strict: bool,
    /// Work after which a submission is stopped, for bytes moved and multiply-adds alike [default: derived from the model]
    #[arg(long, value_name = "N", value_parser = parse_work, env = "FERRITE_WORK_LIMIT")]
    pub(crate) work_limit: Option<u64>,
    #[command(flatten)]
    pub(crate) hazards: HazardArgs,
}

impl VendorRunArgs {
    pub(crate) fn wanted(&self) -> Wanted<'_> {
        Wanted { model: &self.model, input: &self.input, output: &self.output, check: &self.check }
    }
}

fn help() -> String {
    format!(
        "The runtime is librknnrt 1.5.2, which is fetched once from PyPI (`rknpu` 1.5.2) with pip into the user's cache. Rockchip's \
         licence for it covers developing and testing software for Rockchip chips. It takes qemu-user-static, gcc-aarch64-linux-gnu and \
         libstdc++6-arm64-cross.\n\n\
         Inputs and outputs are those of `ferrite run`. Each run is a process of its own, and its time is that of the whole process.\n\n\
         Examples:\n  ferrite vendor-run model.rknn --input photo.jpg --save vendor.npz\n  \
         ferrite vendor-run model.rknn --input random:1 --cores 3 --compare ours.npz --tolerance exact\n\n{EXIT_CODES}"
    )
}
