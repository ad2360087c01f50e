//! Buffer descriptors, transfers, task queues, locks and switches.

use ferrite_xdna::descriptor::{Acquire, Descriptor, Dimension, Iteration, Next, Packet, Padding, Release};
use ferrite_xdna::device::switch::{self, Bundle, Port};
use ferrite_xdna::queue::Task;
use ferrite_xdna::transfer::{Buffer, Extent, Lowered, Transfer, TransferError};
use ferrite_xdna::txn::Operation;
use ferrite_xdna::{Address, Device, Direction, Generation, Tile, TileKind};
use serde_json::Value;

use crate::check::{Outcome, Tally, int, int8, int32, json, list, name, same, text, word};

fn generation(case: &Value) -> Generation {
    // One test targets an Edge device of the same architecture as npu1.
    Device::named(case["device"].as_str().unwrap_or("npu1")).map_or(Generation::Npu1, |device| device.generation)
}

fn tile(value: &Value) -> Tile {
    Tile::new(int8(&value[0]), int8(&value[1]))
}

fn direction(value: &Value) -> Direction {
    if value == "S2MM" { Direction::S2mm } else { Direction::Mm2s }
}

pub(crate) fn all(tally: &mut Tally) {
    let file = json("bd.json");
    for case in list(&file["direct_writebd"]) {
        tally.case(name(case), direct(case));
    }
    for case in list(&file["memcpy_nd"]) {
        tally.case(name(case), memcpy(case, &case["expected"]));
        tally.regression(&format!("{}: all words", name(case)), memcpy(case, &case["ours"]["ops"]));
    }
    for case in list(&file["dma_tasks"]) {
        if name(case) == "good_subview.0" {
            tally.leave_out(name(case), "its input does not say what the buffer is a view of");
            continue;
        }
        tally.case(name(case), tasks(case));
    }
    for case in list(&file["errors"]) {
        error(tally, case);
    }
    for case in list(&file["push_queue"]) {
        tally.case(name(case), push(case));
    }
    for case in list(&file["set_lock"]) {
        tally.case(name(case), set_lock(case));
    }
    for case in list(&file["rtp_write"]) {
        let offset = int32(&case["buffer"]["address"]) + 4 * int32(&case["index"]);
        let address = tile(&case["buffer"]["tile"]).address(offset);
        let ours = [address.offset(), address.tile().column.into(), address.tile().row.into()];
        let golden = ["address", "column", "row"].map(|key| int32(&case["expected"][key]));
        tally.case(name(case), same("address, column, row", &ours, &golden));
    }
    for case in list(&file["symbolic_address"]) {
        let offset = int32(&case["buffer"]["address"]) + 4 * int32(&case["word_address"]);
        let address = tile(&case["buffer"]["tile"]).address(offset);
        tally.case(name(case), same("address", &address, &Address(int32(&case["expected_address"]))));
    }
    for case in list(&file["switchbox_connect"]) {
        tally.case(name(case), connect(case));
    }
}

