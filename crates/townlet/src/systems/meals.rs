//! Shared meals: who eats in the same place at about the same time grows closer.

use crate::codes::{NOTHING, relation_event};
use crate::events::EventKind;
use crate::setup::Setup;
use crate::state::town::Town;
use crate::systems::notes::note_meeting;
use crate::systems::ties::apply_event;

const PAIR_PAUSE_TICKS: i64 = 200;

/// Notes a finished meal, and what it means for everybody who has just eaten in the same zone.
pub fn share_meal(town: &mut Town, setup: &Setup, seat: usize, object: usize) {
    let tick = town.tick;
    let citizen = town.citizen_mut(seat);
    let zone = setup.tables.map.zone_of[citizen.at()];
    citizen.meal_tick = tick;
    citizen.meal_zone = zone;
    let number = citizen.number;
    if zone == NOTHING {
        return;
    }
    for other in town.living() {
        let companion = town.citizen(other);
        let (other_number, pair) = (companion.number, town.pair(seat, other));
        if other == seat
            || companion.meal_zone != zone
            || tick - companion.meal_tick > setup.config.relationships.shared_meal_window
            || tick - town.social.meal_ticks[pair] < PAIR_PAUSE_TICKS
        {
            continue;
        }
        town.social.meal_ticks[pair] = tick;
        apply_event(town, setup, seat, other, relation_event::SHARED_MEAL);
        town.record(EventKind::SharedMeal, &[object as f64, number as f64, other_number as f64]);
        note_meeting(town, EventKind::SharedMeal, seat, other, 0.0);
    }
}
