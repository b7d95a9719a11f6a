//! The STAT register and the line that raises its request (sections 17.1 and 17.3).

use super::{Ppu, STAT_REQUEST, VISIBLE_LINES};

const LYC_SOURCE: u8 = 0x40;
const WRITABLE: u8 = 0x78;

impl Ppu {
    /// Works out the STAT line again; a rise is a request.
    pub(super) fn evaluate(&mut self) -> u8 {
        let was_high = self.irq_line;
        self.irq_line = self.is_stat_line_high();
        if self.irq_line && !was_high { STAT_REQUEST } else { 0 }
    }

    pub(super) fn is_stat_line_high(&self) -> bool {
        let by_mode = self.stat_src >= 0 && self.stat_en >> (3 + self.stat_src) & 1 == 1;
        by_mode || self.lyc_flag && self.stat_en & LYC_SOURCE != 0
    }

    pub(crate) fn read_stat(&self, now: i64) -> u8 {
        0x80 | self.stat_en | u8::from(self.lyc_flag) << 2 | self.mode(now)
    }

    pub(crate) fn write_stat(&mut self, value: u8) -> u8 {
        self.stat_en = value & WRITABLE;
        self.evaluate()
    }

    pub(crate) fn write_lyc(&mut self, now: i64, value: u8) -> u8 {
        self.lyc = value;
        if !self.is_on() {
            return 0;
        }
        let is_comparing = self.line == 0 || self.dot(now) > 0;
        self.lyc_flag = is_comparing && i32::from(value) == self.line;
        self.evaluate()
    }

    fn mode(&self, now: i64) -> u8 {
        if !self.is_on() {
            return 0;
        }
        let dot = self.dot(now);
        if self.line >= VISIBLE_LINES {
            return u8::from(self.line > VISIBLE_LINES || dot > 0);
        }
        match dot {
            0 => 0,
            ..84 if self.is_first_line => 0,
            ..84 => 2,
            _ if dot < self.mode3_end => 3,
            _ => 0,
        }
    }
}
