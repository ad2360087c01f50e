//! What a compiler tells aiebu about buffers (`external_buffer_id.json`): their sizes, and where their addresses lie in the control
//! packets. aiebu makes relocations of it.
//!
//! Form from test/aie2-ctrlcode/basic of Xilinx/aiebu.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::error::{Error, Result};

/// The buffers of a design.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ExternalBuffers {
    /// Key and buffer, in order.
    pub buffers: Vec<(String, ExternalBuffer)>,
}

/// A buffer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExternalBuffer {
    /// Number among the buffers; as an argument of a kernel it is three more.
    pub xrt_id: u32,
    /// Number in the design, all ones for none.
    pub logical_id: u32,
    /// Bytes.
    pub size_in_bytes: u64,
    /// Whether it holds the control packets.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ctrl_pkt_buffer: bool,
    /// Its name.
    pub name: String,
    /// Where its address lies.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub control_packet_patch_locations: Vec<PatchLocation>,
}

/// A place in the control packets.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PatchLocation {
    /// Byte in the control packets.
    pub offset: u32,
    /// Bytes of the address.
    pub size: u32,
    /// How the address is put in: `read_add_write` adds it to what is there.
    pub operation: String,
}

const WHAT: &str = "the list of buffers";
const KEY: &str = "external_buffers";

impl ExternalBuffers {
    /// Whether a text, or its start, is such a list.
    pub(crate) fn is_list(text: &str) -> bool {
        let inside = text.trim_start().strip_prefix('{').map(str::trim_start);
        inside.and_then(|inside| inside.strip_prefix('"')).is_some_and(|inside| inside.starts_with(KEY))
    }

    /// Reads a list.
    ///
    /// # Errors
    /// If it is no JSON, or has other keys than those known; the error names the line or the buffer.
    pub fn parse(text: &str) -> Result<Self> {
        let refused = |message: String| Error::Json { what: WHAT, message };
        let file: Map<String, Value> = serde_json::from_str(text).map_err(|error| refused(error.to_string()))?;
        if let Some(key) = file.keys().find(|key| *key != KEY) {
            return Err(refused(format!("unknown key `{key}`")));
        }
        let Some(Value::Object(buffers)) = file.into_values().next() else {
            return Err(refused(format!("`{KEY}` is missing or no object")));
        };
        let buffer = |(key, value): (String, Value)| match serde_json::from_value(value) {
            Ok(buffer) => Ok((key, buffer)),
            Err(error) => Err(refused(format!("`{key}`: {error}"))),
        };
        Ok(Self { buffers: buffers.into_iter().map(buffer).collect::<Result<_>>()? })
    }
}
