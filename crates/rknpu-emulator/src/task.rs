//! One task on its way through the blocks: its registers, its memory, and how it complains.

use ferrite_device::memory::DeviceMemoryGuard;
use ferrite_rknpu::RegisterInfo;
use ferrite_rknpu::typed::Job;
use ferrite_rknpu::typed::ranges::{Direction, Region};

use crate::error::Error;
use crate::options::Options;

pub(crate) struct Task<'a, 'm> {
    /// Index in the submission's task list.
    pub(crate) index: usize,
    pub(crate) job: &'a Job,
    pub(crate) memory: &'a mut DeviceMemoryGuard<'m>,
    pub(crate) options: &'a Options,
    /// What the task was expected to touch when its cost was judged.
    pub(crate) regions: &'a [Region],
}

/// Block and register, or the bare offset of a register that has no name.
pub(crate) fn register_name(register: u16) -> String {
    RegisterInfo::at(register).map_or_else(|| format!("{register:#06x}"), RegisterInfo::full_name)
}

impl Task<'_, '_> {
    /// Bytes for the DMA whose base is in `register`.
    pub(crate) fn read(&self, register: u16, address: i64, length: usize) -> Result<&[u8], Error> {
        self.expected(Direction::Read, register, address, length);
        let at = self.address(register, address)?;
        self.memory.read(at, length).map_err(|source| self.access(register, source))
    }

    /// Stores bytes of the DMA whose base is in `register`.
    pub(crate) fn write(&mut self, register: u16, address: i64, bytes: &[u8]) -> Result<(), Error> {
        self.expected(Direction::Write, register, address, bytes.len());
        let at = self.address(register, address)?;
        match self.memory.write(at, bytes) {
            Ok(()) => Ok(()),
            Err(source) => Err(self.access(register, source)),
        }
    }

    /// What a task touches and what was computed about it beforehand must agree, or limits and linters judge wrongly.
    fn expected(&self, direction: Direction, register: u16, address: i64, length: usize) {
        let inside = |region: &Region| {
            let (start, end) = region.bounds();
            region.direction == direction
                && region.register == register
                && start <= address
                && address + length as i64 <= end
        };
        debug_assert!(
            length == 0 || self.regions.iter().any(inside),
            "task {}: {direction:?} of {length} bytes at {address:#x} is in no region of {}: {:x?}",
            self.index,
            register_name(register),
            self.regions
        );
    }

    fn address(&self, register: u16, address: i64) -> Result<u64, Error> {
        u64::try_from(address).map_err(|_| Error::Address {
            task: self.index,
            register: register_name(register),
            address,
        })
    }

    fn access(&self, register: u16, source: ferrite_device::memory::AccessError) -> Error {
        Error::Access { task: self.index, register: register_name(register), source }
    }

    /// The complaint about a register value without a model.
    pub(crate) fn refuse<T>(&self, register: u16, value: u32, reason: &'static str) -> Result<T, Error> {
        Err(refusal(self.index, register, value, reason))
    }
}

pub(crate) fn refusal(task: usize, register: u16, value: u32, reason: &'static str) -> Error {
    Error::NotModelled { task, register: register_name(register), value, reason }
}
