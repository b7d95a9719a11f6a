"""`affordances`, `perturbations` and `lifecycle`: what can be done, what befalls the town, and who leaves it."""

from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, SerializerFunctionWrapHandler, field_serializer, model_validator

from diorama.contracts.named_files import FilePath, ModuleName
from diorama.contracts.sections import Section, fixed, hot
from diorama.worlds.townlet.config.ordered import list_of, mapping_of

Kind = Literal["price_spike", "blackout", "outage", "arranged_meet"]
TickRange = Annotated[
    tuple[Annotated[int, Field(ge=1, le=100000)], Annotated[int, Field(ge=1, le=100000)]], Field(strict=False)
]
FactorRange = Annotated[
    tuple[Annotated[float, Field(gt=0.0, le=100.0)], Annotated[float, Field(gt=0.0, le=100.0)]], Field(strict=False)
]
DelayRange = Annotated[
    tuple[Annotated[int, Field(ge=0, le=100000)], Annotated[int, Field(ge=0, le=100000)]], Field(strict=False)
]
_FIELDS_OF_KIND = {
    "price_spike": {"magnitude", "targets"},
    "blackout": set[str](),
    "outage": set[str](),
    "arranged_meet": {"target", "location", "max_participants"},
}


class Affordances(Section):
    """What can be done with the objects of the town.

    Attributes:
        affordances_file: Beside the configuration, or shipped.
        instrumentation: Whether the time of hooks and effects is measured.
    """

    affordances_file: Annotated[str, FilePath()] = hot("town/core_affordances.yaml", min_length=1)
    hook_modules: Annotated[tuple[Annotated[str, ModuleName()], ...], Field(strict=False)] = fixed(
        (), description="Modules with further hooks."
    )
    instrumentation: Literal["off", "timings"] = hot("off")


class PerturbationSpec(Section):
    """One kind of event that can befall the town.

    Attributes:
        kind: What happens.
        prob_per_day: How often in a day, on average.
        cooldown_ticks: Silence after its end.
        max_participants: Most citizens at a meeting.
    """

    kind: Kind = hot()
    prob_per_day: float = hot(ge=0.0, le=1000.0)
    cooldown_ticks: int = hot(0, ge=0, le=1000000)
    duration: TickRange = hot(description="Least and most ticks.")
    bucket: str | None = hot(None, min_length=1, description="Fairness bucket; the kind unless given.")
    magnitude: FactorRange | None = hot(None, description="Factor on prices, of a price spike.")
    targets: Annotated[tuple[str, ...], Field(strict=False, min_length=1)] | None = hot(
        None, description="Price groups or keys, of a price spike."
    )
    target: Literal["top_rivals", "random"] | None = hot(None, description="Who is asked to meet.")
    location: str | None = hot(None, min_length=1, description="Zone of the meeting.")
    max_participants: int | None = hot(None, ge=2, le=64)

    @model_validator(mode="after")
    def _check(self) -> Self:
        for name, span in (("duration", self.duration), ("magnitude", self.magnitude)):
            if span is not None and span[0] > span[1]:
                raise ValueError(f"{name} {list(span)} runs backwards")
        own = _FIELDS_OF_KIND[self.kind]
        for name in sorted(set().union(*_FIELDS_OF_KIND.values()) - own):
            if getattr(self, name) is not None:
                raise ValueError(f"{name} is nothing a {self.kind} has")
        if self.kind == "price_spike" and (self.magnitude is None or self.targets is None):
            raise ValueError("a price_spike needs magnitude and targets")
        if self.kind == "arranged_meet" and self.location is None:
            raise ValueError("an arranged_meet needs a location")
        return self

    @property
    def fairness_bucket(self) -> str:
        """Bucket its starts are counted in."""
        return self.bucket or self.kind


