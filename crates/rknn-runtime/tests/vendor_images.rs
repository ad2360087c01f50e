//! The buffers and submissions of a session are those of the vendor's runtime, bit for bit.
//!
//! The outside truth is `data/vendor-images.tsv`: digests of what Rockchip's runtime handed its kernel driver. A device
//! that only records gives each of our buffers the address that the vendor's had, so equal rules give equal bytes.

use std::collections::VecDeque;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use ferrite_device::memory::{DeviceMemory, Settings};
use ferrite_device::{Buffer, BufferKind, Completed, Device, Error, Fence, Submit};
use ferrite_rknn::Model;
use ferrite_rknn_runtime::{BufferRole, Job, Layout, Plan, PlanOptions, Session, Step, Tensor, Weights};
use ferrite_rknpu::{CoreMask, Submission, TaskRange};
use sha2::{Digest, Sha256};

/// Allocates where it is told, and records submissions.
struct Recorder {
    memory: DeviceMemory,
    places: Mutex<VecDeque<(u64, u64)>>,
    submissions: Mutex<Vec<Submission>>,
}

impl Device for Recorder {
    fn name(&self) -> &str {
        "recorder"
    }

    fn allocate(&self, size: u64, _kind: BufferKind) -> Result<Buffer, Error> {
        let (bytes, address) = self.places.lock().unwrap().pop_front().expect("a buffer the vendor does not have");
        assert_eq!(size, bytes, "buffer size");
        self.memory.allocate_at(address, size)
    }
}

impl Submit<Submission> for Recorder {
    fn submit(&self, submission: &Submission) -> Result<Box<dyn Fence>, Error> {
        self.submissions.lock().unwrap().push(submission.clone());
        Ok(Box::new(Completed::new(Ok(()))))
    }
}

struct Vendor {
    model: String,
    cores: CoreMask,
    tasks: String,
    weights: String,
    /// (size, address): tasks, weights, activations, inputs, outputs.
    buffers: Vec<(u64, u64)>,
    submissions: Vec<Numbers>,
}

/// The numbers of a submission that the driver gets.
#[derive(Debug, PartialEq)]
struct Numbers {
    flags: u32,
    core_mask: u32,
    range: TaskRange,
    subcores: Vec<TaskRange>,
}

fn hex(text: &str) -> u64 {
    u64::from_str_radix(text.trim_start_matches("0x"), 16).unwrap()
}

fn range(text: &str) -> TaskRange {
    let (start, number) = text.split_once('+').unwrap();
    TaskRange { start: start.parse().unwrap(), number: number.parse().unwrap() }
}

fn numbers(text: &str) -> Numbers {
    let parts: Vec<&str> = text.split(':').collect();
    Numbers {
        flags: u32::from_str_radix(parts[0], 16).unwrap(),
        core_mask: parts[1].parse().unwrap(),
        range: range(parts[2]),
        subcores: parts[3].split(',').map(range).collect(),
    }
}

fn vendor_rows() -> Vec<Vendor> {
    let row = |line: &str| {
        let columns: Vec<&str> = line.split('\t').collect();
        let pair = |text: &str| text.split_once('@').map(|(size, address)| (hex(size), hex(address))).unwrap();
        Vendor {
            model: columns[0].to_owned(),
            cores: CoreMask(columns[1].parse().unwrap()),
            tasks: columns[2].to_owned(),
            weights: columns[3].to_owned(),
            buffers: columns[4].split(' ').map(pair).collect(),
            submissions: columns[5].split(' ').map(numbers).collect(),
        }
    };
    include_str!("data/vendor-images.tsv").lines().filter(|line| !line.starts_with('#')).map(row).collect()
}

fn models() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models")
}

