//! Files that are no models, for every verb that takes one.

mod support;

use std::fs;

use support::{models, refuses, run};

/// Each kind of file that is no readable model, with the exit code and what is said about it.
fn cases() -> Vec<(&'static str, Vec<u8>, i32, &'static str)> {
    let model = fs::read(models().join("ops/add-fp16.rknn")).expect("the model is in the repository");
    let pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:0123\nsize 123\n".to_vec();
    let mut newer = model.clone();
    newer[8] = 7;
    vec![
        ("empty", vec![], 2, "an empty file"),
        ("text", b"hello\n".to_vec(), 2, "a text file"),
        ("noise", vec![0x01; 4096], 2, "an unknown kind of file"),
        ("pointer", pointer, 2, "git lfs pull"),
        ("page", b"<!DOCTYPE html><html>".to_vec(), 2, "a web page"),
        ("zip", b"PK\x03\x04xxxx".to_vec(), 2, "a zip archive"),
        ("onnx", b"\x08\x08\x12\x04abcd".to_vec(), 3, "an ONNX model"),
        ("tflite", b"\x1c\0\0\0TFL3....".to_vec(), 3, "a TensorFlow Lite model"),
        ("encrypted", b"CYPTRKNN........".to_vec(), 3, "an encrypted .rknn"),
        ("newer", newer, 3, "container version 0x7"),
        ("cut", model[..model.len() / 2].to_vec(), 2, "was the download cut short?"),
        ("head", model[..20].to_vec(), 2, "the file ends"),
    ]
}

#[test]
fn other_files_are_refused_by_their_content() {
    let folder = tempfile::tempdir().expect("a folder for temporary files");
    for (name, bytes, code, says) in cases() {
        // The name promises a model; only the content counts.
        let path = folder.path().join(format!("{name}.rknn"));
        fs::write(&path, bytes).expect("the file can be written");
        for verb in ["inspect", "disasm", "lint", "run"] {
            refuses(run([verb.as_ref(), path.as_os_str()]), code, &[says, &path.display().to_string()]);
        }
    }
}

#[test]
fn models_are_recognised_under_any_name() {
    let folder = tempfile::tempdir().expect("a folder for temporary files");
    let path = folder.path().join("photo.jpg");
    fs::copy(models().join("ops/add-fp16.rknn"), &path).expect("the model is in the repository");
    assert!(run(["inspect".as_ref(), path.as_os_str()]).ok().contains("rk3588"));
}

#[test]
fn missing_files_and_folders() {
    refuses(
        run(["inspect", "ops/ad-fp16.rknn"]),
        2,
        &["cannot read the file", "similar name exists: `ops/add-fp16.rknn`"],
    );
    refuses(run(["disasm", "no/such/file"]), 2, &["`no/such/file`", "caused by: "]);
    refuses(run(["run", "ops"]), 2, &["this is a folder"]);
    refuses(run(["inspect", "--quiet", "nothing"]), 2, &["nothing"]);
}

#[test]
fn colours_only_on_request() {
    let plain = run(["inspect", "nothing"]).stderr;
    assert!(!plain.contains('\x1b'), "{plain}");
    let coloured = run(["inspect", "nothing", "--color", "always"]).stderr;
    assert!(coloured.contains("\x1b["), "{coloured}");
}

/// A reader that has seen enough, as `head` does, is no error.
#[cfg(unix)]
#[test]
fn closed_pipes_are_no_errors() {
    use std::process::Stdio;
    let mut command = support::ferrite();
    let mut child = command
        .args(["disasm", "ocr/rec-fp16.rknn", "--all-cores", "--state"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("the command ends");
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));
}
