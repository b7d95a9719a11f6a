"""What surrounds a unit: weather, water, dangers, its side, its objective and the fields."""

from typing import Final

import numpy as np

from diorama.numerics import fmax, fmin, hyp, sincos
from diorama.worlds.tidebreak.codes import Iff, Layer, ZoneEffect
from diorama.worlds.tidebreak.layout import FOVEATED_FIELDS, Env
from diorama.worlds.tidebreak.reference.fields import Field
from diorama.worlds.tidebreak.reference.observe.objective import show_objective
from diorama.worlds.tidebreak.reference.observe.obstruction import RAY_LENGTH_M, nearest_obstruction
from diorama.worlds.tidebreak.reference.observe.scaling import clip, half_side, relative_direction
from diorama.worlds.tidebreak.reference.sensing.pairs import field_at, thermocline_at
from diorama.worlds.tidebreak.reference.state import Battle, Unit
from diorama.worlds.tidebreak.reference.systems.currents import current_at
from diorama.worlds.tidebreak.reference.systems.terrain import depth_below
from diorama.worlds.tidebreak.reference.systems.weather import local_weather
from diorama.worlds.tidebreak.reference.systems.zones import zone_intensity
from diorama.worlds.tidebreak.resolve.terrain import layers_at

SEA_STATE_SCALE: Final = 9.0
VISIBILITY_SCALE_KM: Final = 20.0
PRECIPITATION_SCALE: Final = 3.0
WIND_SCALE_MS: Final = 40.0
CURRENT_SCALE_MS: Final = 5.0
DEPTH_SCALE_M: Final = 2_000.0
NOISE_SCALE_DB: Final = 120.0
HEAT_SCALE_C: Final = 50.0
TRACKS_SCALE: Final = 16.0
COST_SCALE: Final = 1_000.0
BOARDING_SCALE: Final = 4.0
SHOWN_FIELDS: Final = (Field.TEMPERATURE, Field.NOISE, Field.OCCUPANCY, Field.SONAR_RETURN)


def show_environment(battle: Battle, unit: Unit) -> list[float]:
    """Return the block `environment`."""
    obs = [0.0] * Env.SIZE
    limit = battle.rules.time_limit_ticks
    obs[Env.TIME_LEFT] = float(limit - battle.tick) / float(limit)
    _show_weather(obs, battle, unit)
    _show_water(obs, battle, unit)
    _show_dangers(obs, battle, unit)
    _show_side(obs, battle, unit)
    show_objective(obs, battle, unit)
    _show_fields(obs, battle, unit)
    return [clip(value) for value in obs]


def _show_weather(obs: list[float], battle: Battle, unit: Unit) -> None:
    here, wind = local_weather(battle, unit.x, unit.y), battle.map.weather
    obs[Env.SEA_STATE] = here.sea_state / SEA_STATE_SCALE
    obs[Env.VISIBILITY] = here.visibility_km / VISIBILITY_SCALE_KM
    obs[Env.PRECIPITATION] = float(here.precipitation) / PRECIPITATION_SCALE
    obs[Env.WIND] = wind.wind_x / WIND_SCALE_MS
    obs[Env.WIND + 1] = wind.wind_y / WIND_SCALE_MS
    obs[Env.LIGHTNING] = here.lightning


def _show_water(obs: list[float], battle: Battle, unit: Unit) -> None:
    layer, depth_m = unit.layer.layer, depth_below(battle, unit.x, unit.y)
    current_x, current_y = current_at(battle, layer, unit.x, unit.y)
    obs[Env.CURRENT] = current_x / CURRENT_SCALE_MS
    obs[Env.CURRENT + 1] = current_y / CURRENT_SCALE_MS
    obs[Env.DEPTH] = fmin(depth_m, DEPTH_SCALE_M) / DEPTH_SCALE_M
    allowed = layers_at(depth_m)
    for each in Layer:
        obs[Env.LAYERS_ALLOWED + each] = float(allowed >> each & 1)
    obs[Env.THERMOCLINE] = thermocline_at(battle, (unit.x, unit.y))
    obs[Env.NOISE] = field_at(battle, Field.NOISE, layer, (unit.x, unit.y)) / NOISE_SCALE_DB
    obs[Env.HAZARD] = zone_intensity(battle, ZoneEffect.HAZARD, unit.layers_mask, unit.x, unit.y)


def _show_dangers(obs: list[float], battle: Battle, unit: Unit) -> None:
    found, area = nearest_obstruction(battle, unit), battle.map
    obs[Env.OBSTACLE + 2] = 1.0
    if found is not None:
        obs[Env.OBSTACLE], obs[Env.OBSTACLE + 1] = sincos(found.bearing)
        obs[Env.OBSTACLE + 2] = found.range_m / RAY_LENGTH_M
    to_edge_x = fmin(unit.x - area.min_x, area.max_x - unit.x)
    to_edge_y = fmin(unit.y - area.min_y, area.max_y - unit.y)
    obs[Env.EDGE] = fmin(to_edge_x, to_edge_y) / half_side(battle)
    _show_storm(obs, battle, unit)


def _show_storm(obs: list[float], battle: Battle, unit: Unit) -> None:
    obs[Env.STORM + 2] = 1.0
    nearest_m = -1.0
    for storm in battle.storms:
        distance_m = fmax(0.0, hyp(storm.x - unit.x, storm.y - unit.y) - storm.radius)
        if storm.intensity > 0.0 and (nearest_m < 0.0 or distance_m < nearest_m):
            nearest_m = distance_m
            obs[Env.STORM], obs[Env.STORM + 1] = relative_direction(unit, storm.x, storm.y)
            obs[Env.STORM + 2] = distance_m / battle.map.field_side_m
            obs[Env.STORM + 3] = storm.intensity


def _show_side(obs: list[float], battle: Battle, unit: Unit) -> None:
    total = effective = 0.0
    for mate in battle.units[: len(battle.spec.units)]:
        if mate.spec.team == unit.team:
            total += mate.spec.hull.cost
            if mate.is_effective:
                effective += mate.spec.hull.cost
    obs[Env.FRIENDLY_COST] = effective / total if total > 0.0 else 0.0
    hostile = sum(track.iff in (Iff.SUSPECT, Iff.HOSTILE_DECLARED) for track in unit.tracks.tracks)
    obs[Env.HOSTILE_TRACKS] = float(hostile) / TRACKS_SCALE
    obs[Env.OWN_COST] = unit.spec.hull.cost / COST_SCALE
    obs[Env.BOARDING] = float(unit.boarding.state) / BOARDING_SCALE


def _show_fields(obs: list[float], battle: Battle, unit: Unit) -> None:
    layer = unit.layer.layer
    seen = battle.fields.foveated(layer, unit.x, unit.y, unit.heading, SHOWN_FIELDS)
    usual_c = float(np.float32(battle.map.temperature_c[layer]))  # cells hold it in binary32
    sectors = seen.astype(np.float64).reshape(-1, FOVEATED_FIELDS)
    for sector, (heat_c, noise_db, occupancy, echo) in enumerate(sectors.tolist()):
        first = Env.FOVEATED + sector * FOVEATED_FIELDS
        obs[first] = (heat_c - usual_c) / HEAT_SCALE_C
        obs[first + 1] = noise_db / NOISE_SCALE_DB
        obs[first + 2] = occupancy
        obs[first + 3] = echo
