//! How the fake driver behaves.

use ferrite_rknpu::ioctl::{Node, Request};

/// Settings of a [`FakeDriver`](crate::FakeDriver).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DriverOptions {
    /// Which build of the driver is present.
    pub node: Node,
    /// Answer to the question for the hardware version.
    pub hardware_version: u32,
    /// (major, minor, patch); 0.8.0 to 0.9.8 exist.
    pub driver_version: (u32, u32, u32),
    /// Cores of the chip, 1 to 3.
    pub cores: u32,
    /// One past the highest device address; buffers are placed downward from it.
    pub top: u64,
    /// The lowest device address given out.
    pub lowest: u64,
    /// Bytes that all buffers together may take, in whole pages.
    pub memory: u64,
    /// Buffers that may exist at once.
    pub buffers: usize,
    /// What is to go wrong.
    pub faults: Faults,
}

impl Default for DriverOptions {
    /// An RK3588 with driver 0.9.8 behind DRM and 4 GiB of memory.
    fn default() -> Self {
        Self {
            node: Node::Drm,
            hardware_version: 0x4649_5245,
            driver_version: (0, 9, 8),
            cores: 3,
            top: 0xfff0_0000,
            lowest: 0x1000,
            memory: 4 << 30,
            buffers: 4096,
            faults: Faults::default(),
        }
    }
}

/// Faults to plant. Numbers count from 1, over the life of the driver.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Faults {
    /// No device node exists.
    pub no_device: bool,
    /// This buffer cannot be allocated.
    pub fail_create: Option<u32>,
    /// This submission does not end in time.
    pub submit_timeout: Option<u32>,
    /// The first request of this kind is interrupted by a signal before anything happened.
    pub interrupt_once: Option<Request>,
}
