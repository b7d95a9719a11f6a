//! A dense layer: weights laid out for products in both directions, a bias and an activation.

use crate::activation::Activation;
use crate::panels::{Panels, covered, tiled};
use crate::processor::{Simd, lanes};
use crate::room::{Room, row_stride};
use crate::tape::Trace;

/// How large a layer is, and what follows its sums.
#[derive(Clone, Copy, Debug)]
pub struct DenseShape {
    /// Numbers that enter.
    pub inputs: usize,
    /// Numbers that leave.
    pub outputs: usize,
    /// What follows the sums.
    pub activation: Activation,
}

/// A layer with weights.
#[derive(Debug)]
pub struct Dense {
    /// How large it is.
    pub shape: DenseShape,
    forward: Panels,
    backward: Panels,
    bias: Room,
}

impl Dense {
    /// Makes a layer whose weights are zeros.
    #[must_use]
    pub fn new(shape: DenseShape) -> Self {
        let lanes = lanes();
        Self {
            shape,
            forward: Panels::new(shape.inputs, shape.outputs, lanes),
            backward: Panels::new(shape.outputs, shape.inputs, lanes),
            bias: Room::of_rows(1, shape.outputs),
        }
    }

    /// Takes over weights, outputs × inputs; for the gradient too where `both_ways`.
    ///
    /// # Errors
    /// When an array has another number of entries.
    pub fn load(&mut self, weights: &[f32], bias: &[f32], both_ways: bool) -> Result<(), String> {
        let DenseShape { inputs, outputs, .. } = self.shape;
        if weights.len() != inputs * outputs || bias.len() != outputs {
            let (weights, biases) = (weights.len(), bias.len());
            return Err(format!("{weights} weights and {biases} biases for a layer {outputs} × {inputs}"));
        }
        self.forward.load(weights, inputs, 1);
        if both_ways {
            self.backward.load(weights, 1, inputs);
        }
        self.bias[..outputs].copy_from_slice(bias);
        Ok(())
    }

    /// Entries from one row of outputs to the next.
    #[must_use]
    pub fn stride(&self) -> usize {
        row_stride(self.shape.outputs)
    }

    /// Lets rows pass; `x` holds `tiled(rows)` rows that lie `row_stride(inputs)` apart.
    #[inline(always)]
    pub fn pass<S: Simd>(&self, simd: S, rows: usize, x: &[f32], out: &mut Trace, first: usize) {
        let (stride, width) = (self.stride(), covered(self.shape.outputs));
        let entries = first * stride..(first + tiled(rows)) * stride;
        let outputs = &mut out.outputs[entries.clone()];
        for row in outputs.chunks_exact_mut(stride) {
            row[..width].copy_from_slice(&self.bias[..width]);
        }
        self.forward.add_product(simd, rows, x, outputs);
        if out.slopes.is_empty() {
            for row in outputs.chunks_exact_mut(stride) {
                self.shape.activation.apply(&mut row[..width]);
            }
        } else {
            for (row, slopes) in outputs.chunks_exact_mut(stride).zip(out.slopes[entries].chunks_exact_mut(stride)) {
                self.shape.activation.apply_with_slopes(&mut row[..width], &mut slopes[..width]);
            }
        }
    }

    /// Adds to `of_inputs` what the gradient of the sums means for the inputs.
    #[inline(always)]
    pub fn add_of_inputs<S: Simd>(&self, simd: S, rows: usize, of_sums: &[f32], of_inputs: &mut [f32]) {
        self.backward.add_product(simd, rows, of_sums, of_inputs);
    }
}
