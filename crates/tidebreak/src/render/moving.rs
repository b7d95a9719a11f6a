//! Units, munitions and what units are told to do.

use super::names::{CONNECTION_NAMES, MUNITION_KIND_NAMES, SIZE_NAMES, STATUS_NAMES, UNIT_KIND_NAMES};
use super::real;
use crate::components::{Munition, STEADY};
use crate::records::ResolvedShape;
use crate::result::json::Json;
use crate::result::names::{OBJECTIVE_STATUS_NAMES, OBJECTIVE_TYPE_NAMES, name_of};
use crate::state::{Battle, Unit};

const LAYERS: i64 = 3;

/// A unit as it is, wherever it is; who commands it is added in Python.
pub fn unit_picture(battle: &Battle, unit: &Unit) -> Json {
    let (hull, layer, tally) = (&unit.spec.hull, &unit.layer, &unit.tally);
    let is_steady = layer.mode == STEADY;
    let designated = unit.tracks.get(unit.memory.designated_track);
    let shown = STATUS_NAMES.iter().filter(|(bit, _)| unit.has(*bit)).map(|&(_, name)| name);
    let boarding =
        [("state", name_of(&CONNECTION_NAMES, unit.boarding.state)), ("target", unit.boarding.target_id.into())];
    Json::object([
        ("id", unit.id().into()),
        ("ship_id", unit.spec.ship_id.as_str().into()),
        ("team", battle.spec.teams[unit.team() as usize].team_id.as_str().into()),
        ("class", hull.class_name.as_str().into()),
        ("kind", name_of(&UNIT_KIND_NAMES, unit.identity.kind)),
        ("size", name_of(&SIZE_NAMES, unit.identity.size)),
        ("radius", real(hull.radius_m)),
        ("x", real(unit.x())),
        ("y", real(unit.y())),
        ("h", real(unit.heading())),
        ("speed", real(unit.speed())),
        ("vx", real(unit.motion.vx)),
        ("vy", real(unit.motion.vy)),
        ("layer", layer.layer.into()),
        ("mode", layer.mode.into()),
        ("target_layer", (!is_steady).then_some(layer.target_layer).into()),
        ("progress", real(if is_steady { 0.0 } else { layer.elapsed as f64 / layer.total as f64 })),
        ("hp", real(unit.hull.hp / hull.hp_max)),
        ("hp_max", real(hull.hp_max)),
        ("fire", real(unit.hull.fire)),
        ("flood", real(unit.hull.flood)),
        ("systems", Json::list(unit.hull.systems.map(real))),
        ("morale", real(unit.morale.morale)),
        ("emissions", unit.posture.emissions.into()),
        ("status", Json::list(shown)),
        ("target", designated.map(|track| track.target_id).into()),
        ("boarding", Json::object(boarding)),
        ("damage_dealt", real(tally.damage_dealt)),
        ("damage_taken", real(tally.damage_taken)),
        ("kills", tally.kills.into()),
        ("shots", tally.shots.iter().sum::<i64>().into()),
        ("hits", tally.hits.into()),
    ])
}

/// A munition on its way.
pub fn munition_picture(battle: &Battle, munition: &Munition) -> Json {
    let weapon = usize::try_from(munition.weapon_code).ok().and_then(|code| battle.spec.weapons.get(code));
    Json::object([
        ("id", munition.id.into()),
        ("kind", name_of(&MUNITION_KIND_NAMES, munition.kind)),
        ("weapon", weapon.map(|weapon| weapon.weapon_id.as_str()).into()),
        ("team", battle.spec.teams[munition.team as usize].team_id.as_str().into()),
        ("owner", munition.owner_id.into()),
        ("x", real(munition.x)),
        ("y", real(munition.y)),
        ("h", real(munition.heading)),
        ("speed", real(munition.speed)),
        ("layers", Json::list((0..LAYERS).filter(|&layer| layer == munition.launch_layer))),
        ("aim", Json::list([real(munition.aim_x), real(munition.aim_y)])),
        ("remaining", real(munition.remaining)),
        ("armed", (battle.tick >= munition.armed_at).into()),
    ])
}

/// What a unit is told to do and how far it has come.
///
/// # Panics
/// When it is told nothing.
pub fn objective_picture(battle: &Battle, unit: &Unit) -> Json {
    let task = unit.spec.objective.as_ref().expect("only units with an objective are asked");
    let destination = task.destination_x.zip(task.destination_y);
    let zone = task.zone.as_ref().map(|zone| {
        let center = battle.find_unit(task.zone_relative_id);
        shape_picture(zone, center.map_or((0.0, 0.0), |center| (center.x(), center.y())))
    });
    Json::object([
        ("unit", unit.id().into()),
        ("ship_id", unit.spec.ship_id.as_str().into()),
        ("type", name_of(&OBJECTIVE_TYPE_NAMES, task.r#type)),
        ("status", name_of(&OBJECTIVE_STATUS_NAMES, unit.objective.status)),
        ("progress", real(unit.objective.progress)),
        ("target", task.target_id.into()),
        ("asset", task.asset_id.into()),
        ("zone", zone.unwrap_or(Json::Null)),
        ("destination", destination.map_or(Json::Null, |(x, y)| Json::list([real(x), real(y)]))),
    ])
}

fn shape_picture(shape: &ResolvedShape, (dx, dy): (f64, f64)) -> Json {
    let vertices = shape.vertices.iter().map(|&[x, y]| Json::list([real(x + dx), real(y + dy)]));
    Json::object([
        ("x", real(shape.x + dx)),
        ("y", real(shape.y + dy)),
        ("radius", real(shape.radius_m)),
        ("vertices", Json::list(vertices)),
    ])
}
