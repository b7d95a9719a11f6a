//! Forward and backward pass of a policy over whole sequences.

use crate::dense::Dense;
use crate::entities::{Entities, EntityGradients};
use crate::input::Observation;
use crate::memory::MinGruGradient;
use crate::network::{HiddenState, Network};
use crate::outer::Sums;
use crate::panels::{BLOCK, TILE_ROWS};
use crate::processor::{Simd, Work, vectorized};
use crate::scratch::{ScratchBuffer, row_stride};
use crate::tape::{Tape, Trace};
use learn::heads::Heads;

/// Sequences of decisions, time-major; a policy without memory has one long step.
#[derive(Clone, Copy, Debug)]
pub struct SequenceBatch<'a> {
    /// Observations, (steps · sequences) rows.
    pub observation: Observation<'a>,
    /// Not 0 where an episode starts.
    pub starts: &'a [u8],
    /// Hidden state before the first step, sequences × memory width.
    pub memory: &'a [f32],
    /// Number of sequences.
    pub sequences: usize,
}

/// Gradients of every layer, with scratch memory.
#[derive(Debug, Default)]
pub struct Gradients {
    sums: Vec<Sums>,
    of_encoder: Vec<ScratchBuffer>,
    of_gates: ScratchBuffer,
    of_actor: ScratchBuffer,
    of_critic: Vec<ScratchBuffer>,
    of_features: ScratchBuffer,
    of_entities: Vec<EntityGradients>,
    of_pooled: ScratchBuffer,
    carried: Vec<f32>,
}

impl SequenceBatch<'_> {
    fn rows(&self) -> usize {
        self.starts.len()
    }

    fn steps(&self) -> usize {
        self.rows().checked_div(self.sequences).unwrap_or(0)
    }

    fn blocks(&self) -> impl DoubleEndedIterator<Item = (usize, usize)> {
        let sequences = self.sequences;
        let of_step = move |step: usize| {
            let blocks = (0..sequences).step_by(BLOCK);
            blocks.map(move |first| (step * sequences + first, BLOCK.min(sequences - first)))
        };
        (0..self.steps()).flat_map(of_step)
    }

    fn check(&self, network: &Network) -> Result<(), String> {
        Heads::check("starts", self.rows(), self.steps(), self.sequences)?;
        network.input.check(self.observation, self.rows())?;
        Heads::check("memory", self.memory.len(), self.sequences, network.memory_width())
    }

    /// Hidden state of a row before its step.
    #[inline(always)]
    fn previous<'a>(&'a self, row: usize, width: usize, hidden: &'a [f32], stride: usize) -> &'a [f32] {
        match row.checked_sub(self.sequences) {
            Some(before) => &hidden[before * stride..][..width],
            None => &self.memory[row * width..][..width],
        }
    }
}

struct SequenceState<'a> {
    batch: &'a SequenceBatch<'a>,
    width: usize,
}

impl HiddenState for SequenceState<'_> {
    #[inline(always)]
    fn of<'a>(&'a self, row: usize, earlier: &'a [f32], stride: usize) -> (&'a [f32], bool) {
        (self.batch.previous(row, self.width, earlier, stride), self.batch.starts[row] != 0)
    }
}

impl Network {
    /// Writes logits, rows × options, and values, rows × values of a row, in units of the critic's last layer; keeps activations on the tape.
    ///
    /// # Errors
    /// When an array does not have rows × its width entries.
    pub fn forward(
        &self,
        batch: &SequenceBatch<'_>,
        tape: &mut Tape,
        logits: &mut [f32],
        values: &mut [f32],
    ) -> Result<(), String> {
        let options = self.actor.shape.outputs;
        batch.check(self)?;
        Heads::check("logits", logits.len(), batch.rows(), options)?;
        let width = self.value_width();
        Heads::check("values", values.len(), batch.rows(), width)?;
        tape.reserve(self, batch.rows(), true);
        for (first, rows) in batch.blocks() {
            let logits = &mut logits[first * options..][..rows * options];
            vectorized(ForwardBlock { network: self, batch, first, rows, tape, logits });
            for (row, values) in (first..first + rows).zip(values[first * width..].chunks_exact_mut(width)) {
                values.copy_from_slice(self.raw_values(tape, row));
            }
        }
        Ok(())
    }

    /// Computes the gradient of every weight from the gradients of logits and values.
    ///
    /// The tape holds the activations of the last `forward`, which must have been of the same batch.
    ///
    /// # Errors
    /// When an array does not have rows × its width entries.
    pub fn backward(
        &self,
        batch: &SequenceBatch<'_>,
        tape: &mut Tape,
        of_logits: &[f32],
        of_values: &[f32],
        gradients: &mut Gradients,
    ) -> Result<(), String> {
        batch.check(self)?;
        Heads::check("of_logits", of_logits.len(), batch.rows(), self.actor.shape.outputs)?;
        Heads::check("of_values", of_values.len(), batch.rows(), self.value_width())?;
        gradients.start(self, batch.sequences);
        for (first, rows) in batch.blocks().rev() {
            vectorized(BackwardBlock { network: self, batch, first, rows, tape, of_logits, of_values, gradients });
        }
        Ok(())
    }

