//! Control packets, CDO, PDI and xclbin: round trips, values from the specification, and hostile bytes.

use arbtest::arbitrary::{Result, Unstructured};
use arbtest::arbtest;
use ferrite_xdna::base64::Base64;
use ferrite_xdna::cdo::{Cdo, Command};
use ferrite_xdna::packet::{ControlOperation, ControlPacket, ControlStream, StreamHeader};
use ferrite_xdna::pdi::Pdi;
use ferrite_xdna::xclbin::{
    AiePartition, Argument, CdoGroup, GroupKind, Kernel, MemoryBank, MemoryTopology, Package, PackageError,
    PartitionPdi, Uuid, Xclbin,
};

fn spoil(u: &mut Unstructured<'_>, bytes: &mut Vec<u8>) -> Result<()> {
    for _ in 0..u.int_in_range(1..=5)? {
        let at = u.choose_index(bytes.len())?;
        match u.int_in_range(0..=3)? {
            0 => bytes[at] = u.arbitrary()?,
            1 => bytes[at] ^= 1 << u.int_in_range(0..=7)?,
            2 => {
                let value: u32 = *u.choose(&[0, 1, 0x7fff_ffff, 0xffff_fffc, 0xffff_ffff, bytes.len() as u32])?;
                let length = 4.min(bytes.len() - at);
                bytes[at..at + length].copy_from_slice(&value.to_le_bytes()[..length]);
            }
            _ => bytes.truncate(at + 1),
        }
    }
    Ok(())
}

fn command(u: &mut Unstructured<'_>) -> Result<Command> {
    let wide = u.arbitrary()?;
    let address = if wide { u.arbitrary()? } else { u64::from(u.arbitrary::<u32>()?) };
    let (mask, value, timeout) = (u.arbitrary()?, u.arbitrary()?, u.arbitrary()?);
    let words = |u: &mut Unstructured<'_>| -> Result<Vec<u32>> {
        let count = *u.choose(&[0, 1, 2, 5, 252, 253, 254, 255, 256, 300])?;
        (0..count).map(|_| u.arbitrary()).collect()
    };
    Ok(match u.int_in_range(0..=6)? {
        0 => Command::Write { address, value, wide },
        1 => Command::MaskWrite { address, mask, value, wide },
        2 => Command::MaskPoll { address, mask, value, timeout, wide },
        3 => Command::DmaWrite { address: u.arbitrary()?, data: words(u)? },
        4 => Command::Delay { cycles: value },
        5 => Command::Nop { payload: words(u)? },
        // An unknown code, and a known one with a payload in the long form that needs none.
        _ if wide => Command::Other { words: vec![0x0002_0133, mask, value] },
        _ => Command::Other { words: vec![0x00ff_0103, 2, mask, value] },
    })
}

fn cdo(u: &mut Unstructured<'_>) -> Result<Cdo> {
    let commands = (0..u.int_in_range(0..=6)?).map(|_| command(u)).collect::<Result<_>>()?;
    Ok(Cdo { commands, ..Cdo::default() })
}

#[test]
fn typed_cdos_survive() {
    arbtest(|u| {
        let mut cdo = cdo(u)?;
        cdo.trailing = vec![0; u.int_in_range(0..=9)?];
        let bytes = cdo.encode();
        assert_eq!(Cdo::decode(&bytes).as_ref(), Ok(&cdo));
        let lengths: usize = cdo.commands.iter().map(Command::len).sum();
        assert_eq!(bytes.len(), 4 * (5 + lengths) + cdo.trailing.len());
        Ok(())
    });
}

