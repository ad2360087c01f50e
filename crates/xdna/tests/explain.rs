//! What files say, and what is wrong with them.

use std::time::Instant;

use arbtest::arbtest;
use ferrite_xdna::base64::Base64;
use ferrite_xdna::cdo::{Cdo, Command};
use ferrite_xdna::descriptor::{Acquire, Descriptor, Next, Release};
use ferrite_xdna::explain::{self, WIDTH};
use ferrite_xdna::lint::{Finding, Rule, lint_configuration, lint_stream};
use ferrite_xdna::packet::{ControlOperation, ControlPacket, ControlStream, StreamHeader};
use ferrite_xdna::queue::Task;
use ferrite_xdna::txn::{Header, Operation, Stream};
use ferrite_xdna::xclbin::{
    AiePartition, Argument, CdoGroup, GroupKind, Kernel, MemoryBank, MemoryTopology, Package, PartitionPdi, Uuid,
};
use ferrite_xdna::{Address, Device, Direction, FileKind, Pdi, Tile, TileKind, lint, sniff};

/// A transfer by a shim tile, as a program starts it.
fn transfer(stream: &mut Stream, tile: Tile, direction: Direction, descriptor: u8, token: bool) {
    let kind = TileKind::Shim;
    let words = Descriptor { length: 4096, valid: true, ..Descriptor::default() }.encode(kind).unwrap();
    let address = tile.address(kind.descriptor_register(descriptor).unwrap());
    stream.push(Operation::BlockWrite { address, data: words });
    let address = Address(address.0 + 4);
    stream.push(Operation::PatchAddress { address, argument: 1, offset: 0x400, action: 0 });
    let queue = kind.queue_register(direction, 0).unwrap();
    let value = Task { descriptor, executions: 1, token }.encode(kind).unwrap();
    stream.push(Operation::Write { address: tile.address(queue), value });
}

fn wait(stream: &mut Stream, tile: Tile, direction: Direction) {
    stream.push(Operation::Sync { direction: direction as u8, tile, rows: 1, columns: 1, channel: 0 });
}

fn npu2() -> Stream {
    Stream::new(Header::of(Device::named("npu2").unwrap()))
}

#[test]
fn operations_in_words() {
    let mut stream = npu2();
    transfer(&mut stream, Tile::new(0, 0), Direction::Mm2s, 3, true);
    wait(&mut stream, Tile::new(0, 0), Direction::Mm2s);
    stream.push(Operation::MaskWrite { address: Tile::new(0, 2).address(0x32000), value: 1, mask: 3 });
    stream.push(Operation::Write { address: Tile::new(1, 1).address(0xc0030), value: 5 });
    stream.push(Operation::Write { address: Tile::new(0, 2).address(0x3f000), value: 0x8000_0005 });
    stream.push(Operation::Write { address: Tile::new(0, 7).address(0), value: 0 });
    stream.push(Operation::Custom { opcode: 0xc8, payload: vec![1] });
    let document = explain::stream(&stream);
    let expected = "\
instruction stream
  version 0.1 for npu2, 8 columns, 6 rows, 9 operations
  operations
    0 shim tile (0,0): buffer descriptor 3 := 4096 words at 0x0
    1 shim tile (0,0): buffer descriptor 3 points to argument 1 + 0x400
    2 shim tile (0,0): MM2S channel 0, buffer descriptor 3, 4096 words from argument 1 + 0x400, with token, then wait
    3 wait for the token of shim tile (0,0): MM2S channel 0
    4 core tile (0,2) Core_Control: Enable=0x1 Reset=0x0
    5 memory tile (1,1): lock 3 := 5
    6 core tile (0,2): master port Core:0 takes the words of slave port South:0
    7 tile (0,7), which does not exist offset 0x0 := 1 words
    8 unknown operation 0xc8 (LOAD_PM_END_INTERNAL) with 1 words
";
    assert_eq!(document.to_string(), expected);
    assert_eq!(ferrite_xdna::explain(&stream.encode().unwrap()).unwrap(), document);
    assert_eq!(ferrite_xdna::explain(stream.to_string().as_bytes()).unwrap(), document);
}

