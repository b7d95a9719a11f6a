"""Episode records, and their means, medians, rates and bootstrap intervals."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from diorama.contracts.errors import UnknownName
from diorama.contracts.values import F64, U64, JsonObject
from diorama.rng import Pcg32


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeRecord:
    """One seat's episode.

    Attributes:
        policy: Name of the contender.
        seed: Episode seed.
        seat: Index of the seat in its copy; 0 in a world of one seat.
        decisions: Number of decisions of the seat.
        ticks: Simulated time in ticks.
        returns: Sum of rewards under each reward profile.
        terminated: Whether the world's rules ended it.
        truncated: Whether the world's time limit ended it.
        guard_truncated: Whether the evaluator's limit of decisions cut it off; it is then neither of the two above.
        end_reason: The world's name for the end; None without one.
        invalid_actions: Number of decisions with an option that the mask rules out.
        metrics: Final values in float64, in the order of the world's metric table.
    """

    policy: str
    seed: int
    seat: int
    decisions: int
    ticks: int
    returns: Mapping[str, float]
    terminated: bool
    truncated: bool
    guard_truncated: bool
    end_reason: str | None
    invalid_actions: int
    metrics: Mapping[str, float]

    @property
    def invalid_action_rate(self) -> float:
        """Share of invalid decisions; 0 without decisions."""
        return self.invalid_actions / max(1, self.decisions)

    def to_json(self) -> JsonObject:
        """Return the episode's row in a report."""
        return {
            "policy": self.policy,
            "seed": self.seed,
            "seat": self.seat,
            "decisions": self.decisions,
            "ticks": self.ticks,
            **{f"return_{profile}": value for profile, value in self.returns.items()},
            "terminated": self.terminated,
            "truncated": self.truncated,
            "guard_truncated": self.guard_truncated,
            "end_reason": self.end_reason,
            "invalid_actions": self.invalid_actions,
            "invalid_action_rate": self.invalid_action_rate,
            "metrics": dict(self.metrics),
        }


RESAMPLES: Final = 2000
CONFIDENCE: Final = 0.95
_SEED: Final = 0
_STREAM: Final = 54
_MULTIPLIER: Final = np.uint64(6364136223846793005)

Statistic = Callable[[F64], F64]  # reduces the last axis


def bootstrap_interval(values: F64, statistic: Statistic) -> tuple[float, float]:
    """Return the 95% percentile interval of a statistic of a sample.

    Every call starts the same random stream, so columns of the same episodes are resampled alike.

    Args:
        values: The sample; at least one number.
        statistic: Reduces the last axis of an array.
    """
    stream = Pcg32.from_seed(_SEED, _STREAM)
    draws = u32_block(stream, RESAMPLES * len(values)) % np.uint64(len(values))
    resampled = statistic(values[draws.reshape(RESAMPLES, len(values))])
    tail = (1.0 - CONFIDENCE) / 2.0
    low, high = np.quantile(resampled, (tail, 1.0 - tail))
    return float(low), float(high)


def u32_block(stream: Pcg32, count: int) -> U64:
    """Draw `count` numbers at once; they equal as many calls of `stream.next_u32()`."""
    states = _states(stream.state, stream.inc, count)
    stream.advance(count)
    xorshifted = (((states >> np.uint64(18)) ^ states) >> np.uint64(27)) & np.uint64(0xFFFFFFFF)
    doubled = (xorshifted << np.uint64(32)) | xorshifted
    block: U64 = (doubled >> (states >> np.uint64(59))) & np.uint64(0xFFFFFFFF)
    return block


def _states(state: int, inc: int, count: int) -> U64:
    """Return the first `count` states by doubling: n steps of the generator are one multiplication and one addition."""
    states = np.array([state], np.uint64)
    factor, offset = _MULTIPLIER, np.uint64(inc)
    with np.errstate(over="ignore"):
        while len(states) < count:
            states = np.concatenate((states, states * factor + offset))
            offset = offset * factor + offset
            factor = factor * factor
    block: U64 = states[:count]
    return block


_HALF: Final = 0.5
_INVALID_GLOBAL: Final = "invalid_action_rate_global"


def _mean(values: F64) -> F64:
    return np.asarray(values.mean(axis=-1))


