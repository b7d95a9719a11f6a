//! Between the processor and its part of the canonical state.

use super::{Cpu, Registers, Trap, reg};
use crate::canonical::Canonical;

impl Cpu {
    /// A state with the processor's fields in place of its own.
    #[must_use]
    pub fn put_into(&self, state: Canonical) -> Canonical {
        let r = self.r.bytes().map(i32::from);
        Canonical {
            pc: self.pc.into(),
            sp: self.sp.into(),
            a: r[reg::A],
            f: r[reg::F],
            b: r[reg::B],
            c: r[reg::C],
            d: r[reg::D],
            e: r[reg::E],
            h: r[reg::H],
            l: r[reg::L],
            ime: self.ime.into(),
            ei_delay: self.ei_delay.into(),
            halted: self.halted.into(),
            halt_bug: self.halt_bug.into(),
            dispatch_pending: self.dispatch_pending.into(),
            trap_kind: self.trap.kind.into(),
            trap_pc: self.trap.pc.into(),
            trap_opcode: self.trap.opcode.into(),
            instr_count: self.instr_count,
            ..state
        }
    }

    /// A processor with these fields, at time 0.
    #[must_use]
    pub fn from_canonical(state: &Canonical) -> Self {
        let values = [state.b, state.c, state.d, state.e, state.h, state.l, state.f & 0xF0, state.a];
        Self {
            r: Registers::new(values.map(|value| value as u8)),
            now: 0,
            pc: state.pc as u16,
            sp: state.sp as u16,
            ime: state.ime != 0,
            ei_delay: state.ei_delay != 0,
            halted: state.halted != 0,
            halt_bug: state.halt_bug != 0,
            dispatch_pending: state.dispatch_pending != 0,
            trap: Trap { kind: state.trap_kind as u8, pc: state.trap_pc as u16, opcode: state.trap_opcode as u8 },
            instr_count: state.instr_count,
        }
    }
}
