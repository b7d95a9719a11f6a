//! The joypad (section 14).

/// Bit of `iflag` that a line going low sets.
pub const JOYPAD_REQUEST: u8 = 1 << 4;

/// Selected groups and pressed keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Joypad {
    /// Bits 5 and 4 as written; a zero selects buttons or D-pad.
    pub(crate) select: u8,
    /// Pressed directions: bit 0 right, 1 left, 2 up, 3 down.
    pub(crate) dpad: u8,
    /// Pressed buttons: bit 0 A, 1 B, 2 Select, 3 Start.
    pub(crate) buttons: u8,
}

impl Joypad {
    /// The register as the processor reads it.
    pub(crate) fn read(self) -> u8 {
        0xC0 | self.select | self.lines()
    }

    /// Changes the selection; returns the requests raised by lines that went low.
    pub(crate) fn write(&mut self, value: u8) -> u8 {
        self.change(Self { select: value & 0x30, ..*self })
    }

    /// Changes the keys; returns the requests raised by lines that went low.
    pub(crate) fn press(&mut self, dpad: u8, buttons: u8) -> u8 {
        self.change(Self { dpad, buttons, ..*self })
    }

    fn change(&mut self, new: Self) -> u8 {
        let fell = self.lines() & !new.lines();
        *self = new;
        if fell == 0 { 0 } else { JOYPAD_REQUEST }
    }

    fn lines(self) -> u8 {
        let dpad = if self.select & 0x10 == 0 { self.dpad } else { 0 };
        let buttons = if self.select & 0x20 == 0 { self.buttons } else { 0 };
        0x0F & !(dpad | buttons)
    }
}

/// Number of actions of the one registered codec, `pokemonred_puffer_v1`.
pub const ACTIONS: i32 = 8;

/// D-pad and button masks of an action; one outside the codec presses nothing.
#[must_use]
pub const fn action_masks(action: i32) -> (u8, u8) {
    match action {
        1 => (0, 1),
        2 => (0, 2),
        3 => (0, 8),
        4 => (4, 0),
        5 => (8, 0),
        6 => (2, 0),
        7 => (1, 0),
        _ => (0, 0),
    }
}
