//! Which bricks come and go after a step.

use crate::bricks::{Bricks, Cells};
use crate::constants::{BRICK_SIDE, DORMANT_STEPS, DYNAMIC_RULES, GROWTH_FACTOR, N_DYNAMIC};
use crate::domain::neighbors;
use crate::summaries::larger;

/// Allocates where a brick's edge stands out, then frees what has been quiet for two steps.
///
/// Requests are met in key order, west, east, south, north, until there is no room. A brick that came with this step has
/// not been through one, so its quiet does not count yet.
pub(crate) fn grow_and_release(bricks: &mut Bricks) {
    let stepped = bricks.keys;
    for key in stepped.iter() {
        let Some(slot) = bricks.slot(key) else { continue };
        let defaults = *bricks.defaults_of(key);
        let mut is_quiet = true;
        let mut wants = [false; 4];
        let active = bricks.front.active[slot];
        for field in (0..N_DYNAMIC).filter(|field| active >> field & 1 == 1) {
            let threshold = DYNAMIC_RULES[field].threshold;
            let cells = &bricks.front.cells[slot][field];
            let deviation = largest_deviation(cells, defaults[field]);
            is_quiet &= deviation <= threshold;
            if deviation > GROWTH_FACTOR * threshold {
                let edges = edges_beyond(cells, defaults[field], GROWTH_FACTOR * threshold);
                wants = std::array::from_fn(|side| wants[side] | edges[side]);
            }
        }
        bricks.dormant_steps[slot] = if is_quiet { bricks.dormant_steps[slot] + 1 } else { 0 };
        for neighbor in neighbors(key).into_iter().zip(wants).filter_map(|(key, is_wanted)| key.filter(|_| is_wanted)) {
            bricks.allocate(neighbor);
        }
    }
    for key in stepped.iter() {
        if bricks.slot(key).is_some_and(|slot| bricks.dormant_steps[slot] >= DORMANT_STEPS) {
            bricks.release(key);
        }
    }
}

fn largest_deviation(cells: &Cells, default: f32) -> f32 {
    let mut largest = [0.0; BRICK_SIDE];
    for row in cells.chunks_exact(BRICK_SIDE) {
        for (lane, &cell) in row.iter().enumerate() {
            largest[lane] = larger((cell - default).abs(), largest[lane]);
        }
    }
    largest.into_iter().fold(0.0, larger)
}

/// Whether a cell of the west, east, south or north edge is further from default than this.
fn edges_beyond(cells: &Cells, default: f32, limit: f32) -> [bool; 4] {
    let beyond = |row: usize, column: usize| (cells[row * BRICK_SIDE + column] - default).abs() > limit;
    let last = BRICK_SIDE - 1;
    [
        (0..BRICK_SIDE).any(|row| beyond(row, 0)),
        (0..BRICK_SIDE).any(|row| beyond(row, last)),
        (0..BRICK_SIDE).any(|column| beyond(0, column)),
        (0..BRICK_SIDE).any(|column| beyond(last, column)),
    ]
}
