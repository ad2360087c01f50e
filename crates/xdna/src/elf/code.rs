//! Symbols, relocations, notes and groups of control code.

use std::fmt;

use super::{Elf, Section};
use crate::bytes::Bytes;
use crate::error::{Error, Result};

/// Section types that matter here.
const SYMBOLS: u32 = 2;
const RELOCATIONS: u32 = 4;
const DYNAMIC: u32 = 6;
const NOTES: u32 = 7;
const DYNAMIC_SYMBOLS: u32 = 11;
const GROUP: u32 = 17;

/// Control code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ControlCode {
    /// Platform: 69 AIE2P, 64 and 70 AIE2PS, 75, 86 and 105 AIE4.
    pub platform: u8,
    /// Version of the binary interface: major in the upper four bits, minor in the lower. 1 and 2 are partial files, 0x10 and up
    /// are full ones.
    pub abi: u8,
    /// Symbols that relocations name.
    pub symbols: Vec<Symbol>,
    /// Relocations in order.
    pub relocations: Vec<Relocation>,
    /// Entries of the dynamic section: tag and value.
    pub dynamic: Vec<(u32, u32)>,
    /// Notes with the section they are in.
    pub notes: Vec<Note>,
    /// Groups: the control code of one kernel each; full files only.
    pub groups: Vec<Group>,
}

/// A symbol: something whose address is put into a section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Symbol {
    /// Number of an argument, or `control-packet`, `scratch-pad-mem`, `.pdi.N` and the like.
    pub name: String,
    /// Value, 0.
    pub value: u32,
    /// Bytes that are transferred, or the mask of a scalar.
    pub size: u32,
    /// Binding.
    pub bind: u8,
    /// Type.
    pub kind: u8,
    /// Index of the section to patch.
    pub section: u16,
}

/// How an address is put in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RelocationKind(pub u32);

impl RelocationKind {
    /// Pointer of a microcontroller's DMA, AIE2PS.
    pub const UC_DMA_REMOTE_PTR: Self = Self(1);
    /// Shim descriptor with a 57-bit address.
    pub const SHIM_DMA_57: Self = Self(2);
    /// A word under the symbol's mask.
    pub const SCALAR_32: Self = Self(3);
    /// Shim descriptor inside a control packet.
    pub const CONTROL_PACKET_48: Self = Self(4);
    /// Shim descriptor with a 48-bit address.
    pub const SHIM_DMA_48: Self = Self(5);
    /// Shim descriptor of AIE4.
    pub const SHIM_DMA_57_AIE4: Self = Self(6);
    /// Shim descriptor with a 57-bit address inside a control packet.
    pub const CONTROL_PACKET_57: Self = Self(7);
    /// A 64-bit address, such as that of a PDI.
    pub const ADDRESS_64: Self = Self(8);
    /// Shim descriptor of AIE4 inside a control packet.
    pub const CONTROL_PACKET_57_AIE4: Self = Self(9);
    /// An address for programmable logic.
    pub const PL_DDR_64: Self = Self(11);

    /// Its name.
    pub const fn name(self) -> Option<&'static str> {
        Some(match self {
            Self::UC_DMA_REMOTE_PTR => "uc_dma_remote_ptr_symbol",
            Self::SHIM_DMA_57 => "shim_dma_57",
            Self::SCALAR_32 => "scalar_32",
            Self::CONTROL_PACKET_48 => "control_packet_48",
            Self::SHIM_DMA_48 => "shim_dma_48",
            Self::SHIM_DMA_57_AIE4 => "shim_dma_57_aie4",
            Self::CONTROL_PACKET_57 => "control_packet_57",
            Self::ADDRESS_64 => "address_64",
            Self::CONTROL_PACKET_57_AIE4 => "control_packet_57_aie4",
            Self::PL_DDR_64 => "pl_ddr_64",
            _ => return None,
        })
    }
}

impl fmt::Display for RelocationKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => f.write_str(name),
            None => write!(f, "relocation type {}", self.0),
        }
    }
}

