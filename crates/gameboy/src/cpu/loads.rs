//! Loads (section 8.1): none touches flags except `POP AF` and `LD HL,SP+e8`.

use super::{Bus, Cpu, reg};

impl Cpu {
    #[inline(always)]
    pub(super) fn load_pair<B: Bus>(&mut self, bus: &mut B, pair: usize) {
        let value = self.immediate_word(bus);
        self.set_pair_or_sp(pair, value);
    }

    #[inline(always)]
    pub(super) fn load_a_indirect<B: Bus>(&mut self, bus: &mut B, mode: usize) {
        let address = self.indirect(mode);
        let value = self.read(bus, address);
        self.r.set(reg::A, value);
    }

    #[inline(always)]
    pub(super) fn store_a_indirect<B: Bus>(&mut self, bus: &mut B, mode: usize) {
        let address = self.indirect(mode);
        self.write(bus, address, self.r.get(reg::A));
    }

    /// Address of the forms `(BC)`, `(DE)`, `(HL+)`, `(HL-)`.
    #[inline(always)]
    fn indirect(&mut self, mode: usize) -> u16 {
        let address = self.r.pair(mode.min(2));
        match mode {
            2 => self.r.set_pair(2, address.wrapping_add(1)),
            3 => self.r.set_pair(2, address.wrapping_sub(1)),
            _ => {}
        }
        address
    }

    #[inline(always)]
    pub(super) fn store_immediate<B: Bus>(&mut self, bus: &mut B) {
        let value = self.immediate(bus);
        self.write(bus, self.hl(), value);
    }

    #[inline(always)]
    pub(super) fn store_a_high_immediate<B: Bus>(&mut self, bus: &mut B) {
        let low = self.immediate(bus);
        self.write(bus, 0xFF00 | u16::from(low), self.r.get(reg::A));
    }

    #[inline(always)]
    pub(super) fn load_a_high_immediate<B: Bus>(&mut self, bus: &mut B) {
        let low = self.immediate(bus);
        let value = self.read(bus, 0xFF00 | u16::from(low));
        self.r.set(reg::A, value);
    }

    #[inline(always)]
    pub(super) fn store_a_absolute<B: Bus>(&mut self, bus: &mut B) {
        let address = self.immediate_word(bus);
        self.write(bus, address, self.r.get(reg::A));
    }

    #[inline(always)]
    pub(super) fn load_a_absolute<B: Bus>(&mut self, bus: &mut B) {
        let address = self.immediate_word(bus);
        let value = self.read(bus, address);
        self.r.set(reg::A, value);
    }

    #[inline(always)]
    pub(super) fn store_sp<B: Bus>(&mut self, bus: &mut B) {
        let address = self.immediate_word(bus);
        let [high, low] = self.sp.to_be_bytes();
        self.write(bus, address, low);
        self.write(bus, address.wrapping_add(1), high);
    }

    #[inline(always)]
    pub(super) fn load_sp_hl<B: Bus>(&mut self, bus: &mut B) {
        self.idle(bus);
        self.sp = self.hl();
    }

    #[inline(always)]
    pub(super) fn load_hl_sp<B: Bus>(&mut self, bus: &mut B) {
        let offset = self.immediate(bus);
        self.idle(bus);
        let value = self.sp_plus(offset);
        self.r.set_pair(2, value);
    }

    /// Pushes without the internal slot that comes first in `PUSH`.
    #[inline(always)]
    pub(super) fn push<B: Bus>(&mut self, bus: &mut B, value: u16) {
        let [high, low] = value.to_be_bytes();
        self.write(bus, self.sp.wrapping_sub(1), high);
        self.sp = self.sp.wrapping_sub(2);
        self.write(bus, self.sp, low);
    }

    #[inline(always)]
    pub(super) fn push_slow<B: Bus>(&mut self, bus: &mut B, value: u16) {
        self.idle(bus);
        self.push(bus, value);
    }

    #[inline(always)]
    pub(super) fn pop<B: Bus>(&mut self, bus: &mut B) -> u16 {
        let low = self.read(bus, self.sp);
        let high = self.read(bus, self.sp.wrapping_add(1));
        self.sp = self.sp.wrapping_add(2);
        u16::from_be_bytes([high, low])
    }

    #[inline(always)]
    pub(super) fn pop_af<B: Bus>(&mut self, bus: &mut B) {
        let [a, f] = self.pop(bus).to_be_bytes();
        self.r.set(reg::A, a);
        self.r.set(reg::F, f & 0xF0);
    }
}
