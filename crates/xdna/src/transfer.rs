//! Transfers of elements, lowered to a buffer descriptor: sizes and strides of an array become steps and wraps of words.
//!
//! The rules are those by which mlir-aie lowers `dma_memcpy_nd` and DMA tasks (lib/Conversion and lib/Dialect/AIEX/Transforms of
//! Xilinx/mlir-aie), so that both make the same words.

use crate::bytes::whole;
use crate::descriptor::{
    Acquire, Bus, Descriptor, DescriptorError, Dimension, Iteration, Next, Packet, Padding, Release,
};
use crate::device::{Address, Direction, Generation, Tile, TileKind};
use crate::txn::Operation;

/// Bits of a word, the unit of every DMA.
const WORD_BITS: u64 = 32;

/// Where the elements are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Buffer {
    /// In a buffer argument; its address is patched in when the stream runs.
    Argument(u32),
    /// In the memory of a tile, at a byte, if that is known.
    Local {
        /// The tile.
        tile: Tile,
        /// First byte.
        address: Option<u32>,
    },
}

/// A dimension of an array: so many elements, so far apart, in elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extent {
    /// Elements.
    pub size: u64,
    /// Distance in elements.
    pub stride: u64,
}

/// A transfer of elements by one descriptor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transfer {
    /// The tile whose DMA moves it.
    pub tile: Tile,
    /// Which way.
    pub direction: Direction,
    /// By which channel.
    pub channel: u8,
    /// In which descriptor.
    pub descriptor: Option<u8>,
    /// Where the elements are.
    pub buffer: Buffer,
    /// Bits of an element, at most 32.
    pub element_bits: u64,
    /// Elements skipped at the start.
    pub offset: u64,
    /// Elements that one execution moves; by default the product of the three innermost sizes.
    pub length: Option<u64>,
    /// Up to four dimensions, outermost first; none for consecutive elements. The fourth becomes the iteration.
    pub extents: Vec<Extent>,
    /// Zeros before and after the innermost dimensions, outermost first.
    pub padding: Vec<Padding>,
    /// Packet id and type.
    pub packet: Option<(u8, u8)>,
    /// Burst length in bytes; by default the longest.
    pub burst: Option<u16>,
    /// Lock to take: number in the tile, value as in [`Acquire`].
    pub acquire: Option<(u8, i8)>,
    /// Lock to give back: number in the tile and value.
    pub release: Option<(u8, i8)>,
    /// Descriptor that follows.
    pub next: Option<u8>,
}