class Perturbations(Section):
    """What befalls the town, and how often.

    Attributes:
        enabled: Whether anything is drawn.
        max_concurrent_events: Events at one time.
        global_cooldown_ticks: Ticks from one start to the next.
        per_agent_cooldown_ticks: Ticks in which somebody who took part is left alone.
        grace_window_ticks: Ticks after an event in which it still excuses exits.
        window_ticks: Length of the window of the fairness buckets.
    """

    enabled: bool = hot(True)
    file: Annotated[str, FilePath()] = hot(
        "town/perturbations.yaml", min_length=1, description="Read unless `events` is given."
    )
    max_concurrent_events: int = hot(2, ge=1, le=8)
    global_cooldown_ticks: int = hot(240, ge=0, le=1000000)
    per_agent_cooldown_ticks: int = hot(360, ge=0, le=1000000)
    grace_window_ticks: int = hot(60, ge=0, le=1000000)
    window_ticks: int = hot(1000, ge=1, le=1000000)
    max_events_per_window: int = hot(2, ge=0, le=1000, description="Per fairness bucket; 0: no limit.")
    events: Annotated[dict[str, PerturbationSpec], BeforeValidator(mapping_of)] | None = hot(
        None, description="Events in the order they are drawn, instead of a file."
    )

    @field_serializer("events", mode="wrap", when_used="json")
    def _dump_events(self, _: object, dump: SerializerFunctionWrapHandler) -> list[dict[str, object]] | None:
        documents: Any = dump(self.events)
        return None if documents is None else list_of(documents)


class Collapse(Section):
    """When hunger ends a life in town.

    Attributes:
        threshold: Hunger at or below which it begins.
        ticks: Ticks in a row.
    """

    threshold: float = hot(0.03, ge=0.0, le=1.0)
    ticks: int = hot(30, ge=1, le=100000)


class Eviction(Section):
    """When unpaid rent does.

    Attributes:
        days_unpaid: Rents in a row that were not paid.
        recovery_days: Days in which it can be made good.
    """

    days_unpaid: int = hot(2, ge=1, le=100)
    recovery_days: int = hot(1, ge=0, le=100)


class ChronicNeed(Section):
    """When neglect does.

    Attributes:
        threshold: A need below it is neglected.
        fraction_of_day: Share of a day.
    """

    threshold: float = hot(0.1, ge=0.0, le=1.0)
    fraction_of_day: float = hot(0.25, gt=0.0, le=1.0)


class AgeOut(Section):
    """When age does.

    Attributes:
        enabled: Whether citizens grow old.
        min_days: Shortest stay.
        max_days: Longest stay.
    """

    enabled: bool = fixed(False)
    min_days: int = fixed(10, ge=1, le=100000)
    max_days: int = fixed(20, ge=1, le=100000)

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.min_days > self.max_days:
            raise ValueError(f"min_days {self.min_days} is above max_days {self.max_days}")
        return self


class Lifecycle(Section):
    """Exits and arrivals.

    Attributes:
        max_exits_per_day: Exits of all kinds in a day.
        exit_cooldown_ticks: Ticks from one exit to the next.
        spawn_delay_ticks: Least and most ticks until somebody takes a free seat.
        unemployment_days: Days without a wage that end a stay.
        suppress_during_city_events: Whether outages and price spikes excuse exits.
        spawn_policy: Not used: newcomers are led by the release.
        elitist_jitter: Not used.
    """

    max_exits_per_day: int = hot(2, ge=0, le=50)
    exit_cooldown_ticks: int = hot(120, ge=0, le=10000)
    spawn_delay_ticks: DelayRange = hot((5, 20))
    collapse: Collapse = Field(default_factory=Collapse)
    eviction: Eviction = Field(default_factory=Eviction)
    unemployment_days: int = hot(4, ge=1, le=30)
    chronic_need: ChronicNeed = Field(default_factory=ChronicNeed)
    age_out: AgeOut = Field(default_factory=AgeOut)
    suppress_during_city_events: bool = hot(True)
    spawn_policy: Literal["release", "elitist"] = hot("release")
    elitist_jitter: float = hot(0.01, ge=0.0, le=1.0)

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.spawn_delay_ticks[0] > self.spawn_delay_ticks[1]:
            raise ValueError(f"spawn_delay_ticks {list(self.spawn_delay_ticks)} runs backwards")
        return self
