//! Values of fields at cells, at a level of detail.

use crate::buffer::Cells;
use crate::constants::{BRICK_CELLS, BRICK_LEVEL, BRICK_SIDE, FIRST_DYNAMIC, LAYER_BRICKS, LEAF_DEPTH, STATIC_OUTSIDE};
use crate::domain::{brick_of, cell_in_brick};
use crate::space::FieldSpace;
use crate::summaries::brick_mean;

/// Mean of the aligned block of 1, 2 or 4 cells a side around a cell of a brick.
#[inline(always)]
pub(crate) fn block_mean(cells: &Cells, cell: usize, level: usize) -> f32 {
    let cell = cell % BRICK_CELLS; // which it is already; this way nobody has to check
    match level {
        0 => cells[cell],
        1 => pair_mean(cells, cell & !(BRICK_SIDE + 1)),
        _ => {
            let corner = cell & !(3 * BRICK_SIDE + 3);
            let (a, b) = (pair_mean(cells, corner), pair_mean(cells, corner + 2));
            let (c, d) = (pair_mean(cells, corner + 2 * BRICK_SIDE), pair_mean(cells, corner + 2 * BRICK_SIDE + 2));
            ((a + b) + (c + d)) * 0.25
        }
    }
}

#[inline(always)]
fn pair_mean(cells: &Cells, corner: usize) -> f32 {
    ((cells[corner] + cells[corner + 1]) + (cells[corner + BRICK_SIDE] + cells[corner + BRICK_SIDE + 1])) * 0.25
}

/// A point: the cell it lies in, and where what that reads is kept; beyond the domain it reads as a brick at rest.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Probe {
    is_inside: bool,
    key: u16,
    /// Place of the cell in its brick.
    cell: u8,
    /// Place of the brick in the buffers.
    source: u16,
}

impl FieldSpace {
    #[inline(always)]
    pub(crate) fn probe_cell(&self, layer: usize, column: usize, row: usize) -> Probe {
        let key = brick_of(layer, column, row);
        let (cell, source) = (cell_in_brick(column, row) as u8, self.bricks.source(key) as u16);
        Probe { is_inside: true, key: key as u16, cell, source }
    }

    #[inline(always)]
    pub(crate) fn probe(&self, layer: usize, x: f64, y: f64) -> Probe {
        let [probe] = self.probes(layer, [x], [y], false);
        probe
    }

    /// Several points at once, which is cheaper than one after the other: most of it becomes vector code.
    ///
    /// Those that are known to lie in the domain are not asked whether they do.
    #[inline(always)]
    pub(crate) fn probes<const N: usize>(
        &self,
        layer: usize,
        x: [f64; N],
        y: [f64; N],
        are_inside: bool,
    ) -> [Probe; N] {
        let (mut columns, mut rows) = ([0; N], [0; N]);
        for point in 0..N {
            [columns[point], rows[point]] = self.domain.cell_within(x[point], y[point]);
        }
        let beyond = Probe { is_inside: false, key: 0, cell: 0, source: self.bricks.resting(layer) as u16 };
        let mut probes = [beyond; N];
        for point in 0..N {
            if are_inside || self.domain.contains(x[point], y[point]) {
                probes[point] = self.probe_cell(layer, columns[point], rows[point]);
            }
        }
        probes
    }

    /// A field at a point; from level 4 on, as of the last refresh. Beyond the domain all is occupied, and otherwise as
    /// if nothing had ever happened.
    #[inline(always)]
    pub(crate) fn sample(&self, field: usize, layer: usize, probe: &Probe, level: usize) -> f32 {
        let (key, cell, source) = (usize::from(probe.key), usize::from(probe.cell), usize::from(probe.source));
        if field < FIRST_DYNAMIC {
            return if probe.is_inside {
                self.statics.sample(field, layer, key % LAYER_BRICKS, cell, level)
            } else {
                STATIC_OUTSIDE[field]
            };
        }
        let field = field - FIRST_DYNAMIC;
        if level > BRICK_LEVEL && probe.is_inside {
            let above = level - BRICK_LEVEL;
            return self.summaries.node(LEAF_DEPTH - above, key >> (2 * above))[field].mean;
        }
        let cells = self.bricks.front.cells(source, field);
        if level < BRICK_LEVEL {
            return block_mean(cells, cell, level);
        }
        // Sixty-four times the same value halves back to that value exactly.
        if self.bricks.front.active(source) >> field & 1 == 1 { brick_mean(cells) } else { cells[0] }
    }
}
