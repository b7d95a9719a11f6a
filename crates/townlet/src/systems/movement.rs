//! Movement: one tile per tick, one citizen per tile, and a way past each other when nothing else helps.

use crate::codes::NOTHING;
use crate::events::EventKind;
use crate::setup::Setup;
use crate::state::town::Town;

const MOST_ON_A_TILE: i32 = 2;

/// Moves a citizen one tile in a direction (0 north to 3 west); false if it stays where it is.
pub fn try_move(town: &mut Town, setup: &Setup, seat: usize, direction: i64) -> bool {
    let citizen = town.citizen(seat);
    let (number, tile) = (citizen.number, citizen.tile);
    let target = setup.tables.paths.neighbor(tile, direction);
    if citizen.is_running || target == NOTHING || !can_enter(town, setup, seat, target) {
        town.citizen_mut(seat).blocked_streak += 1;
        return false;
    }
    if town.occupancy[target as usize] != 0 {
        town.queues.ghost_move_events += 1;
        let other = someone_on(town, target);
        town.record(EventKind::GhostStep, &[number as f64, other as f64, tile as f64, target as f64]);
    }
    place(town, seat, target);
    town.citizen_mut(seat).blocked_streak = 0;
    true
}

/// Puts a citizen on a tile, whatever is there.
pub fn place(town: &mut Town, seat: usize, tile: i64) {
    let left = std::mem::replace(&mut town.citizen_mut(seat).tile, tile);
    town.occupancy[left as usize] -= 1;
    town.occupancy[tile as usize] += 1;
}

/// The tile itself if nobody stands there, else the nearest free one; the tile where all are taken.
#[must_use]
pub fn nearest_free_tile(town: &Town, setup: &Setup, tile: i64) -> i64 {
    let mut seen = vec![false; town.occupancy.len()];
    seen[tile as usize] = true;
    let (mut frontier, mut following) = (vec![tile], Vec::new());
    while !frontier.is_empty() {
        if let Some(&free) = frontier.iter().find(|&&candidate| town.occupancy[candidate as usize] == 0) {
            return free;
        }
        for &candidate in &frontier {
            for (_, neighbor) in setup.tables.paths.neighbors(candidate) {
                if !std::mem::replace(&mut seen[neighbor as usize], true) {
                    following.push(neighbor);
                }
            }
        }
        std::mem::swap(&mut frontier, &mut following);
        following.clear();
    }
    tile
}

fn can_enter(town: &Town, setup: &Setup, seat: usize, tile: i64) -> bool {
    let others = town.occupancy[tile as usize];
    let patience = setup.config.queue_fairness.ghost_step_after;
    others == 0 || (0 < patience && patience <= town.citizen(seat).blocked_streak && others < MOST_ON_A_TILE)
}

/// Number of the first citizen who stands on a tile.
fn someone_on(town: &Town, tile: i64) -> i64 {
    town.citizens().find(|citizen| citizen.tile == tile).expect("somebody is on a taken tile").number
}
