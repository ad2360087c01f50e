//! The tables: generated from the lists, consistent in themselves, and equal to the device model they derive from.

#![allow(clippy::print_stderr, reason = "what is skipped is said")]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use ferrite_xdna::TileKind;
use ferrite_xdna::events;
use ferrite_xdna::registers::{Field, Module, REGISTERS, Register, RegisterInfo};

fn crate_file(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn rows(text: &str) -> impl Iterator<Item = Vec<&str>> {
    text.lines().filter(|line| !line.starts_with('#')).skip(1).map(|line| line.split('\t').collect())
}

fn variant(name: &str) -> String {
    name.split('_').map(|word| format!("{}{}", word[..1].to_uppercase(), &word[1..])).collect()
}

fn generated_registers(text: &str) -> String {
    let mut out = String::from(
        "// Generated from registers.tsv by tests/tables.rs: edit the list, then run\n\
         // BLESS=1 cargo test -p ferrite-xdna --test tables\n\n\
         use super::{Module, RegisterInfo, registers};\n\nregisters! {\n",
    );
    let rows: Vec<Vec<&str>> = rows(text).collect();
    for module in rows.chunk_by(|a, b| a[0] == b[0]) {
        writeln!(out, "    {} {} {{", variant(module[0][0]), module[0][0]).unwrap();
        for row in module {
            let [_, offset, count, stride, name, fields] = row[..] else { panic!("six columns: {row:?}") };
            let constant = name.replace("{}", "N").to_uppercase();
            let lower = constant.to_lowercase();
            writeln!(out, "        {offset} {count} {stride} \"{name}\" {constant} {lower} {{").unwrap();
            for field in fields.split(' ') {
                let (name, bits) = field.split_once(':').unwrap();
                let (high, low) = bits.split_once('-').unwrap_or((bits, bits));
                writeln!(out, "            {low} {high} \"{name}\" {};", name.to_uppercase()).unwrap();
            }
            writeln!(out, "        }}").unwrap();
        }
        writeln!(out, "    }}").unwrap();
    }
    out + "}\n"
}

fn generated_events(text: &str) -> String {
    let mut out = String::from(
        "// Generated from events.tsv by tests/tables.rs: edit the list, then run\n\
         // BLESS=1 cargo test -p ferrite-xdna --test tables\n",
    );
    let rows: Vec<Vec<&str>> = rows(text).collect();
    for module in rows.chunk_by(|a, b| a[0] == b[0]) {
        writeln!(out, "\npub(super) const {}: &[(u8, &str)] = &[", module[0][0].to_uppercase()).unwrap();
        for row in module {
            writeln!(out, "    ({}, \"{}\"),", row[1], row[2]).unwrap();
        }
        writeln!(out, "];").unwrap();
    }
    out
}

#[track_caller]
fn check_generated(list: &str, table: &str, generate: fn(&str) -> String) {
    let generated = generate(&std::fs::read_to_string(crate_file(list)).unwrap());
    let path = crate_file(table);
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &generated).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap();
    assert!(committed == generated, "{table} differs from {list}; BLESS=1 rewrites it");
}

#[test]
fn tables_are_generated_from_the_lists() {
    check_generated("registers.tsv", "src/registers/table.rs", generated_registers);
    check_generated("events.tsv", "src/events/table.rs", generated_events);
}

#[test]
fn registers_do_not_collide() {
    for kind in TileKind::ALL {
        let all: Vec<Register> = Register::all(kind).collect();
        for pair in all.windows(2) {
            assert!(pair[0].offset() < pair[1].offset(), "{} and {}", pair[0].name(), pair[1].name());
        }
        for register in &all {
            assert_eq!(register.offset() % 4, 0, "{}", register.name());
            assert!(register.offset() < 1 << 20, "{}", register.name());
            assert_eq!(Register::at(kind, register.offset()), Some(*register));
        }
        let unique: BTreeSet<_> = all.iter().map(|register| (register.info.module, register.name())).collect();
        assert_eq!(unique.len(), all.len());
    }
}

