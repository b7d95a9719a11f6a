//! Actions and values of a policy for rows of observations.

use std::ops::Range;

use crate::input::Observation;
use crate::network::{HiddenState, Network};
use crate::panels::BLOCK;
use crate::processor::{Simd, Work, vectorized};
use crate::scratch::row_stride;
use crate::tape::Tape;
use learn::heads::Heads;
use learn::sample::{DrawKey, sample};

/// Input of one decision of every row.
#[derive(Clone, Copy, Debug)]
pub struct ActInput<'a> {
    /// Observations of the rows.
    pub observation: Observation<'a>,
    /// Not 0 where an episode starts: the row's hidden state is reset.
    pub starts: &'a [u8],
}

/// How one option per head is sampled.
#[derive(Clone, Copy, Debug)]
pub struct SamplingParams<'a> {
    /// Layout and exploration of the heads.
    pub heads: &'a Heads,
    /// Rows × options, 0 where an option is invalid; None if all are valid.
    pub masks: Option<&'a [u8]>,
    /// Key of the random draws; None takes the most likely option.
    pub key: Option<DrawKey>,
}

/// Buffers that a decision is written to.
#[derive(Debug)]
pub struct ActOutput<'a> {
    /// Rows × heads.
    pub actions: &'a mut [i32],
    /// Rows × heads.
    pub log_probs: &'a mut [f32],
    /// Rows × values of a row.
    pub values: &'a mut [f32],
    /// Hidden state before the step, replaced by the one after it; rows × memory width.
    pub memory: &'a mut [f32],
}

struct StepState<'a> {
    memory: &'a [f32],
    starts: &'a [u8],
    width: usize,
}

impl HiddenState for StepState<'_> {
    #[inline(always)]
    fn of<'a>(&'a self, row: usize, _earlier: &'a [f32], _stride: usize) -> (&'a [f32], bool) {
        (&self.memory[row * self.width..][..self.width], self.starts[row] != 0)
    }
}

impl Network {
    /// Samples actions and computes values for every row.
    ///
    /// # Errors
    /// When an array does not have rows × its width entries.
    ///
    /// # Returns
    /// The number of rows with a logit that is not finite.
    pub fn act(
        &self,
        input: ActInput<'_>,
        params: SamplingParams<'_>,
        mut output: ActOutput<'_>,
        tape: &mut Tape,
    ) -> Result<usize, String> {
        let rows = input.starts.len();
        let (count, options) = (params.heads.count(), params.heads.options());
        self.check(input, output.memory, rows)?;
        Heads::check("values", output.values.len(), rows, self.value_width())?;
        Heads::check("actions", output.actions.len(), rows, count)?;
        Heads::check("log_probs", output.log_probs.len(), rows, count)?;
        Heads::check("logits", self.actor.shape.outputs, 1, options)?;
        if let Some(masks) = params.masks {
            Heads::check("masks", masks.len(), rows, options)?;
        }
        tape.reserve(self, BLOCK, false);
        let mut not_finite = 0;
        for first in (0..rows).step_by(BLOCK) {
            let block = first..rows.min(first + BLOCK);
            let output = &mut output;
            not_finite += vectorized(ActBlock { network: self, input, params, output, block, tape })?;
        }
        Ok(not_finite)
    }

    /// Computes the values of every row; the hidden state does not change.
    ///
    /// # Errors
    /// When an array does not have rows × its width entries.
    pub fn values(
        &self,
        input: ActInput<'_>,
        memory: &[f32],
        values: &mut [f32],
        tape: &mut Tape,
    ) -> Result<(), String> {
        let (rows, width) = (input.starts.len(), self.value_width());
        self.check(input, memory, rows)?;
        Heads::check("values", values.len(), rows, width)?;
        tape.reserve(self, BLOCK, false);
        for first in (0..rows).step_by(BLOCK) {
            let values = &mut values[first * width..rows.min(first + BLOCK) * width];
            vectorized(ValueBlock { network: self, input, memory, first, values, tape });
        }
        Ok(())
    }

    fn check(&self, input: ActInput<'_>, memory: &[f32], rows: usize) -> Result<(), String> {
        self.input.check(input.observation, rows)?;
        Heads::check("starts", input.starts.len(), rows, 1)?;
        Heads::check("memory", memory.len(), rows, self.memory_width())
    }
}

struct ActBlock<'a, 'b> {
    network: &'a Network,
    input: ActInput<'a>,
    params: SamplingParams<'a>,
    output: &'a mut ActOutput<'b>,
    block: Range<usize>,
    tape: &'a mut Tape,
}

impl Work for ActBlock<'_, '_> {
    type Output = Result<usize, String>;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Result<usize, String> {
        let Self { network, input, params, output, block, tape } = self;
        let (count, options, width) = (params.heads.count(), params.heads.options(), network.memory_width());
        let within = |width: usize| block.start * width..block.end * width;
        let (memory, values) = (&*output.memory, &mut output.values[within(network.value_width())]);
        ValueBlock { network, input, memory, first: block.start, values, tape }.run(simd);
        let logits = &mut tape.logits[..block.len() * options];
        let computed = tape.actor.outputs.chunks_exact(network.actor.stride());
        for (row, out) in computed.zip(logits.chunks_exact_mut(options)) {
            out.copy_from_slice(&row[..options]);
        }
        if width > 0 {
            let hidden = tape.memory.hidden.chunks_exact(row_stride(width));
            for (row, out) in hidden.zip(output.memory[within(width)].chunks_exact_mut(width)) {
                out.copy_from_slice(&row[..width]);
            }
        }
        sample(
            params.heads,
            logits,
            params.masks.map(|masks| &masks[within(options)]),
            params.key.map(|key| DrawKey { row: key.row + block.start as u64, ..key }),
            &mut output.actions[within(count)],
            &mut output.log_probs[within(count)],
        )
    }
}

struct ValueBlock<'a> {
    network: &'a Network,
    input: ActInput<'a>,
    memory: &'a [f32],
    first: usize,
    values: &'a mut [f32],
    tape: &'a mut Tape,
}

impl Work for ValueBlock<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { network, input, memory, first, values, tape } = self;
        let hidden = StepState { memory, starts: input.starts, width: network.memory_width() };
        let width = network.value_width();
        network.forward_block(simd, input.observation, &hidden, (first, values.len() / width), tape, 0);
        for (row, values) in values.chunks_exact_mut(width).enumerate() {
            for (value, raw) in values.iter_mut().zip(network.raw_values(tape, row)) {
                *value = raw * network.value_unit;
            }
        }
    }
}
