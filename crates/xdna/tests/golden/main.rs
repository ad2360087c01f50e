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

#[test]
fn golden() {
    let files: [(&str, Walk); 14] = [
        ("txn.json", txn::streams),
        ("aiebu_txn.json", txn::aiebu),
        ("bd.json", bd::all),
        ("controlpackets.json", control::all),
        ("cdo.json", config::logs),
        ("pdi_cdo.json", config::tool),
        ("xclbin.json", xclbin::all),
        ("elf.json", elf::control_code),
        ("full_elf.json", elf::full),
        ("runtime.json", runtime::all),
        ("trace.json", trace::all),
        ("abi.json", abi::all),
        ("numerics.json", numerics::all),
        ("device_model.json", device::device_model),
    ];
    let (mut passed, mut regression, mut left_out, mut failures) = (0, 0, 0, Vec::new());
    for (file, run) in files {
        let mut tally = Tally::default();
        run(&mut tally);
        println!(
            "{file}: {} passed, {} regression values, {} left out",
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
    println!("golden: {passed} passed, {left_out} left out; regression values (kind ours): {regression} passed");
    assert!(failures.is_empty(), "{} cases differ:\n{}", failures.len(), failures.join("\n"));
}
