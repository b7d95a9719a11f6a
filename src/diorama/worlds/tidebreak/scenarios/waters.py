"""The sea a generated battle is fought on; each stage adds to the one before."""

from collections.abc import Sequence
from typing import Final

from diorama.numerics import TWO_PI, hyp, sincos
from diorama.worlds.tidebreak.codes import Precipitation, StormProfile, ZoneEffect
from diorama.worlds.tidebreak.packages.bathymetry import ProceduralDepth, UniformDepth
from diorama.worlds.tidebreak.packages.currents import AnalyticCurrent, Eddy, NoCurrent, UniformCurrent
from diorama.worlds.tidebreak.packages.map import Bounds, MapDefinition, MapZone, Obstacle
from diorama.worlds.tidebreak.packages.shapes import Circle
from diorama.worlds.tidebreak.packages.ships import ShipSnapshot
from diorama.worlds.tidebreak.packages.weather import Storm, Weather
from diorama.worlds.tidebreak.scenarios.draws import Draws, Purpose

HALF_SIDE_M: Final = 8000.0
DEPTH_M: Final = 1500.0
CURRENT_MAX_MS: Final = 1.5
OBSTACLE_CLEARANCE_M: Final = 1500.0
_OBSTACLE_TRIES: Final = 32
_SEA_FROM, _WATER_FROM, _WEATHER_FROM, _INTERFERENCE_FROM = 2, 4, 5, 6  # first stages of each


def draw_map(draws: Draws, ships: Sequence[ShipSnapshot], time_limit_s: float) -> MapDefinition:
    """Draw the map of a stage around ships that are already placed."""
    side = HALF_SIDE_M
    return MapDefinition(
        bounds=Bounds(min_x=-side, min_y=-side, max_x=side, max_y=side),
        bathymetry=_sea_bed(draws),
        obstacles=_obstacles(draws, ships) if draws.stage >= _WATER_FROM else (),
        zones=(*_hazards(draws), *_interference(draws)),
        currents=_currents(draws) if draws.stage >= _WATER_FROM else NoCurrent(),
        weather=_weather(draws),
        storms=_storms(draws, time_limit_s) if draws.stage >= _WEATHER_FROM else (),
    )


def _sea_bed(draws: Draws) -> UniformDepth | ProceduralDepth:
    if draws.stage != _WATER_FROM:
        return UniformDepth(depth_m=DEPTH_M)
    return ProceduralDepth(style="shelf" if draws.whole(0, 1, Purpose.BATHYMETRY) == 0 else "strait")


def _currents(draws: Draws) -> UniformCurrent | AnalyticCurrent:
    sine, cosine = sincos(draws.between(0.0, TWO_PI, Purpose.CURRENT, 0))
    if draws.whole(0, 1, Purpose.CURRENT, 1) == 0:
        speed = draws.between(0.0, CURRENT_MAX_MS, Purpose.CURRENT, 2)
        return UniformCurrent(vector=(speed * cosine, speed * sine))
    speed = draws.between(0.0, CURRENT_MAX_MS / 2.0, Purpose.CURRENT, 2)
    eddy = Eddy(
        x=draws.between(-4000.0, 4000.0, Purpose.CURRENT, 3),
        y=draws.between(-4000.0, 4000.0, Purpose.CURRENT, 4),
        radius=draws.between(1000.0, 4000.0, Purpose.CURRENT, 5),
        speed=draws.between(-CURRENT_MAX_MS / 2.0, CURRENT_MAX_MS / 2.0, Purpose.CURRENT, 6),
    )
    return AnalyticCurrent(base_vector=(speed * cosine, speed * sine), eddies=(eddy,))


def _obstacles(draws: Draws, ships: Sequence[ShipSnapshot]) -> tuple[Obstacle, ...]:
    return tuple(_obstacle(draws, index, ships) for index in range(draws.whole(2, 8, Purpose.OBSTACLE_COUNT)))


