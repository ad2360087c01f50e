//! The preloaded library: built from its source when it is first needed, kept in the user's cache.

use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use sha2::{Digest, Sha256};

/// The source.
const SOURCE: &str = include_str!("shim/shim.c");

/// What the client runs on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Machine {
    /// 64-bit ARM, natively or under qemu.
    Aarch64,
    /// 64-bit x86.
    X86_64,
}

impl Machine {
    /// The machine that this runs on.
    pub const fn host() -> Self {
        if cfg!(target_arch = "aarch64") { Self::Aarch64 } else { Self::X86_64 }
    }

    /// The C compiler for it.
    pub fn compiler(self) -> &'static str {
        match (self, Self::host()) {
            (Self::Aarch64, Self::X86_64) => "aarch64-linux-gnu-gcc",
            (Self::X86_64, Self::Aarch64) => "x86_64-linux-gnu-gcc",
            _ => "cc",
        }
    }

    /// The Debian packages that bring the compiler and its C library.
    pub fn packages(self) -> &'static str {
        match self.compiler() {
            "aarch64-linux-gnu-gcc" => "gcc-aarch64-linux-gnu libc6-dev-arm64-cross",
            "x86_64-linux-gnu-gcc" => "gcc-x86-64-linux-gnu libc6-dev-amd64-cross",
            _ => "gcc libc6-dev",
        }
    }
}

/// Why something could not be built.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// There is no compiler.
    #[error("`{compiler}` is not installed; `apt-get install {packages}` brings it")]
    NoCompiler {
        /// Its name.
        compiler: &'static str,
        /// What brings it.
        packages: &'static str,
    },
    /// The compiler refused.
    #[error("`{compiler}` failed: {message}")]
    Failed {
        /// Its name.
        compiler: &'static str,
        /// What it said.
        message: String,
    },
    /// No folder for caches is known.
    #[error("neither XDG_CACHE_HOME nor HOME is set, so there is no place for a cache")]
    NoCache,
    /// Files could not be written.
    #[error("{}: {source}", path.display())]
    File {
        /// Which one.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

/// The folder for what can be made again: `$XDG_CACHE_HOME/ferrite` or `~/.cache/ferrite`.
///
/// # Errors
/// [`BuildError::NoCache`].
pub fn cache_folder() -> Result<PathBuf, BuildError> {
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let base = variable("XDG_CACHE_HOME").or_else(|| Some(variable("HOME")?.join(".cache")));
    Ok(base.ok_or(BuildError::NoCache)?.join("ferrite"))
}

/// The shim for a machine, built if need be.
///
/// # Errors
/// When there is no compiler, or it fails.
pub fn build(machine: Machine) -> Result<PathBuf, BuildError> {
    let arguments = ["-shared", "-fPIC", "-O1"].map(str::to_owned);
    compile(machine, "rknpu-shim.so", SOURCE, &arguments, &["-ldl", "-lpthread"].map(str::to_owned))
}

/// Compiles C source into the cache and returns the file. Equal source, compiler and arguments give the same file, which is
/// built once; processes that build at the same time do not disturb each other.
///
/// # Errors
/// When there is no compiler, or it fails.
pub fn compile(
    machine: Machine,
    name: &str,
    source: &str,
    before: &[String],
    after: &[String],
) -> Result<PathBuf, BuildError> {
    let compiler = machine.compiler();
    let mut digest = Sha256::new();
    for part in [compiler, name, source].into_iter().chain(before.iter().chain(after).map(String::as_str)) {
        digest.update(part);
        digest.update([0]);
    }
    let key: String = digest.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    let folder = cache_folder()?.join("built").join(key);
    let target = folder.join(name);
    if target.exists() {
        return Ok(target);
    }
    let fail = |path: &Path| {
        let path = path.to_owned();
        move |source| BuildError::File { path, source }
    };
    std::fs::create_dir_all(&folder).map_err(fail(&folder))?;
    let work = tempfile::tempdir_in(&folder).map_err(fail(&folder))?;
    let (input, output) = (work.path().join("source.c"), work.path().join(name));
    std::fs::write(&input, source).map_err(fail(&input))?;
    let run = Command::new(compiler).args(before).arg("-o").arg(&output).arg(&input).args(after).output();
    let run = match run {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Err(BuildError::NoCompiler { compiler, packages: machine.packages() });
        }
        run => run.map_err(fail(Path::new(compiler)))?,
    };
    if !run.status.success() {
        let message = String::from_utf8_lossy(&run.stderr).trim().to_owned();
        return Err(BuildError::Failed { compiler, message });
    }
    std::fs::rename(&output, &target).map_err(fail(&target))?;
    Ok(target)
}
