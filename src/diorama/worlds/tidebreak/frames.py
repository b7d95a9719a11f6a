"""A frame read back: the parts that pictures and explanations speak of, checked once at the door."""

from typing import Final

from pydantic import BaseModel, ConfigDict, Field

from diorama.contracts.values import JsonObject

ABSENT: Final = frozenset({"DESTROYED", "SCUTTLED", "EXITED"})
INEFFECTIVE: Final = ABSENT | {"SURRENDERED", "CAPTURED", "DISABLED"}


class _Part(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class Place(_Part):
    """A circle or polygon of the map."""

    x: float
    y: float
    radius: float
    vertices: tuple[tuple[float, float], ...] = ()


class ObstaclePart(Place):
    """An obstacle; soft ones only disturb sensors."""

    solid: bool


class ZonePart(Place):
    """A zone."""

    effect: str


class DepthPart(_Part):
    """The sea bed: one depth, or bytes over the bounds."""

    uniform_m: float | None = None
    rows: int = 0
    columns: int = 0
    scale_m: float = 0.0
    data: str = ""


class MapPart(_Part):
    """What does not change."""

    depth: DepthPart
    obstacles: tuple[ObstaclePart, ...]
    zones: tuple[ZonePart, ...]


class StormPart(Place):
    """A storm."""

    intensity: float


class TeamPart(_Part):
    """A side; shares of other sides are unknown in the view of one."""

    team_id: str
    cost_share: float | None
    effective: int | None


class UnitPart(_Part):
    """A unit."""

    id: int
    ship_id: str
    team: str
    kind: str
    size: str
    x: float
    y: float
    h: float
    layer: int
    mode: int
    hp: float
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

    kind: str
    team: str
    x: float
    y: float
    h: float
    aim: tuple[float, float]


class TrackPart(_Part):
    """What a side believes of a contact."""

    x: float
    y: float
    sigma: float
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

    kind: str
    source: int
    target: int
    text: str


class SeatPart(_Part):
    """Who sits where."""

    seat: int
    unit: int
    alive: bool


class FrameParts(_Part):
    """A frame."""

    tick: int
    time_remaining: int
    view: str | None
    bounds: tuple[float, float, float, float]
    map: MapPart
    storms: tuple[StormPart, ...]
    teams: tuple[TeamPart, ...]
    seats: tuple[SeatPart, ...]
    units: tuple[UnitPart, ...]
    munitions: tuple[MunitionPart, ...]
    tracks: dict[str, tuple[TrackPart, ...]]
    own: tuple[OwnPart, ...]
    events: tuple[EventPart, ...]

    def unit(self, unit_id: int) -> UnitPart | None:
        """The unit of this id, if the view shows it."""
        return next((unit for unit in self.units if unit.id == unit_id), None)


def read_frame(frame: JsonObject) -> FrameParts:
    """Read a render state, or what one side sees of it."""
    return FrameParts.model_validate(frame)
