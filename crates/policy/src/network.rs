//! `Network`: a policy's layers, and how a block of rows passes through them.

use crate::activation::Activation;
use crate::dense::{Dense, DenseShape};
use crate::input::{Input, Sight};
use crate::memory::Remembering;
use crate::processor::Simd;
use crate::room::row_stride;
use crate::tape::Tape;

/// How large the layers of a policy are.
#[derive(Clone, Debug)]
pub struct Shape {
    /// Widths of the encoder's layers; one at least.
    pub encoder: Vec<usize>,
    /// Between and after them.
    pub activation: Activation,
    /// Whether a memory as wide as the last of them follows.
    pub has_memory: bool,
    /// Options of all heads together.
    pub options: usize,
    /// Widths and activations of the critic's layers before its last.
    pub critic: Vec<(usize, Activation)>,
    /// Whether the critic sees what the encoder sees, instead of what leaves it.
    pub critic_sees_input: bool,
}

/// A policy's layers with their weights.
#[derive(Debug)]
pub struct Network {
    /// What enters.
    pub input: Input,
    /// Layers up to the features.
    pub encoder: Vec<Dense>,
    /// Both gates of the memory in one product.
    pub gates: Option<Dense>,
    /// From features to logits.
    pub actor: Dense,
    /// From features, or from what enters, to values.
    pub critic: Vec<Dense>,
    /// Whether the critic sees what enters.
    pub critic_sees_input: bool,
    /// Unit of the critic's last layer.
    pub value_unit: f32,
}

/// What rows remember before a step, and whether they forget it: both have one entry per row of the observations.
pub trait Recall {
    /// Returns what the row remembers; `earlier` is the tape up to the block.
    fn of<'a>(&'a self, row: usize, earlier: &'a [f32], stride: usize) -> (&'a [f32], bool);
}

impl Network {
    /// Makes layers whose weights are zeros.
    ///
    /// # Errors
    /// When there is no encoder, or a layer has no width.
    pub fn new(input: Input, shape: &Shape) -> Result<Self, String> {
        let widths = shape.encoder.iter().chain(shape.critic.iter().map(|(width, _)| width));
        if shape.encoder.is_empty() || input.width() == 0 || shape.options == 0 || widths.min() == Some(&0) {
            return Err("a policy needs an observation, a layer, options, and no layer without width".to_owned());
        }
        let encoder = tower(input.width(), shape.encoder.iter().map(|width| (*width, shape.activation)));
        let features = *shape.encoder.last().unwrap_or(&0);
        let seen = if shape.critic_sees_input { input.width() } else { features };
        let linear = |inputs, outputs| DenseShape { inputs, outputs, activation: Activation::Linear };
        Ok(Self {
            encoder,
            gates: shape.has_memory.then(|| Dense::new(linear(features, 2 * features))),
            actor: Dense::new(linear(features, shape.options)),
            critic: tower(seen, shape.critic.iter().copied().chain([(1, Activation::Linear)])),
            critic_sees_input: shape.critic_sees_input,
            value_unit: 1.0,
            input,
        })
    }

    /// All layers in the order in which their weights are given: encoder, gates, actor, critic.
    pub fn layers(&self) -> impl Iterator<Item = &Dense> {
        self.encoder.iter().chain(&self.gates).chain([&self.actor]).chain(&self.critic)
    }

    /// The same, to be changed.
    pub fn layers_mut(&mut self) -> impl Iterator<Item = &mut Dense> {
        self.encoder.iter_mut().chain(&mut self.gates).chain([&mut self.actor]).chain(&mut self.critic)
    }

    /// Numbers a row remembers.
    #[must_use]
    pub fn memory_width(&self) -> usize {
        self.gates.as_ref().map_or(0, |gates| gates.shape.inputs)
    }

    /// Lets rows of observations, given as the first and how many, pass, and keeps them on the tape from `at`.
    #[inline(always)]
    pub fn pass<S: Simd>(
        &self,
        simd: S,
        sight: Sight<'_>,
        recall: &impl Recall,
        (first, rows): (usize, usize),
        tape: &mut Tape,
        at: usize,
    ) {
        self.input.read(sight, first, rows, row_stride(self.input.width()), &mut tape.input);
        for (place, layer) in self.encoder.iter().enumerate() {
            let (before, after) = tape.encoder.split_at_mut(place);
            let x = match before.last() {
                Some(trace) => &trace.outputs[at * row_stride(layer.shape.inputs)..],
                None => &tape.input,
            };
            layer.pass(simd, rows, x, &mut after[0], at);
        }
        self.remember(simd, recall, (first, rows), tape, at);
        let stride = row_stride(self.actor.shape.inputs);
        let features = match (&self.gates, tape.encoder.last()) {
            (None, Some(trace)) => &trace.outputs[at * stride..],
            _ => &tape.memory.joined[at * stride..],
        };
        self.actor.pass(simd, rows, features, &mut tape.actor, 0);
        for (place, layer) in self.critic.iter().enumerate() {
            let (before, after) = tape.critic.split_at_mut(place);
            let x = match before.last() {
                Some(trace) => &trace.outputs[at * row_stride(layer.shape.inputs)..],
                None if self.critic_sees_input => &tape.input,
                None => features,
            };
            layer.pass(simd, rows, x, &mut after[0], at);
        }
    }

    #[inline(always)]
    fn remember<S: Simd>(
        &self,
        simd: S,
        recall: &impl Recall,
        (first, rows): (usize, usize),
        tape: &mut Tape,
        at: usize,
    ) {
        let (Some(gates), Some(features)) = (&self.gates, tape.encoder.last()) else {
            return;
        };
        let (width, stride) = (gates.shape.inputs, row_stride(gates.shape.inputs));
        gates.pass(simd, rows, &features.outputs[at * stride..], &mut tape.gates, 0);
        let trace = &mut tape.memory;
        let (earlier, remembered) = trace.remembered.split_at_mut(at * stride);
        for row in 0..rows {
            let entries = (at + row) * stride..(at + row) * stride + width;
            let (previous, is_start) = recall.of(first + row, earlier, stride);
            let step = Remembering {
                update: &mut trace.update[entries.clone()],
                candidate: &mut trace.candidate[entries.clone()],
                remembered: &mut remembered[row * stride..][..width],
                joined: &mut trace.joined[entries.clone()],
            };
            let gates = &tape.gates.outputs[row * gates.stride()..];
            step.advance(gates, &features.outputs[entries], previous, is_start);
        }
    }

    /// Value of a row of the tape, in the units of the rewards.
    #[inline(always)]
    #[must_use]
    pub fn raw_value(&self, tape: &Tape, row: usize) -> f32 {
        tape.critic.last().map_or(0.0, |trace| trace.outputs[row * row_stride(1)])
    }
}

fn tower(mut inputs: usize, layers: impl Iterator<Item = (usize, Activation)>) -> Vec<Dense> {
    let mut made = Vec::new();
    for (outputs, activation) in layers {
        made.push(Dense::new(DenseShape { inputs, outputs, activation }));
        inputs = outputs;
    }
    made
}
