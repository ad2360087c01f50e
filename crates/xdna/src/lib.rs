//! Facts about AMD XDNA, the NPU of Ryzen AI processors: what its array looks like, and every binary that it, its firmware and its
//! driver take. Facts, not policy: nothing here does I/O, allocates device memory or decides what to run.
//!
//! | module | what it knows |
//! |---|---|
//! | [`device`] | arrays, tiles, memories, locks, channels, stream switches |
//! | [`registers`], [`events`] | registers with their bit fields, hardware events |
//! | [`descriptor`], [`queue`], [`transfer`] | buffer descriptors, tasks, and transfers of elements as descriptors |
//! | [`txn`] | instruction streams: operations, bytes, text, and the listings of aiebu |
//! | [`packet`] | stream packets and control packets |
//! | [`cdo`], [`pdi`], [`xclbin`], [`elf`] | configurations, their image, and the containers; buffer addresses put into control code |
//! | [`trace`] | what trace units send, as text and for Perfetto |
//! | [`ert`], [`ioctl`] | command packets and the structures of the kernel driver |
//! | [`buffers`] | what a compiler tells aiebu about buffers |
//! | [`mod@base64`] | binaries in the text form in which projects keep them |
//! | [`mod@sniff`], [`mod@programs`], [`mod@explain`], [`mod@lint`] | what a file is, its programs, what it says, what is wrong with it |
//!
//! Architecture invariant: every reader keeps what it does not understand. Decoding and encoding gives the same bytes, undefined ones
//! included; what cannot be read that way is refused with the byte where it is wrong. Nothing that a file says makes a reader panic
//! or take memory that the file's size does not justify.
//!
//! # Adding a register or an event
//!
//! `registers.tsv` and `events.tsv` are the lists; everything else follows from them. Add a line, then run `BLESS=1 cargo test -p
//! ferrite-xdna --test tables` twice: the first run rewrites the tables, the second is built with them. The tests refuse fields that
//! overlap and registers that collide.
//!
//! # Adding evidence
//!
//! Cases of `tests/golden/data` come from outside; its README says what kinds there are. Values written out by hand from the published
//! layouts are in the other tests.

mod action;
pub mod base64;
pub mod buffers;
mod bytes;
pub mod cdo;
pub mod descriptor;
pub mod device;
pub mod elf;
mod error;
pub mod ert;
pub mod events;
pub mod explain;
pub mod ioctl;
pub mod lint;
pub mod packet;
pub mod pdi;
pub mod programs;
pub mod queue;
pub mod registers;
pub mod sniff;
pub mod trace;
pub mod transfer;
pub mod txn;
pub mod xclbin;

pub use cdo::Cdo;
pub use descriptor::Descriptor;
pub use device::{Address, DEVICES, Device, Direction, Generation, Tile, TileFacts, TileKind};
pub use elf::Elf;
pub use error::{Error, Result};
pub use explain::{Document, explain};
pub use lint::{Finding, lint};
pub use pdi::Pdi;
pub use programs::programs;
pub use registers::{Field, FieldOverflow, Module, Register};
pub use sniff::{FileKind, sniff};
pub use xclbin::Xclbin;

/// Where the array sees main memory: what is added to a device address that no firmware translates.
pub const DDR_APERTURE: u64 = 0x8000_0000;
