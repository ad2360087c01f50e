//! Faults planted into the vendor's models, one at a time: each must be found, and named where it is.

use std::path::Path;

use ferrite_rknn::{Kind as TensorKind, Model};
use ferrite_rknn_analysis::cycles::Profile;
use ferrite_rknn_analysis::timeline::Timeline;
use ferrite_rknn_analysis::{Finding, Kind, lint};
use ferrite_rknpu::{Command, CommandKind, reg};

/// A model's bytes under damage.
struct Damaged {
    model: Model,
    bytes: Vec<u8>,
}

impl Damaged {
    fn new(name: &str) -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models").join(name);
        let bytes = std::fs::read(path).unwrap();
        Self { model: Model::read(bytes.clone()).unwrap(), bytes }
    }

    fn blob(&self, index: usize) -> std::ops::Range<usize> {
        self.model.blobs()[index].clone()
    }

    /// Offset in the file of every command that writes a register, and its value.
    fn commands(&self, register: u16) -> Vec<(usize, u32)> {
        let blob = self.blob(self.model.program_blob().unwrap());
        let (words, _) = self.bytes[blob.clone()].as_chunks::<8>();
        let write = |(index, word): (usize, &[u8; 8])| match Command(u64::from_le_bytes(*word)).decode() {
            CommandKind::Write { offset, value, .. } if offset == register => Some((blob.start + 8 * index, value)),
            _ => None,
        };
        words.iter().enumerate().filter_map(write).collect()
    }

    /// The `skip`-th of them.
    fn command(&self, register: u16, skip: usize) -> (usize, u32) {
        self.commands(register)[skip]
    }

    /// Changes what a command writes; answers its offset.
    fn set(&mut self, register: u16, skip: usize, change: impl Fn(u32) -> u32) -> usize {
        let (offset, value) = self.command(register, skip);
        self.bytes[offset + 2..offset + 6].copy_from_slice(&change(value).to_le_bytes());
        offset
    }

    /// Changes word `word` of a task record; answers the record's offset.
    fn record(&mut self, task: usize, word: usize, change: impl Fn(u32) -> u32) -> usize {
        let start = self.blob(self.model.task_blob().unwrap()).start + 40 * task;
        self.word(start + 4 * word, change);
        start
    }

    fn word(&mut self, offset: usize, change: impl Fn(u32) -> u32) {
        let old: [u8; 4] = self.bytes[offset..offset + 4].try_into().unwrap();
        self.bytes[offset..offset + 4].copy_from_slice(&change(u32::from_le_bytes(old)).to_le_bytes());
    }

    /// Offset in the file of a slot of a FlatBuffer table.
    fn slot(&self, table: usize, slot: usize) -> usize {
        let int = |at: usize| i32::from_le_bytes(self.bytes[at..at + 4].try_into().unwrap());
        let vtable = usize::try_from(table as i64 - i64::from(int(table))).unwrap();
        let entry = vtable + 4 + 2 * slot;
        table + usize::from(u16::from_le_bytes(self.bytes[entry..entry + 2].try_into().unwrap()))
    }

    /// Replaces a text by another of the same length, everywhere behind the FlatBuffer; answers whether it was there.
    fn tail_text(&mut self, old: &str, new: &str) {
        assert_eq!(old.len(), new.len());
        let start = self.model.header().json.start;
        let at = self.bytes[start..].windows(old.len()).position(|window| window == old.as_bytes()).unwrap();
        self.bytes[start + at..start + at + new.len()].copy_from_slice(new.as_bytes());
    }

    fn findings(&self) -> Vec<Finding> {
        lint(&Model::read(self.bytes.clone()).unwrap()).findings
    }

    /// The finding of a kind whose register (if any) is this one.
    #[track_caller]
    fn finds(&self, kind: Kind, register: Option<&str>) -> Finding {
        let all = self.findings();
        let here = |finding: &&Finding| finding.kind == kind && finding.place.register.as_deref() == register;
        let found = all.iter().find(here).cloned();
        let listing = || all.iter().map(Finding::to_string).collect::<Vec<_>>().join("\n");
        let found = found.unwrap_or_else(|| panic!("no {} at {register:?}:\n{}", kind.name(), listing()));
        let sound = lint(&self.model).findings;
        assert!(!sound.contains(&found), "the sound model has it, too");
        found
    }
}

