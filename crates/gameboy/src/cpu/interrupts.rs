//! Interrupt dispatch, HALT, EI, DI and illegal opcodes (sections 9 and 10).

use super::{Bus, Cpu, Trap};

const ILLEGAL_OPCODE: u8 = 1;
const FIRST_VECTOR: u16 = 0x40;

impl Cpu {
    /// Enters the handler of the pending interrupt with the lowest bit, in five slots.
    pub fn dispatch<B: Bus>(&mut self, bus: &mut B) {
        self.dispatch_pending = false;
        self.read(bus, self.pc);
        self.idle(bus);
        self.idle(bus);
        self.ime = false;
        let [high, low] = self.pc.to_be_bytes();
        self.write(bus, self.sp.wrapping_sub(1), high);
        // Sampled after the first push, which may have overwritten `ie`.
        let pending = bus.pending(self.now);
        if pending == 0 {
            self.pc = 0;
        } else {
            let bit = pending.trailing_zeros();
            // Cleared in the slot of the second push, so that a request raised after that slot is kept.
            bus.acknowledge(bit);
            self.pc = FIRST_VECTOR + 8 * bit as u16;
        }
        self.sp = self.sp.wrapping_sub(2);
        self.write(bus, self.sp, low);
    }

    #[inline(always)]
    pub(super) fn halt<B: Bus>(&mut self, bus: &mut B, at: u16) {
        bus.attend();
        if bus.pending(self.now) == 0 {
            self.halted = true;
        } else if self.ime {
            // The handler returns to the HALT.
            self.pc = at;
        } else {
            self.halt_bug = true;
        }
    }

    #[inline(always)]
    pub(super) fn disable_interrupts(&mut self) {
        self.ime = false;
        self.ei_delay = false;
    }

    #[inline(always)]
    pub(super) fn enable_interrupts<B: Bus>(&mut self, bus: &mut B) {
        if !self.ime {
            self.ei_delay = true;
            bus.attend();
        }
    }

    #[inline(always)]
    pub(super) fn return_enabling<B: Bus>(&mut self, bus: &mut B) {
        self.return_from(bus);
        self.ime = true;
        bus.attend();
    }

    /// Stops the console; `pc` stays on the opcode, which does not count as executed.
    #[inline(always)]
    pub(super) fn trap_illegal<B: Bus>(&mut self, bus: &mut B, at: u16, opcode: u8) {
        self.pc = at;
        self.instr_count -= 1;
        self.trap = Trap { kind: ILLEGAL_OPCODE, pc: at, opcode };
        bus.attend();
    }
}
