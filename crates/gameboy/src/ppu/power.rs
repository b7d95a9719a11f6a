//! Switching the LCD on and off (section 17.5).

use super::{NO_SOURCE, Ppu, Stage, lcdc};
use crate::schedule::NEVER;

const FIRST_DOT: i64 = 4;
const MODE3_DOT: i64 = 84;

/// What a write to LCDC did to the LCD.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Switched {
    /// Nothing.
    No,
    /// It went on.
    On,
    /// It went off.
    Off,
}

impl Ppu {
    /// Writes LCDC; returns what happened and the requests raised.
    pub(crate) fn write_lcdc(&mut self, now: i64, value: u8) -> (Switched, u8) {
        let was_on = self.is_on();
        self.lcdc = value;
        match (was_on, value & lcdc::ON != 0) {
            (false, true) => (Switched::On, self.switch_on(now)),
            (true, false) => {
                self.switch_off();
                (Switched::Off, 0)
            }
            _ => (Switched::No, 0),
        }
    }

    fn switch_on(&mut self, now: i64) -> u8 {
        self.line = 0;
        self.line_start = now - FIRST_DOT;
        self.is_first_line = true;
        self.is_blank = true;
        self.win_trig = false;
        self.win_line = 0;
        self.mode3_end = 0;
        self.has_frame_ended = true;
        self.lyc_flag = self.lyc == 0;
        self.next(Stage::Mode3Start, MODE3_DOT);
        self.evaluate()
    }

    fn switch_off(&mut self) {
        self.line = 0;
        self.is_first_line = false;
        self.is_blank = false;
        self.mode3_end = 0;
        self.stat_src = NO_SOURCE;
        self.irq_line = self.is_stat_line_high();
        self.has_frame_ended = true;
        self.event = NEVER;
    }
}
