//! Turning the programs of the file into programs for given buffers.
//!
//! The file lists every register value that is an address, by tensor; nothing has to be guessed from operator types.

use ferrite_rknn::{Model, ProgramPatches};
use ferrite_rknpu::Command;

use crate::Error;
use crate::native::{Arrangement, NativeTensor};
use crate::plan::{BufferRole, Location, Plan, TensorInfo, locate};

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

/// How an input is handed over; programs that read few-channel pixels depend on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum InputForm {
    /// Numbers as the network computes with them, rows padded. The converter is bypassed.
    #[default]
    Converted,
    /// Unsigned bytes, rows padded. The converter normalises and quantises.
    Bytes,
    /// Whatever the caller knows to be right: programs stay as the file has them.
    Native,
}

/// Registers that depend on the form of an input.
mod register {
    /// Entries that the input takes in the convolution buffer: here, pixels with their padding.
    pub(super) use ferrite_rknpu::registers::reg::cna::CBUF_CON1;
    /// Width and height of the input.
    pub(super) use ferrite_rknpu::registers::reg::cna::DATA_SIZE0;
    /// Row stride.
    pub(super) use ferrite_rknpu::registers::reg::cna::DMA_CON1 as LINE_STRIDE;
    /// Surface stride.
    pub(super) use ferrite_rknpu::registers::reg::cna::DMA_CON2 as SURF_STRIDE;
    pub(super) use ferrite_rknpu::registers::reg::cna::{CVT_CON0, CVT_CON1, CVT_CON2, CVT_CON3, CVT_CON4, CVT_CON5};
}

/// Values other than addresses that depend on how inputs are handed over: (command index, value).
///
/// Only inputs of few interleaved channels need any: rows are padded to whole 16-byte groups, and the input converter is
/// bypassed or programmed. The rules were read off what the vendor's runtime writes for float32 and uint8 inputs.
pub(crate) fn program_patches(plan: &Plan, forms: &[InputForm]) -> Result<Vec<(usize, u32)>, Error> {
    let words: Vec<Command> = commands(&plan.model).collect();
    let mut patches = Vec::new();
    for group in &plan.model.graphs()[0].input_patches {
        let Some(index) = plan.input_tensors.iter().position(|input| input.name == group.name) else { continue };
        let (input, info, form) = (&plan.input_tensors[index], &plan.inputs()[index], forms[index]);
        let Arrangement::Pixels { width_stride } = input.arrangement else { continue };
        if form == InputForm::Native {
            continue;
        }
        let [_, channels, height, _] = input.nchw();
        // Widths come from 32-bit fields; registers hold 11 bits of them.
        let stride = u32::try_from(width_stride).unwrap_or(u32::MAX);
        let surface = u32::try_from(height.saturating_sub(1)).unwrap_or(u32::MAX).wrapping_mul(stride) & 0x0fff_ffff;
        let converter = Converter::new(info, input).filter(|_| form == InputForm::Bytes);
        // Bypass, and data sign for integers.
        let bypass = if input.element.is_integer() { 0x9 } else { 0x1 };
        let lane = |lane: usize| converter.as_ref().and_then(|converter| converter.lane(lane));
        let all = group.programs.iter().flat_map(|program| {
            let rows = rows(program);
            program.sizes.iter().chain(&program.conversions).map(move |patch| (rows, patch))
        });
        for (rows, patch) in all {
            let value = match patch.register {
                register::DATA_SIZE0 => (stride & 0x7ff) << 16 | patch.value & 0xffff,
                register::LINE_STRIDE => stride,
                register::SURF_STRIDE => surface,
                // The field has 14 bits, and wide pictures have more entries; the vendor's runtime does not cut them off.
                register::CBUF_CON1 => rows.map_or(patch.value, |rows| rows.wrapping_mul(stride)),
                register::CVT_CON0 => converter.as_ref().map_or(bypass, Converter::control),
                register::CVT_CON1 => lane(0).unwrap_or(patch.value),
                register::CVT_CON2 => lane(1).unwrap_or(patch.value),
                register::CVT_CON3 => lane(2).unwrap_or(patch.value),
                register::CVT_CON4 => lane(3).unwrap_or(patch.value),
                // Four bits per channel, all sixteen unless there are three channels.
                register::CVT_CON5 => {
                    if channels == 3 {
                        0x0fff
                    } else {
                        0xffff
                    }
                }
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

/// Rows of the input that a program reads, where its patches say so; it may be a part of them.
fn rows(program: &ProgramPatches) -> Option<u32> {
    let size = program.sizes.iter().find(|patch| patch.register == register::DATA_SIZE0)?;
    Some(size.value & 0x7ff)
}

/// The input converter of the hardware, set to normalise and quantise: stored = (value * scale >> shift) + offset.
pub(crate) struct Converter {
    shift: u32,
    /// Scale and offset of each lane that is used.
    lanes: Vec<(i16, i16)>,
}

impl Converter {
    /// The settings for a quantised input; `None` for others.
    pub(crate) fn new(info: &TensorInfo, input: &NativeTensor) -> Option<Self> {
        let quantization = info.quantization?;
        let [_, channels, ..] = input.nchw();
        // Three channels use three lanes; one or four use all four, a single channel the same values in each.
        let count = if channels == 3 { 3 } else { 4 };
        let of_lane = |lane: usize| {
            let (mean, std) = info.channel_normalization(lane.min(channels.saturating_sub(1)));
            let factor = 1.0 / (f64::from(std) * f64::from(quantization.scale));
            (factor, f64::from(quantization.zero_point) - f64::from(mean) * factor)
        };
        let values: Vec<(f64, f64)> = (0..count).map(of_lane).collect();
        let scaled = |factor: f64, shift: u32| (factor * f64::from(1_u32 << shift)).round();
        // The scale has 15 bits and a sign: the largest shift that keeps all of them within.
        let fits = |shift: u32| values.iter().all(|(factor, _)| scaled(*factor, shift) <= f64::from(i16::MAX));
        let shift = (0..=30).rev().find(|&shift| fits(shift)).unwrap_or(0);
        let lanes = values.iter().map(|(factor, offset)| (scaled(*factor, shift) as i16, offset.round() as i16));
        Some(Self { shift, lanes: lanes.collect() })
    }

    /// `CVT_CON0`: the shift of each lane; unsigned data, not bypassed.
    fn control(&self) -> u32 {
        (0..self.lanes.len()).fold(0, |control, lane| control | self.shift << (4 + 6 * lane))
    }

    /// `CVT_CON1` to `CVT_CON4`.
    fn lane(&self, lane: usize) -> Option<u32> {
        let (scale, offset) = self.lanes.get(lane)?;
        Some(u32::from(scale.cast_unsigned()) << 16 | u32::from(offset.cast_unsigned()))
    }

    /// What a value of a channel is multiplied by, and what is added after that is rounded.
    pub(crate) fn channel(&self, channel: usize) -> Option<(f32, f32)> {
        let (scale, offset) = self.lanes.get(channel)?;
        Some((f32::from(*scale) / (1_u32 << self.shift) as f32, f32::from(*offset)))
    }
}

/// Writes addresses and patches into the programs, in place.
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
