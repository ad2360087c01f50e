//! The comparison with the vendor's runtime over everything that can be built.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, anyhow, ensure};
use clap::Args;
use ferrite_rknn_oracle::vendor::Runtime;
use ferrite_rknn_oracle::{
    Allowed, CaptureOptions, CoreChoice, Kind, Outcome, Row, Trial, Way, fits, judge, read_allowlist,
};

use crate::everything;
use crate::kept::Kept;
use crate::shell::{on_two_threads, root};
use crate::summary::Summary;
use crate::zoo::build_all;

#[derive(Args)]
pub(crate) struct Options {
    /// Only models that fit this pattern, like `2.3.2/l0_*` (`*` stands for anything)
    #[arg(long)]
    only: Option<String>,
    /// Compare what is there; build nothing
    #[arg(long)]
    no_build: bool,
    /// Run nothing: sum up what earlier runs left
    #[arg(long)]
    kept: bool,
    /// Also hand inputs over in every type and order, on one core
    #[arg(long)]
    inputs: bool,
    /// Seconds that the vendor's runtime may take for a model, and again for each 64 MB of its buffers
    #[arg(long, default_value_t = 600)]
    limit: u64,
    /// Do not fail because the vendor's runtime took longer; such models count as not equal all the same
    #[arg(long)]
    tolerate_timeouts: bool,
    /// Where the small zoo is built
    #[arg(long, default_value = "target/zoo")]
    zoo: PathBuf,
}

const ALLOWLIST: &str = "models/zoo/allowlist.tsv";
/// What became of each trial, for the next run.
const KEPT: &str = "target/full.jsonl";
const DOCUMENT: &str = "docs/byte-exact.md";
/// Of the models that the vendor's runtime runs, in percent: so many must be equal.
const ENOUGH: usize = 98;

pub(crate) fn run(options: &Options) -> Result<()> {
    let path = root().join(ALLOWLIST);
    let text = fs::read_to_string(&path).with_context(|| format!("reading {ALLOWLIST}"))?;
    let allowlist = read_allowlist(&text).map_err(|error| anyhow!("{ALLOWLIST}: {error}"))?;
    if !options.no_build && !options.kept {
        build_all(&root().join(&options.zoo))?;
    }
    let trials = trials(options)?;
    ensure!(!trials.is_empty(), "no model fits; `cargo xtask zoo --all` builds them");
    let runtime = Runtime::fetch(&mut |note| eprintln!("{note}"))?;
    fs::create_dir_all(root().join("target")).context("making target")?;
    let kept = Kept::open(&root().join(KEPT), &runtime, Duration::from_secs(options.limit))?;
    let rows = run_all(&trials, &runtime, &kept, options)?;
    write_whole(&root().join("target/full.tsv"), &table(&rows))?;
    let summary = Summary::of(&trials, &rows, &allowlist);
    print!("{}", summary.text());
    if options.only.is_none() {
        write_whole(&root().join(DOCUMENT), &summary.document(&runtime.sha256))?;
    }
    let complete = options.only.is_none() && options.inputs && rows.len() == trials.len();
    verdict(rows, &summary, &allowlist, complete, options.tolerate_timeouts)
}

/// Writes a file as a whole or not at all.
fn write_whole(path: &Path, text: &str) -> Result<()> {
    let fresh = path.with_extension("new");
    fs::write(&fresh, text).with_context(|| format!("writing {}", fresh.display()))?;
    fs::rename(&fresh, path).with_context(|| format!("writing {}", path.display()))
}

fn trials(options: &Options) -> Result<Vec<Trial>> {
    let models = everything::models(&root().join(&options.zoo))?;
    let wanted = |name: &str| options.only.as_ref().is_none_or(|pattern| fits(pattern, name));
    let mut trials = Vec::new();
    for (name, model) in models.into_iter().filter(|(name, _)| wanted(name)) {
        let plain = Trial { name, model, cores: CoreChoice::Auto, way: None };
        let cores = (1..=3).filter_map(CoreChoice::of_count);
        trials.extend(cores.map(|cores| Trial { cores, ..plain.clone() }));
        if options.inputs {
            trials.extend(Way::all().into_iter().map(|way| Trial { way: Some(way), ..plain.clone() }));
        }
    }
    Ok(trials)
}

