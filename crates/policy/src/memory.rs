//! A gated average: what is remembered is a share of the new and the rest of the old.

use crate::activation::sigmoid;

/// One row of what a memory does, every slice as wide as the memory.
#[derive(Debug)]
pub struct Remembering<'a> {
    /// Share of the new.
    pub update: &'a mut [f32],
    /// The new.
    pub candidate: &'a mut [f32],
    /// What is remembered afterwards.
    pub remembered: &'a mut [f32],
    /// That, added to the features.
    pub joined: &'a mut [f32],
}

impl Remembering<'_> {
    /// Remembers; where an episode starts the old is forgotten.
    #[inline(always)]
    pub fn advance(self, gates: &[f32], features: &[f32], previous: &[f32], is_start: bool) {
        let width = self.update.len();
        let (gate, candidate) = gates[..2 * width].split_at(width);
        let kept = if is_start { 0.0 } else { 1.0 };
        for (update, gate) in self.update.iter_mut().zip(gate) {
            *update = sigmoid(*gate);
        }
        self.candidate.copy_from_slice(candidate);
        let new = self.update.iter().zip(candidate).zip(previous).zip(features);
        for ((remembered, joined), (((update, candidate), previous), features)) in
            self.remembered.iter_mut().zip(self.joined).zip(new)
        {
            *remembered = ((1.0 - update) * kept).mul_add(*previous, update * candidate);
            *joined = *remembered + features;
        }
    }
}

/// One row of what a memory did, and of what later steps made of it.
#[derive(Clone, Copy, Debug)]
pub struct Remembered<'a> {
    /// Share of the new.
    pub update: &'a [f32],
    /// The new.
    pub candidate: &'a [f32],
    /// What was remembered before.
    pub previous: &'a [f32],
    /// Whether that was forgotten.
    pub is_start: bool,
}

impl Remembered<'_> {
    /// Takes the gradient of what left the memory; writes that of the gates and passes on that of what came before.
    ///
    /// `carried` holds the gradient later steps have for what is remembered, and afterwards that of this step for
    /// what was remembered before.
    #[inline(always)]
    pub fn retreat(self, of_joined: &[f32], carried: &mut [f32], of_gates: &mut [f32]) {
        let width = self.update.len();
        let (of_gate, of_candidate) = of_gates[..2 * width].split_at_mut(width);
        let kept = if self.is_start { 0.0 } else { 1.0 };
        let known = self.update.iter().zip(self.candidate).zip(self.previous).zip(of_joined);
        let out = of_gate.iter_mut().zip(of_candidate).zip(carried);
        for (((of_gate, of_candidate), carried), (((update, candidate), previous), of_joined)) in out.zip(known) {
            let of_remembered = of_joined + *carried;
            let rest = 1.0 - update;
            *of_gate = of_remembered * (candidate - kept * previous) * update * rest;
            *of_candidate = of_remembered * update;
            *carried = of_remembered * rest * kept;
        }
    }
}
