//! Any register programs run within their limits, or end in an error.
#![no_main]

use std::sync::Arc;

use ferrite_device::memory::{DeviceMemory, Settings};
use ferrite_rknpu::registers::REGISTERS;
use ferrite_rknpu::{Command, EnableMask, JobFlags, Program, Submission, Tail, TaskRange, TaskRecord};
use ferrite_rknpu_emulator::{Emulator, Limits, Options};
use libfuzzer_sys::fuzz_target;

const MEMORY: u64 = 64 << 10;
const MASKS: [u32; 4] = [0x1d, 0x0d, 0x18, 0x60];

/// One write from six bytes: which register, and its value; address registers point into the buffer.
fn write(bytes: &[u8], base: u64) -> Option<Command> {
    let register = &REGISTERS[usize::from(u16::from_le_bytes([bytes[0], bytes[1]])) % REGISTERS.len()];
    let value = u32::from_le_bytes([bytes[2], bytes[3], bytes[4], bytes[5]]);
    let value = if register.kind.is_address() { base as u32 + value % MEMORY as u32 & !0xf } else { value };
    Command::write(register.offset, value)
}

fuzz_target!(|bytes: &[u8]| {
    let memory = DeviceMemory::new(Settings::default());
    let buffer = memory.allocate(MEMORY).expect("memory for one buffer");
    let base = buffer.device_address();
    let mut image = Vec::new();
    let mut tasks = Vec::new();
    for piece in bytes.chunks(6 * 64 + 1).take(4) {
        let (&mask, writes) = piece.split_first().expect("chunks are not empty");
        let enable_mask = EnableMask(MASKS[usize::from(mask) % MASKS.len()]);
        let mut commands: Vec<Command> = writes.chunks_exact(6).filter_map(|bytes| write(bytes, base)).collect();
        let regcfg_amount = commands.len() as u32;
        commands.extend(Tail { next_address: None, next_amounts: 0, enable: enable_mask }.commands());
        let regcmd_addr = base + image.len() as u64;
        tasks.push(TaskRecord { enable_mask, regcfg_amount, regcmd_addr, ..TaskRecord::default() });
        image.extend(Program { commands }.to_bytes());
    }
    buffer.write(0, &image).expect("four programs fit");
    buffer.flush_all_dirty().expect("a flush within the buffer");
    let range = TaskRange { start: 0, number: tasks.len() as u32 };
    let tasks: Arc<[TaskRecord]> = tasks.into();
    let submission = Submission::single_core(JobFlags(JobFlags::PC.0 | JobFlags::PINGPONG.0), tasks, base, range, 6000);
    let limits = Limits { bytes: 8 << 20, macs: 8 << 20, working_bytes: 16 << 20 };
    let _ = Emulator::with_options(memory, Options::default(), limits).run(&submission);
});
