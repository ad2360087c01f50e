//! The device's address map and the emulator's access to it.

use super::{AccessError, Fault, NearestBuffer, Settings, Zeroed, lock_host};
use crate::residency::{Tracking, whole_lines};
use crate::{CACHE_LINE, IntervalSet};
use std::cell::Cell;
use std::ops::Range;
use std::sync::{Arc, MutexGuard, PoisonError, RwLock};

/// One buffer as the device sees it.
#[derive(Debug)]
pub(super) struct Region {
    base: u64,
    /// Address range taken, in whole pages.
    extent: u64,
    device: Zeroed,
    host: Arc<RwLock<Zeroed>>,
    tracking: Arc<Tracking>,
    /// What the device wrote under the present guard; goes to `tracking` when the guard is dropped, so that a write costs
    /// no lock.
    written: IntervalSet,
    /// Bytes the device ever wrote, exactly; kept where reads of unwritten bytes are errors.
    device_wrote: IntervalSet,
}

impl Region {
    pub(super) fn new(
        base: u64,
        extent: u64,
        device: Zeroed,
        host: Arc<RwLock<Zeroed>>,
        tracking: Arc<Tracking>,
    ) -> Self {
        Self { base, extent, device, host, tracking, written: IntervalSet::new(), device_wrote: IntervalSet::new() }
    }

    fn size(&self) -> u64 {
        self.device.len() as u64
    }

    fn describe(&self) -> NearestBuffer {
        NearestBuffer { base: self.base, size: self.size(), label: self.tracking.label(), part: None }
    }

    /// The same, with the names of what lies at `place`, a range of the buffer.
    fn describe_at(&self, place: &Range<u64>) -> NearestBuffer {
        NearestBuffer { part: self.tracking.parts(place), ..self.describe() }
    }

    /// How far `address` lies outside of the buffer.
    fn distance(&self, address: u64) -> u64 {
        self.base.saturating_sub(address).max(address.saturating_add(1).saturating_sub(self.base + self.size()))
    }

    fn mark_written(&mut self, indices: &Range<usize>, exactly: bool) {
        let range = indices.start as u64..indices.end as u64;
        self.written.insert(whole_lines(&range, self.size()));
        if exactly {
            self.device_wrote.insert(range);
        }
    }

    /// The first part of `indices` that nobody ever wrote, relative to the buffer. Where the host may write unseen, nothing is
    /// known.
    fn unwritten(&self, indices: &Range<usize>) -> Option<Range<u64>> {
        let mut rest = indices.start as u64..indices.end as u64;
        let residency = self.tracking.residency();
        if residency.untracked {
            return None;
        }
        while let Some(gap) = residency.host_wrote.first_gap(&rest) {
            if let Some(gap) = self.device_wrote.first_gap(&gap) {
                return Some(gap);
            }
            rest.start = gap.end;
        }
        None
    }

    /// The first part of `indices` whose newest bytes the host has not flushed, relative to the buffer.
    ///
    /// Where the host may write unseen, the two views themselves are compared.
    fn unflushed(&self, indices: &Range<usize>) -> Option<Range<u64>> {
        let range = indices.start as u64..indices.end as u64;
        let (dirty, stale, untracked) = {
            let residency = self.tracking.residency();
            (residency.dirty.first_within(&range), residency.stale.within(&range), residency.untracked)
        };
        if dirty.is_some() || !untracked {
            return dirty;
        }
        // Bytes the device wrote itself differ from the host's by right.
        let host = lock_host(&self.host);
        if host[indices.clone()] == self.device[indices.clone()] {
            return None;
        }
        let differs = |&position: &usize| {
            let at = position as u64;
            let own = at..at + 1;
            host[position] != self.device[position] && !self.written.intersects(&own) && !stale.intersects(&own)
        };
        indices.clone().find(differs).map(|position| position as u64..range.end)
    }
}

impl Region {
    /// Moves lines between the views as caches do unasked; see [`DeviceMemory::stir`](super::DeviceMemory::stir).
    fn stir(&mut self, state: &mut u64) -> usize {
        let (dirty, stale) = {
            let residency = self.tracking.residency();
            let mut clean = residency.stale.clone();
            residency.dirty.iter().for_each(|run| clean.remove(run));
            (residency.dirty.clone(), clean)
        };
        let mut host = self.host.write().unwrap_or_else(PoisonError::into_inner);
        let mut chosen = |lines: &IntervalSet| lines_of(lines).filter(|_| random(state) & 1 == 1).collect::<Vec<_>>();
        let (evicted, fetched) = (chosen(&dirty), chosen(&stale));
        for line in &evicted {
            self.device[line.clone()].copy_from_slice(&host[line.clone()]);
        }
        for line in &fetched {
            host[line.clone()].copy_from_slice(&self.device[line.clone()]);
        }
        evicted.len() + fetched.len()
    }
}