/// A descriptor from the attributes of `writebd`, which are stored values.
fn from_writebd(bd: &Value, kind: TileKind, generation: Generation) -> Descriptor {
    let flag = |name: &str| int(&bd[name]) != 0;
    let dimension =
        |n: u32| Dimension { step: int32(&bd[format!("d{n}_stride")]) + 1, wrap: int32(&bd[format!("d{n}_size")]) };
    let mut descriptor = Descriptor {
        length: int32(&bd["buffer_length"]),
        // Memory tiles take the attribute as words, without a division; the others divide by 4.
        address: if kind == TileKind::Memory { 4 * int(&bd["buffer_offset"]) } else { int(&bd["buffer_offset"]) & !3 },
        dimensions: [dimension(0), dimension(1), dimension(2), Dimension::default()],
        iteration: Iteration {
            step: int32(&bd["iteration_stride"]) + 1,
            wrap: int32(&bd["iteration_size"]) + 1,
            current: int8(&bd["iteration_current"]),
        },
        packet: Packet { enabled: flag("enable_packet"), id: int8(&bd["packet_id"]), kind: int8(&bd["packet_type"]) },
        out_of_order: int8(&bd["out_of_order_id"]),
        acquire: Acquire {
            enabled: flag("lock_acq_enable"),
            lock: int8(&bd["lock_acq_id"]),
            value: int8(&bd["lock_acq_val"]).cast_signed(),
        },
        release: Release {
            lock: int8(&bd["lock_rel_id"]),
            // Seven bits, which the attribute gives unsigned.
            value: (int8(&bd["lock_rel_val"]) << 1).cast_signed() >> 1,
        },
        next: Next { enabled: flag("use_next_bd"), descriptor: int8(&bd["next_bd"]) },
        valid: flag("valid_bd"),
        ..Descriptor::default()
    };
    // The attribute `d2_size` is not written into any word.
    descriptor.dimensions[2].wrap = 0;
    for (n, padding) in descriptor.padding.iter_mut().enumerate() {
        let side = |side: &str| int8(&bd[format!("d{n}_zero_{side}")]);
        *padding = Padding { before: side("before"), after: side("after") };
    }
    if kind == TileKind::Shim {
        let burst = int(&bd["burst_length"]);
        let code = generation.bursts().iter().position(|length| u64::from(*length) == burst);
        descriptor.bus.burst = code.unwrap_or(generation.bursts().len() - 1) as u8;
        descriptor.bus.cache = 2;
    }
    descriptor
}

fn direct(case: &Value) -> Outcome {
    let bd = &case["writebd"];
    let at = Tile::new(int8(&bd["column"]), int8(&bd["row"]));
    let kind = at.kind().unwrap();
    let descriptor = from_writebd(bd, kind, generation(case));
    let ours = descriptor.encode(kind).map_err(text)?;
    compare_words(&ours, &case["words"])?;
    same("decoded", &Descriptor::decode(kind, &ours), &Some(descriptor))?;
    let offset = kind.descriptor_register(int8(&bd["bd_id"])).unwrap();
    same("address", &at.address(offset), &Address(word(&case["address"])))
}

/// Words where `null` means that upstream does not look.
fn compare_words(ours: &[u32], golden: &Value) -> Outcome {
    same("number of words", &ours.len(), &list(golden).len())?;
    for (index, (ours, golden)) in ours.iter().zip(list(golden)).enumerate().filter(|(_, pair)| !pair.1.is_null()) {
        same(&format!("word {index}"), ours, &word(golden))?;
    }
    Ok(())
}

fn memcpy_transfer(case: &Value) -> Transfer {
    let copy = &case["memcpy"];
    let argument = &case["args"][int(&copy["arg"]) as usize];
    let sizes = list(&copy["sizes"]).iter().zip(list(&copy["strides"]));
    let extents: Vec<Extent> = sizes.map(|(size, stride)| Extent { size: int(size), stride: int(stride) }).collect();
    let skipped = list(&copy["offsets"]).iter().zip(&extents).map(|(offset, extent)| int(offset) * extent.stride);
    let mut transfer = Transfer::linear(
        tile(&copy["tile"]),
        direction(&copy["dir"]),
        int8(&copy["channel"]),
        Buffer::Argument(int32(&copy["arg"])),
    );
    transfer.descriptor = Some(int8(&copy["bd_id"]));
    transfer.element_bits = int(&argument["bits"]);
    transfer.offset = skipped.sum::<u64>() + int(&copy["subview_offset_elements"]);
    transfer.extents = extents;
    transfer.burst = copy["burst_length"].as_u64().map(|burst| burst as u16);
    let packet = &copy["packet"];
    transfer.packet = packet.is_object().then(|| (int8(&packet["pkt_id"]), int8(&packet["pkt_type"])));
    transfer
}

