//! Operations and commands in words.

use super::{Document, fit};
use crate::action::{Action, Descriptors, Push};
use crate::cdo::{Cdo, Command, code};
use crate::device::switch::{self, Side};
use crate::device::{Address, Direction, Region, Tile, TileKind};
use crate::registers::{Register, field};
use crate::txn::{Operation, Stream, opcode};

pub(super) fn stream(title: &str, stream: &Stream) -> Document {
    let header = &stream.header;
    let (major, minor) = header.version.numbers();
    let mut document = Document::new(title);
    let device = header.device().map_or_else(|| format!("generation {}", header.generation), ToString::to_string);
    document.line(format!(
        "version {major}.{minor} for {device}, {} columns, {} rows, {} operations",
        header.columns,
        header.rows,
        stream.entries.len()
    ));
    if !stream.trailing.is_empty() {
        document.line(format!("{} bytes follow", stream.trailing.len()));
    }
    document.parts.push(Document::numbered("operations", &operations(stream)));
    document
}

pub(super) fn operations(stream: &Stream) -> Vec<String> {
    let mut descriptors = Descriptors::default();
    let mut lines = Vec::with_capacity(stream.entries.len());
    for (index, entry) in stream.entries.iter().enumerate() {
        let action = Action::of_operation(&entry.operation);
        let started = descriptors.apply(&action);
        let mut text = match started {
            Some(push) => task(&push, &descriptors),
            None => operation(&entry.operation, &action, &descriptors),
        };
        if let Some(push) = started
            && let Some(next) = stream.entries.get(index + 1)
            && waits_for(&next.operation, &push)
        {
            text.push_str(", then wait");
        }
        lines.push(fit(text));
    }
    lines
}

/// Whether an operation waits for exactly the channel of a task.
fn waits_for(operation: &Operation, push: &Push) -> bool {
    let Operation::Sync { direction, tile, rows: 1, columns: 1, channel } = operation else { return false };
    (*direction, *tile, *channel) == (push.direction as u8, push.tile, push.channel)
}

pub(super) fn commands(cdo: &Cdo) -> Vec<String> {
    let mut descriptors = Descriptors::default();
    let mut lines = Vec::with_capacity(cdo.commands.len());
    for command in &cdo.commands {
        let action = Action::of_command(command);
        let text = match descriptors.apply(&action) {
            Some(push) => task(&push, &descriptors),
            None => self::command(command, &action, &descriptors),
        };
        lines.push(fit(text));
    }
    lines
}

fn operation(operation: &Operation, action: &Action<'_>, descriptors: &Descriptors) -> String {
    match operation {
        Operation::Noop => "nothing".to_owned(),
        Operation::Preempt { level } => format!("may be preempted, {}", preemption(*level)),
        Operation::LoadPdi { id, size: 0, .. } => format!("load PDI {id}, which is empty: reset the partition"),
        Operation::LoadPdi { id, size, address } => format!("load PDI {id}, {size} bytes at {address:#x}"),
        Operation::LoadProgram { operations, id } => format!("the next {operations} operations load program {id}"),
        Operation::CreateScratchpad { usage, size, offset } => {
            format!("make a scratch pad of {size} bytes at {offset:#x} for {}", usage_name(*usage))
        }
        Operation::UpdateState { index, function, argument } => {
            format!("state {index}: {} {argument:#x}", function_name(*function))
        }
        Operation::UpdateRegister { index, function, argument, address } => {
            format!("{} := state {index}, {} {argument:#x}", place(*address), function_name(*function))
        }
        Operation::UpdateScratch => "write the state table back".to_owned(),
        Operation::ReadRegisters { addresses, .. } => {
            let names = addresses.iter().take(4).map(|address| match u32::try_from(*address) {
                Ok(address) => place(Address(address)),
                Err(_) => format!("{address:#x}"),
            });
            let names: Vec<String> = names.collect();
            format!("read {} registers: {}", addresses.len(), names.join(", "))
        }
        Operation::RecordTimer { id } => format!("record the time as {id}"),
        Operation::MergeSync { tokens } => format!("wait for merged tokens {tokens:#x}"),
        Operation::Custom { opcode: opcode::SYNC, payload } if payload.is_empty() => {
            "wait for tokens of a channel that is not named".to_owned()
        }
        Operation::Custom { opcode, payload } => {
            let name = opcode::name(*opcode).map_or(String::new(), |name| format!(" ({name})"));
            format!("unknown operation {opcode:#x}{name} with {} words", payload.len())
        }
        Operation::Opaque { operations, words } => {
            let code = operation.opcode();
            let name = opcode::name(code).map_or(String::new(), |name| format!(" ({name})"));
            let bytes = 4 * words.len();
            format!(
                "operation {code:#x}{name} of unknown size, and what follows: {operations} operations, {bytes} bytes"
            )
        }
        _ => self::action(action, descriptors),
    }
}

