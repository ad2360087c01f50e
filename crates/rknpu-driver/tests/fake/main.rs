//! The driver against a fake kernel: this binary runs itself as the kernel's client, with the fake's library preloaded.
//!
//! The client is the test [`client::main`], which does nothing unless a variable tells it its part.

mod client;
mod faults;
mod host;
mod memory;
mod models;
