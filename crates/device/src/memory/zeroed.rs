//! Bytes that are zero until someone writes them.

use std::ops::{Deref, DerefMut};

use memmap2::MmapMut;

use crate::Error;

/// A fixed number of bytes, zero at first. They come from the system as pages that take neither time nor memory before they
/// are touched: a buffer of activations is larger than what a run writes to it, and there are two views of each.
#[derive(Debug)]
pub(super) struct Zeroed(MmapMut);

impl Zeroed {
    pub(super) fn new(bytes: usize) -> Result<Self, Error> {
        let map = MmapMut::map_anon(bytes).map_err(|error| Error::io("allocating memory", error))?;
        // Larger pages are faster to touch; a system without them is no reason to fail.
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage);
        Ok(Self(map))
    }
}

impl Deref for Zeroed {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl DerefMut for Zeroed {
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.0
    }
}
