//! Making an xclbin from kernels, memory banks and a partition, as xclbinutil does.

use super::{
    AiePartition, Connection, Connectivity, Header, Ip, IpLayout, Kernel, MemoryTopology, Section, SectionKind, Xclbin,
    metadata, mirror,
};
use super::{SECTION_HEADER, SECTIONS};

/// What an xclbin for an NPU is made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Package {
    /// Kernels, each with its instances and arguments.
    pub kernels: Vec<Kernel>,
    /// Memory banks that arguments name.
    pub memory: MemoryTopology,
    /// The partition.
    pub partition: AiePartition,
    /// Name of the section with the memory banks; xclbinutil takes the input's file name.
    pub memory_name: String,
    /// Name of the section with the partition.
    pub partition_name: String,
    /// Whether a kernel was added to an existing file: the partition, replaced by then, comes behind the tables.
    pub extended: bool,
    /// Version, time stamps and identifiers; its length is computed.
    pub header: Header,
}

/// Why a package cannot be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PackageError {
    /// An argument in a memory bank that does not exist.
    #[error("argument `{argument}` of kernel `{kernel}` is in memory `{memory}`, which does not exist")]
    NoSuchMemory {
        /// The kernel.
        kernel: String,
        /// The argument.
        argument: String,
        /// The bank.
        memory: String,
    },
    /// Two instances of the same name.
    #[error("there are two kernel instances `{0}`")]
    DuplicateInstance(String),
    /// A name that does not fit its field.
    #[error("`{name}` has {length} bytes, but there is room for {limit}")]
    NameTooLong {
        /// The name.
        name: String,
        /// Its bytes.
        length: usize,
        /// Largest number of bytes.
        limit: usize,
    },
    /// A kernel id of more than 12 bits.
    #[error("kernel `{kernel}` has the id {id:#x}, which has more than 12 bits")]
    KernelId {
        /// The kernel.
        kernel: String,
        /// Its id.
        id: u32,
    },
}

fn check_name(name: &str, limit: usize) -> Result<(), PackageError> {
    let length = name.len();
    if length <= limit { Ok(()) } else { Err(PackageError::NameTooLong { name: name.to_owned(), length, limit }) }
}

impl Package {
    /// The file.
    ///
    /// # Errors
    /// If names or numbers contradict each other or do not fit.
    pub fn build(&self) -> Result<Xclbin, PackageError> {
        let ips = self.ip_layout()?;
        let connectivity = self.connectivity()?;
        // Groups are the banks themselves, and their connections those to the banks followed by those to the groups.
        let doubled = connectivity.connections.iter().chain(&connectivity.connections).copied().collect();
        let groups = Connectivity { connections: doubled };
        let memory = (SectionKind::MEM_TOPOLOGY, self.memory_name.as_str(), self.memory.encode());
        let partition = (SectionKind::AIE_PARTITION, self.partition_name.as_str(), self.partition.encode());
        let mut parts = vec![
            memory,
            (SectionKind::EMBEDDED_METADATA, "", metadata::encode(&self.kernels)),
            (SectionKind::IP_LAYOUT, "", ips.encode()),
            (SectionKind::CONNECTIVITY, "", connectivity.encode()),
            (SectionKind::GROUP_CONNECTIVITY, "", groups.encode()),
            (SectionKind::GROUP_TOPOLOGY, "", self.memory.encode()),
        ];
        parts.insert(if self.extended { 4 } else { 1 }, partition);
        self.lay_out(parts)
    }

    fn lay_out(&self, parts: Vec<(SectionKind, &str, Vec<u8>)>) -> Result<Xclbin, PackageError> {
        let mut at = SECTIONS + SECTION_HEADER * parts.len();
        let mut sections = Vec::new();
        for (kind, given, data) in parts {
            // The last byte stays zero.
            check_name(given, 15)?;
            let mut name = [0; 16];
            name[..given.len()].copy_from_slice(given.as_bytes());
            at = at.next_multiple_of(8);
            let offset = at as u64;
            at += data.len();
            sections.push(Section { kind, name, padding: 0, offset, data });
        }
        let mut header = self.header.clone();
        let appendix = mirror::appendix(&header, &sections);
        header.length = (at + appendix.len()) as u64;
        Ok(Xclbin { header, sections, gaps: vec![(at, appendix)] })
    }

    fn ip_layout(&self) -> Result<IpLayout, PackageError> {
        let mut ips: Vec<Ip> = Vec::new();
        for kernel in &self.kernels {
            if kernel.kernel_id > 0xfff {
                return Err(PackageError::KernelId { kernel: kernel.name.clone(), id: kernel.kernel_id });
            }
            for instance in &kernel.instances {
                let name = format!("{}:{instance}", kernel.name);
                check_name(&name, 64)?;
                if ips.iter().any(|ip| ip.name == name) {
                    return Err(PackageError::DuplicateInstance(name));
                }
                let properties = kernel.subtype & 3 | (kernel.functional & 3) << 4 | kernel.kernel_id << 16;
                ips.push(Ip { kind: Ip::PS_KERNEL, properties, base: Ip::NO_BASE, name });
            }
        }
        Ok(IpLayout { ips })
    }

    fn connectivity(&self) -> Result<Connectivity, PackageError> {
        let mut connections = Vec::new();
        let mut ip = 0;
        for kernel in &self.kernels {
            for _ in &kernel.instances {
                for (number, argument) in kernel.arguments.iter().enumerate().filter(|(_, arg)| !arg.memory.is_empty())
                {
                    let memory = self.memory.banks.iter().position(|bank| bank.tag == argument.memory);
                    let memory = memory.ok_or_else(|| PackageError::NoSuchMemory {
                        kernel: kernel.name.clone(),
                        argument: argument.name.clone(),
                        memory: argument.memory.clone(),
                    })?;
                    connections.push(Connection { argument: number as i32, ip, memory: memory as i32 });
                }
                ip += 1;
            }
        }
        Ok(Connectivity { connections })
    }
}
