//! Mean, minimum, maximum and mean of squares of every node of the tree.

use crate::bricks::{Bricks, KeySet};
use crate::buffer::Buffer;
use crate::constants::{ABYSSAL, BRICK_CELLS, LEAF_DEPTH, N_DYNAMIC, N_LAYERS};

/// Statistics of one field over one node.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Statistics {
    /// Mean of all cells.
    pub mean: f32,
    /// Smallest cell.
    pub min: f32,
    /// Largest cell.
    pub max: f32,
    /// Mean of the squares of all cells.
    pub mean_square: f32,
}

impl Statistics {
    /// Statistics where every cell has this value.
    #[inline]
    #[must_use]
    pub fn of_value(value: f32) -> Self {
        Self { mean: value, min: value, max: value, mean_square: value * value }
    }

    /// Mean of squares minus square of the mean, at least 0.
    #[inline]
    #[must_use]
    pub fn variance(&self) -> f32 {
        let variance = self.mean_square - self.mean * self.mean;
        if variance > 0.0 { variance } else { 0.0 }
    }

    fn of_cells(cells: &[f32; BRICK_CELLS]) -> Self {
        let (mut min, mut max) = ([f32::INFINITY; 8], [f32::NEG_INFINITY; 8]);
        for row in cells.chunks_exact(8) {
            for (lane, &cell) in row.iter().enumerate() {
                min[lane] = smaller(min[lane], cell);
                max[lane] = larger(max[lane], cell);
            }
        }
        Self {
            mean: brick_mean(cells),
            min: min.into_iter().fold(f32::INFINITY, smaller),
            max: max.into_iter().fold(f32::NEG_INFINITY, larger),
            mean_square: brick_mean(&cells.map(|cell| cell * cell)),
        }
    }

    #[inline]
    pub(crate) fn of_quad([c0, c1, c2, c3]: [&Self; 4]) -> Self {
        Self {
            mean: ((c0.mean + c1.mean) + (c2.mean + c3.mean)) * 0.25,
            min: smaller(smaller(c0.min, c1.min), smaller(c2.min, c3.min)),
            max: larger(larger(c0.max, c1.max), larger(c2.max, c3.max)),
            mean_square: ((c0.mean_square + c1.mean_square) + (c2.mean_square + c3.mean_square)) * 0.25,
        }
    }

    fn of_layers(layers: impl ExactSizeIterator<Item = Self>) -> Self {
        let count = layers.len() as f32;
        let merged = layers.reduce(|a, b| Self {
            mean: a.mean + b.mean,
            min: smaller(a.min, b.min),
            max: larger(a.max, b.max),
            mean_square: a.mean_square + b.mean_square,
        });
        let total = merged.unwrap_or_default();
        Self { mean: total.mean / count, mean_square: total.mean_square / count, ..total }
    }
}

#[inline]
pub(crate) fn smaller(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

#[inline]
pub(crate) fn larger(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

/// Mean of the cells of a brick.
#[inline]
pub(crate) fn brick_mean(cells: &[f32; BRICK_CELLS]) -> f32 {
    const SHARE: f32 = 1.0 / BRICK_CELLS as f32;
    sum_by_halving(*cells) * SHARE
}

/// Adds the second half onto the first, again and again.
#[inline]
pub(crate) fn sum_by_halving(mut values: [f32; BRICK_CELLS]) -> f32 {
    let mut half = BRICK_CELLS / 2;
    while half > 0 {
        let (first, second) = values.split_at_mut(half);
        for (value, other) in first.iter_mut().zip(&second[..half]) {
            *value += *other;
        }
        half /= 2;
    }
    values[0]
}

/// Statistics of all dynamic fields over one node.
pub(crate) type NodeStatistics = [Statistics; N_DYNAMIC];

/// Statistics by depth; at depth d a layer has 4^d nodes, in the order of their Morton numbers.
#[derive(Clone, Debug)]
pub(crate) struct Summaries {
    depths: [Vec<NodeStatistics>; LEAF_DEPTH + 1],
}

impl Summaries {
    /// What a space without bricks has.
    pub fn new(bricks: &Bricks) -> Self {
        let layers = [0, 1, 2].map(|layer| bricks.defaults(layer).map(Statistics::of_value));
        let depths =
            [0, 1, 2, 3, 4].map(|depth| layers.iter().flat_map(|node| vec![*node; 1 << (2 * depth)]).collect());
        Self { depths }
    }

    /// Takes in the bricks that changed, and everything above them.
    pub fn refresh(&mut self, bricks: &mut Bricks) {
        let mut changed = bricks.changed;
        bricks.changed = KeySet::default();
        if changed.is_empty() {
            return;
        }
        for key in changed.iter() {
            let defaults = bricks.defaults_of(key);
            self.depths[LEAF_DEPTH][key] = match bricks.slot(key) {
                Some(slot) => of_brick(&bricks.front, slot, defaults),
                None => defaults.map(Statistics::of_value),
            };
        }
        for depth in (0..LEAF_DEPTH).rev() {
            let mut parents = KeySet::default();
            for key in changed.iter() {
                parents.insert(key / 4);
            }
            let (above, below) = self.depths.split_at_mut(depth + 1);
            for node in parents.iter() {
                let children = &below[0][4 * node..4 * node + 4];
                above[depth][node] = std::array::from_fn(|field| {
                    Statistics::of_quad(std::array::from_fn(|child| &children[child][field]))
                });
            }
            changed = parents;
        }
    }

    /// Statistics of a node by its number among those of its depth, layer after layer.
    #[inline]
    pub fn node(&self, depth: usize, number: usize) -> &NodeStatistics {
        &self.depths[depth][number]
    }

    /// Statistics of a node that may span layers: at depth 1 the upper one surface and submerged, at depth 0 all three.
    pub fn spanning(&self, depth: usize, number: usize, iz: usize) -> NodeStatistics {
        let in_layer = |layer: usize| self.node(depth, (layer << (2 * depth)) + number);
        let layers = match (depth, iz) {
            (0, _) => 0..N_LAYERS,
            (1, 0) => 0..ABYSSAL,
            (1, _) => ABYSSAL..N_LAYERS,
            _ => iz..iz + 1,
        };
        std::array::from_fn(|field| Statistics::of_layers(layers.clone().map(|layer| in_layer(layer)[field])))
    }
}

fn of_brick(buffer: &Buffer, slot: usize, defaults: &[f32; N_DYNAMIC]) -> NodeStatistics {
    std::array::from_fn(|field| {
        // Sixty-four times the same value halves back to that value exactly.
        if buffer.active(slot) >> field & 1 == 0 {
            Statistics::of_value(defaults[field])
        } else {
            Statistics::of_cells(buffer.cells(slot, field))
        }
    })
}
