//! Placement, limits, freeing and the emulator's accesses.

use ferrite_device::memory::{DeviceMemory, Fault, PAGE, Settings};
use ferrite_device::{Buffer, BufferKind, Device, Error};
use proptest::prelude::*;
use std::time::Duration;

fn small(pages: u64) -> DeviceMemory {
    DeviceMemory::new(Settings { top: 0x10_0000, lowest: 0x10_0000 - pages * PAGE, ..Settings::default() })
}

#[test]
fn buffers_are_placed_downward_at_pages() {
    let memory = DeviceMemory::default();
    let a = memory.allocate(1).unwrap();
    let b = memory.allocate(4097).unwrap();
    assert_eq!(a.device_address(), 0xfff0_0000 - 0x1000);
    assert_eq!(b.device_address(), 0xfff0_0000 - 0x3000);
    assert_eq!(memory.in_use(), 3 * PAGE);
    assert_eq!((a.len(), b.len()), (1, 4097));
}

#[test]
fn freed_addresses_are_used_again_and_only_when_the_last_handle_is_gone() {
    let memory = small(3);
    let a = memory.allocate(PAGE).unwrap();
    let b = memory.allocate(PAGE).unwrap();
    let c = memory.allocate(PAGE).unwrap();
    let middle = b.device_address();
    let view = b.view(0..64).unwrap();
    drop(b);
    assert!(matches!(memory.allocate(1), Err(Error::AddressSpaceFull { requested: PAGE, .. })));
    drop(view);
    assert_eq!(memory.in_use(), 2 * PAGE);
    let again = memory.allocate(1).unwrap();
    assert_eq!(again.device_address(), middle);
    assert_eq!(again.read_vec(0..1).unwrap(), [0], "fresh memory is zero");
    drop((a, c, again));
    assert_eq!(memory.in_use(), 0);
}

#[test]
fn sizes_and_limits_give_errors() {
    let memory = DeviceMemory::new(Settings { limit: 2 * PAGE, ..Settings::default() });
    assert!(matches!(memory.allocate(0), Err(Error::EmptyBuffer)));
    assert!(matches!(memory.allocate(u64::MAX), Err(Error::OutOfMemory { in_use: 0, .. })));
    let held = memory.allocate(PAGE + 1).unwrap();
    assert!(matches!(memory.allocate(1), Err(Error::OutOfMemory { requested: PAGE, in_use: 8192, limit: 8192 })));
    let mut byte = [0];
    assert!(matches!(held.read(PAGE + 1, &mut byte), Err(Error::OutOfRange { .. })));
    assert!(matches!(held.read(u64::MAX, &mut byte), Err(Error::OutOfRange { .. })));
    assert!(matches!(held.flush(0..PAGE + 2), Err(Error::OutOfRange { .. })));
    #[expect(clippy::reversed_empty_ranges, reason = "a reversed range is what is tested")]
    let reversed = 2..1;
    assert!(matches!(held.invalidate(reversed), Err(Error::OutOfRange { .. })));
    assert!(matches!(held.export(), Err(Error::Unsupported { .. })));
    assert!(matches!(held.host_pointer(), Err(Error::Unsupported { .. })));
    assert!(held.is_tracked(), "a refused pointer changes nothing");
}

#[test]
fn fixed_addresses_for_replays() {
    let memory = small(8);
    let a = memory.allocate_at(0xf_a000, PAGE + 1).unwrap();
    assert_eq!(a.device_address(), 0xf_a000);
    for (address, size) in [(0xf_b000, 1), (0xf_9000, PAGE + 1), (0xf_c001, 1), (0xf_7000, 1), (0xf_f000, PAGE + 1)] {
        let error = memory.allocate_at(address, size).unwrap_err();
        assert!(matches!(error, Error::AddressUnavailable { .. }), "{address:#x}: {error}");
    }
    let around: Vec<_> = (0..4).map(|_| memory.allocate(PAGE).unwrap().device_address()).collect();
    assert_eq!(around, [0xf_f000; 4], "each was freed at once");
    let above = memory.allocate(4 * PAGE).unwrap();
    assert_eq!(above.device_address(), 0xf_c000);
    let below = memory.allocate(2 * PAGE).unwrap();
    assert_eq!(below.device_address(), 0xf_8000, "the gap below the fixed buffer is found");
}

