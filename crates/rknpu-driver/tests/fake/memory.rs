//! Finding the device, its buffers, and submissions one by one.

use ferrite_rknpu::ioctl::{MemFlags, Node, SyncFlags, action};
use ferrite_rknpu::{CoreMask, JobFlags, TaskRange};
use ferrite_rknpu_fake::{DriverOptions, Errno, Faults, What};

use crate::host::{Ended, faults, record};

#[test]
fn both_builds_of_the_driver_are_found() {
    for version in [(0, 8, 0), (0, 9, 8)] {
        let options = DriverOptions { driver_version: version, ..DriverOptions::default() };
        let Some(ended) = record(options.clone(), "open") else { return };
        let text = format!("0.{}.{}", version.1, version.2);
        let node = "/dev/dri/renderD128";
        assert_eq!(ended.report, format!("{node} Drm {text} 0x46495245 rknpu driver {text} at {node}"));
        let ended = record(DriverOptions { node: Node::Misc, ..options }, "open").unwrap();
        let node = "/dev/rknpu";
        assert_eq!(ended.report, format!("{node} Misc {text} 0x46495245 rknpu driver {text} at {node}"));
        let actions = |ended: &Ended| -> Vec<u32> {
            let selector = |what: &What| if let What::Action(action) = what { Some(action.selector) } else { None };
            ended.log.events.iter().filter_map(|event| selector(&event.what)).collect()
        };
        let powered = [action::DRV_VERSION, action::HW_VERSION, action::POWER_ON, action::POWER_OFF];
        assert!(actions(&ended).ends_with(&powered), "power is let go of: {:?}", actions(&ended));
    }
}

#[test]
fn without_a_device_the_error_says_what_was_probed_and_what_helps() {
    let Some(ended) = record(faults(Faults { no_device: true, ..Faults::default() }), "open") else { return };
    // Which DRM nodes are listed depends on the machine; none of them can be opened.
    let report = ended.report;
    assert!(report.starts_with("no NPU device: probed /dev/dri/"), "{report}");
    assert!(report.contains(" (does not exist); /dev/rknpu (does not exist)\nload the vendor's rknpu"), "{report}");
    let old = DriverOptions { driver_version: (0, 7, 2), ..DriverOptions::default() };
    let report = record(old, "open").unwrap().report;
    assert!(report.contains("/dev/dri/renderD128 (rknpu driver 0.7.2, older than 0.8.0"), "{report}");
    assert!(report.ends_with("install a kernel whose rknpu driver is 0.8.0 or newer"), "{report}");
    let report = record(DriverOptions::default(), "open /dev/dri/card3 /dev/rknpu").unwrap().report;
    assert!(report.starts_with("/dev/dri/card3 Drm"), "any node of the right driver will do: {report}");
}

/// (direction, offset, size) of a range.
type Moved = (SyncFlags, u64, u64);

/// (flags, size) of every buffer created, and (direction, offset, size) of every range moved of the first.
fn traffic(ended: &Ended) -> (Vec<(MemFlags, u64)>, Vec<Moved>) {
    let (mut created, mut moved) = (Vec::new(), Vec::new());
    for event in &ended.log.events {
        assert!(event.error.is_none() || matches!(event.what, What::Open(_)), "{event:?}");
        match &event.what {
            What::Create { argument, .. } => created.push((argument.flags, argument.size)),
            What::Sync { argument, number: 1 } => moved.push((argument.flags, argument.offset, argument.size)),
            _ => {}
        }
    }
    (created, moved)
}

#[test]
fn buffers_have_the_vendors_flags_and_ranges_move_as_asked() {
    let Some(ended) = record(faults(Faults::default()), "memory") else { return };
    ended.assert_clean();
    assert!(ended.report.contains("1048576 bytes of a file descriptor were to be imported, which has 8192"));
    let (created, moved) = traffic(&ended);
    // Tasks are 0x40b and data 0x403, as runtimes 2.x ask for them.
    let flags = |bits| MemFlags(bits);
    let expected = [(0x403, 5000), (0x40b, 80), (0x503, 300), (0x403, 64), (0x403, 4096), (0x403, 4096)];
    assert_eq!(created[..6], expected.map(|(bits, size)| (flags(bits), size)));
    assert_eq!(created.len(), 7, "and what is imported has the exporter's flags");
    let (to, from) = (SyncFlags::TO_DEVICE, SyncFlags::FROM_DEVICE);
    assert_eq!(moved, [(to, 64, 64), (to, 4928, 72), (from, 128, 128), (to, 0, 5000), (to, 0, 5000)]);
}

