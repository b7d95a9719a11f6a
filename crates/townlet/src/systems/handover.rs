//! Hand-over: who is next when somebody has finished, and whether the two part as friends.

use crate::codes::{conflict_reason, queue_variant, relation_event};
use crate::events::EventKind;
use crate::setup::Setup;
use crate::state::town::Town;
use crate::systems::conflicts::record_conflict;
use crate::systems::queues::release;
use crate::systems::ties::{STRANGER, apply_event, rivalry_now, tie_to};

const PLACE_WEIGHT: f64 = 0.05;

/// Passes an object on after its use: a friend in line is waved to the front, else the change-over is a conflict.
pub fn hand_over(town: &mut Town, setup: &Setup, object: usize, departing: usize, cooldown: i64) {
    let waiting = town.objects[object].queue.len();
    if waiting == 0 {
        release(town, setup, object, cooldown);
        return;
    }
    let (place, liking) = favorite(town, setup, object, departing);
    if liking > 0.0 {
        if place > 0 {
            town.objects[object].queue[..=place].rotate_right(1);
            town.queues.rotation_events += 1;
        }
        let favored = town.objects[object].queue[0].seat as usize;
        release(town, setup, object, cooldown);
        let (number, favored_number) = (town.citizen(departing).number, town.citizen(favored).number);
        town.record(
            EventKind::QueueInteraction,
            &[object as f64, number as f64, favored_number as f64, queue_variant::FAVOUR as f64],
        );
        apply_event(town, setup, departing, favored, relation_event::QUEUE_POLITE);
        return;
    }
    release(town, setup, object, cooldown);
    let next = town.objects[object].holder as usize;
    record_conflict(town, setup, object, (departing, next), conflict_reason::HANDOVER, waiting);
}

/// Place in the queue of the one the departing citizen likes best, and how much.
fn favorite(town: &Town, setup: &Setup, object: usize, departing: usize) -> (usize, f64) {
    let citizen = town.citizen(departing);
    let (mut best_place, mut best_liking) = (0, f64::NEG_INFINITY);
    for (place, entry) in town.objects[object].queue.iter().enumerate() {
        let tie = tie_to(citizen, entry.seat as usize).unwrap_or(&STRANGER);
        let liking = tie.trust + tie.familiarity - rivalry_now(town, setup, tie) - PLACE_WEIGHT * place as f64;
        if liking > best_liking {
            (best_place, best_liking) = (place, liking);
        }
    }
    (best_place, best_liking)
}
