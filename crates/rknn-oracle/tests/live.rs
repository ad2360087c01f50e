//! With the vendor's runtime itself. Ignored by default: the first run downloads it from PyPI, and it takes qemu and a cross
//! compiler. `cargo test -p ferrite-rknn-oracle --test live -- --ignored`

use std::path::{Path, PathBuf};

use ferrite_rknn_oracle::vendor::Runtime;
use ferrite_rknn_oracle::{Capture, CaptureOptions, CoreChoice, Error, Kind, Record, capture, diff};
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
