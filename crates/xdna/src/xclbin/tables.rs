//! Sections that are a count and an array: memory banks, kernel instances, connections.

use super::text_of;
use crate::bytes::Bytes;
use crate::error::{Error, Result};

/// Memory banks.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MemoryTopology {
    /// The banks by index.
    pub banks: Vec<MemoryBank>,
}

/// A memory bank.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemoryBank {
    /// Type; 2 is DRAM.
    pub kind: u8,
    /// Whether it is used.
    pub used: bool,
    /// Size in KB.
    pub size_kb: u64,
    /// Base address.
    pub base: u64,
    /// Name, at most 16 bytes: `HOST`, `SRAM`.
    pub tag: String,
}

impl MemoryBank {
    /// DRAM.
    pub const DRAM: u8 = 2;

    /// The name of its type.
    pub const fn kind_name(&self) -> Option<&'static str> {
        match self.kind {
            0 => Some("MEM_DDR3"),
            1 => Some("MEM_DDR4"),
            Self::DRAM => Some("MEM_DRAM"),
            _ => None,
        }
    }
}

/// Kernel instances.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct IpLayout {
    /// The instances by index.
    pub ips: Vec<Ip>,
}

/// A kernel instance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ip {
    /// Type; 7 is a PS kernel, which an NPU's kernels are.
    pub kind: u32,
    /// Properties: subtype in bits 1 and 0 (1 is DPU), function in 5 and 4, kernel id in 27 to 16.
    pub properties: u32,
    /// Base address, all ones where there is none.
    pub base: u64,
    /// `KERNEL:INSTANCE`, at most 64 bytes.
    pub name: String,
}

impl Ip {
    /// A PS kernel.
    pub const PS_KERNEL: u32 = 7;
    /// The subtype DPU.
    pub const DPU: u32 = 1;
    /// No base address.
    pub const NO_BASE: u64 = u64::MAX;

    /// Subtype.
    pub const fn subtype(&self) -> u32 {
        self.properties & 3
    }

    /// Function: 0 is DPU, 1 pre or post processing.
    pub const fn functional(&self) -> u32 {
        self.properties >> 4 & 3
    }

    /// Kernel id, by which a partition's CDO groups name it.
    pub const fn kernel_id(&self) -> u16 {
        (self.properties >> 16 & 0xfff) as u16
    }
}

/// Connections of arguments to memory banks.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Connectivity {
    /// The connections.
    pub connections: Vec<Connection>,
}

/// A connection of an argument to a memory bank.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Connection {
    /// Number of the argument.
    pub argument: i32,
    /// Index in the [`IpLayout`].
    pub ip: i32,
    /// Index in the [`MemoryTopology`].
    pub memory: i32,
}

/// The entries of an array behind a count, `entry` bytes each from byte `at` on.
fn entries<T>(
    data: &Bytes<'_>,
    at: usize,
    entry: usize,
    what: &'static str,
    decode: impl Fn(&Bytes<'_>) -> Result<T>,
) -> Result<Vec<T>> {
    let count = data.u32(0, what)?;
    let limit = (data.len().saturating_sub(at) / entry) as u64;
    if u64::from(count) > limit {
        return Err(Error::OutOfRange { offset: data.place(0), what, value: count.into(), limit });
    }
    (0..count as usize).map(|index| decode(&data.part(at + index * entry, entry, what)?)).collect()
}

/// At most `N` bytes of a string, zero padded.
fn padded<const N: usize>(text: &str) -> [u8; N] {
    let mut bytes = [0; N];
    for (byte, given) in bytes.iter_mut().zip(text.bytes()) {
        *byte = given;
    }
    bytes
}

impl MemoryTopology {
    /// Reads the section.
    pub(super) fn decode(data: &Bytes<'_>) -> Result<Self> {
        let what = "the memory banks";
        let bank = |entry: &Bytes<'_>| {
            Ok(MemoryBank {
                kind: entry.u8(0, what)?,
                used: entry.u8(1, what)? != 0,
                size_kb: entry.u64(8, what)?,
                base: entry.u64(16, what)?,
                tag: text_of(entry.part(24, 16, what)?.as_slice()),
            })
        };
        Ok(Self { banks: entries(data, 8, 40, "the number of memory banks", bank)? })
    }

    /// The section as bytes.
    pub fn encode(&self) -> Vec<u8> {
        let mut out = (self.banks.len() as u64).to_le_bytes().to_vec();
        for bank in &self.banks {
            out.extend([bank.kind, u8::from(bank.used), 0, 0, 0, 0, 0, 0]);
            out.extend(bank.size_kb.to_le_bytes());
            out.extend(bank.base.to_le_bytes());
            out.extend(padded::<16>(&bank.tag));
        }
        out
    }
}

impl IpLayout {
    /// Reads the section.
    pub(super) fn decode(data: &Bytes<'_>) -> Result<Self> {
        let what = "the kernel instances";
        let ip = |entry: &Bytes<'_>| {
            Ok(Ip {
                kind: entry.u32(0, what)?,
                properties: entry.u32(4, what)?,
                base: entry.u64(8, what)?,
                name: text_of(entry.part(16, 64, what)?.as_slice()),
            })
        };
        Ok(Self { ips: entries(data, 8, 80, "the number of kernel instances", ip)? })
    }

    /// The section as bytes.
    pub fn encode(&self) -> Vec<u8> {
        let mut out = (self.ips.len() as u64).to_le_bytes().to_vec();
        for ip in &self.ips {
            out.extend(ip.kind.to_le_bytes());
            out.extend(ip.properties.to_le_bytes());
            out.extend(ip.base.to_le_bytes());
            out.extend(padded::<64>(&ip.name));
        }
        out
    }
}

impl Connectivity {
    /// Reads the section.
    pub(super) fn decode(data: &Bytes<'_>) -> Result<Self> {
        let what = "the connections";
        let connection = |entry: &Bytes<'_>| {
            let word = |at: usize| entry.u32(at, what).map(u32::cast_signed);
            Ok(Connection { argument: word(0)?, ip: word(4)?, memory: word(8)? })
        };
        Ok(Self { connections: entries(data, 4, 12, "the number of connections", connection)? })
    }

    /// The section as bytes.
    pub fn encode(&self) -> Vec<u8> {
        let mut out = (self.connections.len() as u32).to_le_bytes().to_vec();
        for Connection { argument, ip, memory } in &self.connections {
            for word in [argument, ip, memory] {
                out.extend(word.to_le_bytes());
            }
        }
        out
    }
}
