//! Pirates: likelier where it is dangerous, when the ship is loud, and when the hold is worth it.

mod chance;

use kernel::numerics::{clamp, fmax};

pub(crate) use chance::Bounds;
use chance::Lure;

use crate::constants::{
    ALERT_MAX, DECOY_CHANCE, DECOY_LOSS_FACTOR, PIRATE_ALERT, PIRATE_HULL_RANGE, PIRATE_LOSS_RANGE, PIRATE_PER_ALERT,
    PIRATE_PER_INTENSITY,
};
use crate::events::{Cause, Happenings};
use crate::rules::Rules;
use crate::state::State;

/// Draws whether pirates of this intensity find the ship within `dt` ticks, and lets them at it if they do.
#[inline]
pub(crate) fn check(state: &mut State, rules: &Rules, intensity: f64, dt: u8, happenings: &mut Happenings) {
    if state.ship.is_docked() {
        return;
    }
    let drawn = state.rng.f64();
    let lure = Lure {
        intensity: PIRATE_PER_INTENSITY * intensity,
        alert: PIRATE_PER_ALERT * clamp(state.ship.alert / ALERT_MAX, 0.0, 1.0),
        value: state.value_hold(),
    };
    if drawn < rules.pirate_bounds.bound(&lure, dt) {
        meet(state, rules, &lure, dt, drawn, happenings);
    }
}

#[cold]
fn meet(state: &mut State, rules: &Rules, lure: &Lure, dt: u8, drawn: f64, happenings: &mut Happenings) {
    let is_found = drawn < lure.chance(dt, state.ship.escape_ticks > 0);
    if is_found && rules.config.pirates {
        raid(state, lure.value, happenings);
    }
}

fn raid(state: &mut State, value_before: f64, happenings: &mut Happenings) {
    state.counters.pirate_encounters += 1;
    let mut loss = state.rng.uniform(PIRATE_LOSS_RANGE.0, PIRATE_LOSS_RANGE.1);
    let decoy_used = state.ship.decoys > 0 && state.rng.f64() < DECOY_CHANCE;
    if decoy_used {
        state.ship.decoys -= 1;
        loss *= DECOY_LOSS_FACTOR;
    }
    state.ship.cargo = state.ship.cargo.map(|units| units * (1.0 - loss));
    let value_lost = fmax(0.0, value_before - state.value_hold());
    state.counters.value_lost_to_pirates += value_lost;
    let hull = state.rng.uniform(PIRATE_HULL_RANGE.0, PIRATE_HULL_RANGE.1);
    state.ship.hull -= hull;
    state.ship.alert += PIRATE_ALERT;
    happenings.add_encounter(loss, value_lost, hull, decoy_used);
    happenings.cause = Cause::Pirate;
}
