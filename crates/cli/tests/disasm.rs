//! `ferrite disasm`: its listings assemble to the file's own bytes.

mod support;

use ferrite_rknn::Model;
use ferrite_rknpu::{CommandKind, Program, assemble};
use serde_json::json;
use support::{call, golden, models, refuses};

/// The programs of a model's tasks, task by task, as the file has them.
fn programs(name: &str) -> Vec<Vec<u8>> {
    let model = Model::read(std::fs::read(models().join(name)).unwrap()).unwrap();
    let blob = model.blob(model.program_blob().unwrap()).unwrap();
    let records = model.task_list().unwrap();
    let program = |record: &ferrite_rknn::TaskRecord| {
        let start = record.regcmd_addr as usize;
        blob[start..start + record.program_bytes() as usize].to_vec()
    };
    records.iter().map(program).collect()
}

/// Cuts a listing's commands after each command that starts blocks.
fn assembled(listing: &str) -> Vec<Vec<u8>> {
    let all = assemble(listing).unwrap_or_else(|error| panic!("{error}"));
    let ends = |command: &ferrite_rknpu::Command| matches!(command.decode(), CommandKind::Enable { .. });
    all.commands.split_inclusive(ends).map(|commands| Program::from(commands.to_vec()).to_bytes()).collect()
}

#[test]
fn listings_assemble_to_the_files_programs() {
    for name in ["ops/softmax-fp16.rknn", "ops/conv3x3-int8.rknn", "mtcnn/r-int8.rknn"] {
        let expected = programs(name);
        assert_eq!(assembled(&call(&format!("disasm {name} --all-cores")).ok()), expected, "{name}");
        let single = assembled(&call(&format!("disasm {name} --no-hex --state")).ok());
        assert!(!single.is_empty() && single.len() < expected.len(), "{name}");
        assert_eq!(single, expected[..single.len()], "{name}");
    }
}

#[test]
fn raw_programs() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("programs.bin");
    let programs = programs("ops/softmax-fp16.rknn");
    std::fs::write(&path, programs[..3].concat()).unwrap();
    let place = path.display();
    assert_eq!(assembled(&call(&format!("disasm --raw {place}")).ok()), programs[..3]);
    assert_eq!(assembled(&call(&format!("disasm --raw {place} --task 1..")).ok()), programs[1..3]);
    std::fs::write(&path, &programs[0][..13]).unwrap();
    refuses(call(&format!("disasm --raw {place}")), 2, &["13 bytes ends inside a command"]);
}

#[test]
fn listing_of_one_task() {
    golden("disasm-softmax_c-task3.txt", &call("disasm ops/softmax_c-fp16.rknn --task 3 --state").ok());
}

#[test]
fn tasks_of_an_operator() {
    let by_name = call("disasm mtcnn/p-fp16.rknn --operator 3").ok();
    let name = call("inspect mtcnn/p-fp16.rknn --json").json("ferrite.inspect/1")["operators"][3]["name"].clone();
    assert_eq!(by_name, support::run(["disasm", "mtcnn/p-fp16.rknn", "--operator", name.as_str().unwrap()]).ok());
    assert!(by_name.starts_with("; task ") && by_name.contains(name.as_str().unwrap()));
    refuses(
        call("disasm ops/add-fp16.rknn --operator Ad:y"),
        2,
        &["no operator `Ad:y`", "similar name exists: `Add:y`"],
    );
    refuses(call("disasm ops/add-fp16.rknn --task 99"), 2, &["no task 99: the single-core plan has", "--all-cores"]);
}

#[test]
fn documents_carry_the_same_words() {
    let document = call("disasm ops/softmax_c-fp16.rknn --json --state --all-cores").json("ferrite.disasm/1");
    let tasks = document["tasks"].as_array().unwrap();
    let words: Vec<Vec<u8>> = tasks
        .iter()
        .map(|task| {
            let word = |command: &serde_json::Value| {
                u64::from_str_radix(command["word"].as_str().unwrap().trim_start_matches("0x"), 16)
                    .unwrap()
                    .to_le_bytes()
            };
            task["commands"].as_array().unwrap().iter().flat_map(word).collect()
        })
        .collect();
    assert_eq!(words, programs("ops/softmax_c-fp16.rknn"));
    // Task 3 leaves DATA_FORMAT as an earlier task set it (see the listing).
    let state = tasks[3]["state"]["registers"].as_array().unwrap();
    let format = state.iter().find(|register| register["register"] == "DPU.DATA_FORMAT").unwrap();
    assert_eq!(format["written"], json!(false));
    assert_eq!(format["fields"]["OUT_PRECISION"], 2);
}