/// Every line of a set of whole lines.
fn lines_of(lines: &IntervalSet) -> impl Iterator<Item = Range<usize>> + '_ {
    lines.iter().flat_map(|run| {
        let end = run.end;
        run.step_by(CACHE_LINE as usize).map(move |line| line as usize..(line + CACHE_LINE).min(end) as usize)
    })
}

/// All buffers, sorted by base address.
#[derive(Debug, Default)]
pub(super) struct Map {
    regions: Vec<Region>,
}

impl Map {
    pub(super) fn in_use(&self) -> u64 {
        self.regions.iter().map(|region| region.extent).sum()
    }

    /// Base for `extent` bytes in the highest gap between `lowest` and `top`.
    pub(super) fn highest_gap(&self, extent: u64, lowest: u64, top: u64) -> Option<u64> {
        let mut end = top;
        for region in self.regions.iter().rev() {
            let gap_start = (region.base + region.extent).max(lowest);
            if end.checked_sub(extent).is_some_and(|base| base >= gap_start) {
                break;
            }
            end = end.min(region.base);
        }
        end.checked_sub(extent).filter(|&base| base >= lowest)
    }

    pub(super) fn overlaps(&self, range: &Range<u64>) -> bool {
        self.regions.iter().any(|region| region.base < range.end && range.start < region.base + region.extent)
    }

    pub(super) fn insert(&mut self, region: Region) {
        let at = self.regions.partition_point(|other| other.base < region.base);
        self.regions.insert(at, region);
    }

    pub(super) fn remove(&mut self, base: u64) {
        if let Ok(at) = self.regions.binary_search_by_key(&base, |region| region.base) {
            self.regions.remove(at);
        }
    }

    pub(super) fn device_bytes(&mut self, base: u64) -> Option<&mut [u8]> {
        let at = self.regions.binary_search_by_key(&base, |region| region.base).ok()?;
        Some(&mut self.regions[at].device)
    }

    pub(super) fn stir(&mut self, seed: u64) -> usize {
        let mut state = seed;
        self.regions.iter_mut().map(|region| region.stir(&mut state)).sum()
    }
}

/// The next value of a SplitMix64 generator: small, seedable, good enough to choose lines.
fn random(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut value = *state;
    value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

/// The device's view of every buffer, for as long as an emulator works on it. See
/// [`DeviceMemory::lock`](super::DeviceMemory::lock).
#[derive(Debug)]
pub struct DeviceMemoryGuard<'a> {
    map: MutexGuard<'a, Map>,
    strict: bool,
    unwritten: bool,
    /// Where the last access hit: programs walk through one buffer for long.
    last: Cell<usize>,
}

impl<'a> DeviceMemoryGuard<'a> {
    pub(super) fn new(map: MutexGuard<'a, Map>, settings: &Settings) -> Self {
        let Settings { strict, unwritten, .. } = *settings;
        Self { map, strict, unwritten, last: Cell::new(0) }
    }

    /// The device's bytes of `length` from `address`.
    ///
    /// # Errors
    /// When not all of them lie in one buffer, or, in strict mode, when the host has not flushed some.
    pub fn read(&self, address: u64, length: usize) -> Result<&[u8], AccessError> {
        let (at, indices) = self.find(address, length)?;
        let region = &self.map.regions[at];
        if let Some((fault, part)) = self.hazard(region, &indices) {
            let nearest = Some(Box::new(region.describe_at(&part)));
            return Err(AccessError { address, length: length as u64, fault, nearest });
        }
        Ok(&region.device[indices])
    }

    /// What is wrong with a read that reaches memory, and where in the buffer.
    fn hazard(&self, region: &Region, indices: &Range<usize>) -> Option<(Fault, Range<u64>)> {
        let at_device = |part: &Range<u64>| region.base + part.start..region.base + part.end;
        if self.strict
            && let Some(part) = region.unflushed(indices)
        {
            return Some((Fault::Unflushed { range: at_device(&part) }, part));
        }
        let part = if self.unwritten { region.unwritten(indices)? } else { return None };
        Some((Fault::Unwritten { range: at_device(&part) }, part))
    }

