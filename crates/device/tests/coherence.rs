//! The two views of emulated memory, and what moves between them.

use ferrite_device::memory::{DeviceMemory, Fault, Settings};
use ferrite_device::{Buffer, CACHE_LINE, Error};
use proptest::prelude::*;
use std::ops::Range;

fn host(buffer: &Buffer, range: Range<u64>) -> Vec<u8> {
    buffer.read_vec(range).unwrap()
}

fn device(memory: &DeviceMemory, address: u64, length: usize) -> Vec<u8> {
    memory.lock().read(address, length).unwrap().to_vec()
}

#[test]
fn the_device_sees_old_bytes_until_the_flush() {
    let memory = DeviceMemory::default();
    let buffer = memory.allocate(256).unwrap();
    let address = buffer.device_address();
    buffer.write(0, &[7; 256]).unwrap();
    assert_eq!(device(&memory, address, 256), [0; 256]);

    assert_eq!(buffer.flush(64..65).unwrap(), CACHE_LINE);
    let mut half = [0; 256];
    half[64..128].fill(7);
    assert_eq!(device(&memory, address, 256), half);

    assert_eq!(buffer.flush(0..256).unwrap(), 3 * CACHE_LINE, "the second line was clean");
    assert_eq!(device(&memory, address, 256), [7; 256]);
    assert_eq!(buffer.flush(0..256).unwrap(), 0, "nothing dirty moves nothing");
    assert_eq!(buffer.flush_all_dirty().unwrap(), 0);
}

#[test]
fn the_host_sees_old_bytes_until_the_invalidate() {
    let memory = DeviceMemory::default();
    let buffer = memory.allocate(256).unwrap();
    buffer.write(0, &[1; 256]).unwrap();
    buffer.flush_all_dirty().unwrap();
    memory.lock().write(buffer.device_address() + 70, &[9; 4]).unwrap();
    assert_eq!(buffer.stale_ranges(), vec![64..128]);
    assert_eq!(host(&buffer, 70..74), [1; 4]);
    assert_eq!(buffer.invalidate(0..64).unwrap(), 0);
    assert_eq!(host(&buffer, 70..74), [1; 4]);

    assert_eq!(buffer.invalidate(0..256).unwrap(), CACHE_LINE);
    assert_eq!(host(&buffer, 70..74), [9; 4]);
    assert_eq!(host(&buffer, 74..128), [1; 54]);
    assert_eq!(buffer.invalidate(0..256).unwrap(), 0);
}

#[test]
fn sharing_a_line_between_host_and_device_loses_bytes() {
    let memory = DeviceMemory::default();
    let buffer = memory.allocate(64).unwrap();
    memory.lock().write(buffer.device_address(), &[9; 4]).unwrap();
    buffer.write(60, &[1; 4]).unwrap();
    buffer.flush_all_dirty().unwrap();
    assert_eq!(device(&memory, buffer.device_address(), 4), [0; 4], "the host's line went over the device's");

    memory.lock().write(buffer.device_address(), &[9; 4]).unwrap();
    buffer.write(60, &[2; 4]).unwrap();
    buffer.invalidate(0..64).unwrap();
    assert_eq!(host(&buffer, 60..64), [1; 4], "the device's line went over the host's");
    assert!(buffer.dirty_ranges().is_empty());
}

#[test]
fn views_share_memory_and_residency() {
    let memory = DeviceMemory::default();
    let buffer = memory.allocate(300).unwrap();
    let view = buffer.view(64..192).unwrap();
    let inner = view.view(64..128).unwrap();
    assert_eq!(inner.device_address(), buffer.device_address() + 128);
    inner.write(1, &[5]).unwrap();
    assert_eq!(host(&buffer, 129..130), [5]);
    assert_eq!(buffer.dirty_ranges(), vec![128..192]);
    assert_eq!(view.dirty_ranges(), vec![64..128]);
    assert_eq!(inner.dirty_ranges(), vec![0..64]);
    buffer.write(0, &[6; 64]).unwrap();
    assert_eq!(view.flush_all_dirty().unwrap(), 64, "a view flushes only its own lines");
    assert_eq!(buffer.dirty_ranges(), vec![0..64]);
    assert!(buffer.same_allocation(&inner));
    assert_eq!(inner.offset(), 128);

    assert!(matches!(buffer.view(32..128), Err(Error::SplitsCacheLine { .. })));
    assert!(matches!(buffer.view(0..100), Err(Error::SplitsCacheLine { .. })));
    assert!(matches!(buffer.view(0..301), Err(Error::OutOfRange { len: 300, .. })));
    assert!(matches!(buffer.view(64..64), Err(Error::EmptyBuffer)));
    assert!(matches!(view.write(128, &[0]), Err(Error::OutOfRange { .. })), "a view ends where it ends");
    assert_eq!(buffer.view(256..300).unwrap().len(), 44, "the allocation's end need not be a line's");
}

