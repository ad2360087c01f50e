//! PDI: the image in which a configuration reaches the firmware.
//!
//! The form that bootgen writes for NPUs: one image, one partition, one CDO. Layouts from
//! src/runtime_src/tools/xclbinutil/aie-pdi-transform/libinclude/load_pdi.h of Xilinx/XRT.

use crate::bytes::{Bytes, to_bytes};
use crate::cdo::{Cdo, checksum};
use crate::error::{Error, Result};

/// First words: they let a boot device find its bus width.
const PREAMBLE: [u32; 4] = [0xdd, 0x1122_3344, 0x5566_7788, 0x99aa_bbcc];

/// Where the parts lie, in words.
const TABLE: usize = 4;
const IMAGE: usize = 0x24;
const PARTITION: usize = 0x34;
const DATA: usize = 0x54;

/// A PDI. Headers are kept as words; their last word, the checksum, is computed when writing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pdi {
    /// Image header table; word numbers in [`table`].
    pub table: [u32; 32],
    /// Image header; word numbers in [`image`].
    pub image: [u32; 16],
    /// Partition header; word numbers in [`partition`]. The lengths are computed when writing a CDO.
    pub partition: [u32; 32],
    /// The partition.
    pub body: Body,
    /// Bytes behind it.
    pub trailing: Vec<u8>,
}

/// What a partition holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Body {
    /// A CDO, whose trailing bytes are the padding of the partition.
    Cdo(Cdo),
    /// A transformed CDO (an option of xclbinutil): a command zone and a data zone, as they are.
    Transformed(Vec<u8>),
}

/// Words of the image header table.
pub mod table {
    /// 0x40000; depends on the release of bootgen.
    pub const VERSION: usize = 0;
    /// Number of images, 1.
    pub const IMAGES: usize = 1;
    /// Where the image header lies, in words.
    pub const IMAGE_ADDRESS: usize = 2;
    /// Number of partitions, 1.
    pub const PARTITIONS: usize = 3;
    /// Where the partition header lies, in words.
    pub const PARTITION_ADDRESS: usize = 4;
    /// Code of the device, 0x14CA8093.
    pub const ID_CODE: usize = 6;
    /// Number of the PDI.
    pub const PDI_ID: usize = 8;
    /// `IDPP`.
    pub const IDENT: usize = 10;
    /// Words of all headers, 0x30.
    pub const HEADER_LENGTH: usize = 12;
    /// Extended code of the device, 1.
    pub const EXTENDED_ID: usize = 17;
}

/// Words of the image header.
pub mod image {
    /// Where the first partition header lies, in words.
    pub const FIRST_PARTITION: usize = 0;
    /// Number of partitions, 1.
    pub const PARTITIONS: usize = 1;
    /// First of the four words of the name.
    pub const NAME: usize = 4;
    /// Id, 0x1C000000.
    pub const ID: usize = 8;
}

/// Words of the partition header.
pub mod partition {
    /// Length in words when encrypted, padding included.
    pub const ENCRYPTED_LENGTH: usize = 0;
    /// Length in words, padding not included.
    pub const LENGTH: usize = 1;
    /// Length in words, padding included.
    pub const TOTAL_LENGTH: usize = 2;
    /// Low word of the load address; all ones for none.
    pub const LOAD_ADDRESS: usize = 6;
    /// Where the data lie, in words.
    pub const DATA_OFFSET: usize = 8;
    /// Attributes, 0x2000006.
    pub const ATTRIBUTES: usize = 9;
    /// Number of sections, 1.
    pub const SECTIONS: usize = 10;
    /// Number of the partition.
    pub const ID: usize = 12;
    /// 0 for a CDO, 1 for a transformed one.
    pub const TRANSFORM: usize = 28;
    /// Words of the command zone of a transformed CDO.
    pub const COMMAND_ZONE: usize = 29;
    /// Check word over the two before.
    pub const TRANSFORM_CHECK: usize = 30;
}

/// The check word of a transformed partition.
pub const fn transform_check(kind: u32, length: u32) -> u32 {
    0x8866 | ((kind & 0xff) << 8 | kind >> 8) | ((length & 0xffff) << 16 | length >> 16)
}

impl Pdi {
    /// The PDI that bootgen (release 2023.2) makes of a configuration with the settings of mlir-aie.
    pub fn of_bootgen(cdo: Cdo) -> Self {
        let mut table = [0; 32];
        table[table::VERSION] = 0x4_0000;
        table[table::IMAGES] = 1;
        table[table::IMAGE_ADDRESS] = IMAGE as u32;
        table[table::PARTITIONS] = 1;
        table[table::PARTITION_ADDRESS] = PARTITION as u32;
        table[table::ID_CODE] = 0x14ca_8093;
        table[table::IDENT] = u32::from_le_bytes(*b"IDPP");
        table[table::IDENT + 1] = 0x0020_1020;
        table[table::HEADER_LENGTH] = 0x30;
        table[table::EXTENDED_ID] = 1;
        let mut image = [0; 16];
        image[image::FIRST_PARTITION] = PARTITION as u32;
        image[image::PARTITIONS] = 1;
        for (word, name) in image[image::NAME..].iter_mut().zip(b"aie_image\0\0\0".chunks_exact(4)) {
            *word = u32::from_le_bytes([name[0], name[1], name[2], name[3]]);
        }
        image[image::ID] = 0x1c00_0000;
        let mut partition = [0; 32];
        partition[partition::LOAD_ADDRESS] = u32::MAX;
        partition[partition::LOAD_ADDRESS + 1] = u32::MAX;
        partition[partition::DATA_OFFSET] = DATA as u32;
        partition[partition::ATTRIBUTES] = 0x0200_0006;
        partition[partition::SECTIONS] = 1;
        let words = cdo.encode().len() / 4;
        let padded = words.next_multiple_of(4);
        partition[partition::LENGTH] = words as u32;
        partition[partition::ENCRYPTED_LENGTH] = padded as u32;
        partition[partition::TOTAL_LENGTH] = padded as u32;
        let cdo = Cdo { trailing: vec![0; 4 * (padded - words)], ..cdo };
        let mut pdi = Self { table, image, partition, body: Body::Cdo(cdo), trailing: Vec::new() };
        pdi.seal();
        pdi
    }

