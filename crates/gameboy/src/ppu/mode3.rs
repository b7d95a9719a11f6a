//! Length of mode 3 (section 17.2).

use super::{Ppu, lcdc};
use crate::memory::{OAM, OAM_BYTES, Ram};

/// Objects that one line shows.
pub const LINE_OBJECTS: usize = 10;
const SHORTEST: i32 = 172;
const MODE3_DOT: i32 = 84;
/// Objects from here on are right of the picture and cost nothing.
const FIRST_FREE_X: u8 = 168;

/// Places in OAM of the objects of a line, in OAM order.
#[derive(Clone, Copy, Debug, Default)]
pub struct LineObjects {
    places: [u8; LINE_OBJECTS],
    count: usize,
}

impl LineObjects {
    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = usize> {
        self.places[..self.count].iter().map(|&place| usize::from(place))
    }
}

impl Ppu {
    /// The first ten objects that cover this line, whatever their X.
    pub(super) fn line_objects(&self, ram: &Ram) -> LineObjects {
        let height = if self.lcdc & lcdc::TALL_OBJECTS != 0 { 16 } else { 8 };
        let mut found = LineObjects::default();
        for (place, object) in ram[OAM..OAM + OAM_BYTES].chunks_exact(4).enumerate() {
            if (0..height).contains(&(self.line + 16 - i32::from(object[0]))) {
                found.places[found.count] = place as u8;
                found.count += 1;
                if found.count == LINE_OBJECTS {
                    break;
                }
            }
        }
        found
    }

    /// Dot at which mode 3 ends, from the registers and OAM as they are.
    pub(super) fn mode3_end_dot(&self, ram: &Ram) -> i32 {
        let scroll = (i32::from(self.scx & 7) + 3) & !3;
        let objects = if self.lcdc & lcdc::OBJECTS != 0 { self.object_cost(ram) } else { 0 };
        MODE3_DOT + SHORTEST + scroll + (objects & !3)
    }

    fn object_cost(&self, ram: &Ram) -> i32 {
        let mut seen = [0u8; LINE_OBJECTS];
        let mut distinct = 0;
        let mut cost = 0;
        for place in self.line_objects(ram).iter() {
            let x = ram[OAM + 4 * place + 1];
            if x >= FIRST_FREE_X {
                continue;
            }
            cost += 6;
            if !seen[..distinct].contains(&x) {
                seen[distinct] = x;
                distinct += 1;
                cost += (5 - i32::from(x.wrapping_add(self.scx) & 7)).max(0);
            }
        }
        cost
    }
}
