//! Build tasks of the Ferrite workspace: `cargo xtask --help`.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a command-line tool of the workspace")]

#[cfg(test)]
mod architecture;
mod bench;
mod check;
mod conformance;
mod corrupt;
mod coverage;
mod cross;
mod decide;
mod everything;
mod full;
mod fuzz;
mod isolate;
mod judge;
mod kept;
mod loading;
mod mutate;
mod parity;
mod shell;
mod summary;
mod zoo;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Build tasks of the Ferrite workspace.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Run every check there is: formatting, lints, tests, documentation, coverage, corrupt input.
    Test(check::Options),
    /// Run every model of `models/` on the emulator, judge it, and write `docs/coverage.md`.
    Coverage(coverage::Options),
    /// Build the zoo with the vendor's toolkit, run it on the emulator, judge it, and write its part of `docs/coverage.md`.
    Zoo(zoo::Options),
    /// Hold Rockchip's runtime on the emulator against Ferrite's: every model there is, on one, two and three cores.
    Parity(parity::Options),
    /// Compile ONNX's node tests with the vendor's toolkit, run them on the emulator, judge them, and write `docs/conformance.md`.
    Conformance(conformance::Options),
    /// Hold everything that can be built against the vendor's own runtime, on one, two and three cores: hours.
    Full(full::Options),
    /// Time the emulator against ONNX Runtime and the vendor's simulator, and loading against copying.
    Bench(bench::Options),
    /// Read, plan and run damaged models, explain and judge damaged files for AMD XDNA, in processes of their own; report panics, time and
    /// memory.
    Corrupt(corrupt::Options),
    /// Build for 64-bit Arm with Debian's toolchain; run the tests of what computes under qemu.
    Cross(cross::Options),
    /// Run the fuzz targets of `fuzz/`, each for a while.
    Fuzz(fuzz::Options),
    /// Feed each operator of the zoo's int8 real networks with what the vendor's simulator computed before it, and judge it alone.
    Isolate(isolate::Options),
    /// One process of `corrupt`.
    #[command(hide = true)]
    CorruptWorker(corrupt::WorkerOptions),
}

fn main() -> ExitCode {
    let result = match Arguments::parse().task {
        Task::Test(options) => check::run(&options),
        Task::Coverage(options) => coverage::run(&options),
        Task::Zoo(options) => zoo::run(&options),
        Task::Parity(options) => parity::run(&options),
        Task::Conformance(options) => conformance::run(&options),
        Task::Full(options) => full::run(&options),
        Task::Bench(options) => bench::run(&options),
        Task::Corrupt(options) => corrupt::run(&options),
        Task::Cross(options) => cross::run(&options),
        Task::Fuzz(options) => fuzz::run(&options),
        Task::Isolate(options) => isolate::run(&options),
        Task::CorruptWorker(options) => corrupt::work(&options),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
