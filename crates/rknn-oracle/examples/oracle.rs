//! Captures models with the vendor's runtime and compares, from the command line.
//!
//! `oracle capture MODEL OUT [MASK] [slim [LIMIT]]`, `oracle diff MODEL CAPTURE`, `oracle report MASK MODEL...`

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "it is a program")]

use std::path::Path;

use ferrite_rknn_oracle::vendor::Runtime;
use ferrite_rknn_oracle::{Capture, CaptureOptions, CoreChoice, capture, diff};

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
            let (mut equal, mut loaded) = (0, 0);
            for model in models {
                let made = match capture(Path::new(model), &runtime, &options(Some(mask))) {
                    Ok(made) => made,
                    Err(error) => {
                        println!("{model}: NOT CAPTURED: {error}");
                        continue;
                    }
                };
                loaded += 1;
                match diff(&std::fs::read(model)?, &made) {
                    Ok(result) if result.is_equal() => {
                        equal += 1;
                        println!("{model}: equal; {}", result.counts);
                    }
                    Ok(result) => println!("{model}: DIFFERS\n{result}"),
                    Err(error) => println!("{model}: FAILED: {error}"),
                }
            }
            println!("{equal} of {loaded} equal");
        }
        _ => return Err("see the source for what it takes".into()),
    }
    Ok(())
}
