//! Runs on memory that punishes what is not flushed or not invalidated.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use ferrite_device::memory::{DeviceMemory, Settings};
use ferrite_device::{Backing, Buffer, BufferKind, Device, Error, Fence, IntervalSet, Submit};
use ferrite_rknn::Model;
use ferrite_rknn_runtime::{Layout, Plan, PlanOptions, Session, Tensor, Weights};
use ferrite_rknpu::{CoreMask, Submission};
use ferrite_rknpu_emulator::{Emulator, Limits, Options};

fn model(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/ops").join(format!("{name}.rknn"))
}

fn emulator(strict: bool, chaos: Option<u64>) -> Emulator {
    let memory = DeviceMemory::new(Settings { strict, ..Settings::default() });
    Emulator::with_options(memory, Options { chaos, ..Options::default() }, Limits::default())
}

/// Loads a model and runs it twice on numbers that follow from their place; the bytes of all outputs.
fn run(
    name: &str,
    cores: CoreMask,
    device: Arc<dyn Submit<Submission>>,
) -> Result<Vec<u8>, ferrite_rknn_runtime::Error> {
    let model = Model::read(std::fs::read(model(name)).unwrap()).unwrap();
    let plan = Arc::new(Plan::new(&model, &PlanOptions::default().with_cores(cores))?);
    let mut session = Session::new(Weights::load(Arc::clone(&plan), device)?)?;
    let mut bytes = Vec::new();
    for round in 0..2 {
        for (index, info) in plan.inputs().iter().enumerate() {
            let count: usize = info.shape.iter().product();
            let values: Vec<f32> = (0..count).map(|at| ((at * 7 + index + round) % 23) as f32 / 8.0 - 1.0).collect();
            session.set_input(index, &Tensor::from_f32(info.shape.clone(), &values)?, Layout::Nchw)?;
        }
        session.run()?;
        for index in 0..plan.outputs().len() {
            bytes.extend_from_slice(session.output_raw(index)?.bytes());
        }
    }
    Ok(bytes)
}

/// What became of the flushes of a device.
struct Flushes {
    count: AtomicUsize,
    /// The flush that is not carried out, though the device says so.
    swallow: usize,
    /// Device addresses that it would have moved, less those that a later flush moved.
    lost: Mutex<IntervalSet>,
}

/// An emulator that forgets a flush.
struct Forgetful {
    device: Emulator,
    flushes: Arc<Flushes>,
    /// Whether a submission came while something was lost.
    missed: AtomicBool,
    /// As the runtime has them, and as the emulator has them.
    buffers: Mutex<Vec<(Buffer, Buffer)>>,
}

struct Memory {
    buffer: Buffer,
    flushes: Arc<Flushes>,
}

impl Backing for Memory {
    fn name(&self) -> &str {
        "forgetful"
    }

    fn len(&self) -> u64 {
        self.buffer.len()
    }

    fn device_address(&self) -> u64 {
        self.buffer.device_address()
    }

    fn read_host(&self, range: Range<u64>, access: &mut dyn FnMut(&[u8])) -> Result<(), Error> {
        self.buffer.with_bytes(range, access)
    }

    fn write_host(&self, range: Range<u64>, access: &mut dyn FnMut(&mut [u8])) -> Result<(), Error> {
        self.buffer.with_bytes_mut(range, access)
    }

    fn flush(&self, range: Range<u64>) -> Result<Range<u64>, Error> {
        let base = self.device_address();
        let mut lost = self.flushes.lost.lock().unwrap();
        if self.flushes.count.fetch_add(1, Ordering::Relaxed) == self.flushes.swallow {
            lost.insert(base + range.start..base + range.end);
        } else {
            lost.remove(base + range.start..base + range.end);
            self.buffer.flush(range.clone())?;
        }
        Ok(range)
    }

    fn invalidate(&self, range: Range<u64>) -> Result<Range<u64>, Error> {
        self.buffer.invalidate(range.clone())?;
        Ok(range)
    }
}

