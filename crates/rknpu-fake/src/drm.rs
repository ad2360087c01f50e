//! The requests of DRM itself that clients of the driver make.

use std::os::fd::OwnedFd;

/// DRM requests by number, under type `'d'`.
pub(crate) mod number {
    pub(crate) const VERSION: u8 = 0x00;
    pub(crate) const GET_UNIQUE: u8 = 0x01;
    pub(crate) const GET_MAGIC: u8 = 0x02;
    pub(crate) const SET_VERSION: u8 = 0x07;
    pub(crate) const GEM_CLOSE: u8 = 0x09;
    pub(crate) const GEM_FLINK: u8 = 0x0a;
    pub(crate) const GEM_OPEN: u8 = 0x0b;
    pub(crate) const GET_CAP: u8 = 0x0c;
    pub(crate) const AUTH_MAGIC: u8 = 0x11;
    pub(crate) const SET_MASTER: u8 = 0x1e;
    pub(crate) const DROP_MASTER: u8 = 0x1f;
    pub(crate) const PRIME_HANDLE_TO_FD: u8 = 0x2d;
    pub(crate) const PRIME_FD_TO_HANDLE: u8 = 0x2e;
}

/// The name by which clients recognise the driver.
const NAME: &str = "rknpu";
const DATE: &str = "20240828";
const DESCRIPTION: &str = "RKNPU driver";
/// The bus name of the RK3588's NPU.
const UNIQUE: &str = "fdab0000.npu";

/// The answer to a request.
#[derive(Debug, Default)]
pub(crate) struct Answer {
    /// The argument as the client gets it back.
    pub(crate) argument: Vec<u8>,
    /// Texts for the pointers in the argument, one after the other.
    pub(crate) extra: Vec<u8>,
    /// A file descriptor, and where in the argument its number goes.
    pub(crate) descriptor: Option<(OwnedFd, usize)>,
    /// Names a mapping.
    pub(crate) token: u64,
}

impl Answer {
    pub(crate) fn new(argument: Vec<u8>) -> Self {
        Self { argument, ..Self::default() }
    }
}

pub(crate) fn word(argument: &[u8], at: usize) -> u32 {
    argument.get(at..).and_then(<[u8]>::first_chunk).map_or(0, |bytes| u32::from_le_bytes(*bytes))
}

pub(crate) fn put(argument: &mut [u8], at: usize, bytes: &[u8]) {
    if let Some(place) = argument.get_mut(at..at + bytes.len()) {
        place.copy_from_slice(bytes);
    }
}

/// `DRM_IOCTL_VERSION`: three numbers, then (length, pointer) of name, date and description.
pub(crate) fn version(mut argument: Vec<u8>, (major, minor, patch): (u32, u32, u32)) -> Answer {
    for (at, number) in [(0, major), (4, minor), (8, patch)] {
        put(&mut argument, at, &number.to_le_bytes());
    }
    let texts = [(16, NAME), (32, DATE), (48, DESCRIPTION)];
    for (at, text) in texts {
        put(&mut argument, at, &(text.len() as u64).to_le_bytes());
    }
    let extra = texts.iter().flat_map(|(_, text)| text.bytes()).collect();
    Answer { extra, ..Answer::new(argument) }
}

/// `DRM_IOCTL_GET_UNIQUE`: (length, pointer).
pub(crate) fn unique(mut argument: Vec<u8>) -> Answer {
    put(&mut argument, 0, &(UNIQUE.len() as u64).to_le_bytes());
    Answer { extra: UNIQUE.into(), ..Answer::new(argument) }
}
