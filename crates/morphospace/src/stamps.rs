//! Stamps: changes of cells under a shape.

use crate::bricks::Bricks;
use crate::constants::{BRICK_SIDE, LAYER_BRICKS, N_LAYERS};
use crate::domain::{Domain, node_number};
use crate::mods::{Mod, Row};
use crate::shapes::Shape;
use crate::statics::Statics;

/// Weight of a cell that a stamp leaves alone.
const OUTSIDE: f32 = -1.0;
/// Weights of the cells of a brick, row by row.
type Weights = [Row; BRICK_SIDE];

/// Mods under a shape, in the layers whose bits are set; falloff weakens them toward the rim.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stamp<'a> {
    layers: u8,
    shape: Shape,
    mods: &'a [Mod],
    has_falloff: bool,
}

impl<'a> Stamp<'a> {
    /// A stamp that can be applied.
    ///
    /// # Errors
    /// With the name and value of what is wrong.
    pub fn new(layers: usize, shape: Shape, mods: &'a [Mod], has_falloff: bool) -> Result<Self, String> {
        let all = (1 << N_LAYERS) - 1;
        if !(1..=all).contains(&layers) {
            return Err(format!("the layer mask is {layers}; it must be 1 to {all}"));
        }
        if mods.is_empty() {
            return Err("the stamp has no mods; it must have one or more".to_owned());
        }
        shape.validate()?;
        Ok(Self { layers: layers as u8, shape, mods, has_falloff })
    }

    /// Changes every open cell whose center the shape covers; says how many cells there were.
    ///
    /// A shape that covers no center changes the cell it is centered in. Cells of a brick that finds no room are left
    /// out.
    pub(crate) fn apply(&self, bricks: &mut Bricks, statics: &Statics, domain: &Domain) -> usize {
        let area = Area::around(&self.shape, domain);
        let mut target = Target { bricks, statics, layers: self.layers, mods: self.mods };
        if target.bricks.room() < area.brick_count() * self.layers.count_ones() as usize {
            self.allocate_in_order(&mut target, domain, &area);
        }
        let (mut stamped, mut is_covering) = (0, false);
        for brick_row in area.rows[0] / BRICK_SIDE..=area.rows[1] / BRICK_SIDE {
            for brick_column in area.columns[0] / BRICK_SIDE..=area.columns[1] / BRICK_SIDE {
                let (weights, covered) = self.brick_weights(domain, &area, brick_column, brick_row);
                if covered != 0 {
                    is_covering = true;
                    stamped += target.change(node_number(brick_column, brick_row), &weights, covered);
                }
            }
        }
        if is_covering { stamped } else { self.apply_to_center(&mut target, domain) }
    }

    /// Weights of the cells of a brick, and the bits of those that are covered; rows beyond the area stay outside.
    #[inline]
    fn brick_weights(&self, domain: &Domain, area: &Area, brick_column: usize, brick_row: usize) -> (Weights, u64) {
        let (mut weights, mut covered) = ([[OUTSIDE; BRICK_SIDE]; BRICK_SIDE], 0);
        let south = brick_row * BRICK_SIDE;
        let rows = area.rows[0].max(south)..=area.rows[1].min(south + BRICK_SIDE - 1);
        for row in rows {
            let of_row = self.row_weights(domain, row, brick_column);
            covered |= covered_bits(&of_row) << ((row - south) * BRICK_SIDE);
            weights[row - south] = of_row;
        }
        (weights, covered)
    }

    #[inline]
    fn row_weights(&self, domain: &Domain, row: usize, brick_column: usize) -> Row {
        let weights = self.shape.weights(domain, row, brick_column * BRICK_SIDE);
        if self.has_falloff { weights } else { weights.map(|weight| if weight >= 0.0 { 1.0 } else { weight }) }
    }

