//! The zoo: every network that `models/zoo` knows, built by the vendor's toolkit, run on the emulator and judged.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, anyhow, bail, ensure};
use clap::Args;
use serde_json::Value;

use crate::coverage::{ZOO_HEADING, document};
use crate::decide::{Output, decision, same};
use crate::everything::{self, TOOLKIT, built, environment};
use crate::judge::{Case, LimitTable, Loaded, Row, fits, judge_model, read_limits};
use crate::shell::{on_two_threads, root};

#[derive(Args)]
pub(crate) struct Options {
    /// Do not write; fail if a row of docs/coverage.md would change for the worse
    #[arg(long)]
    check: bool,
    /// Only networks whose name fits this pattern (`*` stands for anything); their rows are printed, not written
    #[arg(long)]
    only: Option<String>,
    /// Where the zoo is built
    #[arg(long, default_value = "target/zoo")]
    out: PathBuf,
    /// Judge what is there; build nothing
    #[arg(long)]
    no_build: bool,
    /// Build what `cargo xtask full` compares too: large and random networks, and all of them with older toolkits
    #[arg(long, conflicts_with_all = ["only", "no_build"])]
    all: bool,
}

impl Options {
    /// What CI does.
    pub(crate) fn check() -> Self {
        Self { check: true, only: None, out: "target/zoo".into(), no_build: false, all: false }
    }
}

/// Builds everything that `cargo xtask full` compares, and judges nothing.
pub(crate) fn build_all(out: &Path) -> Result<()> {
    build(out, None)?;
    everything::build()
}

/// A judged build, with its decisions where the network makes any.
struct Judged {
    row: Row,
    decisions: Option<Decisions>,
}

/// How often a decision is ONNX Runtime's.
struct Decisions {
    ours: usize,
    simulator: usize,
    inputs: usize,
}

impl Judged {
    fn verdict(&self) -> &'static str {
        match &self.decisions {
            Some(decisions) if decisions.ours + 1 < decisions.simulator && self.row.verdict == "pass" => "fail",
            _ => self.row.verdict,
        }
    }
}

pub(crate) fn run(options: &Options) -> Result<()> {
    let out = root().join(&options.out);
    if options.all {
        build_all(&out)?;
    } else if !options.no_build {
        build(&out, options.only.as_deref())?;
    }
    let limits = read_limits()?;
    let only = |name: &str| options.only.as_ref().is_none_or(|pattern| fits(pattern, network(name)));
    let cases: Vec<Case<'_>> = cases(&out, &limits)?.into_iter().filter(|case| only(&case.name)).collect();
    ensure!(!cases.is_empty(), "no network matches");
    let judged = judge_all(&cases, &out)?;
    let causes = read_causes()?;
    let table = table(&judged, &causes, &refused(&out)?);

    let passed = judged.iter().filter(|judged| judged.verdict() == "pass").count();
    let not_run = judged.iter().filter(|judged| judged.verdict() == "not run").count();
    println!("zoo: {passed} passed, {} failed", judged.len() - passed);
    println!("zoo: {} of {} run", judged.len() - not_run, judged.len());
    let unexplained: Vec<String> = judged
        .iter()
        .filter(|judged| judged.verdict() != "pass" && cause_of(&causes, &judged.row).is_none())
        .map(|judged| format!("{}: {} {}", judged.row.name, judged.verdict(), judged.row.note))
        .collect();
    let worse = worse(&judged)?;
    if options.only.is_some() {
        print!("{table}");
    } else if !options.check {
        publish(&table)?;
    }
    ensure!(unexplained.is_empty(), "without a cause in models/zoo/causes.tsv:\n{}", unexplained.join("\n"));
    let less = less_exact(&judged, &read_exact()?);
    ensure!(
        less.is_empty(),
        "fewer values equal the simulator's than models/zoo/exact.tsv wants:\n{}",
        less.join("\n")
    );
    ensure!(worse.is_empty(), "changed for the worse: {}", worse.join(", "));
    Ok(())
}

/// The network of `zoo/NAME-fp16`.
fn network(name: &str) -> &str {
    let name = name.trim_start_matches("zoo/");
    name.rsplit_once('-').map_or(name, |(network, _)| network)
}

