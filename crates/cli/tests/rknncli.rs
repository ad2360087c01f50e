//! `ferrite inspect` against rknncli from PyPI, an independent reader of the same files, on every model of the repository.
//!
//! Runs when FERRITE_VENV names a Python environment that has it; `cargo xtask test` makes one.

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use support::{call, models};

/// All models below a folder.
fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rknn") {
            found.push(path);
        }
    }
}

/// What both print, as rknncli prints it.
fn as_rknncli(document: &Value) -> Vec<String> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let versions = &document["versions"];
    let platforms: Vec<String> = versions["target_platform"].as_array().unwrap().iter().map(text).collect();
    let mut lines = vec![
        format!("Model: {}", text(&document["model"]["name"])),
        format!("Target Platform: {}", platforms.join(", ")),
        format!("Format: {}", text(&versions["format"])),
        format!("Source: {}", text(&versions["source"])),
        format!("Compiler: {}", text(&versions["compiler"])),
        format!("Runtime: {}", text(&versions["runtime"])),
        format!("Number of graphs: {}", versions["graphs"]),
    ];
    for port in ["inputs", "outputs"].iter().flat_map(|ports| document[ports].as_array().unwrap()) {
        let shape: Vec<String> = port["shape"].as_array().unwrap().iter().map(Value::to_string).collect();
        // rknncli names the type that the user hands over: FLOAT where nothing is quantised.
        let element = if text(&port["type"]).starts_with("float") {
            "FLOAT".to_owned()
        } else {
            text(&port["type"]).to_uppercase()
        };
        lines.push(format!("ValueInfo \"{}\": type {element}, shape [{}],", text(&port["name"]), shape.join(", ")));
    }
    lines
}

#[test]
#[expect(clippy::print_stderr, reason = "a skipped test should say why")]
fn inspect_and_rknncli_agree() {
    let Some(environment) = std::env::var_os("FERRITE_VENV") else {
        eprintln!("skipped: FERRITE_VENV names no Python environment with rknncli");
        return;
    };
    let tool = PathBuf::from(environment).join("bin/rknncli");
    let mut paths = Vec::new();
    collect(&models(), &mut paths);
    assert!(paths.len() > 190, "only {} models", paths.len());
    let mut wrong = Vec::new();
    for path in paths {
        let output = Command::new(&tool).arg(&path).output().unwrap();
        assert!(output.status.success(), "{}: {}", path.display(), String::from_utf8_lossy(&output.stderr));
        let theirs = String::from_utf8(output.stdout).unwrap();
        let theirs: Vec<&str> = theirs.lines().map(str::trim).collect();
        let document = call(&format!("inspect --json {}", path.display())).json("ferrite.inspect/1");
        let missing = as_rknncli(&document).into_iter().filter(|line| !theirs.contains(&line.as_str()));
        wrong.extend(missing.map(|line| format!("{}: rknncli does not print `{line}`", path.display())));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
