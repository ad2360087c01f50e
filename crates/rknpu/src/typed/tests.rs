//! The typed decode against the register table, against itself, and against programs whose networks are known.

use arbtest::arbitrary::{Result, Unstructured};
use arbtest::arbtest;

use super::*;
use crate::registers::RegisterInfo;

#[test]
fn every_typed_field_is_one_or_more_whole_fields_of_the_manual() {
    for block in BANKED {
        for place in places(block) {
            let register = RegisterInfo::at(place.register).unwrap_or_else(|| panic!("no register for {place:?}"));
            let inside = register.fields.iter().filter(|field| field.mask() & place.mask() != 0);
            let covered = inside.fold(0, |mask, field| mask | field.mask());
            assert_eq!(covered, place.mask(), "{place:?} cuts a field of {register}");
        }
    }
}

#[test]
fn typed_fields_do_not_overlap() {
    for block in BANKED {
        let places = places(block);
        for (index, place) in places.iter().enumerate() {
            let clash = places[..index]
                .iter()
                .find(|other| other.register == place.register && other.mask() & place.mask() != 0);
            assert_eq!(clash, None, "{place:?} overlaps");
        }
    }
}

/// Any registers at all: known ones, unknown ones, any bits.
fn any_state(u: &mut Unstructured<'_>) -> Result<EffectiveState> {
    let all = BANKED.iter().filter_map(|block| block.enable_bit()).fold(0, |mask, bit| mask | 1 << bit);
    let enable = EnableMask(u.arbitrary::<u32>()? & all);
    let mut banks = Vec::new();
    for block in enable.blocks() {
        let mut bank = Bank::default();
        for place in places(block) {
            bank.set(place.register, u.arbitrary()?);
        }
        for _ in 0..u.int_in_range(0..=4)? {
            bank.set(block.base() | u.arbitrary::<u16>()? & 0xfff, u.arbitrary()?);
        }
        if block == Block::Dpu {
            // The table port is no part of a bank.
            bank.set(reg::dpu::LUT_ACCESS_CFG, 0);
            bank.set(reg::dpu::LUT_ACCESS_DATA, 0);
        }
        banks.push((block, bank));
    }
    let mut lut = Vec::new();
    for _ in 0..u.int_in_range(0..=8)? {
        let index = u.int_in_range(0..=LUT_ENTRIES as u16 - 1)?;
        lut.push(LutWrite { table: u.int_in_range(0..=1)?, index, value: u.arbitrary()? });
    }
    Ok(EffectiveState { enable, banks, lut })
}

#[test]
fn decoding_loses_no_bit() {
    arbtest(|u| {
        let state = any_state(u)?;
        let job = Job::decode(&state);
        assert_eq!(job.state().expect("what was decoded can be encoded"), state);
        Ok(())
    });
}

#[test]
fn an_encoded_program_replays_to_the_same_state_whatever_the_bank_held() {
    arbtest(|u| {
        let mut banks = Banks::new();
        let before = Job::decode(&any_state(u)?);
        let job = Job::decode(&any_state(u)?);
        // The rest of an earlier task stays in the bank, so this holds for jobs whose bits are all typed.
        for job in [&before, &job, &job] {
            let mut program = Job { rest: Vec::new(), ..job.clone() }.encode().expect("decoded values fit");
            program.extend([Command::BARRIER, Command::enable(job.enable)]);
            let state = banks.apply(&program).expect("known commands");
            assert_eq!(Job::decode(&state), Job { rest: Vec::new(), ..job.clone() });
        }
        Ok(())
    });
}

