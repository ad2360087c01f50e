//! Values between the blocks.

/// Elements in the type of the pipeline.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Values {
    Float(Vec<f32>),
    Int(Vec<i64>),
}

/// A cube in the order pixel, channel.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Cube {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) channels: usize,
    pub(crate) values: Values,
}

impl Cube {
    pub(crate) fn pixels(&self) -> usize {
        self.width * self.height
    }
}

/// 16-byte atoms in the order surface, row, column: what memory holds.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Atoms {
    pub(crate) surfaces: usize,
    pub(crate) height: usize,
    pub(crate) width: usize,
    pub(crate) bytes: Vec<u8>,
}

/// Bytes of an atom.
pub(crate) const ATOM: usize = 16;

impl Atoms {
    pub(crate) fn zeroed(surfaces: usize, height: usize, width: usize) -> Self {
        Self { surfaces, height, width, bytes: vec![0; surfaces * height * width * ATOM] }
    }

    /// The bytes of one row of one surface.
    pub(crate) fn row(&self, surface: usize, y: usize) -> &[u8] {
        let length = self.width * ATOM;
        &self.bytes[(surface * self.height + y) * length..][..length]
    }

    /// One atom by its position in the order of the bytes.
    pub(crate) fn atom(&self, index: usize) -> &[u8] {
        &self.bytes[index * ATOM..][..ATOM]
    }
}
