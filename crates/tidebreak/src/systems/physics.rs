//! Motion of hulls: speed limit, rudder, thrust, drift; then whatever they run into.

use kernel::numerics::{clamp, fmax, fmin, norm2pi, sgn};

use crate::codes::{layer, system, unit_kind, unit_status, zone_effect};
use crate::outputs::Outputs;
use crate::state::{Battle, Unit};
use crate::systems::collisions::collide_units;
use crate::systems::compartments::usable;
use crate::systems::obstacles::push_out_of_obstacles;
use crate::systems::terrain::{keep_in_bounds, keep_off_ground};
use crate::systems::weather::{local_weather, sea_speed_factor};
use crate::systems::zones::zone_intensity;

const DRIVE_FLOOR: f64 = 0.15; // share of speed and thrust that the worst engine still gives
const DRIVE_SHARE: f64 = 0.85;
const DEAD_BELOW: f64 = 0.1; // of PROPULSION
const FLOOD_DRAG: f64 = 0.3;
const BONUS_SHARE: f64 = 0.5;
const EMPTY_TANK_SHARE: f64 = 0.35;
const SLOWEST_MS: f64 = 0.3; // keeps the speed fraction finite
const GROUNDED_ASTERN: f64 = 0.3;
const THROTTLE_RATE: f64 = 0.25; // per second
const RUDDER_RATE: f64 = 0.5;
const SLIP_S: f64 = 2.5;
const ASTERN_SHARE: f64 = 0.5;
const TURN_DRAG: f64 = 0.35;

/// Moves every present hull by one substep, in id order, then parts what touches.
pub fn resolve_physics(battle: &mut Battle, outputs: &mut Outputs) {
    let substep = Substep::of(battle.rules().dt_s);
    let mut before = std::mem::take(&mut outputs.places_before);
    before.clear();
    for unit in 0..battle.starting_units() {
        let own = &battle.units[unit];
        before.push([own.x(), own.y()]);
        if is_mobile(own) {
            advance(battle, unit, &substep);
        }
    }
    collide_units(battle, outputs);
    for (unit, &place) in before.iter().enumerate() {
        if is_mobile(&battle.units[unit]) {
            push_out_of_obstacles(battle, unit, outputs);
            keep_off_ground(battle, unit, place, outputs);
            keep_in_bounds(battle, unit);
        }
    }
    outputs.places_before = before;
}

/// Fastest the unit can go here and now, m/s; 0 when it is dead in the water.
#[must_use]
pub fn speed_limit(battle: &Battle, unit: usize) -> f64 {
    let unit = &battle.units[unit];
    let propulsion = usable(unit, system::PROPULSION);
    if propulsion < DEAD_BELOW {
        return 0.0;
    }
    let mut sea = 1.0;
    if unit.layer.layer == layer::SURFACE {
        sea = sea_speed_factor(unit.identity.size, local_weather(battle, unit.x(), unit.y()).sea_state);
    }
    unit.class_speed()
        * (DRIVE_FLOOR + DRIVE_SHARE * propulsion)
        * (1.0 - FLOOD_DRAG * unit.hull.flood)
        * sea
        * zone_factor(battle, unit)
        * battle.map().layers[unit.layer.layer as usize].speed_modifier
        * (if unit.stores.fuel == 0.0 { EMPTY_TANK_SHARE } else { 1.0 })
}

fn zone_factor(battle: &Battle, unit: &Unit) -> f64 {
    if battle.map().zones.is_empty() {
        return 1.0;
    }
    let mask = unit.layers_mask();
    let mut factor = 1.0 + BONUS_SHARE * zone_intensity(battle, zone_effect::SPEED_BONUS, mask, unit.x(), unit.y());
    if unit.layer.layer == layer::ABYSSAL {
        factor *= 1.0 + zone_intensity(battle, zone_effect::VENT, mask, unit.x(), unit.y());
    }
    factor
}

