//! What holds for any input, shared with the fuzz targets in `fuzz/`; below, a deterministic slice of what those try.

use ferrite_xdna::base64::Base64;
use ferrite_xdna::buffers::ExternalBuffers;
use ferrite_xdna::descriptor::{Descriptor, Use};
use ferrite_xdna::packet::{ControlStream, StreamHeader};
use ferrite_xdna::programs::Code;
use ferrite_xdna::queue::Task;
use ferrite_xdna::trace::{Configuration, Trace, events_of_json, to_json, words_of_text};
use ferrite_xdna::txn::aiebu::AiebuListing;
use ferrite_xdna::txn::{Operation, Stream};
use ferrite_xdna::{Cdo, Elf, FileKind, Generation, Pdi, TileKind, Xclbin, explain, lint, programs, sniff};

/// Any file is explained and judged, or refused; a reader that has a writer is undone by it.
pub fn file(bytes: &[u8]) {
    whole(bytes);
    // Few random changes hit a checksum, too.
    if let Some(sealed) = sealed(bytes) {
        whole(&sealed);
    }
}

fn whole(bytes: &[u8]) {
    if let Ok(document) = explain(bytes) {
        assert!(document.to_string().len() <= 4096 + 64 * bytes.len(), "an explanation out of proportion");
    }
    if let Ok(findings) = lint(bytes) {
        assert!(findings.len() <= 1001, "more findings than are listed");
    }
    for program in programs(bytes).unwrap_or_default() {
        if let Code::Stream(stream) = program.code {
            self::stream(&stream);
        }
    }
    match sniff(bytes) {
        FileKind::Xclbin => drop(Xclbin::decode(bytes).map(|xclbin| assert_eq!(xclbin.encode(), bytes))),
        FileKind::Pdi => drop(Pdi::decode(bytes).map(|pdi| assert_eq!(pdi.encode(), bytes))),
        FileKind::Cdo => drop(Cdo::decode(bytes).map(|cdo| assert_eq!(cdo.encode(), bytes))),
        FileKind::InstructionStream => {
            drop(Stream::decode(bytes).map(|stream| assert_eq!(stream.encode().as_deref(), Ok(bytes))));
        }
        FileKind::ControlPackets => drop(ControlStream::decode(bytes).map(|stream| packets(&stream, bytes))),
        FileKind::AiebuListing => drop(std::str::from_utf8(bytes).map(listing)),
        FileKind::Base64 => {
            if let Ok(text) = std::str::from_utf8(bytes)
                && let Ok(file) = Base64::decode(text)
            {
                assert_eq!(file.encode(), text);
                whole(&file.bytes);
            }
        }
        FileKind::Timeline => {
            if let Ok(events) = events_of_json(&String::from_utf8_lossy(bytes)) {
                assert_eq!(events_of_json(&to_json(&events)).as_ref(), Ok(&events));
            }
        }
        FileKind::BufferList => {
            if let Ok(list) = ExternalBuffers::parse(&String::from_utf8_lossy(bytes)) {
                let buffers = list.buffers.iter().map(|(key, buffer)| (key.clone(), serde_json::json!(buffer)));
                let file = serde_json::json!({ "external_buffers": buffers.collect::<serde_json::Map<_, _>>() });
                assert_eq!(ExternalBuffers::parse(&file.to_string()).as_ref(), Ok(&list));
            }
        }
        FileKind::ControlCode => {
            if let Ok(elf) = Elf::decode(bytes)
                && let Ok(code) = elf.control_code()
            {
                let _ = code.patch(&elf, |_| Some(0x1234_5678_9abc));
            }
        }
        _ => {}
    }
}

