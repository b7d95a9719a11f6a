//! Loops that wait for an interrupt: once a round has changed nothing, all rounds that fit before the next event are
//! taken at once.

use super::{Bus, Cpu, Registers};

/// Of this many jumps backward one is looked at, and the next one compared with it.
const LOOK_EVERY: u32 = 32;

/// The processor at an earlier jump backward.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spin {
    jumps: u32,
    pc: u16,
    sp: u16,
    ime: bool,
    r: Registers,
    now: i64,
    instr_count: i64,
    watched: u64,
}

impl Default for Spin {
    /// Nothing remembered: the next jump is neither looked at nor compared.
    fn default() -> Self {
        Self { jumps: 1, pc: 0, sp: 0, ime: false, r: Registers::default(), now: 0, instr_count: 0, watched: 0 }
    }
}

impl Cpu {
    /// Forgets earlier jumps, because the host may have changed what the loop reads.
    pub(crate) fn forget_rounds(&mut self) {
        self.spin = Spin::default();
    }

    /// Call after a taken jump backward.
    #[inline(always)]
    pub(super) fn notice_jump<B: Bus>(&mut self, bus: &mut B) {
        self.spin.jumps = self.spin.jumps.wrapping_add(1);
        match self.spin.jumps % LOOK_EVERY {
            0 => self.remember_round(bus),
            1 => self.skip_rounds(bus),
            _ => {}
        }
    }

    #[inline(never)]
    fn remember_round<B: Bus>(&mut self, bus: &mut B) {
        self.spin = Spin {
            jumps: self.spin.jumps,
            pc: self.pc,
            sp: self.sp,
            ime: self.ime,
            r: self.r,
            now: self.now,
            instr_count: self.instr_count,
            watched: bus.watch_round(),
        };
    }

    #[inline(never)]
    fn skip_rounds<B: Bus>(&mut self, bus: &B) {
        let then = &self.spin;
        let is_same = (then.pc, then.sp, then.ime, then.r) == (self.pc, self.sp, self.ime, self.r);
        if !is_same {
            return;
        }
        let (round, instructions) = (self.now - then.now, self.instr_count - then.instr_count);
        // The last round ends before anything is due, so that what is due is met by executing, not by skipping.
        let rounds = (bus.quiet_until(then.watched) - 1 - self.now).max(0) / round;
        self.now += rounds * round;
        self.instr_count += rounds * instructions;
    }
}
