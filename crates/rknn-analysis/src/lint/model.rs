//! What concerns the file as a whole: versions, chips, and what runs on the CPU.

use ferrite_rknn::{Model, Operator, Target};
use ferrite_rknpu::Soc;

use super::{Kind, Place, Report, operator_place};

/// How the compiler writes the kind of NPU, and the chips that have it (`docs/rknn-format.md`, root slot 1).
const FORMATS: &[(&str, &[&str])] =
    &[("RKNPU v2", &["rk3588", "rk3588s"]), ("RKNPU f2", &["rk3576"]), ("RKNPU lite", &["rk3566", "rk3568"])];

/// Why the compiler probably leaves an operator to the CPU: the operator and the reason. What toolkit 2.5.0 lacks is inferred from the
/// zoo, where these operators are on the CPU; the reason for Resize rests on one network.
const CPU_REASONS: &[(&str, &str)] = &[
    ("Erf", "toolkit 2.5.0 has no program for it"),
    ("Exp", "toolkit 2.5.0 has no program for it outside Softmax"),
    ("Mish", "toolkit 2.5.0 has no program for it"),
    ("Log", "toolkit 2.5.0 has no program for it"),
    ("Sin", "toolkit 2.5.0 has no program for it"),
    ("Cos", "toolkit 2.5.0 has no program for it"),
    ("Floor", "toolkit 2.5.0 has no program for it"),
    ("AveragePool", "the pooling block counts padding as elements, which count_include_pad=0 forbids"),
    ("Min", "toolkit 2.5.0 has no program for it, although it has one for Max"),
    ("Resize", "toolkit 2.5.0 has programs for whole factors only"),
    ("Transpose", "on RK3588 a transpose of more than 8192 pixels has no program (airockchip/rknn-toolkit2 issue 490)"),
];

/// Whether the registers of the chip that a model is for are known.
pub(super) fn programs_are_known(model: &Model) -> bool {
    let known = |name: &String| Soc::named(name).is_some_and(|soc| soc.supported);
    model.tail().target_platform.iter().any(known)
}

pub(super) fn check(model: &Model, report: &mut Report) {
    needs(model, report);
    for warning in model.warnings() {
        report.add(Kind::Inconsistent, Place::default(), warning.as_str());
    }
    for (index, operator) in model.operators().iter().enumerate() {
        let boundary = matches!(operator.kind.as_str(), "InputOperator" | "OutputOperator");
        if operator.target != Target::NPU && !boundary {
            report.add(Kind::CpuOperator, operator_place(model, index), on_cpu(operator));
        }
    }
}

fn on_cpu(operator: &Operator) -> String {
    let reason = CPU_REASONS.iter().find(|(kind, _)| *kind == operator.kind);
    match reason {
        Some((_, reason)) => format!("{} runs on the CPU; likely cause: {reason}", operator.kind),
        None => format!("{} runs on the CPU; the file does not say why", operator.kind),
    }
}

fn needs(model: &Model, report: &mut Report) {
    let (info, tail) = (model.info(), model.tail());
    let (platforms, version) = (tail.target_platform.join(", "), model.header().version);
    let message = format!(
        "needs {platforms} and a runtime for container version {version}, made by toolkit {}{}",
        tail.version,
        if version == 6 { " (reports say that runtimes 1.3 to 1.5.0 refuse version 6; 1.5.2 takes it)" } else { "" },
    );
    let place = |offset| Place { offset: Some(offset), ..Place::default() };
    let (start, text) = (model.header().flatbuffer.start, model.header().json.start);
    report.add(Kind::Needs, place(8), message);
    for platform in &tail.target_platform {
        let format = FORMATS.iter().find(|(format, _)| *format == info.format);
        if !info.runtime.is_empty() && !same_chip(&info.runtime, platform) {
            let message = format!("the JSON text names {platform}, the programs are for {}", info.runtime);
            report.add(Kind::TargetMismatch, place(text), message);
        } else if format.is_some_and(|(_, chips)| !chips.contains(&platform.to_ascii_lowercase().as_str())) {
            let message = format!("`{}` is not the NPU of {platform}", info.format);
            report.add(Kind::TargetMismatch, place(start), message);
        }
    }
    // The compiler writes its version in front of a bracket with details.
    let compiler = info.compiler.split('(').next().unwrap_or_default().trim();
    if !compiler.is_empty() && !tail.version.is_empty() && compiler != tail.version {
        let message = format!("compiler {compiler} wrote the programs, the JSON text says toolkit {}", tail.version);
        report.add(Kind::TargetMismatch, place(text), message);
    }
    if !programs_are_known(model) {
        let message = format!("the registers of {platforms} are not known: programs are not judged");
        report.add(Kind::UnknownTarget, place(text), message);
    }
}

fn same_chip(one: &str, other: &str) -> bool {
    let name = |chip: &str| Soc::named(chip).map_or_else(|| chip.to_ascii_lowercase(), |soc| soc.name.to_owned());
    name(one) == name(other)
}
