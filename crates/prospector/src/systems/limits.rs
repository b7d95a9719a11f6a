//! Bounds of everything the ship has, applied once at the end of the dynamics.

use crate::bounds::clamp;
use crate::constants::{ALERT_MAX, CARGO_MAX, FUEL_MAX, HEAT_MAX, HULL_MAX, TOOL_MAX};
use crate::rules::Rules;
use crate::state::State;

/// Brings every quantity into its bounds and the hold into its room.
#[inline]
pub(crate) fn clamp_all(state: &mut State, rules: &Rules) {
    let ship = &mut state.ship;
    ship.fuel = clamp(ship.fuel, 0.0, FUEL_MAX);
    ship.hull = clamp(ship.hull, 0.0, HULL_MAX);
    ship.heat = clamp(ship.heat, 0.0, HEAT_MAX);
    ship.tool = clamp(ship.tool, 0.0, TOOL_MAX);
    ship.alert = clamp(ship.alert, 0.0, ALERT_MAX);
    state.time_remaining = clamp(state.time_remaining, 0.0, rules.config.time_max);
    ship.cargo = ship.cargo.map(|units| clamp(units, 0.0, CARGO_MAX));
    state.hold_total = ship.cargo_total();
    if state.hold_total > CARGO_MAX {
        let scale = CARGO_MAX / state.hold_total;
        ship.cargo = ship.cargo.map(|units| units * scale);
        state.hold_total = ship.cargo_total();
    }
}

/// Counts how full the hold was for `dt` ticks.
#[inline]
pub(crate) fn count_utilization(state: &mut State, dt: u8) {
    state.counters.utilization_sum += clamp(state.hold_total / CARGO_MAX, 0.0, 1.0) * f64::from(dt);
    state.counters.utilization_ticks += u32::from(dt);
}
