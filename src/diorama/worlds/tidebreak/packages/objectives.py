"""What a ship is told to do."""

from typing import Annotated, Final, Literal, Self

from pydantic import BeforeValidator, Field, model_validator
from pydantic_core import PydanticCustomError

from diorama.worlds.tidebreak.code_names import ByName
from diorama.worlds.tidebreak.codes import ObjectiveType
from diorama.worlds.tidebreak.limits import UNITS_MAX
from diorama.worlds.tidebreak.packages.base import Exchange, Identifier, Number, Point, Positive, Share, Text
from diorama.worlds.tidebreak.packages.shapes import Vertices

NEEDED_FIELDS: Final[dict[ObjectiveType, tuple[str, ...]]] = {
    ObjectiveType.DESTROY: ("target",),
    ObjectiveType.DISABLE: ("target",),
    ObjectiveType.RAID: (),
    ObjectiveType.INTERCEPT: ("targets",),
    ObjectiveType.PROTECT: ("asset",),
    ObjectiveType.SCREEN: ("asset", "zone"),
    ObjectiveType.CAPTURE: ("target",),
    ObjectiveType.EVADE: (),
    ObjectiveType.SHADOW: ("target", "duration_s"),
    ObjectiveType.LOITER: ("zone", "duration_s"),
    ObjectiveType.SCOUT: ("zone",),
    ObjectiveType.DELIVER: ("destination",),
    ObjectiveType.RECOVER: ("target",),
    ObjectiveType.EVACUATE: ("target", "destination"),
}


class ObjectiveZone(Exchange):
    """An area around a point or around a ship; polygon vertices are meters from that point."""

    shape: Literal["circle", "rectangle", "polygon"]
    center: Point | None = None
    relative_to: Identifier | None = None
    radius: Positive | None = None
    size: tuple[Positive, Positive] | None = None
    vertices: Vertices | None = None

    @model_validator(mode="after")
    def _check_form(self) -> Self:
        needed = {"circle": "radius", "rectangle": "size", "polygon": "vertices"}[self.shape]
        given = {"radius": self.radius, "size": self.size, "vertices": self.vertices}[needed]
        if given is None:
            raise PydanticCustomError("P041", f"is a {self.shape} and has no `{needed}`")
        if (self.center is None) == (self.relative_to is None):
            raise PydanticCustomError("P041", "needs either `center` or `relative_to`")
        return self


class Destination(Exchange):
    """Where to go: a position, a ship, or a ship with a position for when it is gone."""

    ship_id: Identifier | None = None
    position: Point | None = None

    @model_validator(mode="after")
    def _check_given(self) -> Self:
        if self.ship_id is None and self.position is None:
            raise PydanticCustomError("P041", "needs a `ship_id`, a `position` or both")
        return self


def _long_form(value: object) -> object:
    """A destination may be written as a bare position or a bare ship id."""
    if isinstance(value, str):
        return {"ship_id": value}
    if isinstance(value, list | tuple):
        return {"position": value}
    return value


class TacticalObjective(Exchange):
    """One objective; which fields are needed depends on its type."""

    objective_id: Identifier
    type: Annotated[ObjectiveType, ByName]
    target: Identifier | None = None
    targets: tuple[Identifier, ...] = Field((), max_length=UNITS_MAX)
    asset: Identifier | None = None
    zone: ObjectiveZone | None = None
    destination: Annotated[Destination, BeforeValidator(_long_form)] | None = None
    cargo: Text | None = None
    duration_s: Positive | None = None
    priority: Share = 0.5
    deadline_s: Positive | None = None
    reward_config: dict[Text, Number] | None = None

    def missing_fields(self, *, edges_open: bool) -> tuple[str, ...]:
        """Return the fields its type needs and does not have; whoever cannot leave the map evades to a destination."""
        needed = NEEDED_FIELDS[self.type]
        if self.type is ObjectiveType.EVADE and not edges_open:
            needed = ("destination",)
        given = {
            "target": self.target is not None,
            "targets": bool(self.targets),
            "asset": self.asset is not None,
            "zone": self.zone is not None,
            "destination": self.destination is not None,
            "duration_s": self.duration_s is not None,
        }
        return tuple(name for name in needed if not given[name])
