//! Needs: how they change, and how they fade.

use crate::events::EventKind;
use crate::setup::Setup;
use crate::state::town::Town;

/// Adds to a need; see `set_need`.
pub fn change_need(town: &mut Town, setup: &Setup, seat: usize, need: usize, delta: f64) {
    let value = town.citizen(seat).needs[need] + delta;
    set_need(town, setup, seat, need, value);
}

/// Sets a need, kept within 0 and 1; falling below the critical threshold is told.
///
/// # Panics
/// When the value is not a number.
pub fn set_need(town: &mut Town, setup: &Setup, seat: usize, need: usize, value: f64) {
    let citizen = town.citizen_mut(seat);
    assert!(!value.is_nan(), "need {need} of citizen {} would not be a number", citizen.number);
    let before = citizen.needs[need];
    let capped = if value > 1.0 { 1.0 } else { value };
    let after = if value < 0.0 { 0.0 } else { capped };
    citizen.needs[need] = after;
    let number = citizen.number;
    tell_if_critical(town, setup, number, need, before, after);
}

/// Lets every need of every citizen fade by one tick.
pub fn decay_needs(town: &mut Town, setup: &Setup) {
    let rates = setup.config.rewards.decay_rates.values();
    let has_factors = setup.config.features.behavior.reward_multipliers;
    for seat in town.in_turn() {
        let citizen = town.citizen_mut(seat);
        let number = citizen.number;
        let before = citizen.needs;
        let factors = &setup.tables.profiles[citizen.profile as usize].need_factors;
        for need in 0..rates.len() {
            let rate = if has_factors { rates[need] * factors[need] } else { rates[need] };
            let after = before[need] - rate;
            citizen.needs[need] = if after > 0.0 { after } else { 0.0 };
        }
        let after = citizen.needs;
        for need in 0..rates.len() {
            tell_if_critical(town, setup, number, need, before[need], after[need]);
        }
    }
}

/// Whether any need is below the critical threshold.
#[must_use]
pub fn is_critical(town: &Town, setup: &Setup, seat: usize) -> bool {
    let critical = setup.config.behavior.critical_threshold;
    town.citizen(seat).needs.iter().any(|&need| need < critical)
}

#[inline]
fn tell_if_critical(town: &mut Town, setup: &Setup, number: i64, need: usize, before: f64, after: f64) {
    let critical = setup.config.behavior.critical_threshold;
    if before >= critical && critical > after {
        town.record(EventKind::NeedCritical, &[number as f64, need as f64, after]);
    }
}
