//! Damaged files: an error with an offset, or a model, but never a panic, and never memory the size does not justify.

mod common;

use arbtest::arbitrary::{Result, Unstructured};
use arbtest::arbtest;
use ferrite_rknn::{Error, Model};

/// Calls everything that interprets foreign bytes.
fn exercise(bytes: Vec<u8>) -> bool {
    let length = bytes.len();
    let model = match Model::read(bytes) {
        Ok(model) => model,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return false;
        }
    };
    let _ = model.to_string();
    let _ = model.require_soc("rk3588");
    assert!(model.weight_image().blobs.len() == model.blobs().len());
    assert!(model.weight_image().size <= 64 * length, "an image of {} bytes", model.weight_image().size);
    assert!(model.warnings().iter().map(String::len).sum::<usize>() < 64 * length);
    for index in 0..model.blobs().len() {
        assert!(model.blob(index).is_some());
    }
    for graph in model.graphs() {
        let _ = model.task_list_of(graph);
        let programs = graph.program_blob().map_or(0, |blob| model.blob(blob).unwrap().len() / 8);
        let mut places = graph.relocations.iter().flat_map(|relocations| &relocations.places);
        assert!(places.all(|place| place.command < programs));
        for operator in &graph.operators {
            assert!(operator.inputs.iter().chain(&operator.outputs).all(|&index| index < graph.tensors.len()));
            let _ = (0..8).map(|region| operator.task_count(region)).max();
            let _ = model.operator_attributes(operator);
        }
        for tensor in &graph.tensors {
            assert!(tensor.blob.is_none_or(|blob| blob < model.blobs().len()));
        }
    }
    true
}

fn spoil(bytes: &mut Vec<u8>, other: &[u8], random: &mut Unstructured<'_>) -> Result<()> {
    let at = random.choose_index(bytes.len())?;
    match random.int_in_range(0..=6)? {
        0 => bytes[at] ^= 1 << random.int_in_range(0..=7)?,
        1 => bytes[at] = random.arbitrary()?,
        2 => bytes.truncate(at + 1),
        3 => {
            let from = random.choose_index(other.len())?;
            let length = random.int_in_range(1..=64)?.min(other.len() - from).min(bytes.len() - at);
            bytes[at..at + length].copy_from_slice(&other[from..from + length]);
        }
        4 => {
            let value: u32 = *random.choose(&[0, 1, 0x7fff_ffff, 0x8000_0000, 0xffff_fffc, 0xffff_ffff])?;
            let length = 4.min(bytes.len() - at);
            bytes[at..at + length].copy_from_slice(&value.to_le_bytes()[..length]);
        }
        5 => {
            // Small steps are what turns one offset into another valid one.
            let aligned = at & !3;
            if let Some(chunk) = bytes.get(aligned..aligned + 4) {
                let value = u32::from_le_bytes([chunk[0], chunk[1], chunk[2], chunk[3]]);
                let step: i8 = random.arbitrary()?;
                let value = value.wrapping_add_signed(4 * i32::from(step));
                bytes[aligned..aligned + 4].copy_from_slice(&value.to_le_bytes());
            }
        }
        _ => {
            let length = random.int_in_range(1..=32)?.min(bytes.len() - at);
            bytes.drain(at..at + length);
            if bytes.is_empty() {
                bytes.push(0);
            }
        }
    }
    Ok(())
}

#[test]
fn damaged_files_do_no_harm() {
    let models = common::models();
    arbtest(|random| {
        let (_, bytes, model) = random.choose(&models)?;
        let (_, other, _) = random.choose(&models)?;
        let mut bytes = bytes.clone();
        // Most of a file is weights, where damage goes unseen; keep to the tables and texts.
        let tables = model.blobs().iter().map(|range| range.start).filter(|&start| start > 100).min();
        if random.ratio(1, 2)? {
            let end = tables.unwrap_or(bytes.len());
            let mut head = bytes[..end].to_vec();
            for _ in 0..random.int_in_range(1..=4)? {
                spoil(&mut head, other, random)?;
            }
            head.extend_from_slice(&bytes[end..]);
            exercise(head);
        }
        for _ in 0..random.int_in_range(1..=8)? {
            spoil(&mut bytes, other, random)?;
        }
        exercise(bytes);
        Ok(())
    })
    .budget_ms(3_000);
}

#[test]
fn every_truncation_is_an_error() {
    for (name, bytes, _) in common::models() {
        let step = bytes.len() / 4_000 + 1;
        for length in (0..bytes.len()).step_by(step) {
            assert!(!exercise(bytes[..length].to_vec()), "{name} cut to {length} is read without complaint");
        }
    }
}