/// A package of one kernel with an empty configuration; every table agrees.
fn package() -> Package {
    let kernel = Kernel {
        name: "K".to_owned(),
        kind: "dpu".to_owned(),
        subtype: 1,
        functional: 0,
        kernel_id: 0x901,
        arguments: vec![Argument::new("opcode", "uint64_t", 0, ""), Argument::new("bo0", "void*", 8, "HOST")],
        instances: vec!["I".to_owned()],
    };
    let group = CdoGroup {
        name: "DPU".to_owned(),
        kind: GroupKind::PRIMARY,
        pdi_id: 1,
        kernel_ids: vec![0x901],
        pre_groups: vec![0xc1],
    };
    let image = Pdi::of_bootgen(Cdo::of_driver([])).encode();
    Package {
        kernels: vec![kernel],
        memory: MemoryTopology {
            banks: vec![MemoryBank { kind: 2, used: true, size_kb: 64, base: 0x400_0000, tag: "HOST".to_owned() }],
        },
        partition: AiePartition {
            columns: 1,
            start_columns: vec![0],
            pdis: vec![PartitionPdi { uuid: Uuid([1; 16]), image, place: 0, groups: vec![group] }],
            ..AiePartition::default()
        },
        memory_name: String::new(),
        partition_name: String::new(),
        extended: false,
        header: ferrite_xdna::xclbin::Header::default(),
    }
}

