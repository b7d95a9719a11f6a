//! What words must hold so that a town can go on from them: every reference leads somewhere.

use kernel::bounds::{LARGEST, need, within};
use kernel::snapshot::SnapshotError;

use crate::codes::{
    NOBODY, NOTHING, OPTIONS, PRIMITIVES, conflict_reason, exit_reason, perturbation_kind, shift_state, utility,
};
use crate::events::EVENT_KINDS;
use crate::setup::Setup;
use crate::state::citizen::Citizen;
use crate::state::objects::ObjectState;
use crate::state::perturbations::CityEvent;
use crate::state::town::Town;

/// Widest range that one draw covers.
const DELAYS_MAX: i64 = 1 << 32;

/// Refuses a town in which something refers to what is not there, with the first such reference.
pub(super) fn check_references(town: &Town, setup: &Setup) -> Result<(), SnapshotError> {
    check_ledgers(town)?;
    for citizen in town.citizens() {
        check_citizen(town, setup, citizen)?;
        check_number(town, citizen)?;
        check_places(town, citizen)?;
        check_ties(town, citizen)?;
    }
    for (index, state) in town.objects.iter().enumerate() {
        check_object(town, index, state)?;
    }
    for entry in &town.employment.queue {
        check_taken(town, "the exit queue", "a seat", entry.seat)?;
    }
    for &seat in &town.employment.approvals {
        check_taken(town, "the approved exits", "a seat", seat)?;
    }
    for event in town.perturbations.active.iter().chain(&town.perturbations.pending) {
        check_event(town, setup, event)?;
    }
    check_notes(town)
}

