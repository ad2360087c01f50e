use super::*;

fn run(
    kind: &str,
    attributes: &[(&str, &[i64])],
    input: (&[usize], &[f32]),
    output: &[usize],
) -> Result<Vec<f32>, Error> {
    let attributes =
        Attributes(attributes.iter().map(|(name, v)| ((*name).to_owned(), Attribute::Ints(v.to_vec()))).collect());
    let inputs = [Some(HostTensor { shape: input.0.to_vec(), data: input.1.to_vec() })];
    let call = Call {
        kind,
        attributes: &attributes,
        inputs: &inputs,
        output_shapes: &[output.to_vec()],
        stored: false,
        integer_output: false,
    };
    lookup(kind)?.run(&call).map(|mut tensors| tensors.remove(0).data)
}

/// Values from tables of the functions (Abramowitz and Stegun for erf; mish(1) = tanh(ln(1 + e))).
#[test]
fn elementwise_values() {
    let near = |kind: &str, x: f32, want: f32| {
        let got = run(kind, &[], (&[1], &[x]), &[1]).unwrap()[0];
        assert!((got - want).abs() <= 1e-6, "{kind}({x}) = {got}, expected {want}");
    };
    near("Erf", 0.5, 0.520_499_9);
    near("Erf", -2.0, -0.995_322_3);
    near("Mish", 1.0, 0.865_098_4);
    near("Mish", 100.0, 100.0);
    near("Exp", 2.0, 7.389_056);
    near("Round", 2.5, 2.0);
}

#[test]
fn average_pool_counts_only_real_pixels() {
    let attributes: &[(&str, &[i64])] = &[("kernel_shape", &[2, 2]), ("pads", &[1, 1, 0, 0]), ("strides", &[2, 2])];
    // Windows: {1}, {2,3}, {4,7}, {5,6,8,9} of a 3x3 map.
    let map: Vec<f32> = (1..=9_u8).map(f32::from).collect();
    assert_eq!(run("AveragePool", attributes, (&[1, 1, 3, 3], &map), &[1, 1, 2, 2]).unwrap(), [1.0, 2.5, 5.5, 7.0]);
    let include = [attributes, &[("count_include_pad", &[1_i64] as &[i64])]].concat();
    assert_eq!(run("AveragePool", &include, (&[1, 1, 3, 3], &map), &[1, 1, 2, 2]).unwrap(), [0.25, 1.25, 2.75, 7.0]);
}

/// A transposed convolution is a plain one behind this operator: kernel 2, stride 3, so one zero around and two between.
#[test]
fn the_map_in_front_of_a_transposed_convolution() {
    let attributes: &[(&str, &[i64])] = &[("kernel_shape", &[1, 2]), ("strides", &[1, 3]), ("pads", &[0, 0, 0, 0])];
    let row = |width: usize| run("exConvTransposePad", attributes, (&[1, 1, 1, 2], &[5., 7.]), &[1, 1, 1, width]);
    assert_eq!(row(6).unwrap(), [0., 5., 0., 0., 7., 0.]);
    assert_eq!(row(7).unwrap(), [0., 5., 0., 0., 7., 0., 0.], "with a padding of the output");
    assert!(row(5).is_err() && row(9).is_err());
}