    /// Propagates the gradient of the features through the memory.
    #[inline(always)]
    fn memory_backward<S: Simd>(
        &self,
        simd: S,
        batch: &SequenceBatch<'_>,
        (first, rows): (usize, usize),
        tape: &Tape,
        gradients: &mut Gradients,
    ) {
        let (Some(gates), Some(features)) = (&self.gates, tape.encoder.last()) else {
            return;
        };
        let (width, stride) = (gates.shape.inputs, row_stride(gates.shape.inputs));
        let trace = &tape.memory;
        for (index, row) in (first..first + rows).enumerate() {
            let entries = row * stride..row * stride + width;
            let step = MinGruGradient {
                update: &trace.update[entries.clone()],
                candidate: &trace.candidate[entries],
                previous: batch.previous(row, width, &trace.hidden, stride),
                is_start: batch.starts[row] != 0,
            };
            let carried = &mut gradients.carried[row % batch.sequences * width..][..width];
            let of_gates = &mut gradients.of_gates[index * gates.stride()..];
            step.backward(&gradients.of_features[index * stride..][..width], carried, of_gates);
        }
        gradients.sums[self.encoder.len()].add(simd, rows, &gradients.of_gates, &features.outputs[first * stride..]);
        // The residual connection: the features' own gradient stays and the gates' part is added.
        gates.add_of_inputs(simd, rows, &gradients.of_gates, &mut gradients.of_features);
    }
}

struct ForwardBlock<'a> {
    network: &'a Network,
    batch: &'a SequenceBatch<'a>,
    first: usize,
    rows: usize,
    tape: &'a mut Tape,
    logits: &'a mut [f32],
}

impl Work for ForwardBlock<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { network, batch, first, rows, tape, logits } = self;
        let (options, stride) = (network.actor.shape.outputs, network.actor.stride());
        let hidden = SequenceState { batch, width: network.memory_width() };
        network.forward_block(simd, batch.observation, &hidden, (first, rows), tape, first);
        for (row, out) in tape.actor.outputs.chunks_exact(stride).zip(logits.chunks_exact_mut(options)) {
            out.copy_from_slice(&row[..options]);
        }
    }
}

struct BackwardBlock<'a> {
    network: &'a Network,
    batch: &'a SequenceBatch<'a>,
    first: usize,
    rows: usize,
    tape: &'a mut Tape,
    of_logits: &'a [f32],
    of_values: &'a [f32],
    gradients: &'a mut Gradients,
}

impl Work for BackwardBlock<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { network, batch, first, rows, tape, gradients, .. } = self;
        let options = network.actor.shape.outputs;
        let stride = row_stride(network.actor.shape.inputs);
        network.read_block(simd, batch.observation, (first, rows), tape);
        let given = self.of_logits[first * options..][..rows * options].chunks_exact(options);
        for (out, row) in gradients.of_actor.chunks_exact_mut(network.actor.stride()).zip(given) {
            out[..options].copy_from_slice(row);
        }
        if let Some(of_value) = gradients.of_critic.last_mut() {
            let width = network.value_width();
            let given = self.of_values[first * width..][..rows * width].chunks_exact(width);
            for (out, row) in of_value.chunks_exact_mut(row_stride(width)).zip(given) {
                out[..width].copy_from_slice(row);
            }
        }
        let features = match (&network.gates, tape.encoder.last()) {
            (None, Some(trace)) => &trace.outputs[first * stride..],
            _ => &tape.memory.joined[first * stride..],
        };
        let encoder = network.encoder.len();
        let actor = encoder + usize::from(network.gates.is_some());
        gradients.of_features.fill(0.0);
        let entities = network.layers().count() - network.entities.iter().flat_map(Entities::layers).count();
        let Gradients { sums, of_entities, of_actor, of_features, .. } = &mut *gradients;
        let mut number = entities;
        for ((table, trace), of_table) in network.entities.iter().zip(&mut tape.entities).zip(of_entities) {
            let of_logits = (&of_actor[..], network.actor.stride());
            table.find(simd, rows, features, trace);
            let sums = &mut sums[number..];
            table.point_backward(simd, rows, trace, of_logits, features, of_table, sums, of_features);
            number += table.layers().count();
        }
        gradients.sums[actor].add(simd, rows, &gradients.of_actor, features);
        network.actor.add_of_inputs(simd, rows, &gradients.of_actor, &mut gradients.of_features);
        let seen = if network.critic_sees_input { &tape.input } else { features };
        let critic = Tower { layers: &network.critic, traces: &tape.critic, seen, first, rows };
        let of_seen = (!network.critic_sees_input).then_some(&mut gradients.of_features);
        critic.backward(simd, &mut gradients.of_critic, &mut gradients.sums[actor + 1..], of_seen);
        network.memory_backward(simd, batch, (first, rows), tape, gradients);
        let (Some(last), Some(trace)) = (gradients.of_encoder.last_mut(), tape.encoder.last()) else {
            return;
        };
        last.copy_from_slice(&gradients.of_features);
        scale(&mut last[..rows * stride], &trace.slopes[first * stride..]);
        let tower = Tower { layers: &network.encoder, traces: &tape.encoder, seen: &tape.input, first, rows };
        if network.entities.is_empty() {
            tower.backward(simd, &mut gradients.of_encoder, &mut gradients.sums[..encoder], None);
            return;
        }
        gradients.of_pooled.fill(0.0);
        let of_pooled = Some(&mut gradients.of_pooled);
        tower.backward(simd, &mut gradients.of_encoder, &mut gradients.sums[..encoder], of_pooled);
        let pooled_stride = row_stride(network.pooled_width());
        let (mut number, mut column) = (entities, 0);
        let Gradients { sums, of_entities, of_pooled, .. } = gradients;
        for ((table, trace), of_table) in network.entities.iter().zip(&tape.entities).zip(of_entities) {
            let (of_pooled, sums) = ((&of_pooled[column..], pooled_stride), &mut sums[number..]);
            table.embed_backward(simd, rows, trace, &tape.context, of_pooled, of_table, sums);
            number += table.layers().count();
            column += table.shape.width;
        }
    }
}

