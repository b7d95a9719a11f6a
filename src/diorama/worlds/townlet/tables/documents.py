"""The documents a town is made from, as they are written: zones, objects and affordances."""

from typing import Annotated, Final, Literal, Self

from pydantic import Field, model_validator

from diorama.contracts.sections import Section
from diorama.worlds.townlet.codes import NEED_NAMES

MOST_ITEMS: Final = 30000  # of one kind, in an object

Id = Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_]{0,47}$")]
Place = Annotated[tuple[int, int], Field(strict=False)]
Rect = Annotated[tuple[int, int, int, int], Field(strict=False)]
Count = Annotated[int, Field(ge=0, le=MOST_ITEMS)]
Amount = float | str | dict[str, float]


class ZoneEntry(Section):
    """A named part of the town; a building has walls around it, and its zone is the inside."""

    id: Id
    kind: Literal["building", "open"] = "building"
    rect: Rect = Field(description="x0, y0, x1, y1, inclusive.")
    door: Place | None = None
    stand_rect: Rect | None = Field(default=None, description="Where people stand; everywhere unless given.")


class ObjectEntry(Section):
    """Something that can be used."""

    type: Literal["object"] = "object"
    id: Id
    object_type: Id
    position: Place
    use_tile: Place | None = Field(default=None, description="The first walkable neighbor unless given.")
    queue_tiles: Annotated[tuple[Place, ...], Field(strict=False, min_length=1)] | None = None
    stock: dict[Id, Count] = Field(default_factory=dict)
    caps: dict[Id, Count] = Field(default_factory=dict)
    price_factor: float = Field(default=1.0, ge=0.0, le=1000.0)
    access: Literal["public", "residents"] = "public"
    owner: str | None = Field(default=None, description="Citizen who owns a bed from the start.")
    linked: Id | None = Field(default=None, description="Object that `linked` yields go to.")
    zone: Id | None = Field(default=None, description="The zone around it unless given.")


class TownFile(Section):
    """The map."""

    size: Place
    zones: Annotated[tuple[ZoneEntry, ...], Field(strict=False)]
    objects: Annotated[tuple[ObjectEntry, ...], Field(strict=False)] = ()
    spawn_tiles: Annotated[tuple[Place, ...], Field(strict=False, min_length=1)]


class HookNames(Section):
    """Hooks of an affordance, in the order in which they run."""

    before: Annotated[tuple[str, ...], Field(strict=False)] = ()
    after: Annotated[tuple[str, ...], Field(strict=False)] = ()
    fail: Annotated[tuple[str, ...], Field(strict=False)] = ()


class AffordanceEntry(Section):
    """Something that can be done with objects of one type."""

    type: Literal["affordance"] = "affordance"
    id: Id
    object_type: Id
    duration: int = Field(ge=1, le=1000)
    preconds: Annotated[tuple[Annotated[str, Field(min_length=1)], ...], Field(strict=False)] = ()
    costs: dict[str, Amount] = Field(default_factory=dict)
    effects: dict[str, Amount] = Field(default_factory=dict)
    apply: Literal["finish", "spread"] = "finish"
    yields: dict[str, Annotated[int, Field(ge=1, le=1000)]] = Field(default_factory=dict)
    cooldown: int | None = Field(default=None, ge=0, le=100000)
    owner_only: bool = False
    hooks: HookNames = Field(default_factory=HookNames)

    @model_validator(mode="after")
    def _check(self) -> Self:
        if not self.effects and not self.yields:
            raise ValueError("has neither effects nor yields; it would do nothing")
        if unknown := [need for need in self.effects if need not in NEED_NAMES]:
            raise ValueError(f"effects names {unknown[0]!r}; needs are: {', '.join(NEED_NAMES)}")
        return self