def _obstacle(draws: Draws, index: int, ships: Sequence[ShipSnapshot]) -> Obstacle:
    radius = draws.between(150.0, 600.0, Purpose.OBSTACLE_SIZE, index)
    x, y = 0.0, 0.0
    for attempt in range(_OBSTACLE_TRIES):
        key = (index * _OBSTACLE_TRIES + attempt) * 2
        x = draws.between(-HALF_SIDE_M, HALF_SIDE_M, Purpose.OBSTACLE_PLACE, key)
        y = draws.between(-HALF_SIDE_M, HALF_SIDE_M, Purpose.OBSTACLE_PLACE, key + 1)
        if clearance((x, y), radius, ships) >= OBSTACLE_CLEARANCE_M:
            break
    return Obstacle(shape=Circle(radius=radius), position=(x, y))


def clearance(position: tuple[float, float], radius_m: float, ships: Sequence[ShipSnapshot]) -> float:
    """Meters between the edge of a circle and the nearest unit's center."""
    return min(hyp(ship.initial_state.x - position[0], ship.initial_state.y - position[1]) - radius_m for ship in ships)


def _weather(draws: Draws) -> Weather:
    if draws.stage < _SEA_FROM:
        return Weather()
    roughest = 3.0 if draws.stage < _WEATHER_FROM else 7.0
    sea_state = draws.between(0.0, roughest, Purpose.SEA)
    if draws.stage < _WEATHER_FROM:
        return Weather(sea_state=sea_state)
    return Weather(
        sea_state=sea_state,
        visibility_km=draws.between(4.0, 20.0, Purpose.VISIBILITY),
        precipitation=Precipitation(draws.whole(0, 3, Purpose.PRECIPITATION)),
        wind_speed=draws.between(0.0, 20.0, Purpose.WIND, 0),
        wind_direction=draws.between(0.0, TWO_PI, Purpose.WIND, 1),
    )


def _storms(draws: Draws, time_limit_s: float) -> tuple[Storm, ...]:
    return tuple(_storm(draws, index * 8, time_limit_s) for index in range(draws.whole(0, 2, Purpose.STORM_COUNT)))


def _storm(draws: Draws, key: int, time_limit_s: float) -> Storm:
    return Storm(
        x=draws.between(-HALF_SIDE_M, HALF_SIDE_M, Purpose.STORM, key),
        y=draws.between(-HALF_SIDE_M, HALF_SIDE_M, Purpose.STORM, key + 1),
        vx=draws.between(-8.0, 8.0, Purpose.STORM, key + 2),
        vy=draws.between(-8.0, 8.0, Purpose.STORM, key + 3),
        radius=draws.between(2000.0, 5000.0, Purpose.STORM, key + 4),
        intensity=draws.between(0.3, 1.0, Purpose.STORM, key + 5),
        profile=StormProfile(draws.whole(0, 2, Purpose.STORM, key + 6)),
        ends_at_tick=draws.whole(int(time_limit_s) // 2, int(time_limit_s), Purpose.STORM, key + 7),
    )


def _hazards(draws: Draws) -> tuple[MapZone, ...]:
    if draws.stage < _WEATHER_FROM:
        return ()
    count = draws.whole(0, 2, Purpose.HAZARD_COUNT)
    return tuple(_zone(draws, ZoneEffect.HAZARD, (500.0, 1500.0), Purpose.HAZARD, index * 4) for index in range(count))


def _interference(draws: Draws) -> tuple[MapZone, ...]:
    if draws.stage < _INTERFERENCE_FROM:
        return ()
    count = draws.whole(0, 3, Purpose.ZONE_COUNT)
    return tuple(
        _zone(draws, ZoneEffect.SENSOR_INTERFERENCE, (1000.0, 3000.0), Purpose.ZONE, index * 4)
        for index in range(count)
    )


def _zone(draws: Draws, effect: ZoneEffect, radius: tuple[float, float], purpose: Purpose, key: int) -> MapZone:
    place = (
        draws.between(-HALF_SIDE_M, HALF_SIDE_M, purpose, key),
        draws.between(-HALF_SIDE_M, HALF_SIDE_M, purpose, key + 1),
    )
    return MapZone(
        shape=Circle(radius=draws.between(*radius, purpose, key + 2)),
        position=place,
        modifier_type=effect,
        intensity=draws.between(0.2, 0.8, purpose, key + 3),
    )
