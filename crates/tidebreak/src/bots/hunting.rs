//! A captain that beats the scripts in a duel of guns: hard to hit, and sparing with what it has.

use kernel::numerics::{fmax, sincos, wrap};

use super::Memory;
use super::view::{HALF_MAP_M, Sighting, View};
use super::wish::Wish;
use crate::contract::emissions_order;
use crate::layout::{env, own};
use crate::scripts::course::RUDDER_SPAN;

const WEAVE_FROM_M: f64 = 7_500.0;
const WIDE_WEAVE: f64 = 1.5; // radians the enemy may be off the bow before the ship turns back
const NARROW_WEAVE: f64 = 0.7;
const LATE: f64 = 0.35; // share of time left
const HALF_RUDDER: f64 = 0.5 * RUDDER_SPAN; // tighter turns average out in the enemy's track
const CORNERED_M: f64 = 900.0; // between the enemy and an edge of the map
const SURE_M: f64 = 2_500.0;

/// Weave toward the enemy at full speed, and shoot where it counts.
pub(super) fn hunt(view: &View<'_>, _memory: &mut Memory) -> Wish {
    let wish = Wish { throttle: 1.0, emissions: emissions_order::ACTIVE, repairs: true, ..Wish::default() };
    let Some(seen) = &view.best else {
        return Wish { bearing: view.search_bearing(), ..wish };
    };
    Wish {
        bearing: if seen.range_m < WEAVE_FROM_M { weaving(view, seen) } else { seen.bearing },
        holds_fire: seen.range_m > SURE_M && distance_to_edge_m(view, seen) < CORNERED_M,
        ..wish
    }
}

/// Turn on, until the enemy is far enough off the other bow.
fn weaving(view: &View<'_>, seen: &Sighting) -> f64 {
    let bearing = wrap(seen.bearing);
    let weave = if view.env(env::TIME_LEFT) < LATE { NARROW_WEAVE } else { WIDE_WEAVE };
    let side = if bearing.abs() > weave { bearing } else { view.own(own::RUDDER) };
    if side >= 0.0 { HALF_RUDDER } else { -HALF_RUDDER }
}

fn distance_to_edge_m(view: &View<'_>, seen: &Sighting) -> f64 {
    let (sine, cosine) = sincos(view.heading() + seen.bearing);
    let x_m = HALF_MAP_M * view.own(own::X) + seen.range_m * cosine;
    let y_m = HALF_MAP_M * view.own(own::Y) + seen.range_m * sine;
    HALF_MAP_M - fmax(x_m.abs(), y_m.abs())
}
