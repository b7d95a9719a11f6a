//! Gradients of matrices: sums of outer products over rows.

use crate::panels::BLOCK;
use crate::room::{LINE, Room, row_stride};

const TILE_OUTPUTS: usize = 6;

/// The gradient of a layer's matrix, outputs × inputs, and of its bias.
#[derive(Debug)]
pub struct Sums {
    inputs: usize,
    outputs: usize,
    matrix: Room,
    bias: Room,
    packed: Room,
}

impl Sums {
    /// Starts at zero.
    #[must_use]
    pub fn new(inputs: usize, outputs: usize) -> Self {
        let matrix = Room::of_rows(outputs.next_multiple_of(TILE_OUTPUTS), inputs);
        let packed = Room::new(BLOCK * outputs.next_multiple_of(TILE_OUTPUTS));
        Self { inputs, outputs, matrix, bias: Room::of_rows(1, outputs), packed }
    }

    /// Goes back to zero.
    pub fn clear(&mut self) {
        self.matrix.fill(0.0);
        self.bias.fill(0.0);
    }

    /// Adds what at most a block of rows contributes; further entries follow the last row, of both arrays.
    #[inline(always)]
    pub fn add(&mut self, rows: usize, of_outputs: &[f32], inputs: &[f32]) {
        let inputs_stride = row_stride(self.inputs);
        for row in of_outputs.chunks_exact(row_stride(self.outputs)).take(rows) {
            for (sum, entry) in self.bias.iter_mut().zip(row) {
                *sum += entry;
            }
        }
        self.pack(rows, of_outputs);
        for first in (0..self.inputs).step_by(LINE) {
            for (tile, outputs) in self.packed.chunks_exact(rows * TILE_OUTPUTS).take(self.tiles()).enumerate() {
                let sums = &mut self.matrix[tile * TILE_OUTPUTS * inputs_stride + first..];
                let (outputs, _) = outputs.as_chunks();
                add_tile(outputs.iter().zip(inputs[first..].chunks(inputs_stride)), sums, inputs_stride);
            }
        }
    }

    /// Brings the outputs of a tile together, which are then read from one end to the other again and again.
    #[inline(always)]
    fn pack(&mut self, rows: usize, of_outputs: &[f32]) {
        let (outputs_stride, tiles) = (row_stride(self.outputs), self.tiles());
        for (tile, packed) in self.packed.chunks_exact_mut(rows * TILE_OUTPUTS).take(tiles).enumerate() {
            for (row, packed) in packed.chunks_exact_mut(TILE_OUTPUTS).enumerate() {
                packed.copy_from_slice(&of_outputs[row * outputs_stride + tile * TILE_OUTPUTS..][..TILE_OUTPUTS]);
            }
        }
    }

    const fn tiles(&self) -> usize {
        self.outputs.div_ceil(TILE_OUTPUTS)
    }

    /// Writes the gradients as torch lays out the weights.
    ///
    /// # Errors
    /// When an array has another number of entries.
    pub fn write(&self, matrix: &mut [f32], bias: &mut [f32]) -> Result<(), String> {
        if matrix.len() != self.inputs * self.outputs || bias.len() != self.outputs {
            let (weights, biases) = (matrix.len(), bias.len());
            return Err(format!("a layer {} × {} has no {weights} and {biases} weights", self.outputs, self.inputs));
        }
        let rows = self.matrix.chunks_exact(row_stride(self.inputs));
        for (row, sums) in matrix.chunks_exact_mut(self.inputs).zip(rows) {
            row.copy_from_slice(&sums[..self.inputs]);
        }
        bias.copy_from_slice(&self.bias[..self.outputs]);
        Ok(())
    }
}

#[inline(always)]
fn add_tile<'a>(rows: impl Iterator<Item = (&'a [f32; TILE_OUTPUTS], &'a [f32])>, out: &mut [f32], out_stride: usize) {
    let mut sums = [[0.0_f32; LINE]; TILE_OUTPUTS];
    for (outputs, inputs) in rows {
        let inputs = &inputs[..LINE];
        for (sums, output) in sums.iter_mut().zip(outputs) {
            for (sum, input) in sums.iter_mut().zip(inputs) {
                *sum = output.mul_add(*input, *sum);
            }
        }
    }
    for (output, sums) in sums.iter().enumerate() {
        for (out, sum) in out[output * out_stride..][..LINE].iter_mut().zip(sums) {
            *out += sum;
        }
    }
}
