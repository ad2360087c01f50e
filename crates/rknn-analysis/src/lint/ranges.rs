//! Half precision: constants that are not finite, and sums that can overflow.
//!
//! What is said about sums is a bound: no output of a convolution exceeds the largest sum of its weights' magnitudes times the largest
//! magnitude of its input. The real values may stay far below it; they cannot go beyond it. Biases are left out.

use std::collections::HashMap;

use ferrite_rknn::{DataType, Literal, Model, Operator};
use ferrite_rknpu::layout::WeightLayout;
use ferrite_rknpu::reg;
use ferrite_rknpu::typed::{Cna, ConvolutionMode, Job, Precision};
use half::f16;

use super::{At, Kind, Place, Report};
use crate::programs::{Programs, Task};

/// Inputs beyond this are rare in networks that were trained in half precision or normalise their inputs: a convolution that can
/// overflow below it is worth a note.
const USUAL: f64 = 64.0;

pub(super) fn check(programs: &Programs<'_>, report: &mut Report) {
    let model = programs.model();
    constants(model, report);
    let ranges = known_ranges(model);
    let Some(region) = programs.regions().iter().find(|region| region.cores == 1) else { return };
    for task in programs.replay(region) {
        let Ok(job) = &task.job else { continue };
        let Some(largest) = largest_sum(programs, &task, job) else { continue };
        let input = task.origin(reg::cna::FEATURE_DATA_ADDR).and_then(|command| programs.address(command)?.tensor);
        let range = input.and_then(|tensor| ranges.get(&tensor));
        let limit = f64::from(f16::MAX);
        let mut at = At { programs, task: &task, report };
        match range {
            Some(range) if largest * range > limit => {
                let message = format!(
                    "the output can reach {:.0}, half precision ends at {limit:.0} (a bound: weights sum up to {largest:.4}, the input to {range:.4})",
                    largest * range
                );
                at.register(Kind::Fp16Range, reg::dpu::DST_BASE_ADDR, None, message);
            }
            None if largest * USUAL > limit => {
                let message = format!(
                    "inputs beyond {:.2} can overflow half precision (a bound: weights sum up to {largest:.4}; the input's range is not known)",
                    limit / largest
                );
                at.register(Kind::Fp16Headroom, reg::dpu::DST_BASE_ADDR, None, message);
            }
            _ => {}
        }
    }
}

/// Constants that the compiler could not store in half precision.
fn constants(model: &Model, report: &mut Report) {
    for tensor in model.tensors().iter().filter(|tensor| tensor.data_type == DataType::FLOAT16) {
        let Some((blob, bytes)) = tensor.blob.and_then(|blob| Some((blob, model.blob(blob)?))) else { continue };
        let (elements, _) = bytes.as_chunks::<2>();
        // What fills a blob up to whole groups is whatever the compiler's memory held.
        let real = tensor.shape.iter().fold(1_usize, |product, &size| product.saturating_mul(size as usize));
        if elements.len() != real {
            continue;
        }
        let wrong = |element: &&[u8; 2]| !f16::from_le_bytes(**element).is_finite();
        let Some(first) = elements.iter().position(|element| wrong(&element)) else { continue };
        let count = elements.iter().filter(wrong).count();
        let place = Place { offset: Some(model.blobs()[blob].start + first * 2), ..Place::default() };
        let value = f16::from_le_bytes(elements[first]);
        let message = format!("constant `{}` is {value} at {count} of {} elements", tensor.name, elements.len());
        report.add(Kind::NotFinite, place, message);
    }
}