#[test]
fn spoiled_cdos_are_read_losslessly_or_refused() {
    arbtest(|u| {
        let mut bytes = cdo(u)?.encode();
        spoil(u, &mut bytes)?;
        // The checksum would refuse every damaged header.
        if bytes.len() >= 20 && u.ratio(1, 2)? {
            let words = bytes[..16].chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().unwrap()));
            let sum = words.fold(0_u32, u32::wrapping_add);
            bytes[16..20].copy_from_slice(&(!sum).to_le_bytes());
        }
        if let Ok(cdo) = Cdo::decode(&bytes) {
            assert_eq!(cdo.encode(), bytes);
        }
        Ok(())
    });
}

#[test]
fn data_of_dma_writes_are_aligned() {
    arbtest(|u| {
        let commands: Vec<Command> = (0..u.int_in_range(1..=6)?).map(|_| command(u)).collect::<Result<_>>()?;
        let merged = Cdo::merge([&Cdo { commands, ..Cdo::default() }]);
        let mut at = 5;
        for command in &merged.commands {
            if let Command::DmaWrite { data, .. } = command {
                assert_eq!((at + command.len() - data.len()) % 4, 0);
            }
            at += command.len();
        }
        Ok(())
    });
}

/// Words by hand from the table of commands.
#[test]
fn commands_by_hand() {
    let cases: [(Command, &[u32]); 6] = [
        (Command::Write { address: 0x1f000, value: 7, wide: false }, &[0x0002_0103, 0x1f000, 7]),
        (Command::Write { address: 0x2_0001_f000, value: 7, wide: true }, &[0x0003_0108, 2, 0x1f000, 7]),
        (Command::MaskWrite { address: 4, mask: 3, value: 1, wide: true }, &[0x0004_0107, 0, 4, 3, 1]),
        (Command::MaskPoll { address: 4, mask: 3, value: 1, timeout: 9, wide: false }, &[0x0004_0101, 4, 3, 1, 9]),
        (Command::Delay { cycles: 100 }, &[0x0001_0104, 100]),
        (Command::Nop { payload: vec![0, 0] }, &[0x0002_0111, 0, 0]),
    ];
    for (command, words) in cases {
        assert_eq!(command.encode(), words);
    }
    assert_eq!(Cdo::default().words(), [4, 0x004f_4443, 0x200, 0, 0xffb0_b9b8]);
}

#[test]
fn pdis_survive() {
    arbtest(|u| {
        let pdi = Pdi::of_bootgen(cdo(u)?);
        let mut bytes = pdi.encode();
        assert_eq!(Pdi::decode(&bytes).as_ref(), Ok(&pdi));
        spoil(u, &mut bytes)?;
        if let Ok(pdi) = Pdi::decode(&bytes) {
            assert_eq!(pdi.encode(), bytes);
        }
        Ok(())
    });
}

#[test]
fn control_packets_survive() {
    arbtest(|u| {
        let mut stream = ControlStream::default();
        for _ in 0..u.int_in_range(0..=5)? {
            let header = StreamHeader {
                id: u.int_in_range(0..=31)?,
                kind: u.int_in_range(0..=7)?,
                row: u.int_in_range(0..=7)?,
                column: u.int_in_range(0..=127)?,
            };
            let (address, response) = (u.int_in_range(0..=0xf_ffff)?, u.int_in_range(0..=0x7f)?);
            let packet = if u.arbitrary()? {
                ControlPacket::read(address, response, u.int_in_range(1..=4)?)
            } else {
                let data = (0..u.int_in_range(1..=4)?).map(|_| u.arbitrary()).collect::<Result<_>>()?;
                ControlPacket::write(address, ControlOperation::WriteIncrement, response, data)
            };
            stream.push(header, packet);
        }
        if u.arbitrary()? {
            stream.fill_slots();
            // Garbage behind a word that cannot be a header, as its parity is even.
            for packet in &mut stream.packets {
                for word in &mut packet.padding[1..] {
                    *word = u.arbitrary()?;
                }
            }
        }
        let words = stream.encode().unwrap();
        assert!(words.first().is_none_or(|word| word.count_ones() % 2 == 1));
        let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        assert_eq!(ControlStream::decode(&bytes).as_ref(), Ok(&stream));
        if !bytes.is_empty() {
            spoil(u, &mut bytes)?;
        }
        if let Ok(stream) = ControlStream::decode(&bytes) {
            let words = stream.encode().unwrap();
            assert_eq!(words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<_>>(), bytes);
        }
        Ok(())
    });
}

