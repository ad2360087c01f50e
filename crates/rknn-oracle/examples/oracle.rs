//! Captures models with the vendor's runtime and compares, from the command line.
//!
//! `oracle capture MODEL OUT [MASK] [slim [LIMIT]]`, `oracle diff MODEL CAPTURE`, `oracle report MASK MODEL...`,
//! `oracle answers MODEL...` (a line of JSON for each), `oracle inputs MODEL...` (every type, order and pass-through), `oracle capture-inputs MODEL WAY OUT` (one of them)

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "it is a program")]

use std::path::{Path, PathBuf};

use ferrite_rknn_oracle::vendor::Runtime;
use ferrite_rknn_oracle::{Capture, CaptureOptions, CoreChoice, Outcome, Row, Trial, Way, capture, diff, judge};

fn options(mask: Option<&str>) -> CaptureOptions {
    let cores = mask.and_then(|mask| mask.parse().ok()).map_or(CoreChoice::Auto, CoreChoice::Mask);
    CaptureOptions { cores, ..CaptureOptions::default() }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["capture", model, out, rest @ ..] => {
            let runtime = Runtime::fetch(&mut |note| eprintln!("{note}"))?;
            let mut made = capture(Path::new(model), &runtime, &options(rest.first().copied()))?;
            if rest.get(1) == Some(&"slim") {
                let limit = rest.get(2).and_then(|limit| limit.parse().ok()).unwrap_or(0);
                made = made.programs_only(limit);
            }
            println!("{}", made.save(Path::new(out))?.display());
        }
        ["diff", model, path] => {
            println!("{}", diff(&std::fs::read(model)?, &Capture::load(Path::new(path))?)?);
        }
        ["report", mask, models @ ..] => {
            let runtime = Runtime::fetch(&mut |note| eprintln!("{note}"))?;
            let options = options(Some(mask));
            let trial = |model: &&str| Trial::of_file(PathBuf::from(model), options.cores);
            let rows: Vec<Row> =
                models.iter().map(|model| trial(model).run(&runtime, &options)).inspect(print).collect();
            let equal = |row: &&Row| matches!(&row.outcome, Outcome::Compared(result) if result.is_equal());
            let run = rows.iter().filter(|row| !matches!(row.outcome, Outcome::Refused(_))).count();
            let wrong = judge(&rows, &[], true).len();
            println!("{} of {run} equal; {wrong} things wrong", rows.iter().filter(equal).count());
        }
        ["capture-inputs", model, way, out] => {
            let way = Way::all().into_iter().find(|known| known.name() == *way).ok_or("no such way")?;
            let runtime = Runtime::fetch(&mut |note| eprintln!("{note}"))?;
            let inputs = way.inputs(&std::fs::read(model)?)?;
            let options = CaptureOptions { inputs, ..CaptureOptions::default() };
            capture(Path::new(model), &runtime, &options)?.save(Path::new(out))?;
        }
        ["answers", models @ ..] => {
            let runtime = Runtime::fetch(&mut |note| eprintln!("{note}"))?;
            for model in models {
                let made = capture(Path::new(model), &runtime, &CaptureOptions::default())?;
                let queries: Vec<_> = made.answers.iter().filter(|answer| answer["call"] == "query").collect();
                println!("{}", serde_json::json!({ "model": model, "answers": queries }));
            }
        }
        ["inputs", models @ ..] => {
            for model in models {
                inputs(model)?;
            }
        }
        _ => return Err("see the source for what it takes".into()),
    }
    Ok(())
}

/// Compares input and output bytes for every way of handing inputs over.
fn inputs(model: &str) -> Result<(), Box<dyn std::error::Error>> {
    let runtime = Runtime::fetch(&mut |note| eprintln!("{note}"))?;
    for way in Way::all() {
        let trial = Trial { way: Some(way), ..Trial::of_file(model.into(), CoreChoice::Auto) };
        print(&trial.run(&runtime, &CaptureOptions::default()));
    }
    Ok(())
}

fn print(row: &Row) {
    let name = format!("{} {}", row.trial.name, row.trial.how());
    match &row.outcome {
        Outcome::Refused(error) => println!("{name}: not run by the vendor's runtime: {error}"),
        Outcome::Crashed(error) => println!("{name}: CRASHED: {error}"),
        Outcome::TimedOut(error) => println!("{name}: TIMED OUT: {error}"),
        Outcome::Failed(error) => println!("{name}: FAILED: {error}"),
        Outcome::Compared(result) if result.is_equal() => println!("{name}: equal; {}", result.counts),
        Outcome::Compared(result) => println!("{name}: DIFFERS\n{result}"),
    }
}
