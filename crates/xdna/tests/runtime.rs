//! ELF files, command packets, structures of the kernel driver, traces: round trips and hostile bytes.

use arbtest::arbtest;
use ferrite_xdna::Elf;
use ferrite_xdna::cdo::Command;
use ferrite_xdna::elf::{KernelName, PatchError};
use ferrite_xdna::ert::{Opcode, Packet, PacketError, Payload};
use ferrite_xdna::ioctl::{self, Request, STRUCTURES};
use ferrite_xdna::trace::{Configuration, Record, Trace, UnitKind, records, to_json, words_of_text};
use ferrite_xdna::txn::{Header, Operation, Stream};
use ferrite_xdna::{Cdo, DEVICES, Tile, packet::StreamHeader};

/// A control-code ELF by hand: one section to patch, one symbol, one relocation.
fn control_code(kind: u32, offset: u32, addend: u32) -> Vec<u8> {
    let text: Vec<u8> = (0..12_u32).flat_map(|word| (word * 0x0101_0101).to_le_bytes()).collect();
    let names = b"\0.names\0.ctrltext\0.dynstr\0.dynsym\0.rela.dyn\0".to_vec();
    let strings = b"\x003\0".to_vec();
    let mut symbols = vec![0; 16];
    for word in [1_u32, 0, 0xffff] {
        symbols.extend(word.to_le_bytes());
    }
    symbols.extend([0x11, 0, 2, 0]);
    let relocation: Vec<u8> = [offset, 1 << 8 | kind, addend].iter().flat_map(|word| word.to_le_bytes()).collect();
    let parts = [
        (1_u32, 3_u32, names, 0_u32),
        (8, 1, text, 0),
        (18, 3, strings, 0),
        (26, 11, symbols, 3),
        (34, 4, relocation, 4),
    ];
    let mut file = b"\x7fELF\x01\x01\x01\x45\x02\0\0\0\0\0\0\0".to_vec();
    for half in [2_u16, 1] {
        file.extend(half.to_le_bytes());
    }
    let body: usize = parts.iter().map(|part| part.2.len().next_multiple_of(4)).sum();
    for word in [1, 0, 0, 52 + body as u32, 0] {
        file.extend(word.to_le_bytes());
    }
    for half in [52_u16, 32, 0, 40, 6, 1] {
        file.extend(half.to_le_bytes());
    }
    let mut headers = vec![0; 40];
    for (name, kind, data, link) in parts {
        let words = [name, kind, 0, 0, file.len() as u32, data.len() as u32, link, 0, 4, 0];
        headers.extend(words.iter().flat_map(|word| word.to_le_bytes()));
        file.extend(&data);
        file.resize(file.len().next_multiple_of(4), 0);
    }
    file.extend(headers);
    file
}

fn patched(kind: u32, offset: u32, addend: u32, address: u64) -> Result<Vec<u32>, PatchError> {
    let elf = Elf::decode(&control_code(kind, offset, addend)).unwrap();
    let code = elf.control_code().unwrap();
    let sections = code.patch(&elf, |name| (name == "3").then_some(address))?;
    Ok(sections[0].1.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect())
}

/// Every relocation by the rules of the specification, on words that count up.
#[test]
fn relocations_by_hand() {
    let words: Vec<u32> = (0..12).map(|word| word * 0x0101_0101).collect();
    let check = |kind, expected: &[(usize, u32)]| {
        let mut golden = words.clone();
        expected.iter().for_each(|(word, value)| golden[*word] = *value);
        assert_eq!(patched(kind, 0, 8, 0x12_3456_7800), Ok(golden), "type {kind}");
    };
    // A masked word takes the value, without the addend.
    check(3, &[(0, 0x7800)]);
    // 0x02020202_01010101's lower 48 bits, plus address, addend and aperture.
    check(5, &[(1, 0xb557_7908), (2, 0x0202_0214)]);
    check(4, &[(2, 0xb658_7a08), (3, 0x0303_0315)]);
    check(7, &[(2, 0x3658_7a08), (3, 0x0303_0315)]);
    check(8, &[(0, 0x3456_7800), (1, 0x12)]);
    check(11, &[(8, 0x3c5e_8010), (9, 0x0909_091b)]);
    check(2, &[(1, 0x3557_7908), (2, 0x0202_0214)]);
    assert!(matches!(patched(1, 0, 0, 0), Err(PatchError::Kind { .. })));
    assert!(matches!(patched(5, 48, 0, 0), Err(PatchError::Outside { offset: 56 | 52, .. })));
    let elf = Elf::decode(&control_code(5, 0, 0)).unwrap();
    let error = elf.control_code().unwrap().patch(&elf, |_| None).unwrap_err();
    assert_eq!(error.to_string(), "relocation 0 needs the address of `3`, which was not given");
}

