//! What `--input` says: which value goes to which input in which run.

use std::path::{Path, PathBuf};

use ferrite_rknn_runtime::{ElementType, TensorInfo};

use crate::failure::Failure;
use crate::npz::{Archive, NPZ_MAGIC};
use crate::{source, suggest};

/// Where an input's values come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Source {
    /// A file; an element type means bare values of that type.
    File { path: PathBuf, element: Option<ElementType> },
    /// A member of an archive.
    Member { path: PathBuf, member: String },
    /// Random values.
    Random { seed: u64 },
}

/// The sources of one run, one for each input, and what to call the run.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) name: String,
    pub(crate) sources: Vec<Source>,
}

/// One SPEC of the command line.
struct Spec<'a> {
    text: &'a str,
    input: Option<usize>,
    source: Source,
}

const ELEMENTS: [(&str, ElementType); 11] = [
    ("f32", ElementType::F32),
    ("f16", ElementType::F16),
    ("bf16", ElementType::Bf16),
    ("u8", ElementType::U8),
    ("i8", ElementType::I8),
    ("u16", ElementType::U16),
    ("i16", ElementType::I16),
    ("u32", ElementType::U32),
    ("i32", ElementType::I32),
    ("i64", ElementType::I64),
    ("bool", ElementType::Bool),
];

/// Sorts the command line's SPECs into runs.
pub(crate) fn runs(texts: &[String], inputs: &[TensorInfo], seed: u64, model: &Path) -> Result<Vec<Run>, Failure> {
    let specs = texts.iter().map(|text| parse(text, inputs, seed)).collect::<Result<Vec<_>, _>>()?;
    let mut lists: Vec<Vec<(Source, &str)>> = vec![Vec::new(); inputs.len()];
    for spec in &specs {
        if let Some(input) = spec.input {
            lists[input].push((spec.source.clone(), spec.text));
        }
    }
    let named: Vec<bool> = lists.iter().map(|list| !list.is_empty()).collect();
    for spec in specs.iter().filter(|spec| spec.input.is_none()) {
        fill(spec, inputs, &named, &mut lists)?;
    }
    combine(lists, inputs, model)
}

fn parse<'a>(text: &'a str, inputs: &[TensorInfo], seed: u64) -> Result<Spec<'a>, Failure> {
    // Names of tensors may contain `=`, so the names decide where one ends; the longest match wins.
    let matches = inputs.iter().enumerate().filter_map(|(index, input)| {
        let rest = text.strip_prefix(input.name.as_str())?.strip_prefix('=')?;
        Some((input.name.len(), index, rest))
    });
    let (input, rest) = match matches.max() {
        Some((_, index, rest)) => (Some(index), rest),
        None => (None, text),
    };
    if let (None, Some((name, _)), false) = (input, text.split_once('='), Path::new(text).exists()) {
        let names: Vec<&str> = inputs.iter().map(|input| input.name.as_str()).collect();
        let failure = Failure::input(format!("the model has no input `{name}`"));
        return Err(match suggest::nearest(name, names.iter().copied()) {
            Some(near) => failure.help(format!("an input with a similar name exists: `{near}`")),
            None => failure.help(format!("its inputs are {}", suggest::list(names))),
        });
    }
    Ok(Spec { text, input, source: parse_source(rest, seed)? })
}

fn parse_source(text: &str, default_seed: u64) -> Result<Source, Failure> {
    if text == "random" {
        return Ok(Source::Random { seed: default_seed });
    }
    if let Some(seed) = text.strip_prefix("random:") {
        let wrong = || Failure::input(format!("`{seed}` is no seed")).help("write `random:7`, with a whole number");
        return Ok(Source::Random { seed: seed.parse().map_err(|_| wrong())? });
    }
    if let Some((path, element)) =
        ELEMENTS.iter().find_map(|(name, element)| Some((text.strip_prefix(name)?.strip_prefix(':')?, *element)))
    {
        return Ok(Source::File { path: path.into(), element: Some(element) });
    }
    Ok(Source::File { path: text.into(), element: None })
}

