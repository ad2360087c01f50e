//! The flags of `ferrite asm`, `lint` and `trace`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use crate::failure::EXIT_CODES;

/// Assemble a listing to bytes
///
/// Takes what `ferrite disasm` prints of an instruction stream for AMD XDNA, a listing of aiebu (*.ctrltext.asm), or the listing of
/// one register program for Rockchip NPUs. The kind is recognised by the content.
#[derive(Debug, Args)]
#[command(after_long_help = asm_help())]
pub(crate) struct AsmArgs {
    /// The listing
    pub(crate) file: PathBuf,
    /// The file to write
    #[arg(long, short, value_name = "FILE")]
    pub(crate) out: PathBuf,
}

fn asm_help() -> String {
    format!(
        "Assembling what was disassembled gives the same bytes, undefined ones included.\n\n\
         Examples:\n  ferrite asm program.txt --out insts.bin\n  ferrite asm task.txt -o task.bin && ferrite disasm --raw task.bin\n\n{EXIT_CODES}"
    )
}

/// Look for what is wrong in a file without running it
///
/// Prints a line for each finding: severity, place, what is wrong, the rule. Exit code 1 if there are errors. Of a compiled model: values that do
/// not fit their register field or exceed a limit, registers that contradict each other, DMA outside buffers, overlaps, broken task
/// chains, operators left to the CPU, half precision that can overflow, what the file needs. Of a file for AMD XDNA core programs are not
/// analysed: nothing is claimed that their code could refute.
#[derive(Debug, Args)]
#[command(after_long_help = lint_help())]
pub(crate) struct LintArgs {
    /// A .rknn file, or for AMD XDNA an xclbin, a PDI, a CDO, an instruction stream or an ELF
    pub(crate) file: PathBuf,
    /// Fail on these, too
    #[arg(long, value_name = "WHAT", value_enum)]
    pub(crate) deny: Option<Deny>,
    /// Leave out findings of these rules, separated by commas; the name of a rule stands in brackets behind each finding
    #[arg(long, value_name = "RULES", value_delimiter = ',')]
    pub(crate) allow: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Deny {
    /// Findings that are probably not what is meant
    Warnings,
}

fn lint_help() -> String {
    format!(
        "Examples:\n  ferrite lint model.rknn\n  ferrite lint model.rknn --deny warnings --allow outside-tensor\n  \
         ferrite lint final.xclbin\n  ferrite lint insts.bin --deny warnings --json\n\n{EXIT_CODES}"
    )
}

/// Decode hardware traces
#[derive(Debug, Args)]
#[command(after_long_help = trace_help())]
pub(crate) struct TraceArgs {
    #[command(subcommand)]
    pub(crate) command: TraceCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum TraceCommand {
    Decode(DecodeArgs),
}

fn trace_help() -> String {
    format!(
        "Examples:\n  ferrite trace decode trace.txt --program insts.bin\n  \
         ferrite trace decode trace.bin --raw --program insts.bin --perfetto trace.json\n\n{EXIT_CODES}"
    )
}

/// Decode a trace of AMD XDNA to text, and for Perfetto
///
/// The trace is text with a word of eight hexadecimal digits a line, as mlir-aie's host code writes it, or with --raw the buffer
/// itself. Events have names where --program says which units it traces.
#[derive(Debug, Args)]
#[command(after_long_help = trace_help())]
pub(crate) struct DecodeArgs {
    /// The trace
    pub(crate) file: PathBuf,
    /// The file is the trace buffer: little-endian words of 32 bits
    #[arg(long)]
    pub(crate) raw: bool,
    /// What configured the trace: an instruction stream, CDO, PDI, xclbin or ELF
    #[arg(long, value_name = "FILE")]
    pub(crate) program: Option<PathBuf>,
    /// Also write a timeline that opens in Perfetto; without --program events have the numbers of their slots
    #[arg(long, value_name = "OUT")]
    pub(crate) perfetto: Option<PathBuf>,
}
