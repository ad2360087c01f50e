//! The driver's policy.

use std::collections::BTreeMap;
use std::os::fd::OwnedFd;
use std::sync::Arc;

use ferrite_rknpu::ioctl::{Action, MemCreate, MemDestroy, MemFlags, MemMap, MemSync, Node, Request, Submit, action};
use ferrite_rknpu::{CoreMask, JobFlags, Submission, TaskRange, TaskRecord};
use rustix::io::Errno;

use crate::buffers::Buffers;
use crate::drm::{self, Answer, number, put, word};
use crate::event::{Event, Leaks, Observer, What};
use crate::{DriverOptions, Executor, JobError};

/// Mapping offsets begin here, as the fake offsets of DRM do; below lies nothing.
const MAP_BASE: u64 = 1 << 32;

/// One open of the device.
#[derive(Debug, Default)]
struct Client {
    /// Handle to kernel name.
    handles: BTreeMap<u32, u64>,
    /// Token to kernel name.
    mappings: BTreeMap<u64, u64>,
    next: u32,
}

impl Client {
    fn handle_of(&self, object: u64) -> Option<u32> {
        self.handles.iter().find(|(_, have)| **have == object).map(|(handle, _)| *handle)
    }

    fn add(&mut self, object: u64) -> u32 {
        self.next += 1;
        self.handles.insert(self.next, object);
        self.next
    }
}

/// The driver: buffers, clients, faults, and who executes and watches.
pub struct FakeDriver {
    options: DriverOptions,
    buffers: Buffers,
    clients: BTreeMap<u32, Client>,
    opened: u32,
    tokens: u64,
    creates: u32,
    submits: u32,
    interrupted: bool,
    leaks: Leaks,
    failure: Option<JobError>,
    executor: Box<dyn Executor>,
    observer: Box<dyn Observer>,
}

impl std::fmt::Debug for FakeDriver {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FakeDriver")
            .field("options", &self.options)
            .field("clients", &self.clients)
            .finish_non_exhaustive()
    }
}

impl FakeDriver {
    /// A driver without clients.
    pub fn new(options: DriverOptions, executor: Box<dyn Executor>) -> Self {
        Self {
            options,
            buffers: Buffers::default(),
            clients: BTreeMap::new(),
            opened: 0,
            tokens: 0,
            creates: 0,
            submits: 0,
            interrupted: false,
            leaks: Leaks::default(),
            failure: None,
            executor,
            observer: Box::new(()),
        }
    }

    /// The same driver, watched.
    #[must_use]
    pub fn observed(mut self, observer: Box<dyn Observer>) -> Self {
        self.observer = observer;
        self
    }

    /// The buffers that exist.
    pub fn buffers(&self) -> &Buffers {
        &self.buffers
    }

    /// What all closed clients together had not given back.
    pub fn leaks(&self) -> Leaks {
        self.leaks
    }

    /// Submissions so far.
    pub fn submissions(&self) -> u32 {
        self.submits
    }

    /// What the first job that the executor could not run, or the first range that it could not move, failed with.
    pub fn failure(&self) -> Option<&JobError> {
        self.failure.as_ref()
    }

    /// Keeps the first failure, and gives the client what the kernel would.
    fn failed(&mut self, error: JobError, answer: Errno) -> Errno {
        self.failure.get_or_insert(error);
        answer
    }

    fn tell(&mut self, client: u32, what: What, error: Option<Errno>) {
        self.observer.event(&Event { client, what, error }, &self.buffers);
    }

    /// A client opens a node; returns its number.
    pub(crate) fn open(&mut self, path: &str) -> Result<u32, Errno> {
        self.opened += 1;
        let client = self.opened;
        let exists = match self.options.node {
            Node::Drm => path.starts_with("/dev/dri/card") || path.starts_with("/dev/dri/renderD"),
            Node::Misc => path == "/dev/rknpu" || path.starts_with("/dev/dma_heap/"),
        };
        let error = (!exists || self.options.faults.no_device).then_some(Errno::NOENT);
        self.tell(client, What::Open(path.to_owned()), error);
        match error {
            Some(error) => Err(error),
            None => {
                self.clients.insert(client, Client::default());
                Ok(client)
            }
        }
    }

