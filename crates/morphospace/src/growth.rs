//! Which bricks come and go after a step.

use crate::bricks::Bricks;
use crate::buffer::Cells;
use crate::constants::{BRICK_SIDE, DORMANT_STEPS, DYNAMIC_RULES, GROWTH_FACTOR, N_DYNAMIC};
use crate::domain::neighbors;

/// How far a brick is from its defaults after a step; fields that were passed over are at theirs.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Activity {
    /// Bits of fields that differ from their default.
    pub active: u8,
    /// Bits of fields that are beyond their threshold.
    pub awake: u8,
    /// Bits of fields that are so far beyond it that an edge may ask for the neighbor.
    pub loud: u8,
}

impl Activity {
    /// Takes in a field whose furthest cell is this far from default, which is not 0.
    #[inline]
    pub fn note(&mut self, field: usize, furthest: f32) {
        let threshold = DYNAMIC_RULES[field].threshold;
        self.active |= 1 << field;
        self.awake |= u8::from(furthest > threshold) << field;
        self.loud |= u8::from(furthest > GROWTH_FACTOR * threshold) << field;
    }
}

impl Bricks {
    /// Keeps what a step made of a brick until the others are done.
    #[inline]
    pub fn note_step(&mut self, key: usize, slot: usize, activity: &Activity) {
        self.mark_active(key, activity.active);
        self.loud[slot] = activity.loud;
        self.dormant_steps[slot] = if activity.awake == 0 { self.dormant_steps[slot] + 1 } else { 0 };
        self.changed.insert(key);
    }
}

/// Allocates where a brick's edge stands out, then frees what has been quiet for two steps.
///
/// Requests are met in key order, west, east, south, north, until there is no room. A brick that came with this step has
/// not been through one, so its quiet does not count yet.
pub(crate) fn grow_and_release(bricks: &mut Bricks) {
    let stepped = bricks.keys;
    for key in stepped.iter() {
        let Some(slot) = bricks.slot(key).filter(|&slot| bricks.loud[slot] != 0) else { continue };
        for (side, neighbor) in neighbors(key).into_iter().enumerate() {
            let absent = neighbor.filter(|&neighbor| bricks.slot(neighbor).is_none());
            if let Some(neighbor) = absent.filter(|_| stands_out(bricks, key, slot, side)) {
                bricks.allocate(neighbor);
            }
        }
    }
    for key in stepped.iter() {
        if bricks.slot(key).is_some_and(|slot| bricks.dormant_steps[slot] >= DORMANT_STEPS) {
            bricks.release(key);
        }
    }
}

/// Whether a cell on this edge (west, east, south, north) is far enough from default to ask for the neighbor.
fn stands_out(bricks: &Bricks, key: usize, slot: usize, side: usize) -> bool {
    let defaults = bricks.defaults_of(key);
    (0..N_DYNAMIC).filter(|field| bricks.loud[slot] >> field & 1 == 1).any(|field| {
        let limit = GROWTH_FACTOR * DYNAMIC_RULES[field].threshold;
        edge(bricks.front.cells(slot, field), side).iter().any(|cell| (cell - defaults[field]).abs() > limit)
    })
}

fn edge(cells: &Cells, side: usize) -> [f32; BRICK_SIDE] {
    const LAST: usize = BRICK_SIDE - 1;
    std::array::from_fn(|place| match side {
        0 => cells[place * BRICK_SIDE],
        1 => cells[place * BRICK_SIDE + LAST],
        2 => cells[place],
        _ => cells[LAST * BRICK_SIDE + place],
    })
}
