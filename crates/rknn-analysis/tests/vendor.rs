//! What the vendor's compiler makes is legal: no model of it has errors, whatever the warnings.
#![allow(clippy::print_stderr, reason = "a test says when it skips")]

use std::path::{Path, PathBuf};

use ferrite_rknn::Model;
use ferrite_rknn_analysis::{Kind, Severity, lint};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn models(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            models(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rknn") {
            found.push(path);
        }
    }
}

/// Every error in the models of a folder, and how many models there are.
fn errors(folder: &Path) -> (Vec<String>, usize) {
    let mut paths = Vec::new();
    models(folder, &mut paths);
    let mut errors = Vec::new();
    for path in &paths {
        let model = Model::read(std::fs::read(path).unwrap()).unwrap();
        let report = lint(&model);
        let found = report.findings.iter().filter(|finding| finding.kind.severity() == Severity::Error);
        errors.extend(found.map(|finding| format!("{}: {finding}", path.display())));
    }
    (errors, paths.len())
}

#[test]
fn the_vendors_models_have_no_errors() {
    let (errors, models) = errors(&root().join("models"));
    assert!(models >= 200, "only {models} models");
    assert!(errors.is_empty(), "{}", errors.join("\n"));
}

/// The whole zoo, where it was built.
#[test]
fn the_whole_zoo_has_no_errors() {
    let zoo = root().join("target/zoo");
    if !zoo.exists() {
        eprintln!("skipped: `models/zoo/build.py --out target/zoo` makes the zoo");
        return;
    }
    let (errors, models) = errors(&zoo);
    assert!(models > 0, "the zoo is empty");
    assert!(errors.is_empty(), "{}", errors.join("\n"));
}

/// The compiler's own log says which field it cut; see data/README.md.
#[test]
fn a_stride_that_the_compiler_cut_is_found() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/stride50-fp16.rknn");
    let report = lint(&Model::read(std::fs::read(path).unwrap()).unwrap());
    for field in ["CNA.CONV_CON3.CONV_X_STRIDE", "CNA.CONV_CON3.CONV_Y_STRIDE"] {
        let here = |finding: &&ferrite_rknn_analysis::Finding| {
            finding.kind == Kind::FieldOverflow && finding.place.register.as_deref() == Some(field)
        };
        let finding = report.findings.iter().find(here).unwrap_or_else(|| panic!("nothing about {field}"));
        assert!(finding.message.contains("50") && finding.message.contains("holds 7"), "{finding}");
        assert_eq!(finding.place.operator, Some((1, "Conv:y".to_owned())));
    }
}

/// A residual block whose program reads its input with another stride than it has: `models/zoo/causes.tsv` has the story.
#[test]
fn a_wrong_stride_of_the_vendor_is_a_warning() {
    let read = |name: &str| Model::read(std::fs::read(root().join("models/zoo/data").join(name)).unwrap()).unwrap();
    let count = |name| lint(&read(name)).findings.iter().filter(|f| f.kind == Kind::StrideMismatch).count();
    assert_eq!(count("cnn_unet-int8.rknn"), 0);
    let zoo = root().join("target/zoo/res_c13-fp16.rknn");
    if zoo.exists() {
        let report = lint(&Model::read(std::fs::read(zoo).unwrap()).unwrap());
        assert!(report.findings.iter().any(|finding| finding.kind == Kind::StrideMismatch));
    }
}