/// Why a transfer cannot be lowered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TransferError {
    /// No descriptor was assigned.
    #[error("the transfer has no buffer descriptor")]
    NoDescriptor,
    /// The tile has no such channel.
    #[error("a {kind} tile has no {direction} channel {channel}")]
    NoChannel {
        /// Kind of tile.
        kind: TileKind,
        /// Direction.
        direction: Direction,
        /// Channel.
        channel: u8,
    },
    /// The array has no such tile.
    #[error("there is no tile {0}")]
    NoTile(Tile),
    /// A burst length where there is no bus.
    #[error("only shim tiles have a burst length, {0} is a {1} tile")]
    BurstTile(Tile, TileKind),
    /// A burst length that the generation has not.
    #[error("{} has no burst length of {burst} bytes, only {:?}", generation.architecture(), generation.bursts())]
    Burst {
        /// Bytes asked for.
        burst: u16,
        /// Generation.
        generation: Generation,
    },
    /// A packet id of more than 5 bits.
    #[error("packet id {0} has more than 5 bits")]
    PacketId(u8),
    /// A packet type of more than 3 bits.
    #[error("packet type {0} has more than 3 bits")]
    PacketKind(u8),
    /// The buffer is in another tile.
    #[error("tile {tile} cannot reach a buffer in {buffer}")]
    Unreachable {
        /// The tile of the DMA.
        tile: Tile,
        /// The tile of the buffer.
        buffer: Tile,
    },
    /// An argument where there is no way to main memory.
    #[error("tile {0} cannot reach main memory, only shim tiles can")]
    NoMainMemory(Tile),
    /// A buffer without an address.
    #[error("the buffer has no address yet")]
    NoAddress,
    /// Zero padding where the hardware has none.
    #[error("only memory tiles can pad, {0} is a {1} tile")]
    PaddingTile(Tile, TileKind),
    /// Zero padding on the way in.
    #[error("zero padding works on MM2S channels only")]
    PaddingDirection,
    /// Zero padding without dimensions.
    #[error("zero padding needs dimensions to pad")]
    PaddingNeedsDimensions,
    /// More padding than dimensions.
    #[error("{padding} dimensions are padded, but there are {dimensions}")]
    PaddingMismatch {
        /// Padded dimensions.
        padding: usize,
        /// Dimensions.
        dimensions: usize,
    },
    /// More dimensions than the hardware walks.
    #[error("at most four dimensions can be walked, {0} are asked for")]
    TooManyDimensions(usize),
    /// No elements.
    #[error("dimension {0} (0 is the innermost) has no elements")]
    NoElements(usize),
    /// A stride of 0 in a dimension other than the outermost of four, which repeats.
    #[error("the stride of dimension {0} (0 is the innermost) is 0; only the outermost of four can repeat")]
    ZeroStride(usize),
    /// A stride that is no whole number of words.
    #[error("the stride of dimension {dimension} (0 is the innermost) is {bits} bits, no multiple of 32")]
    UnalignedStride {
        /// The dimension.
        dimension: usize,
        /// The stride.
        bits: u64,
    },
    /// An innermost dimension that is no whole number of words.
    #[error("the innermost dimension has {0} bits, no multiple of 32")]
    UnalignedSize(u64),
    /// A length that contradicts the dimensions.
    #[error("the length is {length} elements, but the dimensions have {dimensions}")]
    LengthMismatch {
        /// Length given.
        length: u64,
        /// Product of the inner sizes.
        dimensions: u64,
    },
    /// Less than one word, or no whole number of words.
    #[error("{0} bits are no whole number of words")]
    TooSmall(u64),
    /// An offset between words.
    #[error("an offset of {0} bits is no multiple of 32")]
    UnalignedOffset(u64),
    /// Elements of more than a word.
    #[error("elements have {0} bits, at most 32 can be moved")]
    WideElement(u64),
    /// A number that no memory has.
    #[error("the transfer is larger than any memory")]
    TooLarge,
    /// The descriptor cannot hold it.
    #[error(transparent)]
    Descriptor(#[from] DescriptorError),
}

/// A transfer as a descriptor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lowered {
    /// The tile.
    pub tile: Tile,
    /// Its kind.
    pub kind: TileKind,
    /// Number of the descriptor.
    pub id: u8,
    /// The descriptor. Its address is 0 for arguments.
    pub descriptor: Descriptor,
    /// The argument whose address is to be patched in.
    pub argument: Option<u32>,
    /// Bytes from the start of the buffer.
    pub offset: u64,
}

impl Lowered {
    /// The address of the descriptor's first word.
    pub fn address(&self) -> Address {
        let facts = self.kind.facts();
        self.tile.address(facts.descriptor_base + crate::TileFacts::DESCRIPTOR_STRIDE * u32::from(self.id))
    }

    /// The operations that write it: a block write and, for an argument, the patch of its address.
    ///
    /// # Errors
    /// If the descriptor does not fit its words.
    pub fn operations(&self) -> Result<Vec<Operation>, DescriptorError> {
        let address = self.address();
        let mut operations = vec![Operation::BlockWrite { address, data: self.descriptor.encode(self.kind)? }];
        if let Some(argument) = self.argument {
            let address = Address(address.0 + 4);
            operations.push(Operation::PatchAddress { address, argument, offset: self.offset, action: 0 });
        }
        Ok(operations)
    }

    /// The masked write (address, value, mask) that changes only where a memory tile's descriptor points.
    pub fn address_write(&self) -> Option<(Address, u32, u32)> {
        let field = crate::registers::field::memory_tile::dma_bdn_1::BASE_ADDRESS;
        let value = u32::try_from(self.descriptor.address / 4).ok()?;
        (self.kind == TileKind::Memory).then(|| (Address(self.address().0 + 4), value, field.mask()))
    }
}

impl Transfer {
    /// A transfer of consecutive elements.
    pub fn linear(tile: Tile, direction: Direction, channel: u8, buffer: Buffer) -> Self {
        Self {
            tile,
            direction,
            channel,
            descriptor: None,
            buffer,
            element_bits: WORD_BITS,
            offset: 0,
            length: None,
            extents: Vec::new(),
            padding: Vec::new(),
            packet: None,
            burst: None,
            acquire: None,
            release: None,
            next: None,
        }
    }

