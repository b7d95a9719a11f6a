"""What a captain knows of the own ship."""

from typing import Final

from diorama.numerics import sincos
from diorama.worlds.tidebreak.codes import System
from diorama.worlds.tidebreak.layout import Own
from diorama.worlds.tidebreak.reference.components import GROUPS, IN_TRANSIT, STEADY
from diorama.worlds.tidebreak.reference.observe.scaling import clip, half_side
from diorama.worlds.tidebreak.reference.sensing.targets import source_level
from diorama.worlds.tidebreak.reference.state import Battle, Unit
from diorama.worlds.tidebreak.reference.systems.compartments import usable
from diorama.worlds.tidebreak.reference.systems.fire_conditions import mount_refusal, weapon_at
from diorama.worlds.tidebreak.reference.systems.physics import speed_limit
from diorama.worlds.tidebreak.resolve.records import UNLIMITED

SPEED_SCALE_MS: Final = 30.0
ARMOUR_SCALE: Final = 32.0
SOURCE_LEVEL_ZERO_DB: Final = 100.0
SOURCE_LEVEL_SCALE_DB: Final = 100.0
ALARM_TICKS: Final = 10


def show_own_state(battle: Battle, unit: Unit) -> list[float]:
    """Return the block `own_state`."""
    obs = [0.0] * Own.SIZE
    _show_motion(obs, battle, unit)
    _show_condition(obs, unit)
    _show_depth(obs, unit)
    _show_posture(obs, battle, unit)
    _show_weapons(obs, battle, unit)
    return [clip(value) for value in obs]


def _show_motion(obs: list[float], battle: Battle, unit: Unit) -> None:
    area, motion, scale_m = battle.map, unit.motion, half_side(battle)
    sine, cosine = sincos(unit.heading)
    obs[Own.X] = (unit.x - (area.min_x + area.max_x) / 2.0) / scale_m
    obs[Own.Y] = (unit.y - (area.min_y + area.max_y) / 2.0) / scale_m
    obs[Own.SIN_HEADING] = sine
    obs[Own.COS_HEADING] = cosine
    obs[Own.SPEED_AHEAD] = (motion.vx * cosine + motion.vy * sine) / SPEED_SCALE_MS
    obs[Own.SPEED_LEFT] = (motion.vy * cosine - motion.vx * sine) / SPEED_SCALE_MS
    turn_rate = unit.spec.hull.turn_rate
    obs[Own.TURN] = motion.omega / turn_rate if turn_rate > 0.0 else 0.0
    obs[Own.THROTTLE] = motion.throttle
    obs[Own.RUDDER] = motion.rudder
    obs[Own.SPEED_LIMIT] = speed_limit(battle, unit) / SPEED_SCALE_MS


def _show_condition(obs: list[float], unit: Unit) -> None:
    hull, crew, capacity = unit.hull, unit.crew, unit.spec.fuel_capacity_s
    obs[Own.HP] = hull.hp / unit.spec.hull.hp_max
    obs[Own.ARMOUR] = unit.spec.hull.armour / ARMOUR_SCALE
    obs[Own.FUEL] = unit.stores.fuel / capacity if capacity > 0.0 else 1.0
    obs[Own.MORALE] = unit.morale.morale
    crew_start = unit.spec.crew.crew_start
    obs[Own.CREW] = float(crew.alive) / float(crew_start) if crew_start > 0 else 0.0
    obs[Own.GUNNERY] = crew.gunnery
    obs[Own.ENGINEERING] = crew.engineering
    obs[Own.FATIGUE] = crew.fatigue
    for system in System:
        obs[Own.SYSTEMS + system] = usable(unit, system)
    obs[Own.FIRE] = hull.fire
    obs[Own.FLOOD] = hull.flood


def _show_depth(obs: list[float], unit: Unit) -> None:
    layer = unit.layer
    obs[Own.LAYER + layer.layer] = 1.0
    if layer.mode != STEADY:
        obs[Own.IS_CHANGING_LAYER] = 1.0
        obs[Own.TRANSIT_SHARE] = float(layer.elapsed) / float(layer.total)
    if layer.mode == IN_TRANSIT:
        obs[Own.TRANSIT_DIRECTION] = 1.0 if layer.target_layer < layer.layer else -1.0


def _show_posture(obs: list[float], battle: Battle, unit: Unit) -> None:
    obs[Own.EMISSIONS + unit.posture.emissions] = 1.0
    obs[Own.SOURCE_LEVEL] = (source_level(unit) - SOURCE_LEVEL_ZERO_DB) / SOURCE_LEVEL_SCALE_DB
    alarm_tick = max(unit.contact_memory.pinged_at, unit.contact_memory.painted_at)
    obs[Own.IS_DETECTED] = 1.0 if battle.tick - alarm_tick <= ALARM_TICKS else 0.0


def _show_weapons(obs: list[float], battle: Battle, unit: Unit) -> None:
    for group in range(1, GROUPS + 1):
        places = [place for place in range(len(unit.mounts)) if weapon_at(battle, unit, place).group == group]
        if places:
            ready = sum(mount_refusal(battle, unit, place) is None for place in places)
            obs[Own.READY + group - 1] = float(ready) / float(len(places))
            obs[Own.AMMO + group - 1] = _ammo_share(unit, places)


def _ammo_share(unit: Unit, places: list[int]) -> float:
    started = [unit.spec.mounts[place].ammo for place in places]
    if UNLIMITED in started:
        return 1.0
    total = sum(started)
    return float(sum(unit.mounts[place].ammo for place in places)) / float(total) if total else 0.0
