//! `ferrite run`: real models on the emulator, judged by ONNX Runtime's outputs and by the texts that were rendered.

mod support;

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use support::{Answer, call, ferrite, models, refuses, run};

/// How the recogniser wants its pictures.
const READ: &str = "--channels bgr --ctc ocr/charset.txt";

fn lines() -> Vec<String> {
    fs::read_to_string(models().join("ocr/lines.txt")).unwrap().lines().map(str::to_string).collect()
}

fn document(words: &str) -> Value {
    call(&format!("run --json {words}")).json("ferrite.run/1")
}

#[test]
fn three_lines_are_read() {
    let pictures = "ocr/line-1.png ocr/line-2.png ocr/line-3.png";
    for kind in ["fp16", "int8"] {
        let answer = call(&format!("run ocr/rec-{kind}.rknn --input {pictures} {READ}"));
        assert!(answer.stderr.starts_with("emulator: 3 runs, "), "{}", answer.stderr);
        assert_eq!(answer.ok().lines().collect::<Vec<_>>(), lines(), "{kind}");
    }
}

/// Reads twenty more lines in other fonts; at least this many must be read as ONNX Runtime reads them.
#[track_caller]
fn judge(kind: &str, least: usize) {
    let expected = fs::read_to_string(models().join("ocr/judge/expected.txt")).unwrap();
    let expected: Vec<(&str, &str)> = expected.lines().map(|line| line.split_once('\t').unwrap()).collect();
    let pictures = expected.iter().map(|(name, _)| format!("ocr/judge/{name}")).collect::<Vec<_>>().join(" ");
    let read = call(&format!("run ocr/rec-{kind}.rknn --input {pictures} {READ}")).ok();
    let agree = read.lines().zip(&expected).filter(|(read, (_, text))| read == text).count();
    assert!(agree >= least, "{agree} of {} agree:\n{read}", expected.len());
}

#[test]
fn judged_lines_in_fp16() {
    judge("fp16", 20);
}

/// The vendor's own simulator reads 18 of the 20 in int8 (`models/ocr/judge/simulator-int8.txt`).
#[test]
fn judged_lines_in_int8() {
    judge("int8", 18);
}

/// The file has another plan for each number of cores; the result is the same to the bit.
#[test]
fn cores_share_the_work() {
    let run = |cores: u8| document(&format!("ops/resblock-int8.rknn -i ops/resblock-int8.npz --cores {cores}"));
    let one = run(1);
    for cores in [2, 3] {
        let shared = run(cores);
        assert_eq!(shared["runs"][0]["outputs"], one["runs"][0]["outputs"], "{cores} cores");
        assert!(shared["engine"]["npu_tasks"].as_u64() > one["engine"]["npu_tasks"].as_u64(), "{cores} cores");
    }
}

#[test]
fn statistics_of_a_text_need_verbose() {
    let words = format!("run ocr/rec-fp16.rknn -i ocr/line-2.png {READ}");
    let quiet = call(&format!("{words} --quiet"));
    assert_eq!((quiet.stdout.trim_end(), quiet.stderr.as_str()), (lines()[1].as_str(), ""));
    let verbose = call(&format!("{words} --verbose"));
    assert_eq!(verbose.stdout, quiet.stdout);
    assert!(verbose.stderr.contains("fetch_name_0  1x40x6906"), "{}", verbose.stderr);
}

#[test]
fn texts_are_in_the_document() {
    let all = document(&format!("ocr/rec-fp16.rknn -i ocr/line-1.png ocr/line-3.png {READ}"));
    assert_eq!(all["runs"][0]["text"], lines()[0]);
    assert_eq!(all["runs"][1]["text"], lines()[2]);
    assert_eq!(all["runs"][1]["inputs"][0]["source"]["file"], "ocr/line-3.png");
}

