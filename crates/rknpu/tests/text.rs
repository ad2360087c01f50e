//! Disassembler and assembler: each the other's inverse, on real programs and on noise.

use std::path::{Path, PathBuf};

use ferrite_rknpu::text::{AssembleError, AssembleErrorKind};
use ferrite_rknpu::{Command, Program, assemble};

fn both_ways(program: &Program) {
    assert_eq!(assemble(&program.listing().to_string()).as_ref(), Ok(program));
    assert_eq!(assemble(&program.listing().plain().to_string()).as_ref(), Ok(program));
}

/// `tests/programs/*.bin` are programs as the vendor's runtime hands them to the NPU, `*.txt` their listings.
#[test]
fn real_programs_match_their_listings() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    let paths = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut binaries: Vec<PathBuf> = paths.filter(|path| path.extension().is_some_and(|ext| ext == "bin")).collect();
    binaries.sort();
    assert!(!binaries.is_empty());
    let mut different = Vec::new();
    for path in binaries {
        let program = Program::from_bytes(&std::fs::read(&path).unwrap()).unwrap();
        assert!(program.tail().is_some(), "{}", path.display());
        both_ways(&program);
        let listing = program.listing().to_string();
        let expected = path.with_extension("txt");
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&expected, &listing).unwrap();
        }
        if std::fs::read_to_string(&expected).unwrap_or_default() != listing {
            different.push(expected);
        }
    }
    assert!(different.is_empty(), "listings differ (BLESS=1 rewrites them): {different:#?}");
}

/// A word that looks like a command more often than random bits do.
fn likely_word(u: &mut arbtest::arbitrary::Unstructured<'_>) -> arbtest::arbitrary::Result<u64> {
    let targets = [0, 0x0041, 0x0081, 0x0101, 0x0201, 0x0401, 0x0801, 0x1001, 0x2001, 0x4001, 0x8001];
    let offset =
        if u.ratio(1, 8)? { u.arbitrary()? } else { u.int_in_range(0..=0x3ff)? * 4 + (u.int_in_range(0..=15)? << 12) };
    let value = if u.ratio(1, 8)? { 0 } else { u.arbitrary()? };
    Ok(Command::new(*u.choose(&targets)?, offset, value).0)
}

#[test]
fn any_words_survive_the_text() {
    arbtest::arbtest(|u| {
        let bytes: Vec<u8> = u.arbitrary()?;
        if let Ok(program) = Program::from_bytes(&bytes) {
            both_ways(&program);
        }
        let words: Vec<u64> = u.arbitrary()?;
        both_ways(&words.into_iter().map(Command).collect());
        Ok(())
    });
    arbtest::arbtest(|u| {
        let words: Result<Vec<u64>, _> = (0..8).map(|_| likely_word(u)).collect();
        both_ways(&words?.into_iter().map(Command).collect());
        Ok(())
    });
}

#[test]
fn any_text_is_a_program_or_an_error_with_a_place() {
    let check = |text: &str| match assemble(text) {
        Ok(program) => both_ways(&program),
        Err(error) => {
            let line = text.lines().nth(error.line - 1).unwrap();
            assert!((1..=line.chars().count() + 1).contains(&error.column), "{error} in {text:?}");
        }
    };
    arbtest::arbtest(|u| {
        check(u.arbitrary()?);
        Ok(())
    });
    let pieces =
        ["CNA", ".", "CONV_CON1", "0x", "-", "9", "=", ":", " ", "\n", "ENABLE", ".word", "CONV_MODE", ";", "é", "f0"];
    arbtest::arbtest(|u| {
        let text: Result<String, _> = (0..24).map(|_| u.choose(&pieces).copied()).collect();
        check(&text?);
        Ok(())
    });
}

#[track_caller]
fn same(text: &str, word: u64) {
    assert_eq!(assemble(text).map(|program| program.commands), Ok(vec![Command(word)]), "{text}");
}

