//! The serial port with nobody at the other end (section 13): what is sent is kept for the host.

use crate::schedule::NEVER;

/// Bytes that the capture buffer holds.
pub const SERIAL_BYTES: usize = 1024;
/// Bit of `iflag` that a finished transfer sets.
pub const SERIAL_REQUEST: u8 = 1 << 3;

const TRANSFER: u8 = 0x81;
const BUSY: u8 = 0x80;
const SHIFTS: u8 = 8;
/// log2 of the T-cycles between two shifts.
const PERIOD_BITS: u32 = 9;

/// Port registers and capture.
#[derive(Clone, Debug, Default)]
pub struct Serial {
    pub(crate) synced: i64,
    pub(crate) sb: u8,
    pub(crate) sc: u8,
    pub(crate) bits_left: u8,
    pub(crate) captured: Vec<u8>,
    pub(crate) has_lost_bytes: bool,
}

impl Serial {
    /// Advances to `to` by the divider that began at `div_base`; returns the requests raised on the way.
    pub(crate) fn sync(&mut self, to: i64, div_base: i64) -> u8 {
        let from = std::mem::replace(&mut self.synced, to);
        if self.bits_left == 0 {
            return 0;
        }
        let shifts = ((to - div_base) >> PERIOD_BITS) - ((from - div_base) >> PERIOD_BITS);
        if shifts < i64::from(self.bits_left) {
            self.bits_left -= shifts as u8;
            return 0;
        }
        self.bits_left = 0;
        self.sc &= !BUSY;
        self.sb = 0xFF;
        SERIAL_REQUEST
    }

    /// When the running transfer ends.
    pub(crate) fn due(&self, div_base: i64) -> i64 {
        match self.bits_left {
            0 => NEVER,
            bits => div_base + ((((self.synced - div_base) >> PERIOD_BITS) + i64::from(bits)) << PERIOD_BITS),
        }
    }

    pub(crate) fn write_control(&mut self, value: u8) {
        self.sc = value & TRANSFER;
        self.bits_left = 0;
        if self.sc == TRANSFER {
            self.bits_left = SHIFTS;
            self.capture();
        }
    }

    fn capture(&mut self) {
        if self.captured.len() < SERIAL_BYTES {
            self.captured.push(self.sb);
        } else {
            self.has_lost_bytes = true;
        }
    }
}
