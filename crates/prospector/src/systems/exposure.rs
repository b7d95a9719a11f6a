//! Wear by debris, on an edge or at a node.

use kernel::pcg32::Pcg32;

use crate::constants::{EDGE_DAMAGE_SPREAD, HAZARD_ALERT, HAZARD_HEAT, HAZARD_HULL, NODE_DAMAGE_SPREAD};
use crate::events::{Cause, Happenings};
use crate::rules::Rules;
use crate::ship::Ship;
use crate::state::State;

/// Wears the ship on an edge of this threat.
#[inline]
pub(crate) fn cross_edge(state: &mut State, rules: &Rules, threat: f64, dt: f64, happenings: &mut Happenings) {
    let severity = draw_severity(&mut state.rng, EDGE_DAMAGE_SPREAD);
    if rules.config.hazards {
        expose(&mut state.ship, threat, dt, severity);
        happenings.cause = Cause::EdgeHazard;
    }
}

/// Wears the ship at its node, which is not the station.
#[inline]
pub(crate) fn linger(state: &mut State, rules: &Rules, dt: f64, happenings: &mut Happenings) {
    let severity = draw_severity(&mut state.rng, NODE_DAMAGE_SPREAD);
    if rules.config.hazards {
        let hazard = state.here().hazard;
        expose(&mut state.ship, hazard, dt, severity);
        happenings.cause = Cause::NodeHazard;
    }
}

#[inline]
fn draw_severity(rng: &mut Pcg32, spread: (f64, f64)) -> f64 {
    rng.uniform(spread.0, spread.1)
}

#[inline]
fn expose(ship: &mut Ship, intensity: f64, dt: f64, severity: f64) {
    let exposure = dt * intensity;
    ship.hull -= exposure * HAZARD_HULL * severity;
    ship.heat += exposure * HAZARD_HEAT;
    ship.alert += exposure * HAZARD_ALERT;
}