#[test]
fn errors_say_what_is_wrong() {
    let error = run("LSTM", &[], (&[1], &[0.]), &[1]).unwrap_err();
    assert!(error.to_string().contains("`LSTM`"), "{error}");
    let error = run("Reshape", &[], (&[4], &[0.; 4]), &[3]).unwrap_err();
    assert!(error.to_string().contains("4 elements") && error.to_string().contains("`Reshape`"), "{error}");
    assert!(run("AveragePool", &[("kernel_shape", &[-1, 2])], (&[1, 1, 3, 3], &[0.; 9]), &[1, 1, 2, 2]).is_err());
    assert!(run("Transpose", &[("perm", &[1, 1])], (&[2, 3], &[0.; 6]), &[3, 2]).is_err());
    assert!(run("Transpose", &[("perm", &[1, 0])], (&[2, 3], &[0.; 6]), &[2, 3]).is_err());
    assert!(run("Add", &[], (&[2], &[0.]), &[2]).is_err(), "an input without its elements");
    assert!(run("Slice", &[("starts", &[0])], (&[2], &[0.; 2]), &[2]).is_err());
    assert!(run("Slice", &[("starts", &[0]), ("ends", &[2]), ("steps", &[0])], (&[2], &[0.; 2]), &[2]).is_err());
    assert!(run("DepthToSpace", &[("blocksize", &[0])], (&[1, 4, 1, 1], &[0.; 4]), &[1, 1, 2, 2]).is_err());
    assert!(run("Tile", &[("repeats", &[i64::MAX])], (&[2], &[0.; 2]), &[2]).is_err());
    assert!(run("Pad", &[("pads", &[i64::MAX, i64::MAX])], (&[2], &[0.; 2]), &[2]).is_err());
    assert!(run("Softmax", &[("axis", &[7])], (&[2], &[0.; 2]), &[2]).is_err());
    assert!(run("exConvTransposePad", &[("strides", &[0, 1])], (&[1, 1, 1, 2], &[0.; 2]), &[1, 1, 1, 2]).is_err());
}

#[test]
fn the_table_is_in_order_and_every_name_is_found() {
    let names: Vec<&str> = names().collect();
    assert!(names.is_sorted(), "{names:?}");
    assert!(names.iter().all(|name| lookup(name).is_ok()));
}

/// Stored int8 numbers that the vendor's runtime made of 5 x 7 pixels: place in 11 x 13, first and second row and column, the four
/// pixels there, result. The first five differ by one if another product is rounded first, and all lose their
/// fraction.
#[test]
fn linear_resize_of_stored_numbers_cuts_fractions_off() {
    type Case = ((usize, usize), (usize, usize), (usize, usize), [f32; 4], f32);
    const CASES: [Case; 8] = [
        ((2, 1), (0, 1), (0, 1), [113.0, 56.0, 85.0, 86.0], 89.0),
        ((6, 5), (2, 3), (2, 3), [86.0, 18.0, -65.0, 53.0], 25.0),
        ((6, 12), (2, 3), (6, 6), [-115.0, -115.0, -49.0, -49.0], -85.0),
        ((2, 12), (0, 1), (6, 6), [-65.0, -65.0, -120.0, -120.0], -100.0),
        ((5, 9), (2, 3), (4, 5), [27.0, 40.0, -44.0, -62.0], 35.0),
        ((3, 4), (1, 2), (1, 2), [86.0, 121.0, -126.0, 57.0], 111.0),
        ((7, 8), (2, 3), (4, 5), [38.0, 74.0, -66.0, 40.0], -48.0),
        ((1, 2), (0, 1), (0, 1), [22.0, 61.0, 106.0, 54.0], 56.0),
    ];
    let attributes = Attributes([("mode".to_owned(), Attribute::Text("linear".to_owned()))].into());
    for ((out_row, out_column), rows, columns, [a, b, c, d], want) in CASES {
        let mut map = vec![0.0; 5 * 7];
        map[rows.0 * 7 + columns.0] = a;
        map[rows.0 * 7 + columns.1] = b;
        map[rows.1 * 7 + columns.0] = c;
        map[rows.1 * 7 + columns.1] = d;
        let inputs = [Some(HostTensor { shape: vec![1, 1, 5, 7], data: map })];
        let shapes = [vec![1, 1, 11, 13]];
        let call = Call {
            kind: "Resize",
            attributes: &attributes,
            inputs: &inputs,
            output_shapes: &shapes,
            stored: true,
            integer_output: false,
        };
        let operator = lookup("Resize").unwrap();
        assert!(operator.takes_stored(&attributes));
        assert_eq!(operator.run(&call).unwrap()[0].data[out_row * 13 + out_column], want, "{out_row}, {out_column}");
    }
}