    /// The last descriptor of an open is gone.
    pub(crate) fn close(&mut self, client: u32) {
        let Some(gone) = self.clients.remove(&client) else { return };
        let leaks = Leaks { handles: gone.handles.len(), mappings: gone.mappings.len() };
        self.leaks.handles += leaks.handles;
        self.leaks.mappings += leaks.mappings;
        gone.handles.values().chain(gone.mappings.values()).for_each(|object| self.buffers.remove_user(*object));
        self.tell(client, What::Close(leaks), None);
    }

    /// A client maps `bytes` at an offset of the device; the answer carries the memory.
    pub(crate) fn map(&mut self, client: u32, offset: u64, bytes: u64) -> Result<Answer, Errno> {
        let object = offset
            .checked_sub(MAP_BASE)
            .and_then(|handle| u32::try_from(handle >> 32).ok())
            .and_then(|handle| self.clients.get(&client)?.handles.get(&handle).copied());
        let buffer = object.and_then(|object| self.buffers.object(object));
        let number = buffer.map_or(0, |buffer| buffer.number);
        let memory = match buffer {
            Some(buffer) if bytes <= buffer.extent() => buffer.descriptor().map_err(|_| Errno::NOMEM),
            _ => Err(Errno::INVAL),
        };
        self.tell(client, What::Map { number, bytes }, memory.as_ref().err().copied());
        let (memory, object) = (memory?, object.unwrap_or(0));
        self.tokens += 1;
        self.buffers.add_user(object);
        if let Some(client) = self.clients.get_mut(&client) {
            client.mappings.insert(self.tokens, object);
        }
        Ok(Answer { descriptor: Some((memory, 0)), token: self.tokens, ..Answer::default() })
    }

    /// A client unmaps a mapping as a whole.
    pub(crate) fn unmap(&mut self, client: u32, token: u64) -> Result<Answer, Errno> {
        let object = self.clients.get_mut(&client).and_then(|client| client.mappings.remove(&token));
        let object = object.ok_or(Errno::INVAL)?;
        let number = self.buffers.object(object).map_or(0, |buffer| buffer.number);
        self.buffers.remove_user(object);
        self.tell(client, What::Unmap { number }, None);
        Ok(Answer::default())
    }

    /// A client makes a request.
    pub(crate) fn control(
        &mut self,
        client: u32,
        code: u32,
        argument: Vec<u8>,
        descriptor: Option<OwnedFd>,
    ) -> Result<Answer, Errno> {
        match Request::of_number(code) {
            Some((node, request)) if node == self.options.node => {
                if self.options.faults.interrupt_once == Some(request) && !self.interrupted {
                    self.interrupted = true;
                    return Err(Errno::INTR);
                }
                self.request(client, request, argument, descriptor)
            }
            _ => self.other(client, code, argument, descriptor),
        }
    }

    fn request(
        &mut self,
        client: u32,
        request: Request,
        mut argument: Vec<u8>,
        descriptor: Option<OwnedFd>,
    ) -> Result<Answer, Errno> {
        // What is not even long enough for the structure is told as unknown.
        macro_rules! decode {
            ($type:ty) => {
                match <$type>::from_bytes(&argument) {
                    Ok(decoded) => decoded,
                    Err(_) => {
                        self.tell(client, What::Unknown(request.number(self.options.node)), Some(Errno::INVAL));
                        return Err(Errno::INVAL);
                    }
                }
            };
        }
        macro_rules! finish {
            ($decoded:ident, $result:expr, $what:expr) => {{
                let result = $result;
                self.tell(client, $what, result.err());
                result?;
                $decoded.write(&mut argument);
                Ok(Answer::new(argument))
            }};
        }
        match request {
            Request::Action => {
                let mut decoded = decode!(Action);
                finish!(decoded, self.action(&mut decoded), What::Action(decoded))
            }
            Request::MemCreate => {
                let mut decoded = decode!(MemCreate);
                let result = self.create(client, &mut decoded, descriptor);
                let number = self.buffers.object(decoded.obj_addr).map_or(0, |buffer| buffer.number);
                finish!(decoded, result, What::Create { argument: decoded, number })
            }
            Request::MemMap => {
                let mut decoded = decode!(MemMap);
                decoded.offset = MAP_BASE + (u64::from(decoded.handle) << 32);
                let known = self.clients.get(&client).is_some_and(|have| have.handles.contains_key(&decoded.handle));
                let result = if known { Ok(()) } else { Err(Errno::INVAL) };
                finish!(decoded, result, What::MapOffset(decoded))
            }
            Request::MemDestroy => {
                let decoded = decode!(MemDestroy);
                // Behind a dma-heap, handles are the client's own file descriptors; the kernel name is what counts.
                let handle = match self.options.node {
                    Node::Drm => decoded.handle,
                    Node::Misc => {
                        let client = self.clients.get(&client);
                        client.and_then(|client| client.handle_of(decoded.obj_addr)).unwrap_or(0)
                    }
                };
                finish!(decoded, self.release(client, handle), What::Destroy(decoded))
            }
            Request::MemSync => {
                let decoded = decode!(MemSync);
                let number = self.buffers.object(decoded.obj_addr).map_or(0, |buffer| buffer.number);
                finish!(decoded, self.sync(&decoded), What::Sync { argument: decoded, number })
            }
            Request::Submit => {
                let mut decoded = decode!(Submit);
                finish!(decoded, self.submit(&mut decoded), What::Submit(decoded))
            }
        }
    }

