//! The reader against what the vendor's runtime does with the same files (`tests/data/README.md`).

mod common;

use std::collections::HashMap;
use std::ops::Range;

use ferrite_rknn::{DataType, Kind, Layout, Model, Relocations, Target, TaskRecord};

/// A buffer of the vendor's runtime.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Buffer {
    size: u64,
    address: u64,
}

fn hexadecimal(text: &str) -> u64 {
    u64::from_str_radix(text.trim_start_matches("0x"), 16).unwrap()
}

/// Parses a `.buffers` file: buffers by role in order, and the lines about submissions.
fn buffers(name: &str) -> Option<(Vec<Buffer>, Vec<String>)> {
    let text = String::from_utf8(common::beside(name, "buffers")?).unwrap();
    let (mut list, mut submissions) = (Vec::new(), Vec::new());
    for line in text.lines() {
        if let Some(submission) = line.strip_prefix("submit ") {
            submissions.push(submission.to_owned());
            continue;
        }
        let fields: HashMap<&str, &str> = line.split(' ').filter_map(|field| field.split_once('=')).collect();
        list.push(Buffer { size: hexadecimal(fields["size"]), address: hexadecimal(fields["address"]) });
    }
    Some((list, submissions))
}

/// Device address of a tensor in the vendor's buffers: tasks, weights, activations, inputs, outputs.
fn address(model: &Model, buffers: &[Buffer], index: usize) -> u64 {
    let image = model.weight_image();
    let tensor = &model.tensors()[index];
    let (inputs, outputs) = (model.inputs(), model.outputs());
    if let Some(blob) = tensor.blob {
        buffers[1].address + image.blobs[blob].start as u64
    } else if let Some(input) = inputs.iter().position(|&input| input == index) {
        buffers[3 + input].address
    } else if let Some(output) = outputs.iter().position(|&output| output == index) {
        buffers[3 + inputs.len() + output].address
    } else {
        buffers[2].address + u64::from(tensor.offset)
    }
}

/// Blobs at their places, with every relocation applied.
fn relocated(model: &Model, buffers: &[Buffer]) -> Vec<u8> {
    let image = model.weight_image();
    let mut bytes = vec![0; image.size];
    for (index, range) in image.blobs.iter().enumerate() {
        bytes[range.clone()].copy_from_slice(model.blob(index).unwrap());
    }
    let programs = image.blobs[model.program_blob().unwrap()].clone();
    let base = buffers[1].address + programs.start as u64;
    let set = |bytes: &mut [u8], command: usize, value: u64| {
        let at = programs.start + 8 * command;
        bytes[at + 2..at + 6].copy_from_slice(&(value as u32).to_le_bytes());
    };
    for Relocations { tensor, places, .. } in model.relocations() {
        let start = tensor.map_or(base, |index| address(model, buffers, index));
        for place in places {
            set(&mut bytes, place.command, start + u64::from(place.addend));
        }
    }
    // Links from program to program are not in the table.
    for command in 0..programs.len() / 8 {
        let at = programs.start + 8 * command;
        let word = u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap());
        let value = word >> 16 & 0xffff_ffff;
        if word >> 48 == 0x0101 && word & 0xffff == 0x10 && value != 0 {
            set(&mut bytes, command, base + value);
        }
    }
    bytes
}

/// Commands the runtime may change because of how an input is handed over, as byte ranges of the image.
fn patched(model: &Model) -> Vec<Range<usize>> {
    let start = model.weight_image().blobs[model.program_blob().unwrap()].start;
    let programs = model.graphs()[0].input_patches.iter().flat_map(|input| &input.programs);
    let patches = programs.flat_map(|program| program.sizes.iter().chain(&program.conversions));
    patches.map(|patch| start + 8 * patch.command..start + 8 * patch.command + 8).collect()
}

#[test]
fn relocation_makes_the_vendors_weight_buffer() {
    let mut compared = 0;
    for (name, _, model) in common::models() {
        let Some((buffers, _)) = buffers(&name) else { continue };
        let vendor = common::beside(&name, "weights").unwrap();
        let ours = relocated(&model, &buffers);
        assert_eq!(ours.len() as u64, buffers[1].size, "{name}: size of the weight buffer");
        let patched = patched(&model);
        let different: Vec<usize> = (0..ours.len()).filter(|&at| ours[at] != vendor[at]).collect();
        let unexplained: Vec<_> =
            different.iter().filter(|at| !patched.iter().any(|range| range.contains(at))).collect();
        assert_eq!(unexplained, Vec::<&usize>::new(), "{name}: bytes that differ from the vendor's");
        // Only picture inputs that the conversion unit reads are patched.
        assert_eq!(different.is_empty(), name != "2.5.0-rgb_int8", "{name}");
        compared += 1;
    }
    assert_eq!(compared, 5);
}

