//! What the reader makes of the test files, and what the files say twice.

mod common;

use std::fmt::Write;

use ferrite_rknn::{Error, Kind, Model, TaskRecord};

/// Registers that hold an address, as (target word, register).
const ADDRESS_REGISTERS: [(u64, u64); 9] = [
    (0x0201, 0x1070),
    (0x0201, 0x1110),
    (0x1001, 0x4020),
    (0x2001, 0x5018),
    (0x2001, 0x5020),
    (0x2001, 0x502c),
    (0x2001, 0x5038),
    (0x4001, 0x6070),
    (0x8001, 0x701c),
];

fn commands(model: &Model, blob: usize) -> Vec<u64> {
    let bytes = model.blob(blob).unwrap();
    bytes.chunks_exact(8).map(|chunk| u64::from_le_bytes(chunk.try_into().unwrap())).collect()
}

#[test]
fn nothing_to_warn_about() {
    for (name, _, model) in common::models() {
        assert_eq!(model.warnings(), [] as [String; 0], "{name}");
        assert_eq!(model.header().version, 6, "{name}");
        assert!(name.starts_with(&model.tail().version), "{name}: toolkit {}", model.tail().version);
        assert!(model.info().compiler.starts_with(&model.tail().version), "{name}");
    }
}

#[test]
fn dictionary_and_graph_agree() {
    for (name, _, model) in common::models() {
        for port in model.ports() {
            let side = if port.is_output { model.outputs() } else { model.inputs() };
            let tensor = &model.tensors()[side[port.index]];
            assert_eq!((&port.name, &port.shape), (&tensor.name, &tensor.shape), "{name}");
        }
        let given = model.ports().iter().filter(|port| !port.is_output);
        for (port, normalization) in given.zip(&model.graphs()[0].normalizations) {
            for (channel, mean) in port.mean.iter().enumerate() {
                assert_eq!(*mean, f64::from(normalization.mean[channel]), "{name}");
            }
            for (channel, std) in port.std.iter().enumerate() {
                assert_eq!(*std, f64::from(normalization.std[channel]), "{name}");
            }
        }
        assert_eq!(model.graphs()[0].normalizations.len(), model.inputs().len(), "{name}");
        assert_eq!(model.ports().len(), model.inputs().len() + model.outputs().len(), "{name}");
    }
}

#[test]
fn every_address_is_relocated_once_and_nothing_else_is() {
    for (name, _, model) in common::models() {
        for graph in model.graphs() {
            let Some(blob) = graph.program_blob() else { continue };
            let commands = commands(&model, blob);
            let mut listed = vec![false; commands.len()];
            for place in graph.relocations.iter().flat_map(|relocations| &relocations.places) {
                let word = commands[place.command];
                assert!(ADDRESS_REGISTERS.contains(&(word >> 48, word & 0xffff)), "{name}: command {}", place.command);
                assert_eq!((word >> 16) as u32, place.addend, "{name}: command {}", place.command);
                assert!(!listed[place.command], "{name}: command {} is listed twice", place.command);
                listed[place.command] = true;
            }
            for (index, word) in commands.iter().enumerate().filter(|(index, _)| !listed[*index]) {
                let address = ADDRESS_REGISTERS.contains(&(word >> 48, word & 0xffff));
                assert!(!address || (word >> 16) as u32 == 0, "{name}: address in command {index} is not listed");
            }
        }
    }
}

#[test]
fn input_patches_are_about_their_registers() {
    let mut seen = 0;
    for (name, _, model) in common::models() {
        for graph in model.graphs() {
            for program in graph.input_patches.iter().flat_map(|input| &input.programs) {
                for patch in program.sizes.iter().chain(&program.conversions) {
                    let word = commands(&model, graph.program_blob().unwrap())[patch.command];
                    let found = (word as u16, (word >> 16) as u32);
                    assert_eq!((patch.register, patch.value), found, "{name}: command {}", patch.command);
                    seen += 1;
                }
            }
        }
    }
    assert!(seen > 100);
}

#[test]
fn tasks_regions_and_operators_agree() {
    for (name, _, model) in common::models() {
        for graph in model.graphs() {
            let tasks = model.task_list_of(graph).unwrap();
            let mut owners = Vec::new();
            let mut starts = [0; 6];
            for (region, start) in starts.iter_mut().enumerate() {
                *start = owners.len() as u32;
                for (index, operator) in graph.operators.iter().enumerate() {
                    owners.extend((0..operator.task_count(region)).map(|_| index as u32));
                }
            }
            assert_eq!(tasks.iter().map(|task| task.op_idx).collect::<Vec<_>>(), owners, "{name}");
            let regions = (!tasks.is_empty()).then_some([0, 0, 0, starts[1], starts[3]]);
            assert_eq!(graph.regions, regions, "{name}");
            let Some(blob) = graph.program_blob() else { continue };
            let commands = commands(&model, blob);
            for task in tasks {
                // A program ends with the command that enables the blocks the record names.
                let last = commands[task.regcmd_addr as usize / 8 + task.regcfg_amount as usize + 3];
                assert_eq!((last >> 48, last & 0xffff), (0x0081, 0x0008), "{name}");
                assert_eq!((last >> 16) as u32, task.enable_mask.0, "{name}");
            }
        }
    }
}

