//! Messages between the shim and the host; `shim/shim.c` is the other side.

use std::io::{IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::io::{Errno, retry_on_intr};
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage, SendFlags,
    recvmsg, sendmsg,
};

use crate::drm::Answer;

/// Bytes of a payload at most.
const PAYLOAD: usize = 4096;
/// Kind, code, two numbers.
const REQUEST_HEADER: usize = 24;

/// What a client asks.
#[derive(Debug)]
pub(crate) struct Message {
    pub(crate) kind: u32,
    pub(crate) code: u32,
    pub(crate) first: u64,
    pub(crate) second: u64,
    pub(crate) payload: Vec<u8>,
    pub(crate) descriptor: Option<OwnedFd>,
}

/// Kinds of message.
pub(crate) mod kind {
    pub(crate) const OPEN: u32 = 1;
    pub(crate) const CONTROL: u32 = 2;
    pub(crate) const MAP: u32 = 3;
    pub(crate) const UNMAP: u32 = 4;
}

/// Waits for a message; `None` when the client is gone or talks nonsense.
pub(crate) fn receive(socket: impl AsFd) -> Option<Message> {
    let mut bytes = [0; REQUEST_HEADER + PAYLOAD];
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    let received =
        retry_on_intr(|| recvmsg(&socket, &mut [IoSliceMut::new(&mut bytes)], &mut control, RecvFlags::CMSG_CLOEXEC));
    let count = received.ok()?.bytes;
    let mut descriptor = None;
    for message in control.drain() {
        if let RecvAncillaryMessage::ScmRights(list) = message {
            descriptor = list.last().or(descriptor);
        }
    }
    let message = bytes.get(..count)?;
    let (header, payload) = message.split_at_checked(REQUEST_HEADER)?;
    let word = |at: usize| u32::from_le_bytes(std::array::from_fn(|k| header[at + k]));
    let long = |at: usize| u64::from(word(at)) | u64::from(word(at + 4)) << 32;
    let payload = payload.to_vec();
    Some(Message { kind: word(0), code: word(4), first: long(8), second: long(16), payload, descriptor })
}

/// Answers a message.
pub(crate) fn answer(socket: impl AsFd, result: Result<Answer, Errno>) -> Result<(), Errno> {
    let (code, answer) = match result {
        Ok(answer) => (0_i32, answer),
        Err(error) => (-error.raw_os_error(), Answer::default()),
    };
    let place = answer.descriptor.as_ref().map_or(0, |(_, place)| *place as u64);
    let mut bytes = Vec::with_capacity(16 + answer.argument.len() + answer.extra.len());
    bytes.extend(code.to_le_bytes());
    bytes.extend(u32::try_from(answer.argument.len()).unwrap_or(0).to_le_bytes());
    bytes.extend(if answer.token != 0 { answer.token } else { place }.to_le_bytes());
    bytes.extend(&answer.argument);
    bytes.extend(&answer.extra);
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut control = SendAncillaryBuffer::new(&mut space);
    let passed: Vec<BorrowedFd<'_>> = answer.descriptor.iter().map(|(descriptor, _)| descriptor.as_fd()).collect();
    if !passed.is_empty() {
        control.push(SendAncillaryMessage::ScmRights(&passed));
    }
    retry_on_intr(|| sendmsg(&socket, &[IoSlice::new(&bytes)], &mut control, SendFlags::NOSIGNAL)).map(|_| ())
}
