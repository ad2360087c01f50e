//! Which memory a task reads and writes, and how much it multiplies; from registers alone, before anything runs.

use super::{Cna, ConvolutionMode, Dpu, DpuRdma, Job, OperandRecord, Ppu, PpuRdma, Precision};
use crate::registers::{Block, RegisterInfo, reg};

/// Bytes of an atom, the unit in which feature cubes are stored.
pub const ATOM: i64 = 16;

/// Whether the device reads or writes a region.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// The device reads.
    Read,
    /// The device writes.
    Write,
}

/// One loop of a DMA: `count` places, `stride` bytes apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dimension {
    /// Number of places.
    pub count: u64,
    /// Bytes from one to the next.
    pub stride: i64,
}

/// Memory that one DMA of a task touches: nested loops over elements of `element` bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Region {
    /// Read or written.
    pub direction: Direction,
    /// Offset of the register that holds the base address.
    pub register: u16,
    /// The base address.
    pub base: u32,
    /// The loops, outermost first.
    pub dimensions: Vec<Dimension>,
    /// Bytes touched at every place.
    pub element: u64,
}

impl Region {
    /// The first byte and the first byte behind the last one; a negative stride can reach below the base, and below zero.
    /// Empty regions start and end at the base.
    pub fn bounds(&self) -> (i64, i64) {
        let base = i64::from(self.base);
        if self.dimensions.iter().any(|dimension| dimension.count == 0) {
            return (base, base);
        }
        let reach = |dimension: &Dimension| dimension.stride.saturating_mul(dimension.count as i64 - 1);
        let below: i64 = self.dimensions.iter().map(|dimension| reach(dimension).min(0)).sum();
        let above: i64 = self.dimensions.iter().map(|dimension| reach(dimension).max(0)).sum();
        (base + below, base + above + self.element as i64)
    }

    /// Bytes moved, counting a byte that is touched twice twice.
    pub fn bytes(&self) -> u64 {
        self.dimensions.iter().fold(self.element, |bytes, dimension| bytes.saturating_mul(dimension.count))
    }

    /// Calls `each` with every contiguous run of bytes, in the order of the loops. A program can ask for as many as it moves
    /// elements: bound [`bytes`](Self::bytes) first.
    pub fn for_each_run(&self, each: &mut impl FnMut(std::ops::Range<i64>)) {
        // Loops whose places touch are one run.
        let mut length = self.element as i64;
        let mut outer = self.dimensions.as_slice();
        while let [rest @ .., last] = outer
            && (last.stride == length || last.count == 1)
        {
            length = length.saturating_mul(last.count as i64);
            outer = rest;
        }
        visit(i64::from(self.base), outer, length, each);
    }

    /// The name of the address register, such as `CNA.FEATURE_DATA_ADDR`.
    pub fn name(&self) -> String {
        RegisterInfo::at(self.register).map_or_else(|| format!("{:#06x}", self.register), RegisterInfo::full_name)
    }
}

fn visit(at: i64, loops: &[Dimension], length: i64, each: &mut impl FnMut(std::ops::Range<i64>)) {
    match loops {
        [] => each(at..at.saturating_add(length)),
        [first, rest @ ..] => {
            for index in 0..first.count as i64 {
                visit(at.saturating_add(first.stride.saturating_mul(index)), rest, length, each);
            }
        }
    }
}

/// A register value for which it is not known what the DMA does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("it is not known which memory a task touches when {block} register {register:#06x} ({what}) is {value:#x}")]
pub struct UnknownLayout {
    /// The block.
    pub block: Block,
    /// The register's offset in the core.
    pub register: u16,
    /// The field.
    pub what: &'static str,
    /// The field's value.
    pub value: u32,
}

fn dimension(count: u32, stride: i64) -> Dimension {
    Dimension { count: u64::from(count), stride }
}

fn read(register: u16, base: u32, dimensions: Vec<Dimension>, element: u64) -> Region {
    Region { direction: Direction::Read, register, base, dimensions, element }
}

fn write(register: u16, base: u32, dimensions: Vec<Dimension>, element: u64) -> Region {
    Region { direction: Direction::Write, register, base, dimensions, element }
}

