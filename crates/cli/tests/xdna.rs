//! Files for AMD XDNA, most of them written by AMD's own tools (`crates/xdna/tests/golden/README.md`).

#![expect(clippy::print_stdout, reason = "what is left out is said")]

mod support;

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::json;
use support::{Answer, call, golden, refuses, run};

fn with(verb: &str, path: &Path, more: &[&str]) -> Answer {
    let words = [verb.as_ref(), path.as_os_str()];
    run(words.into_iter().chain(more.iter().map(AsRef::as_ref)))
}

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../xdna/tests/golden/data")
}

fn file(name: &str) -> String {
    data().join(name).display().to_string()
}

/// The golden files with one of these endings.
fn files(endings: &[&str]) -> Vec<String> {
    let paths = fs::read_dir(data()).unwrap().map(|entry| entry.unwrap().path());
    let fits = |path: &PathBuf| path.extension().is_some_and(|have| endings.iter().any(|ending| have == *ending));
    let mut names: Vec<String> = paths.filter(fits).map(|path| path.display().to_string()).collect();
    names.sort();
    assert!(!names.is_empty());
    names
}

#[test]
fn containers_in_words() {
    golden("xdna-inspect-xclbin.txt", &call(&format!("inspect {}", file("npu2_two_args.xclbin"))).ok());
    golden("xdna-inspect-chained.txt", &call(&format!("inspect {}", file("chained.xclbin"))).ok());
    golden("xdna-inspect-stream.txt", &call(&format!("inspect {}", file("three_args.txn"))).ok());
    golden("xdna-disasm-pdi.txt", &call(&format!("disasm {}", file("core_and_shim.pdi"))).ok());
}

#[test]
fn documents_name_tiles_registers_and_fields() {
    let document = call(&format!("inspect {} --json", file("chained.xclbin"))).json("ferrite.xdna-inspect/1");
    assert_eq!(document["file"]["kind"], "xclbin");
    assert_eq!(document["kernels"][1]["id"], 0x902);
    assert_eq!(document["partition"]["columns"], 4);
    assert_eq!(document["partition"]["pdis"][1]["groups"][0]["kernel_ids"], json!([0x902]));
    let last = document["programs"][1]["commands"].as_array().unwrap().last().unwrap();
    assert_eq!(last["tile"], json!([0, 2]));
    assert_eq!(last["registers"][0]["register"], "Core_Control");
    assert_eq!(last["registers"][0]["fields"]["Enable"], 1);
    let elf = call(&format!("inspect {} --json", file("three_args.elf"))).json("ferrite.xdna-inspect/1");
    assert_eq!(elf["relocations"].as_array().unwrap().len(), 3);
}

/// What is in the folders of golden data and was written by no tool that makes files for an NPU, and why.
fn left_out(name: &str) -> Option<&'static str> {
    match name {
        "gold.md5" => Some("a digest"),
        "elf_inputs.json" => Some("a description of cases: what the tools were given"),
        // Beside the committed copies of the tools' files lie the descriptions of the cases.
        "abi.json"
        | "aiebu_txn.json"
        | "bd.json"
        | "cdo.json"
        | "controlpackets.json"
        | "elf.json"
        | "full_elf.json"
        | "numerics.json"
        | "pdi_cdo.json"
        | "runtime.json"
        | "trace.json"
        | "txn.json"
        | "xclbin.json" => Some("a description of cases"),
        _ => None,
    }
}

fn shared() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    std::env::var_os("FERRITE_XDNA_GOLDEN").map_or_else(|| root.join("../shared/xdna-golden"), PathBuf::from)
}

/// Every file that AMD's tools wrote, wherever golden data are, is explained.
#[test]
fn what_tools_wrote_is_explained() {
    let mut folders = vec![data()];
    let shared = shared().join("data");
    if shared.is_dir() {
        folders.push(shared);
    } else {
        assert!(std::env::var_os("CI").is_none(), "CI needs the golden data in {}", shared.display());
        println!("skipped: {}, which is not there", shared.display());
    }
    for folder in folders {
        let mut inspected = 0;
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if let Some(reason) = left_out(&name) {
                println!("left out: {name}: {reason}");
                continue;
            }
            let text = with("inspect", &path, &[]).ok();
            assert!(text.lines().count() > 3, "{name}: {text}");
            println!("{name}: {}", text.lines().next().unwrap());
            with("inspect", &path, &["--json"]).json("ferrite.xdna-inspect/1");
            inspected += 1;
        }
        println!("{}: {inspected} files inspected", folder.display());
        assert!(inspected >= 29, "{inspected} files in {}", folder.display());
    }
}