/// Every build in a folder.
pub(crate) fn cases<'a>(folder: &Path, limits: &'a LimitTable) -> Result<Vec<Case<'a>>> {
    let mut cases = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| format!("reading {}", folder.display()))? {
        let model = entry?.path();
        if model.extension().is_some_and(|extension| extension == "rknn") {
            let name = format!("zoo/{}", model.file_stem().unwrap_or_default().to_string_lossy());
            let golden = Some(model.with_extension("npz")).filter(|path| path.exists());
            cases.push(Case { name, model, golden, limits, against_simulator: true });
        }
    }
    cases.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(cases)
}

/// Builds what is missing, with a progress bar.
fn build(out: &Path, only: Option<&str>) -> Result<()> {
    let mut command = Command::new(environment(TOOLKIT)?.join("bin/python"));
    command.arg(root().join("models/zoo/build.py")).arg("--out").arg(out);
    if let Some(only) = only {
        command.args(["--only", only]);
    }
    built(command, "building")
}

/// Judges every case.
fn judge_all(cases: &[Case<'_>], out: &Path) -> Result<Vec<Judged>> {
    on_two_threads(cases, "running", |case, _| {
        let row = judge_model(case);
        let decisions = if row.verdict == "not run" { None } else { decide(case, out)? };
        Ok(Judged { row, decisions })
    })
}

/// Runs a real network on its inputs and counts decisions.
fn decide(case: &Case<'_>, out: &Path) -> Result<Option<Decisions>> {
    let folder = out.join(network(&case.name));
    let Ok(text) = fs::read_to_string(folder.join("decisions.json")) else { return Ok(None) };
    let list: Vec<Value> = serde_json::from_str(&text).context("reading decisions.json")?;
    let (head, inputs) = list.split_first().ok_or_else(|| anyhow!("decisions.json is empty"))?;
    let kind = head["kind"].as_str().unwrap_or_default();
    let precision = case.name.rsplit('-').next().unwrap_or_default();
    let characters = fs::read_to_string(folder.join("charset.txt")).unwrap_or_default();
    let characters: Vec<String> = characters.lines().map(str::to_owned).collect();
    let mut loaded = Loaded::open(&case.model)?;
    let mut decisions = Decisions { ours: 0, simulator: 0, inputs: inputs.len() };
    for input in inputs {
        let number = input["input"].as_str().unwrap_or_default();
        loaded.run_archive(&folder.join(format!("input-{number}.npz")))?;
        let outputs = (0..loaded.plan.outputs().len())
            .map(|index| {
                let tensor = loaded.session.output(index)?;
                Ok((loaded.plan.outputs()[index].name.clone(), tensor.shape().to_vec(), tensor.to_f32()))
            })
            .collect::<Result<Vec<Output>>>()?;
        let ours = decision(kind, &outputs, &characters)?;
        decisions.ours += usize::from(same(kind, &input["onnxruntime"], &ours));
        decisions.simulator += usize::from(input[format!("same-{precision}")] == true);
    }
    Ok(Some(decisions))
}

/// What the toolkit refused: name, precision, reason.
fn refused(out: &Path) -> Result<Vec<(String, String, String)>> {
    let text = fs::read_to_string(out.join("index.json")).context("reading the zoo's index.json")?;
    let index: Vec<Value> = serde_json::from_str(&text).context("reading the zoo's index.json")?;
    let field = |entry: &Value, name: &str| entry[name].as_str().unwrap_or_default().to_owned();
    let refused = index.iter().filter(|entry| entry["status"] == "refused");
    Ok(refused.map(|entry| (field(entry, "name"), field(entry, "precision"), field(entry, "reason"))).collect())
}

/// A row of `models/zoo/causes.tsv`.
pub(crate) struct Cause {
    pattern: String,
    /// The cosine that must still be met: a cause explains a known distance, not any answer. `None` for what does not run.
    least: Option<f64>,
    text: String,
}

/// Rows of `models/zoo/causes.tsv`: pattern, least cosine or `-`, why such a network fails or does not run.
pub(crate) fn read_causes() -> Result<Vec<Cause>> {
    let text = fs::read_to_string(root().join("models/zoo/causes.tsv")).context("reading models/zoo/causes.tsv")?;
    let row = |line: &str| -> Result<Cause> {
        let columns: Vec<&str> = line.split('\t').collect();
        let &[pattern, least, text] = columns.as_slice() else { bail!("models/zoo/causes.tsv: bad row `{line}`") };
        let least = if least == "-" { None } else { Some(least.parse()?) };
        Ok(Cause { pattern: pattern.to_owned(), least, text: text.to_owned() })
    };
    text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()).map(row).collect()
}

