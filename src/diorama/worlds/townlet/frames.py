"""A moment read back: the parts that pictures and explanations speak of, checked once at the door."""

from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from diorama.contracts.values import JsonObject
from diorama.worlds.townlet.codes import NEED_NAMES

Tile = tuple[int, int]
Rect = tuple[int, int, int, int]
Needs = Annotated[tuple[float, ...], Field(min_length=len(NEED_NAMES), max_length=len(NEED_NAMES))]
_MIDDAY: Final = 0.5


class _Part(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class ZonePart(_Part):
    """A zone; one with a door is a building with walls on the rim of its rectangle."""

    id: str
    rect: Rect
    door: Tile | None


class MapPart(_Part):
    """What never changes; objects and jobs are rows as `render.scenery` writes them."""

    size: Tile
    zones: tuple[ZonePart, ...]
    objects: tuple[tuple[str, str, int, int, int, int, int], ...]
    uses: dict[str, tuple[str, ...]]
    jobs: tuple[tuple[str, int, int, int], ...]


class ThingPart(_Part):
    """An object about which there is something to tell."""

    object: int
    holder: int | None = None
    queue: tuple[int, ...] = ()
    doing: str | None = None
    stock: dict[str, int] = Field(default_factory=dict)


class CitizenPart(_Part):
    """A citizen."""

    seat: int
    name: str
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

    kind: str
    text: str


class UtilitiesPart(_Part):
    """What is on."""

    power: bool
    water: bool


class FrameParts(_Part):
    """A moment."""

    day: int
    tod: int
    ticks_per_day: int
    action_level: Literal["option", "primitive"]
    map: MapPart
    things: tuple[ThingPart, ...]
    citizens: tuple[CitizenPart, ...]
    prices: dict[str, tuple[float, float]]
    utilities: UtilitiesPart
    events: tuple[NewsPart, ...]

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