    /// Sets the checksums of the headers.
    pub fn seal(&mut self) {
        self.table[31] = checksum(&self.table[..31]);
        self.image[15] = checksum(&self.image[..15]);
        self.partition[31] = checksum(&self.partition[..31]);
    }

    /// Whether bytes start as a PDI does.
    pub fn is_pdi(bytes: &[u8]) -> bool {
        bytes.starts_with(&to_bytes(&PREAMBLE))
    }

    /// Reads a PDI of the NPU form.
    ///
    /// # Errors
    /// If it is another form, if a checksum is wrong, or if the partition is cut short.
    pub fn decode(bytes: &[u8]) -> Result<Self> {
        Self::decode_at(bytes, 0)
    }

    /// Reads a PDI that starts at a byte of a larger file; errors count from the start of that file.
    ///
    /// # Errors
    /// As [`Pdi::decode`].
    pub fn decode_at(bytes: &[u8], origin: usize) -> Result<Self> {
        let file = Bytes::new(bytes, origin);
        for (index, word) in PREAMBLE.into_iter().enumerate() {
            expect(&file, index, "the first words of the PDI", word, "the bus width pattern")?;
        }
        let table: [u32; 32] = header(&file, TABLE, "image header table of the PDI")?;
        let image: [u32; 16] = header(&file, IMAGE, "image header of the PDI")?;
        let partition: [u32; 32] = header(&file, PARTITION, "partition header of the PDI")?;
        let fixed = [
            (TABLE + table::IMAGES, 1, "the number of images", "1"),
            (TABLE + table::IMAGE_ADDRESS, IMAGE as u32, "the place of the image header", "0x24"),
            (TABLE + table::PARTITIONS, 1, "the number of partitions", "1"),
            (TABLE + table::PARTITION_ADDRESS, PARTITION as u32, "the place of the partition header", "0x34"),
            (TABLE + table::IDENT, u32::from_le_bytes(*b"IDPP"), "the identification of the PDI", "0x50504449"),
            (PARTITION + partition::DATA_OFFSET, DATA as u32, "the place of the partition", "0x54"),
        ];
        for (word, value, what, expected) in fixed {
            expect(&file, word, what, value, expected)?;
        }
        let length = partition[partition::TOTAL_LENGTH] as usize;
        let data = file.part(DATA * 4, length.saturating_mul(4), "the partition of the PDI")?;
        let body = match partition[partition::TRANSFORM] {
            0 => Body::Cdo(Cdo::decode_at(data.as_slice(), data.place(0))?),
            _ => Body::Transformed(data.as_slice().to_vec()),
        };
        let trailing = bytes.get((DATA + length) * 4..).unwrap_or_default().to_vec();
        Ok(Self { table, image, partition, body, trailing })
    }

    /// The PDI as bytes. Checksums are those in the headers; see [`Pdi::seal`].
    pub fn encode(&self) -> Vec<u8> {
        let mut words = PREAMBLE.to_vec();
        words.extend(self.table);
        words.extend(self.image);
        words.extend(self.partition);
        let mut bytes = to_bytes(&words);
        match &self.body {
            Body::Cdo(cdo) => bytes.extend(cdo.encode()),
            Body::Transformed(body) => bytes.extend_from_slice(body),
        }
        bytes.extend_from_slice(&self.trailing);
        bytes
    }

    /// The configuration; `None` if it is transformed.
    pub const fn cdo(&self) -> Option<&Cdo> {
        match &self.body {
            Body::Cdo(cdo) => Some(cdo),
            Body::Transformed(_) => None,
        }
    }

    /// The name of its image.
    pub fn name(&self) -> String {
        let bytes = to_bytes(&self.image[image::NAME..image::NAME + 4]);
        let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
        String::from_utf8_lossy(&bytes[..end]).into_owned()
    }
}

fn expect(file: &Bytes<'_>, word: usize, what: &'static str, value: u32, expected: &'static str) -> Result<()> {
    let found = file.u32(word * 4, what)?;
    if found == value {
        return Ok(());
    }
    Err(Error::Unexpected { offset: file.place(word * 4), what, value: found.into(), expected })
}

/// A header of `N` words, whose last one is its checksum.
fn header<const N: usize>(file: &Bytes<'_>, at: usize, what: &'static str) -> Result<[u32; N]> {
    let mut words = [0; N];
    for (index, word) in words.iter_mut().enumerate() {
        *word = file.u32((at + index) * 4, what)?;
    }
    let computed = checksum(&words[..N - 1]);
    if words[N - 1] == computed {
        return Ok(words);
    }
    Err(Error::Checksum { offset: file.place((at + N - 1) * 4), what, found: words[N - 1], computed })
}
