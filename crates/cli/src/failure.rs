//! What ends a command early: an exit code, a message, its causes and a hint.

use std::error::Error;
use std::fmt::Display;

/// Exit codes, part of the command's interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Exit {
    Ok = 0,
    /// A comparison that was asked for did not pass.
    CheckFailed = 1,
    /// The command line or a file given on it.
    Input = 2,
    /// Valid input that this version or the chosen target cannot handle.
    Unsupported = 3,
    /// The device or its driver.
    Device = 4,
    /// A defect of the program itself.
    Bug = 70,
}

/// The exit codes as every command's help states them.
pub(crate) const EXIT_CODES: &str = "\
Exit codes:
  0   success
  1   a check that was asked for failed
  2   wrong usage, or an input file that is missing or malformed
  3   valid input that is not supported
  4   the device failed
  70  a bug in ferrite";

/// An error on its way to the user.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) exit: Exit,
    pub(crate) message: String,
    pub(crate) causes: Vec<String>,
    pub(crate) help: Vec<String>,
}

impl Failure {
    pub(crate) fn new(exit: Exit, message: impl Into<String>) -> Self {
        Self { exit, message: message.into(), causes: Vec::new(), help: Vec::new() }
    }

    /// Wrong usage or an unusable file.
    pub(crate) fn input(message: impl Into<String>) -> Self {
        Self::new(Exit::Input, message)
    }

    /// Adds an error and everything that caused it.
    pub(crate) fn because(mut self, error: &dyn Error) -> Self {
        let mut next = Some(error);
        while let Some(error) = next {
            // Some errors repeat their cause in their own text.
            let text = error.to_string();
            if self.causes.last().is_none_or(|last| !last.contains(&text)) {
                self.causes.push(text);
            }
            next = error.source();
        }
        self
    }

    /// Adds what to do about it.
    pub(crate) fn help(mut self, help: impl Display) -> Self {
        self.help.push(help.to_string());
        self
    }
}
