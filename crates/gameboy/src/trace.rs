//! Instruction by instruction, for tracers and debuggers.

use crate::console::Console;
use crate::cpu::reg;

/// Names of the numbers of a [`TraceRow`], in order.
pub const TRACE_COLUMNS: [&str; 15] =
    ["cycle_count", "pc", "opcode", "sp", "a", "f", "b", "c", "d", "e", "h", "l", "ime", "ie", "iflag"];

/// The console as an instruction begins.
pub type TraceRow = [i64; TRACE_COLUMNS.len()];

impl Console {
    /// Executes up to `count` instructions and tells the state before each; a trap ends it early.
    ///
    /// Interrupt dispatches and sleep pass between rows. Frames that end on the way are counted.
    pub fn trace(&mut self, count: usize) -> Vec<TraceRow> {
        self.machine.rounds.forget();
        self.machine.ppu.is_drawing = false;
        let mut rows = Vec::new();
        while rows.len() < count && !self.is_trapped() {
            let is_instruction = !self.cpu.halted && !self.cpu.dispatch_pending;
            if is_instruction {
                rows.push(self.trace_row());
            } else if self.sleeps_for_good() {
                break;
            }
            self.advance_once();
        }
        rows
    }

    /// Whether no request that could wake the processor is enabled.
    fn sleeps_for_good(&self) -> bool {
        self.cpu.halted && self.machine.ie & crate::machine::REQUESTS == 0
    }

    fn trace_row(&self) -> TraceRow {
        let r = self.cpu.r.bytes().map(i64::from);
        [
            self.cpu.now,
            self.cpu.pc.into(),
            self.machine.peek(self.cpu.pc).into(),
            self.cpu.sp.into(),
            r[reg::A],
            r[reg::F],
            r[reg::B],
            r[reg::C],
            r[reg::D],
            r[reg::E],
            r[reg::H],
            r[reg::L],
            self.cpu.ime.into(),
            self.machine.ie.into(),
            self.machine.iflag.into(),
        ]
    }
}