const CONV: &str = "ops/conv3x3-fp16.rknn";

#[track_caller]
fn at_operator(finding: &Finding, name: &str, task: usize, offset: usize) {
    assert_eq!(finding.place.operator.as_ref().map(|(_, name)| name.as_str()), Some(name), "{finding}");
    assert_eq!((finding.place.task, finding.place.offset), (Some(task), Some(offset)), "{finding}");
}

#[test]
fn banks_beyond_the_convolution_buffer() {
    let mut damaged = Damaged::new(CONV);
    // The register is written twice; the second write counts.
    damaged.set(reg::cna::CBUF_CON0, 0, |value| value | 0xf0);
    let offset = damaged.set(reg::cna::CBUF_CON0, 1, |value| value | 0xf0);
    at_operator(&damaged.finds(Kind::Limit, Some("CNA.CBUF_CON0.WEIGHT_BANK")), "Conv:y", 0, offset);
}

#[test]
fn bits_that_no_field_covers() {
    let mut damaged = Damaged::new(CONV);
    let offset = damaged.set(reg::cna::CONV_CON3, 0, |value| value | 1 << 31);
    at_operator(&damaged.finds(Kind::ReservedBits, Some("CNA.CONV_CON3")), "Conv:y", 0, offset);
}

#[test]
fn blocks_that_disagree_about_the_output() {
    let mut damaged = Damaged::new(CONV);
    let offset = damaged.set(reg::core::DATAOUT_SIZE_0, 0, |value| value + 1);
    let finding = damaged.finds(Kind::Disagreement, Some("CORE.DATAOUT_SIZE_0.DATAOUT_WIDTH"));
    at_operator(&finding, "Conv:y", 0, offset);
}

#[test]
fn a_window_outside_the_input() {
    let mut damaged = Damaged::new("ops/maxpool-fp16.rknn");
    let offset = damaged.set(reg::ppu::DATA_CUBE_OUT_WIDTH, 0, |value| value * 4);
    let finding = damaged.finds(Kind::Geometry, Some("PPU.DATA_CUBE_OUT_WIDTH.CUBE_OUT_WIDTH"));
    at_operator(&finding, "MaxPool:y", 0, offset);
}

#[test]
fn a_reader_that_blocks_the_task() {
    let mut damaged = Damaged::new(CONV);
    let offset = damaged.set(reg::dpu_rdma::RDMA_FEATURE_MODE_CFG, 0, |value| value & !0x10);
    let finding = damaged.finds(Kind::Hang, Some("DPU_RDMA.RDMA_FEATURE_MODE_CFG.MRDMA_DISABLE"));
    at_operator(&finding, "Conv:y", 0, offset);
}

#[test]
fn a_lookup_table_that_nobody_fills() {
    let mut damaged = Damaged::new("ops/silu-fp16.rknn");
    // Every program writes the port's register; those that fill a table open it for writing.
    for nth in 0..damaged.commands(reg::dpu::LUT_ACCESS_CFG).len() {
        damaged.set(reg::dpu::LUT_ACCESS_CFG, nth, |value| value & !(1 << 17));
    }
    let finding = damaged.finds(Kind::TableNotLoaded, Some("DPU.EW_CFG.EW_LUT_BYPASS"));
    assert_eq!(finding.place.operator, Some((1, "exSwish:y_2exswish".to_owned())));
}

#[test]
fn a_record_of_the_wrong_length() {
    let mut damaged = Damaged::new(CONV);
    let offset = damaged.record(0, 6, |amount| amount - 1);
    at_operator(&damaged.finds(Kind::TaskProgram, None), "Conv:y", 0, offset);
}

#[test]
fn a_record_of_another_operator() {
    let mut damaged = Damaged::new(CONV);
    let offset = damaged.record(0, 1, |_| 0);
    let finding = damaged.finds(Kind::WrongOwner, None);
    assert_eq!((finding.place.task, finding.place.offset), (Some(0), Some(offset)), "{finding}");
    assert!(finding.message.contains("operator 1 submits"), "{finding}");
}

#[test]
fn an_interrupt_that_never_comes() {
    let mut damaged = Damaged::new(CONV);
    let offset = damaged.record(0, 3, |_| 0xc00);
    at_operator(&damaged.finds(Kind::InterruptMask, None), "Conv:y", 0, offset);
}

