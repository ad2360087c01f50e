//! Instruction streams: values written out from the specification, round trips, and hostile bytes.

use arbtest::arbitrary::{Result, Unstructured};
use arbtest::arbtest;
use ferrite_xdna::txn::aiebu::AiebuListing;
use ferrite_xdna::txn::{Entry, Header, Operation, Stream, Version, opcode};
use ferrite_xdna::{Address, Device, Generation, Tile};

fn header(u: &mut Unstructured<'_>) -> Result<Header> {
    Ok(Header {
        version: *u.choose(&[Version::V0_1, Version::V1_0])?,
        generation: u.arbitrary()?,
        rows: u.arbitrary()?,
        columns: u.arbitrary()?,
        memory_rows: u.arbitrary()?,
        padding: u.arbitrary()?,
    })
}

fn operation(u: &mut Unstructured<'_>, version: Version) -> Result<Operation> {
    let short = version == Version::V1_0;
    let address = Address(u.arbitrary()?);
    let (value, mask) = (u.arbitrary()?, u.arbitrary()?);
    Ok(match u.int_in_range(0..=17)? {
        0 => Operation::Write { address, value },
        1 => Operation::BlockWrite { address, data: u.arbitrary()? },
        2 => Operation::MaskWrite { address, value, mask },
        3 => Operation::MaskPoll { address, value, mask, busy: u.arbitrary()? },
        4 => Operation::Noop,
        5 => Operation::Preempt { level: u.arbitrary()? },
        6 => Operation::LoadPdi { id: u.arbitrary()?, size: u.arbitrary()?, address: u.arbitrary()? },
        7 => Operation::LoadProgram { operations: u.int_in_range(0..=0xff_ffff)?, id: u.arbitrary()? },
        8 => Operation::CreateScratchpad { usage: u.arbitrary()?, size: u.arbitrary()?, offset: u.arbitrary()? },
        9 => Operation::UpdateState { index: u.arbitrary()?, function: u.arbitrary()?, argument: u.arbitrary()? },
        10 => Operation::UpdateRegister { index: u.arbitrary()?, function: u.arbitrary()?, argument: value, address },
        11 => Operation::UpdateScratch,
        12 => Operation::Sync {
            direction: u.arbitrary()?,
            tile: Tile::new(u.arbitrary()?, u.arbitrary()?),
            rows: u.arbitrary()?,
            columns: u.arbitrary()?,
            channel: u.arbitrary()?,
        },
        13 => Operation::PatchAddress {
            address,
            argument: if short { u32::from(u.arbitrary::<u8>()?) } else { u.arbitrary()? },
            offset: u.arbitrary()?,
            action: if short { 0 } else { u.arbitrary()? },
        },
        14 => {
            let narrow: Vec<u32> = u.arbitrary()?;
            let wide = u.arbitrary()?;
            let addresses = narrow.into_iter().map(|word| if wide { u64::from(word) << 9 } else { u64::from(word) });
            Operation::ReadRegisters { addresses: addresses.collect(), wide }
        }
        15 => Operation::RecordTimer { id: u.arbitrary()? },
        16 => Operation::MergeSync { tokens: u.arbitrary()? },
        _ => Operation::Custom { opcode: u.int_in_range(0x85..=0xff)?, payload: u.arbitrary()? },
    })
}

fn stream(u: &mut Unstructured<'_>) -> Result<Stream> {
    let mut stream = Stream::new(header(u)?);
    for _ in 0..u.int_in_range(0..=12)? {
        let operation = operation(u, stream.header.version)?;
        stream.push(operation);
    }
    if u.ratio(1, 8)? {
        let words = [u32::from(*u.choose(&[opcode::BLOCK_SET, opcode::CONFIG_SHIM_BD, 0x42])?), u.arbitrary()?];
        stream.push(Operation::Opaque { operations: u.int_in_range(0..=9)?, words: words.to_vec() });
    }
    if u.ratio(1, 8)? {
        stream.trailing = u.arbitrary()?;
    }
    Ok(stream)
}

#[test]
fn typed_streams_survive_bytes_and_text() {
    arbtest(|u| {
        let stream = stream(u)?;
        let bytes = stream.encode().unwrap();
        assert_eq!(Stream::decode(&bytes).as_ref(), Ok(&stream));
        assert_eq!(Stream::parse(&stream.to_string()).as_ref(), Ok(&stream), "{stream}");
        assert_eq!(Stream::parse(&stream.listing().to_string()).as_ref(), Ok(&stream));
        Ok(())
    });
}

