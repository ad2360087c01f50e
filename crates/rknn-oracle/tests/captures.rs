//! Committed captures of the vendor's runtime: our runtime hands the kernel the same, and a comparison can fail.

use std::fs;
use std::path::{Path, PathBuf};

use ferrite_rknn_oracle::{Capture, Counts, Diff, Kind, PAGE, Record, SubmitRecord, diff, diff_answers};
use ferrite_rknpu::{Command, TaskRecord};

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data")
}

/// Every committed capture: its name, the model's bytes, the capture.
fn captures() -> Vec<(String, Vec<u8>, Capture)> {
    let mut paths: Vec<PathBuf> = fs::read_dir(data()).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "zip"));
    paths.sort();
    let load = |path: PathBuf| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let model = data().join(format!("{}.rknn", name.split('.').next().unwrap()));
        (name, fs::read(model).unwrap(), Capture::load(&path).unwrap())
    };
    paths.into_iter().map(load).collect()
}

fn one(name: &str) -> (Vec<u8>, Capture) {
    let (_, model, capture) = captures().into_iter().find(|(have, ..)| have == name).unwrap();
    (model, capture)
}

/// The slim captures of `models/captures`: one for each model of `models` and each of three core masks.
fn model_captures() -> Vec<(String, Vec<u8>, Capture)> {
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let mut found = Vec::new();
    for folder in fs::read_dir(models.join("captures")).unwrap().map(|entry| entry.unwrap().path()) {
        if !folder.is_dir() {
            continue;
        }
        for path in fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()) {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            let model =
                models.join(folder.file_name().unwrap()).join(format!("{}.rknn", name.split('.').next().unwrap()));
            found.push((name, fs::read(model).unwrap(), Capture::load(&path).unwrap()));
        }
    }
    found
}

