//! The AIE partition: columns, PDIs, and which kernels a PDI serves.

use super::Uuid;
use crate::bytes::Bytes;
use crate::error::{Error, Result};

/// Bytes of the structures.
const PARTITION: usize = 184;
const PDI: usize = 96;
const GROUP: usize = 96;

/// A partition of the array.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AiePartition {
    /// Version of the structure, 0.
    pub schema: u8,
    /// Name; xclbinutil writes an empty one.
    pub name: String,
    /// Operations per cycle.
    pub operations_per_cycle: u32,
    /// Fingerprint of the inference.
    pub inference_fingerprint: u64,
    /// Fingerprint of what comes before and after.
    pub pre_post_fingerprint: u64,
    /// Commit of the kernels.
    pub kernel_commit: String,
    /// Columns that the partition needs.
    pub columns: u16,
    /// Columns that it may start at.
    pub start_columns: Vec<u16>,
    /// Its PDIs.
    pub pdis: Vec<PartitionPdi>,
}

/// A PDI of a partition.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PartitionPdi {
    /// Its identifier.
    pub uuid: Uuid,
    /// The PDI.
    pub image: Vec<u8>,
    /// Where the image lies in the file that was read; 0 for one that was not.
    pub place: usize,
    /// What it is for.
    pub groups: Vec<CdoGroup>,
}

/// What a PDI is loaded for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct GroupKind(pub u8);

impl GroupKind {
    /// The main configuration.
    pub const PRIMARY: Self = Self(1);
    /// A reduced one.
    pub const LITE: Self = Self(2);
    /// Work before or after.
    pub const PRE_POST: Self = Self(3);

    /// Its name.
    pub const fn name(self) -> Option<&'static str> {
        match self {
            Self::PRIMARY => Some("PRIMARY"),
            Self::LITE => Some("LITE"),
            Self::PRE_POST => Some("PREPOST"),
            _ => None,
        }
    }
}

/// Kernels that a PDI serves.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CdoGroup {
    /// Name.
    pub name: String,
    /// What for.
    pub kind: GroupKind,
    /// Number of the PDI.
    pub pdi_id: u64,
    /// Kernel ids, as the kernel instances have them.
    pub kernel_ids: Vec<u64>,
    /// Groups that must be loaded before.
    pub pre_groups: Vec<u64>,
}

/// Reads the structures of one section and keeps account of what the file asks for.
struct Reader<'a> {
    data: Bytes<'a>,
    budget: usize,
}

impl Reader<'_> {
    /// Everything in a sound section lies side by side, so all of it together is no larger than the section.
    fn take(&mut self, at: usize, length: usize, what: &'static str) -> Result<Bytes<'_>> {
        let part = self.data.part(at, length, what)?;
        match self.budget.checked_sub(length) {
            Some(rest) => self.budget = rest,
            None => return Err(Error::TooMuchMemory { offset: self.data.place(at), what }),
        }
        Ok(part)
    }

    /// The array (count, offset) whose descriptor lies at `at`: offset and number of its elements.
    fn array(&self, at: usize, size: usize, what: &'static str) -> Result<(usize, usize)> {
        let (count, offset) = (self.data.u32(at, what)? as usize, self.data.u32(at + 4, what)? as usize);
        let length = count.saturating_mul(size);
        self.data.part(offset, length, what)?;
        Ok((offset, count))
    }

    fn text(&mut self, at: usize, what: &'static str) -> Result<String> {
        let offset = self.data.u32(at, what)? as usize;
        let rest = self.data.part(offset, self.data.len().saturating_sub(offset), what)?;
        let text = rest.text(what)?;
        self.take(offset, text.len(), what)?;
        Ok(text)
    }

    fn numbers64(&mut self, at: usize, what: &'static str) -> Result<Vec<u64>> {
        let (offset, count) = self.array(at, 8, what)?;
        let part = self.take(offset, count * 8, what)?;
        (0..count).map(|index| part.u64(index * 8, what)).collect()
    }

    fn group(&mut self, at: usize) -> Result<CdoGroup> {
        let what = "a CDO group";
        Ok(CdoGroup {
            name: self.text(at, "the name of a CDO group")?,
            kind: GroupKind(self.data.u8(at + 4, what)?),
            pdi_id: self.data.u64(at + 8, what)?,
            kernel_ids: self.numbers64(at + 16, "the kernel ids of a CDO group")?,
            pre_groups: self.numbers64(at + 24, "the groups before a CDO group")?,
        })
    }

    fn pdi(&mut self, at: usize) -> Result<PartitionPdi> {
        let what = "a PDI of the partition";
        let uuid = Uuid(self.data.array16(at, what)?);
        let (offset, length) = self.array(at + 16, 1, "the image of a PDI")?;
        let part = self.take(offset, length, "the image of a PDI")?;
        let (image, place) = (part.as_slice().to_vec(), part.place(0));
        let (offset, count) = self.array(at + 24, GROUP, "the CDO groups of a PDI")?;
        self.take(offset, count * GROUP, "the CDO groups of a PDI")?;
        let groups = (0..count).map(|index| self.group(offset + index * GROUP)).collect::<Result<_>>()?;
        Ok(PartitionPdi { uuid, image, place, groups })
    }
}

