//! What runs behind the preloaded library.

use std::error::Error as StdError;
use std::fmt::Write as _;
use std::io::Write as _;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use ferrite_device::{Buffer, BufferKind, Device, Error, Submit};
use ferrite_rknn::Model;
use ferrite_rknn_runtime::{Layout, NpuDevice, Plan, PlanOptions, Session, Tensor, Weights};
use ferrite_rknpu::{Command, CoreMask, EnableMask, JobFlags, Submission, TaskRange, TaskRecord, reg};
use ferrite_rknpu_driver::{OpenOptions, VendorDriver, open_default};

/// Names the client's part: `memory`, `jobs`, `model PATH CORES`, `threads PATH PATH` or `open NODE…`.
pub(crate) const PART: &str = "FERRITE_TEST_PART";
/// Where the client puts what it has to say.
pub(crate) const REPORT: &str = "FERRITE_TEST_REPORT";

#[test]
fn main() {
    let Ok(part) = std::env::var(PART) else { return };
    let mut report = String::new();
    let words: Vec<&str> = part.split(' ').collect();
    match words[..] {
        ["memory"] => report = memory().unwrap(),
        ["jobs"] => jobs(&mut report),
        ["threads", path, other] => threads([path, other].map(Path::new), &mut report),
        ["model", path, cores] => model(path.as_ref(), CoreMask(cores.parse().unwrap()), &mut report),
        ["open", ref nodes @ ..] => open(nodes, &mut report),
        _ => panic!("no such part: {part}"),
    }
    std::fs::write(std::env::var(REPORT).unwrap(), report).unwrap();
}

/// An error with everything that caused it.
fn chain(error: &dyn StdError) -> String {
    let mut text = error.to_string();
    let mut next = error.source();
    while let Some(error) = next {
        write!(text, ": {error}").unwrap();
        next = error.source();
    }
    text
}

fn open(nodes: &[&str], report: &mut String) {
    let device = match nodes {
        [] => open_default(),
        nodes => VendorDriver::open(&OpenOptions { nodes: nodes.iter().map(Into::into).collect() }).map(Arc::new),
    };
    match device {
        Ok(device) => {
            let (node, version, path) = (device.node(), device.version(), device.path().display().to_string());
            write!(report, "{path} {node:?} {version} {:#x} {}", device.hardware_version(), device.name()).unwrap();
        }
        Err(error) => write!(report, "{error}\n{}", error.help()).unwrap(),
    }
}

/// Allocates, moves, exports and imports; the answers are checked here, what reached the kernel by the other side.
fn memory() -> Result<String, Error> {
    let device = open_default().unwrap();
    assert!(matches!(device.allocate(0, BufferKind::Data), Err(Error::EmptyBuffer)));
    let data = device.allocate(5000, BufferKind::Data)?;
    let tasks = device.allocate(80, BufferKind::Tasks)?;
    let chip = device.allocate(300, BufferKind::OnChip)?;
    let program = device.allocate(64, BufferKind::Program)?;
    assert_eq!([&data, &tasks, &chip, &program].map(Buffer::len), [5000, 80, 300, 64]);
    assert_eq!(data.read_vec(0..5000)?, vec![0; 5000], "fresh memory is zero");

    assert_eq!(data.flush_all_dirty()?, 0, "nothing is dirty");
    data.write(70, &[1, 2, 3])?;
    data.write(4990, &[9; 10])?;
    // One line; then two, the second of which the end of the buffer cuts short.
    assert_eq!(data.flush_all_dirty()?, 64 + 72);
    data.mark_device_wrote(128..256)?;
    assert_eq!(data.invalidate(0..5000)?, 128);
    assert_eq!(data.read_vec(70..73)?, [1, 2, 3]);

    let pointer = data.host_pointer()?;
    assert!(!pointer.is_null() && !data.is_tracked());
    assert_eq!(data.flush_all_dirty()?, 5000, "a raw pointer is out: the whole buffer goes");

    // Memory of our own comes back as what it is, not as a second owner of the same handle.
    let again = device.import(data.export()?, 5000)?;
    assert!(again.same_allocation(&data));
    drop(again);
    data.write(0, &[7])?;
    let large = device.import(data.export()?, 1 << 20).unwrap_err();
    let report = chain(&large);
    let after = device.allocate(4096, BufferKind::Data)?;
    let address = after.device_address();
    drop(after);
    // Nobody holds it any more, so its place is free for the next.
    assert_eq!(device.allocate(4096, BufferKind::Data)?.device_address(), address);
    foreign(&device)?;
    // Buffers outlive the device.
    drop(device);
    data.write(64, &[5])?;
    data.flush_all_dirty()?;
    Ok(report)
}

