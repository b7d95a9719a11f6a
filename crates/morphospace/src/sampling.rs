//! Values of fields at cells, at a level of detail.

use crate::bricks::Cells;
use crate::constants::{BRICK_LEVEL, BRICK_SIDE, FIRST_DYNAMIC, LAYER_BRICKS, LEAF_DEPTH, STATIC_OUTSIDE};
use crate::domain::brick_of;
use crate::space::FieldSpace;
use crate::summaries::brick_mean;

/// Mean of the aligned block of 1, 2 or 4 cells a side around a cell.
#[inline(always)]
pub(crate) fn block_mean(cells: &Cells, column: usize, row: usize, level: usize) -> f32 {
    let (column, row) = (column % BRICK_SIDE, row % BRICK_SIDE);
    match level {
        0 => cells[row * BRICK_SIDE + column],
        1 => pair_mean(cells, column & !1, row & !1),
        _ => {
            let (west, south) = (column & !3, row & !3);
            let (a, b) = (pair_mean(cells, west, south), pair_mean(cells, west + 2, south));
            let (c, d) = (pair_mean(cells, west, south + 2), pair_mean(cells, west + 2, south + 2));
            ((a + b) + (c + d)) * 0.25
        }
    }
}

#[inline]
fn pair_mean(cells: &Cells, west: usize, south: usize) -> f32 {
    let corner = south * BRICK_SIDE + west;
    ((cells[corner] + cells[corner + 1]) + (cells[corner + BRICK_SIDE] + cells[corner + BRICK_SIDE + 1])) * 0.25
}

/// A cell, and where its brick lies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Probe {
    column: usize,
    row: usize,
    key: usize,
    slot: Option<usize>,
}

impl Probe {
    /// Number of the brick among those of its layer.
    #[inline]
    pub(crate) const fn brick(&self) -> usize {
        self.key % LAYER_BRICKS
    }
}

impl FieldSpace {
    #[inline(always)]
    pub(crate) fn probe_cell(&self, layer: usize, column: usize, row: usize) -> Probe {
        let key = brick_of(layer, column, row);
        Probe { column, row, key, slot: self.bricks.slot(key) }
    }

    /// The cell at a point, unless it lies beyond the domain.
    #[inline(always)]
    pub(crate) fn probe(&self, layer: usize, x: f64, y: f64) -> Option<Probe> {
        if self.domain.contains(x, y) {
            Some(self.probe_cell(layer, self.domain.column(x), self.domain.row(y)))
        } else {
            None
        }
    }

    /// A field at a cell; from level 4 on, as of the last refresh.
    #[inline(always)]
    pub(crate) fn sample(&self, field: usize, layer: usize, probe: &Probe, level: usize) -> f32 {
        let &Probe { column, row, key, slot } = probe;
        if field < FIRST_DYNAMIC {
            return self.statics.sample(field, layer, column, row, level);
        }
        let field = field - FIRST_DYNAMIC;
        if level > BRICK_LEVEL {
            let above = level - BRICK_LEVEL;
            return self.summaries.node(LEAF_DEPTH - above, key >> (2 * above))[field].mean;
        }
        match slot {
            Some(slot) if self.bricks.front.active[slot] >> field & 1 == 1 => {
                let cells = &self.bricks.front.cells[slot][field];
                if level == BRICK_LEVEL { brick_mean(cells) } else { block_mean(cells, column, row, level) }
            }
            _ => self.bricks.defaults(layer)[field],
        }
    }

    /// Bits of the dynamic fields that differ from their default somewhere in the brick of a cell.
    #[inline]
    pub(crate) fn active_fields(&self, probe: &Probe) -> u8 {
        probe.slot.map_or(0, |slot| self.bricks.front.active[slot])
    }

    /// A field at a cell, or what it reads beyond the domain: occupied, and otherwise as if nothing had ever happened.
    #[inline(always)]
    pub(crate) fn sample_or_outside(&self, field: usize, layer: usize, probe: Option<&Probe>, level: usize) -> f32 {
        match probe {
            Some(probe) => self.sample(field, layer, probe, level),
            None if field < FIRST_DYNAMIC => STATIC_OUTSIDE[field],
            None => self.bricks.defaults(layer)[field - FIRST_DYNAMIC],
        }
    }
}