#[test]
fn graphs_of_a_dynamic_model_are_complete() {
    let (_, _, model) = common::models().into_iter().find(|(name, ..)| name == "2.5.0-dynamic").unwrap();
    assert_eq!(model.info().shape_mode, "dynamic_shape");
    let shapes: Vec<_> = model.graphs().iter().map(|graph| graph.tensors[graph.inputs[0]].shape.clone()).collect();
    assert_eq!(shapes, [vec![1, 16, 8, 8], vec![1, 16, 4, 12]]);
    assert_ne!(model.graphs()[0].program_blob(), model.graphs()[1].program_blob());
}

#[test]
fn attributes_of_a_convolution_are_those_of_the_network() {
    let (_, _, model) = common::models().into_iter().find(|(name, ..)| name == "2.3.2-conv").unwrap();
    let operator = model.operators().iter().find(|operator| operator.kind == "Conv").unwrap();
    let attributes = model.operator_attributes(operator).unwrap();
    let numbers = |key: &str| -> Vec<i64> {
        let (_, value) = attributes.iter().find(|(name, _)| name == key).unwrap();
        value.as_list().unwrap().iter().map(|value| value.as_i64().unwrap()).collect()
    };
    // networks.py: a 3x3 kernel with padding 1; the rest is ONNX's default.
    assert_eq!(numbers("pads"), [1, 1, 1, 1]);
    assert_eq!(numbers("kernel_shape"), [3, 3]);
    assert_eq!(numbers("strides"), [1, 1]);
}

/// The networks are in `models/zoo/odd.txt`.
#[test]
fn how_to_resize_stands_in_the_typed_parameters() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/zoo/data");
    for (file, kind, expected) in [
        ("bilinear_corners-int8", "Resize", [("mode", "linear"), ("coordinate_transformation_mode", "align_corners")]),
        ("bilinear_to_11x13-fp16", "Resize", [("mode", "linear"), ("coordinate_transformation_mode", "half_pixel")]),
        ("nearest_x3-fp16", "Resize", [("mode", "nearest"), ("nearest_mode", "floor")]),
    ] {
        let model = ferrite_rknn::Model::read(std::fs::read(folder.join(format!("{file}.rknn"))).unwrap()).unwrap();
        let operator = model.operators().iter().find(|operator| operator.kind == kind).unwrap();
        let attributes = model.operator_attributes(operator).unwrap();
        for (name, value) in expected {
            let found = attributes.iter().find(|(have, _)| have == name).and_then(|(_, value)| value.as_str());
            assert_eq!(found, Some(value), "{file}: {name}");
        }
    }
}

#[test]
fn soc_is_checked_by_name() {
    for (name, _, model) in common::models() {
        assert_eq!(model.require_soc("RK3588"), Ok(()), "{name}");
        let error = model.require_soc("rk3576").unwrap_err();
        assert_eq!(error, Error::WrongSoc { found: "rk3588".into(), wanted: "rk3576".into() });
        assert_eq!(error.to_string(), "the model is compiled for rk3588, not for rk3576");
    }
}

#[test]
fn blobs_are_views_of_the_file() {
    for (name, bytes, model) in common::models() {
        for (index, range) in model.blobs().iter().enumerate() {
            assert_eq!(model.blob(index), bytes.get(range.clone()), "{name}");
        }
        assert_eq!(model.blob(model.blobs().len()), None, "{name}");
    }
}

#[test]
fn model_can_cross_threads() {
    fn check<T: Send + Sync + 'static>() {}
    check::<Model>();
}

/// Everything the reader knows about a file, one fact a line.
fn dump(model: &Model) -> String {
    let mut out = format!("{model}\n{:#?}\n{:?}\n", model.info(), model.memory());
    let _ = writeln!(out, "{:?}\n{:?}", model.header(), model.weight_image());
    for port in model.ports() {
        let _ = writeln!(out, "{port:?}");
    }
    for (index, graph) in model.graphs().iter().enumerate() {
        let _ = writeln!(out, "graph {index}: inputs {:?}, outputs {:?}", graph.inputs, graph.outputs);
        let _ = writeln!(out, "regions {:?}, output ready {:?}", graph.regions, graph.output_ready);
        for tensor in graph.tensors.iter().filter(|tensor| tensor.kind != Kind::PLACEHOLDER) {
            let _ = writeln!(out, "{tensor:?}");
        }
        for operator in &graph.operators {
            let _ = writeln!(out, "{operator:?} {:?}", model.operator_attributes(operator));
        }
        for normalization in &graph.normalizations {
            let _ = writeln!(out, "{normalization:?}");
        }
        for relocations in &graph.relocations {
            let _ = writeln!(out, "{relocations:?}");
        }
        for input in &graph.input_patches {
            let _ = writeln!(out, "{input:?}");
        }
        for TaskRecord { op_idx: operator, enable_mask, regcfg_amount: command_count, regcmd_addr: address, .. } in
            model.task_list_of(graph).unwrap()
        {
            let _ = writeln!(
                out,
                "task of {operator}: {command_count} commands at {address:#x}, enables {:#x}",
                enable_mask.0
            );
        }
    }
    out
}

#[test]
fn dumps_are_unchanged() {
    let mut changed = Vec::new();
    for (name, _, model) in common::models() {
        let path = common::folder().join(format!("{name}.txt"));
        let found = dump(&model);
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&path, &found).unwrap();
        } else if std::fs::read_to_string(&path).ok().as_deref() != Some(found.as_str()) {
            changed.push(name);
        }
    }
    assert!(changed.is_empty(), "dumps of {changed:?} changed; BLESS=1 rewrites them");
}
