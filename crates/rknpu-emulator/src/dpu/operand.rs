//! Per-channel operands of BS and BN.

use ferrite_rknpu::reg;
use ferrite_rknpu::typed::{Dpu, DpuRdma, OperandRecord};

use crate::error::Error;
use crate::task::Task;

/// Which of the two blobs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    Bs,
    Bn,
}

/// What a blob holds, one value per channel; raw bits, because the pipeline's type decides what they mean.
#[derive(Debug, Default)]
pub(super) struct StageOperands {
    pub(super) alu: Option<Vec<u32>>,
    pub(super) correction: Option<Vec<i16>>,
    pub(super) multiply: Option<Vec<u16>>,
}

impl StageOperands {
    pub(super) fn channels_matter(&self) -> bool {
        self.alu.is_some() || self.correction.is_some() || self.multiply.is_some()
    }
}

/// Reads a blob: records of eight channels, each with the parts that DATA_USE enables.
pub(super) fn load(
    task: &Task<'_, '_>,
    dpu: &Dpu,
    rdma: Option<&DpuRdma>,
    source: Source,
) -> Result<StageOperands, Error> {
    let Some(rdma) = rdma else { return Ok(StageOperands::default()) };
    let (register, address, mask) = match source {
        Source::Bs => (reg::dpu_rdma::RDMA_BS_BASE_ADDR, rdma.bs_address, rdma.bs_use),
        Source::Bn => (reg::dpu_rdma::RDMA_BN_BASE_ADDR, rdma.bn_address, rdma.bn_use),
    };
    let record = OperandRecord::new(mask);
    let size = record.bytes as usize;
    if size == 0 {
        return Ok(StageOperands::default());
    }
    let channels = dpu.channels as usize;
    let blob = task.read(register, i64::from(address), channels.div_ceil(8) * size)?;
    let halves = |at: Option<u32>| {
        at.map(|at| {
            let parts = blob.chunks_exact(size).flat_map(|record| record[at as usize..][..16].as_chunks::<2>().0);
            parts.map(|bytes| u16::from_le_bytes(*bytes)).take(channels).collect::<Vec<_>>()
        })
    };
    let alu = record.alu.map(|at| {
        let parts = blob.chunks_exact(size).flat_map(|record| record[at as usize..][..32].as_chunks::<4>().0);
        parts.map(|bytes| u32::from_le_bytes(*bytes)).take(channels).collect()
    });
    let correction = halves(record.correction).map(|factors| factors.into_iter().map(|factor| factor as i16).collect());
    Ok(StageOperands { alu, correction, multiply: halves(record.multiply) })
}
