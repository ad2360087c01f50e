//! Comparing outputs with golden values.

use std::path::Path;

use ferrite_numerics::{Tolerance, Verdict, compare};
use ferrite_rknn_runtime::{Tensor, TensorInfo};
use serde_json::{Value, json};

use crate::args_run::CheckArgs;
use crate::failure::Failure;
use crate::npz::Archive;
use crate::{source, suggest};

/// What applies when neither `--tolerance` nor `--min-cosine` is given: a hundredth of the golden values' range.
pub(crate) const DEFAULT_TOLERANCE: Tolerance = Tolerance::RangeFraction(0.01);

/// Golden values and how near the outputs must be.
pub(crate) struct Check {
    golden: Vec<Tensor>,
    /// Not judged where only the cosine was asked for.
    tolerance: Option<Tolerance>,
    min_cosine: Option<f64>,
}

/// What came of one output.
pub(crate) struct Outcome {
    pub(crate) pass: bool,
    verdict: Verdict,
    tolerance_applies: bool,
    min_cosine: Option<f64>,
}

impl Check {
    /// Reads the golden values of every output, so that a missing one is noticed before anything runs.
    pub(crate) fn prepare(args: &CheckArgs, outputs: &[TensorInfo]) -> Result<Option<Self>, Failure> {
        let Some(path) = &args.compare else { return Ok(None) };
        let tolerance = args.tolerance.as_deref().map(parse).transpose()?;
        let tolerance = tolerance.or(args.min_cosine.is_none().then_some(DEFAULT_TOLERANCE));
        let refused = |error: &dyn std::error::Error| {
            Failure::input(format!("cannot read the golden values `{}`", path.display())).because(error)
        };
        let mut archive = Archive::open(source::read(path, "the golden values")?).map_err(|error| refused(&error))?;
        let missing: Vec<&str> = outputs
            .iter()
            .map(|output| output.name.as_str())
            .filter(|name| archive.find("out", name).is_none())
            .collect();
        if !missing.is_empty() {
            return Err(missing_members(path, &missing, &archive, outputs));
        }
        let mut golden = Vec::new();
        for output in outputs {
            let member = archive.find("out", &output.name).unwrap_or_default();
            let value = archive.read(&member).map_err(|error| refused(&error))?;
            golden.push(fitted(path, value, output)?);
        }
        Ok(Some(Self { golden, tolerance, min_cosine: args.min_cosine }))
    }

    /// Judges output number `index`.
    pub(crate) fn judge(&self, index: usize, output: &Tensor) -> Result<Outcome, Failure> {
        let golden = &self.golden[index];
        // Judged exactly, the verdict says which tolerance would have passed.
        let tolerance = self.tolerance.unwrap_or(Tolerance::Exact);
        let verdict = compare(&output.to_f32(), &golden.to_f32(), tolerance, Some(output.shape()))
            .map_err(|error| Failure::input("cannot compare").because(&error))?;
        let near = self.tolerance.is_none() || verdict.pass;
        let tolerance_applies = self.tolerance.is_some();
        let mut outcome = Outcome { pass: near, verdict, tolerance_applies, min_cosine: self.min_cosine };
        outcome.pass &= outcome.parallel();
        Ok(outcome)
    }
}

fn parse(text: &str) -> Result<Tolerance, Failure> {
    let wrong = |error| Failure::input("`--tolerance` is wrong").because(&error).help("see `ferrite run --help`");
    text.parse().map_err(|error: ferrite_numerics::ParseToleranceError| wrong(error))
}

/// Golden values in the output's shape; dimensions of size 1 may differ.
fn fitted(path: &Path, golden: Tensor, output: &TensorInfo) -> Result<Tensor, Failure> {
    let essential = |shape: &[usize]| shape.iter().copied().filter(|&size| size != 1).collect::<Vec<usize>>();
    if essential(golden.shape()) != essential(&output.shape) {
        let (have, want) = (super::shape(golden.shape()), super::shape(&output.shape));
        let path = path.display();
        return Err(Failure::input(format!(
            "`{path}` has output `{}` with shape {have}, the model with {want}",
            output.name
        )));
    }
    Tensor::new(golden.element(), output.shape.clone(), golden.bytes().to_vec())
        .map_err(|error| super::failed("cannot use the golden values", &error))
}

fn missing_members(path: &Path, missing: &[&str], archive: &Archive, outputs: &[TensorInfo]) -> Failure {
    let names = archive.names();
    let (members, outputs) = (
        suggest::list(names.iter().map(String::as_str)),
        suggest::list(outputs.iter().map(|output| output.name.as_str())),
    );
    Failure::input(format!("`{}` has no golden values for {}", path.display(), suggest::list(missing.iter().copied())))
        .help(format!("its members are {members}; the outputs are {outputs}"))
}

impl Outcome {
    fn parallel(&self) -> bool {
        // A NaN on one side has no angle, and nothing excuses it.
        self.min_cosine.is_none_or(|min| self.verdict.cosine >= min && self.verdict.special_mismatches == 0)
    }

    /// Lines for people, the first with the result.
    pub(crate) fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        if let Some(min) = self.min_cosine {
            let result = if self.parallel() { "pass" } else { "fail" };
            lines.push(format!("{result}: cosine {:.8}, at least {min} is asked for", self.verdict.cosine));
        }
        let text = self.verdict.to_string();
        let shown = |line: &&str| self.tolerance_applies || !(self.pass && line.contains("would pass"));
        lines.extend(text.lines().skip(usize::from(!self.tolerance_applies)).filter(shown).map(str::to_string));
        lines
    }

    pub(crate) fn document(&self) -> Value {
        json!({
            "pass": self.pass,
            "min_cosine": self.min_cosine,
            "tolerance_applies": self.tolerance_applies,
            "verdict": serde_json::to_value(&self.verdict).unwrap_or_default(),
        })
    }
}
