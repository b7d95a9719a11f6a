//! Squadrons: carrier craft that fly as one body, strike once and come home.

use std::sync::Arc;

use kernel::numerics::{atan2, ceil, fmax, hyp, sincos};

use crate::codes::{unit_kind, unit_status};
use crate::components::Track;
use crate::draws::{Stream, uniform};
use crate::events::{EventKind, News};
use crate::opening::open_unit;
use crate::outputs::{Damage, Outputs, Plugin};
use crate::state::{Battle, Unit};
use crate::systems::fire_conditions::{aim_point, weapon_at};
use crate::systems::squadron_spec::{CRAFT_HP, squadron_spec};
use crate::systems::steering::{advance, steer};

const STRIKE_M: f64 = 800.0;
const RECOVERY_M: f64 = 100.0;
const SCORE_CHANCE: f64 = 0.35;
/// `ready_at` of a mount whose craft are out.
pub const NOT_RECOVERED: i64 = 1 << 40;
/// Of endurance: rounding must not buy another tick.
const EMPTY_BELOW_S: f64 = 0.5;

/// Sends the craft of a mount against a track.
pub fn launch_squadron(battle: &mut Battle, carrier: usize, place: usize, track: &Track) {
    let firer = &battle.units[carrier];
    let (id, team, transform) = (firer.identity.id, firer.identity.team, firer.transform);
    let weapon = weapon_at(battle, carrier, place);
    let (code, group) = (weapon.code, weapon.group);
    let fired = battle.record(News {
        source: id,
        target: track.target_id,
        f0: track.x,
        f1: track.y,
        i0: code,
        ..News::of(EventKind::WeaponFired)
    });
    let squadron_id = battle.take_entity_id();
    let mut craft = open_unit(Arc::new(squadron_spec(&battle.spec, squadron_id, team)));
    craft.transform = transform;
    craft.memory.carrier_id = id;
    craft.memory.carrier_slot = place as i64;
    craft.memory.designated_track = track.track_id;
    craft.memory.last_damage_event = fired;
    battle.units.push(craft);
    battle.record(News { source: id, target: squadron_id, cause: fired, ..News::of(EventKind::SquadronLaunched) });
    let firer = &mut battle.units[carrier];
    let mount = &mut firer.mounts[place];
    mount.ready_at = NOT_RECOVERED;
    if mount.ammo > 0 {
        mount.ammo -= 1;
    }
    firer.tally.shots[group as usize - 1] += 1;
}

/// Flies every squadron for one substep; lets it strike, land or be lost.
pub fn move_squadrons(battle: &mut Battle, outputs: &mut Outputs) {
    // Squadrons come after the units a battle starts with.
    for place in battle.starting_units()..battle.units.len() {
        let unit = &battle.units[place];
        if unit.is_present() && unit.identity.kind == unit_kind::SQUADRON {
            fly(battle, place, outputs);
        }
    }
}

/// Aircraft still flying.
#[must_use]
pub fn craft_left(squadron: &Unit) -> i64 {
    ceil(squadron.hull.hp / CRAFT_HP) as i64
}

/// Takes one aircraft out of a squadron.
pub fn lose_craft(battle: &mut Battle, squadron: usize, killer: usize, cause: i64) {
    let killer_id = battle.units[killer].id();
    let craft = &mut battle.units[squadron];
    craft.memory.last_damage_by = killer_id;
    craft.memory.last_damage_event = cause;
    craft.hull.hp = fmax(0.0, (craft_left(craft) - 1) as f64 * CRAFT_HP);
    if craft.hull.hp <= 0.0 {
        lose(battle, squadron);
    }
}

