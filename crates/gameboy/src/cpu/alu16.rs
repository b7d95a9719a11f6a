//! Sixteen-bit arithmetic (section 8.3).

use super::flag::{C, H, Z};
use super::{Bus, Cpu, reg};

impl Cpu {
    /// `INC rr` and `DEC rr`.
    #[inline(always)]
    pub(super) fn step_pair<B: Bus>(&mut self, bus: &mut B, pair: usize, by: u16) {
        self.idle(bus);
        self.set_pair_or_sp(pair, self.pair_or_sp(pair).wrapping_add(by));
    }

    #[inline(always)]
    pub(super) fn add_hl<B: Bus>(&mut self, bus: &mut B, pair: usize) {
        self.idle(bus);
        let (left, right) = (u32::from(self.hl()), u32::from(self.pair_or_sp(pair)));
        let sum = left + right;
        let half = ((left ^ right ^ sum) >> 7) as u8 & H;
        self.r.set(reg::F, self.r.get(reg::F) & Z | half | (sum >> 12) as u8 & C);
        self.r.set_pair(2, sum as u16);
    }

    #[inline(always)]
    pub(super) fn add_sp<B: Bus>(&mut self, bus: &mut B) {
        let offset = self.immediate(bus);
        self.idle(bus);
        self.idle(bus);
        self.sp = self.sp_plus(offset);
    }

    /// SP plus a signed offset; the flags are those of the unsigned addition of the low bytes.
    #[inline(always)]
    pub(super) fn sp_plus(&mut self, offset: u8) -> u16 {
        let low = self.sp as u8;
        let half = (low & 15) + (offset & 15) > 15;
        let carry = u16::from(low) + u16::from(offset) > 0xFF;
        self.r.set(reg::F, if half { H } else { 0 } | if carry { C } else { 0 });
        self.sp.wrapping_add_signed(i16::from(offset as i8))
    }
}
