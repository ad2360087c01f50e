//! The comparison with the vendor's runtime over everything that can be built.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Context, Result, anyhow, bail, ensure};
use clap::Args;
use ferrite_rknn_oracle::vendor::Runtime;
use ferrite_rknn_oracle::{
    Allowed, CaptureOptions, CoreChoice, Kind, Outcome, Row, Trial, Way, fits, judge, read_allowlist,
};

use crate::everything;
use crate::shell::{bar, root};
use crate::zoo::build_all;

#[derive(Args)]
pub(crate) struct Options {
    /// Only models that fit this pattern, like `2.3.2/l0_*` (`*` stands for anything)
    #[arg(long)]
    only: Option<String>,
    /// Compare what is there; build nothing
    #[arg(long)]
    no_build: bool,
    /// Also hand inputs over in every type and order, on one core
    #[arg(long)]
    inputs: bool,
    /// Where the small zoo is built
    #[arg(long, default_value = "target/zoo")]
    zoo: PathBuf,
}

const ALLOWLIST: &str = "models/zoo/allowlist.tsv";
/// Of the models that the vendor's runtime runs, in percent: so many must be equal.
const ENOUGH: usize = 98;

pub(crate) fn run(options: &Options) -> Result<()> {
    let path = root().join(ALLOWLIST);
    let text = fs::read_to_string(&path).with_context(|| format!("reading {ALLOWLIST}"))?;
    let allowlist = read_allowlist(&text).map_err(|error| anyhow!("{ALLOWLIST}: {error}"))?;
    if !options.no_build {
        build_all(&root().join(&options.zoo))?;
    }
    let trials = trials(options)?;
    ensure!(!trials.is_empty(), "no model fits; `cargo xtask zoo --all` builds them");
    let runtime = Runtime::fetch(&mut |note| eprintln!("{note}"))?;
    let rows = run_all(&trials, &runtime)?;
    fs::write(root().join("target/full.tsv"), table(&rows)).context("writing target/full.tsv")?;
    print!("{}", Summary::of(&rows).text());
    let complete = options.only.is_none() && options.inputs;
    verdict(&rows, &allowlist, complete)
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

/// Runs the trials on two threads; says at once what differs.
fn run_all(trials: &[Trial], runtime: &Runtime) -> Result<Vec<Row>> {
    let (next, rows) = (AtomicUsize::new(0), Mutex::new(BTreeMap::new()));
    let bar = bar(trials.len() as u64, "comparing");
    let work = || {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(trial) = trials.get(index) else { return Ok(()) };
            let row = trial.clone().run(runtime, &CaptureOptions::default());
            if let Outcome::Compared(result) = &row.outcome
                && !result.is_equal()
            {
                bar.suspend(|| println!("{} ({}):\n{result}", row.trial.name, row.trial.how()));
            }
            rows.lock().map_err(|_| anyhow!("a thread panicked"))?.insert(index, row);
            bar.inc(1);
        }
    };
    std::thread::scope(|scope| {
        let threads = [scope.spawn(work), scope.spawn(work)];
        threads.into_iter().try_for_each(|thread| thread.join().unwrap_or_else(|_| bail!("a thread panicked")))
    })?;
    bar.finish_and_clear();
    Ok(rows.into_inner().map_err(|_| anyhow!("a thread panicked"))?.into_values().collect())
}

/// One line per trial: name, how, then counts in the order of [`Kind::ALL`], or why there are none.
fn table(rows: &[Row]) -> String {
    let mut text = "# model\thow".to_owned();
    Kind::ALL.iter().for_each(|kind| text += &format!("\t{}", kind.name()));
    text.push('\n');
    for Row { trial, outcome } in rows {
        let _ = write!(text, "{}\t{}", trial.name, trial.how());
        match outcome {
            Outcome::Compared(result) => {
                Kind::ALL.iter().for_each(|kind| text += &format!("\t{}", result.counts.of(*kind)));
            }
            Outcome::Refused(error) => text += &format!("\tnot run by the vendor's runtime: {}", one_line(error)),
            Outcome::Failed(error) => text += &format!("\tfailed: {}", one_line(error)),
        }
        text.push('\n');
    }
    text
}

fn one_line(error: &ferrite_rknn_oracle::Error) -> String {
    error.to_string().lines().next().unwrap_or_default().to_owned()
}

/// By toolkit: models that the vendor's runtime runs, those of them that are equal in every trial, and those that it does not run.
#[derive(Default)]
struct Summary(BTreeMap<String, [usize; 3]>);

impl Summary {
    fn of(rows: &[Row]) -> Self {
        let mut models: BTreeMap<&str, (bool, bool)> = BTreeMap::new();
        for row in rows {
            let (run, equal) = models.entry(&row.trial.name).or_insert((false, true));
            *run |= !matches!(row.outcome, Outcome::Refused(_));
            *equal &= match &row.outcome {
                Outcome::Compared(result) => result.is_equal(),
                Outcome::Refused(_) => true,
                Outcome::Failed(_) => false,
            };
        }
        let mut summary = Self::default();
        for (name, (run, equal)) in models {
            let toolkit = name.split_once('/').map_or("", |(toolkit, _)| toolkit);
            let counts = summary.0.entry(toolkit.to_owned()).or_default();
            counts[0] += usize::from(run);
            counts[1] += usize::from(run && equal);
            counts[2] += usize::from(!run);
        }
        summary
    }

    fn total(&self) -> [usize; 3] {
        let add = |sum: [usize; 3], counts: &[usize; 3]| [0, 1, 2].map(|index| sum[index] + counts[index]);
        self.0.values().fold([0; 3], add)
    }

    fn text(&self) -> String {
        let line = |what: &str, [run, equal, refused]: [usize; 3]| {
            format!("{what}: {equal} of {run} models equal; the vendor's runtime does not run {refused} more\n")
        };
        let toolkits = self.0.iter().map(|(toolkit, counts)| line(toolkit, *counts));
        toolkits.chain([line("all", self.total())]).collect()
    }
}

fn verdict(rows: &[Row], allowlist: &[Allowed], complete: bool) -> Result<()> {
    let wrong = judge(rows, allowlist, complete);
    let [run, equal, _] = Summary::of(rows).total();
    ensure!(run > 0, "the vendor's runtime runs none of them");
    ensure!(wrong.is_empty(), "{} things wrong ({ALLOWLIST} says what is known):\n{}", wrong.len(), wrong.join("\n"));
    ensure!(!complete || equal * 100 >= run * ENOUGH, "only {equal} of {run} models are equal, {ENOUGH} % must be");
    Ok(())
}
