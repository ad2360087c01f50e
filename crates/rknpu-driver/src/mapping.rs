//! The host's view of a buffer.
#![allow(unsafe_code, reason = "mapped device memory is reached through raw pointers")]

use std::ffi::c_void;
use std::ops::Range;
use std::os::fd::BorrowedFd;
use std::ptr::NonNull;
use std::sync::{PoisonError, RwLock};

use rustix::io::Errno;
use rustix::mm::{MapFlags, ProtFlags, mmap, munmap};

/// A shared mapping of device memory; unmapped when dropped.
///
/// Host accesses exclude each other as those to any memory must: readers share, a writer is alone, and so is whoever makes the
/// device's bytes visible ([`exclusive`](Self::exclusive)). What the device writes reaches the host's view through that only.
#[derive(Debug)]
pub(crate) struct Mapping {
    start: NonNull<u8>,
    len: usize,
    access: RwLock<()>,
}

// SAFETY: the memory belongs to the mapping, not to a thread, and `access` guards it.
unsafe impl Send for Mapping {}
// SAFETY: as above.
unsafe impl Sync for Mapping {}

impl Mapping {
    /// Maps `len` bytes of a file.
    pub(crate) fn new(file: BorrowedFd<'_>, offset: u64, len: u64) -> Result<Self, Errno> {
        let len = usize::try_from(len).ok().filter(|&len| isize::try_from(len).is_ok()).ok_or(Errno::NOMEM)?;
        let protection = ProtFlags::READ | ProtFlags::WRITE;
        // SAFETY: without MAP_FIXED the kernel chooses a place where nothing else is.
        let start = unsafe { mmap(std::ptr::null_mut(), len, protection, MapFlags::SHARED, file, offset) }?;
        let start = NonNull::new(start.cast()).ok_or(Errno::NOMEM)?;
        Ok(Self { start, len, access: RwLock::new(()) })
    }

    /// Its first byte, valid as long as it lives.
    pub(crate) fn start(&self) -> *mut u8 {
        self.start.as_ptr()
    }

    /// `range` as an offset and a length, if the mapping has it.
    fn part(&self, range: &Range<u64>) -> Option<(usize, usize)> {
        let (start, end) = (usize::try_from(range.start).ok()?, usize::try_from(range.end).ok()?);
        (start <= end && end <= self.len).then(|| (start, end - start))
    }

    /// Calls `access` with the bytes of `range`; `None` if the mapping does not have it.
    pub(crate) fn read<R>(&self, range: &Range<u64>, access: impl FnOnce(&[u8]) -> R) -> Option<R> {
        let (offset, len) = self.part(range)?;
        let _reading = self.access.read().unwrap_or_else(PoisonError::into_inner);
        // SAFETY: the range lies within the mapping, which lives as long as `self`. No one writes it through this type
        // meanwhile, for that takes the lock alone. Any byte is a valid `u8`, and mapped memory is initialised.
        Some(access(unsafe { std::slice::from_raw_parts(self.start().add(offset), len) }))
    }

    /// Calls `access` with the bytes of `range`, writable; `None` if the mapping does not have it.
    pub(crate) fn write<R>(&self, range: &Range<u64>, access: impl FnOnce(&mut [u8]) -> R) -> Option<R> {
        let (offset, len) = self.part(range)?;
        let _writing = self.access.write().unwrap_or_else(PoisonError::into_inner);
        // SAFETY: as in `read`, and the lock is held alone, so no other slice of this memory exists.
        Some(access(unsafe { std::slice::from_raw_parts_mut(self.start().add(offset), len) }))
    }

    /// Calls `change`, which lets the device's bytes appear in this memory, while no slice of it exists.
    pub(crate) fn exclusive<R>(&self, change: impl FnOnce() -> R) -> R {
        let _alone = self.access.write().unwrap_or_else(PoisonError::into_inner);
        change()
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: the range is exactly what `mmap` gave, and with `self` the last way to reach it is gone; `start` promises no
        // more. Nothing can be done about a failure.
        let _ = unsafe { munmap(self.start().cast::<c_void>(), self.len) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::fd::AsFd;

    #[test]
    fn ranges_stay_inside_and_bytes_are_shared_with_the_file() {
        let file = tempfile::tempfile().unwrap();
        file.set_len(8192).unwrap();
        let mapping = Mapping::new(file.as_fd(), 4096, 100).unwrap();
        assert_eq!(mapping.write(&(10..13), |bytes| bytes.copy_from_slice(&[1, 2, 3])), Some(()));
        assert_eq!(mapping.read(&(9..14), <[u8]>::to_vec), Some(vec![0, 1, 2, 3, 0]));
        for outside in [0..101, 101..101, u64::MAX - 1..u64::MAX, Range { start: 5, end: 4 }] {
            assert_eq!(mapping.read(&outside, |_| ()), None, "{outside:?}");
            assert_eq!(mapping.write(&outside, |_| ()), None, "{outside:?}");
        }
        let other = Mapping::new(file.as_fd(), 0, 8192).unwrap();
        assert_eq!(other.read(&(4106..4109), <[u8]>::to_vec), Some(vec![1, 2, 3]));
        assert_eq!(mapping.exclusive(|| 7), 7);
        assert_eq!(Mapping::new(file.as_fd(), 0, u64::MAX).unwrap_err(), Errno::NOMEM);
    }
}
