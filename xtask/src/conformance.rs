//! The ONNX backend's node tests: compiled by the vendor's toolkit, run on the emulator, judged by the tests' own answers.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use ferrite_cli::npz::Archive;
use ferrite_rknn::Model;
use ferrite_rknn_oracle::with_sources;
use ferrite_rknn_runtime::{Plan, PlanOptions};
use serde_json::Value;

use crate::everything::{TOOLKIT, built, environment};
use crate::judge::{Loaded, fits};
use crate::shell::{bar, root};

#[derive(Args)]
pub(crate) struct Options {
    /// Do not write docs/conformance.md; fail if a verdict in it would change for the worse
    #[arg(long)]
    check: bool,
    /// Only tests whose name fits this pattern (`*` stands for anything); nothing is written then
    #[arg(long)]
    only: Option<String>,
    /// Where the tests are compiled
    #[arg(long, default_value = "target/conformance")]
    out: PathBuf,
    /// Judge what is there; compile nothing
    #[arg(long)]
    no_build: bool,
}

/// How far a value may be from the test's: an absolute part and one relative to the expected value.
const ABSOLUTE: f64 = 1e-3;
const RELATIVE: f64 = 1e-2;
/// ... or the largest error may be this many times the vendor simulator's.
const SIMULATORS: f64 = 1.5;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Outcome {
    Failed,
    /// Within the simulator's error only.
    AsSimulator,
    Passed,
    /// Within the same limits; nothing of it runs on the NPU.
    Host,
    Refused,
}

impl Outcome {
    const ALL: [(Self, &'static str); 5] = [
        (Self::Passed, "passed"),
        (Self::AsSimulator, "passed like the simulator"),
        (Self::Failed, "failed"),
        (Self::Host, "right without an NPU task"),
        (Self::Refused, "refused by the toolkit"),
    ];

    fn name(self) -> &'static str {
        Self::ALL.iter().find(|(outcome, _)| *outcome == self).map_or("", |(_, name)| name)
    }

    fn passes(self) -> bool {
        matches!(self, Self::Passed | Self::AsSimulator)
    }
}

/// How one test fared.
struct Row {
    name: String,
    outcome: Outcome,
    tasks: usize,
    /// Largest |error|, and the simulator's where it answered.
    worst: Option<f64>,
    simulator: Option<f64>,
    note: String,
}

pub(crate) fn run(options: &Options) -> Result<()> {
    let out = root().join(&options.out);
    if !options.no_build {
        build(&out, options.only.as_deref())?;
    }
    let rows = judge_all(&out, options.only.as_deref())?;
    ensure!(!rows.is_empty(), "no test matches");
    let causes = read_causes()?;
    let document = document(&rows, &causes);
    let on_npu =
        rows.iter().filter(|row| row.outcome.passes() || row.outcome == Outcome::Failed && row.tasks > 0).count();
    let passed = rows.iter().filter(|row| row.outcome.passes()).count();
    println!("conformance: {passed} of {on_npu} tests with NPU tasks passed ({:.1} %)", share(passed, on_npu));
    let unexplained: Vec<String> = rows
        .iter()
        .filter(|row| row.outcome == Outcome::Failed && cause_of(&causes, row).is_none())
        .map(|row| format!("{}: {}", row.name, row.note))
        .collect();
    let unneeded: Vec<&str> = causes
        .iter()
        .filter(|cause| !rows.iter().any(|row| row.outcome == Outcome::Failed && cause.covers(row)))
        .map(|cause| cause.pattern.as_str())
        .collect();
    if options.only.is_some() {
        print!("{document}");
    } else {
        if options.check {
            no_worse(&rows)?;
        } else {
            fs::write(path(), &document).context("writing docs/conformance.md")?;
        }
        ensure!(
            unneeded.is_empty(),
            "models/conformance/causes.tsv has rows that nothing needs: {}",
            unneeded.join(", ")
        );
    }
    ensure!(unexplained.is_empty(), "without a cause in models/conformance/causes.tsv:\n{}", unexplained.join("\n"));
    Ok(())
}

fn path() -> PathBuf {
    root().join("docs/conformance.md")
}

#[expect(clippy::cast_precision_loss, reason = "counts of tests")]
fn share(part: usize, whole: usize) -> f64 {
    part as f64 / whole.max(1) as f64 * 100.0
}

fn build(out: &Path, only: Option<&str>) -> Result<()> {
    let mut command = Command::new(environment(TOOLKIT)?.join("bin/python"));
    command.arg(root().join("models/conformance/build.py")).arg("--out").arg(out);
    if let Some(only) = only {
        command.args(["--only", only]);
    }
    built(command, "compiling")
}

