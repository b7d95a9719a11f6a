//! The scheduler's tick: end what is over, start what was planned, and draw what else happens.

use crate::codes::perturbation_kind;
use crate::setup::Setup;
use crate::state::perturbations::CityEvent;
use crate::state::town::Town;
use crate::systems::perturbations::effects::{activate, end_event};
use crate::systems::perturbations::participants::pick_participants;
use crate::tables::rows::PerturbationRow;

/// Does the scheduler's part of stage 2; draws from `events`, and not at all while perturbations are off.
pub fn run_scheduler(town: &mut Town, setup: &Setup) {
    let (tick, rule) = (town.tick, &setup.config.perturbations);
    while let Some(place) = town.perturbations.active.iter().position(|event| event.ends_at <= tick) {
        end_event(town, place);
    }
    town.perturbations.starts.retain(|start| tick - start.tick < rule.window_ticks);
    while let Some(place) = town.perturbations.pending.iter().position(|event| event.started_at <= tick) {
        let event = town.perturbations.pending.remove(place);
        activate(town, setup, event);
    }
    if rule.enabled {
        for row in &setup.tables.perturbations {
            if may_start(town, setup, row) {
                draw(town, setup, row);
            }
        }
    }
}

fn may_start(town: &Town, setup: &Setup, row: &PerturbationRow) -> bool {
    let (state, rule) = (&town.perturbations, &setup.config.perturbations);
    if state.active.len() as i64 >= rule.max_concurrent_events
        || town.tick < state.ready_ticks[row.index as usize]
        || town.tick - state.last_start < rule.global_cooldown_ticks
        || row.prob_per_day == 0.0
    {
        return false;
    }
    let starts = state.starts.iter().filter(|start| start.bucket == row.bucket).count() as i64;
    rule.max_events_per_window == 0 || starts < rule.max_events_per_window
}

fn draw(town: &mut Town, setup: &Setup, row: &PerturbationRow) {
    let tick = town.tick;
    let chance = row.prob_per_day / town.ticks_per_day as f64;
    let stream = &mut town.streams.events;
    if stream.f64() >= chance {
        return;
    }
    let (shortest, longest) = row.duration;
    let duration = if shortest < longest { stream.randint_inclusive(shortest, longest) } else { shortest };
    let (least, most) = row.magnitude;
    let magnitude = if least < most { stream.uniform(least, most) } else { least };
    let is_meeting = row.kind == perturbation_kind::ARRANGED_MEET;
    let participants = if is_meeting { pick_participants(town, setup, row) } else { Vec::new() };
    if is_meeting && participants.len() < 2 {
        return;
    }
    let event = CityEvent {
        number: town.perturbations.next_event,
        spec: row.index,
        kind: row.kind,
        started_at: tick,
        ends_at: tick + duration,
        magnitude,
        prices: row.prices.iter().map(|price| 1 << price).sum(),
        utility: row.utility,
        zone: row.zone,
        is_manual: false,
        participants,
        met: Vec::new(),
    };
    town.perturbations.next_event += 1;
    activate(town, setup, event);
}
