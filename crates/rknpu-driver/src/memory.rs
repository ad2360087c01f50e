//! Buffers of the kernel driver as backings.

use std::fs::File;
use std::ops::Range;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::Arc;

use ferrite_device::{Backing, Error};
use ferrite_rknpu::ioctl::{MemFlags, Node, SyncFlags};

use crate::error::{Asked, DriverError};
use crate::kernel::{Kernel, Object};
use crate::mapping::Mapping;
use crate::sys::{self, Access};

/// One past the highest address that a program can hold.
const WINDOW: u64 = 1 << 32;
/// Where dma-heaps are.
const HEAPS: &str = "/dev/dma_heap";
/// Heaps by their usual names: of scattered pages, good behind an IOMMU, and of contiguous memory, good everywhere.
const SCATTERED: &str = "system";
const CONTIGUOUS: [&str; 4] = ["rk-dma-heap-cma", "linux,cma", "reserved", "cma"];

/// How the host's and the device's view are made to agree.
#[derive(Debug)]
enum Coherence {
    /// By the driver, in ranges.
    Driver,
    /// By the exporter of this dma-buf, as a whole: the driver does not sync imported memory.
    Exporter(OwnedFd),
}

/// A buffer of the kernel driver, mapped.
#[derive(Debug)]
pub(crate) struct Memory {
    // The order matters: a mapping goes before what it maps.
    mapping: Mapping,
    coherence: Coherence,
    object: Object,
    len: u64,
    /// Whether the kernel can read it, as it must a task list.
    pub(crate) kernel_reads: bool,
}

impl Memory {
    /// Allocates and maps `size` bytes.
    pub(crate) fn allocate(kernel: &Arc<Kernel>, size: u64, flags: MemFlags) -> Result<Self, DriverError> {
        let refused = |errno| DriverError::refused(format!("allocating {size} bytes"), Asked::Allocate, errno);
        let heap = match kernel.node {
            Node::Drm => None,
            Node::Misc => Some(from_heap(kernel, size)?),
        };
        let object = Object::create(kernel, size, flags, heap).map_err(refused)?;
        Self::new(object, size, flags, Coherence::Driver)
    }

    /// Takes in the memory of a dma-buf whose handle is known.
    pub(crate) fn import(kernel: &Arc<Kernel>, handle: u32, fd: OwnedFd, size: u64) -> Result<Self, DriverError> {
        let refused = |errno| DriverError::refused("importing a dma-buf", Asked::Import, errno);
        let object = Object::of_handle(kernel, handle, size).map_err(refused)?;
        Self::new(object, size, MemFlags::CACHEABLE, Coherence::Exporter(fd))
    }

    /// Takes in a dma-buf where buffers stand on dma-bufs anyway.
    pub(crate) fn adopt(kernel: &Arc<Kernel>, fd: OwnedFd, size: u64) -> Result<Self, DriverError> {
        let refused = |errno| DriverError::refused("importing a dma-buf", Asked::Import, errno);
        let flags = MemFlags::CACHEABLE;
        let object = Object::create(kernel, size, flags, Some(fd)).map_err(refused)?;
        Self::new(object, size, flags, Coherence::Driver)
    }

    fn new(object: Object, len: u64, flags: MemFlags, coherence: Coherence) -> Result<Self, DriverError> {
        let range = object.address..object.address.saturating_add(len);
        if range.end > WINDOW {
            return Err(DriverError::BeyondWindow { range });
        }
        let refused = |errno| DriverError::refused(format!("mapping {len} bytes"), Asked::Map, errno);
        let mapping = match (&coherence, object.memory()) {
            (Coherence::Exporter(memory), _) | (_, Some(memory)) => Mapping::new(memory.as_fd(), 0, len),
            _ => object.map_offset().and_then(|offset| Mapping::new(object.kernel().file(), offset, len)),
        };
        let mapping = mapping.map_err(refused)?;
        Ok(Self { mapping, coherence, object, len, kernel_reads: flags.contains(MemFlags::KERNEL_MAPPING) })
    }