fn cube(surfaces: (u32, i64), rows: (u32, i64), columns: u32) -> Vec<Dimension> {
    vec![dimension(surfaces.0, surfaces.1), dimension(rows.0, rows.1), dimension(columns, ATOM)]
}

/// Bytes of an element, or what to complain about.
fn element_bytes(block: Block, register: u16, precision: Precision) -> Result<u32, UnknownLayout> {
    precision.bytes().ok_or(UnknownLayout { block, register, what: "precision", value: precision.code() })
}

/// Every region that a task touches, as far as its registers say.
///
/// # Errors
/// [`UnknownLayout`] for modes whose memory access nobody has established.
pub fn regions(job: &Job) -> Result<Vec<Region>, UnknownLayout> {
    let mut regions = Vec::new();
    if let Some(cna) = &job.cna {
        regions.extend(cna_regions(cna)?);
    }
    if let Some(dpu) = &job.dpu {
        if let Some(rdma) = &job.dpu_rdma {
            rdma_regions(dpu, rdma, &mut regions)?;
        }
        dpu_regions(dpu, job.dpu_rdma.as_ref(), &mut regions)?;
    }
    if let (Some(ppu), Some(rdma)) = (&job.ppu, &job.ppu_rdma) {
        regions.extend(ppu_regions(ppu, rdma)?);
    }
    Ok(regions)
}

fn cna_regions(cna: &Cna) -> Result<[Region; 2], UnknownLayout> {
    let bytes = element_bytes(Block::Cna, reg::cna::CONV_CON1, cna.input_precision)?;
    let packed = cna.packed_channels().map_err(|value| UnknownLayout {
        block: Block::Cna,
        register: reg::cna::CONV_CON1,
        what: "ARGB_IN",
        value,
    })?;
    let (dimensions, element) = match packed {
        Some(channels) => {
            let pixel = i64::from(channels * bytes);
            let line = i64::from(cna.line_stride) * pixel;
            (vec![dimension(cna.height, line), dimension(cna.width, pixel)], pixel as u64)
        }
        None => {
            let surfaces = cna.channels.div_ceil(16 / bytes);
            (cube((surfaces, cna.surface_bytes()), (cna.height, cna.line_bytes()), cna.width), ATOM as u64)
        }
    };
    Ok([
        read(reg::cna::FEATURE_DATA_ADDR, cna.feature_address, dimensions, element),
        read(reg::cna::DCOMP_ADDR0, cna.weight_address, Vec::new(), u64::from(cna.weight_bytes)),
    ])
}

