//! Pirates: likelier where it is dangerous, when the ship is loud, and when the hold is worth it.

mod chance;

use kernel::numerics::fmax;

pub(crate) use chance::Bounds;
use chance::Lure;

use crate::constants::{DECOY_CHANCE, DECOY_LOSS_FACTOR, PIRATE_ALERT, PIRATE_HULL_RANGE, PIRATE_LOSS_RANGE};
use crate::events::{Cause, Happenings};
use crate::rules::Rules;
use crate::state::State;

/// Draws whether pirates of this intensity find the ship within `dt` ticks, and lets them at it if they do.
#[inline(always)]
pub(crate) fn check(state: &mut State, rules: &Rules, intensity: f64, dt: u8, happenings: &mut Happenings) {
    if state.ship.is_docked() {
        return;
    }
    let drawn = state.rng.f64();
    let lure = Lure { intensity, alert: state.ship.alert, value: state.hold_value };
    if drawn < rules.pirate_bounds.upper(&lure, dt) {
        let is_escaping = state.ship.escape_ticks > 0;
        let is_found =
            (!is_escaping && drawn < rules.pirate_bounds.lower(&lure, dt)) || drawn < lure.chance(dt, is_escaping);
        if is_found && rules.config.pirates {
            raid(state, happenings);
        }
    }
}

#[cold]
#[inline(never)]
fn raid(state: &mut State, happenings: &mut Happenings) {
    state.counters.pirate_encounters += 1;
    let mut loss = state.rng.uniform(PIRATE_LOSS_RANGE.0, PIRATE_LOSS_RANGE.1);
    let decoy_used = state.ship.decoys > 0 && state.rng.f64() < DECOY_CHANCE;
    if decoy_used {
        state.ship.decoys -= 1;
        loss *= DECOY_LOSS_FACTOR;
    }
    state.ship.cargo = state.ship.cargo.map(|units| units * (1.0 - loss));
    let value_before = state.hold_value;
    state.value_hold();
    let value_lost = fmax(0.0, value_before - state.hold_value);
    state.counters.value_lost_to_pirates += value_lost;
    let hull = state.rng.uniform(PIRATE_HULL_RANGE.0, PIRATE_HULL_RANGE.1);
    state.ship.hull -= hull;
    state.ship.alert += PIRATE_ALERT;
    happenings.add_encounter(loss, value_lost, hull, decoy_used);
    happenings.cause = Cause::Pirate;
}
