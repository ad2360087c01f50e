//! Build tasks of the Ferrite workspace: `cargo xtask --help`.

fn main() {}
