//! Files for AMD XDNA that were written by hand (`tests/data/README.md`).

mod support;

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use support::{Answer, call, golden, refuses, run};

/// A file of `tests/data`.
fn own(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name).display().to_string()
}

fn with(verb: &str, path: &Path, more: &[&str]) -> Answer {
    let words = verb.split(' ').map(AsRef::as_ref);
    run(words.chain([path.as_os_str()]).chain(more.iter().map(AsRef::as_ref)))
}

#[test]
fn operations_in_words() {
    golden("inspect-transfer.txt", &call(&format!("inspect {}", own("transfer.txt"))).ok());
    let document = call(&format!("inspect {} --json", own("transfer.txt"))).json("ferrite.xdna-inspect/1");
    assert_eq!(document["file"]["kind"], "instruction-text");
    let operations = &document["programs"][0]["operations"];
    assert_eq!(operations[0]["registers"][0]["fields"]["Buffer_Length"], 0x1000);
    assert_eq!(operations[1]["argument"], 1);
    assert_eq!(operations[3]["text"], "wait for the token of shim tile (0,0): MM2S channel 0");
    assert_eq!(operations[4]["tile"], json!([0, 2]));
    assert_eq!(operations[4]["registers"][0]["fields"], json!({ "Enable": 1, "Reset": 0 }));
}

/// `transfer.txt` in words: header, block write, patch, write, sync, masked write.
#[rustfmt::skip]
const TRANSFER: [u32; 45] = [
    0x0604_0100, 0x0000_0108, 5, 180,
    1, 0, 0x0001_d060, 48, 0x1000, 0, 0, 0, 0x8000_0000, 0x0200_0000, 0, 0x0200_0000,
    0x81, 48, 0, 0, 0, 0, 0x0001_d064, 0, 1, 0, 0x400, 0,
    0, 0, 0x0001_d214, 0, 0x8000_0003, 24,
    0x80, 16, 1, 0x0001_0100,
    3, 0, 0x0023_2000, 0, 1, 3, 28,
];

#[test]
fn streams_are_assembled_and_disassembled() {
    let folder = tempfile::tempdir().unwrap();
    let binary = folder.path().join("insts.bin");
    let out = binary.display().to_string();
    let document = call(&format!("asm {} -o {out} --json", own("transfer.txt"))).json("ferrite.asm/1");
    assert_eq!(document["bytes"], 4 * TRANSFER.len());
    let bytes = fs::read(&binary).unwrap();
    let words: Vec<u32> = bytes.chunks(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect();
    assert_eq!(words, TRANSFER);
    for flag in [&[][..], &["--no-hex"]] {
        let text = folder.path().join("insts.txt");
        fs::write(&text, with("disasm", &binary, flag).ok()).unwrap();
        let again = folder.path().join("again.bin");
        with("asm", &text, &["--out", &again.display().to_string()]).ok();
        assert_eq!(fs::read(&again).unwrap(), bytes);
    }
    // The same words are said of the bytes and of the text.
    assert_eq!(with("inspect", &binary, &[]).ok(), call(&format!("inspect {}", own("transfer.txt"))).ok());
    let left: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 3, "{left:?}");
}

#[test]
fn faults_are_found() {
    let answer = call(&format!("lint {}", own("faulty.txt")));
    assert_eq!(answer.code, 1);
    golden("lint-faulty.txt", &answer.stdout);
    let sound = call(&format!("lint {}", own("transfer.txt")));
    assert_eq!(
        (sound.code, sound.stdout.as_str(), sound.stderr.as_str()),
        (0, "", &*format!("{}: no errors, no warnings\n", own("transfer.txt")))
    );
    let document = call(&format!("lint {} --json", own("faulty.txt"))).json("ferrite.lint/1");
    let rules: Vec<&Value> = document["findings"].as_array().unwrap().iter().map(|finding| &finding["rule"]).collect();
    assert_eq!(rules, ["address-outside-tile", "descriptor-limit", "sync-without-task", "missing-sync"]);
    assert_eq!((&document["errors"], &document["warnings"]), (&json!(2), &json!(2)));
}

#[test]
fn warnings_are_denied_on_request() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("late.txt");
    fs::write(&path, "txn 0.1 generation=4 rows=6 columns=8 memory_rows=1\nwrite 0x0001d204 0x2\n").unwrap();
    let lenient = with("lint", &path, &[]);
    assert_eq!(lenient.code, 0);
    assert!(lenient.stdout.starts_with("warning: operation 0: nobody waits"), "{}", lenient.stdout);
    let strict = with("lint", &path, &["--deny", "warnings"]);
    assert_eq!((strict.code, strict.stdout), (1, lenient.stdout));
}

