//! Programs nobody meant: whatever they say, the emulator answers, within its limits.

mod common;

use arbtest::arbitrary::{Result, Unstructured};
use arbtest::arbtest;
use common::{Convolution, Machine, address, copy_job, element_operand, pooling, with_operand_reader};
use ferrite_rknpu::typed::{BANKED, Bank, EffectiveState, ElementSize, Job, PoolingMethod, Precision, places};
use ferrite_rknpu::{Command, EnableMask};
use ferrite_rknpu_emulator::{Limits, Options};

const LIMITS: Limits = Limits { bytes: 1 << 20, macs: 1 << 20, working_bytes: 1 << 20 };

/// A task that works on `memory`, of a kind of the fuzzer's choice.
fn sensible(u: &mut Unstructured<'_>, memory: u32) -> Result<Job> {
    let precision = *u.choose(&[Precision::Int8, Precision::Float16])?;
    let lanes = 16 / precision.bytes().unwrap_or(1);
    let size = (u.int_in_range(1..=9)?, u.int_in_range(1..=9)?, lanes * u.int_in_range(1..=5)?);
    Ok(match u.int_in_range(0..=2)? {
        0 => {
            let mut job = copy_job(precision, size, memory, memory + 8192);
            let rdma = job.dpu_rdma.get_or_insert_default();
            let width = if precision == Precision::Int8 { ElementSize::Bits8 } else { ElementSize::Bits16 };
            element_operand(rdma, memory, size.0 * size.1 * 16, width);
            let dpu = job.dpu.get_or_insert_default();
            let ew = &mut dpu.ew;
            (ew.bypass, ew.operation_bypass, ew.from_memory) = (false, u.arbitrary()?, true);
            dpu.transpose = u.ratio(1, 4)?;
            job
        }
        1 => {
            let mut job = pooling(precision, size, (size.0, size.1), memory, memory + 8192);
            let ppu = job.ppu.get_or_insert_default();
            ppu.method = *u.choose(&[PoolingMethod::Max, PoolingMethod::Average])?;
            (ppu.kernel_width, ppu.kernel_height) = (u.int_in_range(1..=5)?, u.int_in_range(1..=5)?);
            job
        }
        _ => {
            let shape = Convolution {
                precision,
                depthwise: false,
                input: size,
                outputs: u.int_in_range(1..=40)?,
                kernel: (u.int_in_range(1..=3)?, u.int_in_range(1..=3)?),
                stride: (1, 1),
                dilation: (1, 1),
                pad: (1, 1, 1, 1),
            };
            let mut job = shape.job(memory, &[], memory, memory + 8192);
            let cna = job.cna.get_or_insert_default();
            let bytes = precision.bytes().unwrap_or(1);
            let groups = size.2 / 32 * 32 + (size.2 % 32).next_power_of_two() * u32::from(size.2 % 32 != 0);
            cna.kernel_bytes = groups * shape.kernel.0 * shape.kernel.1 * bytes;
            cna.weight_bytes = cna.kernel_bytes * shape.outputs;
            with_operand_reader(&mut job);
            job
        }
    })
}

/// Some fields replaced: by anything, by the largest value, or by one bit flipped.
fn mutated(u: &mut Unstructured<'_>, job: &Job) -> Result<Vec<Command>> {
    let mut commands = job.encode().expect("values fit");
    for _ in 0..u.int_in_range(0..=3)? {
        if commands.is_empty() {
            break;
        }
        let at = u.choose_index(commands.len())?;
        let old = commands[at].value();
        let value = match u.int_in_range(0..=2)? {
            0 => u.arbitrary()?,
            1 => u32::MAX,
            _ => old ^ 1 << u.int_in_range(0..=31)?,
        };
        commands[at] = commands[at].with_value(value);
    }
    Ok(commands)
}

fn survives(machine: &Machine) -> bool {
    let result = machine.run();
    let spent = machine.emulator.statistics();
    assert!(spent.bytes <= LIMITS.bytes && spent.macs <= LIMITS.macs, "{spent:?}");
    result.is_ok()
}

#[test]
fn mutated_tasks() {
    let (mut ran, mut all) = (0u32, 0u32);
    arbtest(|u| {
        let mut machine = Machine::with(Options::default(), LIMITS);
        let memory = machine.buffer(&[0x3c; 1 << 16]);
        for _ in 0..u.int_in_range(1..=3)? {
            let job = sensible(u, address(&memory))?;
            let commands = mutated(u, &job)?;
            machine.commands(commands, job.enable);
        }
        all += 1;
        ran += u32::from(survives(&machine));
        Ok(())
    })
    .budget_ms(3000);
    // A fuzzer whose programs are all refused tests nothing.
    assert!(ran * 10 > all, "only {ran} of {all} ran");
}

#[test]
fn random_registers() {
    arbtest(|u| {
        let mut machine = Machine::with(Options::default(), LIMITS);
        let memory = machine.buffer(&[0x3c; 1 << 12]);
        let enable = EnableMask(*u.choose(&[0x18, 0x1d, 0x0d, 0x60, 0x7d])?);
        let mut banks = Vec::new();
        for block in BANKED.into_iter().filter(|block| enable.starts(*block)) {
            let mut bank = Bank::default();
            for place in places(block) {
                let value = u.arbitrary::<u32>()? & place.mask();
                // Many small values, so that some sizes are possible.
                let value = if u.ratio(3, 4)? { value & (3 << place.low) } else { value };
                bank.set(place.register, bank.get(place.register) | value);
            }
            for register in [0x1070, 0x1110, 0x4020, 0x5018, 0x5020, 0x502c, 0x5038, 0x6070, 0x701c] {
                bank.set(register, address(&memory));
            }
            banks.push((block, bank));
        }
        let state = EffectiveState { enable, banks, lut: Vec::new() };
        let job = Job { rest: Vec::new(), ..Job::decode(&state) };
        machine.commands(job.encode().expect("decoded values fit"), enable);
        survives(&machine);
        Ok(())
    })
    .budget_ms(1000);
}

#[test]
fn random_commands() {
    arbtest(|u| {
        let mut machine = Machine::with(Options::default(), LIMITS);
        let count = u.int_in_range(0..=40)?;
        let commands = (0..count).map(|_| Ok(Command(u.arbitrary()?))).collect::<Result<Vec<_>>>()?;
        machine.commands(commands, EnableMask(u.arbitrary()?));
        survives(&machine);
        Ok(())
    })
    .budget_ms(500);
}