/// Averages of six and four stored numbers, and what the vendor's runtime made of them.
#[test]
fn averages_of_stored_numbers_round_ties_to_even() {
    let attributes = Attributes([("kernel_shape".to_owned(), Attribute::Ints(vec![1, 2]))].into());
    let operator = lookup("AveragePool").unwrap();
    assert!(operator.takes_stored(&attributes));
    for (mean, want) in [(52.5, 52.0), (4.5, 4.0), (-3.5, -4.0), (27.5, 28.0), (-57.5, -58.0), (-70.5, -70.0)] {
        let map = vec![mean - 0.5, mean + 0.5];
        let inputs = [Some(HostTensor { shape: vec![1, 1, 1, 2], data: map })];
        let shapes = [vec![1, 1, 1, 1]];
        let (kind, stored) = ("AveragePool", true);
        let call = Call {
            kind,
            attributes: &attributes,
            inputs: &inputs,
            output_shapes: &shapes,
            stored,
            integer_output: false,
        };
        assert_eq!(operator.run(&call).unwrap()[0].data, [want]);
    }
    let counted = Attributes([("count_include_pad".to_owned(), Attribute::Ints(vec![1]))].into());
    assert!(!operator.takes_stored(&counted), "padding is a real zero");
}

/// Pixels of a map of 33 x 33 made 513 x 513 that the vendor's runtime gave in half precision (DeepLabV3). Each lies so near to the
/// middle between two half floats that double precision, or another order in single, ends at the other one.
#[test]
fn linear_resize_rounds_as_the_vendors_runtime() {
    type Case = ((usize, usize), (usize, usize), [f32; 4], f32);
    const CASES: [Case; 6] = [
        ((34, 103), (1, 6), [0.993_652_34, -4332.0, 3.757_812_5, 1667.0], -0.162_231_45),
        ((46, 208), (2, 12), [-26.390_625, -8.031_25, 113.25, 0.030_654_907], -0.011_711_121),
        ((207, 389), (12, 24), [0.000_962_734_2, -861.5, -1.418_945_3, 1831.0], 789.0),
        ((355, 178), (22, 10), [4.827_976_2e-5, -4.132_812_5, -20.156_25, 2630.0], 949.0),
        ((392, 228), (24, 14), [-0.003_116_607_7, -2.882_812_5, -0.053_741_455, 1.128_906_2], -0.008_979_797),
        ((426, 360), (26, 22), [0.588_867_2, -0.000_748_157_5, 1811.0, -813.0], 0.281_738_28),
    ];
    let attributes = Attributes([("mode".to_owned(), Attribute::Text("linear".to_owned()))].into());
    for ((out_row, out_column), (row, column), [a, b, c, d], want) in CASES {
        let mut map = vec![0.0; 33 * 33];
        let at = row * 33 + column;
        (map[at], map[at + 1], map[at + 33], map[at + 34]) = (a, b, c, d);
        let inputs = [Some(HostTensor { shape: vec![1, 1, 33, 33], data: map })];
        let shapes = [vec![1, 1, 513, 513]];
        let call = Call {
            kind: "Resize",
            attributes: &attributes,
            inputs: &inputs,
            output_shapes: &shapes,
            stored: false,
            integer_output: false,
        };
        let got = lookup("Resize").unwrap().run(&call).unwrap()[0].data[out_row * 513 + out_column];
        // Half the distance of neighbouring half floats, which have 10 bits behind the leading one.
        let half_step = f32::exp2(want.abs().log2().floor() - 11.0);
        assert!((got - want).abs() <= half_step, "pixel ({out_row}, {out_column}) is {got}, not {want}");
    }
}

