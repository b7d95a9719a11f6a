//! What words must hold so that a town can go on from them: every reference leads somewhere, every list is complete.

use kernel::snapshot::SnapshotError;

use crate::codes::{NOBODY, NOTHING, OPTIONS, PRIMITIVES};
use crate::setup::Setup;
use crate::state::citizen::Citizen;
use crate::state::objects::ObjectState;
use crate::state::perturbations::CityEvent;
use crate::state::town::Town;

/// Kinds of perturbations, and utilities they turn off.
const KINDS: usize = 4;
const UTILITIES: usize = 2;

/// Refuses citizens and objects that do not belong to this setup, before a town is made of them.
pub(super) fn check_fit(citizens: &[Citizen], objects: &[ObjectState], setup: &Setup) -> Result<(), SnapshotError> {
    let (tables, seats) = (&setup.tables, setup.config.world.seats);
    let items = tables.items.len();
    if objects.len() != tables.objects.len() {
        let (found, right) = (objects.len(), tables.objects.len());
        return refuse(format!("the snapshot has {found} objects; this town has {right}"));
    }
    let mut taken = vec![false; seats];
    for citizen in citizens {
        let (seat, tile) = (citizen.seat, citizen.tile);
        if !is_one_of(seat, seats) || !is_one_of(tile, tables.map.walkable.len()) || taken[seat as usize] {
            return refuse(format!("the snapshot has a citizen on seat {seat} and tile {tile}"));
        }
        taken[seat as usize] = true;
        if citizen.inventory.len() != items || !is_maybe(citizen.job, tables.jobs.len()) {
            return refuse("the snapshot has items or jobs that this town does not have".to_owned());
        }
    }
    for state in objects {
        if state.stock.len() != items || state.cooldowns.len() != seats {
            return refuse("the snapshot has items or seats that this town does not have".to_owned());
        }
        if !is_maybe(state.running, tables.affordances.len()) {
            return refuse("the snapshot has an affordance that this town does not have".to_owned());
        }
    }
    Ok(())
}

/// Refuses a town in which something refers to what is not there.
pub(super) fn check_references(town: &Town, setup: &Setup) -> Result<(), SnapshotError> {
    let seats = town.seats.len();
    let is_complete = town.lifecycle.vacated.len() == seats
        && town.embedding.holders.len() == setup.config.embedding_allocator.max_slots
        && town.embedding.released.len() == town.embedding.holders.len()
        && town.perturbations.ready_ticks.len() == setup.tables.perturbations.len()
        && town.social.meal_ticks.len() == seats * seats
        && [&town.kpis.well_ticks, &town.kpis.lived_ticks, &town.kpis.hungry_streaks]
            .iter()
            .all(|by| by.len() == seats)
        && town.kpis.conflict_pairs.len() == seats * seats;
    let waiting = town.employment.queue.iter().map(|entry| entry.seat).chain(town.employment.approvals.iter().copied());
    let mut events = town.perturbations.active.iter().chain(&town.perturbations.pending);
    let is_sound = is_complete
        && town.tick >= 0
        && town.citizens().all(|citizen| is_sound_citizen(town, setup, citizen))
        && town.objects.iter().all(|state| is_sound_object(town, state))
        && waiting.into_iter().all(|seat| is_taken(town, seat))
        && events.all(|event| is_sound_event(town, setup, event));
    if is_sound { Ok(()) } else { refuse("the snapshot refers to something that is not in this town".to_owned()) }
}

fn is_sound_citizen(town: &Town, setup: &Setup, citizen: &Citizen) -> bool {
    let tables = &setup.tables;
    let (objects, zones) = (tables.objects.len(), tables.map.zones.len());
    is_one_of(citizen.slot, town.embedding.holders.len())
        && is_one_of(citizen.profile, tables.profiles.len())
        && is_one_of(citizen.home, zones)
        && is_one_of(citizen.bed, objects)
        && is_maybe(citizen.holding, objects)
        && is_maybe(citizen.queued, objects)
        && is_maybe(citizen.meal_zone, zones)
        && is_maybe(citizen.appointment.zone, zones)
        && is_one_of(citizen.last_primitive, PRIMITIVES)
        && is_one_of(citizen.plan.option, OPTIONS)
        && is_maybe(citizen.plan.goal, tables.map.walkable.len())
        && (!citizen.is_running || citizen.holding != NOTHING && town.objects[citizen.holding as usize].is_running())
        && citizen.ties.iter().all(|tie| tie.other != citizen.seat && is_taken(town, tie.other))
}

fn is_sound_object(town: &Town, state: &ObjectState) -> bool {
    let is_idle = state.holder == NOBODY && !state.is_running();
    (is_idle || is_taken(town, state.holder))
        && is_maybe(state.owner, town.seats.len())
        && state.queue.iter().all(|entry| is_taken(town, entry.seat))
}

fn is_sound_event(town: &Town, setup: &Setup, event: &CityEvent) -> bool {
    is_one_of(event.spec, setup.tables.perturbations.len())
        && is_one_of(event.kind, KINDS)
        && is_maybe(event.utility, UTILITIES)
        && is_maybe(event.zone, setup.tables.map.zones.len())
        && event.participants.iter().all(|&seat| is_taken(town, seat))
}

fn is_taken(town: &Town, seat: i64) -> bool {
    is_one_of(seat, town.seats.len()) && town.seats[seat as usize].is_some()
}

fn is_one_of(index: i64, count: usize) -> bool {
    (0..count as i64).contains(&index)
}

fn is_maybe(index: i64, count: usize) -> bool {
    index == NOTHING || is_one_of(index, count)
}

fn refuse(reason: String) -> Result<(), SnapshotError> {
    Err(SnapshotError::Invalid(reason))
}
