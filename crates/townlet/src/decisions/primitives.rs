//! Primitives: the object in reach, and which steps are valid.

use crate::codes::{NOTHING, PRIMITIVES, primitive};
use crate::setup::Setup;
use crate::state::citizen::Citizen;
use crate::state::town::Town;
use crate::systems::affordances::obstacle_to;
use crate::systems::queues::{is_near_enough, may_use};
use crate::systems::talking::{can_speak, candidates};

/// The first of the four moves.
pub const FIRST_MOVE: i64 = primitive::MOVE_NORTH;
/// The first of the four interactions.
pub const FIRST_INTERACT: i64 = primitive::INTERACT_0;
/// The last of the four interactions.
pub const LAST_INTERACT: i64 = primitive::INTERACT_3;

/// What an interaction is with: the object held, else waited for, else the nearest; -1 for none.
#[inline]
#[must_use]
pub fn object_in_reach(setup: &Setup, citizen: &Citizen) -> i64 {
    if citizen.holding != NOTHING {
        citizen.holding
    } else if citizen.queued != NOTHING {
        citizen.queued
    } else {
        setup.tables.reach[citizen.at()]
    }
}

/// One byte per primitive; while something is running only `Wait` and `Release`.
pub fn primitive_mask(town: &Town, setup: &Setup, citizen: &Citizen, mask: &mut [u8]) {
    let seat = citizen.seat as usize;
    mask.fill(0);
    mask[primitive::WAIT as usize] = 1;
    if citizen.is_running {
        mask[primitive::RELEASE as usize] = 1;
        return;
    }
    for (direction, _) in setup.tables.paths.neighbors(citizen.tile) {
        mask[(FIRST_MOVE + direction) as usize] = 1;
    }
    mask_interactions(town, setup, citizen, mask);
    let holding = citizen.holding;
    mask[primitive::RELEASE as usize] = u8::from(holding != NOTHING || citizen.queued != NOTHING);
    let can_talk = can_speak(town, setup, seat) && candidates(town, setup, seat).next().is_some();
    mask[primitive::TALK as usize] = u8::from(can_talk);
    let can_yield = holding != NOTHING && !town.objects[holding as usize].queue.is_empty();
    mask[primitive::YIELD as usize] = u8::from(can_yield);
}

/// Whether a primitive is valid for a citizen now.
#[must_use]
pub fn is_valid(town: &Town, setup: &Setup, citizen: &Citizen, primitive: i64) -> bool {
    let mut mask = [0; PRIMITIVES];
    primitive_mask(town, setup, citizen, &mut mask);
    (0..PRIMITIVES as i64).contains(&primitive) && mask[primitive as usize] == 1
}

fn mask_interactions(town: &Town, setup: &Setup, citizen: &Citizen, mask: &mut [u8]) {
    let (index, seat) = (object_in_reach(setup, citizen), citizen.seat as usize);
    if index == NOTHING || !may_use(town, setup, seat, index as usize) {
        return;
    }
    let object = index as usize;
    let (state, place) = (&town.objects[object], &setup.tables.objects[object]);
    let rows = setup.tables.by_type[place.r#type as usize].iter().map(|&row| &setup.tables.affordances[row]);
    if citizen.holding == index {
        if citizen.tile == place.use_tile && !state.is_running() {
            for row in rows {
                let is_free = obstacle_to(town, setup, seat, row, object).is_none();
                mask[(FIRST_INTERACT + row.rank) as usize] = u8::from(is_free);
            }
        }
        return;
    }
    let can_ask = citizen.queued != index
        && state.cooldowns[seat] <= town.tick
        && (state.queue.len() as i64) < setup.config.queue_fairness.queue_capacity
        && is_near_enough(town, setup, seat, object);
    for row in rows {
        mask[(FIRST_INTERACT + row.rank) as usize] = u8::from(can_ask);
    }
}