const fn preemption(level: u8) -> &'static str {
    match level {
        0 => "nothing to save",
        1 => "memory tiles are saved",
        2 => "core tiles are saved",
        3 => "core tiles and their registers are saved",
        _ => "at an unknown level",
    }
}

const fn usage_name(usage: u8) -> &'static str {
    if usage == 0 { "the state table" } else { "an unknown use" }
}

const fn function_name(function: u8) -> &'static str {
    match function {
        0 => "multiplied by",
        1 => "incremented by",
        2 => "decremented by",
        _ => "changed in an unknown way by",
    }
}

fn command(command: &Command, action: &Action<'_>, descriptors: &Descriptors) -> String {
    match command {
        Command::Nop { payload } => format!("nothing, {} words", payload.len()),
        Command::Delay { cycles } => format!("wait {cycles} cycles"),
        Command::MaskPoll { timeout, .. } => {
            format!("{}, at most {timeout} ms", self::action(action, descriptors))
        }
        Command::Other { words } => {
            let code = words.first().copied().unwrap_or_default();
            let name = code::name(code as u8).map_or(String::new(), |name| format!(" ({name})"));
            format!("unknown command {:#06x}{name} with {} words", code & 0xffff, words.len())
        }
        _ => self::action(action, descriptors),
    }
}

fn action(action: &Action<'_>, descriptors: &Descriptors) -> String {
    match *action {
        Action::Write { address, data } => write(address, data, descriptors),
        Action::Mask { address, value, mask } => {
            let what = match register(address) {
                Some(_) if mask == 0 => format!("unchanged, as the mask of {value:#x} is 0"),
                Some(register) => register.describe_masked(value, mask),
                None => format!("bits {mask:#x} := {:#x}", value & mask),
            };
            format!("{}: {what}", place(address))
        }
        Action::Poll { address, value, mask } => {
            let what = match register(address) {
                Some(register) if value & mask != 0 => register.describe_masked(value, mask),
                Some(register) => {
                    let touched = register.info.fields.iter().filter(|field| field.mask() & mask != 0);
                    let names: Vec<&str> = touched.map(|field| field.name).collect();
                    format!("bits {mask:#x} are 0 ({})", names.join(", "))
                }
                None => format!("bits {mask:#x} are {:#x}", value & mask),
            };
            format!("wait until {}: {what}", place(address))
        }
        Action::Wait { direction, tile, rows: 1, columns: 1, channel } => {
            format!("wait for the token of {}: {} channel {channel}", name(tile), direction_name(direction))
        }
        Action::Wait { direction, tile, rows, columns, channel } => format!(
            "wait for the tokens of {columns}x{rows} tiles from {tile} on: {} channel {channel}",
            direction_name(direction)
        ),
        Action::Patch { address, argument, offset } => {
            let tile = address.tile();
            let descriptor = tile.kind().and_then(|kind| kind.descriptor_at(address.offset() & !0xf));
            match descriptor {
                Some((id, _)) => {
                    format!("{}: buffer descriptor {id} points to argument {argument} + {offset:#x}", name(tile))
                }
                None => format!("{} := address of argument {argument} + {offset:#x}", place(address)),
            }
        }
        Action::Far { address } => format!("{address:#x}, which is outside the array"),
        Action::Other => "something else".to_owned(),
    }
}

fn direction_name(direction: u8) -> String {
    Direction::of_number(direction).map_or_else(|| format!("direction {direction}"), |direction| direction.to_string())
}

/// `shim tile (0,0)`.
fn name(tile: Tile) -> String {
    match tile.kind() {
        Some(kind) => format!("{kind} tile {tile}"),
        None => format!("tile {tile}, which does not exist"),
    }
}

fn register(address: Address) -> Option<Register> {
    Register::at(address.tile().kind()?, address.offset())
}

/// `core tile (0,2) Core_Control`.
fn place(address: Address) -> String {
    let tile = address.tile();
    let Some(kind) = tile.kind() else { return format!("{} offset {:#x}", name(tile), address.offset()) };
    let offset = address.offset();
    match kind.region(offset) {
        Some(Region::Register(register)) => format!("{} {}", name(tile), register.name()),
        Some(Region::DataMemory) => format!("{} memory {offset:#x}", name(tile)),
        Some(Region::ProgramMemory) => {
            format!("{} program memory {:#x}", name(tile), offset - crate::TileFacts::PROGRAM_MEMORY)
        }
        Some(Region::LockRequest { lock }) => format!("{} request of lock {lock}", name(tile)),
        None => format!("{} offset {offset:#x}, where nothing is", name(tile)),
    }
}

fn write(address: Address, data: &[u32], descriptors: &Descriptors) -> String {
    let tile = address.tile();
    let offset = address.offset();
    let Some(kind) = tile.kind() else {
        return format!("{} := {} words", place(address), data.len());
    };
    if let Some((id, 0)) = kind.descriptor_at(offset)
        && data.len() >= usize::from(kind.facts().descriptor_words)
    {
        return descriptor_write(tile, id, data.len(), descriptors);
    }
    let [value] = *data else { return block(address, kind, data) };
    if let Some(lock) = kind.lock_at(offset) {
        let value = field::memory::lockn_value::LOCK_VALUE.get_signed(value);
        return format!("{}: lock {lock} := {value}", name(tile));
    }
    if let Some(text) = switch_write(kind, offset, value) {
        return format!("{}: {text}", name(tile));
    }
    match register(address) {
        Some(register) => format!("{} := {}", place(address), register.describe(value)),
        None => format!("{} := {value:#x}", place(address)),
    }
}

