//! One task on its way through the blocks: its registers, its memory, and how it complains.

use ferrite_device::memory::DeviceMemoryGuard;
use ferrite_rknpu::RegisterInfo;
use ferrite_rknpu::typed::Job;

use crate::error::Error;
use crate::options::Options;

pub(crate) struct Task<'a, 'm> {
    /// Index in the submission's task list.
    pub(crate) index: usize,
    pub(crate) job: &'a Job,
    pub(crate) memory: &'a mut DeviceMemoryGuard<'m>,
    pub(crate) options: &'a Options,
}

/// Block and register, or the bare offset of a register that has no name.
pub(crate) fn register_name(register: u16) -> String {
    RegisterInfo::at(register).map_or_else(|| format!("{register:#06x}"), RegisterInfo::full_name)
}

impl Task<'_, '_> {
    /// Bytes for the DMA whose base is in `register`.
    pub(crate) fn read(&self, register: u16, address: i64, length: usize) -> Result<&[u8], Error> {
        let at = self.address(register, address)?;
        self.memory.read(at, length).map_err(|source| self.access(register, source))
    }

    /// Stores bytes of the DMA whose base is in `register`.
    pub(crate) fn write(&mut self, register: u16, address: i64, bytes: &[u8]) -> Result<(), Error> {
        let at = self.address(register, address)?;
        match self.memory.write(at, bytes) {
            Ok(()) => Ok(()),
            Err(source) => Err(self.access(register, source)),
        }
    }

    fn address(&self, register: u16, address: i64) -> Result<u64, Error> {
        u64::try_from(address).map_err(|_| Error::Address { task: self.index, register: register_name(register), address })
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
