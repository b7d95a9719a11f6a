"""The configuration of `prospector`; everything else about the belt belongs to the interface version."""

from typing import Literal

from pydantic import Field

from diorama.contracts.config import WorldConfig


class ProspectorConfig(WorldConfig):
    """What may differ from one belt to another.

    The switches turn an effect off, never its random draws, so that a seed keeps its stream whatever is switched.
    """

    time_max: float = Field(default=20000.0, gt=0.0, description="Ticks after which an episode is cut off.")
    reward_profile: Literal["v1", "v2"] = Field(default="v1", description="Which reward is paid.")
    invalid_action_pen: float = Field(default=0.01, ge=0.0, le=1e9, description="Reward lost by an invalid action.")
    pirates: bool = Field(default=True, description="Pirates attack.")
    hazards: bool = Field(default=True, description="Edges and nodes wear the hull, heat the ship and raise alert.")
    fractures: bool = Field(default=True, description="Mined asteroids can shatter.")
    price_impact: bool = Field(default=True, description="Sales slip, and stock and recent sales press on prices.")
    market_noise: bool = Field(default=True, description="Prices jitter.")
    scan_noise: bool = Field(default=True, description="Scans err.")