#[test]
fn containers_in_words() {
    let bytes = package().build().unwrap().encode();
    let text = ferrite_xdna::explain(&bytes).unwrap().to_string();
    for part in [
        "type dpu, id 0x901, instances I",
        "argument 1 `bo0`: buffer, void*, 8 bytes at 0x8",
        "`HOST`: 64 KB at 0x4000000",
        "1 columns, starting at 0",
        "CDO group `DPU`, PRIMARY, id 0x1, for kernels 0x901, after 0xc1",
        "0 nothing, 0 words",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    assert_eq!(lint(&bytes).unwrap(), []);
}

fn rules(findings: &[Finding]) -> Vec<Rule> {
    findings.iter().map(|finding| finding.rule).collect()
}

#[test]
fn a_sound_stream_has_no_findings() {
    let mut stream = npu2();
    for (tile, direction) in [(0, Direction::Mm2s), (1, Direction::S2mm), (1, Direction::S2mm)] {
        transfer(&mut stream, Tile::new(tile, 0), direction, 2, true);
        wait(&mut stream, Tile::new(tile, 0), direction);
    }
    assert_eq!(lint_stream(&stream), []);
}

#[test]
fn missing_waits_are_found() {
    let shim = Tile::new(0, 0);
    let mut stream = npu2();
    transfer(&mut stream, shim, Direction::S2mm, 2, true);
    let findings = lint_stream(&stream);
    assert_eq!(rules(&findings), [Rule::MissingSync]);
    assert!(findings[0].to_string().starts_with("warning: operation 2: nobody waits for S2MM channel 0"));
    // The same descriptor again, while the first task may be running.
    let mut stream = npu2();
    transfer(&mut stream, shim, Direction::Mm2s, 2, true);
    transfer(&mut stream, shim, Direction::Mm2s, 2, true);
    wait(&mut stream, shim, Direction::Mm2s);
    wait(&mut stream, shim, Direction::Mm2s);
    let findings = lint_stream(&stream);
    assert_eq!(rules(&findings), [Rule::MissingSync]);
    assert!(findings[0].message.contains("may be running"), "{}", findings[0]);
    // A poll of the channel's status waits as well.
    let mut stream = npu2();
    transfer(&mut stream, shim, Direction::S2mm, 2, false);
    stream.push(Operation::MaskPoll { address: Address(0x1d220), value: 0, mask: 0x78_003c, busy: false });
    assert_eq!(lint_stream(&stream), []);
    // A wait that nothing ends.
    let mut stream = npu2();
    transfer(&mut stream, shim, Direction::Mm2s, 2, false);
    wait(&mut stream, shim, Direction::Mm2s);
    assert_eq!(rules(&lint_stream(&stream)), [Rule::SyncWithoutTask]);
    let mut stream = npu2();
    wait(&mut stream, Tile::new(9, 0), Direction::Mm2s);
    assert_eq!(rules(&lint_stream(&stream)), [Rule::SyncWithoutTask]);
}

#[test]
fn full_queues_are_found() {
    let mut stream = npu2();
    (0..6).for_each(|descriptor| transfer(&mut stream, Tile::new(0, 0), Direction::Mm2s, descriptor, false));
    assert_eq!(rules(&lint_stream(&stream)), [Rule::QueueOverflow]);
}

#[test]
fn addresses_outside_tiles_are_found() {
    let write = |address: Address| Operation::Write { address, value: 1 };
    for (address, message) in [
        (Tile::new(8, 0).address(0x1d000), "column 8 is outside the 8 columns"),
        (Tile::new(0, 6).address(0), "row 6 does not exist, rows are 0 to 5"),
        (Tile::new(0, 2).address(0x1_8000), "nothing is at offset 0x18000 of core tile (0,2)"),
        (Tile::new(0, 2).address(0x1d002), "offset 0x1d002 of core tile (0,2) is no multiple of 4"),
    ] {
        let mut stream = npu2();
        stream.push(write(address));
        let findings = lint_stream(&stream);
        assert_eq!(rules(&findings), [Rule::AddressOutsideTile]);
        assert_eq!(findings[0].message, message);
    }
    let mut stream = npu2();
    stream.push(Operation::BlockWrite { address: Tile::new(0, 2).address(0xfff8), data: vec![0; 3] });
    assert_eq!(lint_stream(&stream)[0].message, "nothing is at offset 0x10000 of core tile (0,2)");
    let commands = vec![Command::Write { address: Tile::new(2, 2).address(0x1f000).0.into(), value: 0, wide: true }];
    let cdo = Cdo { commands, ..Cdo::default() };
    assert_eq!(rules(&lint_configuration(&cdo, Some(2))), [Rule::AddressOutsideTile]);
    assert_eq!(lint_configuration(&cdo, Some(3)), []);
}

#[test]
fn descriptors_over_limits_are_found() {
    let mut stream = npu2();
    let tile = Tile::new(0, 1);
    let descriptor = Descriptor {
        length: 0x100,
        address: 3 * 0x8_0000 - 4,
        next: Next { enabled: true, descriptor: 63 },
        ..Descriptor::default()
    };
    let kind = TileKind::Memory;
    let address = tile.address(kind.descriptor_register(30).unwrap());
    stream.push(Operation::BlockWrite { address, data: descriptor.encode(kind).unwrap() });
    let value = Task { descriptor: 30, executions: 1, token: false }.encode(kind).unwrap();
    let queue = tile.address(kind.queue_register(Direction::S2mm, 2).unwrap());
    stream.push(Operation::Write { address: queue, value });
    let messages: Vec<String> = lint_stream(&stream).into_iter().map(|finding| finding.message).collect();
    let prefix = "buffer descriptor 30 of memory tile (0,1): ";
    assert_eq!(
        messages,
        [
            format!("{prefix}the next buffer descriptor is 63, but a memory tile has 0 to 47"),
            format!("{prefix}it is started but not marked valid"),
            format!("{prefix}it reaches byte 0x1803fc, but the DMA of a memory tile reaches 0x180000 bytes"),
            format!("{prefix}S2MM channel 2 of a memory tile reaches buffer descriptors 0 to 23 only, not 30"),
            "memory tile (0,1) has buffer descriptors 0 to 47, there is no 63".to_owned(),
        ]
    );
}

/// A configuration of one memory tile: lock 3 starts at a value, one descriptor acquires it, another releases something.
fn locks(initial: u32, acquire: i8, release: (u8, i8)) -> Cdo {
    let (tile, kind) = (Tile::new(0, 1), TileKind::Memory);
    let mut commands = vec![Command::Write {
        address: tile.address(kind.lock_register(3).unwrap()).0.into(),
        value: initial,
        wide: true,
    }];
    let first = Descriptor {
        length: 1,
        valid: true,
        acquire: Acquire { enabled: true, lock: 64 + 3, value: acquire },
        ..Descriptor::default()
    };
    let second = Descriptor {
        length: 1,
        valid: true,
        release: Release { lock: 64 + release.0, value: release.1 },
        ..Descriptor::default()
    };
    for (id, descriptor) in [first, second].iter().enumerate() {
        let address = tile.address(kind.descriptor_register(id as u8).unwrap()).0.into();
        commands.push(Command::DmaWrite { address, data: descriptor.encode(kind).unwrap() });
    }
    Cdo { commands, ..Cdo::default() }
}

#[test]
fn locks_that_cannot_be_acquired_are_found() {
    let found = |cdo: &Cdo| rules(&lint_configuration(cdo, None));
    // At least 1, from 0, and nobody raises it.
    assert_eq!(found(&locks(0, -1, (4, 1))), [Rule::LockNeverAcquired]);
    assert_eq!(found(&locks(0, -1, (3, 1))), []);
    assert_eq!(found(&locks(1, -1, (4, 1))), []);
    // Exactly 2, from 1.
    assert_eq!(found(&locks(1, 2, (4, 1))), [Rule::LockNeverAcquired]);
    assert_eq!(found(&locks(1, 2, (3, 1))), []);
    assert_eq!(found(&locks(2, 2, (4, 1))), []);
    let findings = lint_configuration(&locks(0, -1, (4, 1)), None);
    assert_eq!(
        findings[0].message,
        "waits until lock 3 of tile (0,1) is at least 1; it starts at 0 and no descriptor changes it so"
    );
    // A core that reaches the lock may do anything with it.
    let (tile, kind) = (Tile::new(0, 2), TileKind::Core);
    let acquire = Acquire { enabled: true, lock: 1, value: -1 };
    let data = Descriptor { length: 1, valid: true, acquire, ..Descriptor::default() }.encode(kind).unwrap();
    let address = tile.address(kind.descriptor_register(0).unwrap()).0.into();
    let mut cdo = Cdo { commands: vec![Command::DmaWrite { address, data }], ..Cdo::default() };
    assert_eq!(found(&cdo), [Rule::LockNeverAcquired]);
    cdo.commands.push(Command::DmaWrite { address: tile.address(0x20000).0.into(), data: vec![0; 4] });
    assert_eq!(found(&cdo), []);
}

#[test]
fn kernels_that_disagree_are_found() {
    let judge = |change: fn(&mut Package)| {
        let mut package = package();
        change(&mut package);
        let findings = lint(&package.build().unwrap().encode()).unwrap();
        findings.iter().map(|finding| format!("{} {}", finding.rule.name(), finding.message)).collect::<Vec<_>>()
    };
    assert_eq!(
        judge(|package| package.kernels.push(Kernel { name: "L".to_owned(), ..package.kernels[0].clone() })),
        ["duplicate-kernel 2 instances have it: K:I, L:I"]
    );
    assert_eq!(
        judge(|package| package.partition.pdis[0].groups[0].kernel_ids = vec![0x902]),
        ["inconsistent-kernel has a CDO group but no instance", "inconsistent-kernel no CDO group is for its id 0x901"]
    );
    assert_eq!(
        judge(|package| {
            let mut twin = package.partition.pdis[0].clone();
            twin.uuid = Uuid([2; 16]);
            twin.groups[0].kernel_ids.clear();
            twin.groups[0].pdi_id = 2;
            package.partition.pdis.push(twin);
        }),
        [
            "duplicate-kernel has the same image as PDI 02020202-0202-0202-0202-020202020202: were two kernels meant to differ?"
        ]
    );
    assert_eq!(
        judge(|package| package.kernels[0].arguments[1].offset = 4),
        Vec::<String>::new(),
        "the offset that counts is the text"
    );
    assert_eq!(
        judge(|package| package.kernels[0].arguments[1].offset_text = "0x04".to_owned()),
        ["inconsistent-kernel argument `bo0` starts at byte 0x4, inside the one before, which ends at 0x8"]
    );
    assert_eq!(
        judge(|package| package.partition.start_columns = vec![8]),
        ["inconsistent-kernel 1 columns from column 8 on are more than any array has"]
    );
}

#[test]
fn files_are_told_by_content() {
    let stream = npu2();
    let packet = [0x8000_0017_u32, 0x8001_d21c, 5];
    let packet: Vec<u8> = packet.iter().flat_map(|word| word.to_le_bytes()).collect();
    let base64 = Base64 { bytes: packet.clone(), ..Base64::default() }.encode();
    let cases = [
        (package().build().unwrap().encode(), FileKind::Xclbin),
        (Pdi::of_bootgen(Cdo::default()).encode(), FileKind::Pdi),
        (Cdo::default().encode(), FileKind::Cdo),
        (stream.encode().unwrap(), FileKind::InstructionStream),
        (stream.to_string().into_bytes(), FileKind::InstructionText),
        (b"00220001\nf0000000\n".to_vec(), FileKind::TraceText),
        (b"\n; a comment\n  .attach_to_group 0\n".to_vec(), FileKind::AiebuListing),
        (packet, FileKind::ControlPackets),
        (base64.into_bytes(), FileKind::Base64),
        (b"AAAAAAAAAAAAAAAAAAAA".to_vec(), FileKind::Unknown),
        (b"[{\"name\": \"x\", \"ph\": \"M\"}]".to_vec(), FileKind::Timeline),
        (b"[1, 2, 3]".to_vec(), FileKind::Unknown),
        (b"{ \"external_buffers\": {} }".to_vec(), FileKind::BufferList),
        (b"{ \"buffers\": {} }".to_vec(), FileKind::Unknown),
        (Vec::new(), FileKind::Empty),
        (vec![0; 64], FileKind::Unknown),
        (b"hello".to_vec(), FileKind::Unknown),
    ];
    for (bytes, kind) in cases {
        assert_eq!(sniff(&bytes), kind);
    }
    // The first kilobyte alone, in which the last line is cut.
    assert_eq!(sniff(&b"00220001\n".repeat(200)[..1024]), FileKind::TraceText);
}

/// Two ids: what one writes are registers of a shim tile, what the other does could be memory of a core or of a memory tile.
#[test]
fn control_packets_in_words() {
    let mut stream = ControlStream::default();
    let write = |address, data: &[u32]| ControlPacket::write(address, ControlOperation::Write, 0, data.to_vec());
    stream.push(StreamHeader::new(0, 23), write(0x1d000, &[0x100, 0x30, 0, 0]));
    stream.push(StreamHeader::new(0, 23), write(0x1d21c, &[0x8000_0003]));
    stream.push(StreamHeader::new(2, 1), write(0xe000, &[7, 8]));
    stream.push(StreamHeader::new(2, 1), ControlPacket::read(0xe000, 9, 2));
    let bytes: Vec<u8> = stream.encode().unwrap().iter().flat_map(|word| word.to_le_bytes()).collect();
    let expected = "\
control packets
  4 packets of 2 ids
  id 1, type 2: 2 packets
  id 23: 2 packets, by their addresses to a shim tile
  packets
    0 id 23: DMA_BD0_0 to DMA_BD0_3 := 4 words: 0x100 0x30 0x0 0x0
    1 id 23: DMA_MM2S_1_Task_Queue := Start_BD_ID=0x3 Enable_Token_Issue=0x1
    2 id 1, type 2: 0xe000 to 0xe004 := 2 words: 0x7 0x8
    3 id 1, type 2: read 0xe000 to 0xe004, 2 words, answer as 9
";
    assert_eq!(ferrite_xdna::explain(&bytes).unwrap().to_string(), expected);
    let base64 = Base64 { bytes, width: 20, ..Base64::default() }.encode();
    let encoded = ferrite_xdna::explain(base64.as_bytes()).unwrap().to_string();
    assert_eq!(encoded, expected.replacen("packets\n", "packets, in base64\n", 1));
}

#[test]
fn timelines_in_words() {
    let text = r#"[{"name": "process_name", "ph": "M", "pid": 0, "args": {"name": "core_trace for tile2,0"}},
{"name": "thread_name", "ph": "M", "pid": 0, "tid": 1, "args": {"name": "LOCK_STALL"}},
{"name": "LOCK_STALL", "ts": 3, "ph": "B", "pid": 0, "tid": 1, "args": {}},
{"name": "LOCK_STALL", "ts": 10, "ph": "E", "pid": 0, "tid": 1, "args": {}}]"#;
    let expected = "\
timeline of a trace
  4 entries, until cycle 10
  core_trace for tile2,0
    slot 1 LOCK_STALL: 1 times, 7 cycles
";
    assert_eq!(ferrite_xdna::explain(text.as_bytes()).unwrap().to_string(), expected);
    let other = text.replace("\"ph\": \"E\"", "\"ph\": \"X\"");
    let refused = ferrite_xdna::explain(other.as_bytes()).unwrap_err().to_string();
    assert_eq!(refused, "the timeline: entry 3 is of phase `X`, named `LOCK_STALL`");
    let cut = ferrite_xdna::explain(&text.as_bytes()[..150]).unwrap_err().to_string();
    assert!(cut.contains("line 2 column"), "{cut}");
}

