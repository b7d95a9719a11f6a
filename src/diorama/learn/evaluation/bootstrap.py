"""Bootstrap over training seeds and episodes: how far a mean over several trained policies can be trusted."""

from typing import Final

import numpy as np

from diorama.contracts.values import F64
from diorama.learn.evaluation.summary import CONFIDENCE, RESAMPLES, u32_block
from diorama.rng import Pcg32

_SEED: Final = 0
_SEED_STREAM: Final = 55
_EPISODE_STREAM: Final = 56


def crossed_interval(scores: F64) -> tuple[float, float]:
    """Return the 95% percentile interval of the mean of scores, training seeds × episodes.

    Training seeds and episodes are both drawn with replacement, the same episodes for every training seed: all policies
    have played the same ones. Paired differences of two contenders are given as their differences.

    Args:
        scores: At least one row and one column; one row for a contender that was not trained.
    """
    seeds, episodes = scores.shape
    rows = _draws(_SEED_STREAM, seeds)
    columns = _draws(_EPISODE_STREAM, episodes)
    means = np.array([scores[np.ix_(row, column)].mean() for row, column in zip(rows, columns, strict=True)])
    tail = (1.0 - CONFIDENCE) / 2.0
    low, high = np.quantile(means, (tail, 1.0 - tail))
    return float(low), float(high)


def _draws(stream: int, count: int) -> np.ndarray[tuple[int, ...], np.dtype[np.uint64]]:
    drawn = u32_block(Pcg32.from_seed(_SEED, stream), RESAMPLES * count)
    return (drawn % np.uint64(count)).reshape(RESAMPLES, count)