fn memcpy(case: &Value, expected: &Value) -> Outcome {
    let transfer = memcpy_transfer(case);
    let copy = &case["memcpy"];
    let lowered = transfer.lower(generation(case)).map_err(text)?;
    let mut operations = lowered.operations().map_err(text)?;
    let token = copy["issue_token"] == true || transfer.direction == Direction::S2mm;
    let task = Task { descriptor: lowered.id, executions: transfer.executions() as u16, token };
    let queue = lowered.kind.queue_register(transfer.direction, transfer.channel).unwrap();
    let value = task.encode(lowered.kind).map_err(text)?;
    operations.push(Operation::Write { address: transfer.tile.address(queue), value });
    if copy["then_wait"] == true {
        let (tile, channel) = (transfer.tile, transfer.channel);
        operations.push(Operation::Sync { direction: transfer.direction as u8, tile, rows: 1, columns: 1, channel });
    }
    let mut ours = operations.iter();
    // A wait that the copy does not ask for is an operation of the test's own.
    let made = list(expected).iter().filter(|golden| golden["op"] != "sync" || copy["then_wait"] == true);
    for golden in made {
        let found = ours.find(|operation| kind_of(operation) == golden["op"].as_str().unwrap());
        let operation = found.ok_or_else(|| format!("no {}", golden["op"]))?;
        compare_operation(operation, golden)?;
    }
    Ok(())
}

fn kind_of(operation: &Operation) -> &'static str {
    match operation {
        Operation::Write { .. } => "write32",
        Operation::BlockWrite { .. } => "blockwrite",
        Operation::PatchAddress { .. } => "address_patch",
        Operation::Sync { .. } => "sync",
        _ => "another",
    }
}

/// What the golden operation says; what it does not say is free.
fn compare_operation(ours: &Operation, golden: &Value) -> Outcome {
    let field = |name: &str, ours: u64| match golden.get(name) {
        None => Ok(()),
        Some(value) => same(name, &ours, &int(value)),
    };
    match ours {
        Operation::Write { address, value } => {
            field("address", address.0.into())?;
            field("value", (*value).into())
        }
        Operation::BlockWrite { address, data } => {
            field("address", address.0.into())?;
            if golden.get("words").is_some() { compare_words(data, &golden["words"]) } else { Ok(()) }
        }
        Operation::PatchAddress { address, argument, offset, .. } => {
            field("addr", address.0.into())?;
            field("arg_idx", (*argument).into())?;
            field("arg_plus", *offset)
        }
        Operation::Sync { direction, tile, rows, columns, channel } => {
            field("direction", (*direction).into())?;
            field("column", tile.column.into())?;
            field("row", tile.row.into())?;
            field("row_num", (*rows).into())?;
            field("column_num", (*columns).into())?;
            field("channel", (*channel).into())
        }
        other => Err(format!("unexpected {other:?}")),
    }
}

