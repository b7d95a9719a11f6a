//! The tie table: what citizens feel about one another, how events change it, and how it fades.

use kernel::numerics::clamp;

use crate::codes::{eviction_reason, personality_trait, relation_event};
use crate::config::social::Rivalry;
use crate::events::EventKind;
use crate::setup::Setup;
use crate::state::citizen::Citizen;
use crate::state::ledgers::ChurnWindow;
use crate::state::ties::Tie;
use crate::state::town::Town;
use crate::systems::notes::push_and_keep;

/// Ticks between two fadings.
pub const HOUR_TICKS: i64 = 42;
const CHURN_WINDOWS: usize = 8;
/// Why ties are dropped.
pub const EVICTION_REASONS: usize = 3;
const FADED: f64 = 0.01;
const FORGIVENESS_WEIGHT: f64 = 0.5;
const AMBITION_WEIGHT: f64 = 0.3;
const EXTROVERSION_FAMILIARITY: f64 = 0.02;

/// The tie to somebody without any feelings.
pub const STRANGER: Tie = Tie { other: -1, trust: 0.0, familiarity: 0.0, rivalry: 0.0, rivalry_tick: 0 };

/// What an event does to a tie before personality.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Delta {
    /// Added to trust.
    pub trust: f64,
    /// Added to familiarity.
    pub familiarity: f64,
    /// Added to rivalry.
    pub rivalry: f64,
}

impl Delta {
    /// Three changes at once.
    #[must_use]
    pub const fn new(trust: f64, familiarity: f64, rivalry: f64) -> Self {
        Self { trust, familiarity, rivalry }
    }

    /// What a kind of event always does; those that depend on circumstances do nothing here.
    #[must_use]
    pub const fn of(event: usize) -> Self {
        match event {
            relation_event::SHARED_MEAL => Self::new(0.10, 0.25, 0.0),
            relation_event::QUEUE_POLITE => Self::new(0.05, 0.05, -0.05),
            relation_event::CHAT_FAILURE => Self::new(0.0, -0.05, 0.05),
            relation_event::EMPLOYMENT_HELP => Self::new(0.20, 0.10, -0.10),
            relation_event::EMPLOYMENT_SHIFT_TAKEN => Self::new(-0.10, 0.0, 0.30),
            relation_event::APPOINTMENT_KEPT => Self::new(0.05, 0.10, -0.05),
            _ => Self::new(0.0, 0.0, 0.0),
        }
    }
}

/// What a successful chat does.
#[must_use]
pub fn chat_success_delta(quality: f64) -> Delta {
    Delta::new(0.05 * quality, 0.10 * quality, 0.0)
}

/// The tie to the citizen on a seat, if there is one.
#[inline]
#[must_use]
pub fn tie_to(citizen: &Citizen, seat: usize) -> Option<&Tie> {
    citizen.ties.iter().find(|tie| tie.other == seat as i64)
}

/// Rivalry at this tick: it fades in a straight line from its last change.
#[inline]
#[must_use]
pub fn rivalry_now(town: &Town, setup: &Setup, tie: &Tie) -> f64 {
    faded_rivalry(&setup.config.conflict.rivalry, town.tick, tie)
}

/// Rivalry of a citizen towards the one on a seat.
#[must_use]
pub fn rivalry_of(town: &Town, setup: &Setup, seat: usize, other: usize) -> f64 {
    rivalry_now(town, setup, tie_to(town.citizen(seat), other).unwrap_or(&STRANGER))
}

/// Changes both directions of a relationship by what the event always does; see `apply_delta`.
pub fn apply_event(town: &mut Town, setup: &Setup, seat: usize, other: usize, event: usize) {
    apply_delta(town, setup, seat, other, event, Delta::of(event));
}

/// Changes both directions of a relationship, each by its owner's personality, first that of `seat`.
///
/// Nothing happens while the town's relationships are off.
pub fn apply_delta(town: &mut Town, setup: &Setup, seat: usize, other: usize, event: usize, delta: Delta) {
    if !setup.config.features.has_relationships() {
        return;
    }
    for (owner, target) in [(seat, other), (other, seat)] {
        let personal = personal(setup, town.citizen(owner), event, delta);
        change_tie(town, setup, owner, target, personal);
    }
}

