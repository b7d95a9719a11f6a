//! What a policy decides for rows of observations.

use std::ops::Range;

use crate::input::Sight;
use crate::network::{Network, Recall};
use crate::panels::BLOCK;
use crate::processor::{Simd, Work, vectorized};
use crate::room::row_stride;
use crate::tape::Tape;
use learn::heads::Heads;
use learn::sample::{DrawKey, sample};

/// What a decision is taken from.
#[derive(Clone, Copy, Debug)]
pub struct Situation<'a> {
    /// What the rows see.
    pub sight: Sight<'a>,
    /// Not 0 where a row's episode starts and it forgets.
    pub starts: &'a [u8],
}

/// How one option per head is chosen.
#[derive(Clone, Copy, Debug)]
pub struct Choosing<'a> {
    /// Where the heads lie, and how much they explore.
    pub heads: &'a Heads,
    /// Rows × options, 0 where an option is not valid; None where all are.
    pub masks: Option<&'a [u8]>,
    /// What the draws belong to; None takes the likeliest option.
    pub key: Option<DrawKey>,
}

/// Where a decision is written.
#[derive(Debug)]
pub struct Decision<'a> {
    /// Rows × heads.
    pub actions: &'a mut [i32],
    /// Rows × heads.
    pub log_probs: &'a mut [f32],
    /// Of every row.
    pub values: &'a mut [f32],
    /// What the rows remember before, and afterwards; rows × memory width.
    pub memory: &'a mut [f32],
}

struct Before<'a> {
    memory: &'a [f32],
    starts: &'a [u8],
    width: usize,
}

impl Recall for Before<'_> {
    #[inline(always)]
    fn of<'a>(&'a self, row: usize, _earlier: &'a [f32], _stride: usize) -> (&'a [f32], bool) {
        (&self.memory[row * self.width..][..self.width], self.starts[row] != 0)
    }
}

impl Network {
    /// Decides for every row.
    ///
    /// # Errors
    /// When an array does not have rows × its width entries.
    ///
    /// # Returns
    /// How many rows had a logit that is not a number.
    pub fn act(
        &self,
        situation: Situation<'_>,
        choosing: Choosing<'_>,
        mut decision: Decision<'_>,
        tape: &mut Tape,
    ) -> Result<usize, String> {
        let rows = decision.values.len();
        let (count, options) = (choosing.heads.count(), choosing.heads.options());
        self.check(situation, decision.memory, rows)?;
        Heads::check("actions", decision.actions.len(), rows, count)?;
        Heads::check("log_probs", decision.log_probs.len(), rows, count)?;
        Heads::check("logits", self.actor.shape.outputs, 1, options)?;
        if let Some(masks) = choosing.masks {
            Heads::check("masks", masks.len(), rows, options)?;
        }
        tape.make_room(self, BLOCK, false);
        let mut broken = 0;
        for first in (0..rows).step_by(BLOCK) {
            let block = first..rows.min(first + BLOCK);
            let decision = &mut decision;
            broken += vectorized(ActBlock { network: self, situation, choosing, decision, block, tape })?;
        }
        Ok(broken)
    }

    /// Values every row; nothing is remembered of it.
    ///
    /// # Errors
    /// When an array does not have rows × its width entries.
    pub fn appraise(
        &self,
        situation: Situation<'_>,
        memory: &[f32],
        values: &mut [f32],
        tape: &mut Tape,
    ) -> Result<(), String> {
        let rows = values.len();
        self.check(situation, memory, rows)?;
        tape.make_room(self, BLOCK, false);
        for first in (0..rows).step_by(BLOCK) {
            let values = &mut values[first..rows.min(first + BLOCK)];
            vectorized(AppraiseBlock { network: self, situation, memory, first, values, tape });
        }
        Ok(())
    }

    fn check(&self, situation: Situation<'_>, memory: &[f32], rows: usize) -> Result<(), String> {
        self.input.check(situation.sight, rows)?;
        Heads::check("starts", situation.starts.len(), rows, 1)?;
        Heads::check("memory", memory.len(), rows, self.memory_width())
    }
}

struct ActBlock<'a, 'b> {
    network: &'a Network,
    situation: Situation<'a>,
    choosing: Choosing<'a>,
    decision: &'a mut Decision<'b>,
    block: Range<usize>,
    tape: &'a mut Tape,
}

impl Work for ActBlock<'_, '_> {
    type Output = Result<usize, String>;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Result<usize, String> {
        let Self { network, situation, choosing, decision, block, tape } = self;
        let (count, options, width) = (choosing.heads.count(), choosing.heads.options(), network.memory_width());
        let within = |width: usize| block.start * width..block.end * width;
        let (memory, values) = (&*decision.memory, &mut decision.values[block.clone()]);
        AppraiseBlock { network, situation, memory, first: block.start, values, tape }.run(simd);
        let logits = &mut tape.logits[..block.len() * options];
        let computed = tape.actor.outputs.chunks_exact(network.actor.stride());
        for (row, out) in computed.zip(logits.chunks_exact_mut(options)) {
            out.copy_from_slice(&row[..options]);
        }
        if width > 0 {
            let remembered = tape.memory.remembered.chunks_exact(row_stride(width));
            for (row, out) in remembered.zip(decision.memory[within(width)].chunks_exact_mut(width)) {
                out.copy_from_slice(&row[..width]);
            }
        }
        sample(
            choosing.heads,
            logits,
            choosing.masks.map(|masks| &masks[within(options)]),
            choosing.key.map(|key| DrawKey { row: key.row + block.start as u64, ..key }),
            &mut decision.actions[within(count)],
            &mut decision.log_probs[within(count)],
        )
    }
}

struct AppraiseBlock<'a> {
    network: &'a Network,
    situation: Situation<'a>,
    memory: &'a [f32],
    first: usize,
    values: &'a mut [f32],
    tape: &'a mut Tape,
}

impl Work for AppraiseBlock<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { network, situation, memory, first, values, tape } = self;
        let before = Before { memory, starts: situation.starts, width: network.memory_width() };
        network.pass(simd, situation.sight, &before, (first, values.len()), tape, 0);
        for (row, value) in values.iter_mut().enumerate() {
            *value = network.raw_value(tape, row) * network.value_unit;
        }
    }
}