/// Transfers of a task; `bank` is where mlir-aie's allocator puts the n-th buffer whose address the test leaves open.
fn task_transfers(task: &Value) -> Vec<Transfer> {
    let descriptors = list(&task["bds"]);
    let convert = |(index, bd): (usize, &Value)| {
        let buffer = match bd["buffer_kind"].as_str() {
            Some("arg") => Buffer::Argument(int32(&bd["arg_idx"])),
            Some("tile") => {
                let address = bd["buffer_address"].as_u64().map(|address| address as u32);
                Buffer::Local { tile: tile(&task["tile"]), address }
            }
            // The golden file does not say which tile the buffer is in, only that it is not this one.
            _ => Buffer::Local { tile: Tile::new(0, 1), address: Some(0) },
        };
        let at = tile(&task["tile"]);
        let mut transfer = Transfer::linear(at, direction(&task["direction"]), int8(&task["channel"]), buffer);
        transfer.descriptor = bd["bd_id"].as_u64().map(|id| id as u8);
        transfer.element_bits = int(&bd["element_bits"]);
        transfer.offset = int(&bd["offset"]);
        transfer.length = bd["len"].as_u64();
        let dims = list(&bd["dims"]).iter();
        transfer.extents = dims.map(|d| Extent { size: int(&d["size"]), stride: int(&d["stride"]) }).collect();
        let pads = list(&bd["pad"]).iter();
        transfer.padding = pads.map(|p| Padding { before: int8(&p[0]), after: int8(&p[1]) }).collect();
        let packet = if bd["packet"].is_object() { &bd["packet"] } else { &task["packet"] };
        transfer.packet = packet.is_object().then(|| (int8(&packet["pkt_id"]), int8(&packet["pkt_type"])));
        transfer.burst = bd["burst_length"].as_u64().map(|burst| burst as u16);
        for lock in list(&bd["locks"]) {
            let (id, value) = (int8(&lock["id"]), int8(&lock["value"]).cast_signed());
            match lock["action"].as_str().unwrap() {
                "Acquire" => transfer.acquire = Some((id, value)),
                "AcquireGreaterEqual" => transfer.acquire = Some((id, -value)),
                _ => transfer.release = Some((id, value)),
            }
        }
        let chained = bd["has_next_block"] == true;
        let following = descriptors.get(index + 1).filter(|_| chained).and_then(|next| next["bd_id"].as_u64());
        transfer.next = bd["next_bd_id"].as_u64().or(following).map(|id| id as u8);
        transfer
    };
    descriptors.iter().enumerate().map(convert).collect()
}

/// A lowered piece of a task.
enum Piece {
    Descriptor(Box<(Transfer, Lowered)>),
    Push { tile: Tile, direction: Direction, channel: u8, descriptor: u8, repeat: u64, token: bool },
    Sync { tile: Tile, direction: Direction, channel: u8 },
}

/// Each task in turn: its descriptors; then a push and, at the end, a wait for every task with a token.
fn pieces(case: &Value) -> Result<Vec<Piece>, TransferError> {
    let mut pieces = Vec::new();
    let mut waits = Vec::new();
    let mut pushes = Vec::new();
    for task in list(&case["tasks"]) {
        let mut transfers = task_transfers(task);
        for (index, transfer) in transfers.iter_mut().enumerate() {
            if let Buffer::Local { address: address @ None, .. } = &mut transfer.buffer {
                // mlir-aie's allocator goes round the banks of a memory tile.
                *address = Some(index as u32 * TileKind::Memory.facts().data_memory / 8);
            }
            let lowered = transfer.lower(generation(case))?;
            pieces.push(Piece::Descriptor(Box::new((transfer.clone(), lowered))));
        }
        if task["issue_token"] == true
            && let Some(Transfer { tile, direction, channel, descriptor: Some(descriptor), .. }) = transfers.first()
        {
            let (tile, direction, channel, descriptor) = (*tile, *direction, *channel, *descriptor);
            let repeat = int(&task["repeat_count"]);
            pushes.push(Piece::Push { tile, direction, channel, descriptor, repeat, token: true });
            waits.push(Piece::Sync { tile, direction, channel });
        }
    }
    pieces.extend(pushes);
    pieces.extend(waits);
    Ok(pieces)
}

fn tasks(case: &Value) -> Outcome {
    let pieces = pieces(case).map_err(text)?;
    let mut at = 0;
    let mut current = None;
    for golden in list(&case["expected"]) {
        let kind = golden["op"].as_str().unwrap();
        // The address of a descriptor is patched right behind it, so those stay at the same piece.
        let found = loop {
            let follows = matches!(kind, "maskwrite32" | "address_patch");
            if let (true, Some(piece)) = (follows, current.take()) {
                break Some(piece);
            }
            let Some(piece) = pieces.get(at) else { break None };
            at += 1;
            let fits = match piece {
                Piece::Descriptor(_) => kind == "writebd" || follows,
                Piece::Push { .. } => kind == "push_queue",
                Piece::Sync { .. } => kind == "sync",
            };
            if fits {
                break Some(piece);
            }
        };
        let piece = found.ok_or_else(|| format!("no {kind}"))?;
        current = (kind == "writebd").then_some(piece);
        compare_piece(piece, golden)?;
    }
    Ok(())
}

