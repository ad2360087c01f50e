//! `ferrite lint`.

use crate::args::LintArgs;
use crate::failure::{Exit, Failure};
use crate::printer::Printer;
use crate::{source, xdna};

pub(crate) fn run(args: &LintArgs, as_json: bool, printer: &mut Printer) -> Result<Exit, Failure> {
    if let Some(file) = xdna::open(&args.file)? {
        return xdna::lint(args, &file, as_json, printer);
    }
    source::model(&args.file)?;
    let message =
        format!("`{}` is a model for Rockchip NPUs, and there are no rules for those yet", args.file.display());
    Err(Failure::new(Exit::Unsupported, message).help("`ferrite run` checks every program while it executes it"))
}
