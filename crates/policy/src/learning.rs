//! A policy's logits and values of whole sequences, and the gradient of its weights.

use crate::dense::Dense;
use crate::input::Sight;
use crate::memory::Remembered;
use crate::network::{Network, Recall};
use crate::outer::Sums;
use crate::panels::{BLOCK, TILE_ROWS};
use crate::processor::{Simd, Work, vectorized};
use crate::room::{Room, row_stride};
use crate::tape::{Tape, Trace};
use learn::heads::Heads;

/// Sequences of decisions, step by step; a policy without memory has one long step.
#[derive(Clone, Copy, Debug)]
pub struct Lesson<'a> {
    /// What was seen, (steps · sequences) rows.
    pub sight: Sight<'a>,
    /// Not 0 where an episode started.
    pub starts: &'a [u8],
    /// What sequences remember before their first step, sequences × memory width.
    pub memory: &'a [f32],
    /// Sequences side by side.
    pub sequences: usize,
}

/// Gradients of every layer, and room to compute them in.
#[derive(Debug, Default)]
pub struct Gradients {
    sums: Vec<Sums>,
    of_encoder: Vec<Room>,
    of_gates: Room,
    of_actor: Room,
    of_critic: Vec<Room>,
    of_features: Room,
    carried: Vec<f32>,
}

impl Lesson<'_> {
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
        network.input.check(self.sight, self.rows())?;
        Heads::check("memory", self.memory.len(), self.sequences, network.memory_width())
    }

    /// What a row remembers before its step.
    #[inline(always)]
    fn previous<'a>(&'a self, row: usize, width: usize, remembered: &'a [f32], stride: usize) -> &'a [f32] {
        match row.checked_sub(self.sequences) {
            Some(before) => &remembered[before * stride..][..width],
            None => &self.memory[row * width..][..width],
        }
    }
}

struct InOrder<'a> {
    lesson: &'a Lesson<'a>,
    width: usize,
}

impl Recall for InOrder<'_> {
    #[inline(always)]
    fn of<'a>(&'a self, row: usize, earlier: &'a [f32], stride: usize) -> (&'a [f32], bool) {
        (self.lesson.previous(row, self.width, earlier, stride), self.lesson.starts[row] != 0)
    }
}

impl Network {
    /// Writes logits, rows × options, and values in units of the critic's last layer; keeps the rest on the tape.
    ///
    /// # Errors
    /// When an array does not have rows × its width entries.
    pub fn study(
        &self,
        lesson: &Lesson<'_>,
        tape: &mut Tape,
        logits: &mut [f32],
        values: &mut [f32],
    ) -> Result<(), String> {
        let options = self.actor.shape.outputs;
        lesson.check(self)?;
        Heads::check("logits", logits.len(), lesson.rows(), options)?;
        Heads::check("values", values.len(), lesson.rows(), 1)?;
        tape.make_room(self, lesson.rows(), true);
        for (first, rows) in lesson.blocks() {
            let logits = &mut logits[first * options..][..rows * options];
            vectorized(StudyBlock { network: self, lesson, first, rows, tape, logits });
            for (row, value) in (first..first + rows).zip(&mut values[first..]) {
                *value = self.raw_value(tape, row);
            }
        }
        Ok(())
    }

    /// Computes the gradient of every weight from that of logits and values of the lesson studied last.
    ///
    /// # Errors
    /// When an array does not have rows × its width entries.
    pub fn differentiate(
        &self,
        lesson: &Lesson<'_>,
        tape: &mut Tape,
        of_logits: &[f32],
        of_values: &[f32],
        gradients: &mut Gradients,
    ) -> Result<(), String> {
        lesson.check(self)?;
        Heads::check("of_logits", of_logits.len(), lesson.rows(), self.actor.shape.outputs)?;
        Heads::check("of_values", of_values.len(), lesson.rows(), 1)?;
        gradients.start(self, lesson.sequences);
        for (first, rows) in lesson.blocks().rev() {
            vectorized(RetreatBlock { network: self, lesson, first, rows, tape, of_logits, of_values, gradients });
        }
        Ok(())
    }

    /// Passes the gradient of the features on through the memory.
    #[inline(always)]
    fn forget<S: Simd>(
        &self,
        simd: S,
        lesson: &Lesson<'_>,
        (first, rows): (usize, usize),
        tape: &Tape,
        gradients: &mut Gradients,
    ) {
        let (Some(gates), Some(features)) = (&self.gates, tape.encoder.last()) else {
            return;
        };
        let (width, stride) = (gates.shape.inputs, row_stride(gates.shape.inputs));
        let trace = &tape.memory;
        for (place, row) in (first..first + rows).enumerate() {
            let entries = row * stride..row * stride + width;
            let known = Remembered {
                update: &trace.update[entries.clone()],
                candidate: &trace.candidate[entries],
                previous: lesson.previous(row, width, &trace.remembered, stride),
                is_start: lesson.starts[row] != 0,
            };
            let carried = &mut gradients.carried[row % lesson.sequences * width..][..width];
            let of_gates = &mut gradients.of_gates[place * gates.stride()..];
            known.retreat(&gradients.of_features[place * stride..][..width], carried, of_gates);
        }
        gradients.sums[self.encoder.len()].add(simd, rows, &gradients.of_gates, &features.outputs[first * stride..]);
        // The features also pass by the memory, so their gradient stays and what comes through is added.
        gates.add_of_inputs(simd, rows, &gradients.of_gates, &mut gradients.of_features);
    }
}

