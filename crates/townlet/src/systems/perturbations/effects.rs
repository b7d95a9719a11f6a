//! What an event does when it starts, and what is undone when it ends.

use crate::codes::{ENDLESS, NOTHING, PRICES, perturbation_kind};
use crate::events::EventKind;
use crate::setup::Setup;
use crate::state::citizen::Appointment;
use crate::state::perturbations::{CityEvent, WindowStart};
use crate::state::town::Town;
use crate::systems::affordances::fail_without_utilities;
use crate::systems::prices::{refresh_prices, warn_of_wages};

/// Starts an event: its effect, its cooldowns and its record.
pub fn activate(town: &mut Town, setup: &Setup, mut event: CityEvent) {
    let row = &setup.tables.perturbations[event.spec as usize];
    let (tick, state) = (town.tick, &mut town.perturbations);
    event.started_at = tick;
    state.last_start = tick;
    state.ready_ticks[event.spec as usize] = event.ends_at.min(ENDLESS) + row.cooldown_ticks;
    state.starts.push(WindowStart { bucket: row.bucket, tick });
    tell_start(town, &event, row.bucket);
    let (kind, utility, prices) = (event.kind, event.utility, event.prices);
    if kind != perturbation_kind::PRICE_SPIKE && utility == NOTHING {
        invite(town, setup, &event);
    }
    town.perturbations.active.push(event);
    if kind == perturbation_kind::PRICE_SPIKE {
        refresh_prices(town, prices);
        warn_of_wages(town, setup);
    } else if utility != NOTHING {
        town.economy.outages[utility as usize] += 1;
        fail_without_utilities(town, setup);
    }
}

/// Ends the event at a place among those that run, and undoes what it did.
pub fn end_event(town: &mut Town, place: usize) {
    let event = town.perturbations.active.remove(place);
    town.record(EventKind::PerturbationEnded, &[event.number as f64, event.spec as f64, event.kind as f64]);
    if event.kind == perturbation_kind::PRICE_SPIKE {
        refresh_prices(town, event.prices);
    } else if event.utility != NOTHING {
        town.economy.outages[event.utility as usize] -= 1;
    } else {
        dismiss(town, &event);
    }
}

/// Remembers when the town was last in trouble: exits are held back for a while after.
pub fn note_city_events(town: &mut Town, _setup: &Setup) {
    let (tick, state) = (town.tick, &mut town.perturbations);
    for event in &state.active {
        if event.utility != NOTHING {
            state.utility_tick = tick;
        } else if event.kind == perturbation_kind::PRICE_SPIKE {
            state.price_tick = tick;
        }
    }
}

fn tell_start(town: &mut Town, event: &CityEvent, bucket: i64) {
    let mut values = vec![
        event.number as f64,
        event.spec as f64,
        event.kind as f64,
        bucket as f64,
        event.magnitude,
        event.started_at as f64,
        event.ends_at as f64,
        f64::from(u8::from(event.is_manual)),
    ];
    if event.participants.is_empty() {
        values.extend((0..PRICES).filter(|price| event.prices >> price & 1 == 1).map(|price| price as f64));
    } else {
        values.extend(numbers_of(town, event));
    }
    town.record(EventKind::PerturbationStarted, &values);
}

fn invite(town: &mut Town, setup: &Setup, event: &CityEvent) {
    for &seat in &event.participants {
        let citizen = town.citizen_mut(seat as usize);
        citizen.appointment = Appointment {
            event: event.number,
            zone: event.zone,
            from_tick: event.started_at,
            until_tick: event.ends_at,
        };
        citizen.meet_ready_tick = event.ends_at + setup.config.perturbations.per_agent_cooldown_ticks;
        citizen.tally.selections += 1;
    }
}

fn dismiss(town: &mut Town, event: &CityEvent) {
    for citizen in town.citizens_mut() {
        if citizen.appointment.event == event.number {
            citizen.appointment = Appointment::default();
        }
    }
    if event.met.is_empty() {
        let mut values = vec![event.number as f64, event.zone as f64];
        values.extend(numbers_of(town, event));
        town.record(EventKind::ArrangedMeetMissed, &values);
    }
}

/// Numbers of those who take part.
fn numbers_of(town: &Town, event: &CityEvent) -> impl Iterator<Item = f64> {
    event.participants.iter().map(|&seat| town.citizen(seat as usize).number as f64)
}
