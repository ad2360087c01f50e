//! xclbin: the container (`axlf`) in which a design reaches the driver.
//!
//! [`Xclbin`] is the container as it is: header, sections as bytes, and what lies between them. The sections that matter for an
//! NPU have types of their own: [`AiePartition`], [`IpLayout`], [`MemoryTopology`], [`Connectivity`] and [`Kernel`]. [`Package`]
//! makes the file that AMD's xclbinutil makes.
//!
//! Layouts from src/runtime_src/core/include/xrt/detail/xclbin.h and src/runtime_src/tools/xclbinutil of Xilinx/XRT.

mod metadata;
mod mirror;
mod package;
mod partition;
mod tables;

use std::fmt;

use crate::bytes::Bytes;
use crate::error::{Error, Result};

pub use metadata::{Argument, Kernel};
pub use package::{Package, PackageError};
pub use partition::{AiePartition, CdoGroup, GroupKind, PartitionPdi};
pub use tables::{Connection, Connectivity, Ip, IpLayout, MemoryBank, MemoryTopology};

/// First bytes of the file.
pub const MAGIC: &[u8; 8] = b"xclbin2\0";

/// Where the section headers start.
const SECTIONS: usize = 456;
/// Bytes of a section header.
const SECTION_HEADER: usize = 40;

/// What a section holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SectionKind(pub u32);

impl SectionKind {
    /// XML about kernels and their arguments.
    pub const EMBEDDED_METADATA: Self = Self(2);
    /// Memory banks.
    pub const MEM_TOPOLOGY: Self = Self(6);
    /// Which argument of which kernel lies in which bank.
    pub const CONNECTIVITY: Self = Self(7);
    /// Kernel instances.
    pub const IP_LAYOUT: Self = Self(8);
    /// JSON about the build.
    pub const BUILD_METADATA: Self = Self(14);
    /// A PDI by itself.
    pub const PDI: Self = Self(18);
    /// JSON about the array.
    pub const AIE_METADATA: Self = Self(25);
    /// Groups of memory banks.
    pub const GROUP_TOPOLOGY: Self = Self(26);
    /// Connectivity to groups.
    pub const GROUP_CONNECTIVITY: Self = Self(27);
    /// Columns, PDIs and kernel ids of the array.
    pub const AIE_PARTITION: Self = Self(32);

    /// Its name; `None` if it is not one of those an NPU has.
    pub const fn name(self) -> Option<&'static str> {
        Some(match self {
            Self::EMBEDDED_METADATA => "EMBEDDED_METADATA",
            Self::MEM_TOPOLOGY => "MEM_TOPOLOGY",
            Self::CONNECTIVITY => "CONNECTIVITY",
            Self::IP_LAYOUT => "IP_LAYOUT",
            Self::BUILD_METADATA => "BUILD_METADATA",
            Self::PDI => "PDI",
            Self::AIE_METADATA => "AIE_METADATA",
            Self::GROUP_TOPOLOGY => "GROUP_TOPOLOGY",
            Self::GROUP_CONNECTIVITY => "GROUP_CONNECTIVITY",
            Self::AIE_PARTITION => "AIE_PARTITION",
            _ => return None,
        })
    }
}

impl fmt::Display for SectionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => f.write_str(name),
            None => write!(f, "section kind {}", self.0),
        }
    }
}

/// A 16-byte identifier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Uuid(pub [u8; 16]);

impl fmt::Display for Uuid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, byte) in self.0.iter().enumerate() {
            if matches!(index, 4 | 6 | 8 | 10) {
                f.write_str("-")?;
            }
            write!(f, "{byte:02x}")?;
        }
        Ok(())
    }
}

/// What the first 456 bytes say, apart from the number of sections.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// Bytes of a signature, -1 for none.
    pub signature_length: i32,
    /// 28 reserved bytes, 0xFF.
    pub reserved: [u8; 28],
    /// Key block of the signature, 0xFF where there is none.
    pub key_block: [u8; 256],
    /// A number that xclbinutil takes from the time.
    pub unique_id: u64,
    /// Bytes of the file.
    pub length: u64,
    /// When it was made, in seconds since 1970.
    pub time_stamp: u64,
    /// Time stamp of the platform, 0 for an NPU.
    pub feature_rom_time_stamp: u64,
    /// Version of the tool: patch.
    pub version_patch: u16,
    /// Version of the tool: major.
    pub version_major: u8,
    /// Version of the tool: minor.
    pub version_minor: u8,
    /// Mode, 0.
    pub mode: u16,
    /// Action mask, 0.
    pub action_mask: u16,
    /// Identifier of the platform's interface.
    pub interface_uuid: Uuid,
    /// Name of the platform, zero padded.
    pub platform: [u8; 64],
    /// Identifier of this file.
    pub uuid: Uuid,
    /// Name of a debug file, zero padded.
    pub debug_bin: [u8; 16],
    /// Four bytes behind the number of sections.
    pub padding: u32,
}