/// Differences to the vendor for one model.
fn differences(vendor: &Vendor) -> Vec<String> {
    let model = Model::read(fs::read(models().join(&vendor.model)).unwrap()).unwrap();
    let options = PlanOptions::default().with_cores(vendor.cores);
    let plan = Arc::new(Plan::new(&model, &options).unwrap());
    // The vendor creates the task list first; we load the shared weights first.
    let mut places: VecDeque<(u64, u64)> = vendor.buffers.clone().into();
    places.swap(0, 1);
    let device = Arc::new(Recorder {
        memory: DeviceMemory::new(Settings::default()),
        places: Mutex::new(places),
        submissions: Mutex::default(),
    });
    let weights = Weights::load(Arc::clone(&plan), device.clone()).unwrap();
    let mut session = Session::new(weights).unwrap();
    for (index, info) in plan.inputs().iter().enumerate() {
        let zeros = vec![0.0; info.shape.iter().product()];
        session.set_input(index, &Tensor::from_f32(info.shape.clone(), &zeros).unwrap(), Layout::Nchw).unwrap();
    }
    session.run().unwrap();

    let mut found = Vec::new();
    if !device.places.lock().unwrap().is_empty() {
        found.push("the vendor has more buffers".to_owned());
    }
    let guard = device.memory.lock();
    for (what, (size, address), digest) in
        [("task list", vendor.buffers[0], &vendor.tasks), ("weight image", vendor.buffers[1], &vendor.weights)]
    {
        let bytes = guard.read(address, usize::try_from(size).unwrap()).unwrap();
        let ours: String = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        if ours != *digest {
            found.push(format!("{what}: other bytes than the vendor's"));
        }
    }
    let submissions = device.submissions.lock().unwrap();
    let ours: Vec<Numbers> = submissions
        .iter()
        .map(|submission| Numbers {
            flags: submission.flags.0,
            core_mask: submission.core_mask.0,
            range: submission.range,
            subcores: submission.subcores.to_vec(),
        })
        .collect();
    if ours != vendor.submissions {
        found.push(format!("submissions {ours:?}, the vendor's are {:?}", vendor.submissions));
    }
    found
}

#[test]
#[expect(clippy::print_stdout, reason = "the summary is the evidence")]
fn buffers_and_submissions_equal_the_vendors() {
    let rows = vendor_rows();
    assert!(rows.len() >= 180, "only {} rows in the table", rows.len());
    let mut wrong = Vec::new();
    for vendor in &rows {
        let name = format!("{}, cores {}", vendor.model, vendor.cores.0);
        wrong.extend(differences(vendor).into_iter().map(|text| format!("{name}: {text}")));
    }
    assert!(wrong.is_empty(), "{} differences:\n{}", wrong.len(), wrong.join("\n"));
    println!(
        "{} runs of models on one, two and three cores: task lists, weight images with programs, and submissions are the vendor's",
        rows.len()
    );
}

/// A second session beside the first has programs of its own, and both name their own activations.
#[test]
fn sessions_share_weights_but_not_programs() {
    let model = Model::read(fs::read(models().join("ops/resblock-fp16.rknn")).unwrap()).unwrap();
    let plan = Arc::new(Plan::new(&model, &PlanOptions::default()).unwrap());
    let steps = plan.steps();
    assert!(matches!(steps, [Step::Submit(Job { tasks: 3, .. })]), "{steps:?}");
    let base = 0x1000_0000_u64;
    let mut places: VecDeque<(u64, u64)> = VecDeque::new();
    let mut next = base;
    let mut place = |bytes: u64| {
        places.push_back((bytes, next));
        next += bytes.next_multiple_of(4096);
    };
    let program = model.program_blob().and_then(|blob| model.blob(blob)).unwrap().len() as u64;
    let size = |role: BufferRole| plan.buffers().iter().find(|info| info.role == role).unwrap().bytes;
    place(size(BufferRole::Weights));
    for session in 0..2 {
        plan.buffers().iter().filter(|info| info.role != BufferRole::Weights).for_each(|info| place(info.bytes));
        if session == 1 {
            place(program);
        }
    }
    let device = Arc::new(Recorder {
        memory: DeviceMemory::new(Settings::default()),
        places: Mutex::new(places),
        submissions: Mutex::default(),
    });
    let weights = Weights::load(Arc::clone(&plan), device.clone()).unwrap();
    let mut sessions = [Session::new(weights.clone()).unwrap(), Session::new(weights).unwrap()];
    let zeros = Tensor::from_f32(plan.inputs()[0].shape.clone(), &vec![0.0; 32 * 28 * 28]).unwrap();
    for session in &mut sessions {
        session.set_input(0, &zeros, Layout::Nchw).unwrap();
        session.run().unwrap();
    }
    let submissions = device.submissions.lock().unwrap();
    let programs: Vec<u64> = submissions.iter().map(|submission| submission.tasks[0].regcmd_addr).collect();
    assert_ne!(programs[0], programs[1]);
    let guard = device.memory.lock();
    let bytes = |address| guard.read(address, usize::try_from(program).unwrap()).unwrap();
    assert_ne!(bytes(programs[0]), bytes(programs[1]), "both sessions would write the same activations");
}