/// A stack of layers with the activations of some rows.
struct Tower<'a> {
    layers: &'a [Dense],
    traces: &'a [Trace],
    seen: &'a [f32],
    first: usize,
    rows: usize,
}

impl Tower<'_> {
    /// Propagates the gradient of the last layer's sums to the first layer.
    #[inline(always)]
    fn backward<S: Simd>(
        self,
        simd: S,
        of_sums: &mut [ScratchBuffer],
        sums: &mut [Sums],
        of_seen: Option<&mut ScratchBuffer>,
    ) {
        let Self { layers, traces, seen, first, rows } = self;
        for (number, layer) in layers.iter().enumerate().skip(1).rev() {
            let stride = row_stride(layer.shape.inputs);
            let before = &traces[number - 1];
            let (earlier, later) = of_sums.split_at_mut(number);
            let of_inputs = &mut earlier[number - 1];
            sums[number].add(simd, rows, &later[0], &before.outputs[first * stride..]);
            of_inputs.fill(0.0);
            layer.add_of_inputs(simd, rows, &later[0], of_inputs);
            scale(&mut of_inputs[..rows * stride], &before.slopes[first * stride..]);
        }
        sums[0].add(simd, rows, &of_sums[0], seen);
        if let Some(of_seen) = of_seen {
            layers[0].add_of_inputs(simd, rows, &of_sums[0], of_seen);
        }
    }
}

#[inline(always)]
fn scale(values: &mut [f32], factors: &[f32]) {
    for (value, factor) in values.iter_mut().zip(factors) {
        *value *= factor;
    }
}

impl Gradients {
    /// Writes the gradients of weights and biases, layer after layer.
    ///
    /// # Errors
    /// When there are more or fewer arrays, or one has another number of entries.
    pub fn write<'a>(&self, arrays: &mut [(&'a mut [f32], &'a mut [f32])]) -> Result<(), String> {
        if arrays.len() != self.sums.len() {
            return Err(format!("gradients of {} layers for {} layers", self.sums.len(), arrays.len()));
        }
        self.sums.iter().zip(arrays).try_for_each(|(sums, (weights, bias))| sums.write(weights, bias))
    }

    fn start(&mut self, network: &Network, sequences: usize) {
        if self.sums.is_empty() {
            let block = BLOCK + TILE_ROWS;
            let scratch = |layer: &Dense| ScratchBuffer::of_rows(block, layer.shape.outputs);
            self.sums = network.layers().map(|layer| Sums::new(layer.shape.inputs, layer.shape.outputs)).collect();
            self.of_encoder = network.encoder.iter().map(scratch).collect();
            self.of_gates = network.gates.as_ref().map(scratch).unwrap_or_default();
            self.of_actor = scratch(&network.actor);
            self.of_critic = network.critic.iter().map(scratch).collect();
            self.of_entities = network.entities.iter().map(Entities::gradients).collect();
            self.of_pooled = ScratchBuffer::of_rows(block, network.pooled_width());
            self.of_features = ScratchBuffer::of_rows(block, network.actor.shape.inputs);
        }
        self.sums.iter_mut().for_each(Sums::clear);
        self.carried.clear();
        self.carried.resize(sequences * network.memory_width(), 0.0);
    }
}
