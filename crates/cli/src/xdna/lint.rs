//! `ferrite lint` of a file for AMD XDNA.

use ferrite_xdna::lint::Severity;
use ferrite_xdna::{FileKind, lint};
use serde_json::{Value, json};

use super::{File, unsound};
use crate::args::{Deny, LintArgs};
use crate::failure::{Exit, Failure};
use crate::lint::counted;
use crate::printer::Printer;
use crate::table::safe;
use crate::version::{schema, tool};

pub(crate) fn run(args: &LintArgs, file: &File, as_json: bool, printer: &mut Printer) -> Result<Exit, Failure> {
    if !file.kind.has_programs() || file.kind == FileKind::ControlPackets {
        let message = format!("`{}` is {}, and there are no rules for those", args.file.display(), file.kind);
        return Err(Failure::new(Exit::Unsupported, message));
    }
    let mut findings = lint(&file.bytes).map_err(|error| unsound(&args.file, file.kind, &error))?;
    findings.retain(|finding| !args.allow.iter().any(|rule| rule == finding.rule.name()));
    let count = |severity| findings.iter().filter(|finding| finding.severity == severity).count();
    let (errors, warnings) = (count(Severity::Error), count(Severity::Warning));
    let failed = errors > 0 || (args.deny == Some(Deny::Warnings) && warnings > 0);
    if as_json {
        let findings = findings.iter().map(|finding| {
            json!({
                "severity": finding.severity.name(),
                "rule": finding.rule.name(),
                "place": finding.place,
                "message": finding.message,
            })
        });
        printer.json(&json!({
            "schema": schema::LINT,
            "tool": tool(),
            "file": { "file": args.file.display().to_string(), "bytes": file.bytes.len(), "kind": file.kind.name() },
            "errors": errors,
            "warnings": warnings,
            "findings": findings.collect::<Value>(),
        }));
    } else {
        findings.iter().for_each(|finding| printer.line(safe(&finding.to_string())));
        printer.note(format_args!(
            "{}: {}, {}",
            args.file.display(),
            counted(errors, "error"),
            counted(warnings, "warning")
        ));
    }
    Ok(if failed { Exit::CheckFailed } else { Exit::Ok })
}