    pub(crate) fn object(&self) -> &Object {
        &self.object
    }

    /// The dma-buf that this stands on, if it does.
    pub(crate) fn descriptor(&self) -> Option<BorrowedFd<'_>> {
        match &self.coherence {
            Coherence::Exporter(memory) => Some(memory.as_fd()),
            Coherence::Driver => self.object.memory().map(AsFd::as_fd),
        }
    }

    fn error(&self, error: DriverError) -> Error {
        Error::device(self.name(), error)
    }

    fn outside(&self, range: &Range<u64>) -> Error {
        Error::OutOfRange { buffer: format!("{:#x}", self.object.address), range: range.clone(), len: self.len }
    }

    /// Moves `range`, or all of it where the exporter can do nothing less, and says what was moved.
    fn sync(&self, flags: SyncFlags, range: Range<u64>) -> Result<Range<u64>, Error> {
        let (direction, access) = match flags {
            SyncFlags::TO_DEVICE => ("to", Access::EndWrite),
            _ => ("from", Access::BeginRead),
        };
        let (result, moved) = match &self.coherence {
            Coherence::Driver => (self.object.sync(flags, range.start, range.end.saturating_sub(range.start)), range),
            Coherence::Exporter(memory) => (sys::dma_buf_sync(memory.as_fd(), access), 0..self.len),
        };
        let what = || format!("moving {:#x}..{:#x} of a buffer {direction} the device", moved.start, moved.end);
        result.map_err(|errno| self.error(DriverError::refused(what(), Asked::Sync, errno)))?;
        Ok(moved)
    }
}

/// Memory for a buffer from the heap that suits.
fn from_heap(kernel: &Kernel, size: u64) -> Result<OwnedFd, DriverError> {
    let heaps = CONTIGUOUS.iter().chain([&SCATTERED]);
    let (mut order, mut failures): (Vec<&str>, Vec<String>) = (heaps.copied().collect(), Vec::new());
    if kernel.has_iommu() {
        order.rotate_right(1);
    }
    for name in order {
        let path = format!("{HEAPS}/{name}");
        let memory = File::open(&path).and_then(|heap| sys::heap_allocate(heap, size).map_err(std::io::Error::from));
        match memory {
            Ok(memory) => return Ok(memory),
            Err(error) => failures.push(format!("{path}: {error}")),
        }
    }
    Err(DriverError::NoHeap(failures.join("; ")))
}

impl Backing for Memory {
    fn name(&self) -> &str {
        "memory of the rknpu driver"
    }

    fn len(&self) -> u64 {
        self.len
    }

    fn device_address(&self) -> u64 {
        self.object.address
    }

    fn read_host(&self, range: Range<u64>, access: &mut dyn FnMut(&[u8])) -> Result<(), Error> {
        self.mapping.read(&range, access).ok_or_else(|| self.outside(&range))
    }

    fn write_host(&self, range: Range<u64>, access: &mut dyn FnMut(&mut [u8])) -> Result<(), Error> {
        self.mapping.write(&range, access).ok_or_else(|| self.outside(&range))
    }

    fn flush(&self, range: Range<u64>) -> Result<Range<u64>, Error> {
        self.sync(SyncFlags::TO_DEVICE, range)
    }

    fn invalidate(&self, range: Range<u64>) -> Result<Range<u64>, Error> {
        self.mapping.exclusive(|| self.sync(SyncFlags::FROM_DEVICE, range))
    }

    fn export(&self) -> Result<OwnedFd, Error> {
        let exported = match self.descriptor() {
            Some(memory) => rustix::io::fcntl_dupfd_cloexec(memory, 0),
            None => sys::prime_export(self.object.kernel().file(), self.object.handle()),
        };
        exported.map_err(|errno| self.error(DriverError::refused("exporting a buffer", Asked::Export, errno)))
    }

    fn host_pointer(&self) -> Result<*mut u8, Error> {
        Ok(self.mapping.start())
    }
}