/// Judges what `index.json` lists.
fn judge_all(out: &Path, only: Option<&str>) -> Result<Vec<Row>> {
    let text = fs::read_to_string(out.join("index.json")).context("reading the tests' index.json")?;
    let index: Vec<Value> = serde_json::from_str(&text).context("reading the tests' index.json")?;
    let name = |entry: &Value| entry["name"].as_str().unwrap_or_default().to_owned();
    let chosen: Vec<&Value> =
        index.iter().filter(|entry| only.is_none_or(|pattern| fits(pattern, &name(entry)))).collect();
    let bar = bar(chosen.len() as u64, "running");
    let rows = chosen.into_iter().map(|entry| {
        bar.inc(1);
        if entry["status"] == "ok" {
            return judge(&name(entry), &out.join(format!("{}-fp16.rknn", name(entry))));
        }
        let note = entry["reason"].as_str().unwrap_or_default().to_owned();
        Row { name: name(entry), outcome: Outcome::Refused, tasks: 0, worst: None, simulator: None, note }
    });
    Ok(rows.collect())
}

fn judge(name: &str, model: &Path) -> Row {
    let mut row = Row {
        name: name.to_owned(),
        outcome: Outcome::Failed,
        tasks: 0,
        worst: None,
        simulator: None,
        note: String::new(),
    };
    if let Err(error) = run_test(model, &mut row) {
        row.note = with_sources(error.as_ref());
    }
    row
}

fn run_test(model: &Path, row: &mut Row) -> Result<()> {
    let plan = Plan::new(&Model::read(fs::read(model)?)?, &PlanOptions::default())?;
    row.tasks = plan.task_count();
    let mut loaded = Loaded::open(model)?;
    let golden = model.with_extension("npz");
    loaded.run_archive(&golden)?;
    let mut archive = Archive::open(fs::read(&golden)?)?;
    let names = archive.names();
    let mut within = true;
    for (index, info) in loaded.plan.outputs().iter().enumerate() {
        let ours = loaded.session.output(index)?.to_f32();
        let expected = archive.read(&format!("out.{}", info.name))?.to_f32();
        ensure!(
            ours.len() == expected.len(),
            "output `{}` has {} values, not {}",
            info.name,
            ours.len(),
            expected.len()
        );
        within &= ours.iter().zip(&expected).all(|(&ours, &expected)| is_near(ours, expected));
        row.worst = Some(row.worst.unwrap_or(0.0).max(largest_error(&ours, &expected)));
        let simulated = format!("sim.{}", info.name);
        if names.contains(&simulated) {
            let simulated = archive.read(&simulated)?.to_f32();
            row.simulator = Some(row.simulator.unwrap_or(0.0).max(largest_error(&simulated, &expected)));
        }
    }
    let like_simulator = match (row.worst, row.simulator) {
        // Both may be infinite, which says nothing.
        (Some(ours), Some(theirs)) => ours.is_finite() && ours <= SIMULATORS * theirs,
        _ => false,
    };
    row.outcome = match (row.tasks, within) {
        (0, _) if within || like_simulator => Outcome::Host,
        (_, true) => Outcome::Passed,
        _ if like_simulator => Outcome::AsSimulator,
        _ => bail!("beyond {ABSOLUTE} + {RELATIVE} x |expected| and beyond {SIMULATORS} x the simulator's error"),
    };
    Ok(())
}

/// NaN must meet NaN and an infinity the same infinity.
fn is_near(ours: f32, expected: f32) -> bool {
    let (ours, expected) = (f64::from(ours), f64::from(expected));
    if !ours.is_finite() || !expected.is_finite() {
        return ours == expected || ours.is_nan() && expected.is_nan();
    }
    (ours - expected).abs() <= ABSOLUTE + RELATIVE * expected.abs()
}

/// Infinite where a value is special and the other is not the same.
fn largest_error(ours: &[f32], expected: &[f32]) -> f64 {
    let error = |(&ours, &expected): (&f32, &f32)| match (ours.is_finite(), expected.is_finite()) {
        (true, true) => (f64::from(ours) - f64::from(expected)).abs(),
        _ if is_near(ours, expected) => 0.0,
        _ => f64::INFINITY,
    };
    ours.iter().zip(expected).map(error).fold(0.0, f64::max)
}

/// A row of `models/conformance/causes.tsv`.
struct Cause {
    pattern: String,
    /// The largest error that it explains: a cause explains a known distance, not any answer.
    most: f64,
    text: String,
}

impl Cause {
    fn covers(&self, row: &Row) -> bool {
        fits(&self.pattern, &row.name) && row.worst.is_some_and(|worst| worst <= self.most)
    }
}