fn fly(battle: &mut Battle, place: usize, outputs: &mut Outputs) {
    let craft = &battle.units[place];
    let carrier_place = battle.place(craft.memory.carrier_id);
    let carrier = &battle.units[carrier_place];
    if !carrier.is_present() || craft.stores.fuel < EMPTY_BELOW_S {
        lose(battle, place);
        return;
    }
    let home = (carrier.transform.x, carrier.transform.y);
    let track = if craft.memory.has_struck { None } else { carrier.tracks.get(craft.memory.designated_track).copied() };
    let weapon = weapon_at(battle, carrier_place, craft.memory.carrier_slot as usize);
    let (speed_ms, turn_rate, cooldown_s) = (weapon.speed_ms, weapon.turn_rate, weapon.cooldown_s);
    let goal = track.as_ref().map_or(home, |track| aim_point(craft, weapon, track));
    let dt = battle.rules().dt_s;
    move_toward(&mut battle.units[place], goal, speed_ms, turn_rate, dt);
    let moved = &battle.units[place];
    match track {
        None => {
            if hyp(home.0 - moved.transform.x, home.1 - moved.transform.y) <= RECOVERY_M {
                recover(battle, place, carrier_place, cooldown_s);
            }
        }
        Some(track) => {
            if distance_to(battle, moved, &track) < STRIKE_M {
                strike(battle, place, carrier_place, &track, outputs);
            }
        }
    }
}

fn move_toward(craft: &mut Unit, goal: (f64, f64), speed_ms: f64, turn_rate: f64, dt: f64) {
    let place = &mut craft.transform;
    place.heading = steer(place.heading, atan2(goal.1 - place.y, goal.0 - place.x), turn_rate * dt);
    (place.x, place.y) = advance(place.x, place.y, place.heading, speed_ms * dt);
    let (sine, cosine) = sincos(place.heading);
    craft.motion.vx = speed_ms * cosine;
    craft.motion.vy = speed_ms * sine;
}

/// To the thing itself once it is near enough to be seen, so that a stale track does not end the attack early.
fn distance_to(battle: &Battle, craft: &Unit, track: &Track) -> f64 {
    let (x, y) = battle.find_unit(track.target_id).map_or((track.x, track.y), |target| (target.x(), target.y()));
    hyp(x - craft.transform.x, y - craft.transform.y)
}

fn strike(battle: &mut Battle, place: usize, carrier: usize, track: &Track, outputs: &mut Outputs) {
    battle.units[place].memory.has_struck = true;
    let craft = &battle.units[place];
    let weapon = weapon_at(battle, carrier, craft.memory.carrier_slot as usize);
    let Some(target) = battle.find_unit(track.target_id) else {
        return;
    };
    if !target.is_present() || target.layers_mask() & weapon.hits_mask == 0 {
        return;
    }
    let (id, cause, code) = (craft.identity.id, craft.memory.last_damage_event, weapon.code);
    let direction = atan2(craft.y() - target.y(), craft.x() - target.x());
    let damage = Damage::new(battle.units[carrier].id(), target.id(), weapon.damage, weapon.damage_type, direction);
    for number in 0..craft_left(craft) {
        if uniform(battle, Stream::Squadrons, id, number, battle.tick) < SCORE_CHANCE {
            let hit = battle.record(News {
                source: damage.source,
                target: damage.target,
                cause,
                f0: damage.amount,
                i0: code,
                ..News::of(EventKind::Hit)
            });
            outputs.emit(Plugin::Squadron, Damage { cause: hit, ..damage });
        }
    }
}

fn recover(battle: &mut Battle, craft: usize, carrier: usize, cooldown_s: i64) {
    let craft = &mut battle.units[craft];
    craft.mark(unit_status::EXITED);
    let slot = craft.memory.carrier_slot as usize;
    battle.units[carrier].mounts[slot].ready_at = battle.tick + cooldown_s;
}

fn lose(battle: &mut Battle, place: usize) {
    let craft = &mut battle.units[place];
    craft.mark(unit_status::DESTROYED);
    let (id, by, cause) = (craft.identity.id, craft.memory.last_damage_by, craft.memory.last_damage_event);
    battle.record(News { source: by, target: id, cause, ..News::of(EventKind::SquadronLost) });
}
