//! What goes wrong is said clearly, nothing stays behind, and the next run works.

use ferrite_rknpu::ioctl::{Node, Request};
use ferrite_rknpu_fake::{DriverOptions, Faults, What};

use crate::host::{Ended, emulate, faults, models, run};

fn part() -> String {
    format!("model {} 0", models().join("conv3x3-fp16.rknn").display())
}

fn conv(options: DriverOptions) -> Option<Ended> {
    run(options, &part(), emulate())
}

/// Buffers that the model needs: what existed when a run without faults submitted.
fn needed(ended: &Ended) -> usize {
    ended.log.submissions[0].buffers.len()
}

/// The good run: both lines of the report are equal, and the kernel has everything back.
fn good() -> Option<(String, usize)> {
    let ended = conv(DriverOptions::default())?;
    ended.assert_clean();
    let lines: Vec<&str> = ended.report.lines().collect();
    assert!(lines[0].starts_with("ok ") && lines[0] == lines[1], "{lines:?}");
    Some((lines[0].to_owned(), needed(&ended)))
}

#[test]
fn every_allocation_can_fail() {
    let Some((good, count)) = good() else { return };
    assert!(count >= 4, "weights, tasks, input, output: {count}");
    for node in [Node::Drm, Node::Misc] {
        for number in 1..=u32::try_from(count).unwrap() {
            let mut options = faults(Faults { fail_create: Some(number), ..Faults::default() });
            options.node = node;
            let ended = conv(options).unwrap();
            ended.assert_clean();
            let lines: Vec<&str> = ended.report.lines().collect();
            assert!(lines[0].contains("allocating ") && lines[0].contains("used up"), "{number}: {}", lines[0]);
            assert_eq!(lines[1], good, "the next run works, after failure {number}");
            // What the failed run had made was gone when the next one submitted.
            assert_eq!(needed(&ended), count, "failure {number}");
        }
    }
    let small = DriverOptions { memory: 3 * 4096, ..DriverOptions::default() };
    let ended = conv(small).unwrap();
    ended.assert_clean();
    assert!(ended.report.lines().all(|line| line.contains("Cannot allocate memory")), "{}", ended.report);
}

#[test]
fn a_submission_that_hangs_names_its_tasks() {
    let Some((good, count)) = good() else { return };
    let ended = conv(faults(Faults { submit_timeout: Some(1), ..Faults::default() })).unwrap();
    ended.assert_clean();
    let lines: Vec<&str> = ended.report.lines().collect();
    assert!(lines[0].contains("tasks 0 to 0 (operators 1 to 1 of the model) did not finish"), "{}", lines[0]);
    assert!(lines[0].contains("3 times 6000 ms") && lines[0].contains("emulator"), "{}", lines[0]);
    assert_eq!(lines[1], good);
    assert_eq!(ended.log.submissions.len(), 2);
    assert_eq!(ended.log.submissions[1].buffers.len(), count);
}

#[test]
fn interrupted_requests_are_made_again() {
    let Some((good, _)) = good() else { return };
    for request in Request::ALL {
        let ended = conv(faults(Faults { interrupt_once: Some(request), ..Faults::default() })).unwrap();
        ended.assert_clean();
        assert_eq!(ended.report, format!("{good}\n{good}\n"), "{request:?}");
    }
}

#[test]
fn without_a_device_nothing_runs() {
    let Some(ended) = conv(faults(Faults { no_device: true, ..Faults::default() })) else { return };
    assert!(ended.report.starts_with("no NPU device: probed "), "{}", ended.report);
    assert!(ended.log.events.iter().all(|event| matches!(event.what, What::Open(_)) && event.error.is_some()));
    assert!(ended.log.submissions.is_empty());
}