#[test]
fn spoiled_elfs_are_read_or_refused() {
    arbtest(|u| {
        let mut bytes = control_code(u.int_in_range(0..=12)?, u.int_in_range(0..=64)?, u.arbitrary()?);
        for _ in 0..u.int_in_range(0..=5)? {
            let at = u.choose_index(bytes.len())?;
            bytes[at] = u.arbitrary()?;
        }
        if u.ratio(1, 6)? {
            bytes.truncate(u.choose_index(bytes.len())?);
        }
        let Ok(elf) = Elf::decode(&bytes) else { return Ok(()) };
        assert!(elf.sections.iter().map(|section| section.data.len()).sum::<usize>() <= 2 * bytes.len());
        if let Ok(code) = elf.control_code() {
            let _ = code.patch(&elf, |_| Some(0x1234_5678_9abc));
            code.groups.iter().for_each(|group| assert!(!group.name().is_empty()));
        }
        Ok(())
    });
}

#[test]
fn kernel_names_are_read() {
    let name = KernelName::parse("_Z4mainPcPc").unwrap();
    assert_eq!(name.to_string(), "main(char*, char*)");
    for wrong in ["main", "_Z", "_Z9main", "_Z4mainQ", "_Z99999999999999999999main"] {
        assert_eq!(KernelName::parse(wrong), None, "{wrong}");
    }
}

#[test]
fn packets_survive() {
    arbtest(|u| {
        let opcodes = [Opcode::START_CU, Opcode::CMD_CHAIN, Opcode::START_NPU, Opcode::START_NPU_PREEMPT, Opcode(5)];
        let mut packet = Packet::new(*u.choose(&opcodes)?, u.arbitrary()?, u.arbitrary()?);
        packet.payload.truncate(2000);
        packet.kind = u.int_in_range(0..=15)?;
        packet.state.0 = u.int_in_range(0..=15)?;
        let words = packet.encode().unwrap();
        assert_eq!(Packet::decode(&words).as_ref(), Some(&packet));
        let words: Vec<u32> = u.arbitrary()?;
        if let Some(packet) = Packet::decode(&words) {
            let again = packet.encode().unwrap();
            assert_eq!(again, words[..again.len()]);
            if let Some(payload) = Payload::decode(packet.opcode, &packet.payload) {
                assert_eq!(payload.encode(), packet.payload);
            }
        }
        Ok(())
    });
    let long = Packet::new(Opcode::START_CU, 1, vec![0; 2047]);
    assert_eq!(long.encode(), Err(PacketError::TooLong(2048)));
}

/// Fields follow each other as a C compiler lays them out, and survive.
#[test]
fn structures_are_those_of_c() {
    for (name, size, fields) in STRUCTURES {
        let mut end = 0;
        for (field, at, bytes) in *fields {
            assert_eq!(*at, end, "{name}.{field}");
            end += bytes;
        }
        // A flexible array may follow.
        assert_eq!(end, *size, "{name}");
    }
    arbtest(|u| {
        let bytes: [u8; 160] = u.arbitrary()?;
        assert_eq!(ioctl::HwctxEntry::from_bytes(&bytes).unwrap().to_bytes(), bytes);
        assert_eq!(ioctl::QueryAieMetadata::from_bytes(&bytes).unwrap().to_bytes(), bytes[..64]);
        assert_eq!(ioctl::CreateBo::from_bytes(&bytes).unwrap().to_bytes(), bytes[..32]);
        Ok(())
    });
    let error = ioctl::CreateBo::from_bytes(&[0; 31]).unwrap_err();
    assert_eq!(error.to_string(), "`amdxdna_drm_create_bo` has 32 bytes, 31 were given");
    assert_eq!(Request::CreateBo.number(), 0xc020_6443);
    assert_eq!(Request::of_number(0xc020_6443), Some(Request::CreateBo));
    assert_eq!(Request::of_number(0), None);
}