#[test]
fn spoiled_streams_are_read_losslessly_or_refused() {
    arbtest(|u| {
        let mut bytes = stream(u)?.encode().unwrap();
        for _ in 0..u.int_in_range(1..=6)? {
            let at = u.choose_index(bytes.len())?;
            bytes[at] = u.arbitrary()?;
        }
        if u.ratio(1, 4)? {
            bytes.truncate(u.choose_index(bytes.len())?);
        }
        if let Ok(stream) = Stream::decode(&bytes) {
            assert_eq!(stream.encode().unwrap(), bytes, "{stream}");
            assert_eq!(Stream::parse(&stream.to_string()).as_ref(), Ok(&stream), "{stream}");
            assert!(stream.entries.len() <= bytes.len() / 4);
        }
        Ok(())
    });
}

#[test]
fn any_text_is_read_or_refused() {
    arbtest(|u| {
        let words = [
            "txn", "0.1", "write", "0x10", "7", "mask=3", "+", "spare", "1:2", "sync", "s2mm", "row=1", "\n", ";", "=",
        ];
        let mut text = String::from("txn 0.1 generation=3 rows=6 columns=1 memory_rows=1\n");
        for _ in 0..u.int_in_range(0..=20)? {
            text.push_str(u.choose(&words)?);
            text.push(' ');
        }
        let _ = Stream::parse(&text);
        Ok(())
    });
}

/// Words by hand from the layouts of the specification.
#[test]
fn a_stream_by_hand() {
    let mut stream = Stream::new(Header::of(Device::named("npu1_2col").unwrap()));
    stream.push(Operation::MaskPoll { address: Address(0x1d228), value: 0, mask: 0x0030_0000, busy: true });
    stream.push(Operation::CreateScratchpad { usage: 2, size: 0x100, offset: 0x1_0000_0004 });
    stream.push(Operation::UpdateState { index: 3, function: 1, argument: 9 });
    stream.push(Operation::UpdateRegister { index: 3, function: 2, argument: 9, address: Address(0x0021_f000) });
    stream.push(Operation::LoadProgram { operations: 0x12345, id: 6 });
    stream.push(Operation::RecordTimer { id: 0x55 });
    #[rustfmt::skip]
    let words = [
        0x0603_0100, 0x102, 6, 0x70,
        7, 0, 0x1d228, 0, 0, 0x0030_0000, 28,
        0x20a, 0x100, 4, 1,
        0x0001_030b, 9,
        0x0002_030c, 9, 0x0021_f000,
        0x0123_4509, 6,
        0x83, 12, 0x55,
    ];
    // 16 bytes of header and 21 words.
    let mut expected = words.to_vec();
    expected[3] = 16 + 21 * 4;
    assert_eq!(stream.words().unwrap(), expected);
}

#[test]
fn undefined_bytes_survive() {
    let mut stream = Stream::new(Header::of(Device::named("npu2").unwrap()));
    stream.push(Operation::MaskPoll { address: Address(0x1d228), value: 1, mask: 3, busy: false });
    stream.push(Operation::Noop);
    let mut words = stream.words().unwrap();
    // Garbage in the bytes after the code and in the second word, and a structure of 32 bytes as aie-rt has it.
    words[4] |= 0xdead_be00;
    words[5] = 0xcafe_f00d;
    words[10] = 32;
    words.insert(11, 0x1234_5678);
    words[3] += 4;
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let decoded = Stream::decode(&bytes).unwrap();
    assert!(decoded.operations().eq(stream.operations()));
    assert_eq!(decoded.entries[0].spare.extra, [0x1234_5678]);
    assert_eq!(decoded.entries[0].spare.bits, [(0, 0xdead_be00), (1, 0xcafe_f00d)]);
    assert_eq!(decoded.encode().unwrap(), bytes);
    assert_eq!(decoded.entries[1], Entry::from(Operation::Noop));
}

