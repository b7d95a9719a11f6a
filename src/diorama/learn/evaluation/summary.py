"""Sums up episodes: a summary is named for its column and its statistic, as in `net_profit_mean`."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from diorama.contracts.errors import UnknownName
from diorama.contracts.values import F64, JsonObject
from diorama.learn.evaluation.bootstrap import Statistic, bootstrap_interval
from diorama.learn.evaluation.records import EpisodeRecord

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
    """What a set of episodes comes to.

    Attributes:
        episodes: How many there are.
        values: Every summary by name.
        intervals: 95% bootstrap intervals of some of them.
        end_reasons: How many episodes ended for which reason; guarded ones count as `guard`.
        guard_truncated: How many the guard cut off.
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
    """Sum up at least one episode.

    Args:
        records: Episodes of one contender.
        names: Summaries of the world, beside those every world has.
        interval_names: Summaries that get a bootstrap interval.

    Raises:
        UnknownName: A summary names no column or no statistic.
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
        raise UnknownName.among(f"statistic (in the summary {name!r})", statistic, STATISTICS)
    if column not in columns:
        raise UnknownName.among(f"column (in the summary {name!r})", column, columns)
    return columns[column], STATISTICS[statistic]


def _end_reasons(records: Sequence[EpisodeRecord]) -> dict[str, int]:
    counted = Counter("guard" if record.guard_truncated else str(record.end_reason) for record in records)
    return dict(sorted(counted.items()))
