"""Whether one controller is better than another on the same hosts, or was only lucky."""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.random import Generator

FLIPS: Final = 20_000
_CHUNK: Final = 1_000


def one_sided_p(differences: Sequence[float], draws: Generator) -> float:
    """Return how likely a mean difference this large or larger is if neither is better.

    Every pair could as well have come out the other way round: the signs of the differences are flipped at random.

    Raises:
        ValueError: There is no pair.
    """
    if not differences:
        raise ValueError("there is no pair to compare")
    values = np.array(differences, np.float64)
    seen = values.mean()
    reached = 0
    for start in range(0, FLIPS, _CHUNK):
        signs = draws.integers(0, 2, (min(_CHUNK, FLIPS - start), len(values))) * 2 - 1
        # Differences that are all equal must reach themselves in spite of rounding.
        reached += int(np.count_nonzero((signs * values).mean(axis=1) >= seen - 1e-12))
    return (reached + 1) / (FLIPS + 1)
