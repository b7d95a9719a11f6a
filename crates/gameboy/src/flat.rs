//! The processor on 64 KiB of plain memory, for tests of single instructions.

use crate::cpu::{Bus, Cpu};

/// What a slot did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    /// Read this byte from this address.
    Read(u16, u8),
    /// Wrote this byte to this address.
    Write(u16, u8),
    /// No access.
    Idle,
}

/// Plain memory that records every slot.
#[derive(Clone, Debug)]
pub struct FlatBus {
    memory: Vec<u8>,
    slots: Vec<Slot>,
}

impl FlatBus {
    /// Memory full of zeros but for these bytes.
    #[must_use]
    pub fn new(bytes: &[(u16, u8)]) -> Self {
        let mut memory = vec![0; 0x10000];
        for &(address, value) in bytes {
            memory[usize::from(address)] = value;
        }
        Self { memory, slots: Vec::new() }
    }

    /// The byte at an address.
    #[must_use]
    pub fn byte(&self, address: u16) -> u8 {
        self.memory[usize::from(address)]
    }

    /// The slots so far.
    #[must_use]
    pub fn slots(&self) -> &[Slot] {
        &self.slots
    }

    /// Executes one instruction.
    pub fn execute(&mut self, cpu: &mut Cpu) {
        cpu.execute(self);
    }
}

impl Bus for FlatBus {
    fn read(&mut self, _now: i64, address: u16) -> u8 {
        let value = self.byte(address);
        self.slots.push(Slot::Read(address, value));
        value
    }

    fn write(&mut self, _now: i64, address: u16, value: u8) {
        self.memory[usize::from(address)] = value;
        self.slots.push(Slot::Write(address, value));
    }

    fn idle(&mut self, _now: i64) {
        self.slots.push(Slot::Idle);
    }

    fn pending(&mut self, _now: i64) -> u8 {
        0
    }

    fn acknowledge(&mut self, _bit: u32) {}

    fn attend(&mut self) {}
}