    /// Requests of DRM, and those that nobody knows.
    fn other(
        &mut self,
        client: u32,
        code: u32,
        mut argument: Vec<u8>,
        descriptor: Option<OwnedFd>,
    ) -> Result<Answer, Errno> {
        let [nr, magic, ..] = code.to_le_bytes();
        if self.options.node == Node::Misc && magic == b'H' && nr == 0 {
            return self.heap_allocate(client, argument);
        }
        if self.options.node != Node::Drm || magic != b'd' {
            self.tell(client, What::Unknown(code), Some(Errno::NOTTY));
            return Err(Errno::NOTTY);
        }
        let release = |this: &mut Self, handle| this.release(client, handle).map(|()| Answer::default());
        let (name, result) = match nr {
            number::VERSION => ("VERSION", Ok(drm::version(argument, self.options.driver_version))),
            number::GET_UNIQUE => ("GET_UNIQUE", Ok(drm::unique(argument))),
            number::GET_MAGIC => {
                put(&mut argument, 0, &client.to_le_bytes());
                ("GET_MAGIC", Ok(Answer::new(argument)))
            }
            number::GET_CAP => {
                // Only PRIME import and export are there.
                let value: u64 = if word(&argument, 0) == 5 { 3 } else { 0 };
                put(&mut argument, 8, &value.to_le_bytes());
                ("GET_CAP", Ok(Answer::new(argument)))
            }
            number::SET_VERSION => ("SET_VERSION", Ok(Answer::new(argument))),
            number::AUTH_MAGIC => ("AUTH_MAGIC", Ok(Answer::new(argument))),
            number::SET_MASTER => ("SET_MASTER", Ok(Answer::default())),
            number::DROP_MASTER => ("DROP_MASTER", Ok(Answer::default())),
            number::GEM_CLOSE => ("GEM_CLOSE", release(self, word(&argument, 0))),
            number::GEM_FLINK => ("GEM_FLINK", self.flink(client, argument)),
            number::GEM_OPEN => ("GEM_OPEN", self.open_name(client, argument)),
            number::PRIME_HANDLE_TO_FD => ("PRIME_HANDLE_TO_FD", self.export(client, argument)),
            number::PRIME_FD_TO_HANDLE => ("PRIME_FD_TO_HANDLE", self.import(client, argument, descriptor)),
            _ => {
                self.tell(client, What::Unknown(code), Some(Errno::INVAL));
                return Err(Errno::INVAL);
            }
        };
        self.tell(client, What::Drm(name), result.as_ref().err().copied());
        result
    }

