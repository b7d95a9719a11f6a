//! Stage 4: what citizens do, all moves first, then talks, then giving up and yielding, then asking and starting.

use crate::codes::{NOTHING, fail_reason, primitive};
use crate::decisions::primitives::object_in_reach;
use crate::setup::Setup;
use crate::state::town::Town;
use crate::systems::affordances::{advance_affordances, fail_running, start};
use crate::systems::conflicts::avoids;
use crate::systems::ghost_steps::{Holders, take_ghost_steps};
use crate::systems::movement::try_move;
use crate::systems::queues::{give_up, keep_queues, request, yield_place};
use crate::systems::talking::talk;

/// Carries out one primitive per seat.
pub fn resolve(town: &mut Town, setup: &Setup, primitives: &[i64]) {
    keep_queues(town, setup);
    let before = Holders::of(town, setup);
    let order = town.in_turn();
    for seat in order {
        match primitives[seat] {
            primitive::WAIT => note(town, seat, primitive::WAIT, true),
            way @ primitive::MOVE_NORTH..=primitive::MOVE_WEST => {
                let has_moved = try_move(town, setup, seat, way - primitive::MOVE_NORTH);
                note(town, seat, way, has_moved);
            }
            _ => {}
        }
    }
    for seat in order.filter(|&seat| primitives[seat] == primitive::TALK) {
        let goes_well = talk(town, setup, seat);
        note(town, seat, primitive::TALK, goes_well);
    }
    for seat in order {
        match primitives[seat] {
            primitive::RELEASE => {
                let has_released = give_back(town, setup, seat);
                note(town, seat, primitive::RELEASE, has_released);
            }
            primitive::YIELD => {
                let has_yielded = give_way(town, setup, seat);
                note(town, seat, primitive::YIELD, has_yielded);
            }
            _ => {}
        }
    }
    for seat in order {
        if (primitive::INTERACT_0..=primitive::INTERACT_3).contains(&primitives[seat]) {
            interact(town, setup, seat, primitives[seat]);
        }
    }
    take_ghost_steps(town, setup, &before);
    advance_affordances(town, setup);
}

fn note(town: &mut Town, seat: usize, primitive: i64, success: bool) {
    note_lasting(town, seat, primitive, success, 1);
}

fn note_lasting(town: &mut Town, seat: usize, primitive: i64, success: bool, duration: i64) {
    let citizen = town.citizen_mut(seat);
    citizen.last_primitive = primitive;
    citizen.last_success = success;
    citizen.last_duration = duration;
}

fn give_back(town: &mut Town, setup: &Setup, seat: usize) -> bool {
    let citizen = town.citizen(seat);
    let has_something = citizen.holding != NOTHING || citizen.queued != NOTHING;
    if citizen.is_running {
        fail_running(town, setup, seat, fail_reason::RELEASED);
    } else {
        give_up(town, setup, seat);
    }
    has_something
}

fn give_way(town: &mut Town, setup: &Setup, seat: usize) -> bool {
    let other = yield_place(town, setup, seat);
    if other.is_some_and(|other| avoids(town, setup, seat, other)) {
        town.citizen_mut(seat).facts.has_avoided = true;
    }
    other.is_some()
}

/// Asks for the object in reach; who holds it and stands at it starts in the same tick.
fn interact(town: &mut Town, setup: &Setup, seat: usize, primitive: i64) {
    let reached = object_in_reach(setup, town.citizen(seat));
    if reached == NOTHING || town.citizen(seat).is_running {
        note(town, seat, primitive, false);
        return;
    }
    let object = reached as usize;
    let was_holder = town.citizen(seat).holding == reached;
    let became_holder = !was_holder && request(town, setup, seat, object);
    let citizen = town.citizen(seat);
    let is_there = citizen.holding == reached && citizen.tile == setup.tables.objects[object].use_tile;
    let has_started = is_there && start(town, setup, seat, (primitive - primitive::INTERACT_0) as usize);
    let duration = if has_started { town.objects[object].remaining } else { 1 };
    note_lasting(town, seat, primitive, became_holder || has_started, duration);
}
