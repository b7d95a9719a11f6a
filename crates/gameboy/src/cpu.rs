//! The SM83 processor: registers, the bus it asks for, and one file per group of instructions.

mod alu;
mod alu16;
mod bits;
mod conversion;
mod every_byte;
mod execute;
mod flow;
mod interrupts;
mod loads;
mod registers;
mod spinning;

pub use registers::{Registers, reg};
pub(crate) use spinning::Rounds;
pub use spinning::{Round, Skipped};

use crate::schedule::SLOT;

/// Flag bits of `F`.
pub mod flag {
    /// The result was zero.
    pub const Z: u8 = 0x80;
    /// The last operation subtracted.
    pub const N: u8 = 0x40;
    /// Carry out of the low nibble.
    pub const H: u8 = 0x20;
    /// Carry out of the byte.
    pub const C: u8 = 0x10;
}

/// What the processor is wired to. The processor keeps the time and says it with every slot.
pub trait Bus {
    /// Reads a byte in the slot at `now`.
    fn read(&mut self, now: i64, address: u16) -> u8;

    /// Writes a byte in the slot at `now`.
    fn write(&mut self, now: i64, address: u16, value: u8);

    /// Lets the slot at `now` pass without an access.
    fn idle(&mut self, now: i64);

    /// Requests that are set and enabled, sampled as at a boundary at `now`.
    fn pending(&mut self, now: i64) -> u8;

    /// Clears a request bit.
    fn acknowledge(&mut self, bit: u32);

    /// Asks for a full boundary before the next instruction: what the processor accepts has changed.
    fn attend(&mut self);

    /// Counts a jump backward; returns whether [`Self::skip_rounds`] wants to know it.
    #[inline(always)]
    fn notice_jump(&mut self) -> bool {
        false
    }

    /// How many further rounds of a loop that ends here change nothing, in sum.
    fn skip_rounds(&mut self, _round: &Round) -> Skipped {
        Skipped::default()
    }
}

/// Why a console stopped for good.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Trap {
    /// 0 none, 1 illegal opcode, 2 debug instruction budget, 3 debug break.
    pub kind: u8,
    /// Where it happened.
    pub pc: u16,
    /// The opcode there.
    pub opcode: u8,
}

/// Registers and modes of the processor.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cpu {
    /// Eight-bit registers.
    pub r: Registers,
    /// Time of the next slot, in T-cycles since power-on.
    pub now: i64,
    /// Program counter.
    pub pc: u16,
    /// Stack pointer.
    pub sp: u16,
    /// Whether interrupts are taken.
    pub ime: bool,
    /// Whether `EI` takes effect at the next boundary.
    pub ei_delay: bool,
    /// Whether the processor sleeps.
    pub halted: bool,
    /// Whether the next opcode fetch leaves `pc` where it is.
    pub halt_bug: bool,
    /// Whether the last boundary decided to dispatch.
    pub dispatch_pending: bool,
    /// Why the console stopped.
    pub trap: Trap,
    /// Instructions executed since power-on.
    pub instr_count: i64,
}

impl Cpu {
    #[inline(always)]
    fn read<B: Bus>(&mut self, bus: &mut B, address: u16) -> u8 {
        let value = bus.read(self.now, address);
        self.now += SLOT;
        value
    }

    #[inline(always)]
    fn write<B: Bus>(&mut self, bus: &mut B, address: u16, value: u8) {
        bus.write(self.now, address, value);
        self.now += SLOT;
    }

    #[inline(always)]
    fn idle<B: Bus>(&mut self, bus: &mut B) {
        bus.idle(self.now);
        self.now += SLOT;
    }

    #[inline(always)]
    fn hl(&self) -> u16 {
        self.r.pair(2)
    }

    /// A pair by its place in opcodes where the fourth one is SP.
    #[inline(always)]
    fn pair_or_sp(&self, index: usize) -> u16 {
        if index == 3 { self.sp } else { self.r.pair(index) }
    }

    #[inline(always)]
    fn set_pair_or_sp(&mut self, index: usize, value: u16) {
        if index == 3 { self.sp = value } else { self.r.set_pair(index, value) }
    }

    #[inline(always)]
    fn immediate<B: Bus>(&mut self, bus: &mut B) -> u8 {
        let value = self.read(bus, self.pc);
        self.pc = self.pc.wrapping_add(1);
        value
    }

    #[inline(always)]
    fn immediate_word<B: Bus>(&mut self, bus: &mut B) -> u16 {
        let low = self.immediate(bus);
        let high = self.immediate(bus);
        u16::from_be_bytes([high, low])
    }

    /// NZ, Z, NC, C.
    #[inline(always)]
    fn condition(&self, index: usize) -> bool {
        let bit = if index & 2 == 0 { flag::Z } else { flag::C };
        (self.r.get(reg::F) & bit != 0) == (index & 1 == 1)
    }
}
