//! The picture unit: registers and position; `timing` moves it, `drawing` makes lines of shades.

mod access;
pub(crate) mod drawing;
mod due;
mod mode3;
pub(crate) mod power;
mod stat;
mod timing;

use crate::schedule::NEVER;

pub use timing::Stage;

/// Lines that are shown.
pub const VISIBLE_LINES: i32 = 144;
/// Lines of a frame.
pub const LINES: i32 = 154;
/// Bit of `iflag` set when the last shown line is over.
pub const VBLANK_REQUEST: u8 = 1;
/// Bit of `iflag` set when the STAT line rises.
pub const STAT_REQUEST: u8 = 1 << 1;

/// Bits of LCDC.
pub mod lcdc {
    /// Background and window are drawn.
    pub const BACKGROUND: u8 = 0x01;
    /// Objects are drawn.
    pub const OBJECTS: u8 = 0x02;
    /// Objects are 16 lines high.
    pub const TALL_OBJECTS: u8 = 0x04;
    /// The background's map is the second one.
    pub const BACKGROUND_MAP: u8 = 0x08;
    /// Tile numbers count from `$8000`, unsigned.
    pub const TILE_DATA: u8 = 0x10;
    /// The window may be drawn.
    pub const WINDOW: u8 = 0x20;
    /// The window's map is the second one.
    pub const WINDOW_MAP: u8 = 0x40;
    /// The LCD is on.
    pub const ON: u8 = 0x80;
}

/// Source that feeds the STAT line.
pub const NO_SOURCE: i8 = -1;

/// Registers and position of the picture unit.
#[derive(Clone, Debug)]
pub struct Ppu {
    pub(crate) lcdc: u8,
    pub(crate) stat_en: u8,
    pub(crate) lyc_flag: bool,
    pub(crate) scy: u8,
    pub(crate) scx: u8,
    pub(crate) lyc: u8,
    pub(crate) bgp: u8,
    pub(crate) obp0: u8,
    pub(crate) obp1: u8,
    pub(crate) wy: u8,
    pub(crate) wx: u8,
    pub(crate) line: i32,
    /// Time of dot 0 of this line.
    pub(crate) line_start: i64,
    /// Whether this is the first line after the LCD was switched on.
    pub(crate) is_first_line: bool,
    /// Whether this is the first frame after the LCD was switched on, which stays blank.
    pub(crate) is_blank: bool,
    pub(crate) irq_line: bool,
    pub(crate) stat_src: i8,
    /// Dot at which mode 3 ends on this line, 0 before dot 84.
    pub(crate) mode3_end: i32,
    pub(crate) win_trig: bool,
    pub(crate) win_line: i32,
    /// What happens next, and when.
    pub(crate) stage: Stage,
    pub(crate) event: i64,
    /// Whether a frame has ended since the last frame test.
    pub(crate) has_frame_ended: bool,
    /// Whether this frame is drawn.
    pub(crate) is_drawing: bool,
}

impl Default for Ppu {
    fn default() -> Self {
        Self {
            lcdc: 0,
            stat_en: 0,
            lyc_flag: false,
            scy: 0,
            scx: 0,
            lyc: 0,
            bgp: 0,
            obp0: 0,
            obp1: 0,
            wy: 0,
            wx: 0,
            line: 0,
            line_start: 0,
            is_first_line: false,
            is_blank: false,
            irq_line: false,
            stat_src: NO_SOURCE,
            mode3_end: 0,
            win_trig: false,
            win_line: 0,
            stage: Stage::LineStart,
            event: NEVER,
            has_frame_ended: false,
            is_drawing: false,
        }
    }
}

impl Ppu {
    /// Whether the LCD is on.
    #[inline(always)]
    #[must_use]
    pub const fn is_on(&self) -> bool {
        self.lcdc & lcdc::ON != 0
    }

    /// Dot of the line at a time up to the next event.
    #[inline(always)]
    pub(crate) const fn dot(&self, now: i64) -> i32 {
        if self.is_on() { (now - self.line_start) as i32 } else { 0 }
    }
}