/// The one instruction stream of a real design and its control packets, which its project keeps in base64.
#[test]
fn binaries_in_base64() {
    let stream = file("ml_txn.b64");
    let text = call(&format!("inspect {stream}")).ok();
    assert!(text.starts_with("instruction stream, in base64\n"), "{text}");
    assert!(text.contains("for npu2, 8 columns, 6 rows, 144 operations"), "{text}");
    assert_eq!(call(&format!("lint {stream}")).code, 0);
    let document = call(&format!("inspect {stream} --json")).json("ferrite.xdna-inspect/1");
    assert_eq!(document["file"]["kind"], "instruction-stream");
    assert_eq!(document["file"]["encoding"], "base64");
    assert_eq!(document["programs"][0]["operations"].as_array().unwrap().len(), 144);
    let packets = file("ctrl_pkt0.b64");
    let text = call(&format!("inspect {packets}")).ok();
    assert!(
        text.starts_with("control packets, in base64\n  764 packets of 24 ids, each in a slot of 32 bytes\n"),
        "{text}"
    );
    // The same packets in the ELF file that aiebu made of them.
    let elf = call(&format!("inspect {}", file("aiebu_basic.elf"))).ok();
    let lines = |text: &str| {
        text.lines().filter(|line| line.contains(" id 23: ")).map(|line| line.trim().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(lines(&text), lines(&elf));
    let document = call(&format!("inspect {packets} --json")).json("ferrite.xdna-inspect/1");
    let first = &document["programs"][0]["packets"][0];
    assert_eq!((&first["id"], &first["offset"], &first["words"][0]), (&json!(23), &json!(0x1d000), &json!(0x100)));
    let listing = call(&format!("disasm {packets}")).ok();
    assert!(listing.contains("000020: write        id 23: DMA_BD0_4 to DMA_BD0_7 := 4 words"), "{listing}");
    refuses(call(&format!("lint {packets}")), 3, &["there are no rules"]);
}

/// What aiebu lists can be assembled to what the listing was made of, unless it leaves something out.
#[test]
fn listings_of_aiebu() {
    let folder = tempfile::tempdir().unwrap();
    let binary = folder.path().join("binary").display().to_string();
    let listing = file("multi_bd_block.ctrltext.asm");
    call(&format!("asm {listing} --out {binary}")).ok();
    assert_eq!(call(&format!("disasm {listing}")).ok(), call(&format!("disasm {binary}")).ok());
    let incomplete = file("three_args.ctrltext.asm");
    let text = call(&format!("inspect {incomplete}")).ok();
    assert!(text.contains("wait for tokens of a channel that is not named"), "{text}");
    let document = call(&format!("inspect {incomplete} --json")).json("ferrite.xdna-inspect/1");
    assert_eq!(document["programs"][0]["operations"].as_array().unwrap().len(), 10);
    assert!(document["left_out"].as_str().unwrap().contains("operation 9"));
    refuses(call(&format!("asm {incomplete} --out {binary}")), 2, &["leaves out the fields of operation 9"]);
    assert!(call(&format!("disasm {incomplete}")).ok().starts_with("; not read: "));
}

/// Names in a file can hold anything; none of it reaches the terminal as it is.
#[test]
fn control_characters_are_not_printed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("hostile.xclbin");
    let mut bytes = fs::read(file("npu1_1col.xclbin")).unwrap();
    let at = bytes.windows(6).position(|window| window == b"\"void*").unwrap();
    bytes[at + 1] = 0x1b;
    fs::write(&path, bytes).unwrap();
    let text = with("inspect", &path, &[]).ok();
    assert!(text.contains('\u{fffd}') && !text.contains('\x1b'), "{text}");
}

/// Every kind of file, cut short: an error with its place.
#[test]
fn cut_files_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["chained.xclbin", "core_and_shim.pdi", "three_args.elf", "three_args.txn", "ctrl_pkt0.b64"] {
        let bytes = fs::read(file(name)).unwrap();
        let path = folder.path().join(name);
        fs::write(&path, &bytes[..bytes.len() * 2 / 3]).unwrap();
        for verb in ["inspect", "disasm", "lint"] {
            let answer = with(verb, &path, &[]);
            let place = ["caused by: byte 0x", "caused by: line "].iter().any(|place| answer.stderr.contains(place));
            assert!(place || name.ends_with(".elf"), "{}", answer.stderr);
            refuses(answer, 2, &["not a sound one", &path.display().to_string()]);
        }
    }
}

