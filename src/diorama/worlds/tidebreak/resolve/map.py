"""The map of a package with everything worked out."""

from collections.abc import Iterable

from diorama.numerics import norm2pi, sincos
from diorama.worlds.tidebreak.codes import Layer, Modality
from diorama.worlds.tidebreak.limits import FIELD_DOMAINS_M
from diorama.worlds.tidebreak.packages.map import LayerModifier, MapDefinition, MapZone, Obstacle
from diorama.worlds.tidebreak.packages.weather import Storm, Weather
from diorama.worlds.tidebreak.resolve.currents import resolve_currents
from diorama.worlds.tidebreak.resolve.depths import resolve_depth
from diorama.worlds.tidebreak.resolve.records import (
    ResolvedLayer,
    ResolvedMap,
    ResolvedObstacle,
    ResolvedStorm,
    ResolvedWeather,
    ResolvedZone,
)
from diorama.worlds.tidebreak.resolve.shapes import resolve_shape


def resolve_map(definition: MapDefinition, seed: int, time_limit_ticks: int) -> ResolvedMap:
    """Expand a map."""
    bounds = definition.bounds
    side = field_side(bounds.max_x - bounds.min_x, bounds.max_y - bounds.min_y)
    layers = definition.layers
    return ResolvedMap(
        min_x=bounds.min_x,
        min_y=bounds.min_y,
        max_x=bounds.max_x,
        max_y=bounds.max_y,
        edges_open=definition.edges == "open",
        field_side_m=side,
        field_x0=(bounds.min_x + bounds.max_x) / 2.0 - side / 2.0,
        field_y0=(bounds.min_y + bounds.max_y) / 2.0 - side / 2.0,
        depth=resolve_depth(definition.bathymetry, seed),
        obstacles=tuple(resolve_obstacle(obstacle) for obstacle in definition.obstacles),
        zones=tuple(_zone(zone) for zone in definition.zones),
        currents=resolve_currents(definition.currents, bounds, seed),
        weather=_weather(definition.weather),
        storms=tuple(_storm(storm, time_limit_ticks) for storm in definition.storms),
        thermocline=definition.thermocline,
        temperature_c=definition.temperature,
        salinity_ppt=definition.salinity,
        layers=(_layer(layers.surface), _layer(layers.submerged), _layer(layers.abyssal)),
    )


def field_side(width_m: float, height_m: float) -> float:
    """Side of the field engine's square: the first allowed one that holds the larger side of the map."""
    larger = max(width_m, height_m)
    return next(side for side in FIELD_DOMAINS_M if side >= larger)


def layers_mask(layers: Iterable[Layer]) -> int:
    """Mask with the bit `1 << layer` of each layer."""
    mask = 0
    for layer in layers:
        mask |= 1 << layer
    return mask


def resolve_obstacle(obstacle: Obstacle) -> ResolvedObstacle:
    """Put an obstacle in its place."""
    return ResolvedObstacle(
        shape=resolve_shape(obstacle.shape, obstacle.position),
        solid=obstacle.material == "solid",
        intensity=obstacle.intensity,
        layers_mask=layers_mask(obstacle.layers),
    )


def _zone(zone: MapZone) -> ResolvedZone:
    x, y = zone.vector or (0.0, 0.0)
    return ResolvedZone(
        shape=resolve_shape(zone.shape, zone.position),
        effect=int(zone.modifier_type),
        intensity=zone.intensity,
        layers_mask=layers_mask(zone.layers),
        vector_x=x,
        vector_y=y,
    )


def _weather(weather: Weather) -> ResolvedWeather:
    direction = norm2pi(weather.wind_direction)
    sine, cosine = sincos(direction)
    return ResolvedWeather(
        sea_state=weather.sea_state,
        visibility_km=weather.visibility_km,
        precipitation=int(weather.precipitation),
        wind_speed_ms=weather.wind_speed,
        wind_direction_rad=direction,
        wind_x=weather.wind_speed * cosine,
        wind_y=weather.wind_speed * sine,
        lightning=weather.lightning,
    )


def _storm(storm: Storm, time_limit_ticks: int) -> ResolvedStorm:
    return ResolvedStorm(
        x=storm.x,
        y=storm.y,
        vx=storm.vx,
        vy=storm.vy,
        radius_m=storm.radius,
        intensity=storm.intensity,
        profile=int(storm.profile),
        ends_at_tick=time_limit_ticks if storm.ends_at_tick is None else storm.ends_at_tick,
    )


def _layer(modifier: LayerModifier) -> ResolvedLayer:
    return ResolvedLayer(
        sensor_db=tuple(modifier.sensor_modifiers.get(modality, 0.0) for modality in Modality),
        speed_modifier=modifier.speed_modifier,
    )
