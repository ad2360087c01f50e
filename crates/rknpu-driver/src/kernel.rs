//! An open device node, and the driver's six requests.
#![allow(unsafe_code, reason = "the requests carry numbers that the kernel takes for its own pointers")]

use std::fmt;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::path::PathBuf;
use std::sync::Arc;

use ferrite_rknpu::ioctl::{
    Action, MemCreate, MemDestroy, MemFlags, MemMap, MemSync, Node, Request, Submit, SyncFlags, action, request_number,
};
use rustix::io::Errno;

use crate::sys;

/// Version of the kernel driver.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version {
    /// 0 in all that exist.
    pub major: u32,
    /// 8 and 9 are spoken to.
    pub minor: u32,
    /// Up to 8 is known.
    pub patch: u32,
}

impl Version {
    /// The first version whose submissions have the form used here.
    pub const OLDEST: Self = Self { major: 0, minor: 8, patch: 0 };
    /// The first version with several IOMMU domains, and so with a field for them.
    const DOMAINS: Self = Self { major: 0, minor: 9, patch: 0 };

    /// From the one number that the driver answers.
    pub const fn from_number(number: u32) -> Self {
        Self { major: number / 10_000, minor: number / 100 % 100, patch: number % 100 }
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)
    }
}

/// Asks or sets something by its selector.
pub(crate) fn ask(file: BorrowedFd<'_>, node: Node, selector: u32, value: u32) -> Result<u32, Errno> {
    let mut bytes = Action { selector, value }.to_bytes();
    // SAFETY: the argument is a selector and a plain number.
    unsafe { sys::plain(file, Request::Action.number(node), &mut bytes) }?;
    Action::from_bytes(&bytes).map(|answer| answer.value).map_err(|_| Errno::INVAL)
}

/// An open device of a known kind. Powered as long as it is open, where the driver lets us say so.
#[derive(Debug)]
pub(crate) struct Kernel {
    file: OwnedFd,
    pub(crate) node: Node,
    pub(crate) path: PathBuf,
    pub(crate) version: Version,
    pub(crate) hardware: u32,
    powered: bool,
}

impl Kernel {
    pub(crate) fn new(file: OwnedFd, node: Node, path: PathBuf, version: Version, hardware: u32) -> Self {
        // Old drivers and chips whose power is managed elsewhere refuse, and work nevertheless.
        let powered = ask(file.as_fd(), node, action::POWER_ON, 0).is_ok();
        Self { file, node, path, version, hardware, powered }
    }

    pub(crate) fn file(&self) -> BorrowedFd<'_> {
        self.file.as_fd()
    }

    /// Whether addresses go through an IOMMU. True where the driver cannot be asked, as on most chips it does.
    pub(crate) fn has_iommu(&self) -> bool {
        ask(self.file(), self.node, action::GET_IOMMU_EN, 0) != Ok(0)
    }
}

impl Drop for Kernel {
    fn drop(&mut self) {
        if self.powered {
            let _ = ask(self.file(), self.node, action::POWER_OFF, 0);
        }
    }
}

/// A buffer in the kernel: released when dropped. It is the only source of kernel names, so those passed are of live buffers.
#[derive(Debug)]
pub(crate) struct Object {
    kernel: Arc<Kernel>,
    handle: u32,
    name: u64,
    /// Where the device sees it.
    pub(crate) address: u64,
    /// A buffer of the character device stands on this memory, and is named by it.
    memory: Option<OwnedFd>,
}

impl Object {
    /// Asks for `size` bytes. Where memory comes from a heap, `memory` is that memory.
    pub(crate) fn create(
        kernel: &Arc<Kernel>,
        size: u64,
        flags: MemFlags,
        memory: Option<OwnedFd>,
    ) -> Result<Self, Errno> {
        let handle = match &memory {
            Some(memory) => u32::try_from(memory.as_raw_fd()).map_err(|_| Errno::BADF)?,
            None => 0,
        };
        let answer = request_create(kernel, MemCreate { handle, flags, size, ..MemCreate::default() })?;
        let handle = if memory.is_some() { handle } else { answer.handle };
        Ok(Self { kernel: Arc::clone(kernel), handle, name: answer.obj_addr, address: answer.dma_addr, memory })
    }