impl Default for Header {
    fn default() -> Self {
        Self {
            signature_length: -1,
            reserved: [0xff; 28],
            key_block: [0xff; 256],
            unique_id: 0,
            length: 0,
            time_stamp: 0,
            feature_rom_time_stamp: 0,
            version_patch: 0,
            version_major: 0,
            version_minor: 0,
            mode: 0,
            action_mask: 0,
            interface_uuid: Uuid::default(),
            platform: [0; 64],
            uuid: Uuid::default(),
            debug_bin: [0; 16],
            padding: 0,
        }
    }
}

impl Header {
    fn decode(file: &Bytes<'_>) -> Result<Self> {
        let what = "the header of the xclbin";
        let file = file.part(0, SECTIONS, what)?;
        let magic = file.u64(0, what)?;
        if magic != u64::from_le_bytes(*MAGIC) {
            let offset = file.place(0);
            return Err(Error::Unexpected { offset, what: "the magic number", value: magic, expected: "`xclbin2`" });
        }
        Ok(Self {
            signature_length: file.u32(8, what)?.cast_signed(),
            reserved: fixed(&file, 12, what)?,
            key_block: fixed(&file, 40, what)?,
            unique_id: file.u64(296, what)?,
            length: file.u64(304, what)?,
            time_stamp: file.u64(312, what)?,
            feature_rom_time_stamp: file.u64(320, what)?,
            version_patch: file.u16(328, what)?,
            version_major: file.u8(330, what)?,
            version_minor: file.u8(331, what)?,
            mode: file.u16(332, what)?,
            action_mask: file.u16(334, what)?,
            interface_uuid: Uuid(file.array16(336, what)?),
            platform: fixed(&file, 352, what)?,
            uuid: Uuid(file.array16(416, what)?),
            debug_bin: fixed(&file, 432, what)?,
            padding: file.u32(452, what)?,
        })
    }

    fn encode(&self, sections: u32) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        out.extend(self.signature_length.to_le_bytes());
        out.extend(self.reserved);
        out.extend(self.key_block);
        for word in [self.unique_id, self.length, self.time_stamp, self.feature_rom_time_stamp] {
            out.extend(word.to_le_bytes());
        }
        out.extend(self.version_patch.to_le_bytes());
        out.extend([self.version_major, self.version_minor]);
        out.extend(self.mode.to_le_bytes());
        out.extend(self.action_mask.to_le_bytes());
        out.extend(self.interface_uuid.0);
        out.extend(self.platform);
        out.extend(self.uuid.0);
        out.extend(self.debug_bin);
        out.extend(sections.to_le_bytes());
        out.extend(self.padding.to_le_bytes());
        out
    }
}

fn fixed<const N: usize>(file: &Bytes<'_>, at: usize, what: &'static str) -> Result<[u8; N]> {
    let part = file.part(at, N, what)?;
    let mut array = [0; N];
    array.copy_from_slice(part.as_slice());
    Ok(array)
}

/// One section of the container.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// What it holds.
    pub kind: SectionKind,
    /// Its name, zero padded.
    pub name: [u8; 16],
    /// Four bytes behind the name.
    pub padding: u32,
    /// Where it starts in the file.
    pub offset: u64,
    /// Its bytes.
    pub data: Vec<u8>,
}

impl Section {
    /// Its name up to the first zero.
    pub fn name(&self) -> String {
        text_of(&self.name)
    }
}

fn text_of(bytes: &[u8]) -> String {
    let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
    String::from_utf8_lossy(&bytes[..end]).into_owned()
}

/// An xclbin as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Xclbin {
    /// Its header.
    pub header: Header,
    /// Its sections in the order of their headers.
    pub sections: Vec<Section>,
    /// Bytes that belong to neither, with their places: padding, and a copy of the tables in JSON that xclbinutil appends.
    pub gaps: Vec<(usize, Vec<u8>)>,
}

impl Xclbin {
    /// Whether bytes start as an xclbin does.
    pub fn is_xclbin(bytes: &[u8]) -> bool {
        bytes.starts_with(MAGIC)
    }

    /// Reads a container.
    ///
    /// # Errors
    /// If the header is not one, or a section reaches outside the file. What a section holds is not looked at.
    pub fn decode(bytes: &[u8]) -> Result<Self> {
        let file = Bytes::new(bytes, 0);
        let header = Header::decode(&file)?;
        let count = file.u32(448, "the number of sections")? as usize;
        let headers = file.part(SECTIONS, count.saturating_mul(SECTION_HEADER), "the section headers")?;
        let length = bytes.len() as u64;
        if header.length > length {
            let missing = header.length - length;
            return Err(Error::Truncated { offset: 0, what: "the xclbin", missing });
        }
        let mut sections = Vec::with_capacity(count);
        let mut total: usize = 0;
        for index in 0..count {
            let at = index * SECTION_HEADER;
            let what = "a section header";
            let (offset, size) = (headers.u64(at + 24, what)?, headers.u64(at + 32, what)?);
            let data = file.part64(offset, size, "a section")?;
            total = total.saturating_add(data.len());
            // Sections of a sound file lie side by side.
            if total > bytes.len() {
                return Err(Error::TooMuchMemory { offset: headers.place(at), what: "the sections" });
            }
            sections.push(Section {
                kind: SectionKind(headers.u32(at, what)?),
                name: headers.array16(at + 4, what)?,
                padding: headers.u32(at + 20, what)?,
                offset,
                data: data.as_slice().to_vec(),
            });
        }
        let mut xclbin = Self { header, sections, gaps: Vec::new() };
        xclbin.gaps = xclbin.gaps_of(bytes);
        Ok(xclbin)
    }