/// What all hulls share in a substep.
struct Substep {
    dt: f64,
    throttle_step: f64,
    rudder_step: f64,
    slip: f64,
}

impl Substep {
    fn of(dt: f64) -> Self {
        Self { dt, throttle_step: THROTTLE_RATE * dt, rudder_step: RUDDER_RATE * dt, slip: 1.0 - dt / SLIP_S }
    }
}

fn is_mobile(unit: &Unit) -> bool {
    unit.is_present() && unit.identity.kind != unit_kind::PLATFORM
}

fn advance(battle: &mut Battle, unit: usize, substep: &Substep) {
    if battle.units[unit].is_docked() {
        follow(battle, unit);
    } else {
        sail(battle, unit, substep);
    }
    let own = &mut battle.units[unit];
    own.transform.x += (own.motion.vx + own.scratch.current_x) * substep.dt;
    own.transform.y += (own.motion.vy + own.scratch.current_y) * substep.dt;
}

fn follow(battle: &mut Battle, unit: usize) {
    let leading = battle.unit(battle.units[unit].boarding.target_id).motion;
    let motion = &mut battle.units[unit].motion;
    (motion.vx, motion.vy, motion.omega) = (leading.vx, leading.vy, 0.0);
}

fn sail(battle: &mut Battle, unit: usize, substep: &Substep) {
    let limit = speed_limit(battle, unit);
    let vmax = fmax(limit, SLOWEST_MS);
    let own = &mut battle.units[unit];
    let thrust = thrust(own, limit);
    let hull = &own.spec.hull;
    let (place, motion) = (&mut own.transform, &mut own.motion);
    let &Substep { dt, throttle_step, rudder_step, slip } = substep;

    motion.throttle += clamp(motion.cmd_throttle - motion.throttle, -throttle_step, throttle_step);
    motion.rudder += clamp(motion.cmd_rudder - motion.rudder, -rudder_step, rudder_step);

    // Nothing turns a hull between substeps, so that its course is known from the last one.
    let (sine, cosine) = own.scratch.course.of(place.heading);
    let forward = motion.vx * cosine + motion.vy * sine;
    let fraction = (forward / vmax).abs();
    let authority = fmin(fraction / 0.35, 1.0) * fmax(0.1, 1.0 - 0.4 * fmax(0.0, (fraction - 0.6) / 0.4));
    let wanted = hull.turn_rate * motion.rudder * authority * sgn(forward);
    motion.omega += (wanted - motion.omega) * fmin(dt / hull.turn_lag_s, 1.0);
    place.heading = norm2pi(place.heading + motion.omega * dt);

    let (sine, cosine) = own.scratch.course.of(place.heading);
    let mut forward = motion.vx * cosine + motion.vy * sine;
    let left = (motion.vy * cosine - motion.vx * sine) * slip;
    let g = forward / vmax;
    let turning = if hull.turn_rate != 0.0 { motion.omega / hull.turn_rate } else { 0.0 };
    let push = if motion.throttle >= 0.0 { motion.throttle } else { ASTERN_SHARE * motion.throttle };
    let drag = (g * g.abs()) * (1.0 + TURN_DRAG * (turning * turning));
    if (thrust * drag * dt).abs() > forward.abs() {
        forward = thrust * push * dt; // water stops a hull and does not throw it back
    } else {
        forward += thrust * (push - drag) * dt;
    }
    motion.vx = forward * cosine - left * sine;
    motion.vy = forward * sine + left * cosine;
}

fn thrust(unit: &Unit, limit: f64) -> f64 {
    if limit == 0.0 {
        return 0.0;
    }
    let thrust = unit.spec.hull.acceleration * (DRIVE_FLOOR + DRIVE_SHARE * usable(unit, system::PROPULSION));
    if !unit.has(unit_status::GROUNDED) {
        thrust
    } else if unit.motion.throttle >= 0.0 {
        0.0
    } else {
        thrust * GROUNDED_ASTERN
    }
}
