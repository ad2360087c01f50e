//! The device's memory at each submission, put together again from pages.

use std::collections::BTreeMap;

use ferrite_rknpu::TaskRecord;

use super::{Capture, Form, PAGE, Record, SubmitRecord};

/// Contents of all buffers.
#[derive(Debug, Clone, Default)]
pub struct Memory {
    /// By number: device address and bytes.
    buffers: BTreeMap<u32, (u64, Vec<u8>)>,
}

impl Memory {
    /// The bytes of a buffer.
    pub fn buffer(&self, number: u32) -> Option<&[u8]> {
        self.buffers.get(&number).map(|(_, bytes)| bytes.as_slice())
    }

    /// The buffer that contains an address, and the offset in it.
    pub fn at(&self, address: u64) -> Option<(u32, usize)> {
        self.buffers.iter().find_map(|(number, (base, bytes))| {
            let offset = usize::try_from(address.checked_sub(*base)?).ok()?;
            (offset < bytes.len()).then_some((*number, offset))
        })
    }

    /// `length` bytes from an address, if they lie in one buffer.
    pub fn read(&self, address: u64, length: usize) -> Option<&[u8]> {
        let (number, offset) = self.at(address)?;
        self.buffer(number)?.get(offset..offset.checked_add(length)?)
    }

    /// Takes in what changed. Runs that point nowhere are ignored; the file's reader has refused them.
    fn apply(&mut self, submit: &SubmitRecord, pages: &[u8]) {
        for changed in &submit.memory {
            let Some((_, bytes)) = self.buffers.get_mut(&changed.buffer) else { continue };
            for &(page, stored, count) in &changed.runs {
                let (to, from) = (page as usize * PAGE, stored as usize * PAGE);
                let length = (count as usize * PAGE).min(bytes.len().saturating_sub(to));
                if let (Some(target), Some(source)) = (bytes.get_mut(to..to + length), pages.get(from..from + length)) {
                    target.copy_from_slice(source);
                }
            }
        }
    }

    /// Records of a task list.
    pub fn task_list(&self, number: u32) -> Vec<TaskRecord> {
        let bytes = self.buffer(number).unwrap_or_default();
        TaskRecord::read_list(&bytes[..bytes.len() - bytes.len() % TaskRecord::SIZE]).unwrap_or_default()
    }
}

impl Capture {
    /// Calls `visit` with every submission and the memory at that moment.
    pub fn replay(&self, mut visit: impl FnMut(&SubmitRecord, &Memory)) {
        let mut memory = Memory::default();
        for record in &self.records {
            match record {
                Record::Create { buffer, bytes, address, .. } if *buffer > 0 => {
                    let bytes = vec![0; usize::try_from(*bytes).unwrap_or(0)];
                    memory.buffers.insert(*buffer, (*address, bytes));
                }
                Record::Submit(submit) => {
                    memory.apply(submit, &self.pages);
                    visit(submit, &memory);
                }
                _ => {}
            }
        }
    }

    /// The same capture with task lists, programs and buffers up to `limit` bytes only; all else reads as zero. The contents of
    /// larger inputs, outputs and answers go too.
    #[must_use]
    pub fn programs_only(&self, limit: usize) -> Self {
        let mut writer = super::recorder::PageWriter::default();
        let mut kept: Vec<Vec<super::BufferPages>> = Vec::new();
        self.replay(|submit, memory| {
            let tasks = memory.task_list(submit.task_list);
            let mut wanted: BTreeMap<u32, Vec<u8>> = BTreeMap::new();
            let holders: Vec<u32> = tasks.iter().filter_map(|task| Some(memory.at(task.regcmd_addr)?.0)).collect();
            for (number, (_, bytes)) in &memory.buffers {
                let small = bytes.len() <= limit && !holders.contains(number);
                let whole = small || *number == submit.task_list;
                wanted.insert(*number, if whole { bytes.clone() } else { vec![0; bytes.len()] });
            }
            for task in &tasks {
                let length = usize::try_from(task.program_bytes()).unwrap_or(usize::MAX);
                let (Some((number, offset)), Some(program)) =
                    (memory.at(task.regcmd_addr), memory.read(task.regcmd_addr, length))
                else {
                    continue;
                };
                if let Some(bytes) = wanted.get_mut(&number) {
                    bytes[offset..offset + length].copy_from_slice(program);
                }
            }
            kept.push(wanted.iter().filter_map(|(number, bytes)| writer.changes(*number, bytes)).collect());
        });
        let mut kept = kept.into_iter();
        let mut records = self.records.clone();
        for record in &mut records {
            if let Record::Submit(submit) = record {
                submit.memory = kept.next().unwrap_or_default();
            }
        }
        let header = super::Header { form: Form::Programs, ..self.header.clone() };
        // How inputs were handed over decides parts of the programs; what they held does not.
        let inputs = self.inputs.iter().cloned().map(|mut input| {
            if input.bytes.len() > limit.saturating_mul(4) {
                input.bytes.clear();
            }
            input
        });
        Self {
            header,
            records,
            pages: writer.into_pages(),
            inputs: inputs.collect(),
            outputs: Vec::new(),
            answers: Vec::new(),
        }
    }
}