#[test]
fn lists_of_buffers_in_words() {
    let text = r#"{"external_buffers": {"buffer0": {"xrt_id": 1, "logical_id": 1, "size_in_bytes": 64, "name": "ifm",
"control_packet_patch_locations": [{"offset": 12, "size": 6, "operation": "read_add_write"}]},
"buffer1": {"xrt_id": 3, "logical_id": 4294967295, "size_in_bytes": 96, "ctrl_pkt_buffer": true, "name": "packets"}}}"#;
    let expected = "\
buffers of a design
  buffer0: `ifm`, buffer 1, 64 bytes
    address of 6 bytes in the control packets + 0xc, read_add_write
  buffer1: `packets`, buffer 3, 96 bytes, the control packets
";
    assert_eq!(ferrite_xdna::explain(text.as_bytes()).unwrap().to_string(), expected);
    let refused = |other: String| ferrite_xdna::explain(other.as_bytes()).unwrap_err().to_string();
    let message = refused(text.replace("\"xrt_id\": 3", "\"xrt_id\": -3"));
    assert!(message.starts_with("the list of buffers: `buffer1`: invalid value"), "{message}");
    assert!(refused(text.replace("96,", "96")).contains("line 3 column"));
}

#[test]
fn listings_of_aiebu_in_words() {
    let text = ".attach_to_group 0\nXAIE_IO_WRITE @0x1d214, 0x80000003\nXAIE_IO_CUSTOM_OP_TCT\n";
    let expected = "\
instruction stream, as aiebu lists it
  version 0.1 for npu2_1col, 1 columns, 6 rows, 2 operations
  the listing does not say for which generation it is; aiebu assembles it for npu2
  aiebu's listing leaves out the fields of operation 1, XAIE_IO_CUSTOM_OP_TCT
  operations
    0 shim tile (0,0): MM2S channel 0, buffer descriptor 3, with token
    1 wait for tokens of a channel that is not named
";
    assert_eq!(ferrite_xdna::explain(text.as_bytes()).unwrap().to_string(), expected);
    // Whether somebody waits for that task cannot be known.
    let findings = lint(text.as_bytes()).unwrap();
    assert!(findings.iter().all(|finding| finding.rule != Rule::MissingSync), "{findings:?}");
}

