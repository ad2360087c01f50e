//! WDMA: where atoms go, transposed where that is asked for.

use ferrite_rknpu::reg;
use ferrite_rknpu::typed::{Dpu, DpuRdma};

use crate::error::Error;
use crate::task::Task;
use crate::view::{ATOM, Atoms};

/// Writes what the pipeline made; gives the buffer back.
pub(super) fn store(
    task: &mut Task<'_, '_>,
    dpu: &Dpu,
    rdma: Option<&DpuRdma>,
    mut atoms: Atoms,
) -> Result<Vec<u8>, Error> {
    if dpu.transpose {
        columns_to_surfaces(task, dpu, &atoms)?;
        return Ok(atoms.bytes);
    }
    if dpu.transpose_lanes {
        pixels_to_lanes(task, dpu, &atoms)?;
        return Ok(atoms.bytes);
    }
    let bytes = dpu.output_precision.bytes().unwrap_or(1) as usize;
    // Repeated rows are surfaces of their own.
    let repeat = rdma.filter(|rdma| rdma.unpooling && dpu.flying).map_or(1, |rdma| rdma.kernel_height as usize);
    let surfaces = (dpu.write_channels as usize * bytes).div_ceil(ATOM) * repeat;
    fill_padding(dpu, bytes, repeat, &mut atoms);
    let (height, width) = (dpu.write_height as usize, dpu.write_width as usize);
    let atoms = if (atoms.surfaces, atoms.height, atoms.width) == (surfaces, height, width) {
        atoms
    } else if surfaces * height * width * ATOM == atoms.bytes.len() {
        reread(&atoms, dpu.group_surfaces as usize, (surfaces, height, width))
    } else {
        let made = atoms.bytes.len() / ATOM;
        return task.refuse(reg::dpu::WDMA_SIZE_1, made as u32, "another number of atoms than the WDMA sizes take");
    };
    let group = dpu.group_surfaces as usize;
    let (row, line) = (atoms.width * ATOM, dpu.write_line_bytes());
    // Rows without gaps are one piece.
    let piece = if line == row as i64 { row * atoms.height } else { row };
    for surface in 0..atoms.surfaces {
        let start = i64::from(dpu.destination)
            + (surface / group) as i64 * i64::from(dpu.group_stride)
            + (surface % group) as i64 * i64::from(dpu.surface_stride);
        let bytes = &atoms.bytes[surface * row * atoms.height..][..row * atoms.height];
        for (index, bytes) in bytes.chunks_exact(piece.max(1)).enumerate() {
            task.write(reg::dpu::DST_BASE_ADDR, start + index as i64 * line, bytes)?;
        }
    }
    Ok(atoms.bytes)
}

/// Lanes behind the last original channel get OFFSET_PEND. Programs rely on it where such lanes take part later: the zero
/// point in front of a product of two tensors (zoo: `bmm_odd`), the most negative number in front of a maximum.
fn fill_padding(dpu: &Dpu, bytes: usize, repeat: usize, atoms: &mut Atoms) {
    let lanes = ATOM / bytes;
    let original = dpu.original_channels as usize;
    let mut padding = [0; ATOM];
    for lane in padding.chunks_exact_mut(bytes) {
        lane.copy_from_slice(&dpu.offset_pend.to_le_bytes()[..bytes]);
    }
    let padding = u128::from_le_bytes(padding);
    let surface_bytes = (atoms.height * atoms.width * ATOM).max(1);
    let first = original / lanes * repeat;
    for (surface, part) in atoms.bytes.chunks_exact_mut(surface_bytes).enumerate().skip(first) {
        let kept = original.saturating_sub(surface / repeat * lanes).min(lanes) * bytes;
        // Atoms as numbers: the first bytes are the low ones.
        let keep = u128::MAX.checked_shr(8 * (ATOM - kept) as u32).unwrap_or(0);
        for atom in part.as_chunks_mut::<ATOM>().0 {
            *atom = (u128::from_le_bytes(*atom) & keep | padding & !keep).to_le_bytes();
        }
    }
}

/// The pipeline delivers atoms in the order output group, row, surface in group, column; a WDMA with other sizes than the
/// pipeline takes that stream as surface, row, column.
fn reread(atoms: &Atoms, group: usize, (surfaces, height, width): (usize, usize, usize)) -> Atoms {
    let mut bytes = Vec::with_capacity(atoms.bytes.len());
    for first in (0..atoms.surfaces).step_by(group) {
        for y in 0..atoms.height {
            for surface in first..(first + group).min(atoms.surfaces) {
                bytes.extend_from_slice(atoms.row(surface, y));
            }
        }
    }
    Atoms { surfaces, height, width, bytes }
}

