//! `Network`: a policy's layers and their forward pass over a block of rows.

use std::ops::Range;

use crate::activation::Activation;
use crate::dense::{Dense, DenseShape};
use crate::entities::{Entities, EntityShape};
use crate::input::{Input, Observation};
use crate::memory::MinGruStep;
use crate::processor::Simd;
use crate::scratch::row_stride;
use crate::tape::Tape;

/// How large the layers of a policy are.
#[derive(Clone, Debug)]
pub struct Shape {
    /// Tables of entities inside the observation, in its order.
    pub entities: Vec<EntityShape>,
    /// Widths of the encoder's layers, at least one.
    pub encoder: Vec<usize>,
    /// Activation after each of them.
    pub activation: Activation,
    /// Whether a MinGRU of the last width follows.
    pub has_memory: bool,
    /// Sum of the options of all heads.
    pub options: usize,
    /// Widths and activations of the critic's hidden layers.
    pub critic: Vec<(usize, Activation)>,
    /// Whether the critic reads the observation rather than the features.
    pub critic_sees_input: bool,
    /// Values of a row: one, or one for each term of the reward.
    pub values: usize,
}

/// A policy's layers with their weights.
#[derive(Debug)]
pub struct Network {
    /// Scales observations.
    pub input: Input,
    /// Encoders of the tables of entities.
    pub entities: Vec<Entities>,
    /// Columns of the floats outside of all tables.
    pub context: Vec<Range<usize>>,
    /// From observations to features.
    pub encoder: Vec<Dense>,
    /// Both gates of the MinGRU in one product.
    pub gates: Option<Dense>,
    /// From features to logits.
    pub actor: Dense,
    /// From features or observations to values.
    pub critic: Vec<Dense>,
    /// Whether the critic reads the observation.
    pub critic_sees_input: bool,
    /// Scale of the critic's last layer.
    pub value_unit: f32,
}

/// Hidden states of rows before a step, and whether they are reset; rows are those of the observations.
pub trait HiddenState {
    /// Returns the hidden state of a row and whether it is reset; `earlier` is the tape up to the block.
    fn of<'a>(&'a self, row: usize, earlier: &'a [f32], stride: usize) -> (&'a [f32], bool);
}

impl Network {
    /// Returns layers with zero weights.
    ///
    /// # Errors
    /// When there is no encoder, or a layer has no width.
    pub fn new(input: Input, shape: &Shape) -> Result<Self, String> {
        let widths = shape.encoder.iter().chain(shape.critic.iter().map(|(width, _)| width));
        if shape.encoder.is_empty()
            || input.width() == 0
            || shape.options == 0
            || shape.values == 0
            || widths.min() == Some(&0)
        {
            return Err(
                "a policy needs an observation, a layer, options, a value, and no layer without width".to_owned()
            );
        }
        let features = *shape.encoder.last().unwrap_or(&0);
        let context = outside(&shape.entities, input.obs)?;
        if !shape.entities.is_empty() && (shape.critic_sees_input || context.is_empty()) {
            return Err("entities need a critic that reads the features, and floats outside of their tables".to_owned());
        }
        let known = context.iter().map(ExactSizeIterator::len).sum();
        let mut inputs = input.width();
        let mut entities = Vec::new();
        for table in &shape.entities {
            let is_beyond = table.first_option.is_some_and(|first| first + table.count > shape.options);
            if table.width == 0 || table.count == 0 || table.features == 0 || is_beyond {
                return Err("a table of entities needs entities, a width, and options for all of them".to_owned());
            }
            entities.push(Entities::new(*table, known, features, inputs));
            inputs += table.width;
        }
        let encoder = tower(inputs, input.width(), shape.encoder.iter().map(|width| (*width, shape.activation)));
        let seen = if shape.critic_sees_input { input.width() } else { features };
        let linear = |inputs, outputs| DenseShape { inputs, outputs, activation: Activation::Linear };
        Ok(Self {
            entities,
            context,
            encoder,
            gates: shape.has_memory.then(|| Dense::new(linear(features, 2 * features))),
            actor: Dense::new(linear(features, shape.options)),
            critic: tower(seen, 0, shape.critic.iter().copied().chain([(shape.values, Activation::Linear)])),
            critic_sees_input: shape.critic_sees_input,
            value_unit: 1.0,
            input,
        })
    }

    /// All layers in the order in which their weights are given: encoder, gates, actor, critic, entities.
    pub fn layers(&self) -> impl Iterator<Item = &Dense> {
        let entities = self.entities.iter().flat_map(Entities::layers);
        self.encoder.iter().chain(&self.gates).chain([&self.actor]).chain(&self.critic).chain(entities)
    }

    /// The same layers, mutable.
    pub fn layers_mut(&mut self) -> impl Iterator<Item = &mut Dense> {
        let entities = self.entities.iter_mut().flat_map(Entities::layers_mut);
        self.encoder.iter_mut().chain(&mut self.gates).chain([&mut self.actor]).chain(&mut self.critic).chain(entities)
    }

    /// Width of the hidden state.
    #[must_use]
    pub fn memory_width(&self) -> usize {
        self.gates.as_ref().map_or(0, |gates| gates.shape.inputs)
    }

    /// Inputs of the first layer: the observation, then the pooled embeddings of all tables.
    #[must_use]
    pub fn input_width(&self) -> usize {
        self.input.width() + self.pooled_width()
    }

    /// Width of the pooled embeddings of all tables.
    #[must_use]
    pub fn pooled_width(&self) -> usize {
        self.entities.iter().map(|entities| entities.shape.width).sum()
    }

