//! `ferrite oracle`.

use std::path::{Path, PathBuf};

use ferrite_rknn_oracle::vendor::Runtime;
use ferrite_rknn_oracle::{
    Capture, CaptureOptions, Diff, Error, ErrorKind, Outcome, Row, Trial, capture, diff, judge, read_allowlist,
};
use serde_json::{Value, json};

use crate::args_oracle::{CaptureArgs, DiffArgs, OracleArgs, OracleCommand, ReportArgs, RuntimeArgs};
use crate::failure::{Exit, Failure};
use crate::printer::Printer;
use crate::source;
use crate::version::{self, schema};

/// Programs and records of a slim capture; buffers beyond this many bytes are left out.
const SLIM_LIMIT: usize = 0;

pub(crate) fn run(args: &OracleArgs, as_json: bool, printer: &mut Printer) -> Result<Exit, Failure> {
    match &args.command {
        OracleCommand::Capture(args) => make(args, as_json, printer),
        OracleCommand::Diff(args) => compare(args, as_json, printer),
        OracleCommand::Report(args) => many(args, as_json, printer),
    }
}

pub(crate) fn failure(what: &str, error: &Error) -> Failure {
    let exit = match error.kind() {
        ErrorKind::Missing | ErrorKind::TimedOut => Exit::Device,
        ErrorKind::Refused => Exit::Unsupported,
        _ => Exit::Input,
    };
    Failure::new(exit, what).because(error)
}

pub(crate) fn runtime(args: &RuntimeArgs, printer: &mut Printer) -> Result<Runtime, Failure> {
    let found = match &args.runtime {
        Some(path) => Runtime::at(path),
        None => Runtime::fetch(&mut |notice| printer.note(notice)),
    };
    found.map_err(|error| failure("cannot use Rockchip's runtime", &error))
}

fn make(args: &CaptureArgs, as_json: bool, printer: &mut Printer) -> Result<Exit, Failure> {
    source::model(&args.model)?;
    let runtime = runtime(&args.runtime, printer)?;
    let options = CaptureOptions { cores: args.cores.choice(), ..CaptureOptions::default() };
    let what = format!("cannot capture `{}`", args.model.display());
    let mut made = capture(&args.model, &runtime, &options).map_err(|error| failure(&what, &error))?;
    if args.slim {
        made = made.programs_only(SLIM_LIMIT);
    }
    let place = made.save(&args.out).map_err(|error| failure(&what, &error))?;
    if as_json {
        printer.json(&json!({ "schema": schema::ORACLE_CAPTURE, "tool": version::tool(), "capture": place }));
    } else {
        printer.line(place.display());
    }
    Ok(Exit::Ok)
}

fn compare(args: &DiffArgs, as_json: bool, printer: &mut Printer) -> Result<Exit, Failure> {
    let model = source::read(&args.model, "the model")?;
    let what = format!("cannot compare `{}`", args.model.display());
    let capture = Capture::load(&args.capture).map_err(|error| failure(&what, &error))?;
    let result = diff(&model, &capture).map_err(|error| failure(&what, &error))?;
    if as_json {
        let mut document = json!({ "schema": schema::ORACLE_DIFF, "tool": version::tool(), "model": args.model });
        document["result"] = document_of(&result);
        printer.json(&document);
    } else {
        printer.line(&result);
    }
    Ok(if result.is_equal() { Exit::Ok } else { Exit::CheckFailed })
}

fn document_of(result: &Diff) -> Value {
    let counts = ferrite_rknn_oracle::Kind::ALL.map(|kind| (kind.name().to_owned(), json!(result.counts.of(kind))));
    json!({
        "equal": result.is_equal(),
        "tasks": result.counts.tasks,
        "programs": result.counts.programs,
        "submissions": result.counts.submissions,
        "differences": counts.into_iter().collect::<serde_json::Map<String, Value>>(),
        "first": result.first.iter().map(ToString::to_string).collect::<Vec<String>>(),
        "unsynchronised_bytes": result.syncs.missing,
    })
}

fn many(args: &ReportArgs, as_json: bool, printer: &mut Printer) -> Result<Exit, Failure> {
    let allowlist = match &args.allowlist {
        None => Vec::new(),
        Some(path) => {
            let text = source::read(path, "the allowlist")?;
            read_allowlist(&String::from_utf8_lossy(&text))
                .map_err(|error| Failure::input(format!("the allowlist `{}` is wrong: {error}", path.display())))?
        }
    };
    let models: Vec<PathBuf> = args.models.clone();
    if let Some(missing) = models.iter().find(|model| !model.is_file()) {
        source::read(missing, "the model")?;
    }
    let runtime = runtime(&args.runtime, printer)?;
    let options = CaptureOptions { cores: args.cores.choice(), ..CaptureOptions::default() };
    let bar = printer.progress(models.len(), "models");
    let mut rows = Vec::new();
    for model in models {
        let row = Trial::of_file(model, options.cores).run(&runtime, &options);
        if !as_json {
            printer.line(line(&row));
        }
        bar.inc(1);
        rows.push(row);
    }
    bar.finish_and_clear();
    let wrong = judge(&rows, &allowlist, false);
    if as_json {
        printer.json(&json!({
            "schema": schema::ORACLE_REPORT,
            "tool": version::tool(),
            "models": rows.iter().map(row_document).collect::<Vec<Value>>(),
            "unexpected": wrong,
        }));
    } else {
        for text in &wrong {
            printer.warn(text);
        }
        let compared = rows.iter().filter(|row| matches!(row.outcome, Outcome::Compared(_))).count();
        printer.note(format!("{compared} of {} models compared, {} unexpected differences", rows.len(), wrong.len()));
    }
    Ok(if wrong.is_empty() { Exit::Ok } else { Exit::CheckFailed })
}

fn name(path: &Path) -> String {
    path.display().to_string()
}

fn line(row: &Row) -> String {
    match &row.outcome {
        Outcome::Refused(error) => format!("{}: not run by Rockchip's runtime: {error}", name(&row.trial.model)),
        Outcome::Crashed(error) | Outcome::TimedOut(error) => format!("{}: {error}", name(&row.trial.model)),
        Outcome::Failed(error) => format!("{}: failed: {error}", name(&row.trial.model)),
        Outcome::Compared(result) => format!("{}: {}", name(&row.trial.model), result.counts),
    }
}

fn row_document(row: &Row) -> Value {
    let mut document = json!({ "model": row.trial.model, "cores": row.trial.how() });
    match &row.outcome {
        Outcome::Refused(error) => document["refused"] = json!(error),
        Outcome::Crashed(error) => document["crashed"] = json!(error),
        Outcome::TimedOut(error) => document["timed_out"] = json!(error),
        Outcome::Failed(error) => document["failed"] = json!(error),
        Outcome::Compared(result) => document["result"] = document_of(result),
    }
    document
}