#[test]
fn findings_are_limited() {
    let mut stream = npu2();
    for _ in 0..2000 {
        let (tile, channel) = (Tile::new(200, 9), 0);
        stream.push(Operation::Sync { direction: 0, tile, rows: 255, columns: 255, channel });
    }
    let findings = lint_stream(&stream);
    assert_eq!(findings.len(), 1001);
    assert_eq!(findings[1000].message, "there are 1000 more findings");
}

/// The files that AMD's tools wrote, where the golden data are.
fn golden_files() -> Vec<Vec<u8>> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/data");
    let entries = std::fs::read_dir(folder).into_iter().flatten().filter_map(std::result::Result::ok);
    let binary = |path: &std::path::Path| {
        path.extension()
            .is_some_and(|kind| ["xclbin", "pdi", "elf", "txn", "asm", "b64"].iter().any(|known| kind == *known))
    };
    let mut paths: Vec<_> = entries.map(|entry| entry.path()).filter(|path| binary(path)).collect();
    paths.sort();
    paths.iter().map(|path| std::fs::read(path).unwrap()).collect()
}

#[test]
fn the_tools_files_are_explained() {
    let files = golden_files();
    assert!(files.len() >= 15, "{} files", files.len());
    for bytes in files {
        let document = ferrite_xdna::explain(&bytes).unwrap();
        let text = document.to_string();
        assert!(text.lines().all(|line| line.chars().count() <= WIDTH + 8), "{text}");
        lint(&bytes).unwrap();
    }
}