#[test]
fn accesses_outside_of_buffers_name_the_nearest() {
    let memory = small(8);
    let error = memory.lock().read(0, 1).unwrap_err();
    assert_eq!((error.fault, error.nearest), (Fault::Unmapped, None));

    let low = memory.allocate_at(0xf_9000, 0x100).unwrap();
    let high = memory.allocate_at(0xf_c000, 0x100).unwrap();
    low.set_label("weights");
    let guard = memory.lock();
    let nearest = |address, length| {
        let error = guard.read(address, length).unwrap_err();
        assert_eq!((error.address, error.length), (address, length as u64));
        (error.fault.clone(), error.nearest.unwrap().base)
    };
    assert_eq!(nearest(0, 1), (Fault::Unmapped, 0xf_9000));
    assert_eq!(nearest(0xf_9100, 1), (Fault::Unmapped, 0xf_9000));
    assert_eq!(nearest(0xf_bfff, 1), (Fault::Unmapped, 0xf_c000));
    assert_eq!(nearest(u64::MAX, usize::MAX), (Fault::Unmapped, 0xf_c000));
    assert_eq!(nearest(0xf_90ff, 2), (Fault::Straddles, 0xf_9000));
    assert_eq!(nearest(0xf_90ff, usize::MAX), (Fault::Straddles, 0xf_9000));
    assert_eq!(guard.buffers().map(|buffer| buffer.base).collect::<Vec<_>>(), [0xf_9000, 0xf_c000]);
    assert_eq!(guard.buffer_at(0xf_90ff).unwrap().label.as_deref(), Some("weights"));
    assert!(guard.buffer_at(0xf_9100).is_none());
    let text = guard.read(0xf_9100, 4).unwrap_err().to_string();
    assert_eq!(
        text,
        "device access of 4 bytes at 0xf9100 is outside of every buffer; the nearest buffer is \"weights\" 0xf9000..0xf9100"
    );
    drop(guard);
    drop(high);
}

#[test]
fn adjacent_buffers_are_not_one() {
    let memory = small(2);
    let (high, low) = (memory.allocate(PAGE).unwrap(), memory.allocate(PAGE).unwrap());
    assert_eq!(low.device_address() + PAGE, high.device_address());
    let mut guard = memory.lock();
    assert_eq!(guard.write(high.device_address() - 1, &[1, 1]).unwrap_err().fault, Fault::Straddles);
    assert_eq!(guard.read(high.device_address() - 1, 1).unwrap(), [0], "a refused write writes nothing");
    drop(guard);
    assert!(low.stale_ranges().is_empty() && high.stale_ranges().is_empty());
}

#[test]
fn a_buffer_can_be_dropped_while_the_device_works() {
    let memory = DeviceMemory::default();
    let buffer = memory.allocate(PAGE).unwrap();
    let address = buffer.device_address();
    let mut guard = memory.lock();
    drop(buffer);
    guard.write(address, &[1]).unwrap();
    drop(guard);
    assert_eq!(memory.lock().read(address, 1).unwrap_err().fault, Fault::Unmapped);
}

#[test]
fn buffers_cross_threads_and_stand_behind_the_traits() {
    fn shared<T: Send + Sync>() {}
    shared::<Buffer>();
    shared::<DeviceMemory>();
    shared::<Error>();
    let device: Box<dyn Device> = Box::new(DeviceMemory::default());
    let buffer = device.allocate(64 * 64, BufferKind::Data).unwrap();
    std::thread::scope(|scope| {
        for line in 0..64u64 {
            let buffer = buffer.clone();
            scope.spawn(move || {
                buffer.write(line * 64, &[line as u8; 64]).unwrap();
                buffer.flush(line * 64..line * 64 + 64).unwrap();
            });
        }
    });
    assert_eq!(buffer.flush_all_dirty().unwrap(), 0);
    assert_eq!(buffer.read_vec(63 * 64..64 * 64).unwrap(), [63; 64]);
    let mut fence: Box<dyn ferrite_device::Fence> = Box::new(ferrite_device::Completed::new(Ok(())));
    fence.wait(Duration::ZERO).unwrap();
}

proptest! {
    /// Lookup against a linear search, with the last-hit cache in whatever state earlier look-ups left it.
    #[test]
    fn lookup_agrees_with_a_linear_search(
        sizes in proptest::collection::vec(1u64..20_000, 1..12),
        keep in proptest::collection::vec(any::<bool>(), 12),
        queries in proptest::collection::vec((0u64..0x4_0000, 0usize..6000), 1..60),
    ) {
        let memory = DeviceMemory::default();
        let mut buffers: Vec<_> = sizes.iter().map(|&size| memory.allocate(size).unwrap()).collect();
        let mut keep = keep.into_iter();
        buffers.retain(|_| keep.next().unwrap_or(true));
        let mut ranges: Vec<_> = buffers.iter().map(|buffer| (buffer.device_address(), buffer.len())).collect();
        ranges.sort_unstable();
        prop_assert!(ranges.windows(2).all(|pair| pair[0].0 + pair[0].1 <= pair[1].0), "{:x?}", ranges);
        let guard = memory.lock();
        for (below, length) in queries {
            let address = 0xfff0_0000 - below;
            let inside = |buffer: &&Buffer| (buffer.device_address()..buffer.device_address() + buffer.len()).contains(&address);
            let expected = buffers.iter().find(inside).map(|buffer| address + length as u64 <= buffer.device_address() + buffer.len());
            let got = guard.read(address, length).map(<[u8]>::len);
            match expected {
                Some(true) => prop_assert_eq!(got, Ok(length)),
                Some(false) => prop_assert_eq!(got.unwrap_err().fault, Fault::Straddles),
                None => prop_assert_eq!(got.unwrap_err().fault, Fault::Unmapped),
            }
        }
    }
}
