//! Where the parts of a descriptor lie in the words of each kind of tile.

use std::fmt;

use super::{Descriptor, DescriptorError};
use crate::device::{TileFacts, TileKind};
use crate::registers::{Field, field};

/// One value of a descriptor. Dimensions are D0 to D3.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Part {
    /// Words moved.
    Length,
    /// The address in words; its lower 30 bits on a shim tile.
    Address,
    /// The upper 16 bits of a shim tile's address.
    AddressHigh,
    /// Step of a dimension, minus one.
    Step(u8),
    /// Wrap of a dimension.
    Wrap(u8),
    /// Zeros before a dimension.
    Before(u8),
    /// Zeros after a dimension.
    After(u8),
    /// Step of the iteration, minus one.
    IterationStep,
    /// Wrap of the iteration, minus one.
    IterationWrap,
    /// Next execution.
    IterationCurrent,
    /// Whether a packet header is sent.
    PacketEnable,
    /// Packet id.
    PacketId,
    /// Packet type.
    PacketKind,
    /// Out-of-order number.
    OutOfOrder,
    /// Whether a lock is taken.
    AcquireEnable,
    /// Which lock is taken.
    AcquireLock,
    /// Value of the lock to take.
    AcquireValue,
    /// Which lock is given back.
    ReleaseLock,
    /// Value of the lock to give back.
    ReleaseValue,
    /// Whether a descriptor follows.
    UseNext,
    /// Which descriptor follows.
    Next,
    /// Validity.
    Valid,
    /// TLAST suppression.
    SuppressTlast,
    /// Compression.
    Compression,
    /// Burst length.
    Burst,
    /// AxCache.
    Cache,
    /// AxQoS.
    Qos,
    /// Stream id.
    Smid,
    /// Secure access.
    Secure,
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self {
            Self::Step(dimension) => return write!(f, "D{dimension} step"),
            Self::Wrap(dimension) => return write!(f, "D{dimension} wrap"),
            Self::Before(dimension) => return write!(f, "zero padding before D{dimension}"),
            Self::After(dimension) => return write!(f, "zero padding after D{dimension}"),
            Self::Length => "length",
            Self::Address => "address",
            Self::AddressHigh => "upper half of the address",
            Self::IterationStep => "iteration step",
            Self::IterationWrap => "iteration wrap",
            Self::IterationCurrent => "current iteration",
            Self::PacketEnable => "packet header",
            Self::PacketId => "packet id",
            Self::PacketKind => "packet type",
            Self::OutOfOrder => "out-of-order number",
            Self::AcquireEnable => "lock to acquire",
            Self::AcquireLock => "number of the lock to acquire",
            Self::AcquireValue => "value of the lock to acquire",
            Self::ReleaseLock => "number of the lock to release",
            Self::ReleaseValue => "value of the lock to release",
            Self::UseNext => "next descriptor",
            Self::Next => "number of the next descriptor",
            Self::Valid => "validity",
            Self::SuppressTlast => "TLAST suppression",
            Self::Compression => "compression",
            Self::Burst => "burst length",
            Self::Cache => "AxCache",
            Self::Qos => "AxQoS",
            Self::Smid => "SMID",
            Self::Secure => "secure access",
        };
        f.write_str(name)
    }
}

impl Part {
    /// All of them.
    pub(super) const ALL: [Self; 39] = [
        Self::Length,
        Self::Address,
        Self::AddressHigh,
        Self::Step(0),
        Self::Step(1),
        Self::Step(2),
        Self::Step(3),
        Self::Wrap(0),
        Self::Wrap(1),
        Self::Wrap(2),
        Self::Wrap(3),
        Self::Before(0),
        Self::Before(1),
        Self::Before(2),
        Self::After(0),
        Self::After(1),
        Self::After(2),
        Self::IterationStep,
        Self::IterationWrap,
        Self::IterationCurrent,
        Self::PacketEnable,
        Self::PacketId,
        Self::PacketKind,
        Self::OutOfOrder,
        Self::AcquireEnable,
        Self::AcquireLock,
        Self::AcquireValue,
        Self::ReleaseLock,
        Self::ReleaseValue,
        Self::UseNext,
        Self::Next,
        Self::Valid,
        Self::SuppressTlast,
        Self::Compression,
        Self::Burst,
        Self::Cache,
        Self::Qos,
        Self::Smid,
        Self::Secure,
    ];

    const fn is_signed(self) -> bool {
        matches!(self, Self::AcquireValue | Self::ReleaseValue)
    }
}

/// Parts and their fields; the place of a field's register tells the word.
type Layout = &'static [(Part, Field)];

