"""What a sweep searches for, and where: read from YAML."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, JsonValue, PositiveInt, ValidationError, model_validator

from diorama.contracts.errors import ConfigError
from diorama.contracts.validation import problem_line
from diorama.storage.yaml_text import read_yaml


class Method(StrEnum):
    """How the next trial is chosen."""

    RANDOM = "random"
    TPE = "tpe"
    NSGA2 = "nsga2"


class Stopping(StrEnum):
    """When a trial is given up before its end."""

    NEVER = "never"
    MEDIAN = "median"
    HYPERBAND = "hyperband"


class Goal(StrEnum):
    """Which way is better."""

    MAXIMIZE = "maximize"
    MINIMIZE = "minimize"


class Aggregate(StrEnum):
    """How the scores of several training seeds become the score of a trial."""

    MEAN = "mean"
    BOUND = "bound"


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Range(_Strict):
    """Numbers from `low` to `high`, both included.

    Attributes:
        low: The least of them.
        high: The largest.
        log: Whether orders of magnitude are searched; `low` is above 0 then.
        integer: Whether only whole numbers are taken.
    """

    low: float
    high: float
    log: bool = False
    integer: bool = False

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.low >= self.high:
            raise ValueError(f"low {self.low:g} must be below high {self.high:g}")
        if self.log and self.low <= 0:
            raise ValueError(f"a range with log: true starts above 0, not at {self.low:g}")
        if self.integer and not (self.low.is_integer() and self.high.is_integer()):
            raise ValueError(f"a range with integer: true has whole ends, not {self.low:g} and {self.high:g}")
        return self

    @property
    def first(self) -> float | int:
        """Its lower end."""
        return int(self.low) if self.integer else self.low


Choices = Annotated[tuple[str | int | float | bool, ...], Field(min_length=1)]


class Objective(_Strict):
    """What makes a trial good.

    Attributes:
        metric: A number of the windows, such as `return_mean` or `survival_rate`.
        goal: Which way is better.
        last_windows: Its mean over so many windows, the newest ones, is what counts.
    """

    metric: str = "return_mean"
    goal: Goal = Goal.MAXIMIZE
    last_windows: PositiveInt = 3


class SweepSpec(_Strict):
    """A sweep.

    Attributes:
        world: Id of the world, as `diorama worlds` lists them.
        preset: What every trial starts from, as in `diorama train --preset`.
        settings: Laid over the preset in every trial, by dotted name.
        space: What is searched, by dotted name: a range, or a list of choices.
        method: `nsga2` searches for the best scores at the least training time, all others for the best score alone.
        stopping: When trials are given up; not with `nsga2`, which needs every trial's time.
        patience_windows: Windows before a trial can be given up.
        trials: Trials in all.
        seed: Of the search; without `seeds`, trials are trained with the seed their settings give.
        seeds: Training seeds, each of which is a run of every trial; None for a single run.
        aggregate: `bound` is the mean of the seeds' scores less one standard error (plus one where less is better), so
            that settings that do well by luck alone fall behind.
    """

    world: str
    preset: str = "default"
    settings: dict[str, JsonValue] = Field(default_factory=dict)
    space: dict[str, Range | Choices] = Field(min_length=1)
    objective: Objective = Objective()
    method: Method = Method.TPE
    stopping: Stopping = Stopping.MEDIAN
    patience_windows: PositiveInt = 2
    trials: PositiveInt = 20
    seed: int = Field(0, ge=0)
    seeds: Annotated[tuple[int, ...], Field(min_length=1)] | None = None
    aggregate: Aggregate = Aggregate.MEAN

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.method is Method.NSGA2 and self.stopping is not Stopping.NEVER:
            raise ValueError("method nsga2 needs every trial's whole time; set stopping: never")
        if self.seeds is not None and len(set(self.seeds)) < len(self.seeds):
            raise ValueError("seeds names a training seed twice")
        if self.seeds is not None and "seed" in {*self.settings, *self.space}:
            raise ValueError("seed is set by seeds; leave it out of settings and space")
        doubled = sorted(set(self.space) & set(self.settings))
        if doubled:
            raise ValueError(f"{doubled[0]} stands in settings and in space; leave it out of one")
        return self


def first_choice(spec: SweepSpec) -> dict[str, JsonValue]:
    """Return one point of the space: the lower end of every range and the first of all choices, by dotted name."""
    return {name: place.first if isinstance(place, Range) else place[0] for name, place in spec.space.items()}


def read_spec(path: Path) -> SweepSpec:
    """Read a sweep.

    Raises:
        ConfigError: With the place of everything that is wrong.
    """
    try:
        return SweepSpec.model_validate(read_yaml(path, str(path)))
    except ValidationError as error:
        problems = [problem_line(item) for item in error.errors(include_url=False)]
        raise ConfigError(f"{path}: {'; '.join(problems)}") from None
