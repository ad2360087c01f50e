//! Transfers: what they become, against a walk over the array in the plainest form.

use arbtest::arbtest;
use ferrite_xdna::descriptor::Padding;
use ferrite_xdna::transfer::{Buffer, Extent, Transfer, TransferError};
use ferrite_xdna::txn::Operation;
use ferrite_xdna::{Address, Direction, Generation, Tile, TileKind};

/// Word addresses that one execution of a descriptor visits.
fn walk(descriptor: &ferrite_xdna::Descriptor, kind: TileKind) -> Vec<u64> {
    let count = usize::from(kind.facts().dimensions);
    let visit = |word: u64| {
        let (mut rest, mut at) = (word, descriptor.address / 4);
        for dimension in &descriptor.dimensions[..count] {
            let wrap = u64::from(dimension.wrap);
            at += if wrap == 0 { rest } else { rest % wrap } * u64::from(dimension.step);
            rest = rest.checked_div(wrap).unwrap_or(0);
        }
        at
    };
    (0..u64::from(descriptor.length)).map(visit).collect()
}

#[test]
fn descriptors_visit_the_elements() {
    arbtest(|u| {
        let tile = *u.choose(&[Tile::new(0, 0), Tile::new(0, 1), Tile::new(0, 2)])?;
        let kind = tile.kind().unwrap();
        let buffer = match kind {
            TileKind::Shim => Buffer::Argument(0),
            _ => Buffer::Local { tile, address: Some(0x40) },
        };
        let mut transfer = Transfer::linear(tile, Direction::Mm2s, 0, buffer);
        transfer.descriptor = Some(0);
        for _ in 0..u.int_in_range(1..=3)? {
            transfer.extents.push(Extent { size: u.int_in_range(1..=6)?, stride: u.int_in_range(1..=40)? });
        }
        transfer.offset = u.int_in_range(0..=9)?;
        let lowered = transfer.lower(Generation::Npu2).unwrap();
        let mut expected = vec![transfer.offset + if kind == TileKind::Shim { 0 } else { 0x10 }];
        for extent in &transfer.extents {
            let all = expected.iter().flat_map(|at| (0..extent.size).map(move |n| at + n * extent.stride));
            expected = all.collect();
        }
        let mut descriptor = lowered.descriptor;
        // The address of an argument is patched in, with the offset.
        descriptor.address += if kind == TileKind::Shim { lowered.offset } else { 0 };
        assert_eq!(walk(&descriptor, kind), expected, "{transfer:?}");
        Ok(())
    });
}

#[test]
fn narrow_elements_are_counted_in_words() {
    let mut transfer = Transfer::linear(Tile::new(2, 0), Direction::S2mm, 1, Buffer::Argument(3));
    transfer.descriptor = Some(5);
    transfer.element_bits = 16;
    transfer.offset = 4;
    transfer.extents = vec![Extent { size: 4, stride: 64 }, Extent { size: 8, stride: 1 }];
    let lowered = transfer.lower(Generation::Npu1).unwrap();
    assert_eq!((lowered.descriptor.length, lowered.offset), (16, 8));
    let operations = lowered.operations().unwrap();
    assert_eq!(operations[0].address(), Some(Address(0x0401_d0a0)));
    let patch = Operation::PatchAddress { address: Address(0x0401_d0a4), argument: 3, offset: 8, action: 0 };
    assert_eq!(operations[1], patch);
    transfer.extents[1].size = 7;
    assert_eq!(transfer.lower(Generation::Npu1), Err(TransferError::UnalignedSize(112)));
}

#[test]
fn what_is_too_large_is_refused() {
    let mut transfer = Transfer::linear(Tile::new(0, 0), Direction::Mm2s, 0, Buffer::Argument(0));
    transfer.descriptor = Some(0);
    transfer.extents = vec![Extent { size: 2, stride: 4096 }, Extent { size: 2000, stride: 1 }];
    let error = transfer.lower(Generation::Npu1).unwrap_err().to_string();
    assert!(error.contains("D0 wrap of a shim tile's buffer descriptor"), "{error}");
    transfer.extents =
        vec![Extent { size: 65, stride: 4 }, Extent { size: 1, stride: 1 }, Extent { size: 1, stride: 1 }];
    transfer.extents.push(Extent { size: 4, stride: 1 });
    let error = transfer.lower(Generation::Npu1).unwrap_err().to_string();
    assert!(error.contains("iteration wrap"), "{error}");
    transfer.extents = vec![Extent { size: u64::MAX, stride: u64::MAX }; 4];
    assert_eq!(transfer.lower(Generation::Npu1), Err(TransferError::TooLarge));
    transfer.extents.clear();
    transfer.channel = 2;
    assert!(matches!(transfer.lower(Generation::Npu1), Err(TransferError::NoChannel { .. })));
}

/// Zeros after the outermost dimension need its wrap, which a transfer without them leaves out.
#[test]
fn padded_dimensions_have_wraps() {
    let tile = Tile::new(0, 1);
    let mut transfer = Transfer::linear(tile, Direction::Mm2s, 0, Buffer::Local { tile, address: Some(0) });
    transfer.descriptor = Some(0);
    transfer.extents = [(2, 64), (4, 16), (8, 1)].map(|(size, stride)| Extent { size, stride }).to_vec();
    assert_eq!(transfer.lower(Generation::Npu2).unwrap().descriptor.dimensions[2].wrap, 0);
    transfer.padding = vec![Padding { before: 0, after: 1 }; 3];
    let descriptor = transfer.lower(Generation::Npu2).unwrap().descriptor;
    assert_eq!(descriptor.dimensions.map(|dimension| dimension.wrap), [8, 4, 2, 0]);
}
