//! `ferrite disasm --json`. The document is written task by task: listings of big models are bigger than their files.

use ferrite_rknpu::{Command, CommandKind, RegisterInfo};
use serde_json::{Map, Value, json};

use super::{State, Task};
use crate::args::DisasmArgs;
use crate::printer::Printer;
use crate::version::{schema, tool};

pub(super) fn print(args: &DisasmArgs, tasks: &[Task], printer: &mut Printer) {
    let head = json!({ "schema": schema::DISASM, "tool": tool(), "file": args.file.display().to_string() }).to_string();
    printer.write(format_args!("{},\"tasks\":[", head.trim_end_matches('}')));
    for (position, task) in tasks.iter().enumerate() {
        if printer.is_closed() {
            return;
        }
        let comma = if position > 0 { "," } else { "" };
        printer.write(format_args!("{comma}\n{}", entry(task)));
    }
    printer.write(format_args!("\n]}}\n"));
}

fn entry(task: &Task) -> Value {
    let operator = task.operator.as_ref();
    let mut value = json!({
        "index": task.index,
        "operator": operator.map(|(index, name, kind)| json!({ "index": index, "name": name, "type": kind })),
        "core": task.core.0,
        "cores": task.core.1,
        "offset": task.offset,
        "commands": task.program.commands.iter().enumerate().map(|(at, command)| {
            let mut value = command_value(*command);
            if let Some(address) = task.addresses.get(&at) {
                value["address_of"] = json!({ "tensor": address.name, "offset": address.addend });
            }
            value
        }).collect::<Value>(),
    });
    match &task.state {
        None => {}
        Some(Ok(state)) => value["state"] = state_value(state),
        Some(Err(error)) => value["state_error"] = json!(error),
    }
    value
}

fn state_value(state: &State) -> Value {
    let registers = state.registers.iter().map(|(command, written)| {
        let mut value = command_value(*command);
        value["written"] = json!(written);
        value
    });
    json!({ "registers": registers.collect::<Value>(), "lookup_table_entries": state.lut_entries })
}

fn command_value(command: Command) -> Value {
    let word = format!("{:#018x}", command.0);
    match command.decode() {
        CommandKind::Nop => json!({ "word": word, "kind": "nop" }),
        CommandKind::Barrier => json!({ "word": word, "kind": "barrier" }),
        CommandKind::Enable { mask } => {
            let blocks: Vec<String> = mask.blocks().map(|block| block.to_string()).collect();
            json!({ "word": word, "kind": "enable", "value": mask.0, "blocks": blocks })
        }
        CommandKind::Write { block, offset, value } => json!({
            "word": word,
            "kind": "write",
            "block": block.to_string(),
            "offset": offset,
            "register": RegisterInfo::at(offset).map(RegisterInfo::full_name),
            "value": value,
            "fields": fields(offset, value),
        }),
        CommandKind::Unknown { target, offset, value } => {
            json!({ "word": word, "kind": "unknown", "target": target, "offset": offset, "value": value })
        }
    }
}

/// The fields of a register that are not zero.
fn fields(offset: u16, word: u32) -> Map<String, Value> {
    let fields = RegisterInfo::at(offset).map(|register| register.fields).unwrap_or_default();
    fields.iter().filter(|field| field.is_set(word)).map(|field| (field.name.into(), json!(field.get(word)))).collect()
}
