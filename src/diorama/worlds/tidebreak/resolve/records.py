"""The resolved battle: every number a battle starts from, in meters, seconds, radians and integer codes.

These records are what `resolve` writes as canonical JSON, field for field, and what the arenas read. Absent things are
None where a rule asks whether they exist, and -1 where a count has no end.
"""

from dataclasses import dataclass
from typing import Final

FORMAT: Final = "tidebreak.resolved.1"
UNLIMITED: Final = -1


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolvedRules:
    """Switches of the battle, and its clock: `dt_s` is exactly `1.0 / substeps`."""

    substeps: int
    dt_s: float
    time_limit_ticks: int
    margin_on_timeout: bool
    fields: bool
    field_period: int
    max_bricks: int
    fog: bool
    perfect_iff: bool
    friendly_fire: bool
    allow_friendly_orders: bool
    boarding: bool
    surrender: bool
    clutter: bool
    objective_ends_battle: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolvedTeam:
    """One side; `enemies` lists indices of the teams it is at war with, ascending."""

    index: int
    team_id: str
    name: str
    enemies: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolvedDepth:
    """Either `uniform_m`, or nodes row by row from the south-west corner; positive down, land at or below 0."""

    uniform_m: float | None
    rows: int
    columns: int
    nodes_m: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolvedShape:
    """A circle (no vertices, `radius_m` its radius) or a convex polygon, counter-clockwise.

    Attributes:
        x: Center, absolute.
        y: Center, absolute.
        radius_m: Of the circle, or of the smallest circle around the center that holds the polygon.
        vertices: Of the polygon, absolute; empty for a circle.
    """

    x: float
    y: float
    radius_m: float
    vertices: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolvedObstacle:
    """Solid obstacles block movement and sight; soft ones disturb sensors by `intensity`."""

    shape: ResolvedShape
    solid: bool
    intensity: float
    layers_mask: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolvedZone:
    """`effect` is a `ZoneEffect`; the vector is zero except for CURRENT."""

    shape: ResolvedShape
    effect: int
    intensity: float
    layers_mask: int
    vector_x: float
    vector_y: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolvedCurrent:
    """17 x 17 nodes of one layer in m/s, row by row from the south-west corner."""

    x_ms: tuple[float, ...]
    y_ms: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolvedWeather:
    """Weather away from storms; `wind_x` and `wind_y` are the wind's vector in m/s."""

    sea_state: float
    visibility_km: float
    precipitation: int
    wind_speed_ms: float
    wind_direction_rad: float
    wind_x: float
    wind_y: float
    lightning: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolvedStorm:
    """`profile` is a `StormProfile`; a storm without an end gets the time limit, which no tick passes."""

    x: float
    y: float
    vx: float
    vy: float
    radius_m: float
    intensity: float
    profile: int
    ends_at_tick: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolvedLayer:
    """Local rules of one layer; `sensor_db` is by `Modality` and is added to excesses."""

    sensor_db: tuple[float, ...]
    speed_modifier: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolvedMap:
    """Where the battle is fought; tuples of three are by `Layer`.

    `field_x0`, `field_y0` is the south-west corner of the field engine's square of side `field_side_m`.
    """

    min_x: float
    min_y: float
    max_x: float
    max_y: float
    edges_open: bool
    field_side_m: float
    field_x0: float
    field_y0: float
    depth: ResolvedDepth
    obstacles: tuple[ResolvedObstacle, ...]
    zones: tuple[ResolvedZone, ...]
    currents: tuple[ResolvedCurrent, ResolvedCurrent, ResolvedCurrent]
    weather: ResolvedWeather
    storms: tuple[ResolvedStorm, ...]
    thermocline: float
    temperature_c: tuple[float, float, float]
    salinity_ppt: float
    layers: tuple[ResolvedLayer, ResolvedLayer, ResolvedLayer]