#[test]
fn fields_rise_do_not_overlap_and_know_their_register() {
    let problems = |register: &RegisterInfo| {
        let overlap = register.fields.windows(2).any(|pair| pair[0].high >= pair[1].low);
        let foreign = |field: &Field| (field.offset, field.module) != (register.offset, register.module);
        let names: BTreeSet<&str> = register.fields.iter().map(|field| field.name).collect();
        let unsound = register.fields.iter().any(|field| field.high > 31 || field.low > field.high || foreign(field));
        overlap || unsound || names.len() != register.fields.len() || register.count == 0
    };
    let wrong: Vec<&str> =
        REGISTERS.iter().filter(|register| problems(register)).map(|register| register.name).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
}

#[test]
fn fields_hold_what_fits_and_nothing_else() {
    arbtest::arbtest(|u| {
        let register = u.choose(REGISTERS)?;
        let field = u.choose(register.fields)?;
        let before: u32 = u.arbitrary()?;
        let value: u32 = u.arbitrary()?;
        let mut word = before;
        if field.set(&mut word, value).is_ok() {
            assert_eq!(field.get(word), value);
            assert_eq!(word & !field.mask(), before & !field.mask());
        } else {
            assert!(value > field.max());
            assert_eq!(word, before);
        }
        let signed = i32::from_ne_bytes(value.to_ne_bytes()) >> (32 - field.width());
        field.set_signed(&mut word, signed).unwrap();
        assert_eq!(field.get_signed(word), signed);
        Ok(())
    });
}

#[test]
fn events_are_found_both_ways() {
    for module in Module::ALL {
        for (number, name) in events::of(module) {
            assert_eq!(events::name(module, *number), Some(*name));
            assert!(events::number(module, name).is_some());
        }
        assert!(events::of(module).windows(2).all(|pair| pair[0].0 < pair[1].0), "{module}");
    }
    assert_eq!(events::name(Module::Core, 33), Some("INSTR_EVENT_0"));
    assert_eq!(events::name(Module::Memory, 13), None);
}

/// Registers by name, with offset and fields, as the golden device model lists them.
type Listed = BTreeMap<String, (u32, Vec<(String, u8, u8)>)>;

#[test]
fn registers_are_those_of_the_device_model() {
    let Some(model) = golden_model() else {
        return;
    };
    for module in Module::ALL {
        let mut listed = Listed::new();
        for register in model["registers"][module.name()].as_array().unwrap() {
            if register["width"] != 32 {
                continue;
            }
            let offset =
                u32::from_str_radix(register["offset"].as_str().unwrap().trim_start_matches("0x"), 16).unwrap();
            let field = |field: &serde_json::Value| {
                let bit = |index: usize| u8::try_from(field[index].as_u64().unwrap()).unwrap();
                (field[0].as_str().unwrap().to_owned(), bit(1), bit(2))
            };
            let mut fields: Vec<_> = register["fields"].as_array().unwrap().iter().map(field).collect();
            fields.sort_by_key(|field| field.1);
            listed.insert(register["name"].as_str().unwrap().to_owned(), (offset, fields));
        }
        // The model lists descriptors for BD 0 only.
        let ours: Listed = Register::all(module.tile())
            .filter(|register| register.info.module == module)
            .filter(|register| !register.name().starts_with("DMA_BD") || register.index == 0)
            .map(|register| {
                let fields = register.info.fields.iter().map(|f| (f.name.to_owned(), f.low, f.high)).collect();
                (register.name(), (register.offset(), fields))
            })
            .collect();
        assert_eq!(ours, listed, "{module}");
    }
}

/// The device model of the golden data, where that is at hand.
fn golden_model() -> Option<serde_json::Value> {
    let path = std::env::var_os("FERRITE_XDNA_GOLDEN")
        .map_or_else(|| crate_file("../../../shared/xdna-golden"), PathBuf::from);
    match std::fs::read_to_string(path.join("device_model.json")) {
        Ok(text) => Some(serde_json::from_str(&text).unwrap()),
        Err(_) => {
            eprintln!("skipped: no device_model.json in {}", path.display());
            None
        }
    }
}
