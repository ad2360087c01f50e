//! `ferrite`, the command: parses the command line, dispatches, and turns the result into an exit code.
//!
//! A library so that the workspace's own tools can read NumPy files with [`npz`]; the program is [`main`].

mod args;
mod args_oracle;
mod args_profile;
mod args_run;
mod args_vendor;
mod args_xdna;
mod completions;
mod disasm;
mod failure;
mod inspect;
mod lint;
pub mod npz;
mod oracle;
mod printer;
mod profile;
mod run;
mod source;
mod suggest;
mod table;
mod version;
mod xdna;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

use clap::Parser;

use args::{Cli, Command};
use failure::{Exit, Failure};
use printer::Printer;

/// The program.
#[must_use]
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(answer) => {
            // Help and version are answers, not errors; a closed pipe is none either.
            let _ = answer.print();
            return if answer.use_stderr() { code(Exit::Input) } else { code(Exit::Ok) };
        }
    };
    code(guard(|| execute(&cli)))
}

fn code(exit: Exit) -> ExitCode {
    ExitCode::from(exit as u8)
}

/// Runs the command, prints what it failed with, and gives the exit code.
fn execute(cli: &Cli) -> Exit {
    let mut printer = Printer::new(cli.global.verbosity(), cli.global.color_choice());
    let result = dispatch(cli, &mut printer).and_then(|exit| printer.finish().map(|()| exit));
    result.unwrap_or_else(|failure| {
        printer.failure(&failure);
        failure.exit
    })
}

fn dispatch(cli: &Cli, printer: &mut Printer) -> Result<Exit, Failure> {
    match &cli.command {
        Command::Inspect(args) => inspect::run(args, cli.global.json, printer),
        Command::Disasm(args) => disasm::run(args, cli.global.json, printer),
        Command::Run(args) => run::run(args, cli.global.json, printer),
        Command::VendorRun(args) => run::run_vendor(args, cli.global.json, printer),
        Command::Asm(args) => xdna::assemble(args, cli.global.json, printer),
        Command::Profile(args) => profile::run(args, cli.global.json, printer),
        Command::Lint(args) => lint::run(args, cli.global.json, printer),
        Command::Trace(args) => xdna::trace(args, cli.global.json, printer),
        Command::Oracle(args) => oracle::run(args, cli.global.json, printer),
        Command::Completions(args) => completions::run(args, printer),
        Command::Version(_) => version::run(cli.global.json, printer),
    }
}

/// Turns a panic into exit code 70 and says how to report it.
fn guard(command: impl FnOnce() -> Exit) -> Exit {
    let default = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        default(panic);
        printer::report_bug();
    }));
    let exit = catch_unwind(AssertUnwindSafe(command)).unwrap_or(Exit::Bug);
    drop(std::panic::take_hook());
    exit
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_a_bug() {
        assert_eq!(guard(|| panic!("on purpose")), Exit::Bug);
        assert_eq!(guard(|| Exit::CheckFailed), Exit::CheckFailed);
    }
}
