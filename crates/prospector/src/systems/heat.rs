//! Passive cooling and overheating.

use kernel::numerics::fmax;

use crate::constants::{HEAT_MAX, OVERHEAT_HULL_PER_HEAT, PASSIVE_COOLING_PER_TICK};
use crate::events::{Cause, Event, Happenings};
use crate::state::State;

/// Lets heat go for `dt` ticks.
#[inline]
pub(crate) fn cool(state: &mut State, dt: f64) {
    state.ship.heat = fmax(0.0, state.ship.heat - PASSIVE_COOLING_PER_TICK * dt);
}

/// Turns heat above the maximum into damage.
#[inline]
pub(crate) fn overheat(state: &mut State, dt: u8, happenings: &mut Happenings) {
    if state.ship.heat > HEAT_MAX {
        let overflow = state.ship.heat - HEAT_MAX;
        let damage = OVERHEAT_HULL_PER_HEAT * overflow;
        state.ship.hull -= damage;
        state.ship.heat = HEAT_MAX;
        state.counters.overheat_ticks += u32::from(dt);
        happenings.note(Event::OverheatTick);
        happenings.overheat_overflow = overflow;
        happenings.overheat_hull = damage;
        happenings.cause = Cause::Overheat;
    }
}
