use super::*;

fn input(name: &str) -> TensorInfo {
    TensorInfo {
        name: name.into(),
        shape: vec![1, 2],
        element: ElementType::F16,
        quantization: None,
        native_shape: vec![1, 2],
        native_bytes: 4,
        normalization: None,
    }
}

fn sorted(texts: &[&str], names: &[&str]) -> Result<Vec<Run>, Failure> {
    let texts: Vec<String> = texts.iter().map(|text| (*text).into()).collect();
    let inputs: Vec<TensorInfo> = names.iter().map(|name| input(name)).collect();
    runs(&texts, &inputs, 9, Path::new("m.rknn"))
}

fn random(seed: u64) -> Source {
    Source::Random { seed }
}

#[test]
fn named_values_win_over_values_for_all() {
    let runs = sorted(&["random:3", "b=random"], &["a", "b", "c"]).unwrap();
    assert_eq!(runs.len(), 1);
    assert_eq!(runs[0].sources, [random(3), random(9), random(3)]);
}

#[test]
fn names_may_contain_equals_signs() {
    let runs = sorted(&["a=b=random:1", "a=random:2"], &["a", "a=b"]).unwrap();
    assert_eq!(runs[0].sources, [random(2), random(1)]);
}

#[test]
fn several_values_are_several_runs() {
    let runs = sorted(&["a=random:1", "a=random:2", "b=random:3"], &["a", "b"]).unwrap();
    assert_eq!(runs[0].sources, [random(1), random(3)]);
    assert_eq!(runs[1].sources, [random(2), random(3)]);
    assert_eq!(runs[1].name, "a=random:2 b=random:3");
}

#[test]
fn bare_files_may_say_their_type() {
    let Source::File { path, element } = parse_source("f16:dir/x", 0).unwrap() else { panic!() };
    assert_eq!((path.to_str(), element), (Some("dir/x"), Some(ElementType::F16)));
    let Source::File { path, element } = parse_source("bf16x", 0).unwrap() else { panic!() };
    assert_eq!((path.to_str(), element), (Some("bf16x"), None));
}

#[test]
fn mistakes_are_explained() {
    let cases: [(&[&str], &[&str], &str, &str); 6] = [
        (&["imput=random"], &["input"], "no input `imput`", "similar name exists: `input`"),
        (&["zzz=random"], &["input"], "no input `zzz`", "inputs are `input`"),
        (&["random:x"], &["input"], "`x` is no seed", "random:7"),
        (&[], &["a", "b"], "no value for inputs `a` (1x2, float16), `b` (1x2, float16)", "ferrite run m.rknn"),
        (&["f32:x"], &["a", "b"], "which input is `f32:x` for?", "--input a=f32:x"),
        (&["a=random", "a=random", "a=random", "b=random", "b=random"], &["a", "b"], "`b` has 2 values", "same number"),
    ];
    for (texts, names, message, help) in cases {
        let failure = sorted(texts, names).unwrap_err();
        assert!(failure.message.contains(message), "{}", failure.message);
        assert!(failure.help.join(" ").contains(help), "{:?}", failure.help);
    }
}
