//! From opcode to instruction.

use super::every_byte::every_byte;
use super::{Bus, Cpu, reg};

/// Place of `(HL)` among the eight operands of an opcode.
const AT_HL: usize = 6;

/// Operand, operation or condition in bits 5-3.
#[inline(always)]
fn to(opcode: u8) -> usize {
    usize::from(opcode >> 3 & 7)
}

/// Operand in bits 2-0.
#[inline(always)]
fn from(opcode: u8) -> usize {
    usize::from(opcode & 7)
}

/// Pair in bits 5-4.
#[inline(always)]
fn pair(opcode: u8) -> usize {
    usize::from(opcode >> 4 & 3)
}

impl Cpu {
    /// Executes the instruction at `pc`, from its opcode fetch to its last slot.
    #[inline(always)]
    pub fn execute<B: Bus>(&mut self, bus: &mut B) {
        self.execute_from::<B, 1>(bus);
    }

    /// Executes the instruction at `pc` after the HALT bug: its opcode is read again as the byte that follows it.
    pub fn execute_halt_bug<B: Bus>(&mut self, bus: &mut B) {
        self.halt_bug = false;
        self.execute_from::<B, 0>(bus);
    }

    #[inline(always)]
    fn execute_from<B: Bus, const FETCHED: u16>(&mut self, bus: &mut B) {
        let at = self.pc;
        let opcode = self.read(bus, at);
        self.pc = at.wrapping_add(FETCHED);
        self.instr_count += 1;
        macro_rules! perform {
            ($($opcode:literal)*) => {
                match opcode {
                    $($opcode => self.perform::<B, $opcode>(bus, at),)*
                }
            };
        }
        every_byte!(perform);
    }

