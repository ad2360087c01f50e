//! Help, version and completions.

mod support;

use support::{call, golden, refuses};

const VERBS: [&str; 11] =
    ["inspect", "disasm", "asm", "lint", "profile", "trace", "run", "vendor-run", "oracle", "completions", "version"];

#[test]
fn help_texts() {
    golden("help.txt", &call("--help").ok());
    for verb in VERBS {
        golden(&format!("help-{verb}.txt"), &call(&format!("{verb} --help")).ok());
        golden(&format!("help-{verb}-short.txt"), &call(&format!("{verb} -h")).ok());
    }
    golden("help-trace-decode.txt", &call("trace decode --help").ok());
}

#[test]
fn every_help_has_two_examples_and_the_exit_codes() {
    for verb in VERBS {
        let help = call(&format!("{verb} --help")).ok();
        assert!(help.matches(&format!("  ferrite {verb}")).count() >= 2, "{verb}");
        assert!(help.contains("Exit codes:"), "{verb}");
    }
}

#[test]
fn versions() {
    let version = format!("ferrite {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(call("--version").ok(), version);
    assert_eq!(call("version").ok(), version);
    let document = call("version --json").json("ferrite.version/1");
    assert_eq!(document["engines"], serde_json::json!(["emulator", "rknpu"]));
}

#[test]
fn completions_for_every_shell() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = call(&format!("completions {shell}")).ok();
        assert!(script.contains("inspect") && script.contains("work-limit"), "{shell}");
    }
}

#[test]
fn usage_errors_have_code_two() {
    refuses(call("inspekt x"), 2, &["unrecognized subcommand 'inspekt'", "inspect"]);
    refuses(call("inspect"), 2, &["<FILE>"]);
    refuses(call("disasm x --task 5..3"), 2, &["the range is empty"]);
    refuses(call("run x --work-limit 3x"), 2, &["unknown suffix `x`"]);
    refuses(call("run x --min-cosine 0.9"), 2, &["--compare"]);
    refuses(call("run x --ctc a --topk 3"), 2, &["cannot be used with"]);
    // Without a verb the help is the answer, but there was nothing to do.
    let answer = call("");
    assert_eq!((answer.code, answer.stdout.as_str()), (2, ""));
}

#[test]
fn flags_have_variables() {
    let mut command = support::ferrite();
    let output = command.arg("version").env("FERRITE_JSON", "1").output().expect("the command starts");
    support::Answer::of(output).json("ferrite.version/1");
}
