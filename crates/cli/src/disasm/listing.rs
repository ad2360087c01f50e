//! Tasks as text that the assembler reads back: what is not a command stands behind `;`.

use ferrite_rknpu::text::Listing;

use super::{State, Task};
use crate::args::DisasmArgs;
use crate::printer::Printer;

pub(super) fn print(args: &DisasmArgs, tasks: &[Task], printer: &mut Printer) {
    for (position, task) in tasks.iter().enumerate() {
        if printer.is_closed() {
            return;
        }
        if position > 0 {
            printer.line("");
        }
        printer.line(format_args!("; {}", title(task)));
        commands(args, task, printer);
        match &task.state {
            None => {}
            Some(Ok(state)) => print_state(state, printer),
            Some(Err(error)) => printer.line(format_args!("; no state: {error}")),
        }
    }
}

fn title(task: &Task) -> String {
    let operator = match &task.operator {
        Some((index, name, kind)) => format!(", operator {index} `{}` ({kind})", name.escape_debug()),
        None => String::new(),
    };
    let core = match task.core {
        (_, 1) => String::new(),
        (core, cores) => format!(", core {core} of {cores}"),
    };
    let commands = task.program.commands.len();
    format!("task {}{operator}{core}, {commands} commands at {:#x}", task.index, task.offset)
}

fn commands(args: &DisasmArgs, task: &Task, printer: &mut Printer) {
    let listing = task.program.listing();
    let text = if args.no_hex { listing.plain().to_string() } else { listing.to_string() };
    for (index, line) in text.lines().enumerate() {
        match task.addresses.get(&index) {
            None => printer.line(line),
            Some(address) if address.addend == 0 => {
                printer.line(format_args!("{line} ; {}", address.name.escape_debug()))
            }
            Some(address) => {
                printer.line(format_args!("{line} ; {} + {:#x}", address.name.escape_debug(), address.addend));
            }
        }
    }
}

fn print_state(state: &State, printer: &mut Printer) {
    printer.line("; runs with (registers that are not zero; `*` left by an earlier task):");
    for (command, written) in &state.registers {
        let mark = if *written { ' ' } else { '*' };
        let line = Listing::new(std::slice::from_ref(command)).plain().to_string();
        printer.line(format_args!(";{mark} {}", line.trim_end()));
    }
    if state.lut_entries > 0 {
        printer.line(format_args!(";  {} lookup table entries written", state.lut_entries));
    }
}
