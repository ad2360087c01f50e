//! `ferrite version`, and the part that is alike in every JSON document.

use serde_json::{Value, json};

use crate::failure::{Exit, Failure};
use crate::printer::Printer;

/// Names of the JSON documents this version writes.
pub(crate) mod schema {
    pub(crate) const INSPECT: &str = "ferrite.inspect/1";
    pub(crate) const DISASM: &str = "ferrite.disasm/1";
    pub(crate) const RUN: &str = "ferrite.run/1";
    pub(crate) const VENDOR_RUN: &str = "ferrite.vendor-run/1";
    pub(crate) const VERSION: &str = "ferrite.version/1";
    pub(crate) const ASM: &str = "ferrite.asm/1";
    pub(crate) const LINT: &str = "ferrite.lint/1";
    pub(crate) const PROFILE: &str = "ferrite.profile/1";
    pub(crate) const TRACE: &str = "ferrite.trace/1";
    pub(crate) const XDNA_INSPECT: &str = "ferrite.xdna-inspect/1";
    pub(crate) const XDNA_DISASM: &str = "ferrite.xdna-disasm/1";
    pub(crate) const ORACLE_CAPTURE: &str = "ferrite.oracle-capture/1";
    pub(crate) const ORACLE_DIFF: &str = "ferrite.oracle-diff/1";
    pub(crate) const ORACLE_REPORT: &str = "ferrite.oracle-report/1";
    pub(crate) const ALL: [&str; 14] = [
        INSPECT,
        DISASM,
        RUN,
        VENDOR_RUN,
        VERSION,
        ASM,
        LINT,
        PROFILE,
        TRACE,
        XDNA_INSPECT,
        XDNA_DISASM,
        ORACLE_CAPTURE,
        ORACLE_DIFF,
        ORACLE_REPORT,
    ];
}

/// The program, as JSON documents name it.
pub(crate) fn tool() -> Value {
    json!({ "name": "ferrite", "version": env!("CARGO_PKG_VERSION") })
}

pub(crate) fn run(as_json: bool, printer: &mut Printer) -> Result<Exit, Failure> {
    if as_json {
        printer.json(&json!({
            "schema": schema::VERSION,
            "tool": tool(),
            "engines": ["emulator", "rknpu"],
            "targets": ["rk3588"],
            "schemas": schema::ALL,
        }));
    } else {
        printer.line(concat!("ferrite ", env!("CARGO_PKG_VERSION")));
    }
    Ok(Exit::Ok)
}