fn descriptor_write(tile: Tile, id: u8, words: usize, descriptors: &Descriptors) -> String {
    let all = (words * 4).div_ceil(crate::TileFacts::DESCRIPTOR_STRIDE as usize);
    let more = if all > 1 { format!(" and {} more", all - 1) } else { String::new() };
    let what = descriptors.get(tile, id).map_or_else(String::new, |(descriptor, _)| format!(" := {descriptor}"));
    format!("{}: buffer descriptor {id}{more}{what}", name(tile))
}

/// Several words that are no descriptor.
fn block(address: Address, kind: TileKind, data: &[u32]) -> String {
    let words = data.len();
    match kind.region(address.offset()) {
        Some(Region::ProgramMemory) => format!("{} := {words} words of program", place(address)),
        Some(Region::DataMemory) => format!("{} := {words} words{}", place(address), shown(data)),
        _ => {
            let last = Address(address.0.wrapping_add(4 * (words as u32).saturating_sub(1)));
            let to = register(last).map_or_else(String::new, |register| format!(" to {}", register.name()));
            format!("{}{to} := {words} words{}", place(address), shown(data))
        }
    }
}

/// The first words, in hexadecimal.
pub(super) fn shown(data: &[u32]) -> String {
    let words: Vec<String> = data.iter().take(4).map(|word| format!("{word:#x}")).collect();
    match (data.len(), words.is_empty()) {
        (_, true) => String::new(),
        (0..=4, _) => format!(": {}", words.join(" ")),
        _ => format!(": {} ...", words.join(" ")),
    }
}

/// A write to a port of the stream switch.
fn switch_write(kind: TileKind, offset: u32, value: u32) -> Option<String> {
    use field::core::stream_switch_master_config_aie_core0 as master;
    use field::core::stream_switch_slave_aie_core0_slotn as slot;
    if let Some((port, number)) = switch::slot_at(kind, offset) {
        if !slot::ENABLE.is_set(value) {
            return Some(format!("slot {number} of slave port {port} off"));
        }
        let [id, mask, arbiter, select] = [slot::ID, slot::MASK, slot::ARBIT, slot::MSEL].map(|f| f.get(value));
        return Some(format!(
            "slot {number} of slave port {port}: packets {id}/{mask:#x} go to arbiter {arbiter}, select {select}"
        ));
    }
    let (side, port) = switch::port_at(kind, offset)?;
    let side_name = if side == Side::Slave { "slave" } else { "master" };
    let enabled = master::MASTER_ENABLE.is_set(value);
    let packets = master::PACKET_ENABLE.is_set(value);
    Some(match (side, enabled, packets) {
        (_, false, _) => format!("{side_name} port {port} off"),
        (Side::Slave, true, false) => format!("slave port {port} on"),
        (Side::Slave, true, true) => format!("slave port {port} on, for packets"),
        (Side::Master, true, true) => {
            let configuration = master::CONFIGURATION.get(value);
            let header = if master::DROP_HEADER.is_set(value) { ", headers dropped" } else { "" };
            let (arbiter, select) = (configuration & 7, configuration >> 3);
            format!("master port {port} takes packets of arbiter {arbiter}, selects {select:#06b}{header}")
        }
        (Side::Master, true, false) => {
            let index = master::CONFIGURATION.get(value) as u8;
            let from = switch::port(kind, Side::Slave, index);
            let from = from.map_or_else(|| format!("no port {index}"), |port| port.to_string());
            format!("master port {port} takes the words of slave port {from}")
        }
    })
}

/// A task that is started, with what its first descriptor says.
fn task(push: &Push, descriptors: &Descriptors) -> String {
    let Push { tile, kind, direction, channel, task } = push;
    let mut text = format!("{}: {direction} channel {channel}, buffer descriptor {}", name(*tile), task.descriptor);
    if let Some((descriptor, argument)) = descriptors.get(*tile, task.descriptor) {
        let preposition = if *direction == Direction::Mm2s { "from" } else { "to" };
        let place = match (argument, kind) {
            (Some((argument, offset)), _) => format!("argument {argument} + {offset:#x}"),
            (None, TileKind::Shim) => format!("address {:#x}", descriptor.address),
            (None, _) => format!("memory {:#x}", descriptor.address),
        };
        text.push_str(&format!(", {} words {preposition} {place}", descriptor.length));
    }
    if task.executions > 1 {
        text.push_str(&format!(", {} times", task.executions));
    }
    if task.token {
        text.push_str(", with token");
    }
    text
}
