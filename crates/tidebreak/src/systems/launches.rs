//! Munitions as they leave a ship.

use kernel::numerics::{atan2, hyp, norm2pi, sincos};

use crate::codes::munition_kind;
use crate::components::Munition;
use crate::records::ResolvedWeapon;
use crate::state::{Battle, Unit};
use crate::systems::ballistics::{Aiming, charge_spread_m, effective_gunnery, gun_spread_m};
use crate::systems::weather::local_weather;

const CHARGE_SINKS_S: f64 = 6.0;
const MINE_ASTERN_M: f64 = 30.0;
const MINE_ARMS_AFTER_TICKS: i64 = 20;

/// Puts a munition into the battle, at the ship and on the course to its aim point; mines go astern.
pub fn launch(battle: &mut Battle, unit: usize, weapon: usize, aim: (f64, f64), fired_event: i64) {
    let id = battle.take_entity_id();
    let munition = prepare(battle, id, &battle.units[unit], &battle.spec.weapons[weapon], aim, fired_event);
    battle.munitions.push(munition);
}

fn prepare(
    battle: &Battle,
    id: i64,
    unit: &Unit,
    weapon: &ResolvedWeapon,
    aim: (f64, f64),
    fired_event: i64,
) -> Munition {
    let place = &unit.transform;
    let range_m = hyp(aim.0 - place.x, aim.1 - place.y);
    let is_mine = weapon.kind == munition_kind::MINE;
    let (x, y) = if is_mine { astern(unit) } else { (place.x, place.y) };
    Munition {
        id,
        kind: weapon.kind,
        weapon_code: weapon.code,
        owner_id: unit.identity.id,
        team: unit.identity.team,
        x,
        y,
        heading: if is_mine { place.heading } else { norm2pi(atan2(aim.1 - place.y, aim.0 - place.x)) },
        speed: weapon.speed_ms,
        launch_layer: unit.layer.layer,
        target_layers: weapon.hits_mask,
        aim_x: aim.0,
        aim_y: aim.1,
        lock_id: 0,
        remaining: flight_s(weapon, range_m),
        run: 0.0,
        rounds: weapon.rounds,
        spread: spread_m(battle, unit, weapon, range_m),
        damage: weapon.damage,
        armed_at: if is_mine { battle.tick + MINE_ARMS_AFTER_TICKS } else { battle.tick },
        search: false,
        fired_event,
    }
}

fn astern(unit: &Unit) -> (f64, f64) {
    let (sine, cosine) = sincos(unit.transform.heading);
    (unit.transform.x - MINE_ASTERN_M * cosine, unit.transform.y - MINE_ASTERN_M * sine)
}

/// Time until rounds fall or charges burst, or until a torpedo or missile has no fuel left; mines wait.
fn flight_s(weapon: &ResolvedWeapon, range_m: f64) -> f64 {
    match weapon.kind {
        munition_kind::SALVO => range_m / weapon.speed_ms,
        munition_kind::CHARGE => range_m / weapon.speed_ms + CHARGE_SINKS_S,
        munition_kind::TORPEDO | munition_kind::MISSILE => weapon.range_m / weapon.speed_ms,
        _ => 0.0,
    }
}

fn spread_m(battle: &Battle, unit: &Unit, weapon: &ResolvedWeapon, range_m: f64) -> f64 {
    if weapon.kind == munition_kind::CHARGE {
        return charge_spread_m(weapon, range_m);
    }
    if weapon.kind != munition_kind::SALVO {
        return 0.0;
    }
    let aiming = Aiming {
        gunnery: effective_gunnery(unit.crew.gunnery, unit.crew.fatigue),
        size: unit.identity.size,
        sea_state: local_weather(battle, unit.x(), unit.y()).sea_state,
        morale: unit.morale.morale,
    };
    gun_spread_m(weapon, range_m, &aiming)
}
