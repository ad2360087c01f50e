//! The requests of the `amdxdna` kernel driver (`/dev/accel/accelN`), as plain data.
//!
//! Facts from include/uapi/drm/amdxdna_accel.h of amd/xdna-driver; nothing here talks to a kernel. All structures are
//! little-endian with 64-bit pointers.

mod layout;
mod structures;

pub use layout::ArgumentError;
pub use structures::*;

/// What the driver can be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Request {
    /// Make a context: [`CreateHwctx`].
    CreateHwctx = 0,
    /// Release a context: [`DestroyHwctx`].
    DestroyHwctx = 1,
    /// Give a context its configurations: [`ConfigHwctx`].
    ConfigHwctx = 2,
    /// Make a buffer: [`CreateBo`].
    CreateBo = 3,
    /// Where a buffer is: [`GetBoInfo`].
    GetBoInfo = 4,
    /// Make the host's and the device's view of a buffer agree: [`SyncBo`].
    SyncBo = 5,
    /// Run commands: [`ExecCmd`].
    ExecCmd = 6,
    /// Ask about the device: [`GetInfo`].
    GetInfo = 7,
    /// Set something about the device: [`SetState`].
    SetState = 8,
    /// Wait for a command: [`WaitCmd`].
    WaitCmd = 9,
    /// Ask for a list: [`GetArray`].
    GetArray = 10,
}

impl Request {
    /// All of them, by number.
    pub const ALL: [Self; 11] = [
        Self::CreateHwctx,
        Self::DestroyHwctx,
        Self::ConfigHwctx,
        Self::CreateBo,
        Self::GetBoInfo,
        Self::SyncBo,
        Self::ExecCmd,
        Self::GetInfo,
        Self::SetState,
        Self::WaitCmd,
        Self::GetArray,
    ];

    /// Its name in the header.
    pub const fn name(self) -> &'static str {
        match self {
            Self::CreateHwctx => "CREATE_HWCTX",
            Self::DestroyHwctx => "DESTROY_HWCTX",
            Self::ConfigHwctx => "CONFIG_HWCTX",
            Self::CreateBo => "CREATE_BO",
            Self::GetBoInfo => "GET_BO_INFO",
            Self::SyncBo => "SYNC_BO",
            Self::ExecCmd => "EXEC_CMD",
            Self::GetInfo => "GET_INFO",
            Self::SetState => "SET_STATE",
            Self::WaitCmd => "WAIT_CMD",
            Self::GetArray => "GET_ARRAY",
        }
    }

    /// Bytes of its argument.
    pub const fn size(self) -> usize {
        match self {
            Self::CreateHwctx => CreateHwctx::SIZE,
            Self::DestroyHwctx => DestroyHwctx::SIZE,
            Self::ConfigHwctx => ConfigHwctx::SIZE,
            Self::CreateBo => CreateBo::SIZE,
            Self::GetBoInfo => GetBoInfo::SIZE,
            Self::SyncBo => SyncBo::SIZE,
            Self::ExecCmd => ExecCmd::SIZE,
            Self::GetInfo => GetInfo::SIZE,
            Self::SetState => SetState::SIZE,
            Self::WaitCmd => WaitCmd::SIZE,
            Self::GetArray => GetArray::SIZE,
        }
    }

    /// The request number that user space passes to `ioctl`. All read and write their argument, but [`Request::WaitCmd`] is
    /// declared as written only.
    pub const fn number(self) -> u32 {
        let direction = if matches!(self, Self::WaitCmd) { 1 } else { 3 };
        direction << 30 | (self.size() as u32) << 16 | (b'd' as u32) << 8 | (0x40 + self as u32)
    }

    /// Which request a number stands for.
    pub fn of_number(number: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|request| request.number() == number)
    }
}

/// Kinds of buffer of [`CreateBo`].
pub mod bo_kind {
    /// Shared with the host.
    pub const SHARE: u32 = 1;
    /// The heap that device buffers come from; its size is a multiple of [`DEVICE_HEAP`](super::DEVICE_HEAP).
    pub const DEV_HEAP: u32 = 2;
    /// Part of the heap.
    pub const DEV: u32 = 3;
    /// A command buffer.
    pub const CMD: u32 = 4;
}

/// Directions of [`SyncBo`].
pub mod sync_direction {
    /// What the host wrote becomes visible to the device.
    pub const TO_DEVICE: u32 = 0;
    /// What the device wrote becomes visible to the host.
    pub const FROM_DEVICE: u32 = 1;
}

/// Kinds of parameter of [`ConfigHwctx`].
pub mod config_kind {
    /// Which configuration each compute unit has.
    pub const CONFIG_CU: u32 = 0;
    /// A buffer for debugging.
    pub const ASSIGN_DEBUG_BUFFER: u32 = 1;
    /// No buffer for debugging.
    pub const REMOVE_DEBUG_BUFFER: u32 = 2;
}

/// Bytes that the device heap must be a multiple of and aligned to.
pub const DEVICE_HEAP: u64 = 64 << 20;
/// Device address of the heap.
pub const DEVICE_HEAP_ADDRESS: u64 = 0x400_0000;