/// Runs an operator on tensors, with integers as attributes.
fn many(
    kind: &str,
    attributes: &[(&str, i64)],
    inputs: &[(&[usize], &[f32])],
    outputs: &[&[usize]],
    integer_output: bool,
) -> Result<Vec<HostTensor>, Error> {
    let attributes = attributes.iter().map(|&(name, value)| (name.to_owned(), Attribute::Ints(vec![value])));
    let inputs: Vec<_> =
        inputs.iter().map(|(shape, data)| Some(HostTensor { shape: shape.to_vec(), data: data.to_vec() })).collect();
    let shapes: Vec<Vec<usize>> = outputs.iter().map(|shape| shape.to_vec()).collect();
    let attributes = Attributes(attributes.collect());
    let call =
        Call { kind, attributes: &attributes, inputs: &inputs, output_shapes: &shapes, stored: false, integer_output };
    lookup(kind)?.run(&call)
}

#[test]
fn a_cast_like_integers_drops_the_fraction() {
    let cast = |whole| many("CastLike", &[], &[(&[2], &[2.75, -2.75]), (&[1], &[0.])], &[&[2]], whole);
    assert_eq!(cast(true).unwrap()[0].data, [2., -2.]);
    assert_eq!(cast(false).unwrap()[0].data, [2.75, -2.75]);
}

/// Indices, classes and counts come from files.
#[test]
fn indices_beyond_the_tensor_are_refused() {
    let map: (&[usize], &[f32]) = (&[2, 3], &[0.; 6]);
    let call = |kind, attributes: &[(&str, i64)], others: &[(&[usize], &[f32])], output: &[usize]| {
        many(kind, attributes, &[&[map], others].concat(), &[output], false)
    };
    for index in [2., -3., f32::INFINITY, f32::NEG_INFINITY] {
        let at: (&[usize], &[f32]) = (&[1, 1], &[index]);
        assert!(call("GatherElements", &[], &[at], &[1, 1]).is_err());
        assert!(call("ScatterElements", &[], &[at, (&[1, 1], &[1.])], &[2, 3]).is_err());
        assert!(call("GatherND", &[], &[at], &[1, 3]).is_err());
        assert!(call("ScatterND", &[], &[at, (&[1, 3], &[1.; 3])], &[2, 3]).is_err());
    }
    assert!(call("GatherND", &[("batch_dims", -1)], &[(&[1, 1], &[0.])], &[1, 3]).is_err());
    assert!(call("GatherND", &[("batch_dims", 9)], &[(&[1, 1], &[0.])], &[1, 3]).is_err());
    assert!(call("GatherND", &[], &[(&[1, 3], &[0.; 3])], &[1]).is_err(), "more indices than axes");
    assert!(call("GatherElements", &[("axis", 1)], &[(&[3, 1], &[0.; 3])], &[3, 1]).is_err());
    for class in [3., -1.] {
        assert!(call("NegativeLogLikelihoodLoss", &[], &[(&[2], &[0., class])], &[]).is_err());
    }
    assert!(call("NegativeLogLikelihoodLoss", &[], &[(&[2], &[0.; 2]), (&[2], &[0.; 2])], &[]).is_err());
    assert!(
        call("TopK", &[], &[(&[1], &[4.])], &[2, 4]).is_err() && call("TopK", &[], &[(&[1], &[-1.])], &[2, 0]).is_err()
    );
    assert!(call("LRN", &[("size", 0)], &[], &[2, 3]).is_err());
    assert!(call("InstanceNormalization", &[], &[(&[2], &[0.; 2]), (&[3], &[0.; 3])], &[2, 3]).is_err());
    assert!(call("MeanVarianceNormalization", &[], &[], &[2, 3]).is_err(), "axes that the tensor does not have");
}

#[test]
fn shapes_without_elements_are_no_accident() {
    let huge: (&[usize], &[f32]) = (&[0, usize::MAX, usize::MAX], &[]);
    for kind in ["Hardmax", "LRN", "LpNormalization", "MeanVarianceNormalization", "TopK", "NegativeLogLikelihoodLoss"]
    {
        let _ = many(kind, &[("size", 3), ("axis", 0)], &[huge, huge, huge], &[huge.0], false);
    }
    for kind in ["ScatterElements", "ScatterND", "GatherND", "GatherElements", "Compress", "LayerNormalization"] {
        let _ = many(kind, &[], &[huge, huge, huge], &[huge.0], false);
    }
}
