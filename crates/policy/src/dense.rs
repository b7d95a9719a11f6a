//! A dense layer: weights laid out for products in both directions, a bias and an activation.

use crate::activation::Activation;
use crate::panels::{Panels, covered, tiled};
use crate::processor::{Simd, lanes};
use crate::scratch::{ScratchBuffer, row_stride};
use crate::tape::Trace;

/// Sizes and activation of a layer.
#[derive(Clone, Copy, Debug)]
pub struct DenseShape {
    /// Number of inputs.
    pub inputs: usize,
    /// Number of outputs.
    pub outputs: usize,
    /// Applied to the sums.
    pub activation: Activation,
}

/// A layer with weights.
#[derive(Debug)]
pub struct Dense {
    /// Sizes and activation.
    pub shape: DenseShape,
    forward: Panels,
    backward: Panels,
    /// Inputs before this one need no gradient.
    learned_from: usize,
    bias: ScratchBuffer,
}

impl Dense {
    /// Returns a layer with zero weights.
    #[must_use]
    pub fn new(shape: DenseShape) -> Self {
        Self::with_gradient_from(shape, 0)
    }

    /// The same, for a layer whose inputs before `learned_from` need no gradient.
    #[must_use]
    pub fn with_gradient_from(shape: DenseShape, learned_from: usize) -> Self {
        let lanes = lanes();
        Self {
            shape,
            forward: Panels::new(shape.inputs, shape.outputs, lanes),
            backward: Panels::new(shape.outputs, shape.inputs - learned_from, lanes),
            learned_from,
            bias: ScratchBuffer::of_rows(1, shape.outputs),
        }
    }

    /// Copies weights, outputs × inputs, into the layout of the forward pass and, `with_backward`, of the backward pass.
    ///
    /// # Errors
    /// When an array has another number of entries.
    pub fn load(&mut self, weights: &[f32], bias: &[f32], with_backward: bool) -> Result<(), String> {
        let DenseShape { inputs, outputs, .. } = self.shape;
        if weights.len() != inputs * outputs || bias.len() != outputs {
            let (weights, biases) = (weights.len(), bias.len());
            return Err(format!("{weights} weights and {biases} biases for a layer {outputs} × {inputs}"));
        }
        self.forward.load(weights, inputs, 1);
        if with_backward {
            self.backward.load(&weights[self.learned_from..], 1, inputs);
        }
        self.bias[..outputs].copy_from_slice(bias);
        Ok(())
    }

    /// Entries from one row of outputs to the next.
    #[must_use]
    pub fn stride(&self) -> usize {
        row_stride(self.shape.outputs)
    }

    /// Writes the outputs of some rows; `x` holds `tiled(rows)` rows that lie `row_stride(inputs)` apart.
    #[inline(always)]
    pub fn forward<S: Simd>(&self, simd: S, rows: usize, x: &[f32], out: &mut Trace, first: usize) {
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

    /// Adds the gradient of the inputs that need one, given the gradient of the sums.
    #[inline(always)]
    pub fn add_of_inputs<S: Simd>(&self, simd: S, rows: usize, of_sums: &[f32], of_inputs: &mut [f32]) {
        self.backward.add_product(simd, rows, of_sums, of_inputs);
    }
}