impl Device for Forgetful {
    fn name(&self) -> &str {
        "forgetful emulator"
    }

    fn allocate(&self, size: u64, kind: BufferKind) -> Result<Buffer, Error> {
        let inner = self.device.allocate(size, kind)?;
        if kind == BufferKind::Tasks {
            // The kernel reads the task list as the host does: it needs no flush.
            return Ok(inner);
        }
        let outer = Buffer::new(Arc::new(Memory { buffer: inner.clone(), flushes: Arc::clone(&self.flushes) }));
        self.buffers.lock().unwrap().push((outer.clone(), inner));
        Ok(outer)
    }
}

impl Submit<Submission> for Forgetful {
    fn submit(&self, submission: &Submission) -> Result<Box<dyn Fence>, Error> {
        self.missed.fetch_or(!self.flushes.lost.lock().unwrap().is_empty(), Ordering::Relaxed);
        let fence = self.device.submit(submission)?;
        for (outer, inner) in self.buffers.lock().unwrap().iter() {
            inner.stale_ranges().into_iter().try_for_each(|range| outer.mark_device_wrote(range))?;
        }
        Ok(fence)
    }
}

fn forgetful(swallow: usize) -> Arc<Forgetful> {
    let flushes = Arc::new(Flushes { count: AtomicUsize::new(0), swallow, lost: Mutex::default() });
    let missed = AtomicBool::new(false);
    Arc::new(Forgetful { device: emulator(true, None), flushes, missed, buffers: Mutex::default() })
}

/// Models whose tasks read some of everything that is flushed, and their cores.
const MODELS: [(&str, u32); 3] = [("conv3x3-fp16", 0), ("resblock-int8", 7), ("softmax-fp16", 3)];

/// Without any one of the flushes that a run makes, the device reads what was not flushed. Not counted are those that another
/// makes good before anything is submitted: programs are flushed with the weights, and again once they have their addresses.
#[test]
fn a_run_without_any_one_of_its_flushes_is_an_error_in_strict_mode() {
    for (name, cores) in MODELS {
        let all = forgetful(usize::MAX);
        let expected = run(name, CoreMask(cores), emulate_strictly()).unwrap();
        assert_eq!(run(name, CoreMask(cores), all.clone()).unwrap(), expected, "{name}");
        let (flushes, mut needed) = (all.flushes.count.load(Ordering::Relaxed), 0);
        for swallow in 0..flushes {
            let device = forgetful(swallow);
            let result = run(name, CoreMask(cores), device.clone());
            if device.missed.load(Ordering::Relaxed) {
                needed += 1;
                let Err(error) = result else { panic!("{name}: nobody missed flush {swallow} of {flushes}") };
                let text = with_sources(&error);
                assert!(text.contains("which the host wrote and nobody flushed"), "{name}, flush {swallow}: {text}");
            } else {
                assert_eq!(result.unwrap(), expected, "{name}, flush {swallow}");
            }
        }
        assert!(needed >= 3, "{name}: {needed} of {flushes} flushes");
    }
}

fn emulate_strictly() -> Arc<Emulator> {
    Arc::new(emulator(true, None))
}

fn with_sources(error: &dyn std::error::Error) -> String {
    std::iter::successors(Some(error), |error| error.source()).map(|error| format!("{error}\n")).collect()
}

/// What caches do unasked makes no difference to who flushes and invalidates.
#[test]
fn chaos_gives_the_same_outputs_whatever_its_seed() {
    for (name, cores) in MODELS {
        let expected = run(name, CoreMask(cores), emulate_strictly()).unwrap();
        for seed in 0..50 {
            let device = Arc::new(emulator(seed % 2 == 0, Some(seed)));
            assert_eq!(run(name, CoreMask(cores), device).unwrap(), expected, "{name}, seed {seed}");
        }
    }
}