/// Two packets in slots, by hand: 4 words to 0x1d000 and one to 0x1d21c, both with id 0x17.
#[test]
fn control_packets_in_slots_by_hand() {
    let mut words = vec![0x8000_0017, 0x8031_d000, 0x100, 0x30, 0, 0x0040_0000, 0, 0];
    words.extend([0x8000_0017, 0x8001_d21c, 5, 0, 0xdead_beef, 0, 0, 0]);
    let to_bytes = |words: &[u32]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<_>>();
    let stream = ControlStream::decode(&to_bytes(&words)).unwrap();
    assert_eq!(stream.encode().unwrap(), words);
    let [first, second] = &stream.packets[..] else { panic!("{stream:?}") };
    assert_eq!((first.header, first.padding.as_slice()), (StreamHeader::new(0, 0x17), &[0, 0][..]));
    assert_eq!(first.control.data, [0x100, 0x30, 0, 0x0040_0000]);
    assert_eq!((second.control.address, second.padding[1]), (0x1d21c, 0xdead_beef));
    // The same packets without their slots.
    let close = ControlStream::decode(&to_bytes(&[&words[..6], &words[8..11]].concat())).unwrap();
    assert!(close.packets.iter().all(|packet| packet.padding.is_empty()));
    assert_eq!(close.packets[1].control, second.control);
    let refused = |words: &[u32], message: &str| {
        assert_eq!(ControlStream::decode(&to_bytes(words)).unwrap_err().to_string(), message);
    };
    refused(&words[..14], "byte 0x38: the padding of a control packet is cut short by 4 bytes");
    refused(&words[..10], "byte 0x28: a control packet is cut short by 4 bytes");
    words[9] ^= 1;
    refused(&words, "byte 0x24: a control word is 0x8001d21d, but only odd parity can be right");
    words[8] = 0x20;
    let expected = "odd parity and clear bits between the fields";
    refused(&words, &format!("byte 0x20: a stream packet's header is 0x20, but only {expected} can be right"));
}

#[test]
fn control_packets_have_limits() {
    let long = ControlPacket::write(0x20, ControlOperation::Write, 0, vec![0; 5]);
    assert_eq!(long.encode().unwrap_err().to_string(), "a control packet accesses 1 to 4 words, not 5");
    assert_eq!(long.split().len(), 2);
}

#[test]
fn base64_survives() {
    arbtest(|u| {
        let bytes: Vec<u8> = u.arbitrary()?;
        let digits = bytes.len().div_ceil(3) * 4;
        // Lines that are all whole and one more: a width there is only where there are two.
        let width = if digits > 1 && u.arbitrary()? { u.int_in_range(1..=digits - 1)? } else { 0 };
        let ended = u.arbitrary()?;
        let carriage_return = (ended || width > 0) && u.arbitrary()?;
        let file = Base64 { bytes, width, carriage_return, ended };
        let text = file.encode();
        assert_eq!(Base64::decode(&text).as_ref(), Ok(&file), "{text}");
        Ok(())
    });
    let refused = |text: &str, message: &str| {
        assert_eq!(Base64::decode(text).unwrap_err().to_string(), message, "{text}");
    };
    refused("AAEC\nA-QF\n", "line 2: `-` at character 2 is no digit of base64, or stands where none can be");
    refused("AAEC\nAA\nAAEC\n", "line 2: it has 2 characters, the first has 4");
    refused("AAEC\n\n", "line 2: it has 0 characters, the first has 4");
    refused("AAEC\nA", "line 2: digits are missing, or too many: four make three bytes");
    refused("AAEC\nAAE", "line 2: digits are missing, or too many: four make three bytes");
    refused("AAF=", "line 1: `F` at character 3 is no digit of base64, or stands where none can be");
}