const SHIM: Layout = {
    use field::shim::*;
    &[
        (Part::Length, dma_bdn_0::BUFFER_LENGTH),
        (Part::Address, dma_bdn_1::BASE_ADDRESS_LOW),
        (Part::AddressHigh, dma_bdn_2::BASE_ADDRESS_HIGH),
        (Part::PacketKind, dma_bdn_2::PACKET_TYPE),
        (Part::PacketId, dma_bdn_2::PACKET_ID),
        (Part::OutOfOrder, dma_bdn_2::OUT_OF_ORDER_BD_ID),
        (Part::PacketEnable, dma_bdn_2::ENABLE_PACKET),
        (Part::Step(0), dma_bdn_3::D0_STEPSIZE),
        (Part::Wrap(0), dma_bdn_3::D0_WRAP),
        (Part::Secure, dma_bdn_3::SECURE_ACCESS),
        (Part::Step(1), dma_bdn_4::D1_STEPSIZE),
        (Part::Wrap(1), dma_bdn_4::D1_WRAP),
        (Part::Burst, dma_bdn_4::BURST_LENGTH),
        (Part::Step(2), dma_bdn_5::D2_STEPSIZE),
        (Part::Qos, dma_bdn_5::AXQOS),
        (Part::Cache, dma_bdn_5::AXCACHE),
        (Part::Smid, dma_bdn_5::SMID),
        (Part::IterationStep, dma_bdn_6::ITERATION_STEPSIZE),
        (Part::IterationWrap, dma_bdn_6::ITERATION_WRAP),
        (Part::IterationCurrent, dma_bdn_6::ITERATION_CURRENT),
        (Part::AcquireLock, dma_bdn_7::LOCK_ACQ_ID),
        (Part::AcquireValue, dma_bdn_7::LOCK_ACQ_VALUE),
        (Part::AcquireEnable, dma_bdn_7::LOCK_ACQ_ENABLE),
        (Part::ReleaseLock, dma_bdn_7::LOCK_REL_ID),
        (Part::ReleaseValue, dma_bdn_7::LOCK_REL_VALUE),
        (Part::Valid, dma_bdn_7::VALID_BD),
        (Part::UseNext, dma_bdn_7::USE_NEXT_BD),
        (Part::Next, dma_bdn_7::NEXT_BD),
        (Part::SuppressTlast, dma_bdn_7::TLAST_SUPPRESS),
    ]
};

const MEMORY: Layout = {
    use field::memory_tile::*;
    &[
        (Part::Length, dma_bdn_0::BUFFER_LENGTH),
        (Part::OutOfOrder, dma_bdn_0::OUT_OF_ORDER_BD_ID),
        (Part::PacketId, dma_bdn_0::PACKET_ID),
        (Part::PacketKind, dma_bdn_0::PACKET_TYPE),
        (Part::PacketEnable, dma_bdn_0::ENABLE_PACKET),
        (Part::Address, dma_bdn_1::BASE_ADDRESS),
        (Part::UseNext, dma_bdn_1::USE_NEXT_BD),
        (Part::Next, dma_bdn_1::NEXT_BD),
        (Part::Before(0), dma_bdn_1::D0_ZERO_BEFORE),
        (Part::Step(0), dma_bdn_2::D0_STEPSIZE),
        (Part::Wrap(0), dma_bdn_2::D0_WRAP),
        (Part::SuppressTlast, dma_bdn_2::TLAST_SUPPRESS),
        (Part::Step(1), dma_bdn_3::D1_STEPSIZE),
        (Part::Wrap(1), dma_bdn_3::D1_WRAP),
        (Part::Before(1), dma_bdn_3::D1_ZERO_BEFORE),
        (Part::Step(2), dma_bdn_4::D2_STEPSIZE),
        (Part::Wrap(2), dma_bdn_4::D2_WRAP),
        (Part::Before(2), dma_bdn_4::D2_ZERO_BEFORE),
        (Part::Compression, dma_bdn_4::ENABLE_COMPRESSION),
        (Part::Step(3), dma_bdn_5::D3_STEPSIZE),
        (Part::After(0), dma_bdn_5::D0_ZERO_AFTER),
        (Part::After(1), dma_bdn_5::D1_ZERO_AFTER),
        (Part::After(2), dma_bdn_5::D2_ZERO_AFTER),
        (Part::IterationStep, dma_bdn_6::ITERATION_STEPSIZE),
        (Part::IterationWrap, dma_bdn_6::ITERATION_WRAP),
        (Part::IterationCurrent, dma_bdn_6::ITERATION_CURRENT),
        (Part::AcquireLock, dma_bdn_7::LOCK_ACQ_ID),
        (Part::AcquireValue, dma_bdn_7::LOCK_ACQ_VALUE),
        (Part::AcquireEnable, dma_bdn_7::LOCK_ACQ_ENABLE),
        (Part::ReleaseLock, dma_bdn_7::LOCK_REL_ID),
        (Part::ReleaseValue, dma_bdn_7::LOCK_REL_VALUE),
        (Part::Valid, dma_bdn_7::VALID_BD),
    ]
};

