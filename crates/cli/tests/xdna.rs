//! Files for AMD XDNA, most of them written by AMD's own tools (`crates/xdna/tests/golden/README.md`).

mod support;

use std::path::{Path, PathBuf};

use serde_json::json;
use support::{call, golden, refuses, run};

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../xdna/tests/golden/data")
}

fn file(name: &str) -> String {
    data().join(name).display().to_string()
}

/// The golden files with one of these endings.
fn files(endings: &[&str]) -> Vec<String> {
    let paths = std::fs::read_dir(data()).unwrap().map(|entry| entry.unwrap().path());
    let fits = |path: &PathBuf| path.extension().is_some_and(|have| endings.iter().any(|ending| have == *ending));
    let mut names: Vec<String> = paths.filter(fits).map(|path| path.display().to_string()).collect();
    names.sort();
    assert!(!names.is_empty());
    names
}

#[test]
fn what_tools_wrote_is_explained() {
    for name in files(&["xclbin", "pdi", "elf", "txn"]) {
        let text = call(&format!("inspect {name}")).ok();
        let document = call(&format!("inspect --json {name}")).json("ferrite.xdna-inspect/1");
        assert_eq!(document["document"]["title"], text.lines().next().unwrap(), "{name}");
        assert_eq!(document["file"]["bytes"], std::fs::metadata(&name).unwrap().len());
    }
    golden("xdna-inspect-xclbin.txt", &call(&format!("inspect {}", file("npu2_two_args.xclbin"))).ok());
    golden("xdna-inspect-stream.txt", &call(&format!("inspect {}", file("three_args.txn"))).ok());
}

#[test]
fn a_listing_assembles_to_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let (text, binary) = (folder.path().join("text"), folder.path().join("binary"));
    let assemble = |listing: &str| {
        std::fs::write(&text, listing).unwrap();
        let arguments = ["asm", text.to_str().unwrap(), "--out", binary.to_str().unwrap(), "--quiet"];
        assert_eq!(run(arguments).ok(), "");
        std::fs::read(&binary).unwrap()
    };
    for name in files(&["txn"]) {
        let original = std::fs::read(&name).unwrap();
        for flag in ["", "--no-hex"] {
            assert!(assemble(&call(&format!("disasm {flag} {name}")).ok()) == original, "{name} {flag}");
        }
    }
    let document = call(&format!("disasm --json {}", file("synthetic_full.elf"))).json("ferrite.xdna-disasm/1");
    assert_eq!(document["streams"][0]["section"], ".ctrltext.0");
    // A register program of the other family.
    let model = "ops/relu-fp16.rknn";
    let listing = call(&format!("disasm --task 0 --no-hex {model}")).ok();
    let program = assemble(&listing);
    assert_eq!(
        call(&format!("disasm --raw --no-hex {}", binary.display())).ok().lines().count(),
        program.len() / 8 + 1
    );
}

/// Events by name and time, and the timeline that mlir-aie's parser makes of the same trace.
#[test]
fn a_trace() {
    let folder = tempfile::tempdir().unwrap();
    let cases: serde_json::Value = serde_json::from_slice(&std::fs::read(file("trace.json")).unwrap()).unwrap();
    let case = &cases["cases"][0];
    // The registers that the traced program wrote, as a stream.
    let mut program = String::from("txn 0.1 generation=4 rows=6 columns=8 memory_rows=1\n");
    for write in case["trace_registers"].as_array().unwrap() {
        let number = |key: &str| write[key].as_u64().unwrap();
        let address = number("column") << 25 | number("row") << 20 | number("address");
        program += &format!("write {address:#x} {:#x}\n", number("value"));
    }
    let (stream, out) = (folder.path().join("program.txt"), folder.path().join("trace.json"));
    std::fs::write(&stream, program).unwrap();
    let trace = file(case["words_file"].as_str().unwrap());
    let words = ["trace", "decode", &trace, "--program", stream.to_str().unwrap()];
    let text = run(words).ok();
    assert!(text.contains("INSTR_EVENT_0"), "{text}");
    run(words.into_iter().chain(["--perfetto", out.to_str().unwrap()])).ok();
    let golden = std::fs::read(file(case["expected_file"].as_str().unwrap())).unwrap();
    let timeline = |bytes: &[u8]| serde_json::from_slice::<serde_json::Value>(bytes).unwrap();
    assert_eq!(timeline(&std::fs::read(&out).unwrap()), timeline(&golden));
    // The same words as the buffer holds them.
    let text = std::fs::read_to_string(&trace).unwrap();
    let bytes: Vec<u8> = text.lines().flat_map(|word| u32::from_str_radix(word, 16).unwrap().to_le_bytes()).collect();
    let raw = folder.path().join("trace.bin");
    std::fs::write(&raw, bytes).unwrap();
    let of_text = call(&format!("trace decode --json {trace}")).json("ferrite.trace/1");
    let of_bytes = call(&format!("trace decode --json --raw {}", raw.display())).json("ferrite.trace/1");
    assert_eq!(of_text["units"], of_bytes["units"]);
    assert_eq!(of_text["units"][0]["kind"], "core");
}