/// Imports memory that somebody else made.
fn foreign(device: &VendorDriver) -> Result<(), Error> {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(&[3; 4096]).unwrap();
    let import = || device.import(file.try_clone().unwrap().into(), 4096);
    let buffer = match import() {
        Ok(buffer) => buffer,
        // A kernel that cannot say where the memory of a handle is.
        Err(error) => {
            assert!(chain(&error).contains("importing a dma-buf"), "{error:?}");
            return Ok(());
        }
    };
    assert_eq!(buffer.read_vec(10..12)?, [3, 3]);
    buffer.write(10, &[4])?;
    assert!(import()?.same_allocation(&buffer), "a second import is the same buffer");
    assert!(!buffer.is_tracked());
    let mut bytes = [0; 2];
    file.read_exact_at(&mut bytes, 10).unwrap();
    assert_eq!(bytes, [4, 3]);
    Ok(())
}

/// One program that writes `target`, for the DPU.
fn program(target: u64) -> Vec<u8> {
    let words = [
        Command::write(reg::dpu::DST_BASE_ADDR, u32::try_from(target).unwrap()).unwrap(),
        Command::NOP,
        Command::write(reg::pc::REGISTER_AMOUNTS, 0).unwrap(),
        Command::BARRIER,
        Command::enable(EnableMask(0x18)),
    ];
    words.iter().flat_map(|word| word.0.to_le_bytes()).collect()
}

fn ranges(list: &[std::ops::Range<u64>]) -> Vec<(u64, u64)> {
    list.iter().map(|range| (range.start, range.end)).collect()
}

/// Submissions of every form, and those that must not reach the kernel.
fn jobs(report: &mut String) {
    let device = open_default().unwrap();
    let output = device.allocate(640, BufferKind::Data).unwrap();
    let bystander = device.allocate(640, BufferKind::Data).unwrap();
    let code = device.allocate(40, BufferKind::Program).unwrap();
    let list = device.allocate(160, BufferKind::Tasks).unwrap();
    code.write(0, &program(output.device_address() + 64)).unwrap();
    code.flush_all_dirty().unwrap();
    let record = |op_idx| TaskRecord {
        op_idx,
        enable_mask: EnableMask(0x18),
        int_mask: 0x300,
        int_clear: 0x1_ffff,
        regcfg_amount: 1,
        regcmd_addr: code.device_address(),
        ..TaskRecord::default()
    };
    let tasks: Arc<[TaskRecord]> = (7..11).map(record).collect();
    list.write(0, &TaskRecord::write_list(&tasks)).unwrap();
    list.flush_all_dirty().unwrap();
    let range = |start, number| TaskRange { start, number };
    let flags = JobFlags::PC | JobFlags::PINGPONG;
    let single = Submission::single_core(flags, Arc::clone(&tasks), list.device_address(), range(1, 2), 6000);
    let several = Submission {
        core_mask: CoreMask(7),
        range: range(0, 4),
        subcores: [range(0, 1), range(1, 2), range(0, 1), range(1, 2), range(3, 1)],
        timeout: 1234,
        flags: JobFlags::PC,
        ..single.clone()
    };
    let run = |submission: &Submission| {
        device.submit(submission).and_then(|mut fence| {
            assert!(fence.is_done().unwrap());
            fence.wait(Duration::ZERO)
        })
    };
    for submission in [&single, &several] {
        bystander.write(0, &[1]).unwrap();
        match run(submission) {
            Ok(()) => writeln!(report, "done").unwrap(),
            Err(error) => writeln!(report, "{}", chain(&error)).unwrap(),
        }
        // What the program can have written is stale, and nothing else is.
        assert_eq!(ranges(&output.stale_ranges()), [(0, 640)]);
        assert_eq!(ranges(&bystander.stale_ranges()), []);
        assert_eq!(ranges(&bystander.dirty_ranges()), [(0, 64)]);
        output.invalidate(0..100).unwrap();
        assert_eq!(ranges(&output.stale_ranges()), [(128, 640)]);
        output.invalidate(0..640).unwrap();
    }
    let wrong = [
        Submission { task_list: output.device_address(), ..single.clone() },
        Submission { task_list: list.device_address() + 40, ..single.clone() },
        Submission { flags: flags | JobFlags::NONBLOCK, ..single.clone() },
        Submission { flags: JobFlags::PINGPONG, ..single.clone() },
        Submission { core_mask: CoreMask(8), ..single.clone() },
        Submission { subcores: [range(3, 2); 5], ..single.clone() },
        Submission { subcores: [range(3, 0); 5], ..single.clone() },
        Submission { tasks: [TaskRecord { regcmd_addr: 0x1000, ..tasks[1] }; 4].into(), ..single.clone() },
        Submission { tasks: [TaskRecord { regcfg_amount: u32::MAX, ..tasks[1] }; 4].into(), ..single.clone() },
    ];
    for submission in wrong {
        writeln!(report, "{}", chain(&run(&submission).unwrap_err())).unwrap();
    }
}