#[test]
fn traces_are_decoded() {
    let configured = format!("trace decode {} --program {}", own("trace.txt"), own("traced.txt"));
    let expected = "\
core (0,2): 16 bytes
           0 start, timer 16
           0 +5 INSTR_VECTOR
           6 +3 LOCK_STALL
          10 +2 INSTR_VECTOR ACTIVE
          13 again 3 times
          22 sync
0 invalid headers, 0 words lost, 3 ignored
";
    assert_eq!(call(&configured).ok(), expected);
    let bare = call(&format!("trace decode {}", own("trace.txt"))).ok();
    assert!(bare.contains("+2 slot 0 slot 2"), "{bare}");
    let document = call(&format!("{configured} --json")).json("ferrite.trace/1");
    let record = json!({ "cycle": 10, "record": "events", "cycles": 2, "events": ["INSTR_VECTOR", "ACTIVE"] });
    assert_eq!(document["units"][0]["records"][3], record);
}

#[test]
fn timelines_are_written_for_perfetto() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("trace.json");
    let words = format!("--perfetto {}", out.display());
    let text = call(&format!("trace decode {}", own("trace.txt"))).ok();
    assert_eq!(call(&format!("trace decode {} {words}", own("trace.txt"))).ok(), text);
    let events: Value = serde_json::from_str(&fs::read_to_string(&out).unwrap()).unwrap();
    let has = |name: &str, phase: &str| {
        events.as_array().unwrap().iter().any(|event| event["name"] == name && event["ph"] == phase)
    };
    assert!(has("slot 1", "B") && has("slot 1", "E"), "{events}");
    let named = format!("trace decode {} --program {} {words}", own("trace.txt"), own("traced.txt"));
    call(&named).ok();
    let events: Vec<Value> = serde_json::from_str(&fs::read_to_string(&out).unwrap()).unwrap();
    assert_eq!(events[0]["args"]["name"], "core_trace for tile2,0");
    assert!(events.iter().any(|event| event["name"] == "LOCK_STALL" && event["ph"] == "B"));
}

#[test]
fn what_a_verb_cannot_do_is_said() {
    let (trace, stream) = (own("trace.txt"), own("transfer.txt"));
    refuses(call(&format!("lint {trace}")), 3, &["a trace as text, and there are no rules for those"]);
    refuses(call(&format!("disasm {trace}")), 3, &["a trace as text, which has no listing"]);
    refuses(call(&format!("run {stream}")), 3, &["it is an instruction stream as text for AMD XDNA"]);
    refuses(call(&format!("trace decode {stream}")), 2, &["is no trace as text"]);
    refuses(call(&format!("trace decode {trace} --program {stream}")), 2, &["configures no trace unit"]);
    refuses(call(&format!("trace decode {trace} --program ops/add-fp16.rknn")), 2, &["configures no trace"]);
    refuses(call(&format!("trace decode {trace} --program nothing")), 2, &["cannot read the file `nothing`"]);
    for verb in ["lint", "asm -o x", "trace decode"] {
        refuses(call(&format!("{verb} nothing")), 2, &["cannot read the ", "`nothing`", "caused by: "]);
    }
}

#[test]
fn broken_text_is_refused_with_its_line() {
    let folder = tempfile::tempdir().unwrap();
    let text = folder.path().join("broken.txt");
    fs::write(&text, "txn 0.1 generation=4 rows=6 columns=8 memory_rows=1\nwrite 0x1d214\n").unwrap();
    for verb in ["inspect", "disasm", "lint"] {
        refuses(with(verb, &text, &[]), 2, &["line 2: the value is missing"]);
    }
    fs::write(&text, "00220001\n".repeat(200) + "xyz\n").unwrap();
    for verb in ["inspect", "trace decode"] {
        refuses(with(verb, &text, &[]), 2, &["line 201: `xyz` is no word of 8 hexadecimal digits"]);
    }
    fs::write(&text, "; nothing\n").unwrap();
    refuses(with("asm", &text, &["-o", "x"]), 2, &["has no commands"]);
    fs::write(&text, [0xff, 0xfe]).unwrap();
    refuses(with("asm", &text, &["-o", "x"]), 2, &["is no text"]);
    refuses(call(&format!("asm {} -o no/such/folder/x", own("transfer.txt"))), 2, &["cannot save `no/such/folder/x`"]);
}
