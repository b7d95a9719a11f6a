//! Events that have not been told yet, with the numbers of new tables; what is gone is told as nothing.

use super::renumbering::Renumbering;
use crate::codes::NOTHING;
use crate::events::{EventKind, EventLog};

/// What stands at a place of an event.
#[derive(Clone, Copy)]
enum Number {
    Object,
    Affordance,
    /// Of an affordance; what it was asked about follows, and makes no sense without it.
    Condition,
    Item,
    Perturbation,
    Bucket,
}

/// Gives every event the new numbers.
pub fn renumber_events(events: &mut EventLog, numbers: &Renumbering<'_>) {
    for index in 0..events.entries().len() {
        let places = numbers_of(events.entries()[index].kind);
        for &(place, what) in places {
            let old = events.values_of(&events.entries()[index])[place] as i64;
            let new = match what {
                Number::Object => numbers.object(old),
                Number::Affordance => numbers.affordance(old),
                Number::Item => numbers.item(old),
                Number::Perturbation => numbers.perturbation(old),
                Number::Bucket => numbers.bucket(old),
                Number::Condition => {
                    events.cut(index, place + 1);
                    NOTHING
                }
            };
            events.set_value(index, place, new as f64);
        }
    }
}

const fn numbers_of(kind: EventKind) -> &'static [(usize, Number)] {
    match kind {
        EventKind::AffordanceStart | EventKind::AffordanceFinish | EventKind::AffordanceFail => {
            &[(1, Number::Object), (2, Number::Affordance)]
        }
        EventKind::AffordancePreconditionFail => {
            &[(1, Number::Object), (2, Number::Affordance), (3, Number::Condition)]
        }
        EventKind::ReservationGranted
        | EventKind::ReservationTimeout
        | EventKind::QueueTimeout
        | EventKind::ShowerComplete
        | EventKind::SleepComplete
        | EventKind::ShowerPowerOutage => &[(1, Number::Object)],
        EventKind::QueueConflict | EventKind::QueueInteraction | EventKind::SharedMeal => &[(0, Number::Object)],
        EventKind::PolicyGuardrailBlock => &[(3, Number::Object)],
        EventKind::StockReplenish => &[(0, Number::Object), (1, Number::Item)],
        EventKind::PerturbationStarted => &[(1, Number::Perturbation), (3, Number::Bucket)],
        EventKind::PerturbationEnded | EventKind::PerturbationCancelled => &[(1, Number::Perturbation)],
        _ => &[],
    }
}
