//! The device.

use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ferrite_device::{Buffer, BufferKind, Completed, Device, Error, Fence, Submit};
use ferrite_rknpu::ioctl::{self, MemFlags, Node};
use ferrite_rknpu::{JobFlags, Submission, TaskRecord};
use rustix::io::Errno;

use crate::error::{Asked, DriverError, OpenError};
use crate::kernel::{Kernel, Version};
use crate::memory::Memory;
use crate::probe::{self, OpenOptions};
use crate::registry::Registry;
use crate::sys;
use crate::written::written;

/// The NPU of this machine, through the vendor's kernel driver. See the [crate](crate) for what it takes care of.
///
/// Everything may be called from several threads at once; submissions of different threads are in flight together, and the
/// kernel driver queues them.
#[derive(Debug)]
pub struct VendorDriver {
    /// For messages: the driver, its version and the node.
    name: String,
    kernel: Arc<Kernel>,
    buffers: Mutex<Registry>,
    /// Whether the kernel knows [`MemFlags::IOMMU_LIMIT_IOVA_ALIGNMENT`], as far as we have seen.
    limits_alignment: AtomicBool,
}

impl VendorDriver {
    /// Opens the NPU.
    ///
    /// # Errors
    /// When no node is usable; see [`OpenError`].
    pub fn open(options: &OpenOptions) -> Result<Self, OpenError> {
        let kernel = Arc::new(probe::open(options)?);
        let name = format!("rknpu driver {} at {}", kernel.version, kernel.path.display());
        // It came with the drivers that have several domains; `allocate` finds out if that guess is wrong.
        let limits_alignment = AtomicBool::new(kernel.version.minor >= 9 || kernel.version.major > 0);
        Ok(Self { name, kernel, buffers: Mutex::default(), limits_alignment })
    }

    /// The node that was opened.
    pub fn path(&self) -> &Path {
        &self.kernel.path
    }

    /// Which build of the kernel driver it is.
    pub fn node(&self) -> Node {
        self.kernel.node
    }

    /// The kernel driver's version.
    pub fn version(&self) -> Version {
        self.kernel.version
    }

    /// The hardware's version register, 0x46495245 on the RK3588; 0 if the driver did not tell.
    pub fn hardware_version(&self) -> u32 {
        self.kernel.hardware
    }

    fn buffers(&self) -> MutexGuard<'_, Registry> {
        self.buffers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn error(&self, error: DriverError) -> Error {
        Error::device(&self.name, error)
    }

    /// Allocates with the flags that the vendor's runtime uses, as far as this kernel knows them.
    fn memory(&self, size: u64, kind: BufferKind) -> Result<Memory, DriverError> {
        let limit = self.limits_alignment.load(Ordering::Relaxed);
        match Memory::allocate(&self.kernel, size, flags(kind, limit)) {
            Err(DriverError::Refused { source, .. }) if limit && is(&source, Errno::INVAL) => {
                let memory = Memory::allocate(&self.kernel, size, flags(kind, false))?;
                self.limits_alignment.store(false, Ordering::Relaxed);
                Ok(memory)
            }
            result => result,
        }
    }

    /// Checks a submission, and prepares what the kernel is told and what is to be marked afterwards.
    fn prepare(&self, submission: &Submission) -> Result<Job, DriverError> {
        let known = JobFlags::PC | JobFlags::PINGPONG;
        let flags = submission.flags.0;
        if flags & !known.0 != 0 || !submission.flags.contains(JobFlags::PC) {
            return Err(DriverError::Flags { flags });
        }
        let work = submission.work()?;
        let first = work.iter().map(|work| work.tasks.start).min().unwrap_or(0);
        let last = work.iter().map(|work| work.tasks.end).max().unwrap_or(0);
        if work.iter().all(|work| work.tasks.is_empty()) {
            return Err(DriverError::NoTasks);
        }
        let (address, tasks) = (submission.task_list, submission.tasks.len());
        let bytes = tasks as u64 * TaskRecord::SIZE as u64;
        let buffers = self.buffers();
        let list = buffers.starting_at(address);
        let list = list.filter(|list| list.kernel_reads && ferrite_device::Backing::len(&**list) >= bytes);
        let list = list.ok_or(DriverError::TaskList { address, tasks })?;
        let written = written(submission, &work, &buffers)?;
        Ok(Job { argument: argument(submission), list, written, tasks: first..last })
    }
}

/// A submission on its way.
struct Job {
    argument: ioctl::Submit,
    list: Arc<Memory>,
    written: Vec<Buffer>,
    tasks: std::ops::Range<usize>,
}

