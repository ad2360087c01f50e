//! Buffers: host access, residency, views.

use crate::residency::{Tracking, whole_lines};
use crate::{Backing, CACHE_LINE, Error};
use std::fmt;
use std::ops::Range;
use std::os::fd::OwnedFd;
use std::sync::Arc;

/// Memory that the host and a device share, or a view of a part of it.
///
/// Clones and views are cheap and all refer to the same allocation and the same residency; the allocation is freed when the
/// last of them goes. Offsets and ranges count bytes from the start of this view.
///
/// The host's writes are *dirty* until [`flush`](Self::flush), the device's are *stale* for the host until
/// [`invalidate`](Self::invalidate); both are kept in whole cache lines, and what is neither moves nothing. Two threads that
/// write the same line at the same time, or one that flushes what another still writes, race as they would on the chip.
#[derive(Clone)]
pub struct Buffer {
    backing: Arc<dyn Backing>,
    tracking: Arc<Tracking>,
    start: u64,
    len: u64,
}

impl Buffer {
    /// A buffer over the whole of a fresh allocation whose two views agree. Drivers call this; users ask a
    /// [`Device`](crate::Device).
    pub fn new(backing: Arc<dyn Backing>) -> Self {
        Self::with_tracking(backing, Arc::new(Tracking::default()))
    }

    pub(crate) fn with_tracking(backing: Arc<dyn Backing>, tracking: Arc<Tracking>) -> Self {
        let len = backing.len();
        Self { backing, tracking, start: 0, len }
    }

    /// Length of this view in bytes.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether this view has no bytes.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The address at which the device sees this view's first byte.
    pub fn device_address(&self) -> u64 {
        self.backing.device_address() + self.start
    }

    /// Where this view begins within its allocation, in bytes; 0 for a buffer that is no view.
    pub fn offset(&self) -> u64 {
        self.start
    }

    /// The allocation's name in messages, if it was given one.
    pub fn label(&self) -> Option<String> {
        self.tracking.label()
    }

    /// Names the allocation (views and clones included) for messages.
    pub fn set_label(&self, label: impl Into<String>) {
        self.tracking.set_label(label.into());
    }

    /// Names a range of this view, such as a tensor that lies there, for messages. Parts may overlap: activations reuse memory.
    ///
    /// # Errors
    /// [`Error::OutOfRange`].
    pub fn name_part(&self, range: Range<u64>, name: impl Into<String>) -> Result<(), Error> {
        self.tracking.name_part(self.absolute(&range)?, name.into());
        Ok(())
    }