/// Changes one direction; a new tie may push out the weakest one, or find no room.
pub fn change_tie(town: &mut Town, setup: &Setup, owner: usize, seat: usize, delta: Delta) {
    let (rule, tick) = (&setup.config.conflict.rivalry, town.tick);
    if let Some(known) = town.citizen_mut(owner).ties.iter_mut().find(|tie| tie.other == seat as i64) {
        shift(rule, tick, known, delta);
        return;
    }
    let mut tie = Tie { other: seat as i64, rivalry: rule.min_value, rivalry_tick: tick, ..STRANGER };
    shift(rule, tick, &mut tie, delta);
    if strength(rule, tick, &tie) > 0.0 && has_room(town, setup, owner, &tie) {
        town.citizen_mut(owner).ties.push(tie);
    }
}

/// Takes the tie at a place of the owner's list away, and tells and counts it.
pub fn drop_tie(town: &mut Town, setup: &Setup, owner: usize, place: usize, reason: i64) {
    let tie = town.citizen_mut(owner).ties.remove(place);
    let other = town.seats[tie.other as usize].as_ref().map_or(-1, |other| other.number);
    let number = town.citizen(owner).number;
    town.record(EventKind::RelationshipTieEvicted, &[number as f64, other as f64, reason as f64]);
    let window = churn_window(town, setup);
    window.by_reason[reason as usize] += 1;
    window.by_owner[owner] += 1;
}

/// Takes away every tie to the citizen on a seat, who leaves.
pub fn forget(town: &mut Town, setup: &Setup, seat: usize) {
    for owner in town.living() {
        if let Some(place) = town.citizen(owner).ties.iter().position(|tie| tie.other == seat as i64) {
            drop_tie(town, setup, owner, place, eviction_reason::REMOVED);
        }
    }
}

/// Lets trust and familiarity fade, and drops ties that have become meaningless; once in an hour.
pub fn fade_ties(town: &mut Town, setup: &Setup) {
    if town.tick % HOUR_TICKS != 0 || !setup.config.features.has_relationships() {
        return;
    }
    let (rule, tick) = (&setup.config.relationships, town.tick);
    let rivalry = &setup.config.conflict.rivalry;
    for seat in town.in_turn() {
        let mut place = 0;
        while let Some(tie) = town.citizen_mut(seat).ties.get_mut(place) {
            tie.trust = towards_zero(tie.trust, rule.trust_decay_per_hour);
            tie.familiarity = towards_zero(tie.familiarity, rule.familiarity_decay_per_hour);
            let is_faded = tie.trust.abs() < FADED && tie.familiarity.abs() < FADED;
            if is_faded && faded_rivalry(rivalry, tick, tie) <= rivalry.eviction_threshold {
                drop_tie(town, setup, seat, place, eviction_reason::DECAY);
            } else {
                place += 1;
            }
        }
    }
}

#[inline]
fn faded_rivalry(rule: &Rivalry, tick: i64, tie: &Tie) -> f64 {
    let faded = tie.rivalry - rule.decay_per_tick * (tick - tie.rivalry_tick) as f64;
    if faded > rule.min_value { faded } else { rule.min_value }
}

/// How much a tie means, in any direction.
fn strength(rule: &Rivalry, tick: i64, tie: &Tie) -> f64 {
    tie.trust.abs() + tie.familiarity.abs() + faded_rivalry(rule, tick, tie)
}

fn personal(setup: &Setup, owner: &Citizen, event: usize, base: Delta) -> Delta {
    if !setup.config.features.relationship_modifiers {
        return base;
    }
    let Delta { mut trust, mut familiarity, mut rivalry } = base;
    let softened = 1.0 - FORGIVENESS_WEIGHT * owner.traits[personality_trait::FORGIVENESS];
    if trust < 0.0 {
        trust *= softened;
    }
    if familiarity < 0.0 {
        familiarity *= softened;
    }
    if rivalry > 0.0 {
        rivalry *= softened;
    }
    if event == relation_event::CONFLICT || event == relation_event::EMPLOYMENT_SHIFT_TAKEN {
        rivalry *= 1.0 + AMBITION_WEIGHT * owner.traits[personality_trait::AMBITION];
    }
    if event == relation_event::CHAT_SUCCESS {
        familiarity += EXTROVERSION_FAMILIARITY * owner.traits[personality_trait::EXTROVERSION];
    }
    Delta::new(trust, familiarity, rivalry)
}

fn shift(rule: &Rivalry, tick: i64, tie: &mut Tie, delta: Delta) {
    tie.trust = clamp(tie.trust + delta.trust, -1.0, 1.0);
    tie.familiarity = clamp(tie.familiarity + delta.familiarity, -1.0, 1.0);
    // Without a change the line it fades along is kept: starting a new one would round differently.
    if delta.rivalry != 0.0 {
        tie.rivalry = clamp(faded_rivalry(rule, tick, tie) + delta.rivalry, rule.min_value, rule.max_value);
        tie.rivalry_tick = tick;
    }
}

