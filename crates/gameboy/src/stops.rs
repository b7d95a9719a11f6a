//! Stops for debuggers: an instruction budget, a break address and a watched write (trap kinds 2 and 3).

use crate::console::Console;
use crate::cpu::{Bus, Trap};
use crate::machine::Machine;

const BUDGET_SPENT: u8 = 2;
const BREAK: u8 = 3;

/// What ends a console besides an illegal opcode. A console without stops is not slowed down.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stops {
    /// Trap 2 before the instruction that would be one more than this many since power-on.
    pub max_instr: Option<i64>,
    /// Trap 3 before the instruction at this address.
    pub break_at: Option<u16>,
    /// Trap 3 after the instruction or dispatch that wrote to this address.
    pub watch_write: Option<u16>,
}

/// Stops of one console, and where they were set.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Watch {
    stops: Stops,
    /// The instruction that comes next is executed even if it stands at the break address: a console that is stopped
    /// there could not be sent on otherwise.
    set_at_instr: i64,
}

impl Watch {
    pub(crate) fn is_idle(&self) -> bool {
        self.stops == Stops::default()
    }
}

impl Console {
    /// Sets what stops the console, and sends it on if it stands at an earlier stop.
    pub fn set_stops(&mut self, stops: Stops) {
        if matches!(self.cpu.trap.kind, BUDGET_SPENT | BREAK) {
            self.cpu.trap = Trap::default();
        }
        self.watch = Watch { stops, set_at_instr: self.cpu.instr_count };
    }

    /// One instruction, dispatch or sleep, unless it is stopped; returns whether a frame ended.
    pub(crate) fn advance_watched(&mut self) -> bool {
        if self.cpu.halted {
            return self.advance_once();
        }
        let at = self.cpu.pc;
        let opcode = self.machine.peek(at);
        let is_dispatch = self.cpu.dispatch_pending;
        if !is_dispatch && let Some(kind) = self.due_stop() {
            self.cpu.trap = Trap { kind, pc: at, opcode };
            return false;
        }
        let mut bus =
            WatchedBus { machine: &mut self.machine, address: self.watch.stops.watch_write, has_written: false };
        if is_dispatch {
            self.cpu.dispatch(&mut bus);
        } else if self.cpu.halt_bug {
            self.cpu.execute_halt_bug(&mut bus);
        } else {
            self.cpu.execute(&mut bus);
        }
        let has_written = bus.has_written;
        let has_frame_ended = self.boundary(!is_dispatch);
        if has_written && !self.is_trapped() {
            self.cpu.trap = Trap { kind: BREAK, pc: at, opcode };
        }
        has_frame_ended
    }

    fn due_stop(&self) -> Option<u8> {
        let Watch { stops, set_at_instr } = self.watch;
        if stops.max_instr.is_some_and(|budget| self.cpu.instr_count >= budget) {
            return Some(BUDGET_SPENT);
        }
        let is_break = stops.break_at == Some(self.cpu.pc) && self.cpu.instr_count != set_at_instr;
        is_break.then_some(BREAK)
    }
}

/// The machine, with writes to one address noticed.
struct WatchedBus<'machine> {
    machine: &'machine mut Machine,
    address: Option<u16>,
    has_written: bool,
}

impl Bus for WatchedBus<'_> {
    fn read(&mut self, now: i64, address: u16) -> u8 {
        self.machine.read(now, address)
    }

    fn write(&mut self, now: i64, address: u16, value: u8) {
        self.has_written |= self.address == Some(address);
        self.machine.write(now, address, value);
    }

    fn idle(&mut self, now: i64) {
        self.machine.idle(now);
    }

    fn pending(&mut self, now: i64) -> u8 {
        self.machine.pending(now)
    }

    fn acknowledge(&mut self, bit: u32) {
        self.machine.acknowledge(bit);
    }

    fn attend(&mut self) {
        self.machine.attend();
    }
}
