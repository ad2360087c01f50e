//! DPU_RDMA's cubes: main data, element-wise operands, and both readers together.

use ferrite_rknpu::reg;
use ferrite_rknpu::typed::DpuRdma;

use crate::error::Error;
use crate::task::Task;
use crate::view::{ATOM, Atoms, Surfaces, View, Walk};

/// The main data of a memory-to-memory task, pixels repeated where that is asked for.
pub(super) fn main<'a>(task: &'a Task<'_, '_>, rdma: &DpuRdma) -> Result<Surfaces<'a>, Error> {
    let bytes = element_bytes(task, rdma)?;
    if rdma.combined == 3 {
        return alternating(task, rdma, (rdma.channels as usize * bytes).div_ceil(ATOM));
    }
    let walk = Walk {
        register: reg::dpu_rdma::RDMA_SRC_BASE_ADDR,
        base: i64::from(rdma.source),
        surfaces: (rdma.channels as usize * bytes).div_ceil(ATOM),
        height: rdma.height as usize,
        row: rdma.width as usize * ATOM,
        line: rdma.line_bytes(),
        surface: rdma.surface_bytes(),
    };
    let view = View::read(task, walk)?;
    if !rdma.unpooling {
        return Ok(view.into());
    }
    let atoms = unpool(&view, rdma.kernel_width as usize, rdma.kernel_height as usize);
    Ok(View::packed(atoms.bytes, atoms.surfaces, atoms.height, atoms.width * ATOM).into())
}

/// Every pixel `kw` times in its row; every surface `kh` times, one behind the other.
fn unpool(view: &View<'_>, kw: usize, kh: usize) -> Atoms {
    let (surfaces, height, width) = (view.surfaces, view.height, view.width());
    let mut wide = Atoms { surfaces: surfaces * kh, height, width: width * kw, bytes: Vec::new() };
    wide.bytes.reserve_exact(surfaces * height * width * ATOM * kw * kh);
    for surface in 0..surfaces {
        let start = wide.bytes.len();
        for y in 0..height {
            for atom in view.row(surface, y).chunks_exact(ATOM) {
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

/// Surfaces that the main and the element-wise reader deliver in turn.
pub(super) fn alternating<'a>(task: &'a Task<'_, '_>, rdma: &DpuRdma, surfaces: usize) -> Result<Surfaces<'a>, Error> {
    // Both line notches are checked to be equal.
    let walk = |register, base: u32, surfaces, surface| Walk {
        register,
        base: i64::from(base),
        surfaces,
        height: rdma.height as usize,
        row: rdma.width as usize * ATOM,
        line: rdma.line_bytes(),
        surface,
    };
    let even = walk(reg::dpu_rdma::RDMA_SRC_BASE_ADDR, rdma.source, surfaces.div_ceil(2), rdma.surface_bytes());
    let odd = walk(reg::dpu_rdma::RDMA_EW_BASE_ADDR, rdma.ew_address, surfaces / 2, rdma.ew_combined_bytes());
    Ok(Surfaces { even: View::read(task, even)?, odd: Some(View::read(task, odd)?) })
}
