//! Divider and timer (section 12), held as a base time and brought up to date when looked at.

use crate::schedule::{NEVER, SLOT};

/// Bit of `iflag` that the timer sets.
pub const TIMER_REQUEST: u8 = 1 << 2;

/// log2 of the period of each TAC rate: the selected bit of the divider falls that often.
const PERIOD_BITS: [u32; 4] = [10, 4, 6, 8];

/// Divider, counter and reload.
#[derive(Clone, Debug)]
pub struct Timer {
    /// When the divider was, or would have been, zero.
    pub(crate) div_base: i64,
    pub(crate) synced: i64,
    pub(crate) tima: u8,
    pub(crate) tma: u8,
    pub(crate) tac: u8,
    /// Whether the counter has wrapped and is reloaded in the next M-cycle.
    pub(crate) has_overflowed: bool,
    reloaded_at: i64,
}

impl Timer {
    /// A timer at the given time.
    pub(crate) fn new(now: i64, div16: u16) -> Self {
        let div_base = now - i64::from(div16);
        Self { div_base, synced: now, tima: 0, tma: 0, tac: 0, has_overflowed: false, reloaded_at: i64::MIN }
    }

    /// The divider counter at a time.
    pub(crate) fn div16(&self, now: i64) -> u16 {
        (now - self.div_base) as u16
    }

    /// Advances to `to` and returns the requests raised on the way.
    pub(crate) fn sync(&mut self, to: i64) -> u8 {
        let mut requests = 0;
        while self.synced < to {
            if self.has_overflowed {
                self.tima = self.tma;
                self.has_overflowed = false;
                self.reloaded_at = self.synced + SLOT;
                requests = TIMER_REQUEST;
            }
            let Some(period) = self.period_bits() else { break };
            let passed = (self.synced - self.div_base) >> period;
            let edges = ((to - self.div_base) >> period) - passed;
            let needed = 256 - i64::from(self.tima);
            if edges < needed {
                self.tima += edges as u8;
                break;
            }
            self.tima = 0;
            self.has_overflowed = true;
            self.synced = self.div_base + ((passed + needed) << period);
        }
        self.synced = self.synced.max(to);
        requests
    }

    /// When the next request comes if nobody touches the registers.
    pub(crate) fn due(&self) -> i64 {
        if self.has_overflowed {
            return self.synced + SLOT;
        }
        self.period_bits().map_or(NEVER, |period| {
            let passed = (self.synced - self.div_base) >> period;
            self.div_base + ((passed + 256 - i64::from(self.tima)) << period) + SLOT
        })
    }

    pub(crate) fn write_div(&mut self, now: i64) {
        if self.input(now) {
            self.count();
        }
        self.div_base = now;
    }

    pub(crate) fn write_tac(&mut self, now: i64, value: u8) {
        let was_high = self.input(now);
        self.tac = value & 7;
        if was_high && !self.input(now) {
            self.count();
        }
    }

    pub(crate) fn write_tima(&mut self, now: i64, value: u8) {
        if self.reloaded_at != now {
            self.tima = value;
            self.has_overflowed = false;
        }
    }

    pub(crate) fn write_tma(&mut self, now: i64, value: u8) {
        self.tma = value;
        if self.reloaded_at == now {
            self.tima = value;
        }
    }

    fn period_bits(&self) -> Option<u32> {
        (self.tac & 4 != 0).then(|| PERIOD_BITS[usize::from(self.tac & 3)])
    }

    fn input(&self, now: i64) -> bool {
        self.period_bits().is_some_and(|period| self.div16(now) >> (period - 1) & 1 == 1)
    }

    fn count(&mut self) {
        let (tima, wrapped) = self.tima.overflowing_add(1);
        self.tima = tima;
        self.has_overflowed |= wrapped;
    }
}