fn rdma_regions(dpu: &Dpu, rdma: &DpuRdma, regions: &mut Vec<Region>) -> Result<(), UnknownLayout> {
    let groups = dpu.channels.div_ceil(8);
    for (register, base, mask) in [
        (reg::dpu_rdma::RDMA_BS_BASE_ADDR, rdma.bs_address, rdma.bs_use),
        (reg::dpu_rdma::RDMA_BN_BASE_ADDR, rdma.bn_address, rdma.bn_use),
    ] {
        let record = u64::from(OperandRecord::new(mask).bytes);
        if record != 0 {
            regions.push(read(register, base, Vec::new(), record * u64::from(groups)));
        }
    }
    let main = (reg::dpu_rdma::RDMA_SRC_BASE_ADDR, rdma.source);
    let operand = (reg::dpu_rdma::RDMA_EW_BASE_ADDR, rdma.ew_address);
    let surface = |(register, base), surfaces, step, notch| {
        let line = (i64::from(rdma.width) + i64::from(notch)) * ATOM;
        read(register, base, cube((surfaces, step), (rdma.height, line), rdma.width), ATOM as u64)
    };
    match rdma.combined {
        0 => {}
        3 | 5 => {
            // Both readers walk every other surface: of the residual operand (5), of main data twice as wide as the output (3).
            let bytes = match rdma.combined {
                3 => element_bytes(Block::DpuRdma, reg::dpu_rdma::RDMA_FEATURE_MODE_CFG, rdma.input_precision)?,
                _ => operand_bytes(rdma)?,
            };
            let surfaces = rdma.channels.saturating_mul(bytes).div_ceil(16);
            regions.push(surface(main, surfaces.div_ceil(2), rdma.surface_bytes(), rdma.line_notch));
            regions.push(surface(operand, surfaces / 2, rdma.ew_combined_bytes(), rdma.ew_line_notch));
            return Ok(());
        }
        value => {
            let register = reg::dpu_rdma::RDMA_FEATURE_MODE_CFG;
            return Err(UnknownLayout { block: Block::DpuRdma, register, what: "COMB_USE", value });
        }
    }
    if !rdma.main_disable && rdma.flying {
        let register = reg::dpu_rdma::RDMA_FEATURE_MODE_CFG;
        let bytes = element_bytes(Block::DpuRdma, register, rdma.input_precision)?;
        let surfaces = (rdma.channels * bytes).div_ceil(16);
        regions.push(surface(main, surfaces, rdma.surface_bytes(), rdma.line_notch));
    }
    if !rdma.ew_disable {
        let bytes = operand_bytes(rdma)?;
        let channels = if dpu.flying { rdma.channels } else { dpu.channels };
        match rdma.ew_data_mode {
            0 => {
                regions.push(read(operand.0, operand.1, Vec::new(), u64::from(channels * bytes)));
            }
            1 => {
                // The operand has the size of the main data, which is what DPU_RDMA reads where it reads them.
                let (width, height) =
                    if dpu.flying { (rdma.pipeline_width(), rdma.height) } else { (dpu.width, dpu.height) };
                let line = (i64::from(width) + i64::from(rdma.ew_line_notch)) * ATOM;
                let surfaces = ((channels * bytes).div_ceil(16), i64::from(rdma.ew_surface_stride));
                let dimensions = cube(surfaces, (height, line), width);
                regions.push(read(operand.0, operand.1, dimensions, ATOM as u64));
            }
            2 => {
                // One value per pixel in slots of 32 bits.
                let (width, height) =
                    if dpu.flying { (rdma.pipeline_width(), rdma.height) } else { (dpu.width, dpu.height) };
                regions.push(read(operand.0, operand.1, Vec::new(), u64::from(width) * u64::from(height) * 4));
            }
            value => {
                let register = reg::dpu_rdma::RDMA_ERDMA_CFG;
                return Err(UnknownLayout { block: Block::DpuRdma, register, what: "ERDMA_DATA_MODE", value });
            }
        }
    }
    Ok(())
}

fn operand_bytes(rdma: &DpuRdma) -> Result<u32, UnknownLayout> {
    rdma.ew_size.bytes().ok_or(UnknownLayout {
        block: Block::DpuRdma,
        register: reg::dpu_rdma::RDMA_ERDMA_CFG,
        what: "ERDMA_DATA_SIZE",
        value: rdma.ew_size.code(),
    })
}

impl DpuRdma {
    /// Columns that the pipeline sees: pixels may be repeated.
    pub fn pipeline_width(&self) -> u32 {
        if self.unpooling { self.width * self.kernel_width } else { self.width }
    }

    /// Bytes from one surface that the EW reader delivers to the next when both readers share an operand.
    pub fn ew_combined_bytes(&self) -> i64 {
        let line = (i64::from(self.width) + i64::from(self.ew_line_notch)) * ATOM;
        (i64::from(self.height) - 1) * line + i64::from(self.width) * ATOM + i64::from(self.ew_surface_notch)
    }
}

impl Dpu {
    /// Bytes from one written line to the next. Width and notch are added in the 13 bits of their fields: so notches may be large (rows of
    /// 6625 atoms, PP-OCR's scores), and lines may overlap, where the later one stands. The vendor's compiler crops transposed convolutions
    /// like that (rknn-toolkit2 2.5.0 on ONNX's `test_convtranspose_pads`: 13 columns, 8182 atoms, lines 3 apart).
    pub fn write_line_bytes(&self) -> i64 {
        i64::from(self.write_width.wrapping_add(self.notch) & 0x1fff) * ATOM
    }
}