#[test]
fn a_record_that_starts_other_blocks() {
    let mut damaged = Damaged::new(CONV);
    let offset = damaged.record(0, 2, |_| 0x0d);
    at_operator(&damaged.finds(Kind::EnableMask, None), "Conv:y", 0, offset);
}

#[test]
fn a_chain_that_leads_elsewhere() {
    let mut damaged = Damaged::new("ops/softmax-fp16.rknn");
    let offset = damaged.set(reg::pc::BASE_ADDRESS, 2, |value| value + 64);
    let finding = damaged.finds(Kind::BrokenChain, Some("PC.BASE_ADDRESS"));
    at_operator(&finding, "exSoftmax13:y", 2, offset);
}

#[test]
fn a_next_program_of_the_wrong_length() {
    let mut damaged = Damaged::new("ops/softmax-fp16.rknn");
    let offset = damaged.set(reg::pc::REGISTER_AMOUNTS, 1, |value| value + 1);
    let finding = damaged.finds(Kind::BrokenChain, Some("PC.REGISTER_AMOUNTS"));
    at_operator(&finding, "exSoftmax13:y", 1, offset);
}

#[test]
fn a_command_of_no_block() {
    let mut damaged = Damaged::new(CONV);
    let (offset, _) = damaged.command(reg::cna::CONV_CON3, 0);
    damaged.bytes[offset + 7] = 0x7f;
    let finding = damaged.finds(Kind::BadProgram, None);
    assert!(finding.message.contains("no known meaning"), "{finding}");
    assert_eq!(finding.place.task, Some(0));
}

#[test]
fn an_address_that_differs_from_its_relocation() {
    let mut damaged = Damaged::new(CONV);
    let offset = damaged.set(reg::cna::DCOMP_ADDR0, 0, |value| value + 0x40);
    at_operator(&damaged.finds(Kind::BadRelocation, Some("CNA.DCOMP_ADDR0")), "Conv:y", 0, offset);
}

#[test]
fn an_address_that_nobody_relocates() {
    let mut damaged = Damaged::new(CONV);
    let offset = damaged.set(reg::dpu_rdma::RDMA_BN_BASE_ADDR, 0, |_| 0x4000);
    let finding = damaged.finds(Kind::UnrelocatedAddress, Some("DPU_RDMA.RDMA_BN_BASE_ADDR"));
    at_operator(&finding, "Conv:y", 0, offset);
}

#[test]
fn surfaces_beyond_the_output_buffer() {
    let mut damaged = Damaged::new(CONV);
    damaged.set(reg::dpu::DST_SURF_STRIDE, 0, |value| value * 16);
    let finding = damaged.finds(Kind::OutsideBuffer, Some("DPU.DST_BASE_ADDR"));
    let (address, _) = damaged.command(reg::dpu::DST_BASE_ADDR, 0);
    at_operator(&finding, "Conv:y", 0, address);
    assert!(finding.message.contains("buffer `output 0`"), "{finding}");
}

/// Moves tensor `moved` of a network to where `onto` lies: tensor slot 13 is the place in the activation buffer
/// (docs/rknn-format.md).
fn moved(name: &str, moved: &str, onto: &str) -> Damaged {
    let mut damaged = Damaged::new(name);
    let find = |name: &str| damaged.model.tensors().iter().find(|tensor| tensor.name == name).unwrap().clone();
    let (tensor, target) = (find(moved), find(onto));
    assert_eq!((tensor.kind, target.kind), (TensorKind::INTERMEDIATE, TensorKind::INTERMEDIATE));
    let slot = damaged.slot(tensor.place, 13);
    assert_ne!(slot, tensor.place, "an offset of 0 is not stored");
    damaged.word(slot, |_| target.offset);
    damaged
}
#[test]
fn a_convolution_that_overwrites_its_input() {
    let finding = moved("ops/resblock-fp16.rknn", "c2", "r1").finds(Kind::Overlap, Some("DPU.DST_BASE_ADDR"));
    assert_eq!(finding.place.operator, Some((2, "Conv:c2".to_owned())));
    assert!(finding.message.contains("writes `c2`") && finding.message.contains("`r1`"), "{finding}");
}

