//! What a step does to the cells of one field in one brick.

use crate::buffer::Cells;
use crate::constants::BRICK_SIDE;
use crate::statics::Closed;

const LAST: usize = BRICK_SIDE - 1;
/// Where the cells of a brick begin in a row of a patch, so that they lie as vectors do.
const FIRST: usize = 4;
const PATCH_WIDTH: usize = 16;
const PATCH_ROWS: usize = BRICK_SIDE + 2;

/// A row of cells of one brick.
type Row = [f32; BRICK_SIDE];

/// One field in one brick, with a rim of the cells around it.
pub(crate) struct Patch {
    rows: [[f32; PATCH_WIDTH]; PATCH_ROWS],
}

impl Patch {
    /// Puts a brick together with what lies west, east, south and north of it.
    #[inline(always)]
    pub fn around(own: &Cells, beside: [&Cells; 4]) -> Self {
        let [own, west, east, south, north] =
            [own, beside[0], beside[1], beside[2], beside[3]].map(|cells| cells.as_chunks::<BRICK_SIDE>().0);
        let mut patch = Self { rows: [[0.0; PATCH_WIDTH]; PATCH_ROWS] };
        *lanes_mut(&mut patch.rows[0]) = south[LAST];
        *lanes_mut(&mut patch.rows[PATCH_ROWS - 1]) = north[0];
        for (place, row) in patch.rows[1..=BRICK_SIDE].iter_mut().enumerate() {
            row[FIRST - 1] = west[place][LAST];
            *lanes_mut(row) = own[place];
            row[FIRST + BRICK_SIDE] = east[place][0];
        }
        patch
    }
}

/// The numbers of a step for one field in one layer.
pub(crate) struct Stencil {
    pub alpha: f32,
    /// How far the field drifts, if it does.
    pub courant: Option<[f32; 2]>,
    pub keep: f32,
    pub default: f32,
    pub low: f32,
    pub high: f32,
}

impl Stencil {
    /// Whether cells change those next to them.
    #[inline]
    pub fn spreads(&self) -> bool {
        self.alpha != 0.0 || self.courant.is_some()
    }

    /// Computes a brick whose field only fades; returns how far the furthest cell is from default.
    ///
    /// Closed cells are at their default, and so they stay.
    #[inline]
    pub fn fade(&self, own: &Cells, out: &mut Cells) -> f32 {
        let mut furthest = [0.0; BRICK_SIDE];
        let ((own, _), (out, _)) = (own.as_chunks::<BRICK_SIDE>(), out.as_chunks_mut::<BRICK_SIDE>());
        for (own, results) in own.iter().zip(out) {
            *results = own.map(|cell| self.faded(cell));
            note_deviations(&mut furthest, results, self.default);
        }
        largest(furthest)
    }

    /// Computes a brick; returns how far the furthest cell is from default.
    ///
    /// Where everything flows there is nothing to ask per cell, and the loop becomes vector code.
    #[inline]
    pub fn spread(&self, patch: &Patch, closed: &Closed, out: &mut Cells) -> f32 {
        match (self.courant, closed.is_open()) {
            (None, true) => self.compute::<false, true>(patch, closed, [0.0; 2], out),
            (None, false) => self.compute::<false, false>(patch, closed, [0.0; 2], out),
            (Some(courant), true) => self.compute::<true, true>(patch, closed, courant, out),
            (Some(courant), false) => self.compute::<true, false>(patch, closed, courant, out),
        }
    }

    #[inline(always)]
    fn compute<const DRIFTS: bool, const IS_OPEN: bool>(
        &self,
        patch: &Patch,
        closed: &Closed,
        courant: [f32; 2],
        out: &mut Cells,
    ) -> f32 {
        let mut furthest = [0.0; BRICK_SIDE];
        let (rows, _) = out.as_chunks_mut::<BRICK_SIDE>();
        for (row, results) in rows.iter_mut().enumerate() {
            let [below, level, above] = [row, row + 1, row + 2].map(|row| &patch.rows[row]);
            let own = lanes::<FIRST>(level);
            let mut around = [
                *lanes::<{ FIRST - 1 }>(level),
                *lanes::<{ FIRST + 1 }>(level),
                *lanes::<FIRST>(below),
                *lanes::<FIRST>(above),
            ];
            if !IS_OPEN {
                for (values, side) in around.iter_mut().zip(closed.sides) {
                    replace(values, side >> (row * BRICK_SIDE), own);
                }
            }
            let [west, east, south, north] = &around;
            for lane in 0..BRICK_SIDE {
                let [own, west, east, south, north] = [own, west, east, south, north].map(|values| values[lane]);
                let mut moved = own + self.alpha * (((west + east) + (south + north)) - 4.0 * own);
                if DRIFTS {
                    moved -= upwind(courant[0], west, own, east);
                    moved -= upwind(courant[1], south, own, north);
                }
                results[lane] = self.faded(moved);
            }
            if !IS_OPEN {
                replace(results, closed.own >> (row * BRICK_SIDE), &[self.default; BRICK_SIDE]);
            }
            note_deviations(&mut furthest, results, self.default);
        }
        largest(furthest)
    }

    #[inline(always)]
    fn faded(&self, moved: f32) -> f32 {
        let faded = self.default + (moved - self.default) * self.keep;
        let capped = if faded > self.high { self.high } else { faded };
        if capped < self.low { self.low } else { capped }
    }
}

/// A row of the patch as seen by the cells of a brick, from this column on.
#[inline(always)]
fn lanes<const COLUMN: usize>(row: &[f32; PATCH_WIDTH]) -> &Row {
    row[COLUMN..].first_chunk().expect("the patch is wide enough")
}

#[inline(always)]
fn lanes_mut(row: &mut [f32; PATCH_WIDTH]) -> &mut Row {
    row[FIRST..].first_chunk_mut().expect("the patch is wide enough")
}

#[inline(always)]
fn note_deviations(furthest: &mut Row, cells: &Row, default: f32) {
    for (furthest, cell) in furthest.iter_mut().zip(cells) {
        let deviation = (cell - default).abs();
        *furthest = if deviation > *furthest { deviation } else { *furthest };
    }
}

#[inline(always)]
fn largest(values: Row) -> f32 {
    values.into_iter().fold(0.0, |largest, value| if value > largest { value } else { largest })
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
