//! The emulator in the place of the NPU.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use ferrite_device::memory::{DeviceMemory, Settings};
use ferrite_device::{Buffer, CACHE_LINE};
use ferrite_rknpu::Submission;
use ferrite_rknpu::ioctl::{MemFlags, SyncFlags};
use ferrite_rknpu_emulator::{Emulator, Limits, Options};

use crate::{Buffers, DriverOptions, Executor, FakeBuffer, JobError};

/// How jobs are emulated.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Emulation {
    /// Makes a device read of what the client wrote and did not synchronise an error, instead of a read of old bytes.
    pub strict: bool,
    /// Makes a device read of what nobody ever wrote an error.
    pub unwritten: bool,
    /// Choices of the emulator; with [`Options::chaos`] lines move between the client's view and the device's unasked.
    pub options: Options,
    /// What one submission may cost.
    pub limits: Limits,
}

/// Runs submissions on an emulator that has memory of its own, as the chip has behind the client's caches: bytes move when the
/// client synchronises, just those, and never for a submission as such. A client that forgets to synchronise computes with old
/// bytes.
///
/// Buffers that are not cacheable have no second view on the chip; here they are compared and copied around each submission.
/// In strict and chaos mode all are compared before one, for that is when the client's unsynchronised writes can be told: it has a raw
/// mapping and waits in the request.
#[derive(Debug)]
pub struct Emulated {
    emulator: Arc<Emulator>,
    /// Whether the client's unsynchronised writes matter.
    watched: bool,
    chaos: bool,
    /// By kernel name. The host's view is the client's memory as it was when bytes last moved.
    twins: BTreeMap<u64, Buffer>,
}

impl Emulated {
    /// An emulator for a driver with these options.
    pub fn new(driver: &DriverOptions, emulation: &Emulation) -> Self {
        let Emulation { strict, unwritten, ref options, limits } = *emulation;
        let settings = Settings {
            name: "emulated RK3588".to_owned(),
            top: driver.top,
            lowest: driver.lowest,
            limit: driver.memory,
            strict,
            unwritten,
        };
        let emulator = Emulator::with_options(DeviceMemory::new(settings), options.clone(), limits);
        let chaos = options.chaos.is_some();
        Self { emulator: Arc::new(emulator), watched: strict || chaos, chaos, twins: BTreeMap::new() }
    }

    /// The emulator, for its statistics.
    pub fn emulator(&self) -> Arc<Emulator> {
        Arc::clone(&self.emulator)
    }

    /// Gives every buffer its twin, and none to what is gone. A fresh twin is zero, as fresh memory is.
    fn reconcile(&mut self, buffers: &Buffers) -> Result<(), ferrite_device::Error> {
        self.twins.retain(|object, _| buffers.object(*object).is_some());
        for buffer in buffers.iter().filter(|buffer| !self.twins.contains_key(&buffer.object)).collect::<Vec<_>>() {
            let twin = self.emulator.memory().allocate_at(buffer.device_address, buffer.extent())?;
            twin.set_label(format!("buffer {}", buffer.number));
            self.twins.insert(buffer.object, twin);
        }
        Ok(())
    }

    fn twin(&self, buffer: &FakeBuffer) -> Result<&Buffer, JobError> {
        let missing = || JobError::new(format!("buffer {} has no memory on the device", buffer.number));
        self.twins.get(&buffer.object).ok_or_else(missing)
    }

    /// Tells the twin which lines of `range` the client wrote since bytes last moved.
    fn take_writes(&self, buffer: &FakeBuffer, range: Range<u64>) -> Result<(), JobError> {
        let twin = self.twin(buffer)?;
        let bytes = part(buffer, &range)?;
        let changed = twin.with_bytes_as_they_are(range.clone(), |known| changed_lines(known, &bytes));
        for lines in changed.map_err(JobError::new)? {
            twin.write(range.start + lines.start as u64, &bytes[lines]).map_err(JobError::new)?;
        }
        Ok(())
    }

