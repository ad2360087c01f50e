//! The requests of the vendor's `rknpu` kernel driver, as plain data.
//!
//! The driver comes in two builds. As a DRM driver it is reached at `/dev/dri/cardN` or `renderDN` and its requests are
//! `_IOWR('d', 0x40 + n, …)`; as a character device it is `/dev/rknpu` and they are `_IOWR('r', n, …)`. The structures are the
//! same. Facts from the driver's public header (`rknpu_ioctl.h`, versions 0.8 to 0.9.8); nothing here talks to a kernel.

use crate::bits::bits;
use crate::submission::TaskRange;

/// Which build of the driver a request number is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Node {
    /// `/dev/dri/cardN` and `/dev/dri/renderDN`.
    Drm,
    /// `/dev/rknpu`; memory comes from dma-heap file descriptors.
    Misc,
}

impl Node {
    /// The type byte of its request numbers.
    pub const fn magic(self) -> u8 {
        match self {
            Self::Drm => b'd',
            Self::Misc => b'r',
        }
    }

    /// The number of its first request.
    pub const fn base(self) -> u8 {
        match self {
            Self::Drm => 0x40,
            Self::Misc => 0,
        }
    }
}

/// What the driver can be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Request {
    /// Small questions and settings: [`Action`].
    Action = 0,
    /// Run tasks: [`Submit`].
    Submit = 1,
    /// Make a buffer: [`MemCreate`].
    MemCreate = 2,
    /// Get the offset by which to map a buffer: [`MemMap`].
    MemMap = 3,
    /// Release a buffer: [`MemDestroy`].
    MemDestroy = 4,
    /// Make the host's and the device's view of a range agree: [`MemSync`].
    MemSync = 5,
}

impl Request {
    /// All of them, by number.
    pub const ALL: [Self; 6] =
        [Self::Action, Self::Submit, Self::MemCreate, Self::MemMap, Self::MemDestroy, Self::MemSync];

    /// Bytes of its argument in current drivers.
    pub const fn size(self) -> usize {
        match self {
            Self::Action => Action::SIZE,
            Self::Submit => Submit::SIZE,
            Self::MemCreate => MemCreate::SIZE,
            Self::MemMap => MemMap::SIZE,
            Self::MemDestroy => MemDestroy::SIZE,
            Self::MemSync => MemSync::SIZE,
        }
    }

    /// The request number that user space passes to `ioctl`.
    pub const fn number(self, node: Node) -> u32 {
        request_number(node.magic(), node.base() + self as u8, self.size())
    }

    /// Which request a number stands for. Its size is not looked at: old drivers and runtimes have shorter structures.
    pub fn of_number(number: u32) -> Option<(Node, Self)> {
        let [nr, magic, ..] = number.to_le_bytes();
        let node = [Node::Drm, Node::Misc].into_iter().find(|node| node.magic() == magic)?;
        let index = nr.checked_sub(node.base())?;
        Self::ALL.get(usize::from(index)).map(|request| (node, *request))
    }
}

/// `_IOWR(magic, number, size)` of Linux on ARM and x86: two bits of direction, fourteen of size, a type byte, a number.
pub const fn request_number(magic: u8, number: u8, size: usize) -> u32 {
    3 << 30 | (size as u32 & 0x3fff) << 16 | (magic as u32) << 8 | number as u32
}

/// The argument's size in a request number, in bytes.
pub const fn request_size(number: u32) -> usize {
    (number >> 16 & 0x3fff) as usize
}

bits! {
    /// How a buffer is to be made. Runtime 1.5.2 asks for `CACHEABLE` and, for the task list, `CACHEABLE|KERNEL_MAPPING`;
    /// runtimes 2.x add `NON_CONTIGUOUS` and `IOMMU_LIMIT_IOVA_ALIGNMENT`.
    MemFlags {
        /// Pages may lie anywhere; the IOMMU makes them contiguous.
        NON_CONTIGUOUS = 0x001;
        /// The host's mapping is cached; without it [`Request::MemSync`] fails.
        CACHEABLE = 0x002;
        /// The host's mapping is write-combining.
        WRITE_COMBINE = 0x004;
        /// The kernel can read it too, as it must the task list.
        KERNEL_MAPPING = 0x008;
        /// Mapped through the IOMMU.
        IOMMU = 0x010;
        /// Zeroed.
        ZEROING = 0x020;
        /// Secure memory.
        SECURE = 0x040;
        /// Below 4 GiB.
        DMA32 = 0x080;
        /// In the system's on-chip memory where there is some.
        TRY_ALLOC_SRAM = 0x100;
        /// In the NPU's own on-chip memory where there is some.
        TRY_ALLOC_NBUF = 0x200;
        /// Address aligned to its pages only, not to its size.
        IOMMU_LIMIT_IOVA_ALIGNMENT = 0x400;
    }
}

