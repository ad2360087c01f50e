//! Watches the fake driver.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ferrite_rknpu::Submission;
use ferrite_rknpu_fake::{Buffers, Errno, Event, Observer, What};
use sha2::{Digest, Sha256};

use super::{BufferPages, PAGE, Record, SubmitRecord};

/// Stores each distinct page once and says which changed since last time.
#[derive(Debug, Default)]
pub(crate) struct PageWriter {
    pages: Vec<u8>,
    known: HashMap<[u8; 32], u32>,
    before: HashMap<u32, Vec<u8>>,
}

impl PageWriter {
    /// What changed in a buffer; fresh buffers are zero.
    pub(crate) fn changes(&mut self, buffer: u32, bytes: &[u8]) -> Option<BufferPages> {
        let mut before = self.before.remove(&buffer).unwrap_or_default();
        before.resize(bytes.len(), 0);
        let mut runs: Vec<(u32, u32, u32)> = Vec::new();
        for (index, (new, old)) in bytes.chunks(PAGE).zip(before.chunks(PAGE)).enumerate() {
            if new == old {
                continue;
            }
            let (page, stored) = (u32::try_from(index).unwrap_or(u32::MAX), self.store(new));
            match runs.last_mut() {
                Some((first, place, count)) if *first + *count == page && *place + *count == stored => *count += 1,
                _ => runs.push((page, stored, 1)),
            }
        }
        before.copy_from_slice(bytes);
        self.before.insert(buffer, before);
        (!runs.is_empty()).then_some(BufferPages { buffer, runs })
    }

    fn store(&mut self, page: &[u8]) -> u32 {
        let pages = &mut self.pages;
        *self.known.entry(Sha256::digest(page).into()).or_insert_with(|| {
            let index = u32::try_from(pages.len() / PAGE).unwrap_or(u32::MAX);
            pages.extend_from_slice(page);
            pages.resize(pages.len().next_multiple_of(PAGE), 0);
            index
        })
    }

    pub(crate) fn into_pages(self) -> Vec<u8> {
        self.pages
    }
}

#[derive(Debug, Default)]
struct State {
    records: Vec<Record>,
    writer: PageWriter,
    /// Memory of the submission that is under way.
    pending: Vec<BufferPages>,
    failure: Option<String>,
}

/// Records what the driver is asked. Clones share the record.
#[derive(Debug, Clone, Default)]
pub(crate) struct Recorder(Arc<Mutex<State>>);

impl Recorder {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What was recorded: requests and pages.
    pub(crate) fn take(&self) -> Result<(Vec<Record>, Vec<u8>), String> {
        let state = std::mem::take(&mut *self.state());
        match state.failure {
            Some(failure) => Err(failure),
            None => Ok((state.records, state.writer.into_pages())),
        }
    }
}

impl Observer for Recorder {
    fn event(&mut self, event: &Event, buffers: &Buffers) {
        let mut state = self.state();
        let error = event.error.map(Errno::raw_os_error);
        let record = match &event.what {
            What::Open(path) => Record::Open { path: path.clone(), error },
            What::Close(leaks) => Record::Close { handles: leaks.handles, mappings: leaks.mappings },
            What::Action(action) => Record::Action { selector: action.selector, value: action.value, error },
            What::Create { argument, number } => Record::Create {
                buffer: *number,
                bytes: argument.size,
                flags: argument.flags.0,
                address: argument.dma_addr,
                error,
            },
            What::Destroy(argument) => Record::Destroy { handle: argument.handle },
            What::Sync { argument, number } => Record::Sync {
                buffer: *number,
                direction: argument.flags.0,
                offset: argument.offset,
                bytes: argument.size,
                error,
            },
            What::Map { number, bytes } => Record::Map { buffer: *number, bytes: *bytes },
            What::Unmap { number } => Record::Unmap { buffer: *number },
            What::Drm(name) => Record::Drm { request: (*name).to_owned() },
            What::Unknown(request) => Record::Unknown { request: *request },
            What::Submit(submit) => Record::Submit(SubmitRecord {
                flags: submit.flags,
                timeout: submit.timeout,
                start: submit.task_start,
                number: submit.task_number,
                priority: submit.priority,
                core_mask: submit.core_mask,
                subcores: submit.subcores.map(|range| (range.start, range.number)),
                task_list: buffers.object(submit.task_obj_addr).map_or(0, |buffer| buffer.number),
                error,
                memory: std::mem::take(&mut state.pending),
            }),
            // A mapping's offset says nothing that the mapping does not say.
            _ => return,
        };
        state.records.push(record);
    }

    fn submission(&mut self, _submission: &Submission, buffers: &Buffers) {
        let mut state = self.state();
        for buffer in buffers.iter() {
            match buffer.contents() {
                Ok(bytes) => {
                    let changes = state.writer.changes(buffer.number, &bytes);
                    state.pending.extend(changes);
                }
                Err(error) => state.failure = Some(format!("reading buffer {}: {error}", buffer.number)),
            }
        }
    }
}
