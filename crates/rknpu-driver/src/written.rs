//! Which buffers a submission writes, from its programs.

use std::collections::{BTreeMap, BTreeSet};

use ferrite_device::Buffer;
use ferrite_rknpu::registers::{Kind, REGISTERS};
use ferrite_rknpu::{Command, CoreWork, Submission};

use crate::error::DriverError;
use crate::registry::Registry;

/// Target and offset of the registers that hold an address to write to, as [`key`] has them.
fn writing() -> Vec<u64> {
    let registers = REGISTERS.iter().filter(|register| register.kind == Kind::Write);
    registers.filter_map(|register| Command::write(register.offset, 0)).map(key).collect()
}

/// Everything of a command but its value.
fn key(command: Command) -> u64 {
    command.with_value(0).0
}

/// The buffers that the programs of `work` write, whatever part of them.
///
/// The whole tasks are read, as the hardware does, so a program that lies in no buffer is found before it can hang the chip.
///
/// # Errors
/// [`DriverError::Program`].
pub(crate) fn written(
    submission: &Submission,
    work: &[CoreWork],
    buffers: &Registry,
) -> Result<Vec<Buffer>, DriverError> {
    let writing = writing();
    let mut found: BTreeMap<u64, Buffer> = BTreeMap::new();
    let mut seen = BTreeSet::new();
    let mut values = BTreeSet::new();
    for task in work.iter().flat_map(|work| work.tasks.clone()) {
        let Some(record) = submission.tasks.get(task) else { continue };
        let (address, bytes) = (record.regcmd_addr, record.program_bytes());
        if !seen.insert((address, bytes)) {
            continue;
        }
        let outside = || DriverError::Program { task, address, bytes };
        let (buffer, offset) = buffers.at(address).ok_or_else(outside)?;
        let end = offset.checked_add(bytes).ok_or_else(outside)?;
        let search = |program: &[u8]| {
            let commands = program.as_chunks::<8>().0.iter().map(|word| Command(u64::from_le_bytes(*word)));
            let writes = commands.filter(|command| writing.contains(&key(*command)));
            values.extend(writes.map(Command::value));
        };
        buffer.with_bytes(offset..end, search).map_err(|_| outside())?;
    }
    for value in values {
        // An address in no buffer belongs to a block that is not started, or is a fault that the IOMMU reports.
        if let Some((buffer, _)) = buffers.at(u64::from(value)) {
            found.entry(buffer.device_address()).or_insert_with(|| buffer.clone());
        }
    }
    Ok(found.into_values().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The DPU's and the PPU's destination, and no source.
    #[test]
    fn the_writing_registers_are_the_destinations() {
        assert_eq!(writing(), [0x1001_0000_0000_4020, 0x4001_0000_0000_6070]);
    }
}
