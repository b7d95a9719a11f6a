//! MinGRU: the hidden state is a gated average of the previous one and a candidate.

use crate::activation::sigmoid;

/// Outputs of one MinGRU step of one row; every slice has the width of the memory.
#[derive(Debug)]
pub struct MinGruStep<'a> {
    /// Update gate: weight of the candidate.
    pub update: &'a mut [f32],
    /// Candidate state.
    pub candidate: &'a mut [f32],
    /// Hidden state after the step.
    pub hidden: &'a mut [f32],
    /// Hidden state plus features.
    pub joined: &'a mut [f32],
}

impl MinGruStep<'_> {
    /// Writes the step's outputs; where an episode starts the previous state counts as zeros.
    #[inline(always)]
    pub fn forward(self, gates: &[f32], features: &[f32], previous: &[f32], is_start: bool) {
        let width = self.update.len();
        let (gate, candidate) = gates[..2 * width].split_at(width);
        let kept = if is_start { 0.0 } else { 1.0 };
        for (update, gate) in self.update.iter_mut().zip(gate) {
            *update = sigmoid(*gate);
        }
        self.candidate.copy_from_slice(candidate);
        let new = self.update.iter().zip(candidate).zip(previous).zip(features);
        for ((hidden, joined), (((update, candidate), previous), features)) in
            self.hidden.iter_mut().zip(self.joined).zip(new)
        {
            *hidden = ((1.0 - update) * kept).mul_add(*previous, update * candidate);
            *joined = *hidden + features;
        }
    }
}

/// One MinGRU step of one row, to be differentiated.
#[derive(Clone, Copy, Debug)]
pub struct MinGruGradient<'a> {
    /// Update gate: weight of the candidate.
    pub update: &'a [f32],
    /// Candidate state.
    pub candidate: &'a [f32],
    /// Hidden state before the step.
    pub previous: &'a [f32],
    /// Whether it was reset.
    pub is_start: bool,
}

impl MinGruGradient<'_> {
    /// Writes the gradient of the gates, given the gradient of the step's output.
    ///
    /// `carried` holds the gradient of the hidden state from later steps; afterwards it holds the gradient of the
    /// hidden state before this step.
    #[inline(always)]
    pub fn backward(self, of_joined: &[f32], carried: &mut [f32], of_gates: &mut [f32]) {
        let width = self.update.len();
        let (of_gate, of_candidate) = of_gates[..2 * width].split_at_mut(width);
        let kept = if self.is_start { 0.0 } else { 1.0 };
        let inputs = self.update.iter().zip(self.candidate).zip(self.previous).zip(of_joined);
        let out = of_gate.iter_mut().zip(of_candidate).zip(carried);
        for (((of_gate, of_candidate), carried), (((update, candidate), previous), of_joined)) in out.zip(inputs) {
            let of_hidden = of_joined + *carried;
            let rest = 1.0 - update;
            *of_gate = of_hidden * (candidate - kept * previous) * update * rest;
            *of_candidate = of_hidden * update;
            *carried = of_hidden * rest * kept;
        }
    }
}
