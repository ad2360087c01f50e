//! `ferrite completions`.

use clap::CommandFactory;

use crate::args::{Cli, CompletionsArgs};
use crate::failure::{Exit, Failure};
use crate::printer::Printer;

pub(crate) fn run(args: &CompletionsArgs, printer: &mut Printer) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "ferrite", &mut script);
    printer.write(format_args!("{}", String::from_utf8_lossy(&script)));
    Ok(Exit::Ok)
}