/// Records by hand from the table of first bytes.
#[test]
fn records_by_hand() {
    let cases: [(&[u8], Record); 12] = [
        (&[0xf0, 1, 2, 3, 4, 5, 6, 7], Record::Start { timer: 0x01_0203_0405_0607 }),
        (&[0xf4, 0, 0, 0, 0, 0, 0, 9], Record::Start { timer: 9 }),
        (&[0x5a], Record::Events { slots: 1 << 5, cycles: 10 }),
        (&[0x8d, 0x7f], Record::Events { slots: 1 << 3, cycles: 0x17f }),
        (&[0xae, 0x12, 0x34], Record::Events { slots: 1 << 3, cycles: 0x2_1234 }),
        (&[0xc8, 0x17], Record::Events { slots: 0x81, cycles: 7 }),
        (&[0xd2, 0x05, 0x01], Record::Events { slots: 0x81, cycles: 0x101 }),
        (&[0xd6, 0x07, 0x00, 0x01], Record::Events { slots: 0x81, cycles: 0x3_0001 }),
        (&[0xe7], Record::Repeat { count: 7 }),
        (&[0xdb, 0xff], Record::Repeat { count: 1023 }),
        (&[0xff], Record::Sync),
        (&[0xf8], Record::Unknown { byte: 0xf8 }),
    ];
    for (bytes, record) in cases {
        assert_eq!(records(bytes), std::slice::from_ref(&record), "{bytes:x?}");
        let mut cut = bytes.to_vec();
        cut.pop();
        if !cut.is_empty() {
            assert_eq!(records(&cut), [Record::CutShort { byte: bytes[0] }]);
        }
    }
    assert_eq!(records(&[0xfe, 0xfe, 0xdc, 1, 2, 3]), [Record::Skip]);
}

fn header(kind: UnitKind, tile: Tile) -> u32 {
    StreamHeader { id: 1, kind: kind as u8, row: tile.row, column: tile.column }.encode()
}

#[test]
fn packets_are_divided_by_unit() {
    let (core, shim) = (header(UnitKind::Core, Tile::new(1, 2)), header(UnitKind::Shim, Tile::new(1, 0)));
    let filler = 0xa5a5_a5a5;
    let mut words = vec![core, 0xf000_0000, 9, 0x5afe_fefe, filler, filler, filler, filler];
    words.extend([shim, 0x1100_0000, 0, 0, 0, 0, 0, 0]);
    // An invalid header: the packet belongs to the unit before.
    words.extend([0x0000_0fe0, 0x2200_0000, 0, 0, 0, 0, 0, 0]);
    words.extend([0xfefe_fefe, 0, 0, 0x1234]);
    let trace = Trace::decode(&words);
    assert_eq!(trace.units.len(), 2);
    assert_eq!(trace.units[0].records(), [Record::Start { timer: 9 }, Record::Events { slots: 32, cycles: 10 }]);
    assert_eq!(trace.units[1].bytes.len(), 2 * 28);
    assert_eq!((trace.invalid_headers, trace.lost_words, trace.ignored_words), (1, 0, 4));
    assert!(words_of_text("00000001\n\n0x2\n").unwrap() == [1, 2]);
    assert_eq!(words_of_text("1\nxyz").unwrap_err().to_string(), "line 2: `xyz` is no word of 8 hexadecimal digits");
}

#[test]
fn any_trace_is_decoded_within_bounds() {
    let tile = Tile::new(0, 2);
    let writes = [(0x340d0, 0), (0x340d4, 1), (0x340e0, 0x4b25_2221), (0x340e4, 0x1a2d_2c4f)];
    let configuration = Configuration::of_writes(writes.map(|(offset, value)| (tile.address(offset), value)));
    assert_eq!(configuration.units.len(), 1);
    // The same from a program.
    let mut stream = Stream::new(Header::of(&DEVICES[0]));
    for (offset, value) in writes {
        stream.push(Operation::Write { address: tile.address(offset), value });
    }
    assert_eq!(Configuration::of_stream(&stream), configuration);
    let commands = writes.map(|(offset, value)| Command::MaskWrite {
        address: tile.address(offset).0.into(),
        mask: u32::MAX,
        value,
        wide: true,
    });
    assert_eq!(Configuration::of_cdo(&Cdo::of_driver(commands)), configuration);
    assert_eq!(configuration.units[0].event_name(0), "INSTR_EVENT_0");
    arbtest(|u| {
        let mut words: Vec<u32> = u.arbitrary()?;
        // Repetitions of a thousand are what makes a small trace large.
        for word in &mut words {
            if u.ratio(1, 3)? {
                *word = 0xdbff_5adb;
            }
        }
        for packet in words.chunks_mut(8) {
            packet[0] = header(UnitKind::Core, Tile::new(3, 2));
        }
        let trace = Trace::decode(&words);
        let timeline = trace.timeline(&configuration);
        assert!(timeline.events.len() <= 16 * 4 * words.len() + (1 << 16));
        let text = trace.to_text(&configuration);
        assert!(text.len() <= 1024 + 200 * 4 * (words.len() + 1));
        if words.len() < 32 {
            let json: serde_json::Value = serde_json::from_str(&to_json(&timeline.events)).unwrap();
            assert_eq!(json.as_array().unwrap().len(), timeline.events.len());
        }
        Ok(())
    });
}