/// What the kernel is told. The kernel's name of the task list is filled in when it is passed.
fn argument(submission: &Submission) -> ioctl::Submit {
    ioctl::Submit {
        flags: submission.flags.0,
        timeout: submission.timeout,
        task_start: submission.range.start,
        task_number: submission.range.number,
        core_mask: submission.core_mask.0,
        // No fence.
        fence_fd: -1,
        subcores: submission.subcores,
        ..ioctl::Submit::default()
    }
}

fn flags(kind: BufferKind, limits_alignment: bool) -> MemFlags {
    let mut flags = MemFlags::NON_CONTIGUOUS | MemFlags::CACHEABLE;
    if limits_alignment {
        flags = flags | MemFlags::IOMMU_LIMIT_IOVA_ALIGNMENT;
    }
    match kind {
        BufferKind::Tasks => flags | MemFlags::KERNEL_MAPPING,
        BufferKind::OnChip => flags | MemFlags::TRY_ALLOC_SRAM,
        _ => flags,
    }
}

fn is(error: &std::io::Error, errno: Errno) -> bool {
    Errno::from_io_error(error) == Some(errno)
}

impl Device for VendorDriver {
    fn name(&self) -> &str {
        &self.name
    }

    fn allocate(&self, size: u64, kind: BufferKind) -> Result<Buffer, Error> {
        if size == 0 {
            return Err(Error::EmptyBuffer);
        }
        self.buffers().sweep();
        let memory = match (self.memory(size, kind), kind) {
            // Without such memory, or with a driver that does not know of it.
            (Err(_), BufferKind::OnChip) => self.memory(size, BufferKind::Data),
            (memory, _) => memory,
        };
        let buffer = self.buffers().insert(memory.map_err(|error| self.error(error))?);
        if kind == BufferKind::OnChip {
            // The kernel gives out pages zeroed, but not on-chip memory.
            buffer.with_bytes_mut(0..size, |bytes| bytes.fill(0))?;
            buffer.flush(0..size)?;
        }
        Ok(buffer)
    }

    fn import(&self, fd: OwnedFd, size: u64) -> Result<Buffer, Error> {
        if size == 0 {
            return Err(Error::EmptyBuffer);
        }
        let mut buffers = self.buffers();
        buffers.sweep();
        let found = dma_buf_size(&fd);
        if found != 0 && found < size {
            return Err(self.error(DriverError::ImportSize { wanted: size, found }));
        }
        // Memory that is known comes back as what it is: there is one buffer then, and one owner of the kernel's handle.
        if let Some(known) = buffers.of_memory(fd.as_fd()) {
            return known.view(0..size);
        }
        let memory = match self.kernel.node {
            Node::Misc => Memory::adopt(&self.kernel, fd, size),
            Node::Drm => {
                let refused = |errno| DriverError::refused("importing a dma-buf", Asked::Import, errno);
                let handle = sys::prime_import(self.kernel.file(), fd.as_fd()).map_err(refused);
                let handle = handle.map_err(|error| self.error(error))?;
                if let Some(known) = buffers.of_handle(handle) {
                    return known.view(0..size);
                }
                Memory::import(&self.kernel, handle, fd, size)
            }
        };
        let buffer = buffers.insert(memory.map_err(|error| self.error(error))?);
        buffer.mark_untracked();
        Ok(buffer)
    }
}

/// The size of a dma-buf, which its end tells; 0 where it does not.
fn dma_buf_size(fd: &OwnedFd) -> u64 {
    rustix::fs::seek(fd, rustix::fs::SeekFrom::End(0)).unwrap_or(0)
}

impl Submit<Submission> for VendorDriver {
    fn submit(&self, submission: &Submission) -> Result<Box<dyn Fence>, Error> {
        self.buffers().sweep();
        let mut job = self.prepare(submission).map_err(|error| self.error(error))?;
        // The buffers of `job` are held meanwhile, so nothing that the device writes can be released.
        let result = job.list.object().submit(&mut job.argument);
        // A job that failed may have written, too.
        for buffer in &job.written {
            buffer.mark_device_wrote(0..buffer.len())?;
        }
        let result = match result {
            Ok(()) => Ok(()),
            Err(Errno::TIMEDOUT) => {
                let done = job.argument.task_counter;
                let error = DriverError::timeout(&submission.tasks, job.tasks, submission.timeout, done);
                Err(self.error(error))
            }
            Err(errno) => {
                let what = format!("submitting tasks {} to {}", job.tasks.start, job.tasks.end.saturating_sub(1));
                return Err(self.error(DriverError::refused(what, Asked::Submit, errno)));
            }
        };
        Ok(Box::new(Completed::new(result)))
    }
}
