//! Talk: who listens, whether it goes well, and how well.

use kernel::numerics::clamp;

use crate::codes::{personality_trait, relation_event};
use crate::events::EventKind;
use crate::setup::Setup;
use crate::state::facts::Chat;
use crate::state::town::Town;
use crate::systems::conflicts::avoids;
use crate::systems::notes::note_meeting;
use crate::systems::ties::{STRANGER, apply_delta, apply_event, chat_success_delta, rivalry_now, tie_to};

const SURE_FAILURE: f64 = 0.05;
const SURE_SUCCESS: f64 = 0.95;
const WORST_QUALITY: f64 = 0.1;

/// Whether a citizen may begin a chat at all now.
#[must_use]
pub fn can_speak(town: &Town, setup: &Setup, seat: usize) -> bool {
    let citizen = town.citizen(seat);
    setup.config.features.has_relationships() && !citizen.is_running && town.tick >= citizen.chat_ready_tick
}

/// Seats of everybody next to a speaker who could listen, ascending; rivals among them.
pub fn candidates<'town>(town: &'town Town, setup: &Setup, seat: usize) -> impl Iterator<Item = usize> + 'town {
    let width = setup.tables.map.width;
    let speaker = town.citizen(seat);
    let (x, y) = (speaker.tile % width, speaker.tile / width);
    let is_next_to = move |tile: i64| (tile % width - x).abs() <= 1 && (tile / width - y).abs() <= 1;
    town.citizens()
        .filter(move |other| other.seat != seat as i64 && !other.is_running && is_next_to(other.tile))
        .map(|other| other.seat as usize)
}

/// The one a citizen would talk to: the best liked next to it, rivals left out.
#[must_use]
pub fn listener_for(town: &Town, setup: &Setup, seat: usize) -> Option<usize> {
    if !can_speak(town, setup, seat) {
        return None;
    }
    let (mut best, mut best_liking) = (None, f64::NEG_INFINITY);
    for other in candidates(town, setup, seat) {
        let tie = tie_to(town.citizen(seat), other).unwrap_or(&STRANGER);
        let liking = tie.trust + tie.familiarity - rivalry_now(town, setup, tie);
        if liking > best_liking && !are_rivals(town, setup, seat, other) {
            (best, best_liking) = (Some(other), liking);
        }
    }
    best
}

/// Whether one of two citizens avoids the other.
#[must_use]
pub fn are_rivals(town: &Town, setup: &Setup, seat: usize, other: usize) -> bool {
    avoids(town, setup, seat, other) || avoids(town, setup, other, seat)
}

/// Lets a citizen talk to whom it would talk to; draws once if there is somebody. True if the chat goes well.
pub fn talk(town: &mut Town, setup: &Setup, seat: usize) -> bool {
    let Some(listener) = listener_for(town, setup, seat) else {
        return false;
    };
    let rule = &setup.config.relationships;
    let tie = tie_to(town.citizen(seat), listener).unwrap_or(&STRANGER);
    let chance = rule.chat_base_success * (1.0 + 0.3 * tie.trust) * (1.0 + 0.2 * tie.familiarity);
    let quality = chat_quality(town, setup, seat, listener);
    let goes_well = town.streams.world.f64() < clamp(chance, SURE_FAILURE, SURE_SUCCESS);
    if goes_well {
        chat_well(town, setup, seat, listener, quality);
    } else {
        chat_badly(town, setup, seat, listener);
    }
    town.citizen_mut(seat).chat_ready_tick = town.tick + rule.chat_cooldown_ticks;
    goes_well
}

/// How good a chat would be.
#[must_use]
pub fn chat_quality(town: &Town, setup: &Setup, seat: usize, listener: usize) -> f64 {
    let speaker = town.citizen(seat);
    let tie = tie_to(speaker, listener).unwrap_or(&STRANGER);
    let quality = 0.5 + 0.3 * speaker.traits[personality_trait::EXTROVERSION] + 0.2 * tie.trust + 0.1 * tie.familiarity
        - 0.2 * rivalry_now(town, setup, tie);
    clamp(quality, WORST_QUALITY, 1.0)
}

/// Lets a chat go well.
pub fn chat_well(town: &mut Town, setup: &Setup, seat: usize, listener: usize, quality: f64) {
    apply_delta(town, setup, seat, listener, relation_event::CHAT_SUCCESS, chat_success_delta(quality));
    tell(town, EventKind::ChatSuccess, seat, listener, quality);
    let speaker = town.citizen_mut(seat);
    speaker.facts.chats.push(Chat { other: listener as i64, quality });
    speaker.tally.chats_ok += 1;
    speaker.plan.chats += 1;
    town.citizen_mut(listener).facts.chats.push(Chat { other: seat as i64, quality });
}

/// Lets a chat go badly.
pub fn chat_badly(town: &mut Town, setup: &Setup, seat: usize, listener: usize) {
    apply_event(town, setup, seat, listener, relation_event::CHAT_FAILURE);
    tell(town, EventKind::ChatFailure, seat, listener, 0.0);
    let speaker = town.citizen_mut(seat);
    speaker.facts.failed_as_speaker += 1;
    speaker.tally.chats_failed += 1;
    town.citizen_mut(listener).facts.failed_as_listener += 1;
}

fn tell(town: &mut Town, kind: EventKind, seat: usize, listener: usize, quality: f64) {
    let (number, listener_number) = (town.citizen(seat).number, town.citizen(listener).number);
    town.record(kind, &[number as f64, listener_number as f64, quality]);
    note_meeting(town, kind, seat, listener, quality);
}