/// The bytes of a CDO or PDI with checksums that fit.
fn sealed(bytes: &[u8]) -> Option<Vec<u8>> {
    /// First and last word of what has a checksum behind it.
    const CDO: &[(usize, usize)] = &[(0, 4)];
    const PDI: &[(usize, usize)] = &[(4, 35), (36, 51), (52, 83), (84, 88)];
    let parts = match sniff(bytes) {
        FileKind::Cdo => CDO,
        FileKind::Pdi => PDI,
        _ => return None,
    };
    let mut sealed = bytes.to_vec();
    for &(first, end) in parts {
        let words = sealed.get(4 * first..4 * end)?.chunks_exact(4);
        let sum =
            words.fold(0, |sum: u32, word| sum.wrapping_add(u32::from_le_bytes([word[0], word[1], word[2], word[3]])));
        sealed.get_mut(4 * end..4 * end + 4)?.copy_from_slice(&(!sum).to_le_bytes());
    }
    Some(sealed)
}

/// What is read of a listing is written so that it is read again, and assembled to a stream that gives the same listing.
fn listing(text: &str) {
    let Ok(listing) = AiebuListing::parse(text) else { return };
    assert_eq!(AiebuListing::parse(&listing.to_string()).as_ref(), Ok(&listing), "{text}");
    let stream = listing.stream();
    self::stream(&stream);
    if listing.left_out().is_none() && !listing.operations.iter().any(|it| matches!(it, Operation::Custom { .. })) {
        let again = Stream::decode(&stream.encode().unwrap()).unwrap();
        assert_eq!(AiebuListing::of(&again).map(|it| it.operations), Some(listing.operations), "{text}");
    }
}

/// Both text forms of a stream are read back to it.
fn stream(stream: &Stream) {
    for text in [stream.to_string(), stream.listing().to_string()] {
        assert_eq!(Stream::parse(&text).as_ref(), Ok(stream), "{text}");
    }
}

/// Any text is an instruction stream or is refused; what can be written is read back to the same bytes.
pub fn text(text: &str) {
    let _ = words_of_text(text);
    file(text.as_bytes());
    listing(text);
    if let Ok(file) = Base64::decode(text) {
        assert_eq!(file.encode(), text);
    }
    let Ok(parsed) = Stream::parse(text) else { return };
    stream(&parsed);
    let Ok(bytes) = parsed.encode() else { return };
    if let Ok(decoded) = Stream::decode(&bytes) {
        assert_eq!(decoded.encode(), Ok(bytes), "{text}");
    }
}

/// Any words as a trace, as control packets, and as descriptors of every kind of tile.
pub fn words(words: &[u32]) {
    trace(words);
    control_packets(words);
    for kind in TileKind::ALL {
        words.chunks_exact(8).for_each(|words| descriptor(kind, words));
        for word in words {
            let task = Task::decode(kind, *word);
            let encoded = task.encode(kind).unwrap_or_else(|error| panic!("{task:?}: {error}"));
            assert_eq!(Task::decode(kind, encoded), task);
        }
    }
    for header in words.iter().filter_map(|word| Some((StreamHeader::decode(*word)?, *word))) {
        assert_eq!(header.0.encode(), header.1);
    }
}

fn trace(words: &[u32]) {
    let trace = Trace::decode(words);
    let configuration = Configuration::default();
    let timeline = trace.timeline(&configuration);
    assert!(timeline.events.len() <= 16 * 4 * words.len() + (1 << 16), "a timeline out of proportion");
    assert!(trace.to_text(&configuration).len() <= 1024 + 200 * 4 * (words.len() + 1), "a text out of proportion");
    let _ = to_json(&timeline.events);
}

fn control_packets(words: &[u32]) {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    if let Ok(stream) = ControlStream::decode(&bytes) {
        packets(&stream, &bytes);
    }
}

fn packets(stream: &ControlStream, bytes: &[u8]) {
    let words = stream.encode().unwrap_or_else(|error| panic!("{stream:?}: {error}"));
    assert!(words.iter().flat_map(|word| word.to_le_bytes()).eq(bytes.iter().copied()));
}

fn descriptor(kind: TileKind, words: &[u32]) {
    let Some(descriptor) = Descriptor::decode(kind, words) else { return };
    let count = usize::from(kind.facts().descriptor_words);
    assert_eq!(descriptor.encode(kind).as_deref(), Ok(&words[..count]));
    let how = Use { kind, id: 0, generation: Some(Generation::Npu2), channel: None };
    assert!(descriptor.check(&how).iter().all(|problem| problem.to_string().len() < 200), "a long explanation");
}