/// `r1` goes to a pooling and, behind four more operators, to an addition; `u` is made in between.
#[test]
fn a_tensor_that_is_overwritten_before_its_last_reader() {
    let damaged = moved("zoo/data/cnn_unet-int8.rknn", "u", "r1");
    let finding = damaged.finds(Kind::Clobbered, Some("CNA.FEATURE_DATA_ADDR"));
    assert_eq!(finding.place.operator, Some((6, "Conv:r1_conv_ConvAddRelu".to_owned())));
    assert!(finding.message.contains("reads tensor `r1`") && finding.message.contains("with `u`"), "{finding}");
}

#[test]
fn an_operator_moved_to_the_cpu() {
    let mut damaged = Damaged::new(CONV);
    let slot = damaged.slot(damaged.model.operators()[1].place, 3);
    assert_eq!(damaged.bytes[slot], 2, "the target is not in slot 3");
    damaged.bytes[slot] = 0;
    for kind in [Kind::CpuOperator, Kind::UnsubmittedTask] {
        assert_eq!(damaged.finds(kind, None).place.operator, Some((1, "Conv:y".to_owned())));
    }
}

#[test]
fn a_task_that_no_operator_counts() {
    let mut damaged = Damaged::new(CONV);
    // The last record is the third core's, which exists because the operator counts it in slot 10.
    let counts = damaged.slot(damaged.model.operators()[1].place, 10);
    let vector = counts + u32::from_le_bytes(damaged.bytes[counts..counts + 4].try_into().unwrap()) as usize;
    let last = damaged.model.operators()[1].tasks.iter().rposition(|&count| count > 0).unwrap();
    damaged.word(vector + 4 + 4 * last, |count| count - 1);
    let records = damaged.model.task_list().unwrap().len();
    assert_eq!(damaged.finds(Kind::UnsubmittedTask, None).place.task, Some(records - 1));
}

#[test]
fn another_chip_and_another_version() {
    let mut damaged = Damaged::new(CONV);
    damaged.tail_text("rk3588", "rk3576");
    let finding = damaged.finds(Kind::TargetMismatch, None);
    assert!(finding.message.contains("rk3576") && finding.message.contains("rk3588"), "{finding}");
    damaged.finds(Kind::UnknownTarget, None);

    let mut damaged = Damaged::new(CONV);
    damaged.tail_text("\"version\":\"2.5.0\"", "\"version\":\"1.4.0\"");
    assert!(damaged.finds(Kind::TargetMismatch, None).message.contains("1.4.0"));
}

#[test]
fn weights_that_are_infinite_or_huge() {
    let mut damaged = Damaged::new(CONV);
    let weights =
        damaged.model.tensors().iter().find(|tensor| tensor.kind == TensorKind::WEIGHT && tensor.name == "w").unwrap();
    let blob = damaged.blob(weights.blob.unwrap());
    damaged.bytes[blob.start + 10..blob.start + 12].copy_from_slice(&0x7c00_u16.to_le_bytes());
    assert_eq!(damaged.finds(Kind::NotFinite, None).place.offset, Some(blob.start + 10));
    for weight in damaged.bytes[blob].chunks_exact_mut(2) {
        weight.copy_from_slice(&0x5640_u16.to_le_bytes()); // 100.0
    }
    let finding = damaged.finds(Kind::Fp16Headroom, Some("DPU.DST_BASE_ADDR"));
    // 16 channels of 3x3 weights.
    assert!(finding.message.contains("a bound: weights sum up to 14400.0000"), "{finding}");
}

/// Readable files only: the reader's own tests have the others. Programs, records and tables alike are hit.
#[test]
fn any_damage_is_judged_without_a_panic() {
    let mut judged = 0;
    for (number, name) in
        [CONV, "ops/softmax-fp16.rknn", "ops/silu-fp16.rknn", "ops/resblock-int8.rknn"].iter().enumerate()
    {
        let sound = Damaged::new(name);
        let mut state = 0x9e37_79b9_7f4a_7c15_u64 ^ number as u64;
        let mut random = move || {
            // xorshift64
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state as usize
        };
        for _ in 0..250 {
            let mut bytes = sound.bytes.clone();
            for _ in 0..=random() % 8 {
                let at = random() % bytes.len();
                bytes[at] = random() as u8;
            }
            if let Ok(model) = Model::read(bytes) {
                judged += 1;
                assert!(lint(&model).findings.len() <= 1001);
                // What it costs is then of no interest, but must be said in time.
                let _ = (Profile::new(&model), Timeline::new(&model, 1));
            }
        }
    }
    assert!(judged > 500, "only {judged} damaged files could be read");
}
