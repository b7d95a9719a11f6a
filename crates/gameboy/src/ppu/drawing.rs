//! A line of shades (section 18), from registers and memory as they are now.

use super::mode3::LINE_OBJECTS;
use super::{Ppu, lcdc};
use crate::memory::{OAM, Ram};

/// Columns of the picture.
pub const WIDTH: usize = 160;

/// Shades of one line.
pub type Line = [u8; WIDTH];

const FIRST_MAP: usize = 0x1800;
const SECOND_MAP: usize = 0x1C00;
const SIGNED_TILES: i32 = 0x1000;
const NO_COLOR: u8 = 0;

/// Attribute bits of an object.
mod attribute {
    pub const PALETTE: u8 = 0x10;
    pub const FLIP_X: u8 = 0x20;
    pub const FLIP_Y: u8 = 0x40;
    pub const BEHIND: u8 = 0x80;
}

fn shade(palette: u8, index: u8) -> u8 {
    palette >> (2 * index) & 3
}

/// Color index of a tile row's pixel, 0 being the leftmost.
fn pixel([low, high]: [u8; 2], column: usize) -> u8 {
    let bit = 7 - column;
    (high >> bit & 1) << 1 | low >> bit & 1
}

impl Ppu {
    /// Shades of the current line.
    pub(crate) fn draw_line(&self, ram: &Ram) -> Line {
        let mut indices = [NO_COLOR; WIDTH];
        if self.lcdc & lcdc::BACKGROUND != 0 {
            self.draw_background(ram, &mut indices);
            if self.shows_window() {
                self.draw_window(ram, &mut indices);
            }
        }
        let mut shades = indices.map(|index| shade(self.bgp, index));
        if self.lcdc & lcdc::OBJECTS != 0 {
            self.draw_objects(ram, &indices, &mut shades);
        }
        shades
    }

    fn draw_background(&self, ram: &Ram, indices: &mut Line) {
        let y = (self.line as usize + usize::from(self.scy)) & 255;
        let map = self.map(lcdc::BACKGROUND_MAP) + 32 * (y >> 3);
        let mut x = 0;
        while x < WIDTH {
            let px = (x + usize::from(self.scx)) & 255;
            let row = self.tile_row(ram, ram[map + (px >> 3)], y & 7);
            let end = (x + 8 - (px & 7)).min(WIDTH);
            for (column, index) in (px & 7..8).zip(&mut indices[x..end]) {
                *index = pixel(row, column);
            }
            x = end;
        }
    }

    fn draw_window(&self, ram: &Ram, indices: &mut Line) {
        let y = self.win_line as usize;
        let map = self.map(lcdc::WINDOW_MAP) + 32 * (y >> 3);
        let left = i32::from(self.wx) - 7;
        // Left of 7 the window begins with the columns that are still in the picture.
        let hidden = (-left).max(0) as usize;
        for (column, index) in (hidden..).zip(&mut indices[left.max(0) as usize..]) {
            let row = self.tile_row(ram, ram[map + (column >> 3)], y & 7);
            *index = pixel(row, column & 7);
        }
    }

    fn draw_objects(&self, ram: &Ram, indices: &Line, shades: &mut Line) {
        let objects = self.line_objects(ram);
        let mut order = [0; LINE_OBJECTS];
        let mut count = 0;
        for place in objects.iter() {
            order[count] = place;
            count += 1;
        }
        // The smallest X wins and then the lower place; a stable sort keeps places in order.
        order[..count].sort_by_key(|&place| ram[OAM + 4 * place + 1]);
        let mut is_taken = [false; WIDTH];
        for &place in &order[..count] {
            self.draw_object(ram, place, indices, &mut is_taken, shades);
        }
    }

    fn draw_object(&self, ram: &Ram, place: usize, indices: &Line, is_taken: &mut [bool; WIDTH], shades: &mut Line) {
        let [y, x, tile, attributes] = std::array::from_fn(|byte| ram[OAM + 4 * place + byte]);
        let is_tall = self.lcdc & lcdc::TALL_OBJECTS != 0;
        let (height, tile) = if is_tall { (16, tile & 0xFE) } else { (8, tile) };
        let below_top = (self.line + 16 - i32::from(y)) as usize;
        let line = if attributes & attribute::FLIP_Y != 0 { height - 1 - below_top } else { below_top };
        let at = 16 * usize::from(tile) + 2 * line;
        let row = [ram[at], ram[at + 1]];
        let palette = if attributes & attribute::PALETTE != 0 { self.obp1 } else { self.obp0 };
        for column in 0..8 {
            let Some(at) = (usize::from(x) + column).checked_sub(8).filter(|&at| at < WIDTH) else { continue };
            let index = pixel(row, if attributes & attribute::FLIP_X != 0 { 7 - column } else { column });
            if index == NO_COLOR || is_taken[at] {
                continue;
            }
            is_taken[at] = true;
            if attributes & attribute::BEHIND == 0 || indices[at] == NO_COLOR {
                shades[at] = shade(palette, index);
            }
        }
    }

    fn map(&self, bit: u8) -> usize {
        if self.lcdc & bit != 0 { SECOND_MAP } else { FIRST_MAP }
    }

    fn tile_row(&self, ram: &Ram, tile: u8, row: usize) -> [u8; 2] {
        let start = if self.lcdc & lcdc::TILE_DATA != 0 {
            16 * usize::from(tile)
        } else {
            (SIGNED_TILES + 16 * i32::from(tile as i8)) as usize
        };
        let at = start + 2 * row;
        [ram[at], ram[at + 1]]
    }
}
