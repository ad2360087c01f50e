//! Waiting for a job.

use crate::Error;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The end of one submitted job.
pub trait Fence: Send {
    /// Waits until the job ended or `timeout` passed. May be called again after any answer; the answer for a job that ended
    /// does not change.
    ///
    /// # Errors
    /// [`Error::Timeout`] if the job still runs, else the error with which it ended.
    fn wait(&mut self, timeout: Duration) -> Result<(), Error>;

    /// Whether the job ended, well or not. Never blocks.
    ///
    /// # Errors
    /// When the device cannot be asked.
    fn is_done(&mut self) -> Result<bool, Error>;
}

/// The fence of a job that ended before `submit` returned.
#[derive(Debug, Clone)]
pub struct Completed(Result<(), Error>);

impl Completed {
    /// A fence that reports `result`.
    pub const fn new(result: Result<(), Error>) -> Self {
        Self(result)
    }
}

impl Fence for Completed {
    fn wait(&mut self, _timeout: Duration) -> Result<(), Error> {
        self.0.clone()
    }

    fn is_done(&mut self) -> Result<bool, Error> {
        Ok(true)
    }
}

#[derive(Debug, Default)]
struct Slot {
    result: Mutex<Option<Result<(), Error>>>,
    ended: Condvar,
}

impl Slot {
    fn lock(&self) -> MutexGuard<'_, Option<Result<(), Error>>> {
        self.result.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn end(&self, result: Result<(), Error>) {
        self.lock().get_or_insert(result);
        self.ended.notify_all();
    }
}

/// The working side of a fence; dropping it without [`complete`](Self::complete) ends the job with [`Error::Abandoned`], so
/// that a worker's panic never leaves anyone waiting.
#[derive(Debug)]
pub struct Signal(Arc<Slot>);

impl Signal {
    /// Ends the job.
    pub fn complete(self, result: Result<(), Error>) {
        self.0.end(result);
    }
}

impl Drop for Signal {
    fn drop(&mut self) {
        self.0.end(Err(Error::Abandoned));
    }
}

/// The waiting side of a job that another thread works on.
#[derive(Debug)]
pub struct SignalFence(Arc<Slot>);

impl Fence for SignalFence {
    fn wait(&mut self, timeout: Duration) -> Result<(), Error> {
        // A timeout too long for the clock means: wait as long as it takes.
        let deadline = Instant::now().checked_add(timeout);
        let mut result = self.0.lock();
        loop {
            if let Some(result) = result.as_ref() {
                return result.clone();
            }
            let left = deadline.map_or(Duration::from_secs(3600), |end| end.saturating_duration_since(Instant::now()));
            if left.is_zero() {
                return Err(Error::Timeout { waited: timeout });
            }
            result = self.0.ended.wait_timeout(result, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn is_done(&mut self) -> Result<bool, Error> {
        Ok(self.0.lock().is_some())
    }
}

/// Two halves of a fence for a job that runs on another thread.
pub fn signal() -> (Signal, SignalFence) {
    let slot = Arc::new(Slot::default());
    (Signal(Arc::clone(&slot)), SignalFence(slot))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_completed_job_keeps_its_answer() {
        assert!(Completed::new(Ok(())).wait(Duration::ZERO).is_ok());
        let mut failed = Completed::new(Err(Error::EmptyBuffer));
        for _ in 0..2 {
            assert!(matches!(failed.wait(Duration::ZERO), Err(Error::EmptyBuffer)));
        }
    }

    #[test]
    fn a_running_job_times_out_and_can_be_waited_for_again() {
        let (signal, mut fence) = signal();
        assert!(!fence.is_done().unwrap());
        assert!(matches!(fence.wait(Duration::from_millis(1)), Err(Error::Timeout { .. })));
        let worker = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(20));
            signal.complete(Ok(()));
        });
        fence.wait(Duration::MAX).unwrap();
        assert!(fence.is_done().unwrap());
        fence.wait(Duration::ZERO).unwrap();
        worker.join().unwrap();
    }

    #[test]
    fn a_worker_that_dies_wakes_the_waiter() {
        let (signal, mut fence) = signal();
        std::thread::spawn(move || drop(signal)).join().unwrap();
        assert!(matches!(fence.wait(Duration::MAX), Err(Error::Abandoned)));
    }
}
