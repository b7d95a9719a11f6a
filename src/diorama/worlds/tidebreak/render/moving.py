"""Units, munitions and what units are told to do."""

from diorama.contracts.values import JsonObject, JsonValue
from diorama.worlds.tidebreak.codes import (
    ConnectionState,
    MunitionKind,
    ObjectiveStatus,
    ObjectiveType,
    SizeClass,
    UnitKind,
    UnitStatus,
)
from diorama.worlds.tidebreak.reference.components import STEADY, Munition
from diorama.worlds.tidebreak.reference.state import Battle, Unit
from diorama.worlds.tidebreak.render.map import layers_of, shape_picture


def unit_picture(battle: Battle, unit: Unit) -> JsonObject:
    """Return a unit as it is, wherever it is."""
    hull, layer, tally = unit.spec.hull, unit.layer, unit.tally
    designated = unit.tracks.get(unit.memory.designated_track)
    return {
        "id": unit.id,
        "ship_id": unit.spec.ship_id,
        "team": battle.spec.teams[unit.team].team_id,
        "class": hull.class_name,
        "kind": UnitKind(unit.identity.kind).name,
        "size": SizeClass(unit.identity.size).name,
        "radius": hull.radius_m,
        "x": unit.x,
        "y": unit.y,
        "h": unit.heading,
        "speed": unit.speed,
        "vx": unit.motion.vx,
        "vy": unit.motion.vy,
        "layer": layer.layer,
        "mode": layer.mode,
        "target_layer": None if layer.mode == STEADY else layer.target_layer,
        "progress": 0.0 if layer.mode == STEADY else float(layer.elapsed) / float(layer.total),
        "hp": unit.hull.hp / hull.hp_max,
        "hp_max": hull.hp_max,
        "fire": unit.hull.fire,
        "flood": unit.hull.flood,
        "systems": list(unit.hull.systems),
        "morale": unit.morale.morale,
        "emissions": int(unit.posture.emissions),
        "status": [status.name for status in UnitStatus if unit.has(status)],
        "target": None if designated is None else designated.target_id,
        "boarding": {"state": ConnectionState(unit.boarding.state).name, "target": unit.boarding.target_id},
        "damage_dealt": tally.damage_dealt,
        "damage_taken": tally.damage_taken,
        "kills": tally.kills,
        "shots": sum(tally.shots),
        "hits": tally.hits,
    }


def munition_picture(battle: Battle, munition: Munition) -> JsonObject:
    """Return a munition on its way."""
    weapons = battle.spec.weapons
    is_weapon = 0 <= munition.weapon_code < len(weapons)
    return {
        "id": munition.id,
        "kind": MunitionKind(munition.kind).name,
        "weapon": weapons[munition.weapon_code].weapon_id if is_weapon else None,
        "team": battle.spec.teams[munition.team].team_id,
        "owner": munition.owner_id,
        "x": munition.x,
        "y": munition.y,
        "h": munition.heading,
        "speed": munition.speed,
        "layers": layers_of(1 << munition.launch_layer),
        "aim": [munition.aim_x, munition.aim_y],
        "remaining": munition.remaining,
        "armed": battle.tick >= munition.armed_at,
    }


def objective_picture(battle: Battle, unit: Unit) -> JsonObject:
    """Return what a unit is told to do and how far it has come."""
    task = unit.spec.objective
    assert task is not None, "only units with an objective are asked"
    return {
        "unit": unit.id,
        "ship_id": unit.spec.ship_id,
        "type": ObjectiveType(task.type).name,
        "status": ObjectiveStatus(unit.objective.status).name,
        "progress": unit.objective.progress,
        "target": task.target_id,
        "asset": task.asset_id,
        "zone": _zone(battle, unit),
        "destination": None if task.destination_x is None else [task.destination_x, task.destination_y],
    }


def _zone(battle: Battle, unit: Unit) -> JsonValue:
    task = unit.spec.objective
    if task is None or task.zone is None:
        return None
    if task.zone_relative_id == 0:
        return shape_picture(task.zone)
    center = battle.unit(task.zone_relative_id)
    return shape_picture(task.zone, center.x, center.y)
