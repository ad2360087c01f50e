//! Arrays against bytes that NumPy 2 wrote.

use super::*;

fn npy(header: &str, data: &[u8]) -> Vec<u8> {
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend(data);
    bytes
}

/// `numpy.save` of `numpy.arange(3, dtype="<i2")`, as NumPy 2.3 writes it.
#[test]
fn numpys_own_bytes() {
    let header = "{'descr': '<i2', 'fortran_order': False, 'shape': (3,), }                                                            \n";
    assert_eq!((10 + header.len()) % 64, 0);
    let file = npy(header, &[0, 0, 1, 0, 2, 0]);
    let tensor = read_npy(&file).unwrap();
    assert_eq!((tensor.element(), tensor.shape()), (ElementType::I16, &[3][..]));
    assert_eq!(tensor.to_f32(), [0.0, 1.0, 2.0]);
    assert_eq!(write_npy(&tensor), file);
}

#[test]
fn column_major_and_double_arrays() {
    let header = "{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3), }\n";
    // [[1, 2, 3], [4, 5, 6]] column by column.
    let tensor = read_npy(&npy(header, &[1, 4, 2, 5, 3, 6])).unwrap();
    assert_eq!(tensor.bytes(), [1, 2, 3, 4, 5, 6]);
    let header = "{'descr': '<f8', 'fortran_order': False, 'shape': (), }\n";
    let tensor = read_npy(&npy(header, &0.1_f64.to_le_bytes())).unwrap();
    assert_eq!((tensor.shape(), tensor.to_f32()), (&[][..], vec![0.1_f32]));
}

#[test]
fn malformed_arrays_are_refused() {
    let good = npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }\n", &[0; 8]);
    for length in 0..good.len() {
        assert!(read_npy(&good[..length]).is_err(), "{length} bytes");
    }
    for header in [
        "{'descr': '>f4', 'fortran_order': False, 'shape': (1,), }",
        "{'descr': '|O', 'fortran_order': False, 'shape': (1,), }",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,), }",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (4611686018427387905,), }",
        "{'descr': '<f4', 'fortran_order': True, 'shape': (18446744073709551615, 0), }",
        "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }",
        "",
    ] {
        assert!(read_npy(&npy(header, &[0; 4])).is_err(), "{header}");
    }
}

#[test]
fn archives_keep_names_and_values() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.npz");
    let one = Tensor::from_f32(vec![2, 1], &[1.5, -2.0]).unwrap();
    let two = Tensor::new(ElementType::I8, vec![3], vec![1, 2, 0xff]).unwrap();
    save_npz(&path, &[("a/b:0".into(), one.clone()), ("out.x".into(), two.clone())]).unwrap();
    let mut archive = Archive::open(fs::read(&path).unwrap()).unwrap();
    assert_eq!(archive.find("out", "x").as_deref(), Some("out.x"));
    assert_eq!(archive.find("out", "a/b:0").as_deref(), Some("a/b:0"));
    assert_eq!(archive.find("in", "x"), None);
    assert_eq!(archive.read("a/b:0").unwrap(), one);
    assert_eq!(archive.read("out.x").unwrap(), two);
    assert!(matches!(archive.read("x"), Err(ArrayError::NoMember(_))));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "the temporary file is gone");
}
