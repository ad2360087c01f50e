//! Commands, programs, task records and submissions.

use std::sync::Arc;

use ferrite_rknpu::program::{ProgramError, register_amounts};
use ferrite_rknpu::soc::Precision;
use ferrite_rknpu::{
    Block, Command, CommandKind, CoreMask, EnableMask, JobFlags, Program, Soc, Submission, SubmissionError, Tail,
    TaskRange, TaskRecord, field, reg,
};

#[test]
fn the_manuals_two_words_decode() {
    // RK3588 TRM part 1, chapter 36: the barrier, and the word that enables every block.
    assert_eq!(Command(0x0041_0000_0000_0000).decode(), CommandKind::Barrier);
    let all = CommandKind::Enable { mask: EnableMask(0x7f) };
    assert_eq!(Command(0x0081_0000_007f_0008).decode(), all);
    let names = EnableMask(0x7f).to_string();
    assert_eq!(names, "CNA|CORE|DPU|DPU_RDMA|PPU|PPU_RDMA|0x2");
}

#[test]
fn enable_masks_name_the_blocks_of_the_global_register() {
    for register_field in ferrite_rknpu::RegisterInfo::at(reg::global::OPERATION_ENABLE).unwrap().fields {
        if let Some(name) = register_field.name.strip_suffix("_OP_EN") {
            let block = Block::named(name).unwrap();
            assert!(EnableMask(register_field.mask()).starts(block), "{name}");
            assert_eq!(EnableMask(register_field.mask()).to_string(), name);
            assert_eq!(block.enable_bit(), Some(register_field.low));
        }
    }
    assert_eq!(EnableMask(0x18).blocks().collect::<Vec<_>>(), [Block::Dpu, Block::DpuRdma]);
}

#[test]
fn irregular_words_are_unknown_and_lossless() {
    // An unknown target, a register of another block's page, a barrier and an enable with stray bits.
    for word in [0x1234_0000_0000_0000, 0x1001_0000_0000_100c, 0x0041_0000_0001_0000, 0x0081_0000_001d_000c, 1] {
        assert!(matches!(Command(word).decode(), CommandKind::Unknown { .. }), "{word:#x}");
        assert_eq!(Command::from(Command(word).decode()), Command(word));
    }
    arbtest::arbtest(|u| {
        let command = Command(u.arbitrary()?);
        assert_eq!(Command::from(command.decode()), command);
        Ok(())
    });
}

#[test]
fn writes_reach_the_blocks_that_have_a_target() {
    assert_eq!(Command::write(reg::dpu::DST_BASE_ADDR, 0xffee_3000), Some(Command(0x1001_ffee_3000_4020)));
    assert_eq!(Command::write(reg::global::OPERATION_ENABLE, 1), None);
    assert_eq!(Command::write(0x2004, 1), None, "no block owns that page");
    let moved = Command(0x1001_ffee_3000_4020).with_value(0x1000);
    assert_eq!(moved, Command(0x1001_0000_1000_4020));
}

#[test]
fn programs_end_in_a_tail() {
    let tail = Tail { next_address: Some(0xffef_c0c0), next_amounts: 55, enable: EnableMask(0x18) };
    let body = [Command::write(reg::dpu::S_POINTER, 0xe).unwrap()];
    let program: Program = body.into_iter().chain(tail.commands()).collect();
    assert_eq!((program.body(), program.tail()), (&body[..], Some(tail)));
    assert_eq!(Program::from_bytes(&program.to_bytes()), Ok(program.clone()));
    assert_eq!(Program::from_bytes(&[0; 12]), Err(ProgramError { length: 12 }));

    let last = Tail { next_address: None, next_amounts: 0, enable: EnableMask(0x18) };
    assert_eq!(last.commands()[0], Command::NOP);
    assert_eq!(Program::from(last.commands().to_vec()).tail(), Some(last));
    assert_eq!(Program::from(body.to_vec()).tail(), None);
}