impl AiePartition {
    /// Reads the section.
    pub(super) fn decode(data: &Bytes<'_>) -> Result<Self> {
        let what = "the AIE partition";
        data.part(0, PARTITION, what)?;
        let mut reader = Reader { data: *data, budget: data.len() };
        let (offset, count) = reader.array(40, 2, "the start columns")?;
        let part = reader.take(offset, count * 2, "the start columns")?;
        let start_columns = (0..count).map(|index| part.u16(index * 2, what)).collect::<Result<_>>()?;
        let (offset, count) = reader.array(120, PDI, "the PDIs of the partition")?;
        reader.take(offset, count * PDI, "the PDIs of the partition")?;
        Ok(Self {
            schema: data.u8(0, what)?,
            name: reader.text(4, "the name of the partition")?,
            operations_per_cycle: data.u32(8, what)?,
            inference_fingerprint: data.u64(16, what)?,
            pre_post_fingerprint: data.u64(24, what)?,
            kernel_commit: reader.text(128, "the commit of the kernels")?,
            columns: data.u16(32, what)?,
            start_columns,
            pdis: (0..count).map(|index| reader.pdi(offset + index * PDI)).collect::<Result<_>>()?,
        })
    }

    /// The section as bytes, in the order in which xclbinutil lays it out.
    pub fn encode(&self) -> Vec<u8> {
        let mut out = vec![0; PARTITION];
        let name = append_text(&mut out, &self.name);
        let commit = append_text(&mut out, &self.kernel_commit);
        let columns = append(&mut out, &self.start_columns.iter().flat_map(|c| c.to_le_bytes()).collect::<Vec<_>>());
        let mut pdis = Vec::new();
        for pdi in &self.pdis {
            let image = append(&mut out, &pdi.image);
            let mut groups = Vec::new();
            for group in &pdi.groups {
                groups.extend(group.encode(&mut out));
            }
            let groups = append(&mut out, &groups);
            let mut entry = [0; PDI];
            put(&mut entry, 0, &pdi.uuid.0);
            put_array(&mut entry, 16, pdi.image.len(), image);
            put_array(&mut entry, 24, pdi.groups.len(), groups);
            pdis.extend(entry);
        }
        let pdis = append(&mut out, &pdis);
        out[0] = self.schema;
        put(&mut out, 4, &(name as u32).to_le_bytes());
        put(&mut out, 8, &self.operations_per_cycle.to_le_bytes());
        put(&mut out, 16, &self.inference_fingerprint.to_le_bytes());
        put(&mut out, 24, &self.pre_post_fingerprint.to_le_bytes());
        put(&mut out, 32, &self.columns.to_le_bytes());
        put_array(&mut out, 40, self.start_columns.len(), columns);
        put_array(&mut out, 120, self.pdis.len(), pdis);
        put(&mut out, 128, &(commit as u32).to_le_bytes());
        out
    }
}

impl CdoGroup {
    /// Appends what the group points to; gives back its structure.
    fn encode(&self, out: &mut Vec<u8>) -> [u8; GROUP] {
        let numbers = |numbers: &[u64]| numbers.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<_>>();
        let name = append_text(out, &self.name);
        let kernels = append(out, &numbers(&self.kernel_ids));
        let before = append(out, &numbers(&self.pre_groups));
        let mut entry = [0; GROUP];
        put(&mut entry, 0, &(name as u32).to_le_bytes());
        entry[4] = self.kind.0;
        put(&mut entry, 8, &self.pdi_id.to_le_bytes());
        put_array(&mut entry, 16, self.kernel_ids.len(), kernels);
        put_array(&mut entry, 24, self.pre_groups.len(), before);
        entry
    }
}

/// Appends bytes, padded to 8; gives back where they start.
fn append(out: &mut Vec<u8>, bytes: &[u8]) -> usize {
    let at = out.len();
    out.extend_from_slice(bytes);
    out.resize(out.len().next_multiple_of(8), 0);
    at
}

/// Appends a string with its zero.
fn append_text(out: &mut Vec<u8>, text: &str) -> usize {
    let mut bytes = text.as_bytes().to_vec();
    bytes.push(0);
    append(out, &bytes)
}

fn put(out: &mut [u8], at: usize, bytes: &[u8]) {
    if let Some(place) = out.get_mut(at..at + bytes.len()) {
        place.copy_from_slice(bytes);
    }
}

fn put_array(out: &mut [u8], at: usize, count: usize, offset: usize) {
    put(out, at, &(count as u32).to_le_bytes());
    put(out, at + 4, &(offset as u32).to_le_bytes());
}
