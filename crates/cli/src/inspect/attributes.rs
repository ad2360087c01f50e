//! Attributes of operators: the network's own, such as kernel sizes and axes.

use ferrite_rknn::{Literal, Model};
use serde_json::{Map, Value, json};

use crate::printer::Printer;
use crate::table::Table;
use crate::table::safe;

pub(super) fn attributes(model: &Model, first: bool, printer: &mut Printer) {
    let mut table = Table::new(&[">#", "OPERATOR", "ATTRIBUTE", "VALUE"]);
    for (index, operator) in model.operators().iter().enumerate() {
        match model.operator_attributes(operator) {
            Ok(attributes) => {
                for (key, literal) in attributes {
                    table.row([index.to_string(), safe(&operator.name), safe(&key), value(&literal).to_string()]);
                }
            }
            Err(error) => printer.warn(format_args!("attributes of `{}`: {error}", safe(&operator.name))),
        }
    }
    printer.heading(first, "Attributes");
    printer.table(&table);
}

pub(super) fn document(model: &Model) -> Value {
    let list = model.operators().iter().enumerate().map(|(index, operator)| {
        let attributes = model.operator_attributes(operator).ok();
        let values = attributes.map(|attributes| {
            attributes.into_iter().map(|(key, literal)| (key, value(&literal))).collect::<Map<_, _>>()
        });
        json!({ "operator": index, "name": operator.name, "values": values })
    });
    list.collect()
}

/// A literal as JSON. What JSON does not know becomes text.
fn value(literal: &Literal) -> Value {
    match literal {
        Literal::None => Value::Null,
        Literal::Bool(flag) => json!(flag),
        Literal::Int(number) => json!(number),
        Literal::Float(number) if number.is_finite() => json!(number),
        Literal::Str(text) => json!(text),
        Literal::List(items) => items.iter().map(value).collect(),
        Literal::Dict(entries) => {
            let key = |key: &Literal| key.as_str().map_or_else(|| value(key).to_string(), str::to_string);
            Value::Object(entries.iter().map(|(name, inner)| (key(name), value(inner))).collect())
        }
        other => json!(format!("{other:?}")),
    }
}