/// The largest sum of a kernel's magnitudes, for a convolution whose sums are written in half precision as they are.
fn largest_sum(programs: &Programs<'_>, task: &Task<'_>, job: &Job) -> Option<f64> {
    let (cna, dpu) = (job.cna.as_ref()?, job.dpu.as_ref()?);
    let scaled = |stage: &ferrite_rknpu::typed::ScaleStage| !stage.bypass && !stage.multiply_bypass;
    let plain = !scaled(&dpu.bs) && !scaled(&dpu.bn) && dpu.ew.bypass;
    let half = cna.input_precision == Precision::Float16 && dpu.output_precision == Precision::Float16;
    if !plain || !half {
        return None;
    }
    let address = programs.address(task.origin(reg::cna::DCOMP_ADDR0)?)?;
    let model = programs.model();
    let blob = model.blob(model.tensors()[address.tensor?].blob?)?;
    let start = address.addend as usize;
    let bytes = blob.get(start..start.checked_add(cna.weight_bytes as usize)?)?;
    let (layout, kernel) = layout(cna)?;
    if layout.blob_bytes() != bytes.len() {
        return None;
    }
    let dense = layout.unpack(bytes).ok()?;
    let (elements, _) = dense.as_chunks::<2>();
    let magnitude = |element: &[u8; 2]| f64::from(f16::from_le_bytes(*element)).abs();
    let sums = elements.chunks(kernel).map(|kernel| kernel.iter().map(magnitude).sum::<f64>());
    sums.filter(|sum| sum.is_finite()).reduce(f64::max)
}

/// The order of a convolution's weights, and the number of weights that one output sums over.
fn layout(cna: &Cna) -> Option<(WeightLayout, usize)> {
    let (channels, height, width) = (cna.channels as usize, cna.kernel_height as usize, cna.kernel_width as usize);
    match cna.mode {
        ConvolutionMode::Direct => {
            let layout = WeightLayout::direct(cna.kernels as usize, channels, height, width, 2).ok()?;
            Some((layout, channels * height * width))
        }
        ConvolutionMode::Depthwise => Some((WeightLayout::depthwise(channels, height, width, 2).ok()?, height * width)),
        ConvolutionMode::Unknown(_) => None,
    }
}

/// The largest magnitude of tensors for which the model itself says it: results of operators with a bounded range, and pictures
/// whose normalisation is in the file.
fn known_ranges(model: &Model) -> HashMap<usize, f64> {
    let mut ranges = HashMap::new();
    for &input in model.inputs() {
        let port = model.ports().iter().find(|port| !port.is_output && port.name == model.tensors()[input].name);
        let normalised =
            port.filter(|port| port.mean.iter().any(|mean| *mean != 0.0) || port.std.iter().any(|std| *std != 1.0));
        let Some(port) = normalised else { continue };
        // Pixels are bytes.
        let ends = port.mean.iter().zip(&port.std).flat_map(|(mean, std)| [(255.0 - mean) / std, mean / std]);
        ranges.extend(ends.map(f64::abs).reduce(f64::max).map(|range| (input, range)));
    }
    for operator in model.operators() {
        if let Some(range) = output_range(model, operator, &ranges) {
            ranges.extend(operator.outputs.iter().map(|&output| (output, range)));
        }
    }
    ranges
}

fn output_range(model: &Model, operator: &Operator, ranges: &HashMap<usize, f64>) -> Option<f64> {
    // Fused operators end in what they were fused with.
    let ends = |name: &str| operator.kind.ends_with(name);
    if ends("Sigmoid") || ends("Tanh") || operator.kind.starts_with("exSoftmax") {
        return Some(1.0);
    }
    if ends("Clip") {
        let attributes = model.operator_attributes(operator).ok()?;
        let end = |wanted: &str| {
            attributes.iter().find(|(name, _)| name == wanted).and_then(|(_, value)| Literal::as_f64(value))
        };
        return Some(end("min")?.abs().max(end("max")?.abs()));
    }
    let keeps = [
        "MaxPool",
        "Reshape",
        "Transpose",
        "Slice",
        "Split",
        "Concat",
        "Relu",
        "Expand",
        "Tile",
        "SpaceToDepth",
        "DepthToSpace",
    ];
    if !keeps.contains(&operator.kind.as_str()) {
        return None;
    }
    // Constants among the arguments are shapes, or small.
    let data = operator
        .inputs
        .iter()
        .filter(|&&input| model.tensors()[input].blob.is_none() && !model.tensors()[input].name.is_empty());
    data.map(|input| ranges.get(input).copied()).reduce(|one, other| Some(one?.max(other?))).flatten()
}