struct StudyBlock<'a> {
    network: &'a Network,
    lesson: &'a Lesson<'a>,
    first: usize,
    rows: usize,
    tape: &'a mut Tape,
    logits: &'a mut [f32],
}

impl Work for StudyBlock<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { network, lesson, first, rows, tape, logits } = self;
        let (options, stride) = (network.actor.shape.outputs, network.actor.stride());
        let recall = InOrder { lesson, width: network.memory_width() };
        network.pass(simd, lesson.sight, &recall, (first, rows), tape, first);
        for (row, out) in tape.actor.outputs.chunks_exact(stride).zip(logits.chunks_exact_mut(options)) {
            out.copy_from_slice(&row[..options]);
        }
    }
}

struct RetreatBlock<'a> {
    network: &'a Network,
    lesson: &'a Lesson<'a>,
    first: usize,
    rows: usize,
    tape: &'a mut Tape,
    of_logits: &'a [f32],
    of_values: &'a [f32],
    gradients: &'a mut Gradients,
}

impl Work for RetreatBlock<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { network, lesson, first, rows, tape, gradients, .. } = self;
        let options = network.actor.shape.outputs;
        let stride = row_stride(network.actor.shape.inputs);
        network.input.read(lesson.sight, first, rows, row_stride(network.input.width()), &mut tape.input);
        let given = self.of_logits[first * options..][..rows * options].chunks_exact(options);
        for (out, row) in gradients.of_actor.chunks_exact_mut(network.actor.stride()).zip(given) {
            out[..options].copy_from_slice(row);
        }
        if let Some(of_value) = gradients.of_critic.last_mut() {
            for (out, of_value) in of_value.chunks_exact_mut(row_stride(1)).zip(&self.of_values[first..first + rows]) {
                out[0] = *of_value;
            }
        }
        let features = match (&network.gates, tape.encoder.last()) {
            (None, Some(trace)) => &trace.outputs[first * stride..],
            _ => &tape.memory.joined[first * stride..],
        };
        let encoder = network.encoder.len();
        let actor = encoder + usize::from(network.gates.is_some());
        gradients.of_features.fill(0.0);
        gradients.sums[actor].add(simd, rows, &gradients.of_actor, features);
        network.actor.add_of_inputs(simd, rows, &gradients.of_actor, &mut gradients.of_features);
        let seen = if network.critic_sees_input { &tape.input } else { features };
        let critic = Tower { layers: &network.critic, traces: &tape.critic, seen, first, rows };
        let of_seen = (!network.critic_sees_input).then_some(&mut gradients.of_features);
        critic.retreat(simd, &mut gradients.of_critic, &mut gradients.sums[actor + 1..], of_seen);
        network.forget(simd, lesson, (first, rows), tape, gradients);
        let (Some(last), Some(trace)) = (gradients.of_encoder.last_mut(), tape.encoder.last()) else {
            return;
        };
        last.copy_from_slice(&gradients.of_features);
        scale(&mut last[..rows * stride], &trace.slopes[first * stride..]);
        let tower = Tower { layers: &network.encoder, traces: &tape.encoder, seen: &tape.input, first, rows };
        tower.retreat(simd, &mut gradients.of_encoder, &mut gradients.sums[..encoder], None);
    }
}

/// Layers one after another, and what they made of rows.
struct Tower<'a> {
    layers: &'a [Dense],
    traces: &'a [Trace],
    seen: &'a [f32],
    first: usize,
    rows: usize,
}

impl Tower<'_> {
    /// Passes the gradient of the last sums on to the first.
    #[inline(always)]
    fn retreat<S: Simd>(self, simd: S, of_sums: &mut [Room], sums: &mut [Sums], of_seen: Option<&mut Room>) {
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
            let room = |layer: &Dense| Room::of_rows(block, layer.shape.outputs);
            self.sums = network.layers().map(|layer| Sums::new(layer.shape.inputs, layer.shape.outputs)).collect();
            self.of_encoder = network.encoder.iter().map(room).collect();
            self.of_gates = network.gates.as_ref().map(room).unwrap_or_default();
            self.of_actor = room(&network.actor);
            self.of_critic = network.critic.iter().map(room).collect();
            self.of_features = Room::of_rows(block, network.actor.shape.inputs);
        }
        self.sums.iter_mut().for_each(Sums::clear);
        self.carried.clear();
        self.carried.resize(sequences * network.memory_width(), 0.0);
    }
}
