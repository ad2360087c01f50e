//! `ferrite inspect --json`.

use std::path::Path;

use ferrite_rknn::Model;
use serde_json::{Value, json};

use crate::args::Section;
use crate::version::{schema, tool};

type MakeSection = fn(&Model) -> Value;

/// The document. Versions, inputs and outputs are always in it; without any chosen section the operators are, too.
pub(super) fn document(file: &Path, model: &Model, chosen: impl Fn(Section) -> bool) -> Value {
    let mut document = json!({
        "schema": schema::INSPECT,
        "tool": tool(),
        "model": { "file": file.display().to_string(), "bytes": model.bytes().len(), "name": model.tail().name },
        "versions": versions(model),
        "tasks": plans(&super::all_tasks(model)),
        "inputs": ports(model, model.inputs()),
        "outputs": ports(model, model.outputs()),
        "warnings": model.warnings(),
    });
    let sections: [(Section, &str, MakeSection); 5] = [
        (Section::Operators, "operators", operators),
        (Section::Tensors, "tensors", tensors),
        (Section::Blobs, "blobs", blobs),
        (Section::Buffers, "buffers", buffers),
        (Section::Attributes, "attributes", super::attributes::document),
    ];
    let nothing_chosen = !sections.iter().any(|(section, ..)| chosen(*section)) && !chosen(Section::Versions);
    for (section, key, make) in sections {
        if chosen(section) || (nothing_chosen && section == Section::Operators) {
            document[key] = make(model);
        }
    }
    document
}

fn versions(model: &Model) -> Value {
    let (info, tail) = (model.info(), model.tail());
    json!({
        "container": model.header().version,
        "target_platform": tail.target_platform,
        "format": info.format,
        "source": info.source,
        "toolkit": tail.version,
        "compiler": info.compiler,
        "runtime": info.runtime,
        "shapes": info.shape_mode,
        "graphs": model.graphs().len(),
    })
}

/// Tasks by number of cores, then by core.
fn plans(plans: &[Vec<u64>; 3]) -> Value {
    json!({ "1": plans[0], "2": plans[1], "3": plans[2] })
}

fn names(model: &Model, indices: &[usize]) -> Vec<String> {
    indices.iter().map(|&index| model.tensors()[index].name.clone()).collect()
}

fn operators(model: &Model) -> Value {
    let list = model.operators().iter().enumerate().map(|(index, operator)| {
        json!({
            "index": index,
            "type": operator.kind,
            "name": operator.name,
            "target": match super::target(operator) { target if target.is_empty() => None, target => Some(target) },
            "tasks": plans(&super::tasks(operator)),
            "inputs": names(model, &operator.inputs),
            "outputs": names(model, &operator.outputs),
        })
    });
    list.collect()
}

fn tensor(model: &Model, index: usize) -> Value {
    let tensor = &model.tensors()[index];
    json!({
        "index": index,
        "name": tensor.name,
        "kind": tensor.kind.to_string().to_lowercase(),
        "shape": tensor.shape,
        "type": super::tables::type_name(tensor),
        "layout": tensor.layout.to_string().to_lowercase(),
        "native_shape": tensor.native_shape,
        "scale": tensor.scale,
        "zero_point": tensor.zero_point,
        "bytes": tensor.size,
        "place": super::place(model, index, tensor).map(|at| json!({ "buffer": at.buffer, "offset": at.offset })),
        "blob": tensor.blob,
    })
}

fn ports(model: &Model, indices: &[usize]) -> Value {
    let port = |&index: &usize| {
        let mut value = tensor(model, index);
        if let Some((mean, std)) = super::normalization(model, &model.tensors()[index].name) {
            value["mean"] = json!(mean);
            value["std"] = json!(std);
        }
        value
    };
    indices.iter().map(port).collect()
}

fn tensors(model: &Model) -> Value {
    (0..model.tensors().len()).map(|index| tensor(model, index)).collect()
}

fn blobs(model: &Model) -> Value {
    let image = model.weight_image();
    let list = model.blobs().iter().zip(&image.blobs).enumerate().map(|(index, (range, at))| {
        json!({
            "index": index,
            "file_offset": range.start,
            "bytes": range.len(),
            "offset": at.start,
            "tensors": super::tables::blob_tensors(model, index),
        })
    });
    list.collect()
}

fn buffers(model: &Model) -> Value {
    super::buffers(model).into_iter().map(|(name, bytes)| json!({ "name": name, "bytes": bytes })).collect()
}
