//! Rotates, shifts and single bits (section 8.4).

use super::every_byte::every_byte;
use super::flag::{C, H, Z};
use super::{Bus, Cpu, reg};

const AT_HL: usize = 6;

impl Cpu {
    /// RLCA, RRCA, RLA, RRA.
    #[inline(always)]
    pub(super) fn rotate_a(&mut self, y: usize) {
        let rotated = self.shifted(y, self.r.get(reg::A));
        self.r.set(reg::A, rotated);
        self.r.set(reg::F, self.r.get(reg::F) & C);
    }

    /// Everything behind the prefix `CB`.
    #[inline(always)]
    pub(super) fn prefixed<B: Bus>(&mut self, bus: &mut B) {
        let opcode = self.immediate(bus);
        macro_rules! operate {
            ($($opcode:literal)*) => {
                match opcode {
                    $($opcode => self.bit_operation::<B, $opcode>(bus),)*
                }
            };
        }
        every_byte!(operate);
    }

    #[inline(always)]
    fn bit_operation<B: Bus, const OPCODE: u8>(&mut self, bus: &mut B) {
        let (y, place) = (usize::from(OPCODE >> 3 & 7), usize::from(OPCODE & 7));
        let value = if place == AT_HL { self.read(bus, self.hl()) } else { self.r.get(place) };
        let result = match OPCODE >> 6 {
            0 => self.shifted(y, value),
            1 => return self.test_bit(y, value),
            2 => value & !(1 << y),
            _ => value | 1 << y,
        };
        if place == AT_HL { self.write(bus, self.hl(), result) } else { self.r.set(place, result) }
    }

    #[inline(always)]
    fn test_bit(&mut self, bit: usize, value: u8) {
        let zero = if value >> bit & 1 == 0 { Z } else { 0 };
        self.r.set(reg::F, self.r.get(reg::F) & C | H | zero);
    }

    /// RLC, RRC, RL, RR, SLA, SRA, SWAP, SRL by `y`.
    #[inline(always)]
    fn shifted(&mut self, y: usize, value: u8) -> u8 {
        let carry = self.r.get(reg::F) >> 4 & 1;
        let (result, out) = match y {
            0 => (value.rotate_left(1), value >> 7),
            1 => (value.rotate_right(1), value & 1),
            2 => (value << 1 | carry, value >> 7),
            3 => (value >> 1 | carry << 7, value & 1),
            4 => (value << 1, value >> 7),
            5 => (value >> 1 | value & 0x80, value & 1),
            6 => (value.rotate_left(4), 0),
            _ => (value >> 1, value & 1),
        };
        self.r.set(reg::F, if result == 0 { Z } else { 0 } | out << 4);
        result
    }
}