fn text(u: &mut Unstructured<'_>) -> Result<String> {
    let letters = (0..u.int_in_range(1..=7)?).map(|_| Ok(*u.choose(&['a', 'B', '_', '7', '<', '&', '"', 'ä'])?));
    letters.collect()
}

fn package(u: &mut Unstructured<'_>) -> Result<Package> {
    let mut kernels = Vec::new();
    for index in 0..u.int_in_range(0..=2)? {
        let arguments = (0..u.int_in_range(0..=3)?).map(|n: u32| {
            let memory = if u.arbitrary()? { "HOST" } else { "" };
            Ok(Argument::new(&text(u)?, u.choose(&["uint64_t", "uint32_t", "void*"])?, 8 * n, memory))
        });
        kernels.push(Kernel {
            arguments: arguments.collect::<Result<_>>()?,
            name: format!("{}{index}", text(u)?),
            kind: "dpu".to_owned(),
            subtype: 1,
            functional: 0,
            kernel_id: u.int_in_range(0..=0xfff)?,
            instances: vec![text(u)?],
        });
    }
    let group = |u: &mut Unstructured<'_>| {
        Ok(CdoGroup {
            name: text(u)?,
            kind: GroupKind(u.arbitrary()?),
            pdi_id: u.arbitrary()?,
            kernel_ids: u.arbitrary()?,
            pre_groups: u.arbitrary()?,
        })
    };
    let mut pdis = Vec::new();
    for _ in 0..u.int_in_range(0..=2)? {
        let groups = (0..u.int_in_range(0..=2)?).map(|_| group(u)).collect::<Result<_>>()?;
        pdis.push(PartitionPdi { uuid: Uuid(u.arbitrary()?), image: u.arbitrary()?, place: 0, groups });
    }
    let bank =
        MemoryBank { kind: 2, used: true, size_kb: u.arbitrary()?, base: u.arbitrary()?, tag: "HOST".to_owned() };
    Ok(Package {
        kernels,
        memory: MemoryTopology { banks: vec![bank] },
        partition: AiePartition {
            schema: u.arbitrary()?,
            name: text(u)?,
            operations_per_cycle: u.arbitrary()?,
            inference_fingerprint: u.arbitrary()?,
            pre_post_fingerprint: u.arbitrary()?,
            kernel_commit: text(u)?,
            columns: u.arbitrary()?,
            start_columns: u.arbitrary()?,
            pdis,
        },
        memory_name: "m".to_owned(),
        partition_name: "p".to_owned(),
        extended: u.arbitrary()?,
        header: ferrite_xdna::xclbin::Header { time_stamp: u.arbitrary()?, ..Default::default() },
    })
}

#[test]
fn packages_survive() {
    arbtest(|u| {
        let package = package(u)?;
        let built = package.build().unwrap();
        let mut bytes = built.encode();
        let mut read = Xclbin::decode(&bytes).unwrap();
        assert_eq!(read.encode(), bytes);
        // Padding between sections is a gap of its own once it was read.
        read.gaps.retain(|(_, gap)| gap.iter().any(|byte| *byte != 0));
        assert_eq!(read, built);
        assert_eq!(read.header.length, bytes.len() as u64);
        assert_eq!(read.memory_topology().unwrap().as_ref(), Some(&package.memory));
        let mut partition = read.partition().unwrap().unwrap();
        partition.pdis.iter_mut().for_each(|pdi| pdi.place = 0);
        assert_eq!(partition, package.partition);
        let mut kernels = package.kernels;
        kernels.iter_mut().flat_map(|kernel| &mut kernel.arguments).for_each(|argument| argument.memory.clear());
        assert_eq!(read.kernels().unwrap(), kernels);
        spoil(u, &mut bytes)?;
        exercise(&bytes);
        Ok(())
    });
}

