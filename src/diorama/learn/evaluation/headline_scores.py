"""Scores: the headline metrics and returns of a contender's episodes, with bootstrap intervals."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from diorama.contracts.spec import Aggregate, WorldSpec
from diorama.learn.evaluation.summary import STATISTICS, EpisodeRecord, bootstrap_interval, metric_column


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """A mean or a rate over episodes, and its 95% interval."""

    value: float
    low: float
    high: float


def headline_score(spec: WorldSpec, records: Sequence[EpisodeRecord], key: str) -> Score:
    """Return the score of one metric: a rate where the world counts it as one, else a mean."""
    metric = spec.metrics[spec.metric_keys.index(key)]
    statistic = STATISTICS["rate" if metric.aggregate is Aggregate.EPISODE_FINAL_RATE else "mean"]
    values = metric_column(records, key)
    low, high = bootstrap_interval(values, statistic)
    return Score(value=float(statistic(values)), low=low, high=high)


def scores_of(spec: WorldSpec, records: Sequence[EpisodeRecord]) -> Mapping[str, Score]:
    """Return the score of every headline metric, and of every reward profile as `return_PROFILE`."""
    scores = {key: headline_score(spec, records, key) for key in spec.headline}
    mean = STATISTICS["mean"]
    for profile in records[0].returns:
        values = np.array([record.returns[profile] for record in records])
        low, high = bootstrap_interval(values, mean)
        scores[f"return_{profile}"] = Score(value=float(mean(values)), low=low, high=high)
    return scores
