//! Which crate may import which: the table of ARCHITECTURE.md, held against `cargo metadata`.

use std::collections::BTreeSet;

use crate::shell::{cargo, root};

/// (crate, what it may import), as in the table of ARCHITECTURE.md; `all` for tools.
const ALLOWED: &[(&str, &[&str])] = &[
    ("numerics", &[]),
    ("device", &[]),
    ("rknpu", &[]),
    ("rknn", &["rknpu"]),
    ("host-ops", &[]),
    ("rknpu-emulator", &["rknpu", "device"]),
    ("rknn-runtime", &["rknn", "rknpu", "device", "host-ops"]),
    ("rknpu-driver", &["rknpu", "device"]),
    ("rknpu-fake", &["rknpu", "rknpu-emulator", "device"]),
    ("rknn-analysis", &["rknn", "rknn-runtime", "rknpu"]),
    ("rknn-oracle", &["rknn", "rknn-runtime", "rknpu", "rknpu-fake", "device"]),
    ("xdna", &["numerics"]),
    ("cli", &["all"]),
    ("xtask", &["all"]),
];

/// Every crate of the workspace with the Ferrite crates it depends on (not for tests).
fn imports() -> Vec<(String, Vec<String>)> {
    let output = cargo(&["metadata", "--format-version=1", "--no-deps", "--offline"]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let short = |name: &str| name.trim_start_matches("ferrite-").to_owned();
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    let package = |package: &serde_json::Value| {
        let dependencies = package["dependencies"].as_array().cloned().unwrap_or_default();
        let normal = dependencies.iter().filter(|dependency| dependency["kind"].is_null());
        let ours = normal.map(|dependency| text(&dependency["name"])).filter(|name| name.starts_with("ferrite-"));
        (short(&text(&package["name"])), ours.map(|name| short(&name)).collect())
    };
    metadata["packages"].as_array().unwrap().iter().map(package).collect()
}

#[test]
fn crates_import_only_what_the_architecture_allows() {
    let mut wrong = Vec::new();
    for (name, imports) in imports() {
        let Some((_, allowed)) = ALLOWED.iter().find(|(known, _)| *known == name) else {
            wrong.push(format!("crate `{name}` is not in the table"));
            continue;
        };
        let excess = imports.iter().filter(|import| !allowed.contains(&"all") && !allowed.contains(&import.as_str()));
        wrong.extend(excess.map(|import| format!("`{name}` imports `{import}`")));
    }
    assert!(wrong.is_empty(), "against ARCHITECTURE.md: {}", wrong.join("; "));
}

#[test]
fn the_table_in_the_document_is_this_one() {
    let document = std::fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    for (name, allowed) in ALLOWED {
        let start = format!("| `{name}` |");
        let row = document.lines().find(|line| line.starts_with(&start));
        let row = row.unwrap_or_else(|| panic!("ARCHITECTURE.md has no row for `{name}`"));
        let written: BTreeSet<&str> = row.split('|').nth(3).unwrap().split(',').map(str::trim).collect();
        let meant: BTreeSet<&str> = if allowed.is_empty() { ["-"].into() } else { allowed.iter().copied().collect() };
        assert_eq!(written, meant, "row of `{name}`");
    }
}
