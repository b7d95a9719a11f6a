"""The interval of a mean by paired bootstrap."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.random import Generator

from diorama.worlds.morphogenesis.comparison.episodes import EpisodeResult, pairs_of

RESAMPLES: Final = 10_000
CONFIDENCE: Final = 0.95
_CHUNK: Final = 500
"""Resamples drawn at once, which bounds the memory of a long run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """A mean difference in percentage points with its 95% interval, from so many pairs."""

    mean: float
    low: float
    high: float
    pairs: int


def bootstrap_interval(differences: Sequence[float], draws: Generator) -> Interval:
    """Return the mean of paired differences and its interval; `ValueError` without a single pair."""
    if not differences:
        raise ValueError("there is no pair to resample")
    values = np.array(differences, np.float64)
    means = np.concatenate(
        [
            values[draws.integers(0, len(values), (min(_CHUNK, RESAMPLES - start), len(values)))].mean(axis=1)
            for start in range(0, RESAMPLES, _CHUNK)
        ]
    )
    tail = 100.0 * (1.0 - CONFIDENCE) / 2.0
    low, high = np.percentile(means, [tail, 100.0 - tail])
    return Interval(mean=float(values.mean()), low=float(low), high=float(high), pairs=len(values))


def accuracy_difference(
    first: Sequence[EpisodeResult], second: Sequence[EpisodeResult], draws: Generator
) -> Interval | None:
    """Return how far the first ends above the second over equal rounds and envs; None without a pair."""
    differences = [one.final_accuracy - other.final_accuracy for one, other in pairs_of(first, second)]
    return bootstrap_interval(differences, draws) if differences else None
