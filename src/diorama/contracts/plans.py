"""What a world declares about how it is verified, trained, told about and judged: data for whoever does it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from diorama.contracts.bots import Bot
from diorama.contracts.spec import Better


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionSuite:
    """A way of choosing actions for a parity case; `start(seed)` opens one, fed by the reference side's rows."""

    name: str
    summary: str
    start: Callable[[int], Bot]


@dataclass(frozen=True, slots=True, kw_only=True)
class ParityPlan:
    """The matrix of a world's parity suite.

    Attributes:
        suites: All suites, in order.
        quick_suites: Names of the suites of the minimum gate.
        configs: Label and configuration of each column of the full matrix, or what makes it when it is needed.
        seeds: Number of seeds, counted from 0.
        steps: Decisions per case.
        quick_configs: How many of the columns, from the first, are the quick gate's.
        quick_seeds: Number of seeds of the quick gate; as many as of the full matrix unless given.
        quick_steps: Decisions per case of the quick gate; as many as of the full matrix unless given.
    """

    suites: tuple[ActionSuite, ...]
    quick_suites: tuple[str, ...]
    configs: tuple[tuple[str, Mapping[str, object] | Callable[[], Mapping[str, object]]], ...]
    seeds: int
    steps: int
    quick_configs: int = 1
    quick_seeds: int | None = None
    quick_steps: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingNeeds:
    """What a trainer must keep to in a world; what it is not told it takes from here.

    Attributes:
        rollout_steps: Decisions of a rollout: all copies begin and end their episodes together.
        gamma: Discount per decision, where the world's rewards are made for one alone.
        one_lane: Whether all copies must be stepped together.
        on_device: Whether the copies are built where the policy is.
    """

    rollout_steps: int | None = None
    gamma: float | None = None
    one_lane: bool = False
    on_device: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CopyCost:
    """What one copy of a world costs in a configuration, at most and in the world's own unit of work.

    Attributes:
        unit: What is counted, in the plural, such as `frames`.
        per_second: How many of them one core does in a second, on a slow machine.
        opening: Units until a copy stands at its first decision.
        decision: Units of one decision.
        closing: Units of the last decision of an episode where the readable tier takes it again, for its final state.
        memory_bytes: What the copy holds.
        shared_bytes: What copies of one configuration hold together, however many they are.
    """

    unit: str
    per_second: int
    opening: int
    decision: int
    closing: int
    memory_bytes: int
    shared_bytes: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class TelemetryPlan:
    """What a world adds to the telemetry of every policy update.

    Attributes:
        gauges: By the beginning of two fields (`…_mean_avg`, `…_max_avg`), an entry of the float observation: its mean
            and its largest value over the rows of a vector step, averaged over the steps of the update.
        counters: By field, an event: in how many steps of a copy it happened.
        sums: By field, an event and a number it carries: the sum of it over all that happened.
        means: By field, an event and a number it carries: its mean, 0 where nothing happened.
    """

    gauges: Mapping[str, str] = field(default_factory=dict)
    counters: Mapping[str, str] = field(default_factory=dict)
    sums: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    means: Mapping[str, tuple[str, str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """A summary number two contenders are compared by."""

    summary: str
    better: Better


@dataclass(frozen=True, slots=True, kw_only=True)
class Expectation:
    """A demand on a trained policy: every summary reaches (or, if `strictly`, exceeds) that of the baseline.

    `at_least` gives further fixed lower bounds.
    """

    title: str
    summary: str
    baseline: str
    strictly: bool = False
    at_least: Mapping[str, float] = field(default_factory=dict)


Overrides = Mapping[str, object] | Callable[[Any], Mapping[str, object]]


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationProtocol:
    """How contenders are judged.

    Attributes:
        matrix_seeds: Episode seed = matrix seed × 1,000,000 + episode index.
        episodes: Episodes per matrix seed.
        max_decisions: Guard per episode; an episode it cuts off makes the report fail.
        return_profiles: Name and configuration overrides of each reward profile returns are reported under; overrides
            may be made from the configuration.
        summaries: Metric means reported per contender, beside those every world reports.
        interval_summaries: Summaries reported with a bootstrap interval.
        comparisons: What contenders are compared by.
        expectations: What is asked of a trained policy.
    """

    matrix_seeds: tuple[int, ...]
    episodes: int
    max_decisions: int
    return_profiles: tuple[tuple[str, Overrides], ...]
    summaries: tuple[str, ...]
    interval_summaries: tuple[str, ...]
    comparisons: tuple[Comparison, ...]
    expectations: tuple[Expectation, ...]