    /// Gives the client those bytes of the device that came into the host's view unasked.
    fn show(&self, buffer: &FakeBuffer) -> Result<(), JobError> {
        let twin = self.twin(buffer)?;
        for stale in twin.stale_ranges() {
            let written = twin.with_bytes_as_they_are(stale.clone(), |bytes| buffer.write(stale.start, bytes));
            written.map_err(JobError::new)?.map_err(JobError::new)?;
        }
        Ok(())
    }

    /// Moves what the device wrote in `range` to the client.
    fn deliver(&self, buffer: &FakeBuffer, range: &Range<u64>) -> Result<(), JobError> {
        let twin = self.twin(buffer)?;
        for stale in twin.stale_ranges() {
            let moved = stale.start.max(range.start)..stale.end.min(range.end);
            if !moved.is_empty() {
                twin.invalidate(moved.clone()).map_err(JobError::new)?;
                let written = twin.with_bytes(moved.clone(), |bytes| buffer.write(moved.start, bytes));
                written.map_err(JobError::new)?.map_err(JobError::new)?;
            }
        }
        Ok(())
    }
}

impl Executor for Emulated {
    fn submit(&mut self, submission: &Submission, buffers: &Buffers) -> Result<(), JobError> {
        self.reconcile(buffers).map_err(JobError::new)?;
        let coherent = |buffer: &&FakeBuffer| !buffer.flags.contains(MemFlags::CACHEABLE);
        for buffer in buffers.iter().filter(|buffer| self.watched || coherent(buffer)) {
            self.take_writes(buffer, 0..buffer.extent())?;
        }
        for buffer in buffers.iter().filter(coherent) {
            self.twin(buffer)?.flush_all_dirty().map_err(JobError::new)?;
        }
        self.emulator.run(submission).map_err(JobError::new)?;
        if self.chaos {
            buffers.iter().try_for_each(|buffer| self.show(buffer))?;
        }
        buffers.iter().filter(coherent).try_for_each(|buffer| self.deliver(buffer, &(0..buffer.extent())))
    }

    fn synchronise(
        &mut self,
        direction: SyncFlags,
        range: Range<u64>,
        buffer: &FakeBuffer,
        buffers: &Buffers,
    ) -> Result<(), JobError> {
        self.reconcile(buffers).map_err(JobError::new)?;
        // Caches move whole lines, and pages consist of such.
        let lines = range.start / CACHE_LINE * CACHE_LINE..range.end.next_multiple_of(CACHE_LINE);
        if direction.contains(SyncFlags::TO_DEVICE) {
            let twin = self.twin(buffer)?;
            // All of it, changed or not: what the client hands over it has written, be it zeros.
            twin.write(lines.start, &part(buffer, &lines)?).map_err(JobError::new)?;
            twin.flush(lines.clone()).map_err(JobError::new)?;
        }
        if direction.contains(SyncFlags::FROM_DEVICE) {
            self.deliver(buffer, &lines)?;
        }
        Ok(())
    }
}

/// The client's bytes of a range.
fn part(buffer: &FakeBuffer, range: &Range<u64>) -> Result<Vec<u8>, JobError> {
    let length = usize::try_from(range.end - range.start).map_err(JobError::new)?;
    let mut bytes = vec![0; length];
    buffer.read(range.start, &mut bytes).map_err(JobError::new)?;
    Ok(bytes)
}

/// Runs of cache lines in which two views of a range differ.
fn changed_lines(old: &[u8], new: &[u8]) -> Vec<Range<usize>> {
    const LINE: usize = CACHE_LINE as usize;
    let mut runs: Vec<Range<usize>> = Vec::new();
    for (index, (old, new)) in old.chunks(LINE).zip(new.chunks(LINE)).enumerate() {
        let line = index * LINE..index * LINE + new.len();
        match runs.last_mut() {
            _ if old == new => {}
            Some(last) if last.end == line.start => last.end = line.end,
            _ => runs.push(line),
        }
    }
    runs
}