/// Statistics against those that NumPy computes of the golden values, which this network meets exactly.
#[test]
fn statistics_are_numpys() {
    let all = document("ops/relu-fp16.rknn --input ops/relu.npz --compare ops/relu.npz --tolerance exact");
    assert_eq!(all["pass"], true);
    let statistics = &all["runs"][0]["outputs"][0]["statistics"];
    assert_eq!(statistics["min"], json!({ "value": 0.0, "at": [0, 0, 0, 2] }));
    assert_eq!(statistics["max"], json!({ "value": 3.56640625, "at": [0, 3, 12, 1] }));
    assert_eq!(statistics["first"], json!([0.57470703125, 0.08880615234375, 0.0, 0.0, 0.0, 0.0]));
    for (key, expected) in [("mean", 0.3942448825982865), ("std", 0.5782628298063188)] {
        assert!((statistics[key].as_f64().unwrap() - expected).abs() < 1e-12, "{key}");
    }
}

#[test]
fn golden_values_pass_and_tasks_are_counted() {
    for name in ["add", "conv3x3", "split", "softmax", "erf"] {
        let all =
            document(&format!("ops/{name}-fp16.rknn -i ops/{name}.npz --compare ops/{name}.npz --min-cosine 0.999"));
        assert_eq!(all["pass"], true, "{name}");
        let planned = call(&format!("inspect ops/{name}-fp16.rknn --json")).json("ferrite.inspect/1");
        assert_eq!(all["engine"]["npu_tasks"], planned["tasks"]["1"][0], "{name}");
        assert_eq!(all["engine"]["npu_tasks"], all["engine"]["submitted_tasks"], "{name}");
        let on_host = if name == "erf" { 1 } else { 0 };
        assert_eq!(all["engine"]["host_operators"], on_host, "{name}");
    }
}

#[test]
fn a_failed_check_has_code_one_and_says_what_would_pass() {
    let answer = call("run ops/conv3x3-fp16.rknn -i ops/conv3x3.npz --compare ops/conv3x3.npz --tolerance exact");
    assert_eq!(answer.code, 1);
    assert!(answer.stderr.contains("error: output `y` is too far from `ops/conv3x3.npz`"), "{}", answer.stderr);
    let would = answer.stdout.lines().find_map(|line| line.trim().strip_prefix("would pass: ")).expect(&answer.stdout);
    // What is said to pass does pass.
    for tolerance in would.split(" | ") {
        let words =
            ["run", "ops/conv3x3-fp16.rknn", "-i", "ops/conv3x3.npz", "--compare", "ops/conv3x3.npz", "--tolerance"];
        assert!(run(words.into_iter().chain([tolerance])).ok().contains("pass: "), "{tolerance}");
    }
    let words = "run ops/softmax-fp16.rknn -i ops/softmax.npz --compare ops/softmax.npz --min-cosine 0.9999999 --json";
    let answer = call(words);
    assert_eq!(answer.code, 1);
    assert_eq!(answer.json("ferrite.run/1")["pass"], false);
}

/// One changed field of one program must show.
#[test]
fn a_tampered_program_fails_the_check() {
    let mut bytes = fs::read(models().join("ops/conv3x3-fp16.rknn")).unwrap();
    let model = ferrite_rknn::Model::read(bytes.clone()).unwrap();
    let range = model.blobs()[model.program_blob().unwrap()].clone();
    let offset = ferrite_rknpu::reg::cna::PAD_CON0.to_le_bytes();
    let first = bytes[range.clone()].chunks_exact(8).position(|word| word[..2] == offset && word[6..] == [0x01, 0x02]);
    // The value starts at the third byte; PAD_TOP and PAD_LEFT are its lowest nibbles.
    let place = range.start + 8 * first.expect("the convolution programs its padding") + 2;
    assert_eq!(bytes[place], 0x11);
    bytes[place] = 0x10;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tampered.rknn");
    fs::write(&path, bytes).unwrap();
    let rest = "-i ops/conv3x3.npz --compare ops/conv3x3.npz --min-cosine 0.99999";
    assert_eq!(call(&format!("run ops/conv3x3-fp16.rknn {rest}")).code, 0);
    assert_eq!(call(&format!("run {} {rest}", path.display())).code, 1);
}

