//! Loops that wait for an interrupt: once a round has changed nothing, all rounds that fit before the next event are
//! taken at once.

use super::{Bus, Cpu, Registers};
use crate::schedule::NEVER;

/// Of this many jumps backward one is looked at, and the next one compared with it.
const LOOK_EVERY: u32 = 32;

/// The processor at a jump backward.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Round {
    pc: u16,
    sp: u16,
    ime: bool,
    r: Registers,
    now: i64,
    instr_count: i64,
}

/// What rounds that need not be executed add up to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Skipped {
    cycles: i64,
    instructions: i64,
}

/// What a bus must remember to see that the processor runs in circles; no part of the console's state.
#[derive(Clone, Debug)]
pub(crate) struct Rounds {
    jumps: u32,
    then: Round,
    activity_then: u64,
    /// Counts what could make two rounds of a loop differ.
    pub(crate) activity: u64,
    /// Until when the registers read since a round began show the same.
    pub(crate) stable_until: i64,
}

impl Default for Rounds {
    /// Nothing remembered: the next jump is neither looked at nor compared.
    fn default() -> Self {
        Self { jumps: 1, then: Round::default(), activity_then: 0, activity: 0, stable_until: NEVER }
    }
}

impl Rounds {
    /// Forgets earlier jumps, because the host may have changed what the loop reads.
    pub(crate) fn forget(&mut self) {
        self.jumps = 1;
    }

    /// Counts a jump backward; returns whether it is looked at or compared.
    #[inline(always)]
    pub(crate) fn notice_jump(&mut self) -> bool {
        self.jumps = self.jumps.wrapping_add(1);
        self.jumps % LOOK_EVERY < 2
    }

    /// Looks at a round, or compares it with the one before: if nothing has changed, those that end before
    /// `next_due` are skipped, so that what is due is met by executing.
    pub(crate) fn skip(&mut self, round: &Round, next_due: i64) -> Skipped {
        if self.jumps.is_multiple_of(LOOK_EVERY) {
            self.then = *round;
            self.activity_then = self.activity;
            self.stable_until = NEVER;
            return Skipped::default();
        }
        let then = &self.then;
        let is_same = (then.pc, then.sp, then.ime, then.r) == (round.pc, round.sp, round.ime, round.r);
        if !is_same || self.activity != self.activity_then {
            return Skipped::default();
        }
        let length = round.now - then.now;
        let rounds = (next_due.min(self.stable_until) - 1 - round.now).max(0) / length;
        Skipped { cycles: rounds * length, instructions: rounds * (round.instr_count - then.instr_count) }
    }
}

impl Cpu {
    /// Call after a taken jump backward.
    #[inline(always)]
    pub(super) fn notice_jump<B: Bus>(&mut self, bus: &mut B) {
        if bus.notice_jump() {
            let Self { pc, sp, ime, r, now, instr_count, .. } = *self;
            let skipped = bus.skip_rounds(&Round { pc, sp, ime, r, now, instr_count });
            self.now += skipped.cycles;
            self.instr_count += skipped.instructions;
        }
    }
}
