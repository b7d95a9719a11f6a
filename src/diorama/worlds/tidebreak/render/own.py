"""What the captain of a seat reads off the instruments: gauges, weapons, and what the contact rows stand for."""

from math import sqrt
from typing import Final

from diorama.contracts.values import JsonObject, JsonValue
from diorama.numerics import atan2, hyp
from diorama.worlds.tidebreak.codes import Iff, MunitionKind, WeaponGroup
from diorama.worlds.tidebreak.layout import FIRST_MATE_ROW, FIRST_MUNITION_ROW
from diorama.worlds.tidebreak.reference.components import MateFix, Munition, Track
from diorama.worlds.tidebreak.reference.observe.own_state import ALARM_TICKS
from diorama.worlds.tidebreak.reference.observe.rows import contact_rows
from diorama.worlds.tidebreak.reference.sensing.constants import MATE_SIGMA_M
from diorama.worlds.tidebreak.reference.sensing.targets import source_level
from diorama.worlds.tidebreak.reference.state import Battle, Unit
from diorama.worlds.tidebreak.reference.systems.fire_conditions import can_engage, mount_refusal, weapon_at
from diorama.worlds.tidebreak.reference.systems.physics import speed_limit
from diorama.worlds.tidebreak.render.tracks import apparent_size, apparent_unit
from diorama.worlds.tidebreak.resolve.records import UNLIMITED

_WORDS: Final = {
    Iff.UNKNOWN: "unknown",
    Iff.FRIENDLY_AUTHENTICATED: "friend",
    Iff.FRIENDLY_ASSUMED: "probably a friend",
    Iff.SUSPECT: "suspect",
    Iff.HOSTILE_DECLARED: "hostile",
}


def own_picture(battle: Battle, seat: int, unit: Unit) -> JsonObject:
    """Return the instruments of the unit in a seat."""
    motion, crew, capacity = unit.motion, unit.crew, unit.spec.fuel_capacity_s
    alarm_tick = max(unit.contact_memory.pinged_at, unit.contact_memory.painted_at)
    rows = contact_rows(battle, unit)
    designated = [row for row, track in enumerate(rows.tracks) if track.track_id == unit.memory.designated_track]
    crew_start = unit.spec.crew.crew_start
    return {
        "seat": seat,
        "unit": unit.id,
        "speed": unit.speed,
        "speed_limit": speed_limit(battle, unit),
        "throttle": motion.throttle,
        "ordered_throttle": motion.cmd_throttle,
        "rudder": motion.rudder,
        "ordered_rudder": motion.cmd_rudder,
        "fuel": unit.stores.fuel / capacity if capacity > 0.0 else 1.0,
        "morale": unit.morale.morale,
        "crew": float(crew.alive) / float(crew_start) if crew_start > 0 else 0.0,
        "decoys": unit.stores.decoys,
        "marines": crew.marines,
        "dc_focus": int(unit.posture.dc_focus),
        "noise_db": source_level(unit),
        "is_detected": battle.tick - alarm_tick <= ALARM_TICKS,
        "weapons": _weapons(battle, unit),
        "target_row": designated[0] if designated else None,
        "contacts": [
            *(_track(battle, unit, row, track) for row, track in enumerate(rows.tracks)),
            *(_mate(battle, unit, FIRST_MATE_ROW + row, fix) for row, fix in enumerate(rows.mates)),
            *(_munition(unit, FIRST_MUNITION_ROW + row, munition) for row, munition in enumerate(rows.munitions)),
        ],
    }


def _weapons(battle: Battle, unit: Unit) -> list[JsonValue]:
    groups: list[JsonValue] = []
    for group in WeaponGroup:
        places = [place for place in range(len(unit.mounts)) if weapon_at(battle, unit, place).group == group]
        if group is WeaponGroup.AUTOMATIC or not places:
            continue
        started = [unit.spec.mounts[place].ammo for place in places]
        left = sum(unit.mounts[place].ammo for place in places)
        has_no_end = UNLIMITED in started
        groups.append(
            {
                "group": group.name,
                "mounts": len(places),
                "ready": sum(mount_refusal(battle, unit, place) is None for place in places),
                "ammo": UNLIMITED if has_no_end else left,
                "ammo_share": 1.0 if has_no_end else float(left) / float(max(sum(started), 1)),
                "range_m": max(weapon_at(battle, unit, place).range_m for place in places),
            }
        )
    return groups


def _track(battle: Battle, unit: Unit, row: int, track: Track) -> JsonObject:
    size = apparent_size(apparent_unit(battle, track), track)
    label = _WORDS[Iff(track.iff)] if size is None else f"{_WORDS[Iff(track.iff)]} {size}"
    return {
        **_place(unit, row, "track", track.track_id, track.x, track.y),
        "label": label,
        "sigma": sqrt(track.P),
        "quality": int(track.quality),
        "bearing_only": bool(track.bearing_only),
        "iff": Iff(track.iff).name,
        "layer": int(track.layer_est),
        "can_engage": can_engage(battle, unit, track),
    }


def _mate(battle: Battle, unit: Unit, row: int, fix: MateFix) -> JsonObject:
    return {
        **_place(unit, row, "mate", fix.unit_id, fix.x, fix.y),
        "label": battle.unit(fix.unit_id).spec.ship_id,
        "sigma": MATE_SIGMA_M,
        "quality": 3,
        "bearing_only": False,
        "iff": Iff.FRIENDLY_AUTHENTICATED.name,
        "layer": fix.layer,
        "can_engage": False,
    }


def _munition(unit: Unit, row: int, munition: Munition) -> JsonObject:
    return {
        **_place(unit, row, "munition", munition.id, munition.x, munition.y),
        "label": MunitionKind(munition.kind).name.lower(),
        "sigma": 0.0,
        "quality": 2,
        "bearing_only": False,
        "iff": Iff.HOSTILE_DECLARED.name,
        "layer": munition.launch_layer,
        "can_engage": False,
    }


def _place(unit: Unit, row: int, kind: str, entity_id: int, x: float, y: float) -> dict[str, JsonValue]:
    return {
        "row": row,
        "kind": kind,
        "id": entity_id,
        "x": x,
        "y": y,
        "range_m": hyp(x - unit.x, y - unit.y),
        "bearing": atan2(y - unit.y, x - unit.x),
    }