/// A listing by hand, in the form of aiebu's own tests.
#[test]
fn a_listing_of_aiebu_by_hand() {
    let text = "\
;  [2] .ctrltext\t132

    .attach_to_group 0
    .attach_to_group 1

XAIE_IO_BLOCKWRITE              @0x1d000, 0x40, 0x0
XAIE_IO_CUSTOM_OP_DDR_PATCH     @0x1d004, 12, 0x10
XAIE_IO_MASKWRITE               @0x232000, 0x3, 0x1
XAIE_IO_MASKPOLL                @0x1d228, 0x78003c, 0x0
XAIE_IO_MASKPOLL_BUSY           @0x1d228, 0x1, 0x1
XAIE_IO_PREEMPT                 AIE_TILE
XAIE_IO_LOAD_PM_START           0x12, 0x5
XAIE_IO_NOOP                   \x20
XAIE_IO_CUSTOM_OP_TCT          \x20
ReadOp:\x20

";
    let mut listing = AiebuListing::parse(text).unwrap();
    assert_eq!(listing.to_string(), text);
    let section = listing.section.as_ref().map(|section| (section.index, section.name.as_str(), section.size));
    assert_eq!((listing.columns, section), (2, Some((2, ".ctrltext", 132))));
    let expected = [
        Operation::BlockWrite { address: Address(0x1d000), data: vec![0x40, 0] },
        Operation::PatchAddress { address: Address(0x1d004), argument: 12, offset: 0x10, action: 0 },
        Operation::MaskWrite { address: Address(0x0023_2000), value: 1, mask: 3 },
        Operation::MaskPoll { address: Address(0x1d228), value: 0, mask: 0x0078_003c, busy: false },
        Operation::MaskPoll { address: Address(0x1d228), value: 1, mask: 1, busy: true },
        Operation::Preempt { level: 2 },
        Operation::LoadProgram { operations: 0x12, id: 5 },
        Operation::Noop,
    ];
    assert_eq!(listing.operations[..8], expected);
    let left_out = listing.left_out().unwrap().to_string();
    assert_eq!(left_out, "aiebu's listing leaves out the fields of operation 8, XAIE_IO_CUSTOM_OP_TCT");
    listing.operations.truncate(8);
    assert_eq!(listing.left_out(), None);
    assert_eq!(listing.stream().header, Header::of(Device::of(Generation::Npu2, 2).unwrap()));
    listing.section = None;
    assert_eq!(AiebuListing::of(&listing.stream()), Some(listing));
}

#[test]
fn wrong_listings_are_refused_with_the_line() {
    let refused = |line: &str, problem: &str| {
        let text = format!("\n.attach_to_group 0 ; one column\n{line}\n");
        assert_eq!(AiebuListing::parse(&text).unwrap_err().to_string(), format!("line 3: {problem}"));
    };
    refused("XAIE_IO_WRITE 0x10, 1", "`0x10` is no address, which starts with `@`");
    refused("XAIE_IO_WRITE @0x10", "the value is missing");
    refused("XAIE_IO_WRITE @0x10, 1, 2", "`2` has no place here");
    refused("XAIE_IO_WRITE @0x10, word", "`word` is no number");
    refused("XAIE_IO_WRITE @0x100000000, 1", "the address cannot be 4294967296, at most 4294967295");
    refused("XAIE_IO_NOOP 1", "`1` has no place here");
    refused("XAIE_IO_PREEMPT MUCH", "there is no level of preemption `MUCH`");
    refused("XAIE_IO_LOAD_PM_START 0x1000000, 1", "the number of operations cannot be 16777216, at most 16777215");
    refused("START_JOB 1", "there is no operation `START_JOB`");
    refused(".attach_to_group 2", "`.attach_to_group 2` has no place here");
    // aiebu cannot list what it has no line for.
    let mut stream = Stream::new(Header::of(Device::named("npu2").unwrap()));
    stream.push(Operation::UpdateScratch);
    assert_eq!(AiebuListing::of(&stream), None);
}

#[track_caller]
fn refused(words: &[u32], message: &str) {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    assert_eq!(Stream::decode(&bytes).unwrap_err().to_string(), message);
}

#[test]
fn wrong_streams_are_refused_with_the_byte() {
    refused(
        &[0x0603_0200, 0x101, 0, 16],
        "byte 0x0: the version (major in the low byte) is 0x200, but only 0x100 (version 0.1) or 0x1 (version 1.0) can be right",
    );
    refused(&[0x0603_0100, 0x101, 0, 20], "byte 0x10: the instruction stream is cut short by 4 bytes");
    refused(&[0x0603_0100, 0x101, 1, 20, 0], "byte 0x24: the size of an operation is cut short by 20 bytes");
    refused(
        &[0x0603_0100, 0x101, 1, 40, 0, 0, 0, 0, 0, 20],
        "byte 0x24: the size of an operation is 0x14, but only a size that holds its fields can be right",
    );
    refused(
        &[0x0603_0100, 0x101, 1, 40, 0, 0, 0, 0, 0, 25],
        "byte 0x24: the size of an operation is 25, which is no multiple of 4",
    );
    refused(
        &[0x0603_0100, 0x101, 1, 40, 0, 0, 0, 7, 0, 24],
        "byte 0x1c: the upper half of a register address or argument number is 0x7, but only 0 can be right",
    );
    refused(
        &[0x0603_0100, 0x101, 2, 40, 0, 0, 0, 0, 0, 24],
        "byte 0x8: the number of operations is 0x2, but only the number that the size holds can be right",
    );
}
