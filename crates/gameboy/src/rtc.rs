//! The clock of MBC3 cartridges (section 16): it runs on emulated time only.

use crate::schedule::SECOND;

const HALT: u8 = 0x40;
const DAY_HIGH: u8 = 0x01;
const DAY_CARRY: u8 = 0x80;
/// Bits that exist in seconds, minutes, hours, day low and day high.
const WIDTHS: [u8; 5] = [0x3F, 0x3F, 0x1F, 0xFF, 0xC1];

/// Live and latched registers: seconds, minutes, hours, day low, day high.
#[derive(Clone, Debug, Default)]
pub struct Clock {
    pub(crate) synced: i64,
    pub(crate) sub: i64,
    pub(crate) live: [u8; 5],
    pub(crate) latched: [u8; 5],
    pub(crate) is_latch_armed: bool,
}

impl Clock {
    /// Lets the time up to `now` pass.
    pub(crate) fn sync(&mut self, now: i64) {
        let passed = now - std::mem::replace(&mut self.synced, now);
        if self.live[4] & HALT != 0 {
            return;
        }
        self.sub += passed;
        while self.sub >= SECOND {
            self.sub -= SECOND;
            self.pass_second();
        }
    }

    fn pass_second(&mut self) {
        let [seconds, minutes, hours, ..] = &mut self.live;
        if carries(seconds, 60, WIDTHS[0]) && carries(minutes, 60, WIDTHS[1]) && carries(hours, 24, WIDTHS[2]) {
            self.pass_day();
        }
    }

    fn pass_day(&mut self) {
        let (low, low_wrapped) = self.live[3].overflowing_add(1);
        self.live[3] = low;
        if low_wrapped {
            let had_high_bit = self.live[4] & DAY_HIGH != 0;
            self.live[4] ^= DAY_HIGH;
            self.live[4] |= if had_high_bit { DAY_CARRY } else { 0 };
        }
    }

    /// The latch register: 0 then 1 copies the live registers.
    pub(crate) fn write_latch(&mut self, now: i64, value: u8) {
        self.sync(now);
        if value == 1 && self.is_latch_armed {
            self.latched = self.live;
        }
        self.is_latch_armed = value == 0;
    }

    /// A clock register, 0 to 4, as latched.
    pub(crate) fn read(&self, register: usize) -> u8 {
        self.latched[register]
    }

    /// Writes a live register, 0 to 4, and its latched copy.
    pub(crate) fn write(&mut self, now: i64, register: usize, value: u8) {
        self.sync(now);
        let value = value & WIDTHS[register];
        self.live[register] = value;
        self.latched[register] = value;
        if register == 0 {
            self.sub = 0;
        }
    }
}

/// Counts one up; only the last legal value carries, the end of the register's width does not.
fn carries(value: &mut u8, limit: u8, width: u8) -> bool {
    *value = value.wrapping_add(1) & width;
    if *value == limit {
        *value = 0;
        return true;
    }
    false
}
