//! What a learner sees besides the picture (section 21): `ram_v3` and watched bytes.

use crate::console::Console;
use crate::cpu::reg;
use crate::memory::WRAM;

/// Numbers of a `ram_v3` observation.
pub const RAM_V3: usize = 32;

impl Console {
    /// Registers, the first bytes of work RAM and six mixes of them, each 0 to 1.
    pub fn write_ram_v3(&self, out: &mut [f32]) {
        let byte = |value: u8| f32::from(value) / 255.0;
        let r = self.cpu.r.bytes();
        let m = &self.machine.ram[WRAM..WRAM + 16];
        out[0] = f32::from(self.cpu.pc) / 65535.0;
        out[1] = f32::from(self.cpu.sp) / 65535.0;
        let registers = [reg::A, reg::F, reg::B, reg::C, reg::D, reg::E, reg::H, reg::L].map(|place| r[place]);
        let mixes = [
            m[0] ^ m[1],
            m[2].wrapping_add(m[3].wrapping_mul(5)),
            m[4] ^ r[reg::A],
            m[5].wrapping_add(r[reg::B]),
            m[6] ^ r[reg::C],
            m[7].wrapping_add(r[reg::D]),
        ];
        let bytes = registers.iter().chain(m).chain(&mixes);
        for (number, &value) in out[2..RAM_V3].iter_mut().zip(bytes) {
            *number = byte(value);
        }
    }

    /// The bytes at these addresses, whatever is locked.
    pub fn write_watched(&self, addresses: &[u16], out: &mut [u8]) {
        for (value, &address) in out.iter_mut().zip(addresses) {
            *value = self.machine.peek(address);
        }
    }
}
