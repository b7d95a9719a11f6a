//! What a step does to the cells of one field in one brick.

use crate::bricks::Cells;
use crate::constants::BRICK_SIDE;
use crate::statics::Closed;

const PADDED_SIDE: usize = BRICK_SIDE + 2;
const LAST: usize = BRICK_SIDE - 1;

/// A row of cells of one brick.
type Row = [f32; BRICK_SIDE];

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
        let (rows, _) = out.as_chunks_mut::<BRICK_SIDE>();
        for (row, results) in rows.iter_mut().enumerate() {
            let [below, level, above] = [row, row + 1, row + 2].map(|row| &patch.cells[row]);
            let own = window(level, 1);
            let mut around = [window(level, 0), window(level, 2), window(below, 1), window(above, 1)];
            if !IS_OPEN {
                for (values, side) in around.iter_mut().zip(closed.sides) {
                    replace(values, side >> (row * BRICK_SIDE), &own);
                }
            }
            let [west, east, south, north] = &around;
            for lane in 0..BRICK_SIDE {
                results[lane] = self.next::<DRIFTS>(own[lane], [west[lane], east[lane], south[lane], north[lane]]);
            }
            if !IS_OPEN {
                replace(results, closed.own >> (row * BRICK_SIDE), &[self.default; BRICK_SIDE]);
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
        if capped < self.low { self.low } else { capped }
    }
}

/// A row of the patch as seen by the cells of a brick, from this column on.
#[inline(always)]
fn window(row: &[f32; PADDED_SIDE], first: usize) -> Row {
    std::array::from_fn(|lane| row[first + lane])
}

/// Puts other values where the lowest bits are set; without branches, so that it becomes vector code.
#[inline(always)]
fn replace(values: &mut Row, bits: u64, others: &Row) {
    let masks: [u32; BRICK_SIDE] = std::array::from_fn(|lane| if bits as u32 & 1 << lane == 0 { 0 } else { u32::MAX });
    for ((value, other), mask) in values.iter_mut().zip(others).zip(masks) {
        *value = f32::from_bits(value.to_bits() & !mask | other.to_bits() & mask);
    }
}

#[inline(always)]
fn upwind(courant: f32, behind: f32, own: f32, ahead: f32) -> f32 {
    if courant >= 0.0 { courant * (own - behind) } else { courant * (ahead - own) }
}