def _median(values: F64) -> F64:
    return np.asarray(np.median(values, axis=-1))


def _rate(values: F64) -> F64:
    return np.asarray((values >= _HALF).mean(axis=-1))


STATISTICS: Final[Mapping[str, Statistic]] = {"mean": _mean, "median": _median, "rate": _rate}


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """Summary statistics of a set of episodes.

    Attributes:
        episodes: Number of episodes.
        values: Summaries by name.
        intervals: 95% bootstrap intervals of some summaries.
        end_reasons: Number of episodes by end reason; `guard` where the limit of decisions cut them off.
        guard_truncated: Number of episodes that the limit of decisions cut off.
    """

    episodes: int
    values: Mapping[str, float]
    intervals: Mapping[str, tuple[float, float]]
    end_reasons: Mapping[str, int]
    guard_truncated: int

    def to_json(self) -> JsonObject:
        """Return the aggregate block of the report."""
        return {
            "episodes": self.episodes,
            **self.values,
            "intervals": {name: {"low": low, "high": high} for name, (low, high) in self.intervals.items()},
            "end_reasons": dict(self.end_reasons),
            "guard_truncated": self.guard_truncated,
        }


def summarize(records: Sequence[EpisodeRecord], names: Sequence[str], *, interval_names: Sequence[str] = ()) -> Summary:
    """Return the summary of episodes.

    Args:
        records: Episodes of one contender; at least one.
        names: Summaries of the world, in addition to those that every world has.
        interval_names: Summaries that get a bootstrap interval.

    Raises:
        UnknownName: A summary has an unknown column or statistic.
    """
    columns = _columns(records)
    wanted = (*names, *_common_names(records[0]))
    values = {name: summary_value(columns, name) for name in wanted}
    values[_INVALID_GLOBAL] = sum(record.invalid_actions for record in records) / max(
        1, sum(record.decisions for record in records)
    )
    intervals = {name: bootstrap_interval(*_resolve(columns, name)) for name in interval_names}
    return Summary(
        episodes=len(records),
        values=values,
        intervals=intervals,
        end_reasons=_end_reasons(records),
        guard_truncated=sum(record.guard_truncated for record in records),
    )


def summary_value(columns: Mapping[str, F64], name: str) -> float:
    """Return one summary of the columns."""
    values, statistic = _resolve(columns, name)
    return float(statistic(values))


def standard_error(values: F64) -> float:
    """Return the standard error of the mean; 0 for a single value."""
    return float(values.std(ddof=1) / np.sqrt(len(values))) if len(values) > 1 else 0.0


def metric_column(records: Sequence[EpisodeRecord], key: str) -> F64:
    """Return the final values of a metric, one per episode."""
    return np.array([record.metrics[key] for record in records])


def _columns(records: Sequence[EpisodeRecord]) -> dict[str, F64]:
    first = records[0]
    columns = {key: metric_column(records, key) for key in first.metrics}
    for profile in first.returns:
        columns[f"return_{profile}"] = np.array([record.returns[profile] for record in records])
    columns["decisions"] = np.array([float(record.decisions) for record in records])
    columns["ticks"] = np.array([float(record.ticks) for record in records])
    columns["invalid_action_rate"] = np.array([record.invalid_action_rate for record in records])
    return columns


def _common_names(record: EpisodeRecord) -> list[str]:
    returns = [f"return_{profile}_{statistic}" for profile in record.returns for statistic in ("mean", "median")]
    return [*returns, "decisions_mean", "ticks_mean", "invalid_action_rate_mean"]


def _resolve(columns: Mapping[str, F64], name: str) -> tuple[F64, Statistic]:
    column, _, statistic = name.rpartition("_")
    if statistic not in STATISTICS:
        raise UnknownName.among(f"statistic (in the summary {name!r})", statistic, STATISTICS, code="unknown_statistic")
    if column not in columns:
        raise UnknownName.among(f"column (in the summary {name!r})", column, columns, code="unknown_column")
    return columns[column], STATISTICS[statistic]


def _end_reasons(records: Sequence[EpisodeRecord]) -> dict[str, int]:
    counted = Counter("guard" if record.guard_truncated else str(record.end_reason) for record in records)
    return dict(sorted(counted.items()))
