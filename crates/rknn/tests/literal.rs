//! The reader of Python literals against values whose text is known.

use arbtest::arbitrary::{Result, Unstructured};
use arbtest::arbtest;
use ferrite_rknn::Literal;

/// Python's `repr` of a value, for the values `random` makes.
fn repr(value: &Literal) -> String {
    let list = |items: &[Literal]| items.iter().map(repr).collect::<Vec<_>>().join(", ");
    match value {
        Literal::None => "None".into(),
        Literal::Bool(true) => "True".into(),
        Literal::Bool(false) => "False".into(),
        Literal::Int(value) => value.to_string(),
        Literal::Float(value) => format!("{value:?}"),
        Literal::Str(text) => {
            let escape = |c: char| match c {
                '\\' => "\\\\".to_owned(),
                '\'' => "\\'".to_owned(),
                '\n' => "\\n".to_owned(),
                c if (c as u32) < 0x20 => format!("\\x{:02x}", c as u32),
                c => c.to_string(),
            };
            format!("'{}'", text.chars().map(escape).collect::<String>())
        }
        Literal::List(items) => format!("[{}]", list(items)),
        Literal::Dict(entries) => {
            let entry = |(key, value): &(Literal, Literal)| format!("{}: {}", repr(key), repr(value));
            format!("{{{}}}", entries.iter().map(entry).collect::<Vec<_>>().join(", "))
        }
        Literal::Call(name, arguments) => format!("{name}({})", list(arguments)),
        _ => unreachable!("no other kinds"),
    }
}

fn random_value(random: &mut Unstructured<'_>, depth: usize) -> Result<Literal> {
    let items = |random: &mut Unstructured<'_>| -> Result<Vec<Literal>> {
        let count = random.int_in_range(0..=4)?;
        (0..count).map(|_| random_value(random, depth + 1)).collect()
    };
    Ok(match random.int_in_range(0..=if depth < 5 { 7 } else { 4 })? {
        0 => Literal::None,
        1 => Literal::Bool(random.arbitrary()?),
        2 => Literal::Int(random.arbitrary()?),
        3 => Literal::Float(f64::from(random.arbitrary::<i32>()?) / 64.0),
        4 => Literal::Str(random.arbitrary()?),
        5 => Literal::List(items(random)?),
        6 => Literal::Dict(items(random)?.into_iter().zip(items(random)?).collect()),
        _ => Literal::Call("array".into(), items(random)?),
    })
}

#[test]
fn what_python_prints_is_read_back() {
    arbtest(|random| {
        let value = random_value(random, 0)?;
        let text = repr(&value);
        assert_eq!(Literal::parse(&text), Ok(value), "{text}");
        Ok(())
    })
    .budget_ms(500);
}

#[test]
fn anything_else_is_no_panic() {
    arbtest(|random| {
        let text: String = random.arbitrary()?;
        let _ = Literal::parse(&text);
        let parts = ["{", "}", "[", "'", ":", ",", "1e", "-", "array(", ")", "None", "\\x", "\"", " ", "é"];
        let count = random.int_in_range(0..=40)?;
        let text: String = (0..count).map(|_| random.choose(&parts).copied()).collect::<Result<_>>()?;
        if let Err(position) = Literal::parse(&text) {
            assert!(position <= text.len());
        }
        Ok(())
    })
    .budget_ms(500);
}

#[test]
fn forms_the_compiler_may_use() {
    let parse = |text| Literal::parse(text).unwrap();
    assert_eq!(parse("(1, 2,)"), parse("[1, 2]"));
    assert_eq!(parse("{1, 2}"), parse("[1, 2]"));
    assert_eq!(parse("()"), Literal::List(vec![]));
    assert_eq!(parse("np.float32(0.5)").as_f64(), Some(0.5));
    assert_eq!(parse("array([1., 2.], dtype=float32)").as_list().map(<[Literal]>::len), Some(2));
    assert_eq!(parse("-1.5e-05").as_f64(), Some(-1.5e-5));
    assert_eq!(parse("-inf").as_f64(), Some(f64::NEG_INFINITY));
    assert_eq!(parse(r"'it\'s \x41\u00e9'").as_str(), Some("it's A\u{e9}"));
    assert_eq!(parse("{'a': {'b': None}}").get("a").and_then(|a| a.get("b")), Some(&Literal::None));
    let deep = "[".repeat(1000);
    assert!(Literal::parse(&deep).unwrap_err() < 100);
    assert_eq!(Literal::parse("[1, }"), Err(4));
    assert_eq!(Literal::parse("1 2"), Err(2));
}
