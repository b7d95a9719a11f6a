//! Travel along an edge.

use crate::constants::{CARGO_MAX, LOAD_FUEL_FACTOR, MAX_ASTEROIDS};
use crate::events::{Deed, Event, Happenings};
use crate::rules::Rules;
use crate::state::State;
use crate::systems::{exposure, pirates};

/// Takes the edge in neighbor slot `slot`.
pub(crate) fn travel(state: &mut State, rules: &Rules, slot: u8, happenings: &mut Happenings) -> u8 {
    let from = state.ship.node;
    let node = state.here();
    let place = usize::from(slot);
    let (to, dt, threat) = (node.neighbors[place], node.travel_ticks[place], node.threat[place]);
    let fuel = node.fuel[place] * (1.0 + LOAD_FUEL_FACTOR * (state.hold_total / CARGO_MAX));
    state.ship.fuel -= fuel;
    state.ship.selection = None;
    state.ship.stabilize_ticks = [0; MAX_ASTEROIDS];
    state.arrive(to);
    happenings.note(Event::Travel);
    happenings.deed = Deed::Travel { from, to, slot, fuel };
    exposure::cross_edge(state, rules, threat, f64::from(dt), happenings);
    // The ship is already at its destination, so a leg that ends at the station is patrolled.
    pirates::check(state, rules, threat, dt, happenings);
    dt
}