    /// Takes what room there is in the order in which cells are met, layer by layer and row by row.
    fn allocate_in_order(&self, target: &mut Target<'_>, domain: &Domain, area: &Area) {
        for layer in layers_of(self.layers) {
            for row in area.rows[0]..=area.rows[1] {
                for brick_column in area.columns[0] / BRICK_SIDE..=area.columns[1] / BRICK_SIDE {
                    let covered = covered_bits(&self.row_weights(domain, row, brick_column));
                    let key = layer * LAYER_BRICKS + node_number(brick_column, row / BRICK_SIDE);
                    if covered << (row % BRICK_SIDE * BRICK_SIDE) & !target.statics.closed(key).own != 0 {
                        target.bricks.allocate(key);
                    }
                }
            }
        }
    }

    fn apply_to_center(&self, target: &mut Target<'_>, domain: &Domain) -> usize {
        let [x, y] = self.shape.center();
        if !domain.contains(x, y) {
            return 0;
        }
        let (column, row) = (domain.column(x), domain.row(y));
        let mut weights = [[OUTSIDE; BRICK_SIDE]; BRICK_SIDE];
        weights[row % BRICK_SIDE][column % BRICK_SIDE] = 1.0;
        let covered = 1 << (row % BRICK_SIDE * BRICK_SIDE + column % BRICK_SIDE);
        target.change(node_number(column / BRICK_SIDE, row / BRICK_SIDE), &weights, covered)
    }
}

/// Cells that a shape may cover: first and last column and row.
struct Area {
    columns: [usize; 2],
    rows: [usize; 2],
}

impl Area {
    fn around(shape: &Shape, domain: &Domain) -> Self {
        let [west, south, east, north] = shape.extent();
        Self { columns: [domain.column(west), domain.column(east)], rows: [domain.row(south), domain.row(north)] }
    }

    fn brick_count(&self) -> usize {
        let side = |[first, last]: [usize; 2]| last / BRICK_SIDE - first / BRICK_SIDE + 1;
        side(self.columns) * side(self.rows)
    }
}

fn layers_of(mask: u8) -> impl Iterator<Item = usize> {
    (0..N_LAYERS).filter(move |layer| mask >> layer & 1 == 1)
}

/// Bits of the cells of a row that are not outside.
#[inline]
fn covered_bits(weights: &Row) -> u64 {
    weights.iter().rev().fold(0, |bits, &weight| bits << 1 | u64::from(weight >= 0.0))
}

/// Where a stamp lands.
struct Target<'a> {
    bricks: &'a mut Bricks,
    statics: &'a Statics,
    layers: u8,
    mods: &'a [Mod],
}

impl Target<'_> {
    /// Changes the covered cells of a brick of every layer; says how many, which is none where it is closed or there is
    /// no room.
    #[inline]
    fn change(&mut self, brick: usize, weights: &Weights, covered: u64) -> usize {
        let mut changed = 0;
        for layer in layers_of(self.layers) {
            let key = layer * LAYER_BRICKS + brick;
            let closed = self.statics.closed(key).own;
            let open = covered & !closed;
            if open == 0 {
                continue;
            }
            let Some(slot) = self.bricks.allocate(key) else { continue };
            if covered & closed == 0 {
                self.change_cells(slot, weights, open);
            } else {
                self.change_cells(slot, &without_closed(weights, closed), open);
            }
            let fields = self.mods.iter().fold(0, |fields, change| fields | 1 << change.dynamic());
            self.bricks.mark_active(key, fields);
            self.bricks.changed.insert(key);
            changed += open.count_ones() as usize;
        }
        changed
    }

    #[inline]
    fn change_cells(&mut self, slot: usize, weights: &Weights, open: u64) {
        for change in self.mods {
            let (rows, _) = self.bricks.front.cells_mut(slot, change.dynamic()).as_chunks_mut::<BRICK_SIDE>();
            for (row, (cells, weights)) in rows.iter_mut().zip(weights).enumerate() {
                if open >> (row * BRICK_SIDE) & 0xFF != 0 {
                    change.apply(cells, weights);
                }
            }
        }
    }
}

fn without_closed(weights: &Weights, closed: u64) -> Weights {
    std::array::from_fn(|row| {
        std::array::from_fn(
            |lane| {
                if closed >> (row * BRICK_SIDE + lane) & 1 == 1 { OUTSIDE } else { weights[row][lane] }
            },
        )
    })
}
