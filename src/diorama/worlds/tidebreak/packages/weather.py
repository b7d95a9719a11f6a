"""Sky and storms, as a package says them."""

from typing import Annotated

from pydantic import Field

from diorama.worlds.tidebreak.code_names import ByName
from diorama.worlds.tidebreak.codes import Precipitation, StormProfile
from diorama.worlds.tidebreak.packages.base import Angle, Coordinate, Count, Exchange, Positive, Share

_StormSpeed = Annotated[float, Field(strict=True, ge=-100.0, le=100.0)]


class Weather(Exchange):
    """Weather away from storms; a calm clear day unless said otherwise."""

    sea_state: Annotated[float, Field(strict=True, ge=0.0, le=9.0)] = 0.0
    visibility_km: Annotated[float, Field(strict=True, ge=0.1, le=20.0)] = 20.0
    precipitation: Annotated[Precipitation, ByName] = Precipitation.NONE
    wind_speed: Annotated[float, Field(strict=True, ge=0.0, le=100.0)] = 0.0
    wind_direction: Angle = 0.0
    lightning: Share = 0.0


class Storm(Exchange):
    """A moving disc of bad weather; without `ends_at_tick` it outlasts the battle."""

    x: Coordinate
    y: Coordinate
    vx: _StormSpeed = 0.0
    vy: _StormSpeed = 0.0
    radius: Positive
    intensity: Share
    profile: Annotated[StormProfile, ByName]
    ends_at_tick: Count | None = None
