//! The buffers of a device, by address.

use std::collections::BTreeMap;
use std::os::fd::BorrowedFd;
use std::sync::{Arc, Weak};

use ferrite_device::{Backing, Buffer};
use rustix::fs::{fstat, fstatfs};

use crate::memory::Memory;

/// What anonymous files of the kernel lie in. Before Linux 5.3 dma-bufs did, and all had one inode.
const ANONYMOUS: i64 = 0x0904_1934;

/// What tells two files apart, if anything does.
fn identity(fd: BorrowedFd<'_>) -> Option<(u64, u64)> {
    let system = fstatfs(fd).ok()?;
    let stat = fstat(fd).ok().filter(|_| system.f_type as i64 != ANONYMOUS)?;
    Some((stat.st_dev, stat.st_ino))
}

/// A live buffer.
#[derive(Debug)]
struct Entry {
    buffer: Buffer,
    memory: Weak<Memory>,
}

impl Entry {
    /// Whether only this entry still holds the buffer.
    fn is_unused(&self) -> bool {
        self.memory.strong_count() <= 1
    }
}

/// Every buffer that the device gave out and that somebody still holds, and for a while those that nobody does.
#[derive(Debug, Default)]
pub(crate) struct Registry {
    by_address: BTreeMap<u64, Entry>,
}

impl Registry {
    /// Takes in a fresh buffer.
    pub(crate) fn insert(&mut self, memory: Memory) -> Buffer {
        let memory = Arc::new(memory);
        let weak = Arc::downgrade(&memory);
        let address = memory.device_address();
        let buffer = Buffer::new(memory);
        self.by_address.insert(address, Entry { buffer: buffer.clone(), memory: weak });
        buffer
    }

    /// Releases what nobody holds any more.
    pub(crate) fn sweep(&mut self) {
        self.by_address.retain(|_, entry| !entry.is_unused());
    }

    /// The buffer that contains a device address, and the offset in it.
    pub(crate) fn at(&self, address: u64) -> Option<(&Buffer, u64)> {
        let (start, entry) = self.by_address.range(..=address).next_back()?;
        let offset = address - start;
        (offset < entry.buffer.len()).then_some((&entry.buffer, offset))
    }

    /// The memory of the buffer that begins at a device address.
    pub(crate) fn starting_at(&self, address: u64) -> Option<Arc<Memory>> {
        self.by_address.get(&address)?.memory.upgrade()
    }

    /// The buffer that stands on this memory, whatever descriptor it is reached by.
    pub(crate) fn of_memory(&self, fd: BorrowedFd<'_>) -> Option<&Buffer> {
        let wanted = identity(fd)?;
        let same = |entry: &&Entry| {
            let memory = entry.memory.upgrade();
            memory.is_some_and(|memory| memory.descriptor().and_then(identity) == Some(wanted))
        };
        self.by_address.values().find(same).map(|entry| &entry.buffer)
    }

    /// The buffer that has a kernel handle.
    pub(crate) fn of_handle(&self, handle: u32) -> Option<&Buffer> {
        let has = |entry: &&Entry| entry.memory.upgrade().is_some_and(|memory| memory.object().handle() == handle);
        self.by_address.values().find(has).map(|entry| &entry.buffer)
    }
}