/// Runs the trials of which nothing is known; says at once what differs.
fn run_all(trials: &[Trial], runtime: &Runtime, kept: &Kept, options: &Options) -> Result<Vec<Row>> {
    let capture = CaptureOptions { limit: Duration::from_secs(options.limit), ..CaptureOptions::default() };
    let rows = on_two_threads(trials, "comparing", |trial, bar| {
        if let Some(outcome) = kept.find(trial)? {
            return Ok(Some(Row { trial: trial.clone(), outcome }));
        }
        if options.kept {
            return Ok(None);
        }
        let row = trial.clone().run(runtime, &capture);
        kept.keep(&row.trial, &row.outcome)?;
        match &row.outcome {
            Outcome::Compared(result) if !result.is_equal() => {
                bar.suspend(|| println!("{} ({}):\n{result}", row.trial.name, row.trial.how()));
            }
            Outcome::TimedOut(text) | Outcome::Crashed(text) | Outcome::Failed(text) => {
                bar.suspend(|| println!("{} ({}): {text}", row.trial.name, row.trial.how()));
            }
            Outcome::Compared(_) | Outcome::Refused(_) => {}
        }
        Ok(Some(row))
    })?;
    Ok(rows.into_iter().flatten().collect())
}

/// One line per trial: name, how, then counts in the order of [`Kind::ALL`], or why there are none.
fn table(rows: &[Row]) -> String {
    let mut text = "# model\thow".to_owned();
    Kind::ALL.iter().for_each(|kind| text += &format!("\t{}", kind.name()));
    text.push('\n');
    for Row { trial, outcome } in rows {
        let _ = write!(text, "{}\t{}", trial.name, trial.how());
        let one_line = |text: &str| text.lines().next().unwrap_or_default().to_owned();
        match outcome {
            Outcome::Compared(result) => {
                Kind::ALL.iter().for_each(|kind| text += &format!("\t{}", result.counts.of(*kind)));
            }
            Outcome::Refused(error) => text += &format!("\trefused: {}", one_line(error)),
            Outcome::Crashed(error) => text += &format!("\tcrashed: {}", one_line(error)),
            Outcome::TimedOut(error) => text += &format!("\ttimed out: {}", one_line(error)),
            Outcome::Failed(error) => text += &format!("\tfailed: {}", one_line(error)),
        }
        text.push('\n');
    }
    text
}

fn verdict(rows: Vec<Row>, summary: &Summary, allowlist: &[Allowed], complete: bool, tolerate: bool) -> Result<()> {
    let late = |row: &Row| matches!(row.outcome, Outcome::TimedOut(_));
    let rows: Vec<Row> = rows.into_iter().filter(|row| !(tolerate && late(row))).collect();
    let wrong = judge(&rows, allowlist, complete);
    let models = summary.models();
    ensure!(models.loaded > 0, "the vendor's runtime runs none of them");
    ensure!(wrong.is_empty(), "{} things wrong ({ALLOWLIST} says what is known):\n{}", wrong.len(), wrong.join("\n"));
    let enough = models.equal * 100 >= models.loaded * ENOUGH;
    ensure!(!complete || enough, "only {} of {} models are equal, {ENOUGH} % must be", models.equal, models.loaded);
    Ok(())
}

/// Models by what became of their trials.
#[derive(Default, Clone, Copy)]
pub(crate) struct Models {
    /// The vendor's runtime loads them, as far as is known: those that it did not refuse, be it that it took too long.
    pub(crate) loaded: usize,
    /// Of these, all trials are equal or refused.
    pub(crate) equal: usize,
    /// The runtime refuses every trial.
    pub(crate) refused: usize,
}

impl Models {
    /// Counts models by name, of rows in any order.
    pub(crate) fn of(rows: &[Row]) -> BTreeMap<String, Self> {
        let mut models: BTreeMap<&str, (bool, bool)> = BTreeMap::new();
        for row in rows {
            let (loaded, equal) = models.entry(&row.trial.name).or_insert((false, true));
            *loaded |= !matches!(row.outcome, Outcome::Refused(_));
            *equal &= match &row.outcome {
                Outcome::Compared(result) => result.is_equal(),
                Outcome::Refused(_) => true,
                Outcome::Failed(_) | Outcome::Crashed(_) | Outcome::TimedOut(_) => false,
            };
        }
        let mut by_toolkit: BTreeMap<String, Self> = BTreeMap::new();
        for (name, (loaded, equal)) in models {
            let counts = by_toolkit.entry(toolkit(name).to_owned()).or_default();
            counts.loaded += usize::from(loaded);
            counts.equal += usize::from(loaded && equal);
            counts.refused += usize::from(!loaded);
        }
        by_toolkit
    }
}

/// The toolkit in a model's name.
pub(crate) fn toolkit(name: &str) -> &str {
    name.split_once('/').map_or("", |(toolkit, _)| toolkit)
}