    /// How often the task of a `dma_memcpy_nd` is executed: once per element of its outermost dimension.
    pub fn executions(&self) -> u64 {
        if self.extents.len() == 4 { self.extents[0].size } else { 1 }
    }

    /// The descriptor for a device of a generation.
    ///
    /// # Errors
    /// If the hardware cannot do it; the error says which limit stands in the way.
    pub fn lower(&self, generation: Generation) -> Result<Lowered, TransferError> {
        let kind = self.tile.kind().ok_or(TransferError::NoTile(self.tile))?;
        let id = self.descriptor.ok_or(TransferError::NoDescriptor)?;
        self.check_channel(kind)?;
        let burst = self.burst_code(kind, generation)?;
        self.check_packet()?;
        let local = self.local_address(kind)?;
        self.check_padding(kind)?;
        if self.element_bits > WORD_BITS {
            return Err(TransferError::WideElement(self.element_bits));
        }
        let (dimensions, iteration) = self.dimensions()?;
        let length = self.words()?;
        let offset_bits = self.offset.checked_mul(self.element_bits).ok_or(TransferError::TooLarge)?;
        if !offset_bits.is_multiple_of(WORD_BITS) {
            return Err(TransferError::UnalignedOffset(offset_bits));
        }
        let offset = offset_bits / 8;
        let own = kind.facts().own_lock;
        let descriptor = Descriptor {
            length,
            // A descriptor counts words; mlir-aie drops the two low bits of a buffer's address as well.
            address: local.map_or(0, |address| whole(address, 0).saturating_add(offset)) & !3,
            dimensions,
            iteration,
            padding: self.padding_by_dimension(),
            packet: self.packet.map_or(Packet::default(), |(id, kind)| Packet { enabled: true, id, kind }),
            acquire: self.acquire.map_or(Acquire::default(), |(lock, value)| Acquire {
                enabled: true,
                lock: lock.saturating_add(own),
                value,
            }),
            release: self
                .release
                .map_or(Release::default(), |(lock, value)| Release { lock: lock.saturating_add(own), value }),
            next: self.next.map_or(Next::default(), |descriptor| Next { enabled: true, descriptor }),
            valid: true,
            bus: if kind == TileKind::Shim { Bus { burst, cache: 2, ..Bus::default() } } else { Bus::default() },
            ..Descriptor::default()
        };
        descriptor.encode(kind)?;
        let argument = match self.buffer {
            Buffer::Argument(argument) => Some(argument),
            Buffer::Local { .. } => None,
        };
        Ok(Lowered { tile: self.tile, kind, id, descriptor, argument, offset })
    }

    fn check_channel(&self, kind: TileKind) -> Result<(), TransferError> {
        let (direction, channel) = (self.direction, self.channel);
        match kind.control_register(direction, channel) {
            Some(_) => Ok(()),
            None => Err(TransferError::NoChannel { kind, direction, channel }),
        }
    }

    fn burst_code(&self, kind: TileKind, generation: Generation) -> Result<u8, TransferError> {
        let bursts = generation.bursts();
        match self.burst {
            None => Ok(bursts.len() as u8 - 1),
            Some(_) if kind != TileKind::Shim => Err(TransferError::BurstTile(self.tile, kind)),
            Some(burst) => match bursts.iter().position(|length| *length == burst) {
                Some(code) => Ok(code as u8),
                None => Err(TransferError::Burst { burst, generation }),
            },
        }
    }

    fn check_packet(&self) -> Result<(), TransferError> {
        match self.packet {
            Some((id, _)) if id > 0x1f => Err(TransferError::PacketId(id)),
            Some((_, kind)) if kind > 7 => Err(TransferError::PacketKind(kind)),
            _ => Ok(()),
        }
    }

    fn local_address(&self, kind: TileKind) -> Result<Option<u32>, TransferError> {
        match self.buffer {
            Buffer::Argument(_) if kind != TileKind::Shim => Err(TransferError::NoMainMemory(self.tile)),
            Buffer::Argument(_) => Ok(None),
            Buffer::Local { tile, .. } if tile != self.tile => {
                Err(TransferError::Unreachable { tile: self.tile, buffer: tile })
            }
            Buffer::Local { address, .. } => address.ok_or(TransferError::NoAddress).map(Some),
        }
    }

