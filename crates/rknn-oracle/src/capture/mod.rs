//! What was recorded, and the file that holds it (`docs/capture-format.md`).

mod file;
mod memory;
mod recorder;

use ferrite_rknpu::TaskRange;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::input::{Format, Type};

pub use memory::Memory;
pub(crate) use recorder::Recorder;

/// Version of the format that is written, and the newest that is read.
pub const FORMAT_VERSION: u32 = 1;
/// Bytes of a page, the unit in which memory is recorded.
pub const PAGE: usize = 4096;

/// How much a capture holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Form {
    /// Every buffer at every submission.
    Full,
    /// Task lists, programs and small buffers; other bytes are zero.
    Programs,
}

/// Which runtime was watched.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct VendorVersion {
    /// What it says about itself.
    pub api: String,
    /// What it says about the driver.
    pub driver: String,
    /// Digest of the library.
    pub sha256: String,
}

/// What the capture is of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// `ferrite-capture`.
    pub format: String,
    /// [`FORMAT_VERSION`].
    pub version: u32,
    /// How much it holds.
    pub form: Form,
    /// File name of the model.
    pub model: String,
    /// SHA-256 of the model file.
    pub model_sha256: String,
    /// The core mask that was set, if one was.
    pub core_mask: Option<u32>,
    /// The seed from which the fake driver filled what the NPU would have written.
    pub fill_seed: Option<u64>,
    /// The runtime.
    pub runtime: VendorVersion,
}

/// One request to the driver, in order. Buffers are numbered from 1 in the order of their creation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Record {
    /// A device node was opened.
    Open {
        /// The node.
        path: String,
        /// Linux error number.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        error: Option<i32>,
    },
    /// A device was closed.
    Close {
        /// Handles not given back.
        handles: usize,
        /// Mappings not given back.
        mappings: usize,
    },
    /// A question or setting.
    Action {
        /// Which one.
        selector: u32,
        /// The setting or the answer.
        value: u32,
        /// Linux error number.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        error: Option<i32>,
    },
    /// A buffer was created.
    Create {
        /// Its number, 0 if it could not be.
        buffer: u32,
        /// Bytes requested.
        bytes: u64,
        /// Flags requested.
        flags: u32,
        /// Where the device sees it.
        address: u64,
        /// Linux error number.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        error: Option<i32>,
    },
    /// A buffer's handle was given back.
    Destroy {
        /// The handle, which is the client's.
        handle: u32,
    },
    /// A range was synchronised.
    Sync {
        /// The buffer.
        buffer: u32,
        /// 1 to the device, 2 from the device, 3 both.
        direction: u32,
        /// First byte.
        offset: u64,
        /// Bytes.
        bytes: u64,
        /// Linux error number.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        error: Option<i32>,
    },
    /// A buffer was mapped.
    Map {
        /// The buffer.
        buffer: u32,
        /// Bytes.
        bytes: u64,
    },
    /// A mapping went.
    Unmap {
        /// The buffer.
        buffer: u32,
    },
    /// A request of DRM itself.
    Drm {
        /// Which one.
        request: String,
    },
    /// A request that the fake driver does not know.
    Unknown {
        /// Its number.
        request: u32,
    },
    /// Tasks were submitted.
    Submit(SubmitRecord),
}

/// A submission, and what changed in memory since the one before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SubmitRecord {
    /// Job flags.
    pub flags: u32,
    /// Milliseconds.
    pub timeout: u32,
    /// First task, as the driver counts.
    pub start: u32,
    /// Number of tasks, as the driver counts.
    pub number: u32,
    /// Priority.
    pub priority: i32,
    /// Core mask.
    pub core_mask: u32,
    /// (start, number) per entry.
    pub subcores: [(u32, u32); 5],
    /// The buffer with the task list.
    pub task_list: u32,
    /// Linux error number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<i32>,
    /// Memory, by buffer.
    pub memory: Vec<BufferPages>,
}

impl SubmitRecord {
    /// The subcore entries as ranges.
    pub fn ranges(&self) -> [TaskRange; 5] {
        self.subcores.map(|(start, number)| TaskRange { start, number })
    }
}

/// Pages of one buffer that changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BufferPages {
    /// The buffer.
    pub buffer: u32,
    /// (first page of the buffer, first page of the store, how many): runs that are consecutive in both.
    pub runs: Vec<(u32, u32, u32)>,
}

/// An input as it was set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputRecord {
    /// Which input.
    pub index: usize,
    /// Type of the bytes.
    pub element: Type,
    /// Order of the bytes.
    pub format: Format,
    /// Whether they were for the NPU as they are.
    pub pass_through: bool,
    /// The bytes; kept beside the document.
    #[serde(skip)]
    pub bytes: Vec<u8>,
}

/// An output as the runtime delivered it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OutputRecord {
    /// As float32.
    pub float: Vec<u8>,
    /// As it is.
    pub raw: Vec<u8>,
}

/// A recorded run.
#[derive(Debug, Clone, PartialEq)]
pub struct Capture {
    /// What it is of.
    pub header: Header,
    /// Every request to the driver.
    pub records: Vec<Record>,
    /// Distinct pages of memory, [`PAGE`] bytes each.
    pub pages: Vec<u8>,
    /// The inputs that were set.
    pub inputs: Vec<InputRecord>,
    /// The outputs that came back.
    pub outputs: Vec<OutputRecord>,
    /// Every answer of the runtime, one object per call.
    pub answers: Vec<Value>,
}

impl Capture {
    /// The submissions, in order.
    pub fn submissions(&self) -> impl Iterator<Item = &SubmitRecord> {
        self.records.iter().filter_map(|record| if let Record::Submit(submit) = record { Some(submit) } else { None })
    }

    /// Requested size and device address of every buffer, by number from 1.
    pub fn buffers(&self) -> Vec<(u64, u64)> {
        let created = |record: &Record| match record {
            Record::Create { buffer, bytes, address, .. } if *buffer > 0 => Some((*bytes, *address)),
            _ => None,
        };
        self.records.iter().filter_map(created).collect()
    }
}
