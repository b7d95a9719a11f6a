//! What a step does to the cells of one field in one brick.

use crate::bricks::Cells;
use crate::constants::BRICK_SIDE;
use crate::statics::Closed;

const PADDED_SIDE: usize = BRICK_SIDE + 2;
const LAST: usize = BRICK_SIDE - 1;

/// One field in one brick, with a rim of the cells around it.
pub(crate) struct Patch {
    cells: [[f32; PADDED_SIDE]; PADDED_SIDE],
}

impl Patch {
    /// Puts a brick together with what lies west, east, south and north of it; absent bricks are at their default.
    #[inline]
    pub fn around(own: &Cells, [west, east, south, north]: [Option<&Cells>; 4], default: f32) -> Self {
        let mut cells = [[default; PADDED_SIDE]; PADDED_SIDE];
        for (row, values) in own.chunks_exact(BRICK_SIDE).enumerate() {
            cells[row + 1][1..=BRICK_SIDE].copy_from_slice(values);
        }
        if let Some(west) = west {
            for row in 0..BRICK_SIDE {
                cells[row + 1][0] = west[row * BRICK_SIDE + LAST];
            }
        }
        if let Some(east) = east {
            for row in 0..BRICK_SIDE {
                cells[row + 1][PADDED_SIDE - 1] = east[row * BRICK_SIDE];
            }
        }
        if let Some(south) = south {
            cells[0][1..=BRICK_SIDE].copy_from_slice(&south[LAST * BRICK_SIDE..]);
        }
        if let Some(north) = north {
            cells[PADDED_SIDE - 1][1..=BRICK_SIDE].copy_from_slice(&north[..BRICK_SIDE]);
        }
        Self { cells }
    }
}

/// The numbers of a step for one field in one layer.
pub(crate) struct Stencil {
    pub alpha: f32,
    pub courant: [f32; 2],
    pub keep: f32,
    pub default: f32,
    pub low: f32,
    pub high: f32,
}

impl Stencil {
    /// Computes a brick; where everything flows there is nothing to ask per cell, and the loop becomes vector code.
    #[inline]
    pub fn apply(&self, patch: &Patch, closed: &Closed, drifts: bool, out: &mut Cells) {
        let is_open = closed.own == 0 && closed.sides == [0; 4];
        match (drifts, is_open) {
            (false, true) => self.compute::<false, true>(patch, closed, out),
            (false, false) => self.compute::<false, false>(patch, closed, out),
            (true, true) => self.compute::<true, true>(patch, closed, out),
            (true, false) => self.compute::<true, false>(patch, closed, out),
        }
    }

    #[inline(always)]
    fn compute<const DRIFTS: bool, const IS_OPEN: bool>(&self, patch: &Patch, closed: &Closed, out: &mut Cells) {
        for (row, results) in out.chunks_exact_mut(BRICK_SIDE).enumerate() {
            let [below, level, above] = [row, row + 1, row + 2].map(|row| &patch.cells[row]);
            for (column, result) in results.iter_mut().enumerate() {
                let own = level[column + 1];
                let mut around = [level[column], level[column + 2], below[column + 1], above[column + 1]];
                if IS_OPEN {
                    *result = self.next::<DRIFTS>(own, around);
                    continue;
                }
                let cell = row * BRICK_SIDE + column;
                for (value, side) in around.iter_mut().zip(closed.sides) {
                    *value = if side >> cell & 1 == 1 { own } else { *value };
                }
                let next = self.next::<DRIFTS>(own, around);
                *result = if closed.own >> cell & 1 == 1 { self.default } else { next };
            }
        }
    }

    #[inline(always)]
    fn next<const DRIFTS: bool>(&self, own: f32, [west, east, south, north]: [f32; 4]) -> f32 {
        let mut moved = own + self.alpha * (((west + east) + (south + north)) - 4.0 * own);
        if DRIFTS {
            moved -= upwind(self.courant[0], west, own, east);
            moved -= upwind(self.courant[1], south, own, north);
        }
        let faded = self.default + (moved - self.default) * self.keep;
        let capped = if faded > self.high { self.high } else { faded };
        if faded < self.low { self.low } else { capped }
    }
}

#[inline(always)]
fn upwind(courant: f32, behind: f32, own: f32, ahead: f32) -> f32 {
    if courant >= 0.0 { courant * (own - behind) } else { courant * (ahead - own) }
}
