use super::*;

fn run(
    kind: &str,
    attributes: &[(&str, &[i64])],
    input: (&[usize], &[f32]),
    output: &[usize],
) -> Result<Vec<f32>, Error> {
    let attributes =
        Attributes(attributes.iter().map(|(name, v)| ((*name).to_owned(), Attribute::Ints(v.to_vec()))).collect());
    let inputs = [HostTensor { shape: input.0.to_vec(), data: input.1.to_vec() }];
    let call = Call { attributes: &attributes, inputs: &inputs, output_shape: output };
    lookup(kind)?(&call).map(|tensor| tensor.data)
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
fn transpose_moves_elements() {
    let got = run("Transpose", &[("perm", &[1, 0])], (&[2, 3], &[1., 2., 3., 4., 5., 6.]), &[3, 2]).unwrap();
    assert_eq!(got, [1., 4., 2., 5., 3., 6.]);
    assert!(run("Transpose", &[("perm", &[1, 1])], (&[2, 3], &[0.; 6]), &[3, 2]).is_err());
    assert!(run("Transpose", &[("perm", &[1, 0])], (&[2, 3], &[0.; 6]), &[2, 3]).is_err());
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

#[test]
fn errors_say_what_is_wrong() {
    let error = run("LSTM", &[], (&[1], &[0.]), &[1]).unwrap_err();
    assert!(error.to_string().contains("`LSTM`"), "{error}");
    let error = run("Reshape", &[], (&[4], &[0.; 4]), &[3]).unwrap_err();
    assert!(error.to_string().contains("4 elements"), "{error}");
    assert!(run("AveragePool", &[("kernel_shape", &[-1, 2])], (&[1, 1, 3, 3], &[0.; 9]), &[1, 1, 2, 2]).is_err());
}
