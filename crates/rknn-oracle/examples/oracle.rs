//! Captures models with the vendor's runtime and compares, from the command line.
//!
//! `oracle capture MODEL OUT [MASK] [slim [LIMIT]]`, `oracle diff MODEL CAPTURE`, `oracle report MASK MODEL...`,
//! `oracle inputs MODEL...` (every type, order and pass-through)

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "it is a program")]

use std::path::{Path, PathBuf};

use ferrite_rknn::Model;
use ferrite_rknn_oracle::vendor::Runtime;
use ferrite_rknn_oracle::{
    Capture, CaptureOptions, CoreChoice, Format, InputSpec, Outcome, Row, Type, capture, diff, judge, report,
};
use ferrite_rknn_runtime::{ElementType, Plan, PlanOptions};

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
            let models: Vec<PathBuf> = models.iter().map(PathBuf::from).collect();
            let options = options(Some(mask));
            let mut print = |row: &Row| match &row.outcome {
                Outcome::Refused(error) => println!("{}: not run by the vendor's runtime: {error}", row.name()),
                Outcome::Failed(error) => println!("{}: FAILED: {error}", row.name()),
                Outcome::Compared(result) if result.is_equal() => println!("{}: equal; {}", row.name(), result.counts),
                Outcome::Compared(result) => println!("{}: DIFFERS\n{result}", row.name()),
            };
            let rows = report(&models, &[options.cores], &runtime, &options, &mut print);
            let equal = |row: &&Row| matches!(&row.outcome, Outcome::Compared(result) if result.is_equal());
            let run = rows.iter().filter(|row| !matches!(row.outcome, Outcome::Refused(_))).count();
            println!("{} of {run} equal; {} things wrong", rows.iter().filter(equal).count(), judge(&rows, &[]).len());
        }
        ["inputs-to", model, element, out] => {
            // One way of handing inputs over, to a capture.
            let element = if *element == "uint8" { Type::Uint8 } else { Type::Int8 };
            let plan = Plan::new(&Model::read(std::fs::read(model)?)?, &PlanOptions::default())?;
            let make = |(index, info): (usize, &ferrite_rknn_runtime::TensorInfo)| {
                InputSpec::values(index, info.shape.iter().product(), element, Format::Nhwc, 3)
            };
            let inputs = plan.inputs().iter().enumerate().map(make).collect();
            let runtime = Runtime::fetch(&mut |note| eprintln!("{note}"))?;
            let options = CaptureOptions { inputs, ..CaptureOptions::default() };
            capture(Path::new(model), &runtime, &options)?.save(Path::new(out))?;
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
    let bytes = std::fs::read(model)?;
    let plan = Plan::new(&Model::read(bytes.clone())?, &PlanOptions::default())?;
    let mut ways = Vec::new();
    for element in [Type::Float32, Type::Uint8, Type::Int8, Type::Float16] {
        for format in [Format::Nhwc, Format::Nchw, Format::Undefined] {
            let make = |(index, info): (usize, &ferrite_rknn_runtime::TensorInfo)| {
                InputSpec::values(index, info.shape.iter().product(), element, format, 3)
            };
            ways.push((format!("{element:?} {format:?}"), plan.inputs().iter().enumerate().map(make).collect()));
        }
    }
    let native = |(index, info): (usize, &ferrite_rknn_runtime::TensorInfo)| {
        let element = if info.element == ElementType::F16 { Type::Float16 } else { Type::Int8 };
        InputSpec::native(index, element, usize::try_from(info.native_bytes).unwrap_or(0), 3)
    };
    ways.push(("native".to_owned(), plan.inputs().iter().enumerate().map(native).collect::<Vec<_>>()));
    for (name, inputs) in ways {
        let made = capture(Path::new(model), &runtime, &CaptureOptions { inputs, ..CaptureOptions::default() });
        match made
            .map_err(|error| error.to_string())
            .and_then(|made| diff(&bytes, &made).map_err(|error| format!("ours: {error}")))
        {
            Ok(result) if result.is_equal() => println!("{model} {name}: equal"),
            Ok(result) => println!("{model} {name}: DIFFERS\n{result}"),
            Err(error) => println!("{model} {name}: {}", error.lines().next().unwrap_or_default()),
        }
    }
    Ok(())
}
