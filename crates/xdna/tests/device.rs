//! Devices, tiles and stream switches, as the target model has them.

use ferrite_xdna::device::Region;
use ferrite_xdna::device::switch::{self, Bundle, ConnectError, Port, Side};
use ferrite_xdna::{Address, DEVICES, Device, Direction, Generation, Register, Tile, TileKind};

const fn port(bundle: Bundle, channel: u8) -> Port {
    Port { bundle, channel }
}

#[test]
fn addresses_divide_and_join() {
    let tile = Tile::new(3, 4);
    assert_eq!(tile.address(0xdef), Address(0x0640_0def));
    assert_eq!(Address(0x0640_0def).tile(), tile);
    assert_eq!(Address(0x0640_0def).offset(), 0xdef);
    assert_eq!(Address(0x0640_0def).to_string(), "(3,4)+0x00def");
}

#[test]
fn devices_have_their_tiles() {
    let npu1 = Device::named("npu1").unwrap();
    assert_eq!(npu1.kind(Tile::new(3, 0)), Some(TileKind::Shim));
    assert_eq!(npu1.kind(Tile::new(3, 1)), Some(TileKind::Memory));
    assert_eq!(npu1.kind(Tile::new(3, 5)), Some(TileKind::Core));
    assert_eq!(npu1.kind(Tile::new(3, 6)), None);
    assert_eq!(npu1.kind(Tile::new(4, 0)), None);
    for device in &DEVICES {
        assert_eq!(Device::named(device.name), Some(device));
        assert_eq!(Device::of(device.generation, device.columns), Some(device));
        let fits = |start: &u16| usize::from(*start) + usize::from(device.columns) <= 8;
        assert!(device.start_columns.iter().all(fits));
    }
    assert_eq!(Generation::of_number(4).map(Generation::architecture), Some("AIE2P"));
}

/// Offsets of the specification: control registers, queues, descriptors, locks.
#[test]
fn registers_of_channels_descriptors_and_locks() {
    use Direction::{Mm2s, S2mm};
    let cases = [
        (TileKind::Shim, [0x1d208, 0x1d218], 0x1d020, 0x14010),
        (TileKind::Memory, [0xa0608, 0xa0638], 0xa0020, 0xc0010),
        (TileKind::Core, [0x1de08, 0x1de18], 0x1d020, 0x1f010),
    ];
    for (kind, [s2mm, mm2s], descriptor, lock) in cases {
        assert_eq!(kind.control_register(S2mm, 1), Some(s2mm));
        assert_eq!(kind.control_register(Mm2s, 1), Some(mm2s));
        assert_eq!(kind.queue_register(Mm2s, 1), Some(mm2s + 4));
        assert_eq!(kind.queue_at(mm2s + 4), Some((Mm2s, 1)));
        assert_eq!(kind.descriptor_register(1), Some(descriptor));
        assert_eq!(kind.descriptor_at(descriptor + 4), Some((1, 1)));
        assert_eq!(kind.lock_register(1), Some(lock));
        assert_eq!(kind.lock_at(lock), Some(1));
        assert_eq!(kind.lock_at(lock + 4), None);
        let facts = kind.facts();
        assert_eq!(kind.control_register(S2mm, facts.s2mm.count), None);
        assert_eq!(kind.descriptor_register(facts.descriptors), None);
        assert_eq!(kind.lock_register(facts.locks), None);
        // Names of registers tell the same.
        let named = |offset: u32, name: &str| assert_eq!(Register::at(kind, offset).unwrap().name(), name);
        named(s2mm, "DMA_S2MM_1_Ctrl");
        named(descriptor + 4, "DMA_BD1_1");
        named(lock, "Lock1_value");
    }
    assert_eq!(TileKind::Core.region(0xffff), Some(Region::DataMemory));
    assert_eq!(TileKind::Core.region(0x23fff), Some(Region::ProgramMemory));
    assert_eq!(TileKind::Core.region(0x24000), None);
    assert_eq!(TileKind::Memory.region(0xd0000 + 0x400 * 5 + 8), Some(Region::LockRequest { lock: 5 }));
}

/// Sentences of the target model about what can be connected, one check for each part.
#[test]
fn connections_are_those_of_the_target_model() {
    use Bundle::*;
    let core = |from, to| switch::is_legal(TileKind::Core, from, to);
    assert!(core(port(Dma, 1), port(East, 3)) && core(port(South, 5), port(TileControl, 0)));
    assert!(core(port(North, 2), port(North, 2)) && !core(port(North, 2), port(North, 3)));
    assert!(core(port(Core, 0), port(Dma, 0)) && !core(port(Core, 0), port(Core, 0)));
    assert!(core(port(TileControl, 0), port(South, 0)) && !core(port(TileControl, 0), port(Dma, 0)));
    assert!(core(port(Trace, 0), port(Dma, 0)) && !core(port(Trace, 0), port(Dma, 1)));
    assert!(core(port(MemoryTrace, 0), port(South, 3)) && !core(port(MemoryTrace, 0), port(East, 0)));
    let memory = |from, to| switch::is_legal(TileKind::Memory, from, to);
    assert!(memory(port(Dma, 2), port(Dma, 2)) && !memory(port(Dma, 2), port(Dma, 3)));
    assert!(memory(port(TileControl, 0), port(Dma, 5)) && !memory(port(TileControl, 0), port(Dma, 4)));
    assert!(memory(port(South, 1), port(North, 1)) && !memory(port(South, 1), port(North, 2)));
    assert!(memory(port(North, 3), port(Dma, 0)) && memory(port(Trace, 0), port(Dma, 5)));
    assert!(!memory(port(Trace, 0), port(North, 0)));
    let shim = |from, to| switch::is_legal(TileKind::Shim, from, to);
    assert!(shim(port(South, 7), port(South, 0)) && !shim(port(West, 0), port(West, 1)));
    assert!(!shim(port(TileControl, 0), port(TileControl, 0)) && shim(port(Trace, 0), port(West, 0)));
    assert!(!shim(port(Trace, 0), port(West, 1)) && !shim(port(Trace, 0), port(North, 0)));
    // Ports that do not exist.
    assert!(!core(port(North, 4), port(Core, 0)) && !core(port(South, 0), port(South, 4)));
}

#[test]
fn connections_become_registers() {
    let writes = switch::connect(TileKind::Shim, port(Bundle::North, 0), port(Bundle::South, 2)).unwrap();
    assert_eq!(writes, [(0x3f010, 0x8000_000e), (0x3f138, 0x8000_0000)]);
    let error = switch::connect(TileKind::Core, port(Bundle::North, 2), port(Bundle::North, 3)).unwrap_err();
    assert_eq!(error.to_string(), "the stream switch of a core tile cannot connect North:2 to North:3");
    let error = switch::connect(TileKind::Memory, port(Bundle::East, 0), port(Bundle::Dma, 0)).unwrap_err();
    assert!(matches!(error, ConnectError::NoPort { side: "slave", .. }));
    assert_eq!(switch::slot_register(TileKind::Core, port(Bundle::South, 1), 2), Some(0x3f200 + 16 * 6 + 8));
    assert_eq!(switch::slot_at(TileKind::Core, 0x3f268), Some((port(Bundle::South, 1), 2)));
    assert_eq!(switch::slot_register(TileKind::Core, port(Bundle::South, 1), 4), None);
    assert_eq!(switch::port(TileKind::Memory, Side::Slave, 17), Some(port(Bundle::Trace, 0)));
}
