"""A moment read back: the parts that pictures and explanations speak of, checked once at the door."""

from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from diorama.contracts.values import JsonObject
from diorama.worlds.moments import Count, Fraction, Label, at_most
from diorama.worlds.townlet.codes import NEED_NAMES
from diorama.worlds.townlet.config.world import GRID_SIDE_MAX

Coordinate = Annotated[int, Field(ge=-1, le=GRID_SIDE_MAX)]
Tile = tuple[Coordinate, Coordinate]
Rect = tuple[Coordinate, Coordinate, Coordinate, Coordinate]
Needs = Annotated[tuple[Fraction, ...], Field(min_length=len(NEED_NAMES), max_length=len(NEED_NAMES))]
_MIDDAY: Final = 0.5
_MOST_ZONES: Final = 128
_MOST_CITIZENS: Final = 128
_MOST_ROWS: Final = 4096
_MOST_NEWS: Final = 4096


ObjectRow = tuple[Label, Label, int, Coordinate, Coordinate, int, int]


class _Part(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class ZonePart(_Part):
    """A zone; one with a door is a building with walls on the rim of its rectangle."""

    id: Label
    rect: Rect
    door: Tile | None


class MapPart(_Part):
    """What never changes; objects and jobs are rows as `render.scenery` writes them."""

    size: tuple[Annotated[int, Field(ge=1, le=GRID_SIDE_MAX)], Annotated[int, Field(ge=1, le=GRID_SIDE_MAX)]]
    zones: Annotated[tuple[ZonePart, ...], at_most(_MOST_ZONES)]
    objects: Annotated[tuple[ObjectRow, ...], at_most(_MOST_ROWS)]
    uses: Annotated[dict[Label, tuple[Label, ...]], at_most(_MOST_ROWS)]
    jobs: Annotated[tuple[tuple[Label, int, int, int], ...], at_most(_MOST_ROWS)]


class ThingPart(_Part):
    """An object about which there is something to tell."""

    object: int
    holder: int | None = None
    queue: tuple[int, ...] = ()
    doing: str | None = None
    stock: dict[str, int] = Field(default_factory=dict)


class CitizenPart(_Part):
    """A citizen."""

    seat: Count
    name: Label
    at: Tile
    home: int
    needs: Needs
    wallet: float
    items: dict[str, int]
    option: str
    commit: int
    is_busy: bool
    holds: int | None
    waits: int | None
    job: int | None
    shift: str

    @property
    def need(self) -> float:
        """The need that is worst off."""
        return min(self.needs)


class NewsPart(_Part):
    """Something that happened."""

    kind: Label
    text: Label


class UtilitiesPart(_Part):
    """What is on."""

    power: bool
    water: bool


class FrameParts(_Part):
    """A moment."""

    day: Count
    tod: Count
    ticks_per_day: Annotated[Count, Field(ge=1)]
    action_level: Literal["option", "primitive"]
    map: MapPart
    things: Annotated[tuple[ThingPart, ...], at_most(_MOST_ROWS)]
    citizens: Annotated[tuple[CitizenPart, ...], at_most(_MOST_CITIZENS)]
    prices: dict[str, tuple[float, float]]
    utilities: UtilitiesPart
    events: Annotated[tuple[NewsPart, ...], at_most(_MOST_NEWS)]

    @property
    def darkness(self) -> float:
        """0 at midday, 1 at midnight."""
        return abs(self.tod / self.ticks_per_day - _MIDDAY) / _MIDDAY

    def citizen(self, seat: int) -> CitizenPart | None:
        """Who has a seat."""
        return next((citizen for citizen in self.citizens if citizen.seat == seat), None)

    def thing(self, index: int) -> ThingPart:
        """What there is to tell about an object."""
        return next((thing for thing in self.things if thing.object == index), ThingPart(object=index))


def read_frame(frame: JsonObject) -> FrameParts:
    """Read a moment.

    Raises:
        ValueError: It is none of a town.
    """
    return FrameParts.model_validate(frame)