fn compare_piece(piece: &Piece, golden: &Value) -> Outcome {
    let field = |name: &str, ours: u64| match golden.get(name) {
        None => Ok(()),
        Some(Value::Bool(value)) => same(name, &(ours != 0), value),
        Some(Value::String(value)) => same(name, &Direction::of_number(ours as u8).unwrap().to_string(), value),
        Some(value) => same(name, &ours, &int(value)),
    };
    match piece {
        Piece::Descriptor(pair) => match golden["op"].as_str().unwrap() {
            "writebd" => writebd(&pair.0, &pair.1, golden),
            "address_patch" => {
                let operations = pair.1.operations().map_err(text)?;
                compare_operation(operations.last().unwrap(), golden)
            }
            _ => {
                let (address, value, mask) = pair.1.address_write().unwrap();
                field("address", address.0.into())?;
                field("value", value.into())?;
                field("mask", mask.into())
            }
        },
        Piece::Push { tile, direction, channel, descriptor, repeat, token } => {
            field("column", tile.column.into())?;
            field("row", tile.row.into())?;
            field("direction", *direction as u64)?;
            field("channel", (*channel).into())?;
            field("bd_id", (*descriptor).into())?;
            field("repeat_count", *repeat)?;
            field("issue_token", (*token).into())
        }
        Piece::Sync { tile, direction, channel } => {
            let (direction, channel) = (*direction as u8, *channel);
            let sync = Operation::Sync { direction, tile: *tile, rows: 1, columns: 1, channel };
            compare_operation(&sync, golden)
        }
    }
}

fn writebd(transfer: &Transfer, lowered: &Lowered, golden: &Value) -> Outcome {
    let d = &lowered.descriptor;
    let signed = |value: i8| i64::from(value).cast_unsigned();
    let burst = generation(&Value::Null).bursts().get(usize::from(d.bus.burst)).copied().unwrap_or_default();
    let ours = |name: &str| -> Option<u64> {
        Some(match name {
            "bd_id" => lowered.id.into(),
            "column" => lowered.tile.column.into(),
            "row" => lowered.tile.row.into(),
            "buffer_length" => d.length.into(),
            "buffer_offset" => lowered.offset,
            "burst_length" => burst.into(),
            "d0_stride" | "d1_stride" | "d2_stride" => u64::from(dimension(d, name).step) - 1,
            // Upstream gives this attribute the size of the innermost dimension, and writes it into no word.
            "d2_size" if lowered.kind == TileKind::Memory && transfer.extents.len() == 3 => transfer.extents[2].size,
            "d0_size" | "d1_size" | "d2_size" => dimension(d, name).wrap.into(),
            "d0_zero_before" | "d1_zero_before" | "d2_zero_before" => padding(d, name).before.into(),
            "d0_zero_after" | "d1_zero_after" | "d2_zero_after" => padding(d, name).after.into(),
            "iteration_current" => d.iteration.current.into(),
            "iteration_size" => u64::from(d.iteration.wrap) - 1,
            "iteration_stride" => u64::from(d.iteration.step) - 1,
            "enable_packet" => d.packet.enabled.into(),
            "packet_id" => d.packet.id.into(),
            "packet_type" => d.packet.kind.into(),
            "out_of_order_id" => d.out_of_order.into(),
            "lock_acq_enable" => d.acquire.enabled.into(),
            "lock_acq_id" => d.acquire.lock.into(),
            "lock_acq_val" => signed(d.acquire.value),
            "lock_rel_id" => d.release.lock.into(),
            "lock_rel_val" => signed(d.release.value),
            "next_bd" => d.next.descriptor.into(),
            "use_next_bd" => d.next.enabled.into(),
            "valid_bd" => d.valid.into(),
            _ => return None,
        })
    };
    let compared = golden.as_object().unwrap().iter().filter(|(key, _)| *key != "op" && !key.ends_with("_ours"));
    for (key, value) in compared {
        same(key, &ours(key), &Some(int(value)))?;
    }
    Ok(())
}