/// The first task of a compiled network with one convolution (16 to 32 channels of 14 x 14, window 3 x 3, padding 1, half
/// precision), without the registers that are zero: what the network is and what the registers say must agree.
const CONVOLUTION: &[(u16, u32)] = &[
    (0x100c, 0x0000_0120),
    (0x1010, 0x0000_0120),
    (0x1014, 0x0000_0009),
    (0x1020, 0x000e_000e),
    (0x1024, 0x000f_0010),
    (0x1028, 0x0000_000e),
    (0x102c, 0x0000_00c4),
    (0x1030, 0x0000_2400),
    (0x1034, 0x0000_0120),
    (0x1038, 0x0303_0020),
    (0x1040, 0x0000_00b1),
    (0x1044, 0x0000_0007),
    (0x104c, 0x0000_000b),
    (0x1050, 0x0001_0000),
    (0x1054, 0x0001_0000),
    (0x1058, 0x0001_0000),
    (0x105c, 0x0001_0000),
    (0x1068, 0x0000_0011),
    (0x1070, 0xffef_3000),
    (0x1078, 0x000f_000f),
    (0x107c, 0x0000_0038),
    (0x1080, 0x0000_008c),
    (0x1084, 0x000e_000e),
    (0x1088, 0x0000_0010),
    (0x1110, 0xffef_a000),
    (0x3010, 0x0000_0200),
    (0x3014, 0x000d_000d),
    (0x3018, 0x0000_001f),
    (0x4004, 0x0000_000e),
    (0x400c, 0x0000_01e4),
    (0x4010, 0x4800_0002),
    (0x4020, 0xffee_f000),
    (0x4024, 0x0000_0c40),
    (0x4030, 0x0000_000d),
    (0x4034, 0x0000_000d),
    (0x403c, 0x001f_001f),
    (0x4040, 0x0002_0150),
    (0x4050, 0x0000_0126),
    (0x4058, 0x0000_001f),
    (0x405c, 0x000d_000d),
    (0x4060, 0x0000_0053),
    (0x4070, 0x0000_0383),
    (0x4078, 0x0000_0001),
    (0x4084, 0x0001_0001),
    (0x40c0, 0x0000_1880),
    (0x5004, 0x0000_000e),
    (0x500c, 0x0000_000d),
    (0x5010, 0x0000_000d),
    (0x5014, 0x0000_001f),
    (0x501c, 0x0000_0002),
    (0x5020, 0xffef_c400),
    (0x5034, 0x0000_0001),
    (0x5044, 0x0001_7850),
    (0x5068, 0x0101_0101),
];

fn convolution() -> Job {
    let writes = CONVOLUTION.iter().filter_map(|(register, value)| Command::write(*register, *value));
    let program: Vec<_> = writes.chain([Command::BARRIER, Command::enable(EnableMask(0x1d))]).collect();
    Job::decode(&Banks::new().apply(&program).expect("known commands"))
}

#[test]
fn a_convolution_decodes_to_its_network() {
    let job = convolution();
    let (cna, dpu) = (job.cna.as_ref().unwrap(), job.dpu.as_ref().unwrap());
    assert_eq!((cna.mode, cna.input_precision), (ConvolutionMode::Direct, Precision::Float16));
    assert_eq!((cna.width, cna.height, cna.channels, cna.real_channels()), (14, 14, 16, 16));
    assert_eq!((cna.kernel_width, cna.kernel_height, cna.kernels), (3, 3, 32));
    assert_eq!((cna.stride_x, cna.stride_y, cna.dilation_x, cna.dilation_y), (1, 1, 1, 1));
    assert_eq!((cna.pad_left, cna.pad_top), (1, 1));
    assert_eq!((cna.line_bytes(), cna.surface_bytes()), (14 * 16, 14 * 14 * 16));
    assert_eq!((dpu.width, dpu.height, dpu.channels, dpu.group_surfaces), (14, 14, 32, 2));
    assert_eq!((dpu.surface_stride, dpu.group_stride), (14 * 14 * 16, 2 * 14 * 14 * 16));
    assert!(dpu.bn.bypass && dpu.ew.bypass && !dpu.bs.bypass && dpu.bs.alu_from_memory);
    assert_eq!(dpu.bs.algorithm, AluAlgorithm::Add);
    assert_eq!(ranges::multiply_adds(&job), 14 * 14 * 9 * 16 * 32);
}

#[test]
fn the_regions_of_a_convolution_are_its_tensors() {
    let regions = ranges::regions(&convolution()).expect("established modes");
    let all: Vec<_> = regions.iter().map(|region| (region.name(), region.bounds(), region.bytes())).collect();
    let expect = |name: &str, start: i64, bytes: i64| (name.to_owned(), (start, start + bytes), bytes as u64);
    let pixels = 14 * 14;
    assert_eq!(
        all,
        [
            expect("CNA.FEATURE_DATA_ADDR", 0xffef_3000, pixels * 16 * 2),
            expect("CNA.DCOMP_ADDR0", 0xffef_a000, 32 * 16 * 9 * 2),
            expect("DPU_RDMA.RDMA_BS_BASE_ADDR", 0xffef_c400, 32 * 4),
            expect("DPU.DST_BASE_ADDR", 0xffee_f000, pixels * 32 * 2),
        ]
    );
}

#[test]
fn real_channels_come_from_the_count_modulo_64() {
    for (padded, real) in [(16, 16), (8, 3), (96, 96), (80, 80), (160, 160), (120, 120), (6912, 6906), (64, 64), (8, 1)]
    {
        let mut cna = Cna { channels: padded, ..Cna::default() };
        cna.set_real_channels(real);
        assert_eq!(cna.real_channels(), real, "of {padded}");
    }
    // Stored codes of a compiled network with those channel counts.
    for (real, code) in [(16, 15), (64, 63), (96, 31), (80, 15), (160, 31), (120, 55), (6906, 57)] {
        let mut cna = Cna::default();
        cna.set_real_channels(real);
        assert_eq!(cna.real_channels_code, code);
    }
}