    /// Whether both refer to the same allocation, be it to different parts.
    pub fn same_allocation(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.tracking, &other.tracking)
    }

    /// Copies the host's bytes from `offset` into `bytes`.
    ///
    /// # Errors
    /// [`Error::OutOfRange`]; in strict mode [`Error::StaleRead`].
    pub fn read(&self, offset: u64, bytes: &mut [u8]) -> Result<(), Error> {
        let range = self.span(offset, bytes.len())?;
        self.with_bytes(range, |view| bytes.copy_from_slice(view))
    }

    /// Copies the host's bytes of `range` out.
    ///
    /// # Errors
    /// As [`read`](Self::read). The range is checked before memory is reserved for it.
    pub fn read_vec(&self, range: Range<u64>) -> Result<Vec<u8>, Error> {
        self.with_bytes(range, <[u8]>::to_vec)
    }

    /// Copies `bytes` into the host's view at `offset` and marks the lines dirty.
    ///
    /// # Errors
    /// [`Error::OutOfRange`]; then nothing is written.
    pub fn write(&self, offset: u64, bytes: &[u8]) -> Result<(), Error> {
        let range = self.span(offset, bytes.len())?;
        self.with_bytes_mut(range, |view| view.copy_from_slice(bytes))
    }

    /// Calls `access` with the host's bytes of `range`, without a copy. Do not touch this buffer inside.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn with_bytes<R>(&self, range: Range<u64>, access: impl FnOnce(&[u8]) -> R) -> Result<R, Error> {
        let within = self.absolute(&range)?;
        if self.tracking.strict
            && let Some(stale) = self.tracking.residency().stale.first_within(&within)
        {
            let buffer = match self.tracking.parts(&stale) {
                Some(parts) => format!("{} ({parts})", self.name()),
                None => self.name(),
            };
            return Err(Error::StaleRead { buffer, range: whole_lines(&stale, self.backing.len()) });
        }
        self.with_bytes_as_they_are(range, access)
    }

    /// As [`with_bytes`](Self::with_bytes), but old bytes are no error: for who keeps account of what the host sees.
    ///
    /// # Errors
    /// [`Error::OutOfRange`].
    pub fn with_bytes_as_they_are<R>(&self, range: Range<u64>, access: impl FnOnce(&[u8]) -> R) -> Result<R, Error> {
        let range = self.absolute(&range)?;
        let mut access = Some(access);
        let mut result = None;
        self.backing.read_host(range, &mut |bytes| result = access.take().map(|access| access(bytes)))?;
        result.ok_or_else(|| self.unreached())
    }

    /// Calls `access` with the host's bytes of `range`, writable and without a copy, and marks the lines dirty. Do not touch
    /// this buffer inside.
    ///
    /// # Errors
    /// [`Error::OutOfRange`]; then `access` is not called.
    pub fn with_bytes_mut<R>(&self, range: Range<u64>, access: impl FnOnce(&mut [u8]) -> R) -> Result<R, Error> {
        let range = self.absolute(&range)?;
        let mut access = Some(access);
        let mut result = None;
        self.backing.write_host(range.clone(), &mut |bytes| result = access.take().map(|access| access(bytes)))?;
        // Marked after the bytes are there: marked before, a flush in between would count them as moved.
        let mut residency = self.tracking.residency();
        residency.dirty.insert(whole_lines(&range, self.backing.len()));
        residency.host_wrote.insert(range);
        drop(residency);
        result.ok_or_else(|| self.unreached())
    }

    /// Makes what the host wrote in `range` visible to the device; returns the bytes moved, which is 0 when nothing there is
    /// dirty. An untracked buffer moves the whole range.
    ///
    /// # Errors
    /// [`Error::OutOfRange`], or the backing's error; what did not move stays dirty.
    pub fn flush(&self, range: Range<u64>) -> Result<u64, Error> {
        let range = whole_lines(&self.absolute(&range)?, self.backing.len());
        if range.is_empty() {
            return Ok(0);
        }
        if self.tracking.residency().untracked {
            return self.flush_lines(range);
        }
        let mut total = 0;
        let mut rest = range;
        while let Some(dirty) = { self.tracking.residency().dirty.first_within(&rest) } {
            rest.start = dirty.end;
            total += self.flush_lines(dirty)?;
        }
        Ok(total)
    }

    /// What a run does before it submits: flushes every dirty line of this view, or the whole view if it is untracked, or
    /// nothing if the caller took over flushing. Returns the bytes moved.
    ///
    /// # Errors
    /// As [`flush`](Self::flush).
    pub fn flush_all_dirty(&self) -> Result<u64, Error> {
        if self.tracking.residency().caller_flushes {
            return Ok(0);
        }
        self.flush(0..self.len)
    }

    /// Makes what the device wrote in `range` visible to the host; returns the bytes moved, which is 0 when the device wrote
    /// nothing there. What the host wrote to the same lines and did not flush is lost, as it is on the chip.
    ///
    /// # Errors
    /// [`Error::OutOfRange`], or the backing's error; what did not move stays stale.
    pub fn invalidate(&self, range: Range<u64>) -> Result<u64, Error> {
        let range = whole_lines(&self.absolute(&range)?, self.backing.len());
        let mut total = 0;
        let mut rest = range;
        while let Some(stale) = { self.tracking.residency().stale.first_within(&rest) } {
            rest.start = stale.end;
            self.tracking.residency().stale.remove(stale.clone());
            let moved = self.backing.invalidate(stale.clone()).and_then(|moved| self.covering(&stale, moved));
            let mut residency = self.tracking.residency();
            match moved {
                Ok(moved) => {
                    residency.stale.remove(moved.clone());
                    residency.dirty.remove(moved.clone());
                    total += moved.end - moved.start;
                }
                Err(error) => {
                    residency.stale.insert(stale);
                    return Err(error);
                }
            }
        }
        Ok(total)
    }

    /// What the host wrote since the last flush: whole cache lines, ascending, relative to and clipped to this view.
    pub fn dirty_ranges(&self) -> Vec<Range<u64>> {
        let dirty = self.tracking.residency().dirty.within(&self.extent());
        dirty.iter().map(|run| run.start - self.start..run.end - self.start).collect()
    }

    /// What the device wrote since the last invalidate, in the form of [`dirty_ranges`](Self::dirty_ranges).
    pub fn stale_ranges(&self) -> Vec<Range<u64>> {
        let stale = self.tracking.residency().stale.within(&self.extent());
        stale.iter().map(|run| run.start - self.start..run.end - self.start).collect()
    }

    /// Records that the device wrote `range`. Drivers call it when a job ended; emulated memory does it by itself.
    ///
    /// # Errors
    /// [`Error::OutOfRange`].
    pub fn mark_device_wrote(&self, range: Range<u64>) -> Result<(), Error> {
        let range = whole_lines(&self.absolute(&range)?, self.backing.len());
        self.tracking.residency().stale.insert(range);
        Ok(())
    }

    /// Declares that the host may write without this type seeing it, for good: someone holds a raw pointer or a mapping.
    /// Applies to the whole allocation.
    pub fn mark_untracked(&self) {
        self.tracking.residency().untracked = true;
    }

    /// Whether the host's writes are seen (true until [`mark_untracked`](Self::mark_untracked)).
    pub fn is_tracked(&self) -> bool {
        !self.tracking.residency().untracked
    }

    /// Says who flushes before a run: with `true` the caller does, and [`flush_all_dirty`](Self::flush_all_dirty) moves
    /// nothing. Applies to the whole allocation.
    pub fn caller_flushes(&self, caller: bool) {
        self.tracking.residency().caller_flushes = caller;
    }

    /// The address of this view's first byte in the host's memory, for foreign code; marks the allocation untracked. It is
    /// valid as long as any clone or view of the buffer lives.
    ///
    /// # Errors
    /// [`Error::Unsupported`] where the backing has no stable address.
    pub fn host_pointer(&self) -> Result<*mut u8, Error> {
        let base = self.backing.host_pointer()?;
        self.mark_untracked();
        let start = usize::try_from(self.start).map_err(|_| self.out_of_range(&(0..self.len)))?;
        Ok(base.wrapping_add(start))
    }

    /// A view of `range` that shares this buffer's memory and residency.
    ///
    /// # Errors
    /// [`Error::OutOfRange`]; [`Error::SplitsCacheLine`] if a boundary lies inside a cache line (the end of the allocation is
    /// always allowed); [`Error::EmptyBuffer`].
    pub fn view(&self, range: Range<u64>) -> Result<Self, Error> {
        let absolute = self.absolute(&range)?;
        if absolute.is_empty() {
            return Err(Error::EmptyBuffer);
        }
        let splits = |position: u64| !position.is_multiple_of(CACHE_LINE) && position != self.backing.len();
        if splits(absolute.start) || splits(absolute.end) {
            return Err(Error::SplitsCacheLine { buffer: self.name(), range });
        }
        Ok(Self { start: absolute.start, len: absolute.end - absolute.start, ..self.clone() })
    }

    /// A file descriptor by which another process or device can import the whole allocation; marks it untracked, since the
    /// other side's writes are not seen.
    ///
    /// # Errors
    /// [`Error::Unsupported`] where memory cannot be exported.
    pub fn export(&self) -> Result<OwnedFd, Error> {
        let fd = self.backing.export()?;
        self.mark_untracked();
        Ok(fd)
    }

    /// Moves `range` (whole lines of the allocation) to the device and records it.
    fn flush_lines(&self, range: Range<u64>) -> Result<u64, Error> {
        let taken = {
            let mut residency = self.tracking.residency();
            let taken = residency.dirty.within(&range);
            // Taken out before the copy, so that a line written during it is dirty again afterwards.
            residency.dirty.remove(range.clone());
            taken
        };
        let moved = self.backing.flush(range.clone()).and_then(|moved| self.covering(&range, moved));
        let mut residency = self.tracking.residency();
        match moved {
            Ok(moved) => {
                residency.dirty.remove(moved.clone());
                // The device now has the host's bytes: there is nothing left that the host misses.
                residency.stale.remove(moved.clone());
                Ok(moved.end - moved.start)
            }
            Err(error) => {
                residency.dirty.extend(&taken);
                Err(error)
            }
        }
    }

    /// `moved` if a backing that was asked for `requested` could truly have moved it.
    fn covering(&self, requested: &Range<u64>, moved: Range<u64>) -> Result<Range<u64>, Error> {
        if moved.start <= requested.start && moved.end >= requested.end && moved.end <= self.backing.len() {
            return Ok(moved);
        }
        Err(Error::IncompleteMove { buffer: self.name(), requested: requested.clone(), moved })
    }

    /// This view within its allocation.
    fn extent(&self) -> Range<u64> {
        self.start..self.start + self.len
    }

    fn span(&self, offset: u64, len: usize) -> Result<Range<u64>, Error> {
        let end = u64::try_from(len).ok().and_then(|len| offset.checked_add(len));
        end.map(|end| offset..end).ok_or_else(|| self.out_of_range(&(offset..u64::MAX)))
    }

    /// `range` of this view as a range of the allocation.
    fn absolute(&self, range: &Range<u64>) -> Result<Range<u64>, Error> {
        if range.start > range.end || range.end > self.len {
            return Err(self.out_of_range(range));
        }
        Ok(self.start + range.start..self.start + range.end)
    }

    fn out_of_range(&self, range: &Range<u64>) -> Error {
        Error::OutOfRange { buffer: self.name(), range: range.clone(), len: self.len }
    }

    fn unreached(&self) -> Error {
        Error::Unsupported { device: self.backing.name().to_owned(), operation: "host access" }
    }

    fn name(&self) -> String {
        let address = self.backing.device_address();
        match self.tracking.label() {
            Some(label) => format!("buffer {label:?} at {address:#x}"),
            None => format!("buffer at {address:#x}"),
        }
    }
}

impl fmt::Debug for Buffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Buffer")
            .field("label", &self.label())
            .field("device_address", &format_args!("{:#x}", self.device_address()))
            .field("len", &self.len)
            .field("dirty", &self.dirty_ranges())
            .field("stale", &self.stale_ranges())
            .field("tracked", &self.is_tracked())
            .finish()
    }
}
