//! `ferrite lint` of a file for AMD XDNA.

use ferrite_xdna::lint;
use ferrite_xdna::lint::Severity;
use serde_json::{Value, json};

use super::{File, unsound};
use crate::args::{Deny, LintArgs};
use crate::failure::{Exit, Failure};
use crate::printer::Printer;
use crate::version::{schema, tool};

pub(crate) fn run(args: &LintArgs, file: &File, as_json: bool, printer: &mut Printer) -> Result<Exit, Failure> {
    let findings = lint(&file.bytes).map_err(|error| unsound(&args.file, file.kind, &error))?;
    let count = |severity| findings.iter().filter(|finding| finding.severity == severity).count();
    let (errors, warnings) = (count(Severity::Error), count(Severity::Warning));
    let failed = errors > 0 || (args.deny == Some(Deny::Warnings) && warnings > 0);
    if as_json {
        let findings = findings.iter().map(|finding| {
            json!({
                "severity": finding.severity.to_string(),
                "rule": finding.rule.name(),
                "place": finding.place,
                "message": finding.message,
            })
        });
        printer.json(&json!({
            "schema": schema::LINT,
            "tool": tool(),
            "file": { "file": args.file.display().to_string(), "bytes": file.bytes.len(), "kind": file.kind.to_string() },
            "errors": errors,
            "warnings": warnings,
            "findings": findings.collect::<Value>(),
        }));
    } else {
        findings.iter().for_each(|finding| printer.line(finding));
        printer.note(format_args!("{}: {errors} errors, {warnings} warnings", args.file.display()));
    }
    Ok(if failed { Exit::CheckFailed } else { Exit::Ok })
}
