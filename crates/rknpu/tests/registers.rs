//! The register table: generated from `registers.tsv`, and consistent in itself.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use ferrite_rknpu::registers::{Block, Field, Kind, REGISTERS, RegisterInfo, field, reg};

/// One line of the list.
struct Row<'a> {
    block: &'a str,
    offset: u16,
    register: &'a str,
    field: &'a str,
    low: u8,
    high: u8,
    kind: &'a str,
}

fn rows(text: &str) -> Vec<Row<'_>> {
    let lines = text.lines().filter(|line| !line.starts_with('#')).skip(1);
    let row = |line| {
        let columns: Vec<&str> = str::split(line, '\t').collect();
        let [block, offset, register, field, low, high, kind] = columns[..] else { panic!("seven columns: `{line}`") };
        let offset = u16::from_str_radix(offset.strip_prefix("0x").unwrap(), 16).unwrap();
        Row { block, offset, register, field, low: low.parse().unwrap(), high: high.parse().unwrap(), kind }
    };
    lines.map(row).collect()
}

fn variant(name: &str, separator: char) -> String {
    let capitalised = |word: &str| format!("{}{}", word[..1].to_uppercase(), word[1..].to_lowercase());
    name.split(separator).map(capitalised).collect()
}

/// The text of `src/registers/table.rs`.
fn generate(text: &str) -> String {
    let rows = rows(text);
    let mut out = String::from(
        "// Generated from registers.tsv by tests/registers.rs: edit the list, then run\n\
         // BLESS=1 cargo test -p ferrite-rknpu --test registers\n\n\
         use super::{Block, Kind, RegisterInfo, registers};\n\nregisters! {\n",
    );
    for block in rows.chunk_by(|a, b| a.block == b.block) {
        let name = block[0].block;
        writeln!(out, "    {} {} {{", variant(name, '_'), name.to_lowercase()).unwrap();
        for register in block.chunk_by(|a, b| a.offset == b.offset) {
            let Row { offset, register: name, kind, .. } = register[0];
            assert!(
                register.iter().all(|row| row.register == name && row.kind == kind),
                "{name} at {offset:#06x} disagrees"
            );
            writeln!(out, "        {offset:#06x} {name} {} {} {{", name.to_lowercase(), variant(kind, '-')).unwrap();
            for Row { field, low, high, .. } in register {
                writeln!(out, "            {low} {high} {field};").unwrap();
            }
            writeln!(out, "        }}").unwrap();
        }
        writeln!(out, "    }}").unwrap();
    }
    out + "}\n"
}

fn crate_file(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

#[test]
fn table_is_generated_from_the_list() {
    let generated = generate(&std::fs::read_to_string(crate_file("registers.tsv")).unwrap());
    let path = crate_file("src/registers/table.rs");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &generated).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap();
    assert!(committed == generated, "table.rs differs from registers.tsv; BLESS=1 rewrites it");
}

#[test]
fn offsets_rise_and_stay_in_their_block() {
    for pair in REGISTERS.windows(2) {
        assert!(pair[0].offset < pair[1].offset, "{} and {}", pair[0], pair[1]);
    }
    for register in REGISTERS {
        assert_eq!(register.offset % 4, 0, "{register}");
        assert_eq!(Block::at(register.offset), Some(register.block), "{register}");
        assert_eq!(RegisterInfo::at(register.offset), Some(register));
        assert_eq!(RegisterInfo::named(&register.full_name()), Some(register), "names are unique");
    }
}

#[test]
fn fields_cover_every_bit_once() {
    for register in REGISTERS {
        let mut covered = 0u32;
        let mut names = BTreeSet::new();
        for field in register.fields {
            assert!(field.low <= field.high && field.high <= 31, "{field}");
            assert_eq!(covered & field.mask(), 0, "{field} overlaps another field");
            assert!(names.insert(field.name), "{field} is there twice");
            assert_eq!((field.block, field.register, field.offset), (register.block, register.name, register.offset));
            covered |= field.mask();
        }
        assert_eq!(covered, u32::MAX, "{register} leaves bits unnamed");
    }
}

#[test]
fn device_addresses_are_the_ten_that_loaders_relocate() {
    let addresses: Vec<u16> = REGISTERS.iter().filter(|info| info.kind.is_address()).map(|info| info.offset).collect();
    assert_eq!(addresses, [0x0010, 0x1070, 0x1110, 0x4020, 0x5018, 0x5020, 0x502c, 0x5038, 0x6070, 0x701c]);
    let written: Vec<u16> = REGISTERS.iter().filter(|info| info.kind == Kind::Write).map(|info| info.offset).collect();
    assert_eq!(written, [reg::dpu::DST_BASE_ADDR, reg::ppu::DST_BASE_ADDR]);
}

#[test]
fn targets_and_bases_belong_to_one_block() {
    for block in Block::ALL {
        assert_eq!(Block::at(block.base()), Some(block));
        assert_eq!(Block::named(block.name()), Some(block));
        // The target is the block's bit in the enable order of the pages, plus one.
        if let Some(target) = block.target() {
            assert_eq!(Block::of_target(target), Some(block));
            assert_eq!(target, (0x100u16 << (block.base() >> 12)) + 1, "{block}");
        }
    }
}

#[test]
fn every_field_holds_its_limits_and_nothing_more() {
    let check = |field: &Field| {
        for background in [0, u32::MAX, 0x5a5a_a5a5] {
            let mut word = background;
            field.set(&mut word, field.max()).unwrap();
            assert_eq!((field.get(word), word & !field.mask()), (field.max(), background & !field.mask()), "{field}");
            let (min, max) = ((-1i64 << (field.width() - 1)) as i32, (field.max() >> 1) as i32);
            for value in [min, -1, 0, max] {
                field.set_signed(&mut word, value).unwrap();
                assert_eq!(field.get_signed(word), value, "{field}");
                assert_eq!(word & !field.mask(), background & !field.mask(), "{field}");
            }
            let before = word;
            if field.width() < 32 {
                assert_eq!(field.set(&mut word, field.max() + 1).unwrap_err().max, i64::from(field.max()));
                field.set_signed(&mut word, max + 1).unwrap_err();
                field.set_signed(&mut word, min - 1).unwrap_err();
            }
            assert_eq!(word, before, "a value that does not fit leaves the word alone");
        }
    };
    REGISTERS.iter().flat_map(|info| info.fields).for_each(check);
}

#[test]
fn overflow_names_field_value_and_limit() {
    let mut word = 0;
    let error = field::cna::conv_con3::CONV_X_STRIDE.set(&mut word, 50).unwrap_err();
    assert_eq!(error.to_string(), "`CNA.CONV_CON3.CONV_X_STRIDE` cannot hold 50 (max 7)");
    let error = field::cna::dma_con2::SURF_STRIDE.set_signed(&mut word, i32::MIN).unwrap_err();
    assert_eq!(error.to_string(), "`CNA.DMA_CON2.SURF_STRIDE` cannot hold -2147483648 (min -134217728)");
}
