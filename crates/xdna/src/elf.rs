//! ELF files: control code for the firmware, and programs of core tiles.
//!
//! [`Elf`] is the file as it is. [`ControlCode`] is what AMD's assembler aiebu puts into it: instruction streams, control packets,
//! and relocations that put buffer addresses into them; a *full* ELF has PDIs and named kernels as well. Layouts from
//! src/cpp/aiebu/src of Xilinx/aiebu and src/runtime_src/core/common/api of Xilinx/XRT; full ELFs after XRT's reader only.

mod code;
mod patch;

use object::LittleEndian;
use object::elf::FileHeader32;
use object::read::elf::{FileHeader as _, ProgramHeader as _, SectionHeader as _};

use crate::device::TileFacts;
use crate::error::{Error, Result};

pub use code::{ControlCode, Group, KernelName, Note, Relocation, RelocationKind, Symbol};
pub use patch::PatchError;

/// A 32-bit little-endian ELF file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Elf {
    /// The first 16 bytes: magic number, class, and in bytes 7 and 8 platform and version.
    pub ident: [u8; 16],
    /// Type: 2 for an executable.
    pub kind: u16,
    /// Machine: 1 for control code, 264 for a core program.
    pub machine: u16,
    /// Version, 1.
    pub version: u32,
    /// Entry point.
    pub entry: u32,
    /// Where the program headers lie.
    pub segments_at: u32,
    /// Where the section headers lie.
    pub sections_at: u32,
    /// Flags; of a core program: 1 AIE1, 2 AIE2, 3 AIE2P.
    pub flags: u32,
    /// Bytes of the header, of a program header, of a section header.
    pub header_sizes: [u16; 3],
    /// Index of the section with the names of sections.
    pub names: u16,
    /// Program headers.
    pub segments: Vec<Segment>,
    /// Sections by index.
    pub sections: Vec<Section>,
}

/// A program header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Segment {
    /// Type: 1 is loaded.
    pub kind: u32,
    /// Where its bytes lie in the file.
    pub offset: u32,
    /// Address.
    pub address: u32,
    /// Physical address.
    pub physical: u32,
    /// Bytes in the file.
    pub file_size: u32,
    /// Bytes in memory.
    pub memory_size: u32,
    /// Flags.
    pub flags: u32,
    /// Alignment.
    pub align: u32,
}

/// A section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// Name.
    pub name: String,
    /// Type.
    pub kind: u32,
    /// Flags.
    pub flags: u32,
    /// Address.
    pub address: u32,
    /// Where its bytes lie in the file.
    pub offset: u32,
    /// Its size as the header has it.
    pub size: u32,
    /// Index of a section that belongs to it.
    pub link: u32,
    /// More about it.
    pub info: u32,
    /// Alignment.
    pub align: u32,
    /// Bytes of an entry.
    pub entry_size: u32,
    /// Its bytes; none for a section that takes no room in the file.
    pub data: Vec<u8>,
}

fn elf_error(error: object::read::Error) -> Error {
    Error::Elf { message: error.to_string() }
}

impl Elf {
    /// Machine number of control code.
    pub const CONTROL_CODE: u16 = 1;
    /// Machine number of a core program.
    pub const CORE: u16 = 264;

    /// Whether bytes start as a 32-bit little-endian ELF file does.
    pub fn is_elf(bytes: &[u8]) -> bool {
        bytes.starts_with(b"\x7fELF\x01\x01")
    }

    /// Reads a file.
    ///
    /// # Errors
    /// If it is no such file, or a header or section reaches outside it.
    pub fn decode(bytes: &[u8]) -> Result<Self> {
        let header = FileHeader32::<LittleEndian>::parse(bytes).map_err(elf_error)?;
        let endian = header.endian().map_err(elf_error)?;
        let segments = header.program_headers(endian, bytes).map_err(elf_error)?;
        let table = header.sections(endian, bytes).map_err(elf_error)?;
        let mut sections = Vec::new();
        let mut total: usize = 0;
        for section in table.iter() {
            let data = section.data(endian, bytes).map_err(elf_error)?;
            let name = table.section_name(endian, section).map_err(elf_error)?;
            let offset = section.sh_offset.get(endian);
            total = total.saturating_add(data.len()).saturating_add(name.len());
            // Sections lie side by side, and so do their names, which may share endings.
            if total > bytes.len().saturating_mul(2) {
                return Err(Error::TooMuchMemory { offset: offset as usize, what: "the sections" });
            }
            let not_text = |_| Error::NotUtf8 { offset: offset as usize, what: "the name of a section" };
            sections.push(Section {
                name: std::str::from_utf8(name).map_err(not_text)?.to_owned(),
                kind: section.sh_type(endian).0,
                flags: section.sh_flags(endian).0 as u32,
                address: section.sh_addr.get(endian),
                offset,
                size: section.sh_size.get(endian),
                link: section.sh_link.get(endian),
                info: section.sh_info.get(endian),
                align: section.sh_addralign.get(endian),
                entry_size: section.sh_entsize.get(endian),
                data: data.to_vec(),
            });
        }
        let mut ident = [0; 16];
        ident.copy_from_slice(&bytes[..16]);
        let segment = |segment: &object::elf::ProgramHeader32<LittleEndian>| Segment {
            kind: segment.p_type(endian).0,
            offset: segment.p_offset.get(endian),
            address: segment.p_vaddr.get(endian),
            physical: segment.p_paddr.get(endian),
            file_size: segment.p_filesz.get(endian),
            memory_size: segment.p_memsz.get(endian),
            flags: segment.p_flags(endian).0,
            align: segment.p_align.get(endian),
        };
        Ok(Self {
            ident,
            kind: header.e_type(endian).0,
            machine: header.e_machine(endian).0,
            version: header.e_version(endian),
            entry: header.e_entry.get(endian),
            segments_at: header.e_phoff.get(endian),
            sections_at: header.e_shoff.get(endian),
            flags: header.e_flags(endian).0,
            header_sizes: [header.e_ehsize(endian), header.e_phentsize(endian), header.e_shentsize(endian)],
            names: header.e_shstrndx(endian).0,
            segments: segments.iter().map(segment).collect(),
            sections,
        })
    }

    /// The first section of a name, with its index.
    pub fn section(&self, name: &str) -> Option<(usize, &Section)> {
        self.sections.iter().enumerate().find(|(_, section)| section.name == name)
    }

    /// What its control code consists of.
    ///
    /// # Errors
    /// If symbols, relocations or groups contradict each other.
    pub fn control_code(&self) -> Result<ControlCode> {
        code::decode(self)
    }
}

/// Where an address of a core program lies in its tile: programs see program memory at 0 and their own data memory at 0x70000.
/// `None` for the memories of neighbours (0x40000 south, 0x50000 west, 0x60000 north) and for what is nowhere.
pub const fn core_address(address: u32) -> Option<u32> {
    const OWN_DATA: u32 = 0x7_0000;
    match address {
        0..0x4000 => Some(TileFacts::PROGRAM_MEMORY + address),
        OWN_DATA..0x8_0000 => Some(address - OWN_DATA),
        _ => None,
    }
}
