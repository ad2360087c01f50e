//! Putting buffer addresses into control code.

use super::{ControlCode, Elf, Relocation, RelocationKind};
use crate::DDR_APERTURE;
use crate::bytes::{halves, whole};

/// Why addresses cannot be put in.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PatchError {
    /// No address was given for a symbol.
    #[error("relocation {relocation} needs the address of `{symbol}`, which was not given")]
    NoAddress {
        /// Number of the relocation.
        relocation: usize,
        /// The symbol.
        symbol: String,
    },
    /// A relocation into a section that does not exist.
    #[error("relocation {relocation} patches section {section}, which does not exist")]
    NoSection {
        /// Number of the relocation.
        relocation: usize,
        /// Index of the section.
        section: u16,
    },
    /// A relocation outside its section.
    #[error("relocation {relocation} patches byte {offset:#x} of `{section}`, which has {size:#x} bytes")]
    Outside {
        /// Number of the relocation.
        relocation: usize,
        /// Name of the section.
        section: String,
        /// First byte that would be patched.
        offset: u64,
        /// Bytes of the section.
        size: usize,
    },
    /// A kind of relocation that NPUs of these generations do not have.
    #[error("relocation {relocation} is a {kind}, which this reader does not apply")]
    Kind {
        /// Number of the relocation.
        relocation: usize,
        /// Its kind.
        kind: RelocationKind,
    },
}

impl ControlCode {
    /// The sections of `elf` that relocations change, by index, with the addresses of symbols put in. Call it afresh for every
    /// launch: addresses are added to what the file has.
    ///
    /// # Errors
    /// If an address is missing, or a relocation reaches outside its section.
    pub fn patch(&self, elf: &Elf, address: impl Fn(&str) -> Option<u64>) -> Result<Vec<(usize, Vec<u8>)>, PatchError> {
        let mut patched: Vec<(usize, Vec<u8>)> = Vec::new();
        for (number, relocation) in self.relocations.iter().enumerate() {
            let Some(symbol) = self.symbols.get(relocation.symbol) else { continue };
            let missing = || PatchError::NoAddress { relocation: number, symbol: symbol.name.clone() };
            let value = address(&symbol.name).ok_or_else(missing)?;
            let index = usize::from(symbol.section);
            let no_section = PatchError::NoSection { relocation: number, section: symbol.section };
            let section = elf.sections.get(index).ok_or(no_section)?;
            let place = match patched.iter().position(|entry| entry.0 == index) {
                Some(place) => place,
                None => {
                    patched.push((index, section.data.clone()));
                    patched.len() - 1
                }
            };
            let words = Words { data: &mut patched[place].1, start: u64::from(relocation.offset) };
            apply(words, relocation, value, symbol.size).map_err(|failure| match failure {
                Failure::Outside(offset) => PatchError::Outside {
                    relocation: number,
                    section: section.name.clone(),
                    offset,
                    size: section.data.len(),
                },
                Failure::Kind => PatchError::Kind { relocation: number, kind: relocation.kind },
            })?;
        }
        Ok(patched)
    }
}

enum Failure {
    Outside(u64),
    Kind,
}

/// The words from a relocation's place on.
struct Words<'a> {
    data: &'a mut [u8],
    start: u64,
}

impl Words<'_> {
    fn place(&mut self, word: u64) -> Result<&mut [u8; 4], Failure> {
        let at = self.start.saturating_add(4 * word);
        let start = usize::try_from(at).ok();
        let place = start.and_then(|start| self.data.get_mut(start..)).and_then(<[u8]>::first_chunk_mut);
        place.ok_or(Failure::Outside(at))
    }

    fn get(&mut self, word: u64) -> Result<u32, Failure> {
        self.place(word).map(|bytes| u32::from_le_bytes(*bytes))
    }

    fn set(&mut self, word: u64, value: u32) -> Result<(), Failure> {
        self.place(word).map(|bytes| *bytes = value.to_le_bytes())
    }

    /// Adds to an address whose low half is a word, and whose upper bits are the lowest bits of another. Reading and writing the
    /// upper bits use different masks in XRT.
    fn add(&mut self, low: u64, high: (u64, u32, u32), sum: u64) -> Result<(), Failure> {
        let (word, read, keep) = high;
        let upper = self.get(word)?;
        let address = whole(self.get(low)?, upper & read).wrapping_add(sum);
        let [bottom, top] = halves(address);
        self.set(low, bottom & !3)?;
        self.set(word, upper & keep | top & !keep)
    }
}

fn apply(mut words: Words<'_>, relocation: &Relocation, value: u64, size: u32) -> Result<(), Failure> {
    /// What is kept of a word that holds the upper 16, or 25, bits of an address.
    const KEEP_16: u32 = 0xffff_0000;
    const KEEP_25: u32 = 0xfe00_0000;
    let sum = value.wrapping_add(u64::from(relocation.addend));
    let aperture = sum.wrapping_add(DDR_APERTURE);
    match relocation.kind {
        RelocationKind::SCALAR_32 => {
            let word = words.get(0)?;
            words.set(0, word & !size | value as u32 & size)
        }
        RelocationKind::SHIM_DMA_48 => words.add(1, (2, !KEEP_16, KEEP_16), aperture),
        RelocationKind::CONTROL_PACKET_48 => words.add(2, (3, 0xfff, KEEP_16), aperture),
        RelocationKind::CONTROL_PACKET_57 => words.add(2, (3, 0xfff, KEEP_16), sum),
        RelocationKind::SHIM_DMA_57_AIE4 => words.add(1, (0, !KEEP_25, KEEP_25), aperture),
        RelocationKind::CONTROL_PACKET_57_AIE4 => words.add(2, (1, !KEEP_25, KEEP_25), aperture),
        RelocationKind::SHIM_DMA_57 => shim_57(&mut words, sum),
        RelocationKind::ADDRESS_64 => {
            let [low, high] = halves(value);
            words.set(0, low)?;
            words.set(1, high)
        }
        RelocationKind::PL_DDR_64 => {
            let [low, high] = halves(whole(words.get(8)?, words.get(9)?).wrapping_add(sum));
            words.set(8, low)?;
            words.set(9, high)
        }
        _ => Err(Failure::Kind),
    }
}

/// 57 bits in three words: 32, 16 and 9.
fn shim_57(words: &mut Words<'_>, sum: u64) -> Result<(), Failure> {
    let (middle, top) = (words.get(2)?, words.get(8)?);
    let address = whole(words.get(1)?, middle & 0xffff | (top & 0x1ff) << 16).wrapping_add(sum);
    let [low, high] = halves(address);
    words.set(1, low & !3)?;
    words.set(2, middle & 0xffff_0000 | high & 0xffff)?;
    words.set(8, top & !0x1ff | high >> 16 & 0x1ff)
}