bits! {
    /// Direction of a [`MemSync`].
    SyncFlags {
        /// What the host wrote becomes visible to the device.
        TO_DEVICE = 0x1;
        /// What the device wrote becomes visible to the host.
        FROM_DEVICE = 0x2;
    }
}

/// Selectors of [`Action`].
pub mod action {
    /// Hardware version; 0x46495245 on the RK3588.
    pub const HW_VERSION: u32 = 0;
    /// Driver version: major * 10000 + minor * 100 + patch.
    pub const DRV_VERSION: u32 = 1;
    /// Clock in Hz.
    pub const GET_FREQ: u32 = 2;
    /// Sets the clock.
    pub const SET_FREQ: u32 = 3;
    /// Supply voltage.
    pub const GET_VOLT: u32 = 4;
    /// Sets the supply voltage.
    pub const SET_VOLT: u32 = 5;
    /// Resets the NPU.
    pub const RESET: u32 = 6;
    /// First of six requests about bandwidth priorities.
    pub const GET_BW_PRIORITY: u32 = 7;
    /// Last of six requests about bandwidth priorities.
    pub const SET_BW_TW: u32 = 12;
    /// Clears the traffic counters.
    pub const CLR_TOTAL_RW_AMOUNT: u32 = 13;
    /// Bytes of features written.
    pub const GET_DT_WR_AMOUNT: u32 = 14;
    /// Bytes of features read.
    pub const GET_DT_RD_AMOUNT: u32 = 15;
    /// Bytes of weights read.
    pub const GET_WT_RD_AMOUNT: u32 = 16;
    /// All bytes moved.
    pub const GET_TOTAL_RW_AMOUNT: u32 = 17;
    /// Whether an IOMMU is in use.
    pub const GET_IOMMU_EN: u32 = 18;
    /// Priority of the calling process.
    pub const SET_PROC_NICE: u32 = 19;
    /// Keeps the NPU powered.
    pub const POWER_ON: u32 = 20;
    /// Lets go of it.
    pub const POWER_OFF: u32 = 21;
    /// Bytes of on-chip memory.
    pub const GET_TOTAL_SRAM_SIZE: u32 = 22;
    /// Free bytes of on-chip memory.
    pub const GET_FREE_SRAM_SIZE: u32 = 23;
    /// Which IOMMU domain the process uses.
    pub const GET_IOMMU_DOMAIN_ID: u32 = 24;
    /// Chooses an IOMMU domain.
    pub const SET_IOMMU_DOMAIN_ID: u32 = 25;
}

/// Bytes that are no argument of the request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the argument `{name}` has {wanted} bytes, {length} were given")]
pub struct ArgumentError {
    /// The structure.
    pub name: &'static str,
    /// Its bytes, the shortest form that drivers accepted.
    pub wanted: usize,
    /// Bytes given.
    pub length: usize,
}

/// A field of a structure: little-endian, naturally aligned.
trait Word: Sized {
    fn get(bytes: &[u8], at: usize) -> Self;
    fn put(&self, bytes: &mut [u8], at: usize);
}

macro_rules! words {
    ($($type:ty)*) => {$(
        impl Word for $type {
            fn get(bytes: &[u8], at: usize) -> Self {
                let chunk = bytes.get(at..).and_then(<[u8]>::first_chunk);
                Self::from_le_bytes(chunk.copied().unwrap_or_default())
            }
            fn put(&self, bytes: &mut [u8], at: usize) {
                if let Some(chunk) = bytes.get_mut(at..).and_then(<[u8]>::first_chunk_mut) {
                    *chunk = self.to_le_bytes();
                }
            }
        }
    )*};
}
words!(u32 i32 u64 i64);

impl Word for [TaskRange; 5] {
    fn get(bytes: &[u8], at: usize) -> Self {
        std::array::from_fn(|index| TaskRange {
            start: u32::get(bytes, at + 8 * index),
            number: u32::get(bytes, at + 8 * index + 4),
        })
    }

    fn put(&self, bytes: &mut [u8], at: usize) {
        for (index, range) in self.iter().enumerate() {
            range.start.put(bytes, at + 8 * index);
            range.number.put(bytes, at + 8 * index + 4);
        }
    }
}