#[test]
fn saved_outputs_are_what_was_compared() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.npz");
    let save = |flags: &str| {
        call(&format!("run ops/split-fp16.rknn -i ops/split.npz --save {} {flags}", path.display())).ok();
        fs::read(&path).unwrap()
    };
    let plain = save("");
    let compared =
        call(&format!("run ops/split-fp16.rknn -i ops/split.npz --compare {} --tolerance exact", path.display()));
    assert!(compared.ok().contains("pass: "));
    let raw = save("--raw");
    assert!(raw.len() < plain.len(), "float16 is smaller than float32");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "no temporary file stays");
    // Several runs are numbered.
    call(&format!("run ops/split-fp16.rknn -i random:1 random:2 --save {}", path.display())).ok();
    assert_ne!(fs::read(folder.path().join("out-1.npz")).unwrap(), fs::read(folder.path().join("out-2.npz")).unwrap());
    refuses(call("run ops/split-fp16.rknn -i random --save no/folder/x.npz"), 2, &["there is no folder `no/folder`"]);
}

#[test]
fn random_values_depend_on_the_seed_alone() {
    let first = |spec: &str| document(&format!("ops/add-fp16.rknn --input {spec}"))["runs"][0]["outputs"].clone();
    assert_eq!(first("random:7"), first("random:7"));
    assert_eq!(first("random:7"), first("random --seed 7"));
    assert_ne!(first("random:7"), first("random:8"));
    assert_eq!(first("x=random:7 z=random:7"), first("random:7"));
}

/// The same values as array, as archive member, as bare floats and in the other layout give the same output.
#[test]
fn kinds_of_inputs_agree() {
    let folder = tempfile::tempdir().unwrap();
    let values: Vec<f32> = (0..16 * 14 * 14).map(|i| (i % 37) as f32 / 8.0 - 2.0).collect();
    let bytes = |values: &[f32]| values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>();
    let bare = folder.path().join("bare");
    fs::write(&bare, bytes(&values)).unwrap();
    let moved: Vec<f32> = (0..values.len()).map(|i| values[i % 16 * 196 + i / 16]).collect();
    let nhwc = folder.path().join("moved.npy");
    let header = "{'descr': '<f4', 'fortran_order': False, 'shape': (14, 14, 16), }\n";
    let mut npy = b"\x93NUMPY\x01\x00".to_vec();
    npy.extend((header.len() as u16).to_le_bytes());
    npy.extend(header.as_bytes());
    npy.extend(bytes(&moved));
    fs::write(&nhwc, npy).unwrap();
    let output =
        |spec: String| document(&format!("ops/conv3x3-fp16.rknn --input {spec}"))["runs"][0]["outputs"].clone();
    let expected = output(format!("x={}", bare.display()));
    assert_ne!(expected[0]["statistics"]["std"], 0.0);
    assert_eq!(output(format!("x=f32:{}", bare.display())), expected);
    assert_eq!(output(nhwc.display().to_string()), expected);
    assert_eq!(output(format!("{} --layout nhwc", nhwc.display())), expected);
    refuses(
        call(&format!("run ops/conv3x3-fp16.rknn -i {} --layout nchw", nhwc.display())),
        2,
        &["shape 14x14x16", "1x16x14x14"],
    );
    fs::write(&bare, [0; 100]).unwrap();
    refuses(
        call(&format!("run ops/conv3x3-fp16.rknn -i {}", bare.display())),
        2,
        &["100 bytes; input `x` needs 12544 for float32, 6272 for float16, 3136 for uint8"],
    );
}