#[test]
fn untracked_buffers_move_whole_unless_the_caller_flushes() {
    let memory = DeviceMemory::default();
    let buffer = memory.allocate(256).unwrap();
    assert!(buffer.is_tracked());
    buffer.mark_untracked();
    assert!(!buffer.view(0..64).unwrap().is_tracked());
    assert_eq!(buffer.flush_all_dirty().unwrap(), 256);
    assert_eq!(buffer.flush_all_dirty().unwrap(), 256);
    buffer.caller_flushes(true);
    assert_eq!(buffer.flush_all_dirty().unwrap(), 0);
    assert_eq!(buffer.flush(0..1).unwrap(), 64, "the caller's own flush still moves");
}

#[test]
fn a_missing_flush_or_invalidate_is_an_error_in_strict_mode() {
    let memory = DeviceMemory::new(Settings { strict: true, ..Settings::default() });
    let buffer = memory.allocate(256).unwrap();
    buffer.set_label("input");
    buffer.name_part(128..160, "tensor `x`").unwrap();
    let address = buffer.device_address();
    buffer.write(0, &[0; 256]).unwrap();
    buffer.flush_all_dirty().unwrap();
    buffer.write(130, &[1]).unwrap();
    let error = memory.lock().read(address + 100, 100).unwrap_err();
    assert_eq!(error.fault, Fault::Unflushed { range: address + 128..address + 192 });
    assert!(error.to_string().contains("\"input\""), "{error}");
    assert!(error.to_string().contains("there lies tensor `x`"), "{error}");
    assert!(memory.lock().read(address, 128).is_ok());
    buffer.flush_all_dirty().unwrap();
    assert!(memory.lock().read(address, 256).is_ok());

    memory.lock().write(address, &[2; 8]).unwrap();
    let error = buffer.read_vec(4..5).unwrap_err();
    assert!(matches!(&error, Error::StaleRead { range, .. } if *range == (0..64)), "{error}");
    assert!(error.to_string().contains("\"input\""), "{error}");
    buffer.invalidate(0..256).unwrap();
    assert_eq!(host(&buffer, 4..5), [2]);
}

#[test]
fn a_read_of_what_nobody_wrote_is_an_error_where_that_is_asked_for() {
    let memory = DeviceMemory::new(Settings { unwritten: true, ..Settings::default() });
    let buffer = memory.allocate(256).unwrap();
    let address = buffer.device_address();
    buffer.write(0, &[0; 100]).unwrap();
    buffer.flush_all_dirty().unwrap();
    memory.lock().write(address + 120, &[0; 136]).unwrap();
    assert!(memory.lock().read(address, 100).is_ok(), "zeros are bytes");
    assert!(memory.lock().read(address + 120, 136).is_ok(), "the device wrote these");
    let error = memory.lock().read(address + 90, 40).unwrap_err();
    assert_eq!(error.fault, Fault::Unwritten { range: address + 100..address + 120 });
    // Someone else may have written here.
    buffer.mark_untracked();
    buffer.flush_all_dirty().unwrap();
    assert!(memory.lock().read(address, 256).is_ok());
}

#[test]
fn chaos_shows_the_host_some_of_what_the_device_wrote() {
    let memory = DeviceMemory::default();
    let buffer = memory.allocate(64 * 100).unwrap();
    memory.lock().write(buffer.device_address(), &[1; 64 * 100]).unwrap();
    buffer.write(0, &[2; 64]).unwrap();
    let moved = memory.stir(7);
    let lines: Vec<u8> = host(&buffer, 0..6400).chunks(64).map(|line| line[0]).collect();
    assert_eq!(lines[0], 2, "what the host wrote stays");
    let shown = lines.iter().filter(|line| **line == 1).count();
    assert!((30..70).contains(&shown) && (shown..=shown + 1).contains(&moved), "{shown} {moved}");
    buffer.invalidate(64..6400).unwrap();
    assert_eq!(host(&buffer, 64..6400), [1; 6336]);
}