/// A place that an address is put into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Relocation {
    /// Byte in the symbol's section.
    pub offset: u32,
    /// How.
    pub kind: RelocationKind,
    /// Which symbol, by index.
    pub symbol: usize,
    /// Bytes that are added.
    pub addend: u32,
}

/// A note.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// The section it is in.
    pub section: String,
    /// Owner: `XRT`.
    pub name: String,
    /// Type.
    pub kind: u32,
    /// Its bytes.
    pub data: Vec<u8>,
}

/// The control code of one kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// Index of the group's section, by which the driver names it.
    pub section: usize,
    /// Flags.
    pub flags: u32,
    /// Indices of its sections.
    pub members: Vec<usize>,
    /// The symbol of the instance: name and type.
    pub instance: (String, u8),
    /// The symbol of the kernel: name and type.
    pub kernel: (String, u8),
}

impl Group {
    /// `kernel:instance`, the name under which the kernel is opened.
    pub fn name(&self) -> String {
        let kernel = KernelName::parse(&self.kernel.0).map_or_else(|| self.kernel.0.clone(), |kernel| kernel.name);
        format!("{kernel}:{}", self.instance.0)
    }
}

/// A kernel's name with its arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KernelName {
    /// Name.
    pub name: String,
    /// Types of its arguments.
    pub arguments: Vec<&'static str>,
}

impl KernelName {
    /// Reads a mangled name as C++ compilers make it: `_Z4mainPcPc`.
    pub fn parse(mangled: &str) -> Option<Self> {
        let rest = mangled.strip_prefix("_Z")?;
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let length: usize = rest.get(..digits)?.parse().ok()?;
        let end = digits.checked_add(length)?;
        let (name, mut types) = (rest.get(digits..end)?, rest.get(end..)?);
        let mut arguments = Vec::new();
        while !types.is_empty() {
            let known = [("Pc", "char*"), ("Pv", "void*"), ("j", "unsigned"), ("i", "int"), ("m", "unsigned long")];
            let (code, kind) = known.into_iter().find(|(code, _)| types.starts_with(code))?;
            arguments.push(kind);
            types = &types[code.len()..];
        }
        Some(Self { name: name.to_owned(), arguments })
    }
}

/// `main(char*, char*)`.
impl fmt::Display for KernelName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}({})", self.name, self.arguments.join(", "))
    }
}

fn bytes(section: &Section) -> Bytes<'_> {
    Bytes::new(&section.data, section.offset as usize)
}

pub(super) fn decode(elf: &Elf) -> Result<ControlCode> {
    let first = |kind: u32| elf.sections.iter().find(|section| section.kind == kind);
    let (platform, abi) = (elf.ident[7], elf.ident[8]);
    let symbols = first(DYNAMIC_SYMBOLS).map_or(Ok(Vec::new()), |section| symbols(elf, section))?;
    let relocations = match first(RELOCATIONS) {
        Some(section) => relocations(section, abi, symbols.len())?,
        None => Vec::new(),
    };
    let dynamic = match first(DYNAMIC) {
        Some(section) => {
            let data = bytes(section);
            let pair = |at: usize| Ok((data.u32(at, "the dynamic section")?, data.u32(at + 4, "the dynamic section")?));
            (0..data.len() / 8).map(|index| pair(index * 8)).collect::<Result<_>>()?
        }
        None => Vec::new(),
    };
    let mut notes = Vec::new();
    for section in elf.sections.iter().filter(|section| section.kind == NOTES) {
        read_notes(section, &mut notes)?;
    }
    let groups = groups(elf, first(SYMBOLS))?;
    Ok(ControlCode { platform, abi, symbols, relocations, dynamic, notes, groups })
}