    /// What an opcode does after its fetch. It is known to the compiler, which keeps registers in registers.
    #[inline(always)]
    fn perform<B: Bus, const OPCODE: u8>(&mut self, bus: &mut B, at: u16) {
        let opcode = OPCODE;
        match opcode {
            0x00 => {}
            0x01 | 0x11 | 0x21 | 0x31 => self.load_pair(bus, pair(opcode)),
            0x02 | 0x12 | 0x22 | 0x32 => self.store_a_indirect(bus, pair(opcode)),
            0x0A | 0x1A | 0x2A | 0x3A => self.load_a_indirect(bus, pair(opcode)),
            0x03 | 0x13 | 0x23 | 0x33 => self.step_pair(bus, pair(opcode), 1),
            0x0B | 0x1B | 0x2B | 0x3B => self.step_pair(bus, pair(opcode), u16::MAX),
            0x34 => self.change_at_hl(bus, Self::increased),
            0x35 => self.change_at_hl(bus, Self::decreased),
            0x04 | 0x0C | 0x14 | 0x1C | 0x24 | 0x2C | 0x3C => {
                let value = self.increased(self.r.get(to(opcode)));
                self.r.set(to(opcode), value);
            }
            0x05 | 0x0D | 0x15 | 0x1D | 0x25 | 0x2D | 0x3D => {
                let value = self.decreased(self.r.get(to(opcode)));
                self.r.set(to(opcode), value);
            }
            0x36 => self.store_immediate(bus),
            0x06 | 0x0E | 0x16 | 0x1E | 0x26 | 0x2E | 0x3E => {
                let value = self.immediate(bus);
                self.r.set(to(opcode), value);
            }
            0x07 | 0x0F | 0x17 | 0x1F => self.rotate_a(to(opcode)),
            0x08 => self.store_sp(bus),
            0x09 | 0x19 | 0x29 | 0x39 => self.add_hl(bus, pair(opcode)),
            // STOP is a two-byte no-op whose second byte is not read.
            0x10 => self.pc = self.pc.wrapping_add(1),
            0x18 => self.jump_relative(bus, true),
            0x20 | 0x28 | 0x30 | 0x38 => self.jump_relative(bus, self.condition(to(opcode) & 3)),
            0x27 => self.decimal_adjust(),
            0x2F => self.complement(),
            0x37 => self.set_carry(),
            0x3F => self.flip_carry(),
            0x76 => self.halt(bus, at),
            0x46 | 0x4E | 0x56 | 0x5E | 0x66 | 0x6E | 0x7E => {
                let value = self.read(bus, self.hl());
                self.r.set(to(opcode), value);
            }
            0x70..=0x77 => self.write(bus, self.hl(), self.r.get(from(opcode))),
            0x40..=0x7F => self.r.set(to(opcode), self.r.get(from(opcode))),
            0x80..=0x87 => {
                let value = self.operand(bus, from(opcode));
                self.add(value, 0);
            }
            0x88..=0x8F => {
                let value = self.operand(bus, from(opcode));
                self.add(value, self.carry());
            }
            0x90..=0x97 => {
                let value = self.operand(bus, from(opcode));
                let result = self.difference(value, 0);
                self.r.set(reg::A, result);
            }
            0x98..=0x9F => {
                let value = self.operand(bus, from(opcode));
                let result = self.difference(value, self.carry());
                self.r.set(reg::A, result);
            }
            0xA0..=0xA7 => {
                let value = self.operand(bus, from(opcode));
                self.and(value);
            }
            0xA8..=0xAF => {
                let value = self.operand(bus, from(opcode));
                self.xor(value);
            }
            0xB0..=0xB7 => {
                let value = self.operand(bus, from(opcode));
                self.or(value);
            }
            0xB8..=0xBF => {
                let value = self.operand(bus, from(opcode));
                self.difference(value, 0);
            }
            0xC6 | 0xCE | 0xD6 | 0xDE | 0xE6 | 0xEE | 0xF6 | 0xFE => self.arithmetic_immediate(bus, to(opcode)),
            0xC0 | 0xC8 | 0xD0 | 0xD8 => self.return_if(bus, to(opcode) & 3),
            0xC1 | 0xD1 | 0xE1 => {
                let value = self.pop(bus);
                self.r.set_pair(pair(opcode), value);
            }
            0xF1 => self.pop_af(bus),
            0xC5 | 0xD5 | 0xE5 => self.push_slow(bus, self.r.pair(pair(opcode))),
            0xF5 => self.push_slow(bus, u16::from_be_bytes([self.r.get(reg::A), self.r.get(reg::F)])),
            0xC2 | 0xCA | 0xD2 | 0xDA => self.jump(bus, self.condition(to(opcode) & 3)),
            0xC3 => self.jump(bus, true),
            0xC4 | 0xCC | 0xD4 | 0xDC => self.call(bus, self.condition(to(opcode) & 3)),
            0xCD => self.call(bus, true),
            0xC7 | 0xCF | 0xD7 | 0xDF | 0xE7 | 0xEF | 0xF7 | 0xFF => self.restart(bus, opcode & 0x38),
            0xC9 => self.return_from(bus),
            0xD9 => self.return_enabling(bus),
            0xCB => self.prefixed(bus),
            0xE0 => self.store_a_high_immediate(bus),
            0xF0 => self.load_a_high_immediate(bus),
            0xE2 => self.write(bus, 0xFF00 | u16::from(self.r.get(reg::C)), self.r.get(reg::A)),
            0xF2 => {
                let value = self.read(bus, 0xFF00 | u16::from(self.r.get(reg::C)));
                self.r.set(reg::A, value);
            }
            0xE8 => self.add_sp(bus),
            0xF8 => self.load_hl_sp(bus),
            0xE9 => self.pc = self.hl(),
            0xF9 => self.load_sp_hl(bus),
            0xEA => self.store_a_absolute(bus),
            0xFA => self.load_a_absolute(bus),
            0xF3 => self.disable_interrupts(),
            0xFB => self.enable_interrupts(bus),
            0xD3 | 0xDB | 0xDD | 0xE3 | 0xE4 | 0xEB | 0xEC | 0xED | 0xF4 | 0xFC | 0xFD => {
                self.trap_illegal(bus, at, opcode)
            }
        }
    }

    /// The register at this place in opcodes, or the byte at `(HL)`.
    #[inline(always)]
    fn operand<B: Bus>(&mut self, bus: &mut B, place: usize) -> u8 {
        if place == AT_HL { self.read(bus, self.hl()) } else { self.r.get(place) }
    }
}
