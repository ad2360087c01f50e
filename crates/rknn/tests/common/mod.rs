//! The models in `tests/data`.
#![allow(dead_code, reason = "each test binary uses some of these")]

use std::path::PathBuf;

use ferrite_rknn::Model;

/// Folder with the test files.
pub(crate) fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data")
}

/// A file beside a model, if there is one.
pub(crate) fn beside(name: &str, extension: &str) -> Option<Vec<u8>> {
    std::fs::read(folder().join(format!("{name}.{extension}"))).ok()
}

/// Name, bytes and model of every test file.
pub(crate) fn models() -> Vec<(String, Vec<u8>, Model)> {
    let mut models = Vec::new();
    for entry in std::fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "rknn") {
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            let bytes = std::fs::read(path).unwrap();
            let model = Model::read(bytes.clone()).unwrap_or_else(|error| panic!("{name}: {error}"));
            models.push((name, bytes, model));
        }
    }
    models.sort_by(|a, b| a.0.cmp(&b.0));
    assert!(models.len() >= 6, "test files are missing");
    models
}