/// Refuses a town in which somebody is doing what the tables do not have.
pub(super) fn check_doings(town: &Town) -> Result<(), SnapshotError> {
    town.citizens().filter(|citizen| citizen.is_running).try_for_each(|citizen| {
        let (seat, held) = (citizen.seat, citizen.holding);
        need(town.objects[held as usize].is_running(), || {
            format!("the citizen on seat {seat} is using object {held}, whose running is {NOTHING}; it must be an affordance")
        })
    })
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

fn check_citizen(town: &Town, setup: &Setup, citizen: &Citizen) -> Result<(), SnapshotError> {
    let (seat, tables, facts) = (citizen.seat, &setup.tables, &citizen.facts);
    let (last_object, last_zone) = (tables.objects.len() as i64 - 1, tables.map.zones.len() as i64 - 1);
    // Who has no job came to none.
    let arrival_max = if citizen.job == NOTHING { NOTHING } else { LARGEST };
    within(
        format_args!("the citizen on seat {seat}"),
        &[
            ("number", citizen.number, 0, town.next_number - 1),
            ("shift state", citizen.shift.state, shift_state::NONE, shift_state::POST_SHIFT),
            ("exit_reason", facts.exit_reason, NOTHING, exit_reason::AGE_OUT),
            ("deferred_reason", citizen.decline.deferred_reason, NOTHING, exit_reason::AGE_OUT),
            ("possessed_primitive", citizen.possessed_primitive, NOTHING, PRIMITIVES as i64 - 1),
            ("slot", citizen.slot, 0, town.embedding.holders.len() as i64 - 1),
            ("profile", citizen.profile, 0, tables.profiles.len() as i64 - 1),
            ("home", citizen.home, 0, last_zone),
            ("bed", citizen.bed, 0, last_object),
            ("holding", citizen.holding, if citizen.is_running { 0 } else { NOTHING }, last_object),
            ("queued", citizen.queued, NOTHING, if citizen.holding == NOTHING { last_object } else { NOTHING }),
            ("meal_zone", citizen.meal_zone, NOTHING, last_zone),
            ("zone of the appointment", citizen.appointment.zone, NOTHING, last_zone),
            ("last_primitive", citizen.last_primitive, 0, PRIMITIVES as i64 - 1),
            ("option", citizen.plan.option, 0, OPTIONS as i64 - 1),
            ("goal", citizen.plan.goal, NOTHING, tables.map.walkable.len() as i64 - 1),
            ("first_paid_arrival", facts.first_paid_arrival, -LARGEST, arrival_max),
        ],
    )?;
    for chat in &facts.chats {
        let other = ("other of a chat", chat.other, 0, town.seats.len() as i64 - 1);
        within(format_args!("the citizen on seat {seat}"), &[other])?;
    }
    within(format_args!("the citizen on seat {seat}"), &citizen.needs.map(|need| ("a need", need, 0.0, 1.0)))
}

/// Nobody else has the citizen's number, and its slot is given to it.
fn check_number(town: &Town, citizen: &Citizen) -> Result<(), SnapshotError> {
    let (seat, number, slot) = (citizen.seat, citizen.number, citizen.slot);
    let namesakes = town.citizens().filter(|other| other.number == number).count();
    need(namesakes == 1, || format!("two citizens have the number {number}; each must have its own"))?;
    let holder = town.embedding.holders[slot as usize];
    need(holder == number, || {
        format!("the citizen on seat {seat}: slot {slot} is held by number {holder}; it must be {number}")
    })
}

/// A citizen holds what it says, or stands in the line it says, and in no other.
fn check_places(town: &Town, citizen: &Citizen) -> Result<(), SnapshotError> {
    let (seat, holding, queued) = (citizen.seat, citizen.holding, citizen.queued);
    for (index, state) in town.objects.iter().enumerate() {
        let found = state.queue.iter().filter(|entry| entry.seat == seat).count();
        let right = usize::from(queued == index as i64);
        need(found == right, || {
            format!(
                "object {index}: seat {seat} stands in the queue {found} times; it must be {right}, \
                 since queued of that citizen is {queued}"
            )
        })?;
        let holder = state.holder;
        need((holder == seat) == (holding == index as i64), || {
            format!(
                "object {index}: holder is {holder} and holding of the citizen on seat {seat} is {holding}; \
                 each must name the other"
            )
        })?;
    }
    Ok(())
}

fn check_ties(town: &Town, citizen: &Citizen) -> Result<(), SnapshotError> {
    let owner = format!("the citizen on seat {}", citizen.seat);
    for (place, tie) in citizen.ties.iter().enumerate() {
        let other = tie.other;
        check_taken(town, &owner, "other of a tie", other)?;
        let is_new = other != citizen.seat && citizen.ties[..place].iter().all(|before| before.other != other);
        need(is_new, || format!("{owner}: other of a tie is {other}; it must be somebody else in every tie"))?;
    }
    Ok(())
}

fn check_object(town: &Town, index: usize, state: &ObjectState) -> Result<(), SnapshotError> {
    let owner = format!("object {index}");
    if state.holder == NOBODY || !check_taken(town, &owner, "holder", state.holder)?.is_running {
        within(format_args!("{owner}, which nobody is using"), &[("running", state.running, NOTHING, NOTHING)])?;
    }
    let remaining_min = if state.is_running() { 1 } else { -LARGEST };
    within(
        format_args!("{owner}"),
        &[
            ("remaining", state.remaining, remaining_min, LARGEST),
            ("owner", state.owner, NOBODY, town.seats.len() as i64 - 1),
        ],
    )?;
    state.queue.iter().try_for_each(|entry| check_taken(town, &owner, "a seat in the queue", entry.seat).map(drop))
}

fn check_event(town: &Town, setup: &Setup, event: &CityEvent) -> Result<(), SnapshotError> {
    let (owner, perturbations) = (format!("city event {}", event.number), setup.tables.perturbations.len());
    need(perturbations > 0, || format!("{owner}: this town has no perturbations; there must be no city events"))?;
    within(
        format_args!("{owner}"),
        &[
            ("spec", event.spec, 0, perturbations as i64 - 1),
            ("kind", event.kind, 0, perturbation_kind::ARRANGED_MEET),
            ("utility", event.utility, NOTHING, utility::WATER as i64),
            ("zone", event.zone, NOTHING, setup.tables.map.zones.len() as i64 - 1),
        ],
    )?;
    event.participants.iter().try_for_each(|&seat| check_taken(town, &owner, "a participant", seat).map(drop))
}

/// What is kept for the record is told in words.
fn check_notes(town: &Town) -> Result<(), SnapshotError> {
    for gone in &town.lifecycle.departures {
        within(format_args!("a departure"), &[("reason", gone.reason, 0, exit_reason::AGE_OUT)])?;
    }
    for note in &town.social.notes {
        within(format_args!("a social note"), &[("kind", note.kind, 0, EVENT_KINDS as i64 - 1)])?;
    }
    for conflict in &town.social.conflicts {
        let object = ("object", conflict.object, 0, town.objects.len() as i64 - 1);
        let reason = ("reason", conflict.reason, 0, conflict_reason::HANDOVER);
        within(format_args!("a conflict"), &[object, reason])?;
    }
    Ok(())
}

/// Who sits on a seat, and a refusal if nobody does.
fn check_taken<'a>(town: &'a Town, owner: &str, name: &str, seat: i64) -> Result<&'a Citizen, SnapshotError> {
    let found = usize::try_from(seat).ok().and_then(|seat| town.seats.get(seat)).and_then(Option::as_deref);
    found.ok_or_else(|| {
        SnapshotError::Invalid(format!("{owner}: {name} is {seat}; it must be a seat where somebody is"))
    })
}
