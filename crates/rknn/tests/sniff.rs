//! Files that are something else, or incomplete.

mod common;

use ferrite_rknn::{Error, FileKind, Model, sniff};

/// Beginnings of files, as the programs that write them make them.
#[test]
fn kinds_by_content() {
    let mut micro = b"RKNN\0\0\0\0\x04\x10\0\0\0\0\0\0\0\x2d\0\0\0\0\0\0".to_vec();
    micro.resize(80, 0);
    let mut first_generation = b"RKNN\0\0\0\0\x01\0\0\0\0\0\0\0\0\x01\0\0\0\0\0\0VPMN".to_vec();
    first_generation.resize(80, 0);
    let cases: [(&[u8], FileKind); 16] = [
        (b"", FileKind::Empty),
        // Toolkit 2.3.2, export_encrypted_rknn_model with level 2.
        (b"CYPTRKNN\x01\0\0\0\0\0\0\0\x02\0\0\0\0\0\0\0\x2b\x76\0\0\0\0\0\0\x62\xb2", FileKind::Encrypted),
        (b"CYPTKNNR", FileKind::Encrypted),
        // Toolkit 2.5.0 for rv1106 and rk2118.
        (&micro, FileKind::Micro { version: 0x1004 }),
        (&first_generation, FileKind::Rknn1),
        (b"RKNN\x03\0\0\0\x01\0\0\0", FileKind::Rknn3),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:0b7c\nsize 8357380\n", FileKind::GitLfsPointer),
        (b"<!DOCTYPE html>\n<html lang=\"en\">", FileKind::Html),
        (b"\xef\xbb\xbf\n  <HTML><head>", FileKind::Html),
        (b"{\"error\": \"Repository not found\"}", FileKind::Text),
        (b"\x08\x08\x12\x07pytorch\x1a\x05", FileKind::Onnx),
        (b"\x08\x0a:\xb7\x10\x0a", FileKind::Onnx),
        (b"\x1c\0\0\0TFL3\x14\0", FileKind::TfLite),
        (b"PK\x03\x04\x14\0", FileKind::Zip),
        (b"\x1f\x8b\x08\0", FileKind::Gzip),
        (b"\x7fELF\x02\x01\x01\0", FileKind::Unknown),
    ];
    for (bytes, kind) in cases {
        assert_eq!(sniff(bytes), kind, "{:?}", String::from_utf8_lossy(bytes));
        let error = Model::read(bytes).unwrap_err();
        assert_eq!(error, Error::NotRknn(kind));
        assert!(error.to_string().starts_with("not a plain .rknn file: "), "{error}");
    }
}

#[test]
fn models_are_sniffed_as_such() {
    for (name, bytes, _) in common::models() {
        assert_eq!(sniff(&bytes), FileKind::Rknn { version: 6 }, "{name}");
        assert_eq!(sniff(&bytes[..64]), FileKind::Rknn { version: 6 }, "{name}");
    }
}

#[test]
fn a_cut_download_tells_how_much_is_missing() {
    for (name, bytes, model) in common::models() {
        let header = model.header();
        for length in [30, 64, 100, header.flatbuffer.end - 1, header.flatbuffer.end, bytes.len() - 1] {
            let error = Model::read(&bytes[..length]).unwrap_err();
            let Error::Truncated { missing, what, .. } = error else { panic!("{name}: {error}") };
            // The end of the part that is cut: it is all a reader can know of.
            let end = match what {
                "FlatBuffer" => header.flatbuffer.end,
                "JSON text" if length < header.flatbuffer.end + 8 => header.flatbuffer.end + 8,
                "JSON text" => header.json.end,
                other => panic!("{name}: {other}"),
            };
            assert_eq!(missing, (end - length) as u64, "{name} cut to {length}");
        }
        let error = Model::read(&bytes[..100]).unwrap_err().to_string();
        assert!(error.contains("bytes before the end of the FlatBuffer; was the download cut short?"), "{error}");
    }
}

#[test]
fn future_versions_are_refused_by_number() {
    let (_, mut bytes, _) = common::models().remove(0);
    for version in [0_u64, 7, 0x2001] {
        bytes[8..16].copy_from_slice(&version.to_le_bytes());
        assert_eq!(Model::read(bytes.clone()).unwrap_err(), Error::UnsupportedVersion { version });
    }
}

/// Version 5 and older keep the blobs in another slot, so the same bytes are a file whose tensors have no data.
#[test]
fn old_versions_look_for_blobs_elsewhere() {
    let (_, mut bytes, _) = common::models().into_iter().find(|(name, ..)| name == "2.3.2-conv").unwrap();
    bytes[8] = 5;
    let error = Model::read(bytes).unwrap_err();
    assert!(matches!(error, Error::OutOfRange { what: "tensor blob index", .. }), "{error}");
}

#[test]
fn bytes_after_the_end_are_a_warning() {
    let (_, mut bytes, _) = common::models().remove(0);
    bytes.extend_from_slice(b"more");
    assert_eq!(Model::read(bytes).unwrap().warnings(), ["4 bytes follow the JSON text"]);
}

#[test]
fn disagreeing_names_are_a_warning() {
    let (_, mut bytes, model) = common::models().into_iter().find(|(name, ..)| name == "2.3.2-conv").unwrap();
    let json = model.header().json.clone();
    let text = String::from_utf8(bytes[json.clone()].to_vec()).unwrap();
    bytes[json].copy_from_slice(text.replace("\"url\":\"x\"", "\"url\":\"q\"").as_bytes());
    assert_eq!(Model::read(bytes).unwrap().warnings(), ["input x of the graph is q in the JSON text"]);
}