const CORE: Layout = {
    use field::memory::*;
    &[
        (Part::Length, dma_bdn_0::BUFFER_LENGTH),
        (Part::Address, dma_bdn_0::BASE_ADDRESS),
        (Part::PacketKind, dma_bdn_1::PACKET_TYPE),
        (Part::PacketId, dma_bdn_1::PACKET_ID),
        (Part::OutOfOrder, dma_bdn_1::OUT_OF_ORDER_BD_ID),
        (Part::PacketEnable, dma_bdn_1::ENABLE_PACKET),
        (Part::Compression, dma_bdn_1::ENABLE_COMPRESSION),
        (Part::Step(0), dma_bdn_2::D0_STEPSIZE),
        (Part::Step(1), dma_bdn_2::D1_STEPSIZE),
        (Part::Step(2), dma_bdn_3::D2_STEPSIZE),
        (Part::Wrap(0), dma_bdn_3::D0_WRAP),
        (Part::Wrap(1), dma_bdn_3::D1_WRAP),
        (Part::IterationStep, dma_bdn_4::ITERATION_STEPSIZE),
        (Part::IterationWrap, dma_bdn_4::ITERATION_WRAP),
        (Part::IterationCurrent, dma_bdn_4::ITERATION_CURRENT),
        (Part::AcquireLock, dma_bdn_5::LOCK_ACQ_ID),
        (Part::AcquireValue, dma_bdn_5::LOCK_ACQ_VALUE),
        (Part::AcquireEnable, dma_bdn_5::LOCK_ACQ_ENABLE),
        (Part::ReleaseLock, dma_bdn_5::LOCK_REL_ID),
        (Part::ReleaseValue, dma_bdn_5::LOCK_REL_VALUE),
        (Part::Valid, dma_bdn_5::VALID_BD),
        (Part::UseNext, dma_bdn_5::USE_NEXT_BD),
        (Part::Next, dma_bdn_5::NEXT_BD),
        (Part::SuppressTlast, dma_bdn_5::TLAST_SUPPRESS),
    ]
};

const fn layout(kind: TileKind) -> Layout {
    match kind {
        TileKind::Shim => SHIM,
        TileKind::Memory => MEMORY,
        TileKind::Core => CORE,
    }
}

fn word_of(facts: &TileFacts, field: &Field) -> usize {
    ((field.offset - facts.descriptor_base) / 4) as usize
}

pub(super) fn decode(kind: TileKind, words: &[u32]) -> Option<Descriptor> {
    let facts = kind.facts();
    let words = words.get(..usize::from(facts.descriptor_words))?;
    let mut descriptor = Descriptor::default();
    let mut named = [0; 8];
    for (part, field) in layout(kind) {
        let word = word_of(facts, field);
        let value = *words.get(word)?;
        named[word] |= field.mask();
        let value = if part.is_signed() { field.get_signed(value) } else { field.get(value).cast_signed() };
        put(&mut descriptor, *part, value);
    }
    for ((reserved, word), named) in descriptor.reserved.iter_mut().zip(words).zip(named) {
        *reserved = word & !named;
    }
    Some(descriptor)
}

pub(super) fn encode(descriptor: &Descriptor, kind: TileKind) -> Result<Vec<u32>, DescriptorError> {
    if !descriptor.address.is_multiple_of(4) {
        return Err(DescriptorError::Unaligned(descriptor.address));
    }
    let facts = kind.facts();
    let mut words = descriptor.reserved[..usize::from(facts.descriptor_words)].to_vec();
    for part in Part::ALL {
        let value = get(descriptor, part, kind)?;
        let Some((_, field)) = layout(kind).iter().find(|entry| entry.0 == part) else {
            if value != 0 {
                return Err(DescriptorError::Unsupported { kind, part, value });
            }
            continue;
        };
        let Some(word) = words.get_mut(word_of(facts, field)) else { continue };
        set(field, part, word, value).map_err(|overflow| DescriptorError::Overflow { kind, part, overflow })?;
    }
    Ok(words)
}

fn set(field: &Field, part: Part, word: &mut u32, value: i64) -> Result<(), crate::registers::FieldOverflow> {
    let overflow = crate::registers::FieldOverflow { field: *field, value, min: 0, max: i64::from(field.max()) };
    if part.is_signed() {
        return field.set_signed(word, i32::try_from(value).map_err(|_| overflow)?);
    }
    field.set(word, u32::try_from(value).map_err(|_| overflow)?)
}

