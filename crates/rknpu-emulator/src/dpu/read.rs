//! DPU_RDMA's cubes: main data, element-wise operands, and both readers together.

use ferrite_rknpu::reg;
use ferrite_rknpu::typed::{Dpu, DpuRdma, Precision};
use half::{bf16, f16};

use crate::cube::{ATOM, Atoms, Cube, Values};
use crate::error::Error;
use crate::task::Task;

/// A cube as a reader walks it.
pub(super) struct Walk<F: Fn(usize) -> (u16, i64)> {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) surfaces: usize,
    /// Bytes between lines.
    pub(super) line: i64,
    /// The address register of a surface and where the surface begins.
    pub(super) surface: F,
}

impl<F: Fn(usize) -> (u16, i64)> Walk<F> {
    /// The atoms in the order surface, row, column.
    pub(super) fn read(&self, task: &Task<'_, '_>) -> Result<Atoms, Error> {
        let mut atoms = Atoms { surfaces: self.surfaces, height: self.height, width: self.width, bytes: Vec::new() };
        atoms.bytes.reserve_exact(self.surfaces * self.height * self.width * ATOM);
        for surface in 0..self.surfaces {
            let (register, start) = (self.surface)(surface);
            for y in 0..self.height {
                let row = task.read(register, start + y as i64 * self.line, self.width * ATOM)?;
                atoms.bytes.extend_from_slice(row);
            }
        }
        Ok(atoms)
    }
}

/// Elements of atoms, from the order surface, pixel, lane to the order pixel, channel.
pub(super) fn elements<T: Copy + Default, const BYTES: usize>(
    atoms: &Atoms,
    channels: usize,
    decode: impl Fn([u8; BYTES]) -> T,
) -> Vec<T> {
    let lanes = ATOM / BYTES;
    let pixels = atoms.width * atoms.height;
    let mut values = vec![T::default(); pixels * channels];
    if pixels == 0 || channels == 0 {
        return values;
    }
    for (surface, bytes) in atoms.bytes.chunks_exact(pixels * ATOM).enumerate() {
        let first = surface * lanes;
        let count = lanes.min(channels.saturating_sub(first));
        for (pixel, atom) in values.chunks_exact_mut(channels).zip(bytes.chunks_exact(ATOM)) {
            let lanes = atom.as_chunks::<BYTES>().0;
            for (value, bytes) in pixel[first..first + count].iter_mut().zip(lanes) {
                *value = decode(*bytes);
            }
        }
    }
    values
}

/// The main data as atoms, pixels repeated where that is asked for.
pub(super) fn raw(task: &Task<'_, '_>, rdma: &DpuRdma) -> Result<Atoms, Error> {
    let bytes = element_bytes(task, rdma)?;
    let walk = Walk {
        width: rdma.width as usize,
        height: rdma.height as usize,
        surfaces: (rdma.channels as usize * bytes).div_ceil(ATOM),
        line: rdma.line_bytes(),
        surface: |surface| {
            (reg::dpu_rdma::RDMA_SRC_BASE_ADDR, i64::from(rdma.source) + surface as i64 * rdma.surface_bytes())
        },
    };
    let atoms = walk.read(task)?;
    Ok(if rdma.unpooling { unpool(&atoms, rdma.kernel_width as usize, rdma.kernel_height as usize) } else { atoms })
}

/// Every pixel `kw` times in its row; every surface `kh` times, one behind the other.
fn unpool(atoms: &Atoms, kw: usize, kh: usize) -> Atoms {
    let mut wide =
        Atoms { surfaces: atoms.surfaces * kh, height: atoms.height, width: atoms.width * kw, bytes: Vec::new() };
    wide.bytes.reserve_exact(atoms.bytes.len() * kw * kh);
    for surface in 0..atoms.surfaces {
        let start = wide.bytes.len();
        for y in 0..atoms.height {
            for atom in atoms.row(surface, y).chunks_exact(ATOM) {
                (0..kw).for_each(|_| wide.bytes.extend_from_slice(atom));
            }
        }
        let end = wide.bytes.len();
        (1..kh).for_each(|_| wide.bytes.extend_from_within(start..end));
    }
    wide
}

fn element_bytes(task: &Task<'_, '_>, rdma: &DpuRdma) -> Result<usize, Error> {
    match rdma.input_precision.bytes() {
        Some(bytes) => Ok(bytes as usize),
        None => {
            let register = reg::dpu_rdma::RDMA_FEATURE_MODE_CFG;
            task.refuse(register, rdma.input_precision.code(), "IN_PRECISION of the main data")
        }
    }
}

/// Atoms whose surfaces the main and the element-wise reader deliver in turn.
pub(super) fn alternating(task: &Task<'_, '_>, rdma: &DpuRdma, surfaces: usize) -> Result<Atoms, Error> {
    // Both line notches are checked to be equal.
    let walk = Walk {
        width: rdma.width as usize,
        height: rdma.height as usize,
        surfaces,
        line: rdma.line_bytes(),
        surface: |surface| {
            let half = (surface / 2) as i64;
            match surface % 2 {
                0 => (reg::dpu_rdma::RDMA_SRC_BASE_ADDR, i64::from(rdma.source) + half * rdma.surface_bytes()),
                _ => (reg::dpu_rdma::RDMA_EW_BASE_ADDR, i64::from(rdma.ew_address) + half * rdma.ew_combined_bytes()),
            }
        },
    };
    walk.read(task)
}

/// The main data of a memory-to-memory task in the type of the pipeline.
pub(super) fn main(task: &Task<'_, '_>, dpu: &Dpu, rdma: &DpuRdma) -> Result<Cube, Error> {
    let bytes = element_bytes(task, rdma)?;
    let atoms = match rdma.combined {
        3 => alternating(task, rdma, (rdma.channels as usize * bytes).div_ceil(ATOM))?,
        _ => raw(task, rdma)?,
    };
    let channels = match rdma.unpooling {
        true => atoms.surfaces * (ATOM / bytes),
        false => rdma.channels as usize,
    };
    let values = match (dpu.processing_precision.is_float(), rdma.input_precision) {
        (false, Precision::Int8) => Values::Int(elements(&atoms, channels, |[byte]: [u8; 1]| i64::from(byte as i8))),
        (false, Precision::Int16) => {
            Values::Int(elements(&atoms, channels, |bytes: [u8; 2]| i64::from(i16::from_le_bytes(bytes))))
        }
        // 16-bit integers in a floating-point pipeline are half precision whose bits are kept.
        (true, Precision::Float16 | Precision::Int16) => {
            Values::Float(elements(&atoms, channels, |bytes: [u8; 2]| f16::from_le_bytes(bytes).to_f32()))
        }
        (true, Precision::BFloat16) => {
            Values::Float(elements(&atoms, channels, |bytes: [u8; 2]| bf16::from_le_bytes(bytes).to_f32()))
        }
        (true, Precision::Float32) => Values::Float(elements(&atoms, channels, f32::from_le_bytes)),
        (_, precision) => {
            let register = reg::dpu_rdma::RDMA_FEATURE_MODE_CFG;
            return task.refuse(register, precision.code(), "IN_PRECISION of the main data in this pipeline");
        }
    };
    Ok(Cube { width: atoms.width, height: atoms.height, channels, values })
}
