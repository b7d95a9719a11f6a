//! Sets of bricks of one layer, asked for by rectangles.

use crate::constants::GRID_BRICKS;
use crate::domain::place_of;

/// A set of bricks of one layer: a row of bits for every row of bricks.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct BrickMap {
    rows: [u16; GRID_BRICKS],
}

/// A rectangle of bricks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BrickRect {
    columns: u16,
    first_row: usize,
    last_row: usize,
}

impl BrickRect {
    /// From the first to the last column and row of bricks, all included.
    #[inline]
    pub fn new([first_column, last_column]: [usize; 2], [first_row, last_row]: [usize; 2]) -> Self {
        let columns = u16::MAX << first_column & u16::MAX >> (GRID_BRICKS - 1 - last_column);
        Self { columns, first_row, last_row }
    }
}

impl BrickMap {
    /// Adds a brick by its number among those of its layer.
    #[inline]
    pub fn insert(&mut self, brick: usize) {
        let (column, row) = place_of(brick);
        self.rows[row] |= 1 << column;
    }

    /// Whether there is a brick at all.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.rows == [0; GRID_BRICKS]
    }

    /// Whether a brick lies in a rectangle.
    #[inline]
    pub fn meets(&self, rect: &BrickRect) -> bool {
        let met = self.rows[rect.first_row..=rect.last_row].iter().fold(0, |met, row| met | row & rect.columns);
        met != 0
    }
}
