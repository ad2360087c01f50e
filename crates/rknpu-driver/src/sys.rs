//! The system calls, as safe functions where that is possible.
#![allow(unsafe_code, reason = "ioctls are untyped: the kernel reads and writes what the request number says")]

use std::ffi::{c_char, c_int, c_void};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use std::time::Duration;

use ferrite_rknpu::ioctl::request_number;
use rustix::fs::OFlags;
use rustix::io::Errno;
use rustix::ioctl::{Ioctl, IoctlOutput, Opcode, Updater};

/// `DRM_IOCTL_GEM_CLOSE`, which only hands in: handle and padding.
const GEM_CLOSE: u32 = 0x4008_6409;
/// `DRM_IOCTL_PRIME_HANDLE_TO_FD`: handle, flags, descriptor.
const PRIME_HANDLE_TO_FD: u32 = request_number(b'd', 0x2d, 12);
/// `DRM_IOCTL_PRIME_FD_TO_HANDLE`.
const PRIME_FD_TO_HANDLE: u32 = request_number(b'd', 0x2e, 12);
/// `DMA_BUF_IOCTL_SYNC`, which only hands in: flags.
const DMA_BUF_SYNC: u32 = 0x4008_6200;
/// `DMA_HEAP_IOCTL_ALLOC`: length, descriptor, its flags, flags of the heap.
const DMA_HEAP_ALLOC: u32 = request_number(b'H', 0, 24);
/// The longest argument of any request here.
const LONGEST: usize = 128;
/// How often, and after what pause, a request that the kernel cannot take just now is made again.
const AGAIN: (u32, Duration) = (1000, Duration::from_millis(1));

/// An argument of plain bytes.
struct Plain<'a> {
    number: u32,
    bytes: &'a mut [u8],
}

// SAFETY: `as_ptr` points to the argument, whose length `plain` has compared with the one in the request number. The kernel
// writes it, hence mutating.
unsafe impl Ioctl for Plain<'_> {
    type Output = ();
    const IS_MUTATING: bool = true;

    fn opcode(&self) -> Opcode {
        self.number as Opcode
    }

    fn as_ptr(&mut self) -> *mut c_void {
        self.bytes.as_mut_ptr().cast()
    }

    unsafe fn output_from_ptr(_: IoctlOutput, _: *mut c_void) -> rustix::io::Result<()> {
        Ok(())
    }
}

/// Repeats a request that a signal interrupted or that the kernel could not take just now.
fn retry(mut request: impl FnMut() -> Result<(), Errno>) -> Result<(), Errno> {
    let (mut left, pause) = AGAIN;
    loop {
        match request() {
            Err(Errno::INTR) => {}
            Err(Errno::AGAIN) if left > 0 => {
                left -= 1;
                std::thread::sleep(pause);
            }
            result => return result,
        }
    }
}

/// Makes a request whose argument is `bytes`. They hold the answer afterwards, after a failure too, as far as the kernel wrote
/// one. An argument that does not have the size in `number` is [`Errno::INVAL`].
///
/// # Safety
/// The argument must hold no address: neither one in this process nor one that the kernel takes for its own, except such as
/// the kernel gave out itself and still knows.
pub(crate) unsafe fn plain(file: BorrowedFd<'_>, number: u32, bytes: &mut [u8]) -> Result<(), Errno> {
    let mut original = [0; LONGEST];
    let size = ferrite_rknpu::ioctl::request_size(number);
    let original = match original.get_mut(..bytes.len()) {
        Some(original) if bytes.len() == size => original,
        _ => return Err(Errno::INVAL),
    };
    original.copy_from_slice(bytes);
    retry(|| {
        bytes.copy_from_slice(original);
        // SAFETY: the argument has the size that the number says; that it may be acted on is the caller's promise.
        unsafe { rustix::ioctl::ioctl(file, Plain { number, bytes }) }
    })
}

/// The argument of `DRM_IOCTL_VERSION`.
#[repr(C)]
struct DrmVersion {
    numbers: [c_int; 3],
    name_len: usize,
    name: *mut c_char,
    date_len: usize,
    date: *mut c_char,
    description_len: usize,
    description: *mut c_char,
}

/// The name by which the DRM driver behind a file introduces itself.
pub(crate) fn drm_name(file: BorrowedFd<'_>) -> Result<String, Errno> {
    const NUMBER: Opcode = request_number(b'd', 0, size_of::<DrmVersion>()) as Opcode;
    let mut name = [0_u8; 64];
    let mut length = 0;
    retry(|| {
        let none = std::ptr::null_mut();
        let mut version = DrmVersion {
            numbers: [0; 3],
            name_len: name.len(),
            name: name.as_mut_ptr().cast(),
            date_len: 0,
            date: none,
            description_len: 0,
            description: none,
        };
        // SAFETY: the structure is that of the request, and the kernel writes at most `name_len` bytes to `name`, which lives
        // longer than the call. It copies no other text, for their lengths are 0.
        unsafe { rustix::ioctl::ioctl(file, Updater::<NUMBER, DrmVersion>::new(&mut version)) }?;
        length = version.name_len;
        Ok(())
    })?;
    let name = name.get(..length).unwrap_or(&name);
    Ok(String::from_utf8_lossy(name).trim_end_matches('\0').to_owned())
}

/// Three numbers as an argument of 12 bytes.
fn three(numbers: [u32; 3]) -> [u8; 12] {
    let mut bytes = [0; 12];
    for (target, number) in bytes.as_chunks_mut::<4>().0.iter_mut().zip(numbers) {
        *target = number.to_ne_bytes();
    }
    bytes
}

