//! 64-bit Arm: everything is built for it with Debian's toolchain, and what computes is tested under qemu's user emulation.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Result, bail};
use clap::Args;

use crate::shell::{root, step};

#[derive(Args)]
pub(crate) struct Options {
    /// Build only
    #[arg(long)]
    no_tests: bool,
}

impl Options {
    /// What CI does.
    pub(crate) fn all() -> Self {
        Self { no_tests: false }
    }
}

const TARGET: &str = "aarch64-unknown-linux-gnu";

/// Debian keeps a newer compiler beside its own one, with the standard library for every architecture it has.
const RUSTC: &str = "/usr/bin/rustc";
const CARGO: &str = "/usr/bin/cargo";
const LINKER: &str = "aarch64-linux-gnu-gcc";
const LOADER: &str = "/lib/ld-linux-aarch64.so.1";
const QEMU: &str = "qemu-aarch64-static";

const PACKAGES: [&str; 7] = [
    "rustc-web",
    "cargo-web",
    "libstd-rust-web-dev:arm64",
    "gcc-aarch64-linux-gnu",
    "libc6-dev-arm64-cross",
    "libc6:arm64",
    "qemu-user-static",
];

/// The crates whose results must not depend on the processor.
const TESTED: [&str; 4] = ["ferrite-numerics", "ferrite-rknpu", "ferrite-rknn", "ferrite-rknpu-emulator"];

pub(crate) fn run(options: &Options) -> Result<()> {
    if let Some(missing) = missing() {
        eprintln!("--- {missing} is missing");
        if let Err(reason) = install() {
            if env::var_os("CI").is_some() {
                bail!("CI needs the cross toolchain: {reason:#}");
            }
            println!("skipped: 64-bit Arm, because {reason:#}");
            return Ok(());
        }
        if let Some(missing) = self::missing() {
            bail!("the packages {} are installed, but {missing} is still missing", PACKAGES.join(" "));
        }
    }
    step("build for 64-bit Arm", &mut cargo(&["build", "--workspace"]))?;
    if !options.no_tests {
        let packages = TESTED.iter().flat_map(|name| ["--package", name]);
        let arguments: Vec<&str> = ["test", "--tests"].into_iter().chain(packages).collect();
        // Emulation is slow; the native tests try all cases.
        step("tests on 64-bit Arm", cargo(&arguments).env("PROPTEST_CASES", "32"))?;
    }
    println!("64-bit Arm: all well");
    Ok(())
}

/// Debian's cargo with everything else than the workspace's own target folder and toolchain.
fn cargo(arguments: &[&str]) -> Command {
    let mut command = Command::new(CARGO);
    command.args(arguments).args(["--quiet", "--target", TARGET]).current_dir(root());
    // What the cargo that runs this has set is about its own compiler.
    for name in ["CARGO", "RUSTUP_TOOLCHAIN", "RUSTC_WRAPPER", "RUSTFLAGS", "LD_LIBRARY_PATH"] {
        command.env_remove(name);
    }
    command
        .env("RUSTC", RUSTC)
        .env("CARGO_TARGET_DIR", target_folder())
        .env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER", LINKER)
        // The loader and C library are those of Debian's arm64 packages; the cross compiler's own, of another build, do not mix
        // with them.
        .env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER", QEMU);
    command
}

fn target_folder() -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), Into::into).join("cross")
}

/// The first part of the toolchain that is not there.
fn missing() -> Option<String> {
    let runs = |program: &str| {
        let mut command = Command::new(program);
        command.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    if !Path::new(LOADER).exists() {
        return Some(LOADER.to_owned());
    }
    if let Some(program) = [RUSTC, CARGO, LINKER, QEMU].into_iter().find(|program| !runs(program)) {
        return Some(program.to_owned());
    }
    let library = Command::new(RUSTC).args(["--print", "target-libdir", "--target", TARGET]).output().ok()?;
    let folder = String::from_utf8_lossy(&library.stdout).trim().to_owned();
    let entries = std::fs::read_dir(&folder).into_iter().flatten().flatten();
    let found = entries.into_iter().any(|entry| entry.file_name().to_string_lossy().starts_with("libcore-"));
    (!found).then(|| format!("the standard library for {TARGET}"))
}

/// Installs Debian's packages.
fn install() -> Result<()> {
    if !Path::new("/usr/bin/apt-get").exists() {
        bail!(
            "there is no apt; needed are a compiler, a linker and qemu as in Debian's packages {}",
            PACKAGES.join(" ")
        );
    }
    let user = Command::new("id").arg("-u").output()?;
    if user.stdout.trim_ascii() != b"0" {
        bail!(
            "only root installs packages: dpkg --add-architecture arm64 && apt-get update && apt-get install {}",
            PACKAGES.join(" ")
        );
    }
    step("foreign architecture", Command::new("dpkg").args(["--add-architecture", "arm64"]))?;
    step("package lists", &mut apt(&["update", "-qq"]))?;
    let arguments: Vec<&str> = ["install", "-yqq", "--no-install-recommends"].into_iter().chain(PACKAGES).collect();
    step("packages", &mut apt(&arguments))
}

fn apt(arguments: &[&str]) -> Command {
    let mut command = Command::new("apt-get");
    command.args(arguments).env("DEBIAN_FRONTEND", "noninteractive").stdout(Stdio::null());
    command
}