#[test]
fn every_form_of_a_value_is_read() {
    let word = 0x0201_0000_0123_100c;
    same("CNA.CONV_CON1 0x123", word);
    same("CNA.CONV_CON1=0x123", word);
    same("CNA.CONV_CON1 = 291 # decimal", word);
    same("CNA.CONV_CON1 PROC_PRECISION=2 IN_PRECISION=0x2 CONV_MODE=3 ; any order", word);
    same("CNA.CONV_CON1 0x123 CONV_MODE=3", word);
    same("CNA.0x100c 0x123", word);
    same("0201000001 23100c".replace(' ', "").as_str(), word);
    same("0000: 020100000123100c", word);
    same("1ff8: CNA.CONV_CON1 0x123", word);
    same("CNA.CONV_CON1", 0x0201_0000_0000_100c);
    same("CNA.DMA_CON2 SURF_STRIDE=-192", 0x0201_0fff_ff40_1080);
    same("DPU.OUT_CVT_OFFSET -1", 0x1001_ffff_ffff_4080);
    same("ENABLE CNA_OP_EN=1 DPU_OP_EN=1", 0x0081_0000_0009_0008);
    same(".word -1", u64::MAX);
    assert_eq!(assemble("\n ; nothing\n# either\n12:\n"), Ok(Program::default()));
}

#[test]
fn plain_listings_can_be_edited_in_one_place() {
    let program = Program::from(vec![Command(0x0201_0000_0120_100c), Command(0x1001_0000_0000_40c4)]);
    let columns = program.listing().plain().to_string();
    let plain: Vec<String> =
        columns.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    assert_eq!(plain, ["CNA.CONV_CON1 IN_PRECISION=2 PROC_PRECISION=2", "DPU.0x40c4 0x00000000"]);
    same(&plain[0].replace("IN_PRECISION=2", "IN_PRECISION=3"), 0x0201_0000_0130_100c);
}

#[track_caller]
fn fails(text: &str, line: usize, column: usize, message: &str) {
    let error: AssembleError = assemble(text).unwrap_err();
    assert_eq!((error.line, error.column, error.kind.to_string().as_str()), (line, column, message), "{text}");
}

#[test]
fn errors_name_the_place_and_the_nearest_name() {
    fails("NOP\n  CNA.CONV_COM1 0x1", 2, 3, "unknown register `CNA.CONV_COM1`; did you mean `CNA.CONV_CON1`?");
    fails("FEATURE_DATA_ADDR 0x1", 1, 1, "unknown register `FEATURE_DATA_ADDR`; did you mean `CNA.FEATURE_DATA_ADDR`?");
    fails("BARIER", 1, 1, "unknown register `BARIER`; did you mean `BARRIER`?");
    fails("zzzzzz", 1, 1, "unknown register `zzzzzz`");
    fails("CNA.CONV_CON3 CONV_X_STRIDE=50", 1, 29, "`CNA.CONV_CON3.CONV_X_STRIDE` cannot hold 50 (max 7)");
    fails(
        "CNA.DMA_CON2 SURF_STRIDE=-134217729",
        1,
        26,
        "`CNA.DMA_CON2.SURF_STRIDE` cannot hold -134217729 (min -134217728)",
    );
    fails(
        "CNA.CONV_CON3 CONV_X_STRID=5",
        1,
        15,
        "`CNA.CONV_CON3` has no field `CONV_X_STRID`; did you mean `CONV_X_STRIDE`?",
    );
    fails("CNA.CONV_CON1 CONV_MODE=1 CONV_MODE=1", 1, 27, "`CONV_MODE` is given twice");
    fails("CNA.CONV_CON1 0x120 CONV_MODE=3", 1, 21, "`CONV_MODE` is 0x3 here, but the line also says 0x0");
    fails("0000000000000000 BARRIER", 1, 18, "`BARRIER` is 0x41000000000000 here, but the line also says 0x0");
    fails("CNA.CONV_CON1 CONV_MODE", 1, 24, "expected `=`, found the end of the line");
    fails("CNA.CONV_CON1 = x", 1, 17, "expected a number, found `x`");
    fails("CNA.CONV_CON1 0x100000000", 1, 15, "0x100000000 does not fit 32 bits");
    fails("DPU.0x40c4", 1, 11, "expected a number, found the end of the line");
    fails("DPU.0x100c 1", 1, 1, "0x100c is no offset of DPU, which starts at 0x4000");
    fails("GLOBAL.OPERATION_ENABLE 1", 1, 1, "programs cannot write GLOBAL: commands have no target for it");
    fails("NOP NOP", 1, 5, "expected the end of the line, found `NOP`");
    let error = assemble("NOP\n  CNA.CONV_COM1").unwrap_err();
    assert!(error.to_string().starts_with("line 2, column 3: unknown register"));
    assert!(matches!(error.kind, AssembleErrorKind::UnknownRegister { nearest: Some(_), .. }));
}