    fn action(&self, request: &mut Action) -> Result<(), Errno> {
        let (major, minor, patch) = self.options.driver_version;
        request.value = match request.selector {
            action::HW_VERSION => self.options.hardware_version,
            action::DRV_VERSION => major * 10_000 + minor * 100 + patch,
            action::GET_FREQ => 1_000_000_000,
            action::GET_VOLT => 800_000,
            action::SET_FREQ | action::SET_VOLT | action::SET_PROC_NICE => request.value,
            action::RESET | action::POWER_ON | action::POWER_OFF => request.value,
            // The RK3588's driver has no counters.
            action::CLR_TOTAL_RW_AMOUNT..=action::GET_TOTAL_RW_AMOUNT => 0,
            action::GET_IOMMU_EN => 1,
            action::GET_TOTAL_SRAM_SIZE | action::GET_FREE_SRAM_SIZE => 0,
            // Domains came with 0.9.
            action::GET_IOMMU_DOMAIN_ID if (major, minor) >= (0, 9) => 0,
            action::SET_IOMMU_DOMAIN_ID if (major, minor) >= (0, 9) && request.value < 16 => request.value,
            _ => return Err(Errno::INVAL),
        };
        Ok(())
    }

    fn create(&mut self, client: u32, request: &mut MemCreate, memory: Option<OwnedFd>) -> Result<(), Errno> {
        self.creates += 1;
        if self.options.faults.fail_create == Some(self.creates) {
            return Err(Errno::NOMEM);
        }
        let object = match (self.options.node, memory) {
            (Node::Misc, Some(memory)) => {
                self.buffers.import(memory, Some(request.size), request.flags, &self.options)?
            }
            (Node::Misc, None) => return Err(Errno::BADF),
            (Node::Drm, _) => self.buffers.create(request.size, request.flags, &self.options)?,
        };
        let client = self.clients.get_mut(&client).ok_or(Errno::BADF)?;
        let handle = client.add(object);
        if self.options.node == Node::Drm {
            request.handle = handle;
        }
        request.obj_addr = object;
        request.dma_addr = self.buffers.object(object).map_or(0, |buffer| buffer.device_address);
        Ok(())
    }

    fn release(&mut self, client: u32, handle: u32) -> Result<(), Errno> {
        let object = self.clients.get_mut(&client).and_then(|client| client.handles.remove(&handle));
        self.buffers.remove_user(object.ok_or(Errno::INVAL)?);
        Ok(())
    }

    fn sync(&mut self, request: &MemSync) -> Result<(), Errno> {
        let buffer = self.buffers.object(request.obj_addr).ok_or(Errno::INVAL)?;
        let end = request.offset.checked_add(request.size).filter(|&end| end <= buffer.extent()).ok_or(Errno::INVAL)?;
        if !buffer.flags.contains(MemFlags::CACHEABLE) {
            return Err(Errno::INVAL);
        }
        let moved = self.executor.synchronise(request.flags, request.offset..end, buffer, &self.buffers);
        moved.map_err(|error| self.failed(error, Errno::INVAL))
    }

    fn submit(&mut self, request: &mut Submit) -> Result<(), Errno> {
        self.submits += 1;
        let submission = self.submission(request)?;
        self.observer.submission(&submission, &self.buffers);
        if self.options.faults.submit_timeout == Some(self.submits) {
            return Err(Errno::TIMEDOUT);
        }
        let ran = self.executor.submit(&submission, &self.buffers);
        ran.map_err(|error| self.failed(error, Errno::TIMEDOUT))?;
        request.task_counter = request.task_number;
        request.hw_elapse_time = 1;
        Ok(())
    }

    /// Checks a submission as the kernel would, and as its hardware could not stand it otherwise.
    fn submission(&self, request: &Submit) -> Result<Submission, Errno> {
        let list = self.buffers.object(request.task_obj_addr).ok_or(Errno::INVAL)?;
        let flags = JobFlags(request.flags);
        let fences = JobFlags::FENCE_IN | JobFlags::FENCE_OUT | JobFlags::NONBLOCK;
        let wanted = request.core_mask;
        if !list.flags.contains(MemFlags::KERNEL_MAPPING)
            || flags.0 & fences.0 != 0
            || !flags.contains(JobFlags::PC)
            || wanted >> self.options.cores != 0
            || request.task_number == 0
        {
            return Err(Errno::INVAL);
        }
        let mut bytes = list.contents().map_err(|_| Errno::INVAL)?;
        bytes.truncate(bytes.len() - bytes.len() % TaskRecord::SIZE);
        let submission = Submission {
            flags,
            tasks: TaskRecord::read_list(&bytes).map_err(|_| Errno::INVAL)?.into(),
            task_list: list.device_address,
            range: TaskRange { start: request.task_start, number: request.task_number },
            core_mask: CoreMask(wanted),
            subcores: request.subcores,
            timeout: request.timeout,
        };
        match submission.work() {
            Ok(_) => Ok(submission),
            Err(_) => Err(Errno::INVAL),
        }
    }