    /// Copies the device's bytes from `address` into `bytes`.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn read_into(&self, address: u64, bytes: &mut [u8]) -> Result<(), AccessError> {
        bytes.copy_from_slice(self.read(address, bytes.len())?);
        Ok(())
    }

    /// Writes `bytes` to the device's view from `address`.
    ///
    /// # Errors
    /// When not all of them lie in one buffer; then nothing is written.
    pub fn write(&mut self, address: u64, bytes: &[u8]) -> Result<(), AccessError> {
        self.slice_mut(address, bytes.len())?.copy_from_slice(bytes);
        Ok(())
    }

    /// The device's bytes of `length` from `address` for writing; all of them count as written by the device.
    ///
    /// # Errors
    /// When not all of them lie in one buffer.
    pub fn slice_mut(&mut self, address: u64, length: usize) -> Result<&mut [u8], AccessError> {
        let (at, indices) = self.find(address, length)?;
        let region = &mut self.map.regions[at];
        region.mark_written(&indices, self.unwritten);
        Ok(&mut region.device[indices])
    }

    /// Checks an access without performing it.
    ///
    /// # Errors
    /// When not all of its bytes lie in one buffer.
    pub fn check(&self, address: u64, length: usize) -> Result<(), AccessError> {
        self.find(address, length).map(|_| ())
    }

    /// The buffer that contains `address`.
    pub fn buffer_at(&self, address: u64) -> Option<NearestBuffer> {
        self.find(address, 1).ok().map(|(at, _)| self.map.regions[at].describe())
    }

    /// Every buffer, by ascending address.
    pub fn buffers(&self) -> impl Iterator<Item = NearestBuffer> + '_ {
        self.map.regions.iter().map(Region::describe)
    }

    /// The region of an access and the access's place in it.
    fn find(&self, address: u64, length: usize) -> Result<(usize, Range<usize>), AccessError> {
        let regions = &self.map.regions;
        let holds = |at: usize| regions.get(at).filter(|region| address.wrapping_sub(region.base) < region.size());
        let at = match holds(self.last.get()) {
            Some(_) => self.last.get(),
            None => regions.partition_point(|region| region.base <= address).wrapping_sub(1),
        };
        let Some(region) = holds(at) else {
            return Err(self.fault(address, length, Fault::Unmapped, self.closest(at, address)));
        };
        self.last.set(at);
        let start = (address - region.base) as usize;
        match start.checked_add(length) {
            Some(end) if end <= region.device.len() => Ok((at, start..end)),
            _ => {
                let end = start.saturating_add(length) as u64;
                let nearest = Some(Box::new(region.describe_at(&(start as u64..end))));
                Err(AccessError { address, length: length as u64, fault: Fault::Straddles, nearest })
            }
        }
    }

    /// The closer of the region before `address` (at `at`, which may be none) and the one after it.
    fn closest(&self, at: usize, address: u64) -> Option<&Region> {
        let neighbours = [self.map.regions.get(at), self.map.regions.get(at.wrapping_add(1))];
        neighbours.into_iter().flatten().min_by_key(|region| region.distance(address))
    }

    fn fault(&self, address: u64, length: usize, fault: Fault, region: Option<&Region>) -> AccessError {
        AccessError { address, length: length as u64, fault, nearest: region.map(Region::describe).map(Box::new) }
    }
}

impl Drop for DeviceMemoryGuard<'_> {
    fn drop(&mut self) {
        for region in &mut self.map.regions {
            if !region.written.is_empty() {
                region.tracking.residency().stale.extend(&region.written);
                region.written = IntervalSet::new();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_views_of_untracked_buffers_are_compared() {
        let host = Arc::new(RwLock::new(Zeroed::new(256).unwrap()));
        let tracking = Arc::new(Tracking::new(true));
        let mut region = Region::new(4096, 4096, Zeroed::new(256).unwrap(), Arc::clone(&host), Arc::clone(&tracking));
        // As through a raw mapping: no residency is told.
        host.write().unwrap()[70] = 1;
        assert_eq!(region.unflushed(&(0..256)), None, "a tracked buffer's residency is believed");
        tracking.residency().untracked = true;
        assert_eq!(region.unflushed(&(0..256)), Some(70..256));
        assert_eq!(region.unflushed(&(71..256)), None);
        // What the device wrote differs by right, in this job and after it.
        region.mark_written(&(64..65), false);
        assert_eq!(region.unflushed(&(0..256)), None);
        tracking.residency().stale = std::mem::take(&mut region.written);
        assert_eq!(region.unflushed(&(0..256)), None);
    }
}
