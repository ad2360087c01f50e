//! Layouts: against weight blobs of the vendor's compiler, against the addresses of the vendor's layouts, and round trips.

use std::path::Path;

use arbtest::arbitrary::{Result, Unstructured};
use ferrite_rknpu::layout::feature::{ATOM_BYTES, Order};
use ferrite_rknpu::layout::{FeatureLayout, LayoutError, WeightKind, WeightLayout};

/// Weights that are the same number for the compiler and for us: integers that fp16 holds exactly, or, for int8, kernels
/// from -128 to 127, which quantise to themselves.
fn weights(element: usize, count: usize, per_kernel: usize) -> Vec<u8> {
    let weight = |index: usize| match (element, index % per_kernel) {
        (1, 0) => vec![(-128i8) as u8],
        (1, 1) => vec![127],
        (1, _) => vec![((index * 7919 % 251) as i32 - 125) as u8],
        _ => half::f16::from_f32((index * 7919 % 2039) as f32 - 1019.0).to_le_bytes().to_vec(),
    };
    (0..count).flat_map(weight).collect()
}

/// Weights whose kernels have a range of their own, 255 wide and not around zero: quantised, and the zero points.
fn asymmetric_weights(count: usize, per_kernel: usize) -> (Vec<u8>, Vec<u8>) {
    let least = |kernel: usize| -(90 + kernel as i32 % 31);
    let quantise = |index: usize| {
        let least = least(index / per_kernel);
        let weight = match index % per_kernel {
            0 => least,
            1 => least + 255,
            _ => ((index * 7919 % 251) as i32 - 125).clamp(-90, 100),
        };
        (weight - least - 128) as u8
    };
    let zero_points = (0..count / per_kernel).map(|kernel| (-128 - least(kernel)) as u8).collect();
    ((0..count).map(quantise).collect(), zero_points)
}

/// `direct-int8-k20-c24-3x3-zp`: kind, element, kernels, channels, height and width, and whether weights are asymmetric.
fn parse(name: &str) -> Option<(WeightLayout, usize, bool)> {
    let mut parts = name.split('-');
    let mut next = || parts.next();
    let (kind, element) = (next()?, if next()? == "int8" { 1 } else { 2 });
    let kernels = next()?.strip_prefix('k')?.parse().ok()?;
    let channels = next()?.strip_prefix('c')?.parse().ok()?;
    let (height, width) = next()?.split_once('x')?;
    let (height, width) = (height.parse().ok()?, width.parse().ok()?);
    let layout = match kind {
        "direct" => WeightLayout::direct(kernels, channels, height, width, element),
        _ => WeightLayout::depthwise(channels, height, width, element),
    };
    Some((layout.ok()?, element, next() == Some("zp")))
}

/// `tests/weights/*.bin` are what the vendor's compiler makes of the weights above, as its runtime hands it to the NPU.
#[test]
fn blobs_are_the_vendors() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/weights");
    let mut wrong = Vec::new();
    let mut seen = [0; 2];
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap();
        let (layout, element, asymmetric) = parse(name).unwrap();
        let vendor = std::fs::read(&path).unwrap();
        let depthwise = layout.kind() == WeightKind::Depthwise;
        seen[usize::from(depthwise)] += 1;
        let count = layout.tensor_bytes() / element;
        let per_kernel = count / if depthwise { layout.channels() } else { layout.kernels() };
        let (dense, mut zero_points) = match asymmetric {
            true => asymmetric_weights(count, per_kernel),
            false => (weights(element, count, per_kernel), Vec::new()),
        };
        zero_points.truncate(layout.kernels());
        let ours = layout.pack(&dense, &zero_points).unwrap();
        if ours != vendor {
            let first = ours.iter().zip(&vendor).position(|(a, b)| a != b);
            wrong.push(format!("{name}: {} bytes for {}, first difference at {first:?}", ours.len(), vendor.len()));
        } else {
            assert_eq!(layout.unpack(&vendor).unwrap(), dense, "{name}");
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(seen.iter().all(|count| *count > 4), "{seen:?}");
}

#[test]
fn weights_survive_packing() {
    arbtest::arbtest(|u| {
        let (channels, height, width) = (u.int_in_range(1..=140)?, u.int_in_range(1..=4)?, u.int_in_range(1..=4)?);
        let element = u.int_in_range(1..=2)?;
        let layout = if u.arbitrary()? {
            WeightLayout::direct(u.int_in_range(1..=70)?, channels, height, width, element)
        } else {
            WeightLayout::depthwise(channels, height, width, element)
        }
        .unwrap();
        let dense = weights(element, layout.tensor_bytes() / element, height * width);
        let blob = layout.pack(&dense, &vec![7; layout.kernels() * element]).unwrap();
        assert_eq!(layout.unpack(&blob).unwrap(), dense);
        // Every place of the blob belongs to exactly one weight or padding weight.
        let mut taken = vec![false; blob.len() / element];
        for kernel in 0..layout.padded_kernels() {
            for channel in 0..layout.padded_channels() {
                for (y, x) in (0..height).flat_map(|y| (0..width).map(move |x| (y, x))) {
                    let place = layout.offset(kernel, channel, y, x).unwrap() / element;
                    assert!(!std::mem::replace(&mut taken[place], true));
                }
            }
        }
        assert!(taken.into_iter().all(|taken| taken));
        Ok(())
    });
}

