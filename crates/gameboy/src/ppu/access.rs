//! When the processor is kept out of VRAM and OAM (section 17.4).

use super::{Ppu, VISIBLE_LINES};

const MODE3_DOT: i32 = 84;

impl Ppu {
    pub(crate) fn locks_vram_read(&self, now: i64) -> bool {
        let from = if self.is_first_line { MODE3_DOT } else { 80 };
        self.is_shown_line() && self.dot(now) >= from && self.is_before_hblank(now)
    }

    pub(crate) fn locks_vram_write(&self, now: i64) -> bool {
        self.is_shown_line() && self.dot(now) >= MODE3_DOT && self.is_before_hblank(now)
    }

    pub(crate) fn locks_oam_read(&self, now: i64) -> bool {
        let from = match self.line {
            _ if self.is_first_line => MODE3_DOT,
            0 => 4,
            _ => 0,
        };
        self.is_shown_line() && self.dot(now) >= from && self.is_before_hblank(now)
    }

    pub(crate) fn locks_oam_write(&self, now: i64) -> bool {
        let dot = self.dot(now);
        let in_scan = !self.is_first_line && (4..80).contains(&dot);
        self.is_shown_line() && (in_scan || dot >= MODE3_DOT && self.is_before_hblank(now))
    }

    fn is_shown_line(&self) -> bool {
        self.is_on() && self.line < VISIBLE_LINES
    }

    fn is_before_hblank(&self, now: i64) -> bool {
        let dot = self.dot(now);
        dot < MODE3_DOT || dot < self.mode3_end
    }
}
