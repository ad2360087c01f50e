//! Buffer descriptors: values written out from the specification, round trips, limits with their explanations.

use arbtest::arbitrary::{Result, Unstructured};
use arbtest::arbtest;
use ferrite_xdna::descriptor::{Acquire, Descriptor, Dimension, Iteration, Next, Packet, Padding, Release, Use};
use ferrite_xdna::queue::{self, Task};
use ferrite_xdna::{Direction, Generation, TileKind};

#[test]
fn any_words_survive() {
    arbtest(|u| {
        let kind = *u.choose(&TileKind::ALL)?;
        let words: [u32; 8] = u.arbitrary()?;
        let descriptor = Descriptor::decode(kind, &words).unwrap();
        let count = usize::from(kind.facts().descriptor_words);
        assert_eq!(descriptor.encode(kind).unwrap(), words[..count]);
        let how = Use { kind, id: u.arbitrary()?, generation: Some(Generation::Npu1), channel: None };
        let text: Vec<String> = descriptor.check(&how).iter().map(ToString::to_string).collect();
        assert!(descriptor.to_string().len() < 400 && text.iter().all(|line| line.len() < 200));
        assert_eq!(Descriptor::decode(kind, &words[..count - 1]), None);
        Ok(())
    });
}

fn descriptor(u: &mut Unstructured<'_>, kind: TileKind) -> Result<Descriptor> {
    let bits = match kind {
        TileKind::Shim => (20, 10, 32, 46),
        TileKind::Memory => (17, 10, 17, 19),
        TileKind::Core => (13, 8, 14, 14),
    };
    let mut below = |bits: u32| u.int_in_range(0..=(1_u64 << bits) - 1);
    let mut descriptor = Descriptor {
        length: below(bits.2)? as u32,
        address: below(bits.3)? << 2,
        iteration: Iteration { step: below(bits.0)? as u32 + 1, wrap: below(6)? as u32 + 1, current: below(6)? as u8 },
        packet: Packet { enabled: below(1)? == 1, id: below(5)? as u8, kind: below(3)? as u8 },
        out_of_order: below(6)? as u8,
        acquire: Acquire { enabled: below(1)? == 1, lock: below(4)? as u8, value: below(7)? as i8 - 64 },
        release: Release { lock: below(4)? as u8, value: below(7)? as i8 - 64 },
        next: Next { enabled: below(1)? == 1, descriptor: below(4)? as u8 },
        valid: below(1)? == 1,
        suppress_tlast: below(1)? == 1,
        ..Descriptor::default()
    };
    let count = usize::from(kind.facts().dimensions);
    for (index, dimension) in descriptor.dimensions[..count].iter_mut().enumerate() {
        let wrap = if index + 1 == count { 0 } else { below(bits.1)? as u32 };
        *dimension = Dimension { step: below(bits.0)? as u32 + 1, wrap };
    }
    if kind == TileKind::Memory {
        for (padding, bits) in descriptor.padding.iter_mut().zip([6, 5, 4]) {
            *padding = Padding { before: below(bits)? as u8, after: below(bits)? as u8 };
        }
    }
    Ok(descriptor)
}

#[test]
fn typed_descriptors_survive() {
    arbtest(|u| {
        let kind = *u.choose(&TileKind::ALL)?;
        let descriptor = descriptor(u, kind)?;
        let words = descriptor.encode(kind).unwrap();
        assert_eq!(Descriptor::decode(kind, &words), Some(descriptor), "{kind} {words:x?}");
        Ok(())
    });
}

/// Words that are not zero: index and value.
type Words = &'static [(usize, u32)];

