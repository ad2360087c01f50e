//! `ferrite inspect`.

mod attributes;
mod document;
mod tables;

use ferrite_rknn::{Kind, Model, Operator, Target, Tensor};
use ferrite_rknn_runtime::{Plan, PlanOptions};

use crate::args::{InspectArgs, Section};
use crate::failure::{Exit, Failure};
use crate::printer::Printer;
use crate::{source, xdna};

/// Prints a section; the flag says that it is the first.
type PrintSection = fn(&Model, bool, &mut Printer);

pub(crate) fn run(args: &InspectArgs, as_json: bool, printer: &mut Printer) -> Result<Exit, Failure> {
    if let Some(file) = xdna::open(&args.file)? {
        if !args.show.is_empty() {
            let message =
                format!("--show chooses sections of a .rknn file; `{}` is {}", args.file.display(), file.kind);
            return Err(Failure::input(message));
        }
        return xdna::inspect(&args.file, &file, as_json, printer);
    }
    let model = source::model(&args.file)?;
    for warning in model.warnings() {
        printer.warn(warning);
    }
    let chosen = |section| args.show.contains(&section) || args.show.contains(&Section::All);
    if as_json {
        printer.json(&document::document(&args.file, &model, chosen));
        return Ok(Exit::Ok);
    }
    if args.show.is_empty() {
        tables::summary(&model, printer);
        tables::operators(&model, false, printer);
        tables::ports(&model, printer);
        return Ok(Exit::Ok);
    }
    let mut first = true;
    let sections: [(Section, PrintSection); 6] = [
        (Section::Versions, tables::versions),
        (Section::Operators, tables::operators),
        (Section::Tensors, tables::tensors),
        (Section::Blobs, tables::blobs),
        (Section::Buffers, tables::buffers),
        (Section::Attributes, attributes::attributes),
    ];
    for (section, print) in sections {
        if chosen(section) {
            print(&model, first, printer);
            first = false;
        }
    }
    Ok(Exit::Ok)
}

/// Where an operator runs, for people; graph inputs and outputs run nowhere.
fn target(operator: &Operator) -> String {
    match operator.target {
        Target::NPU => "NPU".into(),
        Target::HOST if ["InputOperator", "OutputOperator"].contains(&operator.kind.as_str()) => String::new(),
        Target::HOST => "CPU".into(),
        other => other.to_string(),
    }
}

/// Tasks of an operator on each core of the plans for one, two and three cores.
fn tasks(operator: &Operator) -> [Vec<u64>; 3] {
    let count = |i: usize| u64::from(operator.task_count(i));
    [vec![count(0)], vec![count(1), count(2)], vec![count(3), count(4), count(5)]]
}

/// The sum of [`tasks`] over all operators.
fn all_tasks(model: &Model) -> [Vec<u64>; 3] {
    let mut sum = [vec![0], vec![0; 2], vec![0; 3]];
    for operator in model.operators() {
        for (plan, more) in sum.iter_mut().zip(tasks(operator)) {
            plan.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
        }
    }
    sum
}

/// The buffer a tensor lives in and its offset there, in bytes.
struct Place {
    buffer: String,
    offset: u64,
}

fn place(model: &Model, index: usize, tensor: &Tensor) -> Option<Place> {
    if let Some(blob) = tensor.blob {
        let offset = model.weight_image().blobs.get(blob)?.start as u64;
        return Some(Place { buffer: "weights".into(), offset });
    }
    let position = |list: &[usize]| list.iter().position(|&at| at == index);
    if let Some(at) = position(model.inputs()) {
        return Some(Place { buffer: format!("input {at}"), offset: 0 });
    }
    if let Some(at) = position(model.outputs()) {
        return Some(Place { buffer: format!("output {at}"), offset: 0 });
    }
    let stored = tensor.kind == Kind::INTERMEDIATE && tensor.size > 0;
    stored.then(|| Place { buffer: "activations".into(), offset: tensor.offset.into() })
}

/// The buffers that running on one core takes: name and bytes.
fn buffers(model: &Model) -> Vec<(String, u64)> {
    if let Ok(plan) = Plan::new(model, &PlanOptions::default()) {
        return plan.buffers().iter().map(|buffer| (buffer.role.to_string(), buffer.bytes)).collect();
    }
    // What the file says itself, for models that this version cannot run.
    let mut list = vec![("weights".to_string(), model.weight_image().size as u64)];
    list.extend(model.memory().map(|memory| ("activations".into(), memory.activations)));
    for (what, indices) in [("input", model.inputs()), ("output", model.outputs())] {
        for (at, &index) in indices.iter().enumerate() {
            list.push((format!("{what} {at}"), model.tensors()[index].size.into()));
        }
    }
    list
}

/// The mean and divisor compiled in for an input, unless they change nothing.
fn normalization<'a>(model: &'a Model, input: &str) -> Option<(&'a [f64], &'a [f64])> {
    let port = model.ports().iter().find(|port| !port.is_output && port.name == input)?;
    let identity = port.mean.iter().all(|&mean| mean == 0.0) && port.std.iter().all(|&std| std == 1.0);
    (!identity).then_some((&port.mean, &port.std))
}
