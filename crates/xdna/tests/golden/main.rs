//! Every case of the golden data, held against this crate.
//!
//! `data/` holds facts extracted from upstream tests and sources, and bytes written by upstream tools; its files name their
//! sources, and `README.md` beside them the kinds. Cases of the kind *ours* were computed by nobody upstream: they are counted
//! apart, as regression values. Prints `golden: N passed, M left out` with a reason for everything left out
//! (`cargo test -p ferrite-xdna --test golden -- --nocapture`).

#![allow(clippy::print_stdout, reason = "the counts are what this test is run for")]

mod abi;
mod bd;
mod check;
mod config;
mod control;
mod device;
mod elf;
mod numerics;
mod runtime;
mod trace;
mod txn;
mod xclbin;

use check::Tally;

/// Walks the cases of one file.
type Walk = fn(&mut Tally);

/// Walks, and how many cases that are not of the kind *ours* the golden data's README counts for their file.
const FILES: [(&str, usize, Walk); 14] = [
    // Six streams, thirteen operations, three round trips.
    ("txn.json", 6 + 13 + 3, txn::streams),
    ("aiebu_txn.json", 144, txn::aiebu),
    ("bd.json", 3 + 12 + 28 + 24 + 2 + 5 + 2 + 3 + 3, bd::all),
    ("controlpackets.json", 2 + 3 + 4 + 1 + 1, control::all),
    ("cdo.json", 7, config::logs),
    ("pdi_cdo.json", 15 + 5, config::tool),
    ("xclbin.json", 4, xclbin::all),
    ("elf.json", 5 + 1, elf::control_code),
    ("full_elf.json", 0, elf::full),
    ("runtime.json", 0, runtime::all),
    // Two traces and the events of four tables.
    ("trace.json", 2 + 127 + 122 + 128 + 161, trace::all),
    ("abi.json", 78 + 11, abi::all),
    // Blocks encoded and decoded; roundings; the other values of silicon.
    ("numerics.json", 73 + 71 + 960 + 256 + 256 + 864, numerics::all),
    // Devices and port registers; tile kinds and registers are added where the file is at hand.
    ("device_model.json", 12 + 128, device::device_model),
];

#[test]
fn golden() {
    let mut expected = 0;
    let (mut passed, mut regression, mut left_out, mut failures) = (0, 0, 0, Vec::new());
    for (file, cases, run) in FILES {
        let mut tally = Tally::default();
        run(&mut tally);
        let cases = cases + tally.more_cases;
        expected += cases;
        if tally.passed + tally.left_out.len() + tally.failures.len() < cases {
            tally.failures.push(format!("the README counts {cases} cases, the walk finds fewer"));
        }
        println!(
            "{file}: {cases} cases, {} passed, {} regression values, {} left out",
            tally.passed,
            tally.regression,
            tally.left_out.len()
        );
        for (case, reason) in &tally.left_out {
            println!("  left out: {case}: {reason}");
        }
        passed += tally.passed;
        regression += tally.regression;
        left_out += tally.left_out.len();
        failures.extend(tally.failures.into_iter().map(|failure| format!("{file}: {failure}")));
    }
    println!("golden: {passed} passed, {left_out} left out");
    println!(
        "cases of the README that are not of kind ours: {expected}; regression values (kind ours): {regression} passed"
    );
    assert!(failures.is_empty(), "{} cases differ:\n{}", failures.len(), failures.join("\n"));
    assert!(passed >= expected, "{passed} passed of {expected}");
}