/// A part as its field stores it.
fn get(descriptor: &Descriptor, part: Part, kind: TileKind) -> Result<i64, DescriptorError> {
    let less_one = |value: u32| match value {
        0 => Err(DescriptorError::Zero { part }),
        value => Ok(i64::from(value) - 1),
    };
    let d = descriptor;
    Ok(match part {
        Part::Length => d.length.into(),
        // Only shim tiles have a second half; elsewhere the whole must fit the first.
        Part::Address if kind == TileKind::Shim => (d.address >> 2 & 0x3fff_ffff).cast_signed(),
        Part::Address => (d.address >> 2).cast_signed(),
        Part::AddressHigh if kind == TileKind::Shim => (d.address >> 32).cast_signed(),
        Part::AddressHigh => 0,
        Part::Step(n) => less_one(d.dimensions.get(usize::from(n)).map_or(1, |dimension| dimension.step))?,
        Part::Wrap(n) => d.dimensions.get(usize::from(n)).map_or(0, |dimension| dimension.wrap).into(),
        Part::Before(n) => d.padding.get(usize::from(n)).map_or(0, |padding| padding.before).into(),
        Part::After(n) => d.padding.get(usize::from(n)).map_or(0, |padding| padding.after).into(),
        Part::IterationStep => less_one(d.iteration.step)?,
        Part::IterationWrap => less_one(d.iteration.wrap)?,
        Part::IterationCurrent => d.iteration.current.into(),
        Part::PacketEnable => d.packet.enabled.into(),
        Part::PacketId => d.packet.id.into(),
        Part::PacketKind => d.packet.kind.into(),
        Part::OutOfOrder => d.out_of_order.into(),
        Part::AcquireEnable => d.acquire.enabled.into(),
        Part::AcquireLock => d.acquire.lock.into(),
        Part::AcquireValue => d.acquire.value.into(),
        Part::ReleaseLock => d.release.lock.into(),
        Part::ReleaseValue => d.release.value.into(),
        Part::UseNext => d.next.enabled.into(),
        Part::Next => d.next.descriptor.into(),
        Part::Valid => d.valid.into(),
        Part::SuppressTlast => d.suppress_tlast.into(),
        Part::Compression => d.compression.into(),
        Part::Burst => d.bus.burst.into(),
        Part::Cache => d.bus.cache.into(),
        Part::Qos => d.bus.qos.into(),
        Part::Smid => d.bus.smid.into(),
        Part::Secure => d.bus.secure.into(),
    })
}

/// Puts a part as its field stores it; every field is narrower than what it is put into.
fn put(descriptor: &mut Descriptor, part: Part, value: i32) {
    let d = descriptor;
    let (word, byte, flag) = (value.cast_unsigned(), value as u8, value != 0);
    match part {
        Part::Length => d.length = word,
        Part::Address => d.address |= u64::from(word) << 2,
        Part::AddressHigh => d.address |= u64::from(word) << 32,
        Part::Step(n) => {
            if let Some(dimension) = d.dimensions.get_mut(usize::from(n)) {
                dimension.step = word + 1;
            }
        }
        Part::Wrap(n) => {
            if let Some(dimension) = d.dimensions.get_mut(usize::from(n)) {
                dimension.wrap = word;
            }
        }
        Part::Before(n) => {
            if let Some(padding) = d.padding.get_mut(usize::from(n)) {
                padding.before = byte;
            }
        }
        Part::After(n) => {
            if let Some(padding) = d.padding.get_mut(usize::from(n)) {
                padding.after = byte;
            }
        }
        Part::IterationStep => d.iteration.step = word + 1,
        Part::IterationWrap => d.iteration.wrap = word + 1,
        Part::IterationCurrent => d.iteration.current = byte,
        Part::PacketEnable => d.packet.enabled = flag,
        Part::PacketId => d.packet.id = byte,
        Part::PacketKind => d.packet.kind = byte,
        Part::OutOfOrder => d.out_of_order = byte,
        Part::AcquireEnable => d.acquire.enabled = flag,
        Part::AcquireLock => d.acquire.lock = byte,
        Part::AcquireValue => d.acquire.value = value as i8,
        Part::ReleaseLock => d.release.lock = byte,
        Part::ReleaseValue => d.release.value = value as i8,
        Part::UseNext => d.next.enabled = flag,
        Part::Next => d.next.descriptor = byte,
        Part::Valid => d.valid = flag,
        Part::SuppressTlast => d.suppress_tlast = flag,
        Part::Compression => d.compression = flag,
        Part::Burst => d.bus.burst = byte,
        Part::Cache => d.bus.cache = byte,
        Part::Qos => d.bus.qos = byte,
        Part::Smid => d.bus.smid = byte,
        Part::Secure => d.bus.secure = flag,
    }
}