#[test]
fn vendors_surface_strides() {
    // Surfaces of the vendor's tensors in atoms, read from compiled networks.
    for (height, width, atoms) in [(27, 27, 732), (31, 31, 964), (19, 25, 476), (1, 1, 1)] {
        let layout = FeatureLayout::aligned(24, height, width, 2, ATOM_BYTES).unwrap();
        assert_eq!(layout.surface_stride(), atoms * ATOM_BYTES);
        assert_eq!(layout.surfaces(), 3);
    }
    let channels = |element, atom| FeatureLayout::dense(1, 1, 1, element, atom).unwrap().atom_channels();
    assert_eq!([1, 2, 4].map(|element| channels(element, 16)), [16, 8, 4], "RK3588");
    assert_eq!([1, 2].map(|element| channels(element, 8)), [8, 4], "RK3566");
}

/// The layout written the slow way: the formula of the documentation, element by element.
fn by_formula(layout: &FeatureLayout, shape: [usize; 3], element: usize, chw: &[u8], padding: &[u8]) -> Vec<u8> {
    let [channels, height, width] = shape;
    let mut memory = vec![0xee; layout.span()];
    for channel in 0..layout.surfaces() * layout.atom_channels() {
        for (y, x) in (0..height).flat_map(|y| (0..width).map(move |x| (y, x))) {
            let at = layout.offset(channel, y, x).unwrap();
            let from = ((channel * height + y) * width + x) * element;
            let value = if channel < channels { &chw[from..from + element] } else { padding };
            memory[at..at + element].copy_from_slice(value);
        }
    }
    memory
}

fn any_layout(u: &mut Unstructured<'_>) -> Result<(FeatureLayout, [usize; 3], usize)> {
    let shape @ [channels, height, width] = [u.int_in_range(1..=20)?, u.int_in_range(1..=5)?, u.int_in_range(1..=5)?];
    let (element, atom) = (*u.choose(&[1, 2, 4])?, *u.choose(&[8, 16])?);
    let line = width * atom + u.int_in_range(0..=20)?;
    let surface = height * line + u.int_in_range(0..=20)?;
    Ok((FeatureLayout::strided(channels, height, width, element, atom, line, surface).unwrap(), shape, element))
}

#[test]
fn features_survive_packing_in_both_orders() {
    arbtest::arbtest(|u| {
        let (layout, shape @ [channels, height, width], element) = any_layout(u)?;
        let chw: Vec<u8> = (0..layout.tensor_bytes()).map(|index| (index * 31 % 251) as u8).collect();
        let padding = &[1, 2, 3, 4][..element];
        let expected = by_formula(&layout, shape, element, &chw, padding);

        let mut hwc = vec![0; chw.len()];
        for (index, value) in chw.chunks(element).enumerate() {
            let (channel, pixel) = (index / (height * width), index % (height * width));
            let to = (pixel * channels + channel) * element;
            hwc[to..to + element].copy_from_slice(value);
        }
        for (order, tensor) in [(Order::Chw, &chw), (Order::Hwc, &hwc)] {
            let mut memory = vec![0xee; layout.span()];
            layout.pack(order, tensor, padding, &mut memory).unwrap();
            assert_eq!(memory, expected, "gaps stay as they were");
            let mut back = vec![0; tensor.len()];
            layout.unpack(order, &memory, &mut back).unwrap();
            assert_eq!(&back, tensor);
        }
        Ok(())
    });
}

#[test]
fn impossible_layouts_are_errors() {
    let huge = usize::MAX / 4;
    assert!(matches!(FeatureLayout::dense(1, 1, 1, 3, 16), Err(LayoutError::Element { bytes: 3, .. })));
    for [channels, height, width] in [[0, 1, 1], [1, 0, 1], [1, 1, 0], [huge, huge, 1], [1, huge, huge], [huge, 1, 2]] {
        let error = FeatureLayout::dense(channels, height, width, 4, 16).unwrap_err();
        assert!(matches!(error, LayoutError::Dimensions { .. }), "{error}");
        FeatureLayout::aligned(channels, height, width, 4, 16).unwrap_err();
        WeightLayout::direct(channels, huge, height, width, 1).unwrap_err();
        WeightLayout::depthwise(channels, height, width.max(2), 4).unwrap_err();
    }
    FeatureLayout::strided(17, 2, 1, 1, 16, usize::MAX, 16).unwrap_err();
    let layout = FeatureLayout::dense(3, 2, 2, 1, 16).unwrap();
    assert_eq!((layout.offset(15, 1, 1), layout.offset(16, 0, 0), layout.offset(0, 2, 0)), (Some(63), None, None));
    let error = layout.pack(Order::Chw, &[0; 12], &[0], &mut [0; 63]).unwrap_err();
    assert_eq!(error.to_string(), "the memory has 63 bytes, the layout needs 64");
    let error = WeightLayout::direct(2, 3, 1, 1, 1).unwrap().pack(&[0; 7], &[]).unwrap_err();
    assert_eq!(error.to_string(), "the weight tensor has 7 bytes, the layout needs 6");
    assert_eq!(
        WeightLayout::direct(2, 0, 1, 1, 1).unwrap_err().to_string(),
        "no layout for kernels 2, channels 0, height 1, width 1"
    );
}
