//! The sections of `ferrite inspect` as tables.

use std::fmt::Display;

use ferrite_rknn::{Model, Tensor};

use crate::printer::Printer;
use crate::table::{Table, safe};

/// A shape as `1x3x224x224`; a scalar is `scalar`.
pub(super) fn shape(dimensions: &[u32]) -> String {
    if dimensions.is_empty() { "scalar".into() } else { join(dimensions, "x") }
}

fn join<T: Display>(items: &[T], separator: &str) -> String {
    items.iter().map(T::to_string).collect::<Vec<_>>().join(separator)
}

/// Task counts of one plan: `3+2`, or nothing where there are none.
fn counts(plan: &[u64]) -> String {
    if plan.iter().all(|&count| count == 0) { String::new() } else { join(plan, "+") }
}

/// One value, or how many there are.
fn quantity<T: Display>(values: &[T]) -> String {
    match values {
        [] => String::new(),
        [one] => one.to_string(),
        many => format!("{} values", many.len()),
    }
}

fn facts(rows: impl IntoIterator<Item = (&'static str, String)>, printer: &mut Printer) {
    let mut table = Table::new(&["", ""]);
    for (key, value) in rows {
        table.row([key.into(), value]);
    }
    printer.table(&table);
}

pub(super) fn summary(model: &Model, printer: &mut Printer) {
    let plans = super::all_tasks(model);
    let on_npu = model.operators().iter().filter(|operator| super::target(operator) == "NPU").count();
    let on_cpu = model.operators().iter().filter(|operator| super::target(operator) == "CPU").count();
    let bytes: u64 = super::buffers(model).iter().map(|(_, bytes)| bytes).sum();
    printer.heading(true, "Model");
    facts(
        [
            ("name", safe(&model.tail().name)),
            ("target", model.tail().target_platform.join(", ")),
            ("compiler", model.info().compiler.clone()),
            ("container", format!("version {}, {} bytes", model.header().version, model.bytes().len())),
            ("operators", format!("{} on the NPU, {on_cpu} on the CPU", on_npu)),
            (
                "tasks",
                format!(
                    "{} on one core, {} on two, {} on three",
                    plans[0][0],
                    join(&plans[1], "+"),
                    join(&plans[2], "+")
                ),
            ),
            ("memory", format!("{bytes} bytes in buffers")),
        ],
        printer,
    );
}

pub(super) fn versions(model: &Model, first: bool, printer: &mut Printer) {
    let (info, tail) = (model.info(), model.tail());
    printer.heading(first, "Versions");
    facts(
        [
            ("container", model.header().version.to_string()),
            ("model name", safe(&tail.name)),
            ("target platform", tail.target_platform.join(", ")),
            ("format", info.format.clone()),
            ("source", info.source.clone()),
            ("toolkit", tail.version.clone()),
            ("compiler", info.compiler.clone()),
            ("runtime", info.runtime.clone()),
            ("shapes", info.shape_mode.clone()),
            ("graphs", model.graphs().len().to_string()),
        ],
        printer,
    );
}

/// Names of tensors, separated by commas; the placeholder without a name is left out.
fn names(model: &Model, indices: &[usize]) -> String {
    let named = indices.iter().map(|&index| safe(&model.tensors()[index].name)).filter(|name| !name.is_empty());
    named.collect::<Vec<_>>().join(",")
}

pub(super) fn operators(model: &Model, first: bool, printer: &mut Printer) {
    let mut table =
        Table::new(&[">#", "TYPE", "NAME", "TARGET", ">TASKS 1", ">TASKS 2", ">TASKS 3", "INPUTS", "OUTPUTS"]);
    for (index, operator) in model.operators().iter().enumerate() {
        let [one, two, three] = super::tasks(operator).map(|plan| counts(&plan));
        table.row([
            index.to_string(),
            safe(&operator.kind),
            safe(&operator.name),
            super::target(operator),
            one,
            two,
            three,
            names(model, &operator.inputs),
            names(model, &operator.outputs),
        ]);
    }
    printer.heading(first, "Operators");
    printer.table(&table);
}

pub(super) fn ports(model: &Model, printer: &mut Printer) {
    let mut table = Table::new(&["", ">#", "NAME", "SHAPE", "TYPE", "SCALE", "ZERO POINT", "MEAN", "STD"]);
    for (what, indices) in [("input", model.inputs()), ("output", model.outputs())] {
        for (at, &index) in indices.iter().enumerate() {
            let tensor = &model.tensors()[index];
            let (mean, std) = match super::normalization(model, &tensor.name) {
                Some((mean, std)) if what == "input" => (join(mean, ","), join(std, ",")),
                _ => Default::default(),
            };
            table.row([
                what.into(),
                at.to_string(),
                safe(&tensor.name),
                shape(&tensor.shape),
                type_name(tensor),
                quantity(&tensor.scale),
                quantity(&tensor.zero_point),
                mean,
                std,
            ]);
        }
    }
    printer.heading(false, "Inputs and outputs");
    printer.table(&table);
}

pub(super) fn type_name(tensor: &Tensor) -> String {
    tensor.data_type.to_string().to_lowercase()
}

pub(super) fn tensors(model: &Model, first: bool, printer: &mut Printer) {
    let titles = [">#", "NAME", "KIND", "SHAPE", "TYPE", "LAYOUT", "NATIVE", "SCALE", "ZERO POINT", ">BYTES", "AT"];
    let mut table = Table::new(&titles);
    for (index, tensor) in model.tensors().iter().enumerate() {
        table.row([
            index.to_string(),
            safe(&tensor.name),
            tensor.kind.to_string().to_lowercase(),
            shape(&tensor.shape),
            type_name(tensor),
            tensor.layout.to_string().to_lowercase(),
            shape(&tensor.native_shape),
            quantity(&tensor.scale),
            quantity(&tensor.zero_point),
            tensor.size.to_string(),
            super::place(model, index, tensor).map(|at| format!("{}+{:#x}", at.buffer, at.offset)).unwrap_or_default(),
        ]);
    }
    printer.heading(first, "Tensors");
    printer.table(&table);
}

/// Names of the tensors whose data is in a blob.
pub(super) fn blob_tensors(model: &Model, blob: usize) -> Vec<&str> {
    model.tensors().iter().filter(|tensor| tensor.blob == Some(blob)).map(|tensor| tensor.name.as_str()).collect()
}

pub(super) fn blobs(model: &Model, first: bool, printer: &mut Printer) {
    let image = model.weight_image();
    let mut table = Table::new(&[">#", ">FILE OFFSET", ">BYTES", "AT", "TENSORS"]);
    for (index, (range, at)) in model.blobs().iter().zip(&image.blobs).enumerate() {
        let tensors: Vec<String> = blob_tensors(model, index).into_iter().map(safe).collect();
        let place = if range.is_empty() { String::new() } else { format!("weights+{:#x}", at.start) };
        table.row([
            index.to_string(),
            format!("{:#x}", range.start),
            range.len().to_string(),
            place,
            tensors.join(","),
        ]);
    }
    printer.heading(first, "Blobs");
    printer.table(&table);
}

pub(super) fn buffers(model: &Model, first: bool, printer: &mut Printer) {
    let mut table = Table::new(&["BUFFER", ">BYTES"]);
    for (name, bytes) in super::buffers(model) {
        table.row([name, bytes.to_string()]);
    }
    printer.heading(first, "Buffers");
    printer.table(&table);
}
