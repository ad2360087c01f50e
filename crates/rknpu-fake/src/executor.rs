//! What stands in for the NPU.

use std::collections::BTreeSet;
use std::error::Error;
use std::ops::Range;
use std::sync::Arc;

use ferrite_rknpu::ioctl::SyncFlags;
use ferrite_rknpu::registers::{Kind, RegisterInfo};
use ferrite_rknpu::{Command, Submission, TaskRecord};

use crate::{Buffers, FakeBuffer};

/// Runs submissions on the buffers.
pub trait Executor: Send {
    /// Runs one submission to its end.
    ///
    /// # Errors
    /// When the NPU would not have finished; the client gets a timeout, as from the kernel.
    fn submit(&mut self, submission: &Submission, buffers: &Buffers) -> Result<(), JobError>;

    /// The client makes `range` of a cacheable buffer, which lies within its pages, agree between its cache and memory.
    ///
    /// # Errors
    /// When bytes cannot be moved; the client gets `EINVAL`.
    fn synchronise(
        &mut self,
        direction: SyncFlags,
        range: Range<u64>,
        buffer: &FakeBuffer,
        buffers: &Buffers,
    ) -> Result<(), JobError> {
        let _ = (direction, range, buffer, buffers);
        Ok(())
    }
}

/// A job that did not end well; its source says why.
#[derive(Debug, Clone, thiserror::Error)]
#[error("the job failed")]
pub struct JobError(#[source] Arc<dyn Error + Send + Sync>);

impl JobError {
    /// Wraps the reason, be it an error or a text.
    pub fn new(reason: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self(reason.into().into())
    }

    /// The reason.
    pub fn reason(&self) -> &(dyn Error + Send + Sync + 'static) {
        &*self.0
    }
}

/// Leaves every buffer as it is.
#[derive(Debug, Clone, Copy, Default)]
pub struct RecordOnly;

impl Executor for RecordOnly {
    fn submit(&mut self, _submission: &Submission, _buffers: &Buffers) -> Result<(), JobError> {
        Ok(())
    }
}

/// Fills every buffer that the programs write, and that holds neither programs nor tasks, with bytes from a seed (see
/// [`fill_bytes`]): output conversion can be compared between runtimes without any NPU.
#[derive(Debug, Clone, Copy)]
pub struct FillOutputs {
    /// The seed.
    pub seed: u64,
}

impl Executor for FillOutputs {
    fn submit(&mut self, submission: &Submission, buffers: &Buffers) -> Result<(), JobError> {
        let failed = |error: std::io::Error| JobError::new(format!("filling the outputs: {error}"));
        let find = |address| buffers.at(address).map(|(buffer, _)| buffer.object);
        let read = |address, bytes: &mut [u8]| buffers.read(address, bytes).is_ok();
        for object in written_buffers(submission, find, read) {
            let Some(buffer) = buffers.object(object) else { continue };
            let mut bytes = vec![0; usize::try_from(buffer.size).unwrap_or(0)];
            fill_bytes(self.seed, buffer.device_address, &mut bytes);
            buffer.write(0, &bytes).map_err(failed)?;
        }
        Ok(())
    }
}

/// The buffers that the programs of a submission write, as far as their address registers say, without those that hold
/// programs or the task list.
///
/// `find` names the buffer at a device address, `read` copies device memory and says whether it could.
pub fn written_buffers<B: Ord>(
    submission: &Submission,
    find: impl Fn(u64) -> Option<B>,
    read: impl Fn(u64, &mut [u8]) -> bool,
) -> BTreeSet<B> {
    let mut written = BTreeSet::new();
    let mut tasks: Vec<&TaskRecord> = Vec::new();
    for work in submission.work().unwrap_or_default() {
        tasks.extend(&submission.tasks[work.tasks]);
    }
    let mut bytes = Vec::new();
    for task in &tasks {
        // A wild length is bounded by what lies in one buffer, which `read` decides; the cap keeps the allocation small.
        bytes.resize(usize::try_from(task.program_bytes().min(1 << 20)).unwrap_or(0), 0);
        if !read(task.regcmd_addr, &mut bytes) {
            continue;
        }
        let commands = bytes.as_chunks::<8>().0.iter().map(|word| Command(u64::from_le_bytes(*word)));
        let targets = commands.filter(|command| command.register().is_some_and(is_write)).map(Command::value);
        written.extend(targets.filter_map(|value| find(u64::from(value))));
    }
    let programs = tasks.iter().map(|task| task.regcmd_addr).chain([submission.task_list]);
    for holder in programs.filter_map(find) {
        written.remove(&holder);
    }
    written
}

fn is_write(register: &RegisterInfo) -> bool {
    register.kind == Kind::Write
}

/// Bytes that depend on the seed, the buffer's address and the place in it, and on nothing else. Read as half floats they are all
/// finite, so that conversions have something to convert.
pub fn fill_bytes(seed: u64, address: u64, bytes: &mut [u8]) {
    for (index, chunk) in bytes.chunks_mut(8).enumerate() {
        // SplitMix64: one multiplication chain per eight bytes, no state.
        let mut word = seed ^ address.rotate_left(32) ^ (index as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        let mut fresh = (word ^ word >> 31).to_le_bytes();
        for pair in fresh.chunks_exact_mut(2) {
            if pair[1] & 0x7c == 0x7c {
                pair[1] ^= 0x40;
            }
        }
        chunk.copy_from_slice(&fresh[..chunk.len()]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filled_halves_are_finite_and_depend_on_seed_and_place() {
        let mut bytes = [0; 4099];
        fill_bytes(7, 0xffe0_0000, &mut bytes);
        assert!(bytes.chunks_exact(2).all(|pair| pair[1] & 0x7c != 0x7c));
        let mut other = [0; 4099];
        fill_bytes(7, 0xffe0_1000, &mut other);
        assert_ne!(bytes[..64], other[..64]);
        fill_bytes(8, 0xffe0_0000, &mut other);
        assert_ne!(bytes[..64], other[..64]);
        assert!(bytes.iter().collect::<BTreeSet<_>>().len() > 240);
    }
}
