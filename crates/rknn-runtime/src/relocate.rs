//! Turning the programs of the file into programs for given buffers.
//!
//! The file lists every register value that is an address, by tensor; nothing has to be guessed from operator types.

use ferrite_rknn::Model;
use ferrite_rknpu::Command;

use crate::Error;
use crate::native::{Arrangement, NativeTensor};
use crate::plan::{BufferRole, Location, locate};

/// Bytes of one command.
const COMMAND: usize = 8;
/// `PC.BASE_ADDRESS` as written in programs: chains to the next task's program.
const NEXT_PROGRAM: (u16, u16) = (0x0101, 0x0010);

/// One address in the programs: the value of command `command` is the address of `target`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Relocation {
    pub(crate) command: usize,
    pub(crate) target: Target,
    pub(crate) offset: u64,
}

/// What an address refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Target {
    Buffer(BufferRole),
    /// The session's programs.
    Programs,
}

/// All commands of the program blob.
fn commands(model: &Model) -> impl Iterator<Item = Command> {
    let bytes = model.program_blob().and_then(|blob| model.blob(blob)).unwrap_or_default();
    bytes.chunks_exact(COMMAND).map(|chunk| {
        let mut word = [0; COMMAND];
        word.copy_from_slice(chunk);
        Command(u64::from_le_bytes(word))
    })
}

/// Every address in the programs.
pub(crate) fn relocations(model: &Model) -> Result<Vec<Relocation>, Error> {
    let image = model.weight_image();
    let count = commands(model).count();
    let mut all = Vec::new();
    for group in model.relocations() {
        // A name that no tensor has is that of a lookup table's loader: its addresses are those of its own program.
        let (target, base) = match group.tensor {
            Some(tensor) => {
                let Location { buffer, offset } = locate(model, &image, tensor);
                (Target::Buffer(buffer), offset)
            }
            None => (Target::Programs, 0),
        };
        for place in &group.places {
            if place.command >= count {
                let reason = format!("it names command {} of {count}", place.command);
                return Err(Error::inconsistent(format!("relocations of `{}`", group.name), reason));
            }
            let offset = base + u64::from(place.addend);
            all.push(Relocation { command: place.command, target, offset });
        }
    }
    for (command, word) in commands(model).enumerate() {
        if (word.target(), word.offset()) == NEXT_PROGRAM && word.value() != 0 {
            all.push(Relocation { command, target: Target::Programs, offset: u64::from(word.value()) });
        }
    }
    Ok(all)
}

/// Registers that depend on the form of an input.
mod register {
    /// Row stride.
    pub(super) use ferrite_rknpu::registers::reg::cna::DMA_CON1 as LINE_STRIDE;
    /// Surface stride.
    pub(super) use ferrite_rknpu::registers::reg::cna::DMA_CON2 as SURF_STRIDE;
    pub(super) use ferrite_rknpu::registers::reg::cna::{CVT_CON0, CVT_CON5, DATA_SIZE0};
}

/// Values other than addresses that depend on how inputs are handed over: (command index, value).
///
/// Only inputs of few interleaved channels need any. The host hands over converted values, so the input converter is
/// bypassed, and rows are padded to whole 16-byte groups.
pub(crate) fn program_patches(model: &Model, inputs: &[NativeTensor]) -> Result<Vec<(usize, u32)>, Error> {
    let words: Vec<Command> = commands(model).collect();
    let mut patches = Vec::new();
    for group in &model.graphs()[0].input_patches {
        let Some(input) = inputs.iter().find(|input| input.name == group.name) else { continue };
        let Arrangement::Pixels { width_stride } = input.arrangement else { continue };
        let [_, channels, _, width] = input.nchw();
        // Widths come from 32-bit fields; registers hold 11 bits of them.
        let stride = u32::try_from(width_stride).unwrap_or(u32::MAX);
        let scale = |value: u32| (u64::from(value) * width_stride as u64 / width.max(1) as u64) as u32;
        // Bypass, and data sign for integers.
        let con0 = if input.element.is_integer() { 0x9 } else { 0x1 };
        // Four bits per channel, all sixteen unless there are three channels.
        let con5 = if channels == 3 { 0x0fff } else { 0xffff };
        for patch in group.programs.iter().flat_map(|program| program.sizes.iter().chain(&program.conversions)) {
            let value = match patch.register {
                register::DATA_SIZE0 => (stride & 0x7ff) << 16 | patch.value & 0xffff,
                register::LINE_STRIDE => stride,
                register::SURF_STRIDE => scale(patch.value),
                register::CVT_CON0 => con0,
                register::CVT_CON5 => con5,
                _ => continue,
            };
            if words.get(patch.command).is_none_or(|word| word.offset() != patch.register) {
                let reason = format!("command {} does not write register {:#06x}", patch.command, patch.register);
                return Err(Error::inconsistent(format!("patches of input `{}`", input.name), reason));
            }
            patches.push((patch.command, value));
        }
    }
    Ok(patches)
}

/// Writes addresses and patches into a copy of the program blob.
///
/// # Errors
/// When an address does not fit the 32 bits of a register.
pub(crate) fn rewrite(
    programs: &mut [u8],
    relocations: &[Relocation],
    patches: &[(usize, u32)],
    address: impl Fn(Target) -> Option<u64>,
) -> Result<(), Error> {
    let mut set = |command: usize, value: u32| {
        // The value lies in bits 16 to 47, that is in bytes 2 to 5.
        programs[command * COMMAND + 2..command * COMMAND + 6].copy_from_slice(&value.to_le_bytes());
    };
    for relocation in relocations {
        let base = address(relocation.target).unwrap_or(0);
        let value = u32::try_from(base + relocation.offset).map_err(|_| {
            let reason = format!("address {:#x} does not fit a register", base + relocation.offset);
            Error::inconsistent(format!("command {} of the programs", relocation.command), reason)
        })?;
        set(relocation.command, value);
    }
    for &(command, value) in patches {
        set(command, value);
    }
    Ok(())
}