    /// The parts of a file that neither headers nor sections cover.
    fn gaps_of(&self, bytes: &[u8]) -> Vec<(usize, Vec<u8>)> {
        let mut covered: Vec<(usize, usize)> = vec![(0, SECTIONS + SECTION_HEADER * self.sections.len())];
        covered.extend(self.sections.iter().map(|section| {
            let start = section.offset as usize;
            (start, start + section.data.len())
        }));
        covered.sort_unstable();
        let mut gaps = Vec::new();
        let mut end = 0;
        for (from, to) in covered.into_iter().chain([(bytes.len(), bytes.len())]) {
            if from > end {
                gaps.push((end, bytes.get(end..from).unwrap_or_default().to_vec()));
            }
            end = end.max(to);
        }
        gaps
    }

    /// The container as bytes: sections and gaps at their places.
    pub fn encode(&self) -> Vec<u8> {
        let mut out = self.header.encode(self.sections.len() as u32);
        for section in &self.sections {
            out.extend(section.kind.0.to_le_bytes());
            out.extend(section.name);
            out.extend(section.padding.to_le_bytes());
            out.extend(section.offset.to_le_bytes());
            out.extend((section.data.len() as u64).to_le_bytes());
        }
        let sections = self.sections.iter().map(|section| (section.offset as usize, &section.data));
        for (at, data) in sections.chain(self.gaps.iter().map(|gap| (gap.0, &gap.1))) {
            let end = at + data.len();
            if out.len() < end {
                out.resize(end, 0);
            }
            // Headers are written from their fields, whatever a section claims.
            let from = at.max(SECTIONS + SECTION_HEADER * self.sections.len()).min(end);
            out[from..end].copy_from_slice(&data[from - at..]);
        }
        out
    }

    /// The first section of a kind.
    pub fn section(&self, kind: SectionKind) -> Option<&Section> {
        self.sections.iter().find(|section| section.kind == kind)
    }

    fn typed<T>(&self, kind: SectionKind, decode: impl Fn(&Bytes<'_>) -> Result<T>) -> Result<Option<T>> {
        let section = self.section(kind);
        section.map(|section| decode(&Bytes::new(&section.data, section.offset as usize))).transpose()
    }

    /// Columns, PDIs and kernel ids; `None` without such a section.
    ///
    /// # Errors
    /// If the section is malformed.
    pub fn partition(&self) -> Result<Option<AiePartition>> {
        self.typed(SectionKind::AIE_PARTITION, AiePartition::decode)
    }

    /// Kernel instances; `None` without such a section.
    ///
    /// # Errors
    /// If the section is malformed.
    pub fn ip_layout(&self) -> Result<Option<IpLayout>> {
        self.typed(SectionKind::IP_LAYOUT, IpLayout::decode)
    }

    /// Memory banks; `None` without such a section.
    ///
    /// # Errors
    /// If the section is malformed.
    pub fn memory_topology(&self) -> Result<Option<MemoryTopology>> {
        self.typed(SectionKind::MEM_TOPOLOGY, MemoryTopology::decode)
    }

    /// Groups of memory banks; `None` without such a section.
    ///
    /// # Errors
    /// If the section is malformed.
    pub fn group_topology(&self) -> Result<Option<MemoryTopology>> {
        self.typed(SectionKind::GROUP_TOPOLOGY, MemoryTopology::decode)
    }

    /// Which argument lies in which bank; `None` without such a section.
    ///
    /// # Errors
    /// If the section is malformed.
    pub fn connectivity(&self) -> Result<Option<Connectivity>> {
        self.typed(SectionKind::CONNECTIVITY, Connectivity::decode)
    }

    /// Which argument lies in which group of banks; `None` without such a section.
    ///
    /// # Errors
    /// If the section is malformed.
    pub fn group_connectivity(&self) -> Result<Option<Connectivity>> {
        self.typed(SectionKind::GROUP_CONNECTIVITY, Connectivity::decode)
    }

    /// Kernels and their arguments from the embedded XML; none without such a section.
    ///
    /// # Errors
    /// If the XML is malformed.
    pub fn kernels(&self) -> Result<Vec<Kernel>> {
        Ok(self.typed(SectionKind::EMBEDDED_METADATA, metadata::decode)?.unwrap_or_default())
    }
}