/// Calls everything that interprets foreign bytes.
fn exercise(bytes: &[u8]) {
    let Ok(xclbin) = Xclbin::decode(bytes) else { return };
    assert_eq!(xclbin.encode(), bytes);
    let _ = (xclbin.kernels(), xclbin.ip_layout(), xclbin.connectivity(), xclbin.memory_topology());
    let _ = (xclbin.group_connectivity(), xclbin.group_topology());
    if let Ok(Some(partition)) = xclbin.partition() {
        let images: usize = partition.pdis.iter().map(|pdi| pdi.image.len()).sum();
        assert!(images <= bytes.len());
        for pdi in &partition.pdis {
            let _ = Pdi::decode_at(&pdi.image, pdi.place);
        }
    }
}

#[test]
fn wrong_packages_are_refused() {
    let kernel = Kernel {
        name: "k".to_owned(),
        arguments: vec![Argument::new("a", "void*", 0, "SRAM")],
        instances: vec!["i".to_owned()],
        ..Kernel::default()
    };
    let package = Package {
        kernels: vec![kernel.clone()],
        memory: MemoryTopology::default(),
        partition: AiePartition::default(),
        memory_name: String::new(),
        partition_name: String::new(),
        extended: false,
        header: ferrite_xdna::xclbin::Header::default(),
    };
    assert!(matches!(package.build(), Err(PackageError::NoSuchMemory { .. })));
    let twice = Package {
        kernels: vec![Kernel { arguments: Vec::new(), ..kernel.clone() }, Kernel { arguments: Vec::new(), ..kernel }],
        ..package
    };
    assert_eq!(twice.build(), Err(PackageError::DuplicateInstance("k:i".to_owned())));
}

#[test]
fn hostile_offsets_are_refused_with_their_place() {
    let mut package = package(&mut Unstructured::new(&[0; 4096])).unwrap();
    package.partition.pdis = vec![PartitionPdi { image: vec![1, 2, 3, 4], ..PartitionPdi::default() }];
    let mut xclbin = package.build().unwrap();
    let section = xclbin.sections.iter_mut().find(|section| section.kind.0 == 32).unwrap();
    section.data[120..124].copy_from_slice(&u32::MAX.to_le_bytes());
    let error = xclbin.partition().unwrap_err().to_string();
    assert!(error.contains("the PDIs of the partition is cut short"), "{error}");
    // The same bytes as image of many PDIs would need more memory than the file has.
    let image = PartitionPdi { image: vec![0; 4096], ..PartitionPdi::default() };
    package.partition.pdis = vec![image.clone(), image];
    xclbin = package.build().unwrap();
    let section = xclbin.sections.iter_mut().find(|section| section.kind.0 == 32).unwrap();
    let at = u32::from_le_bytes(section.data[124..128].try_into().unwrap()) as usize;
    let first: Vec<u8> = section.data[at + 16..at + 24].to_vec();
    section.data[at + 112..at + 120].copy_from_slice(&first);
    assert!(xclbin.partition().is_ok(), "sharing what fits is allowed");
    let whole = section_length(&xclbin) as u32;
    let section = xclbin.sections.iter_mut().find(|section| section.kind.0 == 32).unwrap();
    for entry in [at + 16, at + 112] {
        section.data[entry..entry + 4].copy_from_slice(&(whole - 200).to_le_bytes());
        section.data[entry + 4..entry + 8].copy_from_slice(&0_u32.to_le_bytes());
    }
    let error = xclbin.partition().unwrap_err().to_string();
    assert!(error.contains("needs more memory"), "{error}");
}

fn section_length(xclbin: &Xclbin) -> usize {
    xclbin.sections.iter().find(|section| section.kind.0 == 32).map_or(0, |section| section.data.len())
}
