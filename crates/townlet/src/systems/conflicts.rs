//! Conflicts at queues, and whom a citizen avoids because of them.

use kernel::numerics::clamp;

use crate::codes::{conflict_reason, relation_event};
use crate::events::EventKind;
use crate::setup::Setup;
use crate::state::citizen::BUCKETS;
use crate::state::ledgers::ConflictNote;
use crate::state::town::Town;
use crate::systems::notes::push_and_keep;
use crate::systems::ties::{Delta, apply_delta, rivalry_now, tie_to};

const CONFLICTS_KEPT: usize = 120;
const MIN_INTENSITY: f64 = 0.1;
const MAX_INTENSITY: f64 = 5.0;
const GHOST_STEP_FAMILIARITY: f64 = -0.05;
const HAPPENED: i64 = 1;
const ESCALATED: i64 = 2;

/// Notes a conflict at an object between who lost or left the place and who got it, with all it does to them.
///
/// `queue_length` is how many waited.
pub fn record_conflict(
    town: &mut Town,
    setup: &Setup,
    object: usize,
    (actor, rival): (usize, usize),
    reason: i64,
    queue_length: usize,
) {
    let rule = &setup.config.conflict.rivalry;
    let is_ghost_step = reason == conflict_reason::GHOST_STEP;
    let boost = if is_ghost_step { rule.ghost_step_boost } else { rule.handover_boost };
    let further = queue_length.saturating_sub(1) as f64;
    let intensity = clamp(boost + rule.queue_length_boost * further, MIN_INTENSITY, MAX_INTENSITY);
    let familiarity = if is_ghost_step { GHOST_STEP_FAMILIARITY } else { 0.0 };
    let delta = Delta::new(0.0, familiarity, rule.increment_per_conflict * intensity);
    apply_delta(town, setup, actor, rival, relation_event::CONFLICT, delta);
    let (loser, winner) = (town.citizen(actor).number, town.citizen(rival).number);
    town.record(
        EventKind::QueueConflict,
        &[object as f64, loser as f64, winner as f64, reason as f64, queue_length as f64, intensity],
    );
    town.queues.conflict_intensity_sum += intensity;
    town.citizen_mut(actor).fitness.violations[BUCKETS - 1] += 1;
    let note = ConflictNote { tick: town.tick, object: object as i64, actor: loser, rival: winner, reason, intensity };
    push_and_keep(&mut town.social.conflicts, note, CONFLICTS_KEPT);
    let has_escalated = avoids(town, setup, actor, rival) || avoids(town, setup, rival, actor);
    let pair = town.pair(actor, rival);
    let worst = &mut town.kpis.conflict_pairs[pair];
    *worst = (*worst).max(if has_escalated { ESCALATED } else { HAPPENED });
}

/// Rivalry from which on a citizen avoids another; the smaller the tolerance bias of its profile, the higher.
#[must_use]
pub fn avoid_threshold(town: &Town, setup: &Setup, seat: usize) -> f64 {
    let mut threshold = setup.config.conflict.rivalry.avoid_threshold;
    if setup.config.features.behavior.personality_profiles {
        threshold /= setup.tables.profiles[town.citizen(seat).profile as usize].conflict_tolerance;
    }
    clamp(threshold, 0.0, 1.0)
}

/// Whether a citizen avoids the one on a seat.
#[must_use]
pub fn avoids(town: &Town, setup: &Setup, seat: usize, other: usize) -> bool {
    tie_to(town.citizen(seat), other)
        .is_some_and(|tie| rivalry_now(town, setup, tie) >= avoid_threshold(town, setup, seat))
}

/// Seats of everybody a citizen avoids, in the order of its ties.
pub fn avoided_seats<'town>(
    town: &'town Town,
    setup: &'town Setup,
    seat: usize,
) -> impl Iterator<Item = usize> + 'town {
    let ties = &town.citizen(seat).ties;
    let threshold = if ties.is_empty() { 0.0 } else { avoid_threshold(town, setup, seat) };
    ties.iter().filter(move |tie| rivalry_now(town, setup, tie) >= threshold).map(|tie| tie.other as usize)
}
