//! Device memory: memfds with device addresses.

use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::{FileExt, MetadataExt};

use ferrite_rknpu::ioctl::MemFlags;
use rustix::fs::{MemfdFlags, memfd_create};
use rustix::io::Errno;

use crate::DriverOptions;

const PAGE: u64 = 4096;
/// Where kernel pointers begin, for names that look like those of a real driver.
const KERNEL: u64 = 0xffff_0000_0000_0000;

/// One buffer. Its bytes are read and written by position, so nothing of it is mapped into the host process.
#[derive(Debug)]
pub struct FakeBuffer {
    /// The kernel's name for it.
    pub object: u64,
    /// Counts buffers in the order of their creation, from 1.
    pub number: u32,
    /// Bytes as they were requested.
    pub size: u64,
    /// How it was requested.
    pub flags: MemFlags,
    /// Where the device sees it.
    pub device_address: u64,
    file: File,
    /// Handles and mappings that keep it.
    users: usize,
}

impl FakeBuffer {
    /// Bytes it takes in whole pages.
    pub fn extent(&self) -> u64 {
        self.size.next_multiple_of(PAGE)
    }

    /// Copies bytes out.
    ///
    /// # Errors
    /// When the range goes past the buffer's pages.
    pub fn read(&self, offset: u64, bytes: &mut [u8]) -> io::Result<()> {
        self.file.read_exact_at(bytes, offset)
    }

    /// All bytes that were requested.
    ///
    /// # Errors
    /// When the memory cannot be read.
    pub fn contents(&self) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; usize::try_from(self.size).map_err(io::Error::other)?];
        self.read(0, &mut bytes)?;
        Ok(bytes)
    }

    /// Writes bytes; a real device would go past the end, this one does not.
    ///
    /// # Errors
    /// When the range goes past the buffer's pages.
    pub fn write(&self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        if offset.checked_add(bytes.len() as u64).is_none_or(|end| end > self.extent()) {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        self.file.write_all_at(bytes, offset)
    }

    /// A file descriptor of its memory.
    pub(crate) fn descriptor(&self) -> io::Result<OwnedFd> {
        Ok(self.file.try_clone()?.into())
    }
}

/// All buffers of the driver.
#[derive(Debug, Default)]
pub struct Buffers {
    objects: BTreeMap<u64, FakeBuffer>,
    created: u32,
}

impl Buffers {
    /// In the order of their creation.
    pub fn iter(&self) -> impl Iterator<Item = &FakeBuffer> {
        self.objects.values()
    }

    /// The buffer with a kernel name.
    pub fn object(&self, object: u64) -> Option<&FakeBuffer> {
        self.objects.get(&object)
    }

    /// The buffer that contains a device address, and the offset in it.
    pub fn at(&self, address: u64) -> Option<(&FakeBuffer, u64)> {
        let inside = |buffer: &&FakeBuffer| address.wrapping_sub(buffer.device_address) < buffer.extent();
        self.iter().find(inside).map(|buffer| (buffer, address - buffer.device_address))
    }

    /// Copies bytes from device addresses.
    ///
    /// # Errors
    /// When they do not all lie in one buffer.
    pub fn read(&self, address: u64, bytes: &mut [u8]) -> io::Result<()> {
        let (buffer, offset) = self.at(address).ok_or(io::ErrorKind::AddrNotAvailable)?;
        buffer.read(offset, bytes)
    }

    /// Bytes of all buffers, in whole pages.
    pub fn in_use(&self) -> u64 {
        self.iter().map(FakeBuffer::extent).sum()
    }

    /// Creates a buffer with one user and returns its kernel name.
    pub(crate) fn create(&mut self, size: u64, flags: MemFlags, options: &DriverOptions) -> Result<u64, Errno> {
        let extent = size.checked_next_multiple_of(PAGE).filter(|&extent| extent > 0).ok_or(Errno::INVAL)?;
        let full = self.objects.len() >= options.buffers;
        if full || self.in_use().checked_add(extent).is_none_or(|total| total > options.memory) {
            return Err(Errno::NOMEM);
        }
        let file = File::from(memfd_create("rknpu-buffer", MemfdFlags::CLOEXEC)?);
        file.set_len(extent).map_err(|_| Errno::NOMEM)?;
        self.insert(file, size, flags, options)
    }

    /// Takes in someone else's memory, or finds the buffer whose memory it is; adds a user. Of fresh memory it takes `size`
    /// bytes, all of it if that is `None`.
    pub(crate) fn import(
        &mut self,
        fd: OwnedFd,
        size: Option<u64>,
        flags: MemFlags,
        options: &DriverOptions,
    ) -> Result<u64, Errno> {
        let file = File::from(fd);
        let meta = file.metadata().map_err(|_| Errno::BADF)?;
        let same = |buffer: &FakeBuffer| {
            buffer.file.metadata().is_ok_and(|own| (own.dev(), own.ino()) == (meta.dev(), meta.ino()))
        };
        if let Some(buffer) = self.objects.values_mut().find(|buffer| same(buffer)) {
            buffer.users += 1;
            return Ok(buffer.object);
        }
        let size = size.unwrap_or(meta.len());
        if size == 0 || size > meta.len() || self.objects.len() >= options.buffers {
            return Err(Errno::INVAL);
        }
        self.insert(file, size, flags, options)
    }

    fn insert(&mut self, file: File, size: u64, flags: MemFlags, options: &DriverOptions) -> Result<u64, Errno> {
        let extent = size.next_multiple_of(PAGE);
        let device_address = self.place(extent, options).ok_or(Errno::NOMEM)?;
        self.created += 1;
        let object = KERNEL + u64::from(self.created) * PAGE;
        let number = self.created;
        self.objects.insert(object, FakeBuffer { object, number, size, flags, device_address, file, users: 1 });
        Ok(object)
    }

    /// The highest free place, as the vendor's IOMMU allocator gives out addresses downward.
    fn place(&self, extent: u64, options: &DriverOptions) -> Option<u64> {
        let mut taken: Vec<(u64, u64)> = self.iter().map(|buffer| (buffer.device_address, buffer.extent())).collect();
        taken.sort_unstable();
        let mut top = options.top - options.top % PAGE;
        for (base, bytes) in taken.into_iter().rev() {
            if top.checked_sub(base + bytes).is_some_and(|gap| gap >= extent) {
                break;
            }
            top = base;
        }
        top.checked_sub(extent).filter(|&base| base >= options.lowest)
    }

    pub(crate) fn add_user(&mut self, object: u64) {
        if let Some(buffer) = self.objects.get_mut(&object) {
            buffer.users += 1;
        }
    }

    /// Takes a user away; the last one takes the buffer along.
    pub(crate) fn remove_user(&mut self, object: u64) {
        let Some(buffer) = self.objects.get_mut(&object) else { return };
        buffer.users -= 1;
        if buffer.users == 0 {
            self.objects.remove(&object);
        }
    }
}

impl AsFd for FakeBuffer {
    fn as_fd(&self) -> std::os::fd::BorrowedFd<'_> {
        self.file.as_fd()
    }
}