    /// `DRM_IOCTL_GEM_FLINK`: handle, then the global name, which is the buffer's number.
    fn flink(&self, client: u32, mut argument: Vec<u8>) -> Result<Answer, Errno> {
        let object = self.clients.get(&client).and_then(|client| client.handles.get(&word(&argument, 0)));
        let buffer = object.and_then(|object| self.buffers.object(*object)).ok_or(Errno::NOENT)?;
        put(&mut argument, 4, &buffer.number.to_le_bytes());
        Ok(Answer::new(argument))
    }

    /// `DRM_IOCTL_GEM_OPEN`: name, then handle and size.
    fn open_name(&mut self, client: u32, mut argument: Vec<u8>) -> Result<Answer, Errno> {
        let name = word(&argument, 0);
        let (object, size) = {
            let buffer = self.buffers.iter().find(|buffer| buffer.number == name).ok_or(Errno::NOENT)?;
            (buffer.object, buffer.size)
        };
        let handle = self.handle(client, object)?;
        put(&mut argument, 4, &handle.to_le_bytes());
        put(&mut argument, 8, &size.to_le_bytes());
        Ok(Answer::new(argument))
    }

    /// `DRM_IOCTL_PRIME_HANDLE_TO_FD`: handle, flags, descriptor.
    fn export(&self, client: u32, argument: Vec<u8>) -> Result<Answer, Errno> {
        let object = self.clients.get(&client).and_then(|client| client.handles.get(&word(&argument, 0)));
        let buffer = object.and_then(|object| self.buffers.object(*object)).ok_or(Errno::NOENT)?;
        let memory = buffer.descriptor().map_err(|_| Errno::MFILE)?;
        Ok(Answer { descriptor: Some((memory, 8)), ..Answer::new(argument) })
    }

    /// `DRM_IOCTL_PRIME_FD_TO_HANDLE`: handle, flags, descriptor.
    fn import(&mut self, client: u32, mut argument: Vec<u8>, memory: Option<OwnedFd>) -> Result<Answer, Errno> {
        let object = self.buffers.import(memory.ok_or(Errno::BADF)?, None, MemFlags::CACHEABLE, &self.options)?;
        // A second handle for one buffer does not exist, nor a second reference.
        let known = self.clients.get(&client).and_then(|client| client.handle_of(object));
        let handle = match known {
            Some(handle) => {
                self.buffers.remove_user(object);
                handle
            }
            None => self.clients.get_mut(&client).ok_or(Errno::BADF)?.add(object),
        };
        put(&mut argument, 0, &handle.to_le_bytes());
        Ok(Answer::new(argument))
    }

    /// A client's handle for a buffer, made if there is none.
    fn handle(&mut self, client: u32, object: u64) -> Result<u32, Errno> {
        let client = self.clients.get_mut(&client).ok_or(Errno::BADF)?;
        if let Some(handle) = client.handle_of(object) {
            return Ok(handle);
        }
        self.buffers.add_user(object);
        Ok(client.add(object))
    }

    /// `DMA_HEAP_IOCTL_ALLOC`: length, then the descriptor.
    fn heap_allocate(&mut self, client: u32, argument: Vec<u8>) -> Result<Answer, Errno> {
        let length = argument.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes));
        let result = heap_memory(length, self.options.memory);
        self.tell(client, What::Drm("DMA_HEAP_ALLOC"), result.as_ref().err().copied());
        Ok(Answer { descriptor: Some((result?, 8)), ..Answer::new(argument) })
    }
}

fn heap_memory(length: u64, limit: u64) -> Result<OwnedFd, Errno> {
    if length == 0 || length > limit {
        return Err(Errno::INVAL);
    }
    let memory = rustix::fs::memfd_create("dma-heap", rustix::fs::MemfdFlags::CLOEXEC)?;
    rustix::fs::ftruncate(&memory, length.next_multiple_of(4096))?;
    Ok(memory)
}

/// The driver is shared by the threads that serve its clients.
pub(crate) type Shared = Arc<std::sync::Mutex<FakeDriver>>;