fn has_room(town: &mut Town, setup: &Setup, owner: usize, tie: &Tie) -> bool {
    let (rule, tick) = (&setup.config.conflict.rivalry, town.tick);
    let ties = &town.citizen(owner).ties;
    if (ties.len() as i64) < rule.max_edges {
        return true;
    }
    let (mut weakest, mut least) = (0, f64::INFINITY);
    for (place, known) in ties.iter().enumerate() {
        let strength = strength(rule, tick, known);
        if strength < least {
            (weakest, least) = (place, strength);
        }
    }
    let is_stronger = least < strength(rule, tick, tie);
    if is_stronger {
        drop_tie(town, setup, owner, weakest, eviction_reason::CAPACITY);
    }
    is_stronger
}

fn towards_zero(value: f64, step: f64) -> f64 {
    if value > 0.0 {
        return if value > step { value - step } else { 0.0 };
    }
    if value < -step { value + step } else { 0.0 }
}

fn churn_window<'town>(town: &'town mut Town, setup: &Setup) -> &'town mut ChurnWindow {
    let index = town.tick / setup.config.relationships.churn_window_ticks;
    let (churn, seats) = (&mut town.social.churn, town.seats.len());
    if churn.last().is_none_or(|window| window.index != index) {
        let window = ChurnWindow { index, by_reason: vec![0; EVICTION_REASONS], by_owner: vec![0; seats] };
        push_and_keep(churn, window, CHURN_WINDOWS);
    }
    churn.last_mut().expect("a window is open")
}

#[cfg(test)]
mod tests {
    use super::{Delta, HOUR_TICKS, change_tie, fade_ties, rivalry_of};
    use crate::events::EventKind;
    use crate::systems::small_town::{small_setup, town_with};

    const CROWD: [i64; 6] = [8, 9, 10, 11, 12, 13];

    #[test]
    fn rivalry_fades_along_one_line_until_it_changes() {
        let setup = small_setup();
        let mut town = town_with(&setup, &CROWD);
        change_tie(&mut town, &setup, 0, 1, Delta::new(0.0, 0.0, 0.3));

        town.tick = 100;
        change_tie(&mut town, &setup, 0, 1, Delta::new(0.2, 0.0, 0.0));
        assert_eq!(town.citizen(0).ties[0].rivalry_tick, 0, "trust alone begins no new line");
        assert_eq!(rivalry_of(&town, &setup, 0, 1), 0.3 - 0.001 * 100.0);

        change_tie(&mut town, &setup, 0, 1, Delta::new(0.0, 0.0, 0.1));
        town.tick = 10_000;
        assert_eq!(town.citizen(0).ties[0].rivalry_tick, 100);
        assert_eq!(rivalry_of(&town, &setup, 0, 1), 0.0);
    }

    #[test]
    fn a_new_tie_pushes_out_the_weakest_one_only_if_it_is_stronger() {
        let mut setup = small_setup();
        setup.config.conflict.rivalry.max_edges = 3;
        let mut town = town_with(&setup, &CROWD);
        for (other, trust) in [(1, -0.5), (2, 0.2), (3, 0.4)] {
            change_tie(&mut town, &setup, 0, other, Delta::new(trust, 0.0, 0.0));
        }

        change_tie(&mut town, &setup, 0, 4, Delta::new(0.2, 0.0, 0.0));
        assert_eq!(town.citizen(0).ties.iter().map(|tie| tie.other).collect::<Vec<_>>(), [1, 2, 3]);
        change_tie(&mut town, &setup, 0, 5, Delta::new(0.0, 0.0, 0.25));
        assert_eq!(town.citizen(0).ties.iter().map(|tie| tie.other).collect::<Vec<_>>(), [1, 3, 5]);
        assert_eq!(town.social.churn[0].by_reason, [1, 0, 0]);
    }

    #[test]
    fn what_has_faded_is_dropped_and_what_follows_it_fades_as_well() {
        let setup = small_setup();
        let mut town = town_with(&setup, &CROWD);
        town.tick = HOUR_TICKS;
        for (other, trust) in [(1, 0.011), (2, 0.5), (3, -0.0115), (4, -0.5)] {
            change_tie(&mut town, &setup, 0, other, Delta::new(trust, 0.0, 0.0));
        }

        fade_ties(&mut town, &setup);

        let left: Vec<_> = town.citizen(0).ties.iter().map(|tie| (tie.other, tie.trust)).collect();
        assert_eq!(left, [(2, 0.5 - 0.002), (4, -0.5 + 0.002)]);
        assert!(town.events.entries().iter().all(|event| event.kind == EventKind::RelationshipTieEvicted));
    }
}
