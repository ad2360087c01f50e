//! Emulated device memory: an address map of buffers whose host view and device view are two separate byte arrays.
//!
//! What the host writes reaches the device only by a flush, and the reverse only by an invalidate, exactly for the lines
//! moved. A program that forgets either therefore computes with old bytes here, every time.

mod access;
mod map;
mod split;
mod zeroed;

pub use access::{AccessError, Fault, NearestBuffer};
pub use map::DeviceMemoryGuard;

use crate::residency::Tracking;
use crate::{Buffer, BufferKind, Device, Error};
use map::{Map, Region};
use split::{SplitMemory, lock_host};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use zeroed::Zeroed;

/// Where buffers may lie and how strictly coherence is judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// What messages call the device.
    pub name: String,
    /// One past the highest device address; buffers are placed downward from it.
    pub top: u64,
    /// The lowest device address given out.
    pub lowest: u64,
    /// Bytes that all live buffers together may take, each rounded up to whole pages.
    pub limit: u64,
    /// Makes a device read of unflushed lines and a host read of lines that were not invalidated errors, instead of reads of
    /// old bytes.
    pub strict: bool,
    /// Makes a device read of bytes that neither the host nor the device ever wrote an error. Apart from `strict`, because
    /// programs of the vendor's compiler do it: some read their output before they have written it, or the rest of an atom.
    pub unwritten: bool,
}

impl Default for Settings {
    /// The upper end of a 32-bit address space, 2 GiB, not strict.
    fn default() -> Self {
        Self {
            name: "emulated memory".to_owned(),
            top: 0xfff0_0000,
            lowest: PAGE,
            limit: 2 << 30,
            strict: false,
            unwritten: false,
        }
    }
}

/// Alignment of device addresses and granularity of the address map, in bytes.
pub const PAGE: u64 = 4096;

/// The memory of an emulated device. Clones refer to the same memory.
///
/// The host reaches it through the [`Buffer`]s it allocates, the emulator through [`lock`](Self::lock).
#[derive(Debug, Clone)]
pub struct DeviceMemory {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    settings: Settings,
    map: Mutex<Map>,
    /// Bases of buffers whose last handle is gone. Kept outside of the map so that dropping a buffer never waits for a
    /// running job, which holds the map; and memory a job uses stays mapped until the job ends, as a kernel does it.
    freed: Mutex<Vec<u64>>,
}

impl Shared {
    /// Locks the map, less what was freed.
    fn map(&self) -> MutexGuard<'_, Map> {
        let mut map = self.map.lock().unwrap_or_else(PoisonError::into_inner);
        for base in self.freed.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
            map.remove(base);
        }
        map
    }
}

impl Default for DeviceMemory {
    fn default() -> Self {
        Self::new(Settings::default())
    }
}

impl DeviceMemory {
    /// Empty memory. Boundaries that are no multiple of [`PAGE`] are moved inward.
    pub fn new(settings: Settings) -> Self {
        let settings = Settings {
            top: settings.top - settings.top % PAGE,
            lowest: settings.lowest.checked_next_multiple_of(PAGE).unwrap_or(settings.top),
            ..settings
        };
        Self { shared: Arc::new(Shared { settings, map: Mutex::default(), freed: Mutex::default() }) }
    }

    /// The settings in effect.
    pub fn settings(&self) -> &Settings {
        &self.shared.settings
    }

    /// Bytes that live buffers take, in whole pages.
    pub fn in_use(&self) -> u64 {
        self.shared.map().in_use()
    }

    /// Allocates `size` zeroed bytes in the highest gap that takes them.
    ///
    /// # Errors
    /// [`Error::EmptyBuffer`], [`Error::OutOfMemory`], [`Error::AddressSpaceFull`].
    pub fn allocate(&self, size: u64) -> Result<Buffer, Error> {
        let settings = &self.shared.settings;
        let mut map = self.shared.map();
        let extent = self.admit(&map, size)?;
        let base = map.highest_gap(extent, settings.lowest, settings.top).ok_or(Error::AddressSpaceFull {
            requested: extent,
            lowest: settings.lowest,
            top: settings.top,
        })?;
        self.place(&mut map, base, size, extent)
    }

    /// Allocates `size` zeroed bytes at a given device address, for replaying a recorded run.
    ///
    /// # Errors
    /// [`Error::AddressUnavailable`] and those of [`allocate`](Self::allocate).
    pub fn allocate_at(&self, address: u64, size: u64) -> Result<Buffer, Error> {
        let settings = &self.shared.settings;
        let mut map = self.shared.map();
        let extent = self.admit(&map, size)?;
        let range = address..address.saturating_add(extent);
        let refuse = |reason| Err(Error::AddressUnavailable { range: range.clone(), reason });
        if !address.is_multiple_of(PAGE) {
            return refuse("it does not begin at a page of 4096 bytes");
        }
        if range.start < settings.lowest || range.end > settings.top {
            return refuse("it is outside of the device's address space");
        }
        if map.overlaps(&range) {
            return refuse("another buffer lies there");
        }
        self.place(&mut map, address, size, extent)
    }

    /// Gives the emulator the device's view of every buffer until the guard is dropped.
    ///
    /// Meanwhile flush, invalidate and allocation wait on other threads; on the *same* thread they would wait forever. Drop
    /// the guard before the job's fence reports its end: what the device wrote is recorded in the buffers' residency then.
    pub fn lock(&self) -> DeviceMemoryGuard<'_> {
        DeviceMemoryGuard::new(self.shared.map(), &self.shared.settings)
    }

    /// Moves lines between the views unasked, as real caches do: each line that the host wrote and did not flush goes to the
    /// device with probability one half (the cache needed room), and each that the device wrote and the host neither wrote nor
    /// invalidated becomes visible to the host with the same probability (the cache had dropped its copy). `seed` decides. Dirty
    /// stays dirty and stale stays stale: a program that flushes and invalidates cannot tell. Returns how many lines moved.
    pub fn stir(&self, seed: u64) -> usize {
        self.shared.map().stir(seed)
    }

    /// Checks size and limit; returns the size in whole pages.
    fn admit(&self, map: &Map, size: u64) -> Result<u64, Error> {
        if size == 0 {
            return Err(Error::EmptyBuffer);
        }
        let (in_use, limit) = (map.in_use(), self.shared.settings.limit);
        let requested = size.checked_next_multiple_of(PAGE).unwrap_or(u64::MAX);
        if requested > limit.saturating_sub(in_use) {
            return Err(Error::OutOfMemory { requested, in_use, limit });
        }
        Ok(requested)
    }

    fn place(&self, map: &mut Map, base: u64, size: u64, extent: u64) -> Result<Buffer, Error> {
        let too_large = Error::OutOfMemory { requested: size, in_use: map.in_use(), limit: self.shared.settings.limit };
        let bytes = usize::try_from(size).map_err(|_| too_large)?;
        let host = Arc::new(RwLock::new(Zeroed::new(bytes)?));
        let device = Zeroed::new(bytes)?;
        let tracking = Arc::new(Tracking::new(self.shared.settings.strict));
        map.insert(Region::new(base, extent, device, Arc::clone(&host), Arc::clone(&tracking)));
        let backing = SplitMemory::new(Arc::clone(&self.shared), base, size, host);
        Ok(Buffer::with_tracking(Arc::new(backing), tracking))
    }
}

impl Device for DeviceMemory {
    fn name(&self) -> &str {
        &self.shared.settings.name
    }

    fn allocate(&self, size: u64, _kind: BufferKind) -> Result<Buffer, Error> {
        Self::allocate(self, size)
    }
}