    /// Width of the floats outside of all tables.
    #[must_use]
    pub fn context_width(&self) -> usize {
        self.context.iter().map(ExactSizeIterator::len).sum()
    }

    /// Reads some rows of observations and embeds their entities.
    #[inline(always)]
    pub fn read_block<S: Simd>(
        &self,
        simd: S,
        observation: Observation<'_>,
        (first, rows): (usize, usize),
        tape: &mut Tape,
    ) {
        let stride = row_stride(self.input_width());
        self.input.read(observation, first, rows, stride, &mut tape.input);
        if self.entities.is_empty() {
            return;
        }
        let known = row_stride(self.context_width());
        for (row, out) in tape.input.chunks_exact(stride).take(rows).zip(tape.context.chunks_exact_mut(known)) {
            let mut at = 0;
            for columns in &self.context {
                out[at..][..columns.len()].copy_from_slice(&row[columns.clone()]);
                at += columns.len();
            }
        }
        for (entities, trace) in self.entities.iter().zip(&mut tape.entities) {
            entities.embed(simd, rows, &mut tape.input, stride, &tape.context, trace);
        }
    }

    /// Runs the forward pass of some rows of observations and writes activations to the tape from row `at` on.
    #[inline(always)]
    pub fn forward_block<S: Simd>(
        &self,
        simd: S,
        observation: Observation<'_>,
        hidden: &impl HiddenState,
        (first, rows): (usize, usize),
        tape: &mut Tape,
        at: usize,
    ) {
        self.read_block(simd, observation, (first, rows), tape);
        for (index, layer) in self.encoder.iter().enumerate() {
            let (before, after) = tape.encoder.split_at_mut(index);
            let x = match before.last() {
                Some(trace) => &trace.outputs[at * row_stride(layer.shape.inputs)..],
                None => &tape.input,
            };
            layer.forward(simd, rows, x, &mut after[0], at);
        }
        self.memory_forward(simd, hidden, (first, rows), tape, at);
        let stride = row_stride(self.actor.shape.inputs);
        let features = match (&self.gates, tape.encoder.last()) {
            (None, Some(trace)) => &trace.outputs[at * stride..],
            _ => &tape.memory.joined[at * stride..],
        };
        self.actor.forward(simd, rows, features, &mut tape.actor, 0);
        for (entities, trace) in self.entities.iter().zip(&mut tape.entities) {
            entities.point(simd, rows, features, trace, (&mut tape.actor.outputs, self.actor.stride()));
        }
        for (index, layer) in self.critic.iter().enumerate() {
            let (before, after) = tape.critic.split_at_mut(index);
            let x = match before.last() {
                Some(trace) => &trace.outputs[at * row_stride(layer.shape.inputs)..],
                None if self.critic_sees_input => &tape.input,
                None => features,
            };
            layer.forward(simd, rows, x, &mut after[0], at);
        }
    }

    #[inline(always)]
    fn memory_forward<S: Simd>(
        &self,
        simd: S,
        hidden: &impl HiddenState,
        (first, rows): (usize, usize),
        tape: &mut Tape,
        at: usize,
    ) {
        let (Some(gates), Some(features)) = (&self.gates, tape.encoder.last()) else {
            return;
        };
        let (width, stride) = (gates.shape.inputs, row_stride(gates.shape.inputs));
        gates.forward(simd, rows, &features.outputs[at * stride..], &mut tape.gates, 0);
        let trace = &mut tape.memory;
        let (earlier, later) = trace.hidden.split_at_mut(at * stride);
        for row in 0..rows {
            let entries = (at + row) * stride..(at + row) * stride + width;
            let (previous, is_start) = hidden.of(first + row, earlier, stride);
            let step = MinGruStep {
                update: &mut trace.update[entries.clone()],
                candidate: &mut trace.candidate[entries.clone()],
                hidden: &mut later[row * stride..][..width],
                joined: &mut trace.joined[entries.clone()],
            };
            let gates = &tape.gates.outputs[row * gates.stride()..];
            step.forward(gates, &features.outputs[entries], previous, is_start);
        }
    }

    /// Values of a row.
    #[must_use]
    pub fn value_width(&self) -> usize {
        self.critic.last().map_or(0, |layer| layer.shape.outputs)
    }

    /// Values of a row of the tape, in units of the critic's last layer.
    #[inline(always)]
    #[must_use]
    pub fn raw_values<'a>(&self, tape: &'a Tape, row: usize) -> &'a [f32] {
        let width = self.value_width();
        tape.critic.last().map_or(&[], |trace| &trace.outputs[row * row_stride(width)..][..width])
    }
}

/// Returns a stack of layers; inputs of the first one before `learned_from` need no gradient.
fn tower(mut inputs: usize, mut learned_from: usize, layers: impl Iterator<Item = (usize, Activation)>) -> Vec<Dense> {
    let mut dense = Vec::new();
    for (outputs, activation) in layers {
        dense.push(Dense::with_gradient_from(DenseShape { inputs, outputs, activation }, learned_from));
        (inputs, learned_from) = (outputs, 0);
    }
    dense
}

/// Returns the columns outside of the tables.
fn outside(tables: &[EntityShape], width: usize) -> Result<Vec<Range<usize>>, String> {
    let mut columns = Vec::new();
    let mut from = 0;
    for table in tables {
        if table.first < from || table.end() > width {
            return Err(format!("a table of entities from {} to {} is not in its place", table.first, table.end()));
        }
        columns.push(from..table.first);
        from = table.end();
    }
    columns.push(from..width);
    columns.retain(|range| !range.is_empty());
    Ok(columns)
}
