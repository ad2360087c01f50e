//! Operations and commands as JSON: what the explanation says, and tile, register and fields for programs.

use ferrite_xdna::Address;
use ferrite_xdna::cdo::{self, Command};
use ferrite_xdna::packet::RoutedPacket;
use ferrite_xdna::registers::Register;
use ferrite_xdna::txn::{Operation, opcode};
use serde_json::{Map, Value, json};

/// An operation of an instruction stream as JSON.
pub(super) fn operation(operation: &Operation, text: &str) -> Value {
    let code = operation.opcode();
    let name = opcode::name(code).map_or_else(|| format!("{code:#x}"), str::to_owned);
    let mut value = json!({ "operation": name, "text": text });
    if let Some(address) = operation.address() {
        locate(&mut value, address.0.into());
    }
    match operation {
        Operation::PatchAddress { argument, offset, .. } => {
            value["argument"] = json!(argument);
            value["argument_offset"] = json!(offset);
        }
        Operation::Sync { direction, tile, rows, columns, channel } => {
            value["tile"] = json!([tile.column, tile.row]);
            value["size"] = json!([columns, rows]);
            value["direction"] = json!(direction);
            value["channel"] = json!(channel);
        }
        _ => {}
    }
    let words = match operation {
        Operation::Write { value, .. } => Access::Words(std::slice::from_ref(value)),
        Operation::BlockWrite { data, .. } => Access::Words(data),
        Operation::MaskWrite { value, mask, .. } | Operation::MaskPoll { value, mask, .. } => {
            Access::Masked { value: *value, mask: *mask }
        }
        _ => return value,
    };
    access(&mut value, operation.address().map(|address| address.0.into()), &words);
    value
}

/// A command of a configuration as JSON.
pub(super) fn command(command: &Command, text: &str) -> Value {
    let mut value = json!({ "command": command_name(command), "text": text });
    if let Some(address) = command.address() {
        locate(&mut value, address);
    }
    let words = match command {
        Command::Write { value, .. } => Access::Words(std::slice::from_ref(value)),
        Command::DmaWrite { data, .. } => Access::Words(data),
        Command::MaskWrite { value, mask, .. } | Command::MaskPoll { value, mask, .. } => {
            Access::Masked { value: *value, mask: *mask }
        }
        _ => return value,
    };
    access(&mut value, command.address(), &words);
    value
}

/// A control packet as JSON. Its address is one in a tile; the id names the way to that.
pub(super) fn packet(packet: &RoutedPacket, text: &str) -> Value {
    let RoutedPacket { header, control, padding } = packet;
    json!({
        "operation": control.operation.name(),
        "text": text,
        "id": header.id,
        "type": header.kind,
        "source": [header.column, header.row],
        "offset": control.address,
        "size": control.words,
        "response": control.response,
        "words": control.data,
        "padding": padding.len(),
    })
}

/// The name of a command, or its number.
pub(super) fn command_name(command: &Command) -> String {
    let code = command.code();
    cdo::code::name(code).map_or_else(|| format!("{code:#x}"), str::to_owned)
}

/// What is written or waited for.
enum Access<'a> {
    Words(&'a [u32]),
    Masked { value: u32, mask: u32 },
}

/// Adds tile and offset of an address.
fn locate(value: &mut Value, address: u64) {
    value["address"] = json!(address);
    if let Ok(near) = u32::try_from(address) {
        let tile = Address(near).tile();
        value["tile"] = json!([tile.column, tile.row]);
        value["tile_kind"] = json!(tile.kind().map(|kind| kind.to_string()));
        value["offset"] = json!(Address(near).offset());
    }
}

/// Adds the words, and for each that goes to a register its name and fields.
fn access(value: &mut Value, address: Option<u64>, words: &Access<'_>) {
    let Some(address) = address.and_then(|address| u32::try_from(address).ok()) else { return };
    match *words {
        Access::Masked { value: word, mask } => {
            value["value"] = json!(word);
            value["mask"] = json!(mask);
            if let Some(register) = register(address) {
                value["registers"] = json!([fields(register, word, mask)]);
            }
        }
        Access::Words(words) => {
            value["words"] = json!(words);
            let places = (address..).step_by(4).zip(words);
            let registers = places.filter_map(|(at, word)| Some(fields(register(at)?, *word, u32::MAX)));
            value["registers"] = registers.collect();
        }
    }
}

fn register(address: u32) -> Option<Register> {
    let address = Address(address);
    Register::at(address.tile().kind()?, address.offset())
}

/// A register with the fields that a mask touches.
fn fields(register: Register, word: u32, mask: u32) -> Value {
    let touched = register.info.fields.iter().filter(|field| field.mask() & mask != 0);
    let fields: Map<String, Value> = touched.map(|field| (field.name.to_owned(), json!(field.get(word)))).collect();
    json!({ "register": register.name(), "module": register.info.module.name(), "fields": fields })
}
