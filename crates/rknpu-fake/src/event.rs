//! What the driver was asked, for whoever watches.

use ferrite_rknpu::Submission;
use ferrite_rknpu::ioctl::{Action, MemCreate, MemDestroy, MemMap, MemSync, Submit};
use rustix::io::Errno;

use crate::Buffers;

/// One request and how it ended. Arguments are as answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// Which open of the device, from 1.
    pub client: u32,
    /// The request.
    pub what: What,
    /// The error it got.
    pub error: Option<Errno>,
}

/// A request.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum What {
    /// A device node was opened.
    Open(String),
    /// The last descriptor of an open was closed.
    Close(Leaks),
    /// A question or setting.
    Action(Action),
    /// Tasks were submitted.
    Submit(Submit),
    /// A buffer was created; `number` is [`FakeBuffer::number`](crate::FakeBuffer::number), 0 on failure.
    Create {
        /// The argument.
        argument: MemCreate,
        /// Which buffer it became.
        number: u32,
    },
    /// The offset for mapping was asked for.
    MapOffset(MemMap),
    /// A buffer was released.
    Destroy(MemDestroy),
    /// A range was synchronised; `number` is the buffer's.
    Sync {
        /// The argument.
        argument: MemSync,
        /// Which buffer, 0 if none has that name.
        number: u32,
    },
    /// A buffer was mapped into the client.
    Map {
        /// Which buffer, 0 if none.
        number: u32,
        /// Length of the mapping.
        bytes: u64,
    },
    /// A mapping went away.
    Unmap {
        /// Which buffer.
        number: u32,
    },
    /// A request of DRM itself that the fake knows, by its name.
    Drm(&'static str),
    /// A request that the fake does not know, by its number; it fails.
    Unknown(u32),
}

/// What an open had not given back when it was closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Leaks {
    /// Buffer handles.
    pub handles: usize,
    /// Mappings.
    pub mappings: usize,
}

/// Watches a driver.
pub trait Observer: Send {
    /// Called after every request.
    fn event(&mut self, event: &Event, buffers: &Buffers) {
        let _ = (event, buffers);
    }

    /// Called before a valid submission runs, while all buffers are as the client left them.
    fn submission(&mut self, submission: &Submission, buffers: &Buffers) {
        let _ = (submission, buffers);
    }
}

/// Nobody watches.
impl Observer for () {}