#[test]
fn strides_are_signed_and_relative_to_the_end() {
    // One row of 64 columns: the vendor stores 64 - 256 atoms.
    let cna = Cna { width: 64, height: 1, surface_stride: -192, line_stride: 256, ..Cna::default() };
    assert_eq!((cna.line_bytes(), cna.surface_bytes()), (1024, 1024));
    // A 17-column window of 18-column lines, surfaces of 324 atoms.
    let window = Cna { width: 17, group_line_off: true, line_stride: 18, surface_stride: 307, ..Cna::default() };
    assert_eq!((window.line_bytes(), window.surface_bytes()), (18 * 16, 324 * 16));
}

fn dpu_program(writes: &[(u16, u32)], mask: u32) -> Vec<Command> {
    let writes = writes.iter().filter_map(|(register, value)| Command::write(*register, *value));
    writes.chain([Command::BARRIER, Command::enable(EnableMask(mask))]).collect()
}

#[test]
fn a_bank_comes_back_after_two_uses_of_its_own_block() {
    let mut banks = Banks::new();
    let width = |state: &EffectiveState| Job::decode(state).dpu.map(|dpu| dpu.width);
    let pooled = |state: &EffectiveState| Job::decode(state).ppu.map(|ppu| ppu.input_width);
    assert_eq!(width(&banks.apply(&dpu_program(&[(0x4030, 9)], 0x18)).unwrap()), Some(10));
    assert_eq!(width(&banks.apply(&dpu_program(&[], 0x18)).unwrap()), Some(1), "the other bank is untouched");
    // A task of other blocks moves only their pointers.
    assert_eq!(pooled(&banks.apply(&dpu_program(&[(0x600c, 4)], 0x60)).unwrap()), Some(5));
    assert_eq!(width(&banks.apply(&dpu_program(&[], 0x18)).unwrap()), Some(10));
    assert_eq!(width(&banks.apply(&dpu_program(&[], 0x18)).unwrap()), Some(1));
}

#[test]
fn table_data_count_only_while_the_port_writes() {
    let mut banks = Banks::new();
    let program = dpu_program(
        &[(0x4100, 0x2_0000), (0x4104, 7), (0x4104, 0xffff), (0x4100, 0x3_0005), (0x4104, 3), (0x4100, 0), (0x4104, 0)],
        0x18,
    );
    let entry = |table, index, value| LutWrite { table, index, value };
    assert_eq!(banks.apply(&program).unwrap().lut, [entry(0, 0, 7), entry(0, 1, -1), entry(1, 5, 3)]);
}

#[test]
fn programs_without_a_meaning_are_refused() {
    let apply = |commands: &[Command]| Banks::new().apply(commands).unwrap_err();
    assert_eq!(apply(&[]), ReplayError::NoEnable { commands: 0 });
    let enable = Command::enable(EnableMask(0x18));
    assert_eq!(apply(&[enable, Command::NOP]), ReplayError::EarlyEnable { index: 0, commands: 2 });
    assert_eq!(apply(&[Command::enable(EnableMask(0x1a))]), ReplayError::UnknownBlock { mask: 0x1a });
    let wrong_page = Command::new(0x0201, 0x4030, 1);
    assert!(matches!(apply(&[wrong_page, enable]), ReplayError::UnknownCommand { index: 0, offset: 0x4030, .. }));
    let beyond = dpu_program(&[(0x4100, 0x2_0201), (0x4104, 0)], 0x18);
    assert_eq!(apply(&beyond), ReplayError::LutIndex { index: 1, entry: 513 });
}

#[test]
fn values_that_do_not_fit_name_the_register() {
    let mut job = convolution();
    job.dpu.as_mut().unwrap().width = 8193;
    let message = job.encode().unwrap_err().to_string();
    assert!(message.contains("DPU.DATA_CUBE_WIDTH.WIDTH") && message.contains("8193"), "{message}");
}

/// Both notches stand in programs of the vendor's compiler; see [`Dpu::write_line_bytes`].
#[test]
fn lines_are_width_and_notch_apart_modulo_the_register() {
    let apart = |write_width, notch| Dpu { write_width, notch, ..Dpu::default() }.write_line_bytes() / 16;
    assert_eq!(apart(864, 6048), 6912);
    assert_eq!(apart(15, 8182), 5);
}
