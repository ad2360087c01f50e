//! Whole models: what reaches the kernel is what the runtime planned, and results are those of the emulator.

use std::collections::VecDeque;
use std::path::Path;
use std::sync::{Arc, Mutex};

use ferrite_device::memory::DeviceMemory;
use ferrite_device::{Buffer, BufferKind, Completed, Device, Error, Fence, IntervalSet, Submit};
use ferrite_rknpu::ioctl::{MemFlags, SyncFlags};
use ferrite_rknpu::{CoreMask, Submission};
use ferrite_rknpu_emulator::Emulator;
use ferrite_rknpu_fake::{DriverOptions, What};

use crate::client;
use crate::host::{Ended, emulate, models, record, run};

/// Address and bytes of buffers.
type Contents = Vec<(u64, Vec<u8>)>;

/// Allocates where it is told, and keeps each submission with the device's view of all buffers.
struct Recorder {
    memory: DeviceMemory,
    places: Mutex<VecDeque<(u64, u64)>>,
    submissions: Mutex<Vec<(Submission, Contents)>>,
}

impl Device for Recorder {
    fn name(&self) -> &str {
        "recorder"
    }

    fn allocate(&self, size: u64, _kind: BufferKind) -> Result<Buffer, Error> {
        let (bytes, address) = self.places.lock().unwrap().pop_front().expect("a buffer the driver did not create");
        assert_eq!(size, bytes, "buffer size");
        self.memory.allocate_at(address, size)
    }
}

impl Submit<Submission> for Recorder {
    fn submit(&self, submission: &Submission) -> Result<Box<dyn Fence>, Error> {
        let guard = self.memory.lock();
        let mut buffers = Vec::new();
        for buffer in guard.buffers() {
            let bytes = guard.read(buffer.base, usize::try_from(buffer.size).unwrap());
            buffers.push((buffer.base, bytes.unwrap().to_vec()));
        }
        self.submissions.lock().unwrap().push((submission.clone(), buffers));
        Ok(Box::new(Completed::new(Ok(()))))
    }
}

/// (size, address) of the buffers of the first of two equal runs, in the order of their creation.
fn places(ended: &Ended) -> VecDeque<(u64, u64)> {
    let place = |what: &What| match what {
        What::Create { argument, .. } => Some((argument.size, argument.dma_addr)),
        _ => None,
    };
    let mut places: VecDeque<_> = ended.log.events.iter().filter_map(|event| place(&event.what)).collect();
    places.truncate(places.len() / 2);
    places
}

/// Differences between what the kernel saw and what a session on a recorder does.
fn differences(path: &Path, cores: CoreMask, ended: &Ended) -> Vec<String> {
    let device = Arc::new(Recorder {
        memory: DeviceMemory::default(),
        places: Mutex::new(places(ended)),
        submissions: Mutex::default(),
    });
    client::run(path, cores, device.clone()).unwrap();
    let planned = device.submissions.lock().unwrap();
    let mut found = Vec::new();
    // The client ran the model twice.
    if ended.log.submissions.len() != 2 * planned.len() {
        found.push(format!("{} submissions in two runs, {} planned", ended.log.submissions.len(), planned.len()));
    }
    for (index, ((planned, memory), seen)) in planned.iter().zip(&ended.log.submissions).enumerate() {
        // The kernel takes all of the buffer for the list, and knows no more of it than the runtime wrote.
        let seen_tasks = &seen.submission.tasks[..planned.tasks.len().min(seen.submission.tasks.len())];
        let rest = Submission { tasks: Arc::clone(&planned.tasks), ..seen.submission.clone() };
        if seen_tasks != &planned.tasks[..] || rest != *planned {
            found.push(format!("submission {index}: {rest:?}, planned {planned:?}"));
        }
        for ((number, address, bytes), (planned_address, planned_bytes)) in
            seen.buffers.iter().zip(by_creation(memory, seen))
        {
            if *address != planned_address || *bytes != planned_bytes {
                found.push(format!("submission {index}, buffer {number} at {address:#x}: other bytes or place"));
            }
        }
        found.extend(unmoved(ended, index));
    }
    found
}

/// The recorder's buffers in the order of `seen`.
fn by_creation(memory: &[(u64, Vec<u8>)], seen: &crate::host::Seen) -> Vec<(u64, Vec<u8>)> {
    let of = |address: u64| memory.iter().find(|(have, _)| *have == address).cloned().unwrap_or_default();
    seen.buffers.iter().map(|(_, address, _)| of(*address)).collect()
}

/// Bytes that the device was to see at a submission and that no flush had covered. Fresh memory is zero on both sides.
fn unmoved(ended: &Ended, index: usize) -> Vec<String> {
    let seen = &ended.log.submissions[index];
    let mut found = Vec::new();
    for (number, address, bytes) in &seen.buffers {
        let flushed = moved(ended, *number, SyncFlags::TO_DEVICE, 0..seen.after);
        let written = |place: u64| bytes[usize::try_from(place).unwrap()] != 0;
        let size = bytes.len() as u64;
        if (0..size).any(|place| written(place) && !flushed.intersects(&(place..place + 1))) {
            found.push(format!(
                "submission {index}: buffer {number} at {address:#x} was not flushed where it was written"
            ));
        }
    }
    found
}

