//! Rockchip's runtime on the emulator against Ferrite's own: every model there is, on one, two and three cores.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use ferrite_rknn_oracle::vendor::Runtime;
use ferrite_rknn_oracle::{CoreChoice, EmulateOptions, Error, Parity, parity, with_sources};

use crate::judge::fits;
use crate::shell::{on_two_threads, root};

#[derive(Args)]
pub(crate) struct Options {
    /// Only models whose name fits this pattern (`*` stands for anything)
    #[arg(long, default_value = "*")]
    only: String,
    /// Also every model of a zoo that was built here (`target/zoo`)
    #[arg(long, value_name = "DIR")]
    zoo: Option<PathBuf>,
    /// Seed of the inputs
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

impl Options {
    /// What CI does: the models of the repository.
    pub(crate) fn check() -> Self {
        Self { only: "*".to_owned(), zoo: None, seed: 1 }
    }
}

const CORES: [CoreChoice; 3] = [CoreChoice::Auto, CoreChoice::Mask(3), CoreChoice::Mask(7)];

/// A row of `models/parity.tsv`: file name of a model without its extension, and why the runtimes differ.
struct Cause {
    model: String,
    text: String,
}

pub(crate) fn run(options: &Options) -> Result<()> {
    let models = models(options)?;
    ensure!(!models.is_empty(), "no model matches");
    let runtime = Runtime::fetch(&mut |notice| eprintln!("{notice}"))?;
    let jobs: Vec<(&Path, CoreChoice)> =
        models.iter().flat_map(|model| CORES.map(|cores| (model.as_path(), cores))).collect();
    let results = all(&jobs, &runtime, options.seed)?;
    let causes = read_causes()?;
    let mut unexplained = Vec::new();
    let (mut equal, mut refused, mut used) = (0, 0, BTreeSet::new());
    for ((model, cores), result) in jobs.iter().zip(&results) {
        let stem = model.file_stem().unwrap_or_default().to_string_lossy();
        let what = match result {
            Ok(parity) if parity.is_equal() => {
                equal += 1;
                continue;
            }
            Err(Error::Client { step, message }) => {
                refused += 1;
                println!("{} ({}): refused at {step}: {}", model.display(), name(*cores), last_line(message));
                continue;
            }
            Ok(parity) => differences(parity),
            Err(error) => with_sources(error),
        };
        let cause = causes.iter().find(|cause| cause.model == stem);
        let text = format!("{} ({}): {what}", model.display(), name(*cores));
        println!("{text}; {}", cause.map_or("unexplained", |cause| &cause.text));
        match cause {
            Some(cause) => drop(used.insert(&cause.model)),
            None => unexplained.push(text),
        }
    }
    let compared = jobs.len() - refused;
    println!("parity: {equal} of {compared} runs equal in every bit, {refused} not run by Rockchip's runtime");
    ensure!(unexplained.is_empty(), "without a cause in models/parity.tsv:\n{}", unexplained.join("\n"));
    let stems: BTreeSet<_> = models.iter().filter_map(|model| model.file_stem()?.to_str()).collect();
    let idle = causes.iter().find(|cause| stems.contains(&*cause.model) && !used.contains(&cause.model));
    ensure!(idle.is_none(), "models/parity.tsv explains {}, which is equal", idle.map_or("", |cause| &cause.model));
    Ok(())
}

/// Every model of the repository, and of the zoo that was asked for.
fn models(options: &Options) -> Result<Vec<PathBuf>> {
    let folders = ["models/ops", "models/mtcnn", "models/ocr", "models/zoo/data"].map(|folder| root().join(folder));
    let mut models = Vec::new();
    let zoo = options.zoo.as_ref().map(|folder| root().join(folder));
    for folder in folders.into_iter().chain(zoo) {
        let entries = fs::read_dir(&folder).with_context(|| format!("reading {}", folder.display()))?;
        let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<PathBuf>>>()?;
        paths.retain(|path| path.extension().is_some_and(|extension| extension == "rknn"));
        paths.retain(|path| fits(&options.only, &path.file_stem().unwrap_or_default().to_string_lossy()));
        paths.sort();
        models.extend(paths);
    }
    Ok(models)
}

/// Runs every job.
fn all(jobs: &[(&Path, CoreChoice)], runtime: &Runtime, seed: u64) -> Result<Vec<Result<Parity, Error>>> {
    on_two_threads(jobs, "running", |&(model, cores), _| {
        let mut options = EmulateOptions { cores, ..EmulateOptions::default() };
        options.emulation.strict = true;
        Ok(parity(model, runtime, seed, &options))
    })
}

fn name(cores: CoreChoice) -> String {
    cores.mask().map_or("auto".to_owned(), |mask| mask.to_string())
}

fn last_line(text: &str) -> &str {
    text.lines().last().unwrap_or_default()
}

fn differences(parity: &Parity) -> String {
    let wrong = parity.outputs.iter().filter(|output| output.float + output.raw > 0);
    let mut texts: Vec<String> = wrong
        .map(|output| {
            let (all, float, raw) = (output.elements, output.float, output.raw);
            format!("`{}` differs in {float} floats and {raw} stored values of {all}", output.name)
        })
        .collect();
    for (what, (theirs, ours)) in [("tasks", parity.tasks), ("submissions", parity.submissions)] {
        if theirs != ours {
            texts.push(format!("{theirs} {what}, ours {ours}"));
        }
    }
    texts.join(", ")
}

fn read_causes() -> Result<Vec<Cause>> {
    let text = fs::read_to_string(root().join("models/parity.tsv")).context("reading models/parity.tsv")?;
    let row = |line: &str| match line.split_once('\t') {
        Some((model, text)) if !text.trim().is_empty() => Ok(Cause { model: model.to_owned(), text: text.to_owned() }),
        _ => bail!("models/parity.tsv: bad row `{line}`"),
    };
    text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()).map(row).collect()
}
