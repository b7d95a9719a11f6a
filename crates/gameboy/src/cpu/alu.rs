//! Eight-bit arithmetic (section 8.2).

use super::flag::{C, H, N, Z};
use super::{Bus, Cpu, reg};

/// Z, N and H after counting up to a value, and after counting down to it.
const INCREASED: [u8; 256] = counted_flags(0, 0x0);
const DECREASED: [u8; 256] = counted_flags(N, 0xF);

const fn counted_flags(always: u8, carried_nibble: u8) -> [u8; 256] {
    let mut flags = [always; 256];
    let mut value = 0;
    while value < 256 {
        if value as u8 & 15 == carried_nibble {
            flags[value] |= H;
        }
        value += 1;
    }
    flags[0] |= Z;
    flags
}

#[inline(always)]
fn when(condition: bool, bit: u8) -> u8 {
    if condition { bit } else { 0 }
}

/// Z if the value is zero.
#[inline(always)]
fn zero(value: u8) -> u8 {
    u8::from(value == 0) << 7
}

impl Cpu {
    #[inline(always)]
    pub(super) fn carry(&self) -> u8 {
        self.r.get(reg::F) >> 4 & 1
    }

    #[inline(always)]
    pub(super) fn add(&mut self, value: u8, carry: u8) {
        let a = self.r.get(reg::A);
        let sum = u16::from(a) + u16::from(value) + u16::from(carry);
        let result = sum as u8;
        let half = (a ^ value ^ result) << 1 & H;
        self.r.set(reg::F, zero(result) | half | (sum >> 4) as u8 & C);
        self.r.set(reg::A, result);
    }

    /// A minus the value and the carry, with its flags; A stays.
    #[inline(always)]
    pub(super) fn difference(&mut self, value: u8, carry: u8) -> u8 {
        let a = self.r.get(reg::A);
        let wide = u16::from(a).wrapping_sub(u16::from(value)).wrapping_sub(u16::from(carry));
        let result = wide as u8;
        let half = (a ^ value ^ result) << 1 & H;
        self.r.set(reg::F, zero(result) | N | half | (wide >> 4) as u8 & C);
        result
    }

    #[inline(always)]
    pub(super) fn and(&mut self, value: u8) {
        let result = self.r.get(reg::A) & value;
        self.r.set(reg::A, result);
        self.r.set(reg::F, zero(result) | H);
    }

    #[inline(always)]
    pub(super) fn xor(&mut self, value: u8) {
        let result = self.r.get(reg::A) ^ value;
        self.r.set(reg::A, result);
        self.r.set(reg::F, zero(result));
    }

    #[inline(always)]
    pub(super) fn or(&mut self, value: u8) {
        let result = self.r.get(reg::A) | value;
        self.r.set(reg::A, result);
        self.r.set(reg::F, zero(result));
    }

    /// The immediate forms, by the same `y` as the register forms.
    #[inline(always)]
    pub(super) fn arithmetic_immediate<B: Bus>(&mut self, bus: &mut B, y: usize) {
        let value = self.immediate(bus);
        match y {
            0 => self.add(value, 0),
            1 => self.add(value, self.carry()),
            2 => {
                let result = self.difference(value, 0);
                self.r.set(reg::A, result);
            }
            3 => {
                let result = self.difference(value, self.carry());
                self.r.set(reg::A, result);
            }
            4 => self.and(value),
            5 => self.xor(value),
            6 => self.or(value),
            _ => {
                self.difference(value, 0);
            }
        }
    }

    #[inline(always)]
    pub(super) fn increased(&mut self, value: u8) -> u8 {
        let result = value.wrapping_add(1);
        self.r.set(reg::F, self.r.get(reg::F) & C | INCREASED[usize::from(result)]);
        result
    }

    #[inline(always)]
    pub(super) fn decreased(&mut self, value: u8) -> u8 {
        let result = value.wrapping_sub(1);
        self.r.set(reg::F, self.r.get(reg::F) & C | DECREASED[usize::from(result)]);
        result
    }

    /// `INC (HL)` and `DEC (HL)`.
    #[inline(always)]
    pub(super) fn change_at_hl<B: Bus>(&mut self, bus: &mut B, change: impl FnOnce(&mut Self, u8) -> u8) {
        let value = self.read(bus, self.hl());
        let changed = change(self, value);
        self.write(bus, self.hl(), changed);
    }

    #[inline(always)]
    pub(super) fn decimal_adjust(&mut self) {
        let (a, f) = (self.r.get(reg::A), self.r.get(reg::F));
        let mut carry = f & C;
        if f & N == 0 {
            let low = when(f & H != 0 || a & 15 > 9, 0x06);
            let high = carry != 0 || a > 0x99;
            carry = when(high, C);
            self.r.set(reg::A, a.wrapping_add(low | when(high, 0x60)));
        } else {
            self.r.set(reg::A, a.wrapping_sub(when(f & H != 0, 0x06) | when(carry != 0, 0x60)));
        }
        self.r.set(reg::F, f & N | carry | zero(self.r.get(reg::A)));
    }

    #[inline(always)]
    pub(super) fn complement(&mut self) {
        self.r.set(reg::A, !self.r.get(reg::A));
        self.r.set(reg::F, self.r.get(reg::F) | N | H);
    }

    #[inline(always)]
    pub(super) fn set_carry(&mut self) {
        self.r.set(reg::F, self.r.get(reg::F) & Z | C);
    }

    #[inline(always)]
    pub(super) fn flip_carry(&mut self) {
        self.r.set(reg::F, self.r.get(reg::F) & Z | (self.r.get(reg::F) ^ C) & C);
    }
}