#[test]
fn eviction_moves_some_dirty_lines_and_only_those() {
    let memory = DeviceMemory::default();
    let buffer = memory.allocate(64 * 100).unwrap();
    buffer.write(0, &[1; 64 * 50]).unwrap();
    let evicted = memory.stir(42);
    let bytes = device(&memory, buffer.device_address(), 64 * 100);
    let lines: Vec<_> = bytes.chunks(64).collect();
    assert!(lines.iter().all(|line| line.iter().all(|byte| byte == &line[0])));
    assert_eq!(lines.iter().filter(|line| line[0] == 1).count(), evicted);
    assert!((10..40).contains(&evicted), "{evicted} of 50");
    assert!(lines[50..].iter().all(|line| line[0] == 0));

    let again = DeviceMemory::default();
    let buffer = again.allocate(64 * 100).unwrap();
    buffer.write(0, &[1; 64 * 50]).unwrap();
    assert_eq!(again.stir(42), evicted, "the same seed moves the same lines");
    assert_eq!(device(&again, buffer.device_address(), 64 * 100), bytes);
}

/// One step of a random program over one buffer.
#[derive(Debug, Clone)]
enum Step {
    Host(Range<usize>, u8),
    Device(Range<usize>, u8),
    Flush(Range<usize>),
    Invalidate(Range<usize>),
}

const SIZE: usize = 1000;

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let range = (0..=SIZE, 0..=SIZE).prop_map(|(a, b)| a.min(b)..a.max(b));
    let step = (0..4, range, any::<u8>()).prop_map(|(kind, range, value)| match kind {
        0 => Step::Host(range, value),
        1 => Step::Device(range, value),
        2 => Step::Flush(range),
        _ => Step::Invalidate(range),
    });
    proptest::collection::vec(step, 0..30)
}

/// The independent formulation: a write-back cache with one state per line.
#[derive(Default, Clone)]
struct Line {
    dirty: bool,
    stale: bool,
}

/// Which lines of the buffer the ranges name.
fn flags(ranges: &[Range<u64>]) -> Vec<bool> {
    (0..SIZE as u64).step_by(64).map(|line| ranges.iter().any(|range| range.contains(&line))).collect()
}

proptest! {
    #[test]
    fn behaves_as_a_write_back_cache(program in steps()) {
        let memory = DeviceMemory::default();
        let buffer = memory.allocate(SIZE as u64).unwrap();
        let address = buffer.device_address();
        let (mut cache, mut ram) = (vec![0u8; SIZE], vec![0u8; SIZE]);
        let mut lines = vec![Line::default(); SIZE.div_ceil(64)];
        let touched = |range: &Range<usize>| if range.is_empty() { 0..0 } else { range.start / 64..range.end.div_ceil(64) };
        for step in program {
            match step {
                Step::Host(range, value) => {
                    buffer.write(range.start as u64, &vec![value; range.len()]).unwrap();
                    touched(&range).for_each(|line| lines[line].dirty = true);
                    cache[range].fill(value);
                }
                Step::Device(range, value) => {
                    memory.lock().write(address + range.start as u64, &vec![value; range.len()]).unwrap();
                    touched(&range).for_each(|line| lines[line].stale = true);
                    ram[range].fill(value);
                }
                Step::Flush(range) => {
                    let mut moved = 0;
                    for line in touched(&range).filter(|&line| lines[line].dirty).collect::<Vec<_>>() {
                        let bytes = line * 64..(line * 64 + 64).min(SIZE);
                        moved += bytes.len() as u64;
                        ram[bytes.clone()].copy_from_slice(&cache[bytes]);
                        lines[line] = Line::default();
                    }
                    prop_assert_eq!(buffer.flush(range.start as u64..range.end as u64).unwrap(), moved);
                }
                Step::Invalidate(range) => {
                    let mut moved = 0;
                    for line in touched(&range).filter(|&line| lines[line].stale).collect::<Vec<_>>() {
                        let bytes = line * 64..(line * 64 + 64).min(SIZE);
                        moved += bytes.len() as u64;
                        cache[bytes.clone()].copy_from_slice(&ram[bytes]);
                        lines[line] = Line::default();
                    }
                    prop_assert_eq!(buffer.invalidate(range.start as u64..range.end as u64).unwrap(), moved);
                }
            }
            prop_assert_eq!(&buffer.read_vec(0..SIZE as u64).unwrap(), &cache);
            prop_assert_eq!(&device(&memory, address, SIZE), &ram);
            let (dirty, stale) = (flags(&buffer.dirty_ranges()), flags(&buffer.stale_ranges()));
            prop_assert_eq!(dirty, lines.iter().map(|line| line.dirty).collect::<Vec<_>>());
            prop_assert_eq!(stale, lines.iter().map(|line| line.stale).collect::<Vec<_>>());
        }
    }
}