fn dpu_regions(dpu: &Dpu, rdma: Option<&DpuRdma>, regions: &mut Vec<Region>) -> Result<(), UnknownLayout> {
    let bytes = element_bytes(Block::Dpu, reg::dpu::DATA_FORMAT, dpu.output_precision)?;
    let group = i64::from(dpu.group_stride);
    let surface = i64::from(dpu.surface_stride);
    let line = dpu.write_line_bytes();
    let mut push = |dimensions, element| {
        regions.push(write(reg::dpu::DST_BASE_ADDR, dpu.destination, dimensions, element));
    };
    // Behind a memory-to-memory task the cube is as large as what was read, whatever the DPU's own size says.
    let reader = rdma.filter(|_| dpu.flying);
    let (width, height) = reader.map_or((dpu.width, dpu.height), |rdma| (rdma.pipeline_width(), rdma.height));
    let channels = reader.map_or(dpu.channels, |rdma| rdma.channels);
    let pixels = width * height;
    if dpu.minmax != 0 {
        push(Vec::new(), u64::from(pixels) * u64::from(bytes));
    } else if dpu.nonaligned {
        let pixel = dpu.kept_bytes().unwrap_or(channels.saturating_mul(bytes));
        push(Vec::new(), u64::from(pixels) * u64::from(pixel));
    } else if dpu.transpose {
        let surfaces = (channels * 2).div_ceil(16);
        push(vec![dimension(surfaces, line), dimension(width, surface), dimension(height, ATOM)], ATOM as u64);
    } else if dpu.transpose_lanes {
        let (lanes, halves, rows) = if dpu.transpose_wide { (8, 1, dpu.write_height) } else { (16, 2, 1) };
        let atoms = u64::from((channels * 2).div_ceil(16)) * u64::from(pixels);
        let columns = dpu.write_width;
        let count = atoms.div_ceil(lanes).div_ceil(u64::from(rows.saturating_mul(columns)).max(1));
        let half = if dpu.transpose_wide { 0 } else { line };
        push(
            vec![
                Dimension { count, stride: group },
                dimension(halves, half),
                dimension(8, surface),
                dimension(rows, line),
                dimension(columns, ATOM),
            ],
            ATOM as u64,
        );
    } else {
        let repeat = reader.filter(|rdma| rdma.unpooling).map_or(1, |rdma| rdma.kernel_height);
        let surfaces = (dpu.write_channels * bytes).div_ceil(16) * repeat;
        let full = surfaces / dpu.group_surfaces;
        let place = |groups, surfaces| {
            let inner = cube((surfaces, surface), (dpu.write_height, line), dpu.write_width);
            [&[dimension(groups, group)][..], &inner].concat()
        };
        if full != 0 {
            push(place(full, dpu.group_surfaces), ATOM as u64);
        }
        let rest = surfaces % dpu.group_surfaces;
        if rest != 0 {
            push(place(full + 1, rest), ATOM as u64);
        }
    }
    Ok(())
}

fn ppu_regions(ppu: &Ppu, rdma: &PpuRdma) -> Result<[Region; 2], UnknownLayout> {
    let bytes = element_bytes(Block::Ppu, reg::ppu::DATA_FORMAT, ppu.processing_precision)?;
    let surfaces = |channels: u32| (channels * bytes).div_ceil(16);
    let input = cube(
        (surfaces(rdma.channels), i64::from(rdma.surface_stride)),
        (rdma.height, i64::from(rdma.line_stride)),
        rdma.width,
    );
    let line = (i64::from(ppu.output_width) + i64::from(ppu.notch)) * ATOM;
    let output = cube(
        (surfaces(ppu.output_channels), i64::from(ppu.surface_stride)),
        (ppu.output_height, line),
        ppu.output_width,
    );
    Ok([
        read(reg::ppu_rdma::RDMA_SRC_BASE_ADDR, rdma.source, input, ATOM as u64),
        write(reg::ppu::DST_BASE_ADDR, ppu.destination, output, ATOM as u64),
    ])
}

/// Multiply-adds of the convolution of a task, padding and padded channels included; 0 without one.
pub fn multiply_adds(job: &Job) -> u64 {
    let (Some(cna), Some(core)) = (&job.cna, &job.core) else { return 0 };
    let window = u64::from(cna.kernel_width) * u64::from(cna.kernel_height);
    let pixels = u64::from(core.output_width) * u64::from(core.output_height);
    let per_pixel = match cna.mode {
        ConvolutionMode::Depthwise => u64::from(core.output_channels),
        _ => u64::from(cna.channels) * u64::from(cna.kernels),
    };
    window.saturating_mul(pixels).saturating_mul(per_pixel)
}
