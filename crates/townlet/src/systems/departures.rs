//! Departures: everything that happens when a citizen leaves for good.

use crate::codes::{NEVER, NOBODY, fail_reason};
use crate::events::EventKind;
use crate::setup::Setup;
use crate::state::ledgers::{Departure, Ticket};
use crate::state::town::Town;
use crate::systems::affordances::fail_running;
use crate::systems::embedding::release_slot;
use crate::systems::fitness::agent_fitness_index;
use crate::systems::queues::give_up;
use crate::systems::ties::forget;

/// Departures that stay on record.
pub const DEPARTURES_KEPT: usize = 5;

/// Days since a citizen came.
#[must_use]
pub fn lived_days(town: &Town, seat: usize) -> f64 {
    (town.tick - town.citizen(seat).spawn_tick) as f64 / town.ticks_per_day as f64
}

/// Takes a citizen out of the town; a replacement is on its way, one draw of `world`.
pub fn remove_citizen(town: &mut Town, setup: &Setup, seat: usize, reason: i64) {
    if town.citizen(seat).is_running {
        fail_running(town, setup, seat, fail_reason::AGENT_REMOVED);
    }
    give_up(town, setup, seat);
    let citizen = town.citizen(seat);
    let (number, bed, tile) = (citizen.number, citizen.bed as usize, citizen.at());
    town.objects[bed].owner = NOBODY;
    forget_everywhere(town, setup, seat);
    release_slot(town, number);
    let (days, afi) = (lived_days(town, seat), agent_fitness_index(town.citizen(seat)));
    town.record(EventKind::AgentExit, &[number as f64, reason as f64, days, afi]);
    let departures = &mut town.lifecycle.departures;
    departures.push(Departure { number, reason, tick: town.tick, lived_days: days, afi });
    departures.drain(..departures.len().saturating_sub(DEPARTURES_KEPT));
    let delay = town.streams.world.randint_inclusive(town.rules.spawn_delay_min, town.rules.spawn_delay_max);
    town.lifecycle.tickets.push(Ticket { due_tick: town.tick + delay, replaces: number });
    town.occupancy[tile] -= 1;
    town.seats[seat] = None;
    town.lifecycle.vacated[seat] = town.tick;
    town.kpis.exits += 1;
}

fn forget_everywhere(town: &mut Town, setup: &Setup, seat: usize) {
    forget(town, setup, seat);
    let gone = seat as i64;
    town.employment.queue.retain(|entry| entry.seat != gone);
    town.employment.approvals.retain(|&approved| approved != gone);
    for event in town.perturbations.active.iter_mut().chain(&mut town.perturbations.pending) {
        event.participants.retain(|&participant| participant != gone);
    }
    for state in &mut town.objects {
        state.cooldowns[seat] = NEVER;
    }
    for other in 0..town.seats.len() {
        let pair = town.pair(seat, other);
        town.social.meal_ticks[pair] = NEVER;
        town.kpis.conflict_pairs[pair] = 0;
    }
    town.kpis.well_ticks[seat] = 0;
    town.kpis.lived_ticks[seat] = 0;
    town.kpis.hungry_streaks[seat] = 0;
}
