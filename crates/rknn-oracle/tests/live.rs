//! With the vendor's runtime itself. Ignored by default: the first run downloads it from PyPI, and it takes qemu and a cross
//! compiler. `cargo test -p ferrite-rknn-oracle --test live -- --ignored`

use std::path::{Path, PathBuf};

use ferrite_rknn_oracle::vendor::Runtime;
use ferrite_rknn_oracle::{
    Capture, CaptureOptions, CoreChoice, EmulateOptions, Error, InputSpec, Kind, Record, capture, diff, emulate, parity,
};
use ferrite_rknpu::ioctl::Request;
use ferrite_rknpu_fake::{DriverOptions, Faults};

fn model(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(format!("{name}.rknn"))
}

fn made(name: &str, options: &CaptureOptions) -> Result<Capture, Error> {
    capture(&model(name), &Runtime::fetch(&mut |_| {}).unwrap(), options)
}

fn with(faults: Faults) -> CaptureOptions {
    CaptureOptions { driver: DriverOptions { faults, ..DriverOptions::default() }, ..CaptureOptions::default() }
}

/// A capture made now has the programs and records of the committed one, and the runtime gives everything back.
#[test]
#[ignore = "needs the vendor's runtime"]
fn the_committed_captures_are_what_the_runtime_does() {
    for (name, cores) in [("resblock-int8", CoreChoice::Auto), ("softmax-fp16", CoreChoice::Mask(7))] {
        let options = CaptureOptions { cores, ..CaptureOptions::default() };
        let fresh = made(name, &options).unwrap();
        let mask = cores.mask().map_or("auto".to_owned(), |mask| mask.to_string());
        let committed = Capture::load(&model(&format!("{name}.{mask}")).with_extension("zip")).unwrap();
        let slim = fresh.programs_only(0);
        // The driver hears of a closed file when it gets round to it, so where the closing stands is chance.
        let ordered = |capture: &Capture| -> (Vec<Record>, usize) {
            let (closed, others): (Vec<_>, Vec<_>) =
                capture.records.iter().cloned().partition(|record| matches!(record, Record::Close { .. }));
            (others, closed.len())
        };
        assert_eq!((ordered(&slim), &slim.pages), (ordered(&committed), &committed.pages), "{name}");
        let leaks = fresh.records.iter().filter(|record| !matches!(record, Record::Close { handles: 0, mappings: 0 }));
        assert_eq!(leaks.filter(|record| matches!(record, Record::Close { .. })).count(), 0);
        assert!(!fresh.records.iter().any(|record| matches!(record, Record::Unknown { .. })));
        let result = diff(&std::fs::read(model(name)).unwrap(), &fresh).unwrap();
        assert_eq!(
            (result.counts.of(Kind::NonDma), result.counts.of(Kind::Dma), result.counts.of(Kind::TaskList)),
            (0, 0, 0)
        );
    }
}

/// The fake driver is enough for old and new driver versions.
#[test]
#[ignore = "needs the vendor's runtime"]
fn driver_versions_make_no_difference_to_programs() {
    let newest = made("add-fp16", &CaptureOptions::default()).unwrap();
    for driver_version in [(0, 8, 0), (0, 8, 8), (0, 9, 2), (0, 9, 6)] {
        let driver = DriverOptions { driver_version, ..DriverOptions::default() };
        let older = made("add-fp16", &CaptureOptions { driver, ..CaptureOptions::default() }).unwrap();
        assert_eq!(older.pages, newest.pages, "{driver_version:?}");
    }
}

/// Faults reach the vendor's runtime as a kernel's would: it reports them.
#[test]
#[ignore = "needs the vendor's runtime"]
fn planted_faults_reach_the_runtime() {
    let failed = |faults: Faults| match made("add-fp16", &with(faults)) {
        Err(Error::Client { step, .. }) => step,
        Err(error) => panic!("{error}"),
        Ok(_) => "nothing".to_owned(),
    };
    assert_eq!(failed(Faults { no_device: true, ..Faults::default() }), "init");
    assert_eq!(failed(Faults { fail_create: Some(2), ..Faults::default() }), "init");
    assert_eq!(failed(Faults { submit_timeout: Some(1), ..Faults::default() }), "run");
    // Runtime 1.5.2 does not try again when a signal interrupts the submission.
    assert_eq!(failed(Faults { interrupt_once: Some(Request::Submit), ..Faults::default() }), "run");
}

/// The committed models.
fn models() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let folders = ["ops", "mtcnn", "ocr"].map(|folder| std::fs::read_dir(root.join(folder)).unwrap());
    let mut paths: Vec<PathBuf> = folders.into_iter().flatten().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "rknn"));
    paths.sort();
    paths
}

/// The vendor's runtime on our emulator computes what ours does, in every bit, on any number of cores; and it synchronises all
/// that the NPU reads.
#[test]
#[ignore = "needs the vendor's runtime"]
fn the_runtime_computes_on_the_emulator_what_ours_does() {
    let runtime = Runtime::fetch(&mut |_| {}).unwrap();
    let (mut wrong, mut refused, mut equal) = (Vec::new(), Vec::new(), 0);
    for path in models() {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        for cores in [CoreChoice::Auto, CoreChoice::Mask(3), CoreChoice::Mask(7)] {
            let mut options = EmulateOptions { cores, ..EmulateOptions::default() };
            options.emulation.strict = true;
            match parity(&path, &runtime, 1, &options) {
                Ok(result) if result.is_equal() => equal += 1,
                Ok(result) => wrong.push(format!("{name} {cores:?}: {result:?}")),
                Err(Error::Client { message, .. }) if message.contains("unsupport") => refused.push(name.clone()),
                Err(error) => wrong.push(format!("{name} {cores:?}: {error:?}")),
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // Runtime 1.5.2 has no host operators for these.
    refused.dedup();
    assert_eq!(refused, ["erf-fp16", "mish-fp16"]);
    assert!(equal >= 200, "{equal}");
}

/// What the emulator refuses comes back as its own error, not as the timeout that the runtime sees.
#[test]
#[ignore = "needs the vendor's runtime"]
fn failures_of_the_emulator_are_told_as_such() {
    let runtime = Runtime::fetch(&mut |_| {}).unwrap();
    let inputs = (0..2).map(|index| InputSpec::float(index, &[1, 32, 16, 16], 1)).collect();
    let mut options = EmulateOptions { inputs, ..EmulateOptions::default() };
    options.emulation.limits.bytes = 10;
    let error = emulate(&model("add-fp16"), &runtime, &options).unwrap_err();
    let Error::Job(job) = &error else { panic!("{error}") };
    assert!(job.reason().to_string().contains("are left of the limit"), "{job:?}");
}
