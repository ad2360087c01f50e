//! Running other programs, and how far they are.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use anyhow::{Context, Result, anyhow, ensure};
use indicatif::{ProgressBar, ProgressStyle};

/// The root of the workspace.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map_or_else(PathBuf::new, Path::to_path_buf)
}

/// A cargo command in the workspace.
pub(crate) fn cargo(arguments: &[&str]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments).current_dir(root());
    command
}

/// Runs a command and fails when it does; prints what runs and how long it took.
pub(crate) fn step(title: &str, command: &mut Command) -> Result<()> {
    eprintln!("--- {title}");
    let start = Instant::now();
    let status = command.status().with_context(|| format!("starting {command:?}"))?;
    ensure!(status.success(), "{title} failed: {status}");
    eprintln!("--- {title}: {:.1} s", start.elapsed().as_secs_f64());
    Ok(())
}

/// A progress bar on a terminal; nothing elsewhere.
pub(crate) fn bar(length: u64, what: &str) -> ProgressBar {
    let style = ProgressStyle::with_template("{prefix} {bar:30} {pos}/{len} {msg}");
    ProgressBar::new(length)
        .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
        .with_prefix(what.to_owned())
}

/// Works on every item, two at a time, with a progress bar; results come in the order of the items. After an error no more work
/// is begun.
pub(crate) fn on_two_threads<T: Sync, R: Send>(
    items: &[T],
    what: &str,
    work: impl Fn(&T, &ProgressBar) -> Result<R> + Sync,
) -> Result<Vec<R>> {
    let next = AtomicUsize::new(0);
    let bar = bar(items.len() as u64, what);
    let worker = || {
        let mut done = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(index) else { return Ok(done) };
            match work(item, &bar) {
                Ok(result) => done.push((index, result)),
                Err(error) => {
                    next.store(items.len(), Ordering::Relaxed);
                    return Err(error);
                }
            }
            bar.inc(1);
        }
    };
    let mut results = std::thread::scope(|scope| {
        let threads = [scope.spawn(worker), scope.spawn(worker)];
        let finished =
            threads.into_iter().map(|thread| thread.join().unwrap_or_else(|_| Err(anyhow!("a thread panicked"))));
        finished.collect::<Result<Vec<Vec<(usize, R)>>>>()
    })?
    .into_iter()
    .flatten()
    .collect::<Vec<(usize, R)>>();
    bar.finish_and_clear();
    results.sort_by_key(|(index, _)| *index);
    Ok(results.into_iter().map(|(_, result)| result).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_keep_the_order_of_the_items() {
        let items: Vec<usize> = (0..100).collect();
        assert_eq!(on_two_threads(&items, "", |item, _| Ok(item * 2)).unwrap()[99], 198);
        let failed = on_two_threads(&items, "", |item, _| if *item == 7 { Err(anyhow!("seven")) } else { Ok(()) });
        assert_eq!(failed.unwrap_err().to_string(), "seven");
    }
}