fn dimension(descriptor: &Descriptor, name: &str) -> Dimension {
    descriptor.dimensions[usize::from(name.as_bytes()[1] - b'0')]
}

fn padding(descriptor: &Descriptor, name: &str) -> Padding {
    descriptor.padding[usize::from(name.as_bytes()[1] - b'0')]
}

/// What each upstream diagnostic is called here.
fn matches_text(error: &TransferError, text: &str) -> bool {
    use TransferError as E;
    match text {
        "Buffer descriptor length does not match length of transfer" => matches!(error, E::LengthMismatch { .. }),
        "accessed from an unreachable tile" => matches!(error, E::Unreachable { .. }),
        "without associated address" => matches!(error, E::NoAddress),
        "supports padding only for MM2S direction on MemTiles." => matches!(error, E::PaddingDirection),
        "Padding is only supported by memtile dma bds." | "Padding is supported only on MemTiles." => {
            matches!(error, E::PaddingTile(..))
        }
        "Padding requires n-d data layouts expressed as wrap(s) and stride(s)." => {
            matches!(error, E::PaddingNeedsDimensions)
        }
        "Mismatch number of dimensions between padding(s) and wrap(s) and stride(s)." => {
            matches!(error, E::PaddingMismatch { .. })
        }
        "Burst length is only supported in Shim NOC tiles that are connected to the memory-mapped NOC."
        | "Only ShimTiles support burst length." => matches!(error, E::BurstTile(..)),
        "Packet ID exceeds the maximum supported by 5 bits." => matches!(error, E::PacketId(_)),
        "Packet Type exceeds the maximum supported by 3 bits." => matches!(error, E::PacketKind(_)),
        "At most four data layout transformation dimensions may be provided" => {
            matches!(error, E::TooManyDimensions(_))
        }
        "Stride 0 must be a positive integer" => matches!(error, E::ZeroStride(0)),
        "Stride 0 is 2 elements * 1 bytes = 2 bytes, which is not divisible by 4" => {
            matches!(error, E::UnalignedStride { dimension: 0, bits: 16 })
        }
        "Transfer size of 3 bytes falls below minimum hardware transfer unit of 4 bytes"
        | "'aiex.npu.dma_memcpy_nd' op Minimum data transfer size required is 32bits." => {
            matches!(error, E::TooSmall(_))
        }
        "Offset must be aligned to 4 byte boundary" => matches!(error, E::UnalignedOffset(_)),
        "Cannot lower buffer descriptor without assigned ID" => matches!(error, E::NoDescriptor),
        "'aiex.npu.dma_memcpy_nd' op Maximum element bit width allowed is 32bits." => {
            matches!(error, E::WideElement(_))
        }
        "Requested burst length is not supported by the target. Supported burst lengths: 64 128 256 512" => {
            matches!(error, E::Burst { generation: Generation::Npu2, .. })
        }
        "Requested burst length is not supported by the target. Supported burst lengths: 64 128 256" => {
            matches!(error, E::Burst { generation: Generation::Npu1, .. })
        }
        _ => false,
    }
}

fn error(tally: &mut Tally, case: &Value) {
    let diagnostics: Vec<&str> = list(&case["expected_diagnostics"])
        .iter()
        .filter(|diagnostic| diagnostic["kind"] == "error")
        .map(|diagnostic| diagnostic["text"].as_str().unwrap())
        .collect();
    match name(case) {
        "bad-8.0" | "bad-9.0" => {
            return tally.leave_out(
                name(case),
                "about blocks and terminators of the compiler's text form, which has no counterpart",
            );
        }
        "bad_rtp_write" | "dma_to_npu_invalid" => {
            return tally
                .leave_out(name(case), "about a symbol that the compiler does not find; there are no symbols here");
        }
        _ => {}
    }
    let outcome = if case["tasks"].is_array() {
        refused(raw_transfers(case).iter().map(|transfer| transfer.lower(generation(case))), diagnostics[0])
    } else {
        // The golden file gives the diagnostics without their input; the inputs here break the rule they name.
        diagnostics.iter().filter(|text| **text != "burst_length = 512").try_for_each(|diagnostic| {
            let (transfer, generation) = made_up(diagnostic);
            refused([transfer.lower(generation)].into_iter(), diagnostic)
        })
    };
    tally.case(name(case), outcome);
}