#[test]
fn committed_models_equal_the_vendors_on_one_two_and_three_cores() {
    let captures = model_captures();
    assert!(captures.len() >= 190, "only {} captures", captures.len());
    let differs = |(name, model, capture): &(String, Vec<u8>, Capture)| {
        let result = diff(model, capture).unwrap();
        (!result.is_equal() || result.counts.programs == 0).then(|| format!("{name}:\n{result}"))
    };
    let wrong: Vec<String> = captures.iter().filter_map(differs).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn programs_tasks_submissions_and_buffers_equal_the_vendors() {
    let captures = captures();
    assert!(captures.len() >= 14);
    let mut wrong = Vec::new();
    for (name, model, capture) in &captures {
        let result = diff(model, capture).unwrap();
        assert!(result.counts.programs > 0 && result.counts.tasks > 0, "{name} compares nothing");
        if !result.is_equal() || !result.unknown_requests.is_empty() {
            wrong.push(format!("{name}:\n{result}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The first submission, for changes.
fn first(capture: &mut Capture) -> &mut SubmitRecord {
    let records = capture.records.iter_mut();
    records.filter_map(|record| if let Record::Submit(submit) = record { Some(submit) } else { None }).next().unwrap()
}

/// Flips a bit of a buffer in the memory of the first submission.
fn flip(capture: &mut Capture, buffer: u32, offset: usize, bit: u8) {
    let mut page = Vec::new();
    let mut visited = false;
    capture.replay(|_, memory| {
        if !std::mem::replace(&mut visited, true) {
            let bytes = memory.buffer(buffer).unwrap();
            page = bytes[offset / PAGE * PAGE..].iter().copied().take(PAGE).collect();
        }
    });
    page.resize(PAGE, 0);
    page[offset % PAGE] ^= 1 << bit;
    let stored = u32::try_from(capture.pages.len() / PAGE).unwrap();
    capture.pages.extend(page);
    let run = (u32::try_from(offset / PAGE).unwrap(), stored, 1);
    let memory = &mut first(capture).memory;
    memory.iter_mut().find(|changed| changed.buffer == buffer).unwrap().runs.push(run);
}

/// What a change of the capture is counted as.
fn counted(name: &str, change: impl FnOnce(&mut Capture)) -> Diff {
    let (model, mut capture) = one(name);
    let before = diff(&model, &capture).unwrap();
    assert!(before.is_equal(), "{before}");
    change(&mut capture);
    let result = diff(&model, &capture).unwrap();
    assert!(!result.is_equal());
    result
}

fn only(counts: &Counts, kind: Kind, number: usize) {
    let expected: Vec<usize> = Kind::ALL.iter().map(|have| if *have == kind { number } else { 0 }).collect();
    assert_eq!(counts.differences.as_slice(), expected, "wanted {number} of {}", kind.name());
}

const NAME: &str = "resblock-int8.auto.zip";

/// Buffer and offset of the first command of task 0's program that writes an address, or that does not.
fn command(capture: &Capture, address: bool) -> (u32, usize) {
    let mut found = None;
    capture.replay(|submit, memory| {
        let task = memory.task_list(submit.task_list)[0];
        let length = usize::try_from(task.program_bytes()).unwrap();
        let program = memory.read(task.regcmd_addr, length).unwrap();
        let (buffer, start) = memory.at(task.regcmd_addr).unwrap();
        let wanted = |word: &[u8]| {
            let command = Command(u64::from_le_bytes(word.try_into().unwrap()));
            command.register().is_some_and(|register| register.kind.is_address() == address && command.value() != 0)
        };
        let at = program.chunks_exact(8).position(wanted).unwrap();
        found.get_or_insert((buffer, start + 8 * at));
    });
    found.unwrap()
}

#[test]
fn a_bit_of_a_programs_value_is_not_dma() {
    let result = counted(NAME, |capture| {
        let (buffer, offset) = command(capture, false);
        flip(capture, buffer, offset + 2, 0);
    });
    only(&result.counts, Kind::NonDma, 1);
    let place = &result.first[0].place;
    assert!(place.starts_with("operator 1 `Conv:c1`, task 0, command ") && place.matches('.').count() == 2, "{place}");
}

#[test]
fn a_bit_of_a_programs_register_or_target_is_not_dma() {
    for (byte, bit) in [(0, 2), (6, 1)] {
        let result = counted(NAME, |capture| {
            let (buffer, offset) = command(capture, true);
            flip(capture, buffer, offset + byte, bit);
        });
        only(&result.counts, Kind::NonDma, 1);
    }
}

#[test]
fn a_bit_of_an_address_is_dma() {
    // Another place in the same buffer, and no buffer at all.
    for (byte, bit) in [(2, 4), (5, 6)] {
        let result = counted(NAME, |capture| {
            let (buffer, offset) = command(capture, true);
            flip(capture, buffer, offset + byte, bit);
        });
        only(&result.counts, Kind::Dma, 1);
    }
}

#[test]
fn every_field_of_a_task_record_counts() {
    let (_, capture) = one(NAME);
    let list = capture.submissions().next().unwrap().task_list;
    // The length of a program also changes what is compared, so it is not alone.
    for field in (0..TaskRecord::SIZE).step_by(4).filter(|field| *field != 24 && *field != 36) {
        let bit = if field == 32 { 3 } else { 0 };
        let result = counted(NAME, |capture| flip(capture, list, field, bit));
        let others = if field == 32 { result.counts.of(Kind::NonDma) + result.counts.of(Kind::Dma) } else { 0 };
        assert_eq!(result.counts.of(Kind::TaskList), 1, "field at {field}: {result}");
        assert_eq!(result.counts.differences.iter().sum::<usize>(), 1 + others, "field at {field}: {result}");
    }
    let result = counted(NAME, |capture| flip(capture, list, 24, 0));
    assert_eq!((result.counts.of(Kind::TaskList), result.counts.of(Kind::NonDma)), (1, 1));
}

#[test]
fn every_field_of_a_submission_counts() {
    type Change = Box<dyn Fn(&mut SubmitRecord)>;
    let mut changes: Vec<Change> = vec![
        Box::new(|submit| submit.flags ^= 4),
        Box::new(|submit| submit.start ^= 1),
        Box::new(|submit| submit.number ^= 1),
        Box::new(|submit| submit.core_mask ^= 2),
    ];
    for entry in 0..5 {
        changes.push(Box::new(move |submit| submit.subcores[entry].0 ^= 1));
        changes.push(Box::new(move |submit| submit.subcores[entry].1 ^= 1));
    }
    for change in changes {
        let result = counted(NAME, |capture| change(first(capture)));
        only(&result.counts, Kind::Submission, 1);
    }
    let result = counted(NAME, |capture| {
        let extra = Record::Submit(first(capture).clone());
        capture.records.push(extra);
    });
    only(&result.counts, Kind::Submission, 1);
}

#[test]
fn sizes_of_buffers_count() {
    let result = counted(NAME, |capture| {
        let size = |record: &mut Record| {
            if let Record::Create { buffer: 3, bytes, .. } = record {
                *bytes ^= 1;
            }
        };
        capture.records.iter_mut().for_each(size);
    });
    only(&result.counts, Kind::Buffer, 1);
}

#[test]
fn a_bit_of_an_input_counts() {
    let (_, capture) = one("add-fp16.auto.zip");
    assert!(!capture.inputs.is_empty(), "this capture keeps its inputs");
    let result = counted("add-fp16.auto.zip", |capture| flip(capture, 4, 1234, 5));
    only(&result.counts, Kind::Input, 1);
    assert_eq!(result.first[0].place, "input 0, byte 0x4d2");
}

/// What the vendor's runtime answered for the models of `models`: the model's bytes and the answers of each.
fn recorded_answers() -> Vec<(String, Vec<u8>, Vec<serde_json::Value>)> {
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let text = fs::read_to_string(models.join("captures/answers.jsonl")).unwrap();
    let read = |line: &str| {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        let name = line["model"].as_str().unwrap().to_owned();
        let model = fs::read(models.join(&name)).unwrap();
        (name, model, line["answers"].as_array().unwrap().clone())
    };
    text.lines().map(read).collect()
}

#[test]
fn answers_to_queries_equal_the_vendors() {
    let recorded = recorded_answers();
    assert!(recorded.len() >= 67, "only {}", recorded.len());
    for (name, model, answers) in recorded {
        // Counts, versions, memory, and three descriptions of each of at least two ports.
        assert!(answers.len() >= 9, "{name} has only {} answers", answers.len());
        let (counts, first) = diff_answers(&model, &answers).unwrap();
        assert!(counts.is_equal(), "{name}: {first:?}");
    }
}

#[test]
fn every_number_of_an_answer_counts() {
    let (name, model, answers) = recorded_answers().remove(0);
    let mut changed = 0;
    for at in 0..answers.len() {
        let fields = answers[at].as_object().unwrap().iter().filter(|(_, value)| value.is_u64());
        // These say which answer it is and whether it is one.
        let fields = fields.filter(|(field, _)| *field != "index" && *field != "result");
        for (field, value) in fields {
            let mut wrong = answers.clone();
            wrong[at][field] = (value.as_u64().unwrap() ^ 1).into();
            let (counts, _) = diff_answers(&model, &wrong).unwrap();
            only(&counts, Kind::Query, 1);
            changed += 1;
        }
    }
    assert!(changed > 50, "{name}: {changed}");
}

#[test]
fn captures_survive_their_file() {
    for (name, _, capture) in captures() {
        let bytes = capture.to_bytes().unwrap();
        assert_eq!(Capture::from_bytes(&bytes, Path::new(&name)).unwrap(), capture);
        assert_eq!(Capture::from_bytes(&bytes, Path::new(&name)).unwrap().to_bytes().unwrap(), bytes);
    }
}

#[test]
fn a_capture_of_another_model_is_refused() {
    let (_, capture) = one(NAME);
    let (other, _) = one("add-fp16.auto.zip");
    assert!(diff(&other, &capture).unwrap_err().to_string().contains("SHA-256"));
}

#[test]
fn damaged_captures_are_errors_and_never_panics() {
    let bytes = fs::read(data().join(NAME)).unwrap();
    let (model, capture) = one(NAME);
    arbtest::arbtest(|u| {
        let mut damaged = bytes.clone();
        for _ in 0..u.int_in_range(1..=4)? {
            let at = u.int_in_range(0..=damaged.len() - 1)?;
            damaged[at] = u.arbitrary()?;
        }
        damaged.truncate(u.int_in_range(damaged.len() / 2..=damaged.len())?);
        if let Ok(capture) = Capture::from_bytes(&damaged, Path::new("damaged")) {
            let _ = diff(&model, &capture);
        }
        Ok(())
    });
    // Damage behind the archive's checksums: pages and buffers that do not exist.
    arbtest::arbtest(|u| {
        let mut damaged = capture.clone();
        let runs = &mut first(&mut damaged).memory[0].runs;
        runs.push((u.arbitrary()?, u.arbitrary()?, u.arbitrary()?));
        first(&mut damaged).memory[0].buffer = u.arbitrary()?;
        first(&mut damaged).task_list = u.arbitrary()?;
        let read = Capture::from_bytes(&damaged.to_bytes().unwrap(), Path::new("damaged"));
        let _ = diff(&model, read.as_ref().unwrap_or(&damaged));
        Ok(())
    });
}