#[test]
fn inputs_that_are_missing_or_unknown() {
    refuses(
        call("run ops/add-fp16.rknn"),
        2,
        &["no value for inputs `x` (1x32x16x16, float16), `z`", "--input random:1"],
    );
    refuses(call("run ops/add-fp16.rknn -i y=random"), 2, &["the model has no input `y`"]);
    refuses(call("run ops/add-fp16.rknn -i x=none.npy z=random"), 2, &["cannot read the input `none.npy`"]);
    refuses(call("run ops/relu-fp16.rknn -i ops/relu-fp16.rknn"), 2, &["it is an .rknn container"]);
    refuses(
        call("run ops/add-fp16.rknn -i mtcnn/p-fp16.npz"),
        2,
        &["no member", "`in.input_1`", "the inputs are `x`, `z`"],
    );
    refuses(
        call("run ops/split-fp16.rknn -i random --compare ops/add.npz"),
        2,
        &["no golden values for `z`", "its members are `in.x`, `in.z`, `out.y`"],
    );
    refuses(
        call("run ops/split-fp16.rknn -i random:1 random:2 --compare ops/split.npz"),
        2,
        &["one golden file, but 2 runs"],
    );
    refuses(
        call("run ops/add-fp16.rknn -i random --compare ops/add.npz --tolerance x:1"),
        2,
        &["`--tolerance` is wrong", "ulps:N"],
    );
    refuses(call("run ops/gemm-fp16.rknn -i ocr/line-1.png"), 2, &["which no picture fits"]);
    refuses(
        call("run ops/relu-fp16.rknn -i random --ctc ocr/charset.txt"),
        2,
        &["6904 characters", "6905 or, with a space, 6906"],
    );
}

#[test]
fn largest_values_and_labels() {
    let folder = tempfile::tempdir().unwrap();
    let labels = folder.path().join("labels.txt");
    fs::write(&labels, "no\nface\n").unwrap();
    let answer = call(&format!("run mtcnn/o-fp16.rknn -i mtcnn/o-fp16.npz --labels {}", labels.display()));
    let text = answer.ok();
    assert!(text.contains(" face\n"), "{text}");
    let all = document("mtcnn/o-fp16.rknn -i mtcnn/o-fp16.npz --topk 1");
    let largest = &all["runs"][0]["outputs"][2]["largest"];
    assert_eq!(largest.as_array().unwrap().len(), 1);
    assert_eq!(largest[0]["value"], all["runs"][0]["outputs"][2]["statistics"]["max"]["value"]);
}

#[test]
fn a_limit_of_work_stops_the_run() {
    let answer = call("run ops/conv3x3-fp16.rknn -i random --work-limit 10k");
    refuses(answer, 4, &["task 0 needs", "left of the limit", "`--work-limit` allows more work"]);
    call("run ops/conv3x3-fp16.rknn -i random --work-limit none").ok();
}

/// Without a terminal there is no progress bar, and with `--json` nothing but the document on stdout.
#[test]
fn streams_are_kept_apart() {
    let output =
        ferrite().args(["run", "ops/relu-fp16.rknn", "-i", "random:1", "random:2", "--json"]).output().unwrap();
    let answer = Answer::of(output);
    assert_eq!(answer.stderr.lines().count(), 1, "{}", answer.stderr);
    assert_eq!(answer.json("ferrite.run/1")["runs"].as_array().unwrap().len(), 2);
}

#[test]
fn the_documents_describe_inputs_and_outputs() {
    let all = document("ocr/rec-fp16.rknn -i ocr/line-1.png --channels bgr");
    assert!(Path::new(all["model"]["file"].as_str().unwrap()).ends_with("rec-fp16.rknn"));
    assert_eq!(all["inputs"][0]["shape"], json!([1, 3, 48, 320]));
    assert_eq!(all["inputs"][0]["normalization"]["mean"], json!([127.5, 127.5, 127.5]));
    assert_eq!(all["outputs"][0]["shape"], json!([1, 40, 6906]));
    assert_eq!(all["runs"][0]["inputs"][0]["layout"], "nhwc");
    assert_eq!(all["pass"], Value::Null);
}

/// What the emulator finds is told with the tensor and the operator; the emulator knows neither.
#[test]
fn hazards_are_told_with_tensor_and_operator() {
    let answer = call("run ops/pad-fp16.rknn --input random:1 --unwritten");
    refuses(answer, 4, &["which nobody ever wrote", "there lies tensor `y`", "task 1 is for operator `Pad:y`"]);
    call("run ops/conv3x3-fp16.rknn --input random:1 --unwritten --core-conflicts --cores 3 --chaos 7").ok();
}