#[test]
fn every_byte_of_a_small_file_may_be_wrong() {
    let (_, bytes, _) = common::models().into_iter().min_by_key(|(_, bytes, _)| bytes.len()).unwrap();
    let (mut read, mut refused) = (0, 0);
    for at in 0..bytes.len() {
        for value in [0x00, 0x01, 0x7f, 0x80, 0xff] {
            let mut bytes = bytes.clone();
            bytes[at] = value;
            if exercise(bytes) { read += 1 } else { refused += 1 }
        }
    }
    assert!(read > 0 && refused > 0);
}

#[test]
fn random_containers_do_no_harm() {
    arbtest(|random| {
        let mut bytes = b"RKNN\0\0\0\0".to_vec();
        bytes.extend_from_slice(&random.int_in_range(1..=6_u64)?.to_le_bytes());
        let rest: Vec<u8> = random.arbitrary()?;
        bytes.extend_from_slice(&(rest.len() as u64).to_le_bytes());
        bytes.resize(64, 0);
        bytes.extend_from_slice(&[4, 0, 0, 0]);
        bytes.extend_from_slice(b"RKNN");
        bytes.extend_from_slice(&rest);
        exercise(bytes);
        Ok(())
    })
    .budget_ms(1_000);
}

/// A FlatBuffer, built by hand: a root whose graph has `count` tensors that are all the same one, with a long shape.
fn shared_tensor(count: u32, shape: u32) -> Vec<u8> {
    let mut data: Vec<u8> = Vec::new();
    let push = |data: &mut Vec<u8>, value: u32| {
        data.extend_from_slice(&value.to_le_bytes());
        data.len() - 4
    };
    push(&mut data, 0);
    data.extend_from_slice(b"RKNN");
    let vtable = |data: &mut Vec<u8>, slots: usize, used: usize| {
        let start = data.len();
        data.extend_from_slice(&(4 + 2 * slots as u16).to_le_bytes());
        data.extend_from_slice(&8_u16.to_le_bytes());
        for slot in 0..slots {
            data.extend_from_slice(&if slot == used { 4_u16 } else { 0 }.to_le_bytes());
        }
        while !data.len().is_multiple_of(4) {
            data.push(0);
        }
        let table = data.len();
        data.extend_from_slice(&((table - start) as i32).to_le_bytes());
        data.extend_from_slice(&[0; 4]);
        table
    };
    let link = |data: &mut Vec<u8>, at: usize| {
        let offset = (data.len() - at) as u32;
        data[at..at + 4].copy_from_slice(&offset.to_le_bytes());
    };
    let root = vtable(&mut data, 3, 2);
    data[0..4].copy_from_slice(&(root as u32).to_le_bytes());
    link(&mut data, root + 4);
    push(&mut data, 1);
    let graph_at = push(&mut data, 0);
    // The table starts after its vtable.
    let graph = vtable(&mut data, 1, 0);
    let offset = (graph - graph_at) as u32;
    data[graph_at..graph_at + 4].copy_from_slice(&offset.to_le_bytes());
    link(&mut data, graph + 4);
    push(&mut data, count);
    let places: Vec<usize> = (0..count).map(|_| push(&mut data, 0)).collect();
    let tensor = vtable(&mut data, 5, 4);
    for place in places {
        let offset = (tensor - place) as u32;
        data[place..place + 4].copy_from_slice(&offset.to_le_bytes());
    }
    link(&mut data, tensor + 4);
    push(&mut data, shape);
    data.resize(data.len() + 4 * shape as usize, 0);
    let mut bytes = b"RKNN\0\0\0\0\x06\0\0\0\0\0\0\0".to_vec();
    bytes.extend_from_slice(&(data.len() as u64).to_le_bytes());
    bytes.resize(64, 0);
    bytes.extend_from_slice(&data);
    bytes.extend_from_slice(&2_u64.to_le_bytes());
    bytes.extend_from_slice(b"{}");
    bytes
}

#[test]
fn shared_tables_cannot_multiply_memory() {
    // A sound use of sharing is read; the same trick at scale would ask for 40 GB and is refused.
    assert_eq!(Model::read(shared_tensor(3, 5)).unwrap().tensors().len(), 3);
    let bytes = shared_tensor(100_000, 100_000);
    assert!(bytes.len() < 1_000_000);
    let error = Model::read(bytes).unwrap_err();
    assert!(matches!(error, Error::TooMuchMemory { .. }), "{error}");
}

#[test]
fn a_huge_count_is_refused_where_it_stands() {
    let bytes = shared_tensor(3, 5);
    let at = bytes.len() - 2 - 8 - 4 * 5 - 4;
    let mut damaged = bytes.clone();
    damaged[at..at + 4].copy_from_slice(&0x3fff_ffff_u32.to_le_bytes());
    let error = Model::read(damaged).unwrap_err();
    let Error::OutOfBounds { offset, what, .. } = error else { panic!("{error}") };
    assert_eq!((offset, what), (at + 4, "tensor shape"));
}