/// Rows of `models/conformance/causes.tsv`: pattern, largest error, why such a test fails.
fn read_causes() -> Result<Vec<Cause>> {
    let text = fs::read_to_string(root().join("models/conformance/causes.tsv"))
        .context("reading models/conformance/causes.tsv")?;
    let rows = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    rows.map(|line| {
        let columns: Vec<&str> = line.split('\t').collect();
        let &[pattern, most, text] = columns.as_slice() else {
            bail!("models/conformance/causes.tsv: bad row `{line}`")
        };
        Ok(Cause { pattern: pattern.to_owned(), most: most.parse()?, text: text.to_owned() })
    })
    .collect()
}

fn cause_of<'a>(causes: &'a [Cause], row: &Row) -> Option<&'a str> {
    causes.iter().find(|cause| cause.covers(row)).map(|cause| cause.text.as_str())
}

fn document(rows: &[Row], causes: &[Cause]) -> String {
    let mut text = format!(
        "# Conformance\n\n\
         Generated by `cargo xtask conformance`; do not edit. The node tests of ONNX 1.22 whose inputs are float32 of fixed shape, compiled by\n\
         rknn-toolkit2 {TOOLKIT} in fp16, run on the emulator, judged by the tests' own answers: |error| at most {ABSOLUTE} + {RELATIVE} x |expected| for every\n\
         value, or the largest error at most {SIMULATORS} times that of the vendor's simulator. `models/conformance/build.py` says how tests are prepared.\n\n\
         | outcome | tests |\n|---|---|\n"
    );
    let count = |outcome| rows.iter().filter(|row| row.outcome == outcome).count();
    for (outcome, name) in Outcome::ALL {
        let _ = writeln!(text, "| {name} | {} |", count(outcome));
    }
    text += "\n## With NPU tasks, and failures\n\n\
             | test | NPU tasks | largest error | simulator's | outcome | cause |\n|---|---|---|---|---|---|\n";
    let number = |value: Option<f64>| value.map_or_else(String::new, |value| format!("{value:.2e}"));
    let judged = rows.iter().filter(|row| !matches!(row.outcome, Outcome::Host | Outcome::Refused));
    for row in judged {
        let cause = if row.outcome == Outcome::Failed { cause_of(causes, row).unwrap_or(&row.note) } else { "" };
        let (worst, simulator) = (number(row.worst), number(row.simulator));
        let (name, tasks, outcome) = (&row.name, row.tasks, row.outcome.name());
        let _ = writeln!(text, "| `{name}` | {tasks} | {worst} | {simulator} | {outcome} | {cause} |");
    }
    text += "\n## Refused by the toolkit\n\n| its words | tests |\n|---|---|\n";
    let mut refused: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for row in rows.iter().filter(|row| row.outcome == Outcome::Refused) {
        refused.entry(&row.note).or_default().push(&row.name);
    }
    for (words, tests) in refused {
        let _ = writeln!(text, "| {} | {} |", words.replace('|', "/"), tests.join(" "));
    }
    text += "\n## Without NPU tasks\n\n";
    let host: Vec<&str> = rows.iter().filter(|row| row.outcome == Outcome::Host).map(|row| row.name.as_str()).collect();
    text + &host.join(" ") + "\n"
}

/// No test that passes in the document may fail.
fn no_worse(rows: &[Row]) -> Result<()> {
    let old = fs::read_to_string(path()).context("reading docs/conformance.md")?;
    let passed = |name: &str| {
        let start = format!("| `{name}` |");
        old.lines().any(|line| line.starts_with(&start) && line.contains("| passed"))
    };
    let worse: Vec<&str> =
        rows.iter().filter(|row| !row.outcome.passes() && passed(&row.name)).map(|row| row.name.as_str()).collect();
    ensure!(worse.is_empty(), "no longer pass: {}", worse.join(", "));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_near_within_an_absolute_and_a_relative_part() {
        assert!(is_near(100.9, 100.0) && is_near(0.0009, 0.0) && is_near(f32::NAN, f32::NAN));
        assert!(!is_near(101.2, 100.0) && !is_near(0.002, 0.0) && !is_near(f32::INFINITY, f32::NEG_INFINITY));
        assert!(!is_near(f32::NAN, 1.0) && is_near(f32::INFINITY, f32::INFINITY));
    }

    #[test]
    fn a_special_value_in_the_wrong_place_is_an_infinite_error() {
        assert_eq!(largest_error(&[1.0, f32::NAN], &[1.5, 2.0]), f64::INFINITY);
        assert_eq!(largest_error(&[1.0, f32::INFINITY], &[1.5, f32::INFINITY]), 0.5);
    }
}