/// The layouts of the specification, bit by bit: what one value alone makes of the words.
#[test]
fn every_value_lies_where_the_specification_says() {
    let plain = Descriptor::default();
    let steps = |n: usize, step: u32, wrap: u32| {
        let mut descriptor = plain;
        descriptor.dimensions[n] = Dimension { step, wrap };
        descriptor
    };
    let acquire = Descriptor { acquire: Acquire { enabled: true, lock: 9, value: -1 }, ..plain };
    let release = Descriptor { release: Release { lock: 9, value: 1 }, ..plain };
    let next = Descriptor { next: Next { enabled: true, descriptor: 7 }, ..plain };
    let packet = Descriptor { packet: Packet { enabled: true, id: 3, kind: 5 }, out_of_order: 2, ..plain };
    let iteration = Descriptor { iteration: Iteration { step: 9, wrap: 5, current: 3 }, ..plain };
    let padded = Descriptor { padding: [Padding { before: 1, after: 2 }; 3], ..plain };
    let address = Descriptor { address: 0x1234, length: 0x77, valid: true, ..plain };
    let far = Descriptor { address: 0x1234_5678_9abc, ..plain };
    let cases: [(TileKind, Descriptor, Words); 22] = [
        (TileKind::Shim, address, &[(0, 0x77), (1, 0x1234), (7, 1 << 25)]),
        (TileKind::Shim, far, &[(1, 0x5678_9abc), (2, 0x1234)]),
        (TileKind::Shim, packet, &[(2, 1 << 30 | 2 << 24 | 3 << 19 | 5 << 16)]),
        (TileKind::Shim, steps(0, 6, 8), &[(3, 8 << 20 | 5)]),
        (TileKind::Shim, steps(1, 6, 8), &[(4, 8 << 20 | 5)]),
        (TileKind::Shim, steps(2, 6, 0), &[(5, 5)]),
        (TileKind::Shim, iteration, &[(6, 3 << 26 | 4 << 20 | 8)]),
        (TileKind::Shim, acquire, &[(7, 1 << 12 | 0x7f << 5 | 9)]),
        (TileKind::Shim, release, &[(7, 1 << 18 | 9 << 13)]),
        (TileKind::Shim, next, &[(7, 7 << 27 | 1 << 26)]),
        (TileKind::Memory, address, &[(0, 0x77), (1, 0x1234 / 4), (7, 1 << 31)]),
        (TileKind::Memory, packet, &[(0, 1 << 31 | 5 << 28 | 3 << 23 | 2 << 17)]),
        (TileKind::Memory, steps(2, 6, 8), &[(4, 8 << 17 | 5)]),
        (TileKind::Memory, steps(3, 6, 0), &[(5, 5)]),
        (TileKind::Memory, padded, &[(1, 1 << 26), (3, 1 << 27), (4, 1 << 27), (5, 2 << 28 | 2 << 23 | 2 << 17)]),
        (TileKind::Memory, acquire, &[(7, 1 << 15 | 0x7f << 8 | 9)]),
        (TileKind::Memory, release, &[(7, 1 << 24 | 9 << 16)]),
        (TileKind::Memory, iteration, &[(6, 3 << 23 | 4 << 17 | 8)]),
        (TileKind::Core, address, &[(0, (0x1234 / 4) << 14 | 0x77), (5, 1 << 25)]),
        (TileKind::Core, packet, &[(1, 1 << 30 | 2 << 24 | 3 << 19 | 5 << 16)]),
        (TileKind::Core, steps(1, 6, 8), &[(2, 5 << 13), (3, 8 << 21)]),
        (TileKind::Core, iteration, &[(4, 3 << 19 | 4 << 13 | 8)]),
    ];
    for (kind, descriptor, expected) in cases {
        let mut words = vec![0; usize::from(kind.facts().descriptor_words)];
        expected.iter().for_each(|(word, value)| words[*word] = *value);
        assert_eq!(descriptor.encode(kind).unwrap(), words, "{kind}: {descriptor}");
    }
}

#[track_caller]
fn refused(kind: TileKind, descriptor: Descriptor, message: &str) {
    assert_eq!(descriptor.encode(kind).unwrap_err().to_string(), message);
}

#[test]
fn what_does_not_fit_is_refused_with_its_limit() {
    let mut descriptor = Descriptor::default();
    descriptor.dimensions[0].wrap = 1024;
    refused(
        TileKind::Shim,
        descriptor,
        "D0 wrap of a shim tile's buffer descriptor: `shim.DMA_BDN_3.D0_Wrap` cannot hold 1024 (max 1023)",
    );
    refused(
        TileKind::Core,
        descriptor,
        "D0 wrap of a core tile's buffer descriptor: `memory.DMA_BDN_3.D0_Wrap` cannot hold 1024 (max 255)",
    );
    descriptor = Descriptor::default();
    descriptor.dimensions[3].step = 2;
    refused(TileKind::Core, descriptor, "a core tile's buffer descriptor has no D3 step, but 1 is asked for");
    descriptor.dimensions[3].step = 0;
    refused(TileKind::Memory, descriptor, "D3 step is stored minus one, so it cannot be 0");
    refused(TileKind::Core, Descriptor { address: 2, ..Descriptor::default() }, "address 0x2 is no multiple of 4");
    let high = Descriptor { address: 0x1_0000, ..Descriptor::default() };
    assert!(high.encode(TileKind::Core).unwrap_err().to_string().contains("cannot hold 16384 (max 16383)"));
    let lock = Descriptor { acquire: Acquire { enabled: true, lock: 0, value: 64 }, ..Descriptor::default() };
    assert!(lock.encode(TileKind::Shim).unwrap_err().to_string().contains("cannot hold 64 (max 63)"));
}

