//! The eight-bit registers, in the order in which opcodes name them.

/// Place of each register in [`Registers`]; the place of `(HL)` in opcodes holds `F`.
pub mod reg {
    /// B.
    pub const B: usize = 0;
    /// C.
    pub const C: usize = 1;
    /// D.
    pub const D: usize = 2;
    /// E.
    pub const E: usize = 3;
    /// H.
    pub const H: usize = 4;
    /// L.
    pub const L: usize = 5;
    /// F.
    pub const F: usize = 6;
    /// A.
    pub const A: usize = 7;
}

/// Registers B, C, D, E, H, L, F and A.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Registers([u8; 8]);

impl Registers {
    /// Registers with these values, in opcode order.
    #[must_use]
    pub const fn new(bytes: [u8; 8]) -> Self {
        Self(bytes)
    }

    /// Values in opcode order.
    #[must_use]
    pub const fn bytes(self) -> [u8; 8] {
        self.0
    }

    /// One register.
    #[inline(always)]
    #[must_use]
    pub const fn get(&self, place: usize) -> u8 {
        self.0[place & 7]
    }

    /// Changes one register.
    #[inline(always)]
    pub const fn set(&mut self, place: usize, value: u8) {
        self.0[place & 7] = value;
    }

    /// A pair by its place in opcodes: BC, DE, HL.
    #[inline(always)]
    #[must_use]
    pub const fn pair(&self, index: usize) -> u16 {
        u16::from_be_bytes([self.0[(2 * index) & 7], self.0[(2 * index + 1) & 7]])
    }

    /// Changes a pair.
    #[inline(always)]
    pub const fn set_pair(&mut self, index: usize, value: u16) {
        let [high, low] = value.to_be_bytes();
        self.0[(2 * index) & 7] = high;
        self.0[(2 * index + 1) & 7] = low;
    }
}
