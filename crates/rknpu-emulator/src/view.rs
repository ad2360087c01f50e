//! Cubes of 16-byte atoms: as they lie in memory, and as they are made.

use std::borrow::Cow;

use crate::error::Error;
use crate::task::Task;

/// Bytes of an atom.
pub(crate) const ATOM: usize = 16;

/// How a reader walks a cube.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Walk {
    /// The register with the address, for messages.
    pub(crate) register: u16,
    /// Address of the first atom.
    pub(crate) base: i64,
    pub(crate) surfaces: usize,
    pub(crate) height: usize,
    /// Bytes of a row that count.
    pub(crate) row: usize,
    /// Bytes from one row to the next, and from one surface to the next.
    pub(crate) line: i64,
    pub(crate) surface: i64,
}

/// The bytes a reader delivers: memory itself where the whole range lies in one buffer, else a copy row by row.
#[derive(Debug, Clone)]
pub(crate) struct View<'a> {
    bytes: Cow<'a, [u8]>,
    /// Where the first atom is in `bytes`.
    origin: i64,
    pub(crate) surfaces: usize,
    pub(crate) height: usize,
    row: usize,
    line: i64,
    surface: i64,
}

impl<'a> View<'a> {
    /// # Errors
    /// When a row is not in memory.
    pub(crate) fn read(task: &'a Task<'_, '_>, walk: Walk) -> Result<Self, Error> {
        let Walk { register, base, surfaces, height, row, line, surface } = walk;
        if surfaces == 0 || height == 0 || row == 0 {
            return Ok(Self::packed(Vec::new(), 0, 0, 0));
        }
        let reach = |count: usize, stride: i64| stride.saturating_mul(count as i64 - 1);
        let (down, across) = (reach(height, line), reach(surfaces, surface));
        let first = base.saturating_add(down.min(0)).saturating_add(across.min(0));
        let end = base.saturating_add(down.max(0)).saturating_add(across.max(0)).saturating_add(row as i64);
        if let Ok(bytes) = task.read(register, first, (end - first) as usize) {
            return Ok(Self {
                bytes: Cow::Borrowed(bytes),
                origin: base - first,
                surfaces,
                height,
                row,
                line,
                surface,
            });
        }
        // The range as a whole has gaps that are no memory, or that nobody flushed; only the rows themselves count.
        let mut bytes = Vec::with_capacity(surfaces * height * row);
        for index in 0..surfaces as i64 {
            for y in 0..height as i64 {
                bytes.extend_from_slice(task.read(register, base + index * surface + y * line, row)?);
            }
        }
        Ok(Self::packed(bytes, surfaces, height, row))
    }

    /// A cube without gaps.
    pub(crate) fn packed(bytes: Vec<u8>, surfaces: usize, height: usize, row: usize) -> Self {
        let (line, surface) = (row as i64, (height * row) as i64);
        View { bytes: Cow::Owned(bytes), origin: 0, surfaces, height, row, line, surface }
    }

    /// Atoms of a row.
    pub(crate) fn width(&self) -> usize {
        self.row / ATOM
    }

    /// One row; all of its bytes lie in the view by construction.
    #[inline(always)]
    pub(crate) fn row(&self, surface: usize, y: usize) -> &[u8] {
        let at = self.origin + surface as i64 * self.surface + y as i64 * self.line;
        &self.bytes[at as usize..][..self.row]
    }

    /// Pixels `first..first + count` of a surface, counted through its rows; `room` is used where rows are not contiguous.
    #[inline(always)]
    pub(crate) fn pixels<'b>(&'b self, surface: usize, first: usize, count: usize, room: &'b mut Vec<u8>) -> &'b [u8] {
        if self.line == self.row as i64 || self.height == 1 {
            let at = self.origin + surface as i64 * self.surface;
            return &self.bytes[at as usize + first * ATOM..][..count * ATOM];
        }
        room.clear();
        let width = self.width();
        let (mut y, mut x) = (first / width, first % width);
        while room.len() < count * ATOM {
            let wanted = (count * ATOM - room.len()).min((width - x) * ATOM);
            room.extend_from_slice(&self.row(surface, y)[x * ATOM..][..wanted]);
            (x, y) = (0, y + 1);
        }
        room
    }

    /// All atoms in the order surface, row, column.
    pub(crate) fn to_atoms(&self) -> Atoms {
        let (surfaces, height, width) = (self.surfaces, self.height, self.width());
        let mut bytes = Vec::with_capacity(surfaces * height * self.row);
        let mut room = Vec::new();
        for surface in 0..surfaces {
            bytes.extend_from_slice(self.pixels(surface, 0, width * height, &mut room));
        }
        Atoms { surfaces, height, width, bytes }
    }
}

/// Surfaces that one reader delivers, or two in turn.
#[derive(Debug, Clone)]
pub(crate) struct Surfaces<'a> {
    pub(crate) even: View<'a>,
    pub(crate) odd: Option<View<'a>>,
}

impl<'a> From<View<'a>> for Surfaces<'a> {
    fn from(even: View<'a>) -> Self {
        Self { even, odd: None }
    }
}

impl Surfaces<'_> {
    pub(crate) fn count(&self) -> usize {
        self.even.surfaces + self.odd.as_ref().map_or(0, |odd| odd.surfaces)
    }

    pub(crate) fn size(&self) -> (usize, usize) {
        (self.even.width(), self.even.height)
    }

    /// See [`View::pixels`].
    #[inline(always)]
    pub(crate) fn pixels<'b>(&'b self, surface: usize, first: usize, count: usize, room: &'b mut Vec<u8>) -> &'b [u8] {
        match &self.odd {
            None => self.even.pixels(surface, first, count, room),
            Some(odd) => {
                let view = if surface.is_multiple_of(2) { &self.even } else { odd };
                view.pixels(surface / 2, first, count, room)
            }
        }
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

impl Atoms {
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