#[test]
fn limits_beyond_fields_are_explained() {
    let mut descriptor = Descriptor { length: 0x101, address: 0xfc00, valid: true, ..Descriptor::default() };
    let mut how = Use { kind: TileKind::Core, id: 16, generation: None, channel: None };
    let text = |descriptor: &Descriptor, how: &Use| {
        descriptor.check(how).iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
    };
    assert_eq!(
        text(&descriptor, &how),
        "a core tile has buffer descriptors 0 to 15, there is no 16; \
         it reaches byte 0x10004, but the DMA of a core tile reaches 0x10000 bytes"
    );
    descriptor = Descriptor { length: 8, valid: true, ..Descriptor::default() };
    descriptor.padding[1].after = 1;
    how = Use { kind: TileKind::Memory, id: 24, generation: None, channel: Some((Direction::S2mm, 2)) };
    assert_eq!(
        text(&descriptor, &how),
        "zero padding works on MM2S channels only; zeros after D1 need a wrap in D1; \
         S2MM channel 2 of a memory tile reaches buffer descriptors 0 to 23 only, not 24"
    );
    descriptor = Descriptor { length: 8, valid: true, ..Descriptor::default() };
    descriptor.bus.burst = 3;
    how = Use { kind: TileKind::Shim, id: 0, generation: Some(Generation::Npu1), channel: None };
    assert_eq!(text(&descriptor, &how), "burst length code 3 is not known to AIE2; codes are 0 to 2");
    how.generation = Some(Generation::Npu2);
    assert_eq!(text(&descriptor, &how), "");
}

#[test]
fn extents_follow_the_walk() {
    // Against a walk in the plainest form: indices counted up, innermost first.
    arbtest(|u| {
        let kind = *u.choose(&TileKind::ALL)?;
        let count = usize::from(kind.facts().dimensions);
        let mut descriptor = Descriptor { length: u.int_in_range(1..=60)?, ..Descriptor::default() };
        for (index, dimension) in descriptor.dimensions[..count].iter_mut().enumerate() {
            let wrap = if index + 1 == count { 0 } else { u.int_in_range(0..=5)? };
            *dimension = Dimension { step: u.int_in_range(1..=9)?, wrap };
        }
        let mut last = 0;
        for word in 0..u64::from(descriptor.length) {
            let (mut rest, mut at) = (word, 0);
            for dimension in &descriptor.dimensions[..count] {
                let wrap = u64::from(dimension.wrap);
                let here = if wrap == 0 { rest } else { rest % wrap };
                at += here * u64::from(dimension.step);
                rest = rest.checked_div(wrap).unwrap_or(0);
            }
            last = last.max(at);
        }
        let extent = descriptor.extent(kind);
        // A last row that is not full may end before the fullest one.
        assert!(extent > last, "{descriptor}");
        if descriptor.dimensions[0].wrap == 0 || descriptor.length <= descriptor.dimensions[0].wrap {
            assert_eq!(extent, last + 1, "{descriptor}");
        }
        Ok(())
    });
}

#[test]
fn tasks_survive() {
    arbtest(|u| {
        let kind = *u.choose(&TileKind::ALL)?;
        let most = if kind == TileKind::Memory { 63 } else { 15 };
        let task =
            Task { descriptor: u.int_in_range(0..=most)?, executions: u.int_in_range(1..=256)?, token: u.arbitrary()? };
        assert_eq!(Task::decode(kind, task.encode(kind).unwrap()), task);
        Ok(())
    });
    let none = Task { descriptor: 0, executions: 0, token: false };
    assert!(none.encode(TileKind::Shim).is_err());
    assert!(Task { executions: 257, ..none }.encode(TileKind::Shim).is_err());
    let token = Task { descriptor: 3, executions: 1, token: true };
    assert_eq!(token.encode(TileKind::Shim), Ok(0x8000_0003));
    assert_eq!(queue::controller(TileKind::Shim, Direction::S2mm, 1, 15), Some((0x1d208, 0xf00, 0x1f00)));
}
