"""The place of a battle."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from diorama.worlds.tidebreak.code_names import ByName
from diorama.worlds.tidebreak.codes import Layer, Modality, ZoneEffect
from diorama.worlds.tidebreak.limits import OBSTACLES_MAX, SIDE_MAX_M, SIDE_MIN_M, STORMS_MAX, ZONES_MAX
from diorama.worlds.tidebreak.packages.base import Coordinate, Exchange, Number, Point, Share, SpeedFactor
from diorama.worlds.tidebreak.packages.bathymetry import Bathymetry
from diorama.worlds.tidebreak.packages.currents import Currents, NoCurrent, Vector
from diorama.worlds.tidebreak.packages.shapes import ObstacleShape, ZoneShape
from diorama.worlds.tidebreak.packages.weather import Storm, Weather

Layers = Annotated[tuple[Annotated[Layer, ByName], ...], Field(min_length=1, max_length=3)]
Celsius = Annotated[float, Field(strict=True, ge=-5.0, le=400.0)]


class Bounds(Exchange):
    """Edges of the map in meters."""

    min_x: Coordinate
    min_y: Coordinate
    max_x: Coordinate
    max_y: Coordinate

    @model_validator(mode="after")
    def _check_sides(self) -> Self:
        for name, side in (("x", self.max_x - self.min_x), ("y", self.max_y - self.min_y)):
            if not SIDE_MIN_M <= side <= SIDE_MAX_M:
                raise PydanticCustomError("P052", f"is {side:g} m long in {name}; sides are 2,000 to 32,768 m")
        return self


class Obstacle(Exchange):
    """Something in the way; `soft` ones only disturb sensors, by their intensity."""

    shape: ObstacleShape
    position: Point
    material: Literal["solid", "soft"] = "solid"
    intensity: Share = 1.0
    layers: Layers = tuple(Layer)


class MapZone(Exchange):
    """An area with an effect; CURRENT needs the `vector` it adds."""

    shape: ZoneShape
    position: Point
    modifier_type: Annotated[ZoneEffect, ByName]
    intensity: Share = 1.0
    layers: Layers = tuple(Layer)
    vector: Vector | None = None

    @model_validator(mode="after")
    def _check_vector(self) -> Self:
        if self.modifier_type is ZoneEffect.CURRENT and self.vector is None:
            raise PydanticCustomError("P041", "has the effect CURRENT and no `vector`")
        return self


class LayerModifier(Exchange):
    """Local rules of one layer: decibels added by modality, and a factor on speed limits."""

    sensor_modifiers: dict[Annotated[Modality, ByName], Number] = Field(default_factory=dict)
    speed_modifier: SpeedFactor = 1.0


class LayerModifiers(Exchange):
    """Local rules by layer."""

    surface: LayerModifier = LayerModifier()
    submerged: LayerModifier = LayerModifier()
    abyssal: LayerModifier = LayerModifier()


class MapDefinition(Exchange):
    """Bounds, sea bed, water and sky."""

    bounds: Bounds
    edges: Literal["closed", "open"] = "closed"
    bathymetry: Bathymetry
    obstacles: tuple[Obstacle, ...] = Field((), max_length=OBSTACLES_MAX)
    zones: tuple[MapZone, ...] = Field((), max_length=ZONES_MAX)
    currents: Currents = NoCurrent()
    weather: Weather = Weather()
    storms: tuple[Storm, ...] = Field((), max_length=STORMS_MAX)
    thermocline: Share = 0.5
    temperature: tuple[Celsius, Celsius, Celsius] = (18.0, 10.0, 4.0)
    salinity: Annotated[float, Field(strict=True, ge=0.0, le=45.0)] = 35.0
    layers: LayerModifiers = LayerModifiers()
