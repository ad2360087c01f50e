//! The command line: every flag, its default and its help.

use std::path::PathBuf;

use anstream::ColorChoice;
use clap::builder::FalseyValueParser;
use clap::{ArgAction, Args, Parser, Subcommand, ValueEnum};

pub(crate) use crate::args_oracle::OracleArgs;
pub(crate) use crate::args_profile::ProfileArgs;
pub(crate) use crate::args_run::{RunArgs, Wanted};
pub(crate) use crate::args_vendor::VendorRunArgs;
pub(crate) use crate::args_xdna::{AsmArgs, DecodeArgs, Deny, LintArgs, TraceArgs, TraceCommand};
use crate::failure::EXIT_CODES;
use crate::printer::Verbosity;

/// Inspect, disassemble and run neural networks compiled for Rockchip NPUs, with or without the chip; read, check and explain the
/// binaries of AMD XDNA.
#[derive(Debug, Parser)]
#[command(name = "ferrite", version, max_term_width = 100, arg_required_else_help = true)]
#[command(after_help = EXIT_CODES)]
#[command(after_long_help = after_long_help())]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) global: GlobalArgs,
    #[command(subcommand)]
    pub(crate) command: Command,
}

fn after_long_help() -> String {
    format!(
        "Data goes to standard output, everything else to standard error. Nothing is ever sent over a \
         network; `ferrite oracle` and `ferrite vendor-run` fetch Rockchip's runtime once.\n\n\
         Examples:\n  ferrite inspect model.rknn\n  ferrite run model.rknn --input random:1\n  \
         ferrite lint final.xclbin\n\n{EXIT_CODES}"
    )
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Global options")]
pub(crate) struct GlobalArgs {
    /// Print no warnings and no summary on standard error
    #[arg(short, long, global = true, env = "FERRITE_QUIET", value_parser = FalseyValueParser::new(), conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// Print more details on standard error
    #[arg(short, long, global = true, action = ArgAction::Count)]
    pub(crate) verbose: u8,
    /// When to use colours; `auto` uses them on a terminal and honours NO_COLOR
    #[arg(long, global = true, value_name = "WHEN", env = "FERRITE_COLOR", value_enum, default_value_t = ColorWhen::Auto)]
    pub(crate) color: ColorWhen,
    /// Print one JSON document on standard output; its schema's name and version are inside
    #[arg(long, global = true, env = "FERRITE_JSON", value_parser = FalseyValueParser::new())]
    pub(crate) json: bool,
}

impl GlobalArgs {
    pub(crate) fn verbosity(&self) -> Verbosity {
        match (self.quiet, self.verbose) {
            (true, _) => Verbosity::Quiet,
            (false, 0) => Verbosity::Normal,
            (false, _) => Verbosity::Verbose,
        }
    }

    pub(crate) fn color_choice(&self) -> ColorChoice {
        match self.color {
            ColorWhen::Auto => ColorChoice::Auto,
            ColorWhen::Always => ColorChoice::Always,
            ColorWhen::Never => ColorChoice::Never,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColorWhen {
    Auto,
    Always,
    Never,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Inspect(InspectArgs),
    Disasm(DisasmArgs),
    Asm(AsmArgs),
    Lint(LintArgs),
    Profile(ProfileArgs),
    Trace(TraceArgs),
    Run(Box<RunArgs>),
    VendorRun(Box<VendorRunArgs>),
    Oracle(OracleArgs),
    Completions(CompletionsArgs),
    Version(VersionArgs),
}

/// Show what a compiled model or another binary of an NPU contains
///
/// Without --show: a summary, the operators, the inputs and the outputs. The kind of the file is recognised by its content, not by its
/// name. Sizes and addresses are in bytes. A file for AMD XDNA (xclbin, PDI, CDO, instruction stream, control packets, ELF, trace; a binary
/// also in base64) is explained in words: every operation and every register write of a configuration.
#[derive(Debug, Args)]
#[command(after_long_help = inspect_help())]
pub(crate) struct InspectArgs {
    /// A .rknn file, or a file for AMD XDNA
    pub(crate) file: PathBuf,
    /// Sections of a .rknn file to show, separated by commas
    #[arg(long, value_name = "SECTIONS", value_enum, value_delimiter = ',', env = "FERRITE_SHOW")]
    pub(crate) show: Vec<Section>,
}

fn inspect_help() -> String {
    format!(
        "Columns of the operators: TASKS 1/2/3 are the tasks on the NPU when the model runs on one, two (core 0 + core 1) or three \
         cores; `-` stands for none. Columns of the tensors: AT is the buffer a tensor lives in and its offset there: `weights` (constants, \
         in the file), `activations` (intermediate values), `input`, `output`.\n\n\
         Examples:\n  ferrite inspect model.rknn\n  ferrite inspect model.rknn --show tensors,blobs\n  ferrite inspect final.xclbin\n\n{EXIT_CODES}"
    )
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Section {
    /// Operators: type, target, tasks per number of cores, inputs and outputs
    Operators,
    /// Tensors: shape, type, layout, quantisation, place
    Tensors,
    /// Pieces of the weight image: weights, programs, task list, tables
    Blobs,
    /// Buffers on the device and their sizes
    Buffers,
    /// Versions of the container, the compiler and the target
    Versions,
    /// Attributes of every operator
    Attributes,
    /// Everything
    All,
}

/// Disassemble the register programs of a model, or the programs in a file for AMD XDNA
///
/// Prints every command of every task in fixed columns: offset in the program, the 64-bit word, block and register, fields that are
/// not zero. Without --task and --operator: all tasks of the single-core plan. Instruction streams for AMD XDNA, also those in an ELF, are
/// printed an operation a line, which `ferrite asm` takes back; configurations (CDO, also those in a PDI or an xclbin) a command a line.
#[derive(Debug, Args)]
#[command(after_long_help = disasm_help())]
pub(crate) struct DisasmArgs {
    /// A .rknn file, or a file for AMD XDNA; with --raw a file of 64-bit little-endian commands
    pub(crate) file: PathBuf,
    /// Only these tasks: `N`, or `A..B` without B; numbers as in the model's task list
    #[arg(long, value_name = "N|A..B", value_parser = parse_range)]
    pub(crate) task: Option<std::ops::Range<usize>>,
    /// Only the tasks of this operator: its name, or its number as `ferrite inspect` shows it
    #[arg(long, value_name = "NAME|INDEX", conflicts_with = "raw")]
    pub(crate) operator: Option<String>,
    /// Also print, after each program, the registers the task runs with: those it writes and those left by earlier tasks
    #[arg(long)]
    pub(crate) state: bool,
    /// Leave out offsets and words, so that two listings can be compared line by line
    #[arg(long)]
    pub(crate) no_hex: bool,
    /// Also the tasks of the plans for two and three cores
    #[arg(long, conflicts_with = "raw")]
    pub(crate) all_cores: bool,
    /// The file is a bare program
    #[arg(long)]
    pub(crate) raw: bool,
}

fn disasm_help() -> String {
    format!(
        "Registers keep their values between tasks, in two banks per block; a task often writes only what differs. --state replays \
         the tasks from the start of their submission and shows the result.\n\n\
         Examples:\n  ferrite disasm model.rknn --operator Conv:conv1\n  ferrite disasm model.rknn --task 3 --state\n  ferrite disasm insts.bin --no-hex\n\n{EXIT_CODES}"
    )
}

fn parse_range(text: &str) -> Result<std::ops::Range<usize>, String> {
    let number = |text: &str| text.parse::<usize>().map_err(|_| format!("`{text}` is not a task number"));
    let range = match text.split_once("..") {
        Some((from, to)) => {
            let from = if from.is_empty() { 0 } else { number(from)? };
            from..if to.is_empty() { usize::MAX } else { number(to)? }
        }
        None => {
            let at = number(text)?;
            at..at.checked_add(1).ok_or("the number is too large")?
        }
    };
    if range.is_empty() { Err("the range is empty".into()) } else { Ok(range) }
}

/// Print a shell's completion script
///
/// The script goes to standard output; where to put it depends on the shell.
#[derive(Debug, Args)]
#[command(after_long_help = completions_help())]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: clap_complete::Shell,
}

fn completions_help() -> String {
    format!(
        "Examples:\n  ferrite completions bash > ~/.local/share/bash-completion/completions/ferrite\n  \
         ferrite completions fish > ~/.config/fish/completions/ferrite.fish\n\n{EXIT_CODES}"
    )
}

/// Print the version
///
/// With --json also the supported systems-on-chip, engines and JSON schemas.
#[derive(Debug, Args)]
#[command(after_long_help = format!("Examples:\n  ferrite version\n  ferrite version --json\n\n{EXIT_CODES}"))]
pub(crate) struct VersionArgs {}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_parser_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn task_ranges() {
        assert_eq!(parse_range("3"), Ok(3..4));
        assert_eq!(parse_range("3..5"), Ok(3..5));
        assert_eq!(parse_range("..5"), Ok(0..5));
        assert_eq!(parse_range("2.."), Ok(2..usize::MAX));
        for wrong in ["", "x", "5..5", "5..3", "-1", "1..x", "18446744073709551615"] {
            assert!(parse_range(wrong).is_err(), "{wrong}");
        }
    }
}
