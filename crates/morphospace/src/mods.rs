//! What stamps do to cells.

use crate::constants::{BRICK_SIDE, DYNAMIC_RULES, FIRST_DYNAMIC, N_FIELDS, STAMP_VALUE_MAX};

/// A row of cells of one brick, or their weights.
pub(crate) type Row = [f32; BRICK_SIDE];

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
    pub(crate) fn apply(self, cells: &mut Row, weights: &Row) {
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
    pub(crate) fn dynamic(self) -> usize {
        usize::from(self.field) - FIRST_DYNAMIC
    }
}
