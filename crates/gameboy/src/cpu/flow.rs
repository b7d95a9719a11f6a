//! Jumps, calls and returns (section 8.5).

use super::{Bus, Cpu};

impl Cpu {
    #[inline(always)]
    pub(super) fn jump<B: Bus>(&mut self, bus: &mut B, taken: bool) {
        let target = self.immediate_word(bus);
        if taken {
            self.idle(bus);
            let is_backward = target < self.pc;
            self.pc = target;
            if is_backward {
                self.notice_jump(bus);
            }
        }
    }

    #[inline(always)]
    pub(super) fn jump_relative<B: Bus>(&mut self, bus: &mut B, taken: bool) {
        let offset = self.immediate(bus);
        if taken {
            self.idle(bus);
            self.pc = self.pc.wrapping_add_signed(i16::from(offset as i8));
            if offset & 0x80 != 0 {
                self.notice_jump(bus);
            }
        }
    }

    #[inline(always)]
    pub(super) fn call<B: Bus>(&mut self, bus: &mut B, taken: bool) {
        let target = self.immediate_word(bus);
        if taken {
            self.push_slow(bus, self.pc);
            self.pc = target;
        }
    }

    #[inline(always)]
    pub(super) fn restart<B: Bus>(&mut self, bus: &mut B, target: u8) {
        self.push_slow(bus, self.pc);
        self.pc = u16::from(target);
    }

    #[inline(always)]
    pub(super) fn return_from<B: Bus>(&mut self, bus: &mut B) {
        self.pc = self.pop(bus);
        self.idle(bus);
    }

    #[inline(always)]
    pub(super) fn return_if<B: Bus>(&mut self, bus: &mut B, condition: usize) {
        self.idle(bus);
        if self.condition(condition) {
            self.return_from(bus);
        }
    }
}
