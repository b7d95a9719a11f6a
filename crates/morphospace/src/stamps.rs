//! Stamps: changes of cells under a shape.

use crate::bricks::Bricks;
use crate::constants::{BRICK_SIDE, DYNAMIC_RULES, FIRST_DYNAMIC, GRID_CELLS, N_FIELDS, N_LAYERS, STAMP_VALUE_MAX};
use crate::domain::{Domain, brick_of, cell_in_brick};
use crate::shapes::Shape;
use crate::statics::Statics;

/// A row of cells of one brick, or their weights.
type Row = [f32; BRICK_SIDE];

/// Weight of a cell that a stamp leaves alone.
const OUTSIDE: f32 = -1.0;

/// What a mod does to a cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Op {
    /// The value itself.
    Set,
    /// Cell plus value.
    Add,
    /// Cell minus value.
    Sub,
    /// Cell times value.
    Mul,
    /// The larger of both.
    Max,
    /// The smaller of both.
    Min,
    /// This share of the way from the cell to the value.
    Lerp(f32),
}

impl Op {
    /// The op of a number; `factor` is the share of the way that LERP goes.
    ///
    /// # Errors
    /// With the name and value of what is wrong.
    pub fn from_code(code: usize, factor: f64) -> Result<Self, String> {
        if !(0.0..=1.0).contains(&factor) {
            return Err(format!("the stamp's factor is {factor}; it must be 0 to 1"));
        }
        let ops = [Self::Set, Self::Add, Self::Sub, Self::Mul, Self::Max, Self::Min, Self::Lerp(factor as f32)];
        ops.get(code).copied().ok_or_else(|| format!("there is no op {code}; use 0 to {}", ops.len() - 1))
    }
}

/// What a stamp does to one dynamic field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mod {
    field: u8,
    op: Op,
    value: f32,
}

impl Mod {
    /// A mod of a dynamic field.
    ///
    /// # Errors
    /// With the name and value of what is wrong.
    pub fn new(field: usize, op: Op, value: f64) -> Result<Self, String> {
        if !(FIRST_DYNAMIC..N_FIELDS).contains(&field) {
            return Err(format!("field {field} cannot be stamped; use {FIRST_DYNAMIC} to {}", N_FIELDS - 1));
        }
        if !(-STAMP_VALUE_MAX..=STAMP_VALUE_MAX).contains(&value) {
            return Err(format!("the stamp's value is {value}; it must be between -1e6 and 1e6"));
        }
        Ok(Self { field: field as u8, op, value: value as f32 })
    }

    /// Changes a row of cells where the weight is not below 0.
    #[inline]
    fn apply(self, cells: &mut Row, weights: &Row) {
        let value = self.value;
        match self.op {
            Op::Set => self.blend(cells, weights, |_| value),
            Op::Add => self.blend(cells, weights, |cell| cell + value),
            Op::Sub => self.blend(cells, weights, |cell| cell - value),
            Op::Mul => self.blend(cells, weights, |cell| cell * value),
            Op::Max => self.blend(cells, weights, |cell| if cell > value { cell } else { value }),
            Op::Min => self.blend(cells, weights, |cell| if cell < value { cell } else { value }),
            Op::Lerp(factor) => self.blend(cells, weights, |cell| cell + (value - cell) * factor),
        }
    }

    #[inline(always)]
    fn blend(self, cells: &mut Row, weights: &Row, operate: impl Fn(f32) -> f32) {
        let rule = &DYNAMIC_RULES[self.dynamic()];
        for (cell, &weight) in cells.iter_mut().zip(weights) {
            let after = *cell + (operate(*cell) - *cell) * weight;
            let capped = if after > rule.high { rule.high } else { after };
            let bounded = if after < rule.low { rule.low } else { capped };
            *cell = if weight >= 0.0 { bounded } else { *cell };
        }
    }

    #[inline]
    fn dynamic(self) -> usize {
        usize::from(self.field) - FIRST_DYNAMIC
    }
}

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
    /// A shape that covers no center changes the cell it is centered in. Bricks are allocated in the order in which
    /// their cells are met, row by row; cells of a brick that finds no room are left out.
    pub(crate) fn apply(&self, bricks: &mut Bricks, statics: &Statics, domain: &Domain) -> usize {
        let layers = (0..N_LAYERS).filter(|layer| self.layers >> layer & 1 == 1);
        let mut stamped = 0;
        for layer in layers {
            let mut target = Target { bricks: &mut *bricks, statics, layer, mods: self.mods };
            stamped += match self.apply_covered(&mut target, domain) {
                Some(stamped) => stamped,
                None => self.apply_to_center(&mut target, domain),
            };
        }
        stamped
    }

    /// Number of cells changed, or none if no center is covered.
    fn apply_covered(&self, target: &mut Target<'_>, domain: &Domain) -> Option<usize> {
        let [west, south, east, north] = self.shape.extent();
        let columns = domain.column(west)..=domain.column(east);
        let bricks = columns.start() / BRICK_SIDE..=columns.end() / BRICK_SIDE;
        let (mut stamped, mut is_covering) = (0, false);
        for row in domain.row(south)..=domain.row(north) {
            let mut weights = [OUTSIDE; GRID_CELLS];
            self.shape.weights(domain, row, columns.clone(), &mut weights);
            let (runs, _) = weights.as_chunks::<BRICK_SIDE>();
            for (&run, first_column) in
                runs[bricks.clone()].iter().zip((bricks.start() * BRICK_SIDE..).step_by(BRICK_SIDE))
            {
                if run.iter().any(|&weight| weight >= 0.0) {
                    is_covering = true;
                    stamped += target.change(first_column, row, self.faded(run));
                }
            }
        }
        is_covering.then_some(stamped)
    }

    #[inline]
    fn faded(&self, weights: Row) -> Row {
        if self.has_falloff { weights } else { weights.map(|weight| if weight >= 0.0 { 1.0 } else { weight }) }
    }

    fn apply_to_center(&self, target: &mut Target<'_>, domain: &Domain) -> usize {
        let [x, y] = self.shape.center();
        if !domain.contains(x, y) {
            return 0;
        }
        let column = domain.column(x);
        let mut weights = [OUTSIDE; BRICK_SIDE];
        weights[column % BRICK_SIDE] = 1.0;
        target.change(column - column % BRICK_SIDE, domain.row(y), weights)
    }
}

/// Where a stamp lands.
struct Target<'a> {
    bricks: &'a mut Bricks,
    statics: &'a Statics,
    layer: usize,
    mods: &'a [Mod],
}

impl Target<'_> {
    /// Changes a row of cells of one brick; says how many, which is none where it is closed or there is no room.
    #[inline]
    fn change(&mut self, first_column: usize, row: usize, mut weights: Row) -> usize {
        let key = brick_of(self.layer, first_column, row);
        let first_cell = cell_in_brick(first_column, row);
        let closed = self.statics.closed(key).own >> first_cell;
        for (place, weight) in weights.iter_mut().enumerate() {
            *weight = if closed >> place & 1 == 1 { OUTSIDE } else { *weight };
        }
        let count = weights.iter().filter(|&&weight| weight >= 0.0).count();
        if count == 0 {
            return 0;
        }
        let Some(slot) = self.bricks.allocate(key) else { return 0 };
        let front = &mut self.bricks.front;
        for change in self.mods {
            let field = change.dynamic();
            let (rows, _) = front.cells[slot][field].as_chunks_mut::<BRICK_SIDE>();
            change.apply(&mut rows[first_cell / BRICK_SIDE], &weights);
            front.active[slot] |= 1 << field;
        }
        self.bricks.changed.insert(key);
        count
    }
}
