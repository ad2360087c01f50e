//! Traces.

use ferrite_xdna::registers::Module;
use ferrite_xdna::trace::{Configuration, Trace, events_of_json, to_json, words_of_text};
use ferrite_xdna::{Tile, events};
use serde_json::Value;

use crate::check::{Outcome, Tally, int, int8, int32, json, list, name, same, string, text};

fn trace(case: &Value) -> Outcome {
    let words = words_of_text(&string(case["words_file"].as_str().unwrap())).map_err(text)?;
    same("words", &(words.len() as u64), &int(&case["num_words"]))?;
    let writes = list(&case["trace_registers"]).iter().map(|write| {
        let tile = Tile::new(int8(&write["column"]), int8(&write["row"]));
        (tile.address(int32(&write["address"])), int32(&write["value"]))
    });
    let configuration = Configuration::of_writes(writes);
    let trace = Trace::decode(&words);
    let shift = trace.column_shift(&configuration);
    same("column shift", &-i64::from(shift), &case["column_shift"].as_i64().unwrap())?;
    let slots = list(&case["event_slots"]);
    same("units", &configuration.units.len(), &slots.len())?;
    for (unit, golden) in configuration.units.iter().zip(slots) {
        let column = i64::from(unit.tile.column) + i64::from(shift);
        let place = [i64::from(unit.packet_type), i64::from(unit.tile.row), column].map(i64::cast_unsigned);
        same("type, row, column", &place, &["packet_type", "row", "col"].map(|key| int(&golden[key])))?;
        same("codes", &unit.slots.to_vec(), &list(&golden["codes"]).iter().map(int8).collect())?;
        let names: Vec<_> = (0..8).map(|slot| unit.event_name(slot)).collect();
        let golden: Vec<&str> = list(&golden["names"]).iter().filter_map(Value::as_str).collect();
        same("names", &names.iter().map(AsRef::as_ref).collect::<Vec<_>>(), &golden)?;
    }
    let timeline = trace.timeline(&configuration);
    same("complete", &timeline.complete, &true)?;
    let timeline = timeline.events;
    let file = case["expected_file"].as_str().unwrap();
    same("read from JSON", &events_of_json(&string(file)).map_err(text)?, &timeline)?;
    same("written and read", &events_of_json(&to_json(&timeline)).map_err(text)?, &timeline)?;
    same("events", &(timeline.len() as u64), &int(&case["num_expected_events"]))?;
    let ours: Vec<Value> = serde_json::from_str(&to_json(&timeline)).map_err(text)?;
    let golden = json(file);
    for (index, (ours, golden)) in ours.iter().zip(list(&golden)).enumerate() {
        same(&format!("event {index}"), &ours, &golden)?;
    }
    Ok(())
}

pub(crate) fn all(tally: &mut Tally) {
    let file = json("trace.json");
    for case in list(&file["cases"]) {
        tally.case(name(case), trace(case));
    }
    let modules =
        [("core", Module::Core), ("mem", Module::Memory), ("shim", Module::Shim), ("memtile", Module::MemoryTile)];
    for (kind, module) in modules {
        let golden = file["event_ids"][kind].as_object().unwrap();
        for (number, name) in golden {
            let ours = events::name(module, number.parse().unwrap());
            tally.case(&format!("event {number} of {kind}"), same("name", &ours, &name.as_str()));
        }
        tally.case(&format!("events of {kind}"), same("number", &events::of(module).len(), &golden.len()));
    }
}
