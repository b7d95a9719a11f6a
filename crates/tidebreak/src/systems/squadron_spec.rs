//! The record of a squadron, which no package lists.

use crate::codes::{SYSTEMS, layer, link_tier, size_class, unit_kind, weapon_group};
use crate::records::{
    ResolvedBattle, ResolvedCrew, ResolvedHull, ResolvedSensors, ResolvedSignature, ResolvedStart, ResolvedUnit,
    ResolvedWeapon,
};

/// Hit points of one aircraft.
pub const CRAFT_HP: f64 = 15.0;
const ENDURANCE_S: f64 = 420.0;
const RADIUS_M: f64 = 15.0;
const CLASS_NAME: &str = "squadron";
const CLASS_CODE: i64 = 255;
const SIGNATURE: ResolvedSignature =
    ResolvedSignature { radar_index: 8.0, visual_index: 0.15, sl0_db: 0.0, slk_db: 0.0, ts_db: 0.0 };
const SENSORS: ResolvedSensors = ResolvedSensors {
    radar_range_m: None,
    di_db: None,
    ping_db: None,
    visual_factor: 1.0,
    tracks_max: 0,
    link_tier: link_tier::T0,
};
const CREW: ResolvedCrew = ResolvedCrew {
    crew_start: 0,
    gunnery: 0.5,
    engineering: 0.0,
    fatigue: 0.0,
    morale: 1.0,
    command: 0.5,
    marines: 0,
    security: 0,
};

/// Describes the craft of an air wing as one unit; where it is and how many are left is state.
///
/// # Panics
/// When the battle's weapons have no air wing; then nothing can launch one.
#[must_use]
pub fn squadron_spec(battle: &ResolvedBattle, squadron_id: i64, team: i64) -> ResolvedUnit {
    let is_air_wing = |weapon: &&ResolvedWeapon| weapon.group == weapon_group::AIR;
    let weapon = battle.weapons.iter().find(is_air_wing).expect("an air wing launched the squadron");
    ResolvedUnit {
        id: squadron_id,
        ship_id: format!("{CLASS_NAME}-{squadron_id}"),
        package_index: -1,
        team,
        is_flagship: false,
        no_surrender: true,
        fleet_id: None,
        fuel_capacity_s: ENDURANCE_S,
        hull: hull(weapon),
        signature: SIGNATURE,
        sensors: SENSORS,
        mounts: Vec::new(),
        crew: CREW,
        start: start(weapon),
        objective: None,
    }
}

fn hull(weapon: &ResolvedWeapon) -> ResolvedHull {
    ResolvedHull {
        class_code: CLASS_CODE,
        class_name: CLASS_NAME.to_owned(),
        kind: unit_kind::SQUADRON,
        size: size_class::S,
        damage_tier: 0,
        boarding_tier: 0,
        compartments: 0,
        cost: 0.0,
        mass_t: 0.0,
        radius_m: RADIUS_M,
        draught_m: 0.0,
        hp_max: weapon.rounds as f64 * CRAFT_HP,
        armour: 0.0,
        speed_ms: [weapon.speed_ms, 0.0, 0.0],
        layers_mask: 1 << layer::SURFACE,
        is_submarine: false,
        acceleration: 0.0,
        turn_rate: weapon.turn_rate,
        turn_lag_s: 1.0,
        dive_s: 0.0,
        deep_s: 0.0,
        bulkhead: 0.0,
    }
}

fn start(weapon: &ResolvedWeapon) -> ResolvedStart {
    ResolvedStart {
        x: 0.0,
        y: 0.0,
        heading: 0.0,
        speed_ms: weapon.speed_ms,
        layer: layer::SURFACE,
        hp: weapon.rounds as f64 * CRAFT_HP,
        systems: [1.0; SYSTEMS],
        ceilings: [1.0; SYSTEMS],
        fire: 0.0,
        flood: 0.0,
        compartments: Vec::new(),
        fuel_s: ENDURANCE_S,
        decoys: 0,
    }
}