    fn check_padding(&self, kind: TileKind) -> Result<(), TransferError> {
        let (padding, dimensions) = (self.padding.len(), self.extents.len());
        match () {
            () if padding == 0 => Ok(()),
            () if kind != TileKind::Memory => Err(TransferError::PaddingTile(self.tile, kind)),
            () if self.direction == Direction::S2mm => Err(TransferError::PaddingDirection),
            () if dimensions == 0 => Err(TransferError::PaddingNeedsDimensions),
            () if padding > dimensions.min(3) => Err(TransferError::PaddingMismatch { padding, dimensions }),
            () => Ok(()),
        }
    }

    fn padding_by_dimension(&self) -> [Padding; 3] {
        let mut padding = [Padding::default(); 3];
        for (place, given) in padding.iter_mut().zip(self.padding.iter().rev()) {
            *place = *given;
        }
        padding
    }

    /// Words of one execution.
    fn words(&self) -> Result<u32, TransferError> {
        let mut inner = self.extents.iter().rev().take(3).map(|extent| extent.size);
        let product = inner.try_fold(1_u64, u64::checked_mul);
        let product = product.ok_or(TransferError::TooLarge)?;
        let length = match self.length {
            Some(length) if !self.extents.is_empty() && length != product => {
                return Err(TransferError::LengthMismatch { length, dimensions: product });
            }
            Some(length) => length,
            None => product,
        };
        let bits = length.checked_mul(self.element_bits).ok_or(TransferError::TooLarge)?;
        if bits == 0 || !bits.is_multiple_of(WORD_BITS) {
            return Err(TransferError::TooSmall(bits));
        }
        u32::try_from(bits / WORD_BITS).map_err(|_| TransferError::TooLarge)
    }

    /// Consecutive elements need no dimensions; then neither wraps nor their limits matter.
    fn is_linear(&self) -> bool {
        match self.extents.split_last() {
            None => true,
            Some((inner, outer)) => inner.stride == 1 && outer.iter().all(|e| *e == Extent { size: 1, stride: 0 }),
        }
    }

    fn dimensions(&self) -> Result<([Dimension; 4], Iteration), TransferError> {
        let count = self.extents.len();
        if count > 4 {
            return Err(TransferError::TooManyDimensions(count));
        }
        let mut dimensions = [Dimension::default(); 4];
        let mut iteration = Iteration::default();
        for (index, extent) in self.extents.iter().rev().enumerate() {
            let step = self.step(index, *extent)?;
            let size = if index == 0 { self.inner_words(extent.size)? } else { extent.size };
            let wrap = u32::try_from(size).map_err(|_| TransferError::TooLarge)?;
            match index {
                3 if extent.size > 1 && extent.stride > 0 => iteration = Iteration { step, wrap, current: 0 },
                3 => {}
                // The outermost dimension ends with the length and needs no wrap (shim and core tiles have none), unless
                // zeros follow it.
                2 if self.padding_by_dimension()[2].after == 0 => dimensions[2].step = step,
                _ => dimensions[index] = Dimension { step, wrap },
            }
        }
        if self.is_linear() {
            dimensions = [Dimension::default(); 4];
        }
        Ok((dimensions, iteration))
    }

    fn inner_words(&self, size: u64) -> Result<u64, TransferError> {
        let bits = size.checked_mul(self.element_bits).ok_or(TransferError::TooLarge)?;
        // What is too small altogether is reported as that.
        if bits.is_multiple_of(WORD_BITS) || bits < WORD_BITS {
            Ok(bits / WORD_BITS)
        } else {
            Err(TransferError::UnalignedSize(bits))
        }
    }

    /// Words from one element of a dimension to the next; 1 where there is no next one.
    fn step(&self, index: usize, extent: Extent) -> Result<u32, TransferError> {
        if extent.size == 0 {
            return Err(TransferError::NoElements(index));
        }
        if extent.size == 1 || (index == 0 && extent.stride == 1) {
            return Ok(1);
        }
        if extent.stride == 0 {
            return if index == 3 { Ok(1) } else { Err(TransferError::ZeroStride(index)) };
        }
        let bits = extent.stride.checked_mul(self.element_bits).ok_or(TransferError::TooLarge)?;
        // Narrow elements that are not neighbours cannot be told apart within their words.
        if !bits.is_multiple_of(WORD_BITS) || (index == 0 && self.element_bits < WORD_BITS) {
            return Err(TransferError::UnalignedStride { dimension: index, bits });
        }
        u32::try_from(bits / WORD_BITS).map_err(|_| TransferError::TooLarge)
    }
}
