//! What a resolved battle must hold to be fought without an index out of range.
//!
//! Whether it makes sense was checked when the package was resolved; this is for bytes that come from elsewhere.

use crate::codes::unit_kind;
use crate::limits::{CURRENT_NODES, MOUNTS_MAX, STORMS_MAX, TEAMS_MAX, TRACKS_MAX, UNITS_MAX, ZONES_MAX};
use crate::records::{FORMAT, ResolvedBattle, ResolvedMap, ResolvedUnit};

/// Refuses a battle that cannot be fought.
///
/// # Errors
/// With what is wrong; the message starts with C001, or C030 where a limit is exceeded.
pub fn check_battle(battle: &ResolvedBattle) -> Result<(), String> {
    if battle.format != FORMAT {
        return Err(format!("C001 not a resolved package: format is '{}', not '{FORMAT}'", battle.format));
    }
    for (name, count, most) in [
        ("teams", battle.teams.len(), TEAMS_MAX),
        ("units", battle.units.len(), UNITS_MAX),
        ("zones", battle.map.zones.len(), ZONES_MAX),
        ("storms", battle.map.storms.len(), STORMS_MAX),
    ] {
        if count > most {
            return Err(format!("C030 there are {count} {name}; {most} at most can be fought"));
        }
    }
    check_map(&battle.map)?;
    for (place, team) in battle.teams.iter().enumerate() {
        let is_sound = team.index == place as i64
            && team.enemies.iter().all(|&enemy| (0..battle.teams.len() as i64).contains(&enemy));
        need(is_sound, || format!("team {place} is out of place"))?;
    }
    for (code, weapon) in battle.weapons.iter().enumerate() {
        need(weapon.code == code as i64 && (0..7).contains(&weapon.group), || {
            format!("weapon {code} is out of place")
        })?;
    }
    for (place, unit) in battle.units.iter().enumerate() {
        check_unit(battle, place, unit)?;
    }
    let rules = &battle.rules;
    need(rules.substeps >= 1 && rules.field_period >= 1, || "the clock does not run".to_owned())
}

fn check_map(map: &ResolvedMap) -> Result<(), String> {
    let depth = &map.depth;
    let has_nodes = depth.rows >= 2 && depth.columns >= 2 && depth.nodes_m.len() == depth.rows * depth.columns;
    need(depth.uniform_m.is_some() || has_nodes, || "the sea bed lacks nodes".to_owned())?;
    let nodes = CURRENT_NODES * CURRENT_NODES;
    let has_currents = map.currents.iter().all(|grid| grid.x_ms.len() == nodes && grid.y_ms.len() == nodes);
    need(has_currents, || format!("a grid of currents does not have {nodes} nodes"))?;
    need((0..4).contains(&map.weather.precipitation), || "the precipitation is no code".to_owned())?;
    let has_effects = map.zones.iter().all(|zone| (0..6).contains(&zone.effect));
    let has_profiles = map.storms.iter().all(|storm| (0..3).contains(&storm.profile));
    need(has_effects && has_profiles, || "a zone or storm has no such kind".to_owned())
}

fn check_unit(battle: &ResolvedBattle, place: usize, unit: &ResolvedUnit) -> Result<(), String> {
    let units = battle.units.len() as i64;
    let hull = &unit.hull;
    let is_placed = unit.id == place as i64 + 1
        && (0..battle.teams.len() as i64).contains(&unit.team)
        && (0..3).contains(&unit.start.layer)
        && (0..4).contains(&hull.size)
        && (0..3).contains(&hull.damage_tier);
    need(is_placed, || format!("unit {} is out of place", unit.id))?;
    need([unit_kind::SHIP, unit_kind::PLATFORM].contains(&hull.kind), || {
        format!("unit {} is neither a ship nor a platform; squadrons take off during the battle", unit.id)
    })?;
    let has_mounts = unit.mounts.len() <= MOUNTS_MAX
        && unit.mounts.iter().all(|mount| mount.weapon < battle.weapons.len())
        && (0..4).contains(&unit.sensors.link_tier);
    need(has_mounts, || format!("unit {} has equipment that there is not", unit.id))?;
    let tracks_max = unit.sensors.tracks_max;
    need((1..=TRACKS_MAX as i64).contains(&tracks_max), || {
        format!("unit {} keeps {tracks_max} tracks; it must keep 1 to {TRACKS_MAX}", unit.id)
    })?;
    let parts = unit.start.compartments.len() as i64;
    need(parts == hull.compartments && [0, 8, 12].contains(&parts), || format!("unit {} lacks compartments", unit.id))?;
    let Some(task) = &unit.objective else { return Ok(()) };
    let named = [task.target_id, task.asset_id, task.zone_relative_id, task.destination_id];
    let are_known = named.iter().chain(&task.target_ids).all(|id| (0..=units).contains(id));
    need(are_known && (0..14).contains(&task.r#type), || format!("the objective of unit {} names nobody", unit.id))
}

fn need(is_sound: bool, problem: impl FnOnce() -> String) -> Result<(), String> {
    if is_sound { Ok(()) } else { Err(format!("C001 not a resolved package: {}", problem())) }
}
