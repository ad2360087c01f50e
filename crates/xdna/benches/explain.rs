//! How long reading and explaining an instruction stream of one megabyte takes; the aim is 0.2 s. `cargo bench -p ferrite-xdna`.

#![expect(clippy::print_stdout, clippy::unwrap_used, reason = "a measurement prints what it found")]

use std::time::{Duration, Instant};

use ferrite_xdna::txn::{Header, Operation, Stream};
use ferrite_xdna::{Address, Device, Direction, TileKind};

const BYTES: usize = 1 << 20;
const ROUNDS: usize = 21;
const AIM: Duration = Duration::from_millis(200);

/// Transfers by the shim tiles of all columns in turn: descriptor, address, start, wait.
fn stream() -> Stream {
    let device = Device::named("npu2").unwrap();
    let mut stream = Stream::new(Header::of(device));
    let kind = TileKind::Shim;
    let data = vec![0x1000, 0, 0, 0, 0x8000_0000, 0x0200_0000, 0, 0x0200_0000];
    // Bytes of the four operations.
    let transfers = BYTES.div_ceil(48 + 48 + 24 + 16);
    for number in 0..transfers {
        let tile = ferrite_xdna::Tile::new((number % usize::from(device.columns)) as u8, 0);
        let address = tile.address(kind.descriptor_register((number % 16) as u8).unwrap());
        let queue = tile.address(kind.queue_register(Direction::Mm2s, 0).unwrap());
        stream.push(Operation::BlockWrite { address, data: data.clone() });
        let second = Address(address.0 + 4);
        stream.push(Operation::PatchAddress { address: second, argument: 1, offset: 0x400, action: 0 });
        stream.push(Operation::Write { address: queue, value: 0x8000_0000 | (number % 16) as u32 });
        stream.push(Operation::Sync { direction: 1, tile, rows: 1, columns: 1, channel: 0 });
    }
    stream
}

fn main() {
    let stream = stream();
    let bytes = stream.encode().unwrap();
    let mut times: Vec<(Duration, Duration)> = Vec::new();
    let mut lines = 0;
    for _ in 0..ROUNDS {
        let start = Instant::now();
        let text = ferrite_xdna::explain(&bytes).unwrap().to_string();
        let explained = start.elapsed();
        lines = text.lines().count();
        let start = Instant::now();
        assert!(ferrite_xdna::lint(&bytes).unwrap().is_empty(), "a sound stream has findings");
        times.push((explained, start.elapsed()));
    }
    times.sort_unstable();
    let median = times[ROUNDS / 2];
    println!(
        "{} bytes, {} operations, {lines} lines: read and explained in {:.1} ms, judged in {:.1} ms (medians of {ROUNDS})",
        bytes.len(),
        stream.entries.len(),
        median.0.as_secs_f64() * 1e3,
        median.1.as_secs_f64() * 1e3,
    );
    assert!(median.0 < AIM || cfg!(debug_assertions), "the aim is {} ms", AIM.as_millis());
}