#[test]
fn lint_finds_a_missing_wait() {
    let folder = tempfile::tempdir().unwrap();
    let listing = call(&format!("disasm --no-hex {}", file("three_args.txn"))).ok();
    let sound = call(&format!("lint --json {}", file("three_args.txn"))).json("ferrite.lint/1");
    assert_eq!(sound["findings"], json!([]));
    let without: String =
        listing.lines().filter(|line| !line.starts_with("sync")).map(|line| format!("{line}\n")).collect();
    assert_ne!(without, listing, "nothing waits in the listing");
    let (text, binary) = (folder.path().join("text"), folder.path().join("binary"));
    std::fs::write(&text, without).unwrap();
    run(["asm", text.to_str().unwrap(), "--out", binary.to_str().unwrap()]).ok();
    let binary = binary.display();
    let warned = call(&format!("lint {binary}"));
    assert!(warned.stdout.contains("[missing-sync]"), "{}", warned.stdout);
    assert_eq!(warned.code, 0);
    assert_eq!(call(&format!("lint --deny warnings {binary}")).code, 1);
    let broken = call(&format!("lint {}", file("sizes.pdi")));
    assert_eq!(broken.code, 1);
    assert!(broken.stdout.contains("[address-outside-tile]"), "{}", broken.stdout);
}

#[test]
fn wrong_files_are_refused_with_reasons() {
    let folder = tempfile::tempdir().unwrap();
    let damaged = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path.display().to_string()
    };
    let xclbin = std::fs::read(file("npu1_full.xclbin")).unwrap();
    let cut = damaged("cut.xclbin", &xclbin[..3000]);
    for verb in ["inspect", "disasm", "lint"] {
        let (code, part) = if verb == "disasm" { (3, "no listing") } else { (2, "cut short by 3972 bytes") };
        refuses(call(&format!("{verb} {cut}")), code, &[part]);
        refuses(call(&format!("{verb} {}", damaged("empty", b""))), 2, &["an empty file"]);
        refuses(call(&format!("{verb} {}", file("nothere.pdi"))), 2, &["No such file"]);
        refuses(call(&format!("{verb} {}", damaged("noise", &[7; 100]))), 2, &["AMD XDNA"]);
    }
    refuses(call(&format!("inspect --show tensors {}", file("empty.pdi"))), 2, &["--show"]);
    refuses(call(&format!("disasm --state {}", file("three_args.txn"))), 2, &["--state"]);
    refuses(call("lint ops/relu-fp16.rknn"), 3, &["no rules"]);
    let text = damaged("listing", b"txn 0.1 generation=4 rows=6 columns=8 memory_rows=1\nwrite 0x\n");
    refuses(call(&format!("asm {text} --out {}/out", folder.path().display())), 2, &["line 2"]);
    refuses(call(&format!("asm {text} --out {}/out", folder.path().display())), 2, &["cannot assemble"]);
    assert!(!folder.path().join("out").exists());
    refuses(call(&format!("trace decode {}", damaged("trace", b"00000000\nzz\n"))), 2, &["line 2", "--raw"]);
    let trace = file("trace_test1.txt");
    refuses(call(&format!("trace decode {trace} --program {}", file("empty.pdi"))), 2, &["configures no trace unit"]);
}