/// Why a row is not `pass`, where the first cause with a fitting name covers it.
pub(crate) fn cause_of<'a>(causes: &'a [Cause], row: &Row) -> Option<&'a str> {
    let cause = causes.iter().find(|cause| fits(&cause.pattern, &row.name))?;
    let covered = match cause.least {
        None => row.verdict == "not run",
        Some(least) => row.cosine >= least,
    };
    covered.then_some(cause.text.as_str())
}

/// Rows of `models/zoo/exact.tsv`: a build, the percentage of its values that must at least be the simulator's.
fn read_exact() -> Result<Vec<(String, f64)>> {
    let text = fs::read_to_string(root().join("models/zoo/exact.tsv")).context("reading models/zoo/exact.tsv")?;
    let row = |line: &str| -> Result<(String, f64)> {
        let columns: Vec<&str> = line.split('\t').collect();
        let &[name, known, below] = columns.as_slice() else { bail!("models/zoo/exact.tsv: bad row `{line}`") };
        Ok((name.to_owned(), known.parse::<f64>()? - below.parse::<f64>()?))
    };
    text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()).map(row).collect()
}

/// Builds with fewer exact values than wanted.
fn less_exact(judged: &[Judged], wanted: &[(String, f64)]) -> Vec<String> {
    let found = |name: &str| judged.iter().find(|judged| judged.row.name == name)?.row.equal;
    let less = wanted.iter().filter_map(|(name, least)| {
        let equal = found(name)? * 100.0;
        (equal < *least).then(|| format!("{name}: {equal:.2} % instead of {least:.2} %"))
    });
    less.collect()
}

fn table(judged: &[Judged], causes: &[Cause], refused: &[(String, String, String)]) -> String {
    let run = judged.iter().filter(|judged| judged.verdict() != "not run").count();
    let passed = judged.iter().filter(|judged| judged.verdict() == "pass").count();
    let mut text = format!(
        "{ZOO_HEADING}\nGenerated by `cargo xtask zoo`, which also builds the networks (`models/zoo/README.md`). Floating-point outputs are \
         also held\nagainst the vendor simulator's RMS error; `decisions` counts inputs on which the network decides as ONNX Runtime does, \
         the emulator's\nand the simulator's. {run} of {} run, {passed} pass.\n\n\
         | model | NPU tasks | host operators | limit | worst error | cosine | ulps or steps | decisions | cause | verdict |\n\
         |---|---|---|---|---|---|---|---|---|---|\n",
        judged.len()
    );
    for judged in judged {
        let decisions = judged
            .decisions
            .as_ref()
            .map(|d| format!("{} of {}, simulator {}", d.ours, d.inputs, d.simulator))
            .unwrap_or_default();
        let cause = if judged.verdict() == "pass" { "" } else { cause_of(causes, &judged.row).unwrap_or("unknown") };
        let row = judged.row.markdown();
        let cells = row.trim_end().trim_end_matches('|').rsplit_once('|').map_or("", |(cells, _)| cells);
        text += &format!("{cells}| {decisions} | {cause} | {} |\n", judged.verdict());
    }
    text += "\n### Refused by the toolkit\n\n| network | precision | its words |\n|---|---|---|\n";
    for (name, precision, reason) in refused {
        text += &format!("| `{name}` | {precision} | {} |\n", reason.replace('|', "/"));
    }
    text
}

/// Rows whose verdict in the document was better.
fn worse(judged: &[Judged]) -> Result<Vec<String>> {
    let old = fs::read_to_string(document()).context("reading docs/coverage.md")?;
    let rank = |verdict: &str| ["not run", "fail", "pass"].iter().position(|known| *known == verdict).unwrap_or(0);
    let before = |name: &str| {
        let start = format!("| `{name}.rknn` |");
        let row = old.lines().find(|line| line.starts_with(&start))?;
        Some(rank(row.trim_end_matches('|').rsplit('|').next()?.trim()))
    };
    let worse = judged.iter().filter(|judged| before(&judged.row.name).is_some_and(|old| old > rank(judged.verdict())));
    Ok(worse.map(|judged| judged.row.name.clone()).collect())
}

/// Replaces the second part of the document.
fn publish(table: &str) -> Result<()> {
    let old = fs::read_to_string(document()).context("reading docs/coverage.md")?;
    let first = old.find(ZOO_HEADING).map_or(old.as_str(), |at| &old[..at]);
    fs::write(document(), first.to_owned() + table).context("writing docs/coverage.md")
}