/// TP_EN: column x becomes surface x, rows become columns, surfaces become rows; atoms stay whole.
fn columns_to_surfaces(task: &mut Task<'_, '_>, dpu: &Dpu, atoms: &Atoms) -> Result<(), Error> {
    let mut line = vec![0; atoms.height * ATOM];
    for surface in 0..atoms.surfaces {
        for x in 0..atoms.width {
            for (y, target) in line.chunks_exact_mut(ATOM).enumerate() {
                target.copy_from_slice(atoms.atom((surface * atoms.height + y) * atoms.width + x));
            }
            let address = i64::from(dpu.destination)
                + surface as i64 * dpu.write_line_bytes()
                + x as i64 * i64::from(dpu.surface_stride);
            task.write(reg::dpu::DST_BASE_ADDR, address, &line)?;
        }
    }
    Ok(())
}

/// TP_ORG_EN: as many consecutive atoms as an atom has lanes make one block of atoms, one per lane. The atoms are counted
/// through rows and surfaces, so a block may hold the end of one surface and the start of the next. Established with
/// transposes of maps of 7 rows (zoo: `transpose_0321`), and by the WDMA sizes, which count these blocks in every program
/// seen.
fn pixels_to_lanes(task: &mut Task<'_, '_>, dpu: &Dpu, atoms: &Atoms) -> Result<(), Error> {
    let lane_bytes = if dpu.transpose_wide { 2 } else { 1 };
    let lanes = ATOM / lane_bytes;
    let made = atoms.bytes.len() / ATOM;
    // With byte lanes the rows are the two halves of an atom's lanes.
    let rows = if dpu.transpose_wide { u64::from(dpu.write_height) } else { 1 };
    let taken = u64::from(dpu.write_groups) * rows * u64::from(dpu.write_width) * lanes as u64;
    if taken != made as u64 {
        return task.refuse(
            reg::dpu::WDMA_SIZE_0,
            dpu.write_groups,
            "another number of atoms than the WDMA sizes take",
        );
    }
    // Blocks of a row stand side by side at every lane's place.
    let width = dpu.write_width as usize;
    let mut rows = vec![0; lanes * width * ATOM];
    for (index, blocks) in atoms.bytes.chunks_exact(width * lanes * ATOM).enumerate() {
        for (column, atoms) in blocks.chunks_exact(lanes * ATOM).enumerate() {
            let rows = rows.chunks_exact_mut(width * ATOM).map(|row| &mut row[column * ATOM..][..ATOM]);
            if dpu.transpose_wide {
                turn::<2, 8>(atoms, rows);
            } else {
                turn::<1, 16>(atoms, rows);
            }
        }
        for (lane, row) in rows.chunks_exact(width * ATOM).enumerate() {
            let address = i64::from(dpu.destination) + transposed(dpu, index * width, lane);
            task.write(reg::dpu::DST_BASE_ADDR, address, row)?;
        }
    }
    Ok(())
}

/// As many atoms as an atom has lanes, turned: lane `n` of every atom goes to place `n`.
fn turn<'a, const BYTES: usize, const LANES: usize>(atoms: &[u8], places: impl Iterator<Item = &'a mut [u8]>) {
    let mut turned = [[[0; BYTES]; LANES]; LANES];
    for (index, atom) in atoms.chunks_exact(ATOM).take(LANES).enumerate() {
        for (lane, bytes) in atom.as_chunks::<BYTES>().0.iter().enumerate() {
            turned[lane][index] = *bytes;
        }
    }
    for (place, turned) in places.zip(&turned) {
        place.copy_from_slice(turned.as_flattened());
    }
}

/// Where a transposed atom goes, in bytes from the destination.
fn transposed(dpu: &Dpu, block: usize, lane: usize) -> i64 {
    let (group, surface_stride) = (i64::from(dpu.group_stride), i64::from(dpu.surface_stride));
    let (width, height) = (dpu.write_width as usize, dpu.write_height as usize);
    let column = (block % width * ATOM) as i64;
    if dpu.transpose_wide {
        let row = (block / width % height) as i64;
        let outer = (block / width / height) as i64;
        outer * group + lane as i64 * surface_stride + row * dpu.write_line_bytes() + column
    } else {
        let (half, lane) = ((lane / 8) as i64, (lane % 8) as i64);
        (block / width) as i64 * group + half * dpu.write_line_bytes() + lane * surface_stride + column
    }
}
