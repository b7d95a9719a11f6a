"""A scenario as it is written."""

from typing import Annotated, Any, Final, Literal, Self

from pydantic import Field, model_validator

from diorama.contracts.sections import Section
from diorama.worlds.townlet.codes import NEED_NAMES, OPTION_NAMES, PRIMITIVE_NAMES
from diorama.worlds.townlet.events import EVENT_NAMES
from diorama.worlds.townlet.tables.documents import ObjectEntry, Place

AgentId = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_#-]{0,31}$")]
Share = Annotated[float, Field(ge=0.0, le=1.0)]
ScriptEntry = str | Annotated[tuple[str, Annotated[int, Field(ge=1)]], Field(strict=False)]
Level = Literal["option", "primitive"]
ANY_EVENT: Final = "any"
ACTION_NAMES: Final = (*OPTION_NAMES, *PRIMITIVE_NAMES)


class CitizenEntry(Section):
    """Somebody who lives there; whatever is left out is as for anybody else.

    Attributes:
        job: Id of a job, `none` for no job.
        script: Options or primitives, each for one tick or, as `[Sleep, 40]`, for several; after the last the first
            comes again. Without one the scripted controller decides.
    """

    id: AgentId
    name: str | None = None
    position: Place | None = None
    home: str | None = None
    needs: dict[str, Share] = Field(default_factory=dict)
    wallet: float | None = Field(default=None, ge=0.0)
    food_raw: int | None = Field(default=None, ge=0)
    job: str | None = None
    profile: str | None = None
    script: Annotated[tuple[ScriptEntry, ...], Field(strict=False, min_length=1)] | None = None

    @model_validator(mode="after")
    def _check(self) -> Self:
        if unknown := [need for need in self.needs if need not in NEED_NAMES]:
            raise ValueError(f"needs names {unknown[0]!r}; needs are: {', '.join(NEED_NAMES)}")
        names = [entry if isinstance(entry, str) else entry[0] for entry in self.script or ()]
        if wrong := [name for name in names if name not in ACTION_NAMES]:
            raise ValueError(f"script names {wrong[0]!r}; there are: {', '.join(ACTION_NAMES)}")
        if any(name in OPTION_NAMES for name in names) and any(name in PRIMITIVE_NAMES for name in names):
            raise ValueError("script mixes options and primitives; use one kind")
        return self


class TimelineEntry(Section):
    """A command that is given at the beginning of a tick; `refused` says that the town must refuse it."""

    tick: int = Field(ge=0)
    name: str = Field(min_length=1)
    args: list[Any] = Field(default_factory=list)
    kwargs: dict[str, Any] = Field(default_factory=dict)
    refused: bool = False


class Expectation(Section):
    """Something that must hold.

    Exactly one of these says what is looked at:
        event: How often an event happened up to then, `any` for all of them; `where` counts only those whose fields
            have these values.
        measure: A number of the town, such as `kpi.attendance`, `queues.ghost_step_events`, `price.meal_cost`,
            `stock.fridge_1.meals`, `citizen.ann.wallet` or `tie.ann.bob.rivalry`.
        order: Events that happen in this order, others between them or not.

    Attributes:
        at: After which tick; after the last unless given.
        equals: What a number must be, `within` so much; or `at_least`, `at_most`, `above`, `below`.
    """

    event: str | None = None
    measure: str | None = None
    order: Annotated[tuple[str, ...], Field(strict=False, min_length=2)] | None = None
    where: dict[str, Any] = Field(default_factory=dict)
    at: int | None = Field(default=None, ge=0)
    equals: float | None = None
    within: float = Field(default=0.0, ge=0.0)
    at_least: float | None = None
    at_most: float | None = None
    above: float | None = None
    below: float | None = None

    @model_validator(mode="after")
    def _check(self) -> Self:
        looked_at = [name for name in ("event", "measure", "order") if getattr(self, name) is not None]
        if len(looked_at) != 1:
            raise ValueError(f"names {' and '.join(looked_at) or 'nothing'}; name one of event, measure and order")
        bounds = (self.equals, self.at_least, self.at_most, self.above, self.below)
        if (self.order is None) == all(bound is None for bound in bounds):
            raise ValueError("a number needs one of equals, at_least, at_most, above and below; an order none")
        named = [*(self.order or ()), *([] if self.event is None else [self.event])]
        if unknown := [name for name in named if name not in (ANY_EVENT, *EVENT_NAMES)]:
            raise ValueError(f"no event is called {unknown[0]!r}; there are: any, {', '.join(EVENT_NAMES)}")
        if self.where and self.event is None:
            raise ValueError("where narrows an event down; name the event")
        return self


class Scenario(Section):
    """A town set up for a purpose.

    Attributes:
        base: Configuration file beside the scenario; the defaults of the world without one.
        overrides: Laid over it, section by section.
        ticks: How long it lasts.
        citizens: Who lives there; as many as the configuration says, with nothing special about them, unless given.
        objects: Further objects, as in an affordance manifest.
        timeline: What the operator does.
        expect: What must come of it.
    """

    name: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_-]{0,47}$")]
    summary: str
    base: str | None = None
    overrides: dict[str, Any] = Field(default_factory=dict)
    seed: int = Field(default=1337, ge=0, le=2**63 - 1)
    ticks: int = Field(ge=1, le=1_000_000)
    citizens: Annotated[tuple[CitizenEntry, ...], Field(strict=False)] = ()
    objects: Annotated[tuple[ObjectEntry, ...], Field(strict=False)] = ()
    timeline: Annotated[tuple[TimelineEntry, ...], Field(strict=False)] = ()
    expect: Annotated[tuple[Expectation, ...], Field(strict=False)] = ()
    tags: Annotated[tuple[str, ...], Field(strict=False)] = ()

    @model_validator(mode="after")
    def _check(self) -> Self:
        ids = [citizen.id for citizen in self.citizens]
        if repeated := sorted({name for name in ids if ids.count(name) > 1}):
            raise ValueError(f"citizens: {repeated[0]!r} lives here twice")
        late = [entry.tick for entry in self.timeline if entry.tick >= self.ticks]
        late += [item.at for item in self.expect if item.at is not None and item.at >= self.ticks]
        if late:
            raise ValueError(f"something is planned at tick {late[0]}; the last tick is {self.ticks - 1}")
        return self