#[cfg(test)]
mod slice {
    use std::fs;
    use std::path::Path;

    use arbtest::arbtest;

    /// Files that AMD's tools wrote, text included.
    fn seeds() -> Vec<Vec<u8>> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/data");
        let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        // Descriptions of golden cases are no files for an NPU.
        paths.retain(|path| {
            let name = path.to_string_lossy();
            !name.ends_with(".json") || name.ends_with("external_buffer_id.json") || name.contains("trace_test")
        });
        paths.sort();
        let mut seeds: Vec<Vec<u8>> = paths.iter().map(|path| fs::read(path).unwrap()).collect();
        // The CDO in a PDI, by itself.
        seeds.extend(
            seeds.clone().iter().filter(|seed| ferrite_xdna::Pdi::is_pdi(seed)).map(|seed| seed[84 * 4..].to_vec()),
        );
        seeds
    }

    #[test]
    fn any_file() {
        let seeds = seeds();
        assert!(seeds.len() >= 25, "{} files", seeds.len());
        seeds.iter().for_each(|seed| super::file(seed));
        arbtest(|u| {
            let mut bytes = u.choose(&seeds)?.clone();
            for _ in 0..u.int_in_range(1..=6)? {
                let at = u.choose_index(bytes.len())?;
                match u.int_in_range(0..=2)? {
                    0 => bytes[at] = u.arbitrary()?,
                    1 => bytes[at] ^= 1 << u.int_in_range(0..=7)?,
                    _ => bytes.truncate(at + 1),
                }
            }
            super::file(&bytes);
            Ok(())
        });
    }

    #[test]
    fn any_text() {
        let seeds = seeds();
        let mut lines = vec!["+ 1 2".to_owned(), "opaque 2 0x2 5".to_owned(), "custom 0x80 1 spare 0:1".to_owned()];
        let streams = seeds.iter().filter_map(|seed| ferrite_xdna::txn::Stream::decode(seed).ok());
        let aiebu =
            seeds.iter().filter_map(|seed| std::str::from_utf8(seed).ok()).filter(|text| text.contains("XAIE_IO"));
        let aiebu: Vec<&str> = aiebu.flat_map(str::lines).collect();
        lines.extend(streams.flat_map(|stream| stream.to_string().lines().map(str::to_owned).collect::<Vec<_>>()));
        arbtest(|u| {
            let mut text = String::from("txn 0.1 generation=4 rows=6 columns=8 memory_rows=1\n");
            for _ in 0..u.int_in_range(0..=12)? {
                let line = u.choose(&lines)?;
                let words: Vec<&str> = line.split(' ').collect();
                let kept = if u.ratio(1, 4)? { u.int_in_range(1..=words.len())? } else { words.len() };
                text += &words[..kept].join(" ");
                text.push('\n');
            }
            super::text(&text);
            // The lines of aiebu's listings, mixed and damaged.
            let mut text = String::new();
            for _ in 0..u.int_in_range(0..=12)? {
                let line = *u.choose(&aiebu)?;
                let cut = if u.ratio(1, 4)? { u.int_in_range(0..=line.len())? } else { line.len() };
                text += line.get(..cut).unwrap_or(line);
                text.push(*u.choose(&['\n', '\n', '\n', ',', ';', '\r', '@'])?);
            }
            super::text(&text);
            Ok(())
        });
    }

    #[test]
    fn any_words() {
        arbtest(|u| {
            let mut words: Vec<u32> = u.arbitrary()?;
            for word in &mut words {
                if u.ratio(1, 3)? {
                    *word = *u.choose(&[0x8002_0001, 0x0020_0001, 0xdbff_5adb, 0xfefe_fefe, 0, 0x8031_d000])?;
                }
            }
            super::words(&words);
            Ok(())
        });
    }
}