#[test]
fn amounts_count_fetches_minus_one() {
    // The vendor's driver: (commands + scale - 1) / scale - 1.
    assert_eq!(register_amounts(112, Soc::RK3588.amount_scale), Some(55));
    assert_eq!(register_amounts(113, Soc::RK3588.amount_scale), Some(56));
    assert_eq!(register_amounts(112, Soc::RK3566.amount_scale), Some(111));
    // The vendor's program links to one of 13 commands, like itself.
    let linked = Program::from_bytes(include_bytes!("programs/softmax_f-4.bin")).unwrap();
    let amounts = linked.tail().unwrap().next_amounts;
    assert_eq!((linked.commands.len(), register_amounts(13, Soc::RK3588.amount_scale)), (13, Some(amounts)));
    assert_eq!((register_amounts(0, 2), register_amounts(4, 0)), (None, None));
}

#[test]
fn records_are_forty_bytes_in_the_drivers_order() {
    let bytes: [u8; 40] = std::array::from_fn(|index| index as u8);
    let record = TaskRecord::from_bytes(&bytes);
    assert_eq!((record.flags, record.op_idx), (0x0302_0100, 0x0706_0504));
    assert_eq!(record.regcmd_addr, 0x2726_2524_2322_2120);
    assert_eq!(record.to_bytes(), bytes);
    arbtest::arbtest(|u| {
        let bytes: Vec<u8> = u.arbitrary()?;
        match TaskRecord::read_list(&bytes) {
            Ok(records) => assert_eq!(TaskRecord::write_list(&records), bytes),
            Err(error) => assert!(error.length % TaskRecord::SIZE != 0),
        }
        Ok(())
    });
}

fn submission(tasks: usize) -> Submission {
    let list: Arc<[TaskRecord]> = vec![TaskRecord::default(); tasks].into();
    let range = TaskRange { start: 0, number: 3 };
    Submission::single_core(JobFlags::PC | JobFlags::PINGPONG, list, 0xffef_f000, range, 6000)
}

#[test]
fn one_core_takes_the_first_entry() {
    let mut job = submission(11);
    assert_eq!((job.flags.0, job.range.number), (5, 9), "the vendor's runtime triples the number");
    assert_eq!(job.work().unwrap()[0].tasks, 0..3);
    job.core_mask = CoreMask::CORE1;
    assert_eq!((job.work().unwrap()[0].core, job.work().unwrap()[0].tasks.clone()), (1, 0..3));
}

#[test]
fn three_cores_take_the_last_entries() {
    let mut job = submission(11);
    job.core_mask = CoreMask(7);
    job.subcores = [(0, 4), (4, 4), (0, 4), (4, 4), (8, 3)].map(|(start, number)| TaskRange { start, number });
    let ranges: Vec<_> = job.work().unwrap().into_iter().map(|work| (work.core, work.tasks)).collect();
    assert_eq!(ranges, [(0, 0..4), (1, 4..8), (2, 8..11)]);
    job.subcores[4] = TaskRange { start: u32::MAX, number: u32::MAX };
    assert!(matches!(job.work(), Err(SubmissionError::Range { core: 2, .. })));
    job.core_mask = CoreMask(8);
    assert_eq!(job.work(), Err(SubmissionError::CoreMask { mask: 8 }));
}

#[test]
fn socs_and_precisions_are_consistent() {
    for soc in Soc::ALL {
        assert_eq!(Soc::named(&soc.name.to_uppercase()), Some(soc));
        assert_eq!(soc.max_tasks, (1 << soc.task_number_bits) - 1, "{soc}: the count fits its field");
    }
    assert_eq!(Soc::named("rk3568"), Some(&Soc::RK3566));
    assert_eq!(Soc::named("rk9999"), None);
    assert_eq!(field::pc::task_con::TASK_NUMBER.width(), Soc::RK3588.task_number_bits);
    for (code, precision) in (0..).zip(Precision::ALL) {
        assert_eq!((precision.code(), Precision::from_code(code)), (code, Some(precision)));
    }
    assert_eq!(Precision::from_code(8), None);
}
