//! Who has the newest bytes of a buffer: the host's cache or the device's memory.

use crate::{CACHE_LINE, IntervalSet};
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The smallest range of whole cache lines that covers `range`, cut off at the allocation's end `len`.
pub(crate) fn whole_lines(range: &Range<u64>, len: u64) -> Range<u64> {
    if range.start >= range.end {
        return range.start..range.start;
    }
    let start = range.start - range.start % CACHE_LINE;
    let end = range.end.checked_next_multiple_of(CACHE_LINE).map_or(len, |end| end.min(len));
    start..end
}

/// The state of one allocation; `dirty` and `stale` hold whole cache lines.
#[derive(Debug, Default)]
pub(crate) struct Residency {
    /// Lines the host wrote since they were last flushed.
    pub(crate) dirty: IntervalSet,
    /// Lines the device wrote since they were last invalidated.
    pub(crate) stale: IntervalSet,
    /// Bytes the host ever wrote, exactly.
    pub(crate) host_wrote: IntervalSet,
    /// A raw pointer is out: the host may write without our seeing it.
    pub(crate) untracked: bool,
    /// The caller flushes by itself; a run moves nothing for this buffer.
    pub(crate) caller_flushes: bool,
}

/// Residency and name of one allocation, shared by its buffer, its views and, on an emulator, the device's side.
#[derive(Debug, Default)]
pub(crate) struct Tracking {
    residency: Mutex<Residency>,
    label: Mutex<Option<String>>,
    /// Names of parts, for messages.
    parts: Mutex<Vec<(Range<u64>, String)>>,
    /// Whether a host read of stale lines is an error.
    pub(crate) strict: bool,
}

impl Tracking {
    pub(crate) fn new(strict: bool) -> Self {
        Self { strict, ..Self::default() }
    }

    /// The residency. A panic elsewhere cannot leave it half changed, so poisoning is of no interest.
    pub(crate) fn residency(&self) -> MutexGuard<'_, Residency> {
        self.residency.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn label(&self) -> Option<String> {
        self.label.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn name_part(&self, range: Range<u64>, name: String) {
        self.parts.lock().unwrap_or_else(PoisonError::into_inner).push((range, name));
    }

    /// The names of all parts that hold any of `range`, or none.
    pub(crate) fn parts(&self, range: &Range<u64>) -> Option<String> {
        let parts = self.parts.lock().unwrap_or_else(PoisonError::into_inner);
        let holds = |part: &&(Range<u64>, String)| part.0.start < range.end && range.start < part.0.end;
        let names: Vec<&str> = parts.iter().filter(holds).map(|(_, name)| name.as_str()).collect();
        (!names.is_empty()).then(|| names.join(", "))
    }

    pub(crate) fn set_label(&self, label: String) {
        *self.label.lock().unwrap_or_else(PoisonError::into_inner) = Some(label);
    }
}

#[cfg(test)]
mod tests {
    use super::whole_lines;

    #[test]
    fn lines_cover_and_stop_at_the_end() {
        assert_eq!(whole_lines(&(0..1), 1000), 0..64);
        assert_eq!(whole_lines(&(63..65), 1000), 0..128);
        assert_eq!(whole_lines(&(64..128), 1000), 64..128);
        assert_eq!(whole_lines(&(990..1000), 1000), 960..1000);
        assert!(whole_lines(&(70..70), 1000).is_empty());
        assert_eq!(whole_lines(&(u64::MAX - 1..u64::MAX), u64::MAX), u64::MAX - 63..u64::MAX);
    }
}
