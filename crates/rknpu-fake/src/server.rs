//! The host process's end of the socket.

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::net::{AddressFamily, SocketAddrUnix, SocketFlags, SocketType, accept_with, bind, listen, socket_with};

use crate::FakeDriver;
use crate::driver::Shared;
use crate::wire::{answer, kind, receive};

/// Serves a driver to clients that have the shim preloaded.
#[derive(Debug)]
pub struct Server {
    driver: Shared,
    path: PathBuf,
    stop: Arc<AtomicBool>,
    listener: Option<JoinHandle<Vec<JoinHandle<()>>>>,
    /// Holds the socket's name; removed at the end.
    _folder: tempfile::TempDir,
}

impl Server {
    /// Starts serving on a socket in a fresh folder.
    ///
    /// # Errors
    /// When the socket cannot be made.
    pub fn start(driver: FakeDriver) -> io::Result<Self> {
        let folder = tempfile::Builder::new().prefix("rknpu-fake").tempdir()?;
        let path = folder.path().join("socket");
        let socket = socket_with(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None)?;
        bind(&socket, &SocketAddrUnix::new(&path)?)?;
        listen(&socket, 16)?;
        let driver: Shared = Arc::new(Mutex::new(driver));
        let stop = Arc::new(AtomicBool::new(false));
        let listener = {
            let (driver, stop) = (Arc::clone(&driver), Arc::clone(&stop));
            std::thread::spawn(move || accept_all(&socket, &driver, &stop))
        };
        Ok(Self { driver, path, stop, listener: Some(listener), _folder: folder })
    }

    /// The variables that a client needs in its environment.
    pub fn environment(&self, shim: &Path) -> [(&'static str, PathBuf); 2] {
        [("LD_PRELOAD", shim.to_owned()), ("FERRITE_RKNPU_SOCKET", self.path.clone())]
    }

    /// The driver, between requests.
    pub fn driver(&self) -> MutexGuard<'_, FakeDriver> {
        lock(&self.driver)
    }

    /// Waits for the clients that are connected to close the device, and ends. Call it when they have exited.
    pub fn finish(mut self) -> FinishedDriver {
        self.stop_listening();
        FinishedDriver(Arc::clone(&self.driver))
    }

    fn stop_listening(&mut self) {
        self.stop.store(true, Ordering::Release);
        let Some(listener) = self.listener.take() else { return };
        // A thread that panicked has nothing left to serve.
        for client in listener.join().unwrap_or_default() {
            let _ = client.join();
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Without joining: a client that still runs would hold up whoever drops this.
        self.stop.store(true, Ordering::Release);
    }
}

/// The driver after its last client.
#[derive(Debug)]
pub struct FinishedDriver(Shared);

impl FinishedDriver {
    /// See [`FakeDriver::leaks`].
    pub fn leaks(&self) -> crate::Leaks {
        lock(&self.0).leaks()
    }

    /// See [`FakeDriver::submissions`].
    pub fn submissions(&self) -> u32 {
        lock(&self.0).submissions()
    }

    /// See [`FakeDriver::failure`].
    pub fn failure(&self) -> Option<crate::JobError> {
        lock(&self.0).failure().cloned()
    }

    /// Buffers that are still allocated, whoever holds them.
    pub fn buffers(&self) -> usize {
        lock(&self.0).buffers().iter().count()
    }
}

fn lock(driver: &Mutex<FakeDriver>) -> MutexGuard<'_, FakeDriver> {
    driver.lock().unwrap_or_else(PoisonError::into_inner)
}

fn accept_all(socket: &OwnedFd, driver: &Shared, stop: &AtomicBool) -> Vec<JoinHandle<()>> {
    let mut clients = Vec::new();
    let wait = Timespec { tv_sec: 0, tv_nsec: 20_000_000 };
    loop {
        let mut ready = [PollFd::new(socket, PollFlags::IN)];
        let waiting = poll(&mut ready, Some(&wait)).unwrap_or(0) > 0;
        if waiting && let Ok(client) = accept_with(socket, SocketFlags::CLOEXEC) {
            let driver = Arc::clone(driver);
            clients.push(std::thread::spawn(move || serve(&client, &driver)));
        } else if stop.load(Ordering::Acquire) {
            return clients;
        }
    }
}

/// Answers one client until it closes the device.
fn serve(socket: &OwnedFd, driver: &Shared) {
    let mut client = None;
    while let Some(message) = receive(socket.as_fd()) {
        let mut driver = lock(driver);
        let result = match (client, message.kind) {
            (None, kind::OPEN) => driver.open(&String::from_utf8_lossy(&message.payload)).map(|number| {
                client = Some(number);
                crate::drm::Answer::default()
            }),
            (Some(client), kind::CONTROL) => driver.control(client, message.code, message.payload, message.descriptor),
            (Some(client), kind::MAP) => driver.map(client, message.first, message.second),
            (Some(client), kind::UNMAP) => driver.unmap(client, message.first),
            _ => Err(Errno::PROTO),
        };
        if answer(socket.as_fd(), result).is_err() {
            break;
        }
    }
    if let Some(client) = client {
        lock(driver).close(client);
    }
}
