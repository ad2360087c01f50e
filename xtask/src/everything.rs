//! The vendor's toolkits, each in a Python environment of its own, and what they build.

use std::env;
use std::io::{BufRead, BufReader};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

use anyhow::{Context, Result, anyhow, ensure};
use serde_json::Value;

use crate::shell::{bar, root, step};

/// The toolkit that everything in `models/` was compiled with.
pub(crate) const TOOLKIT: &str = "2.5.0";
/// All that `models/zoo/everything.py` has work for.
const TOOLKITS: [&str; 4] = ["2.2.0", "2.3.0", "2.3.2", TOOLKIT];

/// Where the builds of one toolkit go that only the comparison with the vendor's runtime needs.
pub(crate) fn folder(toolkit: &str) -> PathBuf {
    root().join("target/zoo-all").join(toolkit)
}

/// Every .rknn file there is for the comparison, as `TOOLKIT/NAME-PRECISION` and its path.
pub(crate) fn models(zoo: &Path) -> Result<Vec<(String, PathBuf)>> {
    let mut found = Vec::new();
    let folders = TOOLKITS.map(|toolkit| (toolkit, folder(toolkit)));
    for (toolkit, folder) in folders.into_iter().chain([(TOOLKIT, zoo.to_owned())]) {
        let Ok(entries) = folder.read_dir() else { continue };
        for entry in entries {
            let path = entry.with_context(|| format!("reading {}", folder.display()))?.path();
            if path.extension().is_some_and(|extension| extension == "rknn") {
                found.push((format!("{toolkit}/{}", path.file_stem().unwrap_or_default().to_string_lossy()), path));
            }
        }
    }
    found.sort();
    Ok(found)
}

/// Builds with every toolkit what is missing.
pub(crate) fn build() -> Result<()> {
    for toolkit in TOOLKITS {
        let mut command = Command::new(environment(toolkit)?.join("bin/python"));
        command.arg(root().join("models/zoo/everything.py")).arg("--out").arg(folder(toolkit));
        built(command, toolkit)?;
    }
    Ok(())
}

/// The Python environment with a version of the vendor's toolkit, made if need be.
pub(crate) fn environment(toolkit: &str) -> Result<PathBuf> {
    if let Some(given) = env::var_os("FERRITE_TOOLKIT_VENV").filter(|_| toolkit == TOOLKIT) {
        return Ok(given.into());
    }
    let name = if toolkit == TOOLKIT { "venv".to_owned() } else { format!("venv-{toolkit}") };
    let place = root().join("target").join(name);
    if !place.join("bin/python").exists() {
        let mut setup = Command::new("bash");
        setup.arg(root().join("models/setup.sh")).arg(toolkit).env_remove("FERRITE_VENV");
        step(&format!("environment with the vendor's toolkit {toolkit}"), &mut setup)?;
    }
    Ok(place)
}

/// Runs a script of `models/zoo` that says on stdout what it built, with a progress bar.
pub(crate) fn built(mut command: Command, what: &str) -> Result<()> {
    let jobs = thread::available_parallelism().map_or(1, NonZero::get);
    command.args(["--jobs", &jobs.to_string()]);
    let mut child = command.stdout(Stdio::piped()).spawn().with_context(|| format!("starting {command:?}"))?;
    let bar = bar(0, what);
    let lines = child.stdout.take().ok_or_else(|| anyhow!("{command:?} has no output"))?;
    for line in BufReader::new(lines).lines() {
        let Ok(event) = serde_json::from_str::<Value>(&line?) else { continue };
        bar.set_length(event["total"].as_u64().unwrap_or(0));
        bar.set_position(event["done"].as_u64().unwrap_or(0));
        bar.set_message(format!("{} {}", event["name"], event["precision"]));
        if event["status"] == "refused" && event["cached"] == false {
            eprintln!("refused by the toolkit: {} {}", event["name"], event["precision"]);
        }
    }
    bar.finish_and_clear();
    let status = child.wait()?;
    ensure!(status.success(), "{command:?} failed: {status}");
    Ok(())
}
