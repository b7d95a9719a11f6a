"""How the training data is cut into minibatches: one permutation an epoch, contiguous slices of it."""

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from diorama.worlds.morphogenesis.contracts.errors import ConfigError


def minibatch_rows(
    samples: int, batch_size: int, draws: Generator, *, max_batches: int | None = None
) -> list[NDArray[np.int64]]:
    """Return the rows of each minibatch of an epoch; the last partial one is dropped.

    Args:
        samples: Size of the training set.
        batch_size: Rows of a minibatch.
        draws: The epoch's data stream.
        max_batches: How many minibatches to keep; all of them when it is `None`.
    """
    full = samples // batch_size
    if full == 0:
        raise ConfigError(f"batch_size {batch_size} is more than the {samples} training samples")
    order = draws.permutation(samples)
    kept = full if max_batches is None else min(full, max_batches)
    return [order[batch * batch_size : (batch + 1) * batch_size] for batch in range(kept)]
