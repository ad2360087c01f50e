//! Runs a capture of a vendor runtime: `run_capture FOLDER OUT [half-away|half-even|floor]` loads every buffer as it was at the first submission, runs
//! all submissions of the log in order, and writes every buffer's final bytes to `OUT/bo<HANDLE>.bin`.
//!
//! What the host does between submissions (operators on the CPU, later inputs) is not in a capture, so a network that needs
//! it comes out wrong from there on.
#![allow(clippy::print_stderr, reason = "a tool for the terminal")]

use std::error::Error;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use ferrite_device::Buffer;
use ferrite_device::memory::{DeviceMemory, Settings};
use ferrite_rknpu::{CoreMask, JobFlags, Submission, TaskRange, TaskRecord};
use ferrite_rknpu_emulator::{Emulator, Limits, Options, Rounding};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// Handle, buffer: from files named `submit0_bo<HANDLE>_<DMA>.bin`.
fn buffers(folder: &Path, memory: &DeviceMemory) -> Result<Vec<(u32, Buffer)>> {
    let mut buffers = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let Some(rest) = name.strip_prefix("submit0_bo").and_then(|rest| rest.strip_suffix(".bin")) else { continue };
        let (handle, address) = rest.split_once('_').ok_or("no address in a buffer's name")?;
        let bytes = fs::read(entry.path())?;
        let buffer = memory.allocate_at(u64::from_str_radix(address, 16)?, bytes.len() as u64)?;
        buffer.write(0, &bytes)?;
        buffer.flush_all_dirty()?;
        buffers.push((handle.parse()?, buffer));
    }
    buffers.sort_by_key(|(handle, _)| *handle);
    Ok(buffers)
}

fn number(text: &str) -> Result<u32> {
    Ok(match text.strip_prefix("0x") {
        Some(hex) => u32::from_str_radix(hex, 16)?,
        None => text.parse()?,
    })
}

/// `[rknpu] submit 0 flags=0x5 start=0 number=3 core_mask=0 subcores=0+1,0+1,0+1,0+0,0+0`
fn submission(line: &str, tasks: &Arc<[TaskRecord]>, task_list: u64) -> Result<Submission> {
    let field = |name: &str| -> Result<&str> {
        let found = line.split(' ').find_map(|word| word.strip_prefix(name)?.strip_prefix('='));
        found.ok_or_else(|| format!("no {name} in `{line}`").into())
    };
    let mut subcores = [TaskRange::default(); 5];
    for (range, text) in subcores.iter_mut().zip(field("subcores")?.split(',')) {
        let (start, number_of) = text.split_once('+').ok_or("a range without a plus sign")?;
        *range = TaskRange { start: number(start)?, number: number(number_of)? };
    }
    Ok(Submission {
        flags: JobFlags(number(field("flags")?)?),
        tasks: Arc::clone(tasks),
        task_list,
        range: TaskRange { start: number(field("start")?)?, number: number(field("number")?)? },
        core_mask: CoreMask(number(field("core_mask")?)?),
        subcores,
        timeout: 6000,
    })
}

fn options(rounding: Option<std::ffi::OsString>) -> Result<Options> {
    let rounding = match rounding.as_ref().and_then(|word| word.to_str()) {
        None => Rounding::default(),
        Some("half-away") => Rounding::HalfAway,
        Some("half-even") => Rounding::HalfEven,
        Some("floor") => Rounding::Floor,
        Some(other) => return Err(format!("unknown rounding {other}").into()),
    };
    Ok(Options { rounding, ..Options::default() })
}

fn main() -> Result<()> {
    let mut arguments = std::env::args_os().skip(1);
    let (Some(folder), Some(out)) = (arguments.next(), arguments.next()) else {
        return Err("usage: run_capture FOLDER OUT [half-away|half-even|floor]".into());
    };
    let (folder, out) = (Path::new(&folder), Path::new(&out));
    let memory = DeviceMemory::new(Settings { strict: true, ..Settings::default() });
    let buffers = buffers(folder, &memory)?;
    let (_, list) = buffers.first().ok_or("no buffers in the folder")?;
    let bytes = list.read_vec(0..list.len() / 40 * 40)?;
    let tasks: Arc<[TaskRecord]> = TaskRecord::read_list(&bytes)?.into();
    let emulator = Emulator::with_options(memory, options(arguments.next())?, Limits::default());
    let log = fs::read_to_string(folder.join("log"))?;
    let start = Instant::now();
    for line in log.lines().filter(|line| line.starts_with("[rknpu] submit ")) {
        let submission = submission(line, &tasks, list.device_address())?;
        if let Err(error) = emulator.run(&submission) {
            let mut chain: &dyn Error = &error;
            let mut message = format!("{line}: {error}");
            while let Some(source) = chain.source() {
                message += &format!(": {source}");
                chain = source;
            }
            return Err(message.into());
        }
    }
    eprintln!("{:.3} s, {:?}", start.elapsed().as_secs_f64(), emulator.statistics());
    fs::create_dir_all(out)?;
    for (handle, buffer) in &buffers {
        buffer.invalidate(0..buffer.len())?;
        fs::write(out.join(format!("bo{handle}.bin")), buffer.read_vec(0..buffer.len())?)?;
    }
    Ok(())
}