#[test]
fn a_listing_assembles_to_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let (text, binary) = (folder.path().join("text"), folder.path().join("binary"));
    let assemble = |listing: &str| {
        fs::write(&text, listing).unwrap();
        let arguments = ["asm", text.to_str().unwrap(), "--out", binary.to_str().unwrap(), "--quiet"];
        assert_eq!(run(arguments).ok(), "");
        fs::read(&binary).unwrap()
    };
    for name in files(&["txn"]) {
        let original = fs::read(&name).unwrap();
        for flag in ["", "--no-hex"] {
            assert!(assemble(&call(&format!("disasm {flag} {name}")).ok()) == original, "{name} {flag}");
        }
    }
    let document = call(&format!("disasm --json {}", file("synthetic_full.elf"))).json("ferrite.xdna-disasm/1");
    assert_eq!(document["programs"][1]["part"], ".ctrltext.0");
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
    let cases: serde_json::Value = serde_json::from_slice(&fs::read(file("trace.json")).unwrap()).unwrap();
    let case = &cases["cases"][0];
    // The registers that the traced program wrote, as a stream.
    let mut program = String::from("txn 0.1 generation=4 rows=6 columns=8 memory_rows=1\n");
    for write in case["trace_registers"].as_array().unwrap() {
        let number = |key: &str| write[key].as_u64().unwrap();
        let address = number("column") << 25 | number("row") << 20 | number("address");
        program += &format!("write {address:#x} {:#x}\n", number("value"));
    }
    let (stream, out) = (folder.path().join("program.txt"), folder.path().join("trace.json"));
    fs::write(&stream, program).unwrap();
    let trace = file(case["words_file"].as_str().unwrap());
    let words = ["trace", "decode", &trace, "--program", stream.to_str().unwrap()];
    let text = run(words).ok();
    assert!(text.contains("INSTR_EVENT_0"), "{text}");
    run(words.into_iter().chain(["--perfetto", out.to_str().unwrap()])).ok();
    let golden = fs::read(file(case["expected_file"].as_str().unwrap())).unwrap();
    let timeline = |bytes: &[u8]| serde_json::from_slice::<serde_json::Value>(bytes).unwrap();
    assert_eq!(timeline(&fs::read(&out).unwrap()), timeline(&golden));
    // The same words as the buffer holds them.
    let text = fs::read_to_string(&trace).unwrap();
    let bytes: Vec<u8> = text.lines().flat_map(|word| u32::from_str_radix(word, 16).unwrap().to_le_bytes()).collect();
    let raw = folder.path().join("trace.bin");
    fs::write(&raw, bytes).unwrap();
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
    fs::write(&text, without).unwrap();
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
        fs::write(&path, bytes).unwrap();
        path.display().to_string()
    };
    let xclbin = fs::read(file("npu1_full.xclbin")).unwrap();
    let cut = damaged("cut.xclbin", &xclbin[..3000]);
    for verb in ["inspect", "disasm", "lint"] {
        refuses(call(&format!("{verb} {cut}")), 2, &["cut short by 3972 bytes"]);
        refuses(call(&format!("{verb} {}", damaged("empty", b""))), 2, &["an empty file"]);
        refuses(call(&format!("{verb} {}", file("nothere.pdi"))), 2, &["No such file"]);
        refuses(call(&format!("{verb} {}", damaged("noise", &[7; 100]))), 2, &["AMD XDNA"]);
    }
    refuses(call(&format!("inspect --show tensors {}", file("empty.pdi"))), 2, &["--show"]);
    refuses(call(&format!("disasm --state {}", file("three_args.txn"))), 2, &["--state"]);
    let text = damaged("listing", b"txn 0.1 generation=4 rows=6 columns=8 memory_rows=1\nwrite 0x\n");
    refuses(call(&format!("asm {text} --out {}/out", folder.path().display())), 2, &["line 2"]);
    refuses(call(&format!("asm {text} --out {}/out", folder.path().display())), 2, &["cannot assemble"]);
    assert!(!folder.path().join("out").exists());
    refuses(call(&format!("trace decode {}", damaged("trace", b"00000000\nzz\n"))), 2, &["line 2", "--raw"]);
    let trace = file("trace_test1.txt");
    refuses(call(&format!("trace decode {trace} --program {}", file("empty.pdi"))), 2, &["configures no trace unit"]);
}
