//! The one place that writes: data to stdout, everything else to stderr.

use std::fmt::{Arguments, Display};
use std::io::{self, BufWriter, Write};

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use serde_json::Value;

use crate::failure::Failure;
use crate::table::Table;

/// How much is said on stderr.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Verbosity {
    /// Errors only.
    Quiet,
    /// Warnings and one line of summary.
    Normal,
    /// Also what is not asked for by name, such as statistics next to the text a network read.
    Verbose,
}

pub(crate) const HEADING: Style = Style::new().bold();
const ERROR: Style = AnsiColor::Red.on_default().bold();
const WARNING: Style = AnsiColor::Yellow.on_default().bold();
const HELP: Style = AnsiColor::Cyan.on_default().bold();

/// Owns stdout and stderr for the whole run.
///
/// Writing never fails at the call: a reader that closed the pipe has seen enough and is no error, and any other failure is kept
/// for [`Printer::finish`].
pub(crate) struct Printer {
    verbosity: Verbosity,
    color: ColorChoice,
    out: BufWriter<AutoStream<io::Stdout>>,
    closed: bool,
    failure: Option<io::Error>,
}

impl Printer {
    pub(crate) fn new(verbosity: Verbosity, color: ColorChoice) -> Self {
        let out = BufWriter::with_capacity(1 << 16, AutoStream::new(io::stdout(), color));
        Self { verbosity, color, out, closed: false, failure: None }
    }

    pub(crate) fn is_verbose(&self) -> bool {
        self.verbosity >= Verbosity::Verbose
    }

    pub(crate) fn is_quiet(&self) -> bool {
        self.verbosity == Verbosity::Quiet
    }

    /// Whether nobody reads stdout any more, so that long output can stop early.
    pub(crate) fn is_closed(&self) -> bool {
        self.closed
    }

    /// Writes data to stdout as it is.
    pub(crate) fn write(&mut self, data: Arguments<'_>) {
        if self.closed {
            return;
        }
        let result = self.out.write_fmt(data);
        self.keep(result);
    }

    /// One line of data.
    pub(crate) fn line(&mut self, line: impl Display) {
        self.write(format_args!("{line}\n"));
    }

    /// A heading above a table, with an empty line above it unless it is the first.
    pub(crate) fn heading(&mut self, first: bool, title: impl Display) {
        let gap = if first { "" } else { "\n" };
        self.write(format_args!("{gap}{HEADING}{title}{HEADING:#}\n"));
    }

    pub(crate) fn table(&mut self, table: &Table) {
        for line in table.lines() {
            self.line(line);
        }
    }

    /// One JSON document.
    pub(crate) fn json(&mut self, document: &Value) {
        self.write(format_args!("{document:#}\n"));
    }

    /// Hands over what is buffered, so that lines of stdout and stderr interleave as they were written.
    pub(crate) fn flush(&mut self) {
        let result = self.out.flush();
        self.keep(result);
    }

    fn keep(&mut self, result: io::Result<()>) {
        if let Err(error) = result {
            self.closed = true;
            if error.kind() != io::ErrorKind::BrokenPipe {
                self.failure.get_or_insert(error);
            }
        }
    }

    /// Remarks for people: summaries.
    pub(crate) fn note(&mut self, line: impl Display) {
        if self.verbosity >= Verbosity::Normal {
            self.remark(format_args!("{line}\n"));
        }
    }

    /// What only `--verbose` shows.
    pub(crate) fn detail(&mut self, line: impl Display) {
        if self.is_verbose() {
            self.remark(format_args!("{line}\n"));
        }
    }

    pub(crate) fn warn(&mut self, line: impl Display) {
        if self.verbosity >= Verbosity::Normal {
            self.remark(format_args!("{WARNING}warning{WARNING:#}: {line}\n"));
        }
    }

    /// `error:`, its causes and the `help:` line.
    pub(crate) fn failure(&mut self, failure: &Failure) {
        let mut text = format!("{ERROR}error{ERROR:#}: {}\n", failure.message);
        for cause in &failure.causes {
            text += &format!("  caused by: {cause}\n");
        }
        for help in &failure.help {
            text += &format!("{HELP}help{HELP:#}: {}\n", help.replace('\n', "\n      "));
        }
        self.remark(format_args!("{text}"));
    }

    fn remark(&mut self, text: Arguments<'_>) {
        self.flush();
        // Nobody is left to tell when stderr itself is gone.
        let _ = AutoStream::new(io::stderr(), self.color).lock().write_fmt(text);
    }

    /// A bar for work of several steps: shown on a terminal only, and not when quiet.
    pub(crate) fn progress(&self, steps: usize, what: &'static str) -> indicatif::ProgressBar {
        if self.is_quiet() || steps < 2 {
            return indicatif::ProgressBar::hidden();
        }
        let style = indicatif::ProgressStyle::with_template("{msg} [{bar:30}] {pos}/{len} {elapsed}")
            .unwrap_or_else(|_| indicatif::ProgressStyle::default_bar());
        // The draw target of a bar is stderr, and it stays hidden when that is no terminal.
        indicatif::ProgressBar::new(steps as u64).with_style(style).with_message(what)
    }

    /// Flushes stdout and reports the first failure of writing to it.
    pub(crate) fn finish(&mut self) -> Result<(), Failure> {
        self.flush();
        match self.failure.take() {
            None => Ok(()),
            Some(error) => Err(Failure::input("cannot write to standard output").because(&error)),
        }
    }
}

/// What to do when the program itself is at fault; the panic's own message stands above it.
pub(crate) fn report_bug() {
    let mut stderr = AutoStream::auto(io::stderr()).lock();
    let _ = writeln!(
        stderr,
        "{ERROR}error{ERROR:#}: this is a bug in ferrite {}\n{HELP}help{HELP:#}: please report it at {}/issues with the command line, the \
         message above and, if you can, the input file",
        env!("CARGO_PKG_VERSION"),
        env!("CARGO_PKG_REPOSITORY"),
    );
}