/// Hands a SPEC without a name to the input or inputs it is for.
fn fill<'a>(
    spec: &Spec<'a>,
    inputs: &[TensorInfo],
    named: &[bool],
    lists: &mut [Vec<(Source, &'a str)>],
) -> Result<(), Failure> {
    let unnamed = (0..inputs.len()).filter(|&index| !named[index]);
    match &spec.source {
        Source::Random { .. } => unnamed.for_each(|index| lists[index].push((spec.source.clone(), spec.text))),
        Source::File { path, element: None } if is_archive(path)? => {
            let archive = Archive::open(source::read(path, "the input")?)
                .map_err(|error| Failure::input(format!("cannot read `{}`", path.display())).because(&error))?;
            let mut used = false;
            for index in unnamed {
                if let Some(member) = archive.find("in", &inputs[index].name) {
                    lists[index].push((Source::Member { path: path.clone(), member }, spec.text));
                    used = true;
                }
            }
            if !used {
                return Err(no_member(path, &archive.names(), inputs));
            }
        }
        _ if inputs.len() == 1 => lists[0].push((spec.source.clone(), spec.text)),
        _ => {
            let example = inputs.first().map_or("NAME", |input| input.name.as_str());
            return Err(Failure::input(format!("which input is `{}` for? the model has {}", spec.text, inputs.len()))
                .help(format!("write `--input {example}={}`", spec.text)));
        }
    }
    Ok(())
}

pub(super) fn is_archive(path: &Path) -> Result<bool, Failure> {
    let bytes = source::read_start(path, "the input")?;
    Ok(NPZ_MAGIC.iter().any(|magic| bytes.starts_with(magic)))
}

fn no_member(path: &Path, members: &[String], inputs: &[TensorInfo]) -> Failure {
    let inputs = suggest::list(inputs.iter().map(|input| input.name.as_str()));
    let members = suggest::list(members.iter().map(String::as_str));
    Failure::input(format!("no member of `{}` has the name of an input", path.display()))
        .help(format!("its members are {members}; the inputs are {inputs}"))
}

/// As many runs as the input with the most values has; inputs with one value take it in every run.
fn combine(lists: Vec<Vec<(Source, &str)>>, inputs: &[TensorInfo], model: &Path) -> Result<Vec<Run>, Failure> {
    let missing: Vec<usize> = (0..inputs.len()).filter(|&index| lists[index].is_empty()).collect();
    if !missing.is_empty() {
        return Err(missing_inputs(&missing, inputs, model));
    }
    // A model without inputs runs once.
    let count = lists.iter().map(Vec::len).max().unwrap_or(1);
    if let Some(odd) = lists.iter().position(|list| list.len() != 1 && list.len() != count) {
        let text = format!("input `{}` has {} values, another one {count}", inputs[odd].name, lists[odd].len());
        return Err(Failure::input(text).help("give each input one value, or the same number of values"));
    }
    let run = |at: usize| {
        let picked: Vec<&(Source, &str)> = lists.iter().filter_map(|list| list.get(at).or(list.first())).collect();
        let mut names: Vec<&str> = picked.iter().map(|(_, text)| *text).collect();
        names.dedup();
        Run { name: names.join(" "), sources: picked.into_iter().map(|(source, _)| source.clone()).collect() }
    };
    Ok((0..count).map(run).collect())
}

fn missing_inputs(missing: &[usize], inputs: &[TensorInfo], model: &Path) -> Failure {
    let describe = |&index: &usize| {
        let input = &inputs[index];
        format!("`{}` ({}, {})", input.name, super::shape(&input.shape), input.element.name())
    };
    let list = missing.iter().map(describe).collect::<Vec<_>>().join(", ");
    let noun = if missing.len() == 1 { "input" } else { "inputs" };
    Failure::input(format!("no value for {noun} {list}"))
        .help(format!("for random values: `ferrite run {} --input random:1`", model.display()))
}

#[cfg(test)]
#[path = "specs_tests.rs"]
mod tests;
