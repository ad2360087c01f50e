//! Hardware events by number, from `events.tsv`.

#[rustfmt::skip]
mod table;

use crate::registers::Module;

/// The name of an event of a module, as in AMD's low-level driver.
pub fn name(module: Module, number: u8) -> Option<&'static str> {
    let events = of(module);
    let place = events.binary_search_by_key(&number, |event| event.0).ok()?;
    events.get(place).map(|event| event.1)
}

/// The number of an event of a module.
pub fn number(module: Module, name: &str) -> Option<u8> {
    of(module).iter().find(|event| event.1 == name).map(|event| event.0)
}

/// Every named event of a module, by rising number.
pub const fn of(module: Module) -> &'static [(u8, &'static str)] {
    match module {
        Module::Core => table::CORE,
        Module::Memory => table::MEMORY,
        Module::MemoryTile => table::MEMORY_TILE,
        Module::Shim => table::SHIM,
    }
}
