//! Events of a line (section 17.3), processed in order when somebody looks.

use super::{LINES, NO_SOURCE, Ppu, VBLANK_REQUEST, VISIBLE_LINES, lcdc};
use crate::memory::Ram;
use crate::schedule::LINE;
use crate::screen::Screen;

const COMPARE_DOT: i64 = 4;
const MODE3_DOT: i64 = 84;
const FRAME_DOT: i64 = 8;
const FIRST_FRAME_DOT: i64 = 12;
/// STAT sources of the modes: HBlank, VBlank and OAM scan.
const MODE_SOURCES: u8 = 0x38;
const LYC_SOURCE: u8 = 0x40;

/// The next event of the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Dot 0 of the following line.
    LineStart,
    /// Dot 4.
    Compare,
    /// Dot 8 or 12 of line 0.
    FrameEnd,
    /// Dot 84 of a shown line.
    Mode3Start,
    /// One M-cycle before mode 3 ends.
    HblankRequest,
    /// The end of mode 3.
    Mode3End,
}

impl Ppu {
    /// Processes every event up to and including `to`; returns the requests raised on the way.
    #[inline]
    pub(crate) fn sync(&mut self, to: i64, ram: &Ram, screen: &mut Screen) -> u8 {
        if to < self.event { 0 } else { self.process(to, ram, screen) }
    }

    fn process(&mut self, to: i64, ram: &Ram, screen: &mut Screen) -> u8 {
        let mut requests = 0;
        while self.event <= to {
            requests |= match self.stage {
                Stage::LineStart => {
                    let skipped = self.skip_quiet_lines(to);
                    skipped | self.start_line()
                }
                Stage::Compare => self.compare_line(),
                Stage::FrameEnd => self.end_frame(),
                Stage::Mode3Start => self.start_mode3(ram),
                Stage::HblankRequest => self.request_hblank(),
                Stage::Mode3End => self.end_mode3(ram, screen),
            };
        }
        requests
    }

    pub(super) fn next(&mut self, stage: Stage, dot: i64) {
        self.stage = stage;
        self.event = self.line_start + dot;
    }

    /// Jumps over whole lines on which nothing can be seen or raised but VBlank.
    fn skip_quiet_lines(&mut self, to: i64) -> u8 {
        let is_quiet = self.stat_en & MODE_SOURCES == 0 && !self.is_drawing && !self.may_show_window();
        if !is_quiet {
            return 0;
        }
        let first = self.line + 1;
        let mut target = (self.line + ((to - self.line_start) / LINE) as i32).min(LINES - 1);
        let lyc = i32::from(self.lyc);
        if self.stat_en & LYC_SOURCE != 0 && lyc >= first {
            target = target.min(lyc);
        }
        if target <= first {
            return 0;
        }
        let skipped = first..target;
        self.win_trig |= i32::from(self.wy) < VISIBLE_LINES && skipped.contains(&i32::from(self.wy));
        self.lyc_flag = lyc == target - 1;
        self.irq_line = false;
        self.stat_src = i8::from(target > VISIBLE_LINES);
        self.line_start += LINE * i64::from(target - 1 - self.line);
        self.line = target - 1;
        self.is_first_line = false;
        self.event = self.line_start + LINE;
        if skipped.contains(&VISIBLE_LINES) { VBLANK_REQUEST } else { 0 }
    }

    fn start_line(&mut self) -> u8 {
        self.line_start += LINE;
        self.line += 1;
        self.is_first_line = false;
        self.mode3_end = 0;
        if self.line == LINES {
            self.line = 0;
            self.win_trig = false;
            self.win_line = 0;
        }
        self.next(Stage::Compare, COMPARE_DOT);
        match self.line {
            0 => {
                self.lyc_flag = self.lyc == 0;
                self.stat_src = NO_SOURCE;
            }
            line => {
                self.lyc_flag = false;
                if line < VISIBLE_LINES {
                    self.stat_src = 2;
                }
            }
        }
        self.evaluate()
    }

    fn compare_line(&mut self) -> u8 {
        self.lyc_flag = i32::from(self.lyc) == self.line;
        if self.line > VISIBLE_LINES {
            self.next(Stage::LineStart, LINE);
            return self.evaluate();
        }
        self.stat_src = 2;
        let requests = self.evaluate();
        if self.line == VISIBLE_LINES {
            self.stat_src = 1;
            self.next(Stage::LineStart, LINE);
            return requests | self.evaluate() | VBLANK_REQUEST;
        }
        self.stat_src = NO_SOURCE;
        self.win_trig |= i32::from(self.wy) == self.line;
        if self.line == 0 {
            self.next(Stage::FrameEnd, self.frame_dot());
        } else {
            self.next(Stage::Mode3Start, MODE3_DOT);
        }
        requests | self.evaluate()
    }

    pub(super) fn frame_dot(&self) -> i64 {
        if self.is_blank { FIRST_FRAME_DOT } else { FRAME_DOT }
    }

    fn end_frame(&mut self) -> u8 {
        self.has_frame_ended = true;
        self.is_blank = false;
        self.next(Stage::Mode3Start, MODE3_DOT);
        0
    }

    fn start_mode3(&mut self, ram: &Ram) -> u8 {
        self.mode3_end = self.mode3_end_dot(ram);
        self.next(Stage::HblankRequest, i64::from(self.mode3_end) - 4);
        0
    }

    fn request_hblank(&mut self) -> u8 {
        self.stat_src = 0;
        self.next(Stage::Mode3End, i64::from(self.mode3_end));
        self.evaluate()
    }

    fn end_mode3(&mut self, ram: &Ram, screen: &mut Screen) -> u8 {
        if self.is_drawing && !self.is_blank && screen.needs_line(self.line) {
            screen.put_line(self.line, &self.draw_line(ram));
        }
        if self.shows_window() {
            self.win_line += 1;
        }
        self.next(Stage::LineStart, LINE);
        0
    }

    /// Whether the window is drawn on this line.
    pub(super) fn shows_window(&self) -> bool {
        self.win_trig && self.may_show_window()
    }

    fn may_show_window(&self) -> bool {
        let needed = lcdc::BACKGROUND | lcdc::WINDOW;
        self.lcdc & needed == needed && self.wx <= 166
    }

    /// Finds the next event of a state that was loaded.
    pub(crate) fn resume(&mut self, dot: i32, ram: &Ram) {
        if !self.is_on() {
            self.event = crate::schedule::NEVER;
            return;
        }
        if self.line >= VISIBLE_LINES {
            let stage = if dot < 4 { (Stage::Compare, COMPARE_DOT) } else { (Stage::LineStart, LINE) };
            return self.next(stage.0, stage.1);
        }
        if dot >= 84 && self.mode3_end == 0 {
            self.mode3_end = self.mode3_end_dot(ram);
        }
        let is_frame_due = self.line == 0 && !self.is_first_line && i64::from(dot) < self.frame_dot();
        let (stage, at) = match dot {
            0 => (Stage::Compare, COMPARE_DOT),
            _ if is_frame_due => (Stage::FrameEnd, self.frame_dot()),
            ..84 => (Stage::Mode3Start, MODE3_DOT),
            _ if dot < self.mode3_end - 4 => (Stage::HblankRequest, i64::from(self.mode3_end) - 4),
            _ if dot < self.mode3_end => (Stage::Mode3End, i64::from(self.mode3_end)),
            _ => (Stage::LineStart, LINE),
        };
        self.next(stage, at);
    }
}
