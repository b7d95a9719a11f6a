//! When the processor must look again because of the picture unit.

use super::{LINES, Ppu, STAT_REQUEST, Stage, VBLANK_REQUEST, VISIBLE_LINES};
use crate::schedule::{LINE, NEVER};

const LINE_SOURCES: u8 = 0x28;
const VBLANK_SOURCE: u8 = 0x10;
const LYC_SOURCE: u8 = 0x40;
const COMPARE_DOT: i64 = 4;

impl Ppu {
    /// Earliest time at which a request enabled in `ie` may rise or a frame ends, never later than it does.
    pub(crate) fn due(&self, ie: u8) -> i64 {
        if !self.is_on() {
            return NEVER;
        }
        let is_stat_enabled = ie & STAT_REQUEST != 0;
        if is_stat_enabled && self.stat_en & LINE_SOURCES != 0 {
            return self.event;
        }
        let mut due = self.frame_due();
        if ie & VBLANK_REQUEST != 0 || is_stat_enabled && self.stat_en & VBLANK_SOURCE != 0 {
            due = due.min(self.compare_due(VISIBLE_LINES));
        }
        if is_stat_enabled && self.stat_en & LYC_SOURCE != 0 {
            due = due.min(self.lyc_due());
        }
        due
    }

    fn frame_due(&self) -> i64 {
        let is_due_now = self.line == 0 && matches!(self.stage, Stage::Compare | Stage::FrameEnd);
        let lines = if is_due_now { 0 } else { LINES - self.line };
        self.line_start + i64::from(lines) * LINE + self.frame_dot()
    }

    fn lyc_due(&self) -> i64 {
        match i32::from(self.lyc) {
            0 => self.line_start + i64::from(LINES - self.line) * LINE,
            lyc if lyc < LINES => self.compare_due(lyc),
            _ => NEVER,
        }
    }

    /// Dot 4 of a line still to come in this frame.
    fn compare_due(&self, line: i32) -> i64 {
        let is_ahead = line > self.line || line == self.line && self.stage == Stage::Compare;
        if is_ahead { self.line_start + i64::from(line - self.line) * LINE + COMPARE_DOT } else { NEVER }
    }
}