#[test]
fn task_list_is_the_vendors_up_to_the_address() {
    for (name, _, model) in common::models() {
        let Some((buffers, _)) = buffers(&name) else { continue };
        let base = model.weight_image().blobs[model.program_blob().unwrap()].start as u64 + buffers[1].address;
        let ours: Vec<u8> = model
            .task_list()
            .unwrap()
            .into_iter()
            .flat_map(|task| TaskRecord { regcmd_addr: task.regcmd_addr + base, ..task }.to_bytes())
            .collect();
        let vendor = common::beside(&name, "tasks").unwrap();
        // The vendor's capture was taken before a task ran, so even the status fields agree.
        assert_eq!(ours, vendor, "{name}");
        assert_eq!(ours.len() as u64, buffers[0].size, "{name}");
    }
}

#[test]
fn planned_sizes_are_the_vendors() {
    for (name, _, model) in common::models() {
        let Some((buffers, _)) = buffers(&name) else { continue };
        assert_eq!(model.memory().unwrap().activations, buffers[2].size, "{name}: activation buffer");
        let ports: Vec<u64> =
            model.inputs().iter().chain(model.outputs()).map(|&i| u64::from(model.tensors()[i].size)).collect();
        let vendor: Vec<u64> = buffers[3..].iter().map(|buffer| buffer.size).collect();
        assert_eq!(ports, vendor, "{name}: input and output buffers");
    }
}

#[test]
fn task_counts_make_the_vendors_submissions() {
    for (name, _, model) in common::models() {
        let Some((_, submissions)) = buffers(&name) else { continue };
        let mut ours: Vec<(u32, u32, u32)> = Vec::new();
        let (mut next, mut open) = (0, false);
        for operator in model.operators() {
            let (count, start) = (operator.task_count(0), next);
            next += count;
            if operator.target == Target::HOST {
                open = false;
            }
            // The runtime prepares inputs itself instead of running the tasks of an InputOperator.
            if count == 0 || operator.kind == "InputOperator" {
                continue;
            }
            let flags = if operator.lut_tasks[0] > 0 { 1 } else { 5 };
            match ours.last_mut() {
                Some(last) if open && last.0 == flags => last.2 += count,
                _ => ours.push((flags, start, count)),
            }
            open = true;
        }
        let ours: Vec<String> = ours
            .into_iter()
            .map(|(flags, start, count)| {
                let range = format!("{start}+{count}");
                let number = 3 * count;
                format!(
                    "flags={flags:#x} start={start} number={number} core_mask=0 subcores={range},{range},{range},0+0,0+0"
                )
            })
            .collect();
        assert_eq!(ours, submissions, "{name}");
    }
}

/// The runtime's numbers for the element types seen here.
fn type_number(data_type: DataType) -> u32 {
    match data_type {
        DataType::FLOAT32 => 0,
        DataType::FLOAT16 => 1,
        DataType::INT8 => 2,
        other => panic!("no test file has {other}"),
    }
}

#[test]
fn query_answers_agree() {
    let mut compared = 0;
    for (name, _, model) in common::models() {
        let Some(text) = common::beside(&name, "query") else { continue };
        for line in String::from_utf8(text).unwrap().lines() {
            let words: Vec<&str> = line.split(' ').collect();
            let fields: HashMap<&str, &str> = words.iter().filter_map(|field| field.split_once('=')).collect();
            let side = if words[0].ends_with("input") { model.inputs() } else { model.outputs() };
            let tensor = &model.tensors()[side[words[1].parse::<usize>().unwrap()]];
            assert_eq!(tensor.name, words[2], "{name}: {line}");
            assert_eq!(type_number(tensor.data_type).to_string(), fields["type"], "{name}: {line}");
            let scale: f32 = fields["scale"].parse().unwrap();
            let zero_point: i32 = fields["zero_point"].parse().unwrap();
            assert_eq!(tensor.scale.first().copied().unwrap_or(1.0), scale, "{name}: {line}");
            assert_eq!(tensor.zero_point.first().copied().unwrap_or(0), zero_point, "{name}: {line}");
            let dims: Vec<u32> = fields["dims"].split(',').map(|d| d.parse().unwrap()).collect();
            match (words[0].starts_with("native"), fields["format"]) {
                (true, "2") => {
                    assert_eq!((tensor.layout, &tensor.native_shape), (Layout::NC1HWC2, &dims), "{name}: {line}")
                }
                (_, "0") => assert_eq!(tensor.shape, dims, "{name}: {line}"),
                (_, "1") => {
                    let [n, c, h, w] = tensor.shape[..] else { panic!("{name}: {line}") };
                    assert_eq!(vec![n, h, w, c], dims, "{name}: {line}");
                }
                _ => panic!("{name}: {line}"),
            }
            let kind = if words[0].ends_with("input") { Kind::INPUT } else { Kind::OUTPUT };
            assert_eq!(tensor.kind, kind, "{name}: {line}");
            compared += 1;
        }
    }
    assert!(compared >= 20);
}