    /// The buffer of a handle that a DRM import gave. On an error the handle is closed.
    pub(crate) fn of_handle(kernel: &Arc<Kernel>, handle: u32, size: u64) -> Result<Self, Errno> {
        // Asked to create what has a handle already, the driver answers with what is there.
        match request_create(kernel, MemCreate { handle, size, ..MemCreate::default() }) {
            Ok(answer) if answer.handle == handle => {
                let (name, address) = (answer.obj_addr, answer.dma_addr);
                Ok(Self { kernel: Arc::clone(kernel), handle, name, address, memory: None })
            }
            answer => {
                let _ = sys::gem_close(kernel.file(), handle);
                if let Ok(MemCreate { handle: other, .. }) = answer {
                    // A driver that made a new buffer instead: give that back too.
                    let _ = sys::gem_close(kernel.file(), other);
                }
                Err(answer.err().unwrap_or(Errno::NXIO))
            }
        }
    }

    pub(crate) fn kernel(&self) -> &Kernel {
        &self.kernel
    }

    pub(crate) fn handle(&self) -> u32 {
        self.handle
    }

    pub(crate) fn memory(&self) -> Option<&OwnedFd> {
        self.memory.as_ref()
    }

    /// The offset by which the device file maps it.
    pub(crate) fn map_offset(&self) -> Result<u64, Errno> {
        let mut bytes = MemMap { handle: self.handle, ..MemMap::default() }.to_bytes();
        // SAFETY: the argument is a handle, which the kernel looks up.
        unsafe { sys::plain(self.kernel.file(), Request::MemMap.number(self.kernel.node), &mut bytes) }?;
        MemMap::from_bytes(&bytes).map(|answer| answer.offset).map_err(|_| Errno::INVAL)
    }

    /// Moves a range between caches and memory.
    pub(crate) fn sync(&self, flags: SyncFlags, offset: u64, size: u64) -> Result<(), Errno> {
        let mut bytes = MemSync { flags, reserved: 0, obj_addr: self.name, offset, size }.to_bytes();
        // SAFETY: the kernel gave out the name itself, and the buffer lives as long as `self`.
        unsafe { sys::plain(self.kernel.file(), Request::MemSync.number(self.kernel.node), &mut bytes) }
    }

    /// Runs tasks whose records lie in this buffer, which must be mapped into the kernel. The argument is answered in place,
    /// after a failure too. Blocks until the job ended.
    pub(crate) fn submit(&self, argument: &mut Submit) -> Result<(), Errno> {
        argument.task_obj_addr = self.name;
        let mut bytes = argument.to_bytes();
        // SAFETY: the name is as in `sync`; the other fields are numbers and device addresses, which are the device's business.
        let result = unsafe { sys::plain(self.kernel.file(), Request::Submit.number(self.kernel.node), &mut bytes) };
        *argument = Submit::from_bytes(&bytes).map_err(|_| Errno::INVAL)?;
        result
    }
}

impl Drop for Object {
    fn drop(&mut self) {
        let mut bytes = MemDestroy { handle: self.handle, reserved: 0, obj_addr: self.name }.to_bytes();
        // SAFETY: the kernel gave out the name itself, and this is its last use.
        let result =
            unsafe { sys::plain(self.kernel.file(), Request::MemDestroy.number(self.kernel.node), &mut bytes) };
        if result.is_err() && self.kernel.node == Node::Drm {
            let _ = sys::gem_close(self.kernel.file(), self.handle);
        }
    }
}

/// `MEM_CREATE` in the form of the driver's version.
fn request_create(kernel: &Kernel, argument: MemCreate) -> Result<MemCreate, Errno> {
    let whole = Request::MemCreate.number(kernel.node);
    let mut bytes = argument.to_bytes();
    let (number, used) = if kernel.version < Version::DOMAINS {
        let short = 40;
        let number = request_number(kernel.node.magic(), kernel.node.base() + Request::MemCreate as u8, short);
        (number, &mut bytes[..short])
    } else {
        (whole, &mut bytes[..])
    };
    // SAFETY: the argument holds a handle or a descriptor, which the kernel looks up, and numbers; the fields for the kernel's
    // name and the address are zero.
    unsafe { sys::plain(kernel.file(), number, used) }?;
    MemCreate::from_bytes(&bytes).map_err(|_| Errno::INVAL)
}

#[cfg(test)]
mod tests {
    use super::Version;

    #[test]
    fn versions_read_and_compare() {
        let version = Version::from_number(908);
        assert_eq!((version.to_string().as_str(), version), ("0.9.8", Version { major: 0, minor: 9, patch: 8 }));
        assert_eq!(Version::from_number(10_203).to_string(), "1.2.3");
        assert!(Version::from_number(702) < Version::OLDEST && Version::from_number(800) >= Version::OLDEST);
    }
}