#[test]
fn spoiled_files_never_panic() {
    let mut files = golden_files();
    files.push(package().build().unwrap().encode());
    files.push(locks(0, -1, (3, 1)).encode());
    arbtest(|u| {
        let mut bytes = u.choose(&files)?.clone();
        for _ in 0..u.int_in_range(1..=6)? {
            let at = u.choose_index(bytes.len())?;
            match u.int_in_range(0..=3)? {
                0 => bytes[at] = u.arbitrary()?,
                1 => bytes[at] ^= 1 << u.int_in_range(0..=7)?,
                2 => {
                    let value: u32 = *u.choose(&[0, 1, 0x7fff_ffff, 0xffff_fff0, 0xffff_ffff])?;
                    let length = 4.min(bytes.len() - at);
                    bytes[at..at + length].copy_from_slice(&value.to_le_bytes()[..length]);
                }
                _ => bytes.truncate(at + 1),
            }
        }
        if let Ok(document) = ferrite_xdna::explain(&bytes) {
            // Every line is short, and there is about one for each word at most.
            assert!(document.to_string().len() <= 4096 + 64 * bytes.len());
        }
        if let Ok(findings) = lint(&bytes) {
            assert!(findings.len() <= 1001);
        }
        Ok(())
    });
}

#[test]
fn a_megabyte_is_explained_quickly() {
    let mut stream = npu2();
    while stream.entries.len() < 24_000 {
        transfer(&mut stream, Tile::new(0, 0), Direction::Mm2s, 3, true);
        wait(&mut stream, Tile::new(0, 0), Direction::Mm2s);
    }
    let bytes = stream.encode().unwrap();
    assert!(bytes.len() > 780_000, "{}", bytes.len());
    let start = Instant::now();
    let text = ferrite_xdna::explain(&bytes).unwrap().to_string();
    let elapsed = start.elapsed();
    assert!(text.lines().count() > 24_000);
    // 0.2 s is the aim and a tenth of it is usual; the rest is for busy machines.
    assert!(elapsed.as_millis() < 1_000, "{elapsed:?}");
}