/// Runs a model twice on one open device. The report has a line for each run: how it ended, and its outputs.
fn model(path: &Path, cores: CoreMask, report: &mut String) {
    let device = match open_default() {
        Ok(device) => device,
        Err(error) => return write!(report, "{error}").unwrap(),
    };
    for _ in 0..2 {
        match run(path, cores, device.clone()) {
            Ok(outputs) => writeln!(report, "ok {}", hex(&outputs)).unwrap(),
            Err(error) => writeln!(report, "{}", chain(&error)).unwrap(),
        }
    }
}

/// Runs two models at once on one device, over and over. The report has a line for each run, those of the first model first.
fn threads(paths: [&Path; 2], report: &mut String) {
    let device = open_default().unwrap();
    let again = |path| {
        let device = device.clone();
        move || -> Vec<String> { (0..8).map(|_| hex(&run(path, CoreMask(0), device.clone()).unwrap())).collect() }
    };
    let outputs = std::thread::scope(|scope| {
        let threads = paths.map(|path| scope.spawn(again(path)));
        threads.map(|thread| thread.join().unwrap())
    });
    *report = outputs.concat().join("\n");
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").unwrap();
        text
    })
}

/// Runs a model on inputs that depend on nothing but their place, and returns the bytes of all outputs. The session and the
/// weights are gone afterwards.
pub(crate) fn run(
    path: &Path,
    cores: CoreMask,
    device: Arc<NpuDevice>,
) -> Result<Vec<u8>, ferrite_rknn_runtime::Error> {
    let model = Model::read(std::fs::read(path).unwrap())?;
    let plan = Arc::new(Plan::new(&model, &PlanOptions::default().with_cores(cores))?);
    let mut session = Session::new(Weights::load(Arc::clone(&plan), device)?)?;
    for (index, info) in plan.inputs().iter().enumerate() {
        let count = info.shape.iter().product::<usize>();
        let values: Vec<f32> = (0..count).map(|place| (place * 7919 % 251) as f32 / 64.0 - 1.9).collect();
        session.set_input(index, &Tensor::from_f32(info.shape.clone(), &values)?, Layout::Nchw)?;
    }
    session.run()?;
    let mut bytes = Vec::new();
    for index in 0..plan.outputs().len() {
        bytes.extend_from_slice(session.output_raw(index)?.bytes());
    }
    Ok(bytes)
}
