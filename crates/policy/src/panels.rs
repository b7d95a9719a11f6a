//! Products of rows with a matrix that is laid out for them.

use crate::room::{Room, row_stride};

/// Rows that pass through a policy together: their activations stay in the cache.
pub const BLOCK: usize = 96;
/// Rows of one tile of a product.
pub const TILE_ROWS: usize = 6;
const WIDE: usize = 16;
const NARROW: usize = 8;

/// Outputs that are computed where so many are asked for; the last ones are nobody's.
#[must_use]
pub const fn covered(outputs: usize) -> usize {
    outputs.next_multiple_of(NARROW)
}

/// Rows that are computed where so many are asked for; the last ones are nobody's.
#[must_use]
pub const fn tiled(rows: usize) -> usize {
    rows.next_multiple_of(TILE_ROWS)
}

/// A matrix of inputs × outputs, cut into panels of neighboring outputs; all are wide but perhaps the last.
#[derive(Debug)]
pub struct Panels {
    inputs: usize,
    outputs: usize,
    values: Room,
}

impl Panels {
    /// Makes room for a matrix.
    #[must_use]
    pub fn new(inputs: usize, outputs: usize) -> Self {
        Self { inputs, outputs, values: Room::new(inputs * covered(outputs)) }
    }

    /// Takes over a matrix: `values[output · per_output + input · per_input]`.
    pub fn load(&mut self, values: &[f32], per_output: usize, per_input: usize) {
        let inputs = self.inputs;
        for (first, width) in panels(self.outputs) {
            let panel = &mut self.values[first * inputs..][..width * inputs];
            for (input, entries) in panel.chunks_exact_mut(width).enumerate() {
                for (entry, output) in entries.iter_mut().zip(first..self.outputs) {
                    *entry = values[output * per_output + input * per_input];
                }
            }
        }
    }

    /// Adds rows × matrix to `out`, whose rows lie `row_stride(outputs)` apart; computes `tiled(rows)` of them.
    #[inline(always)]
    pub fn add_product(&self, rows: usize, x: &[f32], out: &mut [f32]) {
        let (inputs, x_stride, out_stride) = (self.inputs, row_stride(self.inputs), row_stride(self.outputs));
        for (first, width) in panels(self.outputs) {
            let panel = &self.values[first * inputs..][..width * inputs];
            for row in (0..rows).step_by(TILE_ROWS) {
                let (x, out) = (&x[row * x_stride..], &mut out[row * out_stride + first..]);
                if width == WIDE {
                    add_tile::<WIDE>(panel, x, x_stride, out, out_stride);
                } else {
                    add_tile::<NARROW>(panel, x, x_stride, out, out_stride);
                }
            }
        }
    }
}

/// First output and width of every panel.
fn panels(outputs: usize) -> impl Iterator<Item = (usize, usize)> {
    let end = covered(outputs);
    (0..end).step_by(WIDE).map(move |first| (first, WIDE.min(end - first)))
}

#[inline(always)]
fn add_tile<const WIDTH: usize>(panel: &[f32], x: &[f32], x_stride: usize, out: &mut [f32], stride: usize) {
    let (entries, _) = panel.as_chunks::<WIDTH>();
    let rows: [&[f32]; TILE_ROWS] = std::array::from_fn(|row| &x[row * x_stride..][..entries.len()]);
    let mut sums = [[0.0_f32; WIDTH]; TILE_ROWS];
    for (row, sums) in sums.iter_mut().enumerate() {
        sums.copy_from_slice(&out[row * stride..][..WIDTH]);
    }
    for (input, entries) in entries.iter().enumerate() {
        for (row, sums) in rows.iter().zip(&mut sums) {
            let x = row[input];
            for (sum, entry) in sums.iter_mut().zip(entries) {
                *sum = x.mul_add(*entry, *sum);
            }
        }
    }
    for (row, sums) in sums.iter().enumerate() {
        out[row * stride..][..WIDTH].copy_from_slice(sums);
    }
}
