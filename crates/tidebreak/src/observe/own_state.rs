//! What a captain knows of the own ship.

use kernel::numerics::sincos;

use super::engagement::Engagement;
use super::scaling::{clip, flag, half_side};
use crate::codes::SYSTEMS;
use crate::components::{GROUPS, IN_TRANSIT, STEADY};
use crate::layout::own;
use crate::records::UNLIMITED;
use crate::sensing::targets::source_level;
use crate::state::{Battle, Unit};
use crate::systems::compartments::usable;
use crate::systems::fire_conditions::weapon_at;

const SPEED_SCALE_MS: f64 = 30.0;
const ARMOUR_SCALE: f64 = 32.0;
const SOURCE_LEVEL_ZERO_DB: f64 = 100.0;
const SOURCE_LEVEL_SCALE_DB: f64 = 100.0;
/// How long the captain is told of a ping or a radar that found the ship.
pub const ALARM_TICKS: i64 = 10;

/// Fills in the block `own_state`, which holds zeros; `limit_ms` is the unit's speed limit.
pub fn show_own_state(battle: &Battle, unit: usize, engagement: &Engagement<'_>, limit_ms: f64, obs: &mut [f32]) {
    let ship = &battle.units[unit];
    show_motion(battle, ship, limit_ms, obs);
    show_condition(ship, obs);
    show_depth(ship, obs);
    show_posture(battle, ship, obs);
    show_weapons(battle, unit, engagement, obs);
}

fn show_motion(battle: &Battle, ship: &Unit, limit_ms: f64, obs: &mut [f32]) {
    let (area, place, motion, scale_m) = (battle.map(), &ship.transform, &ship.motion, half_side(battle));
    let (sine, cosine) = sincos(place.heading);
    obs[own::X] = clip((place.x - (area.min_x + area.max_x) / 2.0) / scale_m);
    obs[own::Y] = clip((place.y - (area.min_y + area.max_y) / 2.0) / scale_m);
    obs[own::SIN_HEADING] = clip(sine);
    obs[own::COS_HEADING] = clip(cosine);
    obs[own::SPEED_AHEAD] = clip((motion.vx * cosine + motion.vy * sine) / SPEED_SCALE_MS);
    obs[own::SPEED_LEFT] = clip((motion.vy * cosine - motion.vx * sine) / SPEED_SCALE_MS);
    let turn_rate = ship.spec.hull.turn_rate;
    obs[own::TURN] = if turn_rate > 0.0 { clip(motion.omega / turn_rate) } else { 0.0 };
    obs[own::THROTTLE] = clip(motion.throttle);
    obs[own::RUDDER] = clip(motion.rudder);
    obs[own::SPEED_LIMIT] = clip(limit_ms / SPEED_SCALE_MS);
}

fn show_condition(ship: &Unit, obs: &mut [f32]) {
    let (hull, crew, spec) = (&ship.hull, &ship.crew, &ship.spec);
    obs[own::HP] = clip(hull.hp / spec.hull.hp_max);
    obs[own::ARMOUR] = clip(spec.hull.armour / ARMOUR_SCALE);
    obs[own::FUEL] = if spec.fuel_capacity_s > 0.0 { clip(ship.stores.fuel / spec.fuel_capacity_s) } else { 1.0 };
    obs[own::MORALE] = clip(ship.morale.morale);
    let crew_start = spec.crew.crew_start;
    obs[own::CREW] = if crew_start > 0 { clip(crew.alive as f64 / crew_start as f64) } else { 0.0 };
    obs[own::GUNNERY] = clip(crew.gunnery);
    obs[own::ENGINEERING] = clip(crew.engineering);
    obs[own::FATIGUE] = clip(crew.fatigue);
    for system in 0..SYSTEMS {
        obs[own::SYSTEMS + system] = clip(usable(ship, system));
    }
    obs[own::FIRE] = clip(hull.fire);
    obs[own::FLOOD] = clip(hull.flood);
}

fn show_depth(ship: &Unit, obs: &mut [f32]) {
    let layer = &ship.layer;
    obs[own::LAYER + layer.layer as usize] = 1.0;
    if layer.mode != STEADY {
        obs[own::IS_CHANGING_LAYER] = 1.0;
        obs[own::TRANSIT_SHARE] = clip(layer.elapsed as f64 / layer.total as f64);
    }
    if layer.mode == IN_TRANSIT {
        obs[own::TRANSIT_DIRECTION] = if layer.target_layer < layer.layer { 1.0 } else { -1.0 };
    }
}

fn show_posture(battle: &Battle, ship: &Unit, obs: &mut [f32]) {
    obs[own::EMISSIONS + ship.posture.emissions as usize] = 1.0;
    obs[own::SOURCE_LEVEL] = clip((source_level(ship) - SOURCE_LEVEL_ZERO_DB) / SOURCE_LEVEL_SCALE_DB);
    let alarm_tick = ship.contact_memory.pinged_at.max(ship.contact_memory.painted_at);
    obs[own::IS_DETECTED] = flag(battle.tick - alarm_tick <= ALARM_TICKS);
}

/// What the mounts of one weapon group have.
#[derive(Clone, Copy, Default)]
struct Battery {
    mounts: i64,
    ready: i64,
    ammo: i64,
    ammo_started: i64,
    is_unlimited: bool,
}

fn show_weapons(battle: &Battle, unit: usize, engagement: &Engagement<'_>, obs: &mut [f32]) {
    let ship = &battle.units[unit];
    let mut batteries = [Battery::default(); GROUPS + 1]; // by group; AUTOMATIC is not shown
    for (place, (mount, spec)) in ship.mounts.iter().zip(&ship.spec.mounts).enumerate() {
        let battery = &mut batteries[weapon_at(battle, unit, place).group as usize];
        battery.mounts += 1;
        battery.ready += i64::from(engagement.is_ready(place));
        battery.ammo += mount.ammo;
        battery.ammo_started += spec.ammo;
        battery.is_unlimited |= spec.ammo == UNLIMITED;
    }
    for (group, battery) in batteries[1..].iter().enumerate().filter(|(_, battery)| battery.mounts > 0) {
        obs[own::READY + group] = clip(battery.ready as f64 / battery.mounts as f64);
        obs[own::AMMO + group] = ammo_share(battery);
    }
}

fn ammo_share(battery: &Battery) -> f32 {
    if battery.is_unlimited {
        1.0
    } else if battery.ammo_started != 0 {
        clip(battery.ammo as f64 / battery.ammo_started as f64)
    } else {
        0.0
    }
}
