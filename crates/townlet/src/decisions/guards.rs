//! Guards: nobody walks up to a rival unless a need leaves no choice.

use crate::codes::{NOBODY, NOTHING, guard_reason, primitive};
use crate::decisions::primitives::{FIRST_INTERACT, LAST_INTERACT, object_in_reach};
use crate::events::EventKind;
use crate::setup::Setup;
use crate::state::town::Town;
use crate::systems::conflicts::avoids;
use crate::systems::needs::is_critical;
use crate::systems::talking::{candidates, listener_for};

/// The primitive, or `Wait` where it would bring a citizen up against somebody it avoids.
pub fn guarded(town: &mut Town, setup: &Setup, seat: usize, primitive: i64) -> i64 {
    let is_talk = primitive == primitive::TALK;
    let is_request = (FIRST_INTERACT..=LAST_INTERACT).contains(&primitive);
    if !is_talk && !is_request || is_critical(town, setup, seat) {
        return primitive;
    }
    let (reason, rival, object) = if is_talk {
        (guard_reason::CHAT_RIVAL, rival_next_to(town, setup, seat), NOTHING)
    } else {
        let (rival, object) = rival_at_hand(town, setup, seat);
        (guard_reason::QUEUE_RIVAL, rival, object)
    };
    let Some(rival) = rival else { return primitive };
    let values = [town.citizen(seat).number, reason, town.citizen(rival).number, object].map(|value| value as f64);
    town.record(EventKind::PolicyGuardrailBlock, &values);
    primitive::WAIT
}

/// The first one next to a citizen whom nobody is left to talk to but rivals.
fn rival_next_to(town: &Town, setup: &Setup, seat: usize) -> Option<usize> {
    let near = candidates(town, setup, seat).next()?;
    listener_for(town, setup, seat).is_none().then_some(near)
}

/// The first one avoided who holds or waits for the object a citizen would ask for, and that object.
fn rival_at_hand(town: &Town, setup: &Setup, seat: usize) -> (Option<usize>, i64) {
    let citizen = town.citizen(seat);
    if citizen.ties.is_empty() || citizen.holding != NOTHING || citizen.queued != NOTHING {
        return (None, NOTHING);
    }
    let index = object_in_reach(setup, citizen);
    if index == NOTHING {
        return (None, NOTHING);
    }
    let state = &town.objects[index as usize];
    let there = std::iter::once(state.holder).chain(state.queue.iter().map(|entry| entry.seat));
    let mut seats = there.filter(|&other| other != NOBODY).map(|other| other as usize);
    (seats.find(|&other| avoids(town, setup, seat, other)), index)
}
