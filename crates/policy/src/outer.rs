//! Gradients of matrices: sums of outer products over rows.

use crate::panels::BLOCK;
use crate::processor::Simd;
use crate::scratch::{LINE, ScratchBuffer, row_stride};

const TILE_OUTPUTS: usize = 12;
const HALF: usize = TILE_OUTPUTS / 2;

/// The gradient of a layer's matrix, outputs × inputs, and of its bias.
#[derive(Debug)]
pub struct Sums {
    inputs: usize,
    outputs: usize,
    matrix: ScratchBuffer,
    bias: ScratchBuffer,
    packed: ScratchBuffer,
}

impl Sums {
    /// Starts at zero.
    #[must_use]
    pub fn new(inputs: usize, outputs: usize) -> Self {
        let matrix = ScratchBuffer::of_rows(outputs.next_multiple_of(TILE_OUTPUTS), inputs);
        let packed = ScratchBuffer::new(BLOCK * outputs.next_multiple_of(TILE_OUTPUTS));
        Self { inputs, outputs, matrix, bias: ScratchBuffer::of_rows(1, outputs), packed }
    }

    /// Sets everything to zero.
    pub fn clear(&mut self) {
        self.matrix.fill(0.0);
        self.bias.fill(0.0);
    }

    /// Adds what at most a block of rows contributes; further entries follow the last row, of both arrays.
    #[inline(always)]
    pub fn add<S: Simd>(&mut self, simd: S, rows: usize, of_outputs: &[f32], inputs: &[f32]) {
        for row in of_outputs.chunks_exact(row_stride(self.outputs)).take(rows) {
            for (sum, entry) in self.bias.iter_mut().zip(row) {
                *sum += entry;
            }
        }
        self.pack(rows, of_outputs);
        let end = self.inputs.next_multiple_of(LINE);
        // A processor whose vectors are a cache line wide has twice the registers, too.
        if S::F32_LANES == LINE {
            for first in (0..end).step_by(2 * LINE) {
                if end - first == LINE {
                    self.add_column::<S, TILE_OUTPUTS, 1>(simd, rows, inputs, first);
                } else {
                    self.add_column::<S, TILE_OUTPUTS, 2>(simd, rows, inputs, first);
                }
            }
        } else {
            let width = 2 * S::F32_LANES;
            for first in (0..end).step_by(width) {
                self.add_column::<S, HALF, 2>(simd, rows, inputs, first);
            }
        }
    }

    /// Adds to the sums of all outputs with a few vectors of inputs.
    #[inline(always)]
    fn add_column<S: Simd, const OUTPUTS: usize, const VECTORS: usize>(
        &mut self,
        simd: S,
        rows: usize,
        inputs: &[f32],
        first: usize,
    ) {
        let stride = row_stride(self.inputs);
        for (tile, outputs) in self.packed.chunks_exact(rows * TILE_OUTPUTS).take(self.tiles()).enumerate() {
            for part in (0..TILE_OUTPUTS).step_by(OUTPUTS) {
                let output = tile * TILE_OUTPUTS + part;
                if output < self.outputs {
                    let (outputs, inputs) = (&outputs[part..], &inputs[first..]);
                    let sums = &mut self.matrix[output * stride + first..];
                    add_tile::<S, OUTPUTS, VECTORS>(simd, rows, outputs, inputs, sums, stride);
                }
            }
        }
    }

    /// Copies the outputs of a tile into contiguous memory, which is then read many times.
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

/// Adds rows of outputs × rows of inputs; the former lie a tile apart, the latter and the sums a stride.
#[inline(always)]
fn add_tile<S: Simd, const OUTPUTS: usize, const VECTORS: usize>(
    simd: S,
    rows: usize,
    outputs: &[f32],
    inputs: &[f32],
    out: &mut [f32],
    stride: usize,
) {
    let mut sums = [[simd.splat_f32s(0.0); VECTORS]; OUTPUTS];
    for row in 0..rows {
        let outputs = &outputs[row * TILE_OUTPUTS..][..OUTPUTS];
        let (inputs, _) = S::as_simd_f32s(&inputs[row * stride..][..VECTORS * S::F32_LANES]);
        let inputs: [S::f32s; VECTORS] = std::array::from_fn(|vector| inputs[vector]);
        for (sums, output) in sums.iter_mut().zip(outputs) {
            let output = simd.splat_f32s(*output);
            for (sum, input) in sums.iter_mut().zip(inputs) {
                *sum = simd.mul_add_f32s(output, input, *sum);
            }
        }
    }
    for (output, sums) in sums.iter().enumerate() {
        let (present, _) = S::as_mut_simd_f32s(&mut out[output * stride..][..VECTORS * S::F32_LANES]);
        for (present, sum) in present.iter_mut().zip(sums) {
            *present = simd.add_f32s(*present, *sum);
        }
    }
}
