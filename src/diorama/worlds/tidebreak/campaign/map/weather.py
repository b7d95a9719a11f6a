"""Weather of every node, one step a day."""

from typing import Final

from diorama.numerics import TWO_PI, clamp, fmax
from diorama.worlds.tidebreak.campaign.draws import Stream, bell, uniform
from diorama.worlds.tidebreak.campaign.state import CampaignState, Sky
from diorama.worlds.tidebreak.codes import Precipitation

FIRST_SEA_STATE: Final = 2.5
_FOG_CHANCE: Final = 0.08
_FOG_KM: Final = 8.0
_LEAST_KM: Final = 0.5
_STORM_LIGHTNING: Final = 0.5


def change_weather(state: CampaignState) -> None:
    """Let the sea rise and fall."""
    for node in state.nodes:
        swell = 3.0 + 3.0 * bell(state, Stream.WEATHER, node.number, 0, 0)
        sea_state = clamp(0.8 * node.sky.sea_state + 0.2 * swell, 0.0, 8.0)
        is_foggy = uniform(state, Stream.WEATHER, node.number, 0, 1) < _FOG_CHANCE
        wind = TWO_PI * uniform(state, Stream.WEATHER, node.number, 0, 2)
        node.sky = sky_of(sea_state, is_foggy=is_foggy, wind_direction=wind)


def sky_of(sea_state: float, *, is_foggy: bool, wind_direction: float) -> Sky:
    """Everything that follows from the sea state."""
    rain = _precipitation(sea_state)
    return Sky(
        sea_state=sea_state,
        visibility_km=fmax(20.0 - 1.5 * sea_state - (_FOG_KM if is_foggy else 0.0), _LEAST_KM),
        precipitation=rain.name,
        wind_speed=3.0 * sea_state,
        wind_direction=wind_direction,
        lightning=_STORM_LIGHTNING if rain is Precipitation.STORM else 0.0,
        is_foggy=is_foggy,
    )


def _precipitation(sea_state: float) -> Precipitation:
    for limit, rain in ((3.0, Precipitation.NONE), (5.0, Precipitation.LIGHT_RAIN), (7.0, Precipitation.HEAVY_RAIN)):
        if sea_state < limit:
            return rain
    return Precipitation.STORM
