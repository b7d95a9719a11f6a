"""The map of a battle: sea bed and weather of its node."""

from typing import Final

from diorama.worlds.tidebreak.campaign.draws import Stream, uniform
from diorama.worlds.tidebreak.campaign.kinds import MapStyle
from diorama.worlds.tidebreak.campaign.state import CampaignState, Node
from diorama.worlds.tidebreak.codes import Precipitation, StormProfile
from diorama.worlds.tidebreak.packages.bathymetry import Bathymetry, ProceduralDepth, UniformDepth
from diorama.worlds.tidebreak.packages.map import Bounds, MapDefinition
from diorama.worlds.tidebreak.packages.weather import Storm, Weather

HALF_SIDE_M: Final = 8_000.0
OPEN_DEPTH_M: Final = 1_500.0
_STORM_FROM: Final = 5.0
_STORM_RADIUS_M: Final = 4_000.0
_STORM_WITHIN_M: Final = 4_000.0
_STORM_SPEED_MS: Final = 5.0


def battle_map(state: CampaignState, node: Node) -> MapDefinition:
    """Lay out the sea."""
    return MapDefinition(
        bounds=Bounds(min_x=-HALF_SIDE_M, min_y=-HALF_SIDE_M, max_x=HALF_SIDE_M, max_y=HALF_SIDE_M),
        edges="open",
        bathymetry=sea_bed(node.style),
        weather=Weather(
            sea_state=node.sky.sea_state,
            visibility_km=node.sky.visibility_km,
            precipitation=Precipitation[node.sky.precipitation],
            wind_speed=node.sky.wind_speed,
            wind_direction=node.sky.wind_direction,
            lightning=node.sky.lightning,
        ),
        storms=_storms(state, node),
    )


def sea_bed(style: MapStyle) -> Bathymetry:
    """Sea bed of a style; the open sea is flat."""
    return UniformDepth(depth_m=OPEN_DEPTH_M) if style is MapStyle.OPEN else ProceduralDepth(style=style.value)


def _storms(state: CampaignState, node: Node) -> tuple[Storm, ...]:
    swell = node.sky.sea_state
    if swell < _STORM_FROM:
        return ()
    x, y, vx, vy = (2.0 * uniform(state, Stream.WEATHER, node.number, 0, k) - 1.0 for k in range(3, 7))
    return (
        Storm(
            x=_STORM_WITHIN_M * x,
            y=_STORM_WITHIN_M * y,
            vx=_STORM_SPEED_MS * vx,
            vy=_STORM_SPEED_MS * vy,
            radius=_STORM_RADIUS_M,
            intensity=0.1 * (swell - 4.0),
            profile=StormProfile.CYCLONIC,
        ),
    )
