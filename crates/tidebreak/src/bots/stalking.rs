//! A captain for submarines: it listens, pings now and then, and shoots at whatever it hears back.

use super::Memory;
use super::view::{Sighting, View};
use super::wish::{Torpedoes, Wish};
use crate::contract::emissions_order;
use crate::layout::own;
use crate::scripts::course::around;

const PING_CHANCE: f64 = 0.1; // per decision without a contact; the sonar itself pings every tenth tick
const CIRCLE_M: f64 = 2_000.0; // around the middle of the map
const STALK_THROTTLE: f64 = 0.4;
const NEAR_M: f64 = 3_000.0;
const LURK: f64 = 1.7;
const SLIP_AWAY: f64 = 2.6;
const DODGE_M: f64 = 600.0;
const DODGE_OFF: f64 = 0.6; // radians off the course straight away from a torpedo

/// Search with rare pings; close in on a contact, shoot, and slip away while the tubes are loaded.
pub(super) fn stalk(view: &View<'_>, memory: &mut Memory) -> Wish {
    // Drawn even with a contact, as the readable captain does.
    let is_pinging = memory.rng.f64() < PING_CHANCE && view.best.is_none();
    let (bearing, throttle) = match &view.best {
        None => (around(view.center_bearing(), view.center_m(), CIRCLE_M), STALK_THROTTLE),
        Some(seen) => course(view, seen),
    };
    Wish {
        bearing,
        throttle,
        emissions: if is_pinging { emissions_order::ACTIVE } else { emissions_order::PASSIVE },
        torpedoes: Torpedoes::WithinReach,
        dodge_m: Some(DODGE_M),
        dodge_off: DODGE_OFF,
        ..Wish::default()
    }
}

fn course(view: &View<'_>, seen: &Sighting) -> (f64, f64) {
    let are_tubes_ready = view.own(own::READY + 1) != 0.0; // torpedoes come after guns
    if !are_tubes_ready {
        return (seen.bearing + SLIP_AWAY, STALK_THROTTLE);
    }
    if seen.range_m < NEAR_M && !seen.is_cue { (seen.bearing + LURK, 0.0) } else { (seen.bearing, STALK_THROTTLE) }
}
