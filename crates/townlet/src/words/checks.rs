//! What words must hold so that a town can go on from them: every reference leads somewhere, every list is complete.

use kernel::bounds::{LARGEST, within};
use kernel::snapshot::SnapshotError;

use crate::codes::{NOBODY, NOTHING, OPTIONS, PRIMITIVES, conflict_reason, exit_reason, shift_state};
use crate::events::EVENT_KINDS;
use crate::setup::Setup;
use crate::state::citizen::Citizen;
use crate::state::objects::ObjectState;
use crate::state::perturbations::CityEvent;
use crate::state::town::Town;
use crate::systems::ties::EVICTION_REASONS;

/// Kinds of perturbations, and utilities they turn off.
const KINDS: usize = 4;
const UTILITIES: usize = 2;
/// Widest range that one draw covers.
const DELAYS_MAX: i64 = 1 << 32;

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
    check_ledgers(town)?;
    town.citizens().try_for_each(|citizen| check_citizen(town, citizen))?;
    let waiting = town.employment.queue.iter().map(|entry| entry.seat).chain(town.employment.approvals.iter().copied());
    let mut events = town.perturbations.active.iter().chain(&town.perturbations.pending);
    let is_sound = is_complete(town, setup)
        && town.citizens().all(|citizen| is_sound_citizen(town, setup, citizen))
        && town.objects.iter().enumerate().all(|(object, state)| is_sound_object(town, object as i64, state))
        && waiting.into_iter().all(|seat| is_taken(town, seat))
        && events.all(|event| is_sound_event(town, setup, event))
        && are_sound_notes(town);
    if is_sound { Ok(()) } else { refuse("the snapshot refers to something that is not in this town".to_owned()) }
}

fn check_ledgers(town: &Town) -> Result<(), SnapshotError> {
    let (rules, [power, water]) = (&town.rules, town.economy.outages);
    within(
        format_args!("the town"),
        &[
            ("tick", town.tick, 0, LARGEST),
            ("next_number", town.next_number, 0, LARGEST),
            ("spawn_delay_min", rules.spawn_delay_min, 0, LARGEST),
            ("spawn_delay_max", rules.spawn_delay_max, rules.spawn_delay_min, rules.spawn_delay_min + DELAYS_MAX - 1),
            ("outages of power", power, 0, LARGEST),
            ("outages of water", water, 0, LARGEST),
        ],
    )
}

fn check_citizen(town: &Town, citizen: &Citizen) -> Result<(), SnapshotError> {
    let seat = citizen.seat;
    within(
        format_args!("the citizen on seat {seat}"),
        &[
            ("number", citizen.number, 0, town.next_number - 1),
            ("shift state", citizen.shift.state, shift_state::NONE, shift_state::POST_SHIFT),
            ("exit_reason", citizen.facts.exit_reason, NOTHING, exit_reason::AGE_OUT),
            ("deferred_reason", citizen.decline.deferred_reason, NOTHING, exit_reason::AGE_OUT),
            ("possessed_primitive", citizen.possessed_primitive, NOTHING, PRIMITIVES as i64 - 1),
        ],
    )?;
    within(format_args!("the citizen on seat {seat}"), &citizen.needs.map(|need| ("a need", need, 0.0, 1.0)))
}

fn is_complete(town: &Town, setup: &Setup) -> bool {
    let seats = town.seats.len();
    town.lifecycle.vacated.len() == seats
        && town.embedding.holders.len() == setup.config.embedding_allocator.max_slots
        && town.embedding.released.len() == town.embedding.holders.len()
        && town.perturbations.ready_ticks.len() == setup.tables.perturbations.len()
        && town.social.meal_ticks.len() == seats * seats
        && [&town.kpis.well_ticks, &town.kpis.lived_ticks, &town.kpis.hungry_streaks].iter().all(|by| by.len() == seats)
        && town.kpis.conflict_pairs.len() == seats * seats
        && (town.social.churn.iter())
            .all(|window| window.by_reason.len() == EVICTION_REASONS && window.by_owner.len() == seats)
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
        && (citizen.job != NOTHING || citizen.facts.first_paid_arrival < 0)
        && citizen.facts.chats.iter().all(|chat| is_one_of(chat.other, town.seats.len()))
        && (!citizen.is_running || citizen.holding != NOTHING && town.objects[citizen.holding as usize].is_running())
        && is_known_once(town, citizen)
        && is_in_its_places(town, citizen)
        && are_sound_ties(town, citizen)
}

/// Whether nobody else has the citizen's number, and its slot is given to it.
fn is_known_once(town: &Town, citizen: &Citizen) -> bool {
    town.embedding.holders[citizen.slot as usize] == citizen.number
        && town.citizens().filter(|other| other.number == citizen.number).count() == 1
}

/// Whether a citizen holds what it says, or stands in the line it says, and in no other.
fn is_in_its_places(town: &Town, citizen: &Citizen) -> bool {
    let places = |object: i64| town.objects.get(object as usize).map_or(0, |state| waits(state, citizen.seat));
    let lines: usize = town.objects.iter().map(|state| waits(state, citizen.seat)).sum();
    let held = town.objects.iter().filter(|state| state.holder == citizen.seat).count();
    (citizen.holding == NOTHING || citizen.queued == NOTHING)
        && (lines, places(citizen.queued)) == if citizen.queued == NOTHING { (0, 0) } else { (1, 1) }
        && held == usize::from(citizen.holding != NOTHING)
}

fn waits(state: &ObjectState, seat: i64) -> usize {
    state.queue.iter().filter(|entry| entry.seat == seat).count()
}

fn are_sound_ties(town: &Town, citizen: &Citizen) -> bool {
    citizen.ties.iter().enumerate().all(|(place, tie)| {
        let is_first = citizen.ties[..place].iter().all(|other| other.other != tie.other);
        is_first && tie.other != citizen.seat && is_taken(town, tie.other)
    })
}

fn is_sound_object(town: &Town, object: i64, state: &ObjectState) -> bool {
    let is_held = if state.holder == NOBODY {
        !state.is_running()
    } else {
        is_taken(town, state.holder) && {
            let holder = town.citizen(state.holder as usize);
            holder.holding == object && holder.is_running == state.is_running()
        }
    };
    is_held
        && (!state.is_running() || state.remaining > 0)
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

/// What is kept for the record is told in words.
fn are_sound_notes(town: &Town) -> bool {
    let objects = town.objects.len();
    (town.lifecycle.departures.iter()).all(|gone| (exit_reason::KILLED..=exit_reason::AGE_OUT).contains(&gone.reason))
        && town.social.notes.iter().all(|note| is_one_of(note.kind, EVENT_KINDS))
        && (town.social.conflicts.iter()).all(|note| {
            is_one_of(note.object, objects) && is_one_of(note.reason, conflict_reason::HANDOVER as usize + 1)
        })
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