/// What was moved of a buffer among some events.
fn moved(ended: &Ended, number: u32, flags: SyncFlags, events: std::ops::Range<usize>) -> IntervalSet {
    let range = |what: &What| match what {
        What::Sync { argument, number: have } if *have == number && argument.flags == flags => {
            Some(argument.offset..argument.offset + argument.size)
        }
        _ => None,
    };
    ended.log.events[events].iter().filter_map(|event| range(&event.what)).collect()
}

/// Every model of one operator, on one core and on three: the numbers, the task list and the bytes of every buffer.
#[test]
fn submissions_and_buffers_are_those_that_the_runtime_planned() {
    let mut paths: Vec<_> = std::fs::read_dir(models()).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "rknn"));
    paths.sort();
    assert!(paths.len() >= 50, "{} models", paths.len());
    let (mut wrong, mut submissions) = (Vec::new(), 0);
    for path in &paths {
        for cores in [CoreMask(0), CoreMask(7)] {
            let Some(ended) = record(DriverOptions::default(), &format!("model {} {}", path.display(), cores.0)) else {
                return;
            };
            let name = format!("{} on cores {}", path.display(), cores.0);
            assert!(ended.report.lines().all(|line| line.starts_with("ok ")), "{name}: {}", ended.report);
            ended.assert_clean();
            submissions += ended.log.submissions.len();
            wrong.extend(differences(path, cores, &ended).into_iter().map(|text| format!("{name}: {text}")));
        }
    }
    assert!(wrong.is_empty(), "{} differences:\n{}", wrong.len(), wrong.join("\n"));
    assert!(submissions >= 4 * paths.len() - 20, "{submissions} submissions");
}

/// With the emulator behind the kernel, a model gives the bytes that it gives on the emulator itself, and what the host reads
/// was invalidated before.
#[test]
fn results_are_those_of_the_emulator() {
    for name in ["conv3x3-fp16", "conv3x3-int8", "resblock-fp16", "maxpool-fp16", "softmax-fp16"] {
        let path = models().join(format!("{name}.rknn"));
        let part = format!("model {} 0", path.display());
        let Some(ended) = run(DriverOptions::default(), &part, emulate()) else { return };
        ended.assert_clean();
        let emulator = Arc::new(Emulator::new(DeviceMemory::default()));
        let expected = client::run(&path, CoreMask(0), emulator).unwrap();
        assert!(expected.iter().any(|byte| *byte != 0), "{name}");
        let expected = format!("ok {}", client::hex(&expected));
        assert_eq!(ended.report.lines().collect::<Vec<_>>(), [&*expected, &*expected], "{name}");

        // The last submission wrote the output, and the output was moved afterwards.
        let seen = ended.log.submissions.last().unwrap();
        let after = seen.after..ended.log.events.len();
        let from =
            |(number, ..): &(u32, u64, Vec<u8>)| moved(&ended, *number, SyncFlags::FROM_DEVICE, after.clone()).total();
        let total: u64 = seen.buffers.iter().map(from).sum();
        assert!(total >= client_output_bytes(&ended), "{name}: {total} bytes came from the device");
    }
}

/// Sessions of several threads share a device.
#[test]
fn models_run_at_once() {
    let paths = ["conv3x3-fp16", "resblock-int8"].map(|name| models().join(format!("{name}.rknn")));
    let part = format!("threads {} {}", paths[0].display(), paths[1].display());
    let Some(ended) = run(DriverOptions::default(), &part, emulate()) else { return };
    ended.assert_clean();
    let lines: Vec<&str> = ended.report.lines().collect();
    assert_eq!(lines.len(), 16);
    for (path, lines) in paths.iter().zip(lines.chunks(8)) {
        let emulator = Arc::new(Emulator::new(DeviceMemory::default()));
        let expected = client::hex(&client::run(path, CoreMask(0), emulator).unwrap());
        assert!(lines.iter().all(|line| **line == *expected), "{}", path.display());
    }
}

fn client_output_bytes(ended: &Ended) -> u64 {
    ended.report.lines().next().map_or(0, |line| (line.len() as u64 - 3) / 2)
}

/// Buffers that the kernel reads are those for tasks, and there is one.
#[test]
fn the_task_list_is_the_only_buffer_mapped_into_the_kernel() {
    let path = models().join("conv3x3-fp16.rknn");
    let Some(ended) = record(DriverOptions::default(), &format!("model {} 0", path.display())) else { return };
    let flags = |what: &What| if let What::Create { argument, .. } = what { Some(argument.flags) } else { None };
    let mapped = ended.log.events.iter().filter_map(|event| flags(&event.what));
    assert_eq!(mapped.filter(|flags| flags.contains(MemFlags::KERNEL_MAPPING)).count(), 2, "one for each of two runs");
}
