//! The reader against rknncli from PyPI, an independent reader of the same files.
//!
//! Runs when FERRITE_VENV names a Python environment that has it (`pip install rknncli`).

mod common;

use std::path::PathBuf;
use std::process::Command;

use ferrite_rknn::{DataType, Tensor};

/// A tensor as rknncli prints it: element types go by the name of the type the user hands over.
fn value_info(tensor: &Tensor) -> String {
    let data_type = match tensor.data_type {
        DataType::INT8 => "INT8",
        DataType::FLOAT16 | DataType::FLOAT32 => "FLOAT",
        other => panic!("no test file has {other}"),
    };
    let shape: Vec<String> = tensor.shape.iter().map(u32::to_string).collect();
    format!("ValueInfo \"{}\": type {data_type}, shape [{}]", tensor.name, shape.join(", "))
}

#[test]
#[allow(clippy::print_stderr, reason = "a skipped test should say why")]
fn rknncli_reads_the_same() {
    let Some(environment) = std::env::var_os("FERRITE_VENV") else {
        eprintln!("skipped: FERRITE_VENV names no Python environment with rknncli");
        return;
    };
    let tool = PathBuf::from(environment).join("bin/rknncli");
    for (name, _, model) in common::models() {
        let output = Command::new(&tool).arg(common::folder().join(format!("{name}.rknn"))).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
        let line = |key: &str| text.lines().find_map(|line| line.strip_prefix(key)).unwrap_or_default().trim();
        let info = model.info();
        assert_eq!(line("Model:"), model.tail().name, "{name}");
        assert_eq!(line("Target Platform:"), model.tail().target_platform.join(", "), "{name}");
        assert_eq!(line("Format:"), info.format, "{name}");
        assert_eq!(line("Source:"), info.source, "{name}");
        assert_eq!(line("Compiler:"), info.compiler, "{name}");
        assert_eq!(line("Runtime:"), info.runtime, "{name}");
        assert_eq!(line("Number of graphs:"), model.graphs().len().to_string(), "{name}");
        let theirs: Vec<&str> = text.lines().filter_map(|l| l.trim().strip_suffix(',')).collect();
        let tensors = model.inputs().iter().chain(model.outputs()).map(|&index| &model.tensors()[index]);
        let ours: Vec<String> = tensors.map(value_info).collect();
        for (line, tensor) in theirs.iter().zip(&ours) {
            assert!(line.starts_with(tensor.as_str()), "{name}: rknncli says {line}, we say {tensor}");
        }
        assert_eq!(theirs.len(), ours.len(), "{name}: {text}");
    }
}