fn number_at(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..).and_then(<[u8]>::first_chunk).map_or(0, |chunk| u32::from_ne_bytes(*chunk))
}

/// Takes over a file descriptor that the kernel has just put into an answer.
fn received(descriptor: u32) -> Result<OwnedFd, Errno> {
    let descriptor = i32::try_from(descriptor).map_err(|_| Errno::BADF)?;
    // SAFETY: the kernel made this descriptor for this answer, so nothing else in the process owns it.
    Ok(unsafe { OwnedFd::from_raw_fd(descriptor) })
}

/// Closes a handle of a DRM file.
pub(crate) fn gem_close(file: BorrowedFd<'_>, handle: u32) -> Result<(), Errno> {
    let mut bytes = [0; 8];
    bytes[..4].copy_from_slice(&handle.to_ne_bytes());
    // SAFETY: the argument is a handle, which the kernel looks up.
    unsafe { plain(file, GEM_CLOSE, &mut bytes) }
}

/// A dma-buf of the buffer behind a handle.
pub(crate) fn prime_export(file: BorrowedFd<'_>, handle: u32) -> Result<OwnedFd, Errno> {
    let mut bytes = three([handle, (OFlags::CLOEXEC | OFlags::RDWR).bits(), 0]);
    // SAFETY: the argument is a handle, which the kernel looks up, and flags.
    unsafe { plain(file, PRIME_HANDLE_TO_FD, &mut bytes) }?;
    received(number_at(&bytes, 8))
}

/// The handle of the buffer behind a dma-buf; the one that it has already, if the file knows it.
pub(crate) fn prime_import(file: BorrowedFd<'_>, memory: BorrowedFd<'_>) -> Result<u32, Errno> {
    let descriptor = u32::try_from(memory.as_raw_fd()).map_err(|_| Errno::BADF)?;
    let mut bytes = three([0, 0, descriptor]);
    // SAFETY: the argument is a descriptor, which the kernel looks up.
    unsafe { plain(file, PRIME_FD_TO_HANDLE, &mut bytes) }?;
    Ok(number_at(&bytes, 0))
}

/// Direction of a [`dma_buf_sync`].
#[derive(Debug, Clone, Copy)]
pub(crate) enum Access {
    /// The host is about to read.
    BeginRead,
    /// The host has written.
    EndWrite,
}

/// Makes host and devices agree on a whole dma-buf.
pub(crate) fn dma_buf_sync(memory: BorrowedFd<'_>, access: Access) -> Result<(), Errno> {
    // Reading 1, writing 2; the end of an access 4.
    let flags: u64 = match access {
        Access::BeginRead => 1,
        Access::EndWrite => 2 | 4,
    };
    // SAFETY: the argument is flags.
    unsafe { plain(memory, DMA_BUF_SYNC, &mut flags.to_ne_bytes()) }
}

/// Memory from a dma-heap.
pub(crate) fn heap_allocate(heap: impl AsFd, size: u64) -> Result<OwnedFd, Errno> {
    let mut bytes = [0; 24];
    bytes[..8].copy_from_slice(&size.to_ne_bytes());
    bytes[12..16].copy_from_slice(&(OFlags::CLOEXEC | OFlags::RDWR).bits().to_ne_bytes());
    // SAFETY: the argument is a length and flags.
    unsafe { plain(heap.as_fd(), DMA_HEAP_ALLOC, &mut bytes) }?;
    received(number_at(&bytes, 8))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_signal_interrupts_is_done_again_and_what_never_works_ends() {
        let mut answers = vec![Err(Errno::INTR), Err(Errno::AGAIN), Err(Errno::INTR), Ok(())].into_iter();
        assert_eq!(retry(|| answers.next().unwrap()), Ok(()));
        assert_eq!(answers.next(), None);
        let mut calls = 0;
        let busy = retry(|| {
            calls += 1;
            Err(if calls > 3 { Errno::NOMEM } else { Errno::AGAIN })
        });
        assert_eq!((busy, calls), (Err(Errno::NOMEM), 4));
    }

    /// Files that are no devices refuse, and an argument of the wrong size never reaches the kernel.
    #[test]
    fn other_files_refuse() {
        let file = tempfile::tempfile().unwrap();
        assert_eq!(drm_name(file.as_fd()).unwrap_err(), Errno::NOTTY);
        assert_eq!(gem_close(file.as_fd(), 1).unwrap_err(), Errno::NOTTY);
        assert_eq!(prime_import(file.as_fd(), file.as_fd()).unwrap_err(), Errno::NOTTY);
        assert_eq!(heap_allocate(&file, 4096).unwrap_err(), Errno::NOTTY);
        // SAFETY: the argument is zeros, and the size is refused before the kernel sees it.
        assert_eq!(unsafe { plain(file.as_fd(), GEM_CLOSE, &mut [0; 12]) }, Err(Errno::INVAL));
    }

    /// The numbers as `drm.h`, `dma-buf.h` and `dma-heap.h` of Linux have them.
    #[test]
    fn numbers_are_those_of_linux() {
        assert_eq!((PRIME_HANDLE_TO_FD, PRIME_FD_TO_HANDLE, DMA_HEAP_ALLOC), (0xc00c_642d, 0xc00c_642e, 0xc018_4800));
        #[cfg(target_pointer_width = "64")]
        assert_eq!(request_number(b'd', 0, size_of::<DrmVersion>()), 0xc040_6400);
    }
}