/// Names are copied, so that many symbols with one long name could ask for more memory than the file justifies.
fn symbols(elf: &Elf, section: &Section) -> Result<Vec<Symbol>> {
    const SIZE: usize = 16;
    let what = "a symbol";
    let data = bytes(section);
    let names = usize::try_from(section.link).ok().and_then(|link| elf.sections.get(link)).map(bytes);
    let names = names.ok_or(Error::OutOfRange {
        offset: section.offset as usize,
        what: "the section with the names of symbols",
        value: section.link.into(),
        limit: elf.sections.len() as u64,
    })?;
    let mut budget = names.len().saturating_add(16 * data.len());
    let mut symbols = Vec::new();
    for index in 0..data.len() / SIZE {
        let at = index * SIZE;
        let offset = data.u32(at, what)? as usize;
        let rest = names.part(offset, names.len().saturating_sub(offset), "the name of a symbol")?;
        let name = rest.text("the name of a symbol")?;
        let Some(left) = budget.checked_sub(name.len()) else {
            return Err(Error::TooMuchMemory { offset: data.place(at), what: "the names of symbols" });
        };
        budget = left;
        let info = data.u8(at + 12, what)?;
        symbols.push(Symbol {
            name,
            value: data.u32(at + 4, what)?,
            size: data.u32(at + 8, what)?,
            bind: info >> 4,
            kind: info & 0xf,
            section: data.u16(at + 14, what)?,
        });
    }
    Ok(symbols)
}

fn relocations(section: &Section, abi: u8, symbols: usize) -> Result<Vec<Relocation>> {
    const SIZE: usize = 12;
    let what = "a relocation";
    let data = bytes(section);
    let relocation = |at: usize| {
        let (info, addend) = (data.u32(at + 4, what)?, data.u32(at + 8, what)?);
        let symbol = (info >> 8) as usize;
        if symbol >= symbols {
            return Err(Error::OutOfRange {
                offset: data.place(at + 4),
                what: "the symbol of a relocation",
                value: symbol as u64,
                limit: (symbols as u64).saturating_sub(1),
            });
        }
        // The first version packed the type into the addend.
        let (kind, addend) = if abi == 1 { (addend & 0xf, addend >> 4) } else { (info & 0xff, addend) };
        Ok(Relocation { offset: data.u32(at, what)?, kind: RelocationKind(kind), symbol, addend })
    };
    (0..data.len() / SIZE).map(|index| relocation(index * SIZE)).collect()
}

fn read_notes(section: &Section, notes: &mut Vec<Note>) -> Result<()> {
    let what = "a note";
    let data = bytes(section);
    let mut at = 0;
    while at + 12 <= data.len() {
        let [name, length] = [data.u32(at, what)? as usize, data.u32(at + 4, what)? as usize];
        let kind = data.u32(at + 8, what)?;
        let owner = data.part(at + 12, name, what)?.text("the owner of a note")?;
        let start = (at + 12).saturating_add(name.next_multiple_of(4));
        let content = data.part(start, length, what)?;
        notes.push(Note { section: section.name.clone(), name: owner, kind, data: content.as_slice().to_vec() });
        at = start.saturating_add(length.next_multiple_of(4));
    }
    Ok(())
}

fn groups(elf: &Elf, symbol_table: Option<&Section>) -> Result<Vec<Group>> {
    let table = match symbol_table {
        Some(section) => symbols(elf, section)?,
        None => Vec::new(),
    };
    let symbol = |index: u32, section: &Section| {
        table.get(index as usize).ok_or(Error::OutOfRange {
            offset: section.offset as usize,
            what: "the symbol of a group",
            value: index.into(),
            limit: (table.len() as u64).saturating_sub(1),
        })
    };
    let mut groups = Vec::new();
    for (index, section) in elf.sections.iter().enumerate().filter(|(_, section)| section.kind == GROUP) {
        let words = bytes(section).words("a group")?;
        let instance = symbol(section.info, section)?;
        // The instance names its kernel by the index of that symbol.
        let kernel = symbol(instance.section.into(), section)?;
        groups.push(Group {
            section: index,
            flags: words.first().copied().unwrap_or_default(),
            members: words.iter().skip(1).map(|member| *member as usize).collect(),
            instance: (instance.name.clone(), instance.kind),
            kernel: (kernel.name.clone(), kernel.kind),
        });
    }
    Ok(groups)
}
