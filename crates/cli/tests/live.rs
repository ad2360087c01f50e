//! `ferrite vendor-run` with Rockchip's runtime itself. Ignored by default: the first run downloads it from PyPI, and it takes
//! qemu and a cross compiler. `cargo test -p ferrite-cli --test live -- --ignored`

mod support;

use support::{Answer, ferrite};

/// A call with the variables that the cache, pip and the compiler need.
fn call(words: &str) -> Answer {
    let mut command = ferrite();
    for name in ["PATH", "HOME", "XDG_CACHE_HOME"] {
        command.envs(std::env::var_os(name).map(|value| (name, value)));
    }
    let proxies =
        std::env::vars().filter(|(name, _)| name.to_lowercase().contains("proxy") || name.starts_with("PIP_"));
    Answer::of(command.envs(proxies).args(words.split_whitespace()).output().unwrap())
}

/// What is saved equals what `ferrite run` saves, as real numbers and as they are stored, and checks are made.
#[test]
#[ignore = "needs the vendor's runtime"]
fn outputs_equal_those_of_run() {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name).display().to_string();
    for (raw, cores) in [("", 1), ("--raw", 2), ("", 3)] {
        let shared = format!("ops/resblock-int8.rknn --input random:3 --cores {cores} {raw}");
        call(&format!("run {shared} --save {}", place("ours.npz"))).ok();
        call(&format!("vendor-run {shared} --save {}", place("theirs.npz"))).ok();
        assert_eq!(std::fs::read(place("ours.npz")).unwrap(), std::fs::read(place("theirs.npz")).unwrap());
    }
    let checked = format!("--compare {} --tolerance exact", place("ours.npz"));
    let same = call(&format!("vendor-run ops/resblock-int8.rknn --input random:3 --strict {checked}")).ok();
    assert!(same.contains("pass"), "{same}");
    let other = call(&format!("vendor-run ops/resblock-int8.rknn --input random:4 {checked}"));
    assert_eq!(other.code, 1, "{}", other.stderr);
}

#[test]
#[ignore = "needs the vendor's runtime"]
fn documents_say_what_the_emulator_did() {
    let document =
        call("vendor-run ops/softmax-fp16.rknn --input random:1 --cores 3 --json").json("ferrite.vendor-run/1");
    let own = call("run ops/softmax-fp16.rknn --input random:1 --cores 3 --json").json("ferrite.run/1");
    for count in ["npu_tasks", "submissions", "host_operators", "bytes", "macs"] {
        assert_eq!(document["engine"][count], own["engine"][count], "{count}");
    }
    assert_eq!(document["runs"][0]["outputs"], own["runs"][0]["outputs"]);
}

#[test]
#[ignore = "needs the vendor's runtime"]
fn failures_have_their_exit_codes() {
    let limited = call("vendor-run ops/conv3x3-fp16.rknn --input random:1 --work-limit 100");
    assert_eq!(limited.code, 4, "{}", limited.stderr);
    assert!(limited.stderr.contains("100 are left of the limit"), "{}", limited.stderr);
    assert!(limited.stderr.contains("--work-limit"), "{}", limited.stderr);
    let refused = call("vendor-run ops/erf-fp16.rknn --input random:1");
    assert_eq!(refused.code, 3, "{}", refused.stderr);
    let missing = call("vendor-run ops/conv3x3-fp16.rknn --input random:1 --runtime no-such-file");
    assert_eq!(missing.code, 2, "{}", missing.stderr);
}
