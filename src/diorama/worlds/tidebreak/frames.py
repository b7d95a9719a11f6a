"""A frame read back: the parts that pictures and explanations speak of, checked once at the door."""

from typing import Annotated, Final, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from diorama.contracts.values import JsonObject
from diorama.worlds.moments import Amount, Count, Fraction, Label, at_most

ABSENT: Final = frozenset({"DESTROYED", "SCUTTLED", "EXITED"})
INEFFECTIVE: Final = ABSENT | {"SURRENDERED", "CAPTURED", "DISABLED"}

_FAR_M: Final = 1e6  # from the middle of any map
_LEAST_SIDE_M: Final = 100.0
_MOST_PARTS: Final = 2048
_MOST_NODES: Final = 1024
Meters = Annotated[float, Field(ge=-_FAR_M, le=_FAR_M)]
Radius = Annotated[float, Field(ge=0.0, le=_FAR_M)]


class _Part(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class Place(_Part):
    """A circle or polygon of the map."""

    x: Meters
    y: Meters
    radius: Radius
    vertices: Annotated[tuple[tuple[Meters, Meters], ...], at_most(64)] = ()


class ObstaclePart(Place):
    """An obstacle; soft ones only disturb sensors."""

    solid: bool


class ZonePart(Place):
    """A zone."""

    effect: Label


class DepthPart(_Part):
    """The sea bed: one depth, or bytes over the bounds."""

    uniform_m: Amount | None = None
    rows: Annotated[int, Field(ge=0, le=_MOST_NODES)] = 0
    columns: Annotated[int, Field(ge=0, le=_MOST_NODES)] = 0
    scale_m: Amount = 0.0
    data: Annotated[str, Field(max_length=2 * _MOST_NODES**2)] = ""


class MapPart(_Part):
    """What does not change."""

    depth: DepthPart
    obstacles: Annotated[tuple[ObstaclePart, ...], at_most(_MOST_PARTS)]
    zones: Annotated[tuple[ZonePart, ...], at_most(_MOST_PARTS)]


class StormPart(Place):
    """A storm."""

    intensity: Fraction


class TeamPart(_Part):
    """A side; shares of other sides are unknown in the view of one."""

    team_id: Label
    cost_share: Amount | None
    effective: int | None


class UnitPart(_Part):
    """A unit."""

    id: int
    ship_id: Label
    team: Label
    kind: Label
    size: Label
    x: Meters
    y: Meters
    h: Amount
    layer: int
    mode: int
    hp: Fraction
    fire: float
    flood: float
    emissions: int
    status: tuple[str, ...]
    seat: int | None
    class_name: str = Field(alias="class")
    hp_max: float
    shots: int
    hits: int

    @property
    def is_present(self) -> bool:
        """Whether it is still there."""
        return not ABSENT & set(self.status)

    @property
    def is_effective(self) -> bool:
        """Whether it can still fight."""
        return not INEFFECTIVE & set(self.status)


class MunitionPart(_Part):
    """A munition."""

    kind: Label
    team: Label
    x: Meters
    y: Meters
    h: Amount
    aim: tuple[Meters, Meters]


class TrackPart(_Part):
    """What a side believes of a contact."""

    x: Meters
    y: Meters
    sigma: Amount
    quality: int
    bearing_only: bool
    iff: str
    holder: int


class WeaponPart(_Part):
    """A weapon group aboard."""

    group: str
    ready: int
    ammo: int


class ContactPart(_Part):
    """A row of the contact table."""

    row: int
    kind: str
    can_engage: bool


class OwnPart(_Part):
    """Instruments of a seat."""

    seat: int
    unit: int
    speed_limit: float
    decoys: int
    marines: float
    dc_focus: int
    weapons: tuple[WeaponPart, ...]
    contacts: tuple[ContactPart, ...]


class EventPart(_Part):
    """Something that happened."""

    kind: Label
    source: int
    target: int
    text: Label


class SeatPart(_Part):
    """Who sits where."""

    seat: int
    unit: int
    alive: bool


class FrameParts(_Part):
    """A frame."""

    tick: Count
    time_remaining: int
    view: Label | None
    bounds: tuple[Meters, Meters, Meters, Meters]
    map: MapPart
    storms: Annotated[tuple[StormPart, ...], at_most(_MOST_PARTS)]
    teams: Annotated[tuple[TeamPart, ...], at_most(_MOST_PARTS)]
    seats: Annotated[tuple[SeatPart, ...], at_most(_MOST_PARTS)]
    units: Annotated[tuple[UnitPart, ...], at_most(_MOST_PARTS)]
    munitions: Annotated[tuple[MunitionPart, ...], at_most(_MOST_PARTS)]
    tracks: Annotated[dict[Label, Annotated[tuple[TrackPart, ...], at_most(_MOST_PARTS)]], at_most(64)]
    own: Annotated[tuple[OwnPart, ...], at_most(_MOST_PARTS)]
    events: Annotated[tuple[EventPart, ...], at_most(_MOST_PARTS)]

    @model_validator(mode="after")
    def _check_bounds(self) -> Self:
        min_x, min_y, max_x, max_y = self.bounds
        if max_x - min_x < _LEAST_SIDE_M or max_y - min_y < _LEAST_SIDE_M:
            raise ValueError(f"bounds {list(self.bounds)} hold no map; sides are {_LEAST_SIDE_M:g} m or more")
        return self

    def unit(self, unit_id: int) -> UnitPart | None:
        """The unit of this id, if the view shows it."""
        return next((unit for unit in self.units if unit.id == unit_id), None)


def read_frame(frame: JsonObject) -> FrameParts:
    """Read a render state, or what one side sees of it."""
    return FrameParts.model_validate(frame)