impl Word for MemFlags {
    fn get(bytes: &[u8], at: usize) -> Self {
        Self(u32::get(bytes, at))
    }

    fn put(&self, bytes: &mut [u8], at: usize) {
        self.0.put(bytes, at);
    }
}

impl Word for SyncFlags {
    fn get(bytes: &[u8], at: usize) -> Self {
        Self(u32::get(bytes, at))
    }

    fn put(&self, bytes: &mut [u8], at: usize) {
        self.0.put(bytes, at);
    }
}

/// A structure from its fields and their offsets; encoding and decoding follow.
macro_rules! argument {
    ($(#[$meta:meta])* $name:ident: $size:literal, at least $least:literal {
        $($(#[$field_meta:meta])* $at:literal $field:ident: $type:ty;)*
    }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
        pub struct $name {
            $($(#[$field_meta])* pub $field: $type,)*
        }

        impl $name {
            /// Bytes in current drivers.
            pub const SIZE: usize = $size;
            /// Every field with its byte offset.
            pub const FIELDS: &'static [(&'static str, usize)] = &[$((stringify!($field), $at)),*];

            /// Reads the structure; fields beyond a shorter, older form are zero.
            ///
            /// # Errors
            /// If there are fewer bytes than any driver version had.
            pub fn from_bytes(bytes: &[u8]) -> Result<Self, ArgumentError> {
                if bytes.len() < $least {
                    return Err(ArgumentError { name: stringify!($name), wanted: $least, length: bytes.len() });
                }
                Ok(Self { $($field: Word::get(bytes, $at)),* })
            }

            /// The structure as bytes.
            pub fn to_bytes(&self) -> [u8; $size] {
                let mut bytes = [0; $size];
                self.write(&mut bytes);
                bytes
            }

            /// Writes the structure into an argument, which may have a shorter, older form.
            pub fn write(&self, bytes: &mut [u8]) {
                $(self.$field.put(bytes, $at);)*
            }
        }
    };
}

argument! {
    /// Asks for a buffer. Drivers before 0.9 have the first 40 bytes only.
    MemCreate: 48, at least 40 {
        /// Handle of the buffer; the answer.
        0 handle: u32;
        /// How to make it.
        4 flags: MemFlags;
        /// Bytes wanted.
        8 size: u64;
        /// The name by which the kernel knows it in [`Submit`] and [`MemSync`]; the answer.
        16 obj_addr: u64;
        /// The address at which the device sees it, below 4 GiB for use in programs; the answer.
        24 dma_addr: u64;
        /// Bytes to take from on-chip memory.
        32 sram_size: u64;
        /// The IOMMU domain.
        40 iommu_domain_id: i32;
        /// Reserved; some drivers read a core mask.
        44 core_mask: u32;
    }
}

argument! {
    /// Asks for the offset by which `mmap` on the device reaches a buffer.
    MemMap: 16, at least 16 {
        /// The buffer.
        0 handle: u32;
        /// Zero.
        4 reserved: u32;
        /// The answer.
        8 offset: u64;
    }
}

argument! {
    /// Releases a buffer.
    MemDestroy: 16, at least 16 {
        /// The buffer.
        0 handle: u32;
        /// Zero.
        4 reserved: u32;
        /// Its kernel name.
        8 obj_addr: u64;
    }
}

argument! {
    /// Moves a range between the caches and memory.
    MemSync: 32, at least 32 {
        /// The direction; both bits may be set.
        0 flags: SyncFlags;
        /// Zero.
        4 reserved: u32;
        /// The buffer's kernel name.
        8 obj_addr: u64;
        /// First byte.
        16 offset: u64;
        /// Number of bytes.
        24 size: u64;
    }
}

argument! {
    /// Runs tasks.
    Submit: 104, at least 104 {
        /// [`JobFlags`](crate::JobFlags).
        0 flags: u32;
        /// Milliseconds until the driver gives up; it waits three times.
        4 timeout: u32;
        /// First task.
        8 task_start: u32;
        /// Number of tasks.
        12 task_number: u32;
        /// Tasks done; the answer.
        16 task_counter: u32;
        /// Priority.
        20 priority: i32;
        /// Kernel name of the buffer with the task list.
        24 task_obj_addr: u64;
        /// The IOMMU domain; older drivers have a kernel name here, which nobody uses.
        32 iommu_domain_id: u32;
        /// Zero.
        36 reserved: u32;
        /// Zero, or an address that the kernel adds to those of the tasks.
        40 task_base_addr: u64;
        /// Time taken; the answer.
        48 hw_elapse_time: i64;
        /// [`CoreMask`](crate::CoreMask).
        56 core_mask: u32;
        /// File descriptor of a fence.
        60 fence_fd: i32;
        /// See [`Submission::subcores`](crate::Submission).
        64 subcores: [TaskRange; 5];
    }
}

argument! {
    /// A small question or setting.
    Action: 8, at least 8 {
        /// One of [`mod@action`].
        0 selector: u32;
        /// The setting, or the answer.
        4 value: u32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers that user space of the vendor's driver 0.9.8 passes, as published traces show them.
    #[test]
    fn request_numbers_are_the_vendors() {
        let drm = [0xc008_6440, 0xc068_6441, 0xc030_6442, 0xc010_6443, 0xc010_6444, 0xc020_6445];
        for (request, number) in Request::ALL.into_iter().zip(drm) {
            assert_eq!(request.number(Node::Drm), number, "{request:?}");
            assert_eq!(Request::of_number(number), Some((Node::Drm, request)));
            assert_eq!(request_size(number), request.size());
        }
        assert_eq!(Request::Submit.number(Node::Misc), 0xc068_7201);
        assert_eq!(Request::of_number(0xc068_7201), Some((Node::Misc, Request::Submit)));
        // The same buffer request with its structure of 40 bytes.
        assert_eq!(Request::of_number(0xc028_6442), Some((Node::Drm, Request::MemCreate)));
        assert_eq!(Request::of_number(0xc008_6446), None);
        assert_eq!(Request::of_number(0xc008_4840), None);
    }

    /// Every field lies where the C layout puts it: in order, naturally aligned, up to the end.
    #[test]
    fn layouts_are_those_of_c() {
        fn check(fields: &[(&str, usize)], sizes: &[usize], total: usize) {
            assert_eq!(fields.len(), sizes.len());
            let mut end = 0;
            for ((name, at), size) in fields.iter().zip(sizes) {
                assert_eq!(*at, end, "{name}");
                assert_eq!(at % size.min(&8), 0, "{name}");
                end += size;
            }
            assert_eq!(end, total);
        }
        check(MemCreate::FIELDS, &[4, 4, 8, 8, 8, 8, 4, 4], 48);
        check(MemMap::FIELDS, &[4, 4, 8], 16);
        check(MemDestroy::FIELDS, &[4, 4, 8], 16);
        check(MemSync::FIELDS, &[4, 4, 8, 8, 8], 32);
        check(Submit::FIELDS, &[4, 4, 4, 4, 4, 4, 8, 4, 4, 8, 8, 4, 4, 40], 104);
        check(Action::FIELDS, &[4, 4], 8);
    }

    #[test]
    fn arguments_survive_the_round_trip() {
        arbtest::arbtest(|u| {
            let bytes: [u8; 104] = u.arbitrary()?;
            assert_eq!(Submit::from_bytes(&bytes).unwrap().to_bytes(), bytes);
            let create = MemCreate::from_bytes(&bytes[..48]).unwrap();
            assert_eq!(create.to_bytes(), bytes[..48]);
            let old = MemCreate::from_bytes(&bytes[..40]).unwrap();
            assert_eq!(old, MemCreate { iommu_domain_id: 0, core_mask: 0, ..create });
            let mut short = [0; 40];
            create.write(&mut short);
            assert_eq!(short, bytes[..40]);
            assert_eq!(MemSync::from_bytes(&bytes[..32]).unwrap().to_bytes(), bytes[..32]);
            Ok(())
        });
        let error = MemCreate::from_bytes(&[0; 39]).unwrap_err();
        assert_eq!(error.to_string(), "the argument `MemCreate` has 40 bytes, 39 were given");
    }

    #[test]
    fn a_captured_submission_reads_as_the_kernel_reads_it() {
        let mut bytes = [0; 104];
        let words = [5_u32, 6000, 524, 106];
        for (index, word) in words.iter().enumerate() {
            bytes[4 * index..4 * index + 4].copy_from_slice(&word.to_le_bytes());
        }
        bytes[56] = 3;
        bytes[64..72].copy_from_slice(&[0x0c, 2, 0, 0, 53, 0, 0, 0]);
        let submit = Submit::from_bytes(&bytes).unwrap();
        assert_eq!((submit.flags, submit.task_start, submit.task_number, submit.core_mask), (5, 524, 106, 3));
        assert_eq!(submit.subcores[0], TaskRange { start: 524, number: 53 });
    }
}
