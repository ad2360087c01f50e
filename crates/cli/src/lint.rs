//! `ferrite lint`.

use ferrite_rknn_analysis::{Finding, Kind, Severity};
use serde_json::{Value, json};

use crate::args::{Deny, LintArgs};
use crate::failure::{Exit, Failure};
use crate::printer::Printer;
use crate::table::safe;
use crate::version::{schema, tool};
use crate::{source, suggest, xdna};

pub(crate) fn run(args: &LintArgs, as_json: bool, printer: &mut Printer) -> Result<Exit, Failure> {
    if let Some(file) = xdna::open(&args.file)? {
        return xdna::lint(args, &file, as_json, printer);
    }
    let model = source::model(&args.file)?;
    let allowed = args.allow.iter().map(|name| kind(name)).collect::<Result<Vec<Kind>, Failure>>()?;
    let mut report = ferrite_rknn_analysis::lint(&model);
    report.findings.retain(|finding| !allowed.contains(&finding.kind));
    let [notes, warnings, errors] =
        [Severity::Note, Severity::Warning, Severity::Error].map(|severity| report.count(severity));
    if as_json {
        printer.json(&json!({
            "schema": schema::LINT,
            "tool": tool(),
            "file": { "file": args.file.display().to_string(), "bytes": model.bytes().len(), "kind": "rknn" },
            "errors": errors,
            "warnings": warnings,
            "notes": notes,
            "findings": report.findings.iter().map(document).collect::<Value>(),
        }));
    } else {
        report.findings.iter().for_each(|finding| printer.line(safe(&finding.to_string())));
        let counts = [counted(errors, "error"), counted(warnings, "warning"), counted(notes, "note")];
        printer.note(format_args!("{}: {}", args.file.display(), counts.join(", ")));
    }
    let failed = errors > 0 || (args.deny == Some(Deny::Warnings) && warnings > 0);
    Ok(if failed { Exit::CheckFailed } else { Exit::Ok })
}

/// The rule with this name.
fn kind(name: &str) -> Result<Kind, Failure> {
    let names = || Kind::ALL.iter().map(|kind| kind.name());
    if let Some(kind) = Kind::ALL.iter().find(|kind| kind.name() == name) {
        return Ok(*kind);
    }
    let failure = Failure::input(format!("there is no rule `{name}`"));
    Err(match suggest::nearest(name, names()) {
        Some(near) => failure.help(format!("a rule with a similar name exists: `{near}`")),
        None => failure.help(format!("the rules are {}", names().collect::<Vec<_>>().join(", "))),
    })
}

fn document(finding: &Finding) -> Value {
    let place = &finding.place;
    json!({
        "severity": finding.kind.severity().name(),
        "rule": finding.kind.name(),
        "operator": place.operator.as_ref().map(|(index, name)| json!({ "index": index, "name": name })),
        "task": place.task,
        "register": place.register,
        "offset": place.offset,
        "message": finding.message,
        "more_tasks": finding.more,
    })
}

/// `no errors`, `1 error`, `2 errors`.
pub(crate) fn counted(count: usize, what: &str) -> String {
    match count {
        0 => format!("no {what}s"),
        1 => format!("1 {what}"),
        _ => format!("{count} {what}s"),
    }
}