fn raw_transfers(case: &Value) -> Vec<Transfer> {
    list(&case["tasks"]).iter().flat_map(task_transfers).collect()
}

fn refused(lowered: impl Iterator<Item = Result<Lowered, TransferError>>, diagnostic: &str) -> Outcome {
    for result in lowered {
        match result {
            Err(error) if matches_text(&error, diagnostic) => return Ok(()),
            Err(error) => return Err(format!("refused, but not for `{diagnostic}`: {error}")),
            Ok(_) => {}
        }
    }
    Err(format!("accepted, though `{diagnostic}`"))
}

fn made_up(diagnostic: &str) -> (Transfer, Generation) {
    let mut transfer = Transfer::linear(Tile::new(0, 0), Direction::Mm2s, 0, Buffer::Argument(0));
    transfer.descriptor = Some(0);
    transfer.length = Some(4);
    let mut generation = Generation::Npu2;
    if diagnostic.contains("Minimum data transfer") {
        (transfer.element_bits, transfer.length) = (16, Some(1));
    } else if diagnostic.contains("bit width") {
        transfer.element_bits = 64;
    } else if diagnostic.contains("ShimTiles") {
        transfer.tile = Tile::new(0, 1);
        transfer.buffer = Buffer::Local { tile: transfer.tile, address: Some(0) };
        transfer.burst = Some(64);
    } else if diagnostic.ends_with("512") {
        transfer.burst = Some(1024);
    } else {
        generation = Generation::Npu1;
        transfer.burst = Some(512);
    }
    (transfer, generation)
}

fn push(case: &Value) -> Outcome {
    let push = &case["push_queue"];
    let at = Tile::new(int8(&push["column"]), int8(&push["row"]));
    let kind = at.kind().unwrap();
    let register = kind.queue_register(direction(&push["direction"]), int8(&push["channel"])).unwrap();
    let task = Task {
        descriptor: int8(&push["bd_id"]),
        executions: int(&push["repeat_count"]) as u16 + 1,
        token: push["issue_token"] == true,
    };
    let value = task.encode(kind).map_err(text)?;
    same("address", &at.address(register), &Address(int32(&case["expected"]["address"])))?;
    same("value", &value, &int32(&case["expected"]["value"]))?;
    same("decoded", &Task::decode(kind, value), &task)
}

fn set_lock(case: &Value) -> Outcome {
    let at = tile(&case["tile"]);
    let register = at.kind().unwrap().lock_register(int8(&case["lock"])).unwrap();
    same("address", &register, &int32(&case["expected"]["address"]))?;
    same("column", &u64::from(at.column), &int(&case["expected"]["column"]))
}

fn port(text: &str) -> Port {
    let (bundle, channel) = text.split_once(':').unwrap();
    let bundle = match bundle {
        "Core" => Bundle::Core,
        "DMA" => Bundle::Dma,
        "South" => Bundle::South,
        "North" => Bundle::North,
        other => panic!("{other}"),
    };
    Port { bundle, channel: channel.parse().unwrap() }
}

fn connect(case: &Value) -> Outcome {
    let at = tile(&case["tile"]);
    let (from, to) = case["connect"].as_str().unwrap().split_once(" -> ").unwrap();
    let writes = switch::connect(at.kind().unwrap(), port(from), port(to)).map_err(text)?;
    for ((offset, value), golden) in writes.into_iter().zip(list(&case["expected"])) {
        compare_operation(&Operation::Write { address: at.address(offset), value }, golden)?;
    }
    Ok(())
}