#[test]
fn old_drivers_and_heaps_get_what_they_know() {
    let old = DriverOptions { driver_version: (0, 8, 2), ..DriverOptions::default() };
    let Some(ended) = record(old, "memory") else { return };
    ended.assert_clean();
    assert_eq!(traffic(&ended).0[..2], [(MemFlags(0x3), 5000), (MemFlags(0xb), 80)]);
    let heap = DriverOptions { node: Node::Misc, ..DriverOptions::default() };
    let ended = record(heap, "memory").unwrap();
    ended.assert_clean();
    let (created, moved) = traffic(&ended);
    assert_eq!(created.len(), 7);
    assert_eq!(moved[..2], [(SyncFlags::TO_DEVICE, 64, 64), (SyncFlags::TO_DEVICE, 4928, 72)]);
}

#[test]
fn addresses_beyond_32_bits_are_refused_and_given_back() {
    let high = DriverOptions { top: 1 << 33, lowest: 1 << 32, ..DriverOptions::default() };
    let model = crate::host::models().join("conv3x3-fp16.rknn");
    let Some(ended) = record(high, &format!("model {} 0", model.display())) else { return };
    ended.assert_clean();
    assert!(ended.report.contains("but programs hold 32 bits of an address"), "{}", ended.report);
}

#[test]
fn submissions_reach_the_kernel_exactly() {
    let Some(ended) = record(DriverOptions::default(), "jobs") else { return };
    ended.assert_clean();
    let lines: Vec<&str> = ended.report.lines().collect();
    assert_eq!(lines[..2], ["done", "done"]);
    let told: Vec<_> = ended
        .log
        .events
        .iter()
        .filter_map(|event| if let What::Submit(argument) = event.what { Some((argument, event.error)) } else { None })
        .collect();
    let range = |start, number| TaskRange { start, number };
    let none = range(0, 0);
    let [(single, None), (several, None)] = told[..] else { panic!("{told:?}") };
    assert_eq!((single.flags, single.timeout, single.core_mask), ((JobFlags::PC | JobFlags::PINGPONG).0, 6000, 0));
    assert_eq!((single.task_start, single.task_number), (1, 6));
    assert_eq!(single.subcores, [range(1, 2), range(1, 2), range(1, 2), none, none]);
    assert_eq!((several.flags, several.timeout, several.core_mask), (JobFlags::PC.0, 1234, CoreMask(7).0));
    assert_eq!((several.task_start, several.task_number), (0, 4));
    assert_eq!(several.subcores, [range(0, 1), range(1, 2), range(0, 1), range(1, 2), range(3, 1)]);
    for (told, seen) in [single, several].iter().zip(&ended.log.submissions) {
        let zeros = (told.priority, told.iommu_domain_id, told.reserved, told.task_base_addr);
        assert_eq!((zeros, told.fence_fd), ((0, 0, 0, 0), -1));
        // The kernel's name was that of the task list: it found there the records that were written.
        assert_eq!(seen.submission.tasks.iter().map(|task| task.op_idx).collect::<Vec<_>>(), [7, 8, 9, 10]);
    }
    // What must not reach the kernel is told by name.
    let expected = [
        "is not the start of a buffer for task records that holds 4 of them",
        "is not the start of a buffer for task records that holds 4 of them",
        "job flags 0x7 ask for more than a blocking submission",
        "job flags 0x4 ask for more",
        "core mask 0x8 names a core beyond the third",
        "core 0 is to run 2 tasks from task 3, but the list has 4",
        "a submission without tasks",
        "the program of task 1, 40 bytes at 0x1000, lies in no buffer",
        "the program of task 1, 34359738392 bytes at",
    ];
    assert_eq!(lines.len(), 2 + expected.len());
    for (line, expected) in lines[2..].iter().zip(expected) {
        assert!(line.contains(expected), "{line}\ndoes not contain\n{expected}");
    }
}

#[test]
fn a_kernel_that_refuses_is_explained() {
    let one_core = DriverOptions { cores: 1, ..DriverOptions::default() };
    let Some(ended) = record(one_core, "jobs") else { return };
    let lines: Vec<&str> = ended.report.lines().collect();
    assert_eq!(lines[0], "done");
    assert!(lines[1].contains("submitting tasks 0 to 3") && lines[1].contains("fewer cores"), "{}", lines[1]);
    let refused = |what: &What| matches!(what, What::Submit(_));
    let errors: Vec<_> =
        ended.log.events.iter().filter(|event| refused(&event.what)).map(|event| event.error).collect();
    assert_eq!(errors, [None, Some(Errno::INVAL)]);
}
